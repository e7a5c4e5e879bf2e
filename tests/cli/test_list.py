from __future__ import annotations

import re

from PIL import Image

from cardgen.units import CARD_SIZES, PAPER_SIZES, Size
from tests.cli.commands import Program
from tests.game_file.games import write_game
from tests.projects import FRONT, MINION, Folder


def test_the_cards_are_listed_with_their_places(folder: Folder, cardgen: Program) -> None:
    folder.minions("Sentinel", "Warp Hound", more=", qty: 3")
    outcome = cardgen("list")
    assert outcome.code == 0
    assert [line.split() for line in outcome.out.splitlines()] == [
        ["KIND", "ID", "QTY", "NAME", "PLACE"],
        ["minion", "sentinel", "3", "Sentinel", "cards/minions.yaml:3:12"],
        ["minion", "warp-hound", "3", "Warp", "Hound", "cards/minions.yaml:4:12"],
    ]


def test_columns_stand_below_each_other(folder: Folder, cardgen: Program) -> None:
    folder.minions("A", "A Much Longer Name")
    lines = cardgen("list").out.splitlines()
    assert len({line.index("cards/") for line in lines[1:]}) == 1


def test_the_list_can_be_narrowed(folder: Folder, cardgen: Program) -> None:
    folder.minions("Anna", "Bert")
    assert [line.split()[1] for line in cardgen("list", "--only", "bert").out.splitlines()] == ["ID", "bert"]
    assert cardgen("list", "--only", "nobody").code == 2


def test_wrong_cards_are_not_listed_but_said(folder: Folder, cardgen: Program) -> None:
    folder.write("cards/a.yaml", MINION + "colour: red\n")
    outcome = cardgen("list")
    assert (outcome.code, outcome.out) == (1, "")
    assert "cards/a.yaml:4:1: error" in outcome.err


def test_sizes_are_listed_with_their_millimetres_and_users(folder: Folder, cardgen: Program) -> None:
    folder.write("cardgen.yaml", "paper: letter\nsizes: {minion: poker, relic: 50mm x 80mm}\n")
    rows = [re.split(r"  +", line) for line in cardgen("list", "--sizes").out.splitlines()]
    assert rows[0] == ["SIZE", "MILLIMETERS", "USED BY"]
    assert {row[0]: row[1] for row in rows[1:]} == {
        **{name: str(size) for name, size in {**CARD_SIZES, "50 x 80 mm": Size(50, 80), **PAPER_SIZES}.items()},
        "190 x 250 mm": "190 x 250 mm",
        "": "determined by its keys",
    }
    assert {row[0]: row[2] for row in rows[1:] if len(row) > 2} == {
        "poker": "minion",
        "standard": "mission",
        "tarot": "character",
        "50 x 80 mm": "relic",
        "190 x 250 mm": "warband",
        "": "token, cylinder, standee, blank, ruler, box, mat, dial",
        "letter": "paper",
    }


def test_a_paper_without_a_name_is_listed_too(folder: Folder, cardgen: Program) -> None:
    folder.write("cardgen.yaml", "paper: 200mm x 300mm\n")
    assert cardgen("list", "--sizes").out.splitlines()[-1].split()[-1] == "paper"


def test_sizes_are_listed_although_the_game_has_a_mistake(folder: Folder, cardgen: Program) -> None:
    folder.write("cardgen.yaml", "game: ember\n")
    folder.write("games/ember/game.yaml", "game: ember\nname: Ember\nkinds: {brave: {size: pokr}}\n")
    outcome = cardgen("list", "--sizes")
    rows = [re.split(r"  +", line) for line in outcome.out.splitlines()]
    assert outcome.code == 0
    assert ["poker", "63.5 x 88.9 mm"] in rows
    assert ["", "unknown: its game.yaml has mistakes", "ember"] in rows


def test_sizes_stand_alone(folder: Folder, cardgen: Program) -> None:
    assert cardgen("list", "--sizes", "--only", "a").code == 2


def test_cards_of_a_project_s_own_game_show_its_name(folder: Folder, cardgen: Program) -> None:
    write_game(folder.root, braves="game: ember\nkind: brave\nname: Ash\nheat: 4\n")
    assert re.search(r"^ember brave +ash +1 +Ash", cardgen("list").out, re.MULTILINE)


def test_a_shell_takes_no_project_for_an_option(folder: Folder, cardgen: Program) -> None:
    for name in ("-", "--output", "ok"):
        folder.write(f"{name}/cardgen.yaml", "game: warniris\n")
    assert cardgen("list", "--projects").out.splitlines() == ["./-", "./--output", "ok"]


def test_pictures_are_listed_with_their_resolution_on_paper(folder: Folder, cardgen: Program) -> None:
    """Of a picture on several cards, the largest print counts."""
    art = '{% if card.art %}<cg:art x="4" y="20" width="{{ card.stats.wounds * 10 }}" height="30"/>{% endif %}</svg>'
    folder.write("templates/warniris/minion.svg.j2", FRONT.replace("</svg>", art))
    svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M0 0h9v9z"/></svg>'
    folder.write("art/drawn.svg", svg)
    for name, pixels in (("fine", 900), ("coarse", 90)):
        Image.new("RGB", (pixels, pixels), "red").save(folder.root / "art" / f"{name}.png")
    cards = (("Ann", 1, "fine.png"), ("Bert", 3, "fine.png"), ("Cole", 3, "coarse.png"), ("Dora", 3, "drawn.svg"))
    for name, wounds, file in cards:
        stats = f"{{M: 2, B: 2, S: 2, W: {wounds}, Mo: 10}}"
        folder.write(f"cards/{name}.yaml", f"kind: minion\nname: {name}\nstats: {stats}\nart: art/{file}\n")
    lines = [re.split(r"  +", line) for line in cardgen("list", "--art", "-o", "art.html").out.splitlines()]
    assert lines == [
        ["PICTURE", "PIXELS", "PRINTED (MM)", "DPI", "CARDS"],
        ["art/coarse.png", "90 x 90", "30.0 x 30.0", "76 (too coarse)", "Cole"],
        ["art/drawn.svg", "drawing", "Dora"],
        ["art/fine.png", "900 x 900", "30.0 x 30.0", "762", "Ann and 1 more"],
    ]
    page = (folder.root / "art.html").read_text(encoding="utf-8")
    assert page.count('<img src="data:image/png;base64,') == 2
    assert page.count('<img src="data:image/svg+xml;base64,') == 1
    assert "3 pictures, 1 too coarse" in page
    assert "http" not in re.sub(r"Content-Security-Policy|http-equiv", "", page)
    assert cardgen("list", "-o", "art.html").code == 2


def test_an_empty_list_says_so(folder: Folder, cardgen: Program) -> None:
    folder.minions("Anna")
    for flag in ("--credits", "--art"):
        outcome = cardgen("list", flag)
        assert (outcome.code, len(outcome.out.splitlines())) == (0, 1)
        assert outcome.err == "there is nothing to list\n"


def test_a_list_in_a_language_has_places_in_the_files_of_cards(folder: Folder, cardgen: Program) -> None:
    folder.write("cardgen.yaml", "game: warniris\nlanguages: [de]\n")
    folder.write("cards/a.yaml", "# Ours.\ngame: warniris\nkind: relic\nname: Sun Stone\ntext: It shines.\n")
    folder.write("cards/a.de.yaml", "translations:\n  sun-stone:\n    name: Sonnenstein\n")
    (line,) = [each for each in cardgen("list", "--language", "de").out.splitlines() if "Sonnenstein" in each]
    assert "cards/a.yaml:4:" in line

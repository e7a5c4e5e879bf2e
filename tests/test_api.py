from __future__ import annotations

import os
import subprocess
import sys
import threading
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

import cardgen
from cardgen.rulesets.ruleset import Kind
from tests.projects import BACK, FRONT, MINION, Folder

ROOT = Path(__file__).parent.parent
RELICS = ROOT / "cards" / "warniris" / "relics.yaml"
WRONG = MINION.replace("B: 2", "B: 7")


# The typed script of docs/python.md, for mypy.


def names(deck: cardgen.Deck) -> list[str]:
    return [card.name for card in deck]


def thumbnail(card: cardgen.Card) -> bytes:
    return cardgen.render(card, "png", dpi=72)


def print_shop(options: cardgen.BuildOptions) -> cardgen.BuildResult:
    return cardgen.build("cards", "for-print", **options)


def wording(changes: cardgen.Changes) -> list[str]:
    return [card.card.name for card in changes.cards if card.change == "words"]


def python(code: str, cwd: Path) -> str:
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=cwd, env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, text=True, check=True,
    )  # fmt: skip
    return done.stdout


def test_the_import_loads_nothing(tmp_path: Path) -> None:
    code = "import sys; old = {*sys.modules}; import cardgen; dir(cardgen); print(*sorted({*sys.modules} - old))"
    assert python(code, tmp_path) == "cardgen\n"


def test_diagnostics_come_alone(tmp_path: Path) -> None:
    code = "import sys; from cardgen import CardgenError, Severity; print('pydantic' in sys.modules)"
    assert python(code, tmp_path) == "False\n"


def test_all_public_names_are_there() -> None:
    for name in cardgen.__all__:
        assert getattr(cardgen, name) is not None
        assert name in dir(cardgen)
    with pytest.raises(AttributeError, match=r"module 'cardgen' has no attribute 'nothing'"):
        _ = cardgen.nothing  # type: ignore[attr-defined]


def test_no_module_takes_the_name_of_a_function(tmp_path: Path) -> None:
    code = (
        "import cardgen.api.build, cardgen.api.check, cardgen.cli.check, cardgen; print(cardgen.check, cardgen.build)"
    )
    assert python(code, tmp_path).count("<function") == 2


@pytest.mark.parametrize("paths", [(), "cards", Path("cards"), ["cards/minions.yaml"], [Path("cards/minions.yaml")]])
def test_paths_are_text_or_path_and_one_or_several(paths: Any, folder: Folder) -> None:
    folder.minions("Ash", "Birch")
    assert names(cardgen.load(paths)) == ["Ash", "Birch"]


def test_a_deck_is_a_sequence(folder: Folder) -> None:
    folder.minions("Ash", "Birch", "Elm")
    deck = cardgen.load()
    assert (len(deck), deck[0].name, deck[-1].name) == (3, "Ash", "Elm")
    assert [card.id for card in deck[1:]] == ["birch", "elm"]
    assert deck["ASH"] is deck[0]
    assert "elm" in deck
    assert deck[2] in deck
    assert "oak" not in deck
    assert 7 not in deck
    assert deck.index(deck[1]) == 1
    assert repr(deck) == "<Deck of 3 cards: 3 minion>"
    with pytest.raises(IndexError):
        deck[3]


def test_an_id_goes_before_a_name(folder: Folder) -> None:
    folder.minions("Ash", "Birch")
    folder.write("cards/more.yaml", MINION.replace("name: Sentinel", "name: Birch\nid: other"))
    deck = cardgen.load()
    assert deck["birch"].id == "birch"
    assert deck["other"].name == "Birch"


def test_a_name_that_several_cards_have_is_refused(folder: Folder) -> None:
    for letter in "ab":
        folder.write(f"cards/{letter}.yaml", MINION.replace("name: Sentinel", f"name: Twin\nid: twin-{letter}"))
    with pytest.raises(KeyError, match=r"2 cards: 'twin-a' \(warniris minion\) or 'twin-b'"):
        cardgen.load()["Twin"]


def test_a_selection_still_finds_the_cards_that_it_names(folder: Folder) -> None:
    folder.minions("Ash", "Birch", more=", tags: [tree]")
    assert names(cardgen.load().select("tree")) == ["Ash", "Birch"]
    assert names(cardgen.load().select(["birch"])) == ["Birch"]
    with pytest.raises(cardgen.CardgenError, match="only: error"):
        cardgen.load().select("oak")


def test_a_card_delegates_to_its_model(folder: Folder) -> None:
    folder.minions("Ash")
    (card,) = cardgen.load()
    assert (card.game, card.kind, card.id, card.name, card.qty) == ("warniris", "minion", "ash", "Ash", 1)
    assert card.stats.body == card.model.stats.body == 2  # type: ignore[attr-defined]
    assert card.place == cardgen.Place("cards/minions.yaml", cardgen.Span(3, 12, 3, 15), card.place.source_line)
    assert card.to_dict()["stats"]["movement"] == 10
    assert {"stats", "weapons", "place"} <= set(dir(card))
    assert repr(card) == "<minion 'Ash' (cards/minions.yaml:3:12)>"
    assert len({card, *cardgen.load()}) == 1
    with pytest.raises(AttributeError, match="a minion has no key 'stat'; did you mean 'stats'"):
        _ = card.stat
    with pytest.raises(AttributeError):
        card.name = "Oak"  # type: ignore[misc]


def test_all_problems_come_at_once(folder: Folder) -> None:
    folder.write("a.yaml", WRONG)
    folder.write("b.yaml", WRONG)
    with pytest.raises(cardgen.CardgenError) as raised:
        cardgen.load()
    assert [str(each.place) for each in raised.value.diagnostics] == ["a.yaml:3:18", "b.yaml:3:18"]
    assert [each.place.file for each in cardgen.check()] == ["a.yaml", "b.yaml"]


def test_the_project_is_that_of_the_paths(tmp_path: Path, folder: Folder) -> None:
    other = Folder(tmp_path / "other").plain().minions("Ash")
    other.write("cardgen.yaml", "game: warniris\nbleed: 1mm\npaper: letter\n")
    folder.write("cardgen.yaml", "paper: a5\n")
    result = cardgen.build("../other/cards/minions.yaml")
    assert result.files == (Path("output/warniris-minion-letter.pdf"),)
    assert folder.files() == ["warniris-minion-letter.pdf"]
    assert "#eee" in cardgen.render(cardgen.load(other.root)[0])


def test_without_settings_the_folder_of_the_cards_is_the_project(tmp_path: Path, folder: Folder) -> None:
    other = Folder(tmp_path / "other").plain().minions("Ash")
    assert "#eee" in cardgen.render(cardgen.load(other.root / "cards" / "minions.yaml")[0])
    folder.plain().minions("Birch")
    assert "#eee" in cardgen.render(cardgen.load("cards")[0])


def test_paths_of_two_projects_are_refused(tmp_path: Path, folder: Folder) -> None:
    paths = []
    for name in ("one", "two"):
        other = Folder(tmp_path / name).minions("Ash")
        other.write("cardgen.yaml", "game: warniris\n")
        paths.append(other.root / "cards")
    for function in (cardgen.load, cardgen.build):
        with pytest.raises(cardgen.CardgenError, match=r"paths: error.* 2 projects"):
            function(paths)
    assert folder.files() == []
    assert cardgen.check(paths) == []  # each card in its own project


def test_a_deck_survives_another_current_folder(folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    folder.plain().minions("Ash", more=", art: ash.png")
    Image.new("RGB", (40, 40)).save(folder.root / "cards" / "ash.png")
    (card,) = cardgen.load("cards")
    monkeypatch.chdir("/")
    assert "data:image/png" in cardgen.render(card)


def test_pictures_are_those_of_show(folder: Folder) -> None:
    from cardgen.cli import run

    folder.plain().minions("Ash")
    (card,) = cardgen.load()
    for name in ("svg", "png", "pdf"):
        assert run(["show", "Ash", "-o", f"ash.{name}", "--no-open"]) == 0
    assert cardgen.render(card).encode() == (folder.root / "ash.svg").read_bytes()
    assert cardgen.render(card, "png") == (folder.root / "ash.png").read_bytes()
    assert cardgen.render(card, "pdf") == (folder.root / "ash.pdf").read_bytes()
    assert cardgen.render(card, side="back") != cardgen.render(card)
    assert len(cardgen.render(card, "png", dpi=72)) < len(cardgen.render(card, "png"))


def test_pictures_can_share_a_page(folder: Folder) -> None:
    clip = '<clipPath id="c"><rect width="9" height="9"/></clipPath><rect clip-path="url(#c)" width="20" height="9"/>'
    folder.plain().minions("Ash", "'id=\"x\" url(#y)'")
    folder.write("templates/warniris/minion.svg.j2", FRONT.replace("<cg:text", f"{clip}<cg:text", 1))
    one, other = (card._repr_svg_() or "" for card in cardgen.load())
    assert one.count("warniris-ash-c") == 2
    assert other.count("warniris-id-x-url-y-c") == 2
    assert 'id="x" url(#y)<' in other


def test_what_cannot_be_drawn_says_why(folder: Folder) -> None:
    folder.write("templates/warniris/minion.svg.j2", FRONT)
    folder.minions("Ash")
    (card,) = cardgen.load()
    for arguments, message in (
        ({"format": "pgn"}, "format: error.* unknown format 'pgn'"),
        ({"side": "top"}, "side: error.* unknown side 'top'"),
        ({"dpi": 5}, "dpi: error.* between 36 and 1200"),
        ({"theme": "low-inc"}, "theme: error.* did you mean 'low-ink'"),
    ):
        with pytest.raises(cardgen.CardgenError, match=message):
            cardgen.render(card, **arguments)
    with pytest.raises(TypeError, match="not str"):
        cardgen.render("Ash")  # type: ignore[call-overload]


def test_what_is_not_printed_is_no_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Kind, "is_printed", False)
    band = cardgen.load(ROOT / "cards" / "warcry").select("warband")[0]
    assert band._repr_svg_() is None
    with pytest.raises(cardgen.CardgenError, match="not printed as a card"):
        cardgen.render(band)


def test_a_deck_is_a_table_in_notebooks(folder: Folder) -> None:
    folder.minions("'<Ash>'")
    assert "<td>&lt;Ash&gt;</td>" in cardgen.load()._repr_html_()


def test_cards_are_drawn_in_threads_too(folder: Folder) -> None:
    folder.plain().minions("Ash", "Birch", "Elm")
    deck = cardgen.load()
    pictures: dict[str, str] = {}
    threads = [threading.Thread(target=lambda c=card: pictures.update({c.name: cardgen.render(c)})) for card in deck]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert pictures == {card.name: cardgen.render(card) for card in deck}


def test_checks_are_selected_and_ignored(folder: Folder) -> None:
    folder.write("a.yaml", MINION + "motto: The the end.\n")
    codes = [each.code for each in cardgen.check("a.yaml")]
    assert "CG201" in codes
    assert [each.code for each in cardgen.check("a.yaml", select="CG201")] == ["CG201"]
    assert "CG201" not in [each.code for each in cardgen.check("a.yaml", ignore=["CG201"])]
    for argument in ("select", "ignore"):
        with pytest.raises(cardgen.CardgenError, match=f"{argument}: error.*CG9999"):
            cardgen.check("a.yaml", **{argument: "CG9999"})  # type: ignore[arg-type]


def test_fit_draws_the_cards(folder: Folder) -> None:
    folder.plain()
    folder.write("a.yaml", MINION + f"text: {'long ' * 400}\n")
    folder.write("templates/warniris/minion.svg.j2", FRONT)
    assert not any(each.severity is cardgen.Severity.ERROR for each in cardgen.check(ignore="CG201"))
    assert any(each.severity is cardgen.Severity.ERROR for each in cardgen.check(ignore="CG201", fit=True))


def test_an_unknown_option_names_the_nearest(folder: Folder) -> None:
    folder.plain().minions("Ash")
    with pytest.raises(TypeError, match="no option 'format'; did you mean 'formats'"):
        cardgen.build(format="png")  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="no option 'xyz'; the options are formats, layout"):
        cardgen.build(xyz=1)  # type: ignore[call-arg]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"formats": "pfd"}, "formats: error"),
        ({"paper": "papyrus"}, "paper: error"),
        ({"qty": 0}, "qty: error.* between 1 and 500, not 0"),
        ({"qty": "4"}, "qty: error.* not '4'"),
        ({"jobs": True}, "jobs: error"),
        ({"only": "oak"}, "only: error"),
        ({"kit": True, "warband": "Band"}, "warband: error"),
        ({"warband": "Band"}, "warband: error"),
    ],
)
def test_wrong_values_name_the_argument(options: dict[str, Any], message: str, folder: Folder) -> None:
    folder.plain().minions("Ash")
    with pytest.raises(cardgen.CardgenError, match=message):
        cardgen.build(**options)
    assert folder.files() == []


def test_options_are_those_of_the_command(folder: Folder) -> None:
    folder.plain().minions("Ash", "Birch")
    result = cardgen.build("cards", "out", formats=["png", "pdf"], only="Ash", qty=3, backs="none", dpi=72, paper=None)
    assert (result.cards, result.copies, result.sheets) == (1, 3, 1)
    assert folder.files("out") == ["warniris-minion-selection-a4.pdf", "warniris-minion/001-ash-front.png"]
    assert print_shop({"formats": "svg"}).files[0] == Path("for-print/warniris-minion/001-ash-front.svg")


def test_odds_take_names_and_cards(tmp_path: Path, folder: Folder) -> None:
    other = Folder(tmp_path / "other")
    other.write("cards/a.yaml", MINION.replace("Sentinel", "Ash") + "weapons:\n  - Pike: CW R2 P1 D1\n")
    ash = cardgen.load(other.root)["Ash"]
    table = cardgen.odds("attack", attacker=ash, target="Brute")
    assert table.title == "Ash: Pike at Brute"
    assert table == cardgen.odds("attack", attacker="ash", target="brute", paths=other.root)
    assert 0 < table["Ash hits"] < 1
    assert sum(table.others[0].parts.values()) == 1
    assert table.tables == (table, *table.others)
    assert isinstance(table.others[0]["mean"], Fraction)
    assert "Wounds that Brute loses" in str(table)
    assert table._repr_html_().count("<table>") == 2
    with pytest.raises(KeyError, match="did you mean 'Ash hits'"):
        table["Ash hit"]
    with pytest.raises(KeyError, match="it is in 'Wounds that Brute loses'"):
        table["mean"]
    with pytest.raises(cardgen.CardgenError, match="unknown character or minion 'ash'"):
        cardgen.odds("attack", attacker="ash", target="brute")
    assert folder.files() == []


def test_odds_take_the_game_of_their_cards(folder: Folder) -> None:
    folder.write("cardgen.yaml", "game: warniris\n")
    fighters = [card for card in cardgen.load(ROOT / "cards" / "warcry") if card.kind == "fighter"]
    assert cardgen.odds("fall", fighter=fighters[0]).title
    assert cardgen.odds("dice", game="warcry").tables


def test_odds_take_several_cards() -> None:
    deck = cardgen.load(ROOT / "cards" / "warniris")
    one = cardgen.odds("attack", attacker="Sentinel", target="Brute", between=deck["Sorcerer"])
    assert one == cardgen.odds("attack", attacker="Sentinel", target="Brute", between=["Sorcerer"])


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"attacker": "Sentinel"}, TypeError, "missing the option 'target'"),
        ({"attacker": "Sentinel", "target": "Brute", "covr": "part"}, TypeError, "did you mean 'cover'"),
        ({"attacker": 5, "target": "Brute"}, TypeError, "'attacker' must be a card or the name of a card, not int"),
        ({"attacker": "Sentinel", "target": "Brut"}, cardgen.CardgenError, "did you mean 'Brute'"),
        ({"attacker": "Sentinel", "target": "Brute", "distance": "x"}, cardgen.CardgenError, "whole number"),
        ({"attacker": "Sentinel", "target": "Brute", "moment": 5}, cardgen.CardgenError, "moment: .*not int"),
        ({"attacker": "Sentinel", "target": "Brute", "rulings": {"x": "y"}}, cardgen.CardgenError, "rulings: "),
        ({"attacker": "Sentinel", "target": "Brute", "policy": {"x": "y"}}, cardgen.CardgenError, "policy: "),
        ({"attacker": "Sentinel", "target": "Brute", "game": "chess"}, cardgen.CardgenError, "game: .*chess"),
    ],
)
def test_wrong_situations_say_what_is_wrong(
    arguments: dict[str, Any], error: type[Exception], message: str, folder: Folder
) -> None:
    with pytest.raises(error, match=message):
        cardgen.odds("attack", **arguments)
    assert folder.files() == []


def test_a_card_of_another_kind_or_game_is_refused() -> None:
    relic = cardgen.load(RELICS)[0]
    with pytest.raises(cardgen.CardgenError, match="of kind character or minion, not relic"):
        cardgen.odds("attack", attacker=relic, target="Brute")
    with pytest.raises(cardgen.CardgenError, match="of the game warcry, not warniris"):
        cardgen.odds("fall", game="warcry", fighter=relic)


def test_rulings_hold_for_the_answer(folder: Folder) -> None:
    folder.write("cardgen.yaml", "rulings: {elimination: vp}\n")
    test = partial(cardgen.odds, "test", card="Brute", attribute="mind")
    assert test().rulings["elimination"] == "vp"
    assert test(rulings={"elimination": "wins"}).rulings["elimination"] == "wins"


def test_what_can_only_be_played_has_no_odds() -> None:
    bands = cardgen.load(ROOT / "cards" / "warniris").select("warband")
    with pytest.raises(cardgen.CardgenError, match="exact odds are not available"):
        cardgen.odds("battle", a=bands[0], b=bands[1])


def test_backs_are_drawn_from_their_template(folder: Folder) -> None:
    folder.plain().minions("Ash")
    assert "#345" in BACK
    assert "#345" in cardgen.render(cardgen.load()[0], side="back")


def test_tables_are_loaded_like_other_files(folder: Folder) -> None:
    folder.write("minions.json", '[{"name": "Ash", "stats": {"M": 2, "B": 2, "S": 2, "W": 1, "Mo": 10}}]')
    folder.write("cardgen.yaml", "tables: {minions.json: {kind: minion}}\n")
    (card,) = cardgen.load()
    assert (card.name, str(card.place)) == ("Ash", "minions.json:/0/name")
    assert cardgen.load("minions.json")["ash"] == card
    assert cardgen.check() == []


def test_a_release_and_its_changes(folder: Folder) -> None:
    folder.plain().minions("Ash", "Birch")
    first = cardgen.release("v1", folder=folder.root)
    assert (first.file, first.cards, first.unchanged, first.notes) == (Path("releases/v1.yaml"), 2, False, None)
    folder.minions("Ash", "Birch", more=", motto: Loud")
    assert wording(cardgen.diff("v1", folder=folder.root)) == ["Ash", "Birch"]
    assert cardgen.release("v2").notes == Path("releases/v2.md")
    result = cardgen.build(changed_since="v1", changes="words", errata=["sheet"], only="ash")
    assert (result.cards, result.stickers, len(result.files)) == (1, 0, 2)
    for arguments in ({"changes": "rules"}, {"changes": "words"}, {"errata": "sheets", "changed_since": "v1"}):
        with pytest.raises(cardgen.CardgenError, match=r"unknown class of|unknown kind of|needs 'changed_since'"):
            cardgen.build(**arguments)  # type: ignore[arg-type]
    with pytest.raises(cardgen.CardgenError, match="unknown release 'v3'"):
        cardgen.diff("v3")
    with pytest.raises(cardgen.CardgenError, match="is not a folder"):
        cardgen.diff("v1", folder="nowhere")

"""All that one warband takes to the table, and nothing else."""

from __future__ import annotations

import io
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pikepdf
import pypdf
import pytest

from cardgen.builds.builder import build
from cardgen.deck import card_index
from cardgen.deck.deck import load_deck
from cardgen.diagnostic import CardgenError
from cardgen.model import deck as decks
from cardgen.print.documents import plan_documents
from cardgen.print.request import BuildRequest
from cardgen.project.project import Project
from cardgen.project_checks.run import CheckRequest, check_project
from tests.projects import STATS, Folder, pages_of

KIT = Path(__file__).parents[2] / "cards" / "warniris"
WARCRY = KIT.parent / "warcry"
PAPERS = ("a4", "letter")
PARTS = ("cards", "proxies", "reference", "roster")


def pack(name: str, *only: str, paths: tuple[Path, ...] = (KIT,)) -> dict[str, Counter[tuple[str, str]]]:
    """The copies of each card in each document."""
    project, deck = load_deck(paths)
    found = plan_documents(BuildRequest(paths, warband=name, only=only), project, deck)
    return {
        document.stem: Counter({(each.kind, each.card.id): each.card.qty for _, each in document.cards})
        for document in found
    }


def test_a_warband_takes_its_cards_its_proxies_and_its_roster() -> None:
    found = pack("The Ashen Oath")
    assert list(found) == ["the-ashen-oath-cards", "the-ashen-oath-proxies", "the-ashen-oath-roster"]
    members = ("halvane-doru", "maerin-vex", "isolde-quill", "brother-cael")
    cards = found["the-ashen-oath-cards"]
    missions = {key: qty for key, qty in cards.items() if key[0] == "mission"}
    assert len(missions) == sum(missions.values()) == 16
    assert cards - Counter(missions) == Counter(
        {("character", member): 1 for member in members}
        | {("relic", relic): 1 for relic in ("iron-halo", "sacred-chalice", "servo-skull", "purity-seal")}
        | {("token", "activated"): 4, ("token", "reacted"): 4, ("token", "wounds"): 3 + 2 + 2 + 2}
    )
    assert found["the-ashen-oath-proxies"] == Counter(
        {(kind, member): 1 for kind in ("cylinder", "standee") for member in members}
    )
    assert found["the-ashen-oath-roster"] == Counter({("warband", "the-ashen-oath"): 1})


def test_a_horde_has_a_datacard_for_each_sort_and_a_standee_for_each_miniature() -> None:
    found = pack("the-grey-levy")
    sorts = {"sentinel": 10, "brute": 6, "sorcerer": 4}
    assert found["the-grey-levy-cards"] == Counter(
        {("minion", name): 1 for name in sorts} | {("token", "activated"): 20}
    )
    assert found["the-grey-levy-proxies"] == Counter({("standee", name): qty for name, qty in sorts.items()})


def test_a_relic_that_two_bear_is_printed_twice(folder: Folder) -> None:
    folder.write("cards/a.yaml", (
        "cards:\n"
        f"  - {{kind: character, name: Anna, stats: {STATS}}}\n  - {{kind: character, name: Bert, stats: {STATS}}}\n"
        "  - kind: warband\n    name: Two\n"
        "    members: [{character: anna, relic: Iron Halo}, {character: Bert, relic: iron-halo}]\n"
    ))  # fmt: skip
    found = pack("two", paths=())
    assert found["two-cards"]["relic", "iron-halo"] == 2
    assert found["two-cards"]["token", "wounds"] == 0
    # Missions and tokens are those of the kit, for the project has none.
    assert sum(kind == "mission" for kind, _ in found["two-cards"]) == 16
    assert found["two-cards"]["token", "activated"] == 2


def test_cards_of_the_project_go_before_those_of_the_kit(folder: Folder) -> None:
    folder.write("cards/a.yaml", (
        "cards:\n"
        f"  - {{kind: character, name: Anna, stats: {STATS}}}\n"
        "  - {kind: mission, name: Stand, vp: 1, text: Stand.}\n"
        "  - {kind: token, name: Done, id: activated, icon: check}\n"
        "  - {kind: cylinder, name: Anna, id: anna-in-full, base: 40}\n"
        "  - {kind: warband, name: One, members: [{character: anna}]}\n"
    ))  # fmt: skip
    project, deck = load_deck(())
    entries = [
        each for document in plan_documents(BuildRequest(warband="One"), project, deck) for _, each in document.cards
    ]
    names = {(each.kind, each.card.name) for each in entries}
    assert {name for kind, name in names if kind == "mission"} == {"Stand"}
    assert ("token", "Done") in names
    assert ("token", "Activated") not in names
    assert [each.card.base for each in entries if each.kind == "cylinder"] == [40]  # type: ignore[attr-defined]


def test_a_pack_can_be_narrowed_down() -> None:
    assert list(pack("The Drowned Court", "standee", "mission")) == [
        "the-drowned-court-cards", "the-drowned-court-proxies",
    ]  # fmt: skip


def test_the_warband_may_stand_in_a_file_of_its_own() -> None:
    assert len(pack("The Drowned Court", paths=(KIT / "warbands.yaml",))) == 3


@pytest.mark.parametrize(
    ("name", "message", "advice"),
    [
        ("The Ashen Oat", "unknown warband 'The Ashen Oat'; did you mean 'The Ashen Oath'?", "The Drowned Court"),
        ("xyz", "unknown warband 'xyz'", "The Ashen Oath"),
        ("halvane-doru", "unknown warband 'halvane-doru'", "The Grey Levy"),
    ],
)
def test_an_unknown_warband_is_located(name: str, message: str, advice: str) -> None:
    with pytest.raises(CardgenError) as caught:
        pack(name)
    (found,) = caught.value.diagnostics
    assert (str(found.place), found.message) == ("--warband", message)
    assert advice in found.help


@pytest.mark.parametrize("cards", [False, True], ids=["empty folder", "another game"])
def test_the_warbands_of_the_sample_cards_need_no_card_file(cards: bool, folder: Folder) -> None:
    if cards:
        folder.minions("Anna")
    result = build(BuildRequest(warband="The Last Lanterns", output=folder.root / "output"))
    assert {path.name for path in result.files} == {
        f"the-last-lanterns-{part}-a4.pdf" for part in ("cards", "proxies", "roster", "reference")
    }


def test_without_a_warband_of_one_s_own_those_of_the_sample_cards_are_named(folder: Folder) -> None:
    folder.write("cardgen.yaml", "game: warcry\n")
    with pytest.raises(CardgenError) as caught:
        build(BuildRequest(warband="The Lost Lanterns", output=folder.root / "output"))
    (problem,) = caught.value.diagnostics
    assert problem.message == "unknown warband 'The Lost Lanterns'; did you mean 'The Last Lanterns'?"
    assert "The Ember Choir" in problem.help


def test_named_files_must_hold_cards(folder: Folder) -> None:
    with pytest.raises(CardgenError, match="nowhere"):
        build(BuildRequest((Path("nowhere"),), warband="The Last Lanterns", output=folder.root / "output"))


def test_two_warbands_of_one_name_are_told_apart_by_their_ids(folder: Folder) -> None:
    folder.write("cards/a.yaml", (
        "cards:\n"
        f"  - {{kind: minion, name: Anna, stats: {STATS}}}\n"
        "  - {kind: warband, name: Horde, id: first, minions: [{minion: anna}]}\n"
        "  - {kind: warband, name: Horde, id: second, minions: [{minion: anna}]}\n"
    ))  # fmt: skip
    with pytest.raises(CardgenError) as caught:
        pack("horde", paths=())
    (found,) = caught.value.diagnostics
    assert found.help == "use an id"
    assert [word for _, word in found.related] == ["id 'first'", "id 'second'"]
    assert next(iter(pack("second", paths=()))) == "second-cards"


def test_a_base_that_no_proxy_fits_is_located_and_nothing_is_written(folder: Folder) -> None:
    folder.write("cards/a.yaml", (
        f"cards:\n  - {{kind: character, name: Anna, base: 50, stats: {STATS}}}\n"
        "  - {kind: warband, name: One, members: [{character: anna}]}\n"
    ))  # fmt: skip
    for request in (BuildRequest(warband="One"), BuildRequest(kit=True), BuildRequest(only=("standee",))):
        with pytest.raises(CardgenError) as caught:
            build(request)
        (found, *more) = caught.value.diagnostics
        assert not more
        assert (found.code, str(found.place)) == ("WN113", "cards/a.yaml:2:41")
        assert found.message == "no proxy fits a base of 50 mm"
        assert folder.files() == []
    assert build(BuildRequest(only=("character",))).cards == 1


def test_the_kit_has_proxies_of_all_who_play(folder: Folder) -> None:
    project, deck = load_deck((KIT,))
    plain = {document.stem for document in plan_documents(BuildRequest(), project, deck)}
    whole = {document.stem: document for document in plan_documents(BuildRequest(kit=True), project, deck)}
    assert whole.keys() - plain == {"warniris-cylinder", "warniris-standee"}
    for stem in ("warniris-cylinder", "warniris-standee"):
        assert len(whole[stem].cards) == 15
    (only,) = plan_documents(BuildRequest(only=("Cylinder",)), project, deck)
    assert [each.card.id for _, each in only.cards] == [each.card.id for _, each in whole["warniris-cylinder"].cards]


def test_a_piece_has_what_its_card_has(folder: Folder) -> None:
    folder.write("cards/a.yaml", (
        "kind: minion\nname: Anna\nid: ann\nqty: 3\nbase: 28.5\nheight: 41\ntheme: low-ink\nsize: tarot\n"
        f"stats: {STATS}\n"
    ))  # fmt: skip
    project, deck = load_deck(())
    (document,) = plan_documents(BuildRequest(only=("standee",)), project, deck)
    ((number, entry),) = document.cards
    assert number == 1
    assert (entry.card.name, entry.card.id, entry.card.qty, entry.card.theme) == ("Anna", "ann", 1, "low-ink")
    assert entry.card.model_dump()["base"] == 28.5
    assert entry.card.model_dump()["height"] == 41
    assert str(entry.place(("base",))) == "cards/a.yaml:5:7"


def test_a_pack_of_another_game_has_what_its_warband_can_use() -> None:
    found = pack("The Last Lanterns", paths=(WARCRY,))
    assert list(found) == ["the-last-lanterns-cards", "the-last-lanterns-proxies", "the-last-lanterns-roster"]
    cards = found["the-last-lanterns-cards"]
    by_kind = {kind: {name for each, name in cards if each == kind} for kind, _ in cards}
    assert cards["fighter", "wick-boy"] == 2
    assert by_kind["trait"] == {"dawnbringer-zealots"}
    assert by_kind["blessing"] == {"might", "resilience", "swiftness"}
    # Those of its faction, and the universal ones, of which one asks for a hero; not those of the other warband.
    assert by_kind["ability"] == {
        "lamp-oil", "hold-the-gate", "last-bell", "rush", "respite", "onslaught", "inspiring-presence", "reckoning",
        "counter", "take-cover", "strike-them-down",
    }  # fmt: skip
    assert cards["token", "activated"] == cards["token", "waiting"] == 9
    assert cards["token", "wounds"] == 7 + 9 + 6 + 3 * 5 + 4 + 2 * 4
    assert cards["token", "objective"] and cards["token", "treasure"] and cards["token", "wild-dice"]
    fighters = Counter({name: qty for (kind, name), qty in cards.items() if kind == "fighter"})
    assert found["the-last-lanterns-proxies"] == Counter(
        {(kind, name): qty for kind in ("cylinder", "standee") for name, qty in fighters.items()}
    )
    assert found["the-last-lanterns-roster"] == Counter({("warband", "the-last-lanterns"): 1})


def test_abilities_come_from_the_project_and_from_the_kit(folder: Folder) -> None:
    folder.write("cardgen.yaml", "game: warcry\n")
    folder.write("cards/a.yaml", (
        "cards:\n"
        "  - {kind: fighter, name: Anna, faction: skaven, stats: {M: 5, T: 4, W: 8}, points: 70,\n"
        "     weapons: [Axe: axe R1 A3 S4 D1/4]}\n"
        "  - {kind: ability, name: Gnaw, price: triple, runemarks: [skaven], changes: [{move: +1}]}\n"
        "  - {kind: ability, name: Fly, price: triple, runemarks: [skaven, fly], changes: [{move: +1}]}\n"
        "  - {kind: ability, name: Rush, price: quad, changes: [{move: +2}]}\n"
        "  - {kind: warband, name: One, members: [{fighter: anna, qty: 2, leader: true}]}\n"
    ))  # fmt: skip
    project, deck = load_deck(())
    entries = [each for doc in plan_documents(BuildRequest(warband="One"), project, deck) for _, each in doc.cards]
    abilities = {each.card.id: each.card for each in entries if each.kind == "ability"}
    assert {"gnaw", "rush", "onslaught"} <= abilities.keys()
    assert abilities.keys().isdisjoint({"fly", "lamp-oil", "inspiring-presence"})
    assert abilities["rush"].model_dump()["price"] == "quad"
    assert {each.kind: each.card.qty for each in entries}["standee"] == 2


@pytest.mark.parametrize("name", ["The Last Lanterns", "The Ember Choir"])
def test_the_packs_of_another_game_are_built(folder: Folder, name: str) -> None:
    build(BuildRequest((WARCRY,), warband=name, paper=",".join(PAPERS)))
    stem = name.lower().replace(" ", "-")
    assert folder.files() == [f"{stem}-{part}-{paper}.pdf" for part in PARTS for paper in PAPERS]
    for paper in PAPERS:
        (roster,) = pages_of(folder.output(f"{stem}-roster-{paper}.pdf"))
        assert name.upper() in re.sub(r"\s+", " ", roster).upper()


def test_the_kit_of_another_game_has_proxies_of_all_fighters() -> None:
    project, deck = load_deck((WARCRY,))
    whole = {document.stem: document for document in plan_documents(BuildRequest(kit=True), project, deck)}
    assert {"warcry-token", "warcry-cylinder", "warcry-standee", "warcry-warband"} <= whole.keys()
    assert len(whole["warcry-cylinder"].cards) == len(whole["warcry-standee"].cards) == 15
    bases = {each.card.model_dump()["base"] for _, each in whole["warcry-standee"].cards}
    assert bases == {32, 50, 60}


@pytest.mark.parametrize("name", ["The Ashen Oath", "The Drowned Court", "The Grey Levy"])
def test_the_packs_of_the_sample_warbands_are_built(folder: Folder, name: str) -> None:
    built = build(BuildRequest((KIT,), warband=name, paper=",".join(PAPERS)))
    stem = name.lower().replace(" ", "-")
    assert folder.files() == [f"{stem}-{part}-{paper}.pdf" for part in PARTS for paper in PAPERS]
    for path in built.files:
        with pikepdf.open(io.BytesIO(path.read_bytes())) as document:
            assert name in str(document.docinfo["/Title"])
    for paper in PAPERS:
        (roster,) = pages_of(folder.output(f"{stem}-roster-{paper}.pdf"))
        assert name.upper() in re.sub(r"\s+", " ", roster).upper()
        proxies = pages_of(folder.output(f"{stem}-proxies-{paper}.pdf"))
        assert all("back" not in page.split("·")[-1] for page in proxies)


def test_the_blank_cards_of_the_kit_are_filled_in_elsewhere_and_keep_it(folder: Folder) -> None:
    build(BuildRequest((KIT,), only=("Blank Character",)))
    writer = pypdf.PdfWriter(clone_from=io.BytesIO(folder.output("warniris-blank-selection-a4.pdf")))
    values = {
        "Blank Character 1 - Name": "Toll Keeper",
        "Blank Character 2 - Name": "Toll Guard",
        "Blank Character 1 - Mind": "3",
        "Blank Character 1 - Weapon 1": "Ledger",
        "Blank Character 2 - OC by": "nobody",
    }
    writer.update_page_form_field_values(writer.pages[0], values, auto_regenerate=False)
    out = io.BytesIO()
    writer.write(out)
    fields = pypdf.PdfReader(io.BytesIO(out.getvalue())).get_fields() or {}
    assert {name: field["/V"] for name, field in fields.items() if field.get("/V", "/Off") != "/Off"} == values
    (page,) = pages_of(out.getvalue())
    assert "Weapons and powers" in page


@pytest.mark.parametrize(
    ("game", "boxes"),
    [
        # Pips for Wounds, a box on the Relic, and all boxes of the roster.
        ("warniris", ["Blank Character 2 - Wound 12", "Blank Relic 6 - Once a battle", "Blank Roster - Reacted 4 5"]),
        ("skirmish", ["Blank Warrior 4 - Hidden", "Blank Warrior 1 - Wound 3", "Blank Warrior 2 - Out"]),
        ("warcry", ["Blank Roster - Leader 15", "Blank Roster - VP 30"]),
    ],
)
def test_the_blanks_of_all_games_have_boxes_to_tick(folder: Folder, game: str, boxes: list[str]) -> None:
    cards = {"warniris": KIT, "skirmish": KIT.parent / "skirmish" / "kit.yaml", "warcry": WARCRY / "tools.yaml"}
    build(BuildRequest((cards[game],), only=("blank",)))
    (name,) = folder.files()
    fields = pypdf.PdfReader(io.BytesIO(folder.output(name))).get_fields() or {}
    found = {name for name, field in fields.items() if field["/FT"] == "/Btn"}
    assert set(boxes) <= found
    assert all(field.get("/V") == "/Off" for name, field in fields.items() if name in found)


def test_drafts_are_checked_but_not_printed(folder: Folder) -> None:
    body = "kind: relic\ntext: Ring it.\n"
    folder.write("a.yaml", f"{body}name: Ash\n")
    folder.write("b.yaml", f"{body}name: Draft\ndraft: true\nmotto: 3\n")
    assert any("'motto'" in each.diagnostic.message for each in check_project(CheckRequest()).findings)
    folder.write("b.yaml", f"{body}name: Draft\ndraft: true\n")
    project, deck = load_deck(())
    (document,) = plan_documents(BuildRequest(), project, deck)
    assert [entry.card.name for _, entry in document.cards] == ["Ash"]
    with pytest.raises(CardgenError, match="no cards to print"):
        plan_documents(BuildRequest(only=("Draft",)), project, deck)


def test_cards_have_their_numbers_if_only_some_files_are_built_and_few_others_are_read(
    folder: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(5):
        folder.write(f"cards/{number}.yaml", f"kind: character\nname: Ash {number}\nstats: {STATS}")
    folder.write("cards/0-draft.yaml", f"kind: character\nname: Draft\ndraft: true\nstats: {STATS}")
    folder.write("cards/bow.yaml", "kind: relic\nname: Bow\ntext: It sings.\n")
    folder.write("cards/wrong.yaml", "kind: relic\nnom: Bow\n")
    folder.write("cards/odd.yaml", "game: odd\nkind: spark\nname: Ember\n")
    folder.write("games/odd/game.yaml", "kinds: [")  # no reason not to build cards of another game
    monkeypatch.setattr(card_index, "SETTLED_NS", -(10**9))
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder.root / "kept"))
    paths = (Path("cards/3.yaml"), Path("cards/1.yaml"))

    def plan(*only: str, kit: bool = False) -> list[tuple[str, list[tuple[int, str]], bool]]:
        project, deck = load_deck(paths)
        found = plan_documents(BuildRequest(paths, only=only, kit=kit), project, deck)
        return [(each.stem, [(n, card.card.name) for n, card in each.cards], each.is_partial) for each in found]

    both = [("warniris-character", [(5, "Ash 3"), (3, "Ash 1")], True)]
    assert plan() == both
    read: list[str] = []
    read_file = decks._read_file

    def spy(project: Project, file: Path, *given: Any) -> decks.FileCards:
        read.append(file.name)
        return read_file(project, file, *given)

    monkeypatch.setattr(decks, "_read_file", spy)
    assert plan() == both
    assert {*read} == {"1.yaml", "3.yaml"}
    assert plan("ash-1") == [("warniris-character", [(3, "Ash 1")], True)]
    standees = [each for each in plan(kit=True) if each[0] == "warniris-standee"]
    assert standees == [("warniris-standee", [(2, "Ash 1"), (4, "Ash 3")], True)]

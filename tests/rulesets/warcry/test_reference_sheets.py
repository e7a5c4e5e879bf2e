"""The reference sheets of Warcry: made for paper and as web pages, and their figures are the referee's."""

from __future__ import annotations

import html
import re

import pytest

from cardgen.diagnostic import CardgenError
from cardgen.reference_sheets import make_sheets
from cardgen.reference_sheets.make_sheets import SheetRequest
from cardgen.rulesets.warcry.limits import RULINGS, RUNEMARKS, SHAPES
from tests.projects import Folder


@pytest.fixture
def project(folder: Folder) -> Folder:
    folder.write("cardgen.yaml", "game: warcry\n")
    return folder


def page(project: Folder, name: str, of: str | None = None) -> str:
    """The words of a sheet."""
    make_sheets.make_sheets(SheetRequest(sheets=(name,), formats=("html",), of=of, output=project.root / "out"))
    (path,) = (project.root / "out").glob("*.html")
    text = re.sub(r"<(style|svg).*?</\1>", " ", path.read_text(encoding="utf-8"), flags=re.DOTALL)
    path.unlink()
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", text)).split())


def test_all_sheets_are_made(project: Folder) -> None:
    names = ["abilities", "blessings", "play-reference", "runemarks", "warband"]
    assert [name for name, _, _ in make_sheets.list_sheets()] == names
    made = make_sheets.make_sheets(SheetRequest(output=project.root / "out"))
    assert {path.name for path in made.files} == {
        "warcry-abilities-cities-of-sigmar-a4.pdf",
        "warcry-abilities-scions-of-the-flame-a4.pdf",
        "warcry-blessings-a4.pdf",
        "warcry-play-reference-a4.pdf",
        "warcry-runemarks-a4.pdf",
        "warcry-warband-the-last-lanterns-a4.pdf",
        "warcry-warband-the-ember-choir-a4.pdf",
    }


def test_the_play_reference_has_the_universal_abilities_and_the_odds(project: Folder) -> None:
    text = page(project, "play-reference")
    for name in ("Rush", "Respite", "Onslaught", "Inspiring Presence", "Reckoning", "Counter", "Take Cover",
                 "Strike Them Down"):  # fmt: skip
        assert name in text
    assert "in % 5 16 39 15 23 2" in text, "the singles of six dice"
    assert re.search(r"higher 3\+ 50\s%", text)
    assert re.search(r"6 dice 98\s% 37\s% 5\s%", text)
    assert "A battle lasts for 4 battle rounds" in text


def test_a_project_s_rulings_are_on_its_sheets(project: Folder) -> None:
    project.write("cardgen.yaml", "game: warcry\nrulings: {rounds: five, onslaught: double}\n")
    text = page(project, "play-reference")
    assert "A battle lasts for 5 battle rounds" in text
    assert "Onslaught costs a double." in text


PLAY, LISTED = "play-reference", "blessings"
UNIVERSAL = {
    "abilities-cities-of-sigmar", "abilities-scions-of-the-flame", PLAY, "warband-the-ember-choir",
    "warband-the-last-lanterns",
}  # fmt: skip
# The sheets that say what a ruling decides, beside the one that lists all rulings.
STATED = {
    "counter-ones": UNIVERSAL,
    "ones-miss": UNIVERSAL,
    "onslaught": UNIVERSAL,
    "impact-table": {PLAY},
    "rounds": {PLAY},
    "wiped-out": {PLAY},
}


def all_pages(project: Folder) -> dict[str, str]:
    """The words of all sheets, with the names of their icons."""
    make_sheets.make_sheets(SheetRequest(formats=("html",), output=project.root / "out"))
    texts = {}
    for path in (project.root / "out").glob("*.html"):
        body = re.sub(r"<style.*?</style>", " ", path.read_text(encoding="utf-8"), flags=re.DOTALL)
        texts[path.stem.removeprefix("warcry-")] = body
        path.unlink()
    return texts


def test_each_sheet_that_says_what_a_ruling_decides_changes_with_it(project: Folder) -> None:
    usual = all_pages(project)
    assert usual.keys() > UNIVERSAL
    for ruling in RULINGS:
        for setting in [*ruling.settings][1:]:
            project.write("cardgen.yaml", f"game: warcry\nrulings: {{{ruling.id}: {setting}}}\n")
            other = all_pages(project)
            changed = {name for name in usual if usual[name] != other[name]}
            assert changed == {LISTED, *STATED.get(ruling.id, ())}, f"{ruling.id} {setting}"


def test_onslaught_stands_among_the_abilities_of_its_price(project: Folder) -> None:
    project.write(
        "sheets/mine.yaml", SHEET.format("{show: cards, with: {kind: ability, tag: universal, price: double}}")
    )
    assert "Onslaught" not in page(project, "mine")
    project.write("cardgen.yaml", "game: warcry\nrulings: {onslaught: double}\n")
    assert "Onslaught" in page(project, "mine")
    for name, of in (("play-reference", None), ("warband", "The Ember Choir")):
        assert "Onslaught costs a double." in page(project, name, of=of)


def test_a_warband_s_sheet_has_its_own_cards_only(project: Folder) -> None:
    text = page(project, "warband", of="The Ember Choir")
    assert "Total of at most 1000 995" in text
    assert "Seared Wounds (Scions of the Flame)" in text
    assert "Aspire to Glory (Chaos)" in text
    assert "Third Verse" in text
    assert text.count("Inspiring Presence") == 1
    for other in ("Dawnbringer Zealots", "Lamp Oil", "Captain Odile Marsh"):
        assert other not in text


def test_a_weapon_that_a_blessing_may_be_for_has_a_row_without_and_one_with_it(project: Folder) -> None:
    """Each cell has one number, so that none is broken in two lines."""
    text = page(project, "warband", of="The Ember Choir")
    assert "Slag Fist The Clinker 9.2 9.2 7.5 5.8 Slag Fist The Clinker, Savagery 10.0 10.0 8.3 6.7" in text


SHEET = "title: Mine\nsections:\n  - section: One\n    content:\n      - {}\n"


@pytest.mark.parametrize(
    ("piece", "words"),
    [
        ("{show: traits, with: {runemark: Iron Golem}}", ["We Make War (Iron Golem)", "Aspire to Glory (Chaos)"]),
        ("{show: cards, with: {kind: blessing, only: [Might]}}", ["Might", "15/20"]),
        ("{show: fighters, with: {only: [Wick Boy]}}", ["Wick Boy"]),
        ("{show: odds-of-damage, with: {only: [Wick Boy]}}", ["2.0 1.5 1.5 1.5"]),
    ],
)
def test_a_sheet_of_one_s_own_may_show_it(piece: str, words: list[str], project: Folder) -> None:
    project.write("sheets/mine.yaml", SHEET.format(piece))
    text = page(project, "mine")
    for each in words:
        assert each in text


@pytest.mark.parametrize(
    ("piece", "message"),
    [
        ("{show: traits, with: {runemark: Iron Golm}}", "unknown runemark"),
        ("{show: cards, with: {kind: fighter}}", "unknown kind of card"),
        ("Roll <fact toes> dice.", "unknown fact"),
    ],
)
def test_what_there_is_not_is_said_with_its_place(piece: str, message: str, project: Folder) -> None:
    project.write("sheets/mine.yaml", SHEET.format(piece))
    with pytest.raises(CardgenError) as caught:
        page(project, "mine")
    (found,) = caught.value.diagnostics
    assert "sheets/mine.yaml:5" in str(found.place)
    assert message in found.message or message.replace("unknown", "there is no") in found.message


def test_a_roster_shows_the_points_of_each_fighter_and_of_its_row(project: Folder) -> None:
    text = page(project, "warband", of="The Ember Choir")
    assert "Fighter Blessing Each Number Points" in text
    assert "Coal Whelp 65 2 130" in text
    assert "The Clinker Savagery 260 1 260" in text


def test_a_warband_s_fighters_have_the_values_of_their_blessings(project: Folder) -> None:
    text = page(project, "warband", of="The Last Lanterns")
    assert re.search(r"The Bell Knight Resilience\W* 9 6 30 250", text)
    assert re.search(r"Wick Boy\W* 5 3 6 45", text)
    assert re.search(r"Wick Boy Swiftness\W* 6 3 6 60", text)


def test_a_blessing_of_one_of_two_weapons_is_in_parentheses(project: Folder) -> None:
    text = page(project, "warband", of="The Last Lanterns")
    assert "Watch Sabre Captain Odile Marsh, Might 1 4 4 (5) 2/5" in text
    assert "Lantern Pistol Captain Odile Marsh, Might 3–8 2 4 (5) 2/5" in text
    assert (
        "Watch Sabre Captain Odile Marsh 7.3 6.0 4.7 4.7 Watch Sabre Captain Odile Marsh, Might 7.3 7.3 6.0 4.7" in text
    )
    assert "parentheses" in text
    assert text.count("Lamp Hook Wick Boy 1 3 3 1/2") == 1, "the blessing of one of them changes no weapon"
    assert "Lamp Hook Wick Boy, Swiftness" not in text


def test_a_blessing_of_the_only_weapon_is_in_its_values(project: Folder) -> None:
    project.write(
        "cards/one.yaml",
        """
game: warcry
cards:
  - {kind: fighter, name: One, faction: skaven, runemarks: [hero], stats: {M: 5, T: 4, W: 10}, points: 100,
     weapons: [Blade: sword R1 A4 S4 D2/4]}
  - {kind: fighter, name: Two, faction: skaven, stats: {M: 5, T: 4, W: 10}, points: 100,
     weapons: [Bow: ranged R3-9 A2 S4 D2/4, Knife: dagger R1 A2 S3 D1/3]}
  - {kind: warband, name: Ones, members: [{fighter: one, blessing: ferocity}, {fighter: two, blessing: brutality}]}
""",
    )
    text = page(project, "warband", of="Ones")
    assert "Blade One, Ferocity 1 5 4 2/4" in text
    assert "Knife Two, Brutality 1 2 3 2/3" in text, "the only melee weapon"
    assert "Bow Two 3–9 2 4 2/4" in text
    assert "parentheses" not in text


def test_a_warband_s_sheet_marks_its_trait(project: Folder) -> None:
    text = page(project, "warband", of="The Last Lanterns")
    assert "Dawnbringer Zealots (Cities of Sigmar) Chosen." in text
    assert "Courageous Defenders (Order) Chosen." not in text
    assert "Courageous Defenders (Order)" in text


def test_a_warband_s_sheet_has_only_the_alternative_that_it_chooses(project: Folder) -> None:
    project.write(
        "cards/one.yaml",
        """
game: warcry
cards:
  - {kind: fighter, name: One, faction: chaos, runemarks: [hero], stats: {M: 5, T: 4, W: 10}, points: 100,
     weapons: [Blade: sword R1 A4 S4 D2/4]}
  - {kind: trait, name: Omens, runemark: chaos,
     choices: [{name: Blood, changes: [{toughness: +1}]}, {name: Smoke, changes: [{move: +1}]}]}
  - {kind: warband, name: Ones, trait: Omens, choice: smoke, members: [{fighter: one, qty: 3}]}
  - {kind: warband, name: Others, trait: Omens, members: [{fighter: one, qty: 3}]}
""",
    )
    text = page(project, "warband", of="Ones")
    assert "Smoke:" in text
    assert "Blood:" not in text
    for path in (project.root / "out").glob("*.html"):
        path.unlink()
    text = page(project, "warband", of="Others")
    assert "Smoke:" in text
    assert "Blood:" in text


BATTLE_TERMS = ("control", "reserve", "battle group", "impact damage", "treasure", "never visible to itself")


@pytest.mark.parametrize(
    ("name", "terms"), [("play-reference", BATTLE_TERMS), ("blessings", (*BATTLE_TERMS, "leader", "renown"))]
)
def test_the_terms_of_a_battle_are_explained(name: str, terms: tuple[str, ...], project: Folder) -> None:
    text = page(project, name).casefold()
    assert [term for term in terms if term not in text] == []


def test_no_answer_of_a_ruling_stands_alone(project: Folder) -> None:
    assert "Blessings per fighter" not in page(project, "blessings")
    assert not re.search(r"\? (One|No|Yes)\. ", page_of(project, "play-reference"))


def page_of(project: Folder, name: str) -> str:
    for path in (project.root / "out").glob("*.html"):
        path.unlink()
    return page(project, name)


def test_an_ability_sheet_has_the_abilities_of_a_faction_by_cost(project: Folder) -> None:
    text = page(project, "abilities", of="Cities of Sigmar")
    heads = ["Battle traits", "Doubles", "Triples", "Quads", "Universal abilities", "Universal reactions", "Fighters"]
    own = ["Dawnbringer Zealots", "Lamp Oil", "Hold the Gate", "Last Bell", "Rush", "Counter", "Captain Odile Marsh"]
    body = text[text.index("Battle traits Dawnbringer Zealots") :]
    found = [body.index(word) for pair in zip(heads, own, strict=True) for word in pair]
    assert found == sorted(found)
    assert "Third Verse" not in text
    assert "Actions" not in text.replace("2 actions", ""), "a section without content is left out"
    assert text.count("Rush") == 1


def test_the_legend_names_every_runemark_weapon_and_price(project: Folder) -> None:
    text = page(project, "runemarks")
    names = [*RUNEMARKS.values(), *SHAPES.values(), "Double", "Triple", "Quad", "Reaction", "Wild die"]
    assert [name for name in names if name not in text] == []


def test_the_sheet_of_runemarks_shows_them_large(project: Folder) -> None:
    made = make_sheets.make_sheets(
        SheetRequest(sheets=("runemarks",), formats=("html",), output=project.root / "out")
    ).files
    text = made[0].read_text(encoding="utf-8")
    assert text.count('<div class="table legend">') == 7
    assert ".legend .icon { height: 6.5mm }" in text


def test_a_legend_has_the_runemarks_that_only_the_project_s_cards_have(project: Folder) -> None:
    project.write(
        "cards/own.yaml",
        """
game: warcry
cards:
  - {kind: fighter, name: A, faction: skaven, runemarks: [hero, lantern-bearer], stats: {M: 5, T: 4, W: 9}, points: 90,
     weapons: [Hook: reach R2 A3 S4 D2/4]}
  - {kind: ability, name: Bite, price: double, runemarks: [skaven, lantern-bearer], text: It bites.}
""",
    )
    icon = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M0 0h9v9z"/></svg>'
    project.write("icons/lantern-bearer.svg", icon)
    assert "Lantern Bearer" in page(project, "runemarks")
    sheet = page_of_group(project, "Skaven")
    assert "Lantern Bearer" in sheet.split("Runemarks")[-1]
    assert "Priest" not in sheet.split("Runemarks")[-1], "nobody has it"


def page_of_group(project: Folder, of: str) -> str:
    for path in (project.root / "out").glob("*.html"):
        path.unlink()
    return page(project, "abilities", of=of)


def test_a_project_s_own_abilities_leave_the_universal_ones_on_the_sheet(project: Folder) -> None:
    project.write(
        "cards/own.yaml",
        """
game: warcry
cards:
  - {kind: fighter, name: A, faction: skaven, runemarks: [hero], stats: {M: 5, T: 4, W: 9}, points: 90,
     weapons: [Hook: reach R2 A3 S4 D2/4]}
  - {kind: ability, name: Bite, price: double, runemarks: [skaven], text: It bites.}
  - {kind: ability, name: Squeak, price: double, text: It squeaks.}
  - {kind: warband, name: Gnawers, members: [{fighter: a}]}
""",
    )
    text = page(project, "warband", of="Gnawers")
    for name in ("Bite", "Squeak", "Rush", "Strike Them Down"):
        assert text.count(name) == 1


def test_a_project_s_own_traits_and_blessings_are_beside_those_of_the_battlepack(project: Folder) -> None:
    project.write(
        "cards/own.yaml",
        """
game: warcry
cards:
  - {kind: trait, name: Gnawing, runemark: skaven, text: Your fighters gnaw.}
  - {kind: trait, name: There are Always More, runemark: skaven, text: There are more and more.}
  - {kind: blessing, name: Cheese, points: {regular: 5, elite: 10}, text: It has cheese.}
""",
    )
    sheet = page_of_group(project, "Skaven")
    assert "Gnawing (Skaven)" in sheet
    assert "There are more and more." in sheet
    assert sheet.count("There are Always More") == 1, "the project's card replaces that of the battlepack"
    assert "Aspire to Glory (Chaos)" in sheet
    blessings = page_of(project, "blessings")
    assert "Cheese" in blessings
    assert "Swiftness" in blessings


def test_mean_damage_says_first_what_it_leaves_out(project: Folder) -> None:
    text = page(project, "warband", of="The Last Lanterns")
    assert "Not adjudicated: abilities, battle traits, and reactions. T3 T4 T5 T6" in text

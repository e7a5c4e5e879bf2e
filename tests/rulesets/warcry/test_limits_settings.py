"""Factions, runemarks, and shapes of a project's own: what is refused, and what knows them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cardgen.deck.deck import card_schema, load_deck, project_icons
from cardgen.print.render import CardRenderer
from cardgen.project.project import Project
from cardgen.project_checks.run import CheckRequest, check_project
from cardgen.rulesets.warcry.cards import Ability, Fighter, Trait
from cardgen.rulesets.warcry.limits import Settings, name_of
from tests.cases import each_case
from tests.checking.harness import inside

SETTINGS = """game: warcry
warcry:
  factions:
    Lantern Keepers: order
    mire-court: Death
  runemarks: [Duelist]
  shapes: [Boar Spear]
"""
CARDS = """game: warcry
cards:
  - {kind: fighter, name: Asha, faction: Lantern Keepers, runemarks: [hero, duelist], stats: {M: 5, T: 4, W: 10},
     points: 70, weapons: [{Tusk: boar-spear R2 A3 S4 D1/4}]}
  - {kind: fighter, name: Bran, faction: mire-court, stats: {M: 5, T: 4, W: 9}, points: 60,
     weapons: [{Axe: axe R1 A3 S4 D1/4}]}
  - {kind: ability, name: Lunge, price: double, runemarks: [lantern-keepers, order, Duelist],
     changes: [{move: +1, for: activation}]}
  - {kind: trait, name: Bold, runemark: order, changes: [{move: +1}]}
  - {kind: warband, name: The Few, trait: Bold, members: [{fighter: Asha, leader: true}, {fighter: Asha, qty: 2}]}
"""


def project(folder: Path, settings: str = SETTINGS, cards: str = CARDS) -> Path:
    (folder / "cardgen.yaml").write_text(settings, encoding="utf-8")
    (folder / "cards.yaml").write_text(cards, encoding="utf-8")
    return folder


def findings(folder: Path) -> list[tuple[str, str, str]]:
    with inside(folder):
        result = check_project(CheckRequest())
    return [(one.diagnostic.code, one.diagnostic.message, one.diagnostic.help) for one in result.findings]


def with_block(folder: Path, block: str) -> list[tuple[str, str, str]]:
    return findings(project(folder, f"game: warcry\nwarcry: {block}\n"))


def test_every_check_knows_them(tmp_path: Path) -> None:
    assert findings(project(tmp_path)) == []


def test_cards_know_their_names_and_alliances(tmp_path: Path) -> None:
    with inside(project(tmp_path)):
        _, deck = load_deck(())
    asha, bran, lunge, bold, _ = (entry.card for entry in deck.cards)
    assert isinstance(asha, Fighter)
    assert isinstance(bran, Fighter)
    assert isinstance(lunge, Ability)
    assert isinstance(bold, Trait)
    assert (asha.faction, asha.faction_name, asha.alliance) == ("lantern-keepers", "Lantern Keepers", "order")
    assert (bran.faction_name, bran.alliance) == ("Mire Court", "death")
    assert asha.names == (("hero", "Hero"), ("duelist", "Duelist"))
    assert lunge.names[0] == ("lantern-keepers", "Lantern Keepers")
    assert asha.marks.issuperset(lunge.runemarks)
    assert asha.weapons[0].icon == "weapon-boar-spear"
    assert Settings.of(None).alliance_of("lantern-keepers") == "", "only in the project"
    assert name_of("lantern-keepers") == "Lantern Keepers"


def test_without_the_settings_they_are_unknown(tmp_path: Path) -> None:
    codes = {code for code, _, _ in findings(project(tmp_path, "game: warcry\n"))}
    assert codes >= {"WC102"}
    cards = CARDS.replace("boar-spear", "spear")
    messages = [message for _, message, _ in findings(project(tmp_path, "game: warcry\n", cards))]
    assert "unknown runemark 'lantern-keepers'" in messages
    assert "unknown runemark 'duelist'" in messages


@pytest.mark.parametrize(
    ("old", "new", "message", "help_text"),
    [
        ("faction: mire-court", "faction: mire-cour", "unknown runemark 'mire-cour'", "did you mean 'mire-court'?"),
        ("[hero, duelist]", "[hero, duelst]", "unknown runemark 'duelst'", "did you mean 'duelist'?"),
        ("faction: mire-court", "faction: duelist", "'Duelist' is not a faction or grand alliance",
         "write it under 'runemarks'"),
        ("[hero, duelist]", "[hero, mire-court]", "'Mire Court' is of Death, but the fighter is of Order",
         "use runemarks of one grand alliance"),
        ("[lantern-keepers, order, Duelist]", "[lantern-keepers, mire-court]",
         "no fighter is of 'Lantern Keepers' and of 'Mire Court'", "write an ability for each of them"),
        ("{fighter: Asha, qty: 2}", "{fighter: Bran, qty: 2}", "'Bran' belongs to Death, not to Order",
         "choose a fighter of the grand alliance Order"),
        ("boar-spear R2", "boar-speer R2", None, "did you mean 'boar-spear'?"),
    ],
)  # fmt: skip
def test_checks_read_the_settings(old: str, new: str, message: str | None, help_text: str, tmp_path: Path) -> None:
    assert old in CARDS
    found = findings(project(tmp_path, cards=CARDS.replace(old, new)))
    assert any(help_text == each[2] and message in (None, each[1]) for each in found), found


@each_case(
    ("block", "message", "help_text"),
    [
        ("{factions: {Ash: ordr}}", "unknown grand alliance 'ordr'; did you mean 'order'?",
         "use one of order, chaos, death, destruction"),
        ("{factions: {Skaven: chaos}}", "'Skaven' is already a runemark of the game", "remove it"),
        ("{factions: {Beast: chaos}}", "'Beast' is already a runemark of the game", "remove it"),
        ("{factions: {chaos: chaos}}", "'chaos' is already a runemark of the game", "remove it"),
        ("{runemarks: [Hero]}", "'Hero' is already a runemark of the game", "remove it"),
        ("{runemarks: [Double]}", "'Double' is an icon of the game", "choose another name"),
        ("{runemarks: [weapon axe]}", "'weapon axe' is an icon of the game", "choose another name"),
        ("{shapes: [Sword]}", "'Sword' is already a shape of the game", "remove it"),
        ("{runemarks: ['!?']}", "'!?' has no letter from a to z and no digit",
         "write the name of a faction, runemark, or shape of your own; its id is derived from it"),
        ("{factions: {Ash: order, ash: death}}", "duplicate id 'ash'", "choose another name"),
        ("{factions: {Ash: order}, runemarks: [ash]}", "duplicate id 'ash'", "choose another name"),
        ("{shapes: [Net, net]}", "duplicate id 'net'", "choose another name"),
        ("{faction: {Ash: order}}", "unknown key 'faction' in 'warcry'; did you mean 'factions'?", None),
        ("{factions: [Ash]}", "'factions' must be a map, not a list", None),
        ("{runemarks: Ash}", "'runemarks' must be a list, not 'Ash'", None),
        ("[Ash]", "this must be a map, not a list", None),
    ],
)  # fmt: skip
def test_what_is_refused(block: str, message: str, help_text: str | None, tmp_path: Path) -> None:
    (found,) = with_block(tmp_path, block)
    assert found[1] == message
    assert help_text in (None, found[2])


def test_all_problems_are_reported_at_once(tmp_path: Path) -> None:
    found = with_block(tmp_path, "{factions: {Ash: ordr, Skaven: chaos}, runemarks: [hero], shapes: [axe]}")
    assert [code for code, _, _ in found] == ["WC116"] * 4


def test_a_runemark_and_a_shape_may_share_a_name() -> None:
    settings = Settings(factions={}, runemarks=("Net",), shapes=("Net",))
    assert settings.generated_icons == ("net", "weapon-net")


def test_the_schema_lists_the_shapes(tmp_path: Path) -> None:
    with inside(project(tmp_path)):
        shape, line = card_schema("warcry")["$defs"]["Weapon"]["anyOf"]
    assert shape["properties"]["shape"]["enum"][-1] == "boar-spear"
    assert "boar\\-spear" in line["additionalProperties"]["pattern"]
    with inside(tmp_path.parent):
        assert "boar" not in json.dumps(card_schema("warcry"))


def test_marks_are_generated_unless_a_file_draws_them(tmp_path: Path) -> None:
    folder = project(tmp_path)
    (folder / "icons").mkdir()
    drawn = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"><path d="M0 0H10V10H0Z"/></svg>'
    (folder / "icons" / "duelist.svg").write_text(drawn, encoding="utf-8")
    icons = project_icons(Project.find(folder), "warcry")
    names = ("lantern-keepers", "mire-court", "duelist", "weapon-boar-spear")
    outlines = [icons.find(name) for name in names]
    assert all(outlines)
    assert len({outline.paths for outline in outlines if outline}) == 4
    assert len(icons.find("duelist").paths) == 1  # type: ignore[union-attr]


def test_cards_are_drawn_with_them(tmp_path: Path) -> None:
    with inside(project(tmp_path)):
        found, deck = load_deck(())
        drawn = [CardRenderer(found).render_faces(entry, backs=True) for entry in deck.cards]
    assert len(drawn) == len(deck.cards) > 0


def test_71_factions_are_clean(tmp_path: Path) -> None:
    factions = "".join(f"    House {number}: chaos\n" for number in range(71))
    cards = "".join(
        f"  - {{kind: fighter, name: Fighter {number}, faction: House {number}, points: {60 + number},\n"
        f"     stats: {{M: 5, T: 4, W: {9 + number % 9}}}, weapons: [{{Axe: axe R1 A3 S4 D1/4}}]}}\n"
        for number in range(71)
    )
    folder = project(tmp_path, f"game: warcry\nwarcry:\n  factions:\n{factions}", f"game: warcry\ncards:\n{cards}")
    assert findings(folder) == []

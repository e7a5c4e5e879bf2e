"""Worked examples of all games on reference sheets: what their odds leave out comes first."""

from __future__ import annotations

import html
import re

import pytest

from cardgen.reference_sheets.make_sheets import SheetRequest, make_sheets
from tests.projects import Folder

WARNIRIS = """\
kind: character
cards:
  - name: Ash
    stats: {mind: 2, body: 3, spirit: 2, wounds: 4, movement: 12}
    weapons: [{name: Rifle, type: RW, range: 20, penetration: 0, damage: 1}]
    abilities: [{name: Trick, text: "Wolves *like* her."}]
  - name: Ember
    stats: {mind: 3, body: 3, spirit: 2, wounds: 3, movement: 12}
    weapons: [{name: Club, type: CW, range: 1, penetration: 0, damage: 1}]
"""
WARCRY = """\
game: warcry
cards:
  - kind: fighter
    name: Ash
    faction: chaos
    points: 90
    stats: {M: 4, T: 4, W: 12}
    weapons: [Sword: sword R1 A3 S4 D1/3]
  - kind: fighter
    name: Ember
    faction: chaos
    points: 80
    stats: {M: 4, T: 4, W: 10}
    weapons: [Axe: axe R1 A3 S3 D1/3]
  - {kind: blessing, name: Hum, points: {regular: 5, elite: 5}, text: Wolves like the bearer.}
"""
SKIRMISH = """\
game: skirmish
cards:
  - {kind: warrior, name: Ash, m: 4, ws: 3, bs: 3, s: 3, t: 3, w: 1, i: 3, a: 1, ld: 7, points: 5, rules: [Sly]}
  - {kind: warrior, name: Ember, m: 4, ws: 3, bs: 3, s: 3, t: 4, w: 1, i: 3, a: 1, ld: 7, points: 6}
"""
DISKWARS = """\
game: diskwars
kind: disk
cards:
  - {name: Ash, disk: small, faction: order, cost: 4, attack: 2, counter: 1, toughness: 3, movement: 4, ability: Wolf.}
  - {name: Ember, disk: small, faction: order, cost: 4, attack: 1, counter: 1, toughness: 2, movement: 4}
"""
# The cards, the trial, its values, and what is said.
CASES = {
    "warniris": (WARNIRIS, "attack", "attacker: Ash, target: Ember", "Not adjudicated: Ash: ‘Trick’ has only text."),
    "warcry": (
        WARCRY,
        "attack",
        "attacker: Ash, target: Ember, blessing: Hum",
        "Not adjudicated: ‘Hum’ has only text.",
    ),
    "skirmish": (SKIRMISH, "attack", "attacker: Ash, target: Ember", "Not adjudicated: Ash: sly."),
    "diskwars": (DISKWARS, "duel", "a: Ash, b: Ember", "Not adjudicated: Ash: Wolf."),
}
SHEET = """\
title: House rules
sections:
  - section: Odds
    content:
      - example: {{title: One, trial: {trial}, with: {{{values}}}, text: "Here are the odds."}}
"""


def page_of(folder: Folder, game: str, cards: str, values: str) -> str:
    """Return the words of a sheet with an example."""
    folder.write("cardgen.yaml", f"game: {game}\n")
    folder.write("cards/all.yaml", cards)
    folder.write("sheets/house.yaml", SHEET.format(trial=CASES[game][1], values=values))
    (path,) = make_sheets(SheetRequest(sheets=("house",), formats=("html",), output=folder.root / "out")).files
    text = re.sub(r"<(style|svg).*?</\1>", " ", path.read_text(encoding="utf-8"), flags=re.DOTALL)
    return " ".join(html.unescape(re.sub(r"<[^>]+>", "", text)).replace("\u00a0", " ").split())


@pytest.mark.parametrize("game", CASES)
def test_an_example_says_what_its_odds_leave_out_before_them(folder: Folder, game: str) -> None:
    cards, _, values, expected = CASES[game]
    page = page_of(folder, game, cards, values)
    assert expected in page
    assert page.index(expected) < page.index("Here are the odds")


@pytest.mark.parametrize("game", ["warniris", "skirmish"])
def test_an_example_that_leaves_out_nothing_does_not_say_so(folder: Folder, game: str) -> None:
    page = page_of(folder, game, CASES[game][0], "attacker: Ember, target: Ember")
    assert "Here are the odds" in page
    assert "Not adjudicated" not in page

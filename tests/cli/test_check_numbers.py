"""Numbers that dice never show, or that no rule allows, are found in the cards of every game."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.commands import Program
from tests.game_file.games import write_game

ROLLS = {"Roll a D6. On a 7, it stops.": "a D6 shows 6 at most", "Roll 2D6. On a 1, it stops.": "2D6 show 2 at least"}
# A card of each game with a rules text.
CARDS = {
    "warniris": "{kind: relic, name: Bell, text: TEXT}",
    "warcry": "{kind: ability, name: Bell, price: double, text: TEXT}",
    "skirmish": "{kind: weapon, name: Bell, text: TEXT}",
    "diskwars": "{kind: terrain, name: Bell, ability: TEXT}",
    "ember": "{kind: brave, name: Bell, deed: TEXT}",
}
GAME = """\
game: ember
name: Ember
prefix: EM
kinds:
  brave:
    size: mini-usa
    fields: {deed: {type: text, max: 200, aspect: rules}}
    example: {deed: It burns.}
"""
FIGHTER = (
    "{kind: character, name: Ash, stats: {mind: 2, body: 3, spirit: 2, wounds: 4, movement: 12}, "
    "weapons: [Rifle: RW R20 D1], abilities: [{name: Gift, PART}]}"
)
# Other numbers, and the code that reports them.
NUMBERS = [
    ("warniris", FIGHTER.replace("PART", "effects: [{when: turn_start, bearer: {heal: 5}}]"), "WN304"),
    ("warniris", FIGHTER.replace("PART", "text: 'Its Reactions deal 3 Damage.'"), "WN310"),
    ("warniris", FIGHTER.replace("PART", "text: 'When it Reacts, its weapons deal 3 Damage.'"), "WN310"),
    ("warniris", "{kind: relic, name: A, effects: [{when: attacked, if: {roll: [7]}, bearer: {ignore: 1}}]}", "WN106"),
    ("warniris", "{kind: mission, name: A, vp: 2, earn: {event: resist, count: 13, in: turn}}", "WN313"),
    ("warniris", "{kind: mission, name: A, vp: 2, earn: {event: resist, count: 21}}", "WN110"),
    ("warcry", "{kind: ability, name: A, price: reaction, changes: [{move: +1, for: activation}]}", "WC308"),
    ("warcry", "{kind: ability, name: A, price: double, changes: [{damage: 1, roll: 1, on_roll: 7+}]}", "WC325"),
    ("warcry", "{kind: ability, name: A, price: double, changes: [{damage: 1, roll: 2d6, on_roll: '1'}]}", "WC325"),
    ("warcry", "{kind: ability, name: A, price: double, changes: [{heal: 99}]}", "WC105"),
    ("skirmish", "{kind: warrior, name: A, m: 4, ws: 3, bs: 3, s: 3, t: 3, w: 1, i: 3, a: 1, ld: 7, ward: 7}", "WS103"),
    ("diskwars", "{kind: disk, name: A, disk: small, faction: order, cost: 4, stamina: 9}", "DW103"),
]


def findings(folder: Path, cardgen: Program, game: str, card: str) -> str:
    """Return what `check` says about a card."""
    if game == "ember":
        write_game(folder, GAME)
    (folder / "cards").mkdir(exist_ok=True)
    (folder / "cardgen.yaml").write_text(f"game: {game}\n", encoding="utf-8")
    (folder / "cards" / "a.yaml").write_text(f"cards:\n  - {card}\n", encoding="utf-8")
    done = cardgen("check")
    return done.out + done.err


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("text", ROLLS)
@pytest.mark.parametrize("game", CARDS)
def test_texts_with_results_that_dice_never_show(tmp_path: Path, cardgen: Program, game: str, text: str) -> None:
    found = findings(tmp_path, cardgen, game, CARDS[game].replace("TEXT", f"'{text}'"))
    (line,) = [each for each in found.splitlines() if "[CG205]" in each]
    assert line.startswith("cards/a.yaml:2:")
    assert ROLLS[text] in line


@pytest.mark.parametrize(("game", "card", "code"), NUMBERS)
def test_numbers_that_no_rule_allows(tmp_path: Path, cardgen: Program, game: str, card: str, code: str) -> None:
    found = findings(tmp_path, cardgen, game, card)
    assert any(each.startswith("cards/a.yaml:2:") and f"[{code}]" in each for each in found.splitlines()), found

"""Parts of cards, in full or as one line."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardgen.deck.deck import load_deck
from cardgen.game_file.kinds import LinePart
from cardgen.game_file.loader import compile_game, read_game
from cardgen.source import parse_document
from tests.game_file.games import HEADER, findings, write_game

WEAPONS = """
types:
  weapon:
    fields:
      arm: {type: choice, choices: {CW: combat weapon, RW: ranged weapon}}
      range: {type: integer, min: 1, max: 60, label: R}
      penetration: {type: integer, min: 0, max: 4, label: P, default: 0}
      damage: {type: integer, min: 1, max: 6, label: D, code: EM102}
    line: "{arm} R{range}[ P{penetration}] D{damage}"
kinds:
  brave:
    fields:
      weapons: {type: list, items: {type: weapon}, min: 1, max: 4}
"""


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def mistakes(text: str) -> list[str]:
    """Return the mistakes in a game file, each with its line."""
    context = read_game(parse_document(HEADER + text, "game.yaml"), Path())
    compile_game(context)
    return [f"{each.place.span.line if each.place.span else 0}: {each.message}" for each in context.problems]


@cache
def weapon_model() -> type[LinePart]:
    context = read_game(parse_document(HEADER + WEAPONS, "game.yaml"), Path())
    compile_game(context)
    model = context.types["weapon"]
    assert issubclass(model, LinePart)
    return model


def test_parts_are_lines_or_maps(tmp_path: Path) -> None:
    weapons = "weapons:\n- Poker: CW R1 D1\n- {name: Bow, arm: RW, range: 20, penetration: 2, damage: 3}\n"
    write_game(tmp_path, HEADER + WEAPONS, a=f"kind: brave\nname: Ash\n{weapons}")
    (entry,) = load_deck(())[1].cards
    poker, bow = entry.card.weapons  # type: ignore[attr-defined]
    assert poker.model_dump() == {"name": "Poker", "arm": "CW", "range": 1, "penetration": 0, "damage": 1}
    assert (poker.line, bow.line) == ("CW R1 D1", "RW R20 P2 D3")


def test_wrong_lines_are_located(tmp_path: Path) -> None:
    lines = ("Poker: CW R1", "Spear: CW R1 D9", "Bow: RW R61 D1", "Axe: {arm: CW}")
    weapons = "".join(f"- {line}\n" for line in lines)
    write_game(tmp_path, HEADER + WEAPONS, a=f"kind: brave\nname: Ash\nweapons:\n{weapons}")
    assert findings(tmp_path) == [
        "cards/a.yaml:4:10 EM100 expected ' D' at the end",
        "cards/a.yaml:5:10 EM102 must be between 1 and 6, not 9",
        "cards/a.yaml:6:8 EM100 must be between 1 and 60, not 61",
        "cards/a.yaml:7:3 EM100 the name 'Axe' cannot have a map as its value",
    ]


@given(
    st.builds(
        dict,
        name=st.text(st.characters(categories=("L", "N")), min_size=1, max_size=20),
        arm=st.sampled_from(["CW", "RW"]),
        range=st.integers(1, 60),
        penetration=st.integers(0, 4),
        damage=st.integers(1, 6),
    )
)
def test_a_line_round_trips(values: dict[str, object]) -> None:
    model = weapon_model()
    weapon = model.model_validate(values)
    assert model.model_validate({values["name"]: weapon.line}) == weapon


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("{arm} R{range} P{penetration}", ["4: the line has no place for {damage}"]),
        ("{arm} R{range}[ D{damage}]", ["4: {damage} is in [ ], but the field has no default"]),
        ("{arm} R{range} {reach} D{damage}", ["4: unknown field 'reach'"]),
        ("{arm} R{range} D{dmage}", ["4: unknown field 'dmage'; did you mean 'damage'?"]),
        (
            "{arm} R{range}[ P{penetration}] P{damage}",
            ["4: ' P' and ' P' begin alike, so [ ] is ambiguous"],
        ),
    ],
)
def test_mistakes_in_a_line_are_located(line: str, expected: list[str]) -> None:
    fields = ", ".join(
        (
            "arm: {type: choice, choices: [CW]}",
            "range: {type: integer}",
            "penetration: {type: integer, default: 0}",
            "damage: {type: integer}",
        )
    )
    text = f'types: {{weapon: {{fields: {{{fields}}}, line: "{line}"}}}}\nkinds: {{brave: {{}}}}\n'
    assert mistakes(text) == expected

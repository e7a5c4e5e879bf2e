"""Tables of rolls in which a number has two rows, or none."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.checking.harness import checked
from tests.projects import Folder

AID = "game: skirmish\nkind: aid\nname: Weather\ntext: {}\nrows:\n"


def found(folder: Path, text: str, rolls: str) -> list[str]:
    """Return the findings for rows separated by semicolons, each with the number of its row."""
    rows = "".join(f'  - {{roll: "{roll}", result: Fog.}}\n' for roll in rolls.split("; "))
    said = [one.diagnostic for one in checked(folder, AID.format(text) + rows).findings]
    return [f"{each.place.span.line - 5 if each.place.span else ''} {each.message}: {each.help}" for each in said]


@pytest.mark.parametrize(
    ("text", "rolls", "said"),
    [
        ("Roll a D6.", "1-2; 3-4; 5-6", []),
        ("Roll a D6.", "1 or 2; 3, 4 and 5; 6", []),
        ("Roll a D6.", "2 or less; 3–4; 5+", []),
        ("Roll 2D6.", "2-6; 7; 8-12", []),
        ("Roll a D66.", "11-36; 41-66", []),
        ("Roll.", "11-16; 21-26; 31-36", []),
        ("Roll.", "1-2; 3; 4-6", []),
        ("Roll a D6.", "1-2; the leader; 4-6", []),  # not read
        ("Roll a D6.", "6-5; 1-4", []),
        ("Roll a D6.", "4+; 5+; 4+", []),  # what each of them needs
        ("Roll a D6.", "2; 2; 1", []),
        ("Roll a D6 and add the round.", "1-4; 5-8; 9-12", []),  # results of no die
        ("Roll a D6.", "1-2; 2-4; 5-6", ["2 the rows '1-2' and '2-4' have 2 in common: take 2 out of one of them"]),
        (
            "Roll a D6.",
            "1-2; 2-3; 5-6",
            ["2 the rows '1-2' and '2-3' have 2 in common, and no row has 4: write '3-4' in place of '2-3'"],
        ),
        (
            "Roll a D6.",
            "1-3; 4-6; 1-6",
            ["3 the rows '1-3', '4-6', and '1-6' have 1-6 in common: take 1-6 out of all but one of them"],
        ),
        (
            "Roll a D6.",
            "1-2; 5-6",
            ["2 no row has 3-4: add a row, or write '1-4' in place of '1-2' or '3-6' in place of '5-6'"],
        ),
        ("Roll a D6.", "1-2; 3-5", ["2 no row has 6: add a row, or write '3-6' in place of '3-5'"]),
        ("Roll 2D6.", "3-7; 8-12", ["1 no row has 2: add a row, or write '2-7' in place of '3-7'"]),
        ("Roll a D6.", "1-4; 5-7", ["2 nobody rolls '5-7': a D6 shows 6 at most: correct the numbers"]),
        ("Roll a D66.", "11-17; 21-66", ["1 nobody rolls '11-17': a D66 never shows 17: correct the numbers"]),
        ("Roll.", "11-16; 22-26", ["2 no row has 21: add a row, or write '11-21' in place of '11-16' or "
         "'21-26' in place of '22-26'"]),
    ],
)  # fmt: skip
def test_each_number_has_one_row(text: str, rolls: str, said: list[str], tmp_path: Path) -> None:
    assert found(tmp_path, text, rolls) == said


OWN = """\
game: inn
name: Inn
prefix: IN
types:
  rumor: {fields: {d8: {type: text}, told: {type: text}}}
kinds:
  night: {fields: {rumors: {type: list, items: {type: rumor}}, reaches: {type: list, items: {type: rumor}}}}
"""


def test_a_table_of_a_game_of_ones_own_names_its_dice_by_its_key(folder: Folder) -> None:
    folder.write("games/inn/game.yaml", OWN)
    folder.write("cardgen.yaml", "game: inn\n")
    rows = [{"d8": "1-4", "told": "A ghost."}, {"d8": "5-7", "told": "A feast."}]
    text = f"kind: night\nname: First\nrumors: {rows}\n"
    (one,) = checked(folder.root, text).findings
    assert one.diagnostic.message == "no row has 8"


def test_a_number_without_quotes_is_told_to_have_them(tmp_path: Path) -> None:
    (one,) = checked(tmp_path, AID.format("Roll a D6.") + "  - {roll: 3, result: Fog.}\n").findings
    assert (one.diagnostic.message, one.diagnostic.help) == ("'roll' must be text, not 3", "put it in quotes: '3'")

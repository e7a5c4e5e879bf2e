"""The summaries of Skirmish say what the rulings of the project decide."""

from __future__ import annotations

import re

from cardgen.deck.deck import require_game
from cardgen.reference_sheets import make_sheets
from cardgen.reference_sheets.make_sheets import SheetRequest
from cardgen.rulesets.skirmish.referee.warrior import need_to_shoot
from tests.projects import Folder

TURN, INJURIES = "skirmish-turn-and-combat", "skirmish-injuries-and-morale"
# The summaries that say what a ruling decides.
STATED = {
    "single-target": {TURN},
    "cavalry": {INJURIES},
    "swarms": {INJURIES},
    "critical": {TURN},
    "worst-injury": {INJURIES},
    "milder-injury": {INJURIES},
    "stunned-kill": {INJURIES},
    "equal-initiative": {TURN},
    "stand-up": {TURN, INJURIES},
    "parting-blows": {INJURIES},
    "alone-phase": {INJURIES},
    "caught": {INJURIES},
    "rally": {INJURIES},
    "runners": {INJURIES},
    "panic-causes": {INJURIES},
    "leader": {INJURIES},
    "run-distance": {TURN},
    "charge-order": {TURN},
    "low-obstacles": {TURN},
    "interception": {TURN},
    "crawl": {INJURIES},
}


def pages(folder: Folder) -> dict[str, str]:
    """The pages of both summaries by name."""
    sheets = tuple(name.removeprefix("skirmish-") for name in (TURN, INJURIES))
    made = make_sheets.make_sheets(SheetRequest(sheets=sheets, formats=("html",), output=folder.root / "out"))
    return {path.stem: path.read_text(encoding="utf-8") for path in made.files if path.suffix == ".html"}


def test_each_summary_that_says_what_a_ruling_decides_changes_with_it(folder: Folder) -> None:
    folder.write("cardgen.yaml", "game: skirmish\n")
    usual = pages(folder)
    rulings = {ruling.id: ruling for ruling in require_game("skirmish").rulings}
    for name, sheets in STATED.items():
        for setting in [*rulings[name].settings][1:]:
            folder.write("cardgen.yaml", f"game: skirmish\nrulings: {{{name}: {setting}}}\n")
            other = pages(folder)
            changed = {each for each in usual if usual[each] != other[each]}
            assert changed == sheets, f"{name} {setting}"


def test_penalties_add_to_the_number_that_the_sheets_print_for_a_shot(folder: Folder) -> None:
    folder.write("cardgen.yaml", "game: skirmish\n")
    row = re.search(r"<tr>(?:(?!</tr>).)*>need<.*?</tr>", pages(folder)[TURN], re.DOTALL)
    assert row
    needs = [int(cell) for cell in re.findall(r">(\d)<", row[0])]
    assert needs == [6, 5, 4, 3, 2, 1]
    for skill, need in enumerate(needs, 1):
        for modifier in (1, 0, -1, -2, -3):
            assert need_to_shoot(skill, modifier) == max(2, need - modifier)


def test_a_bonus_to_strength_is_printed_once(folder: Folder) -> None:
    folder.write("cardgen.yaml", "game: skirmish\n")
    folder.write("cards/hook.yaml", "cards:\n  - {kind: weapon, name: Bill Hook, bonus: 2, hands: 2}\n")
    request = SheetRequest(sheets=("booklet",), formats=("html",), output=folder.root / "out")
    (path,) = make_sheets.make_sheets(request).files
    rows = re.findall(r"<tr>.*?</tr>", path.read_text(encoding="utf-8"), re.DOTALL)
    bonuses = {name: [row.count("+2") for row in rows if name in row] for name in ("Great Weapon", "Bill Hook")}
    assert bonuses == {"Great Weapon": [1], "Bill Hook": [1]}

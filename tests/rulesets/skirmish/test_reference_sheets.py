"""The summaries of Skirmish say what the rulings of the project decide."""

from __future__ import annotations

from cardgen.deck.deck import require_game
from cardgen.reference_sheets import make_sheets
from cardgen.reference_sheets.make_sheets import SheetRequest
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

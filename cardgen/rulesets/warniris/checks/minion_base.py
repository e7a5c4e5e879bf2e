"""A Minion on a base that is smaller than 25 mm or larger than 30 mm.

Why is this bad?
    Each Minion of a Horde must be on a round base of 25 to 30 mm (Last Stand: Horde). On another one, distances and
    paths between the 20 of them change.

Example
    kind: minion
    name: Ogre
    stats: {M: 2, B: 2, S: 2, W: 1, Mo: 10}
    base: 60  # WN124: 7

Use instead
    kind: minion
    name: Ogre
    stats: {M: 2, B: 2, S: 2, W: 1, Mo: 10}
    base: 30
"""

from cardgen.game import CheckContext, Confidence, Finding, Findings, Severity
from cardgen.rulesets.warniris.cards import Minion

CODE, NAME = "WN124", "minion-base"
SEVERITY, CONFIDENCE = Severity.WARNING, Confidence.CERTAIN
LOOKS_AT = Minion

SMALLEST_BASE, LARGEST_BASE = 25, 30


def find(minion: Minion, context: CheckContext) -> Findings:
    """A base outside the limits."""
    if not SMALLEST_BASE <= minion.base <= LARGEST_BASE:
        nearest = SMALLEST_BASE if minion.base < SMALLEST_BASE else LARGEST_BASE
        message = f"the base of a Minion must be between {SMALLEST_BASE} and {LARGEST_BASE} mm, not {minion.base:g}"
        yield Finding(message, ("base",), help=f"write {nearest}")

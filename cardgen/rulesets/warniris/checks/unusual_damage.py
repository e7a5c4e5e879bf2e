"""A Character whose best attack does far more or less damage than those of the others.

Why is this bad?
    It ends games alone, or stands about. The figure is exact: the mean Damage of the best weapon, at its full Range,
    to a target with the median Body and Spirit of all cards in play.
    Effects count as the referee plays them, but for what can be used once a battle; Relics do not count.
    'Far' means outside Tukey's outer fences: three times the width of the middle half, on both sides of it; or three
    times half the median, where that is wider.

Example
    kind: character
    name: Asha
    stats: {M: 5, B: 3, S: 3, W: 5, Mo: 10}
    weapons:  # WN402: 1
      - {name: Maul, type: CW, range: 1, penetration: 2, damage: 12}

Use instead
    kind: character
    name: Asha
    stats: {M: 3, B: 3, S: 3, W: 5, Mo: 10}
    weapons:
      - {name: Maul, type: CW, range: 1, penetration: 2, damage: 2}
"""

from __future__ import annotations

from collections.abc import Iterator

from cardgen.check.finding import Confidence, Finding
from cardgen.check.table import Scene
from cardgen.diagnostic import Severity
from cardgen.rulesets.warniris.exchange import dealt, target
from cardgen.rulesets.warniris.kinds import Character

CODE, NAME = "WN402", "unusual-damage"
SEVERITY, CONFIDENCE = Severity.NOTE, Confidence.GUESS
LOOKS_AT = Character


def find(character: Character, scene: Scene) -> Iterator[Finding]:
    """A figure far outside those of all Characters in play, with its rank."""
    found = scene.table.fact(dealt).far_out(character.id)
    if found:
        middle = scene.table.fact(target)
        message = (
            f"the best attack does {float(found.figure):.2f} Damage on average to Body {middle.body} and Spirit "
            f"{middle.spirit}, rank {found.rank} of {found.among}"
        )
        advice = f"the figures in play go from {float(found.lowest):.2f} to {float(found.highest):.2f}"
        yield Finding(message, ("weapons",), help=advice, at_key=True)

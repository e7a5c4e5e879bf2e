"""A warband whose fighters do not share the runemark of its battle trait.

Why is this bad?
    Each fighter must have the faction or grand alliance runemark that the trait belongs to; otherwise nobody has the
    trait.

Example
    game: warcry
    cards:
      - {kind: fighter, name: Asha, faction: chaos, runemarks: [hero], stats: {M: 5, T: 4, W: 10},
         points: 70, weapons: [{Axe: axe R1 A3 S4 D1/4}]}
      - {kind: trait, name: Bold, runemark: order, changes: [{move: +1}]}
      - kind: warband
        name: The Few
        trait: Bold  # WC124: 12
        members:
          - {fighter: Asha, leader: true}
          - {fighter: Asha, qty: 2}

Use instead
    game: warcry
    cards:
      - {kind: fighter, name: Asha, faction: chaos, runemarks: [hero], stats: {M: 5, T: 4, W: 10},
         points: 70, weapons: [{Axe: axe R1 A3 S4 D1/4}]}
      - {kind: trait, name: Bold, runemark: chaos, changes: [{move: +1}]}
      - kind: warband
        name: The Few
        trait: Bold
        members:
          - {fighter: Asha, leader: true}
          - {fighter: Asha, qty: 2}
"""

from __future__ import annotations

from collections.abc import Iterator

from cardgen.check.finding import Confidence, Finding
from cardgen.check.table import Scene
from cardgen.diagnostic import Severity
from cardgen.rulesets.warcry.kinds import Warband
from cardgen.rulesets.warcry.roster import roster
from cardgen.rulesets.warcry.runemarks import name_of

CODE, NAME = "WC124", "foreign-trait"
SEVERITY, CONFIDENCE = Severity.ERROR, Confidence.CERTAIN
LOOKS_AT = Warband


def find(warband: Warband, scene: Scene) -> Iterator[Finding]:
    """A trait of a runemark that not all fighters have."""
    lines = roster(warband, scene.table)
    if lines.trait is None or not lines.complete or lines.trait.runemark in lines.shared:
        return
    shared = ", ".join(sorted(map(name_of, lines.shared))) or "nothing"
    message = f"'{lines.trait.name}' is for {name_of(lines.trait.runemark)}, and not all fighters are of it"
    yield Finding(message, ("trait",), help=f"what they all share: {shared}")

"""A runemark that does not exist.

Why is this bad?
    Rules speak of fighters by their runemarks, and no rule speaks of this one: mostly it is misspelt.
    A runemark of your own exists as soon as its picture lies in your project's icons/, under its name.

Example
    game: warcry
    kind: fighter
    name: Asha
    faction: chaos
    runemarks: [heroe]  # WC120: 13
    stats: {M: 5, T: 4, W: 10}
    points: 70
    weapons: [{Axe: axe R1 A3 S4 D1/4}]

Use instead
    game: warcry
    kind: fighter
    name: Asha
    faction: chaos
    runemarks: [hero]
    stats: {M: 5, T: 4, W: 10}
    points: 70
    weapons: [{Axe: axe R1 A3 S4 D1/4}]
"""

from __future__ import annotations

from collections.abc import Iterator

from cardgen.check.finding import Confidence, Finding
from cardgen.check.table import Scene
from cardgen.diagnostic import Severity
from cardgen.rulesets.warcry.kinds import Ability, Fighter, Rule, Trait
from cardgen.rulesets.warcry.runemarks import ALLIANCES, FACTIONS, ROLES, RUNEMARKS
from cardgen.shape.suggestion import closest
from cardgen.source import Route

CODE, NAME = "WC120", "unknown-runemark"
SEVERITY, CONFIDENCE = Severity.ERROR, Confidence.CERTAIN
LOOKS_AT = (Fighter, Ability, Rule, Trait)


def find(part: Fighter | Ability | Rule | Trait, scene: Scene) -> Iterator[Finding]:
    """The runemarks that neither the game names nor the project draws."""
    for mark, route in _marks(part):
        if mark in RUNEMARKS or _drawn(mark, scene):
            continue
        whole = {**ALLIANCES, **FACTIONS} if route in (("faction",), ("runemark",)) else {**ROLES, **RUNEMARKS}
        meant = closest(mark, whole)
        advice = f"did you mean '{meant}'?" if meant else f"known: {', '.join(ROLES)}, and the factions"
        yield Finding(f"there is no runemark '{mark}'", route, help=advice)


def _marks(part: Fighter | Ability | Rule | Trait) -> Iterator[tuple[str, Route]]:
    """The runemarks that a part names, and where."""
    if isinstance(part, Fighter):
        yield part.faction, ("faction",)
    if isinstance(part, Trait):
        yield part.runemark, ("runemark",)
    else:
        yield from ((mark, ("runemarks", index)) for index, mark in enumerate(part.runemarks))


def _drawn(mark: str, scene: Scene) -> bool:
    """Whether the project itself has a picture of it."""
    return scene.entry is not None and scene.table.surroundings.icons(scene.entry.game).is_drawn(mark)

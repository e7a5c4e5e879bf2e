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

from collections.abc import Iterator

from cardgen.game import CheckContext, Confidence, Finding, Findings, KeyPath, Severity, closest
from cardgen.rulesets.warcry.cards import Ability, Fighter, Rule, Trait
from cardgen.rulesets.warcry.runemarks import ALLIANCES, FACTIONS, ROLES, RUNEMARKS

CODE, NAME = "WC120", "unknown-runemark"
SEVERITY, CONFIDENCE = Severity.ERROR, Confidence.CERTAIN
LOOKS_AT = (Fighter, Ability, Rule, Trait)


def find(part: Fighter | Ability | Rule | Trait, context: CheckContext) -> Findings:
    """The runemarks that neither the game names nor the project draws."""
    for mark, route in _named_runemarks(part):
        if mark in RUNEMARKS or _has_icon(mark, context):
            continue
        candidates = {**ALLIANCES, **FACTIONS} if route in (("faction",), ("runemark",)) else {**ROLES, **RUNEMARKS}
        meant = closest(mark, candidates)
        advice = f"did you mean '{meant}'?" if meant else f"known: {', '.join(ROLES)}, and the factions"
        yield Finding(f"there is no runemark '{mark}'", route, help=advice)


def _named_runemarks(part: Fighter | Ability | Rule | Trait) -> Iterator[tuple[str, KeyPath]]:
    """The runemarks that a part names, and where."""
    if isinstance(part, Fighter):
        yield part.faction, ("faction",)
    if isinstance(part, Trait):
        yield part.runemark, ("runemark",)
    else:
        yield from ((mark, ("runemarks", index)) for index, mark in enumerate(part.runemarks))


def _has_icon(mark: str, context: CheckContext) -> bool:
    """Whether the project itself has a picture of it."""
    return context.entry is not None and context.scope.services.icons(context.entry.game).is_project_icon(mark)

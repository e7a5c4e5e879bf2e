"""A runemark that does not exist.

Why is this bad?
    Rules refer to fighters by their runemarks, and no rule refers to this one. Usually it is misspelled.
    To add a runemark of your own, name it in `cardgen.yaml`, or put a picture with its name in your project's `icons/`
    folder.

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

from cardgen.game import CheckContext, Finding, Findings, KeyPath, closest, rule
from cardgen.rulesets.warcry.cards import Ability, Fighter, Rule, Trait
from cardgen.rulesets.warcry.marks import MiniatureMarks
from cardgen.rulesets.warcry.runemarks import ALLIANCES


@rule("WC120", "error", "certain")
def find(part: Fighter | MiniatureMarks | Ability | Rule | Trait, context: CheckContext) -> Findings:
    """Yield the runemarks that neither the game nor the project defines."""
    factions, roles, known = part.settings.all_factions, part.settings.all_roles, part.settings.all_runemarks
    for mark, route in _named_runemarks(part):
        if mark in known or _has_icon(mark, context):
            continue
        is_faction = route in (("faction",), ("runemark",))
        meant = closest(mark, {**ALLIANCES, **factions} if is_faction else {**roles, **known})
        own = f"'factions: {{{mark}: order}}'" if is_faction else f"'runemarks: [{mark}]'"
        advice = (
            f"did you mean '{meant}'?"
            if meant
            else f"to add one of your own, write {own} under 'warcry' in cardgen.yaml"
        )
        yield Finding(f"unknown runemark '{mark}'", route, help=advice)


def _named_runemarks(part: Fighter | MiniatureMarks | Ability | Rule | Trait) -> Iterator[tuple[str, KeyPath]]:
    """The runemarks that a part names, and where."""
    if isinstance(part, Fighter | MiniatureMarks) and part.faction:
        yield part.faction, ("faction",)
    if isinstance(part, Trait):
        yield part.runemark, ("runemark",)
    else:
        yield from ((mark, ("runemarks", index)) for index, mark in enumerate(part.runemarks))


def _has_icon(mark: str, context: CheckContext) -> bool:
    """Whether the project has an icon of its own for the runemark."""
    return context.entry is not None and context.scope.services.icons(context.entry.game).is_project_icon(mark)

"""Checks of runemarks."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from cardgen.game import CheckContext, CheckScope, Finding, Findings, KeyPath, closest, join_words
from cardgen.rulesets.warcry.cards import MAX_RUNEMARKS, Ability, Fighter, MiniatureMarks, Rule, Trait
from cardgen.rulesets.warcry.effective import placed_changes
from cardgen.rulesets.warcry.limits import ALLIANCES, Settings


def divided_loyalty(fighter: Fighter | MiniatureMarks) -> Findings:
    """Yield runemarks of another grand alliance than the faction's."""
    name_of = fighter.settings.name_of
    for index, mark in enumerate(fighter.runemarks):
        alliance = fighter.settings.alliance_of(mark)
        if alliance and fighter.alliance and alliance != fighter.alliance:
            message = f"'{name_of(mark)}' is of {name_of(alliance)}, but the fighter is of {name_of(fighter.alliance)}"
            yield Finding(message, ("runemarks", index), help="use runemarks of one grand alliance")


def misplaced_runemark(card: Fighter | MiniatureMarks | Trait) -> Findings:
    """Yield a role as faction."""
    key = "runemark" if isinstance(card, Trait) else "faction"
    mark = getattr(card, key)
    if mark in card.settings.all_roles:
        message = f"'{card.settings.name_of(mark)}' is not a faction or grand alliance"
        advice = "write it under 'runemarks'" if key == "faction" else "use a faction or grand alliance"
        yield Finding(message, (key,), help=advice)


def repeated_runemark(part: Fighter | MiniatureMarks | Ability | Rule) -> Findings:
    """Yield each runemark that came before, as the faction's or among the others."""
    before = {part.faction} if isinstance(part, Fighter | MiniatureMarks) else set()
    for index, mark in enumerate(part.runemarks):
        if mark in before:
            yield Finding(
                f"repeated runemark '{part.settings.name_of(mark)}'", ("runemarks", index), help="leave it out"
            )
        before.add(mark)


def unknown_runemark(part: Fighter | MiniatureMarks | Ability | Rule | Trait, context: CheckContext) -> Findings:
    """Yield the runemarks that neither the game nor the project defines."""
    factions, roles, known = part.settings.all_factions, part.settings.all_roles, part.settings.all_runemarks
    for mark, route in _named_runemarks(part):
        if mark in known or _has_icon(mark, context):
            continue
        is_faction = route in (("faction",), ("runemark",))
        meant = closest(mark, {**ALLIANCES, **factions} if is_faction else {**roles, **known})
        yield Finding(
            f"unknown runemark '{mark}'",
            route,
            help=f"did you mean '{meant}'?" if meant else _own(mark, is_faction, part),
        )


def _own(mark: str, is_faction: bool, part: Fighter | MiniatureMarks | Ability | Rule | Trait) -> str:
    """Return how to name an own faction or runemark, or to add one."""
    settings = part.settings
    add = f"runemarks: [{', '.join((*settings.runemarks, mark))}]"
    if is_faction:
        known = "".join(f"{each}: {alliance}, " for each, alliance in settings.factions.items())
        add = f"factions: {{{known}{mark}: GRAND ALLIANCE}}"
    added = f"write '{add}' under 'warcry' in cardgen.yaml"
    if is_faction and settings.factions:
        known = join_words([f"'{each}'" for each in settings.factions])
        return f"write {known}; or to add another one, {added}"
    return f"to add one of your own, {added}"


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


def unusable_ability(ability: Ability, context: CheckContext) -> Findings:
    """Yield the first runemark that a fighter with the ones before it cannot have, unless some fighter has all.

    Fighters that the ability needs and excludes are found, too.
    """
    placed_all = [*placed_changes(ability)]
    choices = [*((mark,) for mark in ability.runemarks), *(placed.change.only_for for placed in placed_all)]
    for placed in placed_all:
        idle = next((one_of for one_of in choices if one_of and {*one_of} <= {*placed.change.not_for}), ())
        if idle:
            message = (
                f"nobody can use this ability: it both requires and excludes '{ability.settings.name_of(idle[0])}'"
            )
            yield Finding(message, placed.at("not_for"), "remove one of the two", placed.text_range)
    if any(marks.issuperset(ability.runemarks) for marks in context.scope.compute_once(_marks_of_fighters)):
        return
    yield from islice(_conflicts(ability.runemarks, ability.settings), 1)
    roles = [index for index, mark in enumerate(ability.runemarks) if not ability.settings.alliance_of(mark)]
    if len({ability.runemarks[index] for index in roles}) > MAX_RUNEMARKS:
        message = f"no fighter has {len(roles)} runemarks besides its faction's"
        yield Finding(message, ("runemarks", roles[MAX_RUNEMARKS]), help=f"use up to {MAX_RUNEMARKS}")


def unmatched_runemarks(part: Ability | Rule, context: CheckContext) -> Findings:
    """Yield the first runemark that no fighter has with the ones before it, or the last if a fighter needs only one.

    If the ability or trait is for a faction, only its fighters count; if none of them are in play, nothing is known.
    """
    trait = context.parent
    needed = [trait.runemark] if isinstance(trait, Trait) else [*part.runemarks]
    groups = [{mark} for mark in needed if part.settings.alliance_of(mark)]
    ours = [marks for marks in context.scope.compute_once(_marks_of_fighters) if all(marks & group for group in groups)]
    is_known = {*part.runemarks} <= part.settings.all_runemarks.keys()
    if not (ours and part.runemarks and is_known and context.scope.is_complete):
        return
    if isinstance(part, Ability) and any(unusable_ability(part, context)):
        return
    if not groups and not context.scope.compute_once(_has_own_fighters):
        return  # for fighters that others have
    name_of = part.settings.name_of
    whose = f" of {join_words([name_of(mark) for group in groups for mark in group], 'and')}" if groups else ""
    if isinstance(part, Rule):
        if all(marks.isdisjoint(part.runemarks) for marks in ours):
            quoted = join_words([f"'{name_of(mark)}'" for mark in part.runemarks])
            yield Finding(
                f"nobody can use it: no fighter{whose} has {quoted}",
                ("runemarks", len(part.runemarks) - 1),
                help=_alternatives(ours, set(), part.settings),
            )
        return
    before: list[str] = []
    for index, mark in enumerate(part.runemarks):
        if {mark} in groups:
            continue
        left = [marks for marks in ours if marks.issuperset((*before, mark))]
        alone = [marks for marks in ours if mark in marks]
        if not left and (alone or groups):
            together = [*before, mark] if alone else [mark]
            quoted = join_words([f"'{name_of(each)}'" for each in together], "and")
            message = f"nobody can use it: no fighter{whose} has {quoted}{' together' if alone else ''}"
            yield Finding(message, ("runemarks", index), help=_alternatives(ours, {*before}, part.settings))
            return
        before += [mark] if left else []


def _alternatives(fighters: Iterable[frozenset[str]], before: set[str], settings: Settings) -> str:
    """Return what fighters have beside some runemarks, as advice."""
    others = {
        mark for marks in fighters if marks >= before for mark in marks - before if not settings.alliance_of(mark)
    }
    if not others:
        return "remove it, or give it to a fighter"
    quoted = join_words([f"'{settings.name_of(mark)}'" for mark in sorted(others)])
    return f"give it to a fighter, or use {quoted}{' with the others' if before else ''}, which fighters have"


def _has_own_fighters(scope: CheckScope) -> bool:
    return any(True for _ in scope.own.facts((Fighter,), _marks_of_one_alliance))


def _marks_of_fighters(scope: CheckScope) -> frozenset[frozenset[str]]:
    """Return the runemarks of each fighter of only one grand alliance."""
    return frozenset(map(frozenset, filter(None, scope.facts_of_type(_marks_of_one_alliance, Fighter))))


def _marks_of_one_alliance(fighter: Fighter) -> list[str]:
    """Return the runemarks of a fighter; none if they are of several grand alliances."""
    alliances = {fighter.settings.alliance_of(mark) for mark in fighter.marks} - {""}
    return sorted(fighter.marks) if len(alliances) <= 1 else []


def _conflicts(marks: Sequence[str], settings: Settings) -> Findings:
    """Yield each faction or grand alliance that excludes an earlier one."""
    first = ""
    for index, mark in enumerate(marks):
        if not settings.alliance_of(mark):
            continue
        if first and not _can_go_together(first, mark, settings):
            message = f"no fighter is of '{settings.name_of(first)}' and of '{settings.name_of(mark)}'"
            yield Finding(message, ("runemarks", index), help="write an ability for each of them")
        first = mark if mark in settings.all_factions else first or mark


def _can_go_together(one: str, other: str, settings: Settings) -> bool:
    """Whether a fighter has both: a faction and its grand alliance."""
    are_factions = one in settings.all_factions and other in settings.all_factions
    return one == other or (settings.alliance_of(one) == settings.alliance_of(other) and not are_factions)

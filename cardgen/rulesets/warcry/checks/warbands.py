"""Checks of warbands."""

from collections.abc import Iterator

from cardgen.game import CheckContext, Finding, Findings, such_as
from cardgen.rulesets.warcry.cards import Blessing, Fighter, Trait, Warband
from cardgen.rulesets.warcry.effective import HEROISM, changes_of, choice_problem, why_not
from cardgen.rulesets.warcry.limits import ALLIANCES
from cardgen.rulesets.warcry.pack import MAX_FIGHTERS, MIN_FIGHTERS, ROLE_LIMITS, resolve_roster


def lost_blessing(warband: Warband, context: CheckContext) -> Findings:
    """Yield the blessings that are not for their fighter, or for none of its weapons."""
    for index, entry in enumerate(resolve_roster(warband, context.scope).entries):
        if entry.fighter is None or entry.blessing is None:
            continue
        fighter, blessing, problems = entry.fighter, entry.blessing, list[str]()
        if problem := why_not(blessing, fighter.marks):
            problems.append(f"'{fighter.name}' cannot have '{blessing.name}': {problem}")
        if blessing.id == HEROISM and "hero" in fighter.marks:
            problems.append(f"'{fighter.name}' has the Hero runemark, as which '{blessing.name}' counts")
        if sort := _lacking_weapon(blessing, fighter):
            problems.append(f"'{fighter.name}' has no {sort} weapon for '{blessing.name}'")
        advice = f"choose another blessing{such_as(_blessings_for(fighter, context))}" if problems else ""
        for message in problems:
            yield Finding(message, ("members", index, "blessing"), help=advice)


def mixed_alliances(warband: Warband, context: CheckContext) -> Findings:
    """Yield the first fighter from another grand alliance than the first fighter."""
    ours = [
        (index, place.fighter)
        for index, place in enumerate(resolve_roster(warband, context.scope).entries)
        if place.fighter and place.fighter.alliance
    ]
    for index, fighter in ours:
        if fighter.alliance != ours[0][1].alliance:
            name_of = fighter.settings.name_of
            others = such_as(_fighters_beside(ours[0][1], context))
            advice = f"choose a fighter of the grand alliance {name_of(ours[0][1].alliance)}{others}"
            message = f"'{fighter.name}' belongs to {name_of(fighter.alliance)}, not to {name_of(ours[0][1].alliance)}"
            yield Finding(message, ("members", index, "fighter"), help=advice)
            return


def _blessings_for(fighter: Fighter, context: CheckContext) -> Iterator[Blessing]:
    """Yield the blessings that a fighter can have."""
    for blessing in context.scope.cards_of_type(Blessing):
        if why_not(blessing, fighter.marks) or _lacking_weapon(blessing, fighter):
            continue
        if blessing.id != HEROISM or "hero" not in fighter.marks:
            yield blessing


def _lacking_weapon(blessing: Blessing, fighter: Fighter) -> str:
    """Return the sort of weapon that a blessing is for and a fighter does not have, or ''."""
    changes = (change for change in changes_of(blessing) if not change.incoming)
    sorts = (change.weapon.removeprefix("one-") for change in changes)
    own = {"melee" if weapon.melee else "missile" for weapon in fighter.weapons}
    return next((sort for sort in sorts if sort in ("melee", "missile") and sort not in own), "")


def _fighters_beside(leader: Fighter, context: CheckContext) -> Iterator[Fighter]:
    """Yield the fighters of a leader's faction, which can always follow it."""
    fighters = context.scope.cards_of_type(Fighter)
    return (fighter for fighter in fighters if fighter.faction == leader.faction and fighter.id != leader.id)


_PLURALS = {"hero": "heroes", "monster": "monsters", "ally": "allies"}


def role_limits(warband: Warband, context: CheckContext) -> Findings:
    """Yield the member with which each role goes over its limit."""
    roster = resolve_roster(warband, context.scope)
    entries = roster.entries if roster.is_complete else ()
    faction = next((entry.fighter.faction for entry in entries if entry.fighter and entry.member.leader), "")
    for role, limit in ROLE_LIMITS.items():
        counts = [entry.member.qty * _has_role(entry.fighter, role, faction) for entry in entries]
        total = sum(counts)
        if total > limit:
            index = next(i for i in range(len(counts)) if sum(counts[: i + 1]) > limit)
            message = f"{total} {_PLURALS[role]} are more than {limit}"
            yield Finding(message, ("members", index), help=f"take out {total - limit}")


def _has_role(fighter: Fighter | None, role: str, faction: str) -> bool:
    """Whether a fighter counts for a limit; an ally is a Hero or Ally of another faction than the leader's."""
    if fighter is None:
        return False
    if role != "ally":
        return role in fighter.runemarks
    is_hired = not {"hero", "ally"}.isdisjoint(fighter.runemarks)
    return bool(faction) and fighter.faction != faction and is_hired and "monster" not in fighter.runemarks


# Fighters with one of these runemarks may join a warband of another faction.
_WELCOME = {"hero", "ally", "monster", "thrall"}


def stray_fighter(warband: Warband, context: CheckContext) -> Findings:
    """Yield fighters of another faction than the leader's that are of the same grand alliance but cannot be allies."""
    entries = resolve_roster(warband, context.scope).entries
    leader = next((entry.fighter for entry in entries if entry.fighter and entry.member.leader), None)
    for index, entry in enumerate(entries):
        if leader and entry.fighter and _is_stray(entry.fighter, leader):
            name_of = leader.settings.name_of
            message = (
                f"'{entry.fighter.name}' is of {name_of(entry.fighter.faction)}, but the leader is of "
                f"{name_of(leader.faction)}"
            )
            others = such_as(_fighters_beside(leader, context))
            advice = f"choose a fighter of the same faction, a Hero, or an Ally{others}"
            yield Finding(message, ("members", index, "fighter"), help=advice)


def _is_stray(fighter: Fighter, leader: Fighter) -> bool:
    """Return whether a fighter is of another faction; a grand alliance does not count as one."""
    if fighter.faction == leader.faction or not ALLIANCES.keys().isdisjoint((fighter.faction, leader.faction)):
        return False
    return fighter.alliance == leader.alliance and _WELCOME.isdisjoint(fighter.runemarks)


def warband_size(warband: Warband, context: CheckContext) -> Findings:
    """Yield findings on the number of fighters and on the leader."""
    roster = resolve_roster(warband, context.scope)
    if not MIN_FIGHTERS <= roster.fighter_count <= MAX_FIGHTERS:
        message = f"a warband must have {MIN_FIGHTERS} to {MAX_FIGHTERS} fighters, not {roster.fighter_count}"
        yield Finding(message, ("members",), help="add or remove fighters", at_key=True)
    leaders = [index for index, place in enumerate(roster.entries) if place.member.leader]
    if sum(roster.entries[index].member.qty for index in leaders) != 1:
        message = "the warband has more than one leader" if leaders else "the warband has no leader"
        place = ("members", leaders[-1], "leader") if leaders else ("members",)
        yield Finding(message, place, help="set 'leader: true' for exactly one fighter", at_key=not leaders)
    for index in leaders if len(leaders) == 1 else ():
        fighter = roster.entries[index].fighter
        if fighter and "hero" not in fighter.runemarks:
            message = f"leader '{fighter.name}' has no Hero runemark"
            heroes = [each.fighter for each in roster.entries if each.fighter and "hero" in each.fighter.runemarks]
            advice = f"make a fighter with the Hero runemark the leader{such_as(heroes)}"
            yield Finding(message, ("members", index, "leader"), help=advice)


def wrong_choice(card: Trait | Warband, context: CheckContext) -> Findings:
    """Yield a choice of one, and what a warband chooses although its trait does not offer it."""
    if isinstance(card, Trait):
        if len(card.choices) == 1:
            message = "a choice needs two alternatives or more"
            yield Finding(message, ("choices",), help="add one, or use 'grants'", at_key=True)
    elif card.choice is not None:
        problem = choice_problem(resolve_roster(card, context.scope).trait, card.choice)
        if problem:
            yield Finding(problem.message, ("choice",), help=problem.help)

"""Checks of Warbands, Hordes, and Missions."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

from cardgen.game import (
    CheckContext,
    CheckScope,
    Finding,
    Findings,
    Related,
    finder_in_scope,
    join_words,
    slugify,
)
from cardgen.rulesets.warniris.cards import (
    HORDE_SIZE,
    MAX_MEMBERS,
    MEANINGFUL_KEYS,
    REPORTED_EVENTS,
    RULED_TYPE,
    Character,
    Earn,
    Mission,
    Relic,
    Warband,
    meaningless_keys,
)
from cardgen.rulesets.warniris.rulebook import TURNS

MAX_NUMBER = 99
# Two Actions and a Reaction (sections 4 and 6).
_ATTACKS_IN_A_TURN = 3


def same_character(warband: Warband) -> Findings:
    """Find the members that repeat a Character."""
    first: dict[str, int] = {}
    for index, member in enumerate(warband.members):
        before = first.setdefault(slugify(member.character), index)
        if before != index:
            twice = " with two Relics" if member.relic and warband.members[before].relic else ""
            message = f"duplicate character '{member.character}'{twice}"
            related = (Related("first listed here", ("members", before, "character")),)
            yield Finding(message, ("members", index, "character"), help="choose another Character", related=related)


def too_few_relics(warband: Warband, context: CheckContext) -> Findings:
    """Find, for each Relic, the first member without a copy left, or that may not carry it, too."""
    find_card, carried = finder_in_scope(context.scope), Counter[str]()
    is_unique = context.rulings.get("relic-duplicates") == "unique"
    for index, member in enumerate(warband.members):
        if relic := find_card(Relic, member.relic):
            carried[relic.id] += 1
            if is_unique and carried[relic.id] == 2:
                message = f"'{relic.name}' is carried twice, and the ruling 'relic-duplicates' says 'unique'"
                yield Finding(message, ("members", index, "relic"), help="choose another Relic")
            elif carried[relic.id] == relic.qty + 1:
                message = f"not enough copies of '{relic.name}' (qty: {relic.qty})"
                yield Finding(message, ("members", index, "relic"), help="increase its 'qty', or choose another Relic")


def horde_size(warband: Warband) -> Findings:
    """Find Minions of a Horde that are more or fewer than 20 together."""
    count = sum(troop.qty for troop in warband.minions)
    if warband.minions and count != HORDE_SIZE:
        more = "lower" if count > HORDE_SIZE else "raise"
        message = f"a Horde must have {HORDE_SIZE} Minions, not {count}"
        yield Finding(message, ("minions",), help=f"{more} 'qty', or change the list of Minions", at_key=True)


def same_number(mission: Mission, context: CheckContext) -> Findings:
    """Find a Mission that is not the first with its number."""
    if not mission.number or context.scope.look_up(_first_by_number, str(mission.number)) in (None, mission.id):
        return
    entries = [(each.card, each) for each in context.scope.own.of((Mission,))]
    first = next(entry for card, entry in entries if isinstance(card, Mission) and card.number == mission.number)
    if first.card is not mission:
        taken = {other.number for other in context.scope.cards_of_type(Mission)}
        free = next((f"write {number}, or " for number in range(1, MAX_NUMBER + 1) if number not in taken), "")
        message = f"duplicate number {mission.number}, already used by '{first.card.name}'"
        related = (Related("the other Mission", ("number",), first),)
        yield Finding(message, ("number",), help=f"{free}remove it", related=related)


def _first_by_number(scope: CheckScope) -> dict[str, str]:
    """Return the id of the first Mission with each number among the checked cards."""
    return {str(number): id_ for number, id_ in [*scope.own.facts((Mission,), _number_and_id)][::-1]}


def _number_and_id(mission: Mission) -> list[Any]:
    return [mission.number, mission.id]


def idle_objective_key(goal: Earn) -> Findings:
    """Find the keys of an objective that the tracker ignores."""
    for key in meaningless_keys(goal):
        events = [event for event, keys in MEANINGFUL_KEYS.items() if key in keys]
        message = f"'{key}' means nothing for the event '{goal.event}'"
        yield Finding(message, (key,), help=f"remove the key; it applies only to {join_words(events, 'and')}")
    if goal.within == "move" and goal.event != "pass":
        message = f"'in: move' means nothing for the event '{goal.event}'"
        yield Finding(message, ("in",), help="write turn or battle; move is for pass")


def impossible_mission(goal: Earn, context: CheckContext) -> Findings:
    """Yield what the rules make impossible, then what the cards in play do."""
    if goal.of == "minion":
        yield Finding("Missions are not used against a Horde", ("of",), help="write enemy or character")
    most, why = min(_max_counts(goal, context.scope), default=(goal.count, ""))
    if goal.count > most:
        yield Finding(
            f"{goal.count} are required, but at most {most} are possible: {why}", ("count",), help="lower 'count'"
        )
    if goal.attackers > MAX_MEMBERS:
        message = f"{goal.attackers} attackers are required, but a Warband has at most {MAX_MEMBERS}"
        yield Finding(message, ("attackers",), help="lower 'attackers'")
    if goal.turns > TURNS:
        yield Finding(f"{goal.turns} turns are required, but a battle has {TURNS}", ("turns",), help="lower 'turns'")
    if goal.range_over is not None and goal.range_within is not None and goal.range_within <= goal.range_over:
        message = f"nothing is over {goal.range_over} cm and within {goal.range_within} cm away"
        yield Finding(message, ("range_within",), help="raise 'range_within', or lower 'range_over'")
    yield from _unreachable(goal, context.scope.compute_once(_longest_ranges))


def _unreachable(goal: Earn, reach: dict[str, int]) -> Findings:
    """Yield a weapon type that no Character has, or a distance that none can reach."""
    types = ("CW", "RW") if goal.weapon == RULED_TYPE else (goal.weapon,) if goal.weapon else tuple(reach)
    if goal.weapon and not reach.keys() & set(types):
        kind = " or ".join(map(str, types))
        yield Finding(f"no Character in play has a weapon of type {kind}", ("weapon",), help="choose another")
        return
    farthest = max((reach.get(str(each), 0) for each in types), default=0)
    if goal.range_over is not None and reach and goal.range_over >= farthest:
        message = f"no Character in play can reach over {goal.range_over} cm"
        yield Finding(message, ("range_over",), help=f"the longest Range is {farthest}")


def _max_counts(goal: Earn, scope: CheckScope) -> Iterator[tuple[int, str]]:
    """Yield the most times the deed is possible, and why, for each limit of the rules."""
    if goal.event in ("eliminate", "survive") or goal.different:
        yield MAX_MEMBERS, f"a Warband has {MAX_MEMBERS} Characters"
    if goal.event == "pass" and goal.within == "move":
        yield MAX_MEMBERS, f"a Warband has {MAX_MEMBERS} Characters"
    if goal.within != "turn" or goal.event in ("survive", "pass"):
        return
    if goal.event in REPORTED_EVENTS:
        alone = goal.by == "one" or goal.event == "control"
        yield (1, "it happens once a turn") if alone else (MAX_MEMBERS, f"a Warband has {MAX_MEMBERS} Characters")
        return
    if goal.event in ("eliminate", "damage") and scope.compute_once(_any_effect_deals):
        return
    if goal.event != "resist" and goal.by == "one":
        yield _ATTACKS_IN_A_TURN, "a Character has two Actions and a Reaction per turn"
    else:
        yield MAX_MEMBERS * _ATTACKS_IN_A_TURN, "four Characters each have two Actions and a Reaction per turn"


def _any_effect_deals(scope: CheckScope) -> bool:
    """Return whether an effect in play deals damage, perhaps to several enemies at once.

    Effects at the bearer's own elimination do not count: no Mission is built on them.
    """
    return any(scope.facts_of_type(_deals, Relic)) or any(scope.facts_of_type(_deals, Character))


def _deals(card: Relic | Character) -> bool:
    """Return whether an effect of a card deals damage, other than at its own elimination."""
    if isinstance(card, Relic):
        parts = [card.effects]
    else:
        parts = [*(weapon.effects for weapon in card.weapons), *(ability.effects for ability in card.abilities)]
    effects = [effect for effects in parts for effect in effects if effect.active_at != "eliminated"]
    return any(deeds.most_dealt for effect in effects for _, deeds in effect.deeds)


def _longest_ranges(scope: CheckScope) -> dict[str, int]:
    """Return the longest Range in play of each weapon type, including the best bonuses."""
    relic = max(scope.facts_of_type(_range_bonus, Relic), default=0)
    longest: dict[str, int] = {}
    for ranges in scope.facts_of_type(_own_ranges, Character):
        for sort, length in ranges:
            longest[sort] = max(longest.get(sort, 0), length + relic)
    return longest


def _own_ranges(character: Character) -> list[list[Any]]:
    """Return the type of each weapon that needs Tests, and its Range with the bonuses of its Character."""
    bonus = sum(map(_range_bonus, character.abilities))
    return [[str(weapon.type), weapon.range + bonus] for weapon in character.weapons if weapon.needs_test]


def _range_bonus(thing: object) -> int:
    """Return what the effects of a card or ability add to its bearer's Range."""
    effects = getattr(thing, "effects", ())
    return sum(max(0, effect.bearer.range) for effect in effects if effect.bearer)

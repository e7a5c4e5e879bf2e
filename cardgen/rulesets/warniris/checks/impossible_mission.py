"""A Mission that cannot be completed.

Why is this bad?
    A player who draws it cannot use it.
    A Warband has four Characters, each with two Actions and one Reaction per turn, and a battle has five turns.
    Missions are not used against a Horde. A weapon type or distance must exist on a card in play.

Example
    kind: mission
    cards:
      - {name: Slaughter, vp: 5, earn: {event: eliminate, of: character, count: 5}}  # WN313: 77
      - {name: Exterminator, vp: 2, earn: {event: eliminate, of: minion}}  # WN313: 62
      - {name: Far Shot, vp: 2, earn: {event: damage, range_over: 72}}  # WN313: 63

Use instead
    kind: mission
    cards:
      - {name: Slaughter, vp: 5, earn: {event: eliminate, of: character, count: 4}}
      - {name: Exterminator, vp: 2, earn: {event: eliminate}}
      - {name: Far Shot, vp: 2, earn: {event: damage, range_over: 20}}
"""

from collections.abc import Iterator

from cardgen.game import CheckContext, CheckScope, Finding, Findings, rule
from cardgen.rulesets.warniris.cards import MAX_MEMBERS, REPORTED_EVENTS, RULED_TYPE, Character, Earn, Relic
from cardgen.rulesets.warniris.effect import Effect
from cardgen.rulesets.warniris.limits import TURNS

# Two Actions and a Reaction (sections 4 and 6).
_ATTACKS_IN_A_TURN = 3


@rule("WN313", "warning", "certain")
def find(goal: Earn, context: CheckContext) -> Findings:
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
    yield from _unreachable(goal, context.scope.compute_once(longest_ranges))


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
    effects = (effect for effect in _effects_in_play(scope) if effect.active_at != "eliminated")
    return any(deeds.most_dealt for effect in effects for _, deeds in effect.deeds)


def _effects_in_play(scope: CheckScope) -> Iterator[Effect]:
    for relic in scope.cards_of_type(Relic):
        yield from relic.effects
    for character in scope.cards_of_type(Character):
        for weapon in character.weapons:
            yield from weapon.effects
        for ability in character.abilities:
            yield from ability.effects


def longest_ranges(scope: CheckScope) -> dict[str, int]:
    """Return the longest Range in play of each weapon type, including the best bonuses."""
    relic = max((_bonus(relic) for relic in scope.cards_of_type(Relic)), default=0)
    longest: dict[str, int] = {}
    for character in scope.cards_of_type(Character):
        bonus = relic + sum(map(_bonus, character.abilities))
        for weapon in character.weapons:
            if weapon.needs_test:
                longest[weapon.type] = max(longest.get(weapon.type, 0), weapon.range + bonus)
    return longest


def _bonus(thing: object) -> int:
    effects = getattr(thing, "effects", ())
    return sum(max(0, effect.bearer.range) for effect in effects if effect.bearer)

"""Fighters of a group and conditions in a battle: what the tracker knows of them, and what it asks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from cardgen.game import Procedure, confirm
from cardgen.rulesets.warcry.changes import Change
from cardgen.rulesets.warcry.referee.battle.combatant import Combatant, Table
from cardgen.rulesets.warcry.selections import Condition, Group
from cardgen.rulesets.warcry.wording.phrases import condition_phrase, given, pick_phrase

# What the tracker knows of a fighter; it asks for the rest.
KNOWN = frozenset(("side", "another", "runemarks", "any_runemarks",
                   "wounds", "damaged", "unhurt", "half_wounds", "down", "fresh",
                   "activated", "cost", "most_wounds", "toughness", "most_toughness",
    "wounds_left", "count", "up_to", "lower", "unpicked"))  # fmt: skip


# Keys of a condition that say more about another.
DETAILS = frozenset(("friends", "enemies", "wholly", "of"))


def candidates(
    table: Table, who: Combatant, group: Group, picked: Iterable[Combatant], value: int, *, is_reaction: bool = False
) -> list[Combatant]:
    """Return the fighters that may belong to a group, as far as is known.

    Abilities that others in its warband use do not affect an exhausted fighter (battleplan Endless Struggle).
    """
    exhausted = None if is_reaction else table.notes.exhausted
    spared = exhausted if exhausted is not None and exhausted is not who and exhausted.side == who.side else None
    able = (each for each in _of_side(table, who, group) if each is not spared)
    return [each for each in able if _may_belong(table, who, each, group, [*picked], value)]


def _of_side(table: Table, who: Combatant, group: Group) -> list[Combatant]:
    if group.down or group.reserve:
        sides = {"enemy": (1 - who.side,), "friend": (who.side,), "fighter": (0, 1)}[group.side]
        absent = (each for each in table.combatants if each.side in sides and not each.stands)
        return [each for each in absent if (each.is_down if group.down else not each.is_down)]
    own = [] if group.another or group.visible else [who] * who.stands
    friends, enemies = [*own, *table.friends(who)], table.enemies(who)
    return {"enemy": enemies, "friend": friends, "fighter": [*friends, *enemies]}[group.side]


def _may_belong(
    table: Table, who: Combatant, one: Combatant, group: Group, picked: list[Combatant], value: int
) -> bool:
    inches = value if group.within == "value" else group.within
    centers = picked if group.to == "picked" else [who]
    near = (
        inches is None
        or group.to not in ("self", "picked")
        or any(center is one or table.distances.is_within(center, one, inches) is not False for center in centers)
    )
    stats = one.stats
    return (
        near
        and _has_marks(one, group)
        and not (group.unpicked and one in picked)
        and (group.lower is None or getattr(stats, group.lower) < getattr(who.stats, group.lower))
        and _numbers_fit(stats.wounds, group.wounds, group.most_wounds)
        and _numbers_fit(stats.toughness, group.toughness, group.most_toughness)
        and _numbers_fit(stats.wounds - one.damage, None, group.wounds_left)
        and one.damage >= (group.damaged or 0)
        and not (group.unhurt and one.damage)
        and (not group.half_wounds or 2 * one.damage >= stats.wounds)
        and (not group.fresh or one.is_fresh)
        and (not group.activated or one.has_activated)
        and (group.cost is None or one.points <= group.cost)
    )


def _has_marks(one: Combatant, group: Group) -> bool:
    marks, choice = one.card.marks, group.any_runemarks
    return marks.issuperset(group.runemarks) and not (choice and marks.isdisjoint(choice))


def _numbers_fit(number: int, least: int | None, most: int | None) -> bool:
    return (least is None or number >= least) and (most is None or number <= most)


def is_decided(group: Group) -> bool:
    """Return whether the tracker knows who belongs to a group."""
    return given(group).keys() <= KNOWN


def question(group: Group) -> str:
    """Return what to ask for: 'pick a visible enemy within 6"', or 'pick up to 2 visible enemies within 6"'."""
    return f"pick {pick_phrase(group)}"


def known_state(table: Table, who: Combatant, condition: Condition) -> bool | None:
    """Return whether a condition holds, or None if the players have to say."""
    answers = [_known(table, who, key, getattr(condition, key)) for key in given(condition) if key not in DETAILS]
    if condition.enemies > 1:
        answers.append(None)
    return False if False in answers else None if None in answers else True


def is_ruled_out(table: Table, who: Combatant, changes: Iterable[Change]) -> bool:
    """Return whether a fighter is known not to be allowed to use a rule with these changes now."""
    return any(
        (needs and known_state(table, who, needs) is False) or (forbids and known_state(table, who, forbids))
        for needs, forbids in ((change.only_if, change.not_if) for change in changes)
    )


def _known(table: Table, who: Combatant, key: str, value: Any) -> bool | None:
    """Return whether one thing is true of a fighter, as far as the tracker knows."""
    if key == "rounds":
        return table.round in value
    if key == "took_down":
        return False if value != "any" and not any(fall.attacker is who for fall in table.notes.falls) else None
    inches = value if isinstance(value, int) else 0
    enemies = table.enemies(who)
    facts: Mapping[str, bool | None] = {
        "damaged": who.damage >= inches,
        "unhurt": who.damage == 0,
        "wounds_left": who.stats.wounds - who.damage <= inches,
        "fresh": who.is_fresh,
        "activated": who.has_activated,
        "runemarks": isinstance(value, tuple) and not who.card.marks.isdisjoint(value),
        "half_wounds": 2 * who.damage >= who.stats.wounds,
        "half_down": table.is_half_down(who.side),
        "present": bool(table.standing(who.side)),
        "enemy_within": _any_within(table, who, enemies, inches),
        "no_enemy_within": _negate(_any_within(table, who, enemies, inches)),
        "no_friend_within": _negate(_any_within(table, who, table.friends(who), inches)),
        "standing": not who.is_down,
        "down": who.is_down,
        "moved": who.has_moved,
        "still": not who.has_moved,
    }
    return facts.get(key)


def _any_within(table: Table, who: Combatant, others: Iterable[Combatant], inches: int) -> bool | None:
    answers = [table.distances.is_within(who, other, inches) for other in others]
    return True if True in answers else None if None in answers else False


def _negate(answer: bool | None) -> bool | None:
    return None if answer is None else not answer


def condition_holds(
    table: Table, who: Combatant, condition: Condition, one: Combatant | None = None
) -> Procedure[bool]:
    """Return whether a condition holds for a fighter; ask for what the tracker does not know.

    The fighter is the one that uses the rule, or `one`.
    """
    about = one or who
    known = known_state(table, about, condition) if condition.of != "leader" else None
    if known is None:
        own = condition.model_copy(update={"of": "self"}) if condition.of != "leader" else condition
        known = yield from confirm("condition", table.side_of(who).name, condition_phrase(own, about.name))
    return known

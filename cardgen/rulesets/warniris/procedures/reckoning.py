"""Numbers with everything that changes them, each change with its reason."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

from cardgen.referee.requests import Reason, Test
from cardgen.rulesets.warniris.procedures.bearing import Moment, borne
from cardgen.rulesets.warniris.procedures.blow import Blow, weapons
from cardgen.rulesets.warniris.procedures.state import State
from cardgen.rulesets.warniris.procedures.table import Table
from cardgen.rulesets.warniris.profile import Profile

T = TypeVar("T")

LEAST, MOST = 1, 5
GAP = -1

_BEFORE_HIT = frozenset({"attacking"})
_AFTER_HIT = frozenset({"attacking", "hit"})
_DAMAGING = frozenset({"attacking", "hit", "damaging"})
_ATTACKED = frozenset({"attacked"})
_REACTING = frozenset({"reacting"})


def weapon(table: Table, state: State, blow: Blow) -> Profile:
    """The weapon or power of an attack."""
    return weapons(table, state, blow.attacker)[blow.weapon]


def hit_moment(blow: Blow) -> Moment:
    """The moment of the test to hit."""
    return Moment(_BEFORE_HIT | _REACTING if blow.reaction else _BEFORE_HIT, _ATTACKED, blow)


def resist_moment(blow: Blow) -> Moment:
    """The moment of the test to resist."""
    return Moment(_AFTER_HIT | _REACTING if blow.reaction else _AFTER_HIT, _ATTACKED, blow)


def timing_moment(table: Table, blow: Blow) -> Moment:
    """The moment of the timing test: what hinders an attack counts only by the ruling `reaction-cloak`."""
    hindered = table.rulings["reaction-cloak"] == "hindered"
    return Moment(_REACTING, _ATTACKED if hindered else frozenset(), blow)


def changes(table: Table, state: State, who: int, name: str, moment: Moment) -> list[Reason]:
    """What changes a number of somebody now."""
    found = ((each.power.name, getattr(each.deeds, name)) for each in borne(table, state, who, moment))
    return [Reason(what, change) for what, change in found if change]


def total(base: int, reasons: Iterable[Reason]) -> int:
    """A number after its changes, never under 0."""
    return max(0, base + sum(reason.change for reason in reasons))


def hold(value: int) -> int:
    """Within 1 and 5 (section 1: Mind, Body, Spirit)."""
    return min(max(value, LEAST), MOST)


def test(
    table: Table,
    key: str,
    who: int,
    what: str,
    name: str,
    reasons: list[Reason],
    penetration: list[Reason] | None = None,
) -> Test:
    """A test of an attribute with all its changes (section 4; ruling `clamp-order`).

    `reasons` change the attribute, `penetration` says what comes off it after them.
    """
    fighter = table.fighters[who]
    base = getattr(fighter.card.stats, name)
    order = table.rulings["clamp-order"]
    plain = base + sum(reason.change for reason in reasons)
    early = hold(plain) if order != "once" else plain
    pierced = early + sum(reason.change for reason in penetration or ())
    need = pierced if order == "before" else hold(pierced)
    told = [*reasons, *_held(early - plain), *(penetration or ()), *_held(need - pierced)]
    return Test(key, fighter.name, what, need, f"{name.capitalize()} {base}", tuple(told))


def _held(change: int) -> list[Reason]:
    return [Reason(f"held within {LEAST} and {MOST}", change)] if change else []


def hit_attribute(profile: Profile) -> str:
    """Mind for a weapon, Spirit for a power (section 4: Attack, Channel)."""
    return "spirit" if profile.type == "P" else "mind"


def resist_attribute(profile: Profile) -> str:
    """Body against a weapon, Spirit against a power."""
    return "spirit" if profile.type == "P" else "body"


def hit_test(table: Table, state: State, blow: Blow, key: str = "hit") -> Test:
    """The test to hit, or with another key that for a miniature in between (section 4; ruling `interference-cover`)."""

    def reckon() -> Test:
        name = hit_attribute(weapon(table, state, blow))
        reasons = changes(table, state, blow.attacker, name, hit_moment(blow))
        what = "to hit" if key == "hit" else "past a miniature in between"
        return test(table, key, blow.attacker, what, name, [*reasons, *gap(blow)])

    return remembered(table, state, (key, blow), reckon)


def gap(blow: Blow) -> list[Reason]:
    """The penalty for shooting through a gap (section 4: Cover)."""
    return [Reason("gap", GAP)] if blow.gap else []


def resist_test(table: Table, state: State, blow: Blow) -> Test:
    """The test of the target to resist (section 4: Attack, Channel)."""

    def reckon() -> Test:
        profile, moment = weapon(table, state, blow), resist_moment(blow)
        name = resist_attribute(profile)
        reasons = changes(table, state, blow.target, name, moment)
        weaker = changes(table, state, blow.attacker, "penetration", moment)
        pierce = total(profile.penetration, weaker)
        penetration = [Reason("Penetration", -pierce)] if pierce else []
        return test(table, "resist", blow.target, "to resist", name, reasons, penetration)

    return remembered(table, state, ("resist", blow), reckon)


def timing_test(table: Table, state: State, blow: Blow) -> Test:
    """The test to time a reaction (section 6: Reaction; rulings `reaction-test` and `reaction-cloak`)."""

    def reckon() -> Test:
        name = hit_attribute(weapon(table, state, blow))
        reasons = changes(table, state, blow.attacker, name, timing_moment(table, blow))
        hindrance = gap(blow) if table.rulings["reaction-cloak"] == "hindered" else []
        return test(table, "timing", blow.attacker, "to time the Reaction", name, [*reasons, *hindrance])

    return remembered(table, state, ("timing", blow), reckon)


def body_test(table: Table, state: State, who: int, key: str) -> Test:
    """The test to move through an enemy (section 6: Move)."""
    reasons = changes(table, state, who, "body", Moment(frozenset({"moving"})))
    return test(table, key, who, "to Move through an enemy", "body", reasons)


def damage(table: Table, state: State, blow: Blow) -> int:
    """The points that an unresisted attack deals; a reaction deals 1 at most (section 6: Reaction)."""

    def reckon() -> int:
        profile = weapon(table, state, blow)
        moment = Moment(_DAMAGING, _ATTACKED, blow)
        points = total(profile.damage, changes(table, state, blow.attacker, "damage", moment))
        return min(points, 1) if blow.reaction else points

    return remembered(table, state, ("damage", blow), reckon)


def reach(table: Table, state: State, blow: Blow) -> int:
    """The Range of an attack in cm, with everything that changes it."""
    profile = weapon(table, state, blow)
    return total(profile.range, changes(table, state, blow.attacker, "range", hit_moment(blow)))


def movement(table: Table, state: State, who: int) -> int:
    """How many cm a miniature may go in one Move."""
    base = table.fighters[who].card.stats.movement
    return total(base, changes(table, state, who, "movement", Moment(frozenset({"moving"}))))


def remembered(table: Table, state: State, key: tuple[object, ...], reckon: Callable[[], T]) -> T:
    """What was reckoned before for this mode; wounds count as far as effects look at them."""
    if table.asked:
        return reckon()
    known = (key, state.mode, table.condition(state) if table.thresholds else table.upright(state))
    found: T | None = table.memory.get(known)
    if found is None:
        found = table.memory[known] = reckon()
    return found

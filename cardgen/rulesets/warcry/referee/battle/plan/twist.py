"""Twists of battleplans, which help the player with fewer victory points."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from cardgen.game import Log, Procedure, choose, choose_one
from cardgen.rulesets.warcry.changes import Change
from cardgen.rulesets.warcry.referee.battle.actions.words import note_effects, plain_text
from cardgen.rulesets.warcry.referee.battle.combatant import Combatant, Effect
from cardgen.rulesets.warcry.referee.battle.plan.control import HALVES, QUARTERS, remove_place
from cardgen.rulesets.warcry.referee.battle.questions import NOBODY
from cardgen.rulesets.warcry.referee.battle.table import Side, Table

EXHAUSTION = 2
LEAST_TO_LOOT = 4
NONE = "none"
EXTRA_OBJECTIVE = "the extra objective"
MORE_WILD_DICE = "more-wild-dice"
Twist = Callable[[Table, Side], Procedure[None]]


def extra_wild_dice(table: Table) -> tuple[int, int]:
    """Return the wild dice that Pulsing Power gives for one initiative phase."""
    behind = table.behind
    if table.plan.twist.rule != MORE_WILD_DICE or behind is None:
        return 0, 0
    gap = abs(table.sides[0].vp - table.sides[1].vp)
    return (gap, 0) if behind.index == 0 else (0, gap)


def play_twist(table: Table) -> Procedure[None]:
    """Play the twist after an initiative phase, and a secondary rule that works like one.

    Without a player behind, only Nothing Left Worth Looting does anything.
    """
    for section in (table.plan.secondary, table.plan.twist):
        twist = TWISTS.get(section.rule or "")
        if twist and table.behind:
            yield Log("{} is behind: {}", (table.behind.name, section.name or "twist"))
            yield from twist(table, table.behind)
        elif section.rule == "remove-two-objectives":
            yield from _loot_own(table)
    twist_card = table.plan.twist
    if table.behind and twist_card.rule not in (*TWISTS, MORE_WILD_DICE):
        name = twist_card.name or "twist"
        yield Log("{} is behind: {}: {}", (table.behind.name, name, plain_text(twist_card.text or "")))
        yield from note_effects(table, table.behind, name)


def _pick(table: Table, side: Side, what: str, places: list[str], *, may_refuse: bool = False) -> Procedure[str]:
    """Ask for a place; return '' if there is none."""
    options = {NONE: ""} if may_refuse or not places else {}
    return (yield from choose("twist", side.name, what, {**options, **{place: place for place in places}}))


def _pick_enemy(table: Table, side: Side, what: str) -> Procedure[Combatant | None]:
    """Ask for an enemy that is not taken down; it may be in reserve, and arrive in this battle round."""
    enemies = [each for each in table.combatants if each.side != side.index and not each.is_down]
    return (yield from choose_one("twist", side.name, what, enemies))


def _prize(table: Table, side: Side) -> Procedure[None]:
    table.notes.prize = yield from _pick(table, side, "objective worth 1 more victory point", table.places)


def _remove(table: Table, side: Side) -> Procedure[None]:
    place = yield from _pick(table, side, "objective to remove", table.places, may_refuse=True)
    if place:
        yield from remove_place(table, place)


def _strengthen(table: Table, side: Side) -> Procedure[None]:
    place = yield from _pick(table, side, "objective near which attacks have +1 Strength", table.places)
    table.notes.strength = (place, side.index)


def _ignore(table: Table, side: Side) -> Procedure[None]:
    table.notes.ignored_place = yield from _pick(table, side, "objective that does not count", table.places)


def _loot(table: Table, side: Side) -> Procedure[None]:
    """Remove any objective and one that the opponent controls."""
    if len(table.places) < LEAST_TO_LOOT:
        return
    first = yield from _pick(table, side, "objective to remove", table.places)
    yield from remove_place(table, first)
    rival = [place for place in table.places if table.control.get(place) == 1 - side.index]
    if rival:
        second = yield from _pick(table, side, "objective of the opponent to remove", rival)
        yield from remove_place(table, second)


def _loot_own(table: Table) -> Procedure[None]:
    """With equal victory points, each player removes an objective that they control."""
    if len(table.places) < LEAST_TO_LOOT:
        return
    for side in table.sides:
        if own := [place for place in table.places if table.control.get(place) == side.index]:
            place = yield from _pick(table, side, "objective to remove", own)
            yield from remove_place(table, place)


def _ignore_fighters(table: Table, side: Side) -> Procedure[None]:
    """Pick a friend that does not count as taken down, an enemy that controls nothing, or both.

    The ruling `grim-resolve` says whether the friend has to be on the battlefield.
    """
    is_any = table.rulings["grim-resolve"] == "any"
    friends = [each for each in table.combatants if each.side == side.index and (is_any or each.stands)]
    table.notes.ignored_fighter = yield from choose_one(
        "twist", side.name, "friend that does not count for the primary victory condition", friends, NOBODY
    )
    if table.notes.extra_objective or table.places:
        enemies = table.standing(1 - side.index)
        table.notes.barred = yield from choose_one(
            "twist", side.name, "enemy that cannot control objectives", enemies, NOBODY
        )


def _exhaust(table: Table, side: Side) -> Procedure[None]:
    who = yield from _pick_enemy(table, side, "enemy that is exhausted")
    table.notes.exhausted = who
    if who:
        who.effects.append(Effect((Change(toughness=-EXHAUSTION),), "round"))


def _silence(table: Table, side: Side) -> Procedure[None]:
    table.notes.silenced = yield from _pick_enemy(table, side, "enemy that cannot use abilities")


def _ignore_quarter(table: Table, side: Side) -> Procedure[None]:
    table.notes.ignored_place = yield from _pick(table, side, "table quarter that does not count", [*QUARTERS])


def _halve(table: Table, side: Side) -> Procedure[None]:
    half = yield from _pick(table, side, "half in which only half of the opponent's fighters count", [*HALVES])
    table.notes.halved = (half, 1 - side.index)


def _place_objective(table: Table, side: Side) -> Procedure[None]:
    table.notes.extra_objective = EXTRA_OBJECTIVE
    yield Log("{} places an objective", (side.name,))


def _activate_objective(table: Table, side: Side) -> Procedure[None]:
    inactive = [place for place in table.places if place not in table.active]
    place = yield from _pick(table, side, "objective that becomes active", inactive)
    if place:
        table.active.append(place)


TWISTS: Mapping[str, Twist] = MappingProxyType({
    "prize-objective": _prize,
    "remove-objective": _remove,
    "strength-near-objective": _strengthen,
    "ignore-objective": _ignore,
    "remove-two-objectives": _loot,
    "ignore-fighters": _ignore_fighters,
    "exhaust-enemy": _exhaust,
    "silence-enemy": _silence,
    "ruin-place-of-power": _remove,
    "ignore-quarter": _ignore_quarter,
    "halve-half": _halve,
    "extra-objective": _place_objective,
    "active-objectives": _activate_objective,
})  # fmt: skip

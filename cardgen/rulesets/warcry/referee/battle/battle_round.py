"""A battle round: initiative phase, reserve phase, combat phase, and its end."""

from __future__ import annotations

from cardgen.game import Log, Procedure, RulesConfig, choose, in_scope, quantity
from cardgen.rulesets.warcry.referee.battle.actions.activation import activate, openings
from cardgen.rulesets.warcry.referee.battle.actions.words import note_effects, plain_words
from cardgen.rulesets.warcry.referee.battle.combatant import Combatant
from cardgen.rulesets.warcry.referee.battle.plan.control import determine_control
from cardgen.rulesets.warcry.referee.battle.plan.twist import extra_wild_dice, play_twist
from cardgen.rulesets.warcry.referee.battle.plan.victory import score_round
from cardgen.rulesets.warcry.referee.battle.table import RoundNotes, Side, Table
from cardgen.rulesets.warcry.referee.initiative_phase import INITIATIVE_DICE, Players, roll_initiative

LEAVE_WAITING = "nobody; those who wait do not activate again"


def play_round(table: Table, config: RulesConfig) -> Procedure[None]:
    """Play the next battle round."""
    table.round += 1
    table.notes = RoundNotes(held_before=dict(table.control))
    for each in table.combatants:
        each.begin_round()
    for side in table.sides:
        side.begin_round()
    for side in table.sides if table.round > 1 else ():
        yield Log("{}", (_side_line(table, side),))
    yield from in_scope("initiative", _initiative_phase(table, config))
    yield from in_scope("twist", play_twist(table))
    yield from _arrive(table)
    yield from _combat_phase(table)
    yield from in_scope("end", _end_round(table))


def _side_line(table: Table, side: Side) -> str:
    """Return the standing of a side: 'The Ember Choir, 3 VP: Ash Dancer (0/12), Coal Whelp 1 down'."""
    people = (each for each in table.combatants if each.side == side.index)
    words = [f"{each.name} down" if each.is_down else str(each) for each in people]
    return f"{side.name}, {side.vp} VP: {', '.join(words)}"


def _announce_extra_dice(table: Table) -> Procedure[tuple[int, int]]:
    """Return the additional wild dice of each side, and say why the side that is behind gets them."""
    extra = extra_wild_dice(table)
    if table.behind and (count := max(extra)):
        dice = f"{quantity(count, 'more wild die', 'more wild dice')} for this initiative phase"
        yield Log("{} is behind: {}: {}", (table.behind.name, table.plan.twist.name or "twist", dice))
    return extra


def _initiative_phase(table: Table, config: RulesConfig) -> Procedure[None]:
    """Roll the initiative; sets are the ability dice, and wild dice that are left are saved."""
    extra = yield from _announce_extra_dice(table)
    base = tuple(side.wild + 1 for side in table.sides)
    one, other = ({change.initiative for change in side.changes} for side in table.sides)
    players = Players(
        (table.sides[0].name, table.sides[1].name),
        (INITIATIVE_DICE, INITIATIVE_DICE),
        (base[0] + extra[0], base[1] + extra[1]),
        ("reroll-ones" in one, "reroll-ones" in other),
        ("ties" in one, "ties" in other),
        config.policy["wild"],
    )
    order = yield from roll_initiative(players)
    table.initiative = order.first
    for side, hand, most in zip(table.sides, order.hands, base, strict=True):
        side.sets, side.wild = [*hand.sets], min(hand.wild, most)
        yield Log("{}: {}", (side.name, hand._replace(wild=side.wild).dice))


def _arrive(table: Table) -> Procedure[None]:
    """Set up the fighters whose battle round of arrival has come."""
    for each in table.combatants:
        if each.is_in_reserve and each.arrival <= table.round:
            each.is_in_reserve = False
            yield Log("{} arrives", (each.name,))


def _combat_phase(table: Table) -> Procedure[None]:
    """Activate fighters in turns until nobody is left.

    Whoever has the initiative picks who activates first; a side that has activated all of its fighters passes.
    """
    side = yield from _pick_first(table)
    passed = [False, False]
    while not all(passed[each] or not _ready(table, each) for each in (0, 1)):
        if _ready(table, side) and not passed[side]:
            who, opening = yield from _pick_fighter(table, side)
            passed[side] = who is None
            while who is not None and who.can_activate:
                who = yield from in_scope(who.name, activate(table, who, opening))
                opening = ""
        side = 1 - side


def _ready(table: Table, side: int) -> list[Combatant]:
    return [each for each in table.standing(side) if each.can_activate]


def _pick_first(table: Table) -> Procedure[int]:
    options = [side for side in (table.initiative, 1 - table.initiative) if _ready(table, side)]
    if len(options) < 2:
        return table.initiative
    who = table.sides[table.initiative].name
    return (yield from choose("first", who, "who activates first", {table.sides[each].name: each for each in options}))


def _pick_fighter(table: Table, side: int) -> Procedure[tuple[Combatant | None, str]]:
    """Ask which of several fighters activates, and perhaps its first step too.

    Those who wait may be left waiting once nobody else is left.
    """
    ready = _ready(table, side)
    if len(ready) == 1 and not ready[0].is_waiting:
        yield Log("{} activates", (ready[0].name,))
        return ready[0], ""
    options: dict[str, tuple[Combatant | None, str]] = {str(each): (each, "") for each in ready}
    if all(each.is_waiting for each in ready):
        options[LEAVE_WAITING] = (None, "")
    options |= {f"{opening}: {each}": (each, opening) for each in ready for opening in openings(table, each)}
    return (yield from choose("activate", table.sides[side].name, "which fighter activates", options))


def _show_traits(table: Table) -> Procedure[None]:
    """Show the battle traits that only the players can apply, so that nobody needs the cards for them."""
    for side in table.sides:
        for rule in side.words:
            yield Log("{}: {}", (rule.name, plain_words(rule)))


def _end_round(table: Table) -> Procedure[None]:
    """Score the battle round, and end what lasts until then."""
    if words := [rule.name for side in table.sides for rule in side.words]:
        yield from _show_traits(table)
        yield from note_effects(table, table.sides[table.initiative], "' and '".join(words))
    yield from determine_control(table)
    yield from score_round(table)
    for each in table.combatants:
        each.end_effects("round")
    for side in table.sides:
        side.sets = []

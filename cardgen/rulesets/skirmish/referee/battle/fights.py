"""The Close Combat phase: combats, All Alone, and what follows from them."""

from __future__ import annotations

from cardgen.game import Procedure, choose, combats, confirm, in_scope
from cardgen.rulesets.skirmish.referee.aim import Fighter
from cardgen.rulesets.skirmish.referee.battle.harm import fighter_of, leave_fight, opponents_of, take_harm
from cardgen.rulesets.skirmish.referee.battle.table import ALONE, Model, Table
from cardgen.rulesets.skirmish.referee.combat import CombatEnd, fight_round
from cardgen.rulesets.skirmish.referee.morale import LEADER_REACH, alone_test, count_opponents


def combat_phase(table: Table) -> Procedure[None]:
    """Fight all combats, and then test those who are alone."""
    for number, combat in enumerate(combats(table.models), 1):
        yield from in_scope(f"combat {number}", fight(table, combat))
    for side in (0, 1):
        if side == table.side or table.says("alone-phase", "every"):
            for each in table.of(side, lambda each: each.is_fit and len(each.contacts) > 1):
                yield from _stand_alone(table, each)


def fight(table: Table, combat: list[Model]) -> Procedure[None]:
    """Fight one round of a combat, and give all models their health; those who fled from others have left it."""
    combat = [each for each in combat if each.contacts]
    if not combat:
        return
    for each in combat:
        yield from _choose_weapon(table, each)
    fighters, healths = tuple(_in_combat(table, each, combat) for each in combat), tuple(each.health for each in combat)
    end: CombatEnd = yield from fight_round(fighters, healths, table.rules, combat[0].led_by)
    led_by = -1 if end.wounds[0] == end.wounds[1] else int(end.wounds[1] > end.wounds[0])
    for each, may_crit in zip(combat, end.may_crit, strict=True):
        each.rounds, each.led_by = each.rounds + 1, led_by
        each.acts |= set() if may_crit else {"critical"}
    # All have their health before anybody tests for panic, so that nobody who has fallen strikes at those who flee.
    for each, health in zip(combat, end.healths, strict=True):
        each.health = health
    for each, was, health in zip(combat, healths, end.healths, strict=True):
        # A parting blow since then has had its own consequences.
        if each.health == health:
            yield from take_harm(table, each, health, was=was)


def _in_combat(table: Table, who: Model, combat: list[Model]) -> Fighter:
    """Return a model as a fighter in a combat, with what it has done in this turn."""
    return fighter_of(who)._replace(
        charges=who.has_acted("charged"),
        stood_up=who.has_acted("rose") and (who.side == table.side or table.says("stand-up", "next-turn")),
        dives=who.has_acted("dives"),
        is_afraid=who.has_acted("afraid"),
        is_stupid=who.has_acted("stupid"),
        is_defended=who.is_defended,
        reach=tuple(place for place, each in enumerate(combat) if each in who.contacts),
    )


def _choose_weapon(table: Table, who: Model) -> Procedure[None]:
    """Choose a weapon at the start of a combat; it is kept while the combat lasts."""
    weapons = {each.name: each.name for each in who.warrior.melee_weapons}
    if not who.rounds or who.weapon not in weapons:
        who.weapon = yield from choose("weapon", table.sides[who.side], f"weapon of {who.name}", weapons)


def _stand_alone(table: Table, who: Model) -> Procedure[None]:
    """Take the All Alone test of a model without fit friends near it or in its combat."""
    one, health, opponents = opponents_of(who)
    has_help = any(friend.is_fit for enemy in who.contacts for friend in enemy.contacts - {who})
    if has_help or count_opponents(opponents, table.rules) < 2:
        return
    what = f'a friend of {who.name} is within {LEADER_REACH}"'
    friends = table.of(who.side, lambda each: each.is_fit and each is not who)
    if friends and (yield from confirm("friend", table.sides[who.side], what)):
        return
    end = yield from alone_test(one, health, opponents, who.warrior.ld, table.rules)
    if end:
        yield from leave_fight(table, who, end, ALONE)

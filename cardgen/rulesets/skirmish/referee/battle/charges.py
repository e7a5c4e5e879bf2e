"""Charges: targets, reactions, interception, and contact."""

from __future__ import annotations

from functools import partial

from cardgen.game import Log, Procedure, choose, choose_in_turn, choose_one, confirm, select
from cardgen.rulesets.skirmish.referee.battle.harm import measure_height, run_away, take_harm
from cardgen.rulesets.skirmish.referee.battle.missiles import shoot
from cardgen.rulesets.skirmish.referee.battle.recovery import can_be_terrified, terror_test
from cardgen.rulesets.skirmish.referee.battle.table import Model, Table
from cardgen.rulesets.skirmish.referee.charts import initiative_test
from cardgen.rulesets.skirmish.referee.heights import FALLS, HIGHEST_JUMP, Attempt, jump
from cardgen.rulesets.skirmish.referee.warrior import OUT

STRAIGHT, UNSEEN, DIVE = "in a straight line", 'at an enemy out of sight within 4"', "from above, as a diving charge"
ACROSS = "across a low obstacle that the enemy defends"
HOLD, SHOOT, FLEE = "holds", "stands and shoots", "flees"
INTERCEPTION = 2
# What keeps a model from charging.
NO_CHARGE = ("rose", "rallied", "resting", "stupid", "fled", "charged", "failed", "no-charge")


def charge_phase(table: Table) -> Procedure[None]:
    """Declare and move all charges of a side."""
    ready = partial(table.of, table.side, lambda each: each.is_free and not each.has_acted(*NO_CHARGE))
    for each in filter(lambda each: each.is_frenzied, ready()):
        yield Log("{} is frenzied, and must charge an enemy in reach", (each.name,))
    yield from choose_in_turn("charge", table.sides[table.side], "who charges", ready, partial(charge, table))


def charge(table: Table, who: Model) -> Procedure[None]:
    """Play a charge from its declaration to contact."""
    side = table.sides[who.side]
    target = yield from choose_one("target", side, f"{who.name} charges", table.enemies(who), "nobody, after all")
    if target is None:
        who.acts.add("no-charge")
        return
    if target.is_hidden and not (yield from confirm("found", side, _found(who, target))):
        return
    who.acts.add("charged")
    who.is_hidden, was_hidden, target.is_hidden = False, target.is_hidden, False
    ways = (STRAIGHT, UNSEEN, ACROSS, *([DIVE] if table.has_heights else []))
    way = yield from choose("way", side, f"how {who.name} charges", {each: each for each in ways})
    if not (yield from _can_begin(table, who, target, way)):
        return
    yield from _react(table, who, target, was_hidden=was_hidden)
    if not who.is_fit:
        return
    blockers = yield from _intercept(table, who, target, way)
    if target.flight and not blockers:
        yield from _catch(table, who, target)
        return
    enemies = blockers or [target]
    if not (yield from confirm("reach", side, f"{who.name} reaches {enemies[0].name}")):
        who.acts |= {"failed", "moved"}
        yield Log("{} falls short and moves its Movement", (who.name,))
        return
    others = [each for each in table.enemies(who) if each not in (target, *blockers) and not each.is_hidden]
    enemies += yield from select("also", side, f"other enemies that {who.name} touches", others)
    for each in (who, *enemies):
        each.is_defended = bool(each.is_defended and each.contacts)
    target.is_defended |= way == ACROSS and not blockers
    for enemy in enemies:
        who.touch(enemy)
        yield from _fear_charger(table, who, enemy)


def _can_begin(table: Table, who: Model, target: Model, way: str) -> Procedure[bool]:
    """Take the tests before a charge; a model that fails one does not charge."""
    if way == UNSEEN and not (yield from initiative_test(who.name, who.warrior.i, f"find {target.name}")):
        who.acts ^= {"charged", "no-charge", "walks"}
        return False
    if target.has_rule("terror") and can_be_terrified(who):
        if not (yield from terror_test(table, who)):
            return False
    elif _fears(who, target) and not (yield from table.test_courage(who, f"fear of {target.name}")):
        who.acts |= {"failed", "done"}
        return False
    if way == DIVE:
        height = yield from measure_height(table, who.name, "height of the jump", 1, HIGHEST_JUMP)
        landing = yield from jump(who.warrior, who.health, Attempt(height), table.rules, table.sides[1 - who.side])
        who.acts |= {"fell", "failed", "done"} if landing.words == FALLS else {"dives"}
        yield from take_harm(table, who, landing.health, can_slip=False)
        return landing.words != FALLS
    return True


def _found(who: Model, target: Model) -> str:
    return f'{target.name}, which hides, is within {who.warrior.i}" of {who.name}'


def _fears(who: Model, enemy: Model) -> bool:
    return enemy.has_rule("fear", "terror") and not (who.ignores_fear or who.has_rule("fear", "terror"))


def _react(table: Table, who: Model, target: Model, *, was_hidden: bool) -> Procedure[None]:
    """Let the target of a charge hold, shoot, or flee."""
    if not target.is_free:
        return
    can_shoot = target.warrior.missile_weapons and not (was_hidden and table.says("reactions", "hold"))
    able = (True, bool(can_shoot), not target.ignores_fear)
    words = (HOLD, f'{SHOOT}, if {who.name} is more than {who.profile.move}" away', FLEE)
    choices = zip(words, (HOLD, SHOOT, FLEE), able, strict=True)
    reactions = {label: reaction for label, reaction, is_able in choices if is_able}
    what = f"{target.name}, charged by {who.name}"
    reaction = yield from choose("reaction", table.sides[target.side], what, reactions)
    if reaction == SHOOT:
        yield from shoot(table, target, who, is_charging=True)
    elif reaction == FLEE:
        yield from run_away(table, target)
        target.acts.add("reacted")


def _intercept(table: Table, who: Model, target: Model, way: str) -> Procedure[list[Model]]:
    """Ask which enemies step into the way of a charge."""
    able = [each for each in table.enemies(who) if each.is_free and each is not target and not each.is_hidden]
    if way == DIVE and table.says("dive", "air"):
        return []
    side, what = table.sides[target.side], f'within {INTERCEPTION}" of the way of {who.name}'
    if table.says("interception", "all"):
        return (yield from select("interception", side, f"everyone {what}", able))
    blocker = yield from choose_one("interception", side, f"who intercepts, {what}", able, "nobody")
    return [blocker] if blocker else []


def _catch(table: Table, who: Model, target: Model) -> Procedure[None]:
    """Charge a fleeing model, which runs on before any blow."""
    if not target.is_present or target.has_acted("reacted"):
        who.acts |= {"failed", "moved"}
        return
    yield from run_away(table, target, target.flight, 2)
    if not target.is_present or table.says("caught", "runs"):
        return
    if (yield from confirm("caught", table.sides[who.side], f"the charge of {who.name} reaches {target.name}")):
        yield from take_harm(table, target, target.health._replace(state=OUT))


def _fear_charger(table: Table, who: Model, enemy: Model) -> Procedure[None]:
    """Let an enemy that is charged test for terror or fear; one that fails flees, or hits only on 6s."""
    if enemy.is_fit and who.has_rule("terror") and can_be_terrified(enemy):
        yield from terror_test(table, enemy)
    elif enemy.is_fit and _fears(enemy, who) and not (yield from table.test_courage(enemy, f"fear of {who.name}")):
        if enemy.profile.unit_strength < who.profile.unit_strength:
            yield from run_away(table, enemy)
        enemy.acts.add("afraid")

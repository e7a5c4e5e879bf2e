"""Bonus actions that a rule gives in a battle."""

from __future__ import annotations

from cardgen.game import Log, Procedure, choose, confirm
from cardgen.rulesets.warcry.changes import Change
from cardgen.rulesets.warcry.referee.activation_trials import RECKONING
from cardgen.rulesets.warcry.referee.amounts import roll_amount
from cardgen.rulesets.warcry.referee.battle.actions.attack_action import AttackOption, attack_options, make_attack
from cardgen.rulesets.warcry.referee.battle.actions.performance import Performance
from cardgen.rulesets.warcry.referee.battle.actions.reaction import disengage
from cardgen.rulesets.warcry.referee.battle.combatant import Combatant

ACTIONS = {"bonus_move": "bonus move", "bonus_attack": "bonus attack", "bonus_disengage": "bonus disengage"}
NO_ACTION = "no bonus action"


def has_bonus(change: Change) -> bool:
    """Return whether a change gives a bonus action."""
    return any(getattr(change, key) for key in ACTIONS)


def take_bonus_actions(use: Performance, change: Change, refusals: set[Combatant]) -> Procedure[None]:
    """Let the fighters that a change is for take their bonus actions, or one of them."""
    times = yield from use.times_for(change)
    for who in times:
        if not who.stands or "bonus" in who.bans:
            continue
        keys = [key for key in ACTIONS if getattr(change, key)]
        if change.either:
            options: dict[str, list[str]] = {ACTIONS[key]: [key] for key in keys}
            keys = yield from choose(
                "bonus action", use.table.side_of(who).name, "bonus action", {**options, NO_ACTION: []}
            )
        for key in keys * (2 if change.twice else 1):
            yield from _TAKE[key](use, who, change, refusals)


def _move(use: Performance, who: Combatant, change: Change, refusals: set[Combatant]) -> Procedure[None]:
    """Make a bonus move, which few rules allow within 1 inch of an enemy."""
    is_held = use.table.is_beside_enemy(who) and not change.engaged
    if is_held or change.bonus_move is None or "move" in who.bans:
        return
    far = who.stats.move if change.bonus_move == "move" else change.bonus_move
    inches = yield from roll_amount(sum(use.faces) if far == "rolled" else far, who.name, use.value)
    closer = ", which must end closer to the closest visible enemy" if change.closer else ""
    yield Log("{} may make a bonus move of up to {} inches{}", (who.name, inches, closer))
    use.table.distances.move(who, inches)
    who.end_effects("move")
    who.has_moved = True


def _attack(use: Performance, who: Combatant, change: Change, refusals: set[Combatant]) -> Procedure[None]:
    """Make a bonus attack; that of Reckoning needs an enemy within 1 inch, which need not be its target."""
    if use.name.casefold() == RECKONING and not use.table.may_be_beside_enemy(who):
        return
    options = [each for each in attack_options(use.table, who) if _is_of_type(each, change.bonus_attack)]
    if change.against:
        others = [use.other] if use.other else []
        targets = others if change.against == "attacker" else use.picked or others
        options = [each for each in options if each.target in targets]
    labels: dict[str, AttackOption | None] = {"none": None, **{str(each): each for each in options}}
    option = yield from choose("bonus attack", use.table.side_of(who).name, "bonus attack", labels)
    if option:
        silent = {*use.table.combatants} if change.unanswered else refusals
        yield from make_attack(use.table, who, option, silent, has_more=True)


def _is_of_type(option: AttackOption, attack_type: bool | str) -> bool:
    return attack_type is True or (attack_type == "melee") == option.weapon.melee


def _disengage(use: Performance, who: Combatant, change: Change, refusals: set[Combatant]) -> Procedure[None]:
    """Disengage, which enemies may answer as they do any other disengage action."""
    table = use.table
    side = table.side_of(who).name
    if (
        "disengage" not in who.bans
        and table.may_be_beside_enemy(who)
        and (yield from confirm("disengage", side, f"{who.name} makes a bonus disengage action"))
    ):
        yield from disengage(table, who, is_answered=not change.unanswered)


_TAKE = {"bonus_move": _move, "bonus_attack": _attack, "bonus_disengage": _disengage}

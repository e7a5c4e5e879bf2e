"""An activation in a battle: up to two actions, and an ability before or after any of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

from cardgen.game import Log, Procedure, choose, quantity
from cardgen.rulesets.warcry.referee.activation import ACTIONS, DISENGAGE_MOVE
from cardgen.rulesets.warcry.referee.battle.actions.attack_action import (
    AbilityOption,
    AbilityUse,
    AttackOption,
    ability_options,
    attack_options,
    can_reach,
    make_attack,
    sure_options,
    use_ability,
)
from cardgen.rulesets.warcry.referee.battle.actions.performance import note_event
from cardgen.rulesets.warcry.referee.battle.actions.reaction import allows, disengage
from cardgen.rulesets.warcry.referee.battle.combatant import Combatant, Table

# Longer lists of targets are asked in a question of their own.
MOST_INLINE = 12
MOVE_TWICE, MOVE_AND_ATTACK, TWICE = "move twice", "move, then attack", ", twice"
Steps = dict[str, Callable[[], Procedure[None]]]


@dataclass(eq=False, slots=True)
class BattleActivation:
    """An activation in progress.

    `opening` is the step that was picked with the fighter, if any. `refusals` are the fighters that make no reaction in
    it, and `next` the fighter that Inspiring Presence activates.
    """

    table: Table
    who: Combatant
    actions: int
    can_wait: bool = False
    opening: str = ""
    has_ability: bool = True
    keeps_ability: bool = False
    is_over: bool = False
    refusals: set[Combatant] = field(default_factory=set)
    next: Combatant | None = None

    @property
    def side(self) -> str:
        """The name of the side that decides."""
        return self.table.side_of(self.who).name

    def play(self) -> Procedure[Combatant | None]:
        """Play the activation; return the fighter that activates next by an ability."""
        if self.opening:
            yield from self._steps()[self.opening]()
        while self.actions and not self.is_over and self.who.stands:
            count = quantity(self.actions, "action")
            step = yield from choose("action", self.side, f"{self.who}, {count} left", self._steps())
            yield from step()
        if self.keeps_ability:
            yield from self._use_last_abilities()
        for each in self.table.combatants:
            each.end_effects("activation")
        return self.next

    def _use_last_abilities(self) -> Procedure[None]:
        """Ask for abilities after the last action: one, or several with the battle trait for that."""
        self.is_over = False
        while not self.is_over and self.who.stands and (steps := self._ability_steps()):
            steps["no ability"] = self._end
            step = yield from choose("ability", self.side, f"ability of {self.who.name}", steps)
            yield from step()

    def _steps(self) -> Steps:
        """Return everything that the fighter can do now, by label."""
        return {
            **self._move_steps(),
            **self._attack_steps(),
            **self._rule_steps(),
            **self._ability_steps(),
            **({"wait": self._wait} if self.can_wait and "wait" not in self.who.bans else {}),
            "end the activation": self._end,
            "something else": partial(note_event, self.table, self.table.side_of(self.who)),
        }

    @property
    def _move_label(self) -> str:
        return f'move up to {self.who.stats.move}"'

    def _move_steps(self) -> Steps:
        """Return the moves: none beside an enemy, for a disengage action is needed there."""
        steps: Steps = {}
        inches, bans = self.who.stats.move, self.who.bans
        if inches and "move" not in bans and not self.table.is_beside_enemy(self.who):
            steps[self._move_label] = self._move
            if self.actions > 1:
                steps[MOVE_TWICE] = partial(self._move, 2)
            if self.actions > 1 and can_reach(self.table, self.who, self.who.stats.weapons, inches):
                steps[MOVE_AND_ATTACK] = self._move_and_attack
        if inches and "disengage" not in bans and self.table.may_be_beside_enemy(self.who):
            steps[f'disengage up to {DISENGAGE_MOVE}"'] = self._disengage
        return steps

    def _attack_steps(self) -> Steps:
        """Return the attacks; of many only those known to be in range, and the questions for the others."""
        options = attack_options(self.table, self.who)
        is_long = len(options) * self.actions > MOST_INLINE
        shown = sure_options(self.table, self.who, options) if is_long else options
        steps: Steps = {}
        if self.actions > 1:
            steps |= {f"{option}{TWICE}": partial(self._attack, option, 2) for option in shown}
        steps |= {str(option): partial(self._attack, option) for option in shown}
        if is_long and self.actions > 1:
            steps["attack twice"] = partial(self._pick_attack, 2)
        return {**steps, "attack": self._pick_attack} if is_long else steps

    def openings(self) -> list[str]:
        """Return the steps that use all actions at once, or begin with a move: they can be picked with the fighter."""
        sure = sure_options(self.table, self.who, attack_options(self.table, self.who))
        attacks = [f"{option}{TWICE if self.actions > 1 else ''}" for option in sure]
        moves = [MOVE_TWICE, MOVE_AND_ATTACK] if self.actions > 1 else [self._move_label]
        steps = self._move_steps()
        return [*attacks, *(label for label in moves if label in steps)]

    def _rule_steps(self) -> Steps:
        """Return the actions that cards grant."""
        rules = self.table.side_of(self.who).rules_with("action") if "action" not in self.who.bans else []
        granted = [AbilityOption(rule, None) for rule in rules if allows(rule, self.who)]
        return {str(option): partial(self._take_granted_action, option) for option in granted}

    def _ability_steps(self) -> Steps:
        """Return the abilities that can be used now, and the choice to use one last."""
        if not self.has_ability:
            return {}
        options = ability_options(self.table, self.who, self.actions)
        steps: Steps = {str(option): partial(self._use_ability, option) for option in options}
        if steps and self.actions and not self.keeps_ability:
            steps["ask for an ability after the last action"] = self._keep_ability
        return steps

    def _spend_action(self) -> None:
        self.actions -= 1
        self.can_wait = False

    def _move(self, times: int = 1) -> Procedure[None]:
        table, who = self.table, self.who
        for _ in range(times):
            self._spend_action()
            yield Log('{} moves up to {}"', (who.name, who.stats.move))
            table.distances.move(who, who.stats.move)
            who.has_moved = True
            who.end_effects("move")

    def _move_and_attack(self) -> Procedure[None]:
        yield from self._move()
        yield from self._pick_attack(other="another action")

    def _pick_attack(self, times: int = 1, other: str = "something other than an attack") -> Procedure[None]:
        options: dict[str, AttackOption | None] = {
            str(option): option for option in attack_options(self.table, self.who)
        }
        what = f"attack by {self.who.name}{', twice' if times > 1 else ''}"
        option = yield from choose("attack", self.side, what, {**options, other: None})
        if option:
            yield from self._attack(option, times)

    def _attack(self, option: AttackOption, times: int = 1) -> Procedure[None]:
        """Attack the given number of times, or until one of the two is taken down.

        Changes for an attack end with the first.
        """
        place = self.who.stats.weapons.index(option.weapon)
        for _ in range(times):
            if not (self.who.stands and option.target.stands):
                break
            self._spend_action()
            now = option._replace(weapon=self.who.stats.weapons[place])
            yield from make_attack(self.table, self.who, now, self.refusals, has_more=self.actions > 0)

    def _disengage(self) -> Procedure[None]:
        self._spend_action()
        yield from disengage(self.table, self.who)

    def _take_granted_action(self, option: AbilityOption) -> Procedure[None]:
        self._spend_action()
        yield from use_ability(AbilityUse(self.table, self.who, option, self.refusals))

    def _use_ability(self, option: AbilityOption) -> Procedure[None]:
        self.has_ability = self.table.side_of(self.who).has_many_abilities
        inspired = yield from use_ability(AbilityUse(self.table, self.who, option, self.refusals))
        self.next = inspired or self.next

    def _keep_ability(self) -> Procedure[None]:
        self.keeps_ability = True
        yield from ()

    def _wait(self) -> Procedure[None]:
        """Wait: the activation ends, and the fighter can activate once more with one action."""
        self.who.wait()
        yield from self._end()
        yield Log("{} waits", (self.who.name,))

    def _end(self) -> Procedure[None]:
        self.is_over = True
        yield from ()


def openings(table: Table, who: Combatant) -> list[str]:
    """Return the steps that can be picked together with a fighter."""
    return BattleActivation(table, who, who.actions).openings()


def activate(table: Table, who: Combatant, opening: str = "") -> Procedure[Combatant | None]:
    """Activate a fighter, with its first step if that was picked; return who activates next by an ability."""
    is_fresh = who.is_fresh
    actions = who.begin_activation()
    activation = BattleActivation(table, who, actions, can_wait=is_fresh and actions == ACTIONS, opening=opening)
    return (yield from activation.play())

"""An activation in a battle: up to two actions, and an ability before or after any of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import NamedTuple

from cardgen.game import SIDES, Log, Measurement, Procedure, choose, quantity
from cardgen.rulesets.warcry.battle.attacks import (
    ACTIONS as BONUS_ACTIONS,
)
from cardgen.rulesets.warcry.battle.attacks import (
    AttackOption,
    allows,
    attack_options,
    can_reach,
    disengage,
    make_attack,
    sure_options,
    take_bonus_actions,
)
from cardgen.rulesets.warcry.battle.moments import after_damage, happens
from cardgen.rulesets.warcry.battle.performance import (
    Performance,
    candidates,
    end_effects,
    is_ruled_out,
    leave_rest,
    note_effects,
    note_event,
    plain_words,
    values_of,
)
from cardgen.rulesets.warcry.battle.table import NOBODY, Combatant, Table
from cardgen.rulesets.warcry.cards import DICE, Ability, Rule
from cardgen.rulesets.warcry.changes import DEEDS, WEAPON_NUMBERS, Change, with_facts
from cardgen.rulesets.warcry.effective import before_wait, changes_of, needs_players
from cardgen.rulesets.warcry.referee.activation import ACTIONS, DISENGAGE_MOVE, RECKONING, RESPITE
from cardgen.rulesets.warcry.referee.attack import price_of
from cardgen.rulesets.warcry.referee.fighter import INSPIRING_PRESENCE, weapons_for
from cardgen.rulesets.warcry.referee.initiative import DiceSet
from cardgen.rulesets.warcry.selections import Group
from cardgen.rulesets.warcry.words import Fact

FREE = "free"
OWN, LATER = with_facts(Fact.OWN), with_facts(Fact.LATER)


class AbilityOption(NamedTuple):
    """An ability that can be used now, and the dice that pay for it, if it costs dice."""

    rule: Ability | Rule
    dice: DiceSet | None

    def __str__(self) -> str:
        price = self.dice or ("1 action" if self.rule.price == "action" else "free")
        return f"{self.rule.name} ({price})"

    @property
    def value(self) -> int:
        """The value of the ability: that of its dice."""
        return self.dice.value if self.dice else 0


def ability_options(table: Table, who: Combatant, actions: int) -> list[AbilityOption]:
    """Return the abilities that a fighter can use and pay for, and that change something.

    If the value of the dice does not matter, the smallest set pays.
    """
    if who is table.notes.silenced or "ability" in who.bans:
        return []
    return [
        AbilityOption(rule, dice)
        for rule in table.side_of(who).rules_with(*DICE, FREE)
        if allows(rule, who) and _is_useful(table, who, rule, actions)
        for dice in _payments(table, who, rule)
    ]


def _payments(table: Table, who: Combatant, rule: Ability | Rule) -> list[DiceSet | None]:
    """Return the sets that can pay: a triple pays for a double too, and a quad for either."""
    if rule.price == FREE:
        return [None]
    least = DICE.index(price_of(rule, table.rulings) or "") + 2
    sets = sorted((each for each in table.side_of(who).sets if each.size >= least), key=lambda e: (e.size, e.value))
    changes = changes_of(rule)
    uses_value = any(change.uses_value or change.counts_value for change in changes) or not changes
    plain = list(dict.fromkeys(each._replace(lifted=False) for each in sets))
    plain = [each for each in plain if not is_ruled_out(table, who, rule, each.value)]
    return [*plain] if uses_value and _id(rule) != INSPIRING_PRESENCE else [*plain[:1]]


def _id(rule: Ability | Rule) -> str:
    return rule.id if isinstance(rule, Ability) else ""


def _is_useful(table: Table, who: Combatant, rule: Ability | Rule, actions: int) -> bool:
    """Return whether an ability is allowed now and changes something."""
    conditions = {
        RESPITE: not table.is_beside_enemy(who),
        RECKONING: table.is_half_down(who.side),
        INSPIRING_PRESENCE: bool(_inspirable(table, who)),
    }
    changes = changes_of(rule)
    if not conditions.get(_id(rule), True) or is_ruled_out(table, who, rule):
        return False
    has_somebody = {"picked": True, "rolled": True}
    for change in changes:
        if change.when:  # Who may be picked then is not known now.
            return True
        if change.pick:
            has_somebody["picked"] = _may_exist(table, who, change.pick, rule)
            if change.roll and not has_somebody["picked"]:  # What the die decides does not happen either.
                return False
        if change.roll_each == "picked":
            has_somebody["rolled"] = has_somebody["picked"]
        elif isinstance(change.roll_each, Group):
            has_somebody["rolled"] = _may_exist(table, who, change.roll_each, rule)
        whom = change.of
        is_for_somebody = (
            _may_exist(table, who, whom, rule) if isinstance(whom, Group) else has_somebody.get(whom, True)
        )
        if is_for_somebody and change.has(DEEDS) and _changes_something(table, who, change, actions):
            return True
    return not changes


def _may_exist(table: Table, who: Combatant, group: Group, rule: Ability | Rule) -> bool:
    """Return whether some fighter may belong to a group of a rule, for any value of the ability."""
    depends_on_pick = group.to == "picked" or group.unpicked
    return depends_on_pick or bool(candidates(table, who, group, (), SIDES, rule=rule.name))


def _changes_something(table: Table, who: Combatant, change: Change, actions: int) -> bool:
    if change.of != "self" or change.incoming or change.on_roll or change.roll or change.roll_each:
        return True
    if not change.has(OWN):
        return True
    if change.heal is not None:
        return who.damage > 0 and "heal" not in who.bans
    if change.bonus_move is not None:
        return "bonus" not in who.bans and (change.engaged or not table.is_beside_enemy(who))
    if change.bonus_attack:
        return bool(attack_options(table, who))
    can_move = "move" not in who.bans
    if change.span == "round" or (change.move and actions and can_move and not table.is_beside_enemy(who)):
        return True
    # A weapon that changes may still be used in this activation, after a move or without one.
    weapons = weapons_for(who.stats.weapons, [change]) if change.has(WEAPON_NUMBERS) else []
    far = who.stats.move if actions > 1 and can_move else 0
    is_for_attack = actions > 0 and "attack" not in who.bans and can_reach(table, who, weapons, far)
    return change.has(LATER) or is_for_attack


class AbilityUse(NamedTuple):
    """A use of an ability; `refusals` are the fighters that make no reaction in the activation."""

    table: Table
    who: Combatant
    option: AbilityOption
    refusals: set[Combatant]


def use_ability(use: AbilityUse) -> Procedure[Combatant | None]:
    """Pay for an ability and use it; return who activates next by it."""
    table, who, rule = use.table, use.who, use.option.rule
    side = table.side_of(who)
    if use.option.dice:
        side.sets.remove(next(each for each in side.sets if each._replace(lifted=False) == use.option.dice))
    table.note_use(who, rule)
    yield Log("{} uses {}: {}", (who.name, use.option, plain_words(rule)))
    if _id(rule) == INSPIRING_PRESENCE:
        options: dict[str, Combatant | None] = {str(each): each for each in _inspirable(table, who)}
        what = 'visible friend within 6" that activates next'
        return (yield from choose("inspired", side.name, what, {**options, NOBODY: None}))
    if _id(rule) == RESPITE:
        table.distances.claim_apart(who, table.enemies(who))
    changes = changes_of(rule)
    performance = Performance(table, who, rule.name, (yield from _value_of(use)))
    now = before_wait(changes)
    for change in in_order(now):
        yield from performance.prepare(change)
        if change.has(BONUS_ACTIONS):
            yield from take_bonus_actions(performance, change, use.refusals)
        else:
            yield from performance.apply(change)
        yield from after_damage(table, who, rule=rule.name)
    if not changes or any(map(needs_players, now)):
        yield from note_effects(table, side, rule.name)
        yield from after_damage(table, who, rule=rule.name)
    yield from leave_rest(rule, now)
    if rule.price != "action":
        yield from happens(table, "ability", who, rule_used=rule.name)
    activates = any(change.activates and change.of == "picked" for change in changes)
    return next((each for each in performance.picked if each.is_fresh), None) if activates else None


def _value_of(use: AbilityUse) -> Procedure[int]:
    """Return the value of an ability: that of its dice, or a higher one if another rule may raise it."""
    table, who, (rule, dice) = use.table, use.who, use.option
    value, changes = use.option.value, changes_of(rule)
    asks = [change.only_if.least_value for change in changes if change.only_if and change.only_if.least_value]
    counts = asks or any(change.uses_value or change.counts_value or change.not_if for change in changes)
    lowest, highest = values_of(table, who, rule.name, value) if dice and counts else (value, value)
    lowest = max([lowest, *asks])
    if lowest >= highest:
        return highest
    what = f"value of {rule.name}, whose dice show {value}"
    return int((yield Measurement("value", table.side_of(who).name, what, lowest, highest)))


def in_order(changes: tuple[Change, ...]) -> list[Change]:
    """Return the changes with those for a single attack or move before the bonus action that they are for."""
    return _before_bonus(_before_bonus([*changes], "bonus_move", "move"), "bonus_attack", "attack")


def _before_bonus(changes: list[Change], bonus: str, action: str) -> list[Change]:
    """Put the changes for one action before the first bonus action of its kind."""
    first = next((index for index, change in enumerate(changes) if getattr(change, bonus)), len(changes))
    is_next = action == "attack"  # The next move of a fighter is another one than its bonus move.
    rest = sorted(changes[first:], key=lambda each: each.span != action and not (is_next and each.next == action))
    return [*changes[:first], *rest]


def _inspirable(table: Table, who: Combatant) -> list[Combatant]:
    """Return the friends that have not activated; abilities of others do not affect an exhausted one."""
    return [each for each in table.friends(who) if each.is_fresh and each is not table.notes.exhausted]


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
        yield from happens(self.table, "activation-start", self.who)
        if self.opening:
            yield from self._steps()[self.opening]()
        while self.actions and not self.is_over and self.who.stands:
            count = quantity(self.actions, "action")
            step = yield from choose("action", self.side, f"{self.who}, {count} left", self._steps())
            yield from step()
        # After the last action come the abilities that were kept: one, or several with the battle trait for that.
        self.is_over = not self.keeps_ability
        while not self.is_over and self.who.stands and (steps := self._ability_steps()):
            steps["no ability"] = self._end
            step = yield from choose("ability", self.side, f"ability of {self.who.name}", steps)
            yield from step()
        if self.who.stands:
            yield from happens(self.table, "activation-end", self.who)
        # What is for an attack or a move that was not made ends, too.
        yield from end_effects(self.table, self.table.combatants, "activation", "attack", "move")
        yield from after_damage(self.table)
        return self.next

    def _steps(self) -> Steps:
        """Return everything that the fighter can do now, by label."""
        return {
            **self._move_steps(),
            **self._attack_steps(),
            **self._rule_steps(),
            **self._ability_steps(),
            **({"wait": self._wait} if self.can_wait and "wait" not in self.who.bans else {}),
            "end the activation": self._end,
            "something else": self._note_event,
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
        """Return the actions that cards grant and that change something."""
        rules = self.table.side_of(self.who).rules_with("action") if "action" not in self.who.bans else []
        allowed = (rule for rule in rules if allows(rule, self.who))
        granted = [
            AbilityOption(rule, None) for rule in allowed if _is_useful(self.table, self.who, rule, self.actions - 1)
        ]
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
            yield from happens(table, "move-start", who)
            yield Log('{} moves up to {}"', (who.name, who.stats.move))
            table.distances.move(who, who.stats.move)
            who.has_moved = True
            yield from end_effects(table, [who], "move", "own move")

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
        yield from happens(self.table, "enemy-wait", self.who)

    def _note_event(self) -> Procedure[None]:
        yield from note_event(self.table, self.table.side_of(self.who))
        yield from after_damage(self.table)

    def _end(self) -> Procedure[None]:
        self.is_over = True
        yield from ()


def openings(table: Table, who: Combatant) -> list[str]:
    """Return the steps that can be picked together with a fighter."""
    return BattleActivation(table, who, who.actions).openings()


def activate(table: Table, who: Combatant, opening: str = "") -> Procedure[Combatant | None]:
    """Activate a fighter, with its first step if that was picked; return who activates next by an ability."""
    is_fresh = who.is_fresh
    table.begin_activation()
    actions = who.begin_activation()
    yield from end_effects(table, [who], "next-activation")
    yield from after_damage(table)
    if not who.stands:
        return None
    activation = BattleActivation(table, who, actions, can_wait=is_fresh and actions == ACTIONS, opening=opening)
    return (yield from activation.play())

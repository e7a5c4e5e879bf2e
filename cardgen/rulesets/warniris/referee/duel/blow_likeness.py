"""Likeness of blows: what the Wounds lost by attacks and reactions depend on, whoever strikes."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import replace
from functools import cached_property

from cardgen.game import Likeness, Test, odds
from cardgen.rulesets.warniris.effect import Meaning
from cardgen.rulesets.warniris.referee import modifiers
from cardgen.rulesets.warniris.referee.attack import start_attack_effects
from cardgen.rulesets.warniris.referee.battle.attack_action import AttackAction, ModifierContext, has_freedom, weapon_of
from cardgen.rulesets.warniris.referee.battle.movement import objection
from cardgen.rulesets.warniris.referee.duel.counter_bounds import ATTACK_TRIGGERS
from cardgen.rulesets.warniris.referee.effects.conditions import only_rerolls
from cardgen.rulesets.warniris.referee.game import ActiveEffect, Game, PendingReaction, State
from cardgen.rulesets.warniris.referee.miniature import DAMAGE_CHANGE, LOSS_PREVENTION, BoundEffect, Miniature
from cardgen.rulesets.warniris.referee.modifiers import reroll_effects, reroll_kinds
from cardgen.rulesets.warniris.weapon_line import Profile

# These effects start when the dice of a blow have been thrown, and the others before.
_LATE_TRIGGERS = (LOSS_PREVENTION, "eliminated")
_EARLY_TRIGGERS = (ATTACK_TRIGGERS | {DAMAGE_CHANGE}) - {*_LATE_TRIGGERS}
_FIRST_TRIGGERS = frozenset({"attacking", "reacting", "attacked"})


class BlowLikeness:
    """The likeness of blows in a duel of two that touch, if effects only change numbers or the loss of Wounds.

    The game's rulings and its policy are not part of it, so only duels with the same ones can share results.
    """

    def __init__(self, game: Game) -> None:
        self._game = game
        self._blows: dict[Hashable, Hashable] = {}
        self._plain: dict[Hashable, bool] = {}
        self._first_use = len(game.initial_state().counters) - len(game.use_counters)

    def of_attack(self, state: State, attack: AttackAction | None) -> Likeness | None:
        """Return the likeness of an attack, or of none, between the reactions to it."""
        if any(each.point != "end" for each in state.mode.pending_reactions) or not self._is_plain(state, attack):
            return None
        return (self._blow(state, attack), self._counters(state, attack)), (state.mode,)

    def of_reaction(self, state: State, attack: AttackAction | None) -> Likeness | None:
        """Return the likeness of a reaction, or of none, before the first die of an action."""
        if attack is None:
            return ("idle", len(state.counters)), (state.mode,)
        if not self._is_early or not self._is_plain(state, attack):
            return None
        pending = PendingReaction(attack.attacker, attack.weapon, "end", attack.distance)
        late = state.set_pending(*state.mode.pending_reactions, pending)
        timed = attack._replace(hits=self._game.rulings["reaction-hit"] == "timing")
        test, context = modifiers.timing_test(self._game, state, attack), modifiers.timing_context(self._game, attack)
        timing = self._test(state, test, attack.attacker, "timing", context)
        key = ("timed", attack.attacker, timing, self._blow(state, timed), self._counters(state, timed))
        return key, (state.mode, late.mode)

    def of_late_reaction(self, state: State) -> Likeness | None:
        """Return the likeness of what is left at the end of an action."""
        if not self._is_early:
            return None
        end = state.set_pending().end_window("action").mode
        if not state.mode.pending_reactions:
            return ("idle", len(state.counters)), (end,)
        (pending,) = state.mode.pending_reactions
        attack = AttackAction(pending.reactor, 1 - pending.reactor, pending.weapon, pending.distance, reaction=True)
        if not self._is_plain(state, attack):
            return None
        # What cannot happen any more may be kept for later, unless its reactor has fallen.
        happens = not objection(self._game, state, attack), state.stands(pending.reactor)
        key = ("late", pending.reactor, happens, self._blow(state, attack), self._counters(state, attack))
        return key, (end,)

    def _counters(self, state: State, attack: AttackAction | None) -> Hashable:
        """Return the counters on which the change of the counters by an attack depends, besides its blow."""
        if attack and attack.target in self._widely_late:
            return state.counters
        return len(state.counters), state.wounds(attack.target) if attack else 0

    def _blow(self, state: State, attack: AttackAction | None) -> Hashable:
        """Return all that the Wounds lost by an attack depend on, besides the counters; None if none can be lost.

        They do not depend on a reaction that waits for the end of the action.
        """
        if attack is None or not (state.stands(0) and state.stands(1)):
            return None
        game, state = self._game, state.set_pending()
        uses = state.counters[self._first_use :] if game.has_rerolls else ()
        key = (attack, state.mode, uses, game.wound_key(state) if game.asks_wounds else ())
        if key not in self._blows:
            self._blows[key] = self._blow_of(state, attack)
        return self._blows[key]

    def _blow_of(self, state: State, attack: AttackAction) -> Hashable:
        game = self._game
        attacker, target = attack.pair
        (state,) = odds(start_attack_effects, game, state, attack).weights
        if has_freedom(game, state, attacker, "fails", modifiers.hit_context(attack)):
            return None
        hit = modifiers.hit_test(game, state, attack), attacker, "hit", modifiers.hit_context(attack)
        resist = modifiers.resist_test(game, state, attack), target, "resist", modifiers.resist_context(attack)
        return (
            attacker,
            attack.reaction,
            None if attack.hits else self._test(state, *hit),
            self._test(state, *resist),
            modifiers.attack_damage(game, state, attack),
            self._late_effects[target] and (self._late_effects[target], state.mode.turn, *self._kind(state, attack)),
        )

    def _kind(self, state: State, attack: AttackAction) -> tuple[str, str]:
        """Return the type of a weapon, and its name if some effect asks for one."""
        weapon = weapon_of(self._game, state, attack)
        return weapon.type, weapon.name if any(each.condition.weapon_name for each in self._game.effects) else ""

    def _test(self, state: State, test: Test, who: int, kind: str, context: ModifierContext) -> Hashable:
        """Return what a test depends on: its die, and each re-roll: whether of a failure, its die, and its cost."""
        answers = tuple(test.branches())
        if not self._game.has_rerolls:
            return answers
        sides, kinds = self._game.sides, reroll_kinds(test, kind)
        effects = reroll_effects(self._game, state, who, kinds, context)
        rerolls = [
            (
                sides[each.owner] == sides[who],
                _rolls_again(each.effect) and (each.effect.condition.roll, each.effect.cost),
            )
            for each in effects
        ]
        return answers, tuple(rerolls)

    @property
    def _is_early(self) -> bool:
        """Whether a reaction in time comes before the first die."""
        return self._game.policy["moment"] == "before" or self._game.rulings["reaction-when"] == "before-dice"

    def _is_plain(self, state: State, attack: AttackAction | None) -> bool:
        """Whether an attack starts no effects before the Damage, and after it none that lasts or heals."""
        if attack is None:
            return True
        if self._game.counts_reactions or not self._game.is_declared:
            return False
        weapon, active = (attack.attacker, attack.weapon), state.mode.active_effects
        key = (weapon, frozenset((each.owner, each.effect_number) for each in active) if active else active)
        if key not in self._plain:
            heals = any(profile.name == attack.weapon and profile.healing for profile in self._weapons(attack.attacker))
            self._plain[key] = not (heals or self._starts_something(weapon) or any(map(self._does_something, active)))
        return self._plain[key]

    def _weapons(self, who: int) -> tuple[Profile, ...]:
        return self._game.miniatures[who].weapons

    def _starts_something(self, weapon: tuple[int, str]) -> bool:
        """Whether an effect starts before the Damage of an attack with a side's weapon, or lasts or heals after it."""
        return any(
            (trigger in _EARLY_TRIGGERS and not (only_rerolls(effect) or self._is_number_of_attack(effect)))
            or _lasts_or_heals(effect)
            for who, fighter in enumerate(self._game.miniatures)
            for trigger, effect in _with_triggers(fighter)
            if not effect.weapon or (who, effect.weapon) == weapon
        )

    def _is_number_of_attack(self, effect: BoundEffect) -> bool:
        """Whether an effect surely starts at the beginning of an attack, and only changes numbers until its end."""
        is_first = effect.when in _FIRST_TRIGGERS and self._game.rulings["reaction-cloak"] == "free"
        is_sure = effect.is_certain and not (effect.span or effect.shares_die)
        return is_first and is_sure and _only_changes_numbers(effect)

    def _does_something(self, active: ActiveEffect) -> bool:
        """Whether an effect in force may do more in an attack than to change its numbers."""
        effect = self._game.miniatures[active.owner].effects[active.effect_number]
        if effect.during and not _only_changes_numbers(effect):
            return True
        return any(deeds.weapon or (deeds.reroll and effect.once) for _, deeds in effect.deeds)

    @cached_property
    def _widely_late(self) -> frozenset[int]:
        """Those whose effects that start with the Damage depend on more counters than their Wounds."""
        game = self._game
        return frozenset(
            who
            for who, fighter in enumerate(game.miniatures)
            if self._late_effects[who] and (game.use_counters or "eliminated" in fighter.triggered_effects)
        )

    @cached_property
    def _late_effects(self) -> tuple[str, ...]:
        """For each side, the content of the effects that start with Damage to it; '' if there are none."""
        return tuple(map(self._late_effects_on, range(len(self._game.miniatures))))

    def _late_effects_on(self, target: int) -> str:
        """Return the effects of one side and their bearers; those of both if it does something when eliminated."""
        miniatures = self._game.miniatures
        is_widely = "eliminated" in miniatures[target].triggered_effects
        contents = [
            (who, number, replace(effect, name=""), fighter.wounds if effect.condition.unhurt else 0)
            for who, fighter in enumerate(miniatures)
            if who == target or is_widely
            for trigger in _LATE_TRIGGERS
            for number in fighter.triggered_effects.get(trigger, ())
            for effect in [fighter.effects[number]]
        ]
        kinds = [fighter.is_minion for fighter in miniatures]
        return repr((contents, kinds, [*self._game.use_counters])) if contents else ""


def _only_changes_numbers(effect: BoundEffect) -> bool:
    """Whether an effect does nothing but change numbers of attacks."""
    return all(deeds.is_only(Meaning.NUMBER) for _, deeds in effect.deeds)


def _rolls_again(effect: BoundEffect) -> bool:
    """Return whether the die of an effect is rolled for each re-roll."""
    return not (effect.is_constant or effect.span)


def _with_triggers(fighter: Miniature) -> Iterator[tuple[str, BoundEffect]]:
    """Yield the effects of a miniature with the moments at which they start."""
    yield from (("always", effect) for effect in fighter.constant_effects)
    for trigger, numbers in fighter.triggered_effects.items():
        yield from ((trigger, fighter.effects[number]) for number in numbers)


def _lasts_or_heals(effect: BoundEffect) -> bool:
    """Return whether an effect may outlast an attack, lend a weapon, give Wounds back in it, recur, or need a Test."""
    in_attack = effect.when in ATTACK_TRIGGERS or effect.during in ATTACK_TRIGGERS
    recurs = effect.is_guard or (effect.during in ATTACK_TRIGGERS and effect.meaning & Meaning.DEALS)
    lasts = effect.when in ATTACK_TRIGGERS and (effect.span or effect.once == "turn")
    heals = in_attack and effect.meaning & Meaning.HEALS
    rerolls_once = effect.once and any(deeds.reroll for _, deeds in effect.deeds)
    return bool(recurs or lasts or heals or rerolls_once or effect.condition.test or effect.meaning & Meaning.LINGERS)

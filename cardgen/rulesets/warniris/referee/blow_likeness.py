"""Likeness of blows: what the Wounds lost by attacks and reactions depend on, whoever strikes."""

from __future__ import annotations

from collections.abc import Hashable
from functools import cached_property

from cardgen.game import Likeness, Test
from cardgen.rulesets.warniris.referee import modifiers
from cardgen.rulesets.warniris.referee.attack_action import AttackAction, ModifierContext
from cardgen.rulesets.warniris.referee.counter_bounds import ATTACK_TRIGGERS
from cardgen.rulesets.warniris.referee.effect_conditions import only_rerolls
from cardgen.rulesets.warniris.referee.game import Game, State
from cardgen.rulesets.warniris.referee.miniature import DAMAGE_CHANGE, LOSS_PREVENTION, BoundEffect
from cardgen.rulesets.warniris.referee.mode import PendingReaction
from cardgen.rulesets.warniris.referee.reroll import reroll_effects, reroll_kinds

# These effects start when the dice of a blow have been thrown, and the others before.
_LATE_TRIGGERS = (LOSS_PREVENTION, "eliminated")
_EARLY_TRIGGERS = (ATTACK_TRIGGERS | {DAMAGE_CHANGE}) - {*_LATE_TRIGGERS}


class BlowLikeness:
    """The likeness of blows in a duel of two that touch, if effects only change numbers or the loss of Wounds.

    The game's rulings and its policy are not part of it, so only duels with the same ones can share results.
    """

    def __init__(self, game: Game) -> None:
        self._game = game

    def of_attack(self, state: State, attack: AttackAction | None) -> Likeness | None:
        """Return the likeness of an attack, or of none, between the reactions to it."""
        if not self._is_plain or any(each.point != "end" for each in state.mode.pending_reactions):
            return None
        return (self._blow(state, attack), state.counters), (state.mode,)

    def of_reaction(self, state: State, attack: AttackAction | None) -> Likeness | None:
        """Return the likeness of a reaction, or of none, before the first die of an action."""
        if not self._is_plain or not self._is_early:
            return None
        if attack is None:
            return ("idle", state.counters), (state.mode,)
        pending = PendingReaction(attack.attacker, attack.weapon, "end", attack.distance)
        late = state.set_pending(*state.mode.pending_reactions, pending)
        timed = attack._replace(hits=self._game.rulings["reaction-hit"] == "timing")
        test, context = modifiers.timing_test(self._game, state, attack), modifiers.timing_context(self._game, attack)
        timing = self._test(state, test, attack.attacker, "timing", context)
        return ("timed", timing, self._blow(state, timed), state.counters), (state.mode, late.mode)

    def of_late_reaction(self, state: State) -> Likeness | None:
        """Return the likeness of what is left at the end of an action."""
        if not self._is_plain or not self._is_early:
            return None
        end = state.set_pending().end_window("action").mode
        if not state.mode.pending_reactions:
            return ("idle", state.counters), (end,)
        (pending,) = state.mode.pending_reactions
        attack = AttackAction(pending.reactor, 1 - pending.reactor, pending.weapon, pending.distance, reaction=True)
        return ("late", pending.reactor, self._blow(state, attack), state.counters), (end,)

    def _blow(self, state: State, attack: AttackAction | None) -> Hashable:
        """Return all that the Wounds lost by an attack depend on, besides the counters."""
        game = self._game
        if attack is None or not (state.stands(0) and state.stands(1)):
            return None
        attacker, target = attack.pair
        hit = modifiers.hit_test(game, state, attack), attacker, "hit", modifiers.hit_context(attack)
        resist = modifiers.resist_test(game, state, attack), target, "resist", modifiers.resist_context(attack)
        return (
            attacker,
            attack.reaction,
            None if attack.hits else self._test(state, *hit),
            self._test(state, *resist),
            modifiers.attack_damage(game, state, attack),
            self._late_effects and (self._late_effects, modifiers.weapon_of(game, state, attack).type),
        )

    def _test(self, state: State, test: Test, who: int, kind: str, context: ModifierContext) -> Hashable:
        """Return what a test depends on: its number, and each re-roll, whether of a failure, and on which faces."""
        if not self._game.has_rerolls:
            return test.need
        sides, kinds = self._game.sides, reroll_kinds(test, kind)
        effects = reroll_effects(self._game, state, who, kinds, context)
        rerolls = [
            (sides[each.owner] == sides[who], not each.effect.is_constant and each.effect.condition.roll)
            for each in effects
        ]
        return test.need, tuple(rerolls)

    @property
    def _is_early(self) -> bool:
        """Whether a reaction in time comes before the first die."""
        return self._game.policy["moment"] == "before" or self._game.rulings["reaction-when"] == "before-dice"

    @cached_property
    def _is_plain(self) -> bool:
        """Whether attacks start no effects before the Damage, and after it none that lasts or heals."""
        game = self._game
        started = {
            trigger
            for fighter in game.miniatures
            for trigger, numbers in fighter.triggered_effects.items()
            if not all(only_rerolls(fighter.effects[number]) for number in numbers)
        }
        heals = any(weapon.healing for fighter in game.miniatures for weapon in fighter.weapons)
        return not (heals or started & _EARLY_TRIGGERS or any(map(_lasts_or_heals, game.effects)))

    @cached_property
    def _late_effects(self) -> str:
        """The content of the effects that start with the Damage, and who bears them; '' if there are none."""
        miniatures = self._game.miniatures
        contents = [
            (who, trigger, number, effect.source, effect.once, effect.condition, effect.deeds)
            for who, fighter in enumerate(miniatures)
            for trigger in _LATE_TRIGGERS
            for number in fighter.triggered_effects.get(trigger, ())
            for effect in [fighter.effects[number]]
        ]
        kinds = [fighter.is_minion for fighter in miniatures]
        return repr((contents, kinds, [*self._game.use_counters])) if contents else ""


def _lasts_or_heals(effect: BoundEffect) -> bool:
    """Return whether an effect may outlast an attack, lend a weapon, give Wounds back in it, recur, or need a Test."""
    in_attack = effect.when in ATTACK_TRIGGERS or effect.during in ATTACK_TRIGGERS
    recurs = effect.is_guard or (effect.during in ATTACK_TRIGGERS and any(deeds.deal for _, deeds in effect.deeds))
    lasts = effect.when in ATTACK_TRIGGERS and (effect.span or effect.once == "turn")
    heals = in_attack and any(deeds.heal for _, deeds in effect.deeds)
    rerolls_once = effect.once and any(deeds.reroll for _, deeds in effect.deeds)
    others = any(deeds.weapon or deeds.unless or deeds.score for _, deeds in effect.deeds)
    return bool(recurs or lasts or heals or rerolls_once or others)

"""The duel: two fighters in sight for some turns, exact or rolled, and the round robin of all pairs."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import starmap
from operator import itemgetter
from typing import Any, NamedTuple, TypeVar

from cardgen.game import (
    CounterBounds,
    Die,
    ExactDuel,
    OddsTable,
    PreparedTrial,
    Procedure,
    RulesConfig,
    Step,
    Transition,
    distribution_table,
)
from cardgen.game import State as Pair
from cardgen.rulesets.warniris.cards import Ability, Character, Relic
from cardgen.rulesets.warniris.effect import Condition, Effect, Weapon
from cardgen.rulesets.warniris.referee import counter_bounds, modifiers
from cardgen.rulesets.warniris.referee.attack import ATTACK_POINTS, react, resolve_attack, resolve_pending
from cardgen.rulesets.warniris.referee.conditions import (
    CHOSEN_PARTIES,
    GROUP_PARTIES,
    AttackAction,
    available_weapons,
    end_activation_marks,
    only_heals,
)
from cardgen.rulesets.warniris.referee.effects import start_activation, start_effects
from cardgen.rulesets.warniris.referee.game import ACTIONS_PER_ACTIVATION, Game, State
from cardgen.rulesets.warniris.referee.measurements import charge, out_of_charge_range, out_of_range
from cardgen.rulesets.warniris.referee.miniature import BoundEffect, Miniature, effects_in_force
from cardgen.rulesets.warniris.referee.modifiers import is_unanswerable, may_react
from cardgen.rulesets.warniris.referee.situations import DUEL_CONDITIONS, DuelSituation, build_miniatures, not_simulated
from cardgen.rulesets.warniris.rulebook import TURNS
from cardgen.rulesets.warniris.words import ENEMY_ACTS, STRIKES, Meaning


class DuelOutcome(NamedTuple):
    """How a duel ended: the winner (0, 1, or None for a draw), who was eliminated, and the VP of each side."""

    winner: int | None
    eliminated: tuple[bool, bool]
    vp: tuple[int, int]

    def lines(self, names: Sequence[str]) -> tuple[str, ...]:
        """Return who is eliminated, who wins, and the VP."""
        winner = "a draw" if self.winner is None else f"{names[self.winner]} wins"
        fallen = [f"{name} is eliminated" for who, name in enumerate(names) if self.eliminated[who]]
        vp = ", ".join(f"{name} {points}" for name, points in zip(names, self.vp, strict=True))
        return (*fallen, f"{winner}; VP: {vp}")


def elimination_chances(names: Sequence[str], die: Die[DuelOutcome]) -> tuple[tuple[str, Fraction], ...]:
    """Return the chance of each side to be eliminated."""
    eliminated = die.map(lambda end: end.eliminated)
    return tuple((f"{name} eliminated", eliminated.chance(itemgetter(who))) for who, name in enumerate(names))


def vp_tables(names: Sequence[str], die: Die[DuelOutcome], title: str) -> Iterator[OddsTable]:
    """Yield the distribution of each side's VP."""
    vp = die.map(lambda end: end.vp)
    for who, name in enumerate(names):
        points = vp.map(itemgetter(who))
        yield distribution_table(f"VP of {name}, {title}", points, mean=f"mean VP of {name}")


class Duel(ExactDuel[DuelOutcome]):
    """A duel on a table of two, in sight of each other for some turns."""

    def __init__(self, game: Game, turns: int = TURNS) -> None:
        super().__init__((game.name(0), game.name(1)))
        self.game, self.turns = game, turns
        self._step = cache(self._step_of)
        self._attack_cache: dict[tuple[int, bool, int | None], AttackAction | None] = {}

    def initial_state(self) -> State:
        """The state before anything has happened, in the first turn."""
        return self.game.begin_next_turn(self.game.initial_state())

    def is_over(self, state: Pair) -> bool:
        """True when one of the two is eliminated."""
        counters = state[1]
        return not (counters[0] and counters[1])

    def outcome(self, state: Pair) -> DuelOutcome:
        """Who wins, who is eliminated, and the VP of both."""
        end = State(*state)
        return DuelOutcome(self.game.winner(end), (not end.stands(0), not end.stands(1)), self.game.vp(end))

    def winner(self, outcome: DuelOutcome) -> int | None:
        """Who wins, or None for a draw."""
        return outcome.winner

    def outcome_lines(self, outcome: DuelOutcome) -> tuple[str, ...]:
        """Who is eliminated, who wins, and the VP."""
        return outcome.lines(self.names)

    def outcome_data(self, outcome: DuelOutcome) -> Any:
        """The outcome for a transcript."""
        return {"winner": outcome.winner, "fallen": list(outcome.eliminated), "vp": list(outcome.vp)}

    def tables(self, die: Die[DuelOutcome], title: str) -> Iterator[OddsTable]:
        """Who wins and who is eliminated, and the distribution of each side's VP."""
        yield OddsTable(title, self.win_rows(die, "draw"), elimination_chances(self.names, die))
        yield from vp_tables(self.names, die, title)

    def final_states(self, first: int) -> Die[State]:
        """The exact distribution of states at the end."""
        return self.chain.final_states(self.initial_state(), self.steps(first)).map(State._make)

    def steps(self, first: int) -> Iterator[Step]:
        """All steps in their order; those that could do nothing are left out."""
        return starmap(self._step, self.events(first))

    def events(self, first: int) -> Iterator[tuple[str, int]]:
        """The names of all steps in their order, each with who acts, or goes first, in it."""
        triggers, may_be_any = self.game.triggers, not self.game.is_declared
        activations = self._events_of(0), self._events_of(1)
        if triggers & counter_bounds.STEP_TRIGGERS["dawn"] or may_be_any:
            yield "dawn", first
        for turn in range(1, self.turns + 1):
            for who in (first, 1 - first):
                yield from [(name, who) for name in activations[who]]
            if turn < self.turns:
                yield "dusk", first
            elif "turn_end" in triggers or may_be_any:
                yield "last dusk", first

    def _events_of(self, who: int) -> list[str]:
        """The steps of a fighter's activation, with as many attacks as Actions (ruling `same-action`)."""
        game = self.game
        has_start = game.has_trigger(who, "activation_start") or game.has_trigger(1 - who, "enemy_activated")
        has_start = has_start or counter_bounds.any_effect_lasts(game, "next-activation", "own-activation")
        lasts = counter_bounds.any_effect_lasts(game, "activation", "own-activation") or game.tracks_moves
        has_end = game.has_trigger(who, "activation_end") or lasts
        if not game.is_declared:
            has_start = has_end = True
        attacks = 1 if game.rulings["same-action"] == "different" else ACTIONS_PER_ACTIVATION
        return ["start"] * has_start + ["action"] * attacks + ["end"] * has_end

    def effect_procedure(self, name: str) -> Callable[[State, int], Procedure[State]]:
        """Return the procedure of a step in which no attack is made."""
        procedures = {"dawn": self._dawn, "start": self._start, "end": self._end, "dusk": self._dusk}
        return {**procedures, "last dusk": self._last_dusk}[name]

    def _step_of(self, name: str, who: int) -> Step:
        """Return a step of a fighter who acts or goes first."""
        return self._action_step(who) if name == "action" else self._effect_step(name, who)

    def _effect_step(self, name: str, who: int) -> Step:
        """A step in which no attack is made: effects start and end."""
        limits = counter_bounds.of_effects(self.game, counter_bounds.STEP_TRIGGERS[name])
        transition = self._transition(self.effect_procedure(name), who, limits)
        return self.chain.step(f"{name} {self.game.name(who)}", [transition], limits)

    def _action_step(self, who: int) -> Step:
        """An action: the other one's answer to it, the attack, and what is left of the answer."""
        game = self.game
        late = game.policy["moment"] != "before"

        def limits(mine: int, its: int | None, *, reacting: bool) -> CounterBounds:
            return counter_bounds.of_action(game, who, mine, its, may_react=reacting)

        transitions = [
            self._transition(self._react, who, limits(1, 0, reacting=True)),
            self._transition(self._attack, who, limits(int(late), None, reacting=False)),
            self._transition(self._end_action, who, limits(1, 0, reacting=False)),
        ]
        return self.chain.step("action", transitions, limits(1, None, reacting=True))

    def _transition(
        self, procedure: Callable[[State, int], Procedure[State]], who: int, limits: CounterBounds
    ) -> Transition:
        return Transition((procedure.__name__, who), lambda pair: procedure(State(*pair), who), limits)

    def _dawn(self, state: State, who: int) -> Procedure[State]:
        for moment in ("battle_start", "turn_start"):
            state = yield from start_effects(self.game, state, moment, (0, 1))
        return state

    def _dusk(self, state: State, first: int) -> Procedure[State]:
        """The end of a turn and the start of the next."""
        state = yield from self._last_dusk(state, first)
        for who, status in enumerate(state.mode.statuses):
            state = state.set_status(who, status._replace(used_sources=(), moved=""))
        state = self.game.begin_next_turn(self.game.restore_reactions(state))
        return (yield from start_effects(self.game, state, "turn_start", (first, 1 - first)))

    def _last_dusk(self, state: State, first: int) -> Procedure[State]:
        """The end of a turn."""
        state = yield from start_effects(self.game, state, "turn_end", (first, 1 - first))
        return state.end_window("turn")

    def _start(self, state: State, who: int) -> Procedure[State]:
        return (yield from start_activation(self.game, state.begin_activation(who), who))

    def _end(self, state: State, who: int) -> Procedure[State]:
        state = yield from start_effects(self.game, state, "activation_end", (who,))
        return end_activation_marks(self.game, state.end_window("activation"))

    def _react(self, state: State, who: int) -> Procedure[State]:
        """The enemy's reaction to an action, as the policy has it; without an attack there is no action."""
        attack = self._reaction_to(state, who)
        return (yield from react(self.game, state, attack, ATTACK_POINTS)) if attack else state

    def _reaction_to(self, state: State, who: int) -> AttackAction | None:
        """The reaction that the policy makes to an action, if one can be made."""
        game, reactor = self.game, 1 - who
        attack = self._policy_attack(state, who, reaction=False)
        if not attack or is_unanswerable(game, state, who, attack):
            return None
        may = game.policy["reactions"] != "never" and may_react(game, state, reactor)
        return self._policy_attack(state, reactor, reaction=True) if may else None

    def _attack(self, state: State, who: int) -> Procedure[State]:
        """The attack of an action, as the policy has it."""
        attack = self._policy_attack(state, who, reaction=False)
        can = attack and state.stands(who) and state.stands(1 - who)
        return (yield from self._resolve(state, attack)) if attack and can else state

    def _resolve(self, state: State, attack: AttackAction) -> Procedure[State]:
        """An attack, after a combat weapon's free Move where the other one is out of Range."""
        after_move: AttackAction | None = attack
        touches = attack.distance is None
        if not (attack.reaction or touches) and out_of_range(self.game, state, attack):
            state, after_move = yield from charge(self.game, state, attack)
        return (yield from resolve_attack(self.game, state, after_move)) if after_move else state

    def _end_action(self, state: State, who: int) -> Procedure[State]:
        """The end of an action, with a reaction that was not timed for another moment of it."""
        if state.mode.pending_reactions:
            state = yield from resolve_pending(self.game, state, who, "end")
        return state.end_window("action")

    def _policy_attack(self, state: State, who: int, *, reaction: bool) -> AttackAction | None:
        """The attack that the policy makes, if one can be made."""
        if self.game.has_fixed_weapons:
            cache_key = (who, reaction, state.mode.distance)
            if cache_key not in self._attack_cache:
                self._attack_cache[cache_key] = self._choose_attack(state, who, reaction)
            return self._attack_cache[cache_key]
        key, game = ("duel", who, reaction), self.game
        return modifiers.cached(game, state, key, lambda: (self._choose_attack(state, who, reaction),))[0]

    def weapons_in_use(self, who: int) -> set[str]:
        """Return the names of the weapons with which a side attacks and reacts, as the policy has it."""
        start = self.initial_state()
        attacks = [self._policy_attack(start, who, reaction=reaction) for reaction in (False, True)]
        return {attack.weapon for attack in attacks if attack}

    def with_forms(self, *forms: Miniature) -> Duel:
        """Return the same duel of miniatures that differ only in weapons that are not in use."""
        game = replace(self.game, miniatures=forms, cache={})
        duel = Duel(game, self.turns)
        duel._attack_cache = self._attack_cache
        return duel

    def _choose_attack(self, state: State, who: int, reaction: bool) -> AttackAction | None:
        attacks = [
            AttackAction(who, 1 - who, weapon.name, state.mode.distance, reaction=reaction)
            for weapon in available_weapons(self.game, state, who).values()
            if weapon.needs_test
        ]
        legal = [attack for attack in attacks if not out_of_charge_range(self.game, state, attack)]
        if len(legal) < 2 or self.game.policy["weapon"] == "first":
            return legal[0] if legal else None
        return max(legal, key=self._mean_damage)

    def _mean_damage(self, attack: AttackAction) -> tuple[object, ...]:
        """Of an attack as things are at first; the higher numbers win a tie, and of equal weapons the earlier line."""
        initial = self.initial_state()
        if attack.distance is not None:
            initial = initial.at_distance(attack.distance)
        weapons = available_weapons(self.game, initial, attack.attacker)
        if attack.weapon not in weapons:
            return (-1,)
        limits = counter_bounds.of_action(self.game, attack.attacker, 0, None, may_react=False)
        transition = Transition(("trial", attack), lambda pair: self._resolve(State(*pair), attack), limits)
        mean = -self.chain.mean_change(initial, transition, attack.target)
        return mean, weapons[attack.weapon].precedence, -list(weapons).index(attack.weapon)


def set_up_duel(situation: DuelSituation, config: RulesConfig) -> PreparedTrial:
    """A duel of two cards with their relics."""
    miniatures = build_miniatures([(situation.a, situation.relic_a), (situation.b, situation.relic_b)])
    game = Game(miniatures, (0, 1), config.rulings, config.policy, distance=situation.distance)
    return Duel(game, situation.turns).prepare(situation.first, not_simulated(game, DUEL_CONDITIONS))


E = TypeVar("E", bound=Effect)
# In an attack, an effect without a duration ends with it.
_UNEVENTFUL = frozenset({"moving", "eliminated"})
_NO_CONDITION = Condition()


def duel_form(miniature: Miniature) -> Miniature:
    """Return a miniature without weapons and effects that cannot matter in a duel of two that touch."""
    card, relic = miniature.card, miniature.relic
    weapons = (each for each in card.weapons if each.needs_test or endows(each.effects))
    changes: dict[str, object] = {"weapons": tuple(map(_plain_weapon, weapons))}
    if isinstance(card, Character):
        changes["abilities"] = tuple(plain for each in card.abilities if (plain := _plain_source(each)).effects)
    plain_relic = _plain_source(relic) if relic else None
    return replace(
        miniature,
        card=card.model_copy(update=changes),
        relic=plain_relic if plain_relic and plain_relic.effects else None,
    )


def with_weapons(form: Miniature, names: Collection[str]) -> Miniature:
    """Return a miniature without weapons other than these, and those that count even if they are not in use."""
    weapons = tuple(weapon for weapon in form.card.weapons if weapon.name in names or endows(weapon.effects))
    return replace(form, card=form.card.model_copy(update={"weapons": weapons}))


def endows(effects: Iterable[Effect]) -> bool:
    """Return whether effects give Wounds or lend a weapon, which those of a weapon do even if it is not in use."""
    return any(effect.meaning & Meaning.GIFT for effect in effects)


S = TypeVar("S", Ability, Relic)


def _plain_source(source: S) -> S:
    """Return a thing without effects that cannot matter; a thing for once only is used up as a whole."""
    all_effects, once = effects_in_force(source)
    effects = _of_consequence(all_effects)
    return source.model_copy(
        update={"effects": all_effects if once and effects else effects, "once": once, "text": None}
    )


def _plain_weapon(weapon: Weapon) -> Weapon:
    effects, _ = effects_in_force(weapon)
    plain = weapon.model_copy(update={"effects": _of_consequence(effects), "text": None})
    return plain if plain.needs_test else weapon


def _of_consequence(effects: Iterable[E]) -> tuple[E, ...]:
    """Return the effects that may matter, and those whose die others need."""
    everything = tuple(effects)
    dice = {effect.when for effect in everything if effect.condition.same_roll}
    return tuple(
        effect for effect in everything if _may_matter(effect) or (effect.when in dice and effect.condition.roll)
    )


def _may_matter(effect: Effect) -> bool:
    """Return whether an effect does something to two who touch: nobody moves, and everything is in range."""
    if {"moving", "enemy_moved"} & {effect.when, effect.during}:
        return False
    is_far = bool(effect.condition.range_over)
    if is_far and effect.active_at in STRIKES:
        return False
    return any(
        not deeds.is_apart
        for party, deeds in effect.deeds
        if party not in ("friends", "friend") and not (is_far and party in (*GROUP_PARTIES, *CHOSEN_PARTIES))
    )


def keeps_no_state(effect: BoundEffect) -> bool:
    """Return whether an effect depends neither on Wounds nor on chance beyond its attack, and neither heals nor deals.

    What holds for a while then starts and ends at certain moments, as long as both stand. An effect of points of Damage
    may depend on the Wounds of the one who takes them. A re-roll for once depends on earlier tests.
    """
    asks_wounds = effect.condition.unhurt or (effect.condition.wounds_at_most is not None and not effect.prevents_loss)
    is_of_enemies = bool(ENEMY_ACTS & {effect.when, effect.during})
    if effect.meaning & Meaning.STATE or asks_wounds or is_of_enemies or effect.condition.reaction:
        return False
    if effect.is_constant:
        return not (effect.once and any(deeds.reroll for _, deeds in effect.deeds))
    if effect.when in STRIKES:
        return not (effect.span or effect.once)
    return effect.when not in _UNEVENTFUL and not effect.condition.takes_chance


def heals_once(form: Miniature, effect: BoundEffect) -> bool:
    """Return whether an effect is all of a thing for once a battle, which heals its bearer at its activation."""
    is_alone = sum(other.source == effect.source for other in form.effects) == 1
    is_plain = not (effect.span or effect.during or effect.weapon or effect.cost) and effect.condition == _NO_CONDITION
    if not (is_alone and is_plain and effect.once is True and effect.when == "activation_start"):
        return False
    return [(party, only_heals(deeds)) for party, deeds in effect.deeds] == [("bearer", True)]


def duel_content(form: Miniature, *, with_names: bool) -> str:
    """Return all that the duels of a miniature depend on, as text.

    Names don't count, except those of weapons if some effect names one or lends one, which replaces one of the same
    name.
    """
    return repr((attacker_content(form, with_names=with_names), target_content(form), form.wounds))


def attacker_content(form: Miniature, *, with_names: bool) -> str:
    """Return all that the attacks of a miniature that keeps no state depend on, as text."""
    stats = form.card.stats
    # Everything is in Range; but of weapons that are alike otherwise, the policy chooses that with the longer Range.
    ranks = sorted({weapon.precedence for weapon in form.card.weapons})
    weapons = [
        (
            *(weapon.name if with_names else "", weapon.type, weapon.penetration, weapon.damage, weapon.healing),
            ranks.index(weapon.precedence),
        )
        for weapon in form.card.weapons
    ]
    return repr((form.card.KIND, stats.mind, stats.spirit, weapons, _effects_content(form)))


def target_content(form: Miniature) -> str:
    """Return all that attacks on a miniature that keeps no state depend on, apart from its Wounds, as text."""
    stats = form.card.stats
    return repr((form.card.KIND, stats.body, stats.spirit, _effects_content(form)))


def _effects_content(form: Miniature) -> list[object]:
    """Return the effects of a miniature without names, and the attributes that their Tests need."""
    tested = [getattr(form.card.stats, each.condition.test) for each in form.effects if each.condition.test]
    effects = (replace(effect, name="", weapon="weapon" if effect.weapon else "") for effect in form.effects)
    return [tested, *effects]

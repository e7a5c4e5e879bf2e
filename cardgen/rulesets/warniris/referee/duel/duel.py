"""The duel: two fighters in sight for some turns, exact or rolled, and the round robin of all pairs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache, cached_property
from itertools import starmap
from typing import Any

from cardgen.game import (
    CounterBounds,
    Die,
    ExactDuel,
    Library,
    Likeness,
    OddsTable,
    PreparedTrial,
    Procedure,
    RulesConfig,
    Step,
    Transition,
)
from cardgen.game import State as Pair
from cardgen.rulesets.warniris.limits import TURNS
from cardgen.rulesets.warniris.referee import modifiers
from cardgen.rulesets.warniris.referee.attack import (
    ATTACK_POINTS,
    react,
    resolve_attack,
    resolve_pending,
)
from cardgen.rulesets.warniris.referee.battle.attack_action import AttackAction, available_weapons
from cardgen.rulesets.warniris.referee.battle.marks import end_activation_marks
from cardgen.rulesets.warniris.referee.battle.movement import charge, out_of_charge_range, out_of_range
from cardgen.rulesets.warniris.referee.duel import counter_bounds
from cardgen.rulesets.warniris.referee.duel.blow_likeness import BlowLikeness
from cardgen.rulesets.warniris.referee.duel.outcome import DuelOutcome, elimination_chances, vp_tables
from cardgen.rulesets.warniris.referee.effects.effects import start_activation, start_effects
from cardgen.rulesets.warniris.referee.game import ACTIONS_PER_ACTIVATION, Game
from cardgen.rulesets.warniris.referee.miniature import Miniature
from cardgen.rulesets.warniris.referee.reaction_rights import is_unanswerable, may_react
from cardgen.rulesets.warniris.referee.situations import DuelSituation, build_miniatures, not_simulated
from cardgen.rulesets.warniris.referee.state import State


class Duel(ExactDuel[DuelOutcome]):
    """A duel on a table of two, in sight of each other for some turns."""

    def __init__(self, game: Game, turns: int = TURNS, library: Library | None = None) -> None:
        super().__init__((game.name(0), game.name(1)), library=library)
        self.game, self.turns, self.likeness, self._library = game, turns, BlowLikeness(game), library
        self._step = cache(self._step_of)
        self._attack_cache: dict[tuple[int, bool, int | None], AttackAction | None] = {}

    def initial_state(self) -> Pair:
        """The state before anything has happened."""
        return self.game.initial_state()

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
        triggers = self.game.triggers
        if triggers & counter_bounds.START_TRIGGERS:
            yield "dawn", first
        for turn in range(1, self.turns + 1):
            for who in (first, 1 - first):
                yield from [(name, who) for name in self._activation_events[who]]
            if turn < self.turns:
                yield "dusk", first
            elif "turn_end" in triggers:
                yield "last dusk", first

    @cached_property
    def _activation_events(self) -> tuple[list[str], list[str]]:
        """The steps of each fighter's activation, with as many attacks as Actions (ruling `same-action`)."""
        return self._events_of(0), self._events_of(1)

    def _events_of(self, who: int) -> list[str]:
        game = self.game
        has_start = game.has_trigger(who, "activation_start") or game.has_trigger(1 - who, "enemy_activated")
        has_start = has_start or counter_bounds.any_effect_lasts(game, "next-activation", "own-activation")
        lasts = counter_bounds.any_effect_lasts(game, "activation", "own-activation") or game.tracks_moves
        has_end = game.has_trigger(who, "activation_end") or lasts
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

        likeness = self.likeness
        transitions = [
            self._transition(
                self._react,
                who,
                limits(1, 0, reacting=True),
                lambda state: likeness.of_reaction(state, self._reaction_to(state, who)),
            ),
            self._transition(
                self._attack,
                who,
                limits(int(late), None, reacting=False),
                lambda state: likeness.of_attack(state, self._policy_attack(state, who, reaction=False)),
            ),
            self._transition(self._end_action, who, limits(1, 0, reacting=False), likeness.of_late_reaction),
        ]
        return self.chain.step(f"action {game.name(who)}", transitions, limits(1, None, reacting=True))

    def _transition(
        self,
        procedure: Callable[[State, int], Procedure[State]],
        who: int,
        limits: CounterBounds,
        likeness: Callable[[State], Likeness | None] = lambda _: None,
    ) -> Transition:
        return Transition(
            (procedure.__name__, who),
            lambda pair: procedure(State(*pair), who),
            limits,
            lambda pair: likeness(State(*pair)),
        )

    def _dawn(self, state: State, who: int) -> Procedure[State]:
        for moment in ("battle_start", "turn_start"):
            state = yield from start_effects(self.game, state, moment, (0, 1))
        return state

    def _dusk(self, state: State, first: int) -> Procedure[State]:
        """The end of a turn and the start of the next."""
        state = yield from self._last_dusk(state, first)
        for who, status in enumerate(state.mode.statuses):
            state = state.set_status(who, status._replace(used_sources=(), moved=""))
        state = self.game.restore_reactions(state)
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
        start = State(*self.initial_state())
        attacks = [self._policy_attack(start, who, reaction=reaction) for reaction in (False, True)]
        return {attack.weapon for attack in attacks if attack}

    def with_forms(self, *forms: Miniature) -> Duel:
        """Return the same duel of miniatures that differ only in weapons that are not in use."""
        game = replace(self.game, miniatures=forms, cache={})
        duel = Duel(game, self.turns, self._library)
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
        initial = self.game.initial_state()
        if attack.distance is not None:
            initial = initial.at_distance(attack.distance)
        weapons = available_weapons(self.game, initial, attack.attacker)
        if attack.weapon not in weapons:
            return (-1,)
        limits = counter_bounds.of_action(self.game, attack.attacker, 0, None, may_react=False)
        transition = Transition(
            ("trial", attack),
            lambda pair: self._resolve(State(*pair), attack),
            limits,
            lambda pair: self.likeness.of_attack(State(*pair), attack),
        )
        mean = -self.chain.mean_change(initial, transition, attack.target)
        return mean, weapons[attack.weapon].precedence, -list(weapons).index(attack.weapon)


def set_up_duel(situation: DuelSituation, config: RulesConfig) -> PreparedTrial:
    """A duel of two cards with their relics."""
    miniatures = build_miniatures([(situation.a, situation.relic_a), (situation.b, situation.relic_b)])
    game = Game(miniatures, (0, 1), config.rulings, config.policy, distance=situation.distance)
    return Duel(game, situation.turns).prepare(situation.first, not_simulated(game))

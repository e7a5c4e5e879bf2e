"""The course of a duel in which neither side keeps a state: what each deals, turn by turn, while both stand."""

from __future__ import annotations

from collections.abc import Iterator
from operator import itemgetter

from cardgen.game import Die, odds
from cardgen.rulesets.warniris.referee.attack import may_react, resolve_attack, take_timing_test
from cardgen.rulesets.warniris.referee.attack_action import AttackAction
from cardgen.rulesets.warniris.referee.duel import Duel
from cardgen.rulesets.warniris.referee.duel_form import keeps_no_state
from cardgen.rulesets.warniris.referee.duel_race import Blows, Courses, Reaction
from cardgen.rulesets.warniris.referee.game import Mode, State

# More Wounds than anybody can lose.
_UNHURT = 10_000


class DuelCourse:
    """What the first miniature of a duel deals to the second with each choice of weapons."""

    def __init__(self, duel: Duel) -> None:
        self._duel, self._game = duel, duel.game
        self._start = duel.game.initial_state()
        self._blows: dict[tuple[Mode, AttackAction], Die[int]] = {}
        self._reactions: dict[tuple[Mode, AttackAction], Reaction] = {}
        self._courses: dict[tuple[AttackAction, AttackAction], Courses] = {}

    def courses(self, wounds: int) -> Courses | None:
        """Return the turns of the side against these Wounds; None if the weapons that the policy uses keep a state."""
        attack, reaction = (self._choice(wounds, reaction=reaction) for reaction in (False, True))
        used = {attack.weapon, reaction.weapon}
        if not all(keeps_no_state(effect) for effect in self._game.miniatures[0].effects if effect.weapon in used):
            return None
        if (attack, reaction) not in self._courses:
            first, second = (tuple(self._turns(first, attack, reaction)) for first in (0, 1))
            self._courses[attack, reaction] = first, second
        return self._courses[attack, reaction]

    def _choice(self, wounds: int, *, reaction: bool) -> AttackAction:
        """Return the attack or the reaction that the policy chooses; the earlier line wins a tie."""
        weapons = [weapon.name for weapon in self._game.miniatures[0].weapons if weapon.needs_test]
        attacks = [AttackAction(0, 1, weapon, reaction=reaction) for weapon in weapons]
        if len(attacks) < 2 or self._game.policy["weapon"] == "first":
            return attacks[0]
        return max(attacks, key=lambda attack: self._blow(self._start, attack).mean(lambda damage: min(damage, wounds)))

    def _turns(self, first: int, attack: AttackAction, reaction: AttackAction) -> Iterator[Blows]:
        """Yield the turns of the side; each ends with the last attack, or reaction, of an activation."""
        state, attacks, reacts = self._start, list[Die[int]](), Reaction()
        for name, who in self._duel.events(first):
            if name != "action":
                state = self._after(name, state, who)
            elif who == 0:
                attacks.append(self._blow(state, attack))
                state = self._after_action(state, 1)
            else:
                reacts = self._reaction(state, reaction) if self._reacts(state, 0) else reacts
                state = self._after_action(state, 0)
            if name == "dusk":
                yield Blows(tuple(attacks), reacts)
                attacks, reacts = [], Reaction()
        if attacks:
            yield Blows(tuple(attacks), reacts)

    def _reacts(self, state: State, who: int) -> bool:
        return self._game.policy["reactions"] != "never" and may_react(self._game, state, who)

    def _after_action(self, state: State, reactor: int) -> State:
        """Return the state after an action, to which the other side has reacted if it can."""
        if self._reacts(state, reactor):
            state = state.change_counter(self._game.reaction_counter(reactor), -1)
        return state.end_window("action")

    def _after(self, name: str, state: State, who: int) -> State:
        """Return the only state that follows a step in which no attack is made."""
        (after,) = odds(self._duel.effect_procedure(name), state, who).weights
        return after

    def _blow(self, state: State, attack: AttackAction) -> Die[int]:
        key = (state.mode, attack)
        if key not in self._blows:
            counters = (self._start.wounds(0), _UNHURT, *state.counters[2:])
            die = odds(resolve_attack, self._game, State(state.mode, counters), attack)
            self._blows[key] = die.map(lambda after: _UNHURT - after.wounds(1))
        return self._blows[key]

    def _reaction(self, state: State, attack: AttackAction) -> Reaction:
        key = (state.mode, attack)
        if key not in self._reactions:
            timed = attack._replace(hits=self._game.rulings["reaction-hit"] == "timing")
            in_time = odds(take_timing_test, self._game, state, attack).map(itemgetter(1))
            self._reactions[key] = Reaction(self._blow(state, timed), self._blow(state, attack), in_time)
        return self._reactions[key]

"""The course of a duel in which neither side keeps a state: what each deals, turn by turn, while both stand."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from fractions import Fraction
from itertools import repeat
from operator import itemgetter
from sys import intern
from typing import Any, TypeVar

from cardgen.game import Die, odds
from cardgen.rulesets.warniris.referee.attack import resolve_attack, take_timing_test
from cardgen.rulesets.warniris.referee.battle.attack_action import AttackAction
from cardgen.rulesets.warniris.referee.duel.counter_bounds import ATTACK_TRIGGERS
from cardgen.rulesets.warniris.referee.duel.duel import Duel
from cardgen.rulesets.warniris.referee.duel.form import keeps_no_state
from cardgen.rulesets.warniris.referee.duel.race import Blow, Blows, Courses, Reaction
from cardgen.rulesets.warniris.referee.miniature import DAMAGE_CHANGE, LOSS_PREVENTION
from cardgen.rulesets.warniris.referee.reaction_rights import may_react
from cardgen.rulesets.warniris.referee.state import State

H = TypeVar("H", bound=Hashable)

_DURING_ATTACKS = ATTACK_TRIGGERS | {LOSS_PREVENTION, DAMAGE_CHANGE}
# More Wounds than anybody can lose.
_UNHURT = 10_000


class DuelCourse:
    """What the first miniature of a duel deals to the second, whichever weapons it uses.

    `duel_of` returns the duel, which is not kept here. Equal blows of several duels are computed once, in `blows`.
    """

    def __init__(self, duel_of: Callable[[], Duel], blows: BlowLibrary) -> None:
        self._duel_of, self._blows = duel_of, blows
        duel = duel_of()
        one, start = duel.game.miniatures[0], duel.game.initial_state()
        weapons = [weapon for weapon in one.weapons if weapon.needs_test]
        names = [weapon.name for weapon in weapons]
        self._precedences = [weapon.precedence for weapon in weapons]
        only_first = len(names) < 2 or duel.game.policy["weapon"] == "first"
        # By whether it is a reaction: the damage of each weapon at first; None if it does not matter.
        self._damages = [
            [None if only_first else blows.blow(duel, start, _attack(name, reaction=reaction)) for name in names]
            for reaction in (False, True)
        ]
        self._names = tuple(map(intern, names))
        self._keeps_state = {effect.weapon for effect in one.effects if effect.weapon and not keeps_no_state(effect)}
        self._courses: dict[tuple[str, str], Courses] = {}

    def courses(self, wounds: int) -> Courses | None:
        """Return the turns of the side against these Wounds; None if the weapons that the policy uses keep a state."""
        used = self._choice(self._damages[0], wounds), self._choice(self._damages[1], wounds)
        if not self._keeps_state.isdisjoint(used):
            return None
        if used not in self._courses:
            self._courses[used] = self._blows.courses(self._duel_of(), *used)
        return self._courses[used]

    def _choice(self, damages: Sequence[Blow | None], wounds: int) -> str:
        """Return the weapon that the policy chooses, as `Duel` does."""
        means = [
            blow[min(wounds, len(blow)) - 1].mean(lambda damage: min(damage, wounds)) if blow else Fraction(0)
            for blow in damages
        ]
        if damages[0] is None:
            return self._names[0]
        ranks = [*zip(means, self._precedences, strict=True)]
        return self._names[ranks.index(max(ranks))]


def _attack(weapon: str, *, reaction: bool) -> AttackAction:
    return AttackAction(0, 1, weapon, reaction=reaction)


class BlowLibrary:
    """The blows of several duels, and their courses; equal ones are one object."""

    def __init__(self) -> None:
        self._dice: dict[Hashable, Die[int]] = {}
        self._same: dict[Hashable, Any] = {}

    def courses(self, duel: Duel, attack: str, reaction: str) -> Courses:
        """Return all turns of the first side with these weapons, if it goes first and if it goes second."""
        attacks = _attack(attack, reaction=False), _attack(reaction, reaction=True)
        first, second = (tuple(_Turns(self, duel).each(first, *attacks)) for first in (0, 1))
        return self._one((first, second))

    def blow(self, duel: Duel, state: State, attack: AttackAction) -> Blow:
        """Return the damage of an attack, computed once for each mode of a duel."""
        memory, key = duel.game.cache, ("blow", state.mode, attack)
        if key not in memory:
            unhurt, threshold = self._damage(duel, state, attack, _UNHURT), duel.game.max_wound_threshold(1)
            # With more Wounds than these, no damage of the attack reaches the threshold.
            most = threshold + max(unhurt.weights) if threshold else 0
            dice = [self._damage(duel, state, attack, wounds) for wounds in range(1, most + 1)]
            memory[key] = self._one((*dice, unhurt))
        blow: Blow = memory[key]
        return blow

    def _damage(self, duel: Duel, state: State, attack: AttackAction, wounds: int) -> Die[int]:
        """Return the damage of an attack on a target with these Wounds, computed once for blows that are alike."""
        before = State(state.mode, (duel.game.miniatures[0].wounds, wounds, *state.counters[2:]))
        likeness = duel.likeness.of_attack(before, attack)
        if likeness and likeness[0] in self._dice:
            return self._dice[likeness[0]]
        damage = odds(resolve_attack, duel.game, before, attack).map(lambda after: wounds - after.wounds(1))
        if likeness:
            self._dice[likeness[0]] = damage
        return damage

    def reaction(self, duel: Duel, state: State, attack: AttackAction) -> Reaction:
        """Return a reaction in time, and a late one, computed once for each mode of a duel."""
        memory, key = duel.game.cache, ("reaction", state.mode, attack)
        if key not in memory:
            timed = attack._replace(hits=duel.game.rulings["reaction-hit"] == "timing")
            in_time = odds(take_timing_test, duel.game, state, attack).map(itemgetter(1))
            memory[key] = Reaction(self.blow(duel, state, timed), self.blow(duel, state, attack), in_time)
        reaction: Reaction = memory[key]
        return reaction

    def _one(self, value: H) -> H:
        """Return the first value that equals this one."""
        same: H = self._same.setdefault(value, value)
        return same


class _Turns:
    """The turns of the first side of a duel."""

    def __init__(self, blows: BlowLibrary, duel: Duel) -> None:
        self._blows, self._duel, self._game = blows, duel, duel.game

    def each(self, first: int, attack: AttackAction, reaction: AttackAction) -> Iterator[Blows]:
        """Yield the turns, of which only the first is computed if effects start at no moment."""
        turns = self._of_all(first, attack, reaction)
        return turns if self._game.triggers - _DURING_ATTACKS else repeat(next(turns), self._duel.turns)

    def _of_all(self, first: int, attack: AttackAction, reaction: AttackAction) -> Iterator[Blows]:
        state, attacks, reacts = self._game.initial_state(), list[Blow](), Reaction()
        for name, who in self._duel.events(first):
            if name != "action":
                state = self._after(name, state, who)
            elif who == 0:
                attacks.append(self._blows.blow(self._duel, state, attack))
                state = self._after_action(state, 1)
            else:
                reacts = self._blows.reaction(self._duel, state, reaction) if self._reacts(state, 0) else reacts
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
        """Return the only state that follows a step in which no attack is made, computed once for each state."""
        memory, key = self._game.cache, ("after", name, state, who)
        if key not in memory:
            (memory[key],) = odds(self._duel.effect_procedure(name), state, who).weights
        after: State = memory[key]
        return after

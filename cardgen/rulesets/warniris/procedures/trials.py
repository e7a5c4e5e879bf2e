"""The trials of Warniris that have odds: a test, an attack."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from cardgen.referee.die import Die
from cardgen.referee.odds import odds
from cardgen.referee.requests import Procedure, Reason, Test
from cardgen.rulesets.adjudication import Figures, Matter, Terms
from cardgen.rulesets.warniris.procedures import reckoning
from cardgen.rulesets.warniris.procedures.attack import due, strike
from cardgen.rulesets.warniris.procedures.blow import Blow, weapons
from cardgen.rulesets.warniris.procedures.cards import fighters, left_out, weapon_called
from cardgen.rulesets.warniris.procedures.effects import start
from cardgen.rulesets.warniris.procedures.legality import objection
from cardgen.rulesets.warniris.procedures.moving import charge, too_far
from cardgen.rulesets.warniris.procedures.reaction import POINTS, may_react, react
from cardgen.rulesets.warniris.procedures.situations import AttackSituation, TestSituation
from cardgen.rulesets.warniris.procedures.state import State
from cardgen.rulesets.warniris.procedures.table import Table

EVENTS = {"hit": "hits", "resist": "is resisted", "damage": "wounds", "eliminate": "eliminates"}


def set_up_test(situation: TestSituation, terms: Terms) -> Matter:
    """A test with its bonus and penetration."""
    table = Table(fighters([(situation.card, None)]), (0,), terms.rulings, terms.policy)
    bonus = [Reason("bonus" if situation.bonus > 0 else "penalty", situation.bonus)] if situation.bonus else []
    pierce = [Reason("Penetration", -situation.penetration)] if situation.penetration else []
    test = reckoning.test(table, "test", 0, f"{situation.attribute.capitalize()}", situation.attribute, bonus, pierce)

    def procedure() -> Procedure[bool]:
        passed = yield test
        return bool(passed)

    def figures() -> tuple[Figures, ...]:
        die = odds(procedure)
        return (Figures(_told_test(test), (("success", die.chance(bool)), ("failure", 1 - die.chance(bool)))),)

    title = f"{table.name(0)}: {situation.attribute.capitalize()}"
    return Matter(
        title, procedure, lambda passed: ("success" if passed else "failure",), bool, figures, left_out(table)
    )


def _told_test(test: Test) -> str:
    reasons = "".join(f", {reason}" for reason in test.reasons)
    return f"{test.who}: {test.basis}{reasons}: needs {test.need} or less"


def set_up_attack(situation: AttackSituation, terms: Terms) -> Matter:
    """An attack. Raises ValueError where it may not be made, or for a weapon that is not there."""
    return Attack(situation, terms).matter()


class Attack:
    """An attack on a table of its own: attacker, target, and those in between; `begin` is the state before it.

    Raises ValueError with a sentence for the user where it may not be made.
    """

    def __init__(self, situation: AttackSituation, terms: Terms) -> None:
        self.situation = situation
        pair = [(situation.attacker, situation.relic), (situation.target, situation.target_relic)]
        people = fighters([*pair, *((card, None) for card in situation.between)])
        sides = (0, *[1] * (len(people) - 1))
        policy = {**terms.policy, "moment": situation.moment}
        profile = _line(people[0].weapons, situation.weapon)
        if profile is not None and not profile.needs_test:
            sides = (0, 0, *sides[2:])
        self.table = Table(people, sides, terms.rulings, policy, distance=situation.distance, records=True)
        self.begin = self.table.start(self._wounds())
        weapon = self._weapon()
        between = tuple(range(2, len(people)))
        self.blow = Blow(0, 1, weapon, situation.distance, self._gap(), between)
        problem = objection(self.table, self.begin, self.blow._replace(distance=None))
        problem = problem or too_far(self.table, self.begin, self.blow)
        if problem:
            raise ValueError(problem)
        self.answer = self._reaction()

    def _wounds(self) -> tuple[int, ...]:
        printed = [fighter.wounds for fighter in self.table.fighters]
        for who, given in enumerate((self.situation.wounds, self.situation.target_wounds)):
            if given is None:
                continue
            if given > printed[who]:
                raise ValueError(f"{self.table.name(who)} has Wounds {printed[who]}, not {given}")
            printed[who] = given
        return tuple(printed)

    def _gap(self) -> bool:
        """Whether terrain leaves only a gap (section 6: Cover)."""
        if self.situation.cover == "hidden":
            raise ValueError(f"{self.table.name(1)} is wholly hidden, and without a line of sight there is no attack")
        return self.situation.gap or self.situation.cover == "gap"

    def _weapon(self) -> str:
        """The weapon named, or the first with which the attack can be made."""
        if self.situation.weapon is not None:
            return weapon_called(self.table, self.begin, 0, self.situation.weapon)
        known = [name for name, weapon in weapons(self.table, self.begin, 0).items() if weapon.needs_test]
        if not known:
            raise ValueError(f"{self.table.name(0)} has nothing to attack with")
        blows = {name: Blow(0, 1, name, self.situation.distance) for name in known}
        return next((name for name in known if not too_far(self.table, self.begin, blows[name])), known[0])

    def _reaction(self) -> Blow | None:
        if self.situation.reaction is None:
            return None
        if not may_react(self.table, self.begin, 1):
            raise ValueError(f"{self.table.name(1)} is a Minion, and Minions never react")
        weapon = weapon_called(self.table, self.begin, 1, self.situation.reaction)
        blow = Blow(1, 0, weapon, self.situation.distance, self._gap(), reaction=True)
        problem = objection(self.table, self.begin, blow._replace(distance=None)) or too_far(
            self.table, self.begin, blow
        )
        if problem:
            raise ValueError(f"the reaction is not possible: {problem}")
        return blow

    def procedure(self) -> Procedure[State]:
        """Relics first, then the reaction's timing, the attack, and what is left of the reaction."""
        table, state = self.table, self.begin
        for who in (1, 0):
            state = yield from start(table, state, "activation_start", (who,))
        if self.answer:
            state = yield from react(table, state, self.answer, POINTS)
        if state.stands(0) and state.stands(1):
            state, blow = yield from charge(table, state, self.blow, self.situation.crossed)
            if blow:
                state = yield from strike(table, state, blow)
        return (yield from due(table, state, 0, "end"))

    def matter(self) -> Matter:
        """The attack as the referee takes it."""
        name, target = self.table.name(0), self.table.name(1)
        title = f"{name}: {self.blow.weapon} at {target}"
        return Matter(title, self.procedure, self.told, self.kept, self.figures, left_out(self.table))

    def told(self, state: State) -> tuple[str, ...]:
        """What became of everybody."""
        return tuple(f"{self.table.name(who)}: {self.fate(state, who)}" for who in range(len(self.table.fighters)))

    def fate(self, state: State, who: int) -> str:
        """What became of one of them."""
        before, after = self.begin.wounds(who), state.wounds(who)
        if not after:
            return f"eliminated (had {before})"
        change = after - before
        left = f"{after} {'Wound' if after == 1 else 'Wounds'} left"
        return f"{left} ({change:+d})" if change else f"{left}, unharmed"

    def kept(self, state: State) -> Any:
        """The wounds left, for the transcript."""
        return {self.table.name(who): state.wounds(who) for who in range(len(self.table.fighters))}

    def figures(self) -> tuple[Figures, ...]:
        """The exact answer."""
        die = odds(self.procedure)
        who = self.table.name(0)
        chances = [(f"{who} {words}", die.map(self._did(event)).chance(bool)) for event, words in EVENTS.items()]
        losses = [self._losses(die, who) for who in range(len(self.table.fighters))]
        shown = [each for who, each in enumerate(losses) if who == 1 or len(each.parts) > 1]
        return (Figures(f"{who}: {self.blow.weapon} at {self.table.name(1)}", chances=tuple(chances)), *shown)

    def _did(self, event: str) -> Callable[[State], bool]:
        """Whether the attacker's own attack came to that."""

        def look(state: State) -> bool:
            return any(d.event == event and (d.of if event == "resist" else d.by) == 0 for d in state.mode.deeds)

        return look

    def _losses(self, die: Die[State], who: int) -> Figures:
        """How many wounds somebody loses; fewer than none where it is healed."""
        lost = die.map(lambda state: self.begin.wounds(who) - state.wounds(who))
        chances = dict(lost)
        parts = tuple((str(points), chances[points]) for points in sorted(chances))
        return Figures(f"Wounds that {self.table.name(who)} loses", parts, means=(("mean", lost.mean(int)),))


def _line(lines: Any, name: str | None) -> Any:
    return next((line for line in lines if name and line.name.casefold() == name.casefold()), None)

"""The trials of Warniris: tests, attacks, duels, and battles."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from operator import neg
from typing import Any

from cardgen.game import (
    Benchmark,
    CardData,
    Die,
    GameTrials,
    Log,
    Modifier,
    OddsTable,
    PreparedTrial,
    Procedure,
    RulesConfig,
    Test,
    Trial,
    TypicalCard,
    distribution_table,
    find_by_name,
    odds,
    quantity,
)
from cardgen.rulesets.warniris.battle.battle import set_up_battle
from cardgen.rulesets.warniris.referee import modifiers
from cardgen.rulesets.warniris.referee.attack import ATTACK_POINTS, react, resolve_attack, resolve_pending
from cardgen.rulesets.warniris.referee.conditions import AttackAction, available_weapons
from cardgen.rulesets.warniris.referee.duel import set_up_duel
from cardgen.rulesets.warniris.referee.effects import start_activation, start_effects
from cardgen.rulesets.warniris.referee.game import Game, State
from cardgen.rulesets.warniris.referee.measurements import (
    charge,
    charge_end,
    objection,
    out_of_charge_range,
    out_of_range,
)
from cardgen.rulesets.warniris.referee.modifiers import reaction_objection
from cardgen.rulesets.warniris.referee.race import crowd, round_robin
from cardgen.rulesets.warniris.referee.situations import (
    ATTACK_CONDITIONS,
    CARRIER_KINDS,
    EQUIPMENT_KINDS,
    FIGHTER_KINDS,
    AttackSituation,
    TestSituation,
    build_miniatures,
    find_weapon,
    not_simulated,
)
from cardgen.rulesets.warniris.rulebook import POLICIES

EVENT_VERBS = {"hit": "hits", "resist": "is resisted", "damage": "wounds", "eliminate": "eliminates"}


class AttackTrial:
    """An attack on a table of its own: attacker, target, and those in between; `begin` is the state before it.

    Raises ValueError with a sentence for the user where it may not be made.
    """

    def __init__(self, situation: AttackSituation, config: RulesConfig) -> None:
        self.situation = situation
        if situation.moment != "before" and situation.reaction is None:
            raise ValueError("a moment belongs to a reaction; choose one with --reaction")
        pair = [(situation.attacker, situation.relic), (situation.target, situation.target_relic)]
        miniatures = build_miniatures([*pair, *((card, None) for card in situation.between)])
        sides = (0, *[1] * (len(miniatures) - 1))
        policy = {**config.policy, "moment": situation.moment}
        profile = find_by_name(miniatures[0].weapons, situation.weapon or "")
        self._takes_tests = profile is None or profile.needs_test
        if not self._takes_tests:
            sides = (0, 0, *sides[2:])
        # The distance of the miniatures in between, which is not more than the target's.
        distance, most = self.situation.distance_between, self.situation.distance
        if distance is not None and not self.situation.between:
            raise ValueError("there are no miniatures in between whose distance counts")
        if distance is not None and (most is None or distance > most):
            raise ValueError(f"miniatures in between are nearer than the target, not {distance} cm away")
        self.game = Game(
            miniatures,
            sides,
            config.rulings,
            policy,
            distance=situation.distance,
            distance_between=distance,
            logs_events=True,
        )
        initial = [*self.game.initial_state().counters[: len(self.game.miniatures)]]
        for who, wounds in enumerate((self.situation.wounds, self.situation.target_wounds)):
            if wounds is None:
                continue
            if wounds > initial[who]:
                raise ValueError(f"{self.game.name(who)} has Wounds {initial[who]}, not {wounds}")
            initial[who] = wounds
        self.initial_state = self.game.initial_state(tuple(initial))
        problems = []
        for state in odds(self._start_activations).weights:
            try:
                self.attack, self.reaction = self._prepare_actions(state)
            except ValueError as error:
                problems.append(error)
            else:
                return
        raise problems[0]

    def _prepare_actions(self, state: State) -> tuple[AttackAction, AttackAction | None]:
        """Return the attack and the reaction, if legal after the activation's start."""
        between = tuple(range(2, len(self.game.miniatures)))
        weapon = self._choose_weapon(state)
        attack = AttackAction(0, 1, weapon, self.situation.distance, self._has_gap(), between)
        problem = objection(self.game, state, attack._replace(distance=None))
        problem = problem or out_of_charge_range(self.game, state, attack)
        if problem:
            raise ValueError(problem)
        if self.situation.crossed and not out_of_range(self.game, state, attack):
            name = self.game.name(0)
            raise ValueError(f"{name} does not pass through enemies in a free Move: {weapon} is in Range")
        return attack, self._prepare_reaction(state, attack)

    def _has_gap(self) -> bool:
        """Whether terrain leaves only a gap (section 6: Cover; rulings `partial-cover` and `small-gaps`)."""
        rulings, cover = self.game.rulings, self.situation.cover
        if cover == "hidden" or (cover == "slit" and rulings["small-gaps"] == "blocked"):
            raise ValueError(f"{self.game.name(1)} is wholly hidden: an attack needs a line of sight")
        is_hindrance = cover in ("gap", "slit") or (cover == "part" and rulings["partial-cover"] == "hindered")
        return self.situation.gap or is_hindrance

    def _choose_weapon(self, state: State) -> str:
        """The weapon named, or the first with which the attack can be made."""
        if self.situation.weapon is not None:
            return find_weapon(self.game, state, 0, self.situation.weapon)
        names = [name for name, weapon in available_weapons(self.game, state, 0).items() if weapon.needs_test]
        if not names:
            raise ValueError(f"{self.game.name(0)} has nothing to attack with")
        attacks = {name: AttackAction(0, 1, name, self.situation.distance) for name in names}
        return next((name for name in names if not out_of_charge_range(self.game, state, attacks[name])), names[0])

    def _prepare_reaction(self, state: State, attack: AttackAction) -> AttackAction | None:
        if self.situation.reaction is None:
            return None
        if problem := reaction_objection(self.game, state, attack):
            raise ValueError(problem)
        weapon = find_weapon(self.game, state, 1, self.situation.reaction)
        line = attack.between[::-1]
        distance = self.situation.distance
        if self.situation.moment != "before" and out_of_range(self.game, state, attack):
            distance = charge_end(self.game, state, attack)
        reaction = AttackAction(1, 0, weapon, distance, self._has_gap(), line, reaction=True)
        problem = objection(self.game, state, reaction._replace(distance=None))
        problem = problem or out_of_charge_range(self.game, state, reaction)
        if problem:
            raise ValueError(f"the reaction is not possible: {problem}")
        return reaction

    def _start_activations(self) -> Procedure[State]:
        """Start what the start of the turn and the target's past activation left, then the attacker's activation."""
        everybody, state = range(len(self.game.miniatures)), self.initial_state
        for moment, bearers in (("battle_start", everybody), ("turn_start", everybody), ("activation_start", (1,))):
            state = yield from start_effects(self.game, state, moment, bearers, is_past=True)
        return (yield from start_activation(self.game, state, 0))

    def procedure(self) -> Procedure[State]:
        """Relics first, then the reaction's timing, the attack, and what is left of the reaction."""
        game, state = self.game, (yield from self._start_activations())
        if self.reaction and (yield from self._is_possible(state, self.reaction)):
            state = yield from react(game, state, self.reaction, ATTACK_POINTS)
        if state.stands(0) and state.stands(1) and (yield from self._is_possible(state, self.attack)):
            state = yield from self._attack(state)
        return (yield from resolve_pending(game, state, 0, "end"))

    def _is_possible(self, state: State, attack: AttackAction) -> Procedure[bool]:
        """Return whether an action is legal now.

        An effect that did not start may have been needed.
        """
        problem = out_of_charge_range(self.game, state, attack)
        if problem:
            yield Log("not possible: {}", (problem,))
        return not problem

    def _attack(self, state: State) -> Procedure[State]:
        """Make the attack, after a free Move where the target is out of Range."""
        attack: AttackAction | None = self.attack
        if out_of_range(self.game, state, self.attack):
            state, attack = yield from charge(self.game, state, self.attack, self.situation.crossed)
        return (yield from resolve_attack(self.game, state, attack)) if attack else state

    def prepare(self) -> PreparedTrial:
        """The attack as the referee takes it."""
        name, target = self.game.name(0), self.game.name(1)
        title = f"{name}: {self.attack.weapon} at {target}"
        return PreparedTrial(
            title, self.procedure, self.outcome_lines, self.outcome_data, self.odds_tables, tuple(self._not_simulated())
        )

    def _not_simulated(self) -> Iterator[str]:
        yield from not_simulated(self.game, ATTACK_CONDITIONS)
        situation = self.situation
        is_guess = situation.between and situation.distance is not None and situation.distance_between is None
        if is_guess and any(effect.depends_on_distance for effect in self.game.effects):
            yield f"miniatures in between count as {situation.distance} cm away, like the target"

    def outcome_lines(self, state: State) -> tuple[str, ...]:
        """What became of everybody."""
        return tuple(f"{self.game.name(who)}: {self.fate_line(state, who)}" for who in range(len(self.game.miniatures)))

    def fate_line(self, state: State, who: int) -> str:
        """What became of one of them."""
        before, after = self.initial_state.wounds(who), state.wounds(who)
        if not after:
            return f"eliminated (had {before})"
        change = after - before
        left = f"{quantity(after, 'Wound')} left"
        return f"{left} ({change:+d})" if change else f"{left}, unharmed"

    def outcome_data(self, state: State) -> Any:
        """The wounds left, for the transcript."""
        return {self.game.name(who): state.wounds(who) for who in range(len(self.game.miniatures))}

    def odds_tables(self) -> tuple[OddsTable, ...]:
        """The exact answer."""
        die = odds(self.procedure)
        who = self.game.name(0)
        if self._takes_tests:
            chances = tuple((f"{who} {words}", die.chance(self._caused(event))) for event, words in EVENT_VERBS.items())
        else:
            is_healed = die.chance(lambda state: state.wounds(1) > self.initial_state.wounds(1))
            chances = ((f"{who} needs no Test", Fraction(1)), (f"{self.game.name(1)} regains Wounds", is_healed))
        losses = [self._wounds_lost_table(die, who) for who in range(len(self.game.miniatures))]
        tables = [table for who, table in enumerate(losses) if who == 1 or len(table.parts) > 1]
        return (OddsTable(f"{who}: {self.attack.weapon} at {self.game.name(1)}", chances=chances), *tables)

    def _caused(self, event: str) -> Callable[[State], bool]:
        """Whether the attacker's own attack came to that."""

        def has_event(state: State) -> bool:
            return any(
                each.kind == event and (each.subject if event == "resist" else each.actor) == 0
                for each in state.mode.events
            )

        return has_event

    def _wounds_lost_table(self, die: Die[State], who: int) -> OddsTable:
        """Return the odds of the Wounds that a miniature loses, or regains if it is only healed."""
        name, lost = self.game.name(who), die.map(lambda state: self.initial_state.wounds(who) - state.wounds(who))
        is_healed = any(lost.weights) or (who == 1 and not self._takes_tests)
        if is_healed and max(lost.weights) <= 0:
            return distribution_table(f"Wounds that {name} regains", lost.map(neg))
        return distribution_table(f"Wounds that {name} loses", lost)


_ROWS = ("wounds", "eliminates")


def benchmarks(card: CardData, typical: TypicalCard) -> Iterator[Benchmark]:
    """Yield attacks with each weapon, and an attack on the fighter; for a Relic, those of its bearer."""
    other = typical(*FIGHTER_KINDS)
    bearer, relic = (typical(*CARRIER_KINDS), card) if card["kind"] in EQUIPMENT_KINDS else (card, None)
    if other is None or bearer is None or bearer["kind"] not in FIGHTER_KINDS:
        return
    with_relic = f"{bearer['name']} with {card['name']}" if relic else ""
    for weapon in bearer.get("weapons", ()):
        situation = {"attacker": bearer, "target": other, "weapon": weapon["name"], "relic": relic}
        who = f"{with_relic}: {weapon['name']}" if relic else weapon["name"]
        yield Benchmark(f"{who} at {other['name']}", "attack", situation, _ROWS)
    situation = {"attacker": other, "target": bearer, "target_relic": relic}
    yield Benchmark(f"{other['name']} at {with_relic or bearer['name']}", "attack", situation, _ROWS)


def set_up_test(situation: TestSituation, config: RulesConfig) -> PreparedTrial:
    """A test with its bonus and penetration."""
    game = Game(build_miniatures([(situation.card, None)]), (0,), config.rulings, config.policy)
    bonus = [Modifier("bonus" if situation.bonus > 0 else "penalty", situation.bonus)] if situation.bonus else []
    penetration = [Modifier("Penetration", -situation.penetration)] if situation.penetration else []
    test = modifiers.attribute_test(
        game, "test", 0, f"{situation.attribute.capitalize()}", situation.attribute, bonus, penetration
    )

    def procedure() -> Procedure[bool]:
        passed = yield test
        return bool(passed)

    def tables(die: Die[bool]) -> Iterator[OddsTable]:
        yield OddsTable(_test_title(test), (("success", die.chance_of(True)), ("failure", die.chance_of(False))))

    title = f"{game.name(0)}: {situation.attribute.capitalize()}"
    return PreparedTrial.of(
        title, procedure, lambda passed: ("success" if passed else "failure",), tables, not_simulated(game)
    )


def _test_title(test: Test) -> str:
    reasons = "".join(f", {reason}" for reason in test.modifiers)
    return f"{test.who}: {test.basis}{reasons}: needs {test.need} or less"


def set_up_attack(situation: AttackSituation, config: RulesConfig) -> PreparedTrial:
    """An attack. Raises ValueError where it may not be made, or for a weapon that is not there."""
    return AttackTrial(situation, config).prepare()


TRIALS = GameTrials(
    trials={
        "test": Trial.of(set_up_test),
        "attack": Trial.of(set_up_attack),
        "duel": Trial.of(set_up_duel, version=2),
        "battle": Trial.of(set_up_battle, version=2),
    },
    policies=POLICIES,
    fighters=FIGHTER_KINDS,
    round_robin=round_robin,
    crowd=crowd,
    numbers=(
        *(f"stats.{name}" for name in ("mind", "body", "spirit", "wounds")),
        *(f"weapons.{name}" for name in ("penetration", "damage")),
    ),
    carriers=CARRIER_KINDS,
    equipment=EQUIPMENT_KINDS,
    benchmarks=benchmarks,
)

"""The trials of Warniris: tests, attacks, duels, and battles."""

from __future__ import annotations

from collections.abc import Iterator

from cardgen.game import (
    Die,
    GameTrials,
    Modifier,
    OddsTable,
    PreparedTrial,
    Procedure,
    RulesConfig,
    Test,
    Trial,
)
from cardgen.rulesets.warniris.referee import modifiers
from cardgen.rulesets.warniris.referee.attack_trial import AttackTrial
from cardgen.rulesets.warniris.referee.battle.battle import set_up_battle
from cardgen.rulesets.warniris.referee.benchmarks import benchmarks
from cardgen.rulesets.warniris.referee.duel.crowd import crowd, round_robin
from cardgen.rulesets.warniris.referee.duel.duel import set_up_duel
from cardgen.rulesets.warniris.referee.game import Game
from cardgen.rulesets.warniris.referee.policy import POLICIES
from cardgen.rulesets.warniris.referee.situations import (
    CARRIER_KINDS,
    EQUIPMENT_KINDS,
    FIGHTER_KINDS,
    AttackSituation,
    TestSituation,
    build_miniatures,
    not_simulated,
)


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
        "duel": Trial.of(set_up_duel),
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

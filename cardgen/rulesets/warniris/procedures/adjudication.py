"""Everything of Warniris that the referee can judge."""

from __future__ import annotations

from cardgen.rulesets.adjudication import GameTrials, Trial
from cardgen.rulesets.warniris.procedures.battling import BattleSituation, set_up_battle
from cardgen.rulesets.warniris.procedures.duelling import round_robin, set_up_duel
from cardgen.rulesets.warniris.procedures.policy import POLICIES
from cardgen.rulesets.warniris.procedures.situations import (
    CARRIER_KINDS,
    EQUIPMENT_KINDS,
    FIGHTER_KINDS,
    AttackSituation,
    DuelSituation,
    TestSituation,
)
from cardgen.rulesets.warniris.procedures.trials import set_up_attack, set_up_test

TRIALS = GameTrials(
    trials={
        "test": Trial(TestSituation, set_up_test),
        "attack": Trial(AttackSituation, set_up_attack),
        "duel": Trial(DuelSituation, set_up_duel),
        "battle": Trial(BattleSituation, set_up_battle),
    },
    policies=POLICIES,
    fighters=FIGHTER_KINDS,
    round_robin=round_robin,
    carriers=CARRIER_KINDS,
    equipment=EQUIPMENT_KINDS,
)

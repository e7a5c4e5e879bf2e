"""Everything of Warcry that the referee can judge."""

from __future__ import annotations

from cardgen.rulesets.adjudication import GameTrials, Trial
from cardgen.rulesets.warcry.procedures.duelling import round_robin, set_up_duel
from cardgen.rulesets.warcry.procedures.phases import set_up_dice, set_up_disengage, set_up_fall, set_up_initiative
from cardgen.rulesets.warcry.procedures.policy import POLICIES
from cardgen.rulesets.warcry.procedures.situations import (
    BLESSINGS,
    FIGHTERS,
    ActivationSituation,
    AttackActionSituation,
    DiceSituation,
    DisengageSituation,
    FallSituation,
    FighterDuelSituation,
    InitiativeSituation,
)
from cardgen.rulesets.warcry.procedures.trials import set_up_activation, set_up_attack

TRIALS = GameTrials(
    trials={
        "attack": Trial(AttackActionSituation, set_up_attack),
        "activation": Trial(ActivationSituation, set_up_activation),
        "duel": Trial(FighterDuelSituation, set_up_duel),
        "initiative": Trial(InitiativeSituation, set_up_initiative),
        "dice": Trial(DiceSituation, set_up_dice),
        "disengage": Trial(DisengageSituation, set_up_disengage),
        "fall": Trial(FallSituation, set_up_fall),
    },
    policies=POLICIES,
    fighters=FIGHTERS,
    carriers=FIGHTERS,
    equipment=BLESSINGS,
    round_robin=round_robin,
)

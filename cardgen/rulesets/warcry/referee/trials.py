"""The trials of Warcry and the policy switches for choices nobody is asked for."""

from __future__ import annotations

from cardgen.game import GameTrials, Ruling, Trial
from cardgen.rulesets.warcry.referee.activation_trials import set_up_activation
from cardgen.rulesets.warcry.referee.attack_trials import set_up_attack
from cardgen.rulesets.warcry.referee.duel import round_robin, set_up_duel
from cardgen.rulesets.warcry.referee.fighter import BLESSINGS, FIGHTERS
from cardgen.rulesets.warcry.referee.phase_trials import set_up_dice, set_up_disengage, set_up_fall, set_up_initiative

POLICIES: tuple[Ruling, ...] = (
    Ruling(
        "wild",
        "What are wild dice used for?",
        {
            "seize": "As singles by whoever has not the initiative, where that makes a tie at least; saved otherwise.",
            "lift": "To lift one's best set.",
            "keep": "They are saved.",
        },
    ),
    Ruling(
        "reactions",
        "When does a fighter react in a duel?",
        {
            "first": "With Counter to the first melee attack that it may answer, which costs an action.",
            "never": "Never.",
        },
    ),
)


TRIALS = GameTrials(
    trials={
        "attack": Trial.of(set_up_attack),
        "activation": Trial.of(set_up_activation),
        "duel": Trial.of(set_up_duel),
        "initiative": Trial.of(set_up_initiative),
        "dice": Trial.of(set_up_dice),
        "disengage": Trial.of(set_up_disengage),
        "fall": Trial.of(set_up_fall),
    },
    policies=POLICIES,
    fighters=FIGHTERS,
    carriers=FIGHTERS,
    equipment=BLESSINGS,
    round_robin=round_robin,
)

"""The trials of Warcry, and policies for choices nobody is asked about."""

from __future__ import annotations

from cardgen.game import GameTrials, Ruling, Trial
from cardgen.rulesets.warcry.referee.activation_trials import set_up_activation
from cardgen.rulesets.warcry.referee.attack_trials import set_up_attack
from cardgen.rulesets.warcry.referee.battle.situation import set_up_battle
from cardgen.rulesets.warcry.referee.benchmarks import benchmarks
from cardgen.rulesets.warcry.referee.duel import cost, crowd, round_robin, set_up_duel
from cardgen.rulesets.warcry.referee.fighter import BLESSINGS, FIGHTERS
from cardgen.rulesets.warcry.referee.phase_trials import set_up_dice, set_up_disengage, set_up_fall, set_up_initiative

POLICIES: tuple[Ruling, ...] = (
    Ruling(
        "wild",
        "What are wild dice used for?",
        {
            "seize": "As singles by the player without the initiative, if that makes at least a tie; saved otherwise.",
            "lift": "To lift the best set.",
            "keep": "They are saved.",
        },
    ),
    Ruling(
        "reactions",
        "When does a fighter react in a duel?",
        {
            "first": "Counter to the first melee attack that it may answer; this costs an action.",
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
        "battle": Trial.of(set_up_battle, version=2),
    },
    policies=POLICIES,
    fighters=FIGHTERS,
    carriers=FIGHTERS,
    equipment=BLESSINGS,
    round_robin=round_robin,
    crowd=crowd,
    cost=cost,
    benchmarks=benchmarks,
    groups=("faction", "runemarks"),
    numbers=(
        *(f"stats.{name}" for name in ("toughness", "wounds")),
        *(f"weapons.{name}" for name in ("attacks", "strength", "damage", "critical")),
    ),
)

"""The trials of Diskwars, and policies for choices that no player makes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from cardgen.game import FORCES, Competitor, GameTrials, PreparedTrial, RulesConfig, Trial
from cardgen.rulesets.diskwars.referee import attack_trials, melee_trials, move_trials
from cardgen.rulesets.diskwars.referee.battle import battle
from cardgen.rulesets.diskwars.referee.benchmarks import benchmarks
from cardgen.rulesets.diskwars.referee.disk import DISKS
from cardgen.rulesets.diskwars.referee.duel import round_robin
from cardgen.rulesets.diskwars.referee.melee import TARGETS


def _cost(competitor: Competitor) -> int | None:
    cost = competitor.card.get("cost")
    return int(cost) if cost else None


_SET_UPS: dict[str, Callable[[Any, RulesConfig], PreparedTrial]] = {
    "attack": attack_trials.set_up_attack,
    "melee": melee_trials.set_up_melee,
    "scrum": melee_trials.set_up_scrum,
    "duel": melee_trials.set_up_duel,
    "dangerous": move_trials.set_up_dangerous,
    "impact": move_trials.set_up_impact,
    "magic": move_trials.set_up_magic,
    "unstable": attack_trials.set_up_unstable,
    "reach": move_trials.set_up_reach,
    "initiative": move_trials.set_up_initiative,
    "order": move_trials.set_up_order,
    "battle": battle.set_up_battle,
}
TRIALS = GameTrials(
    trials={name: Trial.of(set_up, 2 if name in ("melee", "battle") else 1) for name, set_up in _SET_UPS.items()},
    policies=(FORCES, TARGETS),
    fighters=DISKS,
    round_robin=round_robin,
    cost=_cost,
    benchmarks=benchmarks,
    groups=("faction", "disk"),
    numbers=("toughness", "stamina"),
)

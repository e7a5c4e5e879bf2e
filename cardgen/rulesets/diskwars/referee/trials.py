"""The trials of Diskwars, and policies for choices that no player makes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from cardgen.game import (
    FORCES,
    Benchmark,
    CardData,
    Competitor,
    GameTrials,
    PreparedTrial,
    RulesConfig,
    Trial,
    TypicalCard,
)
from cardgen.rulesets.diskwars.referee import duel, order
from cardgen.rulesets.diskwars.referee.battle import battle
from cardgen.rulesets.diskwars.referee.disk import DISKS
from cardgen.rulesets.diskwars.referee.duel import round_robin
from cardgen.rulesets.diskwars.referee.melee import TARGETS

_CASUALTY = "casualty"
_ROWS = (_CASUALTY, f"{_CASUALTY}: at least", f"{_CASUALTY}: at most")


def benchmarks(card: CardData, typical: TypicalCard) -> Iterator[Benchmark]:
    """Yield the ranged attacks of a disk, and melees in which it lies above and beneath another one."""
    other = typical(*DISKS)
    if other is None or card["kind"] not in DISKS:
        return
    for attack in card.get("ranged", ()):
        situation = {"attacker": card, "target": other, "weapon": attack["name"]}
        yield Benchmark(f"{attack['name']} at {other['name']}", "attack", situation, _ROWS)
    for above, beneath in ((card, other), (other, card)):
        situation = {"attackers": (above,), "defenders": (beneath,)}
        rows = tuple(f"{each['name']}: {_CASUALTY}" for each in (beneath, above))
        yield Benchmark(f"{above['name']} on {beneath['name']}", "melee", situation, rows)


def _cost(competitor: Competitor) -> int | None:
    cost = competitor.card.get("cost")
    return int(cost) if cost else None


_SET_UPS: dict[str, Callable[[Any, RulesConfig], PreparedTrial]] = {
    "attack": order.set_up_attack,
    "melee": duel.set_up_melee,
    "scrum": duel.set_up_scrum,
    "duel": duel.set_up_duel,
    "dangerous": order.set_up_dangerous,
    "impact": order.set_up_impact,
    "magic": order.set_up_magic,
    "unstable": order.set_up_unstable,
    "reach": order.set_up_reach,
    "initiative": order.set_up_initiative,
    "order": order.set_up_order,
    "battle": battle.set_up_battle,
}
# The versions of the questions of trials, which are 1 at first.
_VERSIONS = {"attack": 2, "melee": 2, "unstable": 2, "reach": 2, "battle": 5}
TRIALS = GameTrials(
    trials={name: Trial.of(set_up, _VERSIONS.get(name, 1)) for name, set_up in _SET_UPS.items()},
    policies=(FORCES, TARGETS),
    fighters=DISKS,
    round_robin=round_robin,
    cost=_cost,
    benchmarks=benchmarks,
    groups=("faction", "disk"),
    numbers=("toughness", "stamina"),
)

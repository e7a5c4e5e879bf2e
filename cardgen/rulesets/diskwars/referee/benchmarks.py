"""Benchmarks of disks: melees and ranged attacks on an ordinary disk, and a melee that it begins."""

from __future__ import annotations

from collections.abc import Iterator

from cardgen.game import Benchmark, CardData, TypicalCard
from cardgen.rulesets.diskwars.referee.disk import DISKS

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

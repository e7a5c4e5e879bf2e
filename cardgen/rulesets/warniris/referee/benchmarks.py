"""Benchmarks of fighters and Relics: attacks on an ordinary fighter, and by one."""

from __future__ import annotations

from collections.abc import Iterator

from cardgen.game import Benchmark, CardData, TypicalCard
from cardgen.rulesets.warniris.referee.situations import CARRIER_KINDS, EQUIPMENT_KINDS, FIGHTER_KINDS

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

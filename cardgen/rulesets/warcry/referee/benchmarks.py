"""Benchmarks of fighters and blessings: attacks on an ordinary fighter, and by one."""

from __future__ import annotations

from collections.abc import Iterator

from cardgen.game import Benchmark, CardData, TypicalCard
from cardgen.rulesets.warcry.referee.fighter import BLESSINGS, FIGHTERS

_ROWS = ("is taken down", "mean damage")


def benchmarks(card: CardData, typical: TypicalCard) -> Iterator[Benchmark]:
    """Yield attacks with each weapon, and an attack on the fighter; for a blessing, those of a blessed fighter."""
    other = typical(*FIGHTERS)
    fighter, blessing = (other, card) if card["kind"] in BLESSINGS else (card, None)
    if other is None or fighter is None or fighter["kind"] not in FIGHTERS:
        return
    who = f"{fighter['name']} with {card['name']}" if blessing else fighter["name"]
    for weapon in fighter.get("weapons", ()):
        situation = {"attacker": fighter, "target": other, "weapon": weapon["name"], "blessing": blessing}
        title = f"{who}: {weapon['name']}" if blessing else weapon["name"]
        yield Benchmark(f"{title} at {other['name']}", "attack", situation, _ROWS)
    situation = {"attacker": other, "target": fighter, "target_blessing": blessing}
    yield Benchmark(f"{other['name']} at {who}", "attack", situation, _ROWS)

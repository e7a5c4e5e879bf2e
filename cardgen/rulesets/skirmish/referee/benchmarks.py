"""Benchmarks of warriors and weapons: blows and shots at an ordinary warrior, and by one."""

from __future__ import annotations

from collections.abc import Iterator

from cardgen.game import Benchmark, CardData, TypicalCard

_WARRIOR, _WEAPON = "warrior", "weapon"
_ROWS = ("out of action", "stunned", "knocked down")


def benchmarks(card: CardData, typical: TypicalCard) -> Iterator[Benchmark]:
    """Yield attacks with each weapon, and an attack on the warrior; for a weapon, those of a warrior with it."""
    other = typical(_WARRIOR)
    if other is None or card["kind"] not in (_WARRIOR, _WEAPON):
        return
    warrior = {**other, "weapons": [card]} if card["kind"] == _WEAPON else card
    for weapon in warrior.get("weapons", ()):
        situation = {"attacker": warrior, "target": other, "weapon": weapon["name"]}
        trial = "shoot" if weapon.get("range") else "attack"
        yield Benchmark(f"{weapon['name']} at {other['name']}", trial, situation, _ROWS)
    if warrior is card:
        for one, two in ((card, other), (other, card)):
            title = f"{one['name']} at {two['name']}"
            yield Benchmark(title, "attack", {"attacker": one, "target": two}, _ROWS)

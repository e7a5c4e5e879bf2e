"""A weapon that another one on the same card beats in everything.

Why is this bad?
    Nobody will ever use it, so its line only takes room.
    Compared are weapons of one type, by Range, Penetration, Damage and Healing; one with effects is never beaten.

Example
    kind: character
    name: Asha
    stats: {M: 3, B: 3, S: 3, W: 5, Mo: 10}
    weapons:
      - {name: Sword, type: CW, range: 1, penetration: 2, damage: 2}
      - {name: Knife, type: CW, range: 1, penetration: 1, damage: 2}  # WN401: 12

Use instead
    kind: character
    name: Asha
    stats: {M: 3, B: 3, S: 3, W: 5, Mo: 10}
    weapons:
      - {name: Sword, type: CW, range: 1, penetration: 1, damage: 2}
      - {name: Knife, type: CW, range: 1, penetration: 3, damage: 1}
"""

from __future__ import annotations

from collections.abc import Iterator

from cardgen.check.finding import Confidence, Finding, Related
from cardgen.check.table import Scene
from cardgen.diagnostic import Severity
from cardgen.rulesets.warniris.kinds import Character, Minion, Weapon

CODE, NAME = "WN401", "dominated-weapon"
SEVERITY, CONFIDENCE = Severity.WARNING, Confidence.LIKELY
LOOKS_AT = (Character, Minion)

_NUMBERS = ("range", "penetration", "damage", "healing")


def find(card: Character | Minion, scene: Scene) -> Iterator[Finding]:
    """Each weapon that another one beats or, standing before it, equals."""
    for index, weapon in enumerate(card.weapons):
        better = next((at for at, other in enumerate(card.weapons) if _beats(other, weapon, first=at < index)), index)
        if better != index:
            other = card.weapons[better]
            message = f"'{weapon.name}' can do nothing that '{other.name}' cannot do as well"
            related = (Related(f"'{other.name}': {other.numbers}", ("weapons", better)),)
            yield Finding(message, ("weapons", index, "name"), help="change it, or remove it", related=related)


def _beats(other: Weapon, weapon: Weapon, *, first: bool) -> bool:
    if weapon.effects or weapon.text or other is weapon or other.type != weapon.type:
        return False
    if bool(weapon.healing) != bool(other.healing):
        return False
    pairs = [(getattr(other, number), getattr(weapon, number)) for number in _NUMBERS]
    as_good = all(theirs >= ours for theirs, ours in pairs)
    return as_good and (first or any(theirs > ours for theirs, ours in pairs) or bool(other.effects))

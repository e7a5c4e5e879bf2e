"""A crowd of Warniris characters of the kit's shape: its abilities, effects, and relics, with other numbers."""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path
from typing import Any

from cardgen.deck.card_lookup import CardLookup
from cardgen.matches import session
from cardgen.referee.trial import Competitor

KIT = Path(__file__).parents[2] / "cards" / "warniris"


@cache
def kit_cards(kind: str) -> tuple[dict[str, Any], ...]:
    """Return the kit's cards of a kind."""
    rules, _ = session.load_referee("warniris")
    lookup = CardLookup(rules, (KIT,))
    return tuple(lookup.card_data(entry) for entry in lookup.entries((kind,)))


def kit_competitors() -> list[Competitor]:
    """Return the kit's characters, two of three of which carry a relic."""
    relics = kit_cards("relic")
    return [
        Competitor(card, relics[n % len(relics)] if n % 3 else None) for n, card in enumerate(kit_cards("character"))
    ]


def kit_crowd(count: int) -> list[Competitor]:
    """Return a crowd of the kit's shape, two of three of which carry a relic.

    Each is a card of the kit with other numbers: stats, Penetration, Damage, and thresholds differ by up to 1.
    """
    dice, models, relics = random.Random(count), kit_cards("character"), kit_cards("relic")
    return [
        Competitor(_variant(dice, models[n % len(models)], n), dice.choice(relics) if n % 3 else None)
        for n in range(count)
    ]


def _variant(dice: random.Random, model: dict[str, Any], number: int) -> dict[str, Any]:
    stats = {key: _near(dice, value, 1, 5) for key, value in model["stats"].items()}
    stats |= {"wounds": _near(dice, model["stats"]["wounds"], 3, 10), "movement": model["stats"]["movement"]}
    weapons = [_other_weapon(dice, weapon) for weapon in model["weapons"]]
    abilities = [
        {**ability, "effects": [_other_effect(dice, effect) for effect in ability["effects"]]}
        for ability in model["abilities"]
    ]
    return {**model, "name": f"Character {number}", "stats": stats, "weapons": weapons, "abilities": abilities}


def _other_weapon(dice: random.Random, weapon: dict[str, Any]) -> dict[str, Any]:
    numbers = {key: _near(dice, weapon[key], 1, 4) for key in ("penetration", "damage") if weapon.get(key)}
    return {**weapon, **numbers}


def _other_effect(dice: random.Random, effect: dict[str, Any]) -> dict[str, Any]:
    condition = dict(effect.get("if") or {})
    if condition.get("wounds_at_most"):
        condition["wounds_at_most"] = _near(dice, condition["wounds_at_most"], 1, 5)
    return {**effect, "if": condition}


def _near(dice: random.Random, value: int, low: int, high: int) -> int:
    return min(max(value + dice.randint(-1, 1), low), high)

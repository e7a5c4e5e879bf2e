"""A crowd of Warniris characters with the kit's shape: other numbers, and its share of abilities, effects, and relics."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from cardgen.pipeline.load.card_lookup import CardLookup
from cardgen.pipeline.referee import setup
from cardgen.referee.trial import Competitor

KIT = Path(__file__).parents[2] / "cards" / "warniris"


@cache
def kit_cards(kind: str) -> tuple[dict[str, Any], ...]:
    """Return the kit's cards of a kind."""
    rules, _ = setup.load_referee("warniris")
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

    Each has the number of weapons and the abilities of a card of the kit, and other stats and weapons. Of the kit's
    weapons, as many have effects.
    """
    dice, relics = random.Random(count), kit_cards("relic")
    return [
        Competitor(_character(dice, number), dice.choice(relics) if number % 3 else None) for number in range(count)
    ]


def _character(dice: random.Random, number: int) -> dict[str, Any]:
    model = dice.choice(kit_cards("character"))
    stats = {letter: dice.randint(1, 5) for letter in "MBS"} | {"W": dice.randint(4, 9), "Mo": dice.randint(7, 16)}
    abilities = [
        {**each, "name": f"Ability {n}"} for n, each in enumerate(dice.choice(kit_cards("character"))["abilities"])
    ]
    return {
        "kind": "character", "name": f"Character {number}", "stats": stats, "abilities": abilities,
        "weapons": [*_weapons(dice, len(model["weapons"]))],
    }  # fmt: skip


def _weapons(dice: random.Random, count: int) -> Iterator[dict[str, Any]]:
    lines = [weapon for card in kit_cards("character") for weapon in card["weapons"]]
    for number in range(count):
        effects = dice.choice(lines).get("effects", ())
        sort, reach = dice.choice((("CW", 1), ("RW", 15), ("P", 12)))
        yield {
            "name": f"Weapon {number}", "type": sort, "range": reach, "penetration": dice.randint(0, 3),
            "damage": dice.randint(1, 3), "effects": [*effects],
        }  # fmt: skip

"""A large collection of Warcry cards as public JSON, its cardgen.yaml, and the same cards as YAML.

The names are our own. The shape is that of public data: one array of fighters and one of abilities, absent keys, names
with accents and quotes, the same name twice, factions that the game does not know, and a price that it does not know.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import islice, product
from pathlib import Path
from typing import Any

FIGHTERS, ABILITIES, FACTIONS = 1345, 932, 71
LONGEST_TEXT = 954
UNKNOWN_PRICE = "passive"
_PER_FILE = 250
_ALLIANCES = ("order", "chaos", "death", "destruction")
_FIRST = (
    "Éloise", "Brönn", "Señora", "Korsh", "Ilka", "Ødun", "Maçon", "Tarn", "Wrenna", "Zoë", "Hrafn", "Odile", "Pell",
    "Quill", "Ægir", "Ysolde", "Čapek", "Njáll", "Renée", "Ulf",
)  # fmt: skip
_SECOND = (
    "Lamplighter", "'the Sneak'", "of the Mire", "Ashfoot", "d'Orle", "Two-Hooks", "the Quiet", "\"Old\" Harrow",
    "Gutter-King", "Saltborn", "the Ninth", "Bellringer", "Thornback", "O'Marsh", "Wick", "Half-Moon",
)  # fmt: skip
_RANK = ("", "Sergeant ", "Captain ", "Elder ", "Squire ")
_PLACE = ("Lantern", "Mire", "Ash", "Salt", "Bell", "Thorn", "Gutter", "Moon", "Hook")
_BAND = ("Keepers", "Court", "Choir", "Wardens", "Pack", "Covenant", "Kin", "Company")
_ROLES = ("hero", "agile", "brute", "champion", "destroyer", "elite", "ferocious", "mystic", "thrall", "warrior")
_SHAPES = ("axe", "sword", "claws", "spear", "hammer", "ball-and-chain", "reach", "bident", "unarmed", "hook")
_SENTENCES = (
    "Pick a visible enemy fighter within 6\" of this fighter.",
    "Until the end of this fighter's activation, add the value of this ability to its Move characteristic.",
    "This fighter makes a bonus move action, and then a bonus attack action.",
    "Roll a number of dice equal to the value of this ability: for each 4+, that fighter is allocated 2 damage points.",
    "The fighter's own warband cannot be picked — not even \"by accident\".",
    "This ability can be used only if an enemy fighter has been taken down by this fighter in this activation.",
)  # fmt: skip
_VALUE = "the value of this ability"  # Abilities without dice have none.
_COSTS = ("double", "triple", "quad", "reaction", "double")


def write_json(folder: Path, longest: int = LONGEST_TEXT) -> None:
    """Write a project whose cards are two JSON files, with texts of up to `longest` characters."""
    (folder / "data").mkdir(parents=True)
    for name, rows in (("fighters", fighters()), ("abilities", abilities(longest))):
        text = json.dumps(list(rows), indent=2, ensure_ascii=False)
        (folder / "data" / f"{name}.json").write_text(text, encoding="utf-8")
    (folder / "cardgen.yaml").write_text(_settings() + _TABLES, encoding="utf-8")


def write_yaml(folder: Path, longest: int = LONGEST_TEXT) -> None:
    """Write a project with the same cards in YAML."""
    (folder / "cards").mkdir(parents=True)
    (folder / "cardgen.yaml").write_text(_settings(), encoding="utf-8")
    for kind, rows, card in (("fighter", fighters(), _fighter_card), ("ability", abilities(longest), _ability_card)):
        cards = [card(row) for row in rows]
        for start in range(0, len(cards), _PER_FILE):
            lines = "".join(f"- {json.dumps(each, ensure_ascii=False)}\n" for each in cards[start : start + _PER_FILE])
            text = f"game: warcry\nkind: {kind}\ncards:\n{lines}"
            (folder / "cards" / f"{kind}-{start:04}.yaml").write_text(text, encoding="utf-8")


def factions() -> dict[str, str]:
    """Return the factions with their grand alliances."""
    names = (f"{place} {band}" for band, place in product(_BAND, _PLACE))
    return {name: _ALLIANCES[index % 4] for index, name in enumerate(islice(names, FACTIONS))}


def fighters() -> Iterator[dict[str, Any]]:
    """Yield the fighters as public data have them; the last has the name of the first."""
    names = [f"{rank}{first} {second}" for rank, second, first in product(_RANK, _SECOND, _FIRST)][: FIGHTERS - 1]
    for index, name in enumerate([*names, names[0]]):
        faction, alliance = list(factions().items())[index % FACTIONS]
        row = {
            "_id": f"f{index:07x}",
            "name": name,
            "warband": faction,
            "grand_alliance": alliance,
            "movement": index % 5 + 3,
            "toughness": index // 5 % 4 + 3,
            "wounds": index % 37 + 8,
            "points": index % 83 * 5 + 40,
            "runemarks": [_ROLES[(index + step) % len(_ROLES)] for step in range(index % 4)],
            "weapons": [_weapon(index + step) for step in range(index % 2 + 1)],
        }
        yield row if index % 9 else {**row, "subfaction": "Night Watch"}


def _weapon(index: int) -> dict[str, Any]:
    is_ranged = index % 7 == 0
    return {
        "runemark": "ranged" if is_ranged else _SHAPES[index % len(_SHAPES)],
        "min_range": 3 if is_ranged else 0,
        "max_range": 12 if is_ranged else index % 2 + 1,
        "attacks": index % 4 + 2,
        "strength": index // 4 % 4 + 3,
        "dmg_hit": index % 3 + 1,
        "dmg_crit": index % 3 + index % 4 + 2,
    }


def abilities(longest: int = LONGEST_TEXT) -> Iterator[dict[str, Any]]:
    """Yield the abilities as public data have them; one has a price that the game does not know."""
    names = list(factions())
    for index in range(ABILITIES):
        faction = "universal" if index < 12 else names[index % FACTIONS]
        cost = UNKNOWN_PRICE if index == 544 else _COSTS[index % len(_COSTS)]
        text = _description(index, longest)
        yield {
            "_id": f"a{index:07x}",
            "name": f"{_FIRST[index % len(_FIRST)]}'s {_PLACE[index // 20 % 9]} {('Oath', 'Toll', 'Grip')[index % 3]}",
            "warband": faction,
            "cost": cost,
            "description": text if cost in ("double", "triple", "quad") else text.replace(_VALUE, "twice that"),
            "runemarks": [_ROLES[index % len(_ROLES)]] if index % 3 else [],
            **({"monster": True} if index % 22 == 0 else {}),
        }


def _description(index: int, longest: int) -> str:
    """Return a text of 60 to 550 characters, and for a few abilities more, as in public data."""
    size = {100: LONGEST_TEXT, 300: 766, 500: 694, 700: 630}.get(index, 120 + index * 37 % 430)
    text = " ".join(_SENTENCES[(index + step) % len(_SENTENCES)] for step in range(size // 55 + 2))
    size = min(size, longest)
    return text[:size].rpartition(".")[0] + "." if index != 100 else text[: size - 1] + "."


def _settings() -> str:
    lines = "".join(f"    {name}: {alliance}\n" for name, alliance in factions().items())
    return f"game: warcry\nwarcry:\n  factions:\n{lines}  runemarks: [Ferocious, Thrall]\n  shapes: [Bident, Hook]\n"


_TABLES = """\
tables:
  data/fighters.json:
    kind: fighter
    map:
      name: row.name
      id: (row.name ~ ' ' ~ row._id) | slug
      faction: row.warband
      runemarks: row.runemarks
      points: row.points
      stats: {M: row.movement, T: row.toughness, W: row.wounds}
      weapons:
        each: row.weapons
        map:
          name: row.runemark | replace('-', ' ') | title
          shape: row.runemark
          min_range: row.min_range or none
          range: row.max_range
          attacks: row.attacks
          strength: row.strength
          damage: row.dmg_hit
          critical: row.dmg_crit
  data/abilities.json:
    kind: ability
    map:
      name: row.name
      id: (row.name ~ ' ' ~ row._id) | slug
      price: "'free' if row.cost == 'passive' else row.cost"
      runemarks: ["none if row.warband == 'universal' else row.warband", row.runemarks]
      text: row.description
"""


def _fighter_card(row: dict[str, Any]) -> dict[str, Any]:
    return {
        "name": row["name"],
        "id": _slug(row),
        "faction": row["warband"],
        "runemarks": row["runemarks"],
        "points": row["points"],
        "stats": {"M": row["movement"], "T": row["toughness"], "W": row["wounds"]},
        "weapons": list(map(_weapon_card, row["weapons"])),
    }


def _weapon_card(weapon: dict[str, Any]) -> dict[str, Any]:
    card = {
        "name": weapon["runemark"].replace("-", " ").title(),
        "shape": weapon["runemark"],
        "range": weapon["max_range"],
        "attacks": weapon["attacks"],
        "strength": weapon["strength"],
        "damage": weapon["dmg_hit"],
        "critical": weapon["dmg_crit"],
    }
    return {**card, "min_range": weapon["min_range"]} if weapon["min_range"] else card


def _ability_card(row: dict[str, Any]) -> dict[str, Any]:
    warband = [] if row["warband"] == "universal" else [row["warband"]]
    price = "free" if row["cost"] == UNKNOWN_PRICE else row["cost"]
    marks = [*warband, *row["runemarks"]]
    return {"name": row["name"], "id": _slug(row), "price": price, "runemarks": marks, "text": row["description"]}


def _slug(row: dict[str, Any]) -> str:
    from cardgen.diagnostic import slugify

    return slugify(f"{row['name']} {row['_id']}")

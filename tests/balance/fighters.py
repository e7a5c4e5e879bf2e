"""A small collection of fighters whose points follow their strength, with two outliers."""

from __future__ import annotations

from pathlib import Path

CHEAP, DEAR = "Cheap Brute", "Dear Wisp"
_CARD = """- name: "{name}"
  faction: {faction}
  stats: {{M: 4, T: {toughness}, W: {wounds}}}
  points: {points}
  weapons: [{{Axe: axe R1 A{attacks} S4 D{damage}/4}}]
"""


def write(folder: Path = Path(), plain: int = 9, **changes: int) -> None:
    """Write `plain` fighters and the outliers; `changes` are other points by the first word of a name."""
    rows = [(f"N{n}", ("chaos", "order")[n % 2], 4, 8 + 2 * n, 60 + 14 * n, 3, 1 + n // 4) for n in range(plain)]
    rows += [(CHEAP, "chaos", 4, 16, 60, 4, 2), (DEAR, "death", 4, 11, 170, 3, 1)]
    keys = ("name", "faction", "toughness", "wounds", "points", "attacks", "damage")
    cards = [dict(zip(keys, row, strict=True)) for row in rows]
    for card in cards:
        card["points"] = changes.get(str(card["name"]).split()[0], card["points"])
    (folder / "cards").mkdir(parents=True, exist_ok=True)
    (folder / "cardgen.yaml").write_text("game: warcry\n", encoding="utf-8")
    text = "game: warcry\nkind: fighter\ncards:\n" + "".join(_CARD.format(**card) for card in cards)
    (folder / "cards/fighters.yaml").write_text(text, encoding="utf-8")

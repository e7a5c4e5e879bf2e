"""Cards that the examples of a package's manual pages share."""

from __future__ import annotations

import re
from pathlib import Path

EXAMPLES_FILE = "examples.yaml"
_EXAMPLE = re.compile(r"(?=^(?:Example|Use instead)$)", re.MULTILINE)
_PLACE = re.compile(r"^( *)- \.\.\.\n", re.MULTILINE)
_CARD = re.compile(r"^(?=- )", re.MULTILINE)
_NAME = re.compile(r"\bname: ([^,}\n]+)")


def read_example_cards(folder: Path) -> dict[str, str]:
    """Return the YAML text of the cards in a package's examples.yaml, by name; none without the file."""
    file = folder / EXAMPLES_FILE
    text = file.read_text(encoding="utf-8") if file.is_file() else ""
    return {match[1]: card for card in _CARD.split(text) if (match := _NAME.search(card))}


def insert_example_cards(page: str, cards: dict[str, str]) -> str:
    """Replace the line '- ...' of each example by the shared cards that the example names."""
    return "".join(_fill(part, cards) for part in _EXAMPLE.split(page)) if cards else page


def _fill(example: str, cards: dict[str, str]) -> str:
    used = [card for name, card in cards.items() if re.search(rf"(?<!name: )\b{re.escape(name)}\b", example)]
    lines = [line for card in used for line in card.splitlines()]
    return _PLACE.sub(lambda place: "".join(f"{place[1]}{line}\n" for line in lines), example)

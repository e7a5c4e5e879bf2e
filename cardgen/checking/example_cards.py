"""The beginning that the examples of a package's manual pages share, and cards for all of them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

EXAMPLES_FILE = "examples.yaml"
_EXAMPLE = re.compile(r"(?=^(?:Example|Use instead)$)", re.MULTILINE)
_PLACE = re.compile(r"^( *)\.\.\.\n", re.MULTILINE)
_CARD = re.compile(r"^(?=  - )", re.MULTILINE)
_NAME = re.compile(r"\bname: ([^,}\n]+)")


class ExampleCards(NamedTuple):
    """The first lines of an examples.yaml, and the YAML text of its cards by name."""

    head: str = ""
    cards: tuple[tuple[str, str], ...] = ()


def read_example_cards(folder: Path) -> ExampleCards:
    """Return what the examples of a package share, from its examples.yaml; nothing without the file."""
    file = folder / EXAMPLES_FILE
    if not file.is_file():
        return ExampleCards()
    head, *cards = _CARD.split(file.read_text(encoding="utf-8"))
    lines = [line for line in head.splitlines(keepends=True) if not line.startswith("#")]
    return ExampleCards("".join(lines), tuple((match[1], card) for card in cards if (match := _NAME.search(card))))


def insert_example_cards(page: str, shared: ExampleCards) -> str:
    """Replace the line '...' of each example by the shared beginning and the shared cards that the example names."""
    return "".join(_fill(part, shared) for part in _EXAMPLE.split(page)) if shared.head else page


def _fill(example: str, shared: ExampleCards) -> str:
    used = [card for name, card in shared.cards if re.search(rf"(?<!name: )\b{re.escape(name)}\b", example)]
    lines = "".join((shared.head, *used)).splitlines()
    return _PLACE.sub(lambda place: "".join(f"{place[1]}{line}\n" for line in lines), example)

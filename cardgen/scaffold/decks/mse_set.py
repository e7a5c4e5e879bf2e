"""Sets of Magic Set Editor: archives, or folders, with a text file `set` and pictures.

The format is that of https://magicseteditor.boards.net: keys and values, indented with tabs, in which a block stands
for several keys or for a text of several lines. Style sheets are not part of a set.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from cardgen.scaffold.decks.foreign import (
    Column,
    Element,
    Files,
    ForeignDeck,
    ForeignTable,
    PictureBox,
    Shape,
    TextBox,
    markup,
    require_small,
)
from cardgen.units import Box

SUFFIX = ".mse-set"
_SET = "set"
_INCLUDE, _CARD = "include file", "card"
_MOST_LINES = 500_000
# Characters of the name of a picture.
_LONGEST_NAME = 255
# Keys of a card that say how the program shows it, and when it was written.
_NOT_READ = frozenset(
    ["has styling", "styling data", "extra data", "time created", "time modified", "stylesheet", "stylesheet version"]
)
_PICTURE = re.compile(
    r"(?:[\w -]*[/\\])*[\w -]*image[\w -]*(?:\.\w{3,4})?|[^\n]*\.(?:png|jpe?g|gif|webp)", re.IGNORECASE
)
_NAME = ("name", "title", "card name")


class _Entry(NamedTuple):
    """A key with its value, or with the lines of its block, without their indentation."""

    key: str
    value: str
    block: list[str]


def read_mse_set(files: Files) -> ForeignDeck:
    """Return the cards of a set. Raises CardgenError if it has none."""
    deck = ForeignDeck("Magic Set Editor")
    cards: list[dict[str, str]] = []
    title, style, others = "", "", set[str]()
    for entry in _entries(files):
        if entry.key == _CARD:
            cards.append(_card(entry.block, files, deck))
        elif entry.key == "set info":
            title = next((each.value for each in _split(entry.block) if each.key == "title"), "")
        elif entry.key == "stylesheet":
            style = entry.value
        elif entry.key in ("keyword", "pack type"):
            others.add(f"{entry.key}s")
    if not cards:
        raise files.error(
            "the set has no cards", "pass a file or folder of Magic Set Editor whose name ends with .mse-set"
        )
    require_small([ForeignTable(title or "cards", cards)], files.place)
    headings = dict.fromkeys(heading for card in cards for heading in card)
    name = next((each for each in _NAME if each in headings), "")
    nameless = [card for card in cards if not card.get(name)]
    for number, card in enumerate(nameless, start=1):
        card[name or "name"] = f"Card {number}"
    if nameless:
        deck.lose(f"names of {len(nameless)} cards, which have none; they are called 'Card 1' and so on")
    for what in sorted(others):
        deck.lose(what)
    what = f"the style sheet '{style}', which is not part of a set: the face shows the fields in their usual places"
    deck.lose(what if style else "the style sheet, which is not part of a set")
    pictures = [each for each in headings if any(card.get(each, "").startswith("art/") for card in cards)]
    deck.tables.append(
        ForeignTable(title or "cards", cards, {"": _face(set(headings), pictures)}, {name: "name"} if name else {})
    )
    return deck


def _entries(files: Files) -> Iterator[_Entry]:
    """Yield the entries of the set, with those of the files that it includes, each of them once."""
    seen, lines = {_SET}, 0
    texts = [_SET]
    pending: list[Iterator[_Entry]] = []
    while texts or pending:
        if texts:
            content = files.text(texts.pop())
            lines += content.count("\n")
            if lines > _MOST_LINES:
                raise files.error(f"the set has more than {_MOST_LINES:,} lines")
            pending.append(_split(content.split("\n")))
        entry = next(pending[-1], None)
        if entry is None:
            pending.pop()
        elif entry.key != _INCLUDE:
            yield entry
        elif entry.value not in seen:
            seen.add(entry.value)
            texts.append(entry.value)


def _split(lines: list[str]) -> Iterator[_Entry]:
    """Yield the keys of one level, which newer editions write with underscores."""
    entry: _Entry | None = None
    for line in lines:
        if line.startswith("\t"):
            if entry is not None:
                entry.block.append(line[1:])
            continue
        key, colon, value = line.partition(":")
        if colon:
            if entry is not None:
                yield entry
            entry = _Entry(" ".join(key.replace("_", " ").split()).lower(), value.strip(), [])
    if entry is not None:
        yield entry


def _card(lines: list[str], files: Files, deck: ForeignDeck) -> dict[str, str]:
    """Return the values of a card by its keys, with the paths of pictures in the new project."""
    card: dict[str, str] = {}
    for entry in _split(lines):
        value = entry.value or "\n".join(entry.block).strip()
        if entry.key in _NOT_READ:
            deck.lose("settings of single cards for their styles, and times", "")
        elif "image" in entry.key and len(value) <= _LONGEST_NAME and _PICTURE.fullmatch(value):
            card[entry.key] = deck.add_picture(value, files.read)
        elif value:
            text = markup(value)
            card[entry.key] = text.replace("\n\n", "\n").strip() if entry.block else text
    return {key: value for key, value in card.items() if value}


_INK, _PAPER, _LINE, _PANEL = ("#1d1a17",), ("#f4efe4",), ("#2d2a26",), ("#fffdf8",)
# Where games of cards usually have fields on 63.5 by 88.9 mm: names of which the first is shown that a card has, the
# box, the type in points, and its look. A slash joins two names to one text.
_TEXTS: tuple[tuple[tuple[str, ...], Box, float, dict[str, Any]], ...] = (
    (_NAME, Box(5, 4.5, 40, 6.5), 12, {"valign": "middle", "bold": True}),
    (("casting cost",), Box(45.5, 4.5, 13, 6.5), 11, {"align": "right", "valign": "middle", "bold": True}),
    (("super type", "card type", "type"), Box(5, 49, 31, 5), 8.5, {"valign": "middle", "bold": True}),
    (("sub type",), Box(36.5, 49, 22, 5), 8.5, {"align": "right", "valign": "middle"}),
    (("rule text", "text", "rules", "effect"), Box(6, 56, 51.5, 17), 8.5, {}),
    (("flavor text",), Box(6, 73.5, 40, 10), 7, {"valign": "bottom"}),
    (("power / toughness",), Box(46, 78, 12, 5.5), 11, {"align": "right", "valign": "middle", "bold": True}),
)


def _face(headings: set[str], pictures: list[str]) -> list[Element]:
    """Return a face with the fields in the places where games of cards usually have them."""
    picture = Box(4.5, 12, 54.5, 36)
    elements: list[Element] = [
        Shape(Box(-5, -5, 73.5, 98.9), _LINE),
        Shape(Box(3, 3, 57.5, 82.9), _PAPER, radius=2),
        Shape(picture, _PANEL, _LINE, 0.25),
        *(PictureBox(picture, Column(each)) for each in sorted(pictures, key=lambda each: each != "image")[:1]),
        Shape(Box(4.5, 55, 54.5, 29), _PANEL, _LINE, 0.25),
    ]
    for names, box, points, look in _TEXTS:
        for name in [each for each in names if set(each.split(" / ")) <= headings][:1]:
            first, *others = map(Column, name.split(" / "))
            words = (first, *(part for other in others for part in (" / ", other)))
            elements.append(TextBox(box, words, points, _INK, **look))
    return elements

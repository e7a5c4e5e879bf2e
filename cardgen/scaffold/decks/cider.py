"""Projects of Cider: a folder with `decks/NAME/cards.csv`, or the JSON file of its database.

Each template is a page of HTML with a style sheet, in which Handlebars fills in the card. `web_layout` finds out where
its boxes are.
"""

from __future__ import annotations

import base64
import csv
import io
import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from itertools import islice, product
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple

from cardgen.diagnostic import CardgenError, Code, Diagnostic, Place, slugify
from cardgen.runtime import regular_file
from cardgen.scaffold.decks.foreign import (
    MIB,
    MOST_CARDS,
    Column,
    Element,
    Files,
    ForeignDeck,
    ForeignTable,
    Words,
    file_stem,
    markup,
)
from cardgen.scaffold.decks.web_layout import MOST_TEXT, WebPage, laid_out
from cardgen.tables.table import MAX_COLUMNS

SUFFIX = ".json"
_CARDS = re.compile(r"decks/[^/]+/cards\.csv")
_EXPORT_AGAIN = "export the project again"
_MOST_JSON = 256 * MIB
_MOST_DECKS, _MOST_TEMPLATES = 50, 100
# Characters of the name of a column, and of a placeholder.
_LONGEST_HEADING, _LONGEST_CODE = 100, 500
_NAME, _COUNT, _FRONT, _BACK = "Name", "Count", "Front Template", "Back Template"
_HANDLEBARS = re.compile(r"\{\{\{?([^{}]*)\}?\}\}")
_VARIABLE = re.compile(r"(?<![\w.])card\.([\w-]+)")
_ASSET = re.compile(r"assets\.([\w-]+)|assets\.\[([^\]]+)\]")
_DYNAMIC_ASSET = re.compile(r"index\s+(?:\.\./)*assets\s+card\.([\w-]+)")
# Characters that stand for a placeholder while HTML and CSS are read.
_OPEN, _CLOSE = "\ue000", "\ue001"
_MARKED = re.compile(f"{_OPEN}([0-9]+){_CLOSE}")
_IMAGE = " picture"


class _Deck(NamedTuple):
    """A deck of Cider: its cards by the names of their attributes, and its templates by their ids."""

    name: str
    cards: list[dict[str, str]]
    templates: Mapping[str, tuple[str, str]]


def is_project(files: Files) -> bool:
    """Return whether a folder is a project of Cider."""
    return any(map(_CARDS.fullmatch, files.names))


def read_folder(files: Files) -> ForeignDeck:
    """Return the decks of a project in a folder."""
    decks: list[_Deck] = []
    for name in islice(filter(_CARDS.fullmatch, files.names), _MOST_DECKS + 1):
        folder = PurePosixPath(name).parent
        rows = csv.DictReader(io.StringIO(files.text(name)), restval="")
        try:
            if len(rows.fieldnames or ()) > MAX_COLUMNS:
                raise files.error(f"'{name}' has more than {MAX_COLUMNS} columns", "divide the deck")
            most = MOST_CARDS + 1 - sum(len(deck.cards) for deck in decks)
            cards = [{key[:_LONGEST_HEADING]: value for key, value in row.items() if key} for row in islice(rows, most)]
        except csv.Error as error:
            raise files.error(f"'{name}' cannot be read: {error}") from None
        templates = {
            file_stem(PurePosixPath(each).stem): (files.text(each), files.text(each.removesuffix(".html") + ".css"))
            for each in files.names
            if PurePosixPath(each).parent == folder and each.endswith(".html")
        }
        decks.append(_Deck(folder.name, cards, templates))
    assets = {slugify(PurePosixPath(each).stem): each for each in files.names if each.startswith("assets/")}
    pictures = {name: content for name, file in assets.items() if (content := files.read(file)) is not None}
    return _Converter(pictures).convert(decks, files)


def read_database(path: Path) -> ForeignDeck | None:
    """Return the decks in the JSON file of a database, or None if it is another file."""
    place = Place(path.as_posix())
    try:
        data = json.loads(regular_file.read(path, _MOST_JSON))
        if not (isinstance(data, dict) and data.get("formatName") == "dexie"):
            return None
        tables = {table["tableName"]: table["rows"] for table in data["data"]["data"]}
        rows = {row["id"]: row for row in tables.get("decks", [])[: _MOST_DECKS + 1]}
        decks = [_deck_of(row, tables) for row in rows.values()]
        pictures = {
            slugify(str(row["name"])): content for row in tables.get("assets", []) if (content := _content(row))
        }
    except FileNotFoundError:
        return None
    except OSError as error:
        raise CardgenError(
            Diagnostic(Code.BAD_TABLE, f"the file cannot be read: {error.strerror or error}", place)
        ) from None
    except RecursionError:
        raise CardgenError(Diagnostic(Code.BAD_TABLE, "values are nested too deeply", place, _EXPORT_AGAIN)) from None
    except (ValueError, LookupError, TypeError, AttributeError):
        message = "this is not the database of a Cider project"
        raise CardgenError(Diagnostic(Code.BAD_TABLE, message, place, _EXPORT_AGAIN)) from None
    return _Converter(pictures).convert(decks, place)


def _deck_of(row: Mapping[str, Any], tables: Mapping[str, list[dict[str, Any]]]) -> _Deck:
    names = {each["id"]: file_stem(str(each["name"])) for each in tables.get("cardTemplates", [])}
    templates = {
        names[each["id"]]: (str(each.get("html") or ""), str(each.get("css") or ""))
        for each in tables.get("cardTemplates", [])
        if each.get("deckId") == row["id"]
    }
    titles = {slugify(str(each["name"])): str(each["name"]) for each in tables.get("cardAttributes", [])}
    cards = []
    for card in tables.get("cards", [])[: MOST_CARDS + 1]:
        if card.get("deckId") == row["id"]:
            values = {
                titles.get(slugify(key), key)[:_LONGEST_HEADING]: str(value)
                for key, value in card.items()
                if isinstance(value, str | int | float) and key[:1] not in ("", "$") and not key.lower().endswith("id")
            }
            sides = {_FRONT: card.get("frontCardTemplateId"), _BACK: card.get("backCardTemplateId")}
            cards.append(values | {key: names[each] for key, each in sides.items() if each in names})
    return _Deck(str(row["name"]), cards, templates)


def _content(row: Mapping[str, Any]) -> bytes:
    """Return the file of an asset, which is text in base 64, by itself or in the map of a Blob."""
    for value in (row.get("file"), row.get("buffer"), row.get("data")):
        text = value.get("data", value.get("buffer")) if isinstance(value, dict) else value
        if isinstance(text, str) and text:
            return base64.b64decode(text.partition("base64,")[2] or text)
    return b""


class _Converter:
    """Converts decks; pictures are known by the ids of their names."""

    def __init__(self, pictures: Mapping[str, bytes]) -> None:
        self._pictures = pictures
        self._deck = ForeignDeck("Cider")
        self._placeholders: list[Words] = []
        self._headings: Mapping[str, str] = {}

    def convert(self, decks: Sequence[_Deck], place: Files | Place) -> ForeignDeck:
        """Return the decks that have cards. Raises CardgenError if none does."""
        self._deck.tables += [self._table(deck) for deck in decks[:_MOST_DECKS] if deck.cards]
        if len(decks) > _MOST_DECKS:
            self._deck.lose(f"decks after the first {_MOST_DECKS}")
        if not self._deck.tables:
            message = "the project has no cards"
            raise CardgenError(Diagnostic(Code.BAD_TABLE, message, place.place if isinstance(place, Files) else place))
        return self._deck

    def _table(self, deck: _Deck) -> ForeignTable:
        cards = deck.cards
        self._headings = {slugify(heading): heading for card in cards for heading in card}
        for key in (_NAME, _COUNT, _FRONT, _BACK):
            own = self._headings.get(slugify(key), key)
            for card in cards:
                card[key] = card.pop(own, "")
                card[key] = file_stem(card[key]) if key in (_FRONT, _BACK) and card[key] else card[key]
            self._headings[slugify(key)] = key
        table = ForeignTable(deck.name, cards, keys={_NAME: "name", _COUNT: "qty", _FRONT: "template", _BACK: "back"})
        usual = {side: Counter(card[side] for card in cards).most_common(1)[0][0] for side in (_FRONT, _BACK)}
        has_several = len({card[_FRONT] for card in cards}) > 1
        faces: dict[str, Sequence[Element]] = {}
        sides = dict.fromkeys((side, card[side]) for card in cards for side in (_FRONT, _BACK))
        if len(sides) > _MOST_TEMPLATES:
            self._deck.lose(f"templates of a deck after the first {_MOST_TEMPLATES}", deck.name)
        for side, name in islice(sides, _MOST_TEMPLATES):
            html, css = deck.templates.get(name, ("", ""))
            if html:
                page = WebPage(self._marked(html), self._marked(css), self._placeholders, self._deck.lose)
                elements, width, height = laid_out(page, self._longest(cards))
                suffix = "" if side == _FRONT else ".back"
                faces |= {suffix: elements} if name == usual[side] else {}
                # A template of its own needs a back of its own, so cards name theirs if there are several fronts.
                faces |= {f"{name}{suffix}": elements} if name != usual[side] or (suffix and has_several) else {}
                if side == _FRONT and name == usual[side]:
                    table.width, table.height = width, height
            elif name:
                self._deck.lose("templates that are not in the project", name)
        pictures = self._add_pictures(cards)
        for card in cards:
            plain = (*pictures, _FRONT, _BACK)
            card |= {key: markup(value) for key, value in card.items() if key not in plain}
            card |= {_BACK: ""} if (card[_FRONT], card[_BACK]) == (usual[_FRONT], usual[_BACK]) else {}
            card |= {_FRONT: ""} if card[_FRONT] == usual[_FRONT] else {}
            card[_COUNT] = card[_COUNT] or "1"
        table.faces = faces
        return table

    def _longest(self, cards: Iterable[Mapping[str, str]]) -> Mapping[str, int]:
        """Return the length of the longest text of each column."""
        lengths = Counter[str]()
        for card in cards:
            for heading, value in card.items():
                lengths[heading] = max(lengths[heading], len(value))
        return lengths

    def _add_pictures(self, cards: Iterable[dict[str, str]]) -> set[str]:
        """Add columns with the pictures that placeholders take from the names in other columns."""
        parts = {part for words in self._placeholders for part in words if isinstance(part, Column)}
        columns = {part.heading for part in parts if part.heading.endswith(_IMAGE)}
        for heading, card in product(columns, cards):
            name = slugify(card.get(heading.removesuffix(_IMAGE), ""))
            card[heading] = self._picture(name) if name in self._pictures else ""
        return columns

    def _picture(self, name: str) -> str:
        """Return the path of a picture in the new project, or '' if the project has none of this name."""
        return self._deck.add_picture(f"{slugify(name)}", self._pictures.get)

    def _heading(self, name: str) -> str:
        return self._headings.get(slugify(name), name)

    def _marked(self, source: str) -> str:
        """Return a source with characters in place of its placeholders; conditions on the card become elements."""

        def replace(match: re.Match[str]) -> str:
            return self._placeholder(match[1].strip()[:_LONGEST_CODE])

        return _HANDLEBARS.sub(replace, source[:MOST_TEXT].replace(_OPEN, "").replace(_CLOSE, ""))

    def _placeholder(self, code: str) -> str:
        if code.startswith("!"):
            return ""
        if code.startswith("/"):
            return "</cg-if>" if code[1:].strip() in ("if", "unless") else ""
        asset, dynamic, variable = _ASSET.search(code), _DYNAMIC_ASSET.search(code), _VARIABLE.search(code)
        if code.startswith("#if ") and variable and not re.search(r"[()]", code):
            return f"<cg-if column='{escape(self._heading(variable[1]), quote=True)}'>"
        if code.startswith(("#if", "#unless", "else", "#each", "#with")):
            self._deck.lose("conditions and loops of templates, of which the first case is drawn always", code)
            return "<cg-if>" if code.startswith(("#if", "#unless")) else ""
        words: Words = ()
        if dynamic:
            words = (Column(self._heading(dynamic[1]) + _IMAGE),)
        elif asset:
            words = (self._picture(asset[1] or asset[2]),)
        elif variable:
            words = (Column(self._heading(variable[1])),)
            if code not in (f"card.{variable[1]}", f"this.card.{variable[1]}"):
                self._deck.lose("functions of templates; the value of the card is printed as it is", code)
        else:
            self._deck.lose("placeholders that are not attributes of a card", code)
        self._placeholders.append(words)
        return f"{_OPEN}{len(self._placeholders) - 1}{_CLOSE}"

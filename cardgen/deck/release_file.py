"""Release files: YAML with a line per value, so that git merges them line by line.

They are written and read line by line, without a YAML parser: they may have many thousands of lines.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from math import isfinite
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple, NoReturn, TypeAlias

from cardgen.diagnostic import MAX_NAME_LENGTH, CardgenError, Code, Diagnostic, Place, Span
from cardgen.language import tag_and_fallbacks
from cardgen.model.card import MAX_COPIES
from cardgen.model.card_values import Scalar
from cardgen.project.files import RELEASES_FOLDER, display_path, require_inside
from cardgen.runtime import regular_file
from cardgen.source.document import find_conflict

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+-]{0,79}")
FORMAT = 1
_MAX_BYTES = 64 * 2**20
# The date of a release, in the last lines of its file.
_DATE = re.compile(r"^date: ([0-9]{4}-[0-9]{2}-[0-9]{2})$", re.MULTILINE)
_TAIL = 2_000
_MAPS = ("look", "values", "texts", "terms", "formerly", "translations")
# The sections of a file; those with two maps in each other.
_SECTIONS = ("format", "rulings", "games", "cards")
_NESTED = ("rulings", "games")
_TEXTS = ("game", "kind", "id", "name", "rules", "words")
_NAMES = ("game", "kind", "id")
_SLUG = re.compile(r"[a-z0-9]+(?:[_-][a-z0-9]+)*")
# Bounds of keys, which no card reaches.
_MOST_STEPS, _MAX_KEY = 40, 2_000
_KEY = r'(?P<key>"(?:[^"\\]|\\.)*"|[A-Za-z0-9_][A-Za-z0-9_/~-]*)'
_LINE = re.compile(rf"(?P<indent> *)(?P<item>- )?{_KEY}:(?: (?P<value>.+))?")
_WORD = re.compile(r"[a-z][a-z-]*[a-z0-9]")
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]{0,17})(?:\.[0-9]+)?(?:e[+-]?[0-9]{1,3})?")
# Words that YAML reads as something else.
_SPECIAL = frozenset({"true", "false", "null", "yes", "no", "on", "off"})
# Texts in quotes without anything that JSON escapes.
_PLAIN_TEXT = re.compile(r'"[^"\\\x00-\x1f]*"')
_PLAIN_KEY = re.compile(r"[A-Za-z_][A-Za-z0-9_/~-]*")
_SAFE = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ud800-\udfff\ufffe\uffff]")


# Game, kind, and id.
CardKey: TypeAlias = tuple[str, str, str]
Values: TypeAlias = Mapping[str, Scalar]
# The part of a look that consists of the cards that a card names.
LINKED = "linked"


class ReleasedCard(NamedTuple):
    """A card of a release.

    `values` are those of its rules, and `texts` its words except the name, by JSON pointer without the first slash.
    `look` has a digest or a plain value for each part of its look. `rules` and `words` are digests. `terms` are the
    terms of the project's own game that it uses, and `formerly` the earlier ids of the card, both as keys.
    `translations` are its texts in other languages, such as 'de/name'.
    """

    game: str
    kind: str
    id: str
    name: str
    qty: int
    rules: str
    words: str
    look: Mapping[str, str]
    values: Values
    texts: Values
    terms: Values = MappingProxyType({})
    formerly: Values = MappingProxyType({})
    translations: Values = MappingProxyType({})

    @property
    def key(self) -> CardKey:
        """Game, kind, and id."""
        return self.game, self.kind, self.id


class Release(NamedTuple):
    """The cards of a project at some time, sorted by id.

    `rulings` are the settings that differ from the defaults of the games, by game and name of the ruling. `games` are
    the values of the project's own rules, by game and JSON pointer.
    """

    name: str
    rulings: Mapping[str, Mapping[str, str]]
    cards: tuple[ReleasedCard, ...]
    games: Mapping[str, Values] = MappingProxyType({})

    @property
    def languages(self) -> frozenset[str]:
        """The languages that some of its cards are translated into."""
        return frozenset(key.partition("/")[0] for card in self.cards for key in card.translations)

    def in_language(self, language: str) -> Release:
        """Return the release as it is printed in a language, by default that of the cards, without other languages."""
        tags = tag_and_fallbacks(language)[::-1] if language else ()
        return self._replace(cards=tuple(_in_language(card, tags) for card in self.cards))


def _in_language(card: ReleasedCard, tags: Sequence[str]) -> ReleasedCard:
    """Return a card with its translations in the place of its texts; those of later tags have priority."""
    own: dict[str, Scalar] = {}
    for tag in tags:
        own |= {key[len(tag) + 1 :]: text for key, text in card.translations.items() if key.startswith(f"{tag}/")}
    texts = {key: text for key, text in own.items() if key != "name" and key not in card.values}
    return card._replace(
        name=str(own.get("name", card.name)),
        words=f"{card.words} {sorted(own.items())}",
        values={key: own.get(key, value) for key, value in card.values.items()},
        texts={**card.texts, **texts},
        translations={},
    )


def texts_of(card: ReleasedCard) -> Iterable[str]:
    """Return the texts of a card, in order of their keys."""
    return (str(card.texts[key]) for key in sorted(card.texts))


def by_key(cards: Iterable[ReleasedCard]) -> dict[CardKey, ReleasedCard]:
    """Return cards by game, kind, and id."""
    return {card.key: card for card in cards}


def release_files(root: Path) -> dict[str, Path]:
    """Return the release files of a project by name, the earliest first."""
    folder = require_inside(root, root / RELEASES_FOLDER, RELEASES_FOLDER)
    names = (
        [path.stem for path in folder.glob("*.yaml") if regular_file.is_file(path, folder)] if folder.is_dir() else []
    )
    files = {name: file_of(root, name) for name in names if NAME.fullmatch(name)}
    return dict(sorted(files.items(), key=lambda item: (release_date(item[1]), natural_order(item[0]))))


def natural_order(name: str) -> tuple[tuple[int, str], ...]:
    """Return a sort key in which v1.10 follows v1.9."""
    return tuple((int(part[:30]), "") if part.isdecimal() else (-1, part) for part in re.split(r"(\d+)", name))


def file_of(root: Path, name: str) -> Path:
    """Return the path of a release file. Raises CardgenError if a link leads it out of the project."""
    path = root / RELEASES_FOLDER / f"{name}.yaml"
    return require_inside(root, path, display_path(path))


def release_text(release: Release, date: str) -> str:
    """Return a release as the text of its file; `date` is that of the release, such as '2026-05-31'."""
    return "\n".join(_lines(release, date)) + "\n"


def release_date(path: Path) -> str:
    """Return the date in a release file, or '' if it has none."""
    try:
        tail = regular_file.read(path, _MAX_BYTES)[-_TAIL:].decode("utf-8", "replace").replace("\r", "")
    except OSError:
        return ""
    match = _DATE.search(tail)
    return match[1] if match else ""


def today() -> str:
    """Return the date of a release that is written now, in UTC; SOURCE_DATE_EPOCH has priority.

    Raises CardgenError if that is not a valid timestamp.
    """
    from cardgen.export.pdf.writer import DATE_VARIABLE, check_source_date

    check_source_date()
    seconds = os.environ.get(DATE_VARIABLE, "").strip()
    now = datetime.fromtimestamp(int(seconds), UTC) if seconds else datetime.now(UTC)
    return now.date().isoformat()


def _lines(release: Release, date: str) -> Iterator[str]:
    yield f"# Written by 'cardgen release {release.name}'; compare with 'cardgen diff {release.name}'."
    yield f"format: {FORMAT}"
    for section in _NESTED:
        games: Mapping[str, Mapping[str, Scalar]] = getattr(release, section)
        if games:
            yield f"{section}:"
        for game, values in sorted(games.items()):
            yield f"  {_key(game)}:"
            yield from (f"    {_key(name)}: {_scalar(value)}" for name, value in sorted(values.items()))
    yield "cards:"
    for card in release.cards:
        yield from _card_lines(card)
    yield f"date: {date}"


def _card_lines(card: ReleasedCard) -> Iterator[str]:
    yield f"- id: {_scalar(card.id)}"
    for name in ("game", "kind", "name", "qty", "rules", "words"):
        yield f"  {name}: {_scalar(getattr(card, name))}"
    for name in _MAPS:
        values: Mapping[str, Scalar] = getattr(card, name)
        if values:
            yield f"  {name}:"
            yield from (f"    {_key(key)}: {_scalar(value)}" for key, value in sorted(values.items()))


def _key(text: str) -> str:
    return text if _PLAIN_KEY.fullmatch(text) and text.lower() not in _SPECIAL else _quoted(text)


def _scalar(value: Scalar) -> str:
    if isinstance(value, str):
        return value if _WORD.fullmatch(value) and value not in _SPECIAL else _quoted(value)
    return json.dumps(value)


def _quoted(text: str) -> str:
    """Return a text in double quotes, which JSON and YAML read alike."""
    return _SAFE.sub(lambda match: f"\\u{ord(match[0]):04x}", json.dumps(text, ensure_ascii=False))


def place_of(path: Path, card: str) -> Place:
    """Return the place of the id of a card in a release file."""
    lines = regular_file.read(path, _MAX_BYTES).decode("utf-8-sig").splitlines()
    line = f"- id: {_scalar(card)}"
    number = next((number for number, each in enumerate(lines, 1) if each.rstrip() == line), 1)
    return Place(display_path(path), Span(number, 1, number, len(line) + 1), lines[number - 1])


class _Line(NamedTuple):
    """A line of a file: its number, text, and indentation, the key, and the value; None for a map."""

    number: int
    text: str
    depth: int
    is_item: bool
    key: str
    value: Scalar | None


def read_release(path: Path, name: str) -> Release:
    """Return the release in a file.

    Raises CardgenError, located at the line, for anything else, such as what a merge left of two versions.
    """
    shown = display_path(path)
    try:
        text = regular_file.read(path, _MAX_BYTES).decode("utf-8-sig")
        if (conflict := find_conflict(text, shown)) is not None:
            raise CardgenError(*conflict.diagnostics)
    except UnicodeDecodeError:
        raise CardgenError(Diagnostic(Code.BAD_RELEASE, "the file is not valid UTF-8", Place(shown), _ADVICE)) from None
    except OSError as error:
        message = f"the file cannot be read: {error.strerror or error}"
        raise CardgenError(Diagnostic(Code.BAD_RELEASE, message, Place(shown))) from None
    return parse_release(text, name, shown)


def parse_release(text: str, name: str, shown: str) -> Release:
    """Return the release that a text describes; `shown` is the path of its file in messages.

    Raises CardgenError, located at the line, for anything else.
    """
    return _Reader(shown).read(text, name)


_ADVICE = "restore it from version control, or write it again with 'cardgen release NAME --force'"


def _cut_at(text: str) -> int:
    """Return the number of the last line of a file that is cut off; 0 for a file that ends with its date."""
    lines = text.split("\n")
    last = max((number for number, line in enumerate(lines, 1) if line.strip() and not line.startswith("#")), default=1)
    return 0 if _DATE.fullmatch(lines[last - 1].rstrip(" \r")) else last


class _Reader:
    """Reads the lines of one file."""

    def __init__(self, shown: str) -> None:
        self._shown = shown
        self._cut_at = 0

    def read(self, text: str, name: str) -> Release:
        games: dict[str, dict[str, dict[str, Any]]] = {section: {} for section in _NESTED}
        cards: list[tuple[_Line, dict[str, Any]]] = []
        section, part, sections = "", "", set()
        self._cut_at = _cut_at(text)
        for line in self._parse(text):
            if line.depth == 4 and section == "cards" and part and not line.is_item and line.value is not None:
                self._put(line, cards[-1][1][part], line.value)  # most lines
                continue
            match line:
                case _Line(depth=0, is_item=False):
                    if line.key == "format" and line.value != FORMAT:
                        self._fail(line.number, line.text, f"unknown format {line.value} (must be {FORMAT})")
                    if line.key not in _SECTIONS or (line.key != "format" and line.value is not None):
                        self._fail(line.number, line.text, "unexpected line")
                    section, part = line.key, ""
                    sections.add(section)
                case _Line(depth=0) if section == "cards":
                    cards.append((line, {}))
                    part = self._add(line, cards[-1][1])
                case _Line(depth=2, is_item=False, value=None) if section in _NESTED:
                    part = line.key
                    self._put(line, games[section], {})
                case _Line(depth=4, is_item=False) if part and self._is_game_value(section, line.value):
                    self._put(line, games[section][part], line.value)
                case _Line(depth=2, is_item=False) if section == "cards" and cards:
                    part = self._add(line, cards[-1][1])
                case _:
                    self._fail(line.number, line.text, "unexpected line")
        if not {"format", "cards"} <= sections:
            message = "the file does not have the lines 'format: 1' and 'cards:'"
            raise CardgenError(Diagnostic(Code.BAD_RELEASE, message, Place(self._shown), _ADVICE))
        if self._cut_at:
            self._fail(self._cut_at, text.split("\n")[self._cut_at - 1], "")
        return Release(name, games["rulings"], self._cards(cards), games["games"])

    @staticmethod
    def _is_game_value(section: str, value: Scalar | None) -> bool:
        return isinstance(value, str) if section == "rulings" else section == "games" and value is not None

    def _add(self, line: _Line, card: dict[str, Any]) -> str:
        """Add a key to a card, and return it if it begins a map."""
        is_map = line.value is None
        if is_map is not (line.key in _MAPS):
            self._fail(line.number, line.text, "unexpected line")
        self._put(line, card, {} if is_map else line.value)
        return line.key if is_map else ""

    def _put(self, line: _Line, values: dict[str, Any], value: object) -> None:
        if line.key in values:
            self._fail(line.number, line.text, f"duplicate key '{line.key}'")
        values[line.key] = value

    def _cards(self, blocks: Iterable[tuple[_Line, dict[str, Any]]]) -> tuple[ReleasedCard, ...]:
        cards: dict[tuple[str, str, str], ReleasedCard] = {}
        for line, data in blocks:
            card = self._card(line, data)
            if card.key in cards:
                self._fail(line.number, line.text, f"duplicate id '{card.id}'")
            cards[card.key] = card
        return tuple(sorted(cards.values(), key=lambda card: (card.id, card.key)))

    def _card(self, line: _Line, data: dict[str, Any]) -> ReleasedCard:
        for key in (*_TEXTS, "qty"):
            if key not in data:
                self._fail(line.number, line.text, f"missing key '{key}'")
            if not isinstance(data[key], int if key == "qty" else str) or isinstance(data[key], bool):
                self._fail(line.number, line.text, f"'{key}' must be {'a whole number' if key == 'qty' else 'text'}")
        wrong = [key for key in _NAMES if not _SLUG.fullmatch(data[key])]
        if wrong:
            self._fail(line.number, line.text, f"'{wrong[0]}' must be lowercase letters, digits, and hyphens")
        if len(data["name"]) > MAX_NAME_LENGTH or not 1 <= data["qty"] <= MAX_COPIES:
            self._fail(line.number, line.text, "the name or the number of copies is not one that a card can have")
        unknown = data.keys() - {*ReleasedCard._fields}
        if unknown:
            self._fail(line.number, line.text, f"unknown key '{min(unknown)}'")
        look = {key: str(value) for key, value in data.get("look", {}).items()}
        return ReleasedCard(**{"values": {}, "texts": {}, "terms": {}, **data, "look": look})

    def _parse(self, text: str) -> Iterator[_Line]:
        for number, line in enumerate(text.split("\n"), 1):
            line = line.removesuffix("\r").rstrip(" ")
            if not line or line.startswith("#") or _DATE.fullmatch(line):
                continue
            match = _LINE.fullmatch(line)
            if match is None:
                self._fail(number, line, "not a line of a release")
            value = None if match["value"] is None else self._value(match["value"], number, line)
            key = str(self._value(match["key"], number, line)) if match["key"].startswith('"') else match["key"]
            if key.count("/") >= _MOST_STEPS or len(key) > _MAX_KEY:
                self._fail(number, line, "the key is longer than that of any card")
            yield _Line(number, line, len(match["indent"]), bool(match["item"]), key, value)

    def _value(self, text: str, number: int, line: str) -> Scalar:
        if text.startswith('"'):
            if _PLAIN_TEXT.fullmatch(text):
                return text[1:-1]
            try:
                written = str(json.loads(text))
                written.encode()
            except ValueError:  # of JSON, or for half of a character, such as "\ud800"
                self._fail(number, line, "not a valid text in quotes")
            return written
        if _NUMBER.fullmatch(text) or text in ("true", "false"):
            value: Scalar = json.loads(text)
            if isinstance(value, float) and not isfinite(value):
                self._fail(number, line, "the number is too large")
            return value
        if not _WORD.fullmatch(text):
            self._fail(number, line, "a text must be in double quotes")
        return text

    def _fail(self, number: int, line: str, message: str) -> NoReturn:
        if number == self._cut_at:
            message = "the file is cut off: its last line must be its date, such as 'date: 2026-05-31'"
        place = Place(self._shown, Span(number, 1, number, len(line) + 1), line)
        raise CardgenError(Diagnostic(Code.BAD_RELEASE, message, place, _ADVICE))

"""The `line` of a part: a format such as 'R{range}[ P{penetration}]'.

A line is read from left to right without going back: each piece of it is found by its first characters. A format for
which that is not possible is refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple, TypeAlias

from cardgen.checking.check import Check
from cardgen.diagnostic import join_words
from cardgen.rulesets.vocabulary import LimitRule

MOST_PIECES = 40
# A field with more words is not described by them.
_MOST_TOLD = 10
_TOKEN = re.compile(r"\{([^{}\[\]]*)\}|([\[\]])|([^{}\[\]]+)|([{}])")


class LineError(Exception):
    """A line that does not match its format.

    The message is for the author of the card.
    """


@dataclass(frozen=True, slots=True)
class Literal:
    """Characters that stand in the line as they are."""

    text: str


@dataclass(frozen=True, slots=True)
class Placeholder:
    """The value of a field."""

    field: str


@dataclass(frozen=True, slots=True)
class Group:
    """Pieces that can be left out together; the first is a literal."""

    pieces: tuple[Literal | Placeholder, ...]

    @property
    def fields(self) -> tuple[str, ...]:
        """The fields in the group."""
        return tuple(piece.field for piece in self.pieces if isinstance(piece, Placeholder))


Piece: TypeAlias = Literal | Placeholder | Group


class _Step(NamedTuple):
    """A literal or a placeholder, with all texts that can follow it."""

    piece: Literal | Placeholder
    stops: tuple[str, ...]


class LineFormat:
    """A format of lines, with the value of each field.

    Raises LineFormatError for a format that is not valid, or that two different values would fit.
    """

    def __init__(self, text: str, values: Mapping[str, Value]) -> None:
        self.text = text
        self._values = values
        self._pieces = parse_format(text)
        self.fields = tuple(_fields(self._pieces))
        for field in self.fields:
            if field not in self._values:
                raise LineFormatError(f"unknown field '{field}'")
        twice = next((field for field in self.fields if self.fields.count(field) > 1), "")
        if twice:
            raise LineFormatError(f"repeated field '{twice}'")
        self._steps = tuple(self._plan())
        self._require_one_reading()

    @property
    def optional_fields(self) -> frozenset[str]:
        """The fields that a line can leave out."""
        return frozenset(field for piece in self._pieces if isinstance(piece, Group) for field in piece.fields)

    @property
    def description(self) -> str:
        """The format, and the words of its fields: 'NAME: {dice} {reach}; reach: near or far'."""
        words = {field: self._values[field].words for field in self.fields}
        told = [f"{field}: {join_words(each)}" for field, each in words.items() if 0 < len(each) <= _MOST_TOLD]
        return "; ".join([f"NAME: {self.text}", *told])

    def read(self, line: str) -> dict[str, str]:
        """Return the texts of the fields in a line.

        Raises LineError if it does not match.
        """
        if not LINE_BREAKS.isdisjoint(line):
            raise LineError("it must be one line")
        texts: dict[str, str] = {}
        at = 0
        for steps, is_optional in self._steps:
            first = steps[0].piece
            if is_optional and isinstance(first, Literal) and not line.startswith(first.text, at):
                continue
            for step in steps:
                at = self._read_step(step, line, at, texts)
        if at < len(line):
            raise LineError(f"unexpected '{_excerpt(line[at:])}'")
        return texts

    def _read_step(self, step: _Step, line: str, at: int, texts: dict[str, str]) -> int:
        if isinstance(step.piece, Literal):
            if not line.startswith(step.piece.text, at):
                if at == len(line) and not step.piece.text.strip():
                    raise LineError(f"expected the {self._field_behind(step)} at the end")
                raise LineError(f"expected '{step.piece.text}'{_instead(line, at)}")
            return at + len(step.piece.text)
        field = step.piece.field
        end = self._values[field].match(line, at, step.stops)
        if end == at:
            raise LineError(f"expected the {field}{_instead(line, at)}")
        texts[field] = line[at:end]
        return end

    def _field_behind(self, step: _Step) -> str:
        """Return the first field behind a literal."""
        pieces = [each.piece for steps, _ in self._steps for each in steps]
        at = next(index for index, piece in enumerate(pieces) if piece is step.piece)  # literals can be alike
        return next((piece.field for piece in pieces[at:] if isinstance(piece, Placeholder)), "rest")

    def write(self, texts: Mapping[str, str]) -> str | None:
        """Return the line of the texts of fields.

        A group without texts is left out.

        None if the line would be read differently.
        """
        parts: list[str] = []
        for steps, is_optional in self._steps:
            fields = [step.piece.field for step in steps if isinstance(step.piece, Placeholder)]
            if not is_optional or any(field in texts for field in fields):
                parts += [_text(step.piece, texts) for step in steps]
        line = "".join(parts)
        try:
            return line if self.read(line) == {name: texts[name] for name in self.fields if name in texts} else None
        except LineError:
            return None

    def pattern(self) -> str:
        """Return a regular expression for all lines, in the dialect of JSON Schema."""
        return f"^{''.join(self._pattern_parts())}$"

    def _pattern_parts(self) -> Iterator[str]:
        for steps, is_optional in self._steps:
            inner = "".join(
                escape_pattern(step.piece.text)
                if isinstance(step.piece, Literal)
                else self._values[step.piece.field].pattern(step.stops)
                for step in steps
            )
            yield f"(?:{inner})?" if is_optional else inner

    def _plan(self) -> Iterator[tuple[tuple[_Step, ...], bool]]:
        """Yield the steps of each piece, and whether they can be left out."""
        for number, piece in enumerate(self._pieces):
            behind = tuple(_first_texts(self._pieces[number + 1 :]))
            inner = piece.pieces if isinstance(piece, Group) else (piece,)
            steps = tuple(
                _Step(each, tuple(_first_texts(inner[at + 1 :])) if at + 1 < len(inner) else behind)
                for at, each in enumerate(inner)
            )
            yield steps, isinstance(piece, Group)

    def _require_one_reading(self) -> None:
        """Raise LineFormatError if a group or a value could end in two places."""
        for number, piece in enumerate(self._pieces):
            if isinstance(piece, Group):
                first = _literal(piece)
                for stop in _first_texts(self._pieces[number + 1 :]):
                    if stop and overlap(first, stop):
                        raise LineFormatError(f"'{first}' and '{stop}' begin alike, so [ ] is ambiguous")
        for steps, _ in self._steps:
            for step in steps:
                if isinstance(step.piece, Placeholder):
                    self._require_end(step.piece.field, step.stops)

    def _require_end(self, field: str, stops: Iterable[str]) -> None:
        for stop in stops:
            if self._values[field].conflict(stop):
                raise LineFormatError(f"'{stop}' after {{{field}}} could be part of the {field}")


def parse_format(text: str) -> tuple[Piece, ...]:
    """Return the pieces of a format.

    Raises LineFormatError if it is not valid.
    """
    pieces: list[Piece] = []
    group: list[Literal | Placeholder] | None = None
    for match in _TOKEN.finditer(text):
        field, bracket, literal, brace = match.groups()
        if brace or (field is not None and not field.isidentifier()):
            raise LineFormatError(f"'{match[0]}' is not the name of a field in braces")
        if bracket == "[":
            if group is not None:
                raise LineFormatError("[ ] cannot contain another [ ]")
            group = []
        elif bracket == "]":
            pieces.append(_group(group))
            group = None
        else:
            (pieces if group is None else group).append(Literal(literal) if literal else Placeholder(field))
    if group is not None:
        raise LineFormatError("missing ] after [")
    _require_order(pieces)
    return tuple(pieces)


def _group(pieces: list[Literal | Placeholder] | None) -> Group:
    if pieces is None:
        raise LineFormatError("missing [ before ]")
    if not pieces or not isinstance(pieces[0], Literal):
        raise LineFormatError("[ ] must begin with text, which identifies it")
    group = Group(tuple(pieces))
    if not group.fields:
        raise LineFormatError("[ ] must contain a field")
    _require_order(pieces)
    return group


def _require_order(pieces: Sequence[Piece]) -> None:
    """Raise LineFormatError unless there is text between values."""
    if len(pieces) > MOST_PIECES:
        raise LineFormatError(f"a line cannot have more than {MOST_PIECES} pieces")
    if not pieces or isinstance(pieces[0], Group):
        raise LineFormatError("a line must begin with text or a field")
    for one, other in pairwise(pieces):
        if isinstance(other, Placeholder) and not isinstance(one, Literal):
            raise LineFormatError(f"write text before {{{other.field}}}")


def _fields(pieces: Iterable[Piece]) -> Iterator[str]:
    for piece in pieces:
        if isinstance(piece, Placeholder):
            yield piece.field
        elif isinstance(piece, Group):
            yield from piece.fields


def _literal(group: Group) -> str:
    first = group.pieces[0]
    assert isinstance(first, Literal)
    return first.text


def _first_texts(pieces: Sequence[Piece]) -> Iterator[str]:
    """Yield the texts with which pieces can begin.

    END for the end of the line.
    """
    for piece in pieces:
        if isinstance(piece, Group):
            yield _literal(piece)
            continue
        if isinstance(piece, Literal):
            yield piece.text
        return
    yield END


def _text(piece: Literal | Placeholder, texts: Mapping[str, str]) -> str:
    return piece.text if isinstance(piece, Literal) else texts.get(piece.field, "")


def _instead(line: str, at: int) -> str:
    return f", not '{_excerpt(line[at:])}'" if at < len(line) else " at the end"


def _excerpt(text: str) -> str:
    return text if len(text) <= 20 else f"{text[:20]}…"


# Stands for the end of the line among the texts that can follow a value.
END = ""
_CHARACTER = r"[^\n\r\u2028\u2029]"
LINE_BREAKS = frozenset("\n\r\u2028\u2029")
_SPECIAL = re.compile(r"[\\^$.*+?()\[\]{}|/]")


# More words would make lines, and the schema of lines, slow to read.
MOST_WORDS = 500


class LineFormatError(Exception):
    """A format that cannot be read in one way only.

    The message is for the author of the game.
    """


def escape_pattern(text: str) -> str:
    """Return a text as a regular expression that both Python and JSON Schema read."""
    return _SPECIAL.sub(r"\\\g<0>", text)


def overlap(one: str, other: str) -> bool:
    """Return whether one text begins with the other."""
    return one.startswith(other) or other.startswith(one)


class Value:
    """What a placeholder matches: a text that ends before certain words.

    `words` are all texts that it can be, if there are few.
    """

    words: Sequence[str] = ()

    def match(self, text: str, at: int, stops: Sequence[str]) -> int:
        """Return where the value ends that begins at a position.

        The same position if there is none.
        """
        ends = [end for stop in stops if stop and (end := text.find(stop, at)) >= 0]
        return min(ends, default=len(text) if END in stops else at)

    def conflict(self, stop: str) -> bool:
        """Return whether a value could go on with the text behind it."""
        return False

    def pattern(self, stops: Sequence[str]) -> str:
        """Return a regular expression for the same texts."""
        words = "|".join(escape_pattern(stop) for stop in stops if stop)
        return f"(?:(?!{words}){_CHARACTER})+" if words else f"{_CHARACTER}+"


class NumberValue(Value):
    """A number in its shortest form, without leading zeros."""

    _PATTERN = r"-?(?:0|[1-9][0-9]{0,11})"

    def __init__(self, *, decimals: bool = False) -> None:
        self._pattern = self._PATTERN + (r"(?:\.[0-9]{1,6})?" if decimals else "")
        self._compiled = re.compile(self._pattern)
        self._more = "0123456789." if decimals else "0123456789"

    def match(self, text: str, at: int, stops: Sequence[str]) -> int:
        """Return where the value ends that begins at a position."""
        found = self._compiled.match(text, at)
        return found.end() if found else at

    def conflict(self, stop: str) -> bool:
        """Return whether a value could go on with the text behind it."""
        return stop[:1] in tuple(self._more)

    def pattern(self, stops: Sequence[str]) -> str:
        """Return a regular expression for the same texts."""
        return self._pattern


class BoundedValue(NumberValue):
    """A whole number from a short range."""

    def __init__(self, low: int, high: int) -> None:
        super().__init__()
        self._numbers = "|".join(map(str, range(high, low - 1, -1)))

    def pattern(self, stops: Sequence[str]) -> str:
        """Return a regular expression for the same texts."""
        return f"(?:{self._numbers})"


class WordValue(Value):
    """One of some words; the longest that fits."""

    def __init__(self, words: Iterable[str]) -> None:
        """Raises LineFormatError for too many words."""
        self.words = [*words]
        self._words = sorted(self.words, key=len, reverse=True)
        if len(self._words) > MOST_WORDS:
            raise LineFormatError(f"a line cannot contain a field with more than {MOST_WORDS} words")

    def match(self, text: str, at: int, stops: Sequence[str]) -> int:
        """Return where the value ends that begins at a position."""
        return next((at + len(word) for word in self._words if text.startswith(word, at)), at)

    def conflict(self, stop: str) -> bool:
        """Return whether a value could go on with the text behind it."""
        rests = (long[len(word) :] for word in self._words for long in self._words if long.startswith(word))
        return bool(stop) and any(rest and overlap(rest, stop) for rest in rests)

    def pattern(self, stops: Sequence[str]) -> str:
        """Return a regular expression for the same texts."""
        return f"(?:{'|'.join(map(escape_pattern, self._words))})"


GENERAL_NUMBER = "100"


class LimitBook:
    """The limits of a game by code.

    Bounds without a code of their own share the general one, so that codes never shift.
    """

    def __init__(self, prefix: str, game: str) -> None:
        self.prefix = prefix
        self._game = game
        # For each code, the subjects of each bound.
        self._uses: dict[str, dict[str, list[str]]] = {f"{prefix}{GENERAL_NUMBER}": {}}

    def rule(self, code: str, subject: str, bounds: str) -> LimitRule:
        """Return the rule of a bound, such as 'heat of a brave' with 'goes from 1 to 6'."""
        code = code or f"{self.prefix}{GENERAL_NUMBER}"
        self._uses.setdefault(code, {}).setdefault(bounds, []).append(subject)
        return LimitRule(code, self._name(code), f"{subject} {bounds}")

    def _name(self, code: str) -> str:
        is_general = code.endswith(GENERAL_NUMBER)
        return f"{self.prefix.lower()}-limits" if is_general else f"{self.prefix.lower()}-limit-{code[2:]}"

    def checks(self) -> Iterator[Check]:
        """Yield the fixed limits with their manual pages."""
        for code, uses in self._uses.items():
            # The bounds of a code as indented lines.
            if len(uses) > _MOST_BOUNDS:
                count = sum(len({*subjects}) for subjects in uses.values())
                where = "The message gives the limit that the value breaks, and\n    `cardgen schema` lists all limits."
                sentences = f"    {count} bounds share this code. {where}\n"
            else:
                dash = "- " if len(uses) > 1 else ""
                sentences = "".join(
                    f"    {dash}{_sentence(bounds, [*dict.fromkeys(uses[bounds])])}\n" for bounds in uses
                )
            page = f"A value that {self._game} does not allow.\n\nWhy is this bad?\n{sentences or _NO_BOUNDS}"
            yield Check(code, self._name(code), page)


_NO_BOUNDS = "    The game sets no bounds yet.\n"


# The page of more bounds than this only counts them; messages name the one that is broken.
_MOST_BOUNDS = 12


def _sentence(bounds: str, subjects: Sequence[str]) -> str:
    """Return what one bound is for, such as 'The heat and age of a brave must be between 0 and 10.'."""
    owners: dict[str, list[str]] = {}
    for key, _, owner in (subject.rpartition(" of ") for subject in subjects):
        owners.setdefault(owner, []).append(key.removeprefix("the ").replace("_", " "))
    named = [f"the {join_words(keys, 'and')} of {owner}" if keys[0] else owner for owner, keys in owners.items()]
    listed = join_words(named, "and")
    verb, _, phrase = bounds.partition(" ")
    must = "must have" if verb == "has" else "must be"
    return f"{listed[0].upper()}{listed[1:]} {must} {phrase}."

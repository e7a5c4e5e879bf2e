"""What is at a position of a template: a name, a field, or a filter, and the type that it has.

Templates that are being written are seldom valid, so their text is searched backwards instead of parsed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from cardgen.face.template.mistakes.value_types import (
    UNKNOWN,
    KeysType,
    ListType,
    MapType,
    ModelType,
    ValueType,
    field_type,
)

_PATH = r"[A-Za-z_]\w*(?:\[[^\[\]\n]{0,40}\])?(?:\.[A-Za-z_]\w*(?:\[[^\[\]\n]{0,40}\])?)*"
_OWNERS = re.compile(rf"(?P<owners>{_PATH})\.$")
_WORD_BEFORE, _WORD_AFTER = re.compile(r"[A-Za-z_]\w*$"), re.compile(r"\w*")
_FILTER = re.compile(r"\|\s*$")
_QUOTED = re.compile(r"\"[^\"\n]*\"|'[^'\n]*'")
_EXPRESSION = re.compile(rf"\s*(?P<path>{_PATH})\s*(?P<filters>(?:\|\s*(?:sort|list|reverse|unique)\b[^|]*)*)$")
_LOOP = re.compile(r"\{%[-+]?\s*for\s+(?P<names>[\w\s,]{1,80}?)\s+in\s+(?P<items>[^%]{1,200}?)\s*[-+]?%\}")
_SET = re.compile(r"\{%[-+]?\s*set\s+(?P<name>\w+)\s*=\s*(?P<value>[^%]{1,200}?)\s*[-+]?%\}")
# Names that are set from names are followed to this depth.
_MAX_DEPTH = 8


class TemplateExpression(NamedTuple):
    """A word of a template: `name`, in `owners`, whose type is `owner`; `kind` is its own type.

    `local` are the names that the template sets before it.
    """

    owners: tuple[str, ...]
    name: str
    span: tuple[int, int]
    owner: ValueType
    kind: ValueType
    local: frozenset[str]
    is_filter: bool = False


def expression_at(text: str, offset: int, card: ValueType) -> TemplateExpression | None:
    """Return the word at an offset, or None outside of expressions and in quotes; `card` is the type of the card."""
    begin = max(text.rfind("{{", 0, offset), text.rfind("{%", 0, offset))
    if begin < 0 or text.find("}}", begin, offset) >= 0 or text.find("%}", begin, offset) >= 0:
        return None
    if re.search(r"[\"']", _QUOTED.sub("", text[begin:offset])):
        return None
    before = _WORD_BEFORE.search(text, begin, offset)
    start = before.start() if before else offset
    after = _WORD_AFTER.match(text, offset)
    end = after.end() if after else offset
    names = _LocalNames(text[:begin], card)
    owners = _OWNERS.search(text, begin, start)
    path = tuple(owners["owners"].split(".")) if owners else ()
    is_filter = not owners and bool(_FILTER.search(text, begin, start))
    owner = names.type_of_path(path) if path else UNKNOWN
    name = text[start:end]
    kind = part_type(owner, name) if path else names.type_of(name)
    return TemplateExpression(path, name, (start, end), owner, kind, names.local, is_filter)


class _LocalNames:
    """The types of names at a place of a template: those of the context, and those that are set before it."""

    def __init__(self, before: str, card: ValueType) -> None:
        self._card = card
        self._sources: dict[str, tuple[str, bool]] = {}
        for name, value, is_item, _ in sorted(_assignments(before), key=lambda each: each[3]):
            self._sources[name] = value, is_item

    @property
    def local(self) -> frozenset[str]:
        """The names that the template sets."""
        return frozenset(self._sources)

    def type_of(self, name: str, depth: int = 0) -> ValueType:
        """Return the type of a name."""
        if name not in self._sources or depth > _MAX_DEPTH:
            return self._card if name == "card" else UNKNOWN
        value, is_item = self._sources[name]
        expression = _EXPRESSION.match(value)
        kind = self.type_of_path(tuple(expression["path"].split(".")), depth + 1) if expression else UNKNOWN
        if not is_item:
            return kind
        return kind.item if isinstance(kind, ListType | MapType) else UNKNOWN

    def type_of_path(self, path: tuple[str, ...], depth: int = 0) -> ValueType:
        """Return the type of a dotted path, whose steps may end with an index."""
        kind = UNKNOWN
        for number, step in enumerate(path):
            name, bracket, _ = step.partition("[")
            kind = part_type(kind, name) if number else self.type_of(name, depth)
            if bracket:
                kind = kind.item if isinstance(kind, ListType | MapType) else UNKNOWN
        return kind


def _assignments(text: str) -> Iterator[tuple[str, str, bool, int]]:
    """Yield each name that is set, what it is set to, whether it is an item of that, and where."""
    for match in _LOOP.finditer(text):
        names = match["names"].replace(",", " ").split()
        for name in names:
            yield name, match["items"].partition(" if ")[0] if len(names) == 1 else "", True, match.start()
    for match in _SET.finditer(text):
        yield match["name"], match["value"], False, match.start()


def part_type(owner: ValueType, name: str) -> ValueType:
    """Return the type of a field."""
    if isinstance(owner, ModelType):
        return field_type(owner, name) or UNKNOWN
    if isinstance(owner, KeysType):
        return owner.keys.get(name, UNKNOWN)
    return owner.item if isinstance(owner, MapType) else UNKNOWN

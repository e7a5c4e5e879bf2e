"""Parser events become plain data, with the place of every key and value, and every problem on the way."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, NoReturn

from yaml.events import (
    AliasEvent,
    CollectionStartEvent,
    DocumentStartEvent,
    Event,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    StreamEndEvent,
)

from cardgen.source.codes import Code
from cardgen.source.node import Data, Extent, Node, Scalar
from cardgen.source.problem import Problem, ReadingEnds
from cardgen.source.scalars import LARGEST_NUMBER, disagreement, read_plain
from cardgen.source.unprintable import character, unprintable

DEEPEST = 32
MOST_VALUES = 50_000
MOST_PROBLEMS = 1_000


class Composition(NamedTuple):
    """The data of one document and its places; both are None for an empty one, and where reading ended early."""

    data: Data
    root: Node | None
    problems: list[Problem]


def compose(text: str, events: Iterator[Event]) -> Composition:
    """The document whose `text` gave the `events`; whatever is wrong with it stands in the problems."""
    composer = _Composer(text, events)
    try:
        data, root = composer.document()
    except ReadingEnds as end:
        return Composition(None, None, [*composer.problems, end.problem])
    return Composition(data, root, composer.problems)


class _Composer:
    def __init__(self, text: str, events: Iterator[Event]) -> None:
        self.text = text
        self.events = events
        self.problems: list[Problem] = []
        self.values = 0

    def document(self) -> tuple[Data, Node | None]:
        next(self.events)  # the stream's start
        start = next(self.events)
        if isinstance(start, StreamEndEvent):
            return None, None
        if isinstance(start, DocumentStartEvent) and (start.version or start.tags):
            self._report(Code.TAG, "directives are refused", _extent(start), "remove the lines that begin with '%'")
        data, root = self._value(next(self.events), 0)
        next(self.events)  # the document's end
        another = next(self.events)
        if isinstance(another, DocumentStartEvent):
            advice = "put it into a file of its own, or all cards into one list under 'cards:'"
            self._stop(Code.SEVERAL_DOCUMENTS, "a second document begins here", _extent(another), advice)
        return data, root

    def _value(self, event: Event, depth: int, key: Extent | None = None) -> tuple[Data, Node]:
        self.values += 1
        if self.values > MOST_VALUES:
            self._stop(Code.TOO_MUCH, f"more than {MOST_VALUES:,} values in one file", _extent(event), "split the file")
        if isinstance(event, ScalarEvent):
            self._refuse_properties(event)
            extent = self._scalar_extent(event)
            return self._scalar(event, extent), Node(extent, key or extent)
        if isinstance(event, CollectionStartEvent):
            self._refuse_properties(event)
            if depth == DEEPEST:
                self._stop(Code.TOO_DEEP, f"nested more than {DEEPEST} levels deep", _extent(event))
            read = self._map if isinstance(event, MappingStartEvent) else self._list
            return read(event, depth + 1, key)
        if isinstance(event, AliasEvent):
            self._report(Code.ANCHOR, f"the alias *{event.anchor} is refused", _extent(event), "write the value out")
        return None, Node(_extent(event), key or _extent(event))

    def _list(self, start: CollectionStartEvent, depth: int, key: Extent | None) -> tuple[Data, Node]:
        data: list[Data] = []
        nodes: list[Node] = []
        while not isinstance(event := next(self.events), SequenceEndEvent):
            value, node = self._value(event, depth)
            data.append(value)
            nodes.append(node)
        dash = _extent(start)
        extent = self._collection_extent(start, event, (dash[0], dash[0] + 1), nodes[0].value if nodes else dash)
        return data, Node(extent, key or extent, nodes)

    def _map(self, start: CollectionStartEvent, depth: int, key: Extent | None) -> tuple[Data, Node]:
        data: dict[str, Data] = {}
        nodes: dict[str, Node] = {}
        first: Node | None = None
        while not isinstance(event := next(self.events), MappingEndEvent):
            name, name_extent = self._key(event, depth)
            value, node = self._value(next(self.events), depth, name_extent)
            first = first or node
            if name in nodes:
                message = f"the key '{_shortened(name)}' stands here twice"
                self._report(Code.DUPLICATE_KEY, message, name_extent, "remove one of the two", nodes[name].key)
            elif name is not None:
                data[name] = value
                nodes[name] = node
        begin = _extent(start)
        extent = self._collection_extent(start, event, *((first.key, first.value) if first else (begin, begin)))
        return data, Node(extent, key or extent, nodes)

    def _key(self, event: Event, depth: int) -> tuple[str | None, Extent]:
        """A key's text, or None where the pair has to be passed over, and where the key stands."""
        if _is_merge_key(event):
            self._report(Code.MERGE_KEY, "the merge key << is refused", _extent(event), "write the keys out")
            return None, _extent(event)
        problems = len(self.problems)
        value, node = self._value(event, depth)
        if not isinstance(event, ScalarEvent):
            self._report(Code.KEY_NOT_TEXT, "a key must be text", node.value)
            return None, node.value
        if not isinstance(value, str) and len(self.problems) == problems:
            message = f"the key {event.value} must be text; quote it" if event.value else "a key is missing here"
            self._report(Code.KEY_NOT_TEXT, message, node.value)
        return event.value, node.value

    def _scalar(self, event: ScalarEvent, extent: Extent) -> Scalar:
        text = event.value
        if event.style:
            # Only escapes, which double quotes alone have, can bring in what was sifted out of the file itself.
            found = unprintable(text) if event.style == '"' else None
            if found:
                self._report(Code.UNPRINTABLE, f"an escape stands for {character(found[0])}", extent, "leave it out")
            return text
        reading = read_plain(text)
        if reading.sound:
            return reading.value
        if reading.out_of_range:
            advice = f"write a number between -{LARGEST_NUMBER} and {LARGEST_NUMBER}, or quote the text"
            self._report(Code.NUMBER_OUT_OF_RANGE, f"{_shortened(text)} is out of range", extent, advice)
            return text
        message, advice = disagreement(text, reading)
        self._report(Code.AMBIGUOUS, message, extent, advice)
        return reading.value

    def _refuse_properties(self, event: ScalarEvent | CollectionStartEvent) -> None:
        if event.anchor is not None:
            self._report(Code.ANCHOR, f"the anchor &{event.anchor} is refused", _extent(event), "write the value out")
        if event.tag is not None:
            tag = event.tag.replace("tag:yaml.org,2002:", "!!")
            self._report(Code.TAG, f"the tag {tag} is refused", _extent(event), "leave it out; quotes make a text")

    def _scalar_extent(self, event: ScalarEvent) -> Extent:
        """Without the line breaks that end a text after '|' or '>'."""
        start, end = _extent(event)
        return (start, start + len(self.text[start:end].rstrip())) if event.style in ("|", ">") else (start, end)

    def _collection_extent(self, start: CollectionStartEvent, end: Event, key: Extent, value: Extent) -> Extent:
        """All of it between brackets; of an indented one the first key or dash, with a value beside it."""
        begin = _extent(start)[0]
        if start.flow_style:
            return begin, _extent(end)[1]
        return begin, value[1] if "\n" not in self.text[begin : value[1]] else key[1]

    def _report(self, code: Code, message: str, extent: Extent, advice: str = "", first: Extent | None = None) -> None:
        self.problems.append(Problem(code, message, *extent, advice, first))
        if len(self.problems) == MOST_PROBLEMS:
            self._stop(Code.TOO_MUCH, f"more than {MOST_PROBLEMS:,} problems in one file", extent)

    def _stop(self, code: Code, message: str, extent: Extent, advice: str = "") -> NoReturn:
        raise ReadingEnds(Problem(code, message, *extent, advice))


def _extent(event: Event) -> Extent:
    start, end = event.start_mark, event.end_mark
    return (start.index if start else 0), (end.index if end else 0)


def _is_merge_key(event: Event) -> bool:
    return isinstance(event, ScalarEvent) and event.value == "<<" and not event.style


def _shortened(text: str, longest: int = 40) -> str:
    return text if len(text) <= longest else text[: longest - 1] + "…"

"""Compose parser events into data, positions, and problems."""

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

from cardgen.codes import Code
from cardgen.source.positions import CharRange, Data, Node, Scalar, describe_character, find_unprintable
from cardgen.source.yaml_parser import MAX_NUMBER, FatalProblem, Problem, explain_ambiguity, resolve_plain
from cardgen.units import shorten

MAX_DEPTH = 32
MAX_VALUES = 50_000
MAX_PROBLEMS = 1_000


class Composition(NamedTuple):
    """Data and positions of one document, and its problems.

    Data and root are None if the document is empty or reading stopped early.
    """

    data: Data
    root: Node | None
    problems: list[Problem]


def compose(text: str, events: Iterator[Event]) -> Composition:
    """Compose the `events` of a `text` into a document and its problems."""
    composer = _Composer(text, events)
    try:
        data, root = composer.compose_document()
    except FatalProblem as end:
        return Composition(None, None, [*composer.problems, end.problem])
    return Composition(data, root, composer.problems)


class _Composer:
    def __init__(self, text: str, events: Iterator[Event]) -> None:
        self.text = text
        self.events = events
        self.problems: list[Problem] = []
        self.values = 0

    def compose_document(self) -> tuple[Data, Node | None]:
        next(self.events)  # the stream's start
        start = next(self.events)
        if isinstance(start, StreamEndEvent):
            return None, None
        if isinstance(start, DocumentStartEvent) and (start.version or start.tags):
            self._report(
                Code.TAG, "YAML directives are not supported", _event_range(start), "remove lines starting with '%'"
            )
        data, root = self._compose_value(next(self.events), 0)
        next(self.events)  # the document's end
        following = next(self.events)
        if isinstance(following, DocumentStartEvent):
            advice = "move it to its own file, or put all cards in one list under 'cards:'"
            self._stop(
                Code.SEVERAL_DOCUMENTS, "the file has more than one YAML document", _event_range(following), advice
            )
        return data, root

    def _compose_value(self, event: Event, depth: int, key: CharRange | None = None) -> tuple[Data, Node]:
        self.values += 1
        if self.values > MAX_VALUES:
            self._stop(
                Code.TOO_MUCH, f"the file has more than {MAX_VALUES:,} values", _event_range(event), "split the file"
            )
        if isinstance(event, ScalarEvent):
            self._refuse_properties(event)
            char_range = self._scalar_range(event)
            return self._compose_scalar(event, char_range), Node(char_range, key or char_range)
        if isinstance(event, CollectionStartEvent):
            self._refuse_properties(event)
            if depth == MAX_DEPTH:
                self._stop(Code.TOO_DEEP, f"values are nested more than {MAX_DEPTH} levels deep", _event_range(event))
            compose_collection = self._compose_map if isinstance(event, MappingStartEvent) else self._compose_list
            return compose_collection(event, depth + 1, key)
        if isinstance(event, AliasEvent):
            self._report(
                Code.ANCHOR, f"alias *{event.anchor} is not supported", _event_range(event), "write the value in full"
            )
        return None, Node(_event_range(event), key or _event_range(event))

    def _compose_list(self, start: CollectionStartEvent, depth: int, key: CharRange | None) -> tuple[Data, Node]:
        data: list[Data] = []
        nodes: list[Node] = []
        while not isinstance(event := next(self.events), SequenceEndEvent):
            value, node = self._compose_value(event, depth)
            data.append(value)
            nodes.append(node)
        dash = _event_range(start)
        char_range = self._collection_range(
            start, event, (dash[0], dash[0] + 1), nodes[0].value_range if nodes else dash
        )
        return data, Node(char_range, key or char_range, nodes)

    def _compose_map(self, start: CollectionStartEvent, depth: int, key: CharRange | None) -> tuple[Data, Node]:
        data: dict[str, Data] = {}
        nodes: dict[str, Node] = {}
        first: Node | None = None
        while not isinstance(event := next(self.events), MappingEndEvent):
            name, name_range = self._compose_key(event, depth)
            value, node = self._compose_value(next(self.events), depth, name_range)
            first = first or node
            if name in nodes:
                message = f"duplicate key '{shorten(name)}'"
                self._report(Code.DUPLICATE_KEY, message, name_range, "remove one of them", nodes[name].key_range)
            elif name is not None:
                data[name] = value
                nodes[name] = node
        begin = _event_range(start)
        char_range = self._collection_range(
            start, event, *((first.key_range, first.value_range) if first else (begin, begin))
        )
        return data, Node(char_range, key or char_range, nodes)

    def _compose_key(self, event: Event, depth: int) -> tuple[str | None, CharRange]:
        """Return the text and the range of a key.

        The text is None if the pair has to be skipped.
        """
        if _is_merge_key(event):
            self._report(Code.MERGE_KEY, "merge key << is not supported", _event_range(event), "write the keys in full")
            return None, _event_range(event)
        problems = len(self.problems)
        value, node = self._compose_value(event, depth)
        if not isinstance(event, ScalarEvent):
            self._report(Code.KEY_NOT_TEXT, "keys must be text", node.value_range)
            return None, node.value_range
        if not isinstance(value, str) and len(self.problems) == problems:
            message = f"key {event.value} must be text; put it in quotes" if event.value else "missing key"
            self._report(Code.KEY_NOT_TEXT, message, node.value_range)
        return event.value, node.value_range

    def _compose_scalar(self, event: ScalarEvent, char_range: CharRange) -> Scalar:
        text = event.value
        if event.style:
            # The text itself was sanitized before; only escapes in double quotes can still produce such characters.
            match = find_unprintable(text) if event.style == '"' else None
            if match:
                message = f"escape sequence produces an unprintable character: {describe_character(match[0])}"
                self._report(Code.UNPRINTABLE, message, char_range, "remove it")
            return text
        scalar = resolve_plain(text)
        if scalar.is_valid:
            return scalar.value
        if scalar.is_out_of_range:
            advice = f"write a number between -{MAX_NUMBER} and {MAX_NUMBER}, or put the text in quotes"
            self._report(Code.NUMBER_OUT_OF_RANGE, f"number {shorten(text)} is out of range", char_range, advice)
            return text
        message, advice = explain_ambiguity(shorten(text), scalar)
        self._report(Code.AMBIGUOUS, message, char_range, advice)
        return scalar.value

    def _refuse_properties(self, event: ScalarEvent | CollectionStartEvent) -> None:
        if event.anchor is not None:
            self._report(
                Code.ANCHOR, f"anchor &{event.anchor} is not supported", _event_range(event), "write the value in full"
            )
        if event.tag is not None:
            tag = event.tag.replace("tag:yaml.org,2002:", "!!")
            advice = "remove it; put the value in quotes if it is text"
            self._report(Code.TAG, f"tag {tag} is not supported", _event_range(event), advice)

    def _scalar_range(self, event: ScalarEvent) -> CharRange:
        """Return a scalar's range, without line breaks after '|' or '>' text."""
        start, end = _event_range(event)
        return (start, start + len(self.text[start:end].rstrip())) if event.style in ("|", ">") else (start, end)

    def _collection_range(self, start: CollectionStartEvent, end: Event, key: CharRange, value: CharRange) -> CharRange:
        """Return the range of a collection.

        In brackets, it is the whole collection; in block style, the first key or dash, and its value if that is on the
        same line.
        """
        begin = _event_range(start)[0]
        if start.flow_style:
            return begin, _event_range(end)[1]
        return begin, value[1] if "\n" not in self.text[begin : value[1]] else key[1]

    def _report(
        self, code: Code, message: str, char_range: CharRange, help_text: str = "", first_range: CharRange | None = None
    ) -> None:
        self.problems.append(Problem(code, message, *char_range, help_text, first_range))
        if len(self.problems) == MAX_PROBLEMS:
            self._stop(Code.TOO_MUCH, f"the file has more than {MAX_PROBLEMS:,} problems; reading stopped", char_range)

    def _stop(self, code: Code, message: str, char_range: CharRange, help_text: str = "") -> NoReturn:
        raise FatalProblem(Problem(code, message, *char_range, help_text))


def _event_range(event: Event) -> CharRange:
    start, end = event.start_mark, event.end_mark
    return (start.index if start else 0), (end.index if end else 0)


def _is_merge_key(event: Event) -> bool:
    return isinstance(event, ScalarEvent) and event.value == "<<" and not event.style

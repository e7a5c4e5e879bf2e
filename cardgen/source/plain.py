"""The quick way to read a file in which nothing is unusual: its data alone, without places and without problems.

What it gives is what the composer gives; wherever there is more to say, it gives up and leaves the text to that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain, islice

import yaml
from yaml.events import (
    CollectionStartEvent,
    DocumentEndEvent,
    DocumentStartEvent,
    Event,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    StreamEndEvent,
)

from cardgen.source.composer import DEEPEST, MOST_VALUES
from cardgen.source.events import PARSER
from cardgen.source.node import Data, Scalar
from cardgen.source.scalars import LONGEST_REMEMBERED, read_plain
from cardgen.source.unprintable import unprintable

# What short texts without quotes mean, of which cards repeat many.
_KNOWN: dict[str, Scalar] = {}
_MOST_KNOWN = 8192
# So many events are made one after the other before they are looked at: parser and reader need not take turns, which
# costs a processor more than either, and a large file need not be held as events.
_BATCH = 256


class Unusual(Exception):  # noqa: N818 - no error, but a text that the quick way is not for
    """Something that may have to be reported, or an empty document."""


def read_plainly(text: str) -> Data:
    """The data of one document. Raises Unusual for everything that is not beyond doubt."""
    parser = PARSER(text)
    try:
        return _Reader(_in_batches(iter(parser.get_event, None)).__next__).document()
    except (yaml.YAMLError, ValueError, OverflowError) as error:
        raise Unusual from error


def _in_batches(events: Iterator[Event]) -> Iterator[Event]:
    return chain.from_iterable(iter(lambda: tuple(islice(events, _BATCH)), ()))


class _Reader:
    def __init__(self, next_event: Callable[[], Event]) -> None:
        self.next = next_event
        self.values = 0

    def document(self) -> Data:
        self.next()  # the stream's start
        start = self.next()
        if type(start) is not DocumentStartEvent or start.version or start.tags:
            raise Unusual
        data = self.value(self.next(), 0)
        if type(self.next()) is not DocumentEndEvent or type(self.next()) is not StreamEndEvent:
            raise Unusual
        return data

    def value(self, event: Event, depth: int) -> Data:
        if isinstance(event, ScalarEvent):
            return self.scalar(event)
        if not isinstance(event, CollectionStartEvent) or depth == DEEPEST:
            raise Unusual
        if event.anchor is not None or event.tag is not None:
            raise Unusual
        return self.map(depth + 1) if type(event) is MappingStartEvent else self.list(depth + 1)

    def map(self, depth: int) -> dict[str, Data]:
        data: dict[str, Data] = {}
        read, scalar, value = self.next, self.scalar, self.value
        pairs = 0
        while type(event := read()) is ScalarEvent:
            key = scalar(event)
            pairs += 1
            if type(key) is not str or key == "<<" or pairs > MOST_VALUES:
                raise Unusual
            event = read()
            data[key] = scalar(event) if type(event) is ScalarEvent else value(event, depth)
        if type(event) is not MappingEndEvent or len(data) < pairs:
            raise Unusual
        self.count(2 * pairs)
        return data

    def list(self, depth: int) -> list[Data]:
        data: list[Data] = []
        read, scalar, value = self.next, self.scalar, self.value
        while type(event := read()) is not SequenceEndEvent:
            data.append(scalar(event) if type(event) is ScalarEvent else value(event, depth))
            if len(data) > MOST_VALUES:
                raise Unusual
        self.count(len(data))
        return data

    def count(self, values: int) -> None:
        self.values += values
        if self.values >= MOST_VALUES:
            raise Unusual

    @staticmethod
    def scalar(event: ScalarEvent) -> Scalar:
        if event.anchor is not None or event.tag is not None:
            raise Unusual
        text = event.value
        style = event.style
        if style:
            if style == '"' and unprintable(text):
                raise Unusual
            return text
        if text in _KNOWN:
            return _KNOWN[text]
        reading = read_plain(text)
        if not reading.sound:
            raise Unusual
        if len(text) <= LONGEST_REMEMBERED and len(_KNOWN) < _MOST_KNOWN:
            _KNOWN[text] = reading.value
        return reading.value

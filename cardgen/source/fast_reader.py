"""Fast path: read the data of a clean file without positions.

The data are the same as the composer's. In every case that may need a diagnostic, the fast path raises NeedsComposer
and leaves the text to the composer.
"""

# FAST PATH. Reason: clean files need no positions, and a position for each value takes longer than the value itself.
# Gain: checking 1,000 files takes 0.67 s of processor time instead of 0.82 s, and building 900 cards 3.0 s instead of
# 3.4 s; without it the benchmark of checks misses its mark of 7 times the speed of yamllint. Slow twin: composer.

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

from cardgen.runtime.fast_paths import FAST
from cardgen.source.composer import DEFAULT_PARSER, MAX_CACHED_LENGTH, MAX_DEPTH, MAX_VALUES, resolve_plain
from cardgen.source.positions import Data, Scalar, find_unprintable

# Values of short plain scalars; cards repeat many of them.
_SCALAR_CACHE: dict[str, Scalar] = {}
_MAX_CACHED_SCALARS = 8192
# Events per batch. Alternating between parser and reader for each event costs more than either of them, and holding all
# events of a large file would cost memory.
_BATCH_SIZE = 256


class NeedsComposer(Exception):  # noqa: N818 - not an error: the fast path does not cover this text
    """Signal that a text may have problems, or is empty."""


def read_fast(text: str) -> Data:
    """Return the data of one document.

    Raises NeedsComposer for everything that may need a diagnostic.
    """
    if not FAST:
        raise NeedsComposer
    parser = DEFAULT_PARSER(text)
    try:
        return _FastReader(_batch_events(iter(parser.get_event, None)).__next__).read_document()
    except (yaml.YAMLError, ValueError, OverflowError) as error:
        raise NeedsComposer from error


def _batch_events(events: Iterator[Event]) -> Iterator[Event]:
    return chain.from_iterable(iter(lambda: tuple(islice(events, _BATCH_SIZE)), ()))


class _FastReader:
    def __init__(self, next_event: Callable[[], Event]) -> None:
        self.next_event = next_event
        self.values = 0

    def read_document(self) -> Data:
        self.next_event()  # the stream's start
        start = self.next_event()
        if type(start) is not DocumentStartEvent or start.version or start.tags:
            raise NeedsComposer
        data = self.read_value(self.next_event(), 0)
        if type(self.next_event()) is not DocumentEndEvent or type(self.next_event()) is not StreamEndEvent:
            raise NeedsComposer
        return data

    def read_value(self, event: Event, depth: int) -> Data:
        if isinstance(event, ScalarEvent):
            return self.read_scalar(event)
        if not isinstance(event, CollectionStartEvent) or depth == MAX_DEPTH:
            raise NeedsComposer
        if event.anchor is not None or event.tag is not None:
            raise NeedsComposer
        return self.read_map(depth + 1) if type(event) is MappingStartEvent else self.read_list(depth + 1)

    def read_map(self, depth: int) -> dict[str, Data]:
        data: dict[str, Data] = {}
        next_event, scalar, value = self.next_event, self.read_scalar, self.read_value
        pairs = 0
        while type(event := next_event()) is ScalarEvent:
            key = scalar(event)
            pairs += 1
            if type(key) is not str or key == "<<" or pairs > MAX_VALUES:
                raise NeedsComposer
            event = next_event()
            data[key] = scalar(event) if type(event) is ScalarEvent else value(event, depth)
        if type(event) is not MappingEndEvent or len(data) < pairs:
            raise NeedsComposer
        self.count_values(2 * pairs)
        return data

    def read_list(self, depth: int) -> list[Data]:
        data: list[Data] = []
        next_event, scalar, value = self.next_event, self.read_scalar, self.read_value
        while type(event := next_event()) is not SequenceEndEvent:
            data.append(scalar(event) if type(event) is ScalarEvent else value(event, depth))
            if len(data) > MAX_VALUES:
                raise NeedsComposer
        self.count_values(len(data))
        return data

    def count_values(self, values: int) -> None:
        self.values += values
        if self.values >= MAX_VALUES:
            raise NeedsComposer

    @staticmethod
    def read_scalar(event: ScalarEvent) -> Scalar:
        if event.anchor is not None or event.tag is not None:
            raise NeedsComposer
        text = event.value
        style = event.style
        if style:
            if style == '"' and find_unprintable(text):
                raise NeedsComposer
            return text
        if text in _SCALAR_CACHE:
            return _SCALAR_CACHE[text]
        scalar = resolve_plain(text)
        if not scalar.is_valid:
            raise NeedsComposer
        if len(text) <= MAX_CACHED_LENGTH and len(_SCALAR_CACHE) < _MAX_CACHED_SCALARS:
            _SCALAR_CACHE[text] = scalar.value
        return scalar.value

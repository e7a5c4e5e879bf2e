"""Documents, edits of their text, and a fast way to read clean files.

The fast reader returns the same data as the composer, without positions. In every case that may need a diagnostic, it
raises NeedsComposer and leaves the text to the composer.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, count, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import yaml
from yaml.events import (
    CollectionEndEvent,
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

from cardgen.diagnostic import Code, Diagnostic, Place
from cardgen.runtime import regular_file
from cardgen.runtime.installation import FAST
from cardgen.runtime.regular_file import ALL_SAVED, UnsavedFiles
from cardgen.source.composer import (
    DEFAULT_PARSER,
    MAX_CACHED_LENGTH,
    MAX_DEPTH,
    MAX_VALUES,
    CharRange,
    Composition,
    Data,
    KeyPath,
    LineIndex,
    Node,
    Problem,
    Scalar,
    compose,
    describe_character,
    event_range,
    extent,
    find_comments,
    find_unprintable,
    locate_substring,
    parse_events,
    replace_unprintable,
    resolve_plain,
)

# Values of short plain scalars; cards repeat many of them.
_SCALAR_CACHE: dict[str, Scalar] = {}
_MAX_CACHED_SCALARS = 8192
# Events per batch. Alternating between parser and reader for each event costs more than either of them, and holding all
# events of a large file would cost memory.
_BATCH_SIZE = 256


# FAST PATH. Reason: clean files need no positions, and a position for each value takes longer than the value itself.
# Gain: checking 1,000 files takes 0.67 s of processor time instead of 0.82 s, and building 900 cards 3.0 s instead of
# 3.4 s; without it the benchmark of checks misses its mark of 7 times the speed of yamllint. Slow twin: composer.
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
        events = iter(parser.get_event, None)
        batch_events = chain.from_iterable(iter(lambda: tuple(islice(events, _BATCH_SIZE)), ()))
        return _FastReader(batch_events.__next__).read_document()
    except (yaml.YAMLError, ValueError, OverflowError) as error:
        raise NeedsComposer from error


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


# A YAML file as a document: data, positions, comments, and diagnostics.


class LazyTree:
    """Tree of positions, composed on demand; most files never need it."""

    def __init__(self, text: str = "", composition: Composition | None = None) -> None:
        self._text = text
        self._cache = composition

    @property
    def root(self) -> Node | None:
        """The root node; None if empty or reading stopped early."""
        return self._composition.root

    @property
    def data(self) -> Data:
        """The data of the document."""
        return self._composition.data

    @property
    def is_composed(self) -> bool:
        """Whether the tree need not be composed, as that of a text with problems."""
        return self._cache is not None

    @property
    def _composition(self) -> Composition:
        if self._cache is None:
            self._cache = compose(self._text, parse_events(self._text))
        return self._cache


# Steps from the root to a value of a card in a list of cards.
_NEAR = 3


def _near_scalars(text: str) -> Iterator[tuple[KeyPath, CharRange]]:
    """Yield path and range of each scalar near the root of a clean text, in order, but not of blocks of lines."""
    events = parse_events(text)
    if any(isinstance(event, DocumentStartEvent) for event in events):
        yield from _scalars_below(next(events), events, ())


def _scalars_below(event: Event, events: Iterator[Event], path: KeyPath) -> Iterator[tuple[KeyPath, CharRange]]:
    if isinstance(event, ScalarEvent):
        if event.style not in ("|", ">"):
            yield path, event_range(event)
    elif len(path) < _NEAR:
        is_map = isinstance(event, MappingStartEvent)
        for number in count():
            if isinstance(child := next(events), CollectionEndEvent):
                return
            step: str | int = number
            if is_map and isinstance(child, ScalarEvent):
                step, child = child.value, next(events)
            yield from _scalars_below(child, events, (*path, step))
    else:
        depth = 1
        while depth:
            event = next(events)
            depth += isinstance(event, CollectionStartEvent) - isinstance(event, CollectionEndEvent)


MAX_FILE_SIZE = 2**20
_TOO_LARGE = f"the file is larger than {MAX_FILE_SIZE // 1024:,} KiB"


class Comment(NamedTuple):
    """Comment: its line, counted from 1, and the text after the '#'."""

    line: int
    text: str


@dataclass(frozen=True, slots=True)
class Document:
    """Contents of one YAML file.

    `file` is the path as the user would type it. `data` holds dicts, lists, str, int, float, bool, and None; it is None
    for an empty file, and if a problem stopped the reading. `diagnostics` are sorted, and `reported_places` are theirs.
    `has_byte_order_mark` says that the text started with one; places do not count it.
    """

    file: str
    data: Data
    diagnostics: tuple[Diagnostic, ...] = ()
    line_index: LineIndex = field(default_factory=lambda: LineIndex("", ""), repr=False, compare=False)
    tree: LazyTree = field(default_factory=LazyTree, repr=False, compare=False)
    has_byte_order_mark: bool = False
    reported_places: frozenset[Place] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "reported_places", frozenset(each.place for each in self.diagnostics))

    def release_data(self) -> None:
        """Free the data; they are composed again on the next access."""
        object.__delattr__(self, "data")

    if not TYPE_CHECKING:  # Otherwise, type checkers accept any attribute name.

        def __getattr__(self, name: str) -> Data:
            """Compose the data again after `release_data`."""
            if name != "data":
                raise AttributeError(name)
            object.__setattr__(self, "data", self.tree.data)
            return self.data

    @property
    def root(self) -> Node | None:
        """The root node; None if empty or reading stopped early."""
        return self.tree.root

    def place(self, key_path: KeyPath = (), *, key: bool = False) -> Place:
        """Return the place of the value at `key_path`, or of its key.

        If the path does not exist, return the place of its deepest existing part.
        """
        node = self.root
        if node is None:
            return Place(self.file)
        for step in key_path:
            child = node.child(step)
            if child is None:
                return self.line_index.place(*node.value_range)
            node = child
        return self.line_index.place(*(node.key_range if key else node.value_range))

    def near_places(self, key_paths: Sequence[KeyPath]) -> list[Place]:
        """Return the places of values as `place` does, without composing the document if they are near its root."""
        wanted, found = {*key_paths}, dict[KeyPath, CharRange]()
        if FAST and not self.tree.is_composed:
            for path, char_range in _near_scalars(self.line_index.text):
                if path in wanted:
                    found[path] = char_range
                if len(found) == len(wanted):
                    break
        return [self.line_index.place(*found[path]) if path in found else self.place(path) for path in key_paths]

    def extent(self, key_path: KeyPath) -> Place | None:
        """Return the place of the key at `key_path` and of everything in its value, or None if it does not exist."""
        node = self.root
        for step in key_path:
            node = node.child(step) if node else None
        return self.line_index.place(*extent(node)) if node else None

    def place_of_substring(self, key_path: KeyPath, text: str, start: int, end: int) -> Place | None:
        """Return the place of `text[start:end]`, a part of the text at `key_path`.

        None if the text contains escapes.
        """
        node = self.root
        for step in key_path:
            node = node.child(step) if node else None
        char_range = locate_substring(self.line_index.text, node.value_range, text, start, end) if node else None
        return self.line_index.place(*char_range) if char_range else None

    def comments(self) -> tuple[Comment, ...]:
        """Return all comments in order; none if reading stopped early."""
        matches = find_comments(self.line_index.text, self.root)
        return tuple(Comment(self.line_index.line_number(index), text) for index, text in matches)


def parse_document(text: str, file: str) -> Document:
    """Parse a text into a document; `file` is its name in messages.

    Never raises: all problems are in the document's diagnostics.
    """
    has_mark = text.startswith("\ufeff")
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    if len(text) > MAX_FILE_SIZE:
        return unreadable_document(file, Code.FILE_TOO_LARGE, _TOO_LARGE, "split the file")
    if (conflict := find_conflict(text, file)) is not None:
        return conflict
    text, problems = sanitize(text)
    line_index = LineIndex(file, text)
    try:
        return Document(
            file, read_fast(text), _to_diagnostics(problems, line_index), line_index, LazyTree(text), has_mark
        )
    except NeedsComposer:
        composition = compose(text, parse_events(text))
    diagnostics = _to_diagnostics((*problems, *composition.problems), line_index)
    return Document(file, composition.data, diagnostics, line_index, LazyTree(text, composition), has_mark)


def _to_diagnostics(problems: Iterable[Problem], line_index: LineIndex) -> tuple[Diagnostic, ...]:
    return tuple(sorted([problem.to_diagnostic(line_index) for problem in problems], key=Diagnostic.sort_key))


def unreadable_document(file: str, code: Code, message: str, help_text: str = "") -> Document:
    """Return the document of a file that was not read."""
    return Document(file, None, (Diagnostic(code, message, Place(file), help_text),))


def sanitize(text: str) -> tuple[str, list[Problem]]:
    """Replace unprintable characters, and report the first of them.

    One problem covers all of them.
    """
    match = find_unprintable(text)
    if match is None:
        return text, []
    text, count = replace_unprintable(text)
    more = f" (and {count - 1} more)" if count > 1 else ""
    message = f"unprintable character {describe_character(match[0])}{more}"
    return text, [Problem(Code.UNPRINTABLE, message, *match.span(), "remove it")]


_OTHER_ENCODINGS = {b"\xff\xfe": "UTF-16", b"\xfe\xff": "UTF-16"}
_SAVE_AS = "save it as UTF-8, which spreadsheet programs call 'CSV UTF-8' for tables"


def read_document(path: Path, display_name: str, unsaved: UnsavedFiles = ALL_SAVED) -> Document:
    """Read the file at `path`; messages call it `display_name`. What is `unsaved` takes the place of its file.

    Never raises for problems of the file: a missing file, a file that is too large, and one that is not UTF-8 give a
    document with a diagnostic.
    """
    text = read_text(path, display_name, MAX_FILE_SIZE, _TOO_LARGE, unsaved)
    return text if isinstance(text, Document) else parse_document(text, display_name)


def decode_document(content: bytes, display_name: str) -> Document:
    """Return the document of a file's content, with a diagnostic if it is too large or not UTF-8."""
    if len(content) > MAX_FILE_SIZE:
        return unreadable_document(display_name, Code.FILE_TOO_LARGE, _TOO_LARGE, "split the file")
    text = decode_text(content, display_name)
    return text if isinstance(text, Document) else parse_document(text, display_name)


def read_text(
    path: Path, display_name: str, limit: int, too_large: str, unsaved: UnsavedFiles = ALL_SAVED
) -> str | Document:
    """Read a UTF-8 file of up to `limit` bytes; return its text, or a document with the diagnostic.

    `too_large` is the message for a larger file.
    """
    content = read_content(path, display_name, limit, too_large, unsaved)
    return content if isinstance(content, Document) else decode_text(content, display_name)


def decode_text(content: bytes, display_name: str) -> str | Document:
    """Return the text of a file's content, or a document with the diagnostic if it is not UTF-8."""
    encoding = _OTHER_ENCODINGS.get(content[:2])
    if encoding:
        return unreadable_document(display_name, Code.NOT_UTF8, f"the file is {encoding}, not UTF-8", _SAVE_AS)
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as error:
        return _not_utf8(display_name, content, error.start)
    return find_conflict(text, display_name) or text


# The first of the marks between which Git leaves both versions.
_CONFLICT = re.compile(r"^<{7} .*$", re.MULTILINE)


def find_conflict(text: str, display_name: str) -> Document | None:
    """Return the document of a text in which a merge left both versions, or None."""
    if "<<<<<<< " not in text or (match := _CONFLICT.search(text := text.replace("\r\n", "\n"))) is None:
        return None
    place = LineIndex(display_name, text).place(*match.span())
    advice = "keep what is right, and remove the lines with <<<<<<<, =======, and >>>>>>>"
    return Document(display_name, None, (Diagnostic(Code.CONFLICT, "mark of a merge conflict", place, advice),))


def read_content(
    path: Path, display_name: str, limit: int, too_large: str, unsaved: UnsavedFiles = ALL_SAVED
) -> bytes | Document:
    """Read a file of up to `limit` bytes; return its content, or a document with the diagnostic."""
    try:
        return regular_file.read(path, limit, unsaved)
    except regular_file.FileTooLargeError:
        return unreadable_document(display_name, Code.FILE_TOO_LARGE, too_large, "split the file")
    except OSError as error:
        return unreadable_document(display_name, Code.UNREADABLE, f"the file cannot be read: {error.strerror or error}")


def _not_utf8(display_name: str, content: bytes, offset: int) -> Document:
    """Return the document of a file with an invalid byte at `offset`."""
    before = content[:offset].decode("utf-8").replace("\r\n", "\n").replace("\r", "\n")
    after = content[offset:].decode("utf-8", errors="replace")
    place = LineIndex(display_name, before + after).place(len(before), len(before) + 1)
    message = f"byte {offset + 1}, 0x{content[offset]:02X}, is not valid UTF-8"
    return Document(display_name, None, (Diagnostic(Code.NOT_UTF8, message, place, _SAVE_AS),))


# Edits of a document's data that keep the places of what is left.


def existing_path(document: Document, key_path: KeyPath) -> KeyPath:
    """Return the longest beginning of a key path that exists in the document."""
    node = document.root
    for index, step in enumerate(key_path):
        node = node.child(step) if node else None
        if node is None:
            return key_path[:index]
    return key_path


def value_at(document: Document, key_path: KeyPath) -> Data:
    """Return the value at a key path, which must exist."""
    data: Any = document.data
    for step in key_path:
        data = data[step]
    return data  # type: ignore[no-any-return]


def without(document: Document, key_path: KeyPath) -> Document:
    """Return the document without the value at a key path, which must exist and not be empty."""
    return _edited(document, key_path, None)


def renamed(document: Document, key_path: KeyPath, name: str) -> Document:
    """Return the document with another name for the key at a key path, which must exist."""
    return _edited(document, key_path, name)


def _edited(document: Document, key_path: KeyPath, name: str | None) -> Document:
    assert document.root is not None
    data, root = _edit(document.data, document.root, key_path, name)
    return replace(document, data=data, tree=LazyTree("", Composition(data, root, [])))


def _edit(data: Any, node: Node, key_path: KeyPath, name: str | None) -> tuple[Any, Node]:
    """Return data and node with the last key renamed, or removed if there is no name; only the path is copied."""
    step, *rest = key_path
    children: Any = node.children
    pairs = {key: (data[key], children[key]) for key in (data if isinstance(data, dict) else range(len(data)))}
    if rest:
        pairs[step] = _edit(*pairs[step], tuple(rest), name)
    elif name is None:
        del pairs[step]
    else:
        pairs = {name if key == step else key: pair for key, pair in pairs.items()}
    if isinstance(data, list):
        values, nodes = [value for value, _ in pairs.values()], [child for _, child in pairs.values()]
        return values, node._replace(children=nodes)
    return (
        {key: value for key, (value, _) in pairs.items()},
        node._replace(children={str(key): child for key, (_, child) in pairs.items()}),
    )

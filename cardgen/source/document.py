"""A YAML file as a document: data, positions, comments, and diagnostics."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from cardgen.diagnostic import Diagnostic, Place
from cardgen.source.characters import LineIndex, describe_character, find_unprintable, replace_unprintable
from cardgen.source.codes import Code
from cardgen.source.composer import Composition, compose
from cardgen.source.fast_reader import NeedsComposer, read_fast
from cardgen.source.positions import Data, KeyPath, Node, find_comments, locate_substring
from cardgen.source.problem import Problem
from cardgen.source.yaml_parser import parse_events


class LazyTree:
    """Where the values in a text stand; most files are read without anybody wanting to know."""

    def __init__(self, text: str = "", composition: Composition | None = None) -> None:
        self._text = text
        self._cache = composition

    @property
    def root(self) -> Node | None:
        """The node of the whole; None for an empty document, and where reading ended early."""
        return self._composition.root

    @property
    def data(self) -> Data:
        """The values."""
        return self._composition.data

    @property
    def _composition(self) -> Composition:
        if self._cache is None:
            self._cache = compose(self._text, parse_events(self._text))
        return self._cache


MAX_FILE_SIZE = 2**20


class Comment(NamedTuple):
    """A comment: its line, counted from 1, and what stands behind the '#'."""

    line: int
    text: str


@dataclass(frozen=True, slots=True)
class Document:
    """What stands in one file.

    `file` is its path as the user would type it. `data` holds dicts, lists, str, int, float, bool and None; it is
    None for an empty file, and where a problem kept the file from being read to its end. `diagnostics` are sorted.
    `byte_order_mark` says that the text began with one, which no place counts.
    """

    file: str
    data: Data
    diagnostics: tuple[Diagnostic, ...] = ()
    line_index: LineIndex = field(default_factory=lambda: LineIndex("", ""), repr=False, compare=False)
    tree: LazyTree = field(default_factory=LazyTree, repr=False, compare=False)
    has_byte_order_mark: bool = False

    def release_data(self) -> None:
        """Let go of the data; they are read again when somebody asks for them."""
        object.__delattr__(self, "data")

    if not TYPE_CHECKING:  # Or any name would be taken for one of its attributes.

        def __getattr__(self, name: str) -> Data:
            """The data again, where they were let go."""
            if name != "data":
                raise AttributeError(name)
            object.__setattr__(self, "data", self.tree.data)
            return self.data

    @property
    def root(self) -> Node | None:
        """Where everything stands; None for an empty file, and where reading ended early."""
        return self.tree.root

    def place(self, key_path: KeyPath = (), *, key: bool = False) -> Place:
        """Where the value at `route` stands, or its key; for a route that leads nowhere, how far it leads."""
        node = self.root
        if node is None:
            return Place(self.file)
        for step in key_path:
            child = node.child(step)
            if child is None:
                return self.line_index.place(*node.value_range)
            node = child
        return self.line_index.place(*(node.key_range if key else node.value_range))

    def place_of_substring(self, key_path: KeyPath, text: str, start: int, end: int) -> Place | None:
        """Where the characters from `start` up to `end` of the `text` at `route` stand; None behind escapes."""
        node = self.root
        for step in key_path:
            node = node.child(step) if node else None
        char_range = locate_substring(self.line_index.text, node.value_range, text, start, end) if node else None
        return self.line_index.place(*char_range) if char_range else None

    def comments(self) -> tuple[Comment, ...]:
        """The comments from top to bottom; none where the file could not be read to its end."""
        matches = find_comments(self.line_index.text, self.root)
        return tuple(Comment(self.line_index.line_number(index), text) for index, text in matches)


def parse_document(text: str, file: str) -> Document:
    """The document in `text`, which came from `file`; never raises, all problems are in its diagnostics."""
    has_mark = text.startswith("\ufeff")
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    if len(text) > MAX_FILE_SIZE:
        return unreadable_document(file, Code.TOO_LARGE, f"larger than {MAX_FILE_SIZE // 1024:,} KiB", "split the file")
    text, problems = _sanitize(text)
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
    """The document of a file that is not read at all."""
    return Document(file, None, (Diagnostic(code, message, Place(file), help_text),))


def _sanitize(text: str) -> tuple[str, list[Problem]]:
    """The text without what cannot be printed; one problem at the first such character stands for all of them."""
    match = find_unprintable(text)
    if match is None:
        return text, []
    text, count = replace_unprintable(text)
    more = f" and {count - 1} more like it" if count > 1 else ""
    message = f"{describe_character(match[0])}{more} cannot be printed"
    return text, [Problem(Code.UNPRINTABLE, message, *match.span(), "remove it")]


_OTHER_ENCODINGS = {b"\xff\xfe": "UTF-16", b"\xfe\xff": "UTF-16"}
_SAVE_AS = "save it as UTF-8"


def read_document(path: Path, display_name: str) -> Document:
    """The document in the file at `path`, called `shown` in messages.

    Never raises for what is wrong with the file: it may be missing, too large, or no UTF-8.
    """
    try:
        content = _read_bytes(path)
    except OSError as error:
        return unreadable_document(display_name, Code.UNREADABLE, f"cannot be read: {error.strerror or error}")
    if len(content) > MAX_FILE_SIZE:
        return unreadable_document(
            display_name, Code.TOO_LARGE, f"larger than {MAX_FILE_SIZE // 1024:,} KiB", "split the file"
        )
    encoding = _OTHER_ENCODINGS.get(content[:2])
    if encoding:
        return unreadable_document(display_name, Code.NOT_UTF8, f"this file is {encoding}", _SAVE_AS)
    try:
        return parse_document(content.decode("utf-8"), display_name)
    except UnicodeDecodeError as error:
        return _not_utf8(display_name, content, error.start)


def _read_bytes(path: Path) -> bytes:
    """The bytes of a file, or of a larger one so many that it shows; without a file object, for there are thousands."""
    file = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0))
    try:
        # Room for a whole megabyte is made only where the size is not known, as for a pipe.
        size = os.fstat(file).st_size or MAX_FILE_SIZE
        return os.read(file, min(size, MAX_FILE_SIZE) + 1)
    finally:
        os.close(file)


def _not_utf8(display_name: str, content: bytes, offset: int) -> Document:
    """The refusal of a file that stops being UTF-8 at the byte with that offset."""
    before = content[:offset].decode("utf-8").replace("\r\n", "\n").replace("\r", "\n")
    after = content[offset:].decode("utf-8", errors="replace")
    place = LineIndex(display_name, before + after).place(len(before), len(before) + 1)
    message = f"byte {offset + 1}, 0x{content[offset]:02X}, is no UTF-8"
    return Document(display_name, None, (Diagnostic(Code.NOT_UTF8, message, place, _SAVE_AS),))

"""One file's data, the place of everything in it, and what is wrong with it as YAML."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from cardgen.diagnostic import Diagnostic, Place
from cardgen.source.codes import Code
from cardgen.source.comments import comments
from cardgen.source.composer import compose
from cardgen.source.events import events
from cardgen.source.lines import Lines
from cardgen.source.node import Data, Node, Route
from cardgen.source.passages import passage
from cardgen.source.plain import Unusual, read_plainly
from cardgen.source.problem import Problem
from cardgen.source.tree import Tree
from cardgen.source.unprintable import character, replaced, unprintable

LARGEST_FILE = 2**20


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
    lines: Lines = field(default_factory=lambda: Lines("", ""), repr=False, compare=False)
    tree: Tree = field(default_factory=Tree, repr=False, compare=False)
    byte_order_mark: bool = False

    def forget(self) -> None:
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

    def place(self, route: Route = (), *, key: bool = False) -> Place:
        """Where the value at `route` stands, or its key; for a route that leads nowhere, how far it leads."""
        node = self.root
        if node is None:
            return Place(self.file)
        for step in route:
            below = node.child(step)
            if below is None:
                return self.lines.place(*node.value)
            node = below
        return self.lines.place(*(node.key if key else node.value))

    def passage(self, route: Route, text: str, start: int, end: int) -> Place | None:
        """Where the characters from `start` up to `end` of the `text` at `route` stand; None behind escapes."""
        node = self.root
        for step in route:
            node = node.child(step) if node else None
        found = passage(self.lines.text, node.value, text, start, end) if node else None
        return self.lines.place(*found) if found else None

    def comments(self) -> tuple[Comment, ...]:
        """The comments from top to bottom; none where the file could not be read to its end."""
        found = comments(self.lines.text, self.root)
        return tuple(Comment(self.lines.number(index), text) for index, text in found)


def parse(text: str, file: str) -> Document:
    """The document in `text`, which came from `file`; never raises, all problems are in its diagnostics."""
    marked = text.startswith("\ufeff")
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    if len(text) > LARGEST_FILE:
        return refused(file, Code.TOO_LARGE, f"larger than {LARGEST_FILE // 1024:,} KiB", "split the file")
    text, problems = _printable(text)
    lines = Lines(file, text)
    try:
        return Document(file, read_plainly(text), _located(problems, lines), lines, Tree(text), marked)
    except Unusual:
        composed = compose(text, events(text))
    found = _located((*problems, *composed.problems), lines)
    return Document(file, composed.data, found, lines, Tree(text, composed), marked)


def _located(problems: Iterable[Problem], lines: Lines) -> tuple[Diagnostic, ...]:
    return tuple(sorted([problem.located(lines) for problem in problems], key=Diagnostic.sort_key))


def refused(file: str, code: Code, message: str, advice: str = "") -> Document:
    """The document of a file that is not read at all."""
    return Document(file, None, (Diagnostic(code, message, Place(file), advice),))


def _printable(text: str) -> tuple[str, list[Problem]]:
    """The text without what cannot be printed; one problem at the first such character stands for all of them."""
    found = unprintable(text)
    if found is None:
        return text, []
    text, count = replaced(text)
    more = f" and {count - 1} more like it" if count > 1 else ""
    message = f"{character(found[0])}{more} cannot be printed"
    return text, [Problem(Code.UNPRINTABLE, message, *found.span(), "remove it")]

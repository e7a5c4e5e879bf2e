"""Manual pages: what a check is about, why it matters, an example that it finds, and what to write instead."""

from __future__ import annotations

import re
from textwrap import dedent
from typing import NamedTuple

WHY, EXAMPLE, INSTEAD, FILES = "Why is this bad?", "Example", "Use instead", "Files"
_HEADING = re.compile(rf"^({'|'.join(map(re.escape, (WHY, EXAMPLE, INSTEAD, FILES)))})$", re.MULTILINE)
_MARKS = re.compile(r"#[ ]((?:[A-Z]{2}\d{3}: (?:\d+:\d+|\d+|[\w./-]+)(?:, )?)+)$")
_MARK = re.compile(r"([A-Z]{2}\d{3}): (\d+:\d+|[\w./-]+)")


class Mark(NamedTuple):
    """What an example expects: a code at a line and column, or at a whole file, whose line is 0."""

    code: str
    line: int
    column: int
    file: str = ""


class Page(NamedTuple):
    """A manual page: its title, and its other sections; `files` are those that lie beside the example."""

    title: str
    why: str
    examples: tuple[str, ...]
    instead: tuple[str, ...]
    files: tuple[str, ...]


def page(text: str) -> Page:
    """The manual page in a docstring."""
    title, *rest = _HEADING.split(text)
    sections: dict[str, list[str]] = {}
    for heading, content in zip(rest[::2], rest[1::2], strict=True):
        sections.setdefault(heading, []).append(dedent(content).strip() + "\n")
    files = " ".join(sections.get(FILES, ())).split()
    why = sections.get(WHY, [""])[0].strip()
    return Page(title.strip(), why, tuple(sections.get(EXAMPLE, ())), tuple(sections.get(INSTEAD, ())), tuple(files))


def marks(example: str) -> tuple[Mark, ...]:
    """What is expected of an example: comments such as '# WN104: 14', a code and a column, at the end of a line.

    The name of a file instead of the column means that whole file, and a dot the file of the example; '4:14' names
    a line too, for one where no comment can stand.
    """
    found = []
    for number, line in enumerate(example.splitlines(), start=1):
        expected = _MARKS.search(line)
        for code, where in _MARK.findall(expected[1]) if expected else ():
            found.append(_mark(code, where, number))
    return tuple(sorted(found))


def _mark(code: str, where: str, number: int) -> Mark:
    if where.isdecimal():
        return Mark(code, number, int(where))
    if ":" in where:
        line, column = where.split(":")
        return Mark(code, int(line), int(column))
    return Mark(code, 0, 0, where.removeprefix("."))

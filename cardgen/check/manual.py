"""Manual pages: what a check is about, why it matters, an example that it finds, and what to write instead."""

from __future__ import annotations

import re
from textwrap import dedent
from typing import NamedTuple

WHY, EXAMPLE, INSTEAD, FILES = "Why is this bad?", "Example", "Use instead", "Files"
_HEADING = re.compile(rf"^({'|'.join(map(re.escape, (WHY, EXAMPLE, INSTEAD, FILES)))})$", re.MULTILINE)
_EXPECTED_COMMENT = re.compile(r"#[ ]((?:[A-Z]{2}\d{3}: (?:\d+:\d+|\d+|[\w./-]+)(?:, )?)+)$")
_EXPECTED = re.compile(r"([A-Z]{2}\d{3}): (\d+:\d+|[\w./-]+)")


class ExpectedFinding(NamedTuple):
    """What an example expects: a code at a line and column, or at a whole file, whose line is 0."""

    code: str
    line: int
    column: int
    file: str = ""


class ManualPage(NamedTuple):
    """A manual page: its title, and its other sections; `files` are those that lie beside the example."""

    title: str
    why: str
    examples: tuple[str, ...]
    instead: tuple[str, ...]
    files: tuple[str, ...]


def parse_page(text: str) -> ManualPage:
    """The manual page in a docstring."""
    title, *rest = _HEADING.split(text)
    sections: dict[str, list[str]] = {}
    for heading, content in zip(rest[::2], rest[1::2], strict=True):
        sections.setdefault(heading, []).append(dedent(content).strip() + "\n")
    files = " ".join(sections.get(FILES, ())).split()
    why = sections.get(WHY, [""])[0].strip()
    return ManualPage(
        title.strip(), why, tuple(sections.get(EXAMPLE, ())), tuple(sections.get(INSTEAD, ())), tuple(files)
    )


def expected_findings(example: str) -> tuple[ExpectedFinding, ...]:
    """What is expected of an example: comments such as '# WN104: 14', a code and a column, at the end of a line.

    The name of a file instead of the column means that whole file, and a dot the file of the example; '4:14' names
    a line too, for one where no comment can stand.
    """
    collected = []
    for number, line in enumerate(example.splitlines(), start=1):
        expected = _EXPECTED_COMMENT.search(line)
        for code, position in _EXPECTED.findall(expected[1]) if expected else ():
            collected.append(_expected_finding(code, position, number))
    return tuple(sorted(collected))


def _expected_finding(code: str, position: str, number: int) -> ExpectedFinding:
    if position.isdecimal():
        return ExpectedFinding(code, number, int(position))
    if ":" in position:
        line, column = position.split(":")
        return ExpectedFinding(code, int(line), int(column))
    return ExpectedFinding(code, 0, 0, position.removeprefix("."))

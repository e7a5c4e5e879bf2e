"""Manual pages of checks: parsed from docstrings, rendered as docs/checks.md."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import groupby
from textwrap import dedent
from typing import NamedTuple

from cardgen.checking.check import Check

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


REGENERATE_COMMAND = "cardgen check --explain all > docs/checks.md"
_FAMILIES = {
    "0": "Files",
    "1": "Cards and references",
    "2": "Wording",
    "3": "Rules",
    "4": "Odds and balance",
    "5": "Fit and print",
}
_INTRODUCTION = f"""# The checks

<!-- Made by '{REGENERATE_COMMAND}'. -->

Everywhere a check is named by its code, by the beginning of its code, or by its name.
Codes that begin with CG are for every game; each game has letters of its own.
A *fixed limit* is part of what a card is: it is always looked at, and cannot be ignored.
A comment such as `# cardgen: ignore[doubled-word] the poem has it so` ignores a check, and must give a reason.
Behind a value it holds for its line, on a line of its own for the card that the next line belongs to, and above
everything else for the whole file.
In the examples a comment such as `# WN301: 50` names what is found on its line, and the column.
"""


def render_handbook(checks: Sequence[Check]) -> str:
    """All checks, with a table of them in front."""
    ordered = sorted(checks, key=_family)
    parts = [_INTRODUCTION]
    for family, members in groupby(ordered, key=_family):
        rows = [
            f"| [{check.code}](#{_anchor(check)}) | {check.name} | {_severity_label(check)} "
            f"| {parse_page(check.page).title} |"
            for check in members
        ]
        parts.append(
            "\n".join([f"## {_FAMILIES[family]}\n", "| code | name | gravity | about |", "|---|---|---|---|", *rows])
        )
    return "\n".join([*(f"{part.rstrip()}\n" for part in parts), *map(render_page, ordered)])


def render_page(check: Check) -> str:
    """The manual page of one check."""
    manual = parse_page(check.page)
    parts = [
        f"### {check.code} {check.name}",
        f"*{_severity_label(check)}* · {manual.title}",
        f"**{WHY}**\n{manual.why}",
    ]
    parts += _code_blocks(EXAMPLE, manual.examples)
    parts += _code_blocks(INSTEAD, manual.instead)
    return "\n\n".join(parts) + "\n"


def _code_blocks(heading: str, texts: Iterable[str]) -> list[str]:
    return [f"**{heading}**\n\n```yaml\n{text.rstrip()}\n```" for text in texts]


def _severity_label(check: Check) -> str:
    return f"{check.severity}, fixed limit" if check.is_fixed_limit else f"{check.severity}, {check.confidence}"


def _family(check: Check) -> str:
    return check.code[2]


def _anchor(check: Check) -> str:
    return f"{check.code.lower()}-{check.name}"

"""Manual pages as Markdown: for one check, or all of them as a handbook."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby

from cardgen.check.check import Check
from cardgen.check.manual import EXAMPLE, INSTEAD, WHY, parse_page

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

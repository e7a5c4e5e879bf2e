"""For people: each finding with its source line, as a compiler prints it."""

from __future__ import annotations

from cardgen.check.locating import Found
from cardgen.check.outcome import Outcome
from cardgen.diagnostic import full


def report(outcome: Outcome) -> str:
    """All findings, a blank line between."""
    return "".join(f"{_finding(one)}\n\n" for one in outcome.found)


def _finding(one: Found) -> str:
    lines = [full(one.diagnostic)]
    if one.fix:
        lines.append(
            f"  fix: {'--fix' if one.fix.safe else '--fix --unsafe-fixes'} writes {one.fix.text.strip()!r} here"
        )
    lines.append(f"  why: cardgen check --explain {one.check.name}")
    return "\n".join(lines)

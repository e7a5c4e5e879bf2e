"""For people and editors: one line a finding."""

from __future__ import annotations

from cardgen.check.outcome import Outcome


def report(outcome: Outcome) -> str:
    """A line for each finding, with the name of its check."""
    return "".join(f"{one.diagnostic} ({one.check.name})\n" for one in outcome.found)

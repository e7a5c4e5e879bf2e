"""Groups of equal findings, so that people read each of them once."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from cardgen.checking.locate import LocatedFinding
from cardgen.diagnostic import Place

# Findings in more places than this are shown once, with as many places.
MAX_SHOWN_PLACES = 3


class GroupedFinding(NamedTuple):
    """A finding at its first place, and its other places."""

    finding: LocatedFinding
    other_places: tuple[Place, ...] = ()

    @property
    def next_places(self) -> tuple[Place, ...]:
        """The places shown after the first."""
        return self.other_places[: MAX_SHOWN_PLACES - 1]

    @property
    def remainder(self) -> str:
        """The count of hidden places: 'and 688 more places' or ''."""
        count = len(self.other_places) - len(self.next_places)
        return f"and {count:,} more {'place' if count == 1 else 'places'}" if count else ""

    @property
    def also(self) -> str:
        """The next places and the count on one line, or ''."""
        return f"also {', '.join(map(str, self.next_places))} {self.remainder}" if self.other_places else ""


def group_findings(findings: Iterable[LocatedFinding]) -> tuple[GroupedFinding, ...]:
    """Group the findings with the same check and message in more than three places.

    The groups are sorted by their first places.
    """
    by_message: dict[tuple[str, str], list[LocatedFinding]] = {}
    for one in findings:
        by_message.setdefault((one.diagnostic.code, one.diagnostic.message), []).append(one)
    groups = [group for alike in by_message.values() for group in _groups_of(alike)]
    return tuple(sorted(groups, key=lambda group: group.finding.diagnostic.sort_key()))


def _groups_of(alike: list[LocatedFinding]) -> list[GroupedFinding]:
    if len(alike) <= MAX_SHOWN_PLACES:
        return [GroupedFinding(one) for one in alike]
    first, *others = alike
    return [GroupedFinding(first, tuple(one.diagnostic.place for one in others))]

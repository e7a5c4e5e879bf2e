"""What the conditions and rules of a battleplan need on its deployment map."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from cardgen.game import KeyPath
from cardgen.rulesets.warcry.cards import Battleplan
from cardgen.rulesets.warcry.sections import Section

OBJECTIVE, QUARTERS, HALVES = "objective", "table quarters", "table halves"
# What has to be on the map for the match tracker to count a condition, or to play a rule.
NEEDS: Mapping[str, str] = MappingProxyType({
    "any-objective": OBJECTIVE,
    "two-objectives": OBJECTIVE,
    "more-objectives": OBJECTIVE,
    "red-holds-b": f"{OBJECTIVE} B",
    "blue-holds-a": f"{OBJECTIVE} A",
    "fall-near-objective": OBJECTIVE,
    "enemy-falls-near-objective": OBJECTIVE,
    "bloodgifted": OBJECTIVE,
    "new-objectives": OBJECTIVE,
    "active-objectives": OBJECTIVE,
    "prize-objective": OBJECTIVE,
    "remove-objective": OBJECTIVE,
    "strength-near-objective": OBJECTIVE,
    "ignore-objective": OBJECTIVE,
    "remove-two-objectives": OBJECTIVE,
    "more-quarters": QUARTERS,
    "ignore-quarter": QUARTERS,
    "more-halves": HALVES,
    "halve-half": HALVES,
})  # fmt: skip


def needs(plan: Battleplan) -> Iterator[tuple[KeyPath, str]]:
    """Yield the path and the need of each condition and rule of a battleplan, in the order of the card."""
    for key, section in (("primary", plan.primary), ("secondary", plan.secondary), ("twist", plan.twist)):
        for path, word in _tracked(section, (key,)):
            if need := NEEDS.get(word):
                yield path, need


def _tracked(section: Section, path: KeyPath) -> Iterator[tuple[KeyPath, str]]:
    for index, score in enumerate(section.scores):
        if score.when:
            yield (*path, "scores", index, "when"), score.when
    if section.rule:
        yield (*path, "rule"), section.rule

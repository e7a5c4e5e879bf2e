"""The rules texts of battleplans, with their places."""

from __future__ import annotations

from collections.abc import Iterator

from cardgen.game import KeyPath
from cardgen.rulesets.warcry.cards import Battleplan
from cardgen.rulesets.warcry.sections import Section


def rules_texts(plan: Battleplan) -> Iterator[tuple[KeyPath, str]]:
    """Yield the path and the text of each rule of a battleplan, in the order of the card."""
    for index, section in enumerate(plan.sections):
        yield from _section_texts(section, ("sections", index))
    for key, section in (("primary", plan.primary), ("secondary", plan.secondary), ("twist", plan.twist)):
        yield from _section_texts(section, (key,))
    if plan.victory:
        yield ("victory",), plan.victory


def _section_texts(section: Section, path: KeyPath) -> Iterator[tuple[KeyPath, str]]:
    if section.text:
        yield (*path, "text"), section.text
    for index, score in enumerate(section.scores):
        yield (*path, "scores", index, "text"), score.text

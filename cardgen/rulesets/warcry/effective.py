"""Changes in force: those of a card, or those that its text says."""

from __future__ import annotations

from functools import lru_cache
from typing import Protocol

from cardgen.game import Level
from cardgen.rulesets.warcry.changes import Change
from cardgen.rulesets.warcry.wording.reader import read_sentences


class RuleLike(Protocol):
    """A card or rule with changes and a text."""

    @property
    def changes(self) -> tuple[Change, ...]:
        """What it does, as data."""

    @property
    def text(self) -> str | None:
        """What it does, in words."""


def changes_of(rule: RuleLike) -> tuple[Change, ...]:
    """Return the changes of a rule, or those that its text says if every sentence was read; () for other texts."""
    if rule.changes or not rule.text:
        return rule.changes
    return read_changes(rule.text, getattr(rule, "price", None) or "")


@lru_cache(maxsize=512)
def read_changes(text: str, price: str = "") -> tuple[Change, ...]:
    """Return the changes that a text says, or () if a sentence of it was not read, or only loosely."""
    readings = read_sentences(text, price)
    if any(reading.level != Level.READ for reading in readings):
        return ()
    return tuple(change for reading in readings for change in reading.value)

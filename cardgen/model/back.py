"""Where the back of a card comes from, for all that print or check it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from cardgen.diagnostic import Place
from cardgen.model.entry import Entry
from cardgen.project.backs import BackRule, is_picture


class BackChoice(NamedTuple):
    """The back that a card or a setting names: a picture, or a template.

    `rule` is the number of the rule in the settings; None if the card itself names the back.
    """

    name: str
    rule: int | None = None

    @property
    def is_picture(self) -> bool:
        """True for the path of a picture."""
        return is_picture(self.name)


class BackSource(NamedTuple):
    """Picture or template of a back, or neither for that of the kind, and the place that names it."""

    picture: Path | None
    template: str
    place: Callable[[], Place]


def choose_back(entry: Entry, rules: Sequence[BackRule], has_back: Callable[[str], bool]) -> BackChoice | None:
    """Return the back of a card; None if it is the one of its kind.

    The card's own `back` comes first, then that of its own `template`, then the first rule of the settings that
    applies. `has_back` tells whether a template has a back.
    """
    card = entry.card
    if card.back:
        return BackChoice(card.back)
    if card.template and has_back(card.template):
        return BackChoice(card.template)
    numbers = (number for number, rule in enumerate(rules) if rule.applies_to(entry.kind, card.tags, card))
    number = next(numbers, None)
    return None if number is None else BackChoice(rules[number].back, number)

"""Changes in force: those of a card, or those that its text says."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple, Protocol

from cardgen.game import KeyPath
from cardgen.rulesets.warcry.changes import Change

# The blessing that lets a fighter use Inspiring Presence; an attack and an activation ask for that.
HEROISM = "heroism"


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
    return read_changes(rule.text, price_of(rule) or "")


def price_of(rule: object) -> str | None:
    """Return the price of an ability or a rule that has one; blessings only have points."""
    price = getattr(rule, "price", None)
    return price if isinstance(price, str) else None


def own_changes(blessing: RuleLike | None) -> tuple[Change, ...]:
    """Return the changes of a blessing for its own fighter, which the procedures apply as far as they are constant."""
    return tuple(change for change in changes_of(blessing) if change.of == "self") if blessing else ()


@lru_cache(maxsize=512)
def read_changes(text: str, price: str = "") -> tuple[Change, ...]:
    """Return the changes that a text says, or () if a sentence of it was not read, or only loosely."""
    from cardgen.game import Level
    from cardgen.rulesets.warcry.wording.texts import read_sentences  # loaded here because few cards have texts

    readings = read_sentences(text, price)
    if any(reading.level != Level.READ for reading in readings):
        return ()
    return tuple(change for reading in readings for change in reading.value)


class PlacedChange(NamedTuple):
    """A change, and where a card says it: under a key of `changes`, or in a range of its text."""

    change: Change
    route: KeyPath
    text_range: tuple[int, int] | None = None

    def at(self, key: str) -> KeyPath:
        """Return the place of one of its keys."""
        return self.route if self.text_range else (*self.route, key)


def placed_changes(rule: RuleLike) -> Iterator[PlacedChange]:
    """Yield the changes of a rule, or those of a text of which every sentence was read."""
    if rule.changes:
        yield from (PlacedChange(change, ("changes", index)) for index, change in enumerate(rule.changes))
    elif changes_of(rule):
        from cardgen.rulesets.warcry.wording.texts import read_sentences

        for reading in read_sentences(rule.text or "", price_of(rule) or ""):
            yield from (PlacedChange(change, ("text",), (reading.start, reading.end)) for change in reading.value)

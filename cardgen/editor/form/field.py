"""What a form shows of a card: plain data, because it goes to a browser."""

from __future__ import annotations

from enum import StrEnum
from typing import Any, NamedTuple

from cardgen.source import KeyPath
from cardgen.source.positions import Scalar


class Widget(StrEnum):
    """How a value is edited."""

    TEXT = "text"
    NUMBER = "number"
    FLAG = "flag"
    CHOICE = "choice"
    MAP = "map"
    ENTRIES = "entries"
    LIST = "list"


class Addition(NamedTuple):
    """A key that a map does not have yet."""

    key: str
    label: str
    help: str


class Reading(NamedTuple):
    """How a sentence of a text was read; `unread` are its clauses that were not, with the nearest that would be."""

    text: str
    level: str
    canonical: str
    reason: str
    referee: str
    unread: tuple[tuple[str, str], ...]


class Field(NamedTuple):
    """A value of a card.

    `path` leads to it from the root of the file, `line` is that of its key, and `fault` is what its widget cannot show.
    `additions` are the keys of a map that are not set, and `short` says that the value is a short form of a map.
    `inherited` is the value that a card of a list gets from `defaults`. `made` is the text that the game makes of a
    part, and `readings` are the sentences of a text; it `is_acceptable` if effects can say the same, and the `obstacle`
    says why they cannot. A part that `takes_sentences` has effects that can be written as a sentence; its lists of
    effects have examples.
    """

    path: KeyPath
    key: str
    label: str
    widget: Widget
    help: str = ""
    value: Scalar = None
    is_set: bool = True
    is_required: bool = False
    is_long: bool = False
    is_whole: bool = False
    minimum: float | None = None
    maximum: float | None = None
    most_characters: int | None = None
    choices: tuple[Scalar, ...] = ()
    fields: tuple[Field, ...] = ()
    additions: tuple[Addition, ...] = ()
    can_add: bool = False
    can_remove: bool = False
    is_short: bool = False
    inherited: str = ""
    line: int = 0
    made: str = ""
    readings: tuple[Reading, ...] = ()
    is_acceptable: bool = False
    obstacle: str = ""
    takes_sentences: bool = False
    has_examples: bool = False

    def as_data(self) -> dict[str, Any]:
        """Return it as JSON."""
        data = self._asdict()
        return {
            **data,
            "widget": self.widget.value,
            "fields": [field.as_data() for field in self.fields],
            "additions": [each._asdict() for each in self.additions],
            "readings": [each._asdict() for each in self.readings],
        }

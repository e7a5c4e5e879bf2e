"""What one game adds to the program."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from cardgen.model.base import Model
from cardgen.model.card import Card
from cardgen.rulesets.ruling import Ruling
from cardgen.units import Shape


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of card: the model of its data, and the name of its usual size (`units.CARD_SIZES`).

    `shape` is how its pieces are cut out; `may_turn` says whether a sheet of mixed pieces may hold them turned by a
    quarter.

    `size` is '' for a kind that is not printed as a card, such as a list of other cards. `example` is what may stand
    below the name of a first card, as YAML with comments; <KIND> in it stands for a card of that kind. Without it the
    keys that cannot be left out are taken.
    """

    model: type[Card]
    size: str
    example: str = ""
    shape: Shape = Shape.RECTANGLE
    may_turn: bool = True

    @property
    def printed(self) -> bool:
        """True when cards of this kind have a face."""
        return bool(self.size)


@dataclass(frozen=True, slots=True)
class Term:
    """A word of the game.

    `forms` are the ways it is written in a sentence, the name among them. `bold` says that cards set it bold,
    `everyday` are the forms that are plain words too, and need no capital.
    """

    name: str
    definition: str
    forms: tuple[str, ...]
    bold: bool = False
    everyday: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Ruleset:
    """A game: its kinds of card by name, its words, its rulings, and how its effects read.

    `describe` takes a card or a part of one (an ability, a weapon) and returns the text to print, marked up, or ''.
    `once_label` takes the same and returns how often it may be used ('Once a battle'), or ''.
    `checks` is the package that holds the game's own checks, or ''; `adjudication` is the module whose `ADJUDICATION`
    the referee uses, or ''. `reference` is the module whose `REFERENCE` reference sheets are made with, or ''.
    """

    id: str
    name: str
    kinds: Mapping[str, Kind]
    describe: Callable[[Model], str]
    once_label: Callable[[Model], str]
    glossary: tuple[Term, ...]
    rulings: tuple[Ruling, ...]
    checks: str = ""
    adjudication: str = ""
    reference: str = ""

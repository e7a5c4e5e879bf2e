"""What one game adds to the program."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from cardgen.model.card import Card
from cardgen.model.entry import Entry
from cardgen.referee.ruling import Ruling, read_keyed_lines
from cardgen.units import CARD_SIZES, Shape, Size, parse_size
from cardgen.validation.base import Model


class Kind(NamedTuple):
    """A kind of card or of another printed piece: the model of its data, and its usual size.

    `size` is a name of `units.CARD_SIZES` or a width and a height; or a function that works it out from the card, where
    it follows from the card's own keys; or '' for a kind that is not printed.
    `shape` is how its pieces are cut out; `may_turn` says whether a sheet may hold them turned by a quarter, which
    forms that are filled in on the screen should not be.
    Pieces can be made from cards of the kinds `made_from`: they take over the keys that both have.
    `example` is what may stand below the name of a first card, as YAML with comments, or the path of a file with it;
    <KIND> in it stands for a card of that kind. Without it the keys that cannot be left out are taken.
    """

    model: type[Card]
    size: str | Callable[[Any], Size]
    example: str | Path = ""
    shape: Shape = Shape.RECTANGLE
    can_rotate: bool = True
    made_from: tuple[str, ...] = ()

    @property
    def is_printed(self) -> bool:
        """True when cards of this kind have a face."""
        return bool(self.size)

    @property
    def example_text(self) -> str:
        """The text of the example, or ''."""
        return self.example.read_text(encoding="utf-8") if isinstance(self.example, Path) else self.example

    @property
    def default_size(self) -> Size | None:
        """The size of all cards of this kind that ask for no other; None where each has its own, or none at all."""
        return parse_size(self.size, CARD_SIZES) if isinstance(self.size, str) and self.size else None

    def size_of(self, card: Card) -> Size:
        """The size of a card of this kind that asks for no other."""
        return self.size(card) if callable(self.size) else parse_size(self.size, CARD_SIZES)


class PackItem(NamedTuple):
    """Copies of a card that a pack holds: of the one of that kind with that id or name, or with '' of each.

    With `where`, copies of every card of that kind for which it is true, wherever the card comes from.
    """

    kind: str
    name: str = ""
    qty: int = 1
    where: Callable[[Card], bool] | None = None


class Pack(NamedTuple):
    """All that a player prints for one card that lists others, such as a warband.

    `kind` is that of the list. `documents` are the files by name, each with the kinds of piece in it: what goes on one
    sort of paper is one file. `needs` says what the list takes.
    """

    kind: str
    documents: Mapping[str, tuple[str, ...]]
    items: Callable[[Entry], Iterable[PackItem]]


class GlossaryTerm(NamedTuple):
    """A word of the game.

    `forms` are the ways it is written in a sentence, the name among them. `bold` says that cards set it bold,
    `everyday` are the forms that are plain words too, and need no capital.
    """

    name: str
    definition: str
    forms: tuple[str, ...]
    bold: bool = False
    everyday: tuple[str, ...] = ()


@cache
def read_glossary(path: Path) -> tuple[GlossaryTerm, ...]:
    """Return the terms in a text file: `NAME, FORM: DEFINITION`, one a line; `**NAME, FORM**` for bold terms.

    A form that begins with a small letter is an everyday word too. Raises ValueError for a line without a definition.
    """
    return tuple([_parse_term(head, definition) for head, definition in read_keyed_lines(path)])


def _parse_term(head: str, definition: str) -> GlossaryTerm:
    words = head.strip("*").split(", ")
    forms = tuple([word[0].upper() + word[1:] for word in words])
    everyday = tuple([form for form, word in zip(forms, words, strict=True) if form != word])
    return GlossaryTerm(forms[0], definition, forms, head.startswith("**"), everyday)


class Ruleset(NamedTuple):
    """A game: its kinds of card by name, its words, its rulings, and how its effects read.

    `describe` takes a card or a part of one (an ability, a weapon) and returns the text to print, marked up, or ''.
    `once_label` takes the same and returns how often it may be used ('Once a battle'), or ''.
    `glossary` may be the path of a text file, which is read at first use; see `read_glossary`.
    `pack` is what belongs to one of its lists of cards.
    `checks` is the package that holds the game's own checks, or ''; `trials` is the module whose `TRIALS`
    the referee uses, or ''. `reference` is the module whose `REFERENCE` reference sheets are made with, or ''.
    """

    id: str
    name: str
    kinds: Mapping[str, Kind]
    describe: Callable[[Model], str]
    once_label: Callable[[Model], str]
    glossary: tuple[GlossaryTerm, ...] | Path
    rulings: tuple[Ruling, ...]
    checks: str = ""
    trials: str = ""
    reference: str = ""
    pack: Pack | None = None

    @property
    def terms(self) -> tuple[GlossaryTerm, ...]:
        """The terms of the glossary."""
        return read_glossary(self.glossary) if isinstance(self.glossary, Path) else self.glossary

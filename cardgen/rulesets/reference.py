"""What a game gives its reference sheets: things to show, words to quote, and the sheets themselves."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any, TypeVar

from pydantic import Field

from cardgen.model.base import Model, Text
from cardgen.model.card import Card
from cardgen.reference.quoting import plain
from cardgen.reference.sources import RefusedError
from cardgen.reference.tree import Block, Table, Terms
from cardgen.rulesets.ruleset import Ruleset, Term
from cardgen.rulesets.ruling import Ruling

Found = TypeVar("Found")


@dataclass(frozen=True, slots=True)
class Knowledge:
    """What a sheet is made from: a game, the cards at hand by kind, and the setting of every ruling.

    `seek` finds a card of a kind by name that is not at hand, but in the sample kit. `of` is the list of cards that the
    sheet is for, such as a warband, or None.
    """

    rules: Ruleset
    cards: Mapping[str, tuple[Card, ...]]
    rulings: Mapping[str, str]
    seek: Callable[[str, str], Card | None]
    of: Card | None = None

    def find(self, kind: str, name: str) -> Card:
        """The card of a kind with that id or name. Raises RefusedError when there is none."""
        cards = self.cards.get(kind, ())
        for card in cards:
            if name.casefold() in (card.id, card.name.casefold()):
                return card
        found = self.seek(kind, name)
        if found is None:
            raise RefusedError.unknown(kind, name, [card.id for card in cards])
        return found

    def ruling(self, name: str) -> Ruling:
        """The ruling of that id. Raises RefusedError when there is none."""
        for ruling in self.rules.rulings:
            if ruling.id == name:
                return ruling
        raise RefusedError.unknown("ruling", name, [ruling.id for ruling in self.rules.rulings])

    def term(self, name: str) -> Term:
        """The term that is written so. Raises RefusedError when there is none."""
        for term in self.rules.glossary:
            if name in term.forms:
                return term
        raise RefusedError.unknown("term", name, [term.name for term in self.rules.glossary])


class NoOptions(Model):
    """For what is shown whole."""


@dataclass(frozen=True, slots=True)
class Exhibit:
    """Something to show: the model of its options, what makes blocks of them, and a line about it.

    `make` raises RefusedError, with the route to it in the options, for what there is not.
    """

    make: Callable[[Any, Knowledge], Iterable[Block]]
    about: str
    options: type[Model] = NoOptions


# Words to quote in a text, marked up, from what stands behind the quote's name. Raises RefusedError.
Quotation = Callable[[str, Knowledge], str]


@dataclass(frozen=True, slots=True)
class Reference:
    """What a game adds to what every game has: exhibits and quotations by name; the folder of its sheets.

    `lists` are the kinds of card that name other cards, for which a sheet can be made each. `counts` says whether a
    list is worth one.
    """

    sheets: Path
    exhibits: Mapping[str, Exhibit] = field(default_factory=dict)
    quotations: Mapping[str, Quotation] = field(default_factory=dict)
    lists: tuple[str, ...] = ()


class GlossaryOptions(Model):
    """Which terms, in which order; all of them by default."""

    terms: Annotated[tuple[Text, ...], Field(description="terms of the glossary")] = ()


class RulingOptions(Model):
    """Which rulings, in which order; all of them by default."""

    rulings: Annotated[tuple[Text, ...], Field(description="ids of rulings")] = ()


def _glossary(options: GlossaryOptions, known: Knowledge) -> Iterable[Block]:
    """Terms with their definitions."""
    yield terms(each_called(options.terms, known.term, "terms") or known.rules.glossary)


def terms(found: Iterable[Term]) -> Terms:
    """Terms of a glossary as a block."""
    return Terms(tuple((term.name, plain(term.definition)) for term in found))


def _rulings(options: RulingOptions, known: Knowledge) -> Iterable[Block]:
    """Questions with the answers in force."""
    found = each_called(options.rulings, known.ruling, "rulings") or known.rules.rulings
    yield Terms(tuple((each.question, plain(_answer(each, known))) for each in found))


def _answer(ruling: Ruling, known: Knowledge) -> str:
    setting = known.rulings[ruling.id]
    mark = "" if setting == ruling.default else " *(turned over)*"
    return f"{ruling.settings[setting]}{mark}"


def each_called(names: Sequence[str], find: Callable[[str], Found], option: str) -> list[Found]:
    """What bears the names that an option lists. Raises RefusedError, with its place, for one that nothing bears."""
    found = []
    for number, name in enumerate(names):
        try:
            found.append(find(name))
        except RefusedError as error:
            raise RefusedError(error.message, error.help, (option, number)) from None
    return found


def _quoted_ruling(asked: str, known: Knowledge) -> str:
    """The answer in force; 'ID | SETTING: words | SETTING: words' has own words for settings."""
    name, *variants = asked.split("|")
    ruling = known.ruling(name.strip())
    own: dict[str, str] = {}
    for variant in variants:
        setting, _, words = variant.partition(":")
        if setting.strip() not in ruling.settings:
            raise RefusedError.unknown(f"setting of {ruling.id}", setting.strip(), ruling.settings)
        own[setting.strip()] = words.strip()
    return own.get(known.rulings[ruling.id], _answer(ruling, known))


def _quoted_term(asked: str, known: Knowledge) -> str:
    """The definition of a term."""
    return known.term(asked).definition


EXHIBITS: Mapping[str, Exhibit] = MappingProxyType(
    {
        "glossary": Exhibit(_glossary, "terms and what they mean", GlossaryOptions),
        "rulings": Exhibit(_rulings, "what is decided where the rulebook is silent", RulingOptions),
    }
)
QUOTATIONS: Mapping[str, Quotation] = MappingProxyType({"ruling": _quoted_ruling, "term": _quoted_term})


def table(head: Sequence[str], rows: Iterable[Sequence[str]], align: str = "", caption: str = "") -> Table:
    """A table of marked-up texts; `align` has l, c or r for each column, by default the first left, others centred."""
    sides = {"l": "left", "c": "center", "r": "right"}
    letters = align or "l" + "c" * (len(head) - 1)
    cells = tuple(tuple(map(plain, row)) for row in rows)
    return Table(tuple(map(plain, head)), cells, tuple(sides[letter] for letter in letters), caption)  # type: ignore[misc]

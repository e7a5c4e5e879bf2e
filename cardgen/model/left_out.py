"""The cards of a deck that have mistakes, so that the others can be printed: which, why, and placeholders for them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, TypeAlias

from cardgen.diagnostic import MAX_NAME_LENGTH, Code, Diagnostic, Place, Severity, slugify
from cardgen.model.card import MAX_COPIES, Card, Entry, RejectedCard
from cardgen.model.deck import Deck, LeftOut, folded_word, missing_links, selectable_words
from cardgen.source import Document
from cardgen.units import shorten

_UNNAMED = "unnamed"
_LONGEST_REASON = 200
# What is markup in the text of a card.
_MARKUP = str.maketrans("", "", "*_{}[]<>\\`")
# The sheet, the line or row, and the column of a place; cells of a row have no column.
_Spot: TypeAlias = tuple[str, int, int]
_ROW_SUFFIXES = (".csv", ".tsv")
# Codes of rows that are not cards; others of spreadsheets with the latter code are about columns.
_OF_ROWS = (Code.BAD_TABLE_EXPRESSION, Code.BAD_TABLE)


class StandIn(Card):
    """What is printed of a card with mistakes: a placeholder, which says why."""

    HAS_RULES = False

    reason: str = ""


def leave_out(card: Entry | RejectedCard, problems: tuple[Diagnostic, ...]) -> LeftOut:
    """Return a card as left out."""
    data, at = _data(card), card.source_map
    name = str(data.get("name") or _UNNAMED)
    id_ = str(data.get("id") or slugify(name))
    words = frozenset(map(folded_word, selectable_words(card.kind, {**data, "id": id_, "name": name})))
    return LeftOut(at.place(("name",)) if at.has_key("name") else at.place(), problems, card, id_, name, words)


def make_stand_in(left_out: LeftOut, number: int) -> Entry | None:
    """Return what is printed in the place of a card, or None if its kind is unknown; a `number` makes its id unique."""
    if left_out.card is None or not left_out.card.kind:
        return None
    data, card = _data(left_out.card), left_out.card
    qty, tags, first = data.get("qty"), data.get("tags"), next(iter(left_out.problems), None)
    stand_in = StandIn.model_construct(
        name=left_out.name.translate(_MARKUP)[:MAX_NAME_LENGTH],
        id=f"{slugify(left_out.id) or _UNNAMED}-{number}",
        qty=qty if type(qty) is int and 1 <= qty <= MAX_COPIES else 1,
        tags=tuple(tag for tag in tags if isinstance(tag, str)) if isinstance(tags, list | tuple) else (),
        reason=shorten(f"{first.place}: {first.message}".translate(_MARKUP), _LONGEST_REASON) if first else "",
    )
    return Entry(stand_in, card.game, card.kind, card.source_map, workspace=card.workspace)


def find_left_out(deck: Deck) -> tuple[list[LeftOut], list[Diagnostic]]:
    """Return the cards with mistakes, in their order, and the errors that concern all cards.

    A mistake belongs to the card in whose lines or row it is. Any other in a card file, such as in the names of
    columns, and one in the settings of a table, belongs to all cards of the file.
    """
    cards: dict[str, list[Entry | RejectedCard]] = {}
    every: list[Entry | RejectedCard] = [*deck.cards, *deck.rejected]
    for card in every:
        cards.setdefault(card.source_map.document.file, []).append(card)
    errors = [each for each in deck.diagnostics if each.severity is Severity.ERROR]
    found = list[LeftOut]()
    for document in deck.documents:
        reported = {*document.diagnostics}
        own = [each for each in errors if each.place.file == document.file or each in reported]
        errors = [each for each in errors if not (each.place.file == document.file or each in reported)]
        found += _of_file(document, cards.get(document.file, ()), own)
    return found, errors


def without(deck: Deck, mistaken: Iterable[LeftOut], left_out: Iterable[LeftOut], stand_ins: Iterable[Entry]) -> Deck:
    """Return a deck without cards with mistakes, of which it says that some were `left_out`.

    The stand-ins are in the places of their cards.
    """
    wrong = {id(each.card) for each in mistaken}
    cards = [card for card in deck.cards if id(card) not in wrong]
    extra = [*stand_ins]
    if extra:
        files = {document.file: number for number, document in enumerate(deck.documents)}
        cards = sorted((*cards, *extra), key=lambda card: (files[card.document.file], _spot(card.source_map.place())))
    return replace(deck, cards=tuple(cards), left_out=tuple(left_out))


def _of_file(document: Document, cards: Iterable[Entry | RejectedCard], errors: list[Diagnostic]) -> Iterator[LeftOut]:
    if not errors:
        yield from (each for card in cards if (each := _left_out(card, ())))
        return
    placed = sorted(((_spot(card.source_map.place()), number, card) for number, card in enumerate(cards)))
    owners = _Owners(document, [spot for spot, _, _ in placed])
    problems: dict[int | None, list[Diagnostic]] = {}
    for error in errors:
        is_row = error.code == Code.BAD_TABLE_EXPRESSION or error.place.locator.startswith("/")
        if is_row and error.code in _OF_ROWS and error.place.file == document.file and not owners.has(error.place):
            yield LeftOut(error.place, (error,))
        else:
            problems.setdefault(owners.of(error.place), []).append(error)
    everywhere = problems.pop(None, [])
    if everywhere and not placed:
        yield LeftOut(Place(document.file), tuple(everywhere))
    for number, ((sheet, *_), _, card) in enumerate(placed):
        shared = (each for each in everywhere if not each.place.is_cell or _spot(each.place)[0] == sheet)
        each = _left_out(card, (*problems.get(number, ()), *shared))
        if each:
            yield each


def _spot(place: Place) -> _Spot:
    sheet = place.locator.rpartition(":")[0] if place.is_cell else ""
    line, column = (place.span.line, place.span.column) if place.span else (0, 0)
    return sheet, line, 0 if place.is_cell or place.file.lower().endswith(_ROW_SUFFIXES) else column


class _Owners:
    """The cards of a file, which begin at some `spots`, in order."""

    def __init__(self, document: Document, spots: list[_Spot]) -> None:
        self._file = document.file
        keys = [*document.data] if isinstance(document.data, dict) else []
        self._is_one = "cards" not in keys and len(spots) == 1
        headers = [key for key in keys if key != "cards"] if type(document) is Document and not self._is_one else []
        starts: dict[_Spot, int | None] = {_spot(document.place((key,), key=True)): None for key in headers}
        starts |= {spot: number for number, spot in enumerate(spots)}
        self._starts = sorted(starts.items(), key=lambda start: start[0])
        self._spots = {*spots}

    def has(self, place: Place) -> bool:
        """Return whether a card begins at a place."""
        return _spot(place) in self._spots

    def of(self, place: Place) -> int | None:
        """Return the number of the card at a place, or None for all cards of the file."""
        if place.file != self._file or self._is_one:
            return 0 if self._is_one else None
        spot = _spot(place)
        index = bisect_right(self._starts, spot, key=lambda start: start[0]) - 1
        return self._starts[index][1] if index >= 0 and self._starts[index][0][0] == spot[0] else None


def _left_out(card: Entry | RejectedCard, problems: tuple[Diagnostic, ...]) -> LeftOut | None:
    """Return a card as left out if it has mistakes, or names one that has."""
    if isinstance(card, Entry) and not problems:
        problems = tuple(
            Diagnostic(
                Code.UNKNOWN_REFERENCE,
                f"the {link.kind} '{link.name}' has mistakes, so nothing can be printed of it",
                card.place(link.key_path),
                "correct it first",
            )
            for link in missing_links(card)
        )
    return leave_out(card, problems) if problems or isinstance(card, RejectedCard) else None


def _data(card: Entry | RejectedCard) -> Mapping[str, Any]:
    return dict(card.card) if isinstance(card, Entry) else card.data

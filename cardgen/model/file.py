"""One file's data becomes cards."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple, TypeAlias

from cardgen.diagnostic import Diagnostic, Place
from cardgen.model.card import Card, slug
from cardgen.model.codes import Code
from cardgen.model.entry import Entry
from cardgen.model.header import CardHeader, DeckHeader
from cardgen.shape.codes import Code as ShapeCode
from cardgen.shape.keys import known_keys
from cardgen.shape.origin import Origin
from cardgen.shape.suggestion import closest, did_you_mean
from cardgen.shape.validation import validate
from cardgen.shape.wording import Surroundings, found, instead
from cardgen.source import Document

Kinds: TypeAlias = Mapping[str, type[Card]]
Games: TypeAlias = Mapping[str, Kinds]

_HEADER_KEYS = known_keys((CardHeader,))


class Rejected(NamedTuple):
    """A card that is wrong in itself, by the names under which others may refer to it; `kind` is '' if unknown."""

    game: str
    kind: str
    names: tuple[str, ...]


Outcome: TypeAlias = Entry | Rejected | Diagnostic


def read_cards(document: Document, games: Games, default_game: str) -> Iterator[Outcome]:
    """The cards of a document in order, those that are wrong, and everything that is wrong with the file."""
    yield from document.diagnostics
    data = document.data
    if isinstance(data, dict):
        yield from _outcomes(document, data, games, default_game)
    elif data is not None:
        message = f"a card file holds keys and values, not {found(data)}"
        yield Diagnostic(Code.NOT_A_CARD, message, document.place(), "write one 'key: value' a line")
    elif not document.diagnostics:
        message = "the file is empty"
        yield Diagnostic(Code.NOT_A_CARD, message, document.place(), "write a card into it, or remove it")


def _outcomes(document: Document, data: Mapping[str, Any], games: Games, default_game: str) -> Iterator[Outcome]:
    game = data.get("game", default_game)
    kinds = games.get(game) if isinstance(game, str) else None
    problems = _header_problems(document, data, kinds or {})
    yield from problems
    if any(problem.code == Code.UNKNOWN_FORMAT for problem in problems):
        return
    if kinds is not None:
        yield from _Cards(document, data, game, kinds).outcomes()
    elif isinstance(game, str) and "game" in data:
        yield unknown(Code.UNKNOWN_GAME, "game", game, games, document.place(("game",)))


def unknown(code: Code, what: str, name: str, known: Iterable[str], place: Place) -> Diagnostic:
    """The diagnostic for a game or a kind that does not exist."""
    names = tuple(known)
    return Diagnostic(code, f"unknown {what} '{name}'{did_you_mean(name, names)}", place, f"known: {', '.join(names)}")


def _header_problems(document: Document, data: Mapping[str, Any], kinds: Kinds) -> tuple[Diagnostic, ...]:
    if _is_deck(data):

        def around() -> Surroundings:
            return Surroundings(relatives={"on the cards below": tuple(kinds.values())})

        return validate(DeckHeader, data, Origin(document, (DeckHeader,)), around)[1]
    header = {key: data[key] for key in _HEADER_KEYS if key in data}
    if header.keys() == {"kind"} and isinstance(header["kind"], str):  # As most files have it.
        return ()
    return validate(CardHeader, header, Origin(document, (CardHeader,)))[1]


def _is_deck(data: Mapping[str, Any]) -> bool:
    """True for a file with a list of cards, also where the word is misspelt."""
    return "cards" in data or ("name" not in data and any(closest(key, ("cards",)) for key in data))


class _Cards(NamedTuple):
    """The cards of a file whose game is known."""

    document: Document
    data: Mapping[str, Any]
    game: str
    kinds: Kinds

    def outcomes(self) -> Iterator[Outcome]:
        if not _is_deck(self.data):
            yield from self._card(Origin(self.document, ()), _HEADER_KEYS, "in a file with a list of 'cards'")
            return
        cards = self.data.get("cards")
        under = (("defaults",),) if isinstance(self.data.get("defaults"), dict) else ()
        for index in range(len(cards) if isinstance(cards, list) else 0):
            origin = Origin(self.document, (), (("cards", index), *under))
            yield from self._card(origin, ("kind",), "at the top of the file")

    def _around(self, kind: str, beside: tuple[str, ...], deck: str) -> Surroundings:
        """What stands around a card; `deck` is how to say where the keys of a deck belong."""
        relatives = {f"to the kind {kind}": (model,) for kind, model in self.kinds.items()}
        of = f" for the kind {kind}"
        return Surroundings((), "on the card itself", of, beside, {**relatives, deck: (DeckHeader,)})

    def _card(self, origin: Origin, beside: tuple[str, ...], deck: str) -> Iterator[Outcome]:
        """The card at `origin`, `beside` whose keys others may stand that are none of its own."""
        written = origin.data()
        if not isinstance(written, dict):
            message = f"a card must be a map, not {found(written)}"
            yield Diagnostic(ShapeCode.WRONG_TYPE, message, origin.place())
            return
        kind = written.get("kind", self.data.get("kind"))
        if not isinstance(kind, str) or kind not in self.kinds:
            yield self._kind_problem(kind, origin)
            yield self._rejected("", written)
            return
        model = self.kinds[kind]
        origin = Origin(self.document, (model,), origin.routes)
        # Of defaults below the card, the model says which keys are the same under another spelling.
        whole = origin.data() if len(origin.routes) > 1 else written
        data = {key: value for key, value in whole.items() if key not in beside}
        card, problems = validate(model, data, origin, lambda: self._around(kind, beside, deck))
        yield from problems
        yield Entry(card, self.game, kind, origin) if card else self._rejected(kind, data)

    def _kind_problem(self, kind: object, card: Origin) -> Diagnostic:
        """What is wrong with the `kind` that stands on the card or else on its deck, or on neither."""
        named = next((origin for origin in (card, Origin(self.document, ())) if origin.holds("kind")), None)
        if named is None:
            return self._missing_kind(card)
        place = named.place(("kind",))
        if not isinstance(kind, str):
            return Diagnostic(ShapeCode.WRONG_TYPE, f"'kind' must be text, {instead(kind)}", place)
        return unknown(Code.UNKNOWN_KIND, "kind", kind, self.kinds, place)

    def _missing_kind(self, card: Origin) -> Diagnostic:
        advice = f"write one of {', '.join(self.kinds)}"
        misspelt = closest("kind", card.data())
        if misspelt:
            message = f"unknown key '{misspelt}'; did you mean 'kind'?"
            return Diagnostic(ShapeCode.UNKNOWN_KEY, message, card.place((misspelt,), key=True), advice)
        return Diagnostic(ShapeCode.MISSING_KEY, "'kind' is missing", card.place(), advice)

    def _rejected(self, kind: str, data: Mapping[str, Any]) -> Rejected:
        names = [data[key] for key in ("id", "name") if isinstance(data.get(key), str)]
        return Rejected(self.game, kind, (*names, *map(slug, names)))

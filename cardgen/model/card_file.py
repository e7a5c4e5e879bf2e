"""Read the header and the cards of one file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated, Any, NamedTuple, TypeAlias

from pydantic import AfterValidator, Field, WithJsonSchema
from pydantic_core import PydanticCustomError

from cardgen.diagnostic import Diagnostic, Place
from cardgen.model.card import Card, slugify
from cardgen.model.codes import Code
from cardgen.model.entry import Entry
from cardgen.source import Document
from cardgen.validation.base import Int, Model
from cardgen.validation.codes import Code as ShapeCode
from cardgen.validation.model_keys import accepted_keys
from cardgen.validation.source_map import SourceMap
from cardgen.validation.suggestion import closest, did_you_mean
from cardgen.validation.validate import KeyContext, describe_actual, describe_value, validate

FORMAT_VERSION = 1


def _check_format(number: int) -> int:
    if number != FORMAT_VERSION:
        context = {
            "number": number,
            "known": FORMAT_VERSION,
            "code": Code.UNKNOWN_FORMAT,
            "help": f"write format: {FORMAT_VERSION}",
        }
        raise PydanticCustomError("unknown_format", "format {number} is unknown; there is format {known} only", context)
    return number


FormatVersion: TypeAlias = Annotated[Int, AfterValidator(_check_format), WithJsonSchema({"const": FORMAT_VERSION})]


class CardHeader(Model):
    """What stands beside a card that has its file to itself."""

    format: FormatVersion = FORMAT_VERSION
    game: Annotated[str, Field(strict=True, description="the game that the cards belong to")] = ""
    kind: Annotated[str, Field(strict=True, description="the kind of card")] = ""


class DeckHeader(CardHeader):
    """A file with several cards; `defaults` stand under each of them."""

    defaults: dict[str, Any] = Field(default_factory=dict)
    cards: list[Any] = Field(min_length=1)


Kinds: TypeAlias = Mapping[str, type[Card]]
Games: TypeAlias = Mapping[str, Kinds]

_HEADER_KEYS = accepted_keys((CardHeader,))


class RejectedCard(NamedTuple):
    """A card that is wrong in itself, by the names under which others may refer to it; `kind` is '' if unknown."""

    game: str
    kind: str
    names: tuple[str, ...]


ReadResult: TypeAlias = Entry | RejectedCard | Diagnostic


def read_cards(document: Document, games: Games, default_game: str) -> Iterator[ReadResult]:
    """The cards of a document in order, those that are wrong, and everything that is wrong with the file."""
    yield from document.diagnostics
    data = document.data
    if isinstance(data, dict):
        yield from _read_game_cards(document, data, games, default_game)
    elif data is not None:
        message = f"a card file holds keys and values, not {describe_value(data)}"
        yield Diagnostic(Code.NOT_A_CARD, message, document.place(), "write one 'key: value' a line")
    elif not document.diagnostics:
        message = "the file is empty"
        yield Diagnostic(Code.NOT_A_CARD, message, document.place(), "write a card into it, or remove it")


def _read_game_cards(
    document: Document, data: Mapping[str, Any], games: Games, default_game: str
) -> Iterator[ReadResult]:
    game = data.get("game", default_game)
    kinds = games.get(game) if isinstance(game, str) else None
    problems = _check_header(document, data, kinds or {})
    yield from problems
    if any(problem.code == Code.UNKNOWN_FORMAT for problem in problems):
        return
    if kinds is not None:
        yield from _CardReader(document, data, game, kinds).read()
    elif isinstance(game, str) and "game" in data:
        yield unknown_name_diagnostic(Code.UNKNOWN_GAME, "game", game, games, document.place(("game",)))


def unknown_name_diagnostic(code: Code, what: str, name: str, known: Iterable[str], place: Place) -> Diagnostic:
    """The diagnostic for a game or a kind that does not exist."""
    names = tuple(known)
    return Diagnostic(code, f"unknown {what} '{name}'{did_you_mean(name, names)}", place, f"known: {', '.join(names)}")


def _check_header(document: Document, data: Mapping[str, Any], kinds: Kinds) -> tuple[Diagnostic, ...]:
    if _is_deck(data):

        def get_context() -> KeyContext:
            return KeyContext(related_models={"on the cards below": tuple(kinds.values())})

        return validate(DeckHeader, data, SourceMap(document, (DeckHeader,)), get_context)[1]
    header = {key: data[key] for key in _HEADER_KEYS if key in data}
    if header.keys() == {"kind"} and isinstance(header["kind"], str):  # As most files have it.
        return ()
    return validate(CardHeader, header, SourceMap(document, (CardHeader,)))[1]


def _is_deck(data: Mapping[str, Any]) -> bool:
    """True for a file with a list of cards, also where the word is misspelt."""
    return "cards" in data or ("name" not in data and any(closest(key, ("cards",)) for key in data))


class _CardReader(NamedTuple):
    """The cards of a file whose game is known."""

    document: Document
    data: Mapping[str, Any]
    game: str
    kinds: Kinds

    def read(self) -> Iterator[ReadResult]:
        if not _is_deck(self.data):
            yield from self._read_card(SourceMap(self.document, ()), _HEADER_KEYS, "in a file with a list of 'cards'")
            return
        cards = self.data.get("cards")
        under = (("defaults",),) if isinstance(self.data.get("defaults"), dict) else ()
        for index in range(len(cards) if isinstance(cards, list) else 0):
            source_map = SourceMap(self.document, (), (("cards", index), *under))
            yield from self._read_card(source_map, ("kind",), "at the top of the file")

    def _key_context(self, kind: str, extra_keys: tuple[str, ...], deck_location: str) -> KeyContext:
        """What stands around a card; `deck` is how to say where the keys of a deck belong."""
        relatives = {f"to the kind {kind}": (model,) for kind, model in self.kinds.items()}
        of = f" for the kind {kind}"
        return KeyContext((), "on the card itself", of, extra_keys, {**relatives, deck_location: (DeckHeader,)})

    def _read_card(
        self, source_map: SourceMap, extra_keys: tuple[str, ...], deck_location: str
    ) -> Iterator[ReadResult]:
        """The card at `origin`, `beside` whose keys others may stand that are none of its own."""
        raw = source_map.merged_data()
        if not isinstance(raw, dict):
            message = f"a card must be a map, not {describe_value(raw)}"
            yield Diagnostic(ShapeCode.WRONG_TYPE, message, source_map.place())
            return
        kind = raw.get("kind", self.data.get("kind"))
        if not isinstance(kind, str) or kind not in self.kinds:
            yield self._kind_diagnostic(kind, source_map)
            yield self._reject("", raw)
            return
        model = self.kinds[kind]
        source_map = SourceMap(self.document, (model,), source_map.key_paths)
        # Of defaults below the card, the model says which keys are the same under another spelling.
        whole = source_map.merged_data() if len(source_map.key_paths) > 1 else raw
        data = {key: value for key, value in whole.items() if key not in extra_keys}
        card, problems = validate(model, data, source_map, lambda: self._key_context(kind, extra_keys, deck_location))
        yield from problems
        yield Entry(card, self.game, kind, source_map) if card else self._reject(kind, data)

    def _kind_diagnostic(self, kind: object, card: SourceMap) -> Diagnostic:
        """What is wrong with the `kind` that stands on the card or else on its deck, or on neither."""
        named = next((origin for origin in (card, SourceMap(self.document, ())) if origin.has_key("kind")), None)
        if named is None:
            return self._missing_kind(card)
        place = named.place(("kind",))
        if not isinstance(kind, str):
            return Diagnostic(ShapeCode.WRONG_TYPE, f"'kind' must be text, {describe_actual(kind)}", place)
        return unknown_name_diagnostic(Code.UNKNOWN_KIND, "kind", kind, self.kinds, place)

    def _missing_kind(self, card: SourceMap) -> Diagnostic:
        help_text = f"write one of {', '.join(self.kinds)}"
        misspelling = closest("kind", card.merged_data())
        if misspelling:
            message = f"unknown key '{misspelling}'; did you mean 'kind'?"
            return Diagnostic(ShapeCode.UNKNOWN_KEY, message, card.place((misspelling,), key=True), help_text)
        return Diagnostic(ShapeCode.MISSING_KEY, "'kind' is missing", card.place(), help_text)

    def _reject(self, kind: str, data: Mapping[str, Any]) -> RejectedCard:
        names = [data[key] for key in ("id", "name") if isinstance(data.get(key), str)]
        return RejectedCard(self.game, kind, (*names, *map(slugify, names)))

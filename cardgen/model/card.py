"""Cards: what every card has, the entries of a file with their places, and how a card file is read."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, NamedTuple, TypeAlias, cast

from pydantic import AfterValidator, BeforeValidator, Field, GetJsonSchemaHandler, WithJsonSchema, model_validator
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, PydanticCustomError

from cardgen.diagnostic import MAX_NAME_LENGTH, Code, Diagnostic, Place, closest, slugify
from cardgen.language import parse_language
from cardgen.runtime.workspace import Workspace
from cardgen.source import Document, KeyPath
from cardgen.validation.base import ID_PATTERN, Flag, Int, Language, Model, Number, SourceMap, Text, accepted_keys
from cardgen.validation.validate import (
    KeyContext,
    describe_actual,
    describe_value,
    unknown_kind_diagnostic,
    unknown_name_diagnostic,
    validate,
)

if TYPE_CHECKING:
    from cardgen.tables.table import TableDocument


Share = Annotated[Number, Field(ge=0, le=1)]
MAX_COPIES = 500
Copies = Annotated[Int, Field(ge=1, le=MAX_COPIES)]
Identifier = Annotated[
    str,
    Field(
        strict=True,
        pattern=ID_PATTERN,
        max_length=MAX_NAME_LENGTH,
        description="lowercase letters and digits, separated by single hyphens, such as warp-channeler",
    ),
]


def _as_tuple(value: object) -> object:
    return (value,) if isinstance(value, str) else value


def _or_one(schema: dict[str, Any]) -> None:
    """Accept one item in place of the list."""
    whole = {key: schema.pop(key) for key in ("type", "items")}
    schema["anyOf"] = [whole, whole["items"]]


def _drop_default(schema: dict[str, Any]) -> None:
    """Drop the default, which depends on the name."""
    schema.pop("default", None)


# The file of a picture that is found by the card's id, also at the end of a folder in 'art', such as 'portrait/auto'.
AUTO = "auto"


class Art(Model):
    """Picture: a file inside the project, and how it fills its box.

    `focus` is the point that stays visible if the picture is cropped, as fractions of its width and height from the top
    left corner. The short form is the path of the file.
    """

    file: Annotated[Text, Field(description="path of the picture, beside the card file or in the project")]
    fit: Annotated[
        Literal["cover", "contain"], Field(description="cover fills the box and crops; contain shows the whole picture")
    ] = "cover"
    focus: Annotated[
        tuple[Share, Share], Field(description="point that stays visible, as fractions of width and height")
    ] = (0.5, 0.5)
    scale: Annotated[Number, Field(ge=0.1, le=10, description="size, as a multiple of the one that fits")] = 1.0
    rotate: Annotated[Literal[0, 90, 180, 270], Field(description="clockwise rotation in degrees")] = 0
    mirror: Annotated[Flag, Field(description="true to swap left and right")] = False
    credit: Annotated[Text | None, Field(description="who made the picture")] = None

    def __str__(self) -> str:
        """Return the path, so that templates can write file="{{ card.portrait }}"."""
        return self.file

    @model_validator(mode="before")
    @classmethod
    def _from_path(cls, data: Any) -> Any:
        return {"file": data} if isinstance(data, str) else data

    @classmethod
    def __get_pydantic_json_schema__(cls, core: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        """Return the schema of the full form or the path alone."""
        schema = super().__get_pydantic_json_schema__(core, handler)
        target = handler.resolve_ref_schema(schema)
        full = dict(target)
        target.clear()
        target.update({"title": "Art", "anyOf": [full, full["properties"]["file"]]})
        return schema


class Card(Model):
    """Base of all cards; each kind adds its own keys.

    `KIND` is the kind's name in card files. `text` replaces the text generated from effects. Kinds without `HAS_RULES`
    are printed pieces, such as tokens, which can be equal.
    """

    KIND: ClassVar[str] = ""
    HAS_RULES: ClassVar[bool] = True
    SYNONYMS: ClassVar[dict[str, tuple[str, ...]]] = {"qty": ("count", "copies", "quantity")}

    name: Annotated[Text, Field(max_length=MAX_NAME_LENGTH, description="the card's printed name")]
    id: Annotated[
        Identifier,
        Field(
            description="name that cards and commands use; made from name by default", json_schema_extra=_drop_default
        ),
    ] = ""
    qty: Annotated[Copies, Field(description="number of copies to print")] = 1
    formerly: Annotated[
        tuple[Identifier, ...],
        BeforeValidator(_as_tuple),
        Field(description="earlier ids of the card, which references still follow", json_schema_extra=_or_one),
    ] = ()
    draft: Annotated[Flag, Field(description="true for a card that is checked but not printed")] = False
    text: (
        Annotated[
            Text,
            Field(description="your own text instead of one made from other keys, if the template has room for it"),
        ]
        | None
    ) = None
    art: (
        Annotated[Art, Field(description="path of a picture, 'auto' for art/<id>.*, or a map with its file and fit")]
        | None
    ) = None
    blazon: (
        Annotated[Text, Field(description="charge of its coat of arms, such as tower, instead of one from its id")]
        | None
    ) = None
    back: (
        Annotated[Text, Field(description="path of a picture or name of a back template, if not the kind's")] | None
    ) = None
    template: Annotated[Text, Field(description="name of a front template, if not the kind's")] | None = None
    theme: Annotated[Text, Field(description="name of a theme, such as low-ink, if not the project's")] | None = None
    size: Annotated[Text, Field(description="size, such as tarot, if not the kind's")] | None = None
    language: Annotated[
        Language | None, Field(description="language of its texts, such as de, if not the project's")
    ] = None
    motto: Annotated[Text, Field(description="a separate line, if the template has room for it")] | None = None
    credit: Annotated[Text, Field(description="who made the card or its picture")] | None = None
    tags: Annotated[tuple[Text, ...], Field(description="words to select cards by")] = ()
    note: Annotated[str, Field(description="for authors; never printed")] | None = None

    @model_validator(mode="before")
    @classmethod
    def _id_from_name(cls, data: Any) -> Any:
        if isinstance(data, dict) and "id" not in data and isinstance(data.get("name"), str):
            return {**data, "id": slugify(data["name"])}
        return data


# Shared, because most cards reference no others.
_NO_LINKS: Mapping[tuple[str, str], "Entry"] = {}


class Translation(NamedTuple):
    """Translation of a text of a card, and the source that it was made from; None if nobody has recorded that."""

    text: str
    source: str | None
    place: Callable[[], Place]


@dataclass(frozen=True, slots=True)
class Entry:
    """Card of a deck, with its game, kind, and source.

    `links` are the cards that it references, by kind and by the id or name that it uses. `workspace` is that of the
    project that has read it, whose games may be more than the installed ones. A card in another language has its
    `source`, and the `translations` of its texts by their pointers.
    """

    card: Card
    game: str
    kind: str
    source_map: SourceMap = field(repr=False, compare=False)
    links: Mapping[tuple[str, str], "Entry"] = field(default_factory=lambda: _NO_LINKS, repr=False, compare=False)
    workspace: Workspace = field(default_factory=Workspace, repr=False, compare=False)
    source: "Entry | None" = field(default=None, repr=False, compare=False)
    translations: Mapping[str, Translation] = field(default_factory=dict, repr=False, compare=False)

    @property
    def document(self) -> Document:
        """The file that contains the card."""
        return self.source_map.document

    def linked_entry(self, kind: str, name: str) -> "Entry":
        """Return the card that this one references by kind and name.

        Raises LookupError with a message for the user if there is no such reference.
        """
        entry = self.links.get((kind, name))
        if entry is None:
            raise LookupError(f"'{self.card.name}' has no reference to {kind} '{name}'")
        return entry

    def place(self, key_path: KeyPath = (), *, key: bool = False) -> Place:
        """Return the place of the value at `key_path`, or of its key.

        An example is ('weapons', 1, 'damage'). The value may come from the deck's defaults, a synonym, or a short form,
        whose place is that of all its parts. A value that was left out has the place of its container.
        """
        translation = self.translations.get("/".join(map(str, key_path))) if self.translations else None
        if translation:
            return translation.place()
        return self.source_map.place(key_path, key=key)


def kind_with_keys(keys: Iterable[str], kinds: Mapping[str, type[Card]]) -> str:
    """Return the only kind that has most of some keys, or ''.

    Keys that every card has tell nothing.
    """
    own = {*keys} - {*accepted_keys((Card,))}
    matches = {kind: len(own & {*accepted_keys((model,))}) for kind, model in kinds.items()}
    most = max(matches.values(), default=0)
    best = [kind for kind, count in matches.items() if count == most]
    return best[0] if len(best) == 1 and 2 * most >= len(own) else ""


FORMAT_VERSION = 1


def _check_format(number: int) -> int:
    if number != FORMAT_VERSION:
        context = {
            "number": number,
            "known": FORMAT_VERSION,
            "code": Code.UNKNOWN_FORMAT,
            "help": f"write format: {FORMAT_VERSION}",
        }
        raise PydanticCustomError("unknown_format", "unknown format {number} (must be {known})", context)
    return number


FormatVersion: TypeAlias = Annotated[Int, AfterValidator(_check_format), WithJsonSchema({"const": FORMAT_VERSION})]


class CardHeader(Model):
    """Header keys of a card in its own file."""

    format: Annotated[FormatVersion, Field(description="version of the card format")] = FORMAT_VERSION
    game: Annotated[str, Field(strict=True, description="the game that the cards belong to")] = ""
    kind: Annotated[str, Field(strict=True, description="the kind of card")] = ""


class DeckHeader(CardHeader):
    """Header of a file with several cards; each card overrides `defaults` and `language`."""

    language: Annotated[Language | None, Field(description="language of the cards, such as de")] = None
    defaults: Annotated[dict[str, Any], Field(description="keys for all cards that do not set them")] = Field(
        default_factory=dict
    )
    cards: Annotated[list[Any], Field(min_length=1, description="the cards")]


Kinds: TypeAlias = Mapping[str, type[Card]]
Games: TypeAlias = Mapping[str, Kinds]

_HEADER_KEYS = accepted_keys((CardHeader,))
# Cards whose keys are compared with those of the kinds if the kind of a file is unknown.
_CARDS_FOR_GUESS = 20


class RejectedCard(NamedTuple):
    """Invalid card, with what its author wrote.

    `kind` is '' if unknown.
    """

    game: str
    kind: str
    data: Mapping[str, Any]
    source_map: SourceMap
    workspace: Workspace

    @property
    def names(self) -> tuple[str, ...]:
        """The names by which other cards may refer to it."""
        names = [self.data[key] for key in ("id", "name") if isinstance(self.data.get(key), str)]
        return (*names, *map(slugify, names))


ReadResult: TypeAlias = Entry | RejectedCard | Diagnostic


def read_cards(
    document: Document, games: Games, default_game: str, workspace: Workspace | None = None
) -> Iterator[ReadResult]:
    """Yield the cards of a document in order, rejected cards, and diagnostics.

    Their models find the `workspace` in the context of their validation.
    """
    workspace = workspace or Workspace()
    yield from document.diagnostics
    data = document.data
    if type(document) is not Document:  # that of a table; most projects have none, so its class is not loaded here
        yield from _read_table_cards(cast("TableDocument", document), games, default_game, workspace)
    elif isinstance(data, dict):
        yield from _read_game_cards(document, data, games, default_game, workspace)
    elif data is not None:
        message = f"a card file must be a map, not {describe_value(data)}"
        advice = "write 'cards:' above the list" if isinstance(data, list) else "write one 'key: value' per line"
        yield Diagnostic(Code.NOT_A_CARD, message, document.place(), advice)
    elif not document.diagnostics:
        message = "the file contains only comments" if "#" in document.line_index.text else "the file is empty"
        yield Diagnostic(Code.NOT_A_CARD, message, document.place(), "add a card, or delete the file")


def _read_table_cards(
    document: "TableDocument", games: Games, default_game: str, workspace: Workspace
) -> Iterator[ReadResult]:
    """Yield the cards of a table whose game and kind were checked when it was read."""
    data = document.data
    if not isinstance(data, dict):
        return
    game = str(data.get("game", default_game))
    reader = _CardReader(document, data, game, games[game], games, workspace)
    for index in range(document.count):
        keys = document.keys_of(index)
        results = (_advise_on_cells(each, keys) for each in reader.read_item(index))
        yield from _reject_incomplete(results) if index in document.incomplete else results


def _advise_on_cells(result: ReadResult, keys: frozenset[str] | None) -> ReadResult:
    """Return a result of a row; the help for a missing key is about cells and columns."""
    if keys is None or not isinstance(result, Diagnostic) or result.code != Code.MISSING_KEY:
        return result
    key = result.message.partition("'")[2].rstrip("'")
    is_empty = key in keys
    return result._replace(help="fill the cell, or begin the row with #" if is_empty else f"add a column '{key}'")


def _reject_incomplete(results: Iterable[ReadResult]) -> Iterator[ReadResult]:
    """Yield the results for a card that lacks a value, which has been reported where it should be."""
    for each in results:
        if isinstance(each, Entry):
            yield RejectedCard(each.game, each.kind, dict(each.card), each.source_map, each.workspace)
        elif not isinstance(each, Diagnostic) or each.code != Code.MISSING_KEY:
            yield each


def _read_game_cards(
    document: Document, data: Mapping[str, Any], games: Games, default_game: str, workspace: Workspace
) -> Iterator[ReadResult]:
    if isinstance(data.get("translations"), dict) and data.keys().isdisjoint(("kind", "name", "cards")):
        _, dot, language = document.file.removesuffix(".yaml").removesuffix(".yml").rpartition(".")
        why = f"'{language}' is not a language of the project" if dot else "its name ends in no language"
        message = f"the file has translations, but {why}"
        advice = "name it like ash.de.yaml, with a language that 'languages' in cardgen.yaml has"
        advice += f", or add '{language}' there" if dot else ""
        yield Diagnostic(Code.NOT_A_CARD, message, document.place(("translations",), key=True), advice)
        return
    game = data.get("game", default_game)
    kinds = games.get(game) if isinstance(game, str) else None
    problems = _check_header(document, data, kinds or {})
    yield from problems
    if any(problem.code == Code.UNKNOWN_FORMAT for problem in problems):
        return
    if kinds is not None:
        yield from _CardReader(document, data, game, kinds, games, workspace).read()
    elif isinstance(game, str) and "game" in data:
        yield unknown_name_diagnostic(Code.UNKNOWN_GAME, "game", game, games, document.place(("game",)))


def _check_header(document: Document, data: Mapping[str, Any], kinds: Kinds) -> tuple[Diagnostic, ...]:
    if _is_deck(data):

        def get_context() -> KeyContext:
            return KeyContext(related_models={"on the cards below": tuple(kinds.values())})

        return validate(DeckHeader, data, SourceMap(document, (DeckHeader,)), get_context)[1]
    header = {key: data[key] for key in _HEADER_KEYS if key in data}
    if header.keys() == {"kind"} and isinstance(header["kind"], str):  # the most common header
        return ()
    return validate(CardHeader, header, SourceMap(document, (CardHeader,)))[1]


def _is_deck(data: Mapping[str, Any]) -> bool:
    """True for a file with a 'cards' list, even if misspelt."""
    return "cards" in data or ("name" not in data and any(closest(key, ("cards",)) for key in data))


class _CardReader(NamedTuple):
    """Reads the cards of a file whose game is known."""

    document: Document
    data: Mapping[str, Any]
    game: str
    kinds: Kinds
    games: Games
    workspace: Workspace

    @property
    def language(self) -> str:
        """The language in the header of the file; '' for none, and for an unknown one, which is reported there."""
        named = self.data.get("language")
        with suppress(ValueError):
            return parse_language(named) if isinstance(named, str) else ""
        return ""

    def read(self) -> Iterator[ReadResult]:
        if not _is_deck(self.data):
            yield from self._read_card(SourceMap(self.document, ()), _HEADER_KEYS, "in a file with a list of 'cards'")
            return
        cards = self.data.get("cards")
        for index in range(len(cards) if isinstance(cards, list) else 0):
            yield from self.read_item(index)

    def read_item(self, index: int) -> Iterator[ReadResult]:
        """Read one card of a deck."""
        under = (("defaults",),) if isinstance(self.data.get("defaults"), dict) else ()
        source_map = SourceMap(self.document, (), (("cards", index), *under))
        yield from self._read_card(source_map, ("kind",), "at the top of the file")

    def _key_context(self, kind: str, extra_keys: tuple[str, ...], deck_location: str) -> KeyContext:
        """Return the surroundings of a card.

        `deck_location` is a phrase for the place where the keys of a deck belong.
        """
        relatives = {f"to kind '{kind}'": (model,) for kind, model in self.kinds.items()}
        of = f" for kind '{kind}'"
        return KeyContext((), "on the card itself", of, extra_keys, {**relatives, deck_location: (DeckHeader,)})

    def _read_card(
        self, source_map: SourceMap, extra_keys: tuple[str, ...], deck_location: str
    ) -> Iterator[ReadResult]:
        """Read one card; `extra_keys` next to its own belong to the file."""
        raw = source_map.merged_data()
        if not isinstance(raw, dict):
            message = f"a card must be a map, not {describe_value(raw)}"
            yield Diagnostic(Code.WRONG_TYPE, message, source_map.place())
            yield self._reject("", {}, source_map)
            return
        kind = raw.get("kind", self.data.get("kind"))
        if not isinstance(kind, str) or kind not in self.kinds:
            yield self._kind_diagnostic(kind, source_map)
            yield self._reject("", raw, source_map)
            return
        model = self.kinds[kind]
        source_map = SourceMap(self.document, (model,), source_map.key_paths)
        # With defaults, merge again: the model knows which spellings are the same key.
        whole = source_map.merged_data() if len(source_map.key_paths) > 1 else raw
        data = {key: value for key, value in whole.items() if key not in extra_keys}
        if self.language:
            data.setdefault("language", self.language)
        get_context = partial(self._key_context, kind, extra_keys, deck_location)
        card, problems = validate(model, data, source_map, get_context, self.workspace)
        yield from problems
        if card:
            yield Entry(card, self.game, kind, source_map, workspace=self.workspace)
        else:
            yield self._reject(kind, data, source_map)

    def _kind_diagnostic(self, kind: object, card: SourceMap) -> Diagnostic:
        """Return the diagnostic for an invalid or missing `kind`."""
        named = next((origin for origin in (card, SourceMap(self.document, ())) if origin.has_key("kind")), None)
        if named is None:
            return self._missing_kind(card)
        place = named.place(("kind",))
        if not isinstance(kind, str):
            return Diagnostic(Code.WRONG_TYPE, f"'kind' must be text, {describe_actual(kind)}", place)
        guess = kind_with_keys(self._keys_of(card if card.has_key("kind") else None), self.kinds)
        return unknown_kind_diagnostic(kind, self.kinds, self.games, place, guess)

    def _keys_of(self, card: SourceMap | None) -> set[str]:
        """Return the keys of a card, or of the first cards of the file."""
        if card is not None:
            return {*card.merged_data()} - {*_HEADER_KEYS}
        cards, defaults = self.data.get("cards"), self.data.get("defaults")
        parts = [*(cards[:_CARDS_FOR_GUESS] if isinstance(cards, list) else ()), defaults]
        return {key for part in parts if isinstance(part, dict) for key in part}

    def _missing_kind(self, card: SourceMap) -> Diagnostic:
        help_text = f"add 'kind: …' with one of {', '.join(self.kinds)}"
        misspelling = closest("kind", card.merged_data())
        if misspelling:
            message = f"unknown key '{misspelling}'; did you mean 'kind'?"
            return Diagnostic(Code.UNKNOWN_KEY, message, card.place((misspelling,), key=True), help_text)
        return Diagnostic(Code.MISSING_KEY, "missing key 'kind'", card.place(), help_text)

    def _reject(self, kind: str, data: Mapping[str, Any], source_map: SourceMap) -> RejectedCard:
        return RejectedCard(self.game, kind, data, source_map, self.workspace)

"""Reference sheets of a game: their folder and content providers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import SimpleNamespace
from typing import Annotated, Any

from pydantic import Field

from cardgen.game_file.context import GameContext
from cardgen.game_file.output.card_face import CardFace
from cardgen.model.card import Card
from cardgen.project.confinement import resolve_inside
from cardgen.project.files import CARD_SUFFIXES
from cardgen.validation.base import Model, Text

SHEETS_FOLDER = "sheets"


class CardTableOptions(Model):
    """The cards to show in a table, and their fields: by default, all cards of the kind and their numbers."""

    kind: Annotated[Text, Field(description="kind of card")]
    fields: Annotated[tuple[Text, ...], Field(max_length=20, description="fields to show")] = ()
    only: Annotated[tuple[Text, ...], Field(description="ids or names")] = ()


class CardTextOptions(Model):
    """The cards to show with their printed text: by default, all cards of the kind."""

    kind: Annotated[Text, Field(description="kind of card")]
    only: Annotated[tuple[Text, ...], Field(description="ids or names")] = ()


def compile_reference(context: GameContext, face: CardFace, describe: Callable[[Any], str]) -> Callable[[], Any]:
    """Return a function that returns an object with the `REFERENCE` of a game; report sheets that do not exist."""
    for number, name in enumerate(context.spec.sheets):
        _check_sheet(name, number, context)
    folder, lists = context.folder / SHEETS_FOLDER, tuple(context.spec.lists)
    kinds = tuple(context.spec.kinds)

    def reference() -> Any:
        from cardgen.rulesets.reference import ContentProvider, ReferenceContent  # loaded here to read cards fast

        provider = _Provider(face, describe, kinds)
        providers = {
            "cards": ContentProvider(provider.table, "a table of cards and their numbers", CardTableOptions),
            "texts": ContentProvider(provider.texts, "cards with their printed text", CardTextOptions),
        }
        return SimpleNamespace(REFERENCE=ReferenceContent(folder, providers, list_kinds=lists))

    return reference


def _check_sheet(name: str, number: int, context: GameContext) -> None:
    key_path, message = ("sheets", number), ""
    try:
        path = resolve_inside(context.folder, name, context.folder)
        if path.suffix not in CARD_SUFFIXES or path.parent.name != SHEETS_FOLDER:
            message = f"'{name}' is not a file such as {SHEETS_FOLDER}/summary.yaml"
        elif not path.is_file():
            message = f"file '{name}' not found beside the game file"
    except ValueError as error:
        message = str(error).replace("outside the project", "outside the folder of the game")
    if message:
        context.report(key_path, message, "create it, or remove it from this list")


class _Provider:
    """Blocks made from the cards of a game."""

    def __init__(self, face: CardFace, describe: Callable[[Any], str], kinds: tuple[str, ...]) -> None:
        self._face, self._describe, self._kinds = face, describe, kinds

    def table(self, options: CardTableOptions, data: Any) -> Iterator[Any]:
        """Yield a table of the cards of a kind."""
        from cardgen.rulesets.reference import rows_table

        cards = self._cards(options.kind, options.only, data)
        if not cards:
            return
        values = [self._values(card) for card in cards]
        known = dict.fromkeys(name for row in values for name in row)
        numbers = dict.fromkeys(str(row["field"]) for card in cards for row in self._face.numbers(card))
        names = options.fields or tuple(numbers)
        for number, name in enumerate(options.fields):
            if name not in known:
                raise self._unknown("field", name, known, ("fields", number))
        head = ("Name", *(self._face.label(cards[0], name) for name in names))
        rows = [(card.name, *(row.get(name, "") for name in names)) for card, row in zip(cards, values, strict=True)]
        yield from rows_table(head, rows)

    def texts(self, options: CardTextOptions, data: Any) -> Iterator[Any]:
        """Yield the texts of the cards of a kind."""
        from cardgen.rulesets.reference import text_entries

        cards = self._cards(options.kind, options.only, data)
        yield from text_entries((card.name, text) for card in cards if (text := self._describe(card)))

    def _cards(self, kind: str, only: tuple[str, ...], data: Any) -> tuple[Card, ...]:
        if kind not in self._kinds:
            raise self._unknown("kind", kind, self._kinds, ("kind",))
        return tuple(data.select(kind, only))

    def _values(self, card: Card) -> Mapping[str, str]:
        rows = (*self._face.numbers(card), *self._face.details(card))
        values = {str(row["field"]): str(row["value"]) for row in rows}
        for row in self._face.parts(card):
            values[row["field"]] = "; ".join(filter(None, (values.get(row["field"]), row["text"])))
        return values

    def _unknown(self, what: str, name: str, known: Any, route: tuple[str | int, ...]) -> Exception:
        from cardgen.reference.resolve import NotAvailableError

        return NotAvailableError.unknown(what, name, tuple(known), route)

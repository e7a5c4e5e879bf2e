"""Printed text of cards, their own or the `text` of their kind, and the rules as values that releases compare."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from hashlib import blake2b
from importlib import import_module
from itertools import chain
from types import SimpleNamespace
from typing import Annotated, Any, TypeAlias

from pydantic import Field

from cardgen.game_file.expressions import GameContext
from cardgen.game_file.kinds import NAME, CardWithText, LinePart
from cardgen.game_file.lists import CardList
from cardgen.game_file.pieces import FilledInBlank
from cardgen.game_file.spec import (
    FIELD_TYPES,
    BoxCount,
    CheckSpec,
    FieldSpec,
    GameFile,
    KindSpec,
    ListSpec,
    TypeSpec,
    title_of,
)
from cardgen.language import number_text
from cardgen.model.card import Card
from cardgen.project.files import CARD_SUFFIXES, resolve_inside
from cardgen.rulesets.ruleset import GlossaryTerm
from cardgen.source import KeyPath
from cardgen.text.lines import choice_label, embolden, escape_markup, label_width
from cardgen.units import NBSP, Shape
from cardgen.validation.base import Model, Text


def compile_texts(context: GameContext) -> Callable[[Model], str]:
    """Return the function for the marked-up text of a card or part.

    It returns '' if there is none. Report mistakes in the texts.
    """
    bold = tuple([form for term in context.terms if term.bold for form in term.forms])
    texts = _kind_texts(context)

    def describe(thing: Model) -> str:
        own = getattr(thing, "text", None)
        if not own and isinstance(thing, CardWithText) and thing.KIND in texts:
            own = texts[thing.KIND](thing)
        return embolden(own or "", bold)

    return describe


def _kind_texts(context: GameContext) -> dict[str, Callable[[CardWithText], str]]:
    """Return the functions that render the texts of kinds and pieces."""
    sections = {"kinds": context.spec.kinds, "pieces": context.spec.pieces}
    sources = [
        (section, name, text)
        for section, specs in sections.items()
        for name, spec in specs.items()
        if name in context.kinds and (text := getattr(spec, "text", None)) is not None
    ]
    if not sources:
        return {}
    compile_text = import_module("cardgen.game_file.text_template").compile_text
    texts = {name: compile_text(section, name, source, context) for section, name, source in sources}
    return {name: text.render for name, text in texts.items() if text}


def members(card: Card) -> list[dict[str, object]]:
    """Return the members of a list, each with its kind, its name or id as written, and its copies."""
    if not isinstance(card, CardList):
        return []
    return [{"kind": card.MEMBER_KIND, "name": each.card, "copies": each.qty} for each in card.members]


def limits(card: Card) -> list[dict[str, object]]:
    """Return the limits of a list, each with its field, its label, and the most that its members may add up to."""
    every = card.LIMITS if isinstance(card, CardList) else {}
    return [{"field": field, "label": limit.label, "most": limit.most} for field, limit in every.items()]


def form(card: Card) -> dict[str, tuple[str, ...]]:
    """Return what is filled in on a blank: the labels of numbers, and of everything else."""
    if not isinstance(card, FilledInBlank):
        return {"numbers": (), "words": ()}
    return card.FORMS[card.of]._asdict()


def flip_side(card: Card) -> Card:
    """Return a token with the number of its back as its value, for the text of the back."""
    flip = getattr(card, "flip", None)
    return card.model_copy(update={"value": flip}) if flip else card


ROSTER_FUNCTIONS: Mapping[str, Callable[..., object]] = {
    function.__name__: function for function in (members, limits, form, flip_side, label_width)
}


MOST_BOXES = 100
_NUMBERS = frozenset({"integer", "number", "length"})
_LISTS = frozenset({"list", "map"})
# Fields that a face shows as a picture or a color, if at all.
_UNPRINTED = frozenset({"picture", "colour"})


class CardFace:
    """The functions for templates of one game."""

    def __init__(self, context: GameContext) -> None:
        self._unit, self._name, self._kinds = context.spec.unit, context.spec.name, context.kinds
        self._types, self._words = context.spec.types, FieldWords(context.spec.types)
        self._fields: Mapping[str, Mapping[str, FieldSpec]] = {
            **{name: spec.fields for name, spec in context.spec.kinds.items()},
            **{name: spec.fields for name, spec in context.spec.lists.items()},
        }
        self._boxes: Mapping[str, Mapping[str, BoxCount]] = {
            name: spec.boxes for name, spec in context.spec.kinds.items()
        }

    @property
    def functions(self) -> Mapping[str, Callable[..., object]]:
        """The functions by name."""
        every = (self.numbers, self.details, self.parts, self.boxes, self.label, self.shape, self.game_name)
        return {function.__name__: function for function in every}

    def label(self, card: Card, name: str) -> str:
        """Return the label of a field, such as 'heat' or 'friend.heat'; the name of a card has that of its field."""
        name = name.removesuffix(f".{NAME}")
        *owners, last = name.split(".")
        fields: Mapping[str, FieldSpec] = self._fields.get(card.KIND, {})
        for owner in owners:
            spec = fields.get(owner)
            part = self._types.get(spec.type) if spec else None
            fields = part.fields if part else self._fields.get(_linked_kind(spec), {}) if spec else {}
        spec = fields.get(last)
        return (spec.label if spec else None) or title_of(last)

    def shape(self, kind: str) -> str:
        """Return the shape of the cards of a kind: 'rectangle' or 'round'."""
        return str(self._kinds[kind].shape) if kind in self._kinds else str(Shape.RECTANGLE)

    def game_name(self) -> str:
        """Return the name of the game."""
        return self._name

    def numbers(self, card: Card) -> list[dict[str, object]]:
        """Return the numbers of a card, each with label, icon, value, and field."""
        return [row for spec, row in self._rows(card) if spec.type in _NUMBERS]

    def details(self, card: Card) -> list[dict[str, object]]:
        """Return the words of a card, each with label, icon, value, and field.

        For cards that it names, `kind` is the kind of these cards, and `names` are their names or ids; otherwise, these
        are empty.
        """
        return [row for spec, row in self._rows(card) if spec.type not in _NUMBERS | _UNPRINTED]

    def _rows(self, card: Card) -> Iterator[tuple[FieldSpec, dict[str, object]]]:
        for name, spec in self._fields.get(card.KIND, {}).items():
            value = getattr(card, name)
            if value is None or value is False or value == () or _is_part(spec):
                continue
            shown = "" if value is True else self._shown(value, spec, card.language or "")
            row = {"label": self.label(card, name), "icon": spec.icon or "", "value": shown, "field": name}
            kind = _linked_kind(spec)
            names = () if not kind else value if isinstance(value, tuple) else (value,)
            yield spec, {**row, "kind": kind, "names": names}

    def _shown(self, value: object, spec: FieldSpec, language: str) -> str:
        text = number_text(value, language) if isinstance(value, float) else self._words.line(value, spec)
        return f"{text}{NBSP}{self._unit}" if spec.type == "length" else text

    def parts(self, card: Card) -> list[dict[str, str]]:
        """Return the lists and maps of a card as marked-up lines, each with its field."""
        return [
            {"text": line, "field": name}
            for name, spec in self._fields.get(card.KIND, {}).items()
            if _is_part(spec)
            for line in self._words.lines(getattr(card, name), spec, self.label(card, name))
        ]

    def boxes(self, card: Card) -> list[dict[str, object]]:
        """Return the rows of boxes to tick, each with label and number."""
        rows = ((name, _count(count, card)) for name, count in self._boxes.get(card.KIND, {}).items())
        return [{"label": title_of(name), "number": number, "field": name} for name, number in rows if number]


def _count(count: BoxCount, card: Card) -> int:
    number = count if isinstance(count, int) else getattr(card, count, None)
    return max(0, min(int(number), MOST_BOXES)) if isinstance(number, int | float) else 0


def _linked_kind(spec: FieldSpec) -> str:
    """Return the kind of the cards that a field or the items of a list name, or ''."""
    linked = spec.items if spec.type == "list" and spec.items else spec
    return (linked.kind or "") if linked.type == "card" else ""


def _is_part(spec: FieldSpec) -> bool:
    """Return whether a field is a list, a map, or a part of the game's own type, but not names of cards."""
    return not _linked_kind(spec) and (spec.type in _LISTS or spec.type not in FIELD_TYPES)


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


Value: TypeAlias = str | float
KINDS, FIELDS, ITEMS, GLOSSARY = "kinds", "fields", "items", "glossary"
# The keys of a field that are plain values; defaults are values of the cards.
_FIELD_KEYS = ("type", "min", "max", "kind", "label", "icon")


def rule_values(context: GameContext) -> Iterator[tuple[KeyPath, Value]]:
    """Yield the values of a game's rules by key path, in order of the file."""
    spec = context.spec
    kinds: Mapping[str, KindSpec | ListSpec] = {**spec.kinds, **spec.lists}
    for name, kind in kinds.items():
        yield from _kind_values((KINDS, name), kind, spec.types)
    for name, piece in spec.pieces.items():
        yield from _plain(piece, (KINDS, name), ("title",))
        text = getattr(piece, "text", None)
        yield from [((KINDS, name, "text"), text)] if text else []
    for check_name, check in spec.checks.items():
        yield from _check_values(check_name, check, spec)
    yield from _trial_values(spec)
    yield from chain.from_iterable(map(_term_values, context.terms))


def _kind_values(
    path: KeyPath, kind: KindSpec | ListSpec, types: Mapping[str, TypeSpec]
) -> Iterator[tuple[KeyPath, Value]]:
    for field, spec in kind.fields.items():
        yield from field_values(spec, (*path, FIELDS, field), types)
    yield from _plain(kind, path, ("title",))
    if isinstance(kind, ListSpec):
        yield (*path, "members", "kind"), ", ".join(kind.members.kinds)
        yield from _plain(kind.members, (*path, "members"), ("min", "max"))
        for field, limit in kind.limits.items():
            yield from _plain(limit, (*path, "limits", field), ("min", "max"))
        return
    yield from _plain(kind, path, ("text", "shape"))
    yield from (((*path, "boxes", label), count) for label, count in kind.boxes.items())


def field_values(
    spec: FieldSpec, path: KeyPath, types: Mapping[str, TypeSpec], above: tuple[str, ...] = ()
) -> Iterator[tuple[KeyPath, Value]]:
    """Yield the values of a field and of the parts below it; `above` are the types that it is in."""
    yield from _plain(spec, path, _FIELD_KEYS)
    if isinstance(spec.choices, Mapping):
        yield from (((*path, "choices", word), meaning) for word, meaning in spec.choices.items())
    yield from (
        ((*path, "choices", word), True) for word in spec.choices or () if not isinstance(spec.choices, Mapping)
    )
    yield from [((*path, "keys"), ", ".join(spec.keys))] if spec.keys else []
    if spec.items:
        yield from field_values(spec.items, (*path, ITEMS), types, above)
    part = types.get(spec.type)
    if part and spec.type not in above:
        yield from _plain(part, path, ("line",))
        for name, field in part.fields.items():
            yield from field_values(field, (*path, FIELDS, name), types, (*above, spec.type))


def _plain(spec: Model, path: KeyPath, keys: Iterable[str]) -> Iterator[tuple[KeyPath, Value]]:
    values = ((key, getattr(spec, key)) for key in keys)
    yield from (((*path, key), value) for key, value in values if value is not None)


def _check_values(name: str, check: CheckSpec, spec: GameFile) -> Iterator[tuple[KeyPath, Value]]:
    """Yield a check for each kind that it looks at, or that has a part of a type that it looks at."""
    kinds: Mapping[str, KindSpec | ListSpec] = {**spec.kinds, **spec.lists}
    for kind, its in kinds.items():
        if {kind, *_types_of(its.fields.values(), spec.types)} & {*check.kind}:
            yield from _plain(check, (KINDS, kind, "checks", name), ("when", "severity", "confidence"))


def _types_of(fields: Iterable[FieldSpec], types: Mapping[str, TypeSpec]) -> frozenset[str]:
    """Return the types of parts in fields, and those below them."""
    pending, seen = [*fields], set[str]()
    while pending:
        spec = pending.pop()
        pending += [spec.items] if spec.items else []
        if spec.type in types and spec.type not in seen:
            seen.add(spec.type)
            pending += types[spec.type].fields.values()
    return frozenset(seen)


def _trial_values(spec: GameFile) -> Iterator[tuple[KeyPath, Value]]:
    """Yield a digest of each trial, with its dice and the trials that it calls, for each kind that it asks for."""
    for name, trial in spec.trials.items():
        kinds = dict.fromkeys(kind for ask in trial.asks.values() for kind in _names(getattr(ask, "kind", None)))
        content = json.dumps([each.model_dump(mode="json") for each in _parts_of_trial(name, spec)], sort_keys=True)
        digest = blake2b(content.encode(), digest_size=8).hexdigest()
        yield from (((KINDS, kind, "trials", name), digest) for kind in kinds)


def _names(kind: str | Iterable[str] | None) -> tuple[str, ...]:
    return (kind,) if isinstance(kind, str) else tuple(kind or ())


def _parts_of_trial(name: str, spec: GameFile) -> Iterator[Model]:
    """Yield a trial, and the dice and trials whose names it contains."""
    pending, seen = [name], {name}
    while pending:
        part = spec.trials.get(pending[-1]) or spec.dice[pending[-1]]
        pending.pop()
        yield part
        text = part.model_dump_json()
        more = [each for each in (*spec.trials, *spec.dice) if each not in seen and f'"{each}"' in text]
        seen.update(more)
        pending += more


def _term_values(term: GlossaryTerm) -> Iterator[tuple[KeyPath, Value]]:
    path = (GLOSSARY, term.name)
    yield (*path, "means"), term.definition
    yield (*path, "forms"), ", ".join((*term.forms, *term.everyday))
    yield from [((*path, "bold"), True)] if term.bold else []


# A value whose field is unknown, such as one inside a map.
_ANY = FieldSpec(type="text")


class FieldWords:
    """Words for the values of fields, given the types of parts of a game."""

    def __init__(self, types: Mapping[str, TypeSpec]) -> None:
        self._types = types

    def lines(self, value: object, spec: FieldSpec, label: str) -> Iterator[str]:
        """Yield the marked-up lines of a list, map, or part.

        Values that are not parts share a line.
        """
        item_spec = spec.items or _ANY
        if isinstance(value, Model):
            yield self._part_line(value, spec, label)
        elif isinstance(value, tuple) and any(isinstance(item, Model) for item in value):
            for item in value:
                yield from self.lines(item, item_spec, label)
        elif isinstance(value, dict) and any(isinstance(item, Model | tuple | dict) for item in value.values()):
            for key, item in value.items():
                yield from self.lines(item, item_spec, title_of(key))
        elif isinstance(value, tuple | dict) and value:
            yield f"**{escape_markup(label)}** {self.line(value, spec)}"

    def line(self, value: object, spec: FieldSpec) -> str:
        """Return values on one line, separated by commas."""
        item_spec = spec.items or _ANY
        if isinstance(value, dict):
            return ", ".join(
                f"{escape_markup(str(key))} {self.line(item, item_spec)}".strip() for key, item in value.items()
            )
        if isinstance(value, tuple):
            return ", ".join(self.line(item, item_spec) for item in value)
        if isinstance(value, Model):
            return self._part_line(value, spec, "")
        text = "" if value is True else str(value)
        return escape_markup(choice_label(text) if spec.type == "choice" else text)

    def _part_line(self, part: Model, spec: FieldSpec, label: str) -> str:
        """Return a part as its name and its line, or its values."""
        name = escape_markup(getattr(part, NAME, "") or label)
        line = part.line if isinstance(part, LinePart) else ""
        if line:
            return f"**{name}** {escape_markup(line)}"
        specs = self._types[spec.type].fields if spec.type in self._types else {}
        values = ((key, value) for key, value in part if key != NAME and value not in (None, False, (), {}))
        words = (
            f"{escape_markup(title_of(key).lower())} {self.line(value, specs.get(key, _ANY))}" for key, value in values
        )
        return f"**{name}** {', '.join(map(str.strip, words))}"

"""Kinds of cards, their parts, the glossary, and the rulings of a game file."""

import re
from collections.abc import Callable, Container, Mapping
from contextlib import suppress
from graphlib import CycleError, TopologicalSorter
from operator import getitem
from types import MappingProxyType
from typing import Annotated, Any, ClassVar

import yaml
from pydantic import ConfigDict, Field, PrivateAttr, TypeAdapter, ValidationError, create_model
from pydantic.fields import FieldInfo

from cardgen.diagnostic import MAX_NAME_LENGTH, as_typed, did_you_mean, join_words
from cardgen.game_file.expressions import GameContext
from cardgen.game_file.fields import FieldCompiler, FieldPlace, compile_size
from cardgen.game_file.line_format import (
    BoundedValue,
    LineError,
    LineFormat,
    LineFormatError,
    NumberValue,
    Value,
    WordValue,
)
from cardgen.game_file.spec import FIELD_TYPES, FieldSpec, KindSpec, RulingSpec, TermSpec, TypeSpec
from cardgen.model.card import Card
from cardgen.referee.parameters import Ruling
from cardgen.rulesets.ruleset import GlossaryTerm, Kind
from cardgen.rulesets.vocabulary import LimitRule, ShorthandModel
from cardgen.runtime.workspace import Budget, Workspace
from cardgen.source import KeyPath
from cardgen.units import with_article
from cardgen.validation.base import Model, Text, once_per_model

# Longer ranges of numbers are not listed in the schema.
_MOST_LISTED = 200
_LongestName = Field(max_length=MAX_NAME_LENGTH)
NAME = "name"


class LinePart(ShorthandModel):
    """A part of a card that can be written as `NAME: LINE`."""

    FORMAT: ClassVar[LineFormat]
    RULE: ClassVar[LimitRule]

    @classmethod
    def line_pattern(cls, context: object = None) -> str:
        """Return the regular expression of the line in the JSON Schema."""
        return cls.FORMAT.pattern()

    @classmethod
    def parse_line(cls, name: str, line: str, context: object) -> dict[str, Any]:
        """Return the fields of a line.

        Raises a located error for a line that does not match, or a wrong value.
        """
        try:
            texts = cls.FORMAT.read(line)
        except LineError as error:
            meant = cls._almost(line)
            advice = {"help": f"write {meant}"} if meant else {}
            raise cls.RULE.error("{words}", words=str(error), path=(name,), **advice) from None
        adapters = _adapters(cls)
        return {NAME: name, **{field: _value(adapters[field], text, name, cls.RULE) for field, text in texts.items()}}

    @classmethod
    def _almost(cls, line: str) -> str:
        """Return the line that was meant with other dashes or spaces, or ''."""
        typed = as_typed(line)
        for meant in (typed, " ".join(typed.split()), " ".join(typed.replace("-", " ").split())):
            with suppress(LineError):
                cls.FORMAT.read(meant)
                return meant
        return ""

    @property
    def line(self) -> str:
        """The part as one line, without its name.

        '' if it cannot be written so.
        """
        values = {name: getattr(self, name) for name in self.FORMAT.fields}
        optional = self.FORMAT.optional_fields
        fields = type(self).model_fields
        texts = {
            name: str(value)
            for name, value in values.items()
            if value is not None and not (name in optional and value == fields[name].default)
        }
        return self.FORMAT.write(texts) or ""


@once_per_model
def _adapters(model: type[Model]) -> Mapping[str, TypeAdapter[Any]]:
    """Return what reads the text of each field.

    A number may be written as text here.
    """
    return {name: TypeAdapter(_annotation(info)) for name, info in model.model_fields.items()}


def _annotation(info: FieldInfo) -> Any:
    return getitem(Annotated, (info.annotation, *info.metadata)) if info.metadata else info.annotation


def _value(adapter: TypeAdapter[Any], text: str, name: str, rule: LimitRule) -> Any:
    """Return the value of a text in a line.

    Raises the error of its field at the line.
    """
    number = _number(text)
    try:
        adapter.validate_python(text if number is None else number)
    except ValidationError as first:
        if number is None:
            raise _located(first, name, rule) from None
        try:
            adapter.validate_python(text)  # such as a text that consists of digits
        except ValidationError:
            raise _located(first, name, rule) from None
        return text
    return text if number is None else number


def _number(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return int(text) if text.lstrip("-").isdigit() and len(text) < 20 else value


def _located(error: ValidationError, name: str, rule: LimitRule) -> Exception:
    first = error.errors(include_url=False)[0]
    context = first.get("ctx", {})
    help_text = str(context.get("help", rule.help))
    located = LimitRule(str(context.get("code", rule.code)), first["type"], help_text)
    text = first["msg"]
    return located.error("{words}", words=text[:1].lower() + text[1:], path=(name,))


def compile_types(context: GameContext) -> None:
    """Add the types of a game to the context in dependency order.

    Report mistakes in them.
    """
    types = context.spec.types
    graph = {name: _types_in(spec, types) for name, spec in types.items()}
    try:
        order = tuple(TopologicalSorter(graph).static_order())
    except CycleError as error:
        names = error.args[1]
        message = f"the type '{names[0]}' contains itself"
        context.report(("types", names[0]), message, f"through {join_words(names[1:], 'and')}", key=True)
        order = tuple(types)
    for name in order:
        context.types[name] = _part_model(name, types[name], context)


def _types_in(spec: TypeSpec, types: Container[str]) -> set[str]:
    """Return the types of the game that a type contains."""
    pending, found = list(spec.fields.values()), set[str]()
    while pending:
        field = pending.pop()
        found |= {field.type} if field.type in types else set()
        pending += [field.items] if field.items else []
    return found


def _part_model(name: str, spec: TypeSpec, context: GameContext) -> type[Model]:
    path: KeyPath = ("types", name)
    compiler = FieldCompiler(context)
    fields: dict[str, Any] = {}
    if spec.line is not None and NAME not in spec.fields:
        fields[NAME] = (Annotated[Text, _LongestName, Field(description="its name")], ...)
    for key, field in spec.fields.items():
        fields[key] = compiler.field(field, FieldPlace((*path, "fields", key), f"{key} of {with_article(name)}"))
    line = _line_format(spec, path, context)
    model = create_model(class_name(name), __base__=LinePart if line else Model, __doc__=spec.help or "", **fields)
    if line and issubclass(model, LinePart):
        model.FORMAT, model.TITLE = line, line.description
        model.RULE = model.MAP_RULE = context.limits.rule("", with_article(name), f"is written {line.description}")
    return model


def class_name(name: str) -> str:
    """Return the name of a model: 'FireBrave' for 'fire-brave'."""
    return "".join(word.capitalize() for word in name.split("-"))


def _line_format(spec: TypeSpec, path: KeyPath, context: GameContext) -> LineFormat | None:
    if spec.line is None:
        return None
    place = (*path, "line")
    values: dict[str, Value] = {}
    try:
        used = {name: field for name, field in spec.fields.items() if f"{{{name}}}" in spec.line}
        values |= {name: value for name, field in used.items() if (value := _line_value(field, context))}
        line = LineFormat(spec.line, values)
    except LineFormatError as error:
        known = [name for name, field in spec.fields.items() if field.type in _VALUES]
        unknown = re.match(r"unknown field '(\w+)'$", str(error))
        hint = did_you_mean(unknown[1], known) if unknown else ""
        context.report(place, f"{error}{hint}", f"fields for lines: {', '.join(known)}")
        return None
    for name, field in spec.fields.items():
        can_be_left_out = field.default is not None or field.optional
        if name == NAME or can_be_left_out:
            continue
        if name not in line.fields:
            context.report(place, f"the line has no place for {{{name}}}", "add it, or give the field a default")
        elif name in line.optional_fields:
            message = f"{{{name}}} is in [ ], but the field has no default"
            context.report(place, message, "give the field a default, or make it optional")
    return line


# What a line can contain: texts of which no other field is made.
_VALUES: Mapping[str, Callable[[FieldSpec, GameContext], Value]] = {
    "integer": lambda field, _: _whole(field),
    "number": lambda *_: NumberValue(decimals=True),
    "length": lambda *_: NumberValue(decimals=True),
    "choice": lambda field, _: WordValue(field.choices or ()),
    "term": lambda _, context: WordValue(context.term_forms),
    "text": lambda *_: Value(),
    "dice": lambda *_: Value(),
    "card": lambda *_: Value(),
    "colour": lambda *_: Value(),
}


def _line_value(field: FieldSpec, context: GameContext) -> Value | None:
    if field.type not in (*FIELD_TYPES, *context.spec.types):
        return Value()  # the unknown type has been reported
    make = _VALUES.get(field.type)
    return make(field, context) if make else None


def _whole(field: FieldSpec) -> Value:
    if field.min is None or field.max is None or not 0 <= field.max - field.min <= _MOST_LISTED:
        return NumberValue()
    return BoundedValue(int(field.min), int(field.max))


GENERIC_TEMPLATE = "shared/generic"


class OpenCard(Card):
    """A card that keeps unknown keys for templates."""

    model_config = ConfigDict(extra="allow")


class CardWithText(Card):
    """A card whose text is a template, which takes its steps from the budget of the workspace that read the card."""

    _budget: Budget = PrivateAttr(default_factory=Budget)

    def model_post_init(self, context: Any) -> None:
        """Keep the budget."""
        if isinstance(context, Workspace):
            self._budget = context.budget


def budget_of(card: CardWithText) -> Budget:
    """Return the budget of a card's text. Not a property, because a game may have a field of that name."""
    return card._budget


def text_bases(base: type[Card], text: str | None) -> tuple[type[Card], ...]:
    """Return the bases of a kind with a text, or without one."""
    return (base,) if text is None else (CardWithText, base)


def compile_kinds(context: GameContext) -> None:
    """Add the kinds of a game to the context.

    Report mistakes in them.
    """
    for name, spec in context.spec.kinds.items():
        fields = _fields(spec.fields, ("kinds", name, "fields"), with_article(name), context)
        bases = text_bases(OpenCard if spec.unknown_keys == "allow" else Card, spec.text)
        model = create_model(class_name(name), __base__=bases, __doc__=spec.help or "", **fields)
        model.KIND = name
        size, shape = compile_size(spec, ("kinds", name), context)
        _check_boxes(spec, ("kinds", name, "boxes"), context)
        context.kinds[name] = Kind(
            model, size, example_text(spec.example), shape, generic=GENERIC_TEMPLATE, title=spec.title or ""
        )


def _check_boxes(spec: KindSpec, path: KeyPath, context: GameContext) -> None:
    """Report rows of boxes whose number is not that of a field."""
    numbers = [name for name, field in spec.fields.items() if field.type == "integer"]
    for name, count in spec.boxes.items():
        if isinstance(count, str) and count not in numbers:
            is_known = count in spec.fields
            message = (
                f"'{count}' is not an integer" if is_known else f"unknown field '{count}'{did_you_mean(count, numbers)}"
            )
            advice = f"fields with integers: {', '.join(numbers)}" if numbers else "write a number"
            context.report((*path, name), message, advice)


def _fields(specs: Mapping[str, FieldSpec], path: tuple[str, ...], owner: str, context: GameContext) -> dict[str, Any]:
    compiler = FieldCompiler(context)
    return {name: compiler.field(spec, FieldPlace((*path, name), f"{name} of {owner}")) for name, spec in specs.items()}


def example_text(example: Mapping[str, Any]) -> str:
    """Return the example of a kind as it begins a new card."""
    return yaml.safe_dump(dict(example), sort_keys=False, allow_unicode=True) if example else ""


def glossary_terms(specs: Mapping[str, TermSpec]) -> tuple[GlossaryTerm, ...]:
    """Return the terms of a glossary."""
    return tuple([_term(name, spec) for name, spec in specs.items()])


def _term(name: str, spec: TermSpec) -> GlossaryTerm:
    words = tuple(dict.fromkeys((name, *spec.forms)))
    forms = tuple(dict.fromkeys(word[0].upper() + word[1:] for word in words))
    everyday = tuple([word[0].upper() + word[1:] for word in words if word[0].islower()])
    return GlossaryTerm(forms[0], spec.means, forms, spec.bold, everyday)


def rulings(specs: Mapping[str, RulingSpec]) -> tuple[Ruling, ...]:
    """Return the rulings of a game."""
    return tuple([Ruling(name, spec.question, MappingProxyType(dict(spec.settings))) for name, spec in specs.items()])

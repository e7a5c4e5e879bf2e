"""The types of fields in a game file, and the sizes of cards, as annotations and defaults of pydantic models."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import (
    AfterValidator,
    BeforeValidator,
    Field,
    GetCoreSchemaHandler,
    GetJsonSchemaHandler,
    TypeAdapter,
    ValidationError,
    WithJsonSchema,
    create_model,
)
from pydantic.fields import FieldInfo
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, PydanticCustomError, core_schema

from cardgen.diagnostic import CardgenError, Code, did_you_mean, join_words, separate_advice
from cardgen.game_file.expressions import GameContext
from cardgen.game_file.spec import (
    COMMON_KEYS,
    FIELD_TYPES,
    NEEDED_KEYS,
    TYPE_KEYS,
    Diameter,
    FieldSpec,
    FixedSize,
    KindSpec,
)
from cardgen.model.card import AUTO, Art
from cardgen.model.deck import Reference
from cardgen.rulesets.ruleset import SizeByField
from cardgen.rulesets.vocabulary import LimitRule, OneOf
from cardgen.source import KeyPath
from cardgen.units import CARD_SIZES, UNITS, Shape, Size, parse_length, parse_size, shorten, to_unit, with_article
from cardgen.validation.base import Aspect, Flag, Int, Model, Number, Prose, SourceMap, Text
from cardgen.validation.validate import validate

# Lists of lists of maps …
MOST_NESTED = 4


class FieldPlace(NamedTuple):
    """Key path of a field, and its name in messages.

    A name is, for example, 'heat of a brave'.
    """

    key_path: KeyPath
    subject: str
    depth: int = 0

    def below(self, step: str) -> FieldPlace:
        """Return the place of the items of a list or map."""
        return FieldPlace((*self.key_path, step), f"an item of {self.subject}", self.depth + 1)


class FieldCompiler:
    """Turns the fields of a game file into those of pydantic models.

    Mistakes go to the context.
    """

    def __init__(self, context: GameContext) -> None:
        self._context = context
        self._makers: Mapping[str, Callable[[FieldSpec, FieldPlace], Any]] = {
            "integer": lambda spec, place: self._bounded(Int, NUMBERS, spec, place),
            "number": lambda spec, place: self._bounded(PlainNumber, NUMBERS, spec, place),
            "length": self._length,
            "text": lambda spec, place: self._bounded(Annotated[Text, Prose()], LETTERS, spec, place),
            "flag": lambda spec, place: Flag,
            "choice": self._choice,
            "term": self._term,
            "dice": self._dice,
            "card": self._card,
            "picture": self._picture,
            "colour": lambda spec, place: _Colour,
            "list": self._list,
            "map": self._map,
        }

    def field(self, spec: FieldSpec, place: FieldPlace) -> tuple[Any, FieldInfo]:
        """Return annotation and field of a key."""
        annotation = self.annotation(spec, place)
        info: dict[str, Any] = {"description": describe_field(spec), "title": spec.label}
        if spec.default is not None:
            if spec.optional:
                message = "a field with a default is always optional"
                self._context.report((*place.key_path, "optional"), message, "remove 'optional'", key=True)
            return annotation, Field(default=self._default(annotation, spec.default, place), **info)
        if spec.type in ("list", "map") and (spec.optional or not spec.min):
            return annotation, Field(default=() if spec.type == "list" else {}, **info)
        if spec.type == "flag" and not spec.optional:
            return annotation, Field(default=False, **info)
        return (annotation | None, Field(default=None, **info)) if spec.optional else (annotation, Field(**info))

    def annotation(self, spec: FieldSpec, place: FieldPlace) -> Any:
        """Return the type of a key, or of the items of a list or map."""
        known = (*FIELD_TYPES, *self._context.spec.types)
        if spec.type not in known:
            message = f"unknown type '{spec.type}'{did_you_mean(spec.type, known)}"
            self._context.report((*place.key_path, "type"), message, f"available: {', '.join(known)}")
            return Any
        if place.depth > MOST_NESTED:
            self._context.report(place.key_path, f"fields cannot be nested more than {MOST_NESTED} deep")
            return Any
        if not self._has_valid_options(spec, place):
            return Any
        self._context.check_prefix(spec.code, (*place.key_path, "code"))
        make = self._makers.get(spec.type)
        made = make(spec, place) if make else self._context.types.get(spec.type, Any)
        return Annotated[made, spec.own_aspect] if spec.own_aspect else made

    def _has_valid_options(self, spec: FieldSpec, place: FieldPlace) -> bool:
        """Report keys that the type does not have, and those that it needs."""
        allowed = COMMON_KEYS | TYPE_KEYS.get(spec.type, frozenset())
        foreign = [name for name in spec.model_fields_set if name not in allowed]
        for name in sorted(foreign):
            owners = [kind for kind, names in TYPE_KEYS.items() if name in names]
            message = f"a field of type {spec.type} has no '{name}'"
            self._context.report(
                (*place.key_path, name), message, f"only {join_words(owners, 'and')} fields have it", key=True
            )
        needed = NEEDED_KEYS.get(spec.type)
        if needed and getattr(spec, needed) is None:
            message = f"a field of type {spec.type} needs the key '{needed}'"
            self._context.report(place.key_path, message, f"add '{needed}: …' here")
            return False
        return not foreign

    def _default(self, annotation: Any, value: Any, place: FieldPlace) -> Any:
        try:
            return TypeAdapter(annotation).validate_python(value)
        except ValidationError:
            model = create_model("Default", __base__=Model, default=(annotation, ...))
            source_map = SourceMap(self._context.source_map.document, (model,), (place.key_path,))
            self._context.problems += validate(model, {"default": value}, source_map)[1]
            return None

    def _rule(self, spec: FieldSpec, place: FieldPlace, bounds: str) -> LimitRule:
        return self._context.limits.rule(spec.code or "", place.subject, bounds)

    def _bounded(self, base: Any, counted: tuple[str, str, str], spec: FieldSpec, place: FieldPlace) -> Any:
        if spec.min is None and spec.max is None:
            return base
        if spec.min is not None and spec.max is not None and spec.min > spec.max:
            message = f"'min' is {spec.min:g}, but 'max' is only {spec.max:g}"
            self._context.report((*place.key_path, "min"), message)
        bare = Bounds(spec.min, spec.max, LimitRule("", "", ""), counted)
        has = f"has {bare.phrase} {counted[0]}s" if counted[0] else f"is {bare.phrase}"
        return Annotated[base, Bounds(spec.min, spec.max, self._rule(spec, place, has), counted)]

    def _length(self, spec: FieldSpec, place: FieldPlace) -> Any:
        return self._bounded(length_type(self._context.spec.unit), NUMBERS, spec, place)

    def _choice(self, spec: FieldSpec, place: FieldPlace) -> Any:
        words = tuple(spec.choices or ())
        choice: Any = Literal[words]
        if not spec.code:
            return choice
        rule = self._rule(spec, place, f"is one of {', '.join(words)}")
        return Annotated[choice, OneOf(words, rule._replace(help=""))]

    def _term(self, spec: FieldSpec, place: FieldPlace) -> Any:
        forms = self._context.term_forms
        return Annotated[Text, KnownWord(forms, "term", self._rule(spec, place, "is a term of the glossary"))]

    def _dice(self, spec: FieldSpec, place: FieldPlace) -> Any:
        return Annotated[Text, DiceText(self._rule(spec, place, "is dice, such as 2d6+1"))]

    def _card(self, spec: FieldSpec, place: FieldPlace) -> Any:
        kind = spec.kind or ""
        self._context.card_kinds.append(((*place.key_path, "kind"), kind))
        return Annotated[Text, Reference(kind)]

    def _picture(self, spec: FieldSpec, place: FieldPlace) -> Any:
        field = next((str(step) for step in reversed(place.key_path) if step != "items"), "")
        return Annotated[Art, AfterValidator(partial(_in_folder_of, field))]

    def _list(self, spec: FieldSpec, place: FieldPlace) -> Any:
        assert spec.items is not None
        item = self.annotation(spec.items, place.below("items"))
        return self._bounded(tuple.__class_getitem__((item, ...)), ITEMS, spec, place)

    def _map(self, spec: FieldSpec, place: FieldPlace) -> Any:
        assert spec.items is not None
        base: Any = dict.__class_getitem__((Text, self.annotation(spec.items, place.below("items"))))
        if spec.keys is not None:
            base = Annotated[base, MapKeys(spec.keys, self._rule(spec, place, f"has the keys {join_words(spec.keys)}"))]
        return self._bounded(base, KEYS, spec, place)


def _in_folder_of(field: str, art: Art) -> Art:
    """Return a picture that, with 'auto', is looked up in the folder of its field first."""
    return art.model_copy(update={"file": f"{field}/{AUTO}"}) if art.file == AUTO else art


def describe_field(spec: FieldSpec) -> str:
    """Return what authors should know about a field: its help, or else its values."""
    if spec.help:
        return spec.help
    if isinstance(spec.choices, Mapping):
        return join_words(f"{word} ({meaning})" for word, meaning in spec.choices.items())
    if spec.choices:
        return join_words(spec.choices)
    if spec.items:
        return f"{spec.type}; each item: {describe_field(spec.items)}"
    bare = Bounds(spec.min, spec.max, LimitRule("", "", ""))
    words = _TYPE_WORDS.get(spec.type, spec.type).format(with_article(spec.kind or ""))
    is_bounded = spec.type in ("integer", "number") and not spec.min is spec.max is None
    return f"{words}, {bare.phrase}" if is_bounded else words


_TYPE_WORDS = {
    "integer": "whole number",
    "flag": "true or false",
    "term": "term of the glossary",
    "dice": "dice such as 2d6+1",
    "card": "id or name of {}",
    "picture": "path of a picture inside the project",
    "colour": "color such as #7d2620",
}


def _check_colour(value: str) -> str:
    if not _COLOUR.fullmatch(value):
        context = {
            "value": shorten(value),
            "code": Code.MALFORMED,
            "help": "write six digits from 0 to f, such as #7d2620",
        }
        raise PydanticCustomError("colour", "'{value}' is not a valid color", context)
    return value


_COLOUR = re.compile("#[0-9a-fA-F]{6}")
_Colour = Annotated[
    str,
    Aspect.LOOKS,
    Field(strict=True, examples=["#888888"]),
    AfterValidator(_check_colour),
    WithJsonSchema({"type": "string", "pattern": f"^{_COLOUR.pattern}$", "examples": ["#888888"]}),
]


# What is counted, and the names of its bounds in JSON Schema.
NUMBERS = ("", "minimum", "maximum")
LETTERS = ("character", "minLength", "maxLength")
ITEMS = ("item", "minItems", "maxItems")
KEYS = ("key", "minProperties", "maxProperties")
_MOST_WORDS = 12
# With more words, the schema leaves them to the reader.
_MOST_IN_SCHEMA = 500


class Bounds(NamedTuple):
    """Lowest and highest number, or fewest and most letters, items, or keys.

    None for no bound.
    """

    low: float | None
    high: float | None
    rule: LimitRule
    counted: tuple[str, str, str] = NUMBERS

    @property
    def phrase(self) -> str:
        """The bounds as part of a sentence: 'between 1 and 6'."""
        if self.low is None:
            return f"at most {self.high:g}"
        if self.high is None:
            return f"at least {self.low:g}"
        return f"exactly {self.low:g}" if self.low == self.high else f"between {self.low:g} and {self.high:g}"

    def check(self, value: Any) -> Any:
        """Return the value, or raise the rule's error."""
        amount = len(value) if self.counted[0] else value
        if (self.low is None or amount >= self.low) and (self.high is None or amount <= self.high):
            return value
        unit, most = self.counted[0], self.high if self.high is not None else self.low
        words = f"must have {self.phrase} {unit}{'' if most == 1 else 's'}" if unit else f"must be {self.phrase}"
        is_list = isinstance(value, tuple) and self.high is not None and amount > self.high
        surplus = (int(self.high or 0),) if is_list else ()
        raise self.rule.error("{words}, not {amount}", words=words, amount=f"{amount:g}", path=surplus)

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.no_info_after_validator_function(self.check, handler(source))

    def __get_pydantic_json_schema__(self, core: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        _, lowest, highest = self.counted
        low = {} if self.low is None else {lowest: _plain(self.low)}
        high = {} if self.high is None else {highest: _plain(self.high)}
        return {**handler(core), **low, **high}


def _plain(number: float) -> float:
    return int(number) if float(number).is_integer() else number


class KnownWord(NamedTuple):
    """A text that must be one of some words, as annotation metadata.

    `what` says what they are.
    """

    words: frozenset[str]
    what: str
    rule: LimitRule

    def check(self, value: str) -> str:
        """Return the value, or raise the rule's error."""
        if value in self.words:
            return value
        words = sorted(self.words)
        guess = "" if separate_advice(value, self.words) else did_you_mean(value, words)
        message, advice = "unknown {what} '{value}'{guess}", _available(words)
        raise self.rule.error(message, what=self.what, value=value, guess=guess, help=advice, known_words=words)

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.no_info_after_validator_function(self.check, handler(source))

    def __get_pydantic_json_schema__(self, core: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        return {**handler(core), "enum": sorted(self.words)} if len(self.words) <= _MOST_IN_SCHEMA else handler(core)


def _available(words: Iterable[str]) -> str:
    some = list(words)
    if not some:
        return "the game has none"
    shown = some[:_MOST_WORDS]
    return f"available: {', '.join(shown)}{', …' if len(some) > len(shown) else ''}"


class MapKeys(NamedTuple):
    """The keys that a map may have, as annotation metadata."""

    names: tuple[str, ...]
    rule: LimitRule

    def check(self, value: dict[str, Any]) -> dict[str, Any]:
        """Return the map, or raise the rule's error at its first unknown key."""
        for key in value:
            if key not in self.names:
                message, help_text = "unknown key '{key}'{guess}", f"valid keys: {', '.join(self.names)}"
                guess = did_you_mean(key, self.names)
                raise self.rule.error(message, key=key, guess=guess, path=(key,), at_key=True, help=help_text)
        return value

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.no_info_after_validator_function(self.check, handler(source))

    def __get_pydantic_json_schema__(self, core: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        schema = handler(core)
        by_pattern = schema.pop("patternProperties", {})
        items = next(iter(by_pattern.values()), schema.pop("additionalProperties", {}))
        return {**schema, "properties": dict.fromkeys(self.names, items), "additionalProperties": False}


class DiceText(NamedTuple):
    """A text that must be dice notation, or a whole number, as annotation metadata."""

    rule: LimitRule

    def check(self, value: str) -> str:
        """Return the value, or raise the rule's error."""
        from cardgen.referee.requests import parse  # loaded here because few games have such fields

        if _OTHER_NUMBER.fullmatch(value):
            needed = "0 or more" if value.startswith("-") else "a whole number"
            raise self.rule.error(f"must be {needed}, not {{value}}", value=value)
        try:
            parse(value)
        except CardgenError as error:
            first = error.diagnostics[0]
            raise self.rule.error("{words}", words=first.message, help=first.help) from None
        return value

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.no_info_before_validator_function(
            _number_as_text, core_schema.no_info_after_validator_function(self.check, handler(source))
        )

    def __get_pydantic_json_schema__(self, core: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        return {"anyOf": [{**handler(core), "examples": ["1d6"]}, {"type": "integer", "minimum": 0}]}


def _number_as_text(value: object) -> object:
    """Return a number such as 3 as text; dice notation contains no other numbers than whole ones from 0 on."""
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else value


_OTHER_NUMBER = re.compile(r"-[0-9]+(\.[0-9]+)?|[0-9]*\.[0-9]+")


_PATTERN = r"(?:[0-9]+(?:\.[0-9]+)?|\.[0-9]+)"


def _whole_as_int(value: float) -> float:
    """Return 3.0 as 3, which is how it is printed."""
    return int(value) if float(value).is_integer() else value


PlainNumber = Annotated[Number, AfterValidator(_whole_as_int)]


def length_within(value: str | float, path: KeyPath, bounds: tuple[float, float], context: GameContext) -> float:
    """Return a length in mm.

    Report one that is not valid, and return the lower bound.
    """
    low, high = bounds
    try:
        length = parse_length(value)
    except ValueError as error:
        context.report(path, str(error))
        return low
    if not low <= length <= high:
        context.report(path, f"must be between {low:g} and {high:g} mm, not {length:g}")
        return low
    return length


def length_type(unit: str) -> Any:
    """Return the type of lengths in a unit.

    It accepts a number, or a text with any unit that can be converted.
    """
    known = UNITS if unit in UNITS else (unit,)
    pattern = rf"^\s*{_PATTERN}\s*(?:(?:{'|'.join(map(re.escape, known))})\s*)?$"
    compiled = re.compile(pattern)

    def read(value: object) -> object:
        if not isinstance(value, str):
            return value
        if unit in UNITS:
            return to_unit(parse_length(value, unit=unit), unit)
        if compiled.match(value):
            return float(value.strip().removesuffix(unit))
        raise ValueError(f"'{value[:40]}' is not a valid length; write a number such as 3, or 3 {unit}")

    schema = {"anyOf": [{"type": "number"}, {"type": "string", "pattern": pattern}]}
    return Annotated[PlainNumber, BeforeValidator(read), WithJsonSchema(schema)]


_FALLBACK = "poker"
_SIZE_HELP = f"write [63mm, 88mm], or one of {', '.join(CARD_SIZES)}"
BY, DIAMETER = "by", "diameter"


def compile_size(spec: KindSpec, path: KeyPath, context: GameContext) -> tuple[str | Callable[[Any], Size], Shape]:
    """Return size and shape of a kind, and report mistakes in them."""
    size, place = (context.spec.size, ("size",)) if spec.size is None else (spec.size, (*path, "size"))
    shape = Shape(spec.shape)
    if isinstance(size, Mapping) and BY in size:
        # The shape of a kind, all of whose sizes are diameters, or none.
        sizes = {key: value for key, value in size.items() if key != BY}
        disks = [key for key, value in sizes.items() if isinstance(value, Mapping)]
        if disks and len(disks) < len(sizes) and shape is not Shape.ROUND:
            message = "some cards of this kind would be round, and others rectangular"
            context.report((*place, disks[0]), message, "write {diameter: …} for all values, or make two kinds")
        return _by_field(size, spec, place, context), (Shape.ROUND if disks else shape)
    if isinstance(size, Mapping):
        return _as_text(_diameter(size, place, context)), Shape.ROUND
    return _as_text(_fixed(size, place, context)), shape


def _as_text(size: Size | None) -> str:
    return f"{size.width:g}mm x {size.height:g}mm" if size else _FALLBACK


def _by_field(
    size: Mapping[str, Any], spec: KindSpec, place: KeyPath, context: GameContext
) -> str | Callable[[Any], Size]:
    """Return the size that a field decides.

    Each of its choices needs one.
    """
    name = size[BY]
    field = spec.fields.get(name) if isinstance(name, str) else None
    words = list(field.choices or ()) if field and field.type == "choice" else []
    if field and field.type == "flag":
        words = ["true", "false"]
    if not words:
        message = f"'{name}' is not a field with choices" if name in spec.fields else f"unknown field '{name}'"
        context.report((*place, BY), message, "use a field of type choice or flag")
        return _FALLBACK
    for key in size:
        if key not in (*words, BY):
            context.report(
                (*place, key), f"'{key}' is not a choice of '{name}'", f"choices: {', '.join(words)}", key=True
            )
    missing = [word for word in words if word not in size]
    if missing:
        context.report(place, f"no size for {name}: {', '.join(missing)}", "add a size for each choice")
    sizes = {word: found for word in words if word in size and (found := _fixed(size[word], (*place, word), context))}
    return SizeByField(str(name), sizes) if sizes else _FALLBACK


def _diameter(size: Mapping[str, Any], place: KeyPath, context: GameContext) -> Size | None:
    """Return the size `{diameter: …}`, or None if it is not valid."""
    extra = next((key for key in size if key != DIAMETER), "")
    if not extra and DIAMETER in size:
        return _fixed(size[DIAMETER], (*place, DIAMETER), context)
    message = f"unknown key '{extra}'" if extra else "a size needs a diameter"
    context.report((*place, *([extra] if extra else [])), message, "write {diameter: 40mm}", key=bool(extra))
    return None


def _fixed(size: FixedSize | Diameter, place: KeyPath, context: GameContext) -> Size | None:
    """Return a size by name, by both sides, by one length, or by its diameter.

    Return None if it is not valid.
    """
    if isinstance(size, Mapping):
        return _diameter(size, place, context)
    try:
        if isinstance(size, str) and (size.strip().lower() in CARD_SIZES or "x" in size or "×" in size):
            return parse_size(size, CARD_SIZES)
        sides = size if isinstance(size, tuple | list) else (size, size)
        width, height = (parse_length(side) for side in sides)
        return parse_size(f"{width:g}mm x {height:g}mm", CARD_SIZES)
    except ValueError as error:
        known = isinstance(size, str) and not size[:1].isdigit()
        message = f"unknown size '{size}'{did_you_mean(str(size), CARD_SIZES)}" if known else str(error)
        context.report(place, message, _SIZE_HELP if known else "")
        return None

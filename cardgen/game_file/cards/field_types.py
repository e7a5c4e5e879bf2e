"""Field types: annotations and defaults of pydantic models."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import AfterValidator, Field, TypeAdapter, ValidationError, WithJsonSchema, create_model
from pydantic.fields import FieldInfo
from pydantic_core import PydanticCustomError

from cardgen.codes import Code
from cardgen.game_file.cards.bounds import ITEMS, KEYS, LETTERS, NUMBERS, Bounds, DiceText, KnownWord, MapKeys
from cardgen.game_file.cards.lengths import PlainNumber, length_type
from cardgen.game_file.context import GameContext
from cardgen.game_file.spec.kinds import COMMON_KEYS, FIELD_TYPES, NEEDED_KEYS, TYPE_KEYS, FieldSpec
from cardgen.model.card import Art
from cardgen.model.references import Reference
from cardgen.rulesets.limits import LimitRule, OneOf
from cardgen.source import KeyPath
from cardgen.units import shorten
from cardgen.validation.base import Aspect, Flag, Int, Model, Prose, Text
from cardgen.validation.source_map import SourceMap
from cardgen.validation.suggestion import did_you_mean, join_words
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
            "picture": lambda spec, place: Art,
            "colour": lambda spec, place: _Colour,
            "list": self._list,
            "map": self._map,
        }

    def field(self, spec: FieldSpec, place: FieldPlace) -> tuple[Any, FieldInfo]:
        """Return annotation and field of a key."""
        annotation = self.annotation(spec, place)
        info: dict[str, Any] = {"description": describe_field(spec), "title": spec.label}
        if spec.default is not None:
            self._refuse_both(spec, place)
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

    def _refuse_both(self, spec: FieldSpec, place: FieldPlace) -> None:
        if spec.optional:
            message = "a field with a default is always optional"
            self._context.report((*place.key_path, "optional"), message, "remove 'optional'", key=True)

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
        return Annotated[choice, OneOf(words, rule, lambda word: f"available: {', '.join(words)}")]

    def _term(self, spec: FieldSpec, place: FieldPlace) -> Any:
        forms = self._context.term_forms
        return Annotated[Text, KnownWord(forms, "term", self._rule(spec, place, "is a term of the glossary"))]

    def _dice(self, spec: FieldSpec, place: FieldPlace) -> Any:
        return Annotated[Text, DiceText(self._rule(spec, place, "is dice, such as 2d6+1"))]

    def _card(self, spec: FieldSpec, place: FieldPlace) -> Any:
        kind = spec.kind or ""
        self._context.card_kinds.append(((*place.key_path, "kind"), kind))
        return Annotated[Text, Reference(kind)]

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
    words = _TYPE_WORDS.get(spec.type, spec.type).format(spec.kind)
    is_bounded = spec.type in ("integer", "number") and not spec.min is spec.max is None
    return f"{words}, {bare.phrase}" if is_bounded else words


_TYPE_WORDS = {
    "integer": "whole number",
    "flag": "true or false",
    "term": "term of the glossary",
    "dice": "dice such as 2d6+1",
    "card": "id or name of a {}",
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

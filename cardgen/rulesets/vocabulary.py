"""Vocabularies: the words of a game, each declared once, with all that the game asks of it; limits and line forms.

A game derives a class from `Word` for each sort of word, such as what happens to somebody (deeds), conditions, moments,
and durations. Its fields are the facts that the game's own code would otherwise keep as lists of names. A fact without
a default must be given, and a default must be safe for a word that nobody has thought about (fail closed):

    @dataclass(frozen=True, kw_only=True)
    class Deed(Word):
        says: Phrase  # How its clause is written.
        state: Meaning = EVERYTHING  # What odds depend on because of it.
        is_sudden: bool = False

Words that are keys of a model stand in the annotations of its fields, after the type and its range. `Vocabulary.of`
collects them, and their help becomes the description of the keys, in the JSON Schema and in the docs:

    class Deeds(Model):
        heal: Annotated[Points, Deed("wounds regained", says=Phrase.AMOUNT, state=Meaning.HEALS, is_sudden=True)] = 0
        fury: Annotated[Points, Deed("more dice", says=Phrase.CHANGE)] = 0

    DEEDS = Vocabulary.of(Deeds, Deed)

Words that are values are declared by name, and give the type of a field:

    SPANS = Vocabulary({"turn": Span("the end of the turn"), "battle": Span("the end of the battle")})
    Duration: TypeAlias = str if TYPE_CHECKING else SPANS.literal

Lists of names are questions to a vocabulary: `DEEDS.where(lambda deed: deed.is_sudden)`. Code with one function for
each word, such as what the referee does, keeps them in a table by name, and `require_all` compares it with the
vocabulary when the module is loaded.
"""

from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any, ClassVar, Generic, Literal, NamedTuple, Self, TypeVar

from pydantic import BaseModel, GetCoreSchemaHandler, GetJsonSchemaHandler, ValidationInfo, model_validator
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, PydanticCustomError, core_schema

from cardgen.diagnostic import closest, slugify
from cardgen.validation.base import OF_PROJECT, Model

W = TypeVar("W", bound="Word")
T = TypeVar("T")


@dataclass(frozen=True, kw_only=True)
class Word:
    """A word of a game; `help` says in a few words what it means, and the vocabulary gives the `name`."""

    help: str = field(kw_only=False)
    name: str = ""


class Vocabulary(Mapping[str, W], Generic[W]):
    """The declared words of one sort by name, in their order."""

    def __init__(self, words: Mapping[str, W]) -> None:
        self._words = {name: replace(word, name=name) for name, word in words.items()}

    @classmethod
    def of(cls, model: type[BaseModel], sort: type[W], keys: Collection[str] = ()) -> "Vocabulary[W]":
        """Return the words that are declared in the annotations of a model's keys: of all, or of some.

        Call it right after the model's class, before any schema of it. Raises TypeError for a key that declares none.
        """
        words: dict[str, W] = {}
        for name in keys or model.model_fields:
            info = model.model_fields[name]
            declared = [each for each in info.metadata if isinstance(each, sort)]
            if len(declared) != 1:
                raise TypeError(f"{model.__name__}.{name} must declare one {sort.__name__}, not {len(declared)}")
            words[info.alias or name] = declared[0]
            info.description = declared[0].help
        return cls(words)

    def __getitem__(self, name: str) -> W:
        return self._words[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._words)

    def __len__(self) -> int:
        return len(self._words)

    def where(self, test: Callable[[W], object]) -> tuple[str, ...]:
        """Return the names of the words for which a test holds."""
        return tuple([name for name, word in self._words.items() if test(word)])

    def facts(self, fact: Callable[[W], T]) -> dict[str, T]:
        """Return a fact of the words by name, of those that have it."""
        return {name: value for name, word in self._words.items() if (value := fact(word))}

    def require_all(self, names: Collection[str], test: Callable[[W], object] = lambda _: True) -> None:
        """Raise TypeError unless a table has these names: all words, or those for which a test holds."""
        expected = {*self.where(test)}
        if missing := expected.symmetric_difference(names):
            raise TypeError(f"declared, but not dealt with, or the reverse: {', '.join(sorted(missing))}")

    @property
    def literal(self) -> Any:
        """The type of its names, for a field."""
        return Literal[tuple(self._words)]


_EMPTY_VALUE: dict[str, Any] = {"enum": [None, []]}


class LimitRule(NamedTuple):
    """Fixed limit of a card: its code ('WN101'), its name, and help."""

    code: str
    name: str
    help: str

    def error(self, message: str, **values: object) -> PydanticCustomError:
        """Return the error to raise, with values named in braces in `message`.

        A value `help` replaces the rule's own help, and `path` leads from the raising field to the value that is wrong.
        """
        return PydanticCustomError(self.name, message, {"code": self.code, "help": self.help, **values})


class IntRange(NamedTuple):
    """Inclusive range of a whole number, as annotation metadata.

    With `is_change`, zero is not allowed, because it would have no effect.
    """

    low: int
    high: int
    rule: LimitRule
    is_change: bool = False

    @classmethod
    def change(cls, most: int, rule: LimitRule) -> Self:
        """Return the range of a change by at most `most`."""
        return cls(-most, most, rule, is_change=True)

    def check(self, value: int, path: tuple[str, ...] = ()) -> int:
        """Return the value, or raise the rule's error.

        `path` leads to what the author wrote.
        """
        if self.is_change and value == 0:
            raise self.rule.error("a change must not be 0", path=path)
        if not self.low <= value <= self.high:
            message = "must be between {low} and {high}, not {value}"
            raise self.rule.error(message, value=value, low=self.low, high=self.high, path=path)
        return value

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.no_info_after_validator_function(self.check, handler(source))

    def __get_pydantic_json_schema__(self, core: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        zero = {"not": {"const": 0}} if self.is_change else {}
        return {**handler(core), "minimum": self.low, "maximum": self.high, **zero}


class OneOf(NamedTuple):
    """Set of allowed words, as annotation metadata.

    Words that depend on the project are given by a function of the context of the validation, in which models find the
    settings of the project. `advice` returns the help for an unknown word; without it, the help names a similar word or
    is the rule's.
    """

    words: tuple[str, ...] | Callable[[object], tuple[str, ...]]
    rule: LimitRule
    advice: Callable[[str], str] | None = None

    def check(self, value: object, path: tuple[str, ...] = (), context: object = None) -> object:
        """Return the value, or raise the rule's error.

        Values that are not text are left to the field's own check.
        """
        words = self.words(context) if callable(self.words) else self.words
        if isinstance(value, str) and value not in words:
            message = "unknown {what} '{value}' (one of {known})"
            what, known = self.rule.name.replace("-", " "), ", ".join(words)
            meant = "" if self.advice else closest(slugify(value), words)
            advice = self.advice(value) if self.advice else f"did you mean '{meant}'?" if meant else self.rule.help
            raise self.rule.error(
                message, what=what, value=value, known=known, path=path, help=advice, known_words=words
            )
        return value

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        if not callable(self.words):
            return core_schema.no_info_before_validator_function(self.check, handler(source))
        return core_schema.with_info_before_validator_function(
            lambda value, info: self.check(value, (), info.context), handler(source)
        )

    def __get_pydantic_json_schema__(self, core: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        words = self.words
        if not callable(words):
            return handler(core)
        return {**handler(core), "enum": [*words(None)], OF_PROJECT: lambda workspace: {"enum": [*words(workspace)]}}


class ItemCount(NamedTuple):
    """Number of items that a tuple may have, as annotation metadata.

    `message` is the error, with {count} for the number of items.
    """

    low: int
    high: int
    rule: LimitRule
    message: str

    def check(self, items: tuple[Any, ...]) -> tuple[Any, ...]:
        """Return the items, or raise the rule's error.

        It is raised for too few items, and at the first one too many.
        """
        if not self.low <= len(items) <= self.high:
            surplus = (self.high,) if len(items) > self.high else ()
            raise self.rule.error(self.message, count=len(items), path=surplus)
        return items

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.no_info_after_validator_function(self.check, handler(source))

    def __get_pydantic_json_schema__(self, core: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        low = {"minItems": self.low} if self.low else {}
        return {**handler(core), **low, "maxItems": self.high}


class RequiresOneOf(Model):
    """Model that requires at least one of the keys in `FIELDS`.

    Null and an empty list do not count. Without `FIELDS`, any key will do. `EXCLUSIVE` forbids more than one of them.
    `RULE` is the limit rule to report.
    """

    FIELDS: ClassVar[tuple[str, ...]] = ()
    EXCLUSIVE: ClassVar[bool] = False
    RULE: ClassVar[LimitRule]

    @classmethod
    @cache
    def _required_fields(cls) -> tuple[str, ...]:
        return cls.FIELDS or tuple(cls.model_fields)

    @model_validator(mode="after")
    def _check_required_fields(self) -> Self:
        count = sum(map(bool, map(self.__dict__.get, self._required_fields())))
        if not count or (self.EXCLUSIVE and count > 1):
            number = "exactly one" if self.EXCLUSIVE else "at least one"
            keys = ", ".join(self._required_fields())
            message = "must have {number} of the keys {keys}"
            raise self.RULE.error(message, number=number, keys=keys, lacks_keys=not count)
        return self

    @classmethod
    def __get_pydantic_json_schema__(cls, core: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        """Require one of the keys in the schema."""
        schema = super().__get_pydantic_json_schema__(core, handler)
        target = handler.resolve_ref_schema(schema)
        alternatives = [
            {"required": [name], "properties": {name: {"not": _EMPTY_VALUE}}} for name in cls._required_fields()
        ]
        rule = {"oneOf" if cls.EXCLUSIVE else "anyOf": alternatives}
        target["allOf"] = [*target.get("allOf", []), rule]
        return schema


class ShorthandModel(Model):
    """Model that authors may also write as one line: `NAME: LINE`.

    The short form is a map with one key. `TITLE` describes the line in the JSON Schema, and `PATTERN` is its regular
    expression there, unless `line_pattern` returns another one. With a `MAP_RULE`, a map after the name, or other keys
    beside it, break that rule; without one, the name is an unknown key.
    """

    TITLE: ClassVar[str]
    PATTERN: ClassVar[str] = ""
    MAP_RULE: ClassVar[LimitRule | None] = None

    @classmethod
    def line_pattern(cls, context: object = None) -> str:
        """Return the regular expression of the line in the JSON Schema of a project, by default that of any."""
        return cls.PATTERN

    @classmethod
    def parse_line(cls, name: str, line: str, context: object) -> dict[str, Any]:
        """Return the fields of the line; `context` is that of the validation.

        For an invalid line, raises a located error whose path is (name,).
        """
        raise NotImplementedError

    @model_validator(mode="before")
    @classmethod
    def _read_shorthand(cls, data: Any, info: ValidationInfo) -> Any:
        if not (isinstance(data, dict) and data):
            return data
        (name, line), *others = data.items()
        if name in cls.__pydantic_fields__:
            return data
        if others:
            keys = dict(others).keys()
            if not (cls.MAP_RULE and isinstance(line, str)) or "name" in keys:
                return data
            if not keys <= cls.__pydantic_fields__.keys():
                with suppress(PydanticCustomError):  # which is not a line, but the value of an unknown key
                    return cls.parse_line(name, line, info.context) | dict(others)
                return data
            full = ", ".join(f"{key}: {value}" for key, value in cls.parse_line(name, line, info.context).items())
            advice = f"write {{{full}, {', '.join(f'{key}: …' for key in keys)}}}"
            message = "'{key}' cannot follow the short form of '{name}'"
            raise cls.MAP_RULE.error(message, key=others[0][0], name=name, path=(others[0][0],), help=advice)
        if cls.MAP_RULE and isinstance(line, dict):
            message = "the name '{name}' cannot have a map as its value"
            raise cls.MAP_RULE.error(message, name=name, help=f"write it inside: {{name: {name}, …}}")
        return cls.parse_line(name, line, info.context) if isinstance(line, str) else data

    @classmethod
    def __get_pydantic_json_schema__(cls, core: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        """Allow the full form, or one key with a line."""
        schema = super().__get_pydantic_json_schema__(core, handler)
        target = handler.resolve_ref_schema(schema)
        full = dict(target)
        short = {
            "type": "object",
            "title": cls.TITLE,
            "minProperties": 1,
            "maxProperties": 1,
            "propertyNames": {**full["properties"]["name"], "not": {"enum": list(full["properties"])}},
            "additionalProperties": {
                "type": "string",
                "pattern": cls.line_pattern(),
                OF_PROJECT: lambda workspace: {"pattern": cls.line_pattern(workspace)},
            },
        }
        target.clear()
        target.update({"title": full.get("title", ""), "anyOf": [full, short]})
        return schema

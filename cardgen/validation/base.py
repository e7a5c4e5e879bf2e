"""Base class and field types of models that are read from YAML, their keys, and the places of their data."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum, StrEnum
from functools import lru_cache, wraps
from types import NoneType
from typing import Annotated, Any, ClassVar, Literal, NamedTuple, TypeAlias, TypeVar, get_args, get_origin

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    GetJsonSchemaHandler,
    WithJsonSchema,
    model_validator,
)
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, PydanticCustomError

from cardgen.diagnostic import Code, Place
from cardgen.language import TAG_PATTERN, parse_language
from cardgen.source import Document, KeyPath

T = TypeVar("T")


def _accept_whole_float(value: object) -> object:
    """Convert 2.0 to 2, as JSON Schema does.

    Everything else is left to the strict check.
    """
    return int(value) if isinstance(value, float) and value.is_integer() else value


Int = Annotated[int, BeforeValidator(_accept_whole_float), Field(strict=True)]
Number = Annotated[float, Field(strict=True, allow_inf_nan=False)]
Text = Annotated[str, Field(strict=True, min_length=1, pattern=r"\S")]
ID_PATTERN = r"^[a-z0-9]+(-[a-z0-9]+)*$"
Flag = Annotated[bool, Field(strict=True)]
# A language, as its canonical tag.
Language = Annotated[
    str,
    Field(strict=True),
    AfterValidator(parse_language),
    WithJsonSchema({"type": "string", "pattern": TAG_PATTERN}),
]


@dataclass(frozen=True, slots=True)
class Prose:
    """Marks a text that authors write freely, so that checks of wording see it, as annotation metadata."""


class Aspect(StrEnum):
    """What a value of a card affects, as annotation metadata.

    Rules are what a referee reads, words are what people read, and looks are how the card is drawn. A field without a
    mark has the aspect of its type.
    """

    RULES = "rules"
    WORDS = "words"
    LOOKS = "looks"


# Key in the JSON Schema of a function that returns what to add for a workspace; see `UntitledGenerator`.
OF_PROJECT = "x-of-project"
# pydantic keeps these names in the schema if a bound wraps a validator, as in Int.
_BOUND_NAMES = {"ge": "minimum", "gt": "exclusiveMinimum", "le": "maximum", "lt": "exclusiveMaximum"}


def _rename_bounds(schema: Any) -> Any:
    """Return the schema with JSON Schema's names for all bounds."""
    if isinstance(schema, list):
        return [_rename_bounds(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        _BOUND_NAMES.get(key, key): {name: _rename_bounds(part) for name, part in value.items()}
        if key == "properties"
        else _rename_bounds(value)
        for key, value in schema.items()
    }


class Model(BaseModel):
    """Frozen part of a card or of the settings.

    `SYNONYMS` maps a key to the other spellings that authors may use for it ('count' for 'qty').
    """

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    SYNONYMS: ClassVar[dict[str, tuple[str, ...]]] = {}

    @model_validator(mode="before")
    @classmethod
    def _rename_synonyms(cls, data: Any) -> Any:
        if not cls.SYNONYMS or not isinstance(data, dict):
            return data
        renamed = dict(data)
        for key, others in cls.SYNONYMS.items():
            for other in others:
                if other not in renamed:
                    continue
                if key in renamed:
                    raise PydanticCustomError(
                        "same_key_twice",
                        "'{other}' and '{key}' both stand for the same key; use only one",
                        {"key": key, "other": other, "code": Code.SAME_KEY_TWICE, "path": (other,), "at_key": True},
                    )
                renamed[key] = renamed.pop(other)
        return renamed

    @classmethod
    def __get_pydantic_json_schema__(cls, core: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        """Return the schema of what authors write.

        Synonyms are listed next to their key, and only one of them may be used.
        """
        schema = handler(core)
        target = handler.resolve_ref_schema(schema)
        target.update(_rename_bounds(target))
        properties, required = target.get("properties", {}), target.get("required", [])
        rules = []
        for key, others in cls.SYNONYMS.items():
            names = (key, *others)
            for other in others:
                properties[other] = {**properties[key], "description": f"the same as {key}"}
            alone = [
                {"required": [name], "not": {"anyOf": [{"required": [n]} for n in names if n != name]}}
                for name in names
            ]
            none = {"not": {"anyOf": [{"required": [name]} for name in names]}}
            rules.append({"anyOf": alone if key in required else [none, *alone]})
            if key in required:
                required.remove(key)
        if rules:
            target["allOf"] = [*target.get("allOf", []), *rules]
        return schema


_FIELDS_SET = "__pydantic_fields_set__"
# Values without parts, most of all; comparing them with classes takes longer.
_ATOMS = frozenset({str, int, float, bool, NoneType})


class SharedParts:
    """Parts of models, and sets of given fields, of which equal ones are kept only once.

    By default, each model has its own set, which takes as much memory as all its values, and most effects of cards are
    equal to others. Sharing is safe because models are frozen.
    """

    def __init__(self) -> None:
        self._sets: dict[frozenset[str], set[str]] = {}
        # By a hash of what they contain. A hash that two different ones have is of no use to the second.
        self._parts: dict[int, Model] = {}

    def share(self, model: Model) -> None:
        """Replace the parts of a model by equal ones that were shared before."""
        given, values = model.__pydantic_fields_set__, model.__dict__
        object.__setattr__(model, _FIELDS_SET, self._sets.setdefault(frozenset(given), given))
        for name, value in values.items():
            if type(value) not in _ATOMS:
                values[name] = self._shared(value)

    def _shared(self, value: object) -> object:
        if isinstance(value, Model):
            self.share(value)
            with suppress(TypeError):  # Unknown keys, which some kinds allow, are plain data.
                content = hash(
                    (type(value), id(value.__pydantic_fields_set__), *map(_identity, value.__dict__.values()))
                )
                known = self._parts.setdefault(content, value)
                if _are_equal(known, value):
                    return known
        elif type(value) is tuple:
            return tuple(map(self._shared, value))
        elif isinstance(value, list | dict):
            for each in value.values() if isinstance(value, dict) else value:
                self._shared(each)
        return value


def _identity(value: object) -> object:
    """Return what stands for a value whose parts are shared in a hash."""
    return id(value) if isinstance(value, Model) else tuple(map(_identity, value)) if type(value) is tuple else value


def _are_equal(one: Model, other: Model) -> bool:
    """Return whether nothing distinguishes two models whose parts are shared."""
    return one is other or (
        type(one) is type(other)
        and one.__pydantic_fields_set__ is other.__pydantic_fields_set__
        and one.__pydantic_extra__ == other.__pydantic_extra__
        and one.__pydantic_private__ is other.__pydantic_private__ is None
        and [*one.__dict__] == [*other.__dict__]
        and all(map(_are_same, one.__dict__.values(), other.__dict__.values()))
    )


def _are_same(one: object, other: object) -> bool:
    if type(one) is not type(other) or isinstance(one, Model):
        return one is other
    if isinstance(one, tuple) and isinstance(other, tuple):
        return len(one) == len(other) and all(map(_are_same, one, other))
    return one == other and (type(one) is not float or repr(one) == repr(other))  # 0.0 and -0.0 are equal


ModelClasses: TypeAlias = tuple[type[Model], ...]


class ModelKey(NamedTuple):
    """Key of a model.

    `spellings` are the names that authors may write, the canonical one first. `models` are the possible models of its
    value or of an item of its value. `choices` are the constants that it may be, and `description` describes valid
    values.
    """

    spellings: tuple[str, ...]
    models: ModelClasses
    choices: tuple[object, ...]
    description: str = ""


class FreeKeys(Model):
    """Stands for a map with free keys among models; `VALUES` are the models of its values."""

    VALUES: ClassVar[ModelClasses] = ()


def once_per_model(function: Callable[[type[Any]], T]) -> Callable[[type[Any]], T]:
    """Decorate a function of a model whose results last as long as the model.

    The games of a project are loaded anew whenever a file of theirs changes; a cache would keep the models of each.
    """
    name = f"{function.__module__}.{function.__qualname__}"

    @wraps(function)
    def found(model: type[Any]) -> T:
        if name not in model.__dict__:
            type.__setattr__(model, name, function(model))
        result: T = model.__dict__[name]
        return result

    return found


@lru_cache(maxsize=256)
def _free_keys(values: ModelClasses) -> type[FreeKeys]:
    """Return the class that stands for maps with values of some models."""
    return type("FreeKeys", (FreeKeys,), {"VALUES": values})


@once_per_model
def model_keys(model: type[Model]) -> Mapping[str, ModelKey]:
    """Return the keys of `model` by spelling and by Python attribute.

    For example, both 'if' and `condition` map to the same key.
    """
    if not model.__pydantic_fields_complete__:  # some annotations name a class that was defined later
        model.model_rebuild()
    by_spelling: dict[str, ModelKey] = {}
    by_attribute: dict[str, ModelKey] = {}
    for attribute, info in model.model_fields.items():
        name = info.alias or attribute
        others = model.SYNONYMS.get(name, ())
        parts = tuple(annotation_parts(info.annotation))
        models = _unique(_models_in(info.annotation))
        constants: list[object] = []
        for part in parts:
            if get_origin(part) is Literal:
                constants += get_args(part)
            elif isinstance(part, type) and issubclass(part, Enum):
                constants += [member.value for member in part]
        key = ModelKey((name, *others), models, tuple(constants), info.description or "")
        by_spelling.update(dict.fromkeys(key.spellings, key))
        by_attribute[attribute] = key
    return {**by_attribute, **by_spelling}


def canonical_keys(models: ModelClasses) -> tuple[str, ...]:
    """Return the canonical spelling of each key, in field order."""
    return _unique(key.spellings[0] for model in models for key in model_keys(model).values())


@lru_cache(maxsize=256)
def accepted_keys(models: ModelClasses) -> tuple[str, ...]:
    """Return all spellings of all keys, in field order."""
    return _unique(name for model in models for key in model_keys(model).values() for name in key.spellings)


def spellings_of(models: ModelClasses, step: str | int) -> tuple[str | int, ...]:
    """Return all spellings of `step`, itself first."""
    if isinstance(step, int):
        return (step,)
    names = (name for model in models if step in model_keys(model) for name in model_keys(model)[step].spellings)
    return _unique((step, *names))


def child_models(models: ModelClasses, step: str | int) -> ModelClasses:
    """Return the models one step below.

    Items of a list keep the models of their container.
    """
    matches = [model_keys(model)[step] for model in models if isinstance(step, str) and step in model_keys(model)]
    if matches:
        return _unique(model for key in matches for model in key.models)
    return _unique(_values_of(models)) if isinstance(step, str) else models


def _values_of(models: Iterable[type[Model]]) -> Iterator[type[Model]]:
    """Yield the models, and those of the values of maps in place of the maps."""
    for model in models:
        yield from model.VALUES if issubclass(model, FreeKeys) else (model,)


def reachable_models(models: ModelClasses) -> Iterator[tuple[str, type[Model]]]:
    """Yield the models and all models below them, nearest first.

    Each comes once, with the key that leads to it, or ''.
    """
    queue = [("", model) for model in _nested_values(models)]
    seen = {model for _, model in queue}
    for name, model in queue:
        yield name, model
        for key in _unique(model_keys(model).values()):
            lowers = _nested_values(key.models)
            queue += [(key.spellings[0], lower) for lower in lowers if lower not in seen]
            seen.update(lowers)


def _nested_values(models: ModelClasses) -> ModelClasses:
    """Return the models, and those in maps of maps in place of the maps."""
    while any(issubclass(model, FreeKeys) for model in models):
        models = _unique(_values_of(models))
    return models


def annotation_parts(annotation: Any) -> Iterator[Any]:
    """Yield an annotation and its type arguments, without looking into models."""
    yield annotation
    for part in get_args(annotation):
        yield from annotation_parts(part)


def _models_in(annotation: Any) -> Iterator[type[Model]]:
    """Yield the models in an annotation; maps from free keys to models are classes of `FreeKeys`."""
    origin, arguments = get_origin(annotation), get_args(annotation)
    if isinstance(annotation, type) and issubclass(annotation, Model):
        yield annotation
    elif isinstance(origin, type) and issubclass(origin, Mapping) and len(arguments) == 2:
        values = _unique(_models_in(arguments[1]))
        if values:
            yield _free_keys(values)
    else:
        for part in arguments:
            yield from _models_in(part)


def _unique(items: Iterable[Any]) -> tuple[Any, ...]:
    return tuple(dict.fromkeys(items))


class Overlay(NamedTuple):
    """Part of a document's data, and the key path to it."""

    data: object
    key_path: KeyPath = ()

    def child(self, names: Iterable[str | int]) -> "Overlay | None":
        """Return the child for the first existing name, or None."""
        data = self.data
        for name in names:
            if isinstance(data, dict) and name in data:
                return Overlay(data[name], (*self.key_path, name))
            if isinstance(data, list) and isinstance(name, int) and 0 <= name < len(data):
                return Overlay(data[name], (*self.key_path, name))
        return None


class SourceMap(NamedTuple):
    """Places in a document that one model was read from.

    Values at an earlier key path override those at a later one.
    """

    document: Document
    models: ModelClasses
    key_paths: tuple[KeyPath, ...] = ((),)

    @property
    def overlays(self) -> tuple[Overlay, ...]:
        """The data at each key path that exists."""
        overlays = []
        for key_path in self.key_paths:
            overlay: Overlay | None = Overlay(self.document.data)
            for step in key_path:
                overlay = overlay.child((step,)) if overlay else None
            if overlay:
                overlays.append(overlay)
        return tuple(overlays)

    def merged_data(self) -> Any:
        """Merge the overlays; None if there are none.

        Maps are merged deeply; everything else is replaced.
        """
        top, *others = self.overlays or (None,)
        merged = top.data if top else None
        for overlay in others:
            merged = _merge(merged, overlay.data, self.models)
        return merged

    def has_key(self, key: str) -> bool:
        """True if the author wrote `key`, in any of its spellings."""
        return any(layer.child(spellings_of(self.models, key)) for layer in self.overlays)

    def source_path(self, key_path: KeyPath) -> KeyPath:
        """Return the document's key path of the model's value at `key_path`.

        It stops at the last step that the author wrote.
        """
        overlays, models = self.overlays, self.models
        for step in key_path:
            names = spellings_of(models, step)
            children = tuple(lower for layer in overlays if (lower := layer.child(names)))
            if not children:
                break
            overlays = children if isinstance(children[0].data, dict) else children[:1]
            models = child_models(models, step)
        return overlays[0].key_path if overlays else ()

    def spelling(self, key_path: KeyPath) -> str | int:
        """Return the last step of a key path in the author's spelling.

        The path must not be empty. If the author did not write the step, return it unchanged.
        """
        source_path = self.source_path(key_path)
        return key_path[-1] if source_path == self.source_path(key_path[:-1]) else source_path[-1]

    def place(self, key_path: KeyPath = (), *, key: bool = False) -> Place:
        """Return the place of the model's value at `key_path`, or its key.

        For a value that was left out, it is the place of its container.
        """
        return self.document.place(self.source_path(key_path), key=key)


def _merge(over: object, under: object, models: ModelClasses) -> object:
    """Merge `over` onto `under`; spellings of one key are the same key."""
    if not (isinstance(over, dict) and isinstance(under, dict)):
        return over
    merged = dict(over)
    for key, value in under.items():
        same = next((name for name in spellings_of(models, key) if name in over), None)
        if same is None:
            merged[key] = value
        else:
            merged[same] = _merge(over[same], value, child_models(models, key))
    return merged

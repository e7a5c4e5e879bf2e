"""Kinds of cards and types of parts in a game file."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import ConfigDict, Field, model_validator

from cardgen.game_file.spec.names import CardKey, FieldName, FormulaText, KindName, LimitCode, PartKey, WordsText
from cardgen.units import Shape
from cardgen.validation.base import Aspect, Flag, Int, Model, Number, Text

MOST_FIELDS, MOST_CHOICES, MOST_ITEMS = 100, 200, 1000

# The types of fields that every game has; a game adds its own types of parts.
FIELD_TYPES = (
    "integer", "number", "text", "flag", "choice", "term", "dice", "length", "card", "picture", "colour", "list", "map",
)  # fmt: skip

COMMON_KEYS = frozenset({"type", "label", "help", "icon", "default", "optional", "aspect"})
_BOUNDS = frozenset({"min", "max", "code"})
# The further keys of fields of each type, and the one that it needs.
TYPE_KEYS: Mapping[str, frozenset[str]] = {
    "integer": _BOUNDS,
    "number": _BOUNDS,
    "length": _BOUNDS,
    "text": _BOUNDS,
    "choice": frozenset({"choices", "code"}),
    "term": frozenset({"code"}),
    "dice": frozenset({"code"}),
    "card": frozenset({"kind"}),
    "list": _BOUNDS | {"items"},
    "map": _BOUNDS | {"items", "keys"},
}
NEEDED_KEYS: Mapping[str, str] = {"choice": "choices", "card": "kind", "list": "items", "map": "items"}

Choices: TypeAlias = (
    Annotated[tuple[Text, ...], Field(min_length=1, max_length=MOST_CHOICES)]
    | Annotated[Mapping[Text, Text], Field(min_length=1, max_length=MOST_CHOICES)]
)


def _type_rules(schema: dict[str, Any]) -> None:
    """Add the keys of each type to the schema of a field.

    Offer the types to editors.
    """
    properties = schema["properties"]
    own = {key: value for key, value in properties["type"].items() if key != "description"}
    properties["type"] = {
        "description": properties["type"]["description"],
        "anyOf": [{"enum": list(FIELD_TYPES)}, own],
    }
    schema["allOf"] = [
        {
            "if": {"properties": {"type": {"const": name}}, "required": ["type"]},
            "then": {
                "properties": {key: False for key in properties if key not in COMMON_KEYS | TYPE_KEYS.get(name, set())},
                "required": [NEEDED_KEYS[name]] if name in NEEDED_KEYS else [],
            },
        }
        for name in FIELD_TYPES
    ]


class FieldSpec(Model):
    """A key of cards: its type, texts, bounds, and default.

    Which keys it may have depends on the type.
    """

    model_config = ConfigDict(json_schema_extra=_type_rules)

    type: Annotated[KindName, Field(description=f"one of {', '.join(FIELD_TYPES)}, or a type of the game")]
    label: Annotated[Text, Field(max_length=40, description="label printed before the value")] | None = None
    help: Annotated[Text, Field(max_length=200, description="explains the key to authors")] | None = None
    icon: Annotated[KindName, Field(description="icon printed before the value")] | None = None
    default: Annotated[Any, Field(description="value if the key is left out")] = None
    optional: Annotated[Flag, Field(description="the key can be left out")] = False
    min: Annotated[Number, Field(description="lowest number, or fewest letters or items")] | None = None
    max: Annotated[Number, Field(description="highest number, or most letters or items")] | None = None
    code: Annotated[LimitCode, Field(description="code of the bounds, if not the general one")] | None = None
    choices: Annotated[Choices, Field(description="words, or words with help")] | None = None
    keys: Annotated[tuple[FieldName, ...], Field(max_length=MOST_FIELDS, description="keys of a map")] | None = None
    items: 'Annotated[FieldSpec, Field(description="what a list or map contains")] | None' = None
    kind: Annotated[KindName, Field(description="kind of the card that the field names")] | None = None
    aspect: (
        Annotated[Literal["rules", "words", "looks"], Field(description="what a change of it is, if not the type's")]
        | None
    ) = None

    @property
    def own_aspect(self) -> Aspect | None:
        """The aspect of the values, if it is not that of the type."""
        return Aspect(self.aspect) if self.aspect else None


class TypeSpec(Model):
    """A part of cards.

    With a `line`, it can also be written as `NAME: LINE`.
    """

    fields: Annotated[Mapping[PartKey, FieldSpec], Field(min_length=1, max_length=MOST_FIELDS)]
    line: Annotated[Text, Field(max_length=400, description="how to write it in one line")] | None = None
    help: Annotated[Text, Field(max_length=200, description="explains the part to authors")] | None = None


Side: TypeAlias = Annotated[str, Field(strict=True, min_length=1)] | Number
FixedSize: TypeAlias = Side | Annotated[tuple[Side, Side], Field(description="width and height")]
# A name or two sides, {diameter: 40mm}, or a size for each value of the field `by`.
Diameter: TypeAlias = Annotated[Mapping[Text, Side], Field(description="diameter of a round card")]
SizeSpec: TypeAlias = FixedSize | Annotated[Mapping[Text, FixedSize | Diameter], Field(max_length=MOST_CHOICES + 1)]
# A number, or the field with the number.
BoxCount: TypeAlias = Annotated[Int, Field(ge=1, le=100)] | FieldName


class KindSpec(Model):
    """A kind of card."""

    size: Annotated[SizeSpec, Field(description="size, if not the game's")] | None = None
    shape: Annotated[Literal["rectangle", "round"], Field(description="shape of the trim")] = Shape.RECTANGLE.value
    fields: Annotated[
        Mapping[CardKey, FieldSpec],
        Field(default_factory=dict, max_length=MOST_FIELDS, description="keys of the cards"),
    ]
    boxes: Annotated[
        Mapping[FieldName, BoxCount], Field(default_factory=dict, max_length=10, description="rows of boxes to tick")
    ]
    unknown_keys: Annotated[Literal["error", "allow"], Field(description="keep unknown keys for templates")] = "error"
    text: Annotated[Text, Field(max_length=4000, description="template of the text that cards print")] | None = None
    example: Annotated[Mapping[Text, Any], Field(default_factory=dict, description="keys of a new card")]
    help: Annotated[Text, Field(max_length=200, description="explains the kind to authors")] | None = None


MOST_CHECKS, MOST_KINDS_OF_CHECK = 500, 50


def _or_one_kind(schema: dict[str, Any]) -> None:
    """Allow a single kind in the schema of several."""
    several = dict(schema)
    schema.clear()
    schema.update({"anyOf": [several["items"], several], "description": "kind, list, or type to check, or several"})


class CheckSpec(Model):
    """A check: it has a finding for each card for which its expression holds."""

    code: Annotated[LimitCode, Field(description="code of the check, which should not change once published")]
    kind: Annotated[
        tuple[KindName, ...],
        Field(min_length=1, max_length=MOST_KINDS_OF_CHECK, json_schema_extra=_or_one_kind),
    ]
    when: Annotated[FormulaText, Field(description="expression; the check reports cards for which it is true")]
    at: Annotated[Text, Field(max_length=200, description="field to point to, such as heat or weapons/0")] | None = None
    say: Annotated[WordsText, Field(description="message of the finding")]
    help: Annotated[WordsText, Field(description="how to fix the card")] | None = None
    severity: Annotated[Literal["error", "warning", "note"], Field(description="severity of the finding")] = "warning"
    about: Annotated[Text, Field(max_length=200, description="first line of the manual page")] | None = None
    why: Annotated[Text, Field(max_length=2000, description="why such a card is bad")] | None = None
    wrong: Annotated[Mapping[Text, Any], Field(description="keys of a card with the finding")] | None = None
    right: Annotated[Mapping[Text, Any], Field(description="keys of a card without the finding")] | None = None

    @model_validator(mode="before")
    @classmethod
    def _one_kind(cls, data: Any) -> Any:
        one = isinstance(data, dict) and isinstance(data.get("kind"), str)
        return {**data, "kind": [data["kind"]]} if one else data


CheckSpecs: TypeAlias = Annotated[Mapping[KindName, CheckSpec], Field(max_length=MOST_CHECKS)]


MOST_LISTS, MOST_LIMITS, MOST_MEMBERS = 20, 20, 500

MemberCount: TypeAlias = Annotated[Int, Field(ge=0, le=MOST_MEMBERS)]


MOST_MEMBER_KINDS = 20
MemberKinds: TypeAlias = KindName | Annotated[tuple[KindName, ...], Field(min_length=1, max_length=MOST_MEMBER_KINDS)]


class MembersSpec(Model):
    """The members of a list: their kind, and bounds for their number.

    Copies count.
    """

    kind: Annotated[MemberKinds, Field(description="kind of the members, or several")]
    min: Annotated[MemberCount, Field(description="fewest members, with copies")] = 1
    max: Annotated[MemberCount, Field(description="most members, with copies")] = MOST_MEMBERS
    code: Annotated[LimitCode, Field(description="code of the bounds, if not the general one")] | None = None

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of the members."""
        return (self.kind,) if isinstance(self.kind, str) else tuple(dict.fromkeys(self.kind))


class LimitSpec(Model):
    """Bounds of the sum of a field of all members."""

    min: Annotated[Number, Field(description="lowest sum")] | None = None
    max: Annotated[Number, Field(description="highest sum")] | None = None
    code: Annotated[LimitCode, Field(description="code of the limit, if not the general one of lists")] | None = None


class PackSpec(Model):
    """What the pack of a list has, besides the list, its members, and the pieces made from them."""

    named: Annotated[tuple[KindName, ...], Field(max_length=20, description="kinds of cards that members name")] = ()
    also: Annotated[tuple[KindName, ...], Field(max_length=20, description="kinds of which it has all cards")] = ()
    pieces: Annotated[
        Mapping[KindName, Mapping[KindName, FormulaText]],
        Field(max_length=20, description="numbers of cards or pieces, by kind and id"),
    ] = {}


class ListSpec(Model):
    """A kind of card that lists other cards, such as a warband."""

    members: Annotated[MembersSpec, Field(description="what the list contains")]
    limits: Annotated[
        Mapping[FieldName, LimitSpec], Field(max_length=MOST_LIMITS, description="bounds of sums, by field")
    ] = {}
    pack: Annotated[PackSpec, Field(description="what else is printed with the list")] = PackSpec()
    fields: Annotated[Mapping[CardKey, FieldSpec], Field(max_length=MOST_FIELDS, description="further keys")] = {}
    example: Annotated[Mapping[Text, Any], Field(default_factory=dict, description="keys of a new list")]
    print: Annotated[Literal["roster"], Field(description="print the list as a roster")] | None = None
    help: Annotated[Text, Field(max_length=200, description="explains the list to authors")] | None = None


ListSpecs: TypeAlias = Annotated[Mapping[KindName, ListSpec], Field(max_length=MOST_LISTS)]

"""The format of `game.yaml`: names, kinds with their fields, and models of the whole file with its JSON Schema."""

import re
from collections.abc import Mapping
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import AfterValidator, BeforeValidator, ConfigDict, Field, WithJsonSchema, model_validator
from pydantic_core import PydanticCustomError
from pydantic_core.core_schema import DictSchema

from cardgen.diagnostic import Code
from cardgen.model.card import Card, DeckHeader
from cardgen.model.schema import DIALECT, JsonSchema, UntitledGenerator
from cardgen.units import Shape
from cardgen.validation.base import Aspect, Flag, Int, Model, Number, Text, reachable_models

# YAML 1.1 reads these as true, false, or null, and YAML 1.2 reads most of them as text.
AMBIGUOUS_WORDS = frozenset({"y", "n", "yes", "no", "on", "off", "true", "false", "null"})
MAX_NAME = 40

_CARD_KEYS = frozenset(Card.model_fields) | {other for others in Card.SYNONYMS.values() for other in others}
_HEADER_KEYS = frozenset(DeckHeader.model_fields)
# Attributes of every model, and the properties of parts and cards.
_RESERVED = frozenset(dir(Card)) - _CARD_KEYS | {"line"}


def _refuse(message: str, name: str, help_text: str) -> PydanticCustomError:
    return PydanticCustomError("name", message, {"name": name, "code": Code.INVALID_GAME, "help": help_text})


def _not_ambiguous(name: str) -> str:
    if name in AMBIGUOUS_WORDS:
        raise _refuse("the name '{name}' is true, false, or null in some versions of YAML", name, "choose another name")
    return name


def _not_taken(name: str) -> str:
    if name in _CARD_KEYS:
        raise _refuse("every card has the key '{name}'", name, "choose another name")
    if name in _HEADER_KEYS:
        raise _refuse("'{name}' is a key of card files", name, "choose another name")
    return _not_reserved(name)


def _not_reserved(name: str) -> str:
    if name in _RESERVED or name.startswith("model_"):
        raise _refuse("the name '{name}' is reserved", name, "choose another name")
    return name


def _not_general(prefix: str) -> str:
    if prefix == "CG":
        raise _refuse("the prefix '{name}' belongs to cardgen", prefix, "choose another prefix")
    return prefix


def _name(pattern: str, words: str) -> tuple[object, ...]:
    """Return the annotations of a name that matches a pattern, which `words` describe."""
    compiled = re.compile(pattern)

    def check(name: str) -> str:
        if not compiled.fullmatch(name):
            raise _refuse("'{name}' is not a valid name", name, f"use {words}")
        if len(name) > MAX_NAME:
            raise _refuse("the name '{name}' is too long", name, f"use at most {MAX_NAME} characters")
        return name

    schema = {"type": "string", "pattern": f"^{pattern}$", "maxLength": MAX_NAME, "description": words}
    return Field(strict=True), AfterValidator(check), WithJsonSchema(schema)


_ID = _name("[a-z][a-z0-9]*(-[a-z0-9]+)*", "lowercase letters and digits, separated by single hyphens")
_KEY = _name("[a-z][a-z0-9]*(_[a-z0-9]+)*", "lowercase letters and digits, separated by single underscores")
_PREFIX = _name("[A-Z]{2}", "two capital letters")
_CODE = _name("[A-Z]{2}[1-5][0-9]{2}", "the prefix and three digits from 100 to 599, such as EM101")

GameId: TypeAlias = Annotated[str, *_ID, AfterValidator(_not_ambiguous)]
# The name of a kind, a type, a list, a piece, a check, a ruling, or a trial.
KindName: TypeAlias = Annotated[str, *_ID, AfterValidator(_not_ambiguous)]
# A key of parts of cards, or of cards; the latter cannot be a key that every card has.
FieldName: TypeAlias = Annotated[str, *_KEY, AfterValidator(_not_ambiguous)]
CardKey: TypeAlias = Annotated[FieldName, AfterValidator(_not_taken)]
PartKey: TypeAlias = Annotated[FieldName, AfterValidator(_not_reserved)]
Prefix: TypeAlias = Annotated[str, *_PREFIX, AfterValidator(_not_general)]
LimitCode: TypeAlias = Annotated[str, *_CODE]


MAX_FORMULA = 1_000


def _to_source(value: Any) -> Any:
    """Return the source of an expression that YAML reads as another type.

    These are numbers, true, and false.
    """
    if isinstance(value, bool):
        return str(value).lower()
    return str(value) if isinstance(value, int | float) else value


FormulaText: TypeAlias = Annotated[
    str,
    Field(strict=True, min_length=1, max_length=MAX_FORMULA, description="an expression, such as heat + 1"),
    BeforeValidator(_to_source),
    WithJsonSchema({"type": ["string", "number", "boolean"], "description": "an expression, such as heat + 1"}),
]
WordsText: TypeAlias = Annotated[
    str, Field(strict=True, min_length=1, max_length=MAX_FORMULA, description="a text, with expressions in {{ }}")
]


def title_of(name: str) -> str:
    """Return the label of a key without one: 'Hit points' for 'hit_points'."""
    words = name.replace("_", " ").replace("-", " ")
    return words[:1].upper() + words[1:]


MOST_FIELDS, MOST_CHOICES = 100, 200

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

    type: Annotated[KindName, Field(description="what its values are, or the name of a part of the game")]
    label: Annotated[Text, Field(max_length=40, description="label printed before the value")] | None = None
    help: Annotated[Text, Field(max_length=200, description="explains the key to authors")] | None = None
    icon: Annotated[KindName | None, Field(description="icon printed before the value")] = None
    default: Annotated[Any, Field(description="value if the key is left out")] = None
    optional: Annotated[Flag, Field(description="the key can be left out")] = False
    min: Annotated[Number, Field(description="lowest number, or fewest letters or items")] | None = None
    max: Annotated[Number, Field(description="highest number, or most letters or items")] | None = None
    code: Annotated[LimitCode | None, Field(description="code of the bounds, if not the general one")] = None
    choices: Annotated[Choices, Field(description="words, or words with help")] | None = None
    keys: Annotated[tuple[FieldName, ...], Field(max_length=MOST_FIELDS, description="keys of a map")] | None = None
    items: 'Annotated[FieldSpec, Field(description="what a list or map contains")] | None' = None
    kind: Annotated[KindName | None, Field(description="kind of the card that the field names")] = None
    aspect: (
        Annotated[
            Literal["rules", "words", "looks"],
            Field(description="how releases classify its changes, if not by type"),
        ]
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

    fields: Annotated[
        Mapping[PartKey, FieldSpec], Field(min_length=1, max_length=MOST_FIELDS, description="keys of the part")
    ]
    line: Annotated[Text, Field(max_length=400, description="how to write it in one line")] | None = None
    help: Annotated[Text, Field(max_length=200, description="explains the part to authors")] | None = None


Side: TypeAlias = Annotated[str, Field(strict=True, min_length=1)] | Number
FixedSize: TypeAlias = Side | Annotated[tuple[Side, Side], Field(description="width and height")]
# A name or two sides, {diameter: 40mm}, or a size for each value of the field `by`.
Diameter: TypeAlias = Annotated[Mapping[Text, Side], Field(description="diameter of a round card")]
SizeSpec: TypeAlias = FixedSize | Annotated[Mapping[Text, FixedSize | Diameter], Field(max_length=MOST_CHOICES + 1)]
# A number, or the field with the number.
BoxCount: TypeAlias = Annotated[Int, Field(ge=1, le=100)] | FieldName


MAX_TITLE = 40
KindTitle: TypeAlias = Annotated[Text, Field(max_length=MAX_TITLE, description="name of the kind as people read it")]


class KindSpec(Model):
    """A kind of card."""

    title: KindTitle | None = None
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
    """A check, which reports each card for which its expression is true."""

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
    confidence: Annotated[
        Literal["certain", "likely"],
        Field(description="certain, or likely if other cards can make such a card right"),
    ] = "certain"
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
# The key of a list whose items name its cards.
MEMBERS = "members"

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
    code: Annotated[LimitCode | None, Field(description="code of the bounds, if not the general one")] = None

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of the members."""
        return (self.kind,) if isinstance(self.kind, str) else tuple(dict.fromkeys(self.kind))


class LimitSpec(Model):
    """Bounds of the sum of a field of all members."""

    min: Annotated[Number, Field(description="lowest sum")] | None = None
    max: Annotated[Number, Field(description="highest sum")] | None = None
    code: Annotated[LimitCode | None, Field(description="code of the limit, if not the general one of lists")] = None


class PackSpec(Model):
    """Additions to the pack of a list, which always has the list, its members, and the pieces made from them."""

    named: Annotated[tuple[KindName, ...], Field(max_length=20, description="kinds of cards that members name")] = ()
    also: Annotated[tuple[KindName, ...], Field(max_length=20, description="kinds of which it has all cards")] = ()
    pieces: Annotated[
        Mapping[KindName, Mapping[KindName, FormulaText]],
        Field(max_length=20, description="numbers of cards or pieces, by kind and id"),
    ] = {}


class ListSpec(Model):
    """A kind of card that lists other cards, such as a warband."""

    title: KindTitle | None = None
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


class TermSpec(Model):
    """A term of the glossary. The short form is its meaning.

    `forms` are further forms of the term; one that begins with a lowercase letter is also an everyday word.
    """

    means: Annotated[Text, Field(description="definition of the term, as one or more sentences")]
    forms: Annotated[tuple[Text, ...], Field(max_length=50, description="forms of the term in sentences")] = ()
    bold: Annotated[Flag, Field(description="print the term in bold on cards")] = False

    @model_validator(mode="before")
    @classmethod
    def _from_meaning(cls, data: Any) -> Any:
        return {"means": data} if isinstance(data, str) else data


class RulingSpec(Model):
    """A question that the rules leave open, with a sentence for each answer; the first answer is the default."""

    question: Annotated[Text, Field(description="the question that the rules leave open")]
    settings: Annotated[
        Mapping[KindName, Text], Field(min_length=2, max_length=20, description="answers by name; the first applies")
    ]


MOST_DICE, MOST_FACES, MOST_CANDIDATES = 50, 100, 6

FaceName: TypeAlias = Annotated[Text, Field(max_length=40)]
Weight: TypeAlias = Annotated[Int, Field(ge=1, le=MOST_FACES)]
FaceList: TypeAlias = Annotated[
    tuple[FaceName | Int, ...], Field(min_length=1, max_length=MOST_FACES, description="every face, also equal ones")
]
FaceWeights: TypeAlias = Annotated[
    Mapping[FaceName, Weight],
    Field(min_length=1, max_length=MOST_FACES, description="count of each face, by name"),
]


class FacesSpec(Model):
    """The faces of a die."""

    faces: FaceWeights | FaceList


class DieSpec(Model):
    """A die of the game: faces, or candidates for unknown faces."""

    faces: Annotated[FaceWeights | FaceList | None, Field(description="count of each face, by name")] = None
    candidates: Annotated[
        tuple[FacesSpec, ...] | None,
        Field(min_length=2, max_length=MOST_CANDIDATES, description="possible faces of a die whose faces are unknown"),
    ] = None
    help: Annotated[Text, Field(max_length=200, description="explains the die")] | None = None


DiceSpecs: TypeAlias = Annotated[Mapping[KindName, DieSpec], Field(max_length=MOST_DICE)]


MOST_PIECE_KINDS, MOST_BASES = 30, 20

MadeFrom: TypeAlias = KindName | Annotated[tuple[KindName, ...], Field(min_length=1, max_length=MOST_PIECE_KINDS)]
Length: TypeAlias = Annotated[str, Field(strict=True, min_length=1, max_length=20)] | Number


class PieceSpec(Model):
    """A kind of piece, whose possible keys depend on `piece`."""

    piece: Annotated[
        Literal["token", "cylinder", "standee", "blank", "ruler", "box", "mat", "dial"], Field(description="what it is")
    ]
    title: KindTitle | None = None
    made_from: Annotated[MadeFrom, Field(alias="from", description="kinds of cards to make it from")] = ()
    text: Annotated[Text, Field(max_length=400, description="template of the text on a token")] | None = None
    icon: Annotated[KindName | None, Field(description="icon on a token")] = None
    diameter: Annotated[Length, Field(description="diameter of a token; 25mm by default")] | None = None
    height: Annotated[Length, Field(description="height of a proxy, 35mm by default, or of a mat")] | None = None
    width: Annotated[Length, Field(description="width of a mat")] | None = None
    bases: Annotated[
        tuple[Length, ...], Field(min_length=1, max_length=MOST_BASES, description="diameters of bases of proxies")
    ] = ()
    of: Annotated[MadeFrom, Field(description="kinds of cards that a blank becomes; all by default")] = ()
    most: Annotated[FieldName | None, Field(description="field with the highest number of a dial")] = None
    label: Annotated[Text, Field(max_length=40, description="what a dial counts")] | None = None
    help: Annotated[Text, Field(max_length=200, description="explains the piece to authors")] | None = None


PieceSpecs: TypeAlias = Annotated[Mapping[KindName, PieceSpec], Field(max_length=MOST_PIECE_KINDS)]


MOST_TRIALS, MOST_STEPS, MOST_ASKS, MOST_OPTIONS, MOST_NUMBER = 100, 100, 20, 50, 1_000_000

Whole: TypeAlias = Annotated[Int, Field(ge=-MOST_NUMBER, le=MOST_NUMBER)]
Options: TypeAlias = Annotated[
    tuple[Annotated[Text, Field(max_length=80)], ...], Field(min_length=1, max_length=MOST_OPTIONS)
]
DiceName: TypeAlias = Annotated[Text, Field(max_length=100, description="dice such as 2d6, or a die of the game")]
Name: TypeAlias = Annotated[WordsText, Field(description="what the dice decide, for the log")]
Who: TypeAlias = Annotated[WordsText, Field(description="the card that rolls; the first card by default")]
Values: TypeAlias = Annotated[Mapping[FieldName, FormulaText], Field(min_length=1, max_length=20)]
Into: TypeAlias = Annotated[FieldName, Field(description="name of the result in later steps")]


class AskSpec(Model):
    """A value that a trial needs, which is an option of its command."""

    type: Annotated[Literal["card", "integer", "choice", "flag"], Field(description="what the value is")]
    help: Annotated[Text, Field(max_length=200, description="explains the option")] | None = None
    kind: Annotated[KindName | tuple[KindName, ...], Field(description="kind of the card, or kinds")] | None = None
    min: Annotated[Whole, Field(description="lowest number")] | None = None
    max: Annotated[Whole, Field(description="highest number")] | None = None
    unit: Annotated[Text, Field(max_length=20, description="unit of the number")] | None = None
    choices: Annotated[Options, Field(description="what can be chosen")] | None = None
    default: Annotated[Any, Field(description="value if the option is left out")] = None
    optional: Annotated[Flag, Field(description="the card can be left out")] = False


class TestSpec(Model):
    """Dice that pass at or below a number, or at or above it.

    Leaves `passed` and `rolled`.
    """

    __test__ = False

    dice: DiceName = "1d6"
    up_to: Annotated[FormulaText | None, Field(description="highest number that passes")] = None
    at_least: Annotated[FormulaText | None, Field(description="lowest number that passes")] = None
    name: Name
    who: Who | None = None


class RollSpec(Model):
    """Dice whose sum, or whose face, is kept."""

    dice: DiceName
    name: Name
    who: Who | None = None
    into: Into


class KeepSpec(Model):
    """How many dice of a pool count: the highest or the lowest."""

    highest: Annotated[FormulaText | None, Field(description="number of dice with the highest numbers")] = None
    lowest: Annotated[FormulaText | None, Field(description="number of dice with the lowest numbers")] = None


class PoolSpec(Model):
    """Several equal dice: the number of successes, or without these the sum."""

    dice: DiceName
    count: Annotated[FormulaText, Field(description="number of dice")]
    successes: (
        Annotated[
            tuple[FaceName | Int, ...], Field(min_length=1, max_length=100, description="faces that are successes")
        ]
        | None
    ) = None
    at_least: Annotated[FormulaText | None, Field(description="lowest number that is a success")] = None
    up_to: Annotated[FormulaText | None, Field(description="highest number that is a success")] = None
    reroll: Annotated[tuple[FaceName | Int, ...], Field(max_length=100, description="faces rolled once more")] = ()
    keep: Annotated[FormulaText | KeepSpec, Field(description="number of dice that count")] | None = None
    name: Name
    who: Who | None = None
    into: Into


class QuestionSpec(Model):
    """Something that only a player knows."""

    type: Annotated[Literal["integer", "choice", "flag"], Field(description="what the answer is")]
    name: Name
    who: Who | None = None
    min: Annotated[FormulaText | None, Field(description="lowest number")] = None
    max: Annotated[FormulaText | None, Field(description="highest number")] = None
    unit: Annotated[Text, Field(max_length=20, description="unit of the number")] | None = None
    choices: Annotated[Options, Field(description="what can be chosen")] | None = None
    default: Annotated[Any, Field(description="answer if nobody is asked")] = None
    into: Into


class CallSpec(Model):
    """Another trial; its outcome is kept as text."""

    trial: Annotated[KindName, Field(description="trial to run")]
    with_: Annotated[
        Mapping[FieldName, FormulaText],
        Field(alias="with", max_length=MOST_ASKS, description="values that the trial asks for"),
    ] = {}
    into: Into = "outcome"


class RepeatSpec(Model):
    """Steps that are repeated a number of times, or until something holds."""

    times: Annotated[FormulaText, Field(description="maximum number of rounds")]
    until: Annotated[FormulaText | None, Field(description="ends the repetition if it is true after a round")] = None
    steps: 'Annotated[Steps, Field(description="steps to repeat")]'


class StepSpec(Model):
    """A step of a trial: one of these keys, and perhaps `when`."""

    when: Annotated[FormulaText | None, Field(description="condition; the step is skipped if it is false")] = None
    test: Annotated[TestSpec | None, Field(description="rolls dice against a number; sets passed and rolled")] = None
    roll: Annotated[RollSpec | None, Field(description="rolls dice and keeps their sum")] = None
    pool: Annotated[PoolSpec | None, Field(description="rolls several dice and counts successes")] = None
    set_: Annotated[Values | None, Field(alias="set", description="values from expressions")] = None
    ask: Annotated[QuestionSpec | None, Field(description="asks the players for a value")] = None
    call: Annotated[CallSpec | None, Field(description="runs another trial")] = None
    repeat: Annotated[RepeatSpec | None, Field(description="repeats steps")] = None
    steps: 'Annotated[Steps | None, Field(description="several steps under one condition")]' = None
    else_: 'Annotated[Steps | None, Field(alias="else", description="steps to run if `when` is false")]' = None
    say: Annotated[WordsText, Field(description="line of the log")] | None = None
    end: Annotated[WordsText, Field(description="outcome, which ends the trial")] | None = None


Steps: TypeAlias = Annotated[tuple[StepSpec, ...], Field(min_length=1, max_length=MOST_STEPS)]


class TrialSpec(Model):
    """A trial: what it asks, and its steps."""

    help: Annotated[Text, Field(max_length=400, description="explains the trial")] | None = None
    asks: Annotated[Mapping[FieldName, AskSpec], Field(max_length=MOST_ASKS, description="options of its command")] = {}
    steps: Annotated[Steps, Field(description="what happens, in order")]


TrialSpecs: TypeAlias = Annotated[Mapping[KindName, TrialSpec], Field(max_length=MOST_TRIALS)]


MOST_KINDS, MOST_TYPES, MOST_TERMS, MOST_RULINGS, MOST_SHEETS = 50, 50, 1000, 200, 50


class GameFile(Model):
    """A game, as its file describes it."""

    game: Annotated[GameId, Field(description="id of the game: the name of its folder")]
    name: Annotated[Text, Field(max_length=80, description="name of the game")]
    prefix: Annotated[
        Prefix,
        Field(description="two capital letters that begin the codes of its limits and checks", examples=["EM"]),
    ]
    unit: Annotated[
        Text,
        Field(max_length=20, description="unit of lengths on cards: mm, cm, in, or your own, such as hexes"),
    ] = "mm"
    size: Annotated[SizeSpec, Field(description="default size of kinds")] = "poker"
    types: Annotated[
        Mapping[KindName, TypeSpec], Field(default_factory=dict, max_length=MOST_TYPES, description="parts of cards")
    ]
    kinds: Annotated[
        Mapping[KindName, KindSpec], Field(min_length=1, max_length=MOST_KINDS, description="kinds of cards")
    ]
    lists: Annotated[ListSpecs, Field(default_factory=dict, description="lists of cards, such as warbands")]
    pieces: Annotated[PieceSpecs, Field(default_factory=dict, description="pieces made from cards, such as tokens")]
    glossary: Annotated[
        Mapping[Text, TermSpec],
        Field(default_factory=dict, max_length=MOST_TERMS, description="terms of the game, and what they mean"),
    ]
    rulings: Annotated[
        Mapping[KindName, RulingSpec],
        Field(default_factory=dict, max_length=MOST_RULINGS, description="questions that the rules leave open"),
    ]
    checks: Annotated[CheckSpecs, Field(default_factory=dict, description="checks of the game's cards")]
    dice: Annotated[DiceSpecs, Field(default_factory=dict, description="dice with custom faces")]
    trials: Annotated[TrialSpecs, Field(default_factory=dict, description="rolls and odds for the referee")]
    sheets: Annotated[tuple[Text, ...], Field(max_length=MOST_SHEETS, description="files of reference sheets")] = ()


class _GameFileGenerator(UntitledGenerator):
    """JSON Schema generator for maps with names as keys, which refuse all other keys."""

    def dict_schema(self, schema: DictSchema) -> JsonSchema:
        """Return the schema of a map."""
        found: dict[str, Any] = super().dict_schema(schema)
        return {**found, "additionalProperties": False} if "patternProperties" in found else found


def game_file_schema() -> JsonSchema:
    """Return the schema of `game.yaml`."""
    for _, model in reachable_models((GameFile,)):
        model.model_rebuild()
    schema = GameFile.model_json_schema(schema_generator=_GameFileGenerator)
    return {"$schema": DIALECT, **schema, "title": "A game file"}

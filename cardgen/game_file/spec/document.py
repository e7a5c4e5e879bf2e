"""The format of `game.yaml`: strict models of the whole file, and its JSON Schema."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import Field, model_validator
from pydantic_core.core_schema import DictSchema

from cardgen.game_file.spec.kinds import CheckSpecs, KindSpec, ListSpecs, SizeSpec, TypeSpec
from cardgen.game_file.spec.names import FieldName, FormulaText, GameId, KindName, Prefix, WordsText
from cardgen.model.schema import DIALECT, JsonSchema, UntitledGenerator
from cardgen.validation.base import Flag, Int, Model, Number, Text, reachable_models


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
    """A kind of piece. Which keys it may have depends on `piece`."""

    piece: Annotated[
        Literal["token", "cylinder", "standee", "blank", "ruler", "box", "mat", "dial"], Field(description="what it is")
    ]
    made_from: Annotated[MadeFrom, Field(alias="from", description="kinds of cards to make it from")] = ()
    text: Annotated[Text, Field(max_length=400, description="template of the text on a token")] | None = None
    icon: Annotated[KindName, Field(description="icon on a token")] | None = None
    diameter: Annotated[Length, Field(description="diameter of a token; 25mm by default")] | None = None
    height: Annotated[Length, Field(description="height of a proxy, 35mm by default, or of a mat")] | None = None
    width: Annotated[Length, Field(description="width of a mat")] | None = None
    bases: Annotated[
        tuple[Length, ...], Field(min_length=1, max_length=MOST_BASES, description="diameters of bases of proxies")
    ] = ()
    of: Annotated[MadeFrom, Field(description="kinds of cards that a blank becomes; all by default")] = ()
    most: Annotated[FieldName, Field(description="field with the highest number of a dial")] | None = None
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
    """Dice that succeed up to a number, or from a number on.

    Leaves `passed` and `rolled`.
    """

    __test__ = False

    dice: DiceName = "1d6"
    up_to: Annotated[FormulaText, Field(description="highest number that passes")] | None = None
    at_least: Annotated[FormulaText, Field(description="lowest number that passes")] | None = None
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

    highest: FormulaText | None = None
    lowest: FormulaText | None = None


class PoolSpec(Model):
    """Several equal dice: the number of successes, or without these the sum."""

    dice: DiceName
    count: Annotated[FormulaText, Field(description="number of dice")]
    successes: Annotated[tuple[FaceName | Int, ...], Field(min_length=1, max_length=100)] | None = None
    at_least: Annotated[FormulaText, Field(description="lowest number that is a success")] | None = None
    up_to: Annotated[FormulaText, Field(description="highest number that is a success")] | None = None
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
    min: Annotated[FormulaText, Field(description="lowest number")] | None = None
    max: Annotated[FormulaText, Field(description="highest number")] | None = None
    unit: Annotated[Text, Field(max_length=20, description="unit of the number")] | None = None
    choices: Annotated[Options, Field(description="what can be chosen")] | None = None
    default: Annotated[Any, Field(description="answer if nobody is asked")] = None
    into: Into


class CallSpec(Model):
    """Another trial; its outcome is kept as text."""

    trial: KindName
    with_: Annotated[Mapping[FieldName, FormulaText], Field(alias="with", max_length=MOST_ASKS)] = {}
    into: Into = "outcome"


class RepeatSpec(Model):
    """Steps that are repeated a number of times, or until something holds."""

    times: Annotated[FormulaText, Field(description="maximum number of rounds")]
    until: Annotated[FormulaText, Field(description="ends the repetition if it is true after a round")] | None = None
    steps: "Steps"


class StepSpec(Model):
    """A step of a trial: one of these keys, and perhaps `when`."""

    when: Annotated[FormulaText, Field(description="condition; the step is skipped if it is false")] | None = None
    test: TestSpec | None = None
    roll: RollSpec | None = None
    pool: PoolSpec | None = None
    set_: Annotated[Values | None, Field(alias="set", description="values from expressions")] = None
    ask: QuestionSpec | None = None
    call: CallSpec | None = None
    repeat: RepeatSpec | None = None
    steps: "Steps | None" = None
    else_: 'Annotated[Steps | None, Field(alias="else", description="steps to run if `when` is false")]' = None
    say: Annotated[WordsText, Field(description="line of the log")] | None = None
    end: Annotated[WordsText, Field(description="outcome, which ends the trial")] | None = None


Steps: TypeAlias = Annotated[tuple[StepSpec, ...], Field(min_length=1, max_length=MOST_STEPS)]


class TrialSpec(Model):
    """A trial: what it asks, and its steps."""

    help: Annotated[Text, Field(max_length=400, description="explains the trial")] | None = None
    asks: Annotated[Mapping[FieldName, AskSpec], Field(max_length=MOST_ASKS, description="options of its command")] = {}
    steps: Steps


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

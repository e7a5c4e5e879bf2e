"""Trials in a game file: steps to roll, ask, or compute."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import Field

from cardgen.game_file.spec.dice import FaceName
from cardgen.game_file.spec.formulas import FormulaText, WordsText
from cardgen.game_file.spec.names import FieldName, KindName
from cardgen.validation.base import Flag, Int, Model, Text

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

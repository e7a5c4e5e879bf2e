"""Sections of battleplans: their text, and what the match tracker counts."""

from typing import Annotated, Literal

from cardgen.game import MAX_NAME_LENGTH, Field, Int, IntRange, Model, Text
from cardgen.rulesets.warcry import limits

ShortText = Annotated[Text, Field(max_length=MAX_NAME_LENGTH)]
# What the match tracker counts: conditions that score, and the rules of battleplans that it knows.
ScoreCondition = Literal[
    "any-objective", "two-objectives", "more-objectives", "red-holds-b", "blue-holds-a",
    "any-taken-down", "more-taken-down", "each-hero", "each-ally-or-monster",
]  # fmt: skip
SecondaryRule = Literal[
    "devastation", "fall-near-objective", "enemy-falls-near-objective", "bloodgifted", "new-objectives", "worthy-foe",
    "extra-objective", "active-objectives", "more-quarters", "more-halves", "more-places-of-power",
]  # fmt: skip
TwistRule = Literal[
    "prize-objective", "remove-objective", "more-wild-dice", "strength-near-objective", "ignore-objective",
    "remove-two-objectives", "ignore-fighters", "exhaust-enemy", "silence-enemy", "ruin-place-of-power",
    "ignore-quarter", "halve-half",
]  # fmt: skip
SectionRule = Literal[SecondaryRule, TwistRule]


class Score(Model):
    """A condition that scores victory points.

    With `when`, the match tracker counts it by itself; otherwise, it asks the players.
    """

    when: Annotated[ScoreCondition | None, Field(description="the condition as the match tracker counts it")] = None
    vp: Annotated[Annotated[Int, IntRange(1, 20, limits.ROSTER)] | None, Field(description="victory points")] = None
    text: Text


class Section(Model):
    """A part of a battleplan: heading, text, and scoring conditions.

    With `rule`, the match tracker plays a secondary victory condition or a twist; otherwise, the players do.
    """

    name: Annotated[ShortText | None, Field(description="its heading")] = None
    text: Annotated[Text | None, Field(description="its text")] = None
    scores: Annotated[tuple[Score, ...], Field(description="conditions that score victory points")] = ()
    rule: Annotated[SectionRule | None, Field(description="the rule as the match tracker plays it")] = None

"""What the trials of Warniris want to know: the geometry is asked, never simulated."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, TypeAlias

from cardgen.rulesets.adjudication import Parameter
from cardgen.rulesets.warniris.procedures.reaction import ATTACK_POINTS

# The plain data of a card, as its model writes it.
CardData: TypeAlias = dict[str, Any]
FIGHTER_KINDS = ("character", "minion")
# At most one relic per Character (section 1).
CARRIER_KINDS = ("character",)
EQUIPMENT_KINDS = ("relic",)
TABLE_DIAGONAL = 73
REACTION_POINTS = tuple(ATTACK_POINTS)
# Section 6: Cover; ruling `partial-cover`.
COVER_WORDS = ("none", "part", "gap", "hidden")


@dataclass(frozen=True, slots=True)
class TestSituation:
    """A test of one attribute (section 4)."""

    __test__ = False

    card: Annotated[CardData, Parameter("card", "Whose attribute is tested.", FIGHTER_KINDS)]
    attribute: Annotated[str, Parameter("word", "Which one.", words=("mind", "body", "spirit"))]
    bonus: Annotated[int, Parameter("number", "All bonuses and penalties together.", low=-20, high=20)] = 0
    penetration: Annotated[int, Parameter("number", "Penetration to be taken off.", high=20)] = 0


@dataclass(frozen=True, slots=True)
class AttackSituation:
    """One attack or channel, and how the two stand to each other."""

    attacker: Annotated[CardData, Parameter("card", "Who attacks or channels.", FIGHTER_KINDS)]
    target: Annotated[CardData, Parameter("card", "At whom.", FIGHTER_KINDS)]
    weapon: Annotated[str | None, Parameter("word", "With what; the first that can be used if left out.")] = None
    distance: Annotated[
        int | None, Parameter("number", "Distance; in reach if left out.", high=TABLE_DIAGONAL, unit="cm")
    ] = None
    gap: Annotated[bool, Parameter("flag", "The same as the cover 'gap'.")] = False
    between: Annotated[
        tuple[CardData, ...], Parameter("cards", "A miniature in the line, from the attacker outward.", FIGHTER_KINDS)
    ] = ()
    crossed: Annotated[
        int, Parameter("number", "Enemies that a combat weapon's free Move passes through.", high=20)
    ] = 0
    relic: Annotated[CardData | None, Parameter("card", "The attacker's relic.", EQUIPMENT_KINDS)] = None
    target_relic: Annotated[CardData | None, Parameter("card", "The target's relic.", EQUIPMENT_KINDS)] = None
    wounds: Annotated[int | None, Parameter("number", "Wounds that the attacker has left.", high=30)] = None
    target_wounds: Annotated[int | None, Parameter("number", "Wounds that the target has left.", high=30)] = None
    reaction: Annotated[str | None, Parameter("word", "The target reacts with this weapon or power.")] = None
    moment: Annotated[str, Parameter("word", "When a timed reaction happens.", words=REACTION_POINTS)] = "before"
    cover: Annotated[
        str,
        Parameter(
            "word", "Terrain: a gap in it takes 1 off, part of a target is as good as all of it.", words=COVER_WORDS
        ),
    ] = "none"


@dataclass(frozen=True, slots=True)
class DuelSituation:
    """Two fighters in sight of each other for some turns; each activation is two attacks."""

    a: Annotated[CardData, Parameter("card", "One fighter.", FIGHTER_KINDS)]
    b: Annotated[CardData, Parameter("card", "The other.", FIGHTER_KINDS)]
    relic_a: Annotated[CardData | None, Parameter("card", "The relic of the first.", EQUIPMENT_KINDS)] = None
    relic_b: Annotated[CardData | None, Parameter("card", "The relic of the other.", EQUIPMENT_KINDS)] = None
    turns: Annotated[int, Parameter("number", "How many turns.", low=1, high=20)] = 5
    distance: Annotated[
        int | None, Parameter("number", "Distance throughout; in range if left out.", high=TABLE_DIAGONAL, unit="cm")
    ] = None
    first: Annotated[str, Parameter("word", "Who goes first when it is rolled.", words=("a", "b"))] = "a"

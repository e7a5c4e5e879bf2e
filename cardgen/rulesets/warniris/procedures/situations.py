"""What the trials of Warniris want to know: the geometry is asked, never simulated."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, TypeAlias

from cardgen.rulesets.adjudication import Option
from cardgen.rulesets.warniris.procedures.reaction import POINTS

# The plain data of a card, as its model writes it.
Data: TypeAlias = dict[str, Any]
FIGHTERS = ("character", "minion")
# At most one relic per Character (section 1).
BEARERS = ("character",)
RELIC = ("relic",)
DIAGONAL = 73
MOMENTS = tuple(POINTS)
# Section 6: Cover; ruling `partial-cover`.
COVERS = ("none", "part", "gap", "hidden")


@dataclass(frozen=True, slots=True)
class TestSituation:
    """A test of one attribute (section 4)."""

    __test__ = False

    card: Annotated[Data, Option("card", "Whose attribute is tested.", FIGHTERS)]
    attribute: Annotated[str, Option("word", "Which one.", words=("mind", "body", "spirit"))]
    bonus: Annotated[int, Option("number", "All bonuses and penalties together.", low=-20, high=20)] = 0
    penetration: Annotated[int, Option("number", "Penetration to be taken off.", high=20)] = 0


@dataclass(frozen=True, slots=True)
class AttackSituation:
    """One attack or channel, and how the two stand to each other."""

    attacker: Annotated[Data, Option("card", "Who attacks or channels.", FIGHTERS)]
    target: Annotated[Data, Option("card", "At whom.", FIGHTERS)]
    weapon: Annotated[str | None, Option("word", "With what; the first that can be used if left out.")] = None
    distance: Annotated[int | None, Option("number", "Distance; in reach if left out.", high=DIAGONAL, unit="cm")] = (
        None
    )
    gap: Annotated[bool, Option("flag", "The same as the cover 'gap'.")] = False
    between: Annotated[
        tuple[Data, ...], Option("cards", "A miniature in the line, from the attacker outward.", FIGHTERS)
    ] = ()
    crossed: Annotated[int, Option("number", "Enemies that a combat weapon's free Move passes through.", high=20)] = 0
    relic: Annotated[Data | None, Option("card", "The attacker's relic.", RELIC)] = None
    target_relic: Annotated[Data | None, Option("card", "The target's relic.", RELIC)] = None
    wounds: Annotated[int | None, Option("number", "Wounds that the attacker has left.", high=30)] = None
    target_wounds: Annotated[int | None, Option("number", "Wounds that the target has left.", high=30)] = None
    reaction: Annotated[str | None, Option("word", "The target reacts with this weapon or power.")] = None
    moment: Annotated[str, Option("word", "When a timed reaction happens.", words=MOMENTS)] = "before"
    cover: Annotated[
        str,
        Option("word", "Terrain: a gap in it takes 1 off, part of a target is as good as all of it.", words=COVERS),
    ] = "none"


@dataclass(frozen=True, slots=True)
class DuelSituation:
    """Two fighters in sight of each other for some turns; each activation is two attacks."""

    a: Annotated[Data, Option("card", "One fighter.", FIGHTERS)]
    b: Annotated[Data, Option("card", "The other.", FIGHTERS)]
    relic_a: Annotated[Data | None, Option("card", "The relic of the first.", RELIC)] = None
    relic_b: Annotated[Data | None, Option("card", "The relic of the other.", RELIC)] = None
    turns: Annotated[int, Option("number", "How many turns.", low=1, high=20)] = 5
    distance: Annotated[
        int | None, Option("number", "Distance throughout; in range if left out.", high=DIAGONAL, unit="cm")
    ] = None
    first: Annotated[str, Option("word", "Who goes first when it is rolled.", words=("a", "b"))] = "a"

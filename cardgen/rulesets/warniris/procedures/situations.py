"""What the trials of Warniris want to know: the geometry is asked, never simulated."""

from __future__ import annotations

from dataclasses import MISSING, dataclass
from typing import Any, TypeAlias

from cardgen.rulesets.adjudication import option
from cardgen.rulesets.warniris.procedures.reaction import POINTS

# The plain data of a card, as its model writes it.
Data: TypeAlias = dict[str, Any]
FIGHTERS = ("character", "minion")
DIAGONAL = 73
MOMENTS = tuple(POINTS)


@dataclass(frozen=True, slots=True)
class TestSituation:
    """A test of one attribute (section 4)."""

    __test__ = False

    card: Data = option("card", "Whose attribute is tested.", MISSING, kinds=FIGHTERS)
    attribute: str = option("word", "Which one.", MISSING, words=("mind", "body", "spirit"))
    bonus: int = option("number", "All bonuses and penalties together.", 0, low=-20, high=20)
    penetration: int = option("number", "Penetration to be taken off.", 0, low=0, high=20)


@dataclass(frozen=True, slots=True)
class AttackSituation:
    """One attack or channel, and how the two stand to each other."""

    attacker: Data = option("card", "Who attacks or channels.", MISSING, kinds=FIGHTERS)
    target: Data = option("card", "At whom.", MISSING, kinds=FIGHTERS)
    weapon: str | None = option("word", "With which weapon or power; the first that can be used if left out.")
    distance: int | None = option("number", "Distance; in reach if left out.", low=0, high=DIAGONAL, unit="cm")
    gap: bool = option("flag", "The target shows through a gap in its cover.", False)
    between: tuple[Data, ...] = option(
        "cards", "A miniature in the line, from the attacker outward.", (), kinds=FIGHTERS
    )
    crossed: int = option("number", "Enemies that a combat weapon's free Move passes through.", 0, low=0, high=20)
    relic: Data | None = option("card", "The attacker's relic.", kinds=("relic",))
    target_relic: Data | None = option("card", "The target's relic.", kinds=("relic",))
    wounds: int | None = option("number", "Wounds that the attacker has left.", low=0, high=30)
    target_wounds: int | None = option("number", "Wounds that the target has left.", low=0, high=30)
    reaction: str | None = option("word", "The target reacts with this weapon or power.")
    moment: str = option("word", "When a timed reaction happens.", "before", words=MOMENTS)


@dataclass(frozen=True, slots=True)
class DuelSituation:
    """Two fighters in sight of each other for some turns; each activation is two attacks."""

    a: Data = option("card", "One fighter.", MISSING, kinds=FIGHTERS)
    b: Data = option("card", "The other.", MISSING, kinds=FIGHTERS)
    relic_a: Data | None = option("card", "The relic of the first.", kinds=("relic",))
    relic_b: Data | None = option("card", "The relic of the other.", kinds=("relic",))
    turns: int = option("number", "How many turns.", 5, low=1, high=20)
    distance: int | None = option(
        "number", "Their distance throughout; in range of everything if left out.", low=0, high=DIAGONAL, unit="cm"
    )
    first: str = option("word", "Who goes first when it is rolled.", "a", words=("a", "b"))

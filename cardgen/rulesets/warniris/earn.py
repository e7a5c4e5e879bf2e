"""What earns a mission, as far as a transcript of the battle can decide it."""

from typing import Annotated, Literal

from pydantic import Field

from cardgen.model.base import Flag, Int, Model
from cardgen.rulesets.limits import IntRange
from cardgen.rulesets.warniris import breaches
from cardgen.rulesets.warniris.effect import Distance
from cardgen.rulesets.warniris.profile import WeaponType

EventCount = Annotated[Int, IntRange(1, 20, breaches.MISSION)]


class Earn(Model):
    """A deed that scores.

    `of` says who suffers it ('enemy' is any; for 'survive' it is one's own side, and for 'resist' the attacker).
    `count` deeds are needed, by one Character or by the whole warband together (`by`), within one turn or in the
    battle (`in`), each of another miniature where `different` is true. `attackers` Characters of one's own must have
    attacked the same target. `range_over` is in cm and strictly more. `first`: nobody did it before in this battle.
    """

    event: Annotated[Literal["eliminate", "damage", "attack", "resist", "survive"], Field(description="the deed")]
    of: Annotated[Literal["enemy", "character", "minion"], Field(description="who suffers it")] = "enemy"
    count: Annotated[EventCount, Field(description="how often, at least")] = 1
    different: Annotated[Flag, Field(description="each time another miniature")] = False
    by: Annotated[Literal["one", "warband"], Field(description="one character, or all together")] = "warband"
    attackers: Annotated[EventCount, Field(description="how many characters must have attacked the same target")] = 1
    within: Literal["turn", "battle"] = Field(
        default="battle", alias="in", description="all in one turn, or in the whole battle"
    )
    weapon: Annotated[WeaponType | None, Field(description="the type of weapon used")] = None
    range_over: Annotated[Distance | None, Field(description="farther away than this, in cm")] = None
    first: Annotated[Flag, Field(description="before the other side does it")] = False

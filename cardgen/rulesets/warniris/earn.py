"""What earns a mission, as far as a transcript of the battle can decide it."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from cardgen.model.base import Flag, Int, Model
from cardgen.rulesets.limits import Limit
from cardgen.rulesets.warniris import breaches
from cardgen.rulesets.warniris.effect import Distance
from cardgen.rulesets.warniris.profile import WeaponType

Count = Annotated[Int, Limit(1, 20, breaches.MISSION)]


class Earn(Model):
    """A deed that scores.

    `of` says who suffers it ('enemy' is any; for 'survive' it is one's own side, and for 'resist' the attacker).
    `count` deeds are needed, by one Character or by the whole warband together (`by`), within one turn or in the
    battle (`in`), each of another miniature where `different` is true. `attackers` Characters of one's own must have
    attacked the same target. `range_over` is in cm and strictly more. `first`: nobody did it before in this battle.
    """

    event: Literal["eliminate", "damage", "attack", "resist", "survive"]
    of: Literal["enemy", "character", "minion"] = "enemy"
    count: Count = 1
    different: Flag = False
    by: Literal["one", "warband"] = "warband"
    attackers: Count = 1
    within: Literal["turn", "battle"] = Field(default="battle", alias="in")
    weapon: WeaponType | None = None
    range_over: Distance | None = None
    first: Flag = False

"""The deployment map of a battleplan as data: points, objectives, quarters and halves."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from cardgen.model.base import Flag, Int, Model, Number, Text
from cardgen.rulesets.limits import IntRange
from cardgen.rulesets.warcry import breaches

SideLength = Annotated[Int, IntRange(12, 72, breaches.MAP)]
Coordinate = Annotated[Number, Field(ge=0, le=72)]
ObjectiveLetter = Annotated[Text, Field(max_length=2)]


class Spot(Model):
    """A place on the map: `at` is x from the left edge and y from the upper one, in inches."""

    at: Annotated[tuple[Coordinate, Coordinate], Field(description="[x, y] in inches from the upper left corner")]


class Deployment(Spot):
    """Where a battle group is deployed; `round` is the battle round in which one in reserve arrives."""

    side: Annotated[Literal["red", "blue", "either"], Field(description="whose point it is")]
    group: Annotated[Literal["dagger", "hammer", "shield"] | None, Field(description="the battle group")] = None
    round: Annotated[Annotated[Int, IntRange(1, 9, breaches.MAP)] | None, Field(description="from this battle round on")] = None  # fmt: skip  # noqa: E501


class Objective(Spot):
    """An objective; `mark` is the letter that stands on it."""

    mark: Annotated[ObjectiveLetter | None, Field(description="a letter on it, such as A")] = None


class BattleMap(Model):
    """The map: a battlefield of `width` by `height` inches, about 30 by 22 (core rules: The Battlefield)."""

    width: Annotated[SideLength, Field(description="in inches")] = 30
    height: Annotated[SideLength, Field(description="in inches")] = 22
    points: Annotated[tuple[Deployment, ...], Field(description="deployment points")] = ()
    objectives: Annotated[tuple[Objective, ...], Field(description="objectives")] = ()
    quarters: Annotated[Flag, Field(description="shows the table quarters")] = False
    halves: Annotated[Literal["left-right", "top-bottom", "diagonal"] | None,
                      Field(description="shows a red and a blue half, the red one first")] = None  # fmt: skip

"""Deployment maps of battleplans, as data (core rules: The Battlefield)."""

from typing import Annotated, Literal

from cardgen.game import Field, Flag, Int, IntRange, Model, Number, Reference, Text
from cardgen.rulesets.warcry import limits

SideLength = Annotated[Int, IntRange(12, 72, limits.MAP)]
Coordinate = Annotated[Number, Field(ge=0, le=72)]
ObjectiveLetter = Annotated[Text, Field(max_length=2)]


class Spot(Model):
    """A place on the map, in inches from the upper left corner."""

    at: Annotated[tuple[Coordinate, Coordinate], Field(description="[x, y] in inches from the upper left corner")]


class Deployment(Spot):
    """A deployment point; `round` is when a group in reserve arrives."""

    side: Annotated[Literal["red", "blue", "either"], Field(description="the player who uses the point")]
    group: Annotated[Literal["dagger", "hammer", "shield"] | None, Field(description="the battle group")] = None
    round: Annotated[Annotated[Int, IntRange(1, 9, limits.MAP)] | None, Field(description="the battle round in which the group arrives")] = None  # fmt: skip  # noqa: E501


class Objective(Spot):
    """An objective; `mark` is the letter on it."""

    mark: Annotated[ObjectiveLetter | None, Field(description="a letter on it, such as A")] = None


class BattleMap(Model):
    """A deployment map, usually 30 by 22 inches (core rules: The Battlefield)."""

    width: Annotated[SideLength, Field(description="in inches")] = 30
    height: Annotated[SideLength, Field(description="in inches")] = 22
    points: Annotated[tuple[Deployment, ...], Field(description="deployment points")] = ()
    objectives: Annotated[tuple[Objective, ...], Field(description="objectives")] = ()
    quarters: Annotated[Flag, Field(description="show the table quarters")] = False
    halves: Annotated[Literal["left-right", "top-bottom", "diagonal"] | None,
                      Field(description="show a red and a blue half, the red one first")] = None  # fmt: skip


class ShownMap(Model):
    """The map that a mat shows: its own, or that of a battleplan."""

    map: Annotated[BattleMap | None, Field(description="the deployment map as data")] = None
    battleplan: Annotated[
        Annotated[Text, Reference("battleplan")] | None, Field(description="id or name of a battleplan with a map")
    ] = None

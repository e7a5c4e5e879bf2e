"""The range ruler of a project, from its cardgen.yaml.

No source gives the lengths of the ruler's segments, so a project can set its own.
"""

from typing import Annotated, Self

from pydantic import model_validator
from pydantic_core import PydanticCustomError

from cardgen.game import Field, GameSettings, Number

_Reach = Annotated[Number, Field(ge=20, le=900)]


class Settings(GameSettings):
    """The farthest distance of each range, in millimeters; siege range is everything beyond."""

    short: Annotated[_Reach, Field(description="end of short range in mm")] = 75
    medium: Annotated[_Reach, Field(description="end of medium range in mm")] = 150
    long: Annotated[_Reach, Field(description="end of long range in mm")] = 300

    @model_validator(mode="after")
    def _are_in_order(self) -> Self:
        if not self.short < self.medium < self.long:
            raise PydanticCustomError("ranges", "ranges must be in order: short, medium, long")
        return self

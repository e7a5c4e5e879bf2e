"""Dice in a game file: faces with weights, or candidates."""

from collections.abc import Mapping
from typing import Annotated, TypeAlias

from pydantic import Field

from cardgen.game_file.spec.names import KindName
from cardgen.validation.base import Int, Model, Text

MOST_DICE, MOST_FACES, MOST_CANDIDATES = 50, 100, 6

FaceName: TypeAlias = Annotated[Text, Field(max_length=40)]
Weight: TypeAlias = Annotated[Int, Field(ge=1, le=MOST_FACES)]
FaceList: TypeAlias = Annotated[
    tuple[FaceName | Int, ...], Field(min_length=1, max_length=MOST_FACES, description="every face, also equal ones")
]
FaceWeights: TypeAlias = Annotated[
    Mapping[FaceName, Weight],
    Field(min_length=1, max_length=MOST_FACES, description="count of each face, by name"),
]


class FacesSpec(Model):
    """The faces of a die."""

    faces: FaceWeights | FaceList


class DieSpec(Model):
    """A die of the game: faces, or candidates for unknown faces."""

    faces: Annotated[FaceWeights | FaceList | None, Field(description="count of each face, by name")] = None
    candidates: Annotated[
        tuple[FacesSpec, ...] | None,
        Field(min_length=2, max_length=MOST_CANDIDATES, description="possible faces of a die whose faces are unknown"),
    ] = None
    help: Annotated[Text, Field(max_length=200, description="explains the die")] | None = None


DiceSpecs: TypeAlias = Annotated[Mapping[KindName, DieSpec], Field(max_length=MOST_DICE)]

"""Pieces in a game file, such as tokens, proxies, rulers, and mats."""

from collections.abc import Mapping
from typing import Annotated, Literal, TypeAlias

from pydantic import Field

from cardgen.game_file.spec.names import FieldName, KindName
from cardgen.validation.base import Model, Number, Text

MOST_PIECE_KINDS, MOST_BASES = 30, 20

MadeFrom: TypeAlias = KindName | Annotated[tuple[KindName, ...], Field(min_length=1, max_length=MOST_PIECE_KINDS)]
Length: TypeAlias = Annotated[str, Field(strict=True, min_length=1, max_length=20)] | Number


class PieceSpec(Model):
    """A kind of piece. Which keys it may have depends on `piece`."""

    piece: Annotated[
        Literal["token", "cylinder", "standee", "blank", "ruler", "box", "mat", "dial"], Field(description="what it is")
    ]
    made_from: Annotated[MadeFrom, Field(alias="from", description="kinds of cards to make it from")] = ()
    text: Annotated[Text, Field(max_length=400, description="template of the text on a token")] | None = None
    icon: Annotated[KindName, Field(description="icon on a token")] | None = None
    diameter: Annotated[Length, Field(description="diameter of a token; 25mm by default")] | None = None
    height: Annotated[Length, Field(description="height of a proxy, 35mm by default, or of a mat")] | None = None
    width: Annotated[Length, Field(description="width of a mat")] | None = None
    bases: Annotated[
        tuple[Length, ...], Field(min_length=1, max_length=MOST_BASES, description="diameters of bases of proxies")
    ] = ()
    of: Annotated[MadeFrom, Field(description="kinds of cards that a blank becomes; all by default")] = ()
    most: Annotated[FieldName, Field(description="field with the highest number of a dial")] | None = None
    label: Annotated[Text, Field(max_length=40, description="what a dial counts")] | None = None
    help: Annotated[Text, Field(max_length=200, description="explains the piece to authors")] | None = None


PieceSpecs: TypeAlias = Annotated[Mapping[KindName, PieceSpec], Field(max_length=MOST_PIECE_KINDS)]

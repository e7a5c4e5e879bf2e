"""The format of `game.yaml`: strict models of the whole file."""

from collections.abc import Mapping
from typing import Annotated

from pydantic import Field

from cardgen.game_file.spec.checks import CheckSpecs
from cardgen.game_file.spec.dice import DiceSpecs
from cardgen.game_file.spec.kinds import KindSpec, SizeSpec, TypeSpec
from cardgen.game_file.spec.lists import ListSpecs
from cardgen.game_file.spec.names import GameId, KindName, Prefix
from cardgen.game_file.spec.pieces import PieceSpecs
from cardgen.game_file.spec.rule_texts import RulingSpec, TermSpec
from cardgen.game_file.spec.trials import TrialSpecs
from cardgen.validation.base import Model, Text

MOST_KINDS, MOST_TYPES, MOST_TERMS, MOST_RULINGS, MOST_SHEETS = 50, 50, 1000, 200, 50


class GameFile(Model):
    """A game, as its file describes it."""

    game: Annotated[GameId, Field(description="id of the game: the name of its folder")]
    name: Annotated[Text, Field(max_length=80, description="name of the game")]
    prefix: Annotated[
        Prefix,
        Field(description="two capital letters that begin the codes of its limits and checks", examples=["EM"]),
    ]
    unit: Annotated[
        Text,
        Field(max_length=20, description="unit of lengths on cards: mm, cm, in, or your own, such as hexes"),
    ] = "mm"
    size: Annotated[SizeSpec, Field(description="default size of kinds")] = "poker"
    types: Annotated[
        Mapping[KindName, TypeSpec], Field(default_factory=dict, max_length=MOST_TYPES, description="parts of cards")
    ]
    kinds: Annotated[
        Mapping[KindName, KindSpec], Field(min_length=1, max_length=MOST_KINDS, description="kinds of cards")
    ]
    lists: Annotated[ListSpecs, Field(default_factory=dict, description="lists of cards, such as warbands")]
    pieces: Annotated[PieceSpecs, Field(default_factory=dict, description="pieces made from cards, such as tokens")]
    glossary: Annotated[
        Mapping[Text, TermSpec],
        Field(default_factory=dict, max_length=MOST_TERMS, description="terms of the game, and what they mean"),
    ]
    rulings: Annotated[
        Mapping[KindName, RulingSpec],
        Field(default_factory=dict, max_length=MOST_RULINGS, description="questions that the rules leave open"),
    ]
    checks: Annotated[CheckSpecs, Field(default_factory=dict, description="checks of the game's cards")]
    dice: Annotated[DiceSpecs, Field(default_factory=dict, description="dice with custom faces")]
    trials: Annotated[TrialSpecs, Field(default_factory=dict, description="rolls and odds for the referee")]
    sheets: Annotated[tuple[Text, ...], Field(max_length=MOST_SHEETS, description="files of reference sheets")] = ()

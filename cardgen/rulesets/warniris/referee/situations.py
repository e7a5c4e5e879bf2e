"""Situations: the parameters of each trial, and miniatures from card data. Geometry is asked, never simulated."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated

from cardgen.game import (
    CardData,
    FirstFighter,
    Parameter,
    card_of_kind,
    did_you_mean,
    find_by_name,
    numbered_names,
    optional_card,
)
from cardgen.rulesets.warniris.cards import Character, Minion, Relic
from cardgen.rulesets.warniris.referee.attack import ATTACK_POINTS
from cardgen.rulesets.warniris.referee.attack_action import available_weapons
from cardgen.rulesets.warniris.referee.game import TABLE_DIAGONAL, Game, State
from cardgen.rulesets.warniris.referee.miniature import Miniature

FIGHTER_KINDS = ("character", "minion")
FIGHTER_MODELS: tuple[type[Character | Minion], ...] = (Character, Minion)
# At most one relic per Character (section 1).
CARRIER_KINDS = ("character",)
EQUIPMENT_KINDS = ("relic",)
REACTION_POINTS = tuple(ATTACK_POINTS)
# Section 6: Cover; ruling `partial-cover`.
COVER_WORDS = ("none", "part", "gap", "hidden")


@dataclass(frozen=True, slots=True)
class TestSituation:
    """A test of one attribute (section 4)."""

    __test__ = False

    card: Annotated[CardData, Parameter("card", "Whose attribute is tested.", FIGHTER_KINDS)]
    attribute: Annotated[str, Parameter("word", "Which one.", words=("mind", "body", "spirit"))]
    bonus: Annotated[int, Parameter("number", "All bonuses and penalties together.", low=-20, high=20)] = 0
    penetration: Annotated[int, Parameter("number", "Penetration to be taken off.", high=20)] = 0


@dataclass(frozen=True, slots=True)
class AttackSituation:
    """One attack or channel, and how the two stand to each other."""

    attacker: Annotated[CardData, Parameter("card", "Who attacks or channels.", FIGHTER_KINDS)]
    target: Annotated[CardData, Parameter("card", "At whom.", FIGHTER_KINDS)]
    weapon: Annotated[str | None, Parameter("word", "With what; the first that can be used if left out.")] = None
    distance: Annotated[
        int | None, Parameter("number", "Distance; in reach if left out.", high=TABLE_DIAGONAL, unit="cm")
    ] = None
    gap: Annotated[bool, Parameter("flag", "The same as the cover 'gap'.")] = False
    between: Annotated[
        tuple[CardData, ...], Parameter("cards", "A miniature in the line, from the attacker outward.", FIGHTER_KINDS)
    ] = ()
    crossed: Annotated[
        int, Parameter("number", "Enemies that a combat weapon's free Move passes through.", high=20)
    ] = 0
    relic: Annotated[CardData | None, Parameter("card", "The attacker's relic.", EQUIPMENT_KINDS)] = None
    target_relic: Annotated[CardData | None, Parameter("card", "The target's relic.", EQUIPMENT_KINDS)] = None
    wounds: Annotated[int | None, Parameter("number", "Wounds that the attacker has left.", high=30)] = None
    target_wounds: Annotated[int | None, Parameter("number", "Wounds that the target has left.", high=30)] = None
    reaction: Annotated[str | None, Parameter("word", "The target reacts with this weapon or power.")] = None
    moment: Annotated[str, Parameter("word", "When a timed reaction happens.", words=REACTION_POINTS)] = "before"
    cover: Annotated[
        str,
        Parameter(
            "word", "Terrain: a gap in it takes 1 off, part of a target is as good as all of it.", words=COVER_WORDS
        ),
    ] = "none"


@dataclass(frozen=True, slots=True)
class DuelSituation:
    """Two fighters in sight of each other for some turns; each activation is two attacks."""

    a: Annotated[CardData, Parameter("card", "One fighter.", FIGHTER_KINDS)]
    b: Annotated[CardData, Parameter("card", "The other.", FIGHTER_KINDS)]
    relic_a: Annotated[CardData | None, Parameter("card", "The relic of the first.", EQUIPMENT_KINDS)] = None
    relic_b: Annotated[CardData | None, Parameter("card", "The relic of the other.", EQUIPMENT_KINDS)] = None
    turns: Annotated[int, Parameter("number", "How many turns.", low=1, high=20)] = 5
    distance: Annotated[
        int | None, Parameter("number", "Distance throughout; in range if left out.", high=TABLE_DIAGONAL, unit="cm")
    ] = None
    first: FirstFighter = "a"


def build_miniatures(cards: Iterable[tuple[CardData, CardData | None]]) -> tuple[Miniature, ...]:
    """Fighters from the data of cards and relics; those of one name are numbered.

    Raises ValueError for data that is no card of a kind that fights, and for a relic that nobody may carry (section 1).
    """
    pairs = [(card_of_kind(card, *FIGHTER_MODELS), optional_card(relic, Relic)) for card, relic in cards]
    for card, relic in pairs:
        if relic and isinstance(card, Minion):
            raise ValueError(f"{card.name} is a Minion, and only Characters carry a relic")
    names = numbered_names([card.name for card, _ in pairs])
    return tuple(Miniature(name, card, relic) for name, (card, relic) in zip(names, pairs, strict=True))


def find_weapon(game: Game, state: State, who: int, name: str) -> str:
    """The weapon of that name, in capitals or not. Raises ValueError when there is none."""
    names = available_weapons(game, state, who)
    match = find_by_name(names.values(), name)
    if match is not None:
        return match.name
    owner = game.name(who)
    if not names:
        raise ValueError(f"{owner} has no weapon at all")
    hint = did_you_mean(name, names) or f"; it has {', '.join(names)}"
    raise ValueError(f"{owner} has no weapon '{name}'{hint}")


def not_simulated(game: Game) -> tuple[str, ...]:
    """What the procedures do not judge."""
    return tuple(dict.fromkeys(text for miniature in game.miniatures for text in miniature.not_simulated))

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
    find_by_name,
    missing_part,
    numbered_names,
    optional_card,
)
from cardgen.rulesets.warniris.cards import Character, Minion, Relic
from cardgen.rulesets.warniris.effect import CONDITIONS
from cardgen.rulesets.warniris.referee.attack import (
    ATTACK_POINTS,
)
from cardgen.rulesets.warniris.referee.conditions import available_weapons
from cardgen.rulesets.warniris.referee.game import Game, State
from cardgen.rulesets.warniris.referee.miniature import Miniature
from cardgen.rulesets.warniris.rulebook import TABLE_DIAGONAL
from cardgen.rulesets.warniris.words import Scope

FIGHTER_KINDS = ("character", "minion")
FIGHTER_MODELS: tuple[type[Character | Minion], ...] = (Character, Minion)
# At most one relic per Character (section 1).
CARRIER_KINDS = ("character",)
EQUIPMENT_KINDS = ("relic",)
REACTION_POINTS = tuple(ATTACK_POINTS)
# Section 6: Cover; rulings `partial-cover` and `small-gaps`. A slit is a gap under 1 cm.
# The time for the odds grows with the square of their number.
MAX_BETWEEN = 20
COVER_WORDS = ("none", "part", "slit", "gap", "hidden")


@dataclass(frozen=True, slots=True)
class TestSituation:
    """A test of one attribute (section 4)."""

    __test__ = False

    card: Annotated[CardData, Parameter("card", "Character or Minion that takes the test.", FIGHTER_KINDS)]
    attribute: Annotated[str, Parameter("word", "Attribute to test.", words=("mind", "body", "spirit"))]
    bonus: Annotated[int, Parameter("number", "Sum of all bonuses and penalties.", low=-20, high=20)] = 0
    penetration: Annotated[int, Parameter("number", "Penetration to subtract.", high=20)] = 0


@dataclass(frozen=True, slots=True)
class AttackSituation:
    """One attack or channel, and how the two stand to each other."""

    attacker: Annotated[CardData, Parameter("card", "Attacker.", FIGHTER_KINDS)]
    target: Annotated[CardData, Parameter("card", "Target.", FIGHTER_KINDS)]
    weapon: Annotated[str | None, Parameter("word", "Weapon or power (default: the first that can be used).")] = None
    distance: Annotated[
        int | None, Parameter("number", "Distance (default: in Range).", high=TABLE_DIAGONAL, unit="cm")
    ] = None
    gap: Annotated[bool, Parameter("flag", "Same as --cover gap.")] = False
    between: Annotated[
        tuple[CardData, ...],
        Parameter("cards", "Miniature in the line, from the attacker outward. Can be repeated.", FIGHTER_KINDS),
    ] = ()
    distance_between: Annotated[
        int | None,
        Parameter(
            "number",
            "Distance of the miniatures in between (default: the target's).",
            high=TABLE_DIAGONAL,
            unit="cm",
        ),
    ] = None
    crossed: Annotated[
        int,
        Parameter(
            "number",
            "Enemies that a combat weapon's free Move passes through; a failed test stops it out of Range.",
            high=20,
        ),
    ] = 0
    relic: Annotated[CardData | None, Parameter("card", "Relic of the attacker.", EQUIPMENT_KINDS)] = None
    target_relic: Annotated[CardData | None, Parameter("card", "Relic of the target.", EQUIPMENT_KINDS)] = None
    wounds: Annotated[int | None, Parameter("number", "Wounds that the attacker has left (default: all).", high=30)] = (
        None
    )
    target_wounds: Annotated[
        int | None, Parameter("number", "Wounds that the target has left (default: all).", high=30)
    ] = None
    reaction: Annotated[str | None, Parameter("word", "Weapon or power with which the target reacts.")] = None
    moment: Annotated[str, Parameter("word", "Moment of a timed reaction.", words=REACTION_POINTS)] = "before"
    cover: Annotated[
        str,
        Parameter(
            "word",
            "Cover when the attack is made: a gap takes 1 off, a partly hidden target nothing, "
            "and a slit (a gap under 1 cm) blocks.",
            words=COVER_WORDS,
        ),
    ] = "none"

    def __post_init__(self) -> None:
        if len(self.between) > MAX_BETWEEN:
            raise ValueError(f"at most {MAX_BETWEEN} miniatures can be in between, not {len(self.between)}")


@dataclass(frozen=True, slots=True)
class DuelSituation:
    """Two fighters in sight of each other for some turns; each activation is two attacks."""

    a: Annotated[CardData, Parameter("card", "First fighter.", FIGHTER_KINDS)]
    b: Annotated[CardData, Parameter("card", "Second fighter.", FIGHTER_KINDS)]
    relic_a: Annotated[CardData | None, Parameter("card", "Relic of the first fighter.", EQUIPMENT_KINDS)] = None
    relic_b: Annotated[CardData | None, Parameter("card", "Relic of the second fighter.", EQUIPMENT_KINDS)] = None
    turns: Annotated[int, Parameter("number", "Number of turns.", low=1, high=20)] = 5
    distance: Annotated[
        int | None,
        Parameter(
            "number",
            "Distance at first (default: in Range); a combat weapon's free Move shortens it.",
            high=TABLE_DIAGONAL,
            unit="cm",
        ),
    ] = None
    first: FirstFighter = "a"


def build_miniatures(cards: Iterable[tuple[CardData, CardData | None]]) -> tuple[Miniature, ...]:
    """Fighters from the data of cards and relics; those of one name are numbered.

    Raises ValueError for cards that cannot fight, and for a relic that nobody may carry (section 1).
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
    raise ValueError(missing_part(game.name(who), "weapon", name, names))


# The conditions of effects that the odds of an attack and of a duel tell apart. Any other is one of a battle.
ATTACK_CONDITIONS = frozenset(CONDITIONS.where(lambda condition: condition.scope <= Scope.ATTACK))
DUEL_CONDITIONS = frozenset(CONDITIONS.where(lambda condition: condition.scope <= Scope.DUEL))


def not_simulated(game: Game, conditions: frozenset[str] | None = None) -> tuple[str, ...]:
    """What the procedures do not judge; `conditions` are those of effects that they know, None for all."""
    left_out = [text for miniature in game.miniatures for text in miniature.not_simulated]
    unknown = () if conditions is None else CONDITIONS.keys() - conditions
    left_out += [
        f"{miniature.name}: '{effect.name}' has the condition '{key}', which counts as not met here"
        for miniature in game.miniatures
        for effect in miniature.effects
        for key in effect.condition.keys
        if key in unknown
    ]
    return tuple(dict.fromkeys(left_out))

"""Situations: the parameters of each trial. Geometry is asked, never simulated."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, TypeAlias

from cardgen.referee.trial import Parameter
from cardgen.rulesets.warcry.cards import DICE
from cardgen.rulesets.warcry.referee.attack import REACTIONS

# The plain data of a card, as its model writes it.
CardData: TypeAlias = dict[str, Any]
FIGHTERS, BLESSINGS, TRAITS, ABILITIES = ("fighter",), ("blessing",), ("trait",), ("ability",)
MAX_DISTANCE = 40

Attacker = Annotated[CardData, Parameter("card", "Who attacks.", FIGHTERS)]
Target = Annotated[CardData, Parameter("card", "Whom.", FIGHTERS)]
WeaponName = Annotated[str | None, Parameter("word", "With which weapon; the first that reaches if left out.")]
Distance = Annotated[
    int | None, Parameter("number", "Distance; in range if left out.", high=MAX_DISTANCE, unit="inches")
]
InCover = Annotated[bool, Parameter("flag", "The target is in cover.")]
TargetReaction = Annotated[str | None, Parameter("word", "The target's reaction.", words=REACTIONS)]
AttackerAbility = Annotated[CardData | None, Parameter("card", "The attacker's ability.", ABILITIES)]
AbilityValue = Annotated[int | None, Parameter("number", "The value of the ability's dice.", low=1, high=6)]
AbilityDice = Annotated[str | None, Parameter("word", "With which dice the ability is paid for.", words=DICE)]
AttackerBlessing = Annotated[CardData | None, Parameter("card", "The attacker's blessing.", BLESSINGS)]
TargetBlessing = Annotated[CardData | None, Parameter("card", "The target's blessing.", BLESSINGS)]
AttackerTrait = Annotated[CardData | None, Parameter("card", "The attacker's battle trait.", TRAITS)]
TargetTrait = Annotated[CardData | None, Parameter("card", "The target's battle trait.", TRAITS)]
TargetAbility = Annotated[CardData | None, Parameter("card", "An ability at work on the target.", ABILITIES)]
AttackerDamage = Annotated[int, Parameter("number", "Damage points that the attacker has already.", high=100)]
TargetDamage = Annotated[int, Parameter("number", "Damage points that the target has already.", high=100)]


@dataclass(frozen=True, slots=True)
class AttackActionSituation:
    """One attack action, and how the two stand to each other."""

    attacker: Attacker
    target: Target
    weapon: WeaponName = None
    distance: Distance = None
    cover: InCover = False
    reaction: TargetReaction = None
    ability: AttackerAbility = None
    value: AbilityValue = None
    dice: AbilityDice = None
    blessing: AttackerBlessing = None
    target_blessing: TargetBlessing = None
    trait: AttackerTrait = None
    target_trait: TargetTrait = None
    target_ability: TargetAbility = None
    damage: AttackerDamage = 0
    target_damage: TargetDamage = 0


@dataclass(frozen=True, slots=True)
class ActivationSituation(AttackActionSituation):
    """One activation or more: two actions each, and an ability in the first."""

    activations: Annotated[int, Parameter("number", "How many activations.", low=1, high=6)] = 2
    reactions: Annotated[int, Parameter("number", "How many attacks of each activation it answers.", high=2)] = 1
    again: Annotated[bool, Parameter("flag", "The ability is used in every activation.")] = False
    enemies_near: Annotated[bool, Parameter("flag", "An enemy is within 1 inch of the attacker at first.")] = False
    half_down: Annotated[bool, Parameter("flag", "Half of the attacker's warband or more is taken down.")] = False


@dataclass(frozen=True, slots=True)
class InitiativeSituation:
    """The initiative phase of a battle round."""

    dice_a: Annotated[int, Parameter("number", "Initiative dice of player A.", low=1, high=10)] = 6
    dice_b: Annotated[int, Parameter("number", "Initiative dice of player B.", low=1, high=10)] = 6
    wild_a: Annotated[int, Parameter("number", "Wild dice of player A, saved ones included.", high=6)] = 1
    wild_b: Annotated[int, Parameter("number", "Wild dice of player B, saved ones included.", high=6)] = 1
    trait_a: Annotated[CardData | None, Parameter("card", "The battle trait of player A.", TRAITS)] = None
    trait_b: Annotated[CardData | None, Parameter("card", "The battle trait of player B.", TRAITS)] = None


@dataclass(frozen=True, slots=True)
class DiceSituation:
    """The ability dice of one player."""

    dice: Annotated[int, Parameter("number", "Initiative dice.", low=1, high=10)] = 6
    wild: Annotated[int, Parameter("number", "Wild dice, all used to lift sets.", high=6)] = 0
    value: Annotated[int, Parameter("number", "Only sets of this value or higher count.", low=1, high=6)] = 1


@dataclass(frozen=True, slots=True)
class DisengageSituation:
    """A disengage action, answered with Strike Them Down."""

    fighter: Annotated[CardData, Parameter("card", "Who disengages.", FIGHTERS)]
    damage: Annotated[int, Parameter("number", "Damage points that it has already.", high=100)] = 0
    blessing: Annotated[CardData | None, Parameter("card", "Its blessing.", BLESSINGS)] = None


@dataclass(frozen=True, slots=True)
class FallSituation:
    """Impact damage."""

    fighter: Annotated[CardData, Parameter("card", "Who suffers it.", FIGHTERS)]
    damage: Annotated[int, Parameter("number", "Damage points that it has already.", high=100)] = 0
    enemy_trait: Annotated[CardData | None, Parameter("card", "The enemy's battle trait.", TRAITS)] = None


@dataclass(frozen=True, slots=True)
class FighterDuelSituation:
    """Two fighters alone, at one distance, for some battle rounds; each activation is two attacks."""

    a: Annotated[CardData, Parameter("card", "One fighter.", FIGHTERS)]
    b: Annotated[CardData, Parameter("card", "The other.", FIGHTERS)]
    blessing_a: Annotated[CardData | None, Parameter("card", "The blessing of the first.", BLESSINGS)] = None
    blessing_b: Annotated[CardData | None, Parameter("card", "The blessing of the other.", BLESSINGS)] = None
    rounds: Annotated[int, Parameter("number", "How many battle rounds.", low=1, high=10)] = 4
    distance: Annotated[int, Parameter("number", "Distance throughout.", high=MAX_DISTANCE, unit="inches")] = 1
    first: Annotated[str, Parameter("word", "Who goes first when it is rolled.", words=("a", "b"))] = "a"

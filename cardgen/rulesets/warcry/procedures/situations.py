"""What the trials of Warcry want to know: the geometry is asked, never simulated."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, TypeAlias

from cardgen.rulesets.adjudication import Option
from cardgen.rulesets.warcry.kinds import DICE
from cardgen.rulesets.warcry.procedures.attack import REACTIONS

# The plain data of a card, as its model writes it.
Data: TypeAlias = dict[str, Any]
FIGHTERS, BLESSINGS, TRAITS, ABILITIES = ("fighter",), ("blessing",), ("trait",), ("ability",)
FAR = 40

Who = Annotated[Data, Option("card", "Who attacks.", FIGHTERS)]
Whom = Annotated[Data, Option("card", "Whom.", FIGHTERS)]
With = Annotated[str | None, Option("word", "With which weapon; the first that reaches if left out.")]
Away = Annotated[int | None, Option("number", "Distance; in range if left out.", high=FAR, unit="inches")]
InCover = Annotated[bool, Option("flag", "The target is in cover.")]
Reacts = Annotated[str | None, Option("word", "The target's reaction.", words=REACTIONS)]
Power = Annotated[Data | None, Option("card", "The attacker's ability.", ABILITIES)]
Value = Annotated[int | None, Option("number", "The value of the ability's dice.", low=1, high=6)]
Paid = Annotated[str | None, Option("word", "With which dice the ability is paid for.", words=DICE)]
Gift = Annotated[Data | None, Option("card", "The attacker's blessing.", BLESSINGS)]
OtherGift = Annotated[Data | None, Option("card", "The target's blessing.", BLESSINGS)]
Held = Annotated[Data | None, Option("card", "The attacker's battle trait.", TRAITS)]
OtherHeld = Annotated[Data | None, Option("card", "The target's battle trait.", TRAITS)]
OtherPower = Annotated[Data | None, Option("card", "An ability at work on the target.", ABILITIES)]
Hurt = Annotated[int, Option("number", "Damage points that the attacker has already.", high=100)]
OtherHurt = Annotated[int, Option("number", "Damage points that the target has already.", high=100)]


@dataclass(frozen=True, slots=True)
class AttackSituation:
    """One attack action, and how the two stand to each other."""

    attacker: Who
    target: Whom
    weapon: With = None
    distance: Away = None
    cover: InCover = False
    reaction: Reacts = None
    ability: Power = None
    value: Value = None
    dice: Paid = None
    blessing: Gift = None
    target_blessing: OtherGift = None
    trait: Held = None
    target_trait: OtherHeld = None
    target_ability: OtherPower = None
    damage: Hurt = 0
    target_damage: OtherHurt = 0


@dataclass(frozen=True, slots=True)
class ActivationSituation(AttackSituation):
    """One activation or more: two actions each, and an ability in the first."""

    activations: Annotated[int, Option("number", "How many activations.", low=1, high=6)] = 2
    reactions: Annotated[int, Option("number", "How many attacks of each activation it answers.", high=2)] = 1
    again: Annotated[bool, Option("flag", "The ability is used in every activation.")] = False
    enemies_near: Annotated[bool, Option("flag", "An enemy is within 1 inch of the attacker at first.")] = False
    half_down: Annotated[bool, Option("flag", "Half of the attacker's warband or more is taken down.")] = False


@dataclass(frozen=True, slots=True)
class InitiativeSituation:
    """The initiative phase of a battle round."""

    dice_a: Annotated[int, Option("number", "Initiative dice of player A.", low=1, high=10)] = 6
    dice_b: Annotated[int, Option("number", "Initiative dice of player B.", low=1, high=10)] = 6
    wild_a: Annotated[int, Option("number", "Wild dice of player A, saved ones included.", high=6)] = 1
    wild_b: Annotated[int, Option("number", "Wild dice of player B, saved ones included.", high=6)] = 1
    trait_a: Annotated[Data | None, Option("card", "The battle trait of player A.", TRAITS)] = None
    trait_b: Annotated[Data | None, Option("card", "The battle trait of player B.", TRAITS)] = None


@dataclass(frozen=True, slots=True)
class DiceSituation:
    """The ability dice of one player."""

    dice: Annotated[int, Option("number", "Initiative dice.", low=1, high=10)] = 6
    wild: Annotated[int, Option("number", "Wild dice, all used to lift sets.", high=6)] = 0
    value: Annotated[int, Option("number", "Only sets of this value or higher count.", low=1, high=6)] = 1


@dataclass(frozen=True, slots=True)
class DisengageSituation:
    """A disengage action, answered with Strike Them Down."""

    fighter: Annotated[Data, Option("card", "Who disengages.", FIGHTERS)]
    damage: Annotated[int, Option("number", "Damage points that it has already.", high=100)] = 0
    blessing: Annotated[Data | None, Option("card", "Its blessing.", BLESSINGS)] = None


@dataclass(frozen=True, slots=True)
class FallSituation:
    """Impact damage."""

    fighter: Annotated[Data, Option("card", "Who suffers it.", FIGHTERS)]
    damage: Annotated[int, Option("number", "Damage points that it has already.", high=100)] = 0
    enemy_trait: Annotated[Data | None, Option("card", "The enemy's battle trait.", TRAITS)] = None


@dataclass(frozen=True, slots=True)
class DuelSituation:
    """Two fighters alone, at one distance, for some battle rounds; each activation is two attacks."""

    a: Annotated[Data, Option("card", "One fighter.", FIGHTERS)]
    b: Annotated[Data, Option("card", "The other.", FIGHTERS)]
    blessing_a: Annotated[Data | None, Option("card", "The blessing of the first.", BLESSINGS)] = None
    blessing_b: Annotated[Data | None, Option("card", "The blessing of the other.", BLESSINGS)] = None
    rounds: Annotated[int, Option("number", "How many battle rounds.", low=1, high=10)] = 4
    distance: Annotated[int, Option("number", "Distance throughout.", high=FAR, unit="inches")] = 1
    first: Annotated[str, Option("word", "Who goes first when it is rolled.", words=("a", "b"))] = "a"

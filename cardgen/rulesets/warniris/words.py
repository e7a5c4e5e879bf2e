"""The words of effects: what is declared of each, and all moments, durations, and Tests.

The keys of effects, which are words as well, are declared where they stand, in `effect`.
"""

import enum
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from cardgen.game import Vocabulary, Word

T = TypeVar("T")


class Meaning(enum.Flag):
    """What odds depend on because of a word."""

    SUM = enum.auto()  # How many times it is in force.
    AIM = enum.auto()  # Which weapons a miniature has, and whom they reach.
    STRIDE = enum.auto()  # Whom they reach after a Move.
    HEALS = enum.auto()  # Wounds regained.
    DEALS = enum.auto()  # Wounds lost.
    GIFT = enum.auto()  # The weapons that a miniature has, whether it uses them or not.
    STATE = enum.auto()  # Wounds, chance beyond the attack, or reactions left.
    UNDECLARED = enum.auto()  # Nobody knows what.


NOTHING = Meaning(0)
EVERYTHING = ~NOTHING
# What a change can still matter to after a moment, if it ends at once: dice, Damage, and choices.
Dice = enum.Flag("Dice", "HIT WOUND RESIST LOSS TIMING MOVE TARGET RESULT")
NO_DICE = Dice(0)


class Phrase(enum.IntEnum):
    """How a deed is written, in the order of the phrases for one party."""

    HEALED = enum.auto()  # 'regains 2 Wounds'
    DEALT = enum.auto()  # 'takes 1 Damage'
    IGNORED = enum.auto()  # 'ignores 1 point of Damage'
    RULE = enum.auto()  # 'cannot regain Wounds'
    HALVED, WOUNDS, SCORE = enum.auto(), enum.auto(), enum.auto()  # The same, after others.
    SHIFT = enum.auto()  # 'may be shifted up to 3 cm without Tests', or 'you may shift it'
    OFFER = enum.auto()  # 'may make a free Move of up to 5 cm'
    REROLL = enum.auto()  # 'may re-roll' of one's own, 'must re-roll' of others
    WEAPON = enum.auto()  # 'may use *Claws* (CW R1 D2)'
    ACTIONS = enum.auto()  # 'may take one more Action'
    CHANGE = enum.auto()  # 'gets +1 Mind and −5 cm Range'
    SAVED = enum.auto()  # 'unless it passes a Body Test', after all others


# The moment and the duration of something that is used once, if the sentence does not say them.
Use: TypeAlias = tuple[str, str | None]


@dataclass(frozen=True, kw_only=True)
class Deed(Word):
    """What happens to a party, as a key of `Deeds`.

    `is_apart`: by itself, it does nothing between two that touch. `is_sudden`: it is done at once, and does not last.
    `is_brief`: it neither lasts, nor is it done at once. `aids`: nobody would do it to an enemy; of a number, if it is
    above 0. `idle` are the words for it where it has no use, and `dice` what it matters to. `notes` are the reminders
    that can be about it. `by_players` is what the players do for it, and `log` what the referee says of it at once.
    """

    says: Phrase
    meaning: Meaning = EVERYTHING
    is_apart: bool = False
    is_sudden: bool = False
    is_brief: bool = False
    aids: bool = False
    idle: str = ""
    dice: Dice = NO_DICE
    notes: str = ""
    use: Use | None = None
    by_players: str = ""
    log: str = ""


@dataclass(frozen=True, kw_only=True)
class Change(Deed):
    """A change of a number."""

    says: Phrase = Phrase.CHANGE
    meaning: Meaning = Meaning.SUM
    aids: bool = True


@dataclass(frozen=True, kw_only=True)
class Rule(Deed):
    """A rule that does not hold for somebody, or one more that does, without numbers of its own."""

    says: Phrase = Phrase.RULE
    meaning: Meaning = NOTHING
    aids: bool = True


@dataclass(frozen=True, kw_only=True)
class Placing(Deed):
    """A change of place, which the players make."""

    says: Phrase = Phrase.OFFER
    meaning: Meaning = NOTHING
    is_apart: bool = True
    is_sudden: bool = True
    aids: bool = True
    by_players: str = "Move"


class Said(enum.Enum):
    """Where a sentence says a condition."""

    WITH_MOMENT = "in the clause of its moment"
    WOUNDS = "how many Wounds are left"
    STATE = "in a clause of its own"
    TURNS = "in a clause of its own, with its numbers"
    DIE = "in the clause of a die"


# The smallest trial that can tell whether a condition is met.
Scope = enum.IntEnum("Scope", "ATTACK DUEL BATTLE")


@dataclass(frozen=True, kw_only=True)
class Circumstance(Word):
    """A condition, as a key of `Condition`; `is_aside` if its clause names friends, enemies, or places as well.

    Its `meaning` is what odds depend on beyond what its effect does; bounds of counters know that of Wounds.
    """

    said: Said = Said.STATE
    meaning: Meaning = EVERYTHING
    scope: Scope = Scope.BATTLE
    is_aside: bool = False


@dataclass(frozen=True, kw_only=True)
class OfAttack(Circumstance):
    """A condition on the attack, or on those whom the effect concerns."""

    said: Said = Said.WITH_MOMENT
    scope: Scope = Scope.ATTACK


@dataclass(frozen=True, kw_only=True)
class Chance(Circumstance):
    """A condition that a die decides."""

    said: Said = Said.DIE
    meaning: Meaning = NOTHING
    scope: Scope = Scope.ATTACK


@dataclass(frozen=True, kw_only=True)
class Neighbor(Circumstance):
    """A condition on who is near: `question` is what players are asked, and `is_wanted` which answer meets it."""

    meaning: Meaning = NOTHING
    scope: Scope = Scope.ATTACK
    is_aside: bool = True
    question: str
    is_friend: bool = False
    is_wanted: bool = True


# Whose side a party is on; the target of a weapon that protects is a friend.
Side = enum.Enum("Side", "OWN ENEMY EITHER")


@dataclass(frozen=True, kw_only=True)
class Party(Word):
    """Whom an effect concerns: one of its keys. `is_group`: all who meet the condition; `is_chosen`: one of them."""

    side: Side = Side.ENEMY
    is_group: bool = False
    is_chosen: bool = False


class Sort(enum.Enum):
    """What a moment is a part of."""

    ALWAYS = "all times"
    TURN = "a part of the turn"
    OWN = "an act of the bearer other than an attack, such as a Move"
    STRIKE = "an attack: its weapon, opponent, and distance are known"
    KILL = "an elimination: the attack is known if it was one, and distances select friends and enemies"
    NEARBY = "an act of somebody else, or its end; distances are those between it and the bearer"


def no_facts() -> Mapping[str, Any]:
    """Return nothing by nobody's name."""
    return MappingProxyType({})


@dataclass(frozen=True, kw_only=True)
class Moment(Word):
    """When an effect starts or applies.

    `to` is the preposition before an opponent, and `names_weapon` if there are verbs for weapons and for Powers. In
    `by_attacker` moments, the weapon or its bearer acts. `parties` are those that there are besides the bearer, and
    `opponent` is 'that enemy' among them; `gone` are the nouns for whoever is eliminated, by the kind of verb. `dice`
    are what a change can matter to after it, by party. `steps` are those of a duel that bring it about without an
    attack. `void` are the durations that are over, or not yet begun. It `recurs` within a turn or a battle.
    Odds know that effects start in the steps and in attacks; `meaning` is what they depend on beyond that.
    """

    sort: Sort = Sort.NEARBY
    meaning: Meaning = EVERYTHING
    to: str = ""
    names_weapon: bool = False
    by_attacker: bool = False
    parties: tuple[str, ...] = ()
    opponent: str = ""
    gone: Mapping[str, tuple[str, ...]] = field(default_factory=no_facts)
    dice: Mapping[str, Dice] = field(default_factory=no_facts)
    steps: tuple[str, ...] = ()
    void: tuple[str, ...] = ()
    recurs: tuple[str, ...] = ("turn", "battle")


@dataclass(frozen=True, kw_only=True)
class OfTurn(Moment):
    """A part of the turn."""

    sort: Sort = Sort.TURN
    meaning: Meaning = NOTHING
    recurs: tuple[str, ...] = ("battle",)
    steps: tuple[str, ...]
    void: tuple[str, ...] = ("action", "activation")


@dataclass(frozen=True, kw_only=True)
class OfAttacker(Moment):
    """What an attacker does."""

    sort: Sort = Sort.STRIKE
    meaning: Meaning = NOTHING
    by_attacker: bool = True
    parties: tuple[str, ...] = ("target",)
    opponent: str = "target"


@dataclass(frozen=True, kw_only=True)
class OfTarget(Moment):
    """What befalls the target of an attack, or what it does."""

    sort: Sort = Sort.STRIKE
    meaning: Meaning = NOTHING
    parties: tuple[str, ...] = ("attacker",)
    opponent: str = "attacker"


_ANYBODY = ("enemy", "minion", "character")
_HIT, _WOUND, _RESIST = Dice.HIT, Dice.WOUND, Dice.RESIST
MOMENTS = Vocabulary[Moment](
    {
        "always": Moment("at all times", meaning=NOTHING, sort=Sort.ALWAYS, recurs=()),
        "battle_start": OfTurn("at the start of the battle", steps=("dawn",), recurs=()),
        "turn_start": OfTurn("at the start of each turn", steps=("dawn", "dusk")),
        "activation_start": OfTurn("at the start of its Activation", steps=("start",), void=("action",)),
        "activation_end": OfTurn("at the end of its Activation", steps=("end",)),
        "turn_end": OfTurn(
            "at the end of each turn", steps=("dusk", "last dusk"), void=("action", "activation", "turn")
        ),
        "moving": Moment("when it Moves", meaning=NOTHING, sort=Sort.OWN, dice={"bearer": Dice.MOVE}),
        "attacking": OfAttacker(
            *("when it Attacks or Channels",), to="at", names_weapon=True,
            dice={"bearer": _HIT, "target": _RESIST},
        ),
        "attacked": OfTarget(
            *("when it is Attacked or Channeled at",), to="by", names_weapon=True,
            dice={"bearer": _RESIST | Dice.TARGET, "attacker": _HIT | Dice.RESULT},
        ),
        "hit": OfAttacker("when it hits", dice={"bearer": _WOUND, "target": _RESIST}),
        "damaging": OfAttacker("when it deals Damage", to="to"),
        "damaged": OfTarget("when it takes Damage", to="to", dice={"bearer": Dice.LOSS}),
        "reacting": OfTarget(
            "when it Reacts", to="to", parties=("target", "attacker"), opponent="", dice={"bearer": _HIT | Dice.TIMING}
        ),
        "eliminated": Moment(
            *("when it is eliminated",), meaning=NOTHING, sort=Sort.KILL, to="by", parties=("attacker",), recurs=(),
        ),
        "eliminating": Moment(
            "when it eliminates an enemy", meaning=NOTHING, sort=Sort.KILL, gone={"": ("enemy",), "kind": _ANYBODY}
        ),
        "resisting": OfTarget("when it passes a Test to resist"),
        "missed": OfTarget("when an Attack or Channel at it misses"),
        "resisted": OfAttacker("when its Attack or Channel is resisted", to="by"),
        "missing": OfAttacker("when its Attack or Channel misses"),
        "struck": OfTarget("when it is hit", to="by", dice={"bearer": _RESIST, "attacker": _WOUND}),
        "attack_end": OfAttacker(
            "when it has Attacked or Channeled", to="at", names_weapon=True, opponent=""
        ),
        "friend_eliminated": Moment("when a friend is eliminated", meaning=NOTHING, gone={"": ("friend",)}),
        "enemy_eliminated": Moment("when an enemy is eliminated", meaning=NOTHING, gone={"": _ANYBODY}),
        "enemy_activated": Moment(
            "when an enemy starts its Activation", meaning=NOTHING, opponent="actor", steps=("start",)
        ),
        "enemy_moved": Moment("when an enemy ends a Move", meaning=NOTHING, opponent="actor"),
        "enemy_attacking": Moment(
            "when an enemy Attacks or Channels", meaning=NOTHING, opponent="actor", dice={"actor": _HIT | Dice.RESULT}
        ),
    }
)  # fmt: skip


def moments(test: Callable[[Moment], object]) -> frozenset[str]:
    """Return the names of the moments for which a test holds."""
    return frozenset(MOMENTS.where(test))


STRIKES = moments(lambda moment: moment.sort is Sort.STRIKE)
KILLS = moments(lambda moment: moment.sort is Sort.KILL)
NEARBY_EVENTS = moments(lambda moment: moment.sort is Sort.NEARBY)
# What enemies do: the start of their Activation, the end of their Move, and their Attack or Channel before any die.
ENEMY_ACTS = moments(lambda moment: moment.opponent == "actor")


@dataclass(frozen=True, kw_only=True)
class Ending(Word):
    """A duration; `help` is when it ends, and `meaning` what odds depend on beyond its end at a step or an attack."""

    meaning: Meaning = EVERYTHING


SPANS = Vocabulary(
    {
        "action": Ending("the end of the action", meaning=NOTHING),
        "activation": Ending("the end of the activation", meaning=NOTHING),
        "turn": Ending("the end of the turn", meaning=NOTHING),
        "next-activation": Ending("the start of its next Activation", meaning=NOTHING),
        "own-activation": Ending("the end of the next Activation of the miniature that it concerns", meaning=NOTHING),
        "next-turn": Ending("the end of the next turn", meaning=NOTHING),
        "battle": Ending("the end of the battle", meaning=NOTHING),
    }
)


@dataclass(frozen=True, kw_only=True)
class Rerolled(Word):
    """A Test that effects can re-roll, by kind or attribute; `dice` and `use` are as those of a deed."""

    dice: Dice
    use: Use | None = None


REROLLS = Vocabulary(
    {
        "hit": Rerolled("the Test to hit", dice=_HIT, use=("attacking", None)),
        "resist": Rerolled("the Test to resist", dice=_RESIST, use=("attacked", None)),
        "timing": Rerolled("the Test to time a Reaction", dice=Dice.TIMING, use=("reacting", None)),
        "mind": Rerolled("a Test of Mind", dice=_HIT),
        "body": Rerolled("a Test of Body", dice=_RESIST | Dice.MOVE),
        "spirit": Rerolled("a Test of Spirit", dice=_HIT | _RESIST),
        "any": Rerolled("any Test", dice=_HIT | _RESIST | Dice.TIMING | Dice.MOVE),
    }
)
if TYPE_CHECKING:
    Trigger: TypeAlias = str
    Event: TypeAlias = str
    Duration: TypeAlias = str
    Test: TypeAlias = str
else:
    Trigger, Duration, Test = MOMENTS.literal, SPANS.literal, REROLLS.literal
    Event = Vocabulary({name: each for name, each in MOMENTS.items() if each.sort is not Sort.ALWAYS}).literal

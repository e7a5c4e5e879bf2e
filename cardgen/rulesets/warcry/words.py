"""The words of changes: what is declared of each key, and all moments, durations, and bans.

The keys of changes, groups, and conditions, which are words as well, are declared where they stand: those of changes in
`changes`, the others in `selections`. A fact that is not declared is the careful one: the players apply the deed, the
tracker asks for the state, and no procedure adds it to a number.
"""

import enum
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from cardgen.game import Vocabulary, Word


class Fact(enum.Flag):
    """What the rules, the procedures, and the sentences of texts take for granted of a key of a change."""

    FIGHTER = enum.auto()  # It changes a number of the fighter,
    WEAPON = enum.auto()  # or one of its weapons.
    STATE = enum.auto()  # It can last without being a number.
    ENDS = enum.auto()  # Its clause can say for how long.
    SUDDEN = enum.auto()  # It happens at once, so that a rule must say when.
    BONUS = enum.auto()  # It is a bonus action.
    AIMED = enum.auto()  # Its clause can say for which attacks it is.
    OF_WEAPONS = enum.auto()  # It is for attacks, of one type or all, and never for a single weapon.
    SEVERAL = enum.auto()  # It does not go with a single weapon.
    COUNTED = enum.auto()  # It can happen once for each of something.
    LOWERED = enum.auto()  # It can have a lowest result.
    GOOD, BAD = enum.auto(), enum.auto()  # For the fighter.
    HARM = enum.auto()  # Nobody does it to a fighter that was not named.
    EARLY = enum.auto()  # It is over when abilities are used.
    IN_NUMBERS = enum.auto()  # Fighters have it in their numbers, or procedures ask for it,
    IN_ATTACK = enum.auto()  # and an attack applies it.
    IN_ACTIVATION = enum.auto()  # An activation applies it.
    KEPT = enum.auto()  # The tracker keeps it in force until its end.
    PLAYED = enum.auto()  # The tracker plays it, or has shown it with the rule.
    OWN = enum.auto()  # The tracker offers an ability with it only where it changes something.
    LATER = enum.auto()  # It matters after the actions of the fighter, too.
    # What a change by a battle trait does not bear on; without any of these, it bears on all.
    APART = enum.auto()  # On nothing: dice before attacks, objectives, ways past others, and who may use a rule.
    OF_USE = enum.auto()  # On what is not about an ability or a reaction that is used.
    BETWEEN = enum.auto()  # On a single attack, whatever its moment is: it happens before or after one.
    PLACES = enum.auto()  # The same, unless its moment is one of the attack.
    DAMAGE = enum.auto()  # On a single attack if its moment is not one of the attack: it has happened before.
    OF_ATTACKER = enum.auto()  # On attacks on the fighter.


NONE = Fact(0)
NUMBER = Fact.IN_NUMBERS | Fact.IN_ATTACK | Fact.PLAYED | Fact.OWN | Fact.COUNTED | Fact.LOWERED | Fact.ENDS
OF_FIGHTER, OF_WEAPON = Fact.FIGHTER | NUMBER, Fact.WEAPON | Fact.OF_ATTACKER | NUMBER
LASTING = Fact.STATE | Fact.ENDS
# What an attack counts besides numbers.
MULTIPLES = LASTING | Fact.AIMED | Fact.IN_NUMBERS | Fact.IN_ATTACK | Fact.KEPT | Fact.PLAYED
HIT_ROLLS = MULTIPLES | Fact.OF_ATTACKER
AT_ONCE = Fact.SUDDEN | Fact.PLAYED
ACTION = AT_ONCE | Fact.BONUS | Fact.PLACES
IN_PROCEDURES = Fact.IN_ATTACK | Fact.IN_ACTIVATION
# Who may use a rule.
USE = IN_PROCEDURES | Fact.IN_NUMBERS | Fact.PLAYED | Fact.APART


class Phrase(enum.Enum):
    """How a deed is written."""

    NUMBER = enum.auto()  # '+1 Move', with all other numbers
    POINTS = enum.auto()  # 'is allocated 2 damage points'
    ACTION = enum.auto()  # 'makes a bonus move', with the other bonus actions
    MULTIPLE = enum.auto()  # 'halve its Move and Toughness'
    ATTACKS = enum.auto()  # 're-roll hit rolls of 1 for its attacks'
    VALUE = enum.auto()  # 'damage points are ignored on a 5+', all that the key says
    STATE = enum.auto()  # 'can fly', for as long as it lasts
    FATE = enum.auto()  # 'is removed from the battlefield'
    WARBAND = enum.auto()  # 'you have 1 extra wild die', about no fighter
    MARKS = enum.auto()  # 'only fighters with the Hero runemark …'
    OTHER = enum.auto()  # in words of its own


# After all others.
LAST = 1000


@dataclass(frozen=True, kw_only=True)
class Key(Word):
    """A key of a change that says when, for whom, or how: it is in the sentences of deeds, or it has no effect."""

    facts: Fact = NONE
    step: str = ""
    is_detail: bool = True


@dataclass(frozen=True, kw_only=True)
class Deed(Key):
    """Something that happens, as a key of a change.

    `step` is what the referee does with it in an ability, and `place` where its clause stands among those of a change.
    """

    says: Phrase = field()
    place: int = LAST
    is_detail: bool = False


class Known(enum.Flag):
    """Where the tracker knows a state, and does not ask for it."""

    OF_GROUP = enum.auto()  # Of all who may belong to a group.
    OF_ONE = enum.auto()  # As the condition of a fighter.


NOBODY = Known(0)


GROUP, ONE, BOTH = Known.OF_GROUP, Known.OF_ONE, Known.OF_GROUP | Known.OF_ONE


class Position(enum.Enum):
    """Where a state of a group stands in its noun phrase."""

    BEFORE = enum.auto()  # 'visible enemy'
    AFTER = enum.auto()  # 'enemy in cover'
    WITHIN = enum.auto()  # with another key, or with the number


BEFORE, WITHIN = Position.BEFORE, Position.WITHIN


@dataclass(frozen=True, kw_only=True)
class Circumstance(Word):
    """Something that is true of a fighter, as a key of a group or a condition.

    `detail_of` is the key that it says more about. A condition of it names the fighter unless `is_of_nobody`.
    `never_with` are those that are never true at the same time, `at_most` is the key of the upper limit to a lower one,
    and `farther` are the keys of what must be farther away than this distance. `is_settled` says that it is the same at
    any moment of what lasts for a while, and `option` is the option of an attack that says it of the attacker.
    """

    known: Known = NOBODY
    position: Position = Position.AFTER
    detail_of: str = ""
    is_of_nobody: bool = False
    never_with: tuple[str, ...] = ()
    at_most: str = ""
    farther: str = ""
    is_settled: bool = False
    option: str = ""


@dataclass(frozen=True, kw_only=True)
class Occasion(Word):
    """A moment at which something can happen, and at which a reaction can be made.

    `keys` are those that go with it. It is a `phase` of the battle, about no fighter, and perhaps over when fighters
    use rules (`is_early`); or it is an attack on the fighter (`is_attacked`), or its own (`is_own_attack`), or
    something that an enemy takes part in. With `is_between`, it does not come in an attack action, and with `is_use`,
    before it or in it. `is_tracked` says that the match tracker knows when it is there.
    """

    keys: str = ""
    is_phase: bool = False
    is_early: bool = False
    is_attacked: bool = False
    is_own_attack: bool = False
    has_attacker: bool = False
    has_target: bool = False
    has_enemy: bool = False
    is_damage: bool = False
    is_between: bool = False
    is_use: bool = False
    is_tracked: bool = True


EVENTS = Vocabulary(
    {
        "battle-start": Occasion("the battle starts", is_phase=True, is_early=True, is_tracked=False),
        "before-deployment": Occasion("the fighters are about to be deployed", is_phase=True, is_early=True),
        "deployment": Occasion("the fighters have been deployed", is_phase=True, is_early=True),
        "next-round": Occasion("the next battle round starts", is_phase=True),
        "round-start": Occasion("a battle round starts", keys="rounds", is_phase=True),
        "round-end": Occasion("a battle round ends", keys="rounds", is_phase=True),
        "initiative": Occasion("the initiative phase is over", is_phase=True),
        "targeted": Occasion("an attack targets it", keys="attack of cover first", is_attacked=True, has_attacker=True),
        "totaled": Occasion(
            "its damage is known", keys="attack of deadly", is_attacked=True, has_attacker=True, is_tracked=False
        ),
        "resolved": Occasion(
            "an attack on it is over", keys="attack of first", is_attacked=True, has_attacker=True, is_tracked=False
        ),
        "attacks": Occasion("its own attack is over", keys="attack of first", is_own_attack=True, has_target=True),
        "takes-down": Occasion(
            "it takes down an enemy", keys="attack of enemy uses first", is_own_attack=True, has_enemy=True
        ),
        "would-fall": Occasion("it would be taken down", keys="of first", is_damage=True, is_tracked=False),
        "taken-down": Occasion("it is taken down", keys="attack of enemy first", has_attacker=True),
        "allocated": Occasion("damage points are allocated to it", keys="of by_attack first", is_damage=True),
        "enemy-falls": Occasion("an enemy is taken down", keys="enemy first", has_enemy=True, is_tracked=False),
        "move-start": Occasion("it starts a move action", keys="of", is_between=True),
        "move": Occasion("it ends a move", keys="of within first", is_tracked=False, is_between=True),
        "enemy-move": Occasion(
            "an enemy ends a move", keys="enemy within first", has_enemy=True, is_tracked=False, is_between=True
        ),
        "disengage": Occasion("it has made a disengage action", keys="of", is_between=True),
        "enemy-disengage": Occasion("an enemy disengages", keys="enemy first", has_enemy=True, is_between=True),
        "enemy-wait": Occasion("an enemy waits", keys="enemy first", has_enemy=True, is_between=True),
        "ability": Occasion("it uses an ability", keys="of uses first", is_use=True),
        "enemy-ability": Occasion(
            "an enemy uses an ability", keys="enemy first", has_enemy=True, is_tracked=False, is_use=True
        ),
        "activation-start": Occasion("its activation starts", keys="of", is_between=True),
        "activation-end": Occasion("its activation ends", keys="of", is_between=True),
        "enemy-activation": Occasion(
            "an enemy starts its activation", keys="enemy within", has_enemy=True, is_tracked=False, is_between=True
        ),
    }
)
# How long something lasts; the help stands after 'the changes last'.
SPANS = Vocabulary(
    {
        "attack": Word("for this attack"),
        "move": Word("for this move"),
        "activation": Word("until the end of its activation"),
        "round": Word("until the end of the battle round"),
        "next-activation": Word("until this fighter activates again"),
    }
)


@dataclass(frozen=True, kw_only=True)
class Forbidden(Word):
    """Something that a fighter cannot do, or that cannot be done to it.

    `is_act` says that a fighter that cannot act cannot do it, and `is_tracked` that the tracker knows of it.
    """

    is_act: bool = False
    is_tracked: bool = True


BANS = Vocabulary(
    {
        "move": Forbidden("a move action", is_act=True),
        "disengage": Forbidden("a disengage action", is_act=True),
        "attack": Forbidden("an attack action", is_act=True),
        "wait": Forbidden("waiting", is_act=True),
        "ability": Forbidden("abilities"),
        "react": Forbidden("reactions"),
        "activate": Forbidden("activations"),
        "bonus": Forbidden("bonus actions", is_act=True),
        "control": Forbidden("control of objectives"),
        "carry": Forbidden("carrying treasure", is_tracked=False),
        "heal": Forbidden("the removal of its damage points"),
        "be-attacked": Forbidden("attacks that target it"),
        "be-struck": Forbidden("melee attacks that target it"),
        "be-shot": Forbidden("missile attacks that target it"),
        "be-answered": Forbidden("reactions to its actions"),
        "act": Forbidden("any action"),
        "cover": Forbidden("the benefit of cover"),
        "impact": Forbidden("impact damage"),
        "fall": Forbidden("being taken down", is_tracked=False),
    }
)
OBJECTIVE, QUARTERS, HALVES = "objective", "table quarters", "table halves"


@dataclass(frozen=True, kw_only=True)
class PlanWord(Word):
    """A word of a battleplan that the tracker plays.

    `needs` is what has to be on the map for that, `least` how many objectives are controlled, or enemies taken down, at
    least, `points` the victory points of a rule, and `within` its distances in inches. A text that says the same has
    one of the words of `says`, and none of `never`; both are patterns. `pairs` are patterns, too: a text with the first
    of a pair has the second.
    """

    needs: str = ""
    least: int = 0
    points: int = 0
    within: tuple[int, ...] = ()
    says: str = ""
    never: str = ""
    pairs: tuple[tuple[str, str], ...] = ()


_FALLS = "down|fall|fell|kill|slain|slay"
_PLACES = "power|place|terrain"
# Words of the opposite: fewer of something else than victory points, unless the opponent has them; more victory points;
# each instead of any; and another time than the battle round, or the battle.
_FEWER = r"^(?!.*(?:opponent|enemy)(?: player)? (?:has|controls?)).*\b(?:fewer|less|lower|lowest|smaller)\b(?! victory)"
_AHEAD = (
    r"\bwith (?:the )?(?:more|most|higher|highest) (?:victory|total|score)|\bplayer has more victory"
    r"|\b(?:is|are) ahead\b|\bin the lead\b"
)
_EACH = r"\b(?:each|every)\b(?! battle round| player)"
_IN_ROUND = r"\b(?:in|during) (?:this|that|the) battle round\b"
_IN_BATTLE = r"\b(?:in|during|end of|rest of|whole) (?:this |the )?battle\b(?! round)|\bso far\b"
_ONE_OF_EACH = rf"^(?:an?|any)\b|{_IN_ROUND}"
_TWIST = rf"{_AHEAD}|{_IN_BATTLE}"
_FOR_GOOD = rf"{_AHEAD}|\b(?:until the end|the rest) of (?:this|that|the) battle round\b"
_ALL_ENEMIES = r"\b(?:all|each|every) enem"
# The quarter or half in which fighters count is measured wholly, and another share of them is rounded down.
_PARTLY = r"(?<!wholly )\bwithin (?:it|(?:a|an|any|each|that|the|this)\b)"
_ROUNDED_DOWN, _ROUNDED_UP = r"\brounded? down|\brounding down", r"\brounded? up|\brounding up"
# A text about each time that something happens is about the first one, too; and what one of the players loses as well.
_ONLY_FIRST = (r"\b(?:each|every) time\b|\bwhenever\b", r"\bfirst\b")
_PLAYER = r"opponent|enemy|other player|foe"


# Conditions that score victory points; the help is the reason that the tracker gives.
SCORES = Vocabulary(
    {
        "any-objective": PlanWord("control of an objective", needs=OBJECTIVE, least=1, never=_EACH),
        "two-objectives": PlanWord("control of two objectives or more", needs=OBJECTIVE, least=2, never=_EACH),
        "more-objectives": PlanWord(
            "control of more objectives", needs=OBJECTIVE, says="more|most|fewer", never=_FEWER
        ),
        "red-holds-b": PlanWord("control of objective B", needs=f"{OBJECTIVE} B", never=r"objective [^b]\b|\bblue\b"),
        "blue-holds-a": PlanWord("control of objective A", needs=f"{OBJECTIVE} A", never=r"objective [^a]\b|\bred\b"),
        "any-taken-down": PlanWord(
            "an enemy was taken down", least=1, says=_FALLS, never=rf"{_EACH}|{_IN_BATTLE}|\bfriend"
        ),
        "more-taken-down": PlanWord(
            "more enemies than friends were taken down", says="more|most|fewer", never=rf"{_FEWER}|{_IN_BATTLE}"
        ),
        "each-hero": PlanWord("Heroes among the enemies taken down", says="hero", never=_ONE_OF_EACH),
        "each-ally-or-monster": PlanWord(
            "Allies and Monsters among the enemies taken down", says="ally|allies|monster", never=_ONE_OF_EACH
        ),
    }
)
SECONDARIES = Vocabulary(
    {
        "devastation": PlanWord(
            "higher devastation total",
            points=2,
            says=f"devastation|total|wounds|{_FALLS}",
            never=rf"{_FEWER}|{_IN_ROUND}",
        ),
        "fall-near-objective": PlanWord(
            "the first enemy taken down near an objective",
            needs=OBJECTIVE,
            points=2,
            within=(3,),
            says=_FALLS,
            pairs=(_ONLY_FIRST,),
        ),
        "enemy-falls-near-objective": PlanWord(
            "an enemy taken down near an objective",
            needs=OBJECTIVE,
            points=2,
            within=(3,),
            says=_FALLS,
            never=r"\b(?:friend(?:ly fighters?|s)?|own fighters?) (?:was|were|is|are|that|falls?|fell|within)\b",
        ),
        "bloodgifted": PlanWord(
            "the bloodgifted fighter",
            needs=OBJECTIVE,
            points=2,
            within=(1, 3),
            says=f"blood|{_FALLS}",
            never=r'\bwithin 3(?:"|″| inch(?:es)?) of (?:an|the|any|that) objective',
            pairs=(_ONLY_FIRST,),
        ),
        "new-objectives": PlanWord(
            "objectives not controlled at the start of the battle round", needs=OBJECTIVE, points=1, says=OBJECTIVE
        ),
        "worthy-foe": PlanWord(
            "a worthy foe",
            says=f"worthy|foe|{_FALLS}",
            never=rf"{_ROUNDED_DOWN}|\bsame battle round\b|\b(?:in|during) this battle round\b",
            pairs=((r"\bdivide|\bfor (?:each|every)\b.*\bpoints", r"\b(?:100|hundred)\b"),),
        ),
        "extra-objective": PlanWord("the extra objective", points=2, says=OBJECTIVE, never=_AHEAD),
        "active-objectives": PlanWord(
            "more active objectives",
            needs=OBJECTIVE,
            points=2,
            says="active",
            never=rf"{_FEWER}|{_AHEAD}|\b(?:start|begin)s? (?:out )?active\b"
            r"|\b(?:each|every|all) objectives? (?:is|are) active\b",
        ),
        "more-quarters": PlanWord(
            "more table quarters", needs=QUARTERS, points=2, says="quarter", never=rf"{_FEWER}|{_PARTLY}"
        ),
        "more-halves": PlanWord(
            "more table halves", needs=HALVES, points=2, says="half|halves", never=rf"{_FEWER}|{_PARTLY}"
        ),
        "more-places-of-power": PlanWord("more places of power", points=2, says=_PLACES, never=_FEWER),
    }
)
TWISTS = Vocabulary(
    {
        "prize-objective": PlanWord(
            "an objective is worth more", needs=OBJECTIVE, points=1, says=OBJECTIVE, never=_TWIST
        ),
        "remove-objective": PlanWord("an objective is removed", needs=OBJECTIVE, says=OBJECTIVE, never=_FOR_GOOD),
        "more-wild-dice": PlanWord(
            "more wild dice", says="wild|dice",
            never=rf"{_AHEAD}|\bafter the initiative|\b(?:[2-9]|two|three) (?:\w+ )?wild dice for (?:each|every)",
            pairs=((r"\bwild di", r"\b(?:for (?:each|every)|difference|equal|as many|that many|per|behind)\b"),),
        ),
        "strength-near-objective": PlanWord(
            "more Strength near an objective", needs=OBJECTIVE, within=(3,), says="strength",
            never=rf"{_TWIST}|\+(?!1\b)\d+ strength|[-−]\d+ strength"
            r"|\badd (?!1\b)\d+ to the strength|\bsubtract \d+ from the strength",
        ),
        "ignore-objective": PlanWord(
            "an objective does not count", needs=OBJECTIVE, says=OBJECTIVE, never=_TWIST,
            pairs=((r"\bprimary\b", r"\bsecondary\b"), (r"\bsecondary\b", r"\bprimary\b")),
        ),
        "remove-two-objectives": PlanWord(
            "two objectives are removed", needs=OBJECTIVE, least=4, says=OBJECTIVE, never=_FOR_GOOD,
            pairs=((r"\bfewer\b|\bbehind\b", _PLAYER),),
        ),
        "ignore-fighters": PlanWord(
            "fighters do not count", says="fighter|enem|friend", never=rf"{_TWIST}|\bsecondary victory"
        ),
        "exhaust-enemy": PlanWord(
            "an enemy is exhausted", points=1, says="exhaust|toughness",
            never=rf"{_TWIST}|{_ALL_ENEMIES}|[-−](?!2\b)\d+ toughness|\+\d+ toughness|\bits opponent scores"
            r"|\bsubtract (?!2\b)\d+ from the toughness|\badd \d+ to the toughness",
        ),
        "silence-enemy": PlanWord(
            "an enemy cannot use abilities", says="abilit|silence", never=rf"{_TWIST}|{_ALL_ENEMIES}"
        ),
        "ruin-place-of-power": PlanWord("a place of power is removed", says=_PLACES, never=_FOR_GOOD),
        "ignore-quarter": PlanWord(
            "a table quarter does not count", needs=QUARTERS, says="quarter", never=_TWIST
        ),
        "halve-half": PlanWord(
            "half of the fighters in a table half count", needs=HALVES, says="half|halves",
            never=rf"{_TWIST}|{_ROUNDED_UP}|\b(?:each|both) player(?:s['’]|['’]s)|\ball fighters"
            r"|\bboth (?:warbands|sides)\b",
        ),
    }
)  # fmt: skip
PLAN_WORDS = Vocabulary({**SCORES, **SECONDARIES, **TWISTS})
if TYPE_CHECKING:
    ScoreCondition: TypeAlias = str
    SectionRule: TypeAlias = str
    Event: TypeAlias = str
    Duration: TypeAlias = str
    Ban: TypeAlias = str
else:
    ScoreCondition, SectionRule = SCORES.literal, Vocabulary({**SECONDARIES, **TWISTS}).literal
    Event, Duration, Ban = EVENTS.literal, SPANS.literal, BANS.literal

"""Effects (trigger, condition, duration, consequences), and the weapons that have them.

Each key is declared once, with its type, its help, and what the game asks of it; see `words`.
"""

from functools import cache, cached_property, reduce
from operator import or_
from typing import Annotated, ClassVar, Literal, Self

from pydantic import AfterValidator, GetJsonSchemaHandler, model_validator
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema

from cardgen.game import Field, Flag, Int, IntRange, LimitRule, Model, RequiresOneOf, Text, Vocabulary
from cardgen.rulesets.warniris import rulebook
from cardgen.rulesets.warniris.weapon_line import Profile, WeaponName, WeaponType
from cardgen.rulesets.warniris.words import (
    EVERYTHING,
    MOMENTS,
    NOTHING,
    SPANS,
    Chance,
    Change,
    Circumstance,
    Deed,
    Dice,
    Duration,
    Event,
    Meaning,
    Neighbor,
    OfAttack,
    Party,
    Phrase,
    Placing,
    Rule,
    Said,
    Scope,
    Side,
    Test,
    Trigger,
)

OpponentKind = Literal["character", "minion"]
Attribute = Literal["mind", "body", "spirit"]
AttackType = WeaponType | Literal["CW/RW"]
WoundShare = Literal["half", "below-half", "hurt"]
Attackers = Literal["friend", "character", "minion"]
Place = Literal["cover", "terrain", "own-zone", "enemy-zone", "unseen"]
Distance = Annotated[Int, IntRange(0, rulebook.TABLE_DIAGONAL, rulebook.AMOUNT)]
Points = Annotated[Int, IntRange(1, 30, rulebook.AMOUNT)]
Face = Annotated[Int, IntRange(1, 6, rulebook.AMOUNT)]


def _require_distinct(faces: tuple[int, ...]) -> tuple[int, ...]:
    if len(set(faces)) < len(faces):
        raise rulebook.AMOUNT.error("repeated face of the die", help="list each face from 1 to 6 once")
    return tuple(sorted(faces))


Faces = Annotated[
    tuple[Face, ...], Field(min_length=1, json_schema_extra={"uniqueItems": True}), AfterValidator(_require_distinct)
]


class Condition(Model):
    """The condition of an effect.

    Distances are in cm; 'over' means strictly more, and 'within' includes the limit (ruling `distance`). In an attack
    (`STRIKES`), the distance is measured between attacker and target, and `weapon` and `against` refer to the attack's
    weapon and the bearer's opponent; they are checked whenever the effect applies. When somebody is eliminated
    (`KILLS`), they refer to the attack that did it, if it was one. At other moments, the distance selects friends and
    enemies, and `against` selects enemies. The other conditions are about the bearer. They, and `roll` (the faces of a
    D6 that let the effect start), are checked when the effect starts; `reaction` and `assisted` are about the attack.
    """

    # fmt: off
    range_over: Annotated[Distance | None, OfAttack("farther away than this, in cm", meaning=NOTHING)] = None
    range_within: Annotated[Distance | None, OfAttack("at most this far away, in cm", meaning=NOTHING)] = None
    weapon: Annotated[AttackType | None, OfAttack("the type of the attack's weapon; CW/RW for any but a Power",
        meaning=NOTHING)] = None
    weapon_name: Annotated[WeaponName | None, OfAttack("the name of the attack's weapon", meaning=NOTHING)] = None
    against: Annotated[OpponentKind | None, OfAttack("the kind of the opponent", meaning=NOTHING)] = None
    wounds_at_most: Annotated[Points | WoundShare | None,
        OfAttack("the bearer has this many wounds left, or fewer: a number, or a share of the printed ones",
        meaning=NOTHING, said=Said.WOUNDS)] = None
    unmoved: Annotated[Literal["activation", "turn"] | None,
        OfAttack("the bearer has not moved in this activation or turn", meaning=NOTHING, said=Said.STATE)] = None
    unhurt: Annotated[Literal[True] | None, OfAttack("the bearer has lost no wounds", meaning=NOTHING,
        said=Said.STATE)] = None
    friend_within: Annotated[Distance | None, Neighbor("some friend is at most this far away, in cm",
        question="a friend within {} cm", is_friend=True, scope=Scope.BATTLE)] = None
    enemy_within: Annotated[Distance | None, Neighbor("some enemy is at most this far away, in cm",
        question="an enemy within {} cm")] = None
    friend_over: Annotated[Distance | None, Neighbor("every friend is farther away than this, in cm",
        question="no friend within {} cm", is_friend=True, is_wanted=False)] = None
    enemy_over: Annotated[Distance | None, Neighbor("every enemy is farther away than this, in cm",
        question="no enemy within {} cm", is_wanted=False)] = None
    place: Annotated[Place | None,
        Circumstance("where the bearer is; unseen: no enemy sees it", meaning=NOTHING, is_aside=True)] = None
    roll: Annotated[Faces | None, Chance("the faces of a D6 that let the effect start")] = None
    same_roll: Annotated[Faces | None,
        Chance("the faces of the die of an effect before this one, of the same moment")] = None
    turns: Annotated[Faces | None, Circumstance("the turns of a battle in which it starts or applies", meaning=NOTHING,
        said=Said.TURNS, scope=Scope.DUEL)] = None
    reaction: Annotated[Literal["second"] | None, Circumstance("the reaction is the bearer's second in this turn",
        meaning=NOTHING, scope=Scope.DUEL)] = None
    assisted: Annotated[Attackers | None,
        Circumstance("another friend, or one of this kind, has attacked the target in this turn", meaning=NOTHING,
        is_aside=True)] = None
    test: Annotated[Attribute | None, Chance("the test of the bearer that lets the effect start")] = None
    # fmt: on

    @cached_property
    def keys(self) -> tuple[str, ...]:
        """The keys that are given, in the order of the fields."""
        return given_keys(self)

    @property
    def takes_chance(self) -> bool:
        """Whether a die decides if the effect starts."""
        return any(getattr(self, key) for key in _CHANCES)

    @property
    def asks_table(self) -> bool:
        """Whether only the table tells if it is met, unless all distances are known."""
        return bool(self.place) or any(getattr(self, key) is not None for key in NEIGHBORS)

    def wound_limit(self, printed: int) -> int | None:
        """Return `wounds_at_most` as a number for a bearer with the given printed Wounds."""
        if self.wounds_at_most == "half":
            return printed // 2
        if self.wounds_at_most == "below-half":
            return (printed - 1) // 2
        return printed - 1 if self.wounds_at_most == "hurt" else self.wounds_at_most


CONDITIONS = Vocabulary.of(Condition, Circumstance)
# Conditions on the distances of friends and enemies.
NEIGHBORS = {name: each for name, each in CONDITIONS.items() if isinstance(each, Neighbor)}
_CHANCES = CONDITIONS.where(lambda condition: condition.said is Said.DIE)


Die = Literal["D3", "D6"]
AttributeChange = Annotated[Int, IntRange.change(5, rulebook.AMOUNT)]
ON_TABLE = IntRange(1, rulebook.TABLE_DIAGONAL, rulebook.AMOUNT)
DistanceChange = Annotated[Int, IntRange.change(rulebook.TABLE_DIAGONAL, rulebook.AMOUNT)]
_HEALS, _DEALS = Meaning.HEALS | Meaning.STATE, Meaning.DEALS | Meaning.STATE
# Built without validation, because the models are not complete yet.
_NO_CONDITION = Condition.model_construct()


def given_keys(model: Model) -> tuple[str, ...]:
    """Return the names of the fields with another value than the one that they have by default."""
    return tuple([name for name, field in type(model).model_fields.items() if getattr(model, name) != field.default])


def _most(die: Die | None) -> int:
    return int(die[1:]) if die else 0


class Deeds(RequiresOneOf):
    """What an effect does to one party. 0 means no change; distances are in cm.

    A `move` is a shift: the bearer's player moves the miniature up to that far, without tests; it is not a Move. A
    `reroll` is optional for the bearer and its friends, who re-roll a failed test; others must re-roll a passed one.
    More `actions`, a `free_move`, which is a Move but no action, a `free_attack`, and where somebody is set (`push`,
    `pull`, `swap`) are optional. `unless` is a test of
    the miniature's own: if it passes, nothing of this happens to it.
    """

    RULE: ClassVar[LimitRule] = rulebook.EMPTY_EFFECT

    # fmt: off
    mind: Annotated[AttributeChange, Change("change to Mind, such as +1", dice=Dice.HIT, notes="stacks is_bounded")] = 0
    body: Annotated[AttributeChange, Change("change to Body, such as -1", dice=Dice.RESIST | Dice.MOVE,
        notes="stacks is_bounded")] = 0
    spirit: Annotated[AttributeChange, Change("change to Spirit, such as +1", dice=Dice.HIT | Dice.RESIST,
        notes="stacks is_bounded")] = 0
    movement: Annotated[DistanceChange, Change("change to Movement in cm", meaning=Meaning.STRIDE | Meaning.SUM,
        is_apart=True, dice=Dice.MOVE, notes="stacks is_floored each_move")] = 0
    range: Annotated[DistanceChange, Change("change to a weapon's Range in cm", meaning=Meaning.AIM | Meaning.SUM,
        is_apart=True, dice=Dice.HIT, notes="stacks is_floored")] = 0
    penetration: Annotated[Int, IntRange.change(10, rulebook.AMOUNT), Change("change to a weapon's Penetration",
        dice=Dice.HIT | Dice.WOUND, notes="stacks is_floored")] = 0
    damage: Annotated[Int, IntRange.change(30, rulebook.AMOUNT), Change("change to a weapon's Damage",
        dice=Dice.HIT | Dice.WOUND, notes="stacks is_floored")] = 0
    heal: Annotated[Points, Deed("wounds regained", says=Phrase.HEALED, meaning=_HEALS, is_sudden=True, aids=True,
        notes="is_capped")] = 0
    deal: Annotated[Points, Deed("points of damage taken", says=Phrase.DEALT, meaning=_DEALS, is_sudden=True)] = 0
    heal_die: Annotated[Die | None, Deed("the die for more wounds regained", says=Phrase.HEALED, meaning=_HEALS,
        is_sudden=True, aids=True, notes="is_capped")] = None
    deal_die: Annotated[Die | None, Deed("the die for more points of damage taken", says=Phrase.DEALT, meaning=_DEALS,
        is_sudden=True)] = None
    ignore: Annotated[Points, Rule("points of damage that are ignored", says=Phrase.IGNORED, is_brief=True,
        dice=Dice.RESIST | Dice.LOSS, idle="ignoring a loss")] = 0
    move: Annotated[Int, ON_TABLE, Placing("a shift of up to this many cm, without tests", says=Phrase.SHIFT,
        notes="is_free is_placed stops", log="{}: its player may shift {} up to {} cm")] = 0
    reroll: Annotated[Test | None, Rule("the test that may or must be re-rolled", says=Phrase.REROLL,
        notes="rerolled_once any_test")] = None
    weapon: Annotated[Profile | None, Rule("a weapon that may be used", says=Phrase.WEAPON,
        meaning=Meaning.AIM | Meaning.GIFT | Meaning.STATE)] = None
    actions: Annotated[Int, IntRange(1, 2, rulebook.AMOUNT), Rule("more actions in an activation", says=Phrase.ACTIONS,
        meaning=Meaning.SUM, idle="another Action", notes="third_only", use=("activation_start", "activation"))] = 0
    between: Annotated[Literal["ignored"] | None, Rule("its attacks need no tests for those in between", is_apart=True,
        idle="ignoring miniatures in between", dice=Dice.HIT, use=("attacking", None))] = None
    gaps: Annotated[Literal["ignored"] | None, Rule("gaps in cover do not hinder its attacks", idle="ignoring gaps",
        dice=Dice.HIT, notes="still_hidden", use=("attacking", None))] = None
    crossing: Annotated[Literal["free"] | None, Rule("it moves through enemies without tests", idle="free crossing",
        dice=Dice.MOVE, notes="each_move", use=("moving", None))] = None
    reactions: Annotated[Literal["none", "more", "more-others"] | None,
        Rule("it cannot react, or reacts once more in a turn, to anybody or to another enemy",
        idle="a change to Reactions", notes="second_reaction", use=("turn_start", "turn"))] = None
    healing: Annotated[Literal["none"] | None, Rule("it cannot regain wounds", meaning=Meaning.STATE, aids=False,
        idle="forbidding healing")] = None
    targeted: Annotated[Literal["never"] | None,
        Rule("it cannot be chosen as a target; when attacked, by attacks that meet the condition",
        meaning=Meaning.AIM | Meaning.STATE, idle="forbidding to target it", dice=Dice.TARGET)] = None
    answered: Annotated[Literal["never"] | None, Rule("nobody can react to its actions", meaning=Meaning.STATE,
        idle="forbidding Reactions to it", dice=Dice.HIT | Dice.MOVE, notes="others_answered")] = None
    halved: Annotated[Literal["movement"] | None, Rule("the value that is halved, rounded up", says=Phrase.HALVED,
        meaning=Meaning.STRIDE, is_apart=True, aids=False, idle="halving a value", dice=Dice.MOVE)] = None
    fails: Annotated[Literal["attack"] | None, Rule("its attack or channel has no effect", aids=False,
        idle="the failure of an attack", dice=Dice.RESULT)] = None
    free_move: Annotated[Int, ON_TABLE, Placing("a free Move of up to this many cm", notes="is_free is_placed",
        log="{}: {} may make a free Move of up to {} cm, with a Body Test for each enemy in its way")] = 0
    push: Annotated[Int, ON_TABLE, Placing("moved away from the bearer, up to this many cm", notes="stops",
        log="{}: {} may be pushed up to {} cm straight away from {}")] = 0
    pull: Annotated[Int, ON_TABLE, Placing("moved toward the bearer, up to this many cm", notes="stops",
        log="{}: {} may be pulled up to {} cm straight toward {}")] = 0
    swap: Annotated[Literal["bearer"] | None, Placing("it may swap places with the bearer",
        log="{}: {} may swap places with {}")] = None
    free_attack: Annotated[AttackType | Literal["any"] | None,
        Placing("a free attack or channel, with this type of weapon",
        by_players="free Attack, which odds leave out")] = None
    score: Annotated[Int, IntRange(1, 10, rulebook.AMOUNT), Deed("victory points for its side", says=Phrase.SCORE,
        meaning=Meaning.STATE, is_sudden=True, aids=True)] = 0
    wounds: Annotated[Points, Deed("additional wounds at the start of the battle", says=Phrase.WOUNDS,
        meaning=Meaning.GIFT | Meaning.STATE, is_brief=True, aids=True, notes="no_healing")] = 0
    unless: Annotated[Attribute | None, Deed("the test that prevents all of this", says=Phrase.SAVED,
        meaning=Meaning.STATE, is_apart=True, is_brief=True, aids=True)] = None
    # fmt: on

    @cached_property
    def keys(self) -> tuple[str, ...]:
        """The keys of what happens, in the order of the fields."""
        return given_keys(self)

    @cached_property
    def meaning(self) -> Meaning:
        """What odds depend on because of it."""
        # In a duel, only one more reaction to anybody makes a difference.
        more = NOTHING if self.reactions in (None, "none", "more-others") else Meaning.STATE
        return reduce(or_, (DEEDS[key].meaning if key in DEEDS else EVERYTHING for key in self.keys), more)

    @property
    def is_apart(self) -> bool:
        """Whether all of it does nothing between two that touch."""
        return all(key in DEEDS and DEEDS[key].is_apart for key in self.keys)

    @cached_property
    def acts_at_once(self) -> bool:
        """Whether something happens at once."""
        return any(key in DEEDS and DEEDS[key].is_sudden for key in self.keys)

    @cached_property
    def can_last(self) -> bool:
        """Whether something happens that can last: it bears on a number, a weapon, a die, or a rule."""
        return any(key not in DEEDS or not (DEEDS[key].is_sudden or DEEDS[key].is_brief) for key in self.keys)

    @property
    def most_healed(self) -> int:
        """The most wounds that it gives back."""
        return self.heal + _most(self.heal_die)

    @property
    def most_dealt(self) -> int:
        """The most points of damage that it deals."""
        return self.deal + _most(self.deal_die)

    @classmethod
    @cache
    def _required_fields(cls) -> tuple[str, ...]:
        return tuple(name for name in cls.model_fields if name != "unless")


DEEDS = Vocabulary.of(Deeds, Deed)
# Deeds that change a number, those that are done at once, and those that can last.
CHANGES = DEEDS.where(lambda deed: deed.says is Phrase.CHANGE)
SUDDEN = DEEDS.where(lambda deed: deed.is_sudden)
LASTING = DEEDS.where(lambda deed: not deed.is_sudden and (not deed.is_brief or deed.idle))


class Effect(RequiresOneOf):
    """An effect of a relic or an ability. `friends` excludes the bearer."""

    FIELDS: ClassVar[tuple[str, ...]] = (
        *("bearer", "attacker", "target", "friends", "enemies", "friend", "enemy", "actor"),
    )
    RULE: ClassVar[LimitRule] = rulebook.EMPTY_EFFECT

    when: Annotated[Trigger, Field(description="the moment when it starts")] = "always"
    condition: Condition = Field(
        default=_NO_CONDITION, alias="if", description="the condition for it to start or apply"
    )
    span: Duration | None = Field(
        default=None, alias="for", description="how long it lasts; by default, it ends immediately"
    )
    during: Event | None = Field(
        default=None, alias="while", description="once started, it applies at each such moment"
    )
    cost: Annotated[Points | None, Field(description="wounds that the bearer may lose for it, never its last")] = None
    cumulative: Annotated[Flag, Field(description="false: it does not add up with itself")] = True
    # fmt: off
    bearer: Annotated[Deeds | None, Party("what happens to the bearer", side=Side.OWN)] = None
    attacker: Annotated[Deeds | None, Party("what happens to the attacker")] = None
    target: Annotated[Deeds | None, Party("what happens to the target", side=Side.EITHER)] = None
    friends: Annotated[Deeds | None, Party("what happens to the bearer's friends", side=Side.OWN, is_group=True)] = None
    enemies: Annotated[Deeds | None, Party("what happens to enemies", is_group=True)] = None
    friend: Annotated[Deeds | None, Party("what happens to a friend that the bearer's player chooses", side=Side.OWN,
        is_chosen=True)] = None
    enemy: Annotated[Deeds | None, Party("what happens to an enemy that the bearer's player chooses",
        is_chosen=True)] = None
    actor: Annotated[Deeds | None, Party("what happens to the enemy whose action is the moment")] = None
    # fmt: on

    @model_validator(mode="after")
    def _require_end(self) -> Self:
        if self.during and not self.span:
            raise rulebook.MISSING_DURATION.error(
                "'while: {during}' has no end", during=self.during, path=("while",), at_key=True
            )
        return self

    @property
    def active_at(self) -> str:
        """The moment when the effect applies."""
        return self.during or self.when

    @cached_property
    def deeds(self) -> tuple[tuple[str, Deeds], ...]:
        """The parties of the effect and what happens to them, the bearer first."""
        return tuple([(name, deeds) for name in self.FIELDS if (deeds := getattr(self, name))])

    @classmethod
    def __get_pydantic_json_schema__(cls, core: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        """Require in the schema, too, that an effect with `while` has an end."""
        schema = super().__get_pydantic_json_schema__(core, handler)
        target = handler.resolve_ref_schema(schema)
        begins, ends = ({"properties": {key: {"type": "string"}}, "required": [key]} for key in ("while", "for"))
        target["allOf"].append({"anyOf": [{"not": begins}, ends]})
        return schema

    @cached_property
    def meaning(self) -> Meaning:
        """What odds depend on because of it: what each of its words means, and everything for one not declared."""
        words = [
            *(CONDITIONS.get(key) for key in self.condition.keys),
            *(MOMENTS.get(moment) for moment in (self.when, self.active_at)),
            *([SPANS.get(self.span)] if self.span else ()),
        ]
        is_known = {*_TERMS, *PARTIES}.issuperset(given_keys(self))
        meanings = [word.meaning if word else EVERYTHING for word in words] + [deeds.meaning for _, deeds in self.deeds]
        return reduce(or_, meanings, NOTHING if is_known else EVERYTHING)


PARTIES = Vocabulary.of(Effect, Party, Effect.FIELDS)
# The keys of an effect that say when it starts and on which terms.
_TERMS = ("when", "condition", "span", "during", "cost", "cumulative")


class WeaponEffect(Effect):
    """An effect of a weapon or power, by default after its damage (section 1: Effect)."""

    when: Annotated[Trigger, Field(description="the moment when it starts")] = "damaging"


def only_protects(effect: Effect) -> bool:
    """Return whether an effect of a weapon or power only aids its bearer, its target, and friends."""
    return all(PARTIES[whom].side is not Side.ENEMY and _only_aids(whom, deeds) for whom, deeds in effect.deeds)


def _only_aids(whom: str, deeds: Deeds) -> bool:
    """Return whether deeds only aid; a target that is moved, or that re-rolls, has no choice."""
    forced = whom == "target" and (deeds.move or deeds.reroll or deeds.push or deeds.pull or deeds.swap)
    is_aid = all(key in DEEDS and DEEDS[key].aids for key in deeds.keys) and deeds.reactions != "none"
    return is_aid and not (forced or any(getattr(deeds, name) < 0 for name in CHANGES))


class Weapon(Profile):
    """A weapon or power on a card, with its effects."""

    effects: Annotated[tuple[WeaponEffect, ...], Field(description="what it does beyond its line")] = ()
    text: Annotated[Text | None, Field(description="printed instead of the text generated from effects")] = None

    @property
    def needs_test(self) -> bool:
        """False for a line that only heals or protects (section 4: Attack/Channel, last note)."""
        if self.damage or self.penetration or not (self.healing or self.effects):
            return True
        return not all(map(only_protects, self.effects))

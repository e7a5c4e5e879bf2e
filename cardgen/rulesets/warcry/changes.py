"""Changes made by rules on cards, as data."""

from collections.abc import Iterable
from typing import Annotated, ClassVar, Literal, Self

from pydantic import model_validator

from cardgen.game import Field, Flag, Int, IntRange, LimitRule, RequiresOneOf, Text, Vocabulary
from cardgen.rulesets.warcry import limits
from cardgen.rulesets.warcry.limits import Runemark
from cardgen.rulesets.warcry.selections import (
    CHANGING,
    AttackType,
    DieValue,
    Frame,
    Group,
    HitRoll,
    Inches,
    Loan,
    Multiple,
    Name,
    Place,
    PointCount,
    SetChange,
    is_settled,
)
from cardgen.rulesets.warcry.words import (
    ACTION,
    AT_ONCE,
    BANS,
    HIT_ROLLS,
    LASTING,
    MULTIPLES,
    OF_FIGHTER,
    OF_WEAPON,
    USE,
    Ban,
    Deed,
    Duration,
    Fact,
    Key,
    Phrase,
)

# The weapons that a change applies to: all, those of one type, or a single one that is picked for good.
WeaponFilter = Literal["any", "melee", "missile", "one", "one-melee", "one-missile"]
InitiativeEffect = Literal["reroll-ones", "reroll-one", "ties"]
Rolled = Literal[
    "d3", "d6", "2d3", "2d6", "d3+1", "d3+2", "d6+1", "d6+2", "d3+value", "d6+value", "value+1", "value+2",
    "value+3", "rolled",
]  # fmt: skip
# An amount: fixed, rolled, or a multiple of the value.
Amount = Annotated[Int, IntRange(1, 30, limits.CHANGE)] | Multiple | Rolled
# A distance: an amount in inches, or that of a move action.
MoveLength = Amount | Literal["move"]
Characteristic = Literal["move", "toughness", "wounds", "range", "attacks", "strength"]
CharacteristicChange = Annotated[Int, IntRange.change(12, limits.CHANGE)]
LowestResult = Annotated[Int, IntRange(0, 12, limits.CHANGE)]
DieFace = Annotated[Int, IntRange(2, 6, limits.CHANGE)]
# What a critical hit becomes, or the damage points that it adds.
CriticalHit = Literal["hit"] | Annotated[Int, IntRange(1, 12, limits.CHANGE)]


class Change(RequiresOneOf, Frame):
    """A change to a fighter or its weapons; 0 leaves a number as it is.

    `weapon` selects the weapons that `attacks`, `strength`, `damage` (of a hit), and `critical` apply to. `for` is the
    duration; without it, the change is permanent or happens at once. `heal` is the number of damage points to remove.
    `take_cover` is the roll that the Take Cover reaction needs, and `no_cover` the type of attack against which cover
    does not count. `initiative` and `impact` modify rolls: your own for the initiative, enemies' for impact damage.
    """

    RULE: ClassVar[LimitRule] = limits.EMPTY_CHANGE
    FIELDS: ClassVar[tuple[str, ...]] = (
        "move", "toughness", "wounds", "range", "attacks", "strength", "damage", "critical",
        "heal", "bonus_move", "bonus_attack", "take_cover", "no_cover", "wild_dice", "initiative", "impact",
        "deal", "halve", "reroll", "shift",
        "double", "fixes", "survives", "critical_face", "ward", "passes", "counts_as", "becomes_target",
        "turns", "climbs", "gains_cover", "half_damage", "first_critical", "min_range", "matches_toughness",
        "chooses", "many_abilities", "lowest_value",
        "ability_range", "adds_to_roll", "redeploys", "called",
        "raise_value", "adds_mark",
        "bonus_disengage", "cannot", "flies", "taken_down", "save_wild", "activates",
        "lends", "sets", "goes_first", "set_up", "leaves", "returns",
        "healing", "ability_value", "swap_places", "only_for", "not_for", "spares",
        "only_if", "not_if", "reacts", "when", "pick", "roll", "roll_each",
    )  # fmt: skip

    # fmt: off
    move: Annotated[Int, IntRange.change(30, limits.CHANGE), Deed("change of Move in inches, such as +1",
        says=Phrase.NUMBER, place=0, facts=OF_FIGHTER | Fact.BETWEEN | Fact.OF_ATTACKER)] = 0
    toughness: Annotated[CharacteristicChange, Deed("change of Toughness", says=Phrase.NUMBER, place=0,
        facts=OF_FIGHTER | Fact.LATER)] = 0
    wounds: Annotated[Int, IntRange.change(40, limits.CHANGE), Deed("change of Wounds", says=Phrase.NUMBER, place=0,
        facts=OF_FIGHTER | Fact.LATER)] = 0
    range: Annotated[CharacteristicChange, Deed("change to a weapon's Range in inches", says=Phrase.NUMBER, place=0,
        facts=OF_WEAPON)] = 0
    attacks: Annotated[CharacteristicChange, Deed("change to a weapon's Attacks", says=Phrase.NUMBER, place=0,
        facts=OF_WEAPON)] = 0
    strength: Annotated[CharacteristicChange, Deed("change to a weapon's Strength", says=Phrase.NUMBER, place=0,
        facts=OF_WEAPON)] = 0
    damage: Annotated[CharacteristicChange, Deed("change of the Damage of a hit", says=Phrase.NUMBER, place=0,
        facts=OF_WEAPON)] = 0
    critical: Annotated[CharacteristicChange, Deed("change of the Damage of a critical hit", says=Phrase.NUMBER,
        place=0, facts=OF_WEAPON)] = 0
    weapon: Annotated[WeaponFilter, Key("the weapons that it applies to", facts=Fact.IN_NUMBERS)] = "any"
    reach: Annotated[Inches | None, Key("the greatest Range of the weapons that it applies to",
        facts=Fact.IN_NUMBERS | Fact.SEVERAL)] = None
    beyond: Annotated[Inches | None, Key("for attacks made from more than this many inches away")] = None
    target: Annotated[Group | Literal["picked", "attacker"] | None,
        Key("the targets of the attacks that it applies to", facts=Fact.SEVERAL)] = None
    incoming: Annotated[Flag, Key("whether it applies to attacks that target the fighter",
        facts=Fact.OF_WEAPONS)] = False
    times: Annotated[Multiple | None,
        Key("multiplies changes of characteristics and damage by the ability's value, half of it, or twice",
        facts=Fact.SEVERAL)] = None
    per: Annotated[Group | HitRoll | PointCount | None,
        Key("once for each fighter of a group, hit roll of the attack, or damage point before",
        step="asks how many times")] = None
    per_points: Annotated[Int, IntRange(1, 9, limits.CHANGE),
        Key("how many damage points each time of `per` needs")] = 1
    at_least: Annotated[LowestResult | None,
        Key("the lowest result, or the fewest damage points left of halved ones", facts=Fact.IN_NUMBERS)] = None
    span: Annotated[Duration | None, Field(alias="for"),
        Key("how long it lasts; without it, the change is permanent or happens at once")] = None
    next: Annotated[Literal["attack", "move"] | None, Key("only for the next such action", facts=Fact.SEVERAL)] = None
    heal: Annotated[Amount | Literal["all"] | None, Deed("damage points removed: a number, value, d3, d6, or all",
        says=Phrase.POINTS, place=11,
        facts=AT_ONCE | Fact.COUNTED | Fact.GOOD | Fact.IN_ACTIVATION | Fact.OWN | Fact.DAMAGE,
        step="removes the damage points")] = None
    deal: Annotated[Amount | None, Deed("damage points allocated", says=Phrase.POINTS, place=10,
        facts=AT_ONCE | Fact.COUNTED | Fact.BAD | Fact.HARM | Fact.IN_ACTIVATION | Fact.DAMAGE,
        step="allocates the damage points")] = None
    bonus_move: Annotated[MoveLength | None,
        Deed("a bonus move action of up to this many inches, or move for its Move", says=Phrase.ACTION, place=20,
        facts=ACTION | Fact.IN_ACTIVATION | Fact.OWN, step="offers the bonus move")] = None
    bonus_attack: Annotated[Flag | Literal["melee", "missile"], Deed("a bonus attack action, perhaps of one type",
        says=Phrase.ACTION, place=21, facts=ACTION | Fact.IN_ACTIVATION | Fact.OWN,
        step="offers the bonus attack")] = False
    twice: Annotated[Flag, Key("whether its bonus action is made twice")] = False
    against: Annotated[Literal["picked", "attacker"] | None, Key("the target that its bonus attack must have")] = None
    bonus_disengage: Annotated[Flag, Deed("a bonus disengage action", says=Phrase.ACTION, place=22, facts=ACTION,
        step="offers the bonus disengage action")] = False
    either: Annotated[Flag, Key("whether only one of its bonus actions is made")] = False
    may: Annotated[Flag, Key("whether its pick, roll, or bonus actions are optional")] = False
    engaged: Annotated[Flag, Key("whether its bonus move can be made within 1 inch of an enemy")] = False
    unanswered: Annotated[Flag, Key("whether enemies cannot react to its bonus actions")] = False
    closer: Annotated[Flag, Key("whether its bonus move must end closer to the closest enemy")] = False
    reroll: Annotated[Literal["ones", "misses", "one"] | None,
        Deed("hit rolls that are re-rolled, each once: those of 1, misses, or any single one", says=Phrase.ATTACKS,
        place=43, facts=HIT_ROLLS | Fact.OF_WEAPONS)] = None
    halve: Annotated[tuple[Characteristic, ...], Deed("characteristics that are halved, rounding up",
        says=Phrase.MULTIPLE, place=30, facts=MULTIPLES | Fact.OF_WEAPONS | Fact.LOWERED | Fact.BAD | Fact.HARM)] = ()
    fixes: Annotated[tuple[Characteristic, ...], Deed("characteristics that become `fixed_at`", says=Phrase.MULTIPLE,
        place=32, facts=MULTIPLES | Fact.OF_WEAPONS)] = ()
    fixed_at: Annotated[Int, IntRange(1, 30, limits.CHANGE), Key("the number of `fixes`", facts=Fact.IN_NUMBERS,
        is_detail=False)] = 1
    double: Annotated[tuple[Characteristic, ...], Deed("characteristics that are doubled", says=Phrase.MULTIPLE,
        place=31, facts=MULTIPLES | Fact.OF_WEAPONS | Fact.GOOD)] = ()
    critical_face: Annotated[DieFace | Literal["hit"] | None,
        Deed("hit rolls of this or more are critical hits, or every hit is one", says=Phrase.ATTACKS, place=40,
        facts=HIT_ROLLS | Fact.OF_WEAPONS)] = None
    first_critical: Annotated[CriticalHit | None, Deed("what the first critical hit of an attack becomes, or "
        "the damage points that it adds", says=Phrase.ATTACKS, place=44, facts=HIT_ROLLS | Fact.OF_WEAPONS)] = None
    min_range: Annotated[Inches | None, Deed("the minimum Range, instead of a longer one", says=Phrase.ATTACKS,
        place=45, facts=HIT_ROLLS | Fact.OF_WEAPONS | Fact.GOOD)] = None
    matches_toughness: Annotated[Flag, Deed("Strength becomes the target's Toughness if that is higher",
        says=Phrase.ATTACKS, place=46, facts=HIT_ROLLS | Fact.OF_WEAPONS | Fact.GOOD)] = False
    ward: Annotated[DieFace | None, Deed("damage points are ignored on this roll, each one", says=Phrase.VALUE,
        place=53, facts=LASTING)] = None
    passes: Annotated[Literal["fighters", "enemies", "obstacles", "terrain", "everything"] | None,
        Deed("what it can move through", says=Phrase.VALUE, place=54, facts=LASTING | Fact.APART)] = None
    counts_as: Annotated[Int | None, IntRange(2, 9, limits.CHANGE),
        Deed("for how many it counts to control objectives", says=Phrase.VALUE, place=55,
        facts=LASTING | Fact.APART)] = None
    turns: Annotated[Literal["hit", "miss"] | None, Deed("what the hit rolled for becomes", says=Phrase.VALUE,
        place=51, facts=Fact.PLAYED)] = None
    climbs: Annotated[Flag, Deed("does not count the distance that it climbs", says=Phrase.STATE, place=63,
        facts=LASTING | Fact.APART)] = False
    gains_cover: Annotated[Flag, Deed("counts as being in cover", says=Phrase.STATE, place=62, facts=LASTING)] = False
    half_damage: Annotated[Literal["up", "down"] | None,
        Deed("the damage points of attacks are halved, and rounded so", says=Phrase.ATTACKS, place=42,
        facts=LASTING | Fact.LOWERED | Fact.OF_WEAPONS)] = None
    becomes_target: Annotated[Flag, Deed("becomes the target of the attack instead", says=Phrase.FATE,
        place=76)] = False
    adds_mark: Annotated[Runemark | None, Deed("a runemark that it counts as having", says=Phrase.OTHER, place=50,
        facts=LASTING)] = None
    survives: Annotated[Int, IntRange(0, 30, limits.CHANGE), Deed("is not taken down, and has this many Wounds left",
        says=Phrase.VALUE, place=52)] = 0
    raise_value: Annotated[Int, IntRange(0, 5, limits.CHANGE),
        Deed("added to the value of an ability, to a maximum of 6", says=Phrase.WARBAND, place=106,
        facts=Fact.OF_USE)] = 0
    shift: Annotated[Amount | None, Deed("moves up to this many inches in a straight line", says=Phrase.OTHER,
        place=70, facts=Fact.PLACES)] = None
    exact: Annotated[Flag, Key("whether it moves the whole distance")] = False
    direction: Annotated[Literal["toward", "away", "any"],
        Key("toward the user, away from it, or in any direction; if the user moves, from the picked "
        "fighter")] = "toward"
    cannot: Annotated[tuple[Ban, ...], Deed("what it cannot do", says=Phrase.OTHER, place=60,
        facts=LASTING | Fact.KEPT | Fact.PLAYED | Fact.BAD)] = ()
    flies: Annotated[Flag, Deed("can fly when making move actions", says=Phrase.STATE, place=61,
        facts=LASTING | Fact.APART)] = False
    set_up: Annotated[Place | None, Deed("is set up, and where", says=Phrase.OTHER, place=71,
        facts=Fact.PLAYED | Fact.PLACES,
        step="puts it on the battlefield, where you set it up")] = None
    leaves: Annotated[Flag, Deed("is removed from the battlefield, but not taken down", says=Phrase.FATE,
        place=72, facts=Fact.PLAYED | Fact.PLACES, step="takes it off the battlefield")] = False
    returns: Annotated[Flag, Deed("is no longer taken down", says=Phrase.FATE, place=73,
        facts=Fact.PLAYED | Fact.PLACES,
        step="puts it on the battlefield, where you set it up")] = False
    swap_places: Annotated[Flag,
        Deed("the picked fighters swap places, or the picked one with the user", says=Phrase.FATE, place=77,
        facts=Fact.PLACES)] = False
    only_for: Annotated[tuple[Runemark, ...], Deed("fighters with one of these may use the rule", says=Phrase.MARKS,
        place=80, facts=USE, step="offers it to these fighters only")] = ()
    not_for: Annotated[tuple[Runemark, ...], Deed("fighters with one of these may not use the rule", says=Phrase.MARKS,
        place=81, facts=USE, step="offers it to all other fighters")] = ()
    spares: Annotated[tuple[Text, ...], Deed("enemies with this battle trait or one of these are not affected",
        says=Phrase.MARKS, place=82, facts=Fact.PLAYED | Fact.APART)] = ()
    activates: Annotated[Flag, Deed("may activate right after this activation", says=Phrase.FATE, place=75,
        facts=Fact.BETWEEN)] = False
    lends: Annotated[Loan | None, Deed("an ability that it may use", says=Phrase.OTHER, place=90)] = None
    sets: Annotated[SetChange | None, Deed("a change of ability dice", says=Phrase.OTHER, place=91,
        facts=Fact.APART)] = None
    healing: Annotated[Int, IntRange.change(12, limits.CHANGE), Deed("change of damage points removed from it",
        says=Phrase.VALUE, place=56, facts=Fact.STATE | Fact.LOWERED | Fact.BETWEEN)] = 0
    ability_value: Annotated[DieValue | None, Deed("the value of the ability that is lent", says=Phrase.WARBAND,
        place=105, facts=Fact.OF_USE)] = None
    goes_first: Annotated[Literal["attacker"] | None, Deed("who goes first if both players have the rule",
        says=Phrase.WARBAND, place=104, facts=Fact.APART)] = None
    taken_down: Annotated[Flag, Deed("is taken down", says=Phrase.FATE, place=74,
        facts=AT_ONCE | Fact.HARM | Fact.DAMAGE,
        step="takes it down")] = False
    save_wild: Annotated[Int, IntRange(0, 6, limits.CHANGE),
        Deed("extra wild dice that its player saves", says=Phrase.OTHER,
        place=92, facts=AT_ONCE | Fact.COUNTED | Fact.APART, step="saves the wild dice")] = 0
    many_abilities: Annotated[Flag, Deed("may use any number of abilities in an activation", says=Phrase.STATE,
        place=64, facts=Fact.STATE | Fact.PLAYED | Fact.BETWEEN)] = False
    redeploys: Annotated[Flag, Deed("is deployed again, as part of another battle group", says=Phrase.FATE,
        place=78, facts=Fact.PLAYED | Fact.PLACES, step="puts it on the battlefield, where you set it up")] = False
    called: Annotated[Name | None, Deed("what it is from now on, such as 'worthy prey'", says=Phrase.OTHER,
        place=93, facts=Fact.PLAYED | Fact.APART, step="remembers who it is")] = None
    lowest_value: Annotated[DieValue | None, Deed("the least value of the ability that is used", says=Phrase.WARBAND,
        place=107, facts=Fact.OF_USE)] = None
    ability_range: Annotated[Int, IntRange.change(12, limits.CHANGE), Deed("change of the range of the ability that "
        "is used, in inches", says=Phrase.WARBAND, place=108, facts=Fact.OF_USE)] = 0
    adds_to_roll: Annotated[Int, IntRange.change(5, limits.CHANGE), Deed("added to the roll of the reaction that is "
        "used", says=Phrase.WARBAND, place=109, facts=Fact.OF_USE)] = 0
    chooses: Annotated[Flag, Deed("you choose whether what follows happens", says=Phrase.WARBAND, place=99,
        facts=Fact.PLAYED | Fact.APART)] = False
    take_cover: Annotated[DieFace | None, Deed("the roll that Take Cover needs, instead of 4+", says=Phrase.WARBAND,
        place=100, facts=Fact.STATE | Fact.IN_NUMBERS | Fact.IN_ATTACK | Fact.PLAYED | Fact.OWN | Fact.LATER)] = None
    no_cover: Annotated[AttackType | None, Deed("attacks against which cover does not count", says=Phrase.ATTACKS,
        place=41, facts=HIT_ROLLS | Fact.OWN)] = None
    wild_dice: Annotated[Int, IntRange.change(6, limits.CHANGE),
        Deed("additional wild dice at the start of the battle", says=Phrase.WARBAND,
        place=101, facts=Fact.IN_NUMBERS | Fact.PLAYED | Fact.EARLY | Fact.APART)] = 0
    initiative: Annotated[InitiativeEffect | None, Deed("re-rolls 1s, or decides ties", says=Phrase.WARBAND, place=102,
        facts=Fact.IN_NUMBERS | Fact.PLAYED | Fact.EARLY | Fact.APART)] = None
    impact: Annotated[Int, IntRange.change(5, limits.CHANGE),
        Deed("modifier to enemies' rolls for impact damage; low rolls are worse",
        says=Phrase.WARBAND, place=103,
        facts=Fact.STATE | Fact.LOWERED | Fact.IN_NUMBERS | Fact.PLAYED | Fact.APART)] = 0
    # fmt: on

    @model_validator(mode="after")
    def _check_multiples(self) -> Self:
        for name, by in self.nonzero(NUMBERS) if self.times else ():
            if abs(by) != 1:
                raise limits.CHANGE.error("must be +1 or -1 with 'times', not {by}", by=by, path=(name,))
        return self

    @model_validator(mode="after")
    def _check_single_weapon(self) -> Self:
        key = next((key for key in OF_SEVERAL if getattr(self, key)), "of" if self.of != "self" else "")
        if key and self.weapon.startswith("one"):
            message = "'{key}' does not go with a single weapon"
            raise limits.CHANGE.error(
                message, key=key, path=(key,), at_key=True, help="remove it, or write 'weapon: any'"
            )
        return self

    @model_validator(mode="after")
    def _check_rolled_set(self) -> Self:
        if self.sets and self.of == "rolled" and (self.sets.swap or self.sets.gain or self.sets.either):
            message = "the set that was rolled for has a new 'value', or 'add' to it"
            raise limits.CHANGE.error(message, path=("sets",), help="remove 'of', or the other keys of 'sets'")
        return self

    @model_validator(mode="after")
    def _check_conditions_of_each(self) -> Self:
        for key in ("condition", "unless", "during"):
            condition = getattr(self, key)
            if condition and condition.of == "each" and not isinstance(self.of, Group):
                message = "'of: each' needs a change of a group"
                name = {"condition": "if", "during": "while"}.get(key, key)
                raise limits.CHANGE.error(message, path=(name, "of"), help="add a group as 'of' to the change")
        return self

    def has(self, names: Iterable[str]) -> bool:
        """Return whether it has one of some keys."""
        return any(getattr(self, name) for name in names)

    def nonzero(self, names: tuple[str, ...]) -> tuple[tuple[str, int], ...]:
        """Return the characteristics among `names` that change, with the amount."""
        return tuple((name, value) for name in names if (value := getattr(self, name)))

    @property
    def is_constant(self) -> bool:
        """Whether it changes numbers of a fighter in the same way at any moment, so that it can be added to them."""
        needs_others = (
            self.per
            or self.target
            or self.incoming
            or self.beyond
            or (self.reach and (self.reroll or self.critical_face))
        )
        return self.is_free and not (needs_others or self.next or self.times)

    @property
    def is_checked_once(self) -> bool:
        """Whether it lasts for a while although its condition, which is checked when it begins, can change later."""
        conditions = (self.condition, self.unless)
        return self._lasts and any(each and not is_settled(each.model_fields_set) for each in conditions)

    @property
    def is_of_those_now(self) -> bool:
        """Whether it lasts for a while for those of whom something is true when it begins, which can change later."""
        return self._lasts and isinstance(self.of, Group) and bool(self.of.model_fields_set & CHANGING)

    @property
    def _lasts(self) -> bool:
        return self.span not in (None, "attack", "move") and not (self.next or self.when) and self.has(CAN_LAST)

    @property
    def can_be_kept(self) -> bool:
        """Whether the match tracker can keep it in force until its end, for it does not depend on what happens later.

        It knows nothing of treasure, nor when a fighter that cannot be taken down finally is.
        """
        is_aura = isinstance(self.of, Group) and self.of.aura is not None
        is_until_user = self.span == "next-activation" and self.of != "self"
        is_of_others = self.incoming and not self.answers
        needs_others = self.target or is_of_others or self.beyond or self.per
        is_unchecked = self.during and not (self.can_be_checked and self.during.of in ("self", "each", self.of))
        return not (is_aura or is_until_user or needs_others or is_unchecked) and all(
            BANS[ban].is_tracked for ban in self.cannot
        )

    @property
    def answers(self) -> bool:
        """Whether it only changes the numbers of the attacks on a fighter, so that it counts as they are made."""
        is_open = self.next or self.during or self.target or self.beyond or self.per or self.weapon.startswith("one")
        return self.incoming and not is_open and not self.has({*NUMBERS, *KEPT} - {*OF_ATTACKS})

    @property
    def can_be_checked(self) -> bool:
        """Whether all that it keeps in force counts in attacks only, so that its 'while' can be checked at each."""
        return not (self.next or self.has({*NUMBERS, *KEPT} - {*IN_ATTACKS}))

    @property
    def waits(self) -> bool:
        """Whether the use of an ability stops at it, for it happens at a later moment, or after the hit rolls."""
        return self.when is not None or self.roll_each in ("hits", "criticals", "misses")

    def for_fighter(self, value: int = 0) -> Self:
        """Return it for one fighter, with the multiple of the value of the ability's dice."""
        numbers = self.nonzero(NUMBERS) if self.times else ()
        by = multiple_of(self.times, value) if self.times else 1
        frame = {name: info.default for name, info in Frame.model_fields.items()}
        return self.model_copy(
            update={**frame, "times": None, "next": None, **{name: number * by for name, number in numbers}}
        )

    @property
    def uses_value(self) -> bool:
        """Whether it uses the value of the ability dice."""
        amounts = (self.heal, self.bonus_move, self.deal, self.roll, self.times, self.on_roll)
        within = [group.within for group in (self.pick, self.roll_each, self.of) if isinstance(group, Group)]
        return any(isinstance(each, str) and "value" in each for each in (*amounts, *within))

    @property
    def counts_value(self) -> bool:
        """Whether a condition of it depends on the value of the ability dice."""
        conditions = (self.condition, self.unless, self.during)
        return any(each is not None and each.least_value is not None for each in conditions)


KEYS = Vocabulary.of(Change, Key)
DEEDS = Vocabulary({name: key for name, key in KEYS.items() if isinstance(key, Deed)})
KEYS.require_all(
    Change.FIELDS,
    lambda key: (
        isinstance(key, Deed) or key.name in ("only_if", "not_if", "reacts", "when", "pick", "roll", "roll_each")
    ),
)


def with_facts(facts: Fact) -> tuple[str, ...]:
    """Return the keys of changes with one of some facts."""
    return KEYS.where(lambda key: key.facts & facts)


FIGHTER_NUMBERS, WEAPON_NUMBERS = with_facts(Fact.FIGHTER), with_facts(Fact.WEAPON)
NUMBERS = (*FIGHTER_NUMBERS, *WEAPON_NUMBERS)
# What has an end if it is not permanent.
CAN_LAST = (*NUMBERS, *with_facts(Fact.ENDS))
# What can last for a while without being a number of a fighter or a weapon.
STATES = with_facts(Fact.STATE)
# The numbers that count in attacks only.
OF_ATTACKS = ("attacks", "strength", "damage", "critical")
IN_ATTACKS = ("toughness", *OF_ATTACKS)
# All that an attack applies.
BEARING = (
    *IN_ATTACKS,
    "range",
    "wounds",
    *(key for key in with_facts(Fact.IN_ATTACK) if key in with_facts(Fact.STATE)),
)
# What the tracker keeps in force besides numbers, and what the players apply.
KEPT, BY_PLAYERS = with_facts(Fact.KEPT), DEEDS.where(lambda deed: not deed.facts & Fact.PLAYED)
OF_SEVERAL = with_facts(Fact.SEVERAL | Fact.OF_WEAPONS)
# Keys that say more about what a change does, as fields: each is in its sentences, or it has no effect.
DETAILS = tuple(name for name, info in Change.model_fields.items() if KEYS[info.alias or name].is_detail)


def multiple_of(multiple: Multiple, value: int) -> int:
    """Return the value of the ability's dice, half of it rounded up, or twice."""
    return {"value": value, "half-value": (value + 1) // 2, "double-value": 2 * value}[multiple]

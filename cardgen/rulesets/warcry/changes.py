"""Changes made by rules on cards, as data."""

from typing import Annotated, ClassVar, Literal, Self

from pydantic import model_validator

from cardgen.game import Field, Flag, Int, IntRange, LimitRule, RequiresOneOf, Text
from cardgen.rulesets.warcry import limits
from cardgen.rulesets.warcry.runemarks import Runemark
from cardgen.rulesets.warcry.selections import (
    AttackType,
    DieValue,
    Frame,
    Group,
    HitRoll,
    Inches,
    Loan,
    Multiple,
    Place,
    PointCount,
    SetChange,
)

# The weapons that a change applies to: all, those of one type, or a single one that is picked for good.
WeaponFilter = Literal["any", "melee", "missile", "one", "one-melee", "one-missile"]
InitiativeEffect = Literal["reroll-ones", "reroll-one", "ties"]
Duration = Literal["attack", "move", "activation", "round", "next-activation"]
Rolled = Literal[
    "d3",
    "d6",
    "2d3",
    "2d6",
    "d3+1",
    "d3+2",
    "d6+1",
    "d6+2",
    "d3+value",
    "d6+value",
    "value+1",
    "value+2",
    "value+3",
    "rolled",
]
# An amount: fixed, rolled, or a multiple of the value.
Amount = Annotated[Int, IntRange(1, 30, limits.CHANGE)] | Multiple | Rolled
# A distance: an amount in inches, or that of a move action.
MoveLength = Amount | Literal["move"]
Characteristic = Literal["move", "toughness", "wounds", "range", "attacks", "strength"]
Ban = Literal[
    "move", "disengage", "attack", "wait", "ability", "react", "activate",
    "bonus", "control", "carry", "heal", "be-attacked", "be-struck", "be-shot",
    "be-answered", "act", "cover",
    "impact", "fall",
]  # fmt: skip


CharacteristicChange = Annotated[Int, IntRange.change(12, limits.CHANGE)]
LowestResult = Annotated[Int, IntRange(0, 12, limits.CHANGE)]
DieFace = Annotated[Int, IntRange(2, 6, limits.CHANGE)]


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
        "turns", "climbs", "gains_cover", "half_damage",
        "raise_value", "adds_mark",
        "bonus_disengage", "cannot", "flies", "taken_down", "save_wild", "activates",
        "lends", "sets", "goes_first", "set_up", "leaves", "returns",
        "healing", "ability_value", "swap_places", "only_for", "not_for", "spares",
        "only_if", "not_if", "reacts", "when", "pick", "roll", "roll_each",
    )  # fmt: skip
    FIGHTER_FIELDS: ClassVar[tuple[str, ...]] = ("move", "toughness", "wounds")
    WEAPON_FIELDS: ClassVar[tuple[str, ...]] = ("range", "attacks", "strength", "damage", "critical")

    # What can last for a while without being a number of a fighter or a weapon.
    STATE_FIELDS: ClassVar[tuple[str, ...]] = (
        "no_cover", "take_cover", "impact", "halve", "half_damage", "gains_cover", "climbs", "double", "fixes",
        "reroll", "critical_face", "cannot", "flies", "ward", "passes", "counts_as", "adds_mark", "healing",
    )  # fmt: skip

    move: Annotated[
        Int, IntRange.change(30, limits.CHANGE), Field(description="change of Move in inches, such as +1")
    ] = 0
    toughness: Annotated[CharacteristicChange, Field(description="change of Toughness")] = 0
    wounds: Annotated[Int, IntRange.change(40, limits.CHANGE), Field(description="change of Wounds")] = 0
    range: Annotated[CharacteristicChange, Field(description="change of a weapon's Range in inches")] = 0
    attacks: Annotated[CharacteristicChange, Field(description="change of a weapon's Attacks")] = 0
    strength: Annotated[CharacteristicChange, Field(description="change of a weapon's Strength")] = 0
    damage: Annotated[CharacteristicChange, Field(description="change of the Damage of a hit")] = 0
    critical: Annotated[CharacteristicChange, Field(description="change of the Damage of a critical hit")] = 0
    weapon: Annotated[WeaponFilter, Field(description="the weapons that it applies to")] = "any"
    reach: Annotated[Inches | None, Field(description="the greatest Range of the weapons that it applies to")] = None
    beyond: Annotated[Inches | None, Field(description="for attacks made from more than this many inches away")] = None
    target: Annotated[
        Group | Literal["picked", "attacker"] | None, Field(description="the targets of the attacks that it applies to")
    ] = None
    incoming: Annotated[Flag, Field(description="whether it applies to attacks that target the fighter")] = False
    times: Annotated[Multiple | None, Field(description="multiplies changes of characteristics and damage")] = None
    per: Annotated[
        Group | HitRoll | PointCount | None,
        Field(description="once for each fighter of a group, hit roll of the attack, or damage point before"),
    ] = None
    per_points: Annotated[
        Int, IntRange(1, 9, limits.CHANGE), Field(description="how many damage points each time of `per` needs")
    ] = 1
    at_least: Annotated[LowestResult | None, Field(description="the lowest result")] = None
    span: Annotated[Duration | None, Field(alias="for", description="how long it lasts; permanent by default")] = None
    next: Annotated[Literal["attack", "move"] | None, Field(description="only for the next such action")] = None
    heal: Annotated[
        Amount | Literal["all"] | None, Field(description="damage points removed: a number, value, d3, d6, or all")
    ] = None
    deal: Annotated[Amount | None, Field(description="damage points allocated")] = None
    bonus_move: Annotated[
        MoveLength | None, Field(description="a bonus move action of up to this many inches, or move for its Move")
    ] = None
    bonus_attack: Annotated[
        Flag | Literal["melee", "missile"], Field(description="a bonus attack action, perhaps of one type")
    ] = False
    twice: Annotated[Flag, Field(description="whether its bonus action is made twice")] = False
    against: Annotated[
        Literal["picked", "attacker"] | None, Field(description="the target that its bonus attack must have")
    ] = None
    bonus_disengage: Annotated[Flag, Field(description="a bonus disengage action")] = False
    either: Annotated[Flag, Field(description="whether only one of its bonus actions is made")] = False
    may: Annotated[Flag, Field(description="whether its pick, roll, or bonus actions are optional")] = False
    engaged: Annotated[Flag, Field(description="whether its bonus move can be made within 1 inch of an enemy")] = False
    unanswered: Annotated[Flag, Field(description="whether enemies cannot react to its bonus actions")] = False
    closer: Annotated[Flag, Field(description="whether its bonus move must end closer to the closest enemy")] = False
    reroll: Annotated[
        Literal["ones", "misses", "one"] | None,
        Field(description="hit rolls that are re-rolled, each once: those of 1, misses, or any single one"),
    ] = None
    halve: Annotated[tuple[Characteristic, ...], Field(description="characteristics that are halved, rounding up")] = ()
    fixes: Annotated[tuple[Characteristic, ...], Field(description="characteristics that become `fixed_at`")] = ()
    fixed_at: Annotated[Int, IntRange(1, 30, limits.CHANGE), Field(description="the number of `fixes`")] = 1
    double: Annotated[tuple[Characteristic, ...], Field(description="characteristics that are doubled")] = ()
    critical_face: Annotated[DieFace | None, Field(description="hit rolls of this or more are critical hits")] = None
    ward: Annotated[DieFace | None, Field(description="damage points are ignored on this roll, each one")] = None
    passes: Annotated[
        Literal["fighters", "enemies", "obstacles", "terrain", "everything"] | None,
        Field(description="what it can move through"),
    ] = None
    counts_as: Annotated[
        Int | None, IntRange(2, 9, limits.CHANGE), Field(description="for how many it counts to control objectives")
    ] = None
    turns: Annotated[Literal["hit", "miss"] | None, Field(description="what the hit rolled for becomes")] = None
    climbs: Annotated[Flag, Field(description="does not count the distance that it climbs")] = False
    gains_cover: Annotated[Flag, Field(description="counts as being in cover")] = False
    half_damage: Annotated[
        Literal["up", "down"] | None, Field(description="the damage points of attacks are halved, and rounded so")
    ] = None
    becomes_target: Annotated[Flag, Field(description="becomes the target of the attack instead")] = False
    adds_mark: Annotated[Runemark | None, Field(description="a runemark that it counts as having")] = None
    survives: Annotated[
        Int, IntRange(0, 30, limits.CHANGE), Field(description="is not taken down, and has this many Wounds left")
    ] = 0
    raise_value: Annotated[
        Int, IntRange(0, 5, limits.CHANGE), Field(description="added to the value of an ability, to a maximum of 6")
    ] = 0
    shift: Annotated[Amount | None, Field(description="moves up to this many inches in a straight line")] = None
    exact: Annotated[Flag, Field(description="whether it moves the whole distance")] = False
    direction: Annotated[
        Literal["toward", "away", "any"], Field(description="toward the user, away from it, or in any direction")
    ] = "toward"
    cannot: Annotated[tuple[Ban, ...], Field(description="actions that are not possible")] = ()
    flies: Annotated[Flag, Field(description="can fly when making move actions")] = False
    set_up: Annotated[Place | None, Field(description="is set up, and where")] = None
    leaves: Annotated[Flag, Field(description="is removed from the battlefield, but not taken down")] = False
    returns: Annotated[Flag, Field(description="is no longer taken down")] = False
    swap_places: Annotated[Flag, Field(description="the picked fighters swap places")] = False
    only_for: Annotated[tuple[Runemark, ...], Field(description="fighters with one of these may use the rule")] = ()
    not_for: Annotated[tuple[Runemark, ...], Field(description="fighters with one of these may not use the rule")] = ()
    spares: Annotated[
        tuple[Text, ...], Field(description="enemies with this battle trait or one of these are not affected")
    ] = ()
    activates: Annotated[Flag, Field(description="may activate right after this activation")] = False
    lends: Annotated[Loan | None, Field(description="an ability that it may use")] = None
    sets: Annotated[SetChange | None, Field(description="a change of ability dice")] = None
    healing: Annotated[
        Int, IntRange.change(12, limits.CHANGE), Field(description="change of damage points removed from it")
    ] = 0
    ability_value: Annotated[DieValue | None, Field(description="the value of the ability that is lent")] = None
    goes_first: Annotated[
        Literal["attacker"] | None, Field(description="who goes first if both players have the rule")
    ] = None
    taken_down: Annotated[Flag, Field(description="is taken down")] = False
    save_wild: Annotated[Int, IntRange(0, 6, limits.CHANGE), Field(description="extra wild dice that are saved")] = 0
    take_cover: Annotated[DieFace | None, Field(description="the roll that Take Cover needs, instead of 4+")] = None
    no_cover: Annotated[AttackType | None, Field(description="attacks against which cover does not count")] = None
    wild_dice: Annotated[Int, IntRange.change(6, limits.CHANGE), Field(description="additional wild dice")] = 0
    initiative: Annotated[InitiativeEffect | None, Field(description="re-rolls 1s, or decides ties")] = None
    impact: Annotated[
        Int, IntRange.change(5, limits.CHANGE), Field(description="modifier to enemies' rolls for impact damage")
    ] = 0

    @model_validator(mode="after")
    def _check_multiples(self) -> Self:
        for name, by in self.nonzero(self.FIGHTER_FIELDS + self.WEAPON_FIELDS) if self.times else ():
            if abs(by) != 1:
                raise limits.CHANGE.error("must be +1 or -1 with 'times', not {by}", by=by, path=(name,))
        return self

    @model_validator(mode="after")
    def _check_single_weapon(self) -> Self:
        others = (
            "times", "incoming", "next", "reach", "target", "halve", "double", "fixes", "reroll", "critical_face",
            "half_damage",
        )  # fmt: skip
        key = next((key for key in others if getattr(self, key)), "of" if self.of != "self" else "")
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
    def can_be_kept(self) -> bool:
        """Whether the match tracker can keep it in force until its end, for it does not depend on what happens later.

        It knows nothing of treasure, nor when a fighter that cannot be taken down finally is.
        """
        is_aura = isinstance(self.of, Group) and self.of.aura is not None
        is_until_user = self.span == "next-activation" and self.of != "self"
        needs_others = self.during or self.target or self.incoming or self.beyond or self.per
        return not (is_aura or is_until_user or needs_others or {"carry", "fall"} & {*self.cannot})

    @property
    def waits(self) -> bool:
        """Whether the use of an ability stops at it, for it happens at a later moment, or after the hit rolls."""
        return self.when is not None or self.roll_each in ("hits", "criticals", "misses")

    def for_fighter(self, value: int = 0) -> Self:
        """Return it for one fighter, with the multiple of the value of the ability's dice."""
        numbers = self.nonzero(self.FIGHTER_FIELDS + self.WEAPON_FIELDS) if self.times else ()
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


def multiple_of(multiple: Multiple, value: int) -> int:
    """Return the value of the ability's dice, half of it rounded up, or twice."""
    return {"value": value, "half-value": (value + 1) // 2, "double-value": 2 * value}[multiple]

"""An attack action: hit rolls, critical hits, reactions (battlepack: Reactions), and amounts of abilities."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from functools import partial
from operator import add
from types import MappingProxyType
from typing import Annotated, Any, NamedTuple, get_args

from cardgen.game import (
    Assumed,
    CardData,
    Die,
    Idle,
    Log,
    MemoizedCall,
    OddsTable,
    Parameter,
    PreparedTrial,
    Procedure,
    Roll,
    RulesConfig,
    at_least_rows,
    card_of_kind,
    distribution_rows,
    distribution_table,
    numbered_names,
    odds,
    optional_card,
    quantity,
    roll_pool,
)
from cardgen.rulesets.warcry.cards import DICE, Ability, Blessing, Fighter, Rule, Trait
from cardgen.rulesets.warcry.changes import NUMBERS, Change, multiple_of, with_facts
from cardgen.rulesets.warcry.effective import (
    RuleLike,
    before_wait,
    changes_of,
    for_players,
    trait_in_force,
    why_not,
)
from cardgen.rulesets.warcry.limits import Weapon
from cardgen.rulesets.warcry.referee.circumstances import Standing, trait_in_attack
from cardgen.rulesets.warcry.referee.fighter import (
    ABILITIES,
    BLESSINGS,
    FIGHTERS,
    MAX_DISTANCE,
    TRAITS,
    FighterStats,
    apply_changes,
    fighter_stats,
    idle_cards,
    in_range,
    lent_runemarks,
    not_simulated,
    of_type,
    pick_weapon,
    single_weapons,
)
from cardgen.rulesets.warcry.selections import CONDITION_STATES, Multiple
from cardgen.rulesets.warcry.wording.sentences import describe, sentences
from cardgen.rulesets.warcry.words import Fact

# No fighter has more Wounds.
MOST_DAMAGE = 60
_DICE = re.compile(r"(?P<count>\d?)d(?P<sides>[36])(?:\+(?P<plus>\d+|value))?")


def resolve_amount(amount: int | str, value: int) -> int | str:
    """Return an amount with the value of the ability's dice: a number, or dice such as 'd6' or 'd3+2'."""
    if amount == "all":
        return MOST_DAMAGE
    for multiple in get_args(Multiple):
        if amount == multiple:
            return multiple_of(multiple, value)
    if isinstance(amount, str) and amount.startswith("value+"):
        return value + int(amount.removeprefix("value+"))
    return amount.replace("value", str(value)) if isinstance(amount, str) else amount


def roll_amount(amount: int | str, who: str, value: int = 0) -> Procedure[int]:
    """Return a number, or roll dice: 'd3', 'd6', '2d6', 'd3+1'. A D3 is half a D6, rounded up."""
    amount = resolve_amount(amount, value)
    match = _DICE.fullmatch(amount) if isinstance(amount, str) else None
    if match is None:
        return int(amount)
    total = int(match["plus"] or 0)
    for _ in range(int(match["count"] or 1)):
        face = yield Roll(f"d{match['sides']}", who, f"D{match['sides']}")
        total += (int(face) + 1) // 2 if match["sides"] == "3" else int(face)
    return total


def faces_against(faces: str, toughness: int, value: int) -> str:
    """Return the faces of a comparison with a Toughness or the value of an ability; others as they are.

    For a Toughness of 4, 'over-toughness' is '5+'. No die shows '7+' or '1-0'.
    """
    comparison, _, measure = faces.rpartition("-")
    if measure not in ("toughness", "value"):
        return faces
    number = toughness if measure == "toughness" else value
    return {
        "over": f"{number + 1}+",
        "from": f"{number}+",
        "up-to": f"1-{number}",
        "under": f"1-{number - 1}",
    }[comparison]


# Keys that only say when, for whom, or how; any other is something to apply.
_DETAILS = frozenset(Change.model_fields.keys() - {*Change.FIELDS})
# What an attack applies.
IN_ATTACK = frozenset(with_facts(Fact.IN_ATTACK))
# The keys of a condition that the value of the dice alone decides.
_VALUE = frozenset(("of", "least_value"))


def effects_of(changes: Iterable[Change], value: int) -> tuple[Change, ...]:
    """Return the changes of the user's own numbers and actions, with the value of the ability's dice."""
    return tuple(_effect(change, value) for change in changes if is_own(change))


def is_own(change: Change) -> bool:
    """Return whether a change is for the user itself, whatever its dice and the other fighters are."""
    needs_others = (change.when, change.on_roll, change.per, change.target, change.incoming, change.reacts)
    return change.of == "self" and not any(needs_others)


def _effect(change: Change, value: int) -> Change:
    return change.for_fighter(value).model_copy(update={"span": change.next or change.span})


def left_to_players(
    name: str, rule: RuleLike, applied: Collection[int] | None = None, value: int | None = None
) -> Iterator[str]:
    """Yield what a trial leaves out of an ability, of which the `value` may be known.

    `applied` are the places of the changes that it applies; by default, they are those of an attack.
    """
    changes = changes_of(rule)
    applied = applied_in_attack(changes) if applied is None else applied
    if not changes and rule.text:
        yield f"'{name}' has only text"
    for place, (change, words) in enumerate(zip(changes, sentences(changes), strict=True)):
        if change.condition or change.unless or change.during or _is_use_open(change, value):
            yield Assumed(f"the condition of '{name}' is true")
        if place not in applied:
            yield f"'{name}' is not applied: {words}"


def applied_in_attack(changes: tuple[Change, ...]) -> set[int]:
    """Return the places of the changes of an ability that an attack after it applies.

    What is for a bonus attack ends with that, and what waits for a later moment comes after the attack.
    """
    now = before_wait(changes)
    bound = bound_to_bonus(now, "attack")
    return {place for place, change in enumerate(now) if is_applied(change) and place not in bound}


def bound_to_bonus(changes: Sequence[Change], act: str) -> set[int]:
    """Return the places of the changes that are for a bonus 'attack' or 'move' of the same ability."""
    if not any(getattr(change, f"bonus_{act}") for change in changes):
        return set()
    return {place for place, change in enumerate(changes) if change.span == act and not change.next}


def _is_use_open(change: Change, value: int | None) -> bool:
    """Return whether a change says when an ability can be used by more than its value, if that is known."""
    known = _VALUE if value is not None else {"of"}
    return any(each.model_fields_set - known for each in (change.only_if, change.not_if) if each)


def is_applied(change: Change) -> bool:
    """Return whether an attack applies a change; removing damage points and bonus actions come before or after it."""
    keys = change.model_fields_set - _DETAILS
    return (is_own(change) or not keys) and keys <= IN_ATTACK


CRITICAL = 6
COUNTER, TAKE_COVER = "counter", "take-cover"
REACTIONS = (COUNTER, TAKE_COVER)


class Tally(NamedTuple):
    """Result of the hit rolls of an attack.

    Dice that show 1 are misses too.
    """

    ones: int = 0
    misses: int = 0
    hits: int = 0
    criticals: int = 0

    def plus(self, face: int, hit_face: int, critical_face: int = CRITICAL) -> Tally:
        """Return the tally with one more die; a 6 is always critical, and so is whatever reaches the critical face."""
        ones, misses, hits, criticals = self
        if face >= critical_face:
            return Tally(ones, misses, hits, criticals + 1)
        if face >= hit_face:
            return Tally(ones, misses, hits + 1, criticals)
        return Tally(ones + (face == 1), misses + 1, hits, criticals)

    def with_rerolled(self, again: Tally, kind: str) -> Tally:
        """Return the tally with the dice that showed a 1, all misses, or one of them, replaced by others."""
        ones, misses = (0, self.misses - self.ones) if kind == "ones" else (0, 0)
        if kind == "one":
            ones, misses = max(0, self.ones - 1), self.misses - 1
        hits, criticals = self.hits + again.hits, self.criticals + again.criticals
        return Tally(ones + again.ones, misses + again.misses, hits, criticals)

    @property
    def words(self) -> str:
        """Its counts, such as '1 hit, 2 critical hits, 0 misses'."""
        hits, criticals = quantity(self.hits, "hit"), quantity(self.criticals, "critical hit")
        return f"{hits}, {criticals}, {quantity(self.misses, 'miss', 'misses')}"


class Damage(NamedTuple):
    """Damage points allocated to the target, and by Counter to the attacker."""

    target: int = 0
    attacker: int = 0


class PreparedAttack(NamedTuple):
    """An attack with all that its rolls depend on.

    The weapon, the face that its dice need, and the target's reaction.

    `reaction` is 'counter', 'take-cover' or ''; `cover` the face that Take Cover needs. `each_one` says that every
    1 counts for Counter, `ones_miss` that they are misses for it too (rulings). `first_critical` are the damage points
    that the first critical hit adds, and with `softens`, it counts as a hit.
    """

    attacker: str
    target: str
    weapon: Weapon
    hit_face: int
    reaction: str = ""
    cover_face: int = 4
    every_one_counts: bool = False
    ones_are_misses: bool = True
    reroll: str = ""
    critical_face: int = CRITICAL
    first_critical: int = 0
    softens: bool = False

    @property
    def figures(self) -> tuple[object, ...]:
        """All that its odds depend on."""
        weapon = self.weapon
        dice = weapon.attacks, weapon.damage, weapon.critical, self.hit_face, self.critical_face, self.reroll
        return (
            *dice,
            self.first_critical,
            self.softens,
            self.reaction,
            self.cover_face if self.reaction == TAKE_COVER else 0,
        )

    @property
    def max_damage(self) -> Damage:
        """The most that it can allocate to each of the two."""
        dice, counted_ones = self.weapon.attacks, self.weapon.attacks if self.every_one_counts else 1
        most = dice * max(self.weapon.damage, self.weapon.critical) + self.first_critical
        return Damage(most, 2 * counted_ones + 1)


def face_to_hit(strength: int, toughness: int) -> int:
    """Return the face that a die needs to hit.

    3 with Strength over Toughness, 4 if they are equal, 5 with less (core rules: Making Attack Actions).
    """
    return 3 if strength > toughness else 4 if strength == toughness else 5


def counted(characteristic: int, rulings: Mapping[str, str]) -> int:
    """Return what counts of a Toughness or Strength: the ruling `lowest-characteristic` may keep it at 1."""
    return max(1, characteristic) if rulings["lowest-characteristic"] == "one" else characteristic


def prepare_attack(
    attacker: FighterStats,
    weapon: Weapon,
    target: FighterStats,
    *,
    cover: bool,
    reaction: str,
    rulings: Mapping[str, str],
) -> PreparedAttack:
    """Prepare an attack with a weapon.

    Raises ValueError for a reaction that the target cannot make.

    Cover adds 1 to the Toughness, unless the attacker's battle trait ignores it.
    """
    cover_counts = cover and not attacker.ignores_cover(weapon)
    if reaction == COUNTER and not weapon.melee:
        raise ValueError("Counter answers melee attacks only")
    if reaction == TAKE_COVER:
        if weapon.melee:
            raise ValueError("Take Cover answers missile attacks only")
        if not cover:
            raise ValueError("Take Cover needs cover")
        if "mount" in target.runemarks:
            raise ValueError(f"{target.name} has the Mount runemark and cannot make Take Cover")
    rerolls, firsts = of_type(attacker.rerolls, weapon), of_type(attacker.first_criticals, weapon)
    strength, toughness = counted(weapon.strength, rulings), counted(target.toughness, rulings) + cover_counts
    if any(weapons in ("any", weapon.attack_type) for weapons in attacker.matches):
        strength = max(strength, toughness)
    hit_face = face_to_hit(strength, toughness)
    critical_faces = (each if isinstance(each, int) else hit_face for each in of_type(attacker.critical_faces, weapon))
    return PreparedAttack(
        attacker.name,
        target.name,
        weapon,
        hit_face,
        reaction,
        target.cover_face,
        rulings["counter-ones"] == "each",
        rulings["ones-miss"] == "counted",
        next((kind for kind in ("misses", "ones", "one") if kind in rerolls), ""),
        min(critical_faces, default=CRITICAL),
        sum(each for each in firsts if isinstance(each, int)),
        "hit" in firsts,
    )


def roll_hits(count: int, hit_face: int, who: str, critical_face: int = CRITICAL) -> Procedure[Tally]:
    """Roll to hit: each die hits on `hit_face` or more, and critically on `critical_face` or more."""
    die = Roll("hit", who, f"to hit, {hit_face}+")
    return (yield from roll_pool(count, die, Tally(), Tally.plus, hit_face, critical_face))


def roll_take_cover(criticals: int, face: int, who: str) -> Procedure[int]:
    """Return how many critical hits Take Cover turns into hits. A die for each, which needs `face` or more."""
    die = Roll("cover", who, f"Take Cover, {face}+", wins=tuple(range(face, 7)))
    return (yield from roll_pool(criticals, die, 0, add))


def counter_damage(tally: Tally, *, every_one_counts: bool = False, ones_are_misses: bool = True) -> int:
    """Return the damage points that Counter allocates to the attacker.

    2 for any 1, and 1 for two misses or more (battlepack: Universal Reactions).
    """
    ones = tally.ones if every_one_counts else min(1, tally.ones)
    misses = tally.misses if ones_are_misses else tally.misses - tally.ones
    return 2 * ones + (1 if misses >= 2 else 0)


def most_countered(attack: PreparedAttack) -> int:
    """Return the most damage points that Counter allocates to the attacker by an attack that hits, too."""
    if attack.reaction != COUNTER:
        return 0
    misses = attack.weapon.attacks - 1
    return max(
        counter_damage(
            Tally(ones, misses), every_one_counts=attack.every_one_counts, ones_are_misses=attack.ones_are_misses
        )
        for ones in range(misses + 1)
    )


def resolve_attack(attack: PreparedAttack) -> Procedure[Damage]:
    """Resolve an attack from its hit rolls to its damage."""
    damage, _ = yield from resolve_from_rolls(attack)
    return damage


def resolve_from_rolls(attack: PreparedAttack) -> Procedure[tuple[Damage, Tally]]:
    """Resolve an attack; return its damage and its hit rolls."""
    rolled = yield from _make_hit_rolls(attack)
    tally = yield from _after_hit_rolls(attack, rolled)
    returned = 0
    if attack.reaction == COUNTER:
        returned = counter_damage(
            tally, every_one_counts=attack.every_one_counts, ones_are_misses=attack.ones_are_misses
        )
        yield Log("{} counters: {} damage to {}", (attack.target, returned, attack.attacker))
    points = tally.hits * attack.weapon.damage + tally.criticals * attack.weapon.critical
    return Damage(points + (attack.first_critical if tally.criticals else 0), returned), rolled


def resolve_hits(attack: PreparedAttack) -> Procedure[Tally]:
    """Make the hit rolls of an attack; Take Cover then turns critical hits into hits, apart from a softened one."""
    return (yield from _after_hit_rolls(attack, (yield from _make_hit_rolls(attack))))


def _make_hit_rolls(attack: PreparedAttack) -> Procedure[Tally]:
    rest = (attack.hit_face, attack.attacker, attack.critical_face)
    tally: Tally = yield MemoizedCall(roll_hits, (attack.weapon.attacks, *rest))
    if attack.reroll and (count := {"ones": tally.ones, "one": min(1, tally.misses)}.get(attack.reroll, tally.misses)):
        again: Tally = yield MemoizedCall(roll_hits, (count, *rest))
        tally = tally.with_rerolled(again, attack.reroll)
    yield Log("{}: {}", (attack.attacker, tally.words))
    return tally


def _after_hit_rolls(attack: PreparedAttack, tally: Tally) -> Procedure[Tally]:
    if attack.softens and tally.criticals:
        tally = tally._replace(hits=tally.hits + 1, criticals=tally.criticals - 1)
        yield Log("{}: the first critical hit counts as a hit", (attack.target,))
    if attack.reaction != TAKE_COVER:
        return tally
    saved = yield MemoizedCall(roll_take_cover, (tally.criticals, attack.cover_face, attack.target))
    yield Log("{} takes cover: {} to {}", (attack.target, quantity(saved, "critical hit"), quantity(saved, "hit")))
    return tally._replace(hits=tally.hits + saved, criticals=tally.criticals - saved)


MINIMUM = "minimum range"


def price_of(rule: Ability | Rule, rulings: Mapping[str, str]) -> str | None:
    """Return what an ability costs: the price on its card, unless the ruling `onslaught` changes it.

    The ruling is about the Onslaught of the battlepack, a triple; one with another price costs what its card says.
    """
    is_onslaught = isinstance(rule, Ability) and rule.id == "onslaught" and rule.price == "triple"
    return rulings["onslaught"] if is_onslaught else rule.price


@dataclass(frozen=True, slots=True)
class AttackActionSituation:
    """One attack action, with the two fighters and their distance."""

    attacker: Annotated[CardData, Parameter("card", "Attacker.", FIGHTERS)]
    target: Annotated[CardData, Parameter("card", "Target.", FIGHTERS)]
    weapon: Annotated[str | None, Parameter("word", "Weapon (default: the first in range).")] = None
    distance: Annotated[
        int | None, Parameter("number", "Distance (default: in range).", high=MAX_DISTANCE, unit="inches")
    ] = None
    cover: Annotated[bool, Parameter("flag", "The target is in cover.")] = False
    reaction: Annotated[str | None, Parameter("word", "Target's reaction.", words=REACTIONS)] = None
    ability: Annotated[CardData | None, Parameter("card", "Attacker's ability.", ABILITIES)] = None
    value: Annotated[int | None, Parameter("number", "Value of the ability's dice.", low=1, high=6)] = None
    dice: Annotated[str | None, Parameter("word", "Dice that pay for the ability.", words=DICE)] = None
    blessing: Annotated[CardData | None, Parameter("card", "Attacker's blessing.", BLESSINGS)] = None
    target_blessing: Annotated[CardData | None, Parameter("card", "Target's blessing.", BLESSINGS)] = None
    trait: Annotated[CardData | None, Parameter("card", "Attacker's battle trait.", TRAITS)] = None
    choice: Annotated[str | None, Parameter("word", "Alternative that the attacker's trait offers.")] = None
    target_trait: Annotated[CardData | None, Parameter("card", "Target's battle trait.", TRAITS)] = None
    target_choice: Annotated[str | None, Parameter("word", "Alternative that the target's trait offers.")] = None
    target_ability: Annotated[CardData | None, Parameter("card", "Ability in effect on the target.", ABILITIES)] = None
    damage: Annotated[int, Parameter("number", "Damage points the attacker already has.", high=100)] = 0
    target_damage: Annotated[int, Parameter("number", "Damage points the target already has.", high=100)] = 0
    moved: Annotated[bool, Parameter("flag", "The attacker has made a move action in this activation.")] = False
    dropped: Annotated[
        int | None,
        Parameter("number", "How much lower a move action of it has ended.", high=MAX_DISTANCE, unit="inches"),
    ] = None
    near_friends: Annotated[
        int | None, Parameter("number", "Other friends as near to the attacker as its battle trait says.", high=14)
    ] = None
    round: Annotated[int | None, Parameter("number", "Battle round.", low=1, high=10)] = None
    triggered: Annotated[bool, Parameter("flag", "What the attacker's battle trait waits for has happened.")] = False

    def __post_init__(self) -> None:
        """Number two fighters of one card."""
        both = (self.attacker, self.target)
        for key, data, name in zip(
            ("attacker", "target"), both, numbered_names([each["name"] for each in both]), strict=True
        ):
            numbered = copy(data)  # with the settings of its game
            numbered["name"] = name
            object.__setattr__(self, key, numbered)

    @property
    def is_activation(self) -> bool:
        """Whether the attack is one of several."""
        return False


# The options that say more of the attacker for its battle trait.
OPTIONS = ("triggered", *dict.fromkeys(state.option for state in CONDITION_STATES.values() if state.option))
# No place among the changes of an ability.
NONE = -1


class AttackSetup(NamedTuple):
    """Attacker and target with all changes, the weapon, and the ability.

    `lasting` is the attacker without the ability's changes for a single attack, and `damage` are the damage points that
    it has when it attacks.
    """

    situation: AttackActionSituation
    config: RulesConfig
    attacker: FighterStats
    target: FighterStats
    weapon: Weapon
    ability_changes: tuple[Change, ...]
    lasting: FighterStats
    damage: int

    def attack(self, weapon: Weapon, reaction: str | None) -> PreparedAttack:
        """Return the attack with a weapon of the attacker."""
        return prepare_attack(
            self.attacker,
            weapon,
            self.target,
            cover=self.situation.cover,
            reaction=reaction or "",
            rulings=self.config.rulings,
        )

    def gives(self, key: str) -> bool:
        """Return whether the ability gives its user a bonus action."""
        return any(getattr(change, key) for change in self.ability_changes if is_own(change))

    def amount(self, key: str) -> int | str:
        """Return what the ability gives of 'heal' or 'bonus_move'. A number, 'd3', 'd6', or 0."""
        amounts = (getattr(change, key) for change in self.ability_changes if is_own(change))
        amount: int | str = next((each for each in amounts if each is not None), 0)
        return self.attacker.move if amount == "move" else resolve_amount(amount, self.situation.value or 0)


def attack_setup(
    situation: AttackActionSituation, config: RulesConfig, *, ability: bool = True, without: int = NONE
) -> AttackSetup:
    """Return the two fighters with all changes.

    With or without the attacker's ability, or its change at a place. Raises ValueError for what the rules do not allow.
    """
    one, other = _standings(situation)
    given, answer = trait_in_attack(one), trait_in_attack(other)
    attacker, target = apply_changes(one.stats, given.own), apply_changes(other.stats, answer.own)
    written = before_wait(_ability_changes(situation, attacker, config)) if ability else ()
    left_out = {without} | (set() if situation.is_activation else bound_to_bonus(written, "attack"))
    written = tuple(change for place, change in enumerate(written) if place not in left_out)
    changes = effects_of(written, situation.value or 0)
    weapon = pick_weapon(single_weapons(attacker.weapons, changes), situation.weapon, situation.distance)
    in_force = _target_changes(situation, target)
    # The target's trait comes last, so that its minimum is that of the number that the attack uses.
    incoming = (*_against_attacker(in_force), *answer.incoming)
    kept = (change for change in changes if change.span not in ("attack", "move"))
    lasting = apply_changes(one.stats, (*given.own, *kept, *incoming), weapon)
    attacker = apply_changes(one.stats, (*given.own, *changes, *incoming), weapon)
    target = apply_changes(other.stats, (*answer.own, *effects_of(in_force, 0)))
    attacker.require_standing(situation.damage)
    target.require_standing(situation.target_damage)
    damage = situation.damage + given.dealt
    if damage >= attacker.wounds:
        points = f"{quantity(situation.damage, 'damage point')} and the {given.dealt} of its battle trait"
        raise ValueError(f"{attacker.name} has {attacker.wounds} Wounds: with {points} it is taken down")
    weapon_used = _choose_weapon(attacker, situation)
    return AttackSetup(situation, config, attacker, target, weapon_used, written, lasting, damage)


def _traits(situation: AttackActionSituation) -> tuple[Trait | None, Trait | None]:
    """Return the battle traits of both fighters."""
    target_trait = trait_in_force(situation.target_trait, situation.target_choice)
    return trait_in_force(situation.trait, situation.choice), target_trait


def _standings(situation: AttackActionSituation) -> tuple[Standing, Standing]:
    """Return both fighters with what always applies to them, and what is known of them."""
    trait, target_trait = _traits(situation)
    card, blessing = card_of_kind(situation.attacker, Fighter), optional_card(situation.blessing, Blessing)
    stats = fighter_stats(situation.attacker, situation.blessing, trait, situation.weapon, situation.distance)
    options, several = {name: getattr(situation, name) for name in OPTIONS}, situation.is_activation
    options["moved"] = situation.moved or bool(situation.dropped)  # Only a move action ends lower.
    attacker = Standing(
        card, stats, trait, blessing, situation.damage, False, None, several, options, situation.ability is not None
    )
    card, blessing = card_of_kind(situation.target, Fighter), optional_card(situation.target_blessing, Blessing)
    stats, hurt = fighter_stats(situation.target, situation.target_blessing, target_trait), situation.target_damage
    has_use = bool(situation.target_ability or situation.reaction)
    return attacker, Standing(
        card, stats, target_trait, blessing, hurt, True, situation.cover, several, has_use=has_use
    )


def _choose_weapon(attacker: FighterStats, situation: AttackActionSituation) -> Weapon:
    """Return the weapon named, or the first in range."""
    if situation.weapon is not None:
        return attacker.weapon(situation.weapon)
    distance = situation.distance
    near = (weapon for weapon in attacker.weapons if distance is None or in_range(weapon, distance))
    return next(near, attacker.weapons[0])


def _ability_changes(
    situation: AttackActionSituation, attacker: FighterStats, config: RulesConfig
) -> tuple[Change, ...]:
    """Return what the ability changes. Raises ValueError for one that the attacker may not use, or cannot pay for."""
    if situation.ability is None:
        if situation.value is not None or situation.dice is not None:
            raise ValueError("a value or dice need an ability; choose one")
        return ()
    ability = card_of_kind(situation.ability, Ability)
    if ability.price == "reaction":
        raise ValueError(f"'{ability.name}' is a reaction, and not an ability for a fighter that attacks")
    if problem := _why_not(ability, attacker, situation.blessing):
        raise ValueError(f"{attacker.name} cannot use '{ability.name}': {problem}")
    # A triple may pay for a double, a quad for either.
    price = price_of(ability, config.rulings)
    if situation.dice and price in DICE and DICE.index(situation.dice) < DICE.index(price):
        raise ValueError(f"'{ability.name}' costs a {price}; a {situation.dice} does not pay for it")
    changes = changes_of(ability)
    if any(change.uses_value for change in changes) and situation.value is None:
        raise ValueError(f"'{ability.name}' needs the value of its dice")
    for change in changes if situation.value is not None else ():
        value = situation.value or 0
        least = change.only_if.least_value if change.only_if else None
        if least and value < least:
            raise ValueError(f"'{ability.name}' needs a value of at least {least}, not {value}")
        too_high = change.not_if.least_value if change.not_if and change.not_if.model_fields_set <= _VALUE else None
        if too_high and value >= too_high:
            raise ValueError(f"'{ability.name}' needs a value below {too_high}, not {value}")
    return changes


def _why_not(ability: Ability, fighter: FighterStats, blessing: CardData | None) -> str:
    return why_not(ability, fighter.runemarks | lent_runemarks(optional_card(blessing, Blessing), ability.id))


def _target_changes(situation: AttackActionSituation, target: FighterStats) -> tuple[Change, ...]:
    """Return what the ability in effect on the target changes for its user, if that is the target.

    Raises ValueError for an ability for its user alone that the target may not use, and for one whose value counts.
    """
    ability = optional_card(situation.target_ability, Ability)
    if ability is None:
        return ()
    changes = before_wait(changes_of(ability))
    if problem := _why_not(ability, target, situation.target_blessing):
        if not any(map(_reaches_others, changes)) and (changes or not ability.text):
            raise ValueError(f"{target.name} cannot use '{ability.name}': {problem}")
        return ()
    if any(change.uses_value and _is_of_target(change) and change.has(NUMBERS) for change in changes):
        raise ValueError(f"'{ability.name}' depends on the value of its dice, which is not known for the target")
    return changes


def _is_of_target(change: Change) -> bool:
    """Return whether a change of an ability in effect on the target is for it, or for the attacks on it."""
    return is_own(change) or (change.answers and is_own(change.model_copy(update={"incoming": False})))


def _against_attacker(changes: Iterable[Change]) -> tuple[Change, ...]:
    """Return what the ability in effect on the target changes in the attack on it."""
    answers = (change for change in changes if change.incoming and _is_of_target(change))
    return effects_of((change.model_copy(update={"incoming": False}) for change in answers), 0)


def _applied_on_target(changes: tuple[Change, ...]) -> set[int]:
    """Return the places of the changes of an ability in effect on the target that an attack applies."""
    answers = {place for place, change in enumerate(before_wait(changes)) if change.incoming and _is_of_target(change)}
    return applied_in_attack(changes) | answers


def _reaches_others(change: Change) -> bool:
    """Return whether somebody else than the user of a rule may be affected."""
    return change.of != "self" or change.target is not None or change.lends is not None


def words_only(situation: AttackActionSituation, applied: Collection[int] | None = None) -> Iterator[str]:
    """Yield what the procedures leave to the players; `applied` are the places of the ability's changes that count."""
    yield from not_simulated(situation.blessing, situation.target_blessing)
    if ability := optional_card(situation.ability, Ability):
        yield from left_to_players(ability.name, ability, applied, situation.value)
    if ability := optional_card(situation.target_ability, Ability):
        yield from left_to_players(ability.name, ability, _applied_on_target(changes_of(ability)))
    yield from _not_its_own(situation)
    yield from dict.fromkeys(note for who in _standings(situation) for note in trait_in_attack(who).notes)


def _not_its_own(situation: AttackActionSituation) -> Iterator[str]:
    """Yield what an ability in effect on the target changes for its user, if that is somebody else."""
    ability, target = optional_card(situation.target_ability, Ability), fighter_stats(situation.target)
    if ability and (problem := _why_not(ability, target, situation.target_blessing)):
        why = f"'{ability.name}' is used by another fighter, as {target.name} {problem.removeprefix('it ')}"
        changes = changes_of(ability)
        for change, words in zip(changes, sentences(changes), strict=True):
            if change.has(NUMBERS) and _is_of_target(change):
                yield f"{why}: {words}"


# The cards of a situation, each with the choice that it offers.
CARDS: Mapping[str, str] = MappingProxyType({
    "ability": "", "target_ability": "", "blessing": "", "target_blessing": "", "trait": "choice",
    "target_trait": "target_choice",
})  # fmt: skip


def without_payment(situation: AttackActionSituation) -> AttackActionSituation:
    """Return a situation without dice for an ability that it does not have."""
    return situation if situation.ability else replace(situation, value=None, dice=None)


def _figures(situation: AttackActionSituation, config: RulesConfig, without: int = NONE) -> object:
    """Return all that the odds of an attack depend on: the rolls, and the Wounds of those that can lose some."""
    setup = attack_setup(without_payment(situation), config, without=without)
    attack = setup.attack(setup.weapon, situation.reaction)
    own_wounds = setup.attacker.wounds if attack.reaction == COUNTER else 0
    return attack.figures, setup.target.wounds, own_wounds, [*_range_notes(situation, setup.weapon)]


def _idle_parts(situation: AttackActionSituation, config: RulesConfig, notes: Sequence[str]) -> Iterator[str]:
    """Yield the cards, and of an ability with several changes those changes, that have no effect on the attack."""
    cards = [*idle_cards(situation, CARDS, partial(_figures, config=config), "attack", notes)]
    yield from cards
    ability = optional_card(situation.ability, Ability)
    changes = changes_of(ability) if ability and not any(f"'{ability.name}'" in note for note in cards) else ()
    now = _figures(situation, config)
    for name in OPTIONS:
        option, value = f"--{name.replace('_', '-')}", getattr(situation, name)
        without: dict[str, Any] = {name: False if value is True else None}
        is_said = value in (None, False) or any(f"({option})" in note for note in notes)
        if not is_said and _figures(replace(situation, **without), config) == now:
            yield Idle(f"{option} has no effect on this attack")
    for place, (change, words) in enumerate(zip(changes, sentences(changes), strict=True)):
        if is_applied(change) and change.model_fields_set & {*NUMBERS} and _figures(situation, config, place) == now:
            yield Idle(f"'{ability.name if ability else ''}' has no effect on this attack: {words}")


def set_up_attack(situation: AttackActionSituation, config: RulesConfig) -> PreparedTrial:
    """Set up one attack action. Raises ValueError for an attack that the rules do not allow."""
    setup = attack_setup(situation, config)
    weapon = setup.weapon
    attack = setup.attack(weapon, situation.reaction)
    notes = (*_range_notes(situation, weapon), *words_only(situation), *assumed_order(setup, [attack], 1))

    def outcome_lines(damage: Damage) -> Iterator[str]:
        yield _fate_line(setup.target, situation.target_damage, damage.target)
        if damage.attacker:
            yield _fate_line(setup.attacker, setup.damage, damage.attacker)

    return PreparedTrial.of(
        f"{attack.attacker}: {weapon.name} at {attack.target}",
        lambda: resolve_attack(attack),
        outcome_lines,
        lambda die: _attack_tables(die, attack, setup),
        with_idle(notes, lambda sure: _idle_parts(situation, config, sure)),
    )


def assumed_order(setup: AttackSetup, attacks: Iterable[PreparedAttack], answered: int) -> Iterator[Assumed]:
    """Yield what is taken for granted of the order in which an attack's rules apply, where another one may differ.

    Of rules that apply at the same time, the player whose fighter is active picks the order (core rules: Sequencing).
    `answered` is how many attacks the target answers at most.
    """
    attacks = tuple(attacks)
    who, picked = setup.attacker.name, f"{setup.attacker.name}'s player has picked the order: "
    one, other = _standings(setup.situation)
    if any(attack.softens and attack.reaction == TAKE_COVER for attack in attacks):
        yield Assumed(f"{picked}'{_trait_name(other)}' before Take Cover")
    lowered = [change for change in trait_in_attack(other).incoming if change.critical < 0 and change.at_least]
    if any(
        attack.first_critical and attack.weapon.critical <= (change.at_least or 0)
        for attack in attacks
        for change in lowered
        if change.weapon in ("any", attack.weapon.attack_type)
    ):
        yield Assumed(f"{picked}'{_trait_name(other)}' before '{_trait_name(one)}'")
    if any(answered * points >= setup.attacker.wounds - setup.damage for points in map(most_countered, attacks)):
        yield Assumed(f"the damage of an attack counts although Counter takes {who} down")


def _trait_name(who: Standing) -> str:
    return who.trait.name if who.trait else ""


def with_idle(notes: Sequence[str], find_idle: Callable[[Sequence[str]], Iterable[str]]) -> tuple[str, ...]:
    """Return notes, and those on what has no effect, of which nothing has to be assumed.

    `find_idle` yields the latter, of cards that the other notes do not mention.
    """
    idle = [*find_idle([note for note in notes if not isinstance(note, Assumed)])]
    names = tuple(note.partition(" has no effect")[0] for note in idle)
    needless = [note for note in notes if isinstance(note, Assumed) and any(name in note for name in names)]
    return (*(note for note in notes if note not in needless), *idle)


def _range_notes(situation: AttackActionSituation, weapon: Weapon) -> Iterator[str]:
    """Yield that a target out of range needs a rule about Range that the procedures do not apply.

    Raises ValueError if there is none, such as a battle trait that lowers the minimum Range.
    """
    distance = situation.distance
    if distance is None or in_range(weapon, distance):
        return
    reach = f"{weapon.name} reaches from {weapon.min_range} to {weapon.range} inches"
    ability, blessing = optional_card(situation.ability, Ability), optional_card(situation.blessing, Blessing)
    rules = [*for_players(_traits(situation)[0]), *(card for card in (ability, blessing) if card)]
    rules = [rule for rule in rules if rule.text and not changes_of(rule)]
    texts = {rule.name: (rule.text or describe(rule)).casefold() for rule in rules}
    if distance > weapon.range:  # a lower minimum does not help
        texts = {name: text.replace(MINIMUM, "") for name, text in texts.items()}
    needed = [name for name, text in texts.items() if "range" in text]
    if not needed:
        raise ValueError(f"{reach}, and the target is {distance} away")
    yield f"{reach}, and the target is {distance} away; '{needed[0]}' must allow it"


def _fate_line(fighter: FighterStats, before: int, points: int) -> str:
    """Say what a fighter suffers.

    Points are allocated one by one; at Wounds the fighter is taken down, and the rest is lost.
    """
    after = min(fighter.wounds, before + points)
    end = "is taken down" if after == fighter.wounds else f"has {after} damage points of {fighter.wounds}"
    return f"{fighter.name}: {points} damage, {end}"


def _attack_tables(die: Die[Damage], attack: PreparedAttack, setup: AttackSetup) -> Iterator[OddsTable]:
    who, target, dice = attack.attacker, attack.target, attack.weapon.attacks
    rolls: Die[Tally] = odds(resolve_hits, attack)
    points, returned = die.map(lambda damage: damage.target), die.map(lambda damage: damage.attacker)
    left = setup.target.wounds - setup.situation.target_damage
    yield OddsTable(
        f"{who}: {attack.weapon.name} at {target}, {quantity(dice, 'die', 'dice')}, {attack.hit_face}+",
        chances=(
            (f"{target} is taken down", points.chance(lambda lost: lost >= left)),
            ("any damage", points.chance(bool)),
        ),
        means=(
            ("mean damage", points.mean(int)),
            ("mean hits", rolls.mean(lambda tally: tally.hits)),
            ("mean critical hits", rolls.mean(lambda tally: tally.criticals)),
        ),
    )
    yield OddsTable("Damage", distribution_rows(points), at_least_rows(points))
    if attack.reaction == COUNTER:
        own_left = setup.attacker.wounds - setup.damage
        down = ((f"{who} is taken down", returned.chance(lambda lost: lost >= own_left)),)
        yield distribution_table(f"Counter: damage to {who}", returned, down)

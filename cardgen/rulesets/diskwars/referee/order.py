"""The order of command cards by strategy (seed: Resolve Command Cards)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Annotated, Any

from cardgen.game import (
    Assumed,
    CardData,
    Die,
    OddsTable,
    Parameter,
    PreparedTrial,
    Procedure,
    RulesConfig,
    at_least_rows,
    distribution_table,
    initiative_trial,
    label_table,
    plain_data,
    quantity,
    strategy_order,
    strategy_trial,
)
from cardgen.rulesets.diskwars import RULESET
from cardgen.rulesets.diskwars.army import Settings
from cardgen.rulesets.diskwars.referee.disk import (
    ARCANE,
    CHAOS,
    DAMAGE_TYPES,
    DISKS,
    MAGIC,
    RANGED,
    RANGES,
    RESULTS,
    TERRAIN,
    Backlash,
    Crossing,
    Disk,
    Faces,
    Harm,
    Health,
    Ranged,
    Rules,
    Shot,
    ShotEnd,
    bystander_of,
    cast,
    cross,
    disk_of,
    disks_of,
    flips_into_range,
    flips_to_pin,
    names_harm,
    over_dice,
    shoot,
    terrain_of,
    trample,
    unleash,
)
from cardgen.rulesets.diskwars.referee.strength import Strength
from cardgen.rulesets.diskwars.wording import sentences_left

BOLD, STEADY, DEVIOUS, SLOW = STRATEGIES = ("bold", "steady", "devious", "slow")
# The strategy that each comes before.
BEATS = {BOLD: STEADY, STEADY: DEVIOUS, DEVIOUS: BOLD}
# Strategies that are drawn at random: any, or any but slow.
ANY, NOT_SLOW = "any", "not-slow"
DRAWS = {ANY: STRATEGIES, NOT_SLOW: STRATEGIES[:3]}


TWO_PLAYERS = 2


def resolution_order(strategies: Sequence[str], rules: Rules) -> tuple[int, ...]:
    """Return the players, in initiative order, in the order in which their cards are resolved."""
    return strategy_order(
        strategies, BEATS, SLOW,
        is_compared=("several-cards", "compared") in rules,
        has_ring=("card-ring", "second") in rules,
        is_first_last=("slow-cards", "first-last") in rules and len(strategies) > TWO_PLAYERS,
    )  # fmt: skip


MAX_DAMAGE, MAX_WOUNDS = 12, 5
# The fields with the texts of abilities.
TEXTS = ("focus", "ability", "passive", "battle")


def not_simulated(*cards: CardData | None, plays_effects: bool = False, keys: Sequence[str] = TEXTS) -> Iterator[str]:
    """Yield the abilities that are left to the players.

    A battle plays the effects that stand for an ability, but not the sentences beside them that were not read; other
    trials play no abilities at all. `keys` are the fields with the texts.
    """
    for card in {card["name"]: card for card in cards if card}.values():
        for key in keys:
            if card.get(key) and not (plays_effects and card.get(RULESET.text_effects[key])):
                yield f"{card['name']}: {card[key]}"
            elif card.get(key):
                yield from sentences_beside_effects(card, key)


def sentences_beside_effects(card: CardData, key: str) -> Iterator[str]:
    """Yield the sentences of a text with effects that were not read, so that the effects may leave them out."""
    if card.get(key) and card.get(RULESET.text_effects[key]):
        for sentence in sentences_left(card[key]):
            yield f"{card['name']}: {sentence.text}"


# Tokens on the target of a trial.
IsEmpowered = Annotated[bool, Parameter("flag", "The target is empowered.")]
DamageTokens = Annotated[int, Parameter("number", "Damage tokens on the target.", high=MAX_DAMAGE)]
WoundTokens = Annotated[int, Parameter("number", "Wound tokens on the target.", high=MAX_WOUNDS)]


@dataclass(frozen=True, slots=True)
class AttackSituation:
    """A ranged attack of a disk on another, which can scatter."""

    attacker: Annotated[CardData, Parameter("card", "Disk that shoots.", DISKS)]
    target: Annotated[CardData, Parameter("card", "Target.", DISKS)]
    nearby: Annotated[
        tuple[CardData, ...],
        Parameter("cards", "Disk within short range of the target, closest first. Can be repeated.", DISKS),
    ] = ()
    weapon: Annotated[
        str | None, Parameter("word", "Ranged attack (default: the first that can attack the target).")
    ] = None
    distance: Annotated[str, Parameter("word", "Range of the target.", words=RANGES)] = RANGES[0]
    cover: Annotated[bool, Parameter("flag", "The target overlaps cover.")] = False
    activated: Annotated[bool, Parameter("flag", "The target has an activation token.")] = False
    empowered: IsEmpowered = False
    damage: DamageTokens = 0
    wounds: WoundTokens = 0

    def shot(self, faces: Faces, config: RulesConfig) -> Shot:
        """Return the ranged attack with a battle die. Raises ValueError for one that the rules do not allow."""
        shooter, target, *nearby = disks_of((self.attacker, self.target, *self.nearby))
        rules = config.pairs
        attack = shooter.ranged_attack(self.weapon)
        if self.weapon is None:
            attack = next((each for each in shooter.ranged if not self._obstacle(each, target, rules)), attack)
        if obstacle := self._obstacle(attack, target, rules):
            raise ValueError(obstacle)
        bystander = bystander_of(attack, tuple(nearby), rules)
        is_siege = self.distance == RANGES[-1]
        return Shot(shooter.name, attack, target, faces, rules, bystander, is_siege, self.cover)

    def _obstacle(self, attack: Ranged, target: Disk, rules: Rules) -> str:
        """Return why a ranged attack is not possible, or ''."""
        if RANGES.index(self.distance) > RANGES.index(attack.range):
            return f"{attack.name} reaches {attack.range} range, not {self.distance} range"
        if names_harm(target.immune, Harm(1, attack.damage, RANGED), rules):
            return f"{target.name} is immune to {attack.name} and cannot be its target"
        return ""


def set_up_attack(situation: AttackSituation, config: RulesConfig) -> PreparedTrial:
    """Set up a ranged attack; its odds are ranges while the battle die is unknown."""
    notes = tuple(not_simulated(situation.attacker, situation.target, *situation.nearby))

    def prepare(faces: Faces) -> PreparedTrial:
        shot = situation.shot(faces, config)
        empowered, activated = situation.empowered, situation.activated
        health = Health.of(shot.target, situation.damage, situation.wounds, empowered, activated)
        names = (shot.target.name, shot.bystander.name if shot.bystander else "")

        def lines(end: ShotEnd) -> Iterator[str]:
            for name, struck, was in zip(names, end, (health, Health()), strict=True):
                if struck:
                    yield f"{name}: {struck.words(was)}"

        def tables(die: Die[ShotEnd]) -> Iterator[OddsTable]:
            yield from _tables(names[0], die.map(attrgetter("target")), health)
            if shot.bystander:
                yield from _tables(f"{names[1]}, after scatter", die.map(attrgetter("bystander")), Health())

        title = f"{shot.shooter} shoots at {shot.target.name} with {shot.attack.name}"
        return PreparedTrial.of(title, lambda: shoot(shot, health), lines, tables, notes)

    return over_dice(config, prepare)


def _tables(name: str, die: Die[Any], was: Health) -> Iterator[OddsTable]:
    """Yield the dice that damage a disk, the damage that it takes, its health, and whether a critical activates it."""
    dice = die.map(attrgetter("dice"))
    yield OddsTable(f"{name}: hits and critical hits", chances=at_least_rows(dice), means=(("mean", dice.mean(int)),))
    yield distribution_table(f"{name}: damage", die.map(attrgetter("damage")))
    yield label_table(name, die.map(lambda struck: str(struck.health)))
    if not was.is_activated:
        token = die.chance(lambda struck: struck.health.is_activated)
        yield OddsTable(f"{name}: activation token", chances=(("gets a token", token),))


@dataclass(frozen=True, slots=True)
class UnstableSituation:
    """A disk deals damage with an unstable battle ability, which can strike the disk itself."""

    user: Annotated[CardData, Parameter("card", "Disk that uses the ability.", DISKS)]
    target: Annotated[CardData, Parameter("card", "Target.", DISKS)]
    damage: Annotated[str, Parameter("word", "Damage of the ability, a number or d6.")]
    type: Annotated[str, Parameter("word", "Type of damage.", words=DAMAGE_TYPES)] = DAMAGE_TYPES[0]


def set_up_unstable(situation: UnstableSituation, config: RulesConfig) -> PreparedTrial:
    """Set up an unstable ability; by the ruling `unstable-result`, the result that strikes the user is unknown.

    Raises ValueError for a target that is immune to the damage, and for other dice than d6.
    """
    user, target = disks_of((situation.user, situation.target))
    strength, harm = Strength.read(situation.damage), Harm(1, situation.type)
    if not 1 <= strength.least <= MAX_DAMAGE:
        raise ValueError(f"the damage must be a number from 1 to {MAX_DAMAGE} or d6, not '{situation.damage}'")
    if names_harm(target.immune, harm, config.pairs):
        raise ValueError(f"{target.name} is immune to {situation.type} damage and cannot be the target")
    is_chaos = config.rulings["unstable-result"] == "chaos"

    def prepare(faces: Faces, result: str) -> PreparedTrial:
        def start() -> Procedure[Backlash]:
            return unleash(user, target, (strength, harm), faces, result, config.pairs)

        def lines(end: Backlash) -> Iterator[str]:
            yield from (f"{user.name}: {end.user}", f"{target.name}: {end.target}")

        def tables(die: Die[Backlash]) -> Iterator[OddsTable]:
            strikes = die.chance(attrgetter("strikes_user"))
            yield OddsTable("unstable", chances=((f"strikes {user.name}", strikes),))
            yield label_table(user.name, die.map(lambda end: str(end.user)))
            yield label_table(target.name, die.map(lambda end: str(end.target)))

        notes = not_simulated(situation.user, situation.target)
        return PreparedTrial.of(f"{user.name} uses an unstable ability", start, lines, tables, notes)

    return over_dice(config, prepare, (CHAOS,) if is_chaos else tuple(each for each in RESULTS if each != CHAOS))


MAX_FLIPS, MAX_POINTS, MAX_DISTANCE = 8, 100, 2000
PLAYERS = ("first player", "second player", "third player", "fourth player")
WORDS = (*STRATEGIES, *DRAWS)


@dataclass(frozen=True, slots=True)
class DangerousSituation:
    """A disk overlaps dangerous terrain after flips of one move, or after it has reinforced."""

    disk: Annotated[CardData, Parameter("card", "Disk that moves.", DISKS)]
    terrain: Annotated[CardData, Parameter("card", "Dangerous terrain.", TERRAIN)]
    flips: Annotated[int, Parameter("number", "Flips after which it overlaps it.", low=1, high=MAX_FLIPS)] = 1
    stops: Annotated[bool, Parameter("flag", "The move ends on the terrain.")] = False
    reinforces: Annotated[bool, Parameter("flag", "The disk reinforces onto the terrain.")] = False
    empowered: Annotated[bool, Parameter("flag", "The disk is empowered.")] = False
    damage: Annotated[int, Parameter("number", "Damage tokens on the disk.", high=MAX_DAMAGE)] = 0
    wounds: Annotated[int, Parameter("number", "Wound tokens on the disk.", high=MAX_WOUNDS)] = 0


def set_up_dangerous(situation: DangerousSituation, config: RulesConfig) -> PreparedTrial:
    """Set up dangerous terrain.

    Raises ValueError for terrain that is not, for flips that the disk cannot make, and for tokens with which it would
    be a casualty.
    """
    disk, terrain = disk_of(situation.disk), terrain_of(situation.terrain)
    if terrain is None or not terrain.dangerous:
        raise ValueError(f"{situation.terrain['name']} is not dangerous")
    if not situation.reinforces:
        _require_movement(disk, situation.flips)
    elif situation.stops or situation.flips > 1:
        raise ValueError(f"{disk.name} reinforces, so it does not flip: --reinforces excludes --flips and --stops")
    crossing = Crossing(situation.flips, situation.stops, situation.reinforces)
    notes = [*not_simulated(situation.disk, situation.terrain)]
    if situation.flips > 1 and "rough" in terrain.keywords and disk.keywords.isdisjoint(("flying", "strider")):
        rough = f"{terrain.name} is rough: for more than one flip on it, {disk.name} overlaps it before its move"
        notes.append(Assumed(rough))
    health = Health.of(disk, situation.damage, situation.wounds, situation.empowered)
    damage = terrain.dangerous
    return PreparedTrial.in_words(
        f"{disk.name} on {terrain.name}", lambda: cross(disk, health, damage, crossing, config.pairs), str, notes,
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class ImpactSituation:
    """A disk with impact pins another after flips of one move."""

    mover: Annotated[CardData, Parameter("card", "Disk with impact.", DISKS)]
    target: Annotated[CardData, Parameter("card", "Disk that it pins.", DISKS)]
    flips: Annotated[int, Parameter("number", "Flips after which it pins it.", low=1, high=MAX_FLIPS)] = 1
    terrain: Annotated[CardData | None, Parameter("card", "Terrain that the target overlaps.", TERRAIN)] = None
    friend: Annotated[bool, Parameter("flag", "The target is a friendly disk, which does not end the move.")] = False
    empowered: IsEmpowered = False
    damage: DamageTokens = 0
    wounds: WoundTokens = 0


def _certain(title: str, health: Health, *cards: CardData | None) -> PreparedTrial:
    """Return a trial of some cards without dice."""

    def start() -> Procedure[Health]:
        yield from ()
        return health

    return PreparedTrial.in_words(title, start, str, not_simulated(*cards))


def set_up_impact(situation: ImpactSituation, config: RulesConfig) -> PreparedTrial:
    """Set up impact damage.

    Raises ValueError for a disk without impact, for flips that it cannot make, and for tokens with which the target
    would be a casualty.
    """
    (mover, target), flips = disks_of((situation.mover, situation.target)), situation.flips
    target = target.with_terrain(terrain_of(situation.terrain), config.pairs)
    if not mover.impact:
        raise ValueError(f"{mover.name} has no impact")
    _require_movement(mover, flips)
    if flips > 1 and "flying" in mover.keywords:
        raise ValueError(f"{mover.name} is flying, so it pins nobody until its move ends: --flips is 1 at most")
    if situation.friend and ("impact-friends", "enemies") in config.pairs:
        raise ValueError("impact does not hurt friendly disks by the ruling impact-friends=enemies")
    is_relentless = "relentless" in mover.keywords
    most = 1 + is_relentless if ("relentless-first", "second") in config.pairs or not is_relentless else MAX_FLIPS
    if flips > most and not situation.friend:
        words = "is relentless, but its move ends the second time that it pins" if is_relentless else (
            "is not relentless, so its move ends when it pins")  # fmt: skip
        raise ValueError(f"{mover.name} {words} an enemy: --flips is {most} at most")
    health = Health.of(target, situation.damage, situation.wounds, situation.empowered)
    health = trample(mover, target, health, situation.flips, config.pairs)
    cards = (situation.mover, situation.target, situation.terrain)
    return _certain(f"impact of {mover.name} on {target.name}", health, *cards)


def _require_movement(disk: Disk, flips: int) -> None:
    """Raise ValueError for more flips than a disk has movement."""
    if flips > disk.movement:
        raise ValueError(
            f"{disk.name} has movement {disk.movement}, so it cannot make {quantity(flips, 'flip')} in one move"
        )


@dataclass(frozen=True, slots=True)
class MagicSituation:
    """A disk uses Magic on an enemy within medium range."""

    caster: Annotated[CardData, Parameter("card", "Disk with Magic.", DISKS)]
    target: Annotated[CardData, Parameter("card", "Target.", DISKS)]
    empowered: IsEmpowered = False
    damage: DamageTokens = 0
    wounds: WoundTokens = 0


def set_up_magic(situation: MagicSituation, config: RulesConfig) -> PreparedTrial:
    """Set up Magic.

    Raises ValueError for a disk without it, and for a target that is immune to it or would be a casualty.
    """
    caster, target = disks_of((situation.caster, situation.target))
    if not caster.magic:
        raise ValueError(f"{caster.name} has no Magic")
    if names_harm(target.immune, Harm(caster.magic, ARCANE, MAGIC), config.pairs):
        raise ValueError(f"{target.name} is immune to Magic and cannot be its target")
    health = Health.of(target, situation.damage, situation.wounds, situation.empowered)
    health = cast(caster, target, health, config.pairs)
    return _certain(f"Magic of {caster.name} on {target.name}", health, situation.caster, situation.target)


@dataclass(frozen=True, slots=True)
class ReachSituation:
    """The flips that a disk needs to pin another, or to come within range of it."""

    disk: Annotated[CardData, Parameter("card", "Disk that moves.", DISKS)]
    distance: Annotated[int, Parameter("number", "Distance from edge to edge.", high=MAX_DISTANCE, unit="mm")]
    sizes: Annotated[dict[str, float], Parameter("sizes", "Diameters.", DISKS)]
    diameter: Annotated[
        int | None, Parameter("number", "Diameter of the disk (default: its size's).", low=1, high=300, unit="mm")
    ] = None


def set_up_reach(situation: ReachSituation, config: RulesConfig) -> PreparedTrial:
    """Set up the flips over a distance, each of which moves a disk by its diameter."""
    disk = disk_of(situation.disk)
    diameter, gap = float(situation.diameter or situation.sizes[disk.size]), situation.distance
    ruler = Settings.of(situation.disk)
    lengths = {name: float(getattr(ruler, name)) for name in ("long", "medium", "short")}
    flips = {f"within {name} range, {length:g} mm": flips_into_range(gap, diameter, length, config.pairs)
             for name, length in lengths.items()}  # fmt: skip
    flips["onto the other disk"] = flips_to_pin(gap, diameter)

    def start() -> Procedure[tuple[str, ...]]:
        yield from ()
        return tuple(f"{what}: {_flips(count, disk.movement)}" for what, count in flips.items())

    title = f"{disk.name} over {gap} mm, {diameter:g} mm each flip"
    return PreparedTrial(title, start, tuple, plain_data, None, tuple(not_simulated(situation.disk)))


def _flips(count: int, movement: int) -> str:
    words = quantity(count, "flip")
    return words if count <= movement else f"{words}, more than its movement {movement}"


@dataclass(frozen=True, slots=True)
class InitiativeSituation:
    """The initiative roll of two players."""

    unspent_a: Annotated[int, Parameter("number", "Recruitment points left over, player A.", high=MAX_POINTS)] = 0
    unspent_b: Annotated[int, Parameter("number", "Recruitment points left over, player B.", high=MAX_POINTS)] = 0


def set_up_initiative(situation: InitiativeSituation, config: RulesConfig) -> PreparedTrial:
    """Set up the initiative roll; equal totals are rolled again."""
    return initiative_trial(("player A", "player B"), (situation.unspent_a, situation.unspent_b))


@dataclass(frozen=True, slots=True)
class OrderSituation:
    """Two to four players reveal their command cards."""

    first: Annotated[str, Parameter("word", "Strategy of the first player.", words=WORDS)] = ANY
    second: Annotated[str, Parameter("word", "Strategy of the second player.", words=WORDS)] = ANY
    third: Annotated[str | None, Parameter("word", "Strategy of the third player.", words=WORDS)] = None
    fourth: Annotated[str | None, Parameter("word", "Strategy of the fourth player.", words=WORDS)] = None


def set_up_order(situation: OrderSituation, config: RulesConfig) -> PreparedTrial:
    """Set up the order of command cards; strategies that are not given are drawn at random.

    Raises ValueError for a fourth player without a third.
    """
    if situation.fourth and not situation.third:
        raise ValueError("a fourth player needs a third one")
    words = [word for word in (situation.first, situation.second, situation.third, situation.fourth) if word]
    return strategy_trial(PLAYERS, words, DRAWS, lambda each: resolution_order(each, config.pairs))

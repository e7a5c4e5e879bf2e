"""The trials of moves and of the order of players."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from cardgen.game import (
    CardData,
    Parameter,
    PreparedTrial,
    Procedure,
    RulesConfig,
    initiative_trial,
    plain_data,
    quantity,
    strategy_trial,
)
from cardgen.rulesets.diskwars.referee import order
from cardgen.rulesets.diskwars.referee.attack_trials import MAX_DAMAGE, MAX_WOUNDS, not_simulated
from cardgen.rulesets.diskwars.referee.disk import (
    ARCANE,
    DISKS,
    MAGIC,
    TERRAIN,
    Disk,
    Harm,
    Health,
    disk_of,
    terrain_of,
)
from cardgen.rulesets.diskwars.referee.harm import names_harm
from cardgen.rulesets.diskwars.referee.moves import Crossing, cast, cross, flips_into_range, flips_to_pin, trample
from cardgen.rulesets.diskwars.settings import Settings

MAX_FLIPS, MAX_POINTS, MAX_DISTANCE = 8, 100, 2000
PLAYERS = ("first player", "second player", "third player", "fourth player")
WORDS = (*order.STRATEGIES, *order.DRAWS)


@dataclass(frozen=True, slots=True)
class DangerousSituation:
    """A disk overlaps dangerous terrain after flips of one move, or after it has reinforced."""

    disk: Annotated[CardData, Parameter("card", "Disk that moves.", DISKS)]
    terrain: Annotated[CardData, Parameter("card", "Dangerous terrain.", TERRAIN)]
    flips: Annotated[int, Parameter("number", "Flips after which it overlaps it.", low=1, high=MAX_FLIPS)] = 1
    stops: Annotated[bool, Parameter("flag", "The move ends on the terrain.")] = False
    reinforces: Annotated[bool, Parameter("flag", "The disk reinforces onto the terrain.")] = False
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
    health, damage = Health.of(disk, situation.damage, situation.wounds), terrain.dangerous
    return PreparedTrial.in_words(
        f"{disk.name} on {terrain.name}", lambda: cross(disk, health, damage, crossing, config.pairs), str,
        not_simulated(situation.disk, situation.terrain),
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class ImpactSituation:
    """A disk with impact pins another after flips of one move."""

    mover: Annotated[CardData, Parameter("card", "Disk with impact.", DISKS)]
    target: Annotated[CardData, Parameter("card", "Disk that it pins.", DISKS)]
    flips: Annotated[int, Parameter("number", "Flips after which it pins it.", low=1, high=MAX_FLIPS)] = 1
    terrain: Annotated[CardData | None, Parameter("card", "Terrain that the target overlaps.", TERRAIN)] = None
    friend: Annotated[bool, Parameter("flag", "The target is a friendly disk, which does not end the move.")] = False


def _certain(title: str, health: Health, *cards: CardData | None) -> PreparedTrial:
    """Return a trial of some cards without dice."""

    def start() -> Procedure[Health]:
        yield from ()
        return health

    return PreparedTrial.in_words(title, start, str, not_simulated(*cards))


def set_up_impact(situation: ImpactSituation, config: RulesConfig) -> PreparedTrial:
    """Set up impact damage. Raises ValueError for a disk without impact, and for flips that it cannot make."""
    mover, flips = disk_of(situation.mover), situation.flips
    target = disk_of(situation.target).with_terrain(terrain_of(situation.terrain), config.pairs)
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
    health = trample(mover, target, Health(), situation.flips, config.pairs)
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


def set_up_magic(situation: MagicSituation, config: RulesConfig) -> PreparedTrial:
    """Set up Magic. Raises ValueError for a disk without it, and for a target that is immune to it."""
    caster, target = disk_of(situation.caster), disk_of(situation.target)
    if not caster.magic:
        raise ValueError(f"{caster.name} has no Magic")
    if names_harm(target.immune, Harm(caster.magic, ARCANE, MAGIC), config.pairs):
        raise ValueError(f"{target.name} is immune to Magic and cannot be its target")
    health = cast(caster, target, Health(), config.pairs)
    return _certain(f"Magic of {caster.name} on {target.name}", health, situation.caster, situation.target)


@dataclass(frozen=True, slots=True)
class ReachSituation:
    """The flips that a disk needs to pin another, or to come within range of it."""

    disk: Annotated[CardData, Parameter("card", "Disk that moves.", DISKS)]
    distance: Annotated[int, Parameter("number", "Distance from edge to edge.", high=MAX_DISTANCE, unit="mm")]
    sizes: Annotated[dict[str, float], Parameter("sizes", "Diameters.", DISKS)]
    diameter: Annotated[
        int | None, Parameter("number", "Diameter of the disk (default: that of its size).", low=1, high=300, unit="mm")
    ] = None


def set_up_reach(situation: ReachSituation, config: RulesConfig) -> PreparedTrial:
    """Set up the flips over a distance, each of which moves a disk by its diameter."""
    disk = disk_of(situation.disk)
    diameter, gap = float(situation.diameter or situation.sizes[disk.size]), situation.distance
    ruler = Settings.in_force()
    flips = {f"within {name} range": flips_into_range(gap, diameter, float(getattr(ruler, name)), config.pairs)
             for name in ("long", "medium", "short")}  # fmt: skip
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

    first: Annotated[str, Parameter("word", "Strategy of the first player.", words=WORDS)] = order.ANY
    second: Annotated[str, Parameter("word", "Strategy of the second player.", words=WORDS)] = order.ANY
    third: Annotated[str | None, Parameter("word", "Strategy of the third player.", words=WORDS)] = None
    fourth: Annotated[str | None, Parameter("word", "Strategy of the fourth player.", words=WORDS)] = None


def set_up_order(situation: OrderSituation, config: RulesConfig) -> PreparedTrial:
    """Set up the order of command cards; strategies that are not given are drawn at random.

    Raises ValueError for a fourth player without a third.
    """
    if situation.fourth and not situation.third:
        raise ValueError("a fourth player needs a third one")
    words = [word for word in (situation.first, situation.second, situation.third, situation.fourth) if word]
    return strategy_trial(PLAYERS, words, order.DRAWS, lambda each: order.resolution_order(each, config.pairs))

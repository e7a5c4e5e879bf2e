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
    strategy_trial,
)
from cardgen.rulesets.diskwars.referee import order
from cardgen.rulesets.diskwars.referee.attack_trials import MAX_DAMAGE, MAX_WOUNDS
from cardgen.rulesets.diskwars.referee.disk import ARCANE, DISKS, MAGIC, TERRAIN, Harm, Health, disk_of, terrain_of
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

    Raises ValueError for terrain that is not, and for tokens with which the disk would be a casualty.
    """
    disk, terrain = disk_of(situation.disk), terrain_of(situation.terrain)
    if terrain is None or not terrain.dangerous:
        raise ValueError(f"{situation.terrain['name']} is not dangerous")
    crossing = Crossing(situation.flips, situation.stops, situation.reinforces)
    health, damage = Health.of(disk, situation.damage, situation.wounds), terrain.dangerous
    return PreparedTrial.in_words(
        f"{disk.name} on {terrain.name}", lambda: cross(disk, health, damage, crossing, config.pairs), str
    )


@dataclass(frozen=True, slots=True)
class ImpactSituation:
    """A disk with impact pins another after flips of one move."""

    mover: Annotated[CardData, Parameter("card", "Disk with impact.", DISKS)]
    target: Annotated[CardData, Parameter("card", "Disk that it pins.", DISKS)]
    flips: Annotated[int, Parameter("number", "Flips after which it pins it.", low=1, high=MAX_FLIPS)] = 1
    terrain: Annotated[CardData | None, Parameter("card", "Terrain that the target overlaps.", TERRAIN)] = None


def _certain(title: str, health: Health) -> PreparedTrial:
    """Return a trial without dice."""

    def start() -> Procedure[Health]:
        yield from ()
        return health

    return PreparedTrial.in_words(title, start, str)


def set_up_impact(situation: ImpactSituation, config: RulesConfig) -> PreparedTrial:
    """Set up impact damage. Raises ValueError for a disk without impact."""
    mover = disk_of(situation.mover)
    target = disk_of(situation.target).with_terrain(terrain_of(situation.terrain))
    if not mover.impact:
        raise ValueError(f"{mover.name} has no impact")
    health = trample(mover, target, Health(), situation.flips, config.pairs)
    return _certain(f"impact of {mover.name} on {target.name}", health)


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
    return _certain(f"Magic of {caster.name} on {target.name}", cast(caster, target, Health(), config.pairs))


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
    return PreparedTrial(title, start, tuple, plain_data, None)


def _flips(count: int, movement: int) -> str:
    words = f"{count} {'flip' if count == 1 else 'flips'}"
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

"""Duels over rounds, in which one disk lies on the other."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter
from typing import Annotated, NamedTuple

from cardgen.game import (
    CardData,
    Competitor,
    FirstFighter,
    OddsSolver,
    Pairing,
    Parameter,
    PreparedTrial,
    Procedure,
    RelayDuel,
    RulesConfig,
    copies_in_force,
    put,
    round_robin_pairings,
)
from cardgen.rulesets.diskwars.referee.disk import (
    DISKS,
    TERRAIN,
    Disk,
    Health,
    disk_of,
    disks_of,
    end_round,
    terrain_of,
)
from cardgen.rulesets.diskwars.referee.melee import TARGETS, Engagement, Healths, fight, fight_scrum
from cardgen.rulesets.diskwars.referee.order import not_simulated

# Rounds of a battle, and of a duel of several copies; and the most copies of the dearer disk.
ROUNDS, LONGEST, MOST_COPIES = 5, 15, 3


class Clash(NamedTuple):
    """Two disks: their health, and which one lies on the other; -1 if neither does yet."""

    healths: Healths
    top: int = -1


class DiskDuel(RelayDuel[Clash]):
    """Two disks in melee, round after round; whoever goes first pins the other.

    The next copy of a casualty pins the enemy.
    """

    def __init__(
        self, disks: tuple[Disk, Disk], config: RulesConfig, rounds: int = 0, solver: OddsSolver | None = None
    ) -> None:
        copies = copies_in_force(config, disks[0].cost, disks[1].cost, MOST_COPIES)
        names = (disks[0].name, disks[1].name)
        super().__init__(names, rounds or (LONGEST if max(copies) > 1 else ROUNDS), copies, solver)
        self.disks, self.rules = disks, config.pairs

    def begin(self) -> Clash:
        """Return the clash of the first two disks."""
        return Clash((Health(), Health()))

    def turn(self, owner: int, clash: Clash) -> Procedure[Clash]:
        """Play a melee phase and an end phase."""
        top = owner if clash.top < 0 else clash.top
        order = (top, 1 - top)
        disks = (self.disks[top], self.disks[1 - top])
        after = yield from fight(Engagement(disks, 1, self.rules), tuple(clash.healths[who] for who in order))
        ends = [end_round(disk, health, self.rules) for disk, health in zip(disks, after, strict=True)]
        return Clash(tuple(ends[order.index(who)] for who in (0, 1)), top)

    def relieve(self, clash: Clash, fallen: tuple[int, ...]) -> Clash:
        """Return the clash after another copy has pinned the enemy; if both are new, the next turn decides who pins."""
        if len(fallen) > 1:
            return self.begin()
        return Clash(put(clash.healths, fallen[0], Health()), fallen[0])

    def is_out(self, clash: Clash, who: int) -> bool:
        """Return whether a disk is a casualty."""
        return clash.healths[who].is_out

    def words(self, clash: Clash, who: int) -> str:
        """Return the health of a disk."""
        return str(clash.healths[who])


def round_robin(competitors: Sequence[Competitor], config: RulesConfig) -> Iterator[Pairing]:
    """Yield the duel of every two disks."""
    disks, solver = [disk_of(each.card, "disk") for each in competitors], OddsSolver()

    def duel_of(one: Disk, other: Disk) -> DiskDuel:
        return DiskDuel((one, other), config, solver=solver)

    return round_robin_pairings(disks, duel_of)


EMPOWERED = ("attackers", "defenders", "both")


def _counts(text: str | None, disks: int, option: str) -> tuple[int, ...]:
    """Return a number for each disk: none, or those of a text. Raises ValueError for a text with anything else."""
    words = (text or "0 " * disks).replace(",", " ").split()
    if len(words) != disks or not all(each.isascii() and each.isdecimal() and len(each) < 3 for each in words):
        example = ", ".join(["1", *("0" for _ in range(1, disks))])
        raise ValueError(f"{option} needs a number for each of the {disks} disks, such as '{example}', not '{text}'")
    return tuple(map(int, words))


def _places(text: str | None, disks: int, option: str) -> frozenset[int]:
    """Return the places of the disks that a text numbers from 1 on. Raises ValueError for a text with anything else."""
    numbers = {str(place + 1): place for place in range(disks)}
    words = (text or "").replace(",", " ").split()
    if not numbers.keys() >= {*words} or (text is not None and not words):
        raise ValueError(f"{option} needs numbers of disks from 1 to {disks}, such as '1, 3', not '{text}'")
    return frozenset(numbers[each] for each in words)


def _healths(
    disks: Sequence[Disk], damage: str | None, wounds: str | None, is_empowered: Callable[[int], bool]
) -> tuple[Health, ...]:
    """Return the health of disks with tokens. Raises ValueError for a disk that would be a casualty."""
    tokens = zip(_counts(damage, len(disks), "--damage"), _counts(wounds, len(disks), "--wounds"), strict=True)
    return tuple(Health.of(disks[who], *each, is_empowered(who)) for who, each in enumerate(tokens))


@dataclass(frozen=True, slots=True)
class MeleeSituation:
    """An engagement of one or more disks that lie on enemies, which all of them pin."""

    attackers: Annotated[tuple[CardData, ...], Parameter("cards", "Disk on top. Can be repeated.", DISKS)] = ()
    defenders: Annotated[tuple[CardData, ...], Parameter("cards", "Disk beneath. Can be repeated.", DISKS)] = ()
    empowered: Annotated[str | None, Parameter("word", "Side whose disks are empowered.", words=EMPOWERED)] = None
    above: Annotated[CardData | None, Parameter("card", "Terrain that the attackers overlap.", TERRAIN)] = None
    beneath: Annotated[CardData | None, Parameter("card", "Terrain that the defenders overlap.", TERRAIN)] = None
    damage: Annotated[str | None, Parameter("word", "Damage tokens of each disk, attackers first: '0, 2'.")] = None
    wounds: Annotated[str | None, Parameter("word", "Wound tokens of each disk, attackers first: '0, 1'.")] = None
    own_dice: Annotated[bool, Parameter("flag", "An attacker rolls a d6 of its own for each enemy.")] = False


def set_up_melee(situation: MeleeSituation, config: RulesConfig) -> PreparedTrial:
    """Set up an engagement. Raises ValueError for a side without disks, and for tokens that they cannot have."""
    if not situation.attackers or not situation.defenders:
        raise ValueError("an engagement needs attackers and defenders")
    if situation.own_dice:
        # Raise ValueError unless an attacker can roll more than one d6.
        defenders = len(situation.defenders)
        rolled = [each for each in map(disk_of, situation.attackers) if each.attack.is_rolled]
        if not rolled:
            raise ValueError("no attacker has attack strength d6, so --own-dice has no dice")
        damages_several = defenders > 1 and any("frenzy" in each.keywords for each in rolled)
        if not damages_several and ("two-pinned", "two") not in config.pairs:
            raise ValueError("--own-dice needs an attacker with d6 that damages several defenders, with frenzy")
    count = len(situation.attackers)
    disks = disks_of((*situation.attackers, *situation.defenders))
    grounds = (terrain_of(situation.above), terrain_of(situation.beneath))
    disks = tuple(disk.with_terrain(grounds[who >= count], config.pairs) for who, disk in enumerate(disks))
    healths = _healths(
        disks, situation.damage, situation.wounds,
        lambda who: situation.empowered in (EMPOWERED[who >= count], EMPOWERED[2]),
    )  # fmt: skip
    policy = config.policy[TARGETS.id]
    engagement = Engagement(disks, count, config.pairs, situation.own_dice, policy=policy)
    names = [disk.name for disk in disks]
    title = f"{', '.join(names[:count])} on {', '.join(names[count:])}"
    notes = not_simulated(*situation.attackers, *situation.defenders, situation.above, situation.beneath)
    return PreparedTrial.of_several(title, names, lambda: fight(engagement, healths), attrgetter("is_out"), notes)


@dataclass(frozen=True, slots=True)
class ScrumSituation:
    """A scrum of disks, each of which pins the next one, its enemy."""

    disks: Annotated[tuple[CardData, ...], Parameter("cards", "Disk, from the top down. Can be repeated.", DISKS)] = ()
    damage: Annotated[str | None, Parameter("word", "Damage tokens of each disk, from the top down: '0, 2, 0'.")] = None
    wounds: Annotated[str | None, Parameter("word", "Wound tokens of each disk, from the top down: '0, 1, 0'.")] = None
    empowered: Annotated[str | None, Parameter("word", "Empowered disks, numbered from the top: '1, 3'.")] = None
    terrain: Annotated[CardData | None, Parameter("card", "Terrain that the disks overlap.", TERRAIN)] = None
    overlapping: Annotated[str | None, Parameter("word", "Disks that overlap it: '1, 3' (default: all).")] = None


def set_up_scrum(situation: ScrumSituation, config: RulesConfig) -> PreparedTrial:
    """Set up a scrum. Raises ValueError for fewer than three disks, and for tokens that they cannot have."""
    disks = disks_of(situation.disks)
    if len(disks) < 3:
        raise ValueError("a scrum needs three or more disks; two are an engagement")
    if situation.overlapping is not None and situation.terrain is None:
        raise ValueError("--overlapping needs --terrain")
    empowered = _places(situation.empowered, len(disks), "--empowered")
    overlapping = _places(situation.overlapping, len(disks), "--overlapping") or range(len(disks))
    ground = terrain_of(situation.terrain)
    disks = tuple(
        disk.with_terrain(ground if who in overlapping else None, config.pairs) for who, disk in enumerate(disks)
    )
    names = [disk.name for disk in disks]
    healths = _healths(disks, situation.damage, situation.wounds, lambda who: who in empowered)
    return PreparedTrial.of_several(
        " on ".join(names), names, lambda: fight_scrum(disks, healths, config.pairs), attrgetter("is_out"),
        not_simulated(*situation.disks, situation.terrain),
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class DuelSituation:
    """Two disks alone in melee, one on the other, round after round."""

    a: Annotated[CardData, Parameter("card", "First disk.", DISKS)]
    b: Annotated[CardData, Parameter("card", "Second disk.", DISKS)]
    rounds: Annotated[int, Parameter("number", "Number of rounds.", low=1, high=ROUNDS)] = ROUNDS
    first: FirstFighter = "a"


def set_up_duel(situation: DuelSituation, config: RulesConfig) -> PreparedTrial:
    """Set up a duel; whoever goes first pins the other."""
    one, other = disks_of((situation.a, situation.b))
    duel = DiskDuel((one, other), replace(config, policy={"forces": "one"}), situation.rounds)
    notes = [f"{each.name}: {what}" for each in (one, other) for what in _unused(each)]
    return duel.prepare(situation.first, (*notes, *not_simulated(situation.a, situation.b)))


def _unused(disk: Disk) -> Iterator[str]:
    """Yield what a disk could do besides fighting in melee."""
    yield from (each.name for each in disk.ranged)
    yield from (f"{what} {number}" for what, number in (("impact", disk.impact), ("Magic", disk.magic)) if number)

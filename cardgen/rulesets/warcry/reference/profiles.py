"""Fighters on a sheet, with the values that their blessings give them, and odds that the referee computes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, NamedTuple

from cardgen.game import (
    Block,
    CardOptions,
    ContentProvider,
    Die,
    Field,
    GameData,
    Int,
    Model,
    NoOptions,
    TextBlock,
    card_data,
    decimal,
    left_out_note,
    odds,
    percent,
    rich_text,
    rows_table,
    table,
)
from cardgen.rulesets.warcry.cards import Blessing, Fighter, Member, Warband
from cardgen.rulesets.warcry.effective import own_changes
from cardgen.rulesets.warcry.limits import Weapon
from cardgen.rulesets.warcry.referee.attack import face_to_hit, prepare_attack, resolve_attack, roll_hits
from cardgen.rulesets.warcry.referee.fighter import (
    INITIATIVE_DICE,
    SET_NAMES,
    FighterStats,
    Hand,
    apply_changes,
    has_set,
    not_simulated,
    roll_hand,
    weapons_for,
)


class RosterLine(NamedTuple):
    """A line of a warband with its cards."""

    member: Member
    fighter: Fighter
    blessing: Blessing | None


@dataclass(frozen=True)
class WeaponProfile:
    """A weapon of a fighter before and after a blessing.

    `bearer` is the name of the fighter, with that of a blessing that can change the weapon. `certain` has the changes
    that apply to it in any case; `possible` also has those of a blessing for a single weapon that its player picks.
    """

    bearer: str
    printed: Weapon
    certain: Weapon
    possible: Weapon

    @property
    def is_certain(self) -> bool:
        """Whether its values depend on no choice."""
        return self.certain == self.possible

    def cells(self) -> tuple[str, ...]:
        """Return the cells of its row: Range, Attacks, Strength, and Damage."""
        versions = [
            (each.attacks, each.strength, f"{each.damage}/{each.critical}")
            for each in (self.printed, self.certain, self.possible)
        ]
        return self.printed.reach, *(value_cell(*map(str, values)) for values in zip(*versions, strict=True))


@dataclass(frozen=True)
class Profile:
    """A fighter with its blessing, if it has one."""

    fighter: Fighter
    blessing: Blessing | None = None

    @property
    def points(self) -> int:
        """Its cost, including the blessing."""
        return self.fighter.points + (self.blessing.price(self.fighter) if self.blessing else 0)

    @cached_property
    def weapons(self) -> tuple[WeaponProfile, ...]:
        """Its weapons."""
        candidates = weapons_for(self.fighter.weapons, own_changes(self.blessing)) if self.blessing else ()
        single = candidates[0].name if len(candidates) == 1 else ""
        return tuple(
            WeaponProfile(self._bearer(weapon, possible), weapon, certain, possible)
            for weapon, certain in zip(self.fighter.weapons, self.stats(single).weapons, strict=True)
            for possible in (self.stats(weapon.name).weapon(weapon.name),)
        )

    def _bearer(self, printed: Weapon, blessed: Weapon) -> str:
        name = self.fighter.name
        return f"{name}, {self.blessing.name}" if self.blessing and blessed != printed else name

    def stats(self, single_weapon: str = "") -> FighterStats:
        """Return its values; `single_weapon` has a blessing for one weapon."""
        numbers = self.fighter.stats
        plain = FighterStats(
            self.fighter.name, numbers.move, numbers.toughness, numbers.wounds, self.fighter.weapons, self.fighter.marks
        )
        return apply_changes(plain, own_changes(self.blessing), single_weapon)

    def cells(self) -> tuple[str, ...]:
        """Return the cells of its row: Move, Toughness, Wounds, and points."""
        numbers, stats = self.fighter.stats, self.stats()
        pairs = ((numbers.move, stats.move), (numbers.toughness, stats.toughness), (numbers.wounds, stats.wounds))
        return *(value_cell(str(printed), str(value)) for printed, value in pairs), str(self.points)


def value_cell(printed: str, certain: str, possible: str = "") -> str:
    """Return a value as a cell.

    A changed value is bold; one that depends on the choice of a weapon follows in parentheses.
    """
    value = certain if certain == printed else f"**{certain}**"
    return f"{value} ({possible})" if possible not in ("", certain) else value


def profiles(options: CardOptions, data: GameData) -> tuple[Profile, ...]:
    """Return the selected fighters.

    On the sheet of a warband, those are its fighters with their blessings, each combination once; on that of a faction
    or grand alliance, all of its fighters.
    """
    if isinstance(data.card_list, Warband) and not (options.all or options.only):
        members = {(member.fighter, member.blessing): member for member in data.card_list.members}
        return tuple(Profile(line.fighter, line.blessing) for line in _roster_lines(members.values(), data))
    mark = data.group.id if data.group and not (options.all or options.only) else ""
    cards = (card for card in data.select(Fighter.KIND, options.only) if isinstance(card, Fighter))
    return tuple(Profile(card) for card in cards if not mark or mark in card.marks)


def fighters(options: CardOptions, data: GameData) -> tuple[Fighter, ...]:
    """Return the selected fighters, each once."""
    return tuple({each.fighter.id: each.fighter for each in profiles(options, data)}.values())


def icons(marks: Iterable[str]) -> str:
    """Return the icons of runemarks as markup."""
    return " ".join(f"{{{mark}}}" for mark in marks)


def _roster_lines(members: Iterable[Member], data: GameData) -> Iterator[RosterLine]:
    for member in members:
        fighter = data.find(Fighter.KIND, member.fighter)
        blessing = data.find(Blessing.KIND, member.blessing) if member.blessing else None
        assert isinstance(fighter, Fighter)
        assert blessing is None or isinstance(blessing, Blessing)
        yield RosterLine(member, fighter, blessing)


def _roster_table(_: CardOptions, data: GameData) -> Iterator[Block]:
    """Yield a table of a warband: fighters, blessings, numbers, and points."""
    if not isinstance(data.card_list, Warband):
        return
    rows, total = [], 0
    for member, fighter, blessing in _roster_lines(data.card_list.members, data):
        points = Profile(fighter, blessing).points
        total += points * member.qty
        leads = " *leader*" if member.leader else ""
        name = blessing.name if blessing else ""
        rows.append((f"{fighter.name}{leads}", name, str(points), str(member.qty), str(points * member.qty)))
    rows.append((f"**Total** of at most {data.card_list.limit}", "", "", "", f"**{total}**"))
    yield from rows_table(("Fighter", "Blessing", "Each", "Number", "Points"), rows)


def _fighter_table(options: CardOptions, data: GameData) -> Iterator[Block]:
    """Yield a table of characteristics."""
    chosen = profiles(options, data)
    rows = ((" ".join(filter(None, (_heading(each), icons(each.fighter.runemarks)))), *each.cells()) for each in chosen)
    yield from rows_table(("", "Move", "Tough.", "Wounds", "Points"), rows)
    if any(each.blessing for each in chosen):
        yield TextBlock(rich_text("Points include blessings. Values in bold were changed by a blessing."))


def _heading(profile: Profile) -> str:
    blessing = f" *{profile.blessing.name}*" if profile.blessing else ""
    return f"**{profile.fighter.name}**{blessing}"


def weapon_profiles(options: CardOptions, data: GameData) -> list[WeaponProfile]:
    """Return the weapons of the selected fighters, each once."""
    weapons = [weapon for profile in profiles(options, data) for weapon in profile.weapons]
    return list({(weapon.bearer, weapon.printed.name): weapon for weapon in weapons}.values())


def _weapon_table(options: CardOptions, data: GameData) -> Iterator[Block]:
    """Yield a table of weapons, one per row."""
    weapons = weapon_profiles(options, data)
    rows = ((f"{{{each.printed.icon}}} **{each.printed.name}** *{each.bearer}*", *each.cells()) for each in weapons)
    yield from rows_table(("Weapon", "Rng", "A", "S", "D"), rows)
    if not all(weapon.is_certain for weapon in weapons):
        yield TextBlock(rich_text("In parentheses: the value if the player picks this weapon for the blessing."))


TOUGHNESS = range(3, 7)
# Of mean damage: the table is about weapons as they are printed or blessed.
LEFT_OUT = "abilities, battle traits, and reactions"


class SetOptions(Model):
    """Option for the first row of the table."""

    fewest: Annotated[Int, Field(ge=2, le=6, description="lowest number of dice")] = 4


def _to_hit_table(_: NoOptions, data: GameData) -> Iterator[Block]:
    """Yield the roll to hit and the chances of each result."""
    rows = []
    for words, strength in (("higher", 5), ("equal", 4), ("lower", 3)):
        face = face_to_hit(strength, 4)
        die = odds(roll_hits, 1, face, "")
        hit, critical = die.chance(lambda tally: tally.hits > 0), die.chance(lambda tally: tally.criticals > 0)
        rows.append((words, f"{face}+", percent(hit, 0), percent(critical, 0)))
    yield from rows_table(("Strength", "Roll", "Hit", "Crit."), rows)


def _sets_table(options: SetOptions, data: GameData) -> Iterator[Block]:
    """Yield the chances of each set by number of dice."""
    rows = []
    for count in range(options.fewest, INITIATIVE_DICE + 1):
        die = odds(roll_hand, count, 0, "")
        rows.append((f"{count} dice", *(percent(die.chance(_has_at_least(size)), 0) for size in SET_NAMES)))
    yield from rows_table(("", *SET_NAMES.values()), rows)


def _has_at_least(size: int) -> Callable[[Hand], bool]:
    return lambda hand: has_set(hand, size)


def _singles_table(_: NoOptions, data: GameData) -> Iterator[Block]:
    """Yield the chances of each number of singles on six dice."""
    die: Die[Hand] = odds(roll_hand, INITIATIVE_DICE, 0, "")
    chances = dict(die.map(lambda hand: hand.singles))
    counts = sorted(chances)
    yield table(("Singles", *map(str, counts)), [("in %", *(decimal(chances[n] * 100, 0) for n in counts))])


def _damage_table(options: CardOptions, data: GameData) -> Iterator[Block]:
    """Yield the mean damage of each weapon by the target's Toughness, below what it leaves out."""
    blessings = (card_data(each.blessing) for each in profiles(options, data) if each.blessing)
    rows = [
        (
            f"**{weapon.printed.name}** *{weapon.bearer}*",
            *(
                value_cell(certain := _mean_damage(weapon.certain, *at), certain, _mean_damage(weapon.possible, *at))
                for at in ((toughness, data) for toughness in TOUGHNESS)
            ),
        )
        for weapon in weapon_profiles(options, data)
    ]
    if rows:
        yield from left_out_note((LEFT_OUT, *not_simulated(*blessings)))
    yield from rows_table(("", *(f"T{toughness}" for toughness in TOUGHNESS)), rows)


def _mean_damage(weapon: Weapon, toughness: int, data: GameData) -> str:
    fighter = FighterStats("", 0, toughness, 1, (weapon,), frozenset())
    attack = prepare_attack(fighter, fighter.weapons[0], fighter, cover=False, reaction="", rulings=data.rulings)
    return decimal(odds(resolve_attack, attack).mean(lambda harm: harm.target), 1)


CONTENT_PROVIDERS = {
    "fighters": ContentProvider(_fighter_table, "a table of characteristics, one fighter per row", CardOptions),
    "roster": ContentProvider(_roster_table, "the lines of a warband, with blessings and points", CardOptions),
    "weapons": ContentProvider(_weapon_table, "a table of weapons, one per row", CardOptions),
    "to-hit": ContentProvider(_to_hit_table, "the roll that hits, with chances of hits and critical hits"),
    "odds-of-sets": ContentProvider(
        _sets_table, "chances of doubles, triples, and quads by number of dice", SetOptions
    ),
    "odds-of-singles": ContentProvider(_singles_table, "chances of each number of singles on six dice"),
    "odds-of-damage": ContentProvider(_damage_table, "mean damage of each weapon by Toughness", CardOptions),
}

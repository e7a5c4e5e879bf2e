"""Odds tables on a sheet, computed by the referee."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Annotated

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
    card_data,
    decimal,
    left_out_note,
    odds,
    percent,
    rows_table,
    table,
)
from cardgen.rulesets.warcry.limits import Weapon
from cardgen.rulesets.warcry.referee.attack import face_to_hit, prepare_attack, resolve_attack, roll_hits
from cardgen.rulesets.warcry.referee.fighter import (
    INITIATIVE_DICE,
    SET_NAMES,
    FighterStats,
    Hand,
    has_set,
    not_simulated,
    roll_hand,
)
from cardgen.rulesets.warcry.reference.profiles import profiles, value_cell, weapon_profiles

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
    "to-hit": ContentProvider(_to_hit_table, "the roll that hits, with chances of hits and critical hits"),
    "odds-of-sets": ContentProvider(
        _sets_table, "chances of doubles, triples, and quads by number of dice", SetOptions
    ),
    "odds-of-singles": ContentProvider(_singles_table, "chances of each number of singles on six dice"),
    "odds-of-damage": ContentProvider(_damage_table, "mean damage of each weapon by Toughness", CardOptions),
}

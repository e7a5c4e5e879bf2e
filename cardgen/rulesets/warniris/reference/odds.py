"""Odds tables on a sheet, calculated by the referee under the current rulings."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Annotated

from cardgen.game import (
    SIDES,
    Block,
    CardData,
    ContentProvider,
    Field,
    GameData,
    Int,
    Model,
    NoOptions,
    PreparedTrial,
    card_data,
    default_config,
    left_out_note,
    percent,
    rows_table,
    table,
)
from cardgen.rulesets.warniris.cards import Minion, Warband
from cardgen.rulesets.warniris.limits import MAX_ATTRIBUTE, MIN_ATTRIBUTE
from cardgen.rulesets.warniris.referee.modifiers import POLICIES
from cardgen.rulesets.warniris.referee.situations import AttackSituation, TestSituation
from cardgen.rulesets.warniris.referee.trials import EVENT_VERBS, set_up_attack, set_up_test
from cardgen.rulesets.warniris.reference.cards import (
    FIGHTER_KINDS,
    FighterCard,
    FighterKind,
    FighterKindOptions,
    select_fighters,
    weapon_label,
)

ATTRIBUTE_VALUES = range(MIN_ATTRIBUTE, MAX_ATTRIBUTE + 1)
_ATTACKER, _TARGET = "attacker", "target"
# Tables of a warband are about its fighters, whatever they carry.
RELICS = "Relics"


class SuccessOptions(Model):
    """The highest Penetration to list; by default, the highest on any card."""

    penetration: Annotated[Int | None, Field(ge=0, le=6, description="the highest Penetration in the table")] = None


class AttackerOptions(Model):
    """The attackers; on a warband's sheet, its own fighters."""

    attackers: FighterKind = "minion"


class WoundingOptions(AttackerOptions):
    """The attackers and their targets."""

    targets: FighterKind = "minion"


def _success_table(options: SuccessOptions, data: GameData) -> Iterator[Block]:
    """Yield the successful rolls out of 6, by attribute and Penetration."""
    highest = options.penetration if options.penetration is not None else _highest_penetration(data)
    head = ("", *(f"P{value}" for value in range(highest + 1)))
    rows = (
        (str(value), *(str(_success_chance(value, pierce, data) * SIDES) for pierce in range(highest + 1)))
        for value in ATTRIBUTE_VALUES
    )
    yield table(head, rows)


def _success_chance(attribute: int, penetration: int, data: GameData) -> Fraction:
    """Return the chance to pass a Test to resist."""
    situation = TestSituation(_dummy_card(_TARGET, attribute), "body", penetration=penetration)
    trial = set_up_test(situation, default_config(data, POLICIES))
    assert trial.odds is not None
    return trial.odds()[0].parts[0][1]


def _highest_penetration(data: GameData) -> int:
    cards = [card for kind in FIGHTER_KINDS for card in select_fighters(_all_fighters(kind), data)]
    return max((weapon.penetration for card in cards for weapon in card.weapons), default=0)


def _attack_table(_: NoOptions, data: GameData) -> Iterator[Block]:
    """Yield the chance to wound, by attribute to hit (rows) and to resist (columns)."""
    head = ("", *map(str, ATTRIBUTE_VALUES))
    rows = (
        (
            str(hits),
            *(
                _wound_percent(_attack(_dummy_card(_ATTACKER, hits), _dummy_card(_TARGET, resists), data))
                for resists in ATTRIBUTE_VALUES
            ),
        )
        for hits in ATTRIBUTE_VALUES
    )
    yield table(head, rows)


def _defence_table(options: AttackerOptions, data: GameData) -> Iterator[Block]:
    """Yield each weapon's odds by the attribute that resists, before Penetration."""
    targets = [_dummy_card(_TARGET, value) for value in ATTRIBUTE_VALUES]
    columns = [(str(value), target) for value, target in zip(ATTRIBUTE_VALUES, targets, strict=True)]
    yield from _odds_table(options, columns, data)


def _wound_table(options: WoundingOptions, data: GameData) -> Iterator[Block]:
    """Yield each weapon's odds against each target."""
    targets = select_fighters(_all_fighters(options.targets), data)
    yield from _odds_table(options, [(target.name, card_data(target)) for target in targets], data)


def _odds_table(options: AttackerOptions, targets: list[tuple[str, CardData]], data: GameData) -> Iterator[Block]:
    """Yield each weapon's chance to wound the targets, given with their headings, below what the chances leave out."""
    left_out: dict[str, None] = {}
    rows = []
    for attacker in _attackers(options, data):
        for weapon in (each for each in attacker.weapons if each.needs_test):
            attacks = [_attack(card_data(attacker), target, data, weapon.name) for _, target in targets]
            left_out |= dict.fromkeys(note for each in attacks for note in each.not_simulated)
            rows.append((weapon_label(attacker, weapon), *map(_wound_percent, attacks)))
    if isinstance(data.card_list, Warband) and any(each.relic for each in data.card_list.members):
        left_out[RELICS] = None
    if targets and rows:
        yield from left_out_note(left_out)
        yield from rows_table(("", *(heading for heading, _ in targets)), rows)


def _attackers(options: AttackerOptions, data: GameData) -> tuple[FighterCard, ...]:
    """Return the attackers: on a warband's sheet, all its fighters."""
    kinds = FIGHTER_KINDS if isinstance(data.card_list, Warband) else (options.attackers,)
    return tuple(card for kind in kinds for card in select_fighters(FighterKindOptions(kind=kind), data))


def _all_fighters(kind: FighterKind) -> FighterKindOptions:
    """Return options that select all fighters of a kind, on any sheet."""
    return FighterKindOptions(kind=kind, all=True)


def _attack(attacker: CardData, target: CardData, data: GameData, weapon: str | None = None) -> PreparedTrial:
    return set_up_attack(AttackSituation(attacker, target, weapon), default_config(data, POLICIES))


def _wound_percent(trial: PreparedTrial) -> str:
    """Return the chance that one attack wounds, in percent."""
    assert trial.odds is not None
    chances = trial.odds()[0].chances
    return percent(next(chance for words, chance in chances if words.endswith(f" {EVENT_VERBS['damage']}")), 0)


def _dummy_card(name: str, attribute: int) -> CardData:
    """Return a fighter with equal attributes and a weapon without Penetration."""
    stats = {"mind": attribute, "body": attribute, "spirit": attribute, "wounds": 1, "movement": 0}
    weapons = [{"name": "weapon", "type": "RW", "range": 1, "damage": 1}]
    return {"kind": Minion.KIND, "name": name, "stats": stats, "weapons": weapons}


ODDS_PROVIDERS = {
    "odds-of-success": ContentProvider(
        _success_table, "the number of successes in 6 rolls, by attribute and Penetration", SuccessOptions
    ),
    "odds-of-attacks": ContentProvider(_attack_table, "the chance to wound, by the attributes that hit and resist"),
    "odds-by-defence": ContentProvider(
        _defence_table, "the chance of each weapon to wound, by the attribute that resists it", AttackerOptions
    ),
    "odds-of-wounding": ContentProvider(
        _wound_table, "the chance of each weapon to wound each target", WoundingOptions
    ),
}

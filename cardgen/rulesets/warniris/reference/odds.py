"""Tables of odds, worked out by the referee under the rulings in force."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Annotated, Any

from pydantic import Field

from cardgen.model.base import Int, Model
from cardgen.referee.figures import percent
from cardgen.reference.tree import Block
from cardgen.rulesets.adjudication import Terms
from cardgen.rulesets.reference import Exhibit, Knowledge, NoOptions, table
from cardgen.rulesets.ruling import in_force
from cardgen.rulesets.warniris.kinds import Minion, Warband
from cardgen.rulesets.warniris.procedures.policy import POLICIES
from cardgen.rulesets.warniris.procedures.reckoning import LEAST, MOST
from cardgen.rulesets.warniris.procedures.situations import AttackSituation, TestSituation
from cardgen.rulesets.warniris.procedures.trials import EVENTS, set_up_attack, set_up_test
from cardgen.rulesets.warniris.reference.cards import armed
from cardgen.rulesets.warniris.reference.choosing import FIGHTING, Fighter, FighterOptions, Fighting, fighters

SIDES = 6
ATTRIBUTES = range(LEAST, MOST + 1)
_ATTACKER, _TARGET = "attacker", "target"


class SuccessOptions(Model):
    """Up to which Penetration; by default the highest of all cards."""

    penetration: Annotated[Int | None, Field(ge=0, le=6, description="the highest Penetration of the table")] = None


class AttackerOptions(Model):
    """Whose weapons; on a warband's sheet its own."""

    attackers: Fighting = "minion"


class WoundingOptions(AttackerOptions):
    """Whose weapons, and against whom."""

    targets: Fighting = "minion"


def terms(known: Knowledge) -> Terms:
    """The rulings in force, with the policies as they are by default."""
    return Terms(known.rulings, in_force(POLICIES, {})[0])


def _success(options: SuccessOptions, known: Knowledge) -> Iterator[Block]:
    """How many rolls in 6 succeed, by attribute and Penetration."""
    highest = options.penetration if options.penetration is not None else _highest_penetration(known)
    head = ("", *(f"P{value}" for value in range(highest + 1)))
    rows = (
        (str(value), *(str(_succeeds(value, pierce, known) * SIDES) for pierce in range(highest + 1)))
        for value in ATTRIBUTES
    )
    yield table(head, rows)


def _succeeds(attribute: int, penetration: int, known: Knowledge) -> Fraction:
    """The chance of a Test to resist."""
    situation = TestSituation(_dummy(_TARGET, attribute), "body", penetration=penetration)
    matter = set_up_test(situation, terms(known))
    assert matter.odds is not None
    return matter.odds()[0].parts[0][1]


def _highest_penetration(known: Knowledge) -> int:
    cards = [card for kind in FIGHTING for card in fighters(_every(kind), known)]
    return max((weapon.penetration for card in cards for weapon in card.weapons), default=0)


def _attacks(_: NoOptions, known: Knowledge) -> Iterator[Block]:
    """The chance to wound, by what hits (rows) and by what is left to resist with (columns)."""
    head = ("", *map(str, ATTRIBUTES))
    rows = (
        (str(hits), *(_share(_dummy(_ATTACKER, hits), _dummy(_TARGET, resists), known) for resists in ATTRIBUTES))
        for hits in ATTRIBUTES
    )
    yield table(head, rows)


def _by_defence(options: AttackerOptions, known: Knowledge) -> Iterator[Block]:
    """Each weapon by the number that its target resists with, before Penetration."""
    targets = [_dummy(_TARGET, value) for value in ATTRIBUTES]
    _against = [(str(value), target) for value, target in zip(ATTRIBUTES, targets, strict=True)]
    yield from _table(options, _against, known)


def _wounding(options: WoundingOptions, known: Knowledge) -> Iterator[Block]:
    """Each weapon against each target."""
    targets = fighters(_every(options.targets), known)
    yield from _table(options, [(target.name, _data(target)) for target in targets], known)


def _table(options: AttackerOptions, targets: list[tuple[str, dict[str, Any]]], known: Knowledge) -> Iterator[Block]:
    """The chances of every weapon to wound targets, whose headings are given."""
    rows = [
        (armed(attacker, weapon), *(_share(_data(attacker), target, known, weapon.name) for _, target in targets))
        for attacker in _attackers(options, known)
        for weapon in attacker.weapons
        if weapon.needs_test
    ]
    if rows and targets:
        yield table(("", *(heading for heading, _ in targets)), rows).plain_first()


def _attackers(options: AttackerOptions, known: Knowledge) -> tuple[Fighter, ...]:
    """On a warband's sheet all that are in it."""
    kinds = FIGHTING if isinstance(known.of, Warband) else (options.attackers,)
    return tuple(card for kind in kinds for card in fighters(FighterOptions(kind=kind), known))


def _every(kind: Fighting) -> FighterOptions:
    """The options for all fighters of a kind, whatever sheet they are for."""
    return FighterOptions(kind=kind, all=True)


def _share(attacker: dict[str, Any], target: dict[str, Any], known: Knowledge, weapon: str | None = None) -> str:
    """The chance that one attack wounds, in percent."""
    matter = set_up_attack(AttackSituation(attacker, target, weapon), terms(known))
    assert matter.odds is not None
    chances = matter.odds()[0].chances
    return percent(next(chance for words, chance in chances if words.endswith(f" {EVENTS['damage']}")), 0)


def _data(card: Fighter) -> dict[str, Any]:
    """The plain data of a card, as the referee takes it."""
    kept = card.model_dump(mode="json", by_alias=True, exclude_defaults=True)
    return {"kind": type(card).KIND, **kept}


def _dummy(name: str, attribute: int) -> dict[str, Any]:
    """A fighter of whom only one number matters, with a weapon that takes off nothing."""
    stats = {"mind": attribute, "body": attribute, "spirit": attribute, "wounds": 1, "movement": 0}
    weapons = [{"name": "weapon", "type": "RW", "range": 1, "damage": 1}]
    return {"kind": Minion.KIND, "name": name, "stats": stats, "weapons": weapons}


EXHIBITS = {
    "odds-of-success": Exhibit(_success, "rolls in 6 that succeed, by attribute and Penetration", SuccessOptions),
    "odds-of-attacks": Exhibit(_attacks, "the chance to wound, by what hits and what resists"),
    "odds-by-defence": Exhibit(_by_defence, "each weapon by the number that resists it", AttackerOptions),
    "odds-of-wounding": Exhibit(_wounding, "each weapon against each target", WoundingOptions),
}

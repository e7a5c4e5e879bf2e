"""Tables of odds, worked out by the referee under the rulings in force."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Annotated, Any, Literal

from pydantic import Field

from cardgen.model.base import Int, Model
from cardgen.referee.figures import percent
from cardgen.reference.tree import Block
from cardgen.rulesets.adjudication import Terms
from cardgen.rulesets.reference import Knowledge, table
from cardgen.rulesets.ruling import in_force
from cardgen.rulesets.warniris.kinds import Character, Minion, Warband
from cardgen.rulesets.warniris.procedures.policy import POLICIES
from cardgen.rulesets.warniris.procedures.reckoning import LEAST, MOST
from cardgen.rulesets.warniris.procedures.situations import AttackSituation, TestSituation
from cardgen.rulesets.warniris.procedures.trials import EVENTS, set_up_attack, set_up_test

SIDES = 6
# The referee asks for a whole card; of a test only the attribute matters.
_DUMMY = {"kind": "minion", "name": "fighter"}


class SuccessOptions(Model):
    """Up to which Penetration; by default the highest among the cards."""

    penetration: Annotated[Int | None, Field(ge=0, le=6, description="the highest Penetration of the table")] = None


class WoundingOptions(Model):
    """Whose weapons, and against whom; on a warband's sheet its own weapons."""

    attackers: Literal["character", "minion"] = "minion"
    targets: Literal["character", "minion"] = "minion"


def terms(known: Knowledge) -> Terms:
    """The rulings in force, with the policies as they are by default."""
    return Terms(known.rulings, in_force(POLICIES, {})[0])


def success(options: SuccessOptions, known: Knowledge) -> Iterator[Block]:
    """By attribute and Penetration: the highest number that succeeds, which is also how many in 6."""
    highest = options.penetration if options.penetration is not None else _highest_penetration(known)
    head = ("", *(f"P{value}" if value else "P0" for value in range(highest + 1)))
    rows = (
        (str(value), *(_in_six(_succeeds(value, pierce, known)) for pierce in range(highest + 1)))
        for value in range(LEAST, MOST + 1)
    )
    yield table(head, rows)


def _succeeds(attribute: int, penetration: int, known: Knowledge) -> Fraction:
    """The chance of a Test to resist."""
    stats = {"mind": 1, "body": attribute, "spirit": 1, "wounds": 1, "movement": 0}
    situation = TestSituation({**_DUMMY, "stats": stats}, "body", penetration=penetration)
    matter = set_up_test(situation, terms(known))
    assert matter.odds is not None
    return matter.odds()[0].parts[0][1]


def _in_six(chance: Fraction) -> str:
    return f"{chance * SIDES}"


def _highest_penetration(known: Knowledge) -> int:
    """Of all weapons at hand."""
    cards = (*known.cards["character"], *known.cards["minion"])
    return max(
        (w.penetration for card in cards if isinstance(card, Character | Minion) for w in card.weapons), default=3
    )


def wounding(options: WoundingOptions, known: Knowledge) -> Iterator[Block]:
    """Each weapon against each target: the chance to wound it with one Attack."""
    targets = _fighters(options.targets, known)
    rows = []
    for attacker in _fighters(options.attackers, known, of_list=True):
        for weapon in attacker.weapons:
            if weapon.needs_test:
                chances = (_wounds(attacker, weapon.name, target, known) for target in targets)
                rows.append((f"**{weapon.name}**  *{attacker.name}*", *(percent(chance, 0) for chance in chances)))
    if rows and targets:
        yield table(("", *(target.name for target in targets)), rows).plain_first()


def _fighters(kind: str, known: Knowledge, *, of_list: bool = False) -> tuple[Character | Minion, ...]:
    cards = known.cards[kind]
    if of_list and isinstance(known.of, Warband):
        names = {member.character for member in known.of.members} | {troop.minion for troop in known.of.minions}
        cards = tuple(
            card for each in ("character", "minion") for card in known.cards[each] if {card.id, card.name} & names
        )
    return tuple(card for card in cards if isinstance(card, Character | Minion))


def _wounds(attacker: Character | Minion, weapon: str, target: Character | Minion, known: Knowledge) -> Fraction:
    situation = AttackSituation(_data(attacker), _data(target), weapon)
    matter = set_up_attack(situation, terms(known))
    assert matter.odds is not None
    chances: Mapping[str, Fraction] = dict(matter.odds()[0].chances)
    return chances[f"{_first_name(attacker, target)} {EVENTS['damage']}"]


def _first_name(attacker: Character | Minion, target: Character | Minion) -> str:
    """What the referee calls the attacker: two of one name are numbered."""
    return f"{attacker.name} 1" if attacker.name == target.name else attacker.name


def _data(card: Character | Minion) -> dict[str, Any]:
    kept = card.model_dump(mode="json", by_alias=True, exclude_defaults=True)
    return {"kind": type(card).KIND, **kept}

"""Tables of odds, worked out by the referee under the rulings in force."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Annotated

from pydantic import Field

from cardgen.model.base import Int, Model
from cardgen.referee.die import Die
from cardgen.referee.figures import decimal, percent
from cardgen.referee.odds import odds
from cardgen.reference.tree import Block
from cardgen.rulesets.reference import Exhibit, Knowledge, NoOptions, table
from cardgen.rulesets.warcry.procedures.attack import need, strike, swing, volley
from cardgen.rulesets.warcry.procedures.dice import NAMES, SIX, Hand, at_least, rolled
from cardgen.rulesets.warcry.procedures.profile import Body, arm_of
from cardgen.rulesets.warcry.reference.cards import FighterOptions, fighters

TOUGHNESS = range(3, 7)


class DiceOptions(Model):
    """How few dice the table begins with."""

    fewest: Annotated[Int, Field(ge=2, le=6, description="the lowest number of dice")] = 4


def _to_hit(_: NoOptions, known: Knowledge) -> Iterator[Block]:
    """What a die needs, and the chances of a hit and of a critical hit."""
    rows = []
    for words, strength in (("over", 5), ("equal to", 4), ("under", 3)):
        face = need(strength, 4)
        die = odds(volley, 1, face, "")
        hit, critical = die.chance(lambda tally: tally.hits > 0), die.chance(lambda tally: tally.criticals > 0)
        rows.append((f"{words} it", f"{face}+", percent(hit, 0), percent(critical, 0)))
    yield table(("Strength", "Die", "Hit", "Crit."), rows).plain_first()


def _sets(options: DiceOptions, known: Knowledge) -> Iterator[Block]:
    """The chance of a double, a triple and a quad at least, by the number of dice."""
    rows = []
    for count in range(options.fewest, SIX + 1):
        die = odds(rolled, count, 0, "")
        rows.append((f"{count} dice", *(percent(die.chance(_least(size)), 0) for size in NAMES)))
    yield table(("", *NAMES.values()), rows).plain_first()


def _least(size: int) -> Callable[[Hand], bool]:
    return lambda hand: at_least(hand, size)


def _singles(_: NoOptions, known: Knowledge) -> Iterator[Block]:
    """How many singles six dice show."""
    die: Die[Hand] = odds(rolled, SIX, 0, "")
    chances = dict(die.map(lambda hand: hand.singles))
    counts = sorted(chances)
    yield table(("Singles", *map(str, counts)), [("in %", *(decimal(chances[n] * 100, 0) for n in counts))])


def _damage(options: FighterOptions, known: Knowledge) -> Iterator[Block]:
    """The mean damage of an attack with each weapon, by the target's Toughness."""
    rows = [
        (f"**{weapon.name}** *{card.name}*", *(_mean(arm_of(weapon), toughness, known) for toughness in TOUGHNESS))
        for card in fighters(options, known)
        for weapon in card.weapons
    ]
    if rows:
        yield table(("", *(f"T{toughness}" for toughness in TOUGHNESS)), rows).plain_first()


def _mean(arm: object, toughness: int, known: Knowledge) -> str:
    body = Body("", 0, toughness, 1, (arm,), frozenset())  # type: ignore[arg-type]
    blow = swing(body, body.arms[0], body, cover=False, reaction="", rulings=known.rulings)
    return decimal(odds(strike, blow).mean(lambda harm: harm.target), 1)


EXHIBITS = {
    "to-hit": Exhibit(_to_hit, "what a die needs, and its chances"),
    "odds-of-sets": Exhibit(_sets, "doubles, triples and quads by the number of dice", DiceOptions),
    "odds-of-singles": Exhibit(_singles, "how many singles six dice show"),
    "odds-of-damage": Exhibit(_damage, "the mean damage of each weapon, by Toughness", FighterOptions),
}

"""Who has the initiative, and who seizes it (core rules, known from public sources)."""

from __future__ import annotations

from typing import NamedTuple

from cardgen.referee.requests import Log, Procedure, Roll
from cardgen.rulesets.warcry.procedures.dice import Hand, roll_hand, use_wild_dice


class Players(NamedTuple):
    """The two players: their dice, wild dice, and battle traits that bear on the roll; `policy` is that of wild dice.

    `rerolls` are those who roll each 1 again, `picks` those who settle ties instead of a roll-off.
    """

    names: tuple[str, str]
    dice: tuple[int, int]
    wild: tuple[int, int]
    rerolls: tuple[bool, bool]
    picks: tuple[bool, bool]
    policy: str


class InitiativeOrder(NamedTuple):
    """Who has the initiative, whether it was seized, and the hands that are left."""

    first: int
    seized: bool
    hands: tuple[Hand, Hand]


def roll_initiative(players: Players) -> Procedure[InitiativeOrder]:
    """The whole initiative phase: both roll, then wild dice and seizing."""
    one = yield from roll_hand(players.dice[0], players.wild[0], players.names[0], players.rerolls[0])
    other = yield from roll_hand(players.dice[1], players.wild[1], players.names[1], players.rerolls[1])
    for name, hand in zip(players.names, (one, other), strict=True):
        yield Log("{}: {}", (name, hand))
    return (yield from settle_initiative(players, (one, other)))


def settle_initiative(players: Players, hands: tuple[Hand, Hand]) -> Procedure[InitiativeOrder]:
    """From two hands on: most singles has the initiative, a tie is rolled off; then it may be seized.

    After wild dice singles are counted again: strictly more takes the initiative, newly equal is rolled off.
    """
    before = (hands[0].singles, hands[1].singles)
    first = (0 if before[0] > before[1] else 1) if before[0] != before[1] else (yield from _break_tie(players))
    yield Log("{} has the initiative", (players.names[first],))
    second = 1 - first
    gap = before[first] - before[second]
    # A single helps whoever is behind if enough wild dice make it a tie at least, or win it from one.
    helps = 0 <= gap <= hands[second].wild and hands[second].wild > 0
    after = list(hands)
    after[second] = yield from use_wild_dice(hands[second], players.names[second], players.policy, helps)
    after[first] = yield from use_wild_dice(hands[first], players.names[first], players.policy, False)
    counted = (after[0].singles, after[1].singles)
    leader = first
    if counted[second] > counted[first]:
        leader = second
    elif counted[0] == counted[1] and before[0] != before[1]:
        leader = yield from _roll_off(players)
    if leader != first:
        yield Log("{} seizes the initiative", (players.names[leader],))
    return InitiativeOrder(leader, leader != first, (after[0], after[1]))


def _break_tie(players: Players) -> Procedure[int]:
    """A tie for the initiative: rolled off, unless one player alone may pick; each would pick oneself."""
    if players.picks[0] != players.picks[1]:
        return 0 if players.picks[0] else 1
    return (yield from _roll_off(players))


def _roll_off(players: Players) -> Procedure[int]:
    """A roll-off is rolled again until it is decided, so one even chance stands for it."""
    won = yield Roll("roll-off", "", f"roll-off: 1 if {players.names[0]} wins it, 2 if {players.names[1]}", 2)
    return int(won) - 1

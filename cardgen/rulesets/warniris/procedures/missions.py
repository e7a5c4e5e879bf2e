"""Missions (section 12): earned by what was done, or scored by their player's word."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from cardgen.referee.requests import Choice, Procedure, Roll, Say, Whisper
from cardgen.rulesets.warniris.earn import Earn
from cardgen.rulesets.warniris.kinds import Mission
from cardgen.rulesets.warniris.objective import objective
from cardgen.rulesets.warniris.procedures.blow import foe
from cardgen.rulesets.warniris.procedures.deeds import Deed
from cardgen.rulesets.warniris.procedures.effects import NO, YES
from cardgen.rulesets.warniris.procedures.state import State
from cardgen.rulesets.warniris.procedures.table import Table

HAND = 3


class Missions:
    """The secret hands of both sides, and how often each mission has scored."""

    def __init__(self, cards: tuple[Mission, ...], sides: tuple[str, str]) -> None:
        self._cards, self._sides = cards, sides
        self._hands: tuple[list[Mission], list[Mission]] = ([], [])
        self._scored: dict[tuple[int, str], int] = {}

    def begin(self) -> None:
        """Take all cards back."""
        self._hands, self._scored = ([], []), {}

    def draw(self) -> Procedure[None]:
        """Three cards for each side (section 5). A die stands for the place of a card in what is left of the deck."""
        left = list(self._cards)
        for side, hand in enumerate(self._hands):
            for count in range(min(HAND, len(left))):
                place = yield Roll(f"mission {side + 1}.{count + 1}", self._sides[side], "draws a Mission", len(left))
                hand.append(left.pop(place - 1))
            hand.sort(key=lambda card: card.name)
            for place, card in zip(_places(hand), hand, strict=True):
                yield Whisper(self._sides[side], f"{place}: {card.name}, {card.vp} VP: {_asks(card)}")

    def score(self, table: Table, state: State, window: str) -> Procedure[State]:
        """Score what was earned by the end of an activation, a turn or the battle (section 6: End of activation)."""
        for side in (0, 1):
            for card in self._hands[side]:
                if card.earn is not None:
                    times = earned(table, state, side, card.earn, window)
                    state = yield from self._credit(table, state, side, card, times)
            if window == "turn":
                state = yield from self._claims(table, state, side)
        return state

    def _credit(self, table: Table, state: State, side: int, card: Mission, times: int) -> Procedure[State]:
        """Score a mission up to so many times in all (ruling `mission-once`)."""
        if table.rulings["mission-once"] == "once":
            times = min(times, 1)
        already = self._scored.get((side, card.id), 0)
        if times <= already:
            return state
        self._scored[side, card.id] = times
        points = card.vp * (times - already)
        yield Say("{} scores {}: {} VP", (self._sides[side], card.name, points))
        return state.adding(table.vp(side), points)

    def _claims(self, table: Table, state: State, side: int) -> Procedure[State]:
        """Ask for the missions that no record of deeds can decide.

        Each is called by its place in the hand, as its player was told it: only what is shown is named.
        """
        hand, who = self._hands[side], self._sides[side]
        while any(self._open(table, side, card) for card in hand):
            what = "does it show a Mission that it has fulfilled in this turn"
            if (yield Choice("shows", who, what, (NO, YES))) == NO:
                break
            places = _places(hand)
            card = hand[places.index((yield Choice("mission", who, "which one, by its place in its hand", places)))]
            if self._open(table, side, card):
                state = yield from self._credit(table, state, side, card, self._scored.get((side, card.id), 0) + 1)
            else:
                yield Say("{} cannot show that one: it scores by itself, or has scored", (who,))
        return state

    def _open(self, table: Table, side: int, card: Mission) -> bool:
        """Whether a side may still show a mission."""
        again = table.rulings["mission-once"] != "once"
        return card.earn is None and (again or (side, card.id) not in self._scored)


def _places(hand: list[Mission]) -> tuple[str, ...]:
    return tuple(f"Mission {place}" for place in range(1, len(hand) + 1))


def _asks(card: Mission) -> str:
    return card.text or (objective(card.earn) if card.earn else "")


def earned(table: Table, state: State, side: int, earn: Earn, window: str) -> int:
    """How often a side has done by now what a mission asks for; `window` is what has just ended."""
    if earn.event == "survive":
        return _surviving(table, state, side, earn, window)
    deeds: list[Deed] = [deed for deed in state.mode.deeds if _counts(table, side, earn, deed)]
    if earn.first:
        mine = {id(deed) for deed in deeds}
        alike = [d for d in state.mode.deeds if id(d) in mine or _counts(table, 1 - side, earn, d)]
        deeds = [deed for deed in alike[:1] if id(deed) in mine]
    if earn.attackers > 1:
        deeds = [deed for deed in deeds if _attackers(table, state, side, deed, earn) >= earn.attackers]
    turns = {deed.turn for deed in deeds} if earn.within == "turn" else {0}
    times = 0
    for turn in turns:
        now = [deed for deed in deeds if not turn or deed.turn == turn]
        doers: Iterable[Any] = {deed.by for deed in now} if earn.by == "one" else (None,)
        times += sum(_amount([d for d in now if who in (None, d.by)], earn) // earn.count for who in doers)
    return times


def _amount(deeds: list[Deed], earn: Earn) -> int:
    return len({deed.of for deed in deeds}) if earn.different else len(deeds)


def _counts(table: Table, side: int, earn: Earn, deed: Deed) -> bool:
    """Whether a deed of a side is one that a mission speaks of (rulings `channel-is-attack` and `mission-scope`)."""
    if deed.event != earn.event or table.sides[deed.by] != side or table.sides[deed.of] == side:
        return False
    if earn.of != "enemy" and foe(table, deed.of) != earn.of:
        return False
    if earn.weapon and deed.weapon != earn.weapon:
        return False
    apart = not earn.weapon and table.rulings["channel-is-attack"] == "apart"
    if apart and earn.event in ("attack", "resist") and deed.weapon == "P":
        return False
    return earn.range_over is None or (deed.distance or 0) > earn.range_over


def _attackers(table: Table, state: State, side: int, done: Deed, earn: Earn) -> int:
    """How many of a side attacked the one to whom it was done, in the same turn or in the whole battle."""
    apart = table.rulings["channel-is-attack"] == "apart"
    attacks = (d for d in state.mode.deeds if d.event == "attack" and d.of == done.of and table.sides[d.by] == side)
    return len(
        {d.by for d in attacks if (earn.within == "battle" or d.turn == done.turn) and not (apart and d.weapon == "P")}
    )


def _surviving(table: Table, state: State, side: int, earn: Earn, window: str) -> int:
    if window != earn.within:
        return 0
    mine = [who for who, each in enumerate(table.sides) if each == side and state.stands(who)]
    return int(sum(earn.of in ("enemy", foe(table, who)) for who in mine) >= earn.count)

"""Missions (section 12): secret hands, scored from the event log or by their player's word."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from cardgen.game import Decision, Log, Procedure, Roll, SecretLog
from cardgen.rulesets.warniris.cards import Earn, Mission
from cardgen.rulesets.warniris.referee.attack_action import LogEvent, is_within, opponent_kind
from cardgen.rulesets.warniris.referee.effects import NO, YES
from cardgen.rulesets.warniris.referee.game import Game, State
from cardgen.rulesets.warniris.wording.missions import goal_sentence

HAND_SIZE = 3


class MissionHands:
    """The secret hands of both sides, and how often each mission has scored."""

    def __init__(self, cards: tuple[Mission, ...], sides: tuple[str, str]) -> None:
        self._cards, self._sides = cards, sides
        self._hands: tuple[list[Mission], list[Mission]] = ([], [])
        self._scored: dict[tuple[int, str], int] = {}

    def reset(self) -> None:
        """Take all cards back."""
        self._hands, self._scored = ([], []), {}

    def draw(self) -> Procedure[None]:
        """Three cards for each side (section 5). A die stands for the place of a card in what is left of the deck."""
        left = list(self._cards)
        for side, hand in enumerate(self._hands):
            for count in range(min(HAND_SIZE, len(left))):
                place = yield Roll(f"mission {side + 1}.{count + 1}", self._sides[side], "draws a Mission", len(left))
                hand.append(left.pop(place - 1))
            hand.sort(key=lambda card: card.name)
            for place, card in zip(_card_labels(hand), hand, strict=True):
                yield SecretLog(self._sides[side], f"{place}: {card.name}, {card.vp} VP: {_goal_text(card)}")

    def score(self, game: Game, state: State, window: str) -> Procedure[State]:
        """Score what was earned by the end of an activation, a turn or the battle (section 6: End of activation)."""
        for side in (0, 1):
            for card in self._hands[side]:
                if card.earn is not None:
                    times = times_earned(game, state, side, card.earn, window)
                    state = yield from self._credit(game, state, side, card, times)
            if window == "turn":
                state = yield from self._ask_claims(game, state, side)
        return state

    def _credit(self, game: Game, state: State, side: int, card: Mission, times: int) -> Procedure[State]:
        """Score a mission up to so many times in all (ruling `mission-once`)."""
        if game.rulings["mission-once"] == "once":
            times = min(times, 1)
        scored = self._scored.get((side, card.id), 0)
        if times <= scored:
            return state
        self._scored[side, card.id] = times
        points = card.vp * (times - scored)
        yield Log("{} scores {}: {} VP", (self._sides[side], card.name, points))
        return state.change_counter(game.vp_counter(side), points)

    def _ask_claims(self, game: Game, state: State, side: int) -> Procedure[State]:
        """Ask for the missions that no record of deeds can decide.

        Each is called by its place in the hand, as its player was told it: only what is shown is named.
        """
        hand, who = self._hands[side], self._sides[side]
        while any(self._may_show(game, side, card) for card in hand):
            what = "does it show a Mission that it has fulfilled in this turn"
            if (yield Decision("shows", who, what, (NO, YES))) == NO:
                break
            places = _card_labels(hand)
            card = hand[places.index((yield Decision("mission", who, "which one, by its place in its hand", places)))]
            if self._may_show(game, side, card):
                state = yield from self._credit(game, state, side, card, self._scored.get((side, card.id), 0) + 1)
            else:
                yield Log("{} cannot show that one: it scores by itself, or has scored", (who,))
        return state

    def _may_show(self, game: Game, side: int, card: Mission) -> bool:
        """Whether a side may still show a mission."""
        again = game.rulings["mission-once"] != "once"
        return card.earn is None and (again or (side, card.id) not in self._scored)


def _card_labels(hand: list[Mission]) -> tuple[str, ...]:
    return tuple(f"Mission {place}" for place in range(1, len(hand) + 1))


def _goal_text(card: Mission) -> str:
    return card.text or (goal_sentence(card.earn) if card.earn else "")


def times_earned(game: Game, state: State, side: int, goal: Earn, window: str) -> int:
    """How often a side has done by now what a mission asks for; `window` is what has just ended."""
    if goal.event == "survive":
        return _count_surviving(game, state, side, goal, window)
    events: list[LogEvent] = [event for event in state.mode.events if _matches_goal(game, side, goal, event)]
    if goal.first:
        mine = {id(event) for event in events}
        both_sides = [d for d in state.mode.events if id(d) in mine or _matches_goal(game, 1 - side, goal, d)]
        events = [event for event in both_sides[:1] if id(event) in mine]
    if goal.attackers > 1:
        events = [event for event in events if _count_attackers(game, state, side, event, goal) >= goal.attackers]
    turns = {event.turn for event in events} if goal.within == "turn" else {0}
    times = 0
    for turn in turns:
        of_turn = [event for event in events if not turn or event.turn == turn]
        actors: Iterable[Any] = {event.actor for event in of_turn} if _is_of_one(game, goal) else (None,)
        times += sum(
            _count_events([d for d in of_turn if who in (None, d.actor)], goal) // goal.count for who in actors
        )
    return times


def _is_of_one(game: Game, goal: Earn) -> bool:
    """Whether one Character must do all that a mission asks for (ruling `mission-scope`)."""
    return goal.by == "one" or (game.rulings["mission-scope"] == "one" and goal.attackers == 1)


def _count_events(events: list[LogEvent], goal: Earn) -> int:
    return len({deed.subject for deed in events}) if goal.different else len(events)


def _matches_goal(game: Game, side: int, goal: Earn, event: LogEvent) -> bool:
    """Whether a deed of a side is one that a mission speaks of (rulings `channel-is-attack` and `mission-scope`)."""
    if event.kind != goal.event or game.sides[event.actor] != side or game.sides[event.subject] == side:
        return False
    if goal.of != "enemy" and opponent_kind(game, event.subject) != goal.of:
        return False
    if goal.weapon and event.weapon != goal.weapon:
        return False
    if goal.event in ("attack", "resist") and not _counts_as_attack(game, goal, event):
        return False
    return goal.range_over is None or not is_within(game, event.distance or 0, goal.range_over)


def _counts_as_attack(game: Game, goal: Earn, event: LogEvent) -> bool:
    """Whether a mission that says Attack means this one (rulings `channel-is-attack` and `reaction-counts`)."""
    is_channel = event.weapon == "P" and not goal.weapon and game.rulings["channel-is-attack"] == "apart"
    return not is_channel and not (event.reaction and game.rulings["reaction-counts"] == "apart")


def _count_attackers(game: Game, state: State, side: int, event: LogEvent, goal: Earn) -> int:
    """How many of a side attacked the one to whom it was done, in the same turn or in the whole battle."""
    attacks = (
        each
        for each in state.mode.events
        if each.kind == "attack" and each.subject == event.subject and game.sides[each.actor] == side
    )
    return len(
        {
            each.actor
            for each in attacks
            if (goal.within == "battle" or each.turn == event.turn) and _counts_as_attack(game, goal, each)
        }
    )


def _count_surviving(game: Game, state: State, side: int, goal: Earn, window: str) -> int:
    if window != goal.within:
        return 0
    mine = [who for who, each in enumerate(game.sides) if each == side and state.stands(who)]
    return int(sum(goal.of in ("enemy", opponent_kind(game, who)) for who in mine) >= goal.count)

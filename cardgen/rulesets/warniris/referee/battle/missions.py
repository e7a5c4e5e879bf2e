"""Missions (section 12): secret hands, scored from the record of the battle and from what players report."""

from __future__ import annotations

from cardgen.game import Log, Procedure, Roll, SecretLog
from cardgen.rulesets.warniris.cards import Mission
from cardgen.rulesets.warniris.referee.battle.goals import ruled_sentence, times_earned
from cardgen.rulesets.warniris.referee.battle.reports import TEXT_EVENT, reports_of, take_reports
from cardgen.rulesets.warniris.referee.game import Game
from cardgen.rulesets.warniris.referee.state import State

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

    def draw(self, game: Game) -> Procedure[None]:
        """Draw three cards for each side, unseen (section 5).

        A hidden die stands for the place of a card in what is left of the deck.
        """
        left = list(self._cards)
        for side, hand in enumerate(self._hands):
            who = self._sides[side]
            for count in range(min(HAND_SIZE, len(left))):
                key = f"mission {side + 1}.{count + 1}"
                place = yield Roll(key, who, "draws a Mission", len(left), is_hidden=True)
                hand.append(left.pop(place - 1))
            hand.sort(key=lambda card: (card.number or 0, card.name))
            for card in hand:
                yield SecretLog(who, f"{_card_label(card)}, {card.vp} VP: {_goal_text(game, card)}")
            yield Log("{} draws {} Missions, unseen", (who, len(hand)))

    def show(self) -> Procedure[None]:
        """Show both hands at the end of the battle."""
        for who, hand in zip(self._sides, self._hands, strict=True):
            yield Log("{} held {}", (who, "; ".join(map(_card_label, hand)) or "no Missions"))

    def score(self, game: Game, state: State, window: str) -> Procedure[State]:
        """Score what was earned by the end of an activation, a turn or the battle (section 6: End of activation)."""
        if window == "turn":
            state = yield from take_reports(game, state, self._sides, reports_of(game, self._open_missions(game)))
        for side in (0, 1):
            for card in self._hands[side]:
                times = _times_scored(game, state, side, card, window)
                state = yield from self._credit(game, state, side, card, times)
        return state

    def _credit(self, game: Game, state: State, side: int, card: Mission, times: int) -> Procedure[State]:
        """Score a mission, at most a given number of times in all (ruling `mission-once`)."""
        if game.rulings["mission-once"] == "once":
            times = min(times, 1)
        scored = self._scored.get((side, card.id), 0)
        if times <= scored:
            return state
        self._scored[side, card.id] = times
        points = card.vp * (times - scored)
        yield Log("{} scores {}: {} VP", (self._sides[side], card.name, points))
        return game.notes.note_counters(state.change_counter(game.vp_counter(side), points))

    def _open_missions(self, game: Game) -> list[Mission]:
        """The missions of the deck that may still score, as far as everybody can know."""
        if game.rulings["mission-once"] != "once":
            return list(self._cards)
        ids = [card.id for card in self._cards]
        return [
            card for card in self._cards if sum((side, card.id) in self._scored for side in (0, 1)) < ids.count(card.id)
        ]


def _times_scored(game: Game, state: State, side: int, card: Mission, window: str) -> int:
    """How often a mission was fulfilled by now; one without `earn`, as often as the players have reported it."""
    if card.earn is not None:
        return times_earned(game, state, side, card.earn, window)
    reported = [each for each in state.mode.events if each.kind == TEXT_EVENT and game.sides[each.actor] == side]
    return sum(_goal_text(game, card) in event.reports for event in reported)


def _card_label(card: Mission) -> str:
    """Return 'Mission 4, Shield Wall'."""
    return f"Mission {card.number}, {card.name}" if card.number else card.name


def _goal_text(game: Game, card: Mission) -> str:
    return card.text or (ruled_sentence(game, card.earn) if card.earn else card.name)

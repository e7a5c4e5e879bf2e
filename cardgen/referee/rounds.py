"""Rounds of battles of two to four players.

Initiative, decks and hands, elimination, victory points, and the result.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from cardgen.referee.requests import Log, Procedure, Roll, SealedDecision, SecretLog, choose, choose_one, in_scope
from cardgen.referee.trial import CardData, OddsTable, PreparedTrial, plain_data


class NamedCard(Protocol):
    """A card of a deck; no other card of a hand has its name."""

    @property
    def name(self) -> str:
        """Its title."""
        ...


class DeckCard(NamedTuple):
    """A card with its plain data; its text is its name and what `told` of its fields say."""

    name: str
    data: CardData
    told: tuple[str, ...] = ()

    def __str__(self) -> str:
        return ". ".join(str(self.data[key]).rstrip(".") for key in ("name", *self.told) if self.data.get(key))


C = TypeVar("C", bound=NamedCard)


@dataclass(eq=False, kw_only=True)
class Player(Generic[C]):
    """A player of a battle, with cards in hand, in play, and on a discard pile, and secret cards."""

    index: int
    name: str
    hand: list[C] = field(default_factory=list)
    discards: list[C] = field(default_factory=list)
    secrets: list[C] = field(default_factory=list)
    cards: list[C] = field(default_factory=list)
    is_out: bool = False

    def take_back(self) -> None:
        """Return the discard pile to the hand."""
        self.hand, self.discards = [*self.hand, *self.discards], []

    def discard(self) -> None:
        """Put what is in play onto the discard pile."""
        self.discards, self.cards = [*self.discards, *self.cards], []


def deal(deck: list[C], count: int, key: str, who: str = "", *, is_hidden: bool = False) -> Procedure[list[C]]:
    """Deal cards from a shuffled deck, which loses them; hidden ones come from the secret of the match.

    Cards of the same name must be next to each other.
    """
    cards = []
    for _ in range(min(count, len(deck))):
        place = 0
        if len(deck) > 1 and is_hidden:
            place = (yield Roll(key, who, "draws a card", len(deck), is_hidden=True)) - 1
        elif len(deck) > 1:
            names = [each.name for each in deck]
            place = names.index((yield Roll(key, who, "card from the deck", len(deck), faces=tuple(names))))
        cards.append(deck.pop(place))
    return cards


def deal_secret(deck: list[C], player: Player[C], key: str, words: str) -> Procedure[None]:
    """Deal a player a card that nobody else sees; `words` is the format of the message to the player."""
    cards = yield from deal(deck, 1, f"{key} {player.index + 1}", player.name, is_hidden=True)
    for card in cards:
        player.secrets.append(card)
        yield SecretLog(player.name, words.format(card))
        yield Log("{} gets a card, unseen", (player.name,))


def choose_unseen(key: str, who: str, what: str, cards: Sequence[C]) -> Procedure[C]:
    """Let a player choose a card that nobody else sees."""
    by_name = {each.name: each for each in cards}
    return by_name[(yield SealedDecision(key, who, what, tuple(by_name)))]


def choose_face_down(players: Iterable[Player[C]], what: str) -> Procedure[list[Player[C]]]:
    """Let each player with cards in hand put one into play face down, then reveal all; return these players."""
    choosers = [each for each in players if each.hand]
    for each in choosers:
        each.cards = [(yield from choose_unseen("card", each.name, what, each.hand))]
    for each in choosers:
        each.hand.remove(each.cards[0])
        yield Log("{} reveals {}", (each.name, each.cards[0].name))
    return choosers


def pick_in_turn(
    players: Sequence[Player[C]],
    cards: Iterable[C],
    key: str,
    what: str,
    fits: Callable[[Player[C], Sequence[C]], bool] = lambda player, cards: True,
) -> Procedure[list[list[C]]]:
    """Let players take open cards in turn until none is left; return the cards by index of the player.

    A player takes a card that fits with those that the player has, as long as there is one.
    """
    left = {each.name: each for each in cards}
    taken: list[list[C]] = [[] for _ in players]
    turn = 0
    while left:
        player = players[turn % len(players)]
        turn += 1
        options = [name for name, each in left.items() if fits(player, [*taken[player.index], each])]
        name = yield from choose_one(key, player.name, what, options or left)
        assert name is not None
        card = left.pop(name)
        taken[player.index].append(card)
        yield Log("{} takes {}", (player.name, card))
    return taken


# Why a player wins.
ELIMINATION, VICTORY = "elimination", "victory points"
TIE = f"{VICTORY} are equal, and initiative order decides"


class RoundsResult(NamedTuple):
    """The winner's place or None and why, the rounds, and the victory points and casualties of each player."""

    winner: int | None
    reason: str
    rounds: int
    points: tuple[int, ...]
    lost: tuple[int, ...]


class BattleEndError(Exception):
    """The battle ends at once: at most one player is left."""


def roll_initiative(names: Sequence[str], bonuses: Sequence[int], *, all_again: bool = False) -> Procedure[int]:
    """Roll d6 plus a bonus for each player until one total is the highest; return that place.

    Players who share the highest total roll again, or with `all_again`, all players.
    """
    tied: list[int] = [*range(len(names))]
    while len(tied) > 1:
        totals: list[int] = []
        for who in tied:
            what = f"initiative, +{bonuses[who]}" if bonuses[who] else "initiative"
            totals.append((yield Roll("initiative", names[who], what)) + bonuses[who])
        highest = [who for who, total in zip(tied, totals, strict=True) if total == max(totals)]
        tied = highest if len(highest) == 1 or not all_again else tied
    return tied[0]


def initiative_chance(bonuses: tuple[int, int]) -> Fraction:
    """Return the chance that the first of two players wins the initiative roll."""
    totals = [(one + bonuses[0], other + bonuses[1]) for one, other in product(range(1, 7), repeat=2)]
    wins, losses = (sum(1 for one, other in totals if sign * (one - other) > 0) for sign in (1, -1))
    return Fraction(wins, wins + losses)


def initiative_trial(names: tuple[str, str], bonuses: tuple[int, int]) -> PreparedTrial:
    """Return a trial of the initiative roll of two players."""
    chance, title = initiative_chance(bonuses), "initiative roll"
    rows = ((f"{names[0]} wins", chance), (f"{names[1]} wins", 1 - chance))
    return PreparedTrial(
        title,
        lambda: roll_initiative(names, bonuses),
        lambda winner: (f"{names[winner]} decides who is the first player",),
        plain_data,
        lambda: (OddsTable(title, parts=tuple(row for row in rows if row[1])),),
    )


def assign_order(players: Sequence[Player[Any]], winner: str) -> Procedure[list[Player[Any]]]:
    """Let the winner of the initiative roll decide who goes first, second, and so on."""
    order: list[Player[Any]] = []
    while left := {each.name: each for each in players if each not in order}:
        order.append((yield from choose("order", winner, f"player {len(order) + 1} in initiative order", left)))
    yield Log("initiative order: {}", (", ".join(each.name for each in order),))
    return order


def eliminate(players: Sequence[Player[Any]], is_left: Callable[[Player[Any]], bool]) -> Procedure[None]:
    """Eliminate the players with nothing left. Raises BattleEndError if at most one player remains."""
    for each in players:
        if not each.is_out and not is_left(each):
            each.is_out = True
            yield Log("{} is eliminated", (each.name,))
    if sum(not each.is_out for each in players) < 2:
        raise BattleEndError


def play_rounds(
    order: Sequence[Player[Any]],
    rounds: int,
    play_round: Callable[[int], Procedure[None]],
    score: Callable[[], Procedure[dict[int, int]]],
    lost: Callable[[int], int],
) -> Procedure[RoundsResult]:
    """Play rounds until one player is left, or until the last round is over and victory points decide.

    `score` returns them by place of the player; ties are won by the player earlier in the order.
    """
    points: dict[int, int] = {}
    number = 0
    try:
        for number in range(1, rounds + 1):
            yield Log("Round {}", (number,))
            yield from in_scope(f"round {number}", play_round(number))
        points = yield from in_scope("victory", score())
        left = [each for each in order if not each.is_out]
        scores = [points.get(each.index, 0) for each in left]
        reason = TIE if scores.count(max(scores)) > 1 else VICTORY
        winner = left[scores.index(max(scores))]
    except BattleEndError:
        left, reason = [each for each in order if not each.is_out], ELIMINATION
        winner = left[0] if left else None  # type: ignore[assignment]
    places = range(len(order))
    totals = tuple(points.get(each, 0) for each in places)
    return RoundsResult(winner.index if winner else None, reason, number, totals, tuple(map(lost, places)))


def rounds_lines(names: Sequence[str], end: RoundsResult) -> tuple[str, ...]:
    """Return the result of a battle in sentences."""
    winner = "no one wins" if end.winner is None else f"{names[end.winner]} wins"
    points = ", ".join(f"{name} {count}" for name, count in zip(names, end.points, strict=True))
    lost = ", ".join(f"{name} {count}" for name, count in zip(names, end.lost, strict=True))
    scored = (f"victory points: {points}",) if end.reason != ELIMINATION else ()
    return (f"{winner} in round {end.rounds}: {end.reason}", *scored, f"casualties: {lost}")

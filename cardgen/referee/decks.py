"""Decks and hands: cards that are dealt, picked in turn, and chosen face down."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Generic, NamedTuple, Protocol, TypeVar

from cardgen.referee.requests import Log, Procedure, Roll, SealedDecision, SecretLog, choose_one
from cardgen.referee.trial import CardData


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


def pick_in_turn(players: Sequence[Player[C]], cards: Iterable[C], key: str, what: str) -> Procedure[list[list[C]]]:
    """Let players take open cards in turn until none is left; return the cards by index of the player."""
    left = {each.name: each for each in cards}
    taken: list[list[C]] = [[] for _ in players]
    turn = 0
    while left:
        player = players[turn % len(players)]
        turn += 1
        name = yield from choose_one(key, player.name, what, left)
        assert name is not None
        card = left.pop(name)
        taken[player.index].append(card)
        yield Log("{} takes {}", (player.name, card))
    return taken

"""Decks and hands: dealt, picked in turn, and chosen face down."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from cardgen.referee.play import Event, LogEntry, SealedAnswer, play
from cardgen.referee.requests import Roll, SealedDecision, SecretLog
from cardgen.referee.rounds import DeckCard, Player, choose_face_down, deal, deal_secret, pick_in_turn

NAMES = ("Ash", "Elm", "Oak")


def cards() -> list[DeckCard]:
    return [DeckCard(name, {"name": name, "text": f"{name} burns."}, ("text",)) for name in NAMES]


class Seat:
    """Answers with the last option or face."""

    def __call__(self, path: str, question: Any) -> Any:
        if isinstance(question, Roll):
            return question.sides
        option = question.options[-1]
        return SealedAnswer("0" * 18, option) if isinstance(question, SealedDecision) else option


def run(procedure: Any) -> tuple[Any, list[LogEntry], list[SecretLog]]:
    log: list[LogEntry] = []
    secrets: list[SecretLog] = []
    return play(procedure, Seat(), log.append, secrets.append), log, secrets


def test_a_deck_loses_what_is_dealt() -> None:
    deck = cards()
    dealt, log, _ = run(deal(deck, 2, "deal"))
    assert [each.name for each in dealt] == ["Oak", "Elm"]
    assert [each.name for each in deck] == ["Ash"]
    assert isinstance(log[0], Event)
    assert log[0].question.faces == NAMES  # type: ignore[union-attr]
    assert len(run(deal(deck, 5, "deal"))[0]) == 1


def test_a_secret_card_is_told_to_its_player_alone() -> None:
    player: Player[DeckCard] = Player(index=0, name="A")
    _, log, secrets = run(deal_secret(cards(), player, "objective", "you need {}"))
    assert player.secrets[0].name == "Oak"
    assert log == ["A gets a card, unseen"]
    assert secrets == [SecretLog("A", "you need Oak. Oak burns")]


def test_cards_are_revealed_after_all_have_chosen() -> None:
    players = [Player(index=place, name=name, hand=cards()[: 3 - place]) for place, name in enumerate("ABC")]
    players.append(Player(index=3, name="D"))
    choosers, log, _ = run(choose_face_down(players, "card"))
    assert choosers == players[:3]
    assert [isinstance(each, str) for each in log] == [False, False, True, True, True]
    assert log[2:] == ["A reveals Oak", "B reveals Elm", "C reveals Ash"]
    assert [len(each.hand) for each in players] == [2, 1, 0, 0]
    for each in choosers:
        each.discard()
        each.take_back()
    assert [len(each.hand) for each in players] == [3, 2, 1, 0]


def test_players_take_open_cards_in_turn() -> None:
    players = [Player[DeckCard](index=place, name=name) for place, name in enumerate("AB")]
    taken, _, _ = run(pick_in_turn(players[::-1], cards(), "pick", "card"))
    assert [[each.name for each in part] for part in taken] == [["Elm"], ["Oak", "Ash"]]


def test_players_take_cards_that_fit_as_long_as_there_are_some() -> None:
    """B takes the Oak, which leaves A only the Elm; after that B may not have two cards, but must take the Ash."""
    players = [Player[DeckCard](index=place, name=name) for place, name in enumerate("AB")]

    def fits(player: Player[DeckCard], taken: Sequence[DeckCard]) -> bool:
        return len(taken) < 2 and (player.name, taken[-1].name) != ("A", "Ash")

    taken, log, _ = run(pick_in_turn(players[::-1], cards(), "pick", "card", fits))
    assert sum(isinstance(each, Event) for each in log) == 1
    assert [[each.name for each in part] for part in taken] == [["Elm"], ["Oak", "Ash"]]

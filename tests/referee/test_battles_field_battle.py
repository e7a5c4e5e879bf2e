"""Battles on a field: the set-up in reverse order, secret objectives, and victory points."""

from __future__ import annotations

from typing import Any

from cardgen.referee.battlefield import CASUALTIES, RESERVE, StackField
from cardgen.referee.battles import FieldDecks, FieldRules, play_field, set_up_field
from cardgen.referee.play import Event, LogEntry, SealedAnswer, play
from cardgen.referee.requests import Measurement, Procedure, Roll, SealedDecision, SecretLog, Selection
from cardgen.referee.rounds import Player
from tests.referee.test_battlefield_stacks import Tile, tile

SCENARIOS = [{"name": f"S{place}", "ability": "Fog.", "objective": f"Hold {place}.", "points": 5} for place in range(5)]
ZONES = [{"name": f"Z{place}", "value": 1} for place in range(3)]


class Seat:
    """Answers with the first option, the number of models asked for, and as many points as the place of the player."""

    def __call__(self, path: str, question: Any) -> Any:
        match question:
            case Roll():
                return 1 if question.key == "initiative" and question.who != "B" else question.sides
            case SealedDecision():
                return SealedAnswer("0" * 18, question.options[0])
            case Selection():
                return question.options[: int(question.what[0])] if question.key == "deploy" else ()
            case Measurement():
                return "ABC".index(question.who)
        return question.options[0]


def field_of(scenarios: int = 5) -> tuple[StackField[Tile], list[LogEntry], list[SecretLog]]:
    """Set up a battle of three players with two models each."""
    names = ("A", "B", "C")
    players = [Player[Any](index=place, name=name) for place, name in enumerate(names)]
    models = [tile(f"{name}{number}", side) for side, name in enumerate(names) for number in (1, 2)]
    for each in models:
        each.place = RESERVE
    table = StackField[Tile](sides=names, models=models, settings={}, players=players)
    log, secrets = list[LogEntry](), list[SecretLog]()
    decks = FieldDecks(SCENARIOS[:scenarios], ZONES, [{"name": "Hill"}, {"name": "Wood"}], 3, 1)
    procedure = set_up_field(table, decks, (0, 0, 0), FieldRules(lambda data: tile(data["name"]), lambda who: False))
    play(procedure, Seat(), log.append, secrets.append)
    return table, log, secrets


def test_the_set_up_goes_back_from_the_last_player() -> None:
    """B wins the roll, and puts A first; so C chooses the scenario, and everyone has one zone for one model."""
    table, log, secrets = field_of()
    assert [each.name for each in table.order] == ["A", "B", "C"]
    sealed = [each for each in log if isinstance(each, Event) and isinstance(each.question, SealedDecision)]
    assert [each.question.who for each in sealed] == ["C"]
    assert [each.who for each in secrets] == ["A", "B", "C"]
    held = [each.secrets[0].name for each in table.players]
    assert len({*held, table.shared[0].name}) == 4
    assert not any(f"Hold {name[1]}." in str(each) for name in held for each in log)
    takes = [each for each in log if isinstance(each, str) and " takes " in each]
    assert [each[0] for each in takes] == ["C", "B", "A", "C"]
    assert [len(table.of_player(each)) for each in table.players] == [1, 1, 1]
    assert [each.name for each in table.terrain] == ["Wood"]


def test_without_enough_scenarios_there_are_no_objectives() -> None:
    table, log, secrets = field_of(scenarios=3)
    assert not table.shared
    assert not secrets
    assert "3 players need 4 scenario cards, not 3: nobody has an objective" in log


def test_a_player_whose_last_model_left_in_the_set_up_is_eliminated() -> None:
    table, _, _ = field_of()
    for each in table.of_player(table.players[0]):
        each.place = CASUALTIES

    def phase() -> Procedure[None]:
        assert [each.name for each in table.active] == ["B", "C"]
        yield from ()

    log: list[LogEntry] = []
    play(play_field(table, 1, {"phase": phase}), Seat(), log.append)
    assert log.index("A is eliminated") < log.index("B: B1, B2")


def test_the_reserve_is_lost_and_objectives_score() -> None:
    table, _, _ = field_of()
    rounds: list[int] = []

    def phase() -> Procedure[None]:
        rounds.append(table.turn)
        yield from ()

    log: list[LogEntry] = []
    end = play(play_field(table, 2, {"phase": phase}, shares=True), Seat(), log.append)
    assert rounds == [1, 2]
    assert end.points == (0, 2, 4)
    assert end.winner == 2
    assert end.lost == (1, 1, 1)
    assert "A: A1, A2" in log


def test_a_secret_objective_does_not_tell_an_ability_that_is_not_in_force() -> None:
    table, log, secrets = field_of()
    held = table.players[0].secrets[0]
    assert secrets[0].text == f"secret objective: {held.name}: {held.data['objective']}"
    assert f"active scenario: {table.shared[0].name}. Fog" in log

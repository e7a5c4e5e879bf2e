"""Whole battles: played by chance to their end, replayed, verified, and resumed."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import pytest

from cardgen.deck.card_lookup import CardLookup
from cardgen.diagnostic import CardgenError
from cardgen.project.project import Project
from cardgen.referee.parameters import Parameter
from cardgen.referee.play import Event, LogEntry, play, seeded_face
from cardgen.referee.requests import Question, Roll
from cardgen.referee.transcript import Header, parse_transcript, transcript_text, verify
from cardgen.rulesets.skirmish import RULESET
from cardgen.rulesets.skirmish.referee.battle.battle import models_of
from tests.rulesets.skirmish.referee.battle.players import BLUES, REDS, Player, Script, band, battle, played, texts
from tests.rulesets.skirmish.referee.fights import card, case, terms

CARDS = Path(__file__).parents[5] / "cards" / "skirmish"


@pytest.mark.parametrize("seed", range(4))
def test_a_battle_ends(seed: int) -> None:
    end, log = played(battle(), Player(seed))
    assert end.reason in ("rout", "wiped out", "turn limit")
    assert (end.winner is None) == (end.reason == "turn limit")
    turns = [line for line in texts(log) if line.startswith("Turn ")]
    assert turns[-1].startswith(f"Turn {end.turns} of ")
    assert all(one.split(" of ")[1] != other.split(" of ")[1] for one, other in itertools.pairwise(turns))


def test_every_phase_has_its_place() -> None:
    _, log = played(battle(), Player(3))
    phases = ["start", "recovery", "charges", "compulsory", "movement", "magic", "shooting", "combat"]
    by_turn: dict[str, list[int]] = {}
    for each in log:
        if isinstance(each, Event) and each.path.startswith("turn "):
            turn, phase = each.path.split("/")[:2]
            by_turn.setdefault(turn, []).extend([phases.index(phase)] if phase in phases else [])
    assert all(order == sorted(order) for order in by_turn.values())
    assert {phases[place] for order in by_turn.values() for place in order} >= {"charges", "shooting", "combat"}


def _lookup() -> CardLookup:
    return CardLookup(RULESET, (CARDS,), Project.find(CARDS))


def _sample(kind: str, name: str) -> dict[str, Any]:
    data: dict[str, Any] = _lookup().parameter_value(name, Parameter("card", "", (kind,)))
    return data


def test_the_sample_warbands_fight_by_every_scenario() -> None:
    one, other = _sample("warband", "The Ferry Watch"), _sample("warband", "The Mire Court")
    for data in _lookup().parameter_value(True, Parameter("library", "", ("scenario",))):
        end, _ = played(case("battle", a=one, b=other, scenario=data), Player(1))
        assert end.reason


class Seeded:
    """A player who rolls the dice of a seed."""

    def __init__(self, seed: str) -> None:
        self.seed, self.player = seed, Player(7)

    def __call__(self, path: str, question: Question) -> Any:
        return (
            seeded_face(self.seed, path, question.sides) if isinstance(question, Roll) else self.player(path, question)
        )


def test_a_transcript_is_valid_and_a_changed_one_is_not() -> None:
    situation: dict[str, Any] = {"a": REDS, "b": BLUES, "scenario": None, "turns": 3}
    matter, rulings = case("battle", **situation), terms()
    log: list[LogEntry] = []
    end = play(matter.start(), Seeded("s"), log.append)
    header = Header("skirmish", "battle", situation, rulings.rulings, rulings.policy, "s")
    text = transcript_text(header, log, matter.outcome_data(end))
    result = verify(parse_transcript("battle.jsonl", text), matter.start(), matter.outcome_data)
    assert result.is_finished
    assert result.dice > 0
    line = next(line for line in text.splitlines() if '"roll":"injury' in line or '"roll":"to hit' in line)
    face = int(line.rsplit(":", 1)[1].rstrip("}"))
    wrong = text.replace(line, line.replace(f'"answer":{face}', f'"answer":{face % 6 + 1}'), 1)
    with pytest.raises(CardgenError):
        verify(parse_transcript("battle.jsonl", wrong), matter.start(), matter.outcome_data)


def test_the_higher_die_begins() -> None:
    for dice, first in (([5, 2], "Reds"), ([2, 5], "Blues"), ([3, 3, 1, 4], "Blues")):
        _, log = played(battle(turns=1), Script(6, [*dice]))
        assert next(line for line in texts(log) if line.startswith("Turn")) == f"Turn 1 of {first}"


@pytest.mark.parametrize(("first", "name"), [("attacker", "Reds"), ("defender", "Blues")])
def test_a_scenario_says_who_begins(first: str, name: str) -> None:
    _, log = played(battle({"first": first}, turns=1), Script())
    assert next(line for line in texts(log) if line.startswith("Turn")) == f"Turn 1 of {name}"


def test_switches_of_a_scenario_are_in_force() -> None:
    _, log = played(battle({"first": "attacker", "switches": {"low-obstacles": "free"}}, turns=1), Script())
    assert "Crossing low obstacles costs nothing." in texts(log)


def test_leaders() -> None:
    chosen = {**BLUES, "leader": card("Bole")}
    for data, rulings, name in ((BLUES, {}, "Bern"), (chosen, {}, "Bole 1"), (chosen, {"leader": "highest"}, "Bern")):
        models = models_of((REDS, data), terms(rulings).rulings)
        assert [each.name for each in models if each.is_leader] == ["Rhea", name]


@pytest.mark.parametrize(
    ("values", "message"),
    [({"b": REDS}, "cannot fight itself"), ({"b": band("Nobody")}, "Nobody has no models")],
)
def test_impossible_battles(values: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        battle(**values)


def test_special_rules_of_a_scenario_are_left_to_the_players() -> None:
    assert battle({"special": {"Night": "Dark."}}).not_simulated == ("'Night' has only text",)


def test_warbands_beyond_the_limits_of_the_scenario_are_named() -> None:
    forces = [
        {"side": "defender", "name": "Watch", "points_min": 25, "points_max": 50, "models_max": 4},
        {"side": "attacker", "name": "Raiders", "points_min": 10, "points_max": 25},
    ]
    _, log = played(battle({"first": "attacker", "forces": forces}, turns=1), Script())
    beyond = [line for line in texts(log) if "the scenario gives" in line]
    assert beyond == ["Blues has 5 models; the scenario gives the defender 3 to 4"]
    _, log = played(battle({"first": "attacker", "forces": [{"side": "attacker", "name": "R"}]}, turns=1), Script())
    assert "Reds has 25 points; the scenario gives the attacker 100 to 150" in texts(log)


def test_no_dice_are_rolled_for_models_that_have_fallen() -> None:
    """Nobody who is knocked down, stunned, or out of action rolls to strike, to order strikes, or for courage."""
    own = ("hit", "wound", "stupidity", "leadership", "roll-off", "flight")
    for seed in range(6):
        player = Player(seed)
        fallen: set[str] = set()

        def answer(path: str, question: Question, player: Player = player, fallen: set[str] = fallen) -> Any:
            assert not (question.key in own and question.who in fallen), f"{question} in {path}"
            return player(path, question)

        def listen(entry: LogEntry, fallen: set[str] = fallen) -> None:
            name, _, state = str(entry).partition(" is ") if isinstance(entry, str) else ("", "", "")
            fallen |= {name} if state in ("knocked down", "stunned", "out of action") else set()
            fallen -= {each for each in fallen if isinstance(entry, str) and entry.startswith("Turn ")}

        play(battle().start(), answer, listen)


def test_special_rules_and_magic_items_of_models_are_left_to_the_players() -> None:
    ada = {**card("Ada"), "rules": ["Patient", "Fear"], "special": {"Patient": "She waits."}, "magic": ["Lamp"]}
    assert battle(a={**REDS, "members": [{"card": ada, "copies": 2}]}).not_simulated == (
        "'Lamp' has only text",
        "'Patient' has only text",
    )

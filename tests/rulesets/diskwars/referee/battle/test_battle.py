"""Whole battles: set up, played by chance to their end, saved, undone, resumed, and verified."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cardgen.cli import run
from cardgen.referee.play import Event
from cardgen.rulesets.diskwars.referee.battle.battle import pieces_of, unspent_points
from tests.rulesets.diskwars.referee.battle.players import Chance, Script, army, battle, library, played, texts
from tests.rulesets.diskwars.referee.cases import case

COMMANDS = [card["name"] for card in library("command")]


def test_a_battle_of_three_players_ends() -> None:
    armies = (army(0), army(1), army(0, "The Ferry Guild"))
    end, log = played(battle(*armies), Chance(3))
    lines = texts(log)
    assert lines.count("Round 5") == 1
    assert end.rounds == 5
    assert len(end.points) == len(end.lost) == 3
    best = max(end.points)
    order = next(line for line in lines if line.startswith("initiative order: ")).removeprefix("initiative order: ")
    names = [each["name"] for each in armies]
    first = next(name for name in order.split(", ") if end.points[names.index(name)] == best)
    assert names[end.winner] == first
    assert any("Beside the middle player" in line for line in lines)


def test_a_battle_says_which_die_it_rolls_while_nobody_knows() -> None:
    _, log = played(battle(deployed=True, rounds=1), Chance(2))
    assert any("dice rolled here have hit twice" in line for line in texts(log))


def test_the_set_up_goes_in_reverse_order() -> None:
    """S6 to S15: the last player chooses the scenario, and takes, places, and deploys first."""
    _, log = played(battle(), Chance(1))
    order = next(line for line in texts(log) if line.startswith("initiative order: "))[18:].split(", ")
    events = [each for each in log if isinstance(each, Event) and each.path.startswith("set-up/")]
    by_key = {key: [each.question.who for each in events if key in each.path] for key in ("zone card", "deploy")}
    assert [each for each in by_key["zone card"] if each][:2] == order[::-1]
    assert list(dict.fromkeys(by_key["deploy"])) in (order[::-1], order[1:], order[:1])
    assert sum(line.endswith("gets a card, unseen") for line in texts(log)) == 2


def test_deployed_disks_fight_at_once() -> None:
    end, log = played(battle(deployed=True, rounds=1), Chance(2))
    events = [each.path for each in log if isinstance(each, Event) and each.path.startswith("set-up")]
    assert {each.split("/")[1].partition(" ")[0] for each in events} <= {"stacked", "on"}
    assert end.rounds == 1


def test_deployed_disks_can_start_on_terrain_and_on_friends() -> None:
    """As in the set-up, the last player says it first, and of the player's own disks only."""
    names = [[each.name for each in pieces_of([army(0), army(1)]) if each.side == side] for side in (0, 1)]
    wood = library("terrain")[0]["name"]
    script = Script(terrain=[[wood]], stacked=[names[1][:1], names[0][:1]], on=[[wood, names[1][1]], [names[0][2]]])
    played(battle(deployed=True, rounds=1), script)
    assert [each.who for each in script.of("stacked")] == [army(1)["name"], army(0)["name"]]
    asked = [each.options for each in script.of("on")][:2]
    assert asked == [(*names[1][1:], wood), (*names[0][1:], wood)]


def test_armies_that_cannot_meet() -> None:
    with pytest.raises(ValueError, match="cannot fight itself"):
        battle(army(0), army(0))
    with pytest.raises(ValueError, match="a fourth army needs a third one"):
        battle(d=army(1, "Late"))
    with pytest.raises(ValueError, match="4 regiments need as many deployment cards, not 3"):
        battle(deployments=library("deployment")[:3])
    regiment = {"hero": library("disk")[0], "units": [{"unit": library("disk")[2], "copies": 401}]}
    with pytest.raises(ValueError, match="at most 400 disks, not 413"):
        battle(army(1), {"kind": "army", "name": "Many", "regiments": [regiment]})
    with pytest.raises(ValueError, match="immune to Magic"):
        disk = {"kind": "disk", "disk": "small", "attack": "1", "counter": "1", "toughness": 3, "movement": 1}
        case("magic", caster={**disk, "name": "A", "magic": 1}, target={**disk, "name": "B", "immune": ["magic"]})


def test_disks_of_all_armies_have_names_of_their_own() -> None:
    """B4: the Dyke Watch has 20 + 18 points and pays 36."""
    pieces = pieces_of([army(0), army(0, "Others")])
    assert len({each.name for each in pieces}) == len(pieces) == 22
    costs = sum(each.disk.cost for each in pieces if each.side == 0)
    assert unspent_points(army(0)) == 38 - costs


@pytest.mark.parametrize(("keys", "is_told"), [({"deployed": True}, True), ({}, False)])
def test_a_battle_without_a_set_up_says_that_it_has_no_objectives(keys: dict[str, Any], is_told: bool) -> None:
    """N5: without victory points, all players are tied."""
    _, log = played(battle(**keys, rounds=1), Chance(1))
    told = "No scenario, objectives, or deployment cards are in play; after the last round, "
    assert any(line == f"{told}initiative order decides" for line in texts(log)) == is_told


def test_no_hero_pays_for_the_units_of_another() -> None:
    """B3 and B4: a regiment that is too dear leaves the points of the other hero alone."""
    hero, unit = {"name": "Hero", "recruitment": 5}, {"name": "Unit", "cost": 4}
    dear, cheap = ({"hero": hero, "units": [{"unit": unit, "copies": number}]} for number in (2, 1))
    assert unspent_points({"regiments": [dear, cheap]}) == 1


def test_armies_that_are_not_alike_are_named() -> None:
    """B1 and B12: players agree on a number of regiments, and each hero brings command cards."""
    small = {**army(1), "regiments": army(1)["regiments"][:1], "commands": []}
    _, log = played(battle(army(0), small, rounds=1), Chance(1))
    assert texts(log)[:2] == [
        "The Dyke Watch has 2 regiments, The Rust Choir has 1 regiment: the rules want the same number",
        "The Rust Choir has no command cards, so it can activate no disks",
    ]
    _, log = played(battle(rounds=1), Chance(1))
    assert not any("regiment" in line or "no command cards" in line for line in texts(log))


class Typist:
    """Types numbers, by the options on the screen; `commands` are typed at some prompts instead."""

    def __init__(self, screen: list[str], commands: dict[int, str] | None = None) -> None:
        self.screen, self.commands, self.count = screen, commands or {}, 0

    def __call__(self, text: str, **_: object) -> str:
        self.screen.append(text)
        self.count += 1
        if self.count in self.commands:
            return self.commands[self.count]
        if "press Enter" in text:
            return ""
        if found := re.search(r": (\d+) in the zone", text):
            return f"1-{found[1]}" if int(found[1]) > 1 else "1"
        if "Enter for none" in text:
            return ""
        return "2" if " to " in text and self.count % 2 else "1"


@pytest.fixture
def screen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "cardgen.yaml").write_text("game: diskwars\n", encoding="utf-8")
    lines: list[str] = []
    monkeypatch.setattr("click.echo", lambda line="", **_: lines.append(str(line)))
    yield lines


def typed(monkeypatch: pytest.MonkeyPatch, screen: list[str], commands: dict[int, str], *arguments: str) -> int:
    monkeypatch.setattr("click.prompt", Typist(screen, commands))
    return run(("battle", *arguments))


BEGIN = ("The Dyke Watch", "The Rust Choir", "--deployed", "--rounds", "1", "--seed", "s")


def test_a_battle_is_saved_undone_resumed_and_verified(monkeypatch: pytest.MonkeyPatch, screen: list[str]) -> None:
    assert typed(monkeypatch, screen, {9: "undo", 10: "undo", 12: "nonsense", 25: "quit"}, *BEGIN) == 0
    assert run(("verify", "battle.jsonl")) == 0
    assert screen[-1].startswith("VALID: ")
    assert "not finished" in screen[-1]
    assert typed(monkeypatch, screen, {3: "undo"}, "--resume", "battle.jsonl") == 0
    assert run(("verify", "battle.jsonl")) == 0
    assert screen[-1].endswith("the secrets match their commitment")
    assert not Path("battle.jsonl.secret").exists()
    assert not any("Traceback" in line for line in screen)


def test_a_zone_with_another_number_of_disks_is_refused_at_the_prompt(
    monkeypatch: pytest.MonkeyPatch, screen: list[str]
) -> None:
    """The prompt says the number, and the save holds only answers that keep it."""

    class Hasty(Typist):
        """Types wrong numbers of disks first."""

        wrong = iter(("all", "none"))

        def __call__(self, text: str, **keys: object) -> str:
            return (next(self.wrong, "") if "in the zone" in text else "") or super().__call__(text, **keys)

    monkeypatch.setattr("click.prompt", Hasty(screen))
    assert run(("battle", "The Dyke Watch", "The Rust Choir", "--rounds", "1", "--seed", "s")) == 0
    prompts = [each for each in screen if "in the zone" in each]
    assert all(re.search(r": (\d+) in the zone of [^?]+\? \(exactly \1 of the numbers\)$", each) for each in prompts)
    lines = [json.loads(line) for line in Path("battle.jsonl").read_text(encoding="utf-8").splitlines()[1:]]
    zones = [each for each in lines if "in the zone" in each.get("select", "")]
    assert zones
    assert all(len(each["answer"]) == int(each["select"].split()[0]) for each in zones)
    assert sum(line.startswith("  choose exactly ") for line in screen) == 2


def test_nobody_sees_a_card_before_all_are_revealed(monkeypatch: pytest.MonkeyPatch, screen: list[str]) -> None:
    """Neither the save nor the first screen tells it, with an undo in between either."""
    assert typed(monkeypatch, screen, {5: "3", 6: "undo", 8: "2", 9: "quit"}, *BEGIN) == 0
    lines = [json.loads(line) for line in Path("battle.jsonl").read_text(encoding="utf-8").splitlines()[1:]]
    sealed = [each for each in lines if "seal" in each]
    assert [each["count"] for each in sealed] == [4, 4]
    assert sealed[0]["at"] == sealed[1]["at"]
    assert sealed[0]["answer"][:16] != sealed[1]["answer"][:16]
    assert not any(name in json.dumps(each) for each in lines for name in COMMANDS)
    shown = re.sub("\x1b\\[\\?1049h.*?\x1b\\[\\?1049l", "", "\n".join(screen), flags=re.DOTALL)
    assert not any(name in shown for name in COMMANDS)
    assert any(name in "\n".join(screen) for name in COMMANDS)


def test_a_changed_choice_is_not_valid(monkeypatch: pytest.MonkeyPatch, screen: list[str]) -> None:
    assert typed(monkeypatch, screen, {}, *BEGIN) == 0
    path = Path("battle.jsonl")
    text = path.read_text(encoding="utf-8")
    row = next(json.loads(line) for line in text.splitlines() if '"seal"' in line)
    answer: Any = row["answer"]
    for change in (1, 100):
        path.write_text(
            text.replace(answer, f"{answer[:16]}{(int(answer[16:], 16) + change) % 256:02x}"), encoding="utf-8"
        )
        assert run(("verify", str(path))) == 1


def test_three_armies_of_a_game_for_two(monkeypatch: pytest.MonkeyPatch, screen: list[str]) -> None:
    assert run(("battle", "a", "b", "c", "--game", "skirmish")) == 2

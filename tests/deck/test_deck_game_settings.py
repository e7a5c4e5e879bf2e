"""Blocks of games in cardgen.yaml: which are read, and how far they reach."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import pytest

from cardgen.balance.arena import ComputeOptions
from cardgen.balance.report import BalanceRequest, compute_report
from cardgen.deck.deck import read_game_settings
from cardgen.diagnostic import CardgenError
from cardgen.matches import session
from cardgen.matches.session import TrialRequest
from cardgen.project.project import Project
from cardgen.referee.die import Die
from cardgen.referee.parameters import Parameter
from cardgen.referee.requests import Procedure, Roll
from cardgen.referee.trial import GameTrials, OddsTable, PreparedTrial, RulesConfig, Trial
from cardgen.rulesets.warcry.limits import Settings
from cardgen.runtime.workspace import Workspace
from tests.checking.harness import inside

BLOCK = "warcry: {factions: {Lantern Keepers: order}, shapes: [Glaive]}\n"
CARDS = """game: warcry
cards:
  - {kind: fighter, name: Asha, faction: lantern-keepers, stats: {M: 5, T: 4, W: 10}, points: 70,
     weapons: [{Tusk: glaive R2 A3 S4 D1/4}]}
  - {kind: fighter, name: Bran, faction: order, stats: {M: 5, T: 4, W: 9}, points: 60,
     weapons: [{Axe: axe R1 A3 S4 D1/4}]}
  - {kind: trait, name: Keen, runemark: order, changes: [{strength: +1}]}
"""


def folder_with(folder: Path, settings: str) -> Path:
    (folder / "cardgen.yaml").write_text(settings, encoding="utf-8")
    (folder / "cards.yaml").write_text(CARDS, encoding="utf-8")
    return folder


def problem(folder: Path, settings: str) -> str:
    with pytest.raises(CardgenError) as error:
        read_game_settings(Project.find(folder_with(folder, settings)))
    (diagnostic,) = error.value.diagnostics
    return f"{diagnostic.place.span.line if diagnostic.place.span else 0}: {diagnostic.message}"


def test_a_block_belongs_to_the_workspace_of_its_project(tmp_path: Path) -> None:
    workspace = read_game_settings(Project.find(folder_with(tmp_path, f"game: warcry\n{BLOCK}")))
    assert Settings.of(workspace).alliance_of("lantern-keepers") == "order"
    assert Settings.of(Workspace()).alliance_of("lantern-keepers") == ""


@pytest.mark.parametrize("settings", ["game: warcry\n", "game: warcry\nwarcry:\n", "warcry: {}\n"])
def test_a_block_may_be_missing_or_empty(settings: str, tmp_path: Path) -> None:
    workspace = read_game_settings(Project.find(folder_with(tmp_path, settings)))
    assert Settings.of(workspace).generated_icons == ()


def test_a_block_applies_to_its_game_in_a_project_of_another(tmp_path: Path) -> None:
    workspace = read_game_settings(Project.find(folder_with(tmp_path, f"game: warniris\n{BLOCK}")))
    assert Settings.of(workspace).generated_icons == ("lantern-keepers", "weapon-glaive")


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ("game: warcry\nwarniris: {a: 1}\n", "2: the game 'warniris' has no settings of its own"),
        ("warcry: {shape: [Net]}\n", "1: unknown key 'shape' in 'warcry'; did you mean 'shapes'?"),
        ("\nwarcry: [Net]\n", "2: this must be a map, not a list"),
        ("game: warcry\nwarcri: {}\n", "2: unknown key 'warcri'; did you mean 'warcry'?"),
        ("gap: 1mm\ngam: 3\n", "2: unknown key 'gam'; did you mean 'game'?"),
    ],
)
def test_what_a_block_may_not_be(settings: str, message: str, tmp_path: Path) -> None:
    assert problem(tmp_path, settings) == message


def test_a_transcript_carries_the_block_so_that_it_is_verified_anywhere(tmp_path: Path) -> None:
    home, elsewhere = tmp_path / "home", tmp_path / "elsewhere"
    home.mkdir()
    elsewhere.mkdir()
    request = TrialRequest("attack", {"attacker": "Asha", "target": "Bran", "trait": "Keen"}, game="warcry")
    with inside(folder_with(home, f"game: warcry\n{BLOCK}")):
        played = session.roll(session.prepare_trial(request), "seed")
        session.ruling_sensitivity(request)
    file = elsewhere / "attack.jsonl"
    file.write_text(played.transcript, encoding="utf-8")
    with inside(elsewhere):
        assert session.verify_transcript(file).is_finished
        assert session.load_transcript(file).header.settings == {
            "factions": {"Lantern Keepers": "order"},
            "shapes": ["Glaive"],
        }
        file.write_text(played.transcript.replace('"Glaive"', '"Net"'), encoding="utf-8")
        with pytest.raises(CardgenError):
            session.verify_transcript(file)


def test_a_transcript_without_a_block_has_none(tmp_path: Path) -> None:
    settings = "game: warcry\n"
    with inside(folder_with(tmp_path, settings)):
        (tmp_path / "cards.yaml").write_text(
            CARDS.replace("glaive", "axe").replace("lantern-keepers", "order"), encoding="utf-8"
        )
        request = TrialRequest("attack", {"attacker": "Asha", "target": "Bran"}, game="warcry")
        assert '"settings"' not in session.roll(session.prepare_trial(request), "seed").transcript.split("\n")[0]


def test_a_ranking_reads_the_block(tmp_path: Path) -> None:
    with inside(folder_with(tmp_path, f"game: warcry\n{BLOCK}")):
        result = compute_report(BalanceRequest(), ComputeOptions()).balance
    assert set(result.names) == {"Asha", "Bran"}


@dataclass(frozen=True, slots=True)
class Probe:
    """A trial whose procedure reads the settings only when it runs."""

    card: Annotated[dict[str, Any], Parameter("card", "A card.", ("fighter",))]


def set_up_probe(situation: Probe, config: RulesConfig) -> PreparedTrial:
    def procedure() -> Procedure[str]:
        face = yield Roll("probe", "Somebody", "a D6")
        return f"{face and Settings.of(situation.card).alliance_of('lantern-keepers')}"

    def tables(die: Die[str]) -> tuple[OddsTable, ...]:
        return (OddsTable("probe", chances=tuple((words, chance) for words, chance in die)),)

    return PreparedTrial.of("probe", procedure, lambda words: (words,), tables)


def test_procedures_read_the_block_while_they_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    trials = session.load_referee("warcry")[1].trials
    probed = GameTrials({**trials, "probe": Trial.of(set_up_probe)}, (), (), lambda *_: iter(()))
    monkeypatch.setattr(session, "load_trials", lambda *_: probed)
    with inside(folder_with(tmp_path, f"game: warcry\n{BLOCK}")):
        trial_run = session.prepare_trial(TrialRequest("probe", {"card": "Asha"}, game="warcry"))
        played = session.roll(trial_run, "seed")
        assert played.outcome == ("order",)
        (table,) = session.exact_odds(trial_run)
        assert dict(table.chances) == {"order": 1}
    file = tmp_path / "probe.jsonl"
    file.write_text(played.transcript, encoding="utf-8")
    (tmp_path / "cardgen.yaml").unlink()
    with inside(tmp_path):
        assert session.verify_transcript(file).is_finished

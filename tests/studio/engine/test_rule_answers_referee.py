"""What the studio says that cards do in the referee, before and after a change."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from cardgen.referee.trial import OddsTable
from cardgen.scaffold.game import new_game
from cardgen.studio.engine.rule_answers import Referee, TrialQuestion, odds_views
from tests.journeys.conftest import write_project

SCOUT = "cards/scout-0.yaml"
QUESTION = TrialQuestion("warniris", "attack", {"attacker": "scout-0", "target": "scout-1"})


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_project(tmp_path_factory.mktemp("rules") / "scouts", 3)


@pytest.fixture(scope="module")
def referee(project: Path) -> Referee:
    return Referee(project)


def _stronger(project: Path) -> dict[str, str]:
    return {SCOUT: (project / SCOUT).read_text(encoding="utf-8").replace("P1 D2", "P3 D4")}


def test_the_form_of_a_trial_has_its_options_and_the_cards_to_choose_from(referee: Referee) -> None:
    form = referee.form("warniris", {})
    assert [each.trial for each in form.trials][:2] == ["attack", "duel"]
    fields = {field.name: field for field in form.trials[0].fields}
    assert (fields["attacker"].sort, fields["attacker"].is_required) == ("choice", True)
    assert {"scout-0", "scout-1"} <= {choice.value for choice in form.sources[fields["attacker"].source]}
    assert (fields["distance"].sort, fields["distance"].low, fields["distance"].unit) == ("number", 0, "cm")
    assert fields["cover"].choices[0].value == "none"
    assert form.rulings


def test_weapons_are_those_of_the_chosen_cards(referee: Referee) -> None:
    trial = referee.form("warniris", {}).trials[0]
    choices = referee.part_choices("warniris", trial, QUESTION.values, {})
    assert [choice.value for choice in choices["weapon"]] == ["Lantern Mace"]
    assert "Lantern Mace" in {choice.value for choice in choices["reaction"]}
    assert not referee.part_choices("warniris", trial, {"attacker": "nobody"}, {})


def test_short_forms_of_other_options_are_left_out(referee: Referee) -> None:
    fields = {field.name for field in referee.form("warniris", {}).trials[0].fields}
    assert "cover" in fields
    assert "gap" not in fields


@pytest.mark.parametrize("game", ["warniris", "warcry", "skirmish", "diskwars"])
def test_every_game_with_a_referee_has_forms(referee: Referee, game: str) -> None:
    form = referee.form(game, {})
    assert not form.problem
    assert {"attack", "duel"} <= {each.trial for each in form.trials}
    sources = {field.source for each in form.trials for field in each.fields if field.source}
    assert sources == form.sources.keys()


def test_odds_are_those_of_the_command_line(referee: Referee) -> None:
    answer = referee.odds(QUESTION, {})
    (table, *_) = answer.tables
    assert not answer.problem
    assert not answer.has_saved
    assert all(row.text and not row.saved_text for row in table.rows)
    assert any(row.share for row in table.rows)


def test_an_unsaved_change_stands_beside_the_saved_odds(referee: Referee, project: Path) -> None:
    answer = referee.odds(QUESTION, _stronger(project))
    assert answer.has_saved
    changed = [row for table in answer.tables for row in table.rows if row.is_changed]
    assert changed
    saved = {row.label: row.text for table in referee.odds(QUESTION, {}).tables for row in table.rows}
    assert all(saved[row.label] == row.saved_text != row.text for row in changed if row.saved_text and row.text)


def test_a_change_of_another_card_leaves_the_odds_alone(referee: Referee, project: Path) -> None:
    other = "cards/scout-2.yaml"
    text = (project / other).read_text(encoding="utf-8").replace("W: 5", "W: 9")
    assert not referee.odds(QUESTION, {other: text}).has_saved


def test_a_text_that_cannot_be_read_is_a_problem_and_the_saved_odds_stay(referee: Referee) -> None:
    broken = {SCOUT: "format: 1\nkind: character\nname: ["}
    assert referee.form("warniris", broken).trials
    answer = referee.odds(QUESTION, broken)
    assert answer.problem
    assert answer.has_saved
    assert not answer.saved_problem


def test_a_file_that_cannot_be_read_stops_only_what_needs_its_cards(tmp_path: Path) -> None:
    project = write_project(tmp_path / "scouts", 3)
    (project / "cards" / "scout-2.yaml").write_text("format: 1\nkind: character\nname: [", encoding="utf-8")
    referee = Referee(project)
    form = referee.form("warniris", {})
    assert not form.problem
    choices = {choice.value for choice in form.sources[form.trials[0].fields[0].source]}
    assert ("scout-1" in choices, "scout-2" in choices) == (True, False)
    answer = referee.odds(QUESTION, {})
    assert (answer.problem, bool(answer.tables)) == ("", True)
    assert referee.roll(QUESTION, "a", {}).lines
    assert not referee.other_rulings(QUESTION, {}).problem
    missing = referee.odds(TrialQuestion("warniris", "attack", {"attacker": "scout-0", "target": "scout-2"}), {})
    assert "unknown" in missing.problem
    assert not missing.tables
    assert referee.odds(QUESTION, _stronger(project)).has_saved


@pytest.mark.parametrize("values", [{"distance": 999}, {"target": "nobody"}, {"weapon": "Spoon"}, {"target": None}])
def test_an_impossible_trial_says_why(referee: Referee, values: dict[str, object]) -> None:
    answer = referee.odds(TrialQuestion("warniris", "attack", {**QUESTION.values, **values}), {})
    assert answer.problem
    assert not answer.tables


def test_a_roll_is_repeated_by_its_seed_and_leaves_no_file(referee: Referee, project: Path) -> None:
    files = sorted(project.rglob("*"))
    answer = referee.roll(QUESTION, "", {})
    assert answer.lines
    assert referee.roll(QUESTION, answer.seed, {}) == answer
    assert sorted(project.rglob("*")) == files


def test_rulings_that_change_the_odds_are_listed(referee: Referee, project: Path) -> None:
    duel = TrialQuestion("warniris", "duel", {"a": "scout-0", "b": "scout-1", "turns": 2})
    lines = referee.other_rulings(duel, {}).lines
    assert lines
    assert all("=" in line.partition(":")[0] for line in lines)
    assert any("%" in line for line in lines)
    assert referee.other_rulings(TrialQuestion("warniris", "duel", {"a": "nobody"}), {}).problem


def test_sentences_say_how_they_are_read(referee: Referee) -> None:
    (row, *_) = referee.sentences("warniris/character/scout-0", {})
    assert (row.part, row.level) == ("Lamp", "read")
    assert row.referee


def test_the_balance_compares_the_change_with_the_saved_card(referee: Referee, project: Path) -> None:
    key = "warniris/character/scout-0"
    assert referee.balance(key, {}).now is None
    same = referee.balance(key, {}, with_places=True)
    assert same.saved == same.now
    assert not same.is_changed
    assert same.benchmarks
    answer = referee.balance(key, _stronger(project), with_places=True)
    assert answer.is_changed
    assert answer.saved and answer.now and answer.now.score > answer.saved.score
    assert any("→" not in row.now and row.saved != row.now for row in answer.figures)


def test_a_game_without_a_referee_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    new_game("Plain")
    file = tmp_path / "games" / "plain" / "game.yaml"
    rules, _, _ = file.read_text(encoding="utf-8").partition("\n# Trials")
    file.write_text(rules, encoding="utf-8")
    assert "has no referee" in Referee(tmp_path).form("plain", {}).problem


def test_a_game_that_is_a_file_has_forms_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    new_game("Ember")
    referee = Referee(tmp_path)
    (form,) = referee.form("ember", {}).trials
    assert [(field.name, field.sort) for field in form.fields] == [("hero", "choice"), ("bonus", "number")]
    (hero, *_) = referee.form("ember", {}).sources["hero"]
    assert referee.odds(TrialQuestion("ember", "stand", {"hero": hero.value}), {}).tables


def test_the_balance_says_what_all_its_numbers_leave_out(project: Path) -> None:
    """Each rule once, in the saved card and in the one being written; also of the cards in the duels of its place."""
    key, idle = "warniris/character/scout-0", "  - {name: Idle, text: It hums.}\n"
    text = _stronger(project)[SCOUT]
    assert "abilities:\n" in text
    changed = {SCOUT: text.replace("abilities:\n", f"abilities:\n{idle}")}
    answer = Referee(project).balance(key, changed, with_places=True)
    assert answer.figures
    assert answer.left_out.count("Scout 0: 'Idle' has only text") == 1
    assert not any(line.startswith("not adjudicated") for line in answer.benchmarks)


def test_a_card_that_changes_nothing_is_not_called_not_adjudicated(tmp_path: Path) -> None:
    fighter = "game: warcry\nkind: fighter\nname: {}\nfaction: chaos\nstats: {{M: 5, T: 4, W: 9}}\npoints: 90\n"
    fighter += "weapons: [Axe: axe R1 A3 S4 D1/4]\n"
    for name in ("Asha", "Bo"):
        (tmp_path / f"{name}.yaml").write_text(fighter.format(name), encoding="utf-8")
    trait = "game: warcry\nkind: trait\nname: Song\nrunemark: chaos\ntext: Sing as loudly as you can.\n"
    (tmp_path / "song.yaml").write_text(trait, encoding="utf-8")
    (tmp_path / "cardgen.yaml").write_text("game: warcry\n", encoding="utf-8")
    values = {"attacker": "asha", "target": "bo", "blessing": "swiftness", "target_trait": "song"}
    answer = Referee(tmp_path).odds(TrialQuestion("warcry", "attack", values), {})
    assert not answer.problem
    assert {*answer.notes} == {"'Swiftness' has no effect on this attack.", "Not adjudicated: 'Song' has only text."}


def test_numbers_stand_in_their_order_whichever_cards_have_them() -> None:
    half = Fraction(1, 2)
    now, saved = (
        OddsTable("Wounds", tuple((label, half) for label in labels)) for labels in (("0", "2"), ("0", "1", "10"))
    )
    (view,) = odds_views((now,), (saved,))
    assert [row.label for row in view.rows] == ["0", "1", "2", "10"]

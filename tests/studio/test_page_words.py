"""What the studio says names the fields and pages that it shows, not options and commands."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cardgen.diagnostic import CardgenError, Diagnostic, Place, Span
from cardgen.editor.session import Session
from cardgen.options import FLAG, NUMBER
from cardgen.studio.engine.rule_answers import Referee, TrialForm, TrialQuestion
from cardgen.studio.engine.sheets import Sheets
from cardgen.studio.job import BUILD, EXPORT, JobFailure, JobRequest, outcome
from cardgen.studio.page_words import CHOICE, SEVERAL, OptionField, explain, label_of, page_words
from cardgen.studio.play.battle import BattleDesk
from cardgen.studio.play.seats import BattleOrder
from tests.journeys.conftest import write_project

GAMES = ("warniris", "warcry", "skirmish", "diskwars")
# Values that no option takes, by the sort of the field.
WRONG: dict[str, tuple[Any, ...]] = {NUMBER: (-1, 10**9), FLAG: (True,), SEVERAL: (("nobody",),), CHOICE: ("nobody",)}
_COMMAND_LINE = re.compile(r"(?<![\w-])--[a-z]|\bcardgen (?:build|calibrate|new|list|export|trial|battle|fix)\b")


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_project(tmp_path_factory.mktemp("words") / "scouts", 3)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("--again needs --target-relic, or a re--roll", "'Again' needs 'Target relic', or a re--roll"),
        ("run 'cardgen list' to see all cards", "open 'Cards' to see all cards"),
        ("print them with 'cardgen build', and cut them", "print them in 'Print', and cut them"),
        ("or run 'cardgen calibrate --printer x' to measure it", "or open 'Calibrate a printer' to measure it"),
        (
            "a whole sheet: cardgen build --backs none --only ash",
            "a whole sheet: 'Print' with 'Backs' none, 'Only' ash",
        ),
        ("create one with 'cardgen new relic NAME'", "create one in 'New card'"),
        ("use --printer none", "use 'Printer' none"),
        ("run 'cardgen preflight --service x'", "run 'cardgen preflight --service x'"),
        ("cardgen looks for it in the sample kit", "cardgen looks for it in the sample kit"),
    ],
)
def test_options_are_fields_and_commands_are_pages(text: str, words: str) -> None:
    assert page_words(text) == words


def test_errors_are_explained_in_the_words_of_pages() -> None:
    error = CardgenError(
        Diagnostic("CG1", "no such card", Place("--only"), "run 'cardgen list'"), Diagnostic("CG1", "two", Place("x"))
    )
    assert explain(error) == "no such card: open 'Cards'\ntwo"
    assert explain(ValueError("use --by")) == "use 'By'"
    place = Place("cards/ash.yaml", Span(2, 1, 2, 4))
    assert explain(CardgenError(Diagnostic("CG1", "wrong", place))) == "cards/ash.yaml:2:1: wrong"


def test_labels_are_words() -> None:
    assert label_of("target_relic") == label_of("target-relic") == "Target relic"


def test_the_labels_of_messages_are_those_of_the_forms(project: Path) -> None:
    form = Sheets(Session(project)).form()
    for field in (*form.cards, *form.paper, *form.rare, *(field for each in form.exports for field in each.fields)):
        assert field.label == label_of(field.name)


def _texts(fields: tuple[OptionField, ...]) -> Iterator[str]:
    for field in fields:
        yield from (field.label, field.help, field.placeholder, *(choice.label for choice in field.choices))


def test_forms_name_no_options(project: Path) -> None:
    form = Sheets(Session(project)).form()
    texts = [*_texts((*form.cards, *form.paper, *form.rare))]
    for each in form.exports:
        texts += [each.about, *_texts(each.fields)]
    for game in GAMES:
        rules = Referee(project).form(game, {})
        texts += [*_texts(rules.rulings), *_texts(rules.policies)]
        for trial in rules.trials:
            texts += [trial.about, *_texts(trial.fields)]
    assert [text for text in texts if _COMMAND_LINE.search(text)] == []


def _said(request: JobRequest) -> tuple[str, ...]:
    """Return everything that a job says at its end."""
    end = outcome(request, lambda _: None)
    return end.problems if isinstance(end, JobFailure) else (*end.notes, end.summary, end.next_step)


def _wrong(field: OptionField) -> tuple[Any, ...]:
    return WRONG.get(field.sort, ("x y", "-1", "none/none"))


def test_jobs_with_wrong_values_name_fields(project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(project)
    form = Sheets(Session(project)).form()
    texts: list[str] = []
    for field in (*form.cards, *form.paper, *form.rare):
        for value in _wrong(field):
            options = {"only": ("scout-1",), field.name: value}
            texts += _said(JobRequest(BUILD, str(project), str(tmp_path / "output"), options))
    texts += _said(JobRequest(BUILD, str(project), str(tmp_path / "output"), {"kit": True, "warband": "x"}))
    for each in form.exports:
        for field in each.fields:
            for value in _wrong(field)[:1]:
                options = {"only": ("scout-1",), field.name: value}
                texts += _said(JobRequest(EXPORT, str(project), str(tmp_path / "export"), options, each.name))
    assert {"'Copies of each' is a whole number from 1 to 500", "'Resolution' is a whole number from 36 to 1200"} <= {
        *texts
    }
    assert [text for text in texts if _COMMAND_LINE.search(text)] == []


def _questions(game: str, trial: TrialForm, sources: dict[str, Any]) -> Iterator[TrialQuestion]:
    """Yield questions with one value each that the trial may refuse, beside cards for all fields that need one."""
    cards = {field.name: sources[field.source][0].value for field in trial.fields if sources.get(field.source)}
    needed = {
        field.name: (cards[field.name],) if field.sort == SEVERAL else cards[field.name]
        for field in trial.fields
        if field.is_required and field.name in cards
    }
    yield TrialQuestion(game, trial.trial, {})
    for field in trial.fields:
        values = ("nobody",) if field.source and field.sort != SEVERAL else _wrong(field)
        if field.sort == CHOICE and field.choices:
            values = tuple(choice.value for choice in field.choices)
        yield from (TrialQuestion(game, trial.trial, {**needed, field.name: value}) for value in values)


@pytest.mark.share(4)
@pytest.mark.parametrize("game", GAMES)
def test_trials_with_wrong_values_name_fields(project: Path, game: str) -> None:
    referee = Referee(project)
    form = referee.form(game, {})
    texts: list[str] = []
    for trial in form.trials:
        for question in _questions(game, trial, dict(form.sources)):
            answer = referee.roll(question, "1", {})
            texts += [answer.problem, *answer.lines]
    assert sum(bool(text) for text in texts) > 20
    assert [text for text in texts if _COMMAND_LINE.search(text)] == []


def test_battles_with_wrong_values_name_fields(project: Path) -> None:
    desk = BattleDesk(project)
    texts = []
    for game in GAMES:
        form = desk.form(game)
        for field in form.fields:
            for value in _wrong(field):
                with pytest.raises(CardgenError) as caught:
                    desk.begin(BattleOrder(game, {field.name: value}, seed="1"))
                texts.append(explain(caught.value))
        for order in (
            BattleOrder(game, {}, rulings=("x=y",)),
            BattleOrder(game, {}, policies=("x",)),
            BattleOrder(game, {}, files=("missing.yaml",)),
            BattleOrder(game, {}, save="../x"),
            BattleOrder(game, {}, seed="\ud800"),
        ):
            with pytest.raises(CardgenError) as caught:
                desk.begin(order)
            texts.append(explain(caught.value))
    assert [text for text in texts if _COMMAND_LINE.search(text)] == []

"""The second process draws pictures and checks projects; templates of strangers have the limits of the command line."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from cardgen.diagnostic import CardgenError
from cardgen.editor.session import ProjectState, Session, Worker
from cardgen.runtime.processes import can_fork
from cardgen.runtime.request_process import ProcessError
from tests.editor.harness import RELIC, Editor


class ForkTask(NamedTuple):
    """Asks whether templates of strangers run in a fork, where they have hard limits of time and memory."""

    state: ProjectState

    def run(self, session: Session) -> bool:
        return can_fork()


@pytest.fixture(scope="module")
def worker() -> Iterator[Worker]:
    worker = Worker()
    yield worker
    worker.close()


def state(editor: Editor, generation: int = 0) -> ProjectState:
    return ProjectState(editor.root, generation, editor.session.unsaved)


def test_a_card_is_drawn_from_its_unsaved_text(editor: Editor, worker: Worker) -> None:
    first = worker.picture(state(editor), "warniris", "test-cloak", 40)
    assert first.startswith(b"\x89PNG")
    editor.write("cards/cloak.yaml", RELIC.replace("Seen too late.", "Never seen."))
    assert worker.picture(state(editor), "warniris", "test-cloak", 40) != first


def test_a_project_is_checked(editor: Editor, worker: Worker) -> None:
    editor.write("cards/cloak.yaml", RELIC.replace("Test Cloak", "Grey Cloak"))
    problems = worker.check(state(editor))
    assert "CG115" in [each.diagnostic.code for each in problems[editor.path("cards/oath.yaml")]]


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux forks safely")
def test_templates_of_strangers_run_in_a_fork(editor: Editor, worker: Worker) -> None:
    assert worker._ask(ForkTask(state(editor)), 20.0) is True


def test_a_template_that_fails_is_an_error_and_the_next_card_is_drawn(editor: Editor, worker: Worker) -> None:
    template = editor.path("templates/warniris/relic.svg.j2")
    template.parent.mkdir(parents=True)
    template.write_text("<svg xmlns='http://www.w3.org/2000/svg'>{{ ''.__class__ }}</svg>", encoding="utf-8")
    with pytest.raises(CardgenError):
        worker.picture(state(editor, 1), "warniris", "test-cloak", 40)
    assert worker.picture(state(editor, 1), "warniris", "old-gravel", 40)


def test_a_card_that_does_not_exist_is_an_error(editor: Editor, worker: Worker) -> None:
    with pytest.raises(CardgenError, match="not printed"):
        worker.picture(state(editor), "warniris", "no-such-card", 40)


def test_a_process_that_ends_is_started_again(editor: Editor, worker: Worker) -> None:
    process = worker._process._process
    assert process
    process.kill()
    process.join(5)
    assert worker.picture(state(editor), "warniris", "test-cloak", 40)


def test_an_answer_that_takes_too_long_is_given_up(
    editor: Editor, worker: Worker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cardgen.editor.session.CHECK_SECONDS", 0.0)
    with pytest.raises(ProcessError, match="no answer"):
        worker.check(state(editor))
    monkeypatch.undo()
    assert Path(editor.root) in {path.parents[1] for path in worker.check(state(editor)) if path.suffix == ".yaml"}

"""The second process draws pictures and checks projects; templates of strangers have the limits of the command line."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cardgen.diagnostic import CardgenError
from cardgen.editor.session import ProjectService, ProjectState
from cardgen.runtime.processes import can_fork
from cardgen.runtime.request_process import ProcessError, RemoteService
from tests.editor.harness import RELIC, Editor


class _ForkingService(ProjectService):
    """Also tells whether templates of strangers run in a fork, where they have hard limits of time and memory."""

    def can_fork(self) -> bool:
        return can_fork()


@pytest.fixture(scope="module")
def service() -> Iterator[RemoteService]:
    service = RemoteService(_ForkingService, is_stateless=True)
    yield service
    service.close()


def ask(service: RemoteService, name: str, *arguments: object, seconds: float = 100.0) -> Any:
    return asyncio.run(service.call(name, *arguments, seconds=seconds))


def picture(service: RemoteService, editor: Editor, card: str = "test-cloak", generation: int = 0) -> bytes:
    png: bytes = ask(service, "picture", state(editor, generation), "warniris", card, 40)
    return png


def state(editor: Editor, generation: int = 0) -> ProjectState:
    return ProjectState(editor.root, generation, editor.session.unsaved)


def test_a_card_is_drawn_from_its_unsaved_text(editor: Editor, service: RemoteService) -> None:
    first = picture(service, editor)
    assert first.startswith(b"\x89PNG")
    editor.write("cards/cloak.yaml", RELIC.replace("Seen too late.", "Never seen."))
    assert picture(service, editor) != first


def test_a_project_is_checked(editor: Editor, service: RemoteService) -> None:
    editor.write("cards/cloak.yaml", RELIC.replace("Test Cloak", "Grey Cloak"))
    problems = ask(service, "check", state(editor))
    assert "CG115" in [each.diagnostic.code for each in problems[editor.path("cards/oath.yaml")]]


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux forks safely")
def test_templates_of_strangers_run_in_a_fork(service: RemoteService) -> None:
    assert ask(service, "can_fork") is True


def test_a_template_that_fails_is_an_error_and_the_next_card_is_drawn(editor: Editor, service: RemoteService) -> None:
    template = editor.path("templates/warniris/relic.svg.j2")
    template.parent.mkdir(parents=True)
    template.write_text("<svg xmlns='http://www.w3.org/2000/svg'>{{ ''.__class__ }}</svg>", encoding="utf-8")
    with pytest.raises(CardgenError):
        picture(service, editor, generation=1)
    assert picture(service, editor, "old-gravel", generation=1)


def test_a_card_that_does_not_exist_is_an_error(editor: Editor, service: RemoteService) -> None:
    with pytest.raises(CardgenError, match="not printed"):
        picture(service, editor, "no-such-card")


def test_a_process_that_ends_is_started_again(editor: Editor, service: RemoteService) -> None:
    process = service._process._process
    assert process
    process.kill()
    process.join(5)
    assert picture(service, editor)


def test_an_answer_that_takes_too_long_is_given_up(editor: Editor, service: RemoteService) -> None:
    with pytest.raises(ProcessError, match="no answer"):
        ask(service, "check", state(editor), seconds=0.0)
    problems = ask(service, "check", state(editor))
    assert Path(editor.root) in {path.parents[1] for path in problems if path.suffix == ".yaml"}

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Iterator

import pytest

from cardgen.diagnostic import CardgenError, Diagnostic, Place
from cardgen.runtime.request_process import (
    BACKGROUND,
    NORMAL,
    URGENT,
    Handler,
    ProcessError,
    RemoteService,
    RequestProcess,
)

PATIENCE = 100


def make_handler() -> Handler:
    answered: list[object] = []

    def handle(request: object) -> object:
        if request == "wait":
            time.sleep(PATIENCE)
        if request == "end":
            os._exit(3)
        if request == "mistake":
            raise CardgenError(Diagnostic("CG001", "unreadable", Place("a.yaml")))
        if request == "fault":
            raise ValueError("a fault")
        answered.append(request)
        return len(answered)

    return handle


@pytest.fixture(scope="module")
def process() -> Iterator[RequestProcess]:
    process = RequestProcess(make_handler)
    yield process
    process.close()


def test_one_process_answers_and_keeps_what_it_knows(process: RequestProcess) -> None:
    first = process.ask("a", PATIENCE)
    assert process.ask("b", PATIENCE) == first + 1
    with pytest.raises(CardgenError, match="unreadable"):
        process.ask("mistake", PATIENCE)
    with pytest.raises(ProcessError, match="ValueError: a fault"):
        process.ask("fault", PATIENCE)
    assert process.ask("c", PATIENCE) == first + 2


@pytest.mark.parametrize(
    ("request_", "seconds", "message"), [("end", PATIENCE, "ended"), ("wait", 0.2, "no answer within 0.2 s")]
)
def test_a_new_process_follows_one_that_failed(
    process: RequestProcess, request_: str, seconds: float, message: str
) -> None:
    process.ask("a", PATIENCE)
    with pytest.raises(ProcessError, match=message):
        process.ask(request_, seconds)
    assert not process.is_alive()
    assert process.ask("a", PATIENCE) == 1


class Recorder:
    """Notes the order of its calls."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self.part = self

    def note(self, name: str, *, seconds: float = 0.0) -> list[str]:
        time.sleep(seconds)
        self.names.append(name)
        return self.names


def test_urgent_calls_go_first_and_the_parts_of_a_service_have_functions_too() -> None:
    async def ask() -> list[str]:
        priorities = (BACKGROUND, NORMAL, URGENT)
        calls = [service.call("part.note", str(each), priority=each) for each in priorities]
        waiting = asyncio.create_task(service.call("note", "running"))
        while not service.is_alive:
            await asyncio.sleep(0.01)
        await asyncio.gather(waiting, *calls)
        return list(await service.call("note", "last"))

    service = RemoteService(Recorder)
    try:
        assert asyncio.run(ask()) == ["running", *map(str, (URGENT, NORMAL, BACKGROUND)), "last"]
    finally:
        service.close()


def test_calls_fail_once_a_service_is_closed() -> None:
    service = RemoteService(Recorder)
    service.close()
    with pytest.raises(ProcessError, match="ended"):
        asyncio.run(service.call("note", "late"))
    assert not service.is_alive

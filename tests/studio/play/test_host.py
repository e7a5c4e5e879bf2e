"""The host of battles: engines that die, and projects that are closed."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from cardgen.runtime.request_process import ProcessError
from cardgen.studio.play.host import Host
from cardgen.studio.play.seats import Refused
from tests.studio.play.windows import ORDER, DirectEngine


class _FrailEngine(DirectEngine):
    """An engine that loses everything once, when it is asked for an answer."""

    has_died = False

    async def call(self, name: str, *arguments: Any, seconds: float = 0.0) -> Any:
        if name == "play.reply" and not self.has_died:
            self.has_died = True
            self.play.leave()
            raise ProcessError("the process ended")
        return await super().call(name, *arguments)


def _host(root: Path, *engines: DirectEngine) -> Host:
    (root / "cardgen.yaml").write_text("game: warniris\n", encoding="utf-8")
    left = [each for engine in engines for each in (engine, DirectEngine(root))]  # each battle has one for its cards
    return Host(lambda: left.pop(0), lambda: engines[0], lambda: root)


def test_a_battle_is_opened_again_after_its_engine_has_died(tmp_path: Path) -> None:
    async def run() -> None:
        host = _host(tmp_path, _FrailEngine(tmp_path))
        await host.begin(ORDER)
        before = host.state
        assert before
        assert before.question
        asked = before.question.side or 0
        assert await host.reply(before.step, 0, asked) == Refused("The battle had to be opened again; try once more.")
        assert host.state
        assert host.state._replace(header=before.header) == before
        assert await host.reply(before.step, 0, asked) is None
        assert host.state.question != before.question
        host.close()

    asyncio.run(run())


def test_after_another_project_was_opened_nothing_stays(tmp_path: Path) -> None:
    async def run() -> None:
        first, second = DirectEngine(tmp_path), DirectEngine(tmp_path)
        host, told = _host(tmp_path, first, second), []
        await host.begin(ORDER)
        host.listeners.add(lambda: told.append(host.state))
        await host.quit()
        assert (host.state, host.seating, host.view("1"), told) == (None, None, None, [])
        assert await host.reply(0, 0, 0) == Refused("This battle has been closed.")
        await host.resume("battle.jsonl")
        assert told[-1] is host.state is not None
        host.close()

    asyncio.run(run())


def test_an_answer_that_waits_does_not_get_into_the_next_battle(tmp_path: Path) -> None:
    async def run() -> None:
        host = _host(tmp_path, DirectEngine(tmp_path))
        await host.begin(ORDER)
        before = host.state
        assert before
        assert before.question
        next_battle = asyncio.ensure_future(host.begin(ORDER))
        async with host._lock:
            await asyncio.sleep(0)  # the next battle waits for the lock, and then an answer to this one
            late = asyncio.ensure_future(host.reply(before.step, 0, before.question.side or 0))
            await asyncio.sleep(0)
        assert await late == Refused("This battle has been closed.")
        await next_battle
        assert host.state
        assert (host.state.save, host.state.step) == ("battle-2.jsonl", before.step)
        host.close()

    asyncio.run(run())


def test_a_save_that_changes_outside_is_told_to_all(tmp_path: Path) -> None:
    async def run() -> None:
        host = _host(tmp_path, DirectEngine(tmp_path))
        await host.begin(ORDER)
        with (tmp_path / "battle.jsonl").open("a", encoding="utf-8") as file:
            file.write("x\n")
        assert host.state
        assert host.state.question
        refusal = await host.reply(host.state.step, 0, host.state.question.side or 0)
        assert refusal
        assert "another program has changed this file" in refusal.text
        view = host.view("screen")
        assert view
        assert "another program has changed this file" in view["problem"]
        host.close()

    asyncio.run(run())

"""Dishonest windows: whoever is not asked answers nothing, whenever the request comes."""

from __future__ import annotations

import asyncio
import json
import random
from pathlib import Path
from typing import Any

from cardgen.matches.session import load_transcript, verify_transcript
from cardgen.studio.play.host import Host
from cardgen.studio.play.players_server import PlayersApp
from cardgen.studio.play.seats import SCREEN
from tests.studio.play.windows import ORDER, PORT, DirectEngine, Window, random_value, settle

ROUNDS = 60


class _SlowEngine(DirectEngine):
    """An engine that lets other requests come while it answers, as one in another process does."""

    async def call(self, name: str, *arguments: Any, seconds: float = 0.0) -> Any:
        await asyncio.sleep(0.002)
        answer = await super().call(name, *arguments)
        await asyncio.sleep(0.002)
        return answer


def test_nobody_answers_for_others_while_an_answer_is_under_way(tmp_path: Path) -> None:
    async def run() -> None:
        (tmp_path / "cardgen.yaml").write_text("game: warniris\n", encoding="utf-8")
        engine = _SlowEngine(tmp_path)
        host = Host(lambda: engine, lambda: engine, lambda: tmp_path)
        app = PlayersApp(host, lambda: f"http://192.168.1.5:{PORT}")
        await host.begin(ORDER._replace(values={**ORDER.values, "turns": 6}))
        assert host.seating
        players, dice = [Window(app), Window(app)], random.Random(2)
        for window, place in zip(players, ("1", "2"), strict=True):
            assert (await window.join(host.seating.code, place)).status == 200
            window.watch()
        screen = Window(app)
        await screen.join(host.seating.code, SCREEN)
        await settle()
        asked_of: list[str] = []
        for _ in range(ROUNDS):
            state = host.state
            if state is None or state.outcome:
                break
            honest = next(each for each in players if each.view["question"]["mine"])
            other = next(each for each in players if each is not honest)
            value = random_value(honest.view["question"], dice)
            step = state.step
            honest_reply = asyncio.ensure_future(
                honest.post(f"/at/{honest.place}/reply", {"step": step, "value": value})
            )
            await asyncio.sleep(0.001)  # the answer is under way
            # Each answer adds a line or several to the save, and later steps are those that will be current.
            guesses = [{"step": step + ahead, "value": each} for ahead in range(5) for each in (0, [], [0])]
            dishonest = [
                window.post(f"{path}/reply", guess)
                for guess in guesses
                for window, path in ((screen, "/at/screen"), (screen, "/watch"), (screen, "/at/1"), (screen, "/at/2"))
            ]
            is_own = state.question is not None and state.question.side is not None
            # The other side may be asked next, so its answer to a later question is dishonest only if it is not.
            dishonest += [other.post(f"/at/{other.place}/reply", {"step": step, "value": 0})] if is_own else []
            early = [other.post(f"/at/{other.place}/reply", {"step": step + ahead, "value": 0}) for ahead in (1, 2, 3)]
            early += [other.post(f"/at/{other.place}/undo", {"step": step + ahead}) for ahead in (1, 2, 3)]
            replies = await asyncio.gather(*dishonest, *early)
            assert not [reply for reply in replies if reply.status == 200]
            if (await honest_reply).status == 200:
                asked_of.append(honest.view["sides"][int(honest.place) - 1]["name"])
            await settle()
        assert len(asked_of) >= 46
        for each in players:
            await each.close()
        save = tmp_path / host.state.save  # type: ignore[union-attr]
        host.close()
        answers = [line for line in load_transcript(save).answers if "by" in line]
        assert [line["by"] for line in answers] == asked_of
        assert verify_transcript(save).questions >= len(asked_of)

    asyncio.run(run())


def test_a_window_whose_seat_is_freed_changes_nothing_with_a_request_that_is_under_way(tmp_path: Path) -> None:
    """Neither with a body that comes later, nor while the request waits for its turn."""

    async def run() -> None:
        (tmp_path / "cardgen.yaml").write_text("game: warniris\n", encoding="utf-8")
        engine = _SlowEngine(tmp_path)
        host = Host(lambda: engine, lambda: engine, lambda: tmp_path)
        app = PlayersApp(host, lambda: "")
        await host.begin(ORDER)
        for action in ("reply", "undo"):
            assert host.seating
            assert host.state
            assert host.state.question
            step, place = host.state.step, str((host.state.question.side or 0) + 1)
            window = Window(app)
            await window.join(host.seating.code, place)
            body, sent = asyncio.Event(), list[Any]()

            async def receive(body: asyncio.Event = body, step: int = step) -> Any:
                await body.wait()
                return {"type": "http.request", "body": json.dumps({"step": step, "value": 0}).encode()}

            async def send(message: Any, sent: list[Any] = sent) -> None:
                sent.append(message)

            origin = {"origin": f"http://{window.headers['host']}"}
            scope = window._scope("POST", f"/at/{place}/{action}", origin)
            late = asyncio.ensure_future(app(scope, receive, send))
            await asyncio.sleep(0)
            host.free(place)
            body.set()
            await late
            assert sent[0]["status"] == 403
            again = Window(app)
            await again.join(host.seating.code, place)
            async with host._lock:
                waits = asyncio.ensure_future(again.post(f"/at/{place}/{action}", {"step": step, "value": 0}))
                await asyncio.sleep(0.01)
                host.free(place)
            assert (await waits).status == 403
            assert host.state.step == step
            await host.reply(step, 0, int(place) - 1)  # so that there is something to undo
        host.close()

    asyncio.run(run())

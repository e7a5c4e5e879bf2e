"""The players' server on the wire: who gets in, what each window is sent, and a whole battle."""

from __future__ import annotations

import asyncio
import json
import random
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from cardgen.matches.session import verify_transcript
from cardgen.studio.play.host import Host
from cardgen.studio.play.players_server import MOST_WATCHERS, PlayersApp
from cardgen.studio.play.seats import MOST_TRIES, SCREEN, BattleOrder
from tests.studio.play.windows import ADDRESS, ORDER, PORT, Window, random_value, seating_of, settle

Journey = Callable[[Host, PlayersApp], Awaitable[None]]


def play(root: Path, journey: Journey, order: BattleOrder = ORDER) -> None:
    """Run a journey with a battle that has begun."""

    async def run() -> None:
        host, app = seating_of(root, f"http://{ADDRESS}:{PORT}")
        await host.begin(order)
        try:
            await journey(host, app)
        finally:
            host.close()

    asyncio.run(run())


async def _windows(host: Host, app: PlayersApp, *places: str) -> list[Window]:
    assert host.seating
    windows = [Window(app, f"192.168.1.{number}") for number, _ in enumerate(places, 70)]
    for window, place in zip(windows, places, strict=True):
        assert (await window.join(host.seating.code, place)).status == 200
        window.watch()
    await settle()
    return windows


async def _answer(windows: list[Window], dice: random.Random) -> None:
    """Answer the question that waits, from the window that is asked."""
    window = next(each for each in windows if each.view["question"]["mine"])
    view = window.view
    reply = await window.post(
        f"/at/{window.place}/reply", {"step": view["step"], "value": random_value(view["question"], dice)}
    )
    assert reply.status in (200, 409)
    await settle()


async def _undo(players: Sequence[Window]) -> None:
    """Let all players agree to undo the last answer."""
    step = players[0].view["step"]
    for each in players:
        assert (await each.post(f"/at/{each.place}/undo", {"step": step})).data == {"problem": ""}
    await settle()
    assert players[0].view["step"] != step


def test_an_answer_is_undone_once_all_players_agree(tmp_path: Path) -> None:
    """What dice and others have shown by then would else be known to the one who chooses anew."""

    async def journey(host: Host, app: PlayersApp) -> None:
        one, two, screen = await _windows(host, app, "1", "2", SCREEN)
        assert host.state
        names = list(host.state.sides)
        dice = random.Random(1)
        await _answer([one, two], dice)
        step = one.view["step"]
        for _ in range(2):  # asking twice says nothing more
            assert (await one.post("/at/1/undo", {"step": step})).data == {"problem": ""}
        await settle()
        assert [(each.view["step"], each.view["undo"]) for each in (one, two, screen)] == [(step, names[:1])] * 3
        await _answer([one, two], dice)
        assert (screen.view["step"] > step, screen.view["undo"]) == (True, []), "the game has gone on instead"
        assert (await two.post("/at/2/undo", {"step": step})).status == 409
        await _undo([two, one])
        assert screen.view["undo"] == []
        assert screen.view["log"][-1]["text"] == f"{names[1]} undid the last answer"
        for each in (one, two, screen):
            await each.close()

    play(tmp_path, journey)


def test_a_player_without_others_undoes_alone_and_a_seat_that_was_freed_agrees_to_nothing(tmp_path: Path) -> None:
    async def journey(host: Host, app: PlayersApp) -> None:
        assert host.state
        assert host.state.question
        assert host.seating
        place = str((host.state.question.side or 0) + 1)
        other = {"1": "2", "2": "1"}[place]
        (alone,) = await _windows(host, app, place)
        await _answer([alone], random.Random(1))
        await _undo([alone])
        await _answer([alone], random.Random(1))
        (late,) = await _windows(host, app, other)
        step = alone.view["step"]
        await late.post(f"/at/{other}/undo", {"step": step})
        host.free(other)
        (next_one,) = await _windows(host, app, other)
        await alone.post(f"/at/{place}/undo", {"step": step})
        await settle()
        assert alone.view["step"] == step
        assert next_one.view["undo"] == [host.state.sides[int(place) - 1]]
        for each in (alone, late, next_one):
            await each.close()

    play(tmp_path, journey)


def test_a_battle_is_played_and_nobody_is_sent_the_hand_of_another(tmp_path: Path) -> None:
    async def journey(host: Host, app: PlayersApp) -> None:
        *players, screen = await _windows(host, app, "1", "2", SCREEN)
        dice = random.Random(4)
        hands: Mapping[str, tuple[str, ...]] = {}
        before: dict[str, bytes] = {}
        sides = host.state.sides if host.state else ()
        for count in range(400):
            if screen.view["outcome"] or host.state is None:
                break
            hands, before = host.state.secrets, {each.place: each.received for each in (*players, screen)}
            await _answer(players, dice)
            if count % 9 == 8 and not screen.view["outcome"]:
                dice.shuffle(players)
                await _undo(players)
        assert sorted(map(len, hands.values())) == [3, 3]
        for owner, hand in hands.items():
            place = str(sides.index(owner) + 1)
            for text in hand:
                goal, label = (json.dumps(each).strip('"').encode() for each in (text, text.split(" VP: ")[0][:-3]))
                assert [each.place for each in (*players, screen) if goal in each.received] == [place]
                assert [each for each, received in before.items() if label in received] == [place]
        assert screen.view["time"] == "Turn 1"
        for each in (*players, screen):
            await each.close()
        path = tmp_path / host.state.save  # type: ignore[union-attr]
        result = verify_transcript(path)
        assert result.is_finished
        assert result.has_secret
        text = path.read_text(encoding="utf-8")
        assert '{"undo":' in text

    play(tmp_path, journey)


def test_a_card_is_chosen_face_down_and_shown_to_nobody_before_its_time(tmp_path: Path) -> None:
    async def journey(host: Host, app: PlayersApp) -> None:
        one, two, screen = await _windows(host, app, "1", "2", SCREEN)
        for window in (one, two, one):
            # No terrain, and no disk that starts on another one.
            reply = await window.post(f"/at/{window.place}/reply", {"step": window.view["step"], "value": []})
            assert reply.status == 200
            await settle()
        hands = []
        for window, place in ((one, 3), (two, 1)):
            question = window.view["question"]
            hands.append([each.encode() for each in question["options"]])
            sealed = {**{key: question[key] for key in ("kind", "text", "side")}, "mine": False}
            assert (sealed["kind"], screen.view["question"]) == ("seal", sealed)
            before = [each.received for each in (one, two, screen)]
            reply = await window.post(f"/at/{window.place}/reply", {"step": window.view["step"], "value": place})
            assert reply.data == {"problem": ""}
            await settle()
        assert not set(hands[0]) & set(hands[1])
        save = (tmp_path / host.state.save).read_bytes()  # type: ignore[union-attr]
        lines_before = save[save.index(b"\n") : save.index(b" reveals ")]
        for owner, hand in enumerate(hands):
            for name in hand:
                assert [place for place, received in enumerate(before) if name in received] == [owner]
                assert name not in lines_before
        reveals = [line["text"] for line in screen.view["log"] if " reveals " in line["text"]]
        assert [each.split(" reveals ")[1].encode() for each in reveals] == [hands[0][3], hands[1][1]]
        await _undo([two, one])
        assert not any(" reveals " in line["text"] for line in screen.view["log"])
        assert "options" not in screen.view["question"]
        for each in (one, two, screen):
            await each.close()

    play(tmp_path, journey, BattleOrder("diskwars", {"a": "the-dyke-watch", "b": "the-rust-choir", "deployed": True}))


def test_an_answer_counts_once_and_only_from_who_is_asked(tmp_path: Path) -> None:
    async def journey(host: Host, app: PlayersApp) -> None:
        one, two = await _windows(host, app, "1", "2")
        asked, other = (one, two) if one.view["question"]["mine"] else (two, one)
        step = asked.view["step"]
        refused = await other.post(f"/at/{other.place}/reply", {"step": step, "value": 0})
        assert (refused.status, refused.body) == (403, b"It is not for you to answer this.")
        assert (await asked.post(f"/at/{asked.place}/reply", {"step": step, "value": 99})).status == 409
        first, late = [await asked.post(f"/at/{asked.place}/reply", {"step": step, "value": 0}) for _ in range(2)]
        assert (first.status, first.data) == (200, {"problem": ""})
        assert (late.status, late.data) == (409, {"problem": "the battle has gone on in the meantime; look again"})
        for broken in ({"step": "0"}, {"value": 0}, {"step": True, "value": 0}):
            assert (await asked.post(f"/at/{asked.place}/reply", broken)).status == 400
        for each in (one, two):
            await each.close()

    play(tmp_path, journey)


def test_a_window_comes_back_and_a_second_one_sees_the_same(tmp_path: Path) -> None:
    async def journey(host: Host, app: PlayersApp) -> None:
        (window,) = await _windows(host, app, "1")
        before = window.view
        assert before["seats"][0]["here"]
        await window.close()
        assert host.seating
        assert not host.seating.seats["1"].window_count
        again, second = Window(app), Window(app)
        again.place, again.path, again.headers = "1", "/at/1", dict(window.headers)
        assert (await again.ask("GET", "/at/1")).status == 200
        again.watch()
        assert (await second.join(before["seatCode"], "1")).status == 200
        second.watch()
        await settle()
        assert again.view == second.view
        assert again.view["secrets"] == before["secrets"]
        host.seating.free("1")
        host.tell()
        await settle()
        assert all(each.received.endswith(b"event: closed\ndata: freed\n\n") for each in (again, second))
        assert (await again.ask("GET", "/at/1")).status == 403

    play(tmp_path, journey)


def test_a_server_that_stops_ends_all_streams_and_keeps_the_seats(tmp_path: Path) -> None:
    async def journey(host: Host, app: PlayersApp) -> None:
        one, screen = await _windows(host, app, "1", SCREEN)
        app.drop()
        await settle()
        assert host.seating
        assert [seat.window_count for seat in host.seating.seats.values()] == [0, 0]
        assert host.seating.watcher_count == 0
        for window in (one, screen):
            before = window.received
            host.tell()
            await settle()
            assert window.received == before
            assert b"closed" not in before
            window.watch()
        await settle()
        assert host.seating.seats["1"].window_count == 1
        for window in (one, screen):
            await window.close()

    play(tmp_path, journey)


def test_without_the_code_there_is_only_the_door(tmp_path: Path) -> None:
    async def journey(host: Host, app: PlayersApp) -> None:
        window = Window(app)
        assert host.seating
        for path in ("/at/1", "/at/screen", "/at/1/events", "/watch/code.svg"):
            reply = await window.ask("GET", path)
            assert (reply.status, reply.body) == (403, b"Enter the code of the battle first.")
        for path in ("/edit", "/picture/x", "/face", "/_nicegui_ws/", "/at/1/../2", "/table.py", "/seat.html"):
            assert (await window.ask("GET", path)).status in (403, 404)
        for _ in range(MOST_TRIES):
            reply = await window.post("/join", {"code": "wrong"})
            assert (reply.status, reply.body) == (403, b"This code is wrong, or its battle is over.")
        reply = await window.post("/join", {"code": host.seating.code})
        assert (reply.status, reply.headers["retry-after"]) == (429, "60")
        assert b"Ashen" not in window.received
        assert host.seating.code.encode() not in window.received
        reply = await Window(app, "192.168.1.99").post("/join", {"code": host.seating.code})
        assert [seat["name"] for seat in reply.data["seats"]] == [
            "The Ashen Oath",
            "The Drowned Court",
            "Shared screen",
        ]

    play(tmp_path, journey)


WRONG: dict[str, tuple[int, dict[str, Any]]] = {
    "name of a stranger's server": (421, {"host": f"evil.example:{PORT}"}),
    "address of another computer": (421, {"host": f"192.168.1.6:{PORT}"}),
    "another port": (421, {"host": f"{ADDRESS}:80"}),
    "localhost from outside": (421, {"host": f"localhost:{PORT}"}),
    "no host": (421, {"host": ""}),
    "origin of a web page": (403, {"origin": "https://evil.example"}),
    "origin without a name": (403, {"origin": "null"}),
    "origin of the studio": (403, {"origin": "http://127.0.0.1:8000"}),
    "request that another site started": (403, {"sec_fetch_site": "cross-site"}),
    "request that another port started": (403, {"sec_fetch_site": "same-site", "sec_fetch_mode": "no-cors"}),
    "form instead of JSON": (415, {"content_type": "text/plain"}),
}


@pytest.mark.parametrize("case", WRONG)
def test_requests_from_elsewhere_are_refused(case: str, tmp_path: Path) -> None:
    async def run() -> None:
        _, app = seating_of(tmp_path)
        status, headers = WRONG[case]
        window = Window(app)
        scope_host = {"host": headers["host"]} if "host" in headers else {}
        reply = await window.post("/join", {"code": "x"}, **{**headers, **scope_host})
        assert reply.status == status

    asyncio.run(run())


def test_a_link_of_the_studio_which_has_another_port_opens_the_page(tmp_path: Path) -> None:
    _, app = seating_of(tmp_path)
    for site in ("same-site", "same-origin", "none"):
        reply = asyncio.run(Window(app).ask("GET", "/", sec_fetch_site=site, sec_fetch_mode="navigate"))
        assert reply.status == 200


@pytest.mark.parametrize("client", ["8.8.8.8", "2001:4860:4860::8888", "", "nonsense"])
def test_devices_beyond_the_local_network_are_refused(client: str, tmp_path: Path) -> None:
    _, app = seating_of(tmp_path)
    reply = asyncio.run(Window(app, client).ask("GET", "/"))
    assert (reply.status, reply.body) == (403, b"This server answers the local network only.")


def test_requests_without_an_origin_change_nothing(tmp_path: Path) -> None:
    _, app = seating_of(tmp_path)
    assert asyncio.run(Window(app).ask("POST", "/join", {"code": "x"})).status == 403


@pytest.mark.parametrize("body", ["x" * 9000, "[]", "1", '{"a": NaN}', "{"])
def test_broken_requests_are_refused(body: str, tmp_path: Path) -> None:
    _, app = seating_of(tmp_path)
    window = Window(app)

    async def receive() -> Any:
        return {"type": "http.request", "body": body.encode(), "more_body": False}

    window._sender = lambda _: receive  # type: ignore[assignment, method-assign]
    assert asyncio.run(window.post("/join", None)).status in (400, 413)


def test_pages_allow_only_their_own_scripts(tmp_path: Path) -> None:
    async def run() -> None:
        _, app = seating_of(tmp_path)
        window = Window(app, "127.0.0.1", f"localhost:{PORT}")
        page = await window.ask("GET", "/")
        assert page.status == 200
        assert "script-src 'self';" in page.headers["content-security-policy"]
        assert "unsafe" not in page.headers["content-security-policy"]
        assert b"<script>" not in page.body
        assert page.headers["cache-control"] == "no-store"
        for name in ("elements", "join", "questions", "screen", "seat"):
            script = await window.ask("GET", f"/{name}.js")
            assert script.headers["content-type"].startswith("text/javascript")
            assert b"innerHTML" not in script.body

    asyncio.run(run())


def test_a_qr_code_is_made_once_however_often_a_window_asks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = list[str]()

    def qr_svg(address: str) -> bytes:
        made.append(address)
        return b"<svg/>"

    monkeypatch.setattr("cardgen.studio.play.players_server.qr_svg", qr_svg)

    async def journey(host: Host, app: PlayersApp) -> None:
        (window,) = await _windows(host, app, "1")
        for _ in range(20):
            assert (await window.ask("GET", "/at/1/code.svg")).body == b"<svg/>"
        assert len(made) == 1
        await window.close()

    play(tmp_path, journey)


def test_the_qr_code_has_the_address_only_if_other_devices_can_join(tmp_path: Path) -> None:
    async def journey(host: Host, app: PlayersApp) -> None:
        (screen,) = await _windows(host, app, SCREEN)
        assert (await screen.ask("GET", "/watch/code.svg")).headers["content-type"] == "image/svg+xml"
        app._url = lambda: ""
        assert (await screen.ask("GET", "/watch/code.svg")).status == 404
        await screen.close()

    play(tmp_path, journey)


@pytest.mark.parametrize(("is_over", "reason"), [(False, b"stopped"), (True, b"over")])
def test_windows_are_told_why_their_battle_is_gone(tmp_path: Path, is_over: bool, reason: bytes) -> None:
    async def journey(host: Host, app: PlayersApp) -> None:
        assert host.seating
        code = host.seating.code
        windows = await _windows(host, app, "1", SCREEN)
        host.seating.is_over = is_over
        await host.leave()
        await settle()
        for window in windows:
            assert window.received.endswith(b"event: closed\ndata: " + reason + b"\n\n")
            assert (await window.ask("GET", f"{window.path}/here")).status == 404
        assert (await windows[0].post("/join", {"code": code})).status == 404

    play(tmp_path, journey)


def test_seats_and_codes_are_those_of_before_when_a_battle_is_resumed(tmp_path: Path) -> None:
    async def journey(host: Host, app: PlayersApp) -> None:
        assert host.seating
        code = host.seating.code
        windows = await _windows(host, app, "1", "2", SCREEN)
        views = [each.view for each in windows]
        await host.leave()
        await host.resume("battle.jsonl")
        await settle()
        for window in windows:
            assert (await window.ask("GET", f"{window.path}/here")).status == 204
            window.watch()
        await settle()
        assert [each.view for each in windows] == views
        assert host.seating.code == code
        assert (await Window(app).join(code, "1")).status == 409, "the seat is taken"
        for window in windows:
            await window.close()
        await host.begin(ORDER)
        for window in windows[:2]:
            assert (await window.ask("GET", window.path)).status == 403, "this is another battle"

    play(tmp_path, journey)


def test_a_player_who_closes_the_tab_gets_the_seat_back(tmp_path: Path) -> None:
    async def journey(host: Host, app: PlayersApp) -> None:
        window = Window(app)
        assert host.seating
        reply = await window.join(host.seating.code, "2")
        cookie = reply.headers["set-cookie"]
        assert re.search(r"; Path=/; Max-Age=\d{7}; HttpOnly; SameSite=Strict$", cookie), cookie
        # A browser that was closed sends the cookie to the front page, and the code is in its address again.
        for data in ({}, {"code": host.seating.code}):
            rows = {each["place"]: each for each in (await window.post("/join", data)).data["seats"]}
            assert (rows["2"]["own"], rows["2"]["free"]) == (True, True)
        again = await window.post("/join", {"place": "2"})
        assert again.data == {"path": "/at/2"}
        assert again.headers["set-cookie"] == cookie
        assert len(host.seating.seats["2"].digests) == 1
        stranger = Window(app, "192.168.1.99")
        assert (await stranger.post("/join", {})).data == {"seats": []}
        assert (await stranger.post("/join", {"place": "2"})).status == 403
        assert (await stranger.post("/join", {"place": "2", "code": host.seating.code})).status == 409

    play(tmp_path, journey)


def test_anybody_can_watch_and_nobody_who_watches_can_do_anything(tmp_path: Path) -> None:
    async def journey(host: Host, app: PlayersApp) -> None:
        (screen,) = await _windows(host, app, SCREEN)
        watcher = Window(app, "192.168.1.99")
        assert (await watcher.ask("GET", "/watch")).status == 200
        watcher.watch()
        await settle()
        assert host.seating
        assert {**screen.view, "code": ""} == watcher.view
        assert screen.view["code"] == host.seating.code
        assert host.seating.code.encode() not in watcher.received
        assert (await watcher.ask("GET", "/watch/code.svg")).status == 403
        for window in (screen, watcher):
            for path in ("/watch/reply", "/watch/undo", "/at/screen/reply", "/at/watch/reply", "/watch", "/at/1/reply"):
                reply = await window.post(path, {"step": window.view["step"], "value": 0})
                assert reply.status in (403, 404), path
            await window.close()

    play(tmp_path, journey)


def test_no_newcomer_puts_out_a_window_that_watches(tmp_path: Path) -> None:
    async def journey(host: Host, app: PlayersApp) -> None:
        one, screen = await _windows(host, app, "1", SCREEN)
        assert host.seating
        for number in range(40):
            assert (await Window(app, f"192.168.2.{number}").join(host.seating.code, SCREEN)).status == 200
        crowd = [Window(app, f"192.168.{number // 200}.{number % 200}") for number in range(MOST_WATCHERS - 1)]
        for window in crowd:
            window.watch()
        await settle()
        assert all(window.view == crowd[0].view for window in crowd)
        late = await Window(app).ask("GET", "/watch/events")
        assert (late.status, late.body) == (503, b"Too many windows are watching; try again later.")
        other = Window(app)
        await other.join(host.seating.code, SCREEN)
        other.watch()  # the shared screen has room beside the crowd
        await settle()
        view = one.view
        assert (await one.post("/at/1/undo", {"step": view["step"]})).status == 409
        host.tell()
        await settle()
        assert other.view == screen.view
        assert not [each for each in (one, screen, other, *crowd) if b"event: closed" in each.received]
        for window in (one, screen, other, *crowd):
            await window.close()

    play(tmp_path, journey)

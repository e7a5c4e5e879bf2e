"""Cards that everybody may see in a battle: their pictures and odds, their random names, and what stays hidden."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from cardgen.runtime.request_process import ProcessError
from cardgen.studio.play.battle import Companion
from cardgen.studio.play.host import MOST_OF_ADDRESS, Host
from cardgen.studio.play.players_server import PlayersApp
from cardgen.studio.play.seats import BattleOrder
from tests.studio.play.test_battle_owners import ORDERS
from tests.studio.play.windows import ADDRESS, ORDER, PORT, DirectEngine, Window, settle

Journey = Callable[[Host, PlayersApp], Awaitable[None]]
WARCRY = {**ORDERS["warcry"][0], "battleplan": "lightning-raid"}


class _CardEngine(DirectEngine):
    """An engine that also has the cards; each of its answers about them takes a moment."""

    def __init__(self, root: Path) -> None:
        super().__init__(root)
        self.companion = Companion(root)
        self.asked: list[tuple[Any, ...]] = []
        self.is_stuck = False

    async def call(self, name: str, *arguments: Any, seconds: float = 0.0) -> Any:
        if name.startswith("companion."):
            self.asked.append((name, *arguments[1:]))
            await asyncio.sleep(0)
            if self.is_stuck:
                await asyncio.Event().wait()
        return await super().call(name, *arguments)


def _play(
    root: Path, journey: Callable[[Host, PlayersApp, _CardEngine], Awaitable[None]], order: BattleOrder = ORDER
) -> None:
    async def run() -> None:
        (root / "cardgen.yaml").write_text(f"game: {order.game}\n", encoding="utf-8")
        engine = _CardEngine(root)
        host = Host(lambda: engine, lambda: engine, lambda: root)
        await host.begin(order)
        try:
            await _until(lambda: bool(host.cards and host.cards.names))
            await journey(host, PlayersApp(host, lambda: f"http://{ADDRESS}:{PORT}"), engine)
        finally:
            host.close()

    asyncio.run(run())


async def _until(is_so: Callable[[], bool]) -> None:
    for _ in range(1000):
        if is_so():
            return
        await asyncio.sleep(0.01)
    raise AssertionError("nothing happens")


async def _spectator(app: PlayersApp, number: int = 9) -> Window:
    window = Window(app, f"192.168.2.{number}")
    window.watch()
    await settle()
    return window


def _cards(window: Window) -> list[dict[str, str]]:
    return [{unit["name"]: unit["card"] for unit in side["units"]} for side in window.view["sides"]]


def test_a_spectator_sees_cards_and_odds_under_names_that_say_nothing(tmp_path: Path) -> None:
    async def journey(host: Host, app: PlayersApp, engine: _CardEngine) -> None:
        window = await _spectator(app)
        own, enemies = _cards(window)
        assert list(own) == ["Halvane Doru", "Maerin Vex", "Isolde Quill", "Brother Cael"]
        one, other = own["Halvane Doru"], next(iter(enemies.values()))
        picture = await window.ask("GET", f"/cards/{one}")
        assert (picture.status, picture.body[:4]) == (200, b"\x89PNG")
        assert picture.headers["content-type"] == "image/png"
        assert picture.headers["cache-control"] == "no-store"
        assert picture.headers["content-security-policy"].startswith("default-src 'none'")
        odds = (await window.ask("GET", f"/odds/{one}/{other}")).data
        assert odds["problem"] == ""
        assert odds["title"].startswith("Halvane Doru: Executioner's Blade at ")
        assert all(len(name) == 22 for name in (*own.values(), *enemies.values()))
        for path in (
            f"/odds/{one}/{one}",
            f"/odds/{one}/{own['Maerin Vex']}",
            f"/odds/{one}",
            f"/odds/{one}/{other}/{other}",
            f"/cards/{one}/{other}",
            f"/cards/{one}.png",
            "/cards/",
            "/cards/halvane-doru",
            "/cards/../cardgen.yaml",
        ):
            assert (await window.ask("GET", path)).status == 404, path
        assert (await window.post(f"/cards/{one}", {})).status == 404
        await window.close()

    _play(tmp_path, journey)


def test_names_differ_in_each_battle_and_end_with_it(tmp_path: Path) -> None:
    async def journey(host: Host, app: PlayersApp, engine: _CardEngine) -> None:
        assert host.cards
        assert host.state
        names = set(host.cards.names.values())
        window = Window(app)
        await host.leave()
        assert [(await window.ask("GET", f"/cards/{each}")).status for each in names] == [404] * len(names)
        await host.resume(host_save)
        await _until(lambda: bool(host.cards and host.cards.names))
        assert len(names) == len(host.cards.names)
        assert names.isdisjoint(host.cards.names.values())

    host_save = "battle.jsonl"
    _play(tmp_path, journey)


def test_a_card_that_the_game_does_not_show_has_no_name_and_no_picture(tmp_path: Path) -> None:
    """Warcry shows a fighter once it is set up."""

    async def journey(host: Host, app: PlayersApp, engine: _CardEngine) -> None:
        window = await _spectator(app)
        assert host.cards
        assert host.state
        shown = {unit.name for side in host.state.scoreboard.sides for unit in side.units}
        await _until(lambda: len(host.cards._answers) == len(shown))  # type: ignore[union-attr]
        await host.cards._work
        assert set(host.cards.names) == shown
        assert {each[1][1] for each in engine.asked if each[0] == "companion.picture"} == shown
        hidden = [name for side in host.cards._fighters for name in side if name not in shown]
        assert hidden
        assert not [name for side in _cards(window) for name in side if name in hidden]
        while set(host.cards.names) == shown:
            state = host.state
            assert state.question
            value: Any = [] if state.question.kind == "select" else 0
            value = state.question.low if state.question.kind in ("measure", "die") else value
            await host.reply(state.step, value, state.question.side or 0)
        new = next(name for name in host.cards.names if name not in shown)
        assert (await window.ask("GET", f"/cards/{host.cards.names[new]}")).status == 200
        await window.close()

    _play(tmp_path, journey, BattleOrder("warcry", WARCRY, seed="a"))


@pytest.mark.parametrize("game", [each for each in ORDERS if each != "warcry"])
def test_missions_and_command_cards_are_never_public(game: str, tmp_path: Path) -> None:
    async def journey(host: Host, app: PlayersApp, engine: _CardEngine) -> None:
        assert host.cards
        assert host.state
        units = {unit.name for side in host.state.scoreboard.sides for unit in side.units}
        assert set(host.cards.names) == units  # all have cards, also those with numbers
        one, other = (next(name for s, name in host.cards._cards.values() if s == side) for side in (0, 1))
        odds = engine.companion.odds(host.state.header, (0, one), (1, other))
        assert (odds.problem, bool(odds.tables)) == ("", True)
        kinds = {"warniris": ("character", "minion"), "skirmish": ("warrior",), "diskwars": ("disk",)}
        sides = engine.companion._sides(host.state.header)
        assert {cards[0]["kind"] for side in sides for cards in side.values()} <= {*kinds[game]}

    _play(tmp_path, journey, BattleOrder(game, ORDERS[game][0], seed="a"))


def test_a_card_that_has_changed_since_the_battle_began_has_no_picture(tmp_path: Path) -> None:
    async def journey(host: Host, app: PlayersApp, engine: _CardEngine) -> None:
        assert host.state
        assert host.state.header
        changed = host.state.header.situation["a"]["members"][0]["character"]
        changed["stats"]["wounds"] += 1
        assert Companion(tmp_path).picture(host.state.header, (0, changed["name"])) == b""

    _play(tmp_path, journey)


def test_a_hundred_spectators_ask_at_once_and_one_answer_is_computed(tmp_path: Path) -> None:
    async def journey(host: Host, app: PlayersApp, engine: _CardEngine) -> None:
        crowd = [await _spectator(app, number) for number in range(100)]
        own, enemies = _cards(crowd[0])
        path = f"/odds/{own['Maerin Vex']}/{next(iter(enemies.values()))}"
        replies = await asyncio.gather(*(each.ask("GET", path) for each in crowd))
        assert {(each.status, each.body) for each in replies} == {(200, replies[0].body)}
        assert len([each for each in engine.asked if each[0] == "companion.odds"]) == 1
        for each in crowd:
            await each.close()

    _play(tmp_path, journey)


def test_odds_that_take_long_stop_neither_the_battle_nor_others(tmp_path: Path) -> None:
    async def journey(host: Host, app: PlayersApp, engine: _CardEngine) -> None:
        window = await _spectator(app)
        own, enemies = _cards(window)
        pairs = [f"/odds/{one}/{other}" for one in own.values() for other in enemies.values()]
        assert host.cards
        await host.cards._work
        engine.is_stuck = True
        waiting = [asyncio.ensure_future(window.ask("GET", each)) for each in pairs[:MOST_OF_ADDRESS]]
        await settle()
        refused = await window.ask("GET", pairs[MOST_OF_ADDRESS])
        assert (refused.status, refused.headers["retry-after"]) == (429, "60")
        assert (await window.ask("GET", f"/cards/{own['Maerin Vex']}")).status == 200
        state = host.state
        assert state
        assert state.question
        assert await host.reply(state.step, 0, state.question.side or 0) is None
        for each in waiting:
            each.cancel()
        await window.close()

    _play(tmp_path, journey)


def test_an_engine_without_answers_leaves_the_battle_alone(tmp_path: Path) -> None:
    async def run() -> None:
        (tmp_path / "cardgen.yaml").write_text("game: warniris\n", encoding="utf-8")
        engine = DirectEngine(tmp_path)
        host = Host(lambda: engine, lambda: engine, lambda: tmp_path)
        with pytest.raises(ProcessError):
            await engine.call("companion.fighters")
        await host.begin(ORDER)
        await settle()
        view = host.view("1")
        assert view
        assert {unit["card"] for side in view["sides"] for unit in side["units"]} == {""}
        host.close()

    asyncio.run(run())

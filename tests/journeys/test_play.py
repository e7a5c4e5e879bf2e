"""Battles of two players with a shared screen, each in a browser of its own."""

from __future__ import annotations

import http.client
import json
import random
import re
import socket
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from cardgen.cli import run
from tests.journeys.conftest import ROOT, RunningStudio, running_studio, write_project
from tests.journeys.test_access import faults

SIDES = ("The Ashen Oath", "The Drowned Court")
SCREEN = "Shared screen"
TELEPHONE, TELEVISION = {"width": 390, "height": 844}, {"width": 1280, "height": 800}


class Evening:
    """A studio in which battles are played, and the windows of its players."""

    def __init__(self, browser: Any, studio: RunningStudio) -> None:
        self._browser, self._studio = browser, studio
        self._contexts: list[Any] = []
        self.errors: list[str] = []
        self.desk = self.window(TELEVISION)
        self.desk.goto(studio.url)
        self.desk.goto(f"{studio.origin}/play")

    def window(self, size: dict[str, int]) -> Any:
        """Open a window of a new browser profile."""
        context = self._browser.new_context(viewport=size)
        self._contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(20_000)
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("console", self._note)
        return page

    def _note(self, message: Any) -> None:
        if "Content Security" in message.text:
            self.errors.append(message.text)

    def set_up(self) -> None:
        """Fill in the form for a battle of one turn with Missions."""
        self.desk.get_by_role("button", name="Begin").wait_for()
        for label, name in zip(("Side A", "Side B"), SIDES, strict=True):
            self.desk.get_by_label(label).select_option(name)
        self.desk.get_by_role("spinbutton", name="Turns").fill("1")
        self.desk.get_by_role("checkbox", name="Missions").click()

    def begin(self) -> Path:
        """Begin a battle; return its save."""
        self.set_up()
        save = str(self.desk.get_by_test_id("save").get_attribute("placeholder"))
        self.desk.get_by_role("button", name="Begin").click()
        self.desk.locator(".play-letters").wait_for()
        return Path(self._studio.project / save)

    def stop(self) -> None:
        """Close the battle, so that the next one can begin."""
        self.desk.get_by_role("button", name=re.compile("Stop for now|Close the battle")).click()
        self.desk.get_by_role("button", name="Begin").wait_for()

    @property
    def code(self) -> str:
        return str(self.desk.locator(".play-letters").inner_text())

    @property
    def address(self) -> str:
        """The address of the players' server on this computer."""
        return str(self.desk.get_by_role("link", name="Open Shared screen").get_attribute("href")).split("/#")[0]

    def sit(self, name: str, size: dict[str, int] | None = None) -> Any:
        """Join the battle in a new window."""
        page = self.window(size or (TELEVISION if name == SCREEN else TELEPHONE))
        page.goto(f"{self.address}/#{self.code}")
        page.get_by_role("button", name=name, exact=True).click()
        page.locator(".side").first.wait_for()
        return page

    def close(self) -> None:
        for context in self._contexts:
            context.close()


@pytest.fixture(scope="module")
def hall(browser: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningStudio]:
    with running_studio(write_project(tmp_path_factory.mktemp("play") / "duel", 1)) as started:
        yield started


@pytest.fixture
def evening(browser: Any, hall: RunningStudio) -> Iterator[Evening]:
    """A studio without a battle; errors of the scripts of any window fail the test."""
    made = Evening(browser, hall)
    yield made
    if made.desk.locator(".play-lobby").count():
        made.stop()
    made.close()
    assert made.errors == []


def _is_asked(page: Any) -> bool:
    return "mine" in (page.locator("body").get_attribute("class") or "")


def _step(page: Any) -> str:
    return str(page.locator("body").get_attribute("data-step"))


def _asked(pages: list[Any]) -> Any:
    """Wait until all see the same question, and return the window that is asked; None at the end of the battle."""
    for _ in range(400):
        if len({_step(page) for page in pages}) == 1:
            if asked := [page for page in pages if _is_asked(page)]:
                return asked[0]
            if pages[0].get_by_text("The battle is over").count():
                return None
        pages[0].wait_for_timeout(20)
    raise AssertionError("nobody is asked")


def _answer(page: Any, dice: random.Random) -> None:
    """Answer a question as a player would, with any legal choice, and wait for what comes next."""
    before = _step(page)
    number = page.locator(".ask input[type=number]")
    if number.count():
        number.fill(str(dice.randint(int(number.get_attribute("min")), int(number.get_attribute("max")))))
        page.get_by_role("button", name="Confirm").click()
    else:
        options, is_selection = page.locator(".ask .options button"), page.locator(".ask button.primary").count()
        options.nth(dice.randrange(options.count())).click()
        if is_selection:
            page.locator(".ask button.primary").click()
    for _ in range(200):
        if _step(page) != before or page.locator(".fault:not(:empty)").count():
            return
        page.wait_for_timeout(20)
    raise AssertionError(f"no answer to {page.locator('.ask').inner_text()}")


def _secrets(page: Any) -> list[str]:
    page.get_by_role("button", name="Show my secrets").click()
    texts = page.locator(".secrets li").all_inner_texts()
    page.get_by_role("button", name="Hide my secrets").click()
    assert page.locator(".secrets li").count() == 0
    return [str(text) for text in texts]


class Wire:
    """Everything that the server sends to a window of the shared screen, byte by byte."""

    def __init__(self, evening: Evening) -> None:
        address = evening.address.removeprefix("http://")
        headers = {"Origin": evening.address, "Content-Type": "application/json"}
        self._connection = http.client.HTTPConnection(address, timeout=30)
        data = json.dumps({"code": evening.code, "place": "screen"})
        self._connection.request("POST", "/join", data, headers)
        reply = self._connection.getresponse()
        cookie = str(reply.getheader("Set-Cookie")).split(";")[0]
        self.received = reply.read()
        self._connection.request("GET", "/watch/events", headers={"Cookie": cookie})
        self._stream = self._connection.getresponse()
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def _read(self) -> None:
        with suppress(OSError, http.client.HTTPException):  # the end of the connection
            while part := self._stream.read1(65536):
                self.received += part

    def close(self) -> None:
        """Close the connection, and wait for what has come."""
        if self._connection.sock:
            self._connection.sock.shutdown(socket.SHUT_RDWR)
        self._thread.join(5)
        self._stream.close()
        self._connection.close()


def test_two_players_with_secret_hands_and_a_shared_screen(evening: Evening) -> None:
    save = evening.begin()
    wire, screen = Wire(evening), evening.sit(SCREEN)
    players = [evening.sit(name) for name in SIDES]
    _answer(_asked(players), random.Random(1))
    hands = [_secrets(page) for page in players]
    assert [len(hand) for hand in hands] == [3, 3]
    assert hands[0] != hands[1]
    for _ in range(6):
        _answer(_asked(players), random.Random(2))
    screen.locator(".log li").nth(5).wait_for()
    wire.close()
    for text in (screen.content(), wire.received.decode(), save.read_text(encoding="utf-8"), evening.desk.content()):
        assert not [each for hand in hands for each in hand if each.split(": ", 1)[1] in text]
    assert not [each for each in hands[1] if each in players[0].content()]
    assert b"Turn 1" in wire.received
    assert screen.get_by_text("connected").count() == 2
    assert screen.locator(".side.asked").count() == 1


def test_a_tap_on_a_unit_shows_its_card_and_its_odds_against_an_enemy(evening: Evening) -> None:
    evening.begin()
    players = [evening.sit(name) for name in SIDES]
    watcher = evening.window(TELEPHONE)
    watcher.goto(f"{evening.address}/watch")
    for page in (*players, watcher):
        page.get_by_role("button", name="Maerin Vex", exact=True).click(timeout=90_000)  # once its engine has started
        card = page.get_by_role("dialog", name="Maerin Vex")
        page.wait_for_function("() => document.querySelector('dialog img').naturalWidth > 300")
        enemy = card.locator(".row button").first
        enemy.click()
        assert enemy.get_attribute("aria-pressed") == "true"
        card.locator("table").first.wait_for()
        assert "Maerin Vex: Censer Flame at " in card.inner_text()
        assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
        assert page.evaluate(
            "() => { const d = document.querySelector('dialog'); return d.scrollWidth <= d.clientWidth }"
        )
        assert faults(page) == []
        page.keyboard.press("Escape")
        assert page.get_by_role("dialog").count() == 0
        assert page.evaluate("() => document.activeElement.textContent") == "Maerin Vex"
    page = players[0]
    page.keyboard.press("Enter")
    _tab_to(page, page.locator("dialog .row button").last.inner_text())
    page.keyboard.press("Enter")
    page.locator("dialog table").first.wait_for()
    page.keyboard.press("Escape")
    for _ in range(4):
        _answer(_asked(players), random.Random(2))
    hand = _secrets(page)
    assert len(hand) == 3
    assert page.locator(".units button").count() == page.locator(".units li").count()
    missions = [each.split(": ", 1)[1].split(":")[0] for each in hand]
    assert not [each for each in missions if page.get_by_role("button", name=each, exact=True).count()]
    page.reload()  # the seat is still there
    page.get_by_role("button", name="Maerin Vex", exact=True).wait_for()
    assert _secrets(page) == hand


def test_a_wrong_code_is_refused_and_five_of_them_for_a_minute(evening: Evening) -> None:
    evening.begin()
    page = evening.window(TELEPHONE)
    page.goto(evening.address)
    for attempt in range(6):
        page.get_by_label("Code of the battle").fill("222222")
        page.get_by_role("button", name="Continue").click()
        page.get_by_text("This code is wrong" if attempt < 5 else "Too many wrong codes").wait_for()
    page.get_by_label("Code of the battle").fill(evening.code)
    page.get_by_role("button", name="Continue").click()
    page.get_by_text("Too many wrong codes").wait_for()
    assert page.get_by_role("button", name=SIDES[0]).count() == 0
    page.goto(f"{evening.address}/at/1")
    assert "Enter the code of the battle first." in page.content()


@pytest.fixture(scope="module")
def second_hall(browser: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningStudio]:
    """A studio whose players' server has seen no wrong codes."""
    with running_studio(write_project(tmp_path_factory.mktemp("play") / "second", 1)) as started:
        yield started


@pytest.fixture
def second_evening(browser: Any, second_hall: RunningStudio) -> Iterator[Evening]:
    made = Evening(browser, second_hall)
    yield made
    if made.desk.locator(".play-lobby").count():
        made.stop()
    made.close()
    assert made.errors == []


def test_a_reload_and_a_lost_connection_keep_the_seat(second_evening: Evening) -> None:
    evening = second_evening
    evening.begin()
    one, two = (evening.sit(name) for name in SIDES)
    _answer(_asked([one, two]), random.Random(1))
    hand = _secrets(one)
    one.reload()
    one.locator(".side").first.wait_for()
    assert _secrets(one) == hand
    second = evening.window(TELEPHONE)
    one.get_by_text("Another window of this seat").click()
    second.goto(f"{evening.address}/#{one.locator('footer .code').inner_text()}")
    second.get_by_role("button", name=SIDES[0]).wait_for()
    assert second.get_by_role("button").all_inner_texts() == ["Continue", SIDES[0]]
    second.get_by_role("button", name=SIDES[0]).click()
    second.locator(".side").first.wait_for()
    assert _secrets(second) == hand
    third = evening.window(TELEPHONE)
    third.goto(f"{evening.address}/#{evening.code}")
    assert third.get_by_role("button", name=f"{SIDES[0]} (taken)").is_disabled()
    evening.desk.get_by_role("button", name=f"Free the seat of {SIDES[0]}").click()
    one.get_by_text("your seat was freed").wait_for()
    third.goto(f"{evening.address}/#{evening.code}")
    third.get_by_role("button", name=SIDES[0], exact=True).click()
    third.locator(".side").first.wait_for()


def test_an_answer_is_undone_on_all_pages(second_evening: Evening) -> None:
    evening = second_evening
    save = evening.begin()
    screen, players = evening.sit(SCREEN), [evening.sit(name) for name in SIDES]
    asked = _asked(players)
    question, other = asked.locator(".ask h2").inner_text(), next(each for each in players if each is not asked)
    assert other.get_by_role("button", name="Undo the last answer").is_disabled()
    _answer(asked, random.Random(1))
    other.get_by_role("button", name="Undo the last answer").click()
    screen.get_by_text("asks to undo the last answer").wait_for()
    assert other.get_by_role("button", name="Waiting for the others to agree").is_disabled()
    asked.get_by_text("asks to undo the last answer").wait_for()
    asked.get_by_role("button", name="Agree to undo the last answer").click()
    screen.get_by_text("undid the last answer").wait_for()
    assert asked.locator(".ask h2").inner_text() == question
    assert '{"undo":' in save.read_text(encoding="utf-8")


def _tab_to(page: Any, name: str) -> None:
    """Press Tab until the focus is on an element with this name."""
    script = """() => { const { activeElement } = document, label = activeElement.labels?.[0];
        return [activeElement, label].map((each) => each?.textContent).concat(activeElement.ariaLabel) }"""
    for _ in range(60):
        page.keyboard.press("Tab")
        if name in [str(each).strip() for each in page.evaluate(script)]:
            return
    raise AssertionError(f"the keyboard does not reach '{name}'")


def test_a_battle_is_begun_joined_and_played_with_the_keyboard(second_evening: Evening) -> None:
    evening = second_evening
    desk = evening.desk
    desk.get_by_role("button", name="Begin").wait_for()
    for label, name in zip(("Side A", "Side B"), SIDES, strict=True):
        _tab_to(desk, label)
        desk.keyboard.type(name)
    _tab_to(desk, "Begin")
    desk.keyboard.press("Enter")
    desk.locator(".play-letters").wait_for()
    players = []
    for place, name in enumerate(SIDES):
        page = evening.window(TELEPHONE)
        page.goto(evening.address)
        page.keyboard.type(evening.code.lower())
        page.keyboard.press("Enter")
        page.get_by_role("heading", name="Who are you?").wait_for()
        page.wait_for_function("() => document.activeElement.id === 'seats-title'")
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        page.locator(".side").first.wait_for()
        assert page.locator("h1").inner_text() == name, place
        players.append(page)
    for _ in range(2):
        page = _asked(players)
        before = _step(page)
        page.keyboard.press("Tab")
        if page.locator(".ask .options button:focus").count() == 0:
            _tab_to(page, page.locator(".ask .options button").first.inner_text())
        page.keyboard.press("1")
        page.wait_for_function("old => document.body.dataset.step !== old", arg=before)


def test_a_whole_battle_is_played_and_verified(
    second_evening: Evening, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    evening = second_evening
    save = evening.begin()
    players, dice = [evening.sit(name) for name in SIDES], random.Random(5)
    for _ in range(250):
        page = _asked(players)
        if page is None:
            break
        _answer(page, dice)
    evening.desk.get_by_text("VP: The Ashen Oath").wait_for()
    assert evening.desk.locator(".play-letters").count() == 0
    evening.desk.get_by_role("button", name="Check every die and decision").click()
    evening.desk.get_by_text(re.compile(r"Computed anew: \d+ answers and \d+ dice are as they must be")).wait_for()
    assert "cardgen verify" not in evening.desk.locator(".play-lobby").inner_text()
    assert faults(evening.desk) == []
    monkeypatch.chdir(save.parent)
    assert run(("verify", save.name)) == 0
    assert re.match(r"VALID: \d+ answers, \d+ dice, the secrets match", capsys.readouterr().out)
    assert players[0].get_by_role("button", name="Undo the last answer").is_disabled()


def test_a_battle_goes_on_after_the_studio_was_closed(browser: Any, tmp_path: Path) -> None:
    project = write_project(tmp_path / "late", 1)
    with running_studio(project) as first:
        evening = Evening(browser, first)
        save, players = evening.begin(), [evening.sit(name) for name in SIDES]
        screen = evening.sit(SCREEN)
        _answer(_asked(players), random.Random(1))
        hand, code, address = _secrets(players[0]), evening.code, evening.address
    for page in (*players, screen):
        page.get_by_text("Connection lost").wait_for()
    with running_studio(project) as second:
        late = Evening(browser, second)
        late.desk.get_by_role("button", name=f"Resume {save.name}").click()
        late.desk.locator(".play-letters").wait_for()
        assert (late.code, late.address) == (code, address)
        for page in (*players, screen):
            page.wait_for_function("() => document.querySelector('#state').textContent === ''")
        assert _secrets(players[0]) == hand
        _answer(_asked(players), random.Random(1))
        late.stop()
        players[1].get_by_text("The battle is not being played now.").wait_for()
        late.desk.get_by_role("button", name=f"Resume {save.name}").click()
        late.desk.locator(".play-letters").wait_for()
        for page in (*players, screen):
            page.wait_for_function("() => document.querySelector('#state').textContent === ''")
        _answer(_asked(players), random.Random(1))
        for each in (evening, late):
            each.close()
            assert each.errors == []


def test_a_player_who_closes_the_tab_gets_the_seat_back(second_evening: Evening) -> None:
    evening = second_evening
    evening.begin()
    page = evening.sit(SIDES[1])
    context = page.context
    page.close()
    evening.desk.locator(".play-seats li", has_text=SIDES[1]).get_by_text("away").wait_for()
    again = context.new_page()
    again.goto(evening.address)
    again.get_by_role("heading", name="Go on playing").wait_for()
    again.get_by_role("button", name=f"{SIDES[1]} (your seat)").click()
    again.locator(".side").first.wait_for()
    assert again.locator("h1").inner_text() == SIDES[1]
    other = context.new_page()
    other.goto(f"{evening.address}/#{evening.code}")
    other.get_by_role("button", name=f"{SIDES[1]} (your seat)").click()
    other.locator(".side").first.wait_for()


def test_anybody_can_watch_without_the_code(second_evening: Evening) -> None:
    evening = second_evening
    evening.begin()
    page = evening.window(TELEPHONE)
    page.goto(evening.address)
    page.get_by_role("link", name="Watch without a seat").click()
    page.locator(".side").first.wait_for()
    assert evening.code not in page.content()
    evening.desk.get_by_text("1 watching").wait_for()
    page.locator(".side button").first.wait_for()  # a unit shows its card; there is nothing to answer
    assert page.get_by_role("button").count() == page.locator(".side button").count() > 0
    assert page.locator(".ask button").count() == 0
    evening.stop()
    page.get_by_text("The battle is not being played now.").wait_for()


def test_everybody_can_use_the_pages(second_evening: Evening) -> None:
    evening, problems = second_evening, []
    evening.set_up()
    evening.desk.get_by_text("More options").click()
    problems += faults(evening.desk)
    evening.desk.get_by_role("button", name="Begin").click()
    evening.desk.locator(".play-letters").wait_for()
    door = evening.window(TELEPHONE)
    door.goto(evening.address)
    players = [evening.sit(name) for name in SIDES]
    _answer(_asked(players), random.Random(1))
    players[0].get_by_role("button", name="Show my secrets").click()
    watcher = evening.window(TELEPHONE)
    watcher.goto(f"{evening.address}/watch")
    watcher.locator(".side").first.wait_for()
    for page in (evening.desk, door, watcher, evening.sit(SCREEN), *players):
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            problems += faults(page)
        page.set_viewport_size({"width": 320, "height": 450})
        assert page.evaluate("document.documentElement.scrollWidth") <= 320, page.url
    evening.desk.get_by_role("button", name="Let other devices join").click()
    evening.desk.get_by_role("dialog").wait_for()
    evening.desk.wait_for_timeout(500)
    problems += faults(evening.desk, "[role=dialog]")
    evening.desk.get_by_role("button", name="Cancel").click()
    evening.desk.get_by_role("dialog").wait_for(state="detached")
    evening.stop()
    watcher.get_by_text("The battle is not being played now.").wait_for()
    problems += faults(watcher)
    assert problems == []


def test_the_network_reaches_the_players_pages_and_nothing_else(
    second_evening: Evening, second_hall: RunningStudio
) -> None:
    evening = second_evening
    evening.begin()
    assert evening.desk.get_by_text("Only windows on this computer can join.").count() == 1
    here = evening.sit(SIDES[1])
    evening.desk.get_by_role("button", name="Let other devices join").click()
    evening.desk.get_by_text("The connection is not encrypted").wait_for()
    evening.desk.get_by_role("button", name="Open to the network").click()
    evening.desk.get_by_text("Any device on the local network can join.").wait_for()
    text = evening.desk.get_by_text("To join, open http").inner_text()
    host, port = re.search(r"http://([\d.]+):(\d+)", text).groups()  # type: ignore[union-attr]
    if host.startswith("127."):
        pytest.skip("this computer has no network")
    page = evening.window(TELEPHONE)
    page.goto(f"http://{host}:{port}/#{evening.code}")
    page.get_by_role("button", name=SIDES[0]).click()
    page.locator(".side").first.wait_for()
    studio_paths = ("/edit?file=cardgen.yaml", "/play", "/face?key=x", "/_nicegui_ws/socket.io/?EIO=4")
    for path in studio_paths:
        assert page.request.get(f"http://{host}:{port}{path}").status == 404
    studio_port = int(second_hall.origin.rpartition(":")[2])
    with pytest.raises(OSError, match="refused"):
        http.client.HTTPConnection(host, studio_port, timeout=5).request("GET", "/")
    evening.desk.get_by_role("button", name="Only this computer").click()
    evening.desk.get_by_text("Only windows on this computer can join.").wait_for()
    page.get_by_text("Connection lost").wait_for()
    here.wait_for_function("() => document.querySelector('#state').textContent === ''")
    evening.desk.locator(".play-seats li", has_text=SIDES[1]).get_by_text("connected").wait_for()
    with pytest.raises(OSError, match="refused"):
        http.client.HTTPConnection(host, int(port), timeout=5).request("GET", "/")


@pytest.mark.parametrize("sides", [2, 3, 4])
def test_all_sides_are_on_the_shared_screen_at_once(browser: Any, sides: int) -> None:
    page = browser.new_page(viewport=TELEVISION)
    style = (ROOT / "cardgen" / "studio" / "play" / "web" / "table.css").read_text(encoding="utf-8")
    unit = '<li class="out"><span class="name">Furnace Giant 1</span><span class="state">casualties</span></li>'
    side = f'<section class="side"><h2>The Fourth Choir</h2><ul class="units">{unit * 11}</ul></section>'
    page.set_content(
        f'<style>{style}</style><body class="screen"><main><section class="ask"></section>'
        f'<div class="sides">{side * sides}</div><div class="rail"></div></main></body>'
    )
    boxes = [each.bounding_box() for each in page.locator(".side").all()]
    assert {box["y"] for box in boxes} == {boxes[0]["y"]}
    heights = {round(each.bounding_box()["height"]) for each in page.locator(".units li").all()}
    assert len(heights) <= 2, "names and states do not wrap"
    page.close()

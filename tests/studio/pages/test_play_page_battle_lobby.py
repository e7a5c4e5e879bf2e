"""The lobby shows names that players and strangers' cards bring, as text."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

nicegui = pytest.importorskip("nicegui", reason="the studio's extra is not installed")

from cardgen.referee.requests import Scoreboard  # noqa: E402
from cardgen.studio.pages.play_page import BattleLobby  # noqa: E402
from cardgen.studio.play.seats import BattleState, Seating  # noqa: E402

PROGRAM = """Oath" :title="document.title='pwned'" innerHTML="<img src=x onerror=alert(1)>" x="""


def test_the_name_of_a_side_is_no_program() -> None:
    """NiceGUI would evaluate a property whose name begins with a colon in the browser."""
    state = BattleState("Battle", "a.jsonl", 1, (PROGRAM, "B"), Scoreboard("", ()), (), None, {}, (), (), "", False)
    seating = Seating(state.sides)
    seating.join("1", seating.code, "")
    players = SimpleNamespace(url="http://127.0.0.1:1", local_url="http://127.0.0.1:1", is_open=False)
    host = SimpleNamespace(state=state, keep_problem="", free=print, leave=print)
    with nicegui.Client(nicegui.ui.page("/lobby")) as client:
        studio: Any = SimpleNamespace(play=host, players=players)
        BattleLobby(studio, state, seating)
        elements = list(client.elements.values())
    names = {name for element in elements for name in element._props}
    assert names.isdisjoint({":title", "innerHTML", "x"})
    labels = [element._props.get("aria-label") for element in elements]
    assert f"Free the seat of {PROGRAM}" in labels
    assert "Open B" in labels

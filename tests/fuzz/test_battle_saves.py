"""Saved battles of all games that strangers edited: truncated, with lines in another order, twice, or changed.

They are verified, replayed, resumed, and read by the studio, and either are as before or refused at a line.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardgen.diagnostic import CardgenError
from cardgen.studio.play.battle import BattleDesk
from tests.fuzz.material import TRANSCRIPT_WORDS
from tests.fuzz.mutation import mutated, nudged
from tests.fuzz.test_fuzz import ENDS, JSON, ends, fuzzed
from tests.fuzz.test_fuzz import project as project
from tests.hostile.transcripts import SIDES, judge, places, saved_battle, with_value
from tests.random_cases import MORE

# The cases have a limit each, whatever their number.
pytestmark = pytest.mark.timeout(0)
# A usual run takes half of the cases; with FUZZ_CASES, all.
SHARE = 1 if MORE in os.environ else 0.5
# Few answers, so that a case takes some milliseconds.
_ANSWERS = 24
_CHANGES = (
    "cut",
    "cut in a line",
    "swap",
    "repeat",
    "remove",
    "move",
    "splice",
    "value",
    "value",
    "letters",
    "numbers",
)


@st.composite
def forged(draw: st.DrawFn) -> tuple[str, str]:
    """Return a saved battle with one to three changes, and its secret file."""
    text, secret = saved_battle(draw(st.sampled_from(sorted(SIDES))), _ANSWERS)
    for _ in range(draw(st.integers(1, 3))):
        text = _changed(draw, text)
    return text, secret


def _changed(draw: st.DrawFn, text: str) -> str:
    """Return a text with one change."""
    change = draw(st.sampled_from(_CHANGES))
    if change == "letters":
        return draw(mutated((text,), TRANSCRIPT_WORDS))
    if change == "numbers":
        return draw(nudged((text,), TRANSCRIPT_WORDS))
    if change == "cut in a line":
        return text[: draw(st.integers(0, len(text)))]
    rows = text.splitlines(keepends=True)
    return "".join(_other_rows(draw, change, rows)) if rows else text


def _other_rows(draw: st.DrawFn, change: str, rows: list[str]) -> list[str]:
    """Return the lines with one change."""
    here, there = (draw(st.integers(0, len(rows) - 1)) for _ in range(2))
    match change:
        case "cut":
            return rows[:here]
        case "swap":
            rows[here], rows[there] = rows[there], rows[here]
        case "repeat":
            rows[there:there] = [rows[here]] * draw(st.sampled_from((1, 2, 300)))
        case "remove":
            del rows[min(here, there) : max(here, there) + 1]
        case "move":
            rows.insert(there, rows.pop(here))
        case "splice":
            other = saved_battle(draw(st.sampled_from(sorted(SIDES))), _ANSWERS)[0].splitlines(keepends=True)
            rows[here:] = other[min(there, len(other) - 1) :]
        case _:
            rows[here] = _with_other_value(draw, rows[here])
    return rows


def _with_other_value(draw: st.DrawFn, row: str) -> str:
    try:
        line = json.loads(row)
    except ValueError:
        return row
    path = draw(st.sampled_from(list(places(line))))
    return json.dumps(with_value(line, path, draw(JSON))) + "\n"


@pytest.fixture(autouse=True)
def empty(project: Path) -> Iterator[None]:
    """Start with a project without files."""
    for path in project.iterdir():
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    yield


def keep(secret: str) -> None:
    """Put the secret file beside the save; '' for none."""
    path = Path("forged.jsonl.secret")
    path.write_text(secret, encoding="utf-8") if secret else path.unlink(missing_ok=True)


def read_by_the_studio(content: bytes) -> None:
    """List a save, and resume it; it loses no more than a torn last line."""
    path = Path("forged.jsonl")
    path.write_bytes(content)
    desk = BattleDesk(Path.cwd())
    rows = desk.saves()
    assert [row.name for row in rows] in ([], [path.name])
    for row in rows:
        row.title.encode()
    try:
        state = desk.resume(path.name)
    except CardgenError:
        # A torn last line is dropped before the answers are replayed.
        assert path.read_bytes() in (content, content[: content.rfind(b"\n") + 1])
        raise
    finally:
        desk.leave()
    assert rows, "what can be resumed is in the list"
    assert path.read_bytes().startswith(content[: content.rindex(b"\n") + 1])
    json.dumps(state, default=repr).encode()
    assert state.question or state.outcome


@fuzzed(SHARE)
@given(forged())
def test_saves_of_battles(case: tuple[str, str]) -> None:
    text, secret = case
    keep(secret)
    content = text.encode("utf-8", "surrogatepass")
    ends(lambda: judge(content), "saves")
    ends(lambda: read_by_the_studio(content), "studio")


@pytest.mark.parametrize("game", sorted(SIDES))
def test_a_save_that_nobody_edited_is_accepted(game: str) -> None:
    text, secret = saved_battle(game, _ANSWERS)
    keep(secret)
    # A battle that is not over is verified and resumed, but cannot be replayed to its end.
    (message,) = judge(text.encode())
    assert "replay it after its end" in message or "the transcript lacks an answer" in message
    read_by_the_studio(text.encode())
    rows = text.splitlines(keepends=True)
    assert len(rows) > _ANSWERS / 2
    read_by_the_studio("".join(rows)[:-4].encode())


def test_some_saves_are_accepted_and_some_refused() -> None:
    resumed, refused = ENDS["studio built"], ENDS["studio refused"]
    if resumed + refused < 30:
        pytest.skip("too few cases")
    assert 0.02 < resumed / (resumed + refused) < 0.9, ENDS

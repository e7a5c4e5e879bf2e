"""Saves on a disk that is full: nothing empty is left, nothing is torn, and the help says what helps."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import Any

import pytest

from cardgen.diagnostic import CardgenError
from cardgen.matches.session import load_transcript
from cardgen.runtime.workspace import Workspace
from cardgen.studio.play.battle import BattleDesk
from cardgen.studio.play.seats import BattleState
from tests.studio.play.windows import ORDER


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> BattleDesk:
    (tmp_path / "cardgen.yaml").write_text("game: warniris\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return BattleDesk(tmp_path)


class _Disk:
    """A disk with room for some files to be synced, and half a line after them."""

    def __init__(self, patch: pytest.MonkeyPatch, room: int) -> None:
        self._room = room
        self._fsync = os.fsync
        patch.setattr(os, "fsync", self._sync)

    def _sync(self, descriptor: int) -> None:
        if not self._room:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        self._room -= 1
        self._fsync(descriptor)


@pytest.mark.parametrize("room", [0, 1], ids=["for nothing", "for the save, but not for its secret"])
def test_a_match_that_cannot_begin_leaves_nothing(
    room: int, desk: BattleDesk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        _Disk(patch, room)
        with pytest.raises(CardgenError) as error:
            desk.begin(ORDER)
    problem = error.value.diagnostics[0]
    assert problem.message == "file cannot be written: No space left on device"
    assert problem.help.startswith("free space on this disk, or choose another ")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["cardgen.yaml"]
    assert desk.begin(ORDER).save == "battle.jsonl"
    desk.leave()


def test_an_answer_that_cannot_be_saved_is_not_half_saved(
    desk: BattleDesk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    state = desk.begin(ORDER)
    assert state.question
    before = (tmp_path / state.save).read_bytes()
    write = os.write

    def write_half(descriptor: int, content: Any) -> int:
        write(descriptor, content[: len(content) // 2])
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patch:
        patch.setattr(os, "write", write_half)
        with pytest.raises(CardgenError, match="No space left") as error:
            desk.reply(state.step, 0, state.question.side or 0)
    assert "then resume the battle" in error.value.diagnostics[0].help
    desk.leave()
    assert (tmp_path / state.save).read_bytes() == before
    again = desk.resume(state.save)
    assert isinstance(again, BattleState)
    assert (again.step, again.question) == (state.step, state.question)
    assert isinstance(desk.reply(again.step, 0, state.question.side or 0), BattleState)
    desk.leave()
    assert not load_transcript(tmp_path / state.save).is_truncated


def test_a_folder_that_is_a_file_is_not_called_a_match(desk: BattleDesk, tmp_path: Path) -> None:
    from cardgen.matches import match
    from cardgen.matches.session import TrialRequest

    (tmp_path / "saves").write_text("", encoding="utf-8")
    request = TrialRequest("battle", ORDER.values, (), (), (), "warniris", Workspace(tmp_path))
    with pytest.raises(CardgenError, match=r"saves: .*cannot be written: File exists"):
        match.begin(request, tmp_path / "saves" / "a.jsonl", None, players_roll=False)

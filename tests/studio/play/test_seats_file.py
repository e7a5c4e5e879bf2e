"""Seating files: kept with the save, private, and never a stranger's."""

from __future__ import annotations

import asyncio
import json
import os
import stat
import sys
from pathlib import Path

import pytest

from cardgen.diagnostic import CardgenError, Diagnostic, Place
from cardgen.runtime import user_folders
from cardgen.studio.play import seats as seats_file
from cardgen.studio.play.seats import Seating
from tests.studio.play.windows import ORDER, Window, seating_of

SAVE, SIDES = "battle.jsonl", ("Oath", "Court")


@pytest.fixture(autouse=True)
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder for settings of this test."""
    monkeypatch.setattr(user_folders, "config_folder", lambda: tmp_path / "settings")


@pytest.fixture
def seating(tmp_path: Path) -> Seating:
    made = Seating(SIDES)
    made.join("1", made.code, "a")
    seats_file.write(tmp_path, SAVE, made, 8123)
    return made


def test_everything_by_which_players_come_back_is_kept(seating: Seating, tmp_path: Path) -> None:
    kept = seats_file.read(tmp_path, SAVE, SIDES)
    assert kept
    again, port = kept
    assert port == 8123
    assert (again.id, again.code, again.screen_token) == (seating.id, seating.code, seating.screen_token)
    assert again.seats == seating.seats
    assert seats_file.read(tmp_path, SAVE, ("Oath", "Others")) is None
    seats_file.remove(tmp_path, SAVE)
    assert seats_file.read(tmp_path, SAVE) is None


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such permissions")
def test_only_the_user_may_read_it(seating: Seating, tmp_path: Path) -> None:
    path = seats_file.path_of(tmp_path, SAVE)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    path.chmod(0o644)
    seats_file.write(tmp_path, SAVE, seating, 1)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_tokens_of_players_are_not_in_it(tmp_path: Path) -> None:
    seating = Seating(SIDES)
    token = seating.join("1", seating.code, "a")
    seats_file.write(tmp_path, SAVE, seating, 8123)
    assert token.encode() not in seats_file.path_of(tmp_path, SAVE).read_bytes()


def test_files_of_strangers_are_ignored(seating: Seating, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = seats_file.path_of(tmp_path, SAVE)
    content = path.read_bytes()
    assert content.count(b"8123") == 1
    edited = (content.replace(b"8123", b"8124"), content[32:], json.dumps({"table": 1}).encode(), b"", b"x" * 70_000)
    for each in edited:
        path.write_bytes(each)
        assert seats_file.read(tmp_path, SAVE) is None
    path.write_bytes(content)
    other = tmp_path / "other.jsonl.table"
    other.write_bytes(content)
    assert seats_file.read(tmp_path, "other.jsonl") is None, "it is that of another save"
    monkeypatch.setattr(user_folders, "config_folder", lambda: tmp_path / "another user")
    assert seats_file.read(tmp_path, SAVE) is None


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights on Windows")
def test_links_and_pipes_are_neither_read_nor_followed(seating: Seating, tmp_path: Path) -> None:
    path, elsewhere = seats_file.path_of(tmp_path, SAVE), tmp_path / "elsewhere"
    path.rename(elsewhere)
    before = elsewhere.read_bytes()
    path.symlink_to(elsewhere)
    assert seats_file.read(tmp_path, SAVE) is None
    seats_file.write(tmp_path, SAVE, Seating(SIDES), 1)
    assert elsewhere.read_bytes() == before
    path.unlink()
    os.mkfifo(path)
    assert seats_file.read(tmp_path, SAVE) is None


@pytest.mark.parametrize("name", ["../battle.jsonl", "/tmp/battle.jsonl", "battle.yaml", ""])
def test_only_saves_have_one(name: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="not a valid name"):
        seats_file.path_of(tmp_path, name)


def test_a_battle_that_is_over_leaves_none(tmp_path: Path) -> None:
    async def run() -> None:
        host, app = seating_of(tmp_path)
        await host.begin(ORDER)
        assert seats_file.path_of(tmp_path, SAVE).exists()
        assert host.state
        host._show(host.state._replace(outcome=("Oath wins",)))
        assert not seats_file.path_of(tmp_path, SAVE).exists()
        window = Window(app)
        assert (await window.post("/join", {"code": "222222"})).status == 403
        assert not seats_file.path_of(tmp_path, SAVE).exists()
        host.close()

    asyncio.run(run())


def test_seats_that_cannot_be_kept_are_said_and_the_battle_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise CardgenError(Diagnostic("CG592", "file cannot be written: No space left on device", Place("x")))

    async def run() -> None:
        host, app = seating_of(tmp_path)
        with monkeypatch.context() as patch:
            patch.setattr(seats_file, "write", fail)
            await host.begin(ORDER)
            assert "not kept with the save: file cannot be written: No space left" in host.keep_problem
            assert host.seating
        assert (await Window(app).join(host.seating.code, "1")).status == 200
        assert host.keep_problem == ""
        host.close()

    asyncio.run(run())

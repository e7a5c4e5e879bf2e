from __future__ import annotations

import sys
from pathlib import Path

import pytest

from cardgen.runtime import user_folders
from cardgen.runtime.user_folders import KEY_FILE, seal, unseal


@pytest.fixture(autouse=True)
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(user_folders, "config_folder", lambda: tmp_path / "config")
    return tmp_path / "config"


def test_an_entry_is_read_under_its_own_name_only() -> None:
    entry = seal("a", b"content")
    assert entry is not None
    assert unseal("a", entry) == b"content"
    assert unseal("b", entry) is None


@pytest.mark.parametrize("at", [0, 31, 32, -1])
def test_a_changed_entry_is_ignored(at: int) -> None:
    entry = bytearray(seal("a", b"content") or b"")
    entry[at] ^= 1
    assert unseal("a", bytes(entry)) is None


@pytest.mark.parametrize("entry", [None, "text", 5, b"", b"x" * 31, b"x" * 200])
def test_anything_else_is_ignored(entry: object) -> None:
    seal("a", b"")
    assert unseal("a", entry) is None


def test_names_and_contents_do_not_mix() -> None:
    assert unseal("ab", seal("a", b"bc")) is None
    assert unseal("a", seal("ab", b"c")) is None


def test_entries_of_another_user_are_ignored(config: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    entry = seal("a", b"content")
    monkeypatch.setattr(user_folders, "config_folder", lambda: tmp_path / "other")
    assert unseal("a", entry) is None
    assert seal("a", b"content") != entry


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has other permissions")
def test_only_the_user_can_read_the_key(config: Path) -> None:
    seal("a", b"")
    assert (config / KEY_FILE).stat().st_mode & 0o777 == 0o600
    assert [path.name for path in config.iterdir()] == [KEY_FILE]


def test_without_a_place_for_the_key_nothing_is_sealed(config: Path) -> None:
    config.write_text("not a folder", encoding="utf-8")
    assert seal("a", b"content") is None
    assert unseal("a", b"x" * 99) is None


def test_a_damaged_key_is_no_key(config: Path) -> None:
    config.mkdir()
    (config / KEY_FILE).write_bytes(b"short")
    assert seal("a", b"content") is None

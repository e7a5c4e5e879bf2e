"""Texts that are not saved: they are on the disk soon, with the file that they are a change of."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from cardgen.studio import studio
from cardgen.studio.page_words import FileText
from cardgen.studio.studio import Drafts

FILE = "cards/scout.yaml"
BASE = FileText("name: Scout\n", "digest", "\r\n", "\ufeff")


@pytest.fixture(autouse=True)
def soon(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setattr(studio, "WRITE_AFTER", 0.05)
    yield


def typed(kept: Drafts, *texts: str, file: str = FILE, wait: float = 0.2) -> None:
    async def run() -> None:
        for text in texts:
            kept.keep(file, text, BASE)
        await asyncio.sleep(wait)

    asyncio.run(run())


def test_a_text_is_on_the_disk_soon_after_the_last_key(tmp_path: Path) -> None:
    typed(Drafts(tmp_path), "name: S", "name: Scout the Bold")
    found = Drafts(tmp_path)
    assert found.texts == {FILE: "name: Scout the Bold"}
    assert found[FILE].base == BASE


def test_only_the_user_may_read_drafts(tmp_path: Path) -> None:
    kept = Drafts(tmp_path)
    typed(kept, "name: x")
    (path,) = kept.folder.iterdir()
    assert (path.stat().st_mode & 0o777, kept.folder.stat().st_mode & 0o777) == (0o600, 0o700)
    assert not path.is_relative_to(tmp_path / "cards")


def test_a_text_that_was_saved_or_discarded_is_gone_from_the_disk(tmp_path: Path) -> None:
    kept = Drafts(tmp_path)
    typed(kept, "name: x")
    kept.drop(FILE)
    assert (dict(kept), dict(Drafts(tmp_path)), [*kept.folder.iterdir()]) == ({}, {}, [])


def test_a_text_that_is_dropped_before_it_is_written_is_never_written(tmp_path: Path) -> None:
    kept = Drafts(tmp_path)

    async def run() -> None:
        kept.keep(FILE, "name: x", BASE)
        kept.drop(FILE)
        await asyncio.sleep(0.2)

    asyncio.run(run())
    assert not kept.folder.exists() or not [*kept.folder.iterdir()]


def test_closing_writes_what_is_not_written_yet(tmp_path: Path) -> None:
    kept = Drafts(tmp_path)

    async def run() -> None:
        kept.keep(FILE, "name: x", BASE)
        kept.close()

    asyncio.run(run())
    assert Drafts(tmp_path).texts == {FILE: "name: x"}


def test_projects_do_not_share_drafts(tmp_path: Path) -> None:
    typed(Drafts(tmp_path / "one"), "name: x")
    assert dict(Drafts(tmp_path / "other")) == {}


def test_files_that_are_not_drafts_of_the_project_are_ignored(tmp_path: Path) -> None:
    kept = Drafts(tmp_path)
    typed(kept, "name: x")
    (path,) = kept.folder.iterdir()
    path.with_name("f" * 32 + ".json").write_bytes(path.read_bytes())  # the name is not that of its file
    path.with_name("0.json").write_text("[" * 1000, encoding="utf-8")
    path.with_name("1.json").write_text('{"draft": 1}', encoding="utf-8")
    assert Drafts(tmp_path).texts == {FILE: "name: x"}


def test_a_folder_that_cannot_be_written_is_a_problem_that_windows_hear_of(tmp_path: Path) -> None:
    (tmp_path / "state").write_text("no folder", encoding="utf-8")
    kept = Drafts(tmp_path)
    heard: list[str] = []
    kept.on_change.add(lambda: heard.append(kept.problem))
    typed(kept, "name: x")
    assert kept.texts == {FILE: "name: x"}
    assert heard[-1]


def test_the_list_of_drafts_is_announced_when_it_changes_but_not_for_each_key(tmp_path: Path) -> None:
    kept = Drafts(tmp_path)
    heard: list[tuple[str, ...]] = []
    kept.on_change.add(lambda: heard.append(tuple(kept)))
    typed(kept, "name: x", "name: xy")
    typed(kept, "name: z", file="cards/other.yaml")
    kept.drop(FILE)
    assert heard == [(FILE,), (FILE, "cards/other.yaml"), ("cards/other.yaml",)]

"""What all windows of the studio share: engines, jobs, and the project that is open."""

from __future__ import annotations

import asyncio
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

from cardgen.runtime.fingerprint import Snapshot, snapshot
from cardgen.runtime.request_process import ProcessError
from cardgen.studio import page_words
from cardgen.studio.engine.card_changes import CardChange, ChangedFile
from cardgen.studio.engine.rule_answers import TrialQuestion
from cardgen.studio.job import BUILD, PREVIEW, JobRequest
from cardgen.studio.page_words import TextError
from cardgen.studio.studio import Drafts, Studio
from tests.journeys.conftest import write_project

QUESTION = TrialQuestion("warniris", "attack", {"attacker": "scout-0", "target": "scout-1"})


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return write_project(tmp_path / "scouts", 2)


def test_a_long_computation_is_stopped_and_the_next_is_answered(project: Path) -> None:
    async def run() -> None:
        studio = Studio(project)
        await studio.start()
        try:
            await studio.ready.wait()
            assert not studio.computing.is_alive
            assert (await studio.computing.call("rules.odds", QUESTION, {})).tables
            slow = asyncio.create_task(studio.computing.call("rules.balance", "warniris/character/scout-0", {}))
            studio.computing.interrupt()
            started = time.monotonic()
            with pytest.raises(ProcessError):
                await slow
            assert time.monotonic() - started < 60
            assert (await studio.computing.call("rules.odds", QUESTION, {})).tables
        finally:
            studio.close()

    asyncio.run(run())


def test_another_project_is_opened_and_nothing_of_the_first_stays(project: Path, tmp_path: Path) -> None:
    other = write_project(tmp_path / "others", 3)

    async def run() -> None:
        studio = Studio(project)
        await studio.start()
        try:
            await studio.ready.wait()
            studio.drafts.keep("cards/scout-0.yaml", "name: x", page_words.read(project, "cards/scout-0.yaml"))
            folder = studio.jobs.preview_folder()
            await studio.open(other)
            await studio.ready.wait()
            assert (studio.root, len(studio.state.cards), studio.drafts.texts) == (other, 3, {})
            assert Drafts(project).texts == {"cards/scout-0.yaml": "name: x"}
            assert not folder.exists()
        finally:
            studio.close()

    asyncio.run(run())


def test_only_builds_are_listed_and_a_dropped_preview_leaves_no_sheets(project: Path) -> None:
    async def run() -> None:
        studio = Studio(project)
        try:
            folder = studio.jobs.preview_folder()
            (folder / "a.pdf").write_text("", encoding="utf-8")
            preview = studio.jobs.start("Sheets", JobRequest(PREVIEW, str(project), str(folder)))
            build = studio.jobs.start("Build", JobRequest(BUILD, str(project), "output"))
            assert studio.jobs.listed == (build,)
            assert studio.jobs.find(preview.number) is preview
            studio.jobs.drop(preview)
            assert studio.jobs.find(preview.number) is None
            assert not folder.exists()
        finally:
            studio.close()
        assert not build._process.is_alive()

    asyncio.run(run())


@pytest.mark.parametrize("has_events", [True, False])
def test_files_are_not_polled_without_a_window(
    project: Path, monkeypatch: pytest.MonkeyPatch, *, has_events: bool
) -> None:
    pytest.importorskip("watchfiles")
    if not has_events:
        monkeypatch.setitem(sys.modules, "watchfiles", None)
    looks: list[Snapshot] = []

    def look(studio: Studio) -> Snapshot:
        looks.append(snapshot([studio.root]))
        return looks[-1]

    monkeypatch.setattr(Studio, "_snapshot", look)

    async def run() -> None:
        studio = Studio(project)
        changed: list[str] = []
        await studio.start()
        try:
            await studio.ready.wait()
            studio.on_change.add(changed.extend)
            await asyncio.sleep(1.2)
            assert len(looks) <= 2
            (project / "cards" / "scout-0.yaml").write_text("name: x\n", encoding="utf-8")
            if not has_events:
                await asyncio.sleep(1)
                assert not changed
                studio.open_window()
            async with asyncio.timeout(30):
                while not changed:
                    await asyncio.sleep(0.1)
            assert changed == ["cards/scout-0.yaml"]
            if not has_events:
                before = len(looks)
                async with asyncio.timeout(30):
                    while len(looks) == before:
                        await asyncio.sleep(0.1)
                studio.close_window()
        finally:
            studio.close()

    asyncio.run(run())


@pytest.mark.skipif(sys.platform != "linux", reason="the system does not say which folders are watched")
def test_links_out_of_the_project_are_not_watched_and_new_folders_are(project: Path, tmp_path: Path) -> None:
    pytest.importorskip("watchfiles")
    (tmp_path / "outside" / "below").mkdir(parents=True)
    (project / "cards" / "link").symlink_to(tmp_path / "outside")

    async def run() -> None:
        studio = Studio(project)
        changed: list[str] = []
        await studio.start()
        try:
            await studio.ready.wait()
            studio.on_change.add(changed.extend)
            async with asyncio.timeout(30):
                while not is_watched(project / "cards"):
                    await asyncio.sleep(0.1)
            assert not is_watched(tmp_path / "outside") | is_watched(tmp_path / "outside" / "below")
            (project / "cards" / "new").mkdir()
            (project / "cards" / "new-link").symlink_to(tmp_path / "outside")
            async with asyncio.timeout(30):
                while not is_watched(project / "cards" / "new"):
                    await asyncio.sleep(0.1)
            assert not is_watched(tmp_path / "outside") | is_watched(tmp_path / "outside" / "below")
            (project / "cards" / "new" / "a.yaml").write_text("name: x\n", encoding="utf-8")
            async with asyncio.timeout(30):
                while "cards/new/a.yaml" not in changed:
                    await asyncio.sleep(0.1)
        finally:
            studio.close()

    asyncio.run(run())


def is_watched(folder: Path) -> bool:
    """Return whether this process waits for events of a folder."""
    watched = f" ino:{folder.stat().st_ino:x} "
    found = False
    for descriptor in Path("/proc/self/fdinfo").iterdir():
        with suppress(OSError):
            found |= watched in descriptor.read_text(encoding="ascii")
    return found


def test_what_drawing_finds_is_kept_and_what_other_files_cause_is_not(project: Path) -> None:
    long = f"kind: relic\nname: Long Lamp\ntext: {'It shines on friends and enemies. ' * 60}\n"
    (project / "cards" / "long.yaml").write_text(long, encoding="utf-8")

    async def files_with_problems(studio: Studio) -> set[str]:
        async with asyncio.timeout(120):
            while not studio.is_checked or studio.unseen:
                await asyncio.sleep(0.1)
        return {row.file for row in studio.problems}

    async def run() -> None:
        studio = Studio(project)
        await studio.start()
        try:
            await studio.ready.wait()
            assert await files_with_problems(studio) == {"cards/long.yaml", "cards/scout-1.yaml"}  # equal to the other
            file = project / "cards" / "scout-0.yaml"
            file.write_text(file.read_text(encoding="utf-8").replace("M: 3", "M: 4"), encoding="utf-8")
            await studio.refresh(("cards/scout-0.yaml",))
            assert not studio.is_checked
            assert await files_with_problems(studio) == {"cards/long.yaml"}
        finally:
            studio.close()

    asyncio.run(run())


def test_a_folder_without_a_project_is_not_searched(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "card.yaml").write_text("name: x\n", encoding="utf-8")

    async def run() -> None:
        studio = Studio(tmp_path)
        await studio.start()
        try:
            await studio.ready.wait()
            assert not studio.has_project
            assert not studio.state.problems
            assert studio._snapshot() == {}
            (tmp_path / "cardgen.yaml").write_text("game: warniris\n", encoding="utf-8")
            assert studio.has_project
            assert studio._snapshot()
        finally:
            studio.close()

    asyncio.run(run())


def test_whole_cards_change_only_in_files_that_are_saved_and_as_they_were_read(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(project.parent / "state"))
    file = "cards/scout-0.yaml"
    before = (project / file).read_bytes().replace(b"\n", b"\r\n")
    (project / file).write_bytes(before)

    async def run() -> None:
        studio = Studio(project)
        await studio.start()
        try:
            await studio.ready.wait()
            change: CardChange = await studio.drawing.call("cards.rename", "warniris/character/scout-0", "Old Scout")
            base = page_words.read(project, file)
            studio.drafts.keep(file, "name: x", base)
            with pytest.raises(TextError, match="has unsaved changes; save or discard them first"):
                await studio.apply("Renamed", change)
            studio.drafts.drop(file)
            with pytest.raises(TextError, match="has changed in the meantime; try again"):
                await studio.apply("Renamed", CardChange((ChangedFile(file, "0" * 64, "name: x\n"),)))
            for outside in ("../scout.yaml", "art/scout.png", ".hidden/scout.yaml"):
                with pytest.raises(TextError):
                    await studio.apply("Renamed", CardChange((ChangedFile(outside, "", "name: x\n"),)))
            assert (project / file).read_bytes() == before
            await studio.apply("Renamed", change)
            assert (project / file).read_bytes() == before.replace(b"Scout 0", b"Old Scout")
            assert studio.history.offered
            await studio.undo(studio.history.offered)
            assert (project / file).read_bytes() == before
        finally:
            studio.close()

    asyncio.run(run())

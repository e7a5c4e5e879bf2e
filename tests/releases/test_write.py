"""A release is its file and its notes: both are written, or neither."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from cardgen.diagnostic import CardgenError
from cardgen.releases.write import write_release
from cardgen.runtime import atomic_write
from tests.projects import STATS, Folder

CARDS = f"""\
kind: minion
cards:
  - {{name: Ash, qty: 2, stats: {STATS}, motto: Still}}
  - {{name: Ember, stats: {STATS}}}
"""


@pytest.fixture
def project(folder: Folder) -> Folder:
    """Return a project with a release, after which a text changed."""
    folder.plain().write("cards/a.yaml", CARDS)
    write_release("v1")
    folder.write("cards/a.yaml", CARDS.replace("Still", "Loud"))
    return folder


def released(project: Folder) -> dict[str, str]:
    return {path.name: path.read_text(encoding="utf-8") for path in (project.root / "releases").iterdir()}


@pytest.mark.parametrize("text", [
    "All my own words.\n",  # without the marks of the changes
    None,  # a folder
])  # fmt: skip
def test_without_its_notes_no_release_is_written(project: Folder, text: str | None) -> None:
    notes = project.root / "releases/v2.md"
    notes.write_text(text, encoding="utf-8") if text else notes.mkdir()
    before = {path.name for path in notes.parent.iterdir()}
    with pytest.raises(CardgenError, match=r"left unchanged|cannot be read"):
        write_release("v2")
    assert {path.name for path in notes.parent.iterdir()} == before


def test_without_the_release_to_compare_with_none_is_written(project: Folder) -> None:
    before = released(project)
    with pytest.raises(CardgenError, match="unknown release 'v0'"):
        write_release("v2", since="v0")
    assert released(project) == before


def test_a_text_that_cannot_be_encoded_is_found_before_anything_is_written(project: Folder) -> None:
    path = project.root / "releases/v1.yaml"
    path.write_text(path.read_text(encoding="utf-8").replace('motto: "Still"', 'motto: "\\ud800"'), encoding="utf-8")
    before = released(project)
    assert "\\ud800" in before["v1.yaml"]
    with pytest.raises(CardgenError) as caught:
        write_release("v2")
    place = caught.value.diagnostics[0].place
    assert (place.file, place.source_line.strip()) == ("releases/v1.yaml", 'motto: "\\ud800"')
    assert released(project) == before


@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), KeyboardInterrupt()])
@pytest.mark.parametrize("file", ["v2.yaml", "v2.md"])
def test_a_full_disk_or_an_interruption_leaves_what_was_there(
    project: Folder, monkeypatch: pytest.MonkeyPatch, file: str, error: BaseException
) -> None:
    write_release("v2")
    project.write("cards/a.yaml", CARDS.replace("Still", "Silent"))
    before = released(project)
    move = atomic_write._move

    def failing(temporary: Path, path: Path) -> None:
        if path.name == file:
            raise error
        move(temporary, path)

    with monkeypatch.context() as patched, pytest.raises((CardgenError, KeyboardInterrupt)):
        patched.setattr(atomic_write, "_move", failing)
        write_release("v2", force=True)
    assert released(project) == before
    write_release("v2", force=True)
    assert released(project)["v2.yaml"] != before["v2.yaml"]
    assert "“Silent”" in released(project)["v2.md"]


def test_releases_at_the_same_time_lose_no_notes(folder: Folder) -> None:
    folder.plain().write("cards/a.yaml", CARDS)
    names = ("v1", "v2", "v3", "v4")
    commands = [
        subprocess.Popen(
            [sys.executable, "-m", "cardgen", "release", name],
            cwd=folder.root, env={**os.environ, "PYTHONSAFEPATH": "1"}, stdout=subprocess.PIPE, encoding="utf-8",
        )
        for name in names
    ]  # fmt: skip
    said = [command.communicate(timeout=120)[0] for command in commands]
    assert [command.returncode for command in commands] == [0] * 4
    assert set(released(folder)) == {*(f"{name}.yaml" for name in names), *(f"{name}.md" for name in names[1:])}
    assert any("no notes: there is no release before v1\n" in text for text in said), said


def test_notes_that_the_release_after_it_can_have_now(project: Folder) -> None:
    """The notes of v1, the first release until now, are written with the release that is now before it."""
    written = write_release("v0")
    assert (written.notes, written.following and written.following.file) == (None, Path("releases/v1.md"))
    assert "- Motto was “Loud” and is now “Still”." in released(project)["v1.md"]
    assert write_release("v0").following is None

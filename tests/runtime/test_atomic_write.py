from __future__ import annotations

import os
from pathlib import Path

import pytest

from cardgen.diagnostic import CardgenError, Code
from cardgen.runtime import atomic_write


def test_a_file_is_written_and_its_folder_made(tmp_path: Path) -> None:
    path = tmp_path / "new" / "folder" / "sheet.pdf"
    atomic_write.write(path, b"content")
    assert path.read_bytes() == b"content"
    assert list(path.parent.iterdir()) == [path]


def test_a_write_that_dies_leaves_the_last_good_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "sheet.pdf"
    path.write_bytes(b"good")

    def die(_: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", die)
    with pytest.raises(KeyboardInterrupt):
        atomic_write.write(path, b"half")
    assert path.read_bytes() == b"good"
    assert list(tmp_path.iterdir()) == [path]


def test_a_full_disk_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(CardgenError) as caught:
        atomic_write.write(tmp_path / "sheet.pdf", b"content")
    (problem,) = caught.value.diagnostics
    assert problem.code == Code.UNWRITABLE
    assert "No space left on device" in problem.message
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_cannot_be_made_is_said_with_its_file(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("a file, not a folder")
    with pytest.raises(CardgenError) as caught:
        atomic_write.write(tmp_path / "taken" / "sheet.pdf", b"content")
    (problem,) = caught.value.diagnostics
    assert problem.place.file.endswith("sheet.pdf")
    assert "-o" in problem.help


def test_a_new_file_may_be_read_by_those_whom_the_umask_allows(tmp_path: Path) -> None:
    plain, ours = tmp_path / "plain", tmp_path / "ours"
    plain.write_bytes(b"")
    atomic_write.write(ours, b"")
    assert ours.stat().st_mode == plain.stat().st_mode


@pytest.mark.skipif(os.name == "nt", reason="all may write")
def test_what_other_threads_write_in_the_meantime_is_not_for_everybody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    masks: list[int] = []
    umask = os.umask

    def noted(mask: int) -> int:
        masks.append(mask)
        return umask(mask)

    monkeypatch.setattr(os, "umask", noted)
    atomic_write._umask.cache_clear()
    for name in "ab":
        atomic_write.write(tmp_path / name, b"")
    assert len(masks) == 2
    assert masks[0] & 0o022 == 0o022


def test_what_killed_builds_left_is_cleared_away(tmp_path: Path) -> None:
    old, young, other = (tmp_path / name for name in (".a.pdf.x.cardgen~", ".b.pdf.y.cardgen~", ".hidden"))
    for path in (old, young, other):
        path.write_bytes(b"half")
    for path in (old, other):
        os.utime(path, (0, 0))
    atomic_write.write(tmp_path / "sheet.pdf", b"content")
    assert sorted(path.name for path in tmp_path.iterdir()) == [young.name, other.name, "sheet.pdf"]


@pytest.mark.parametrize("durable", [True, False])
def test_only_what_must_last_is_synced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, durable: bool) -> None:
    synced: list[int] = []
    monkeypatch.setattr(os, "fsync", synced.append)
    atomic_write.write(tmp_path / "sheet.pdf", b"content", durable=durable)
    assert len(synced) == durable
    assert (tmp_path / "sheet.pdf").read_bytes() == b"content"


def test_several_files_are_written_together_or_not_at_all(tmp_path: Path) -> None:
    old, new, folder = (tmp_path / name for name in ("old.txt", "images/new.png", "taken"))
    old.write_text("before")
    folder.mkdir()
    with pytest.raises(CardgenError) as caught:
        atomic_write.write_all({old: b"after", new: b"new", folder: b"cannot be"})
    assert caught.value.diagnostics[0].place.file == str(folder)
    assert old.read_text() == "before"
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == [old]
    atomic_write.write_all({old: b"after", new: b"new"})
    assert (old.read_text(), new.read_text()) == ("after", "new")


@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), KeyboardInterrupt()])
@pytest.mark.parametrize("number", [1, 2, 3])
def test_an_end_between_two_files_restores_the_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int, error: BaseException
) -> None:
    """The third move would be of a file that did not exist, the second replaces a link."""
    (tmp_path / "kept.txt").write_text("kept")
    (tmp_path / "old.txt").write_text("before")
    (tmp_path / "link.txt").symlink_to("kept.txt")
    moves = iter(range(1, 9))
    replace = Path.replace

    def failing(path: Path, target: Path) -> Path:
        if next(moves) == number:
            raise error
        return replace(path, target)

    monkeypatch.setattr(Path, "replace", failing)
    with pytest.raises((CardgenError, KeyboardInterrupt)):
        atomic_write.write_all({tmp_path / name: b"after" for name in ("old.txt", "link.txt", "new.txt")})
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {
        "kept.txt": "kept", "old.txt": "before", "link.txt": "kept"
    }  # fmt: skip
    assert (tmp_path / "link.txt").is_symlink()
    monkeypatch.undo()
    atomic_write.write_all({tmp_path / name: b"after" for name in ("old.txt", "link.txt", "new.txt")})
    assert sorted(path.name for path in tmp_path.iterdir()) == ["kept.txt", "link.txt", "new.txt", "old.txt"]


def test_a_private_file_stays_private(tmp_path: Path) -> None:
    path = tmp_path / "secret.yaml"
    path.write_bytes(b"old")
    path.chmod(0o600)
    atomic_write.write(path, b"new")
    assert path.read_bytes() == b"new"
    assert path.stat().st_mode & 0o777 == 0o600


def test_a_read_only_file_is_not_replaced(tmp_path: Path) -> None:
    path = tmp_path / "master.pdf"
    path.write_bytes(b"old")
    path.chmod(0o444)
    with pytest.raises(CardgenError, match="read-only"):
        atomic_write.write(path, b"new")
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_device_is_written_to_and_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(atomic_write, "_DEVICE_FOLDERS", (tmp_path / "dev",))
    (tmp_path / "dev").mkdir()
    device, link = tmp_path / "dev" / "pipe", tmp_path / "dev" / "stdout"
    os.mkfifo(device)
    link.symlink_to(device)
    reader = os.open(device, os.O_RDWR)
    try:
        atomic_write.write(device, b"one ")
        atomic_write.write(link, b"two")
        assert os.read(reader, 100) == b"one two"
    finally:
        os.close(reader)
    assert device.is_fifo()
    assert link.is_symlink()
    assert len(list((tmp_path / "dev").iterdir())) == 2


def test_a_pipe_in_a_project_is_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "cards.pdf")
    with pytest.raises(CardgenError, match="it is a device or a pipe"):
        atomic_write.write(tmp_path / "cards.pdf", b"new")
    with pytest.raises(CardgenError, match="it is a device or a pipe"):
        atomic_write.write_all({tmp_path / "cards.pdf": b"new"})
    assert [path.is_fifo() for path in tmp_path.iterdir()] == [True]

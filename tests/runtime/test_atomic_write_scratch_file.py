from __future__ import annotations

import tempfile
from pathlib import Path

import pytest

from cardgen.diagnostic import CardgenError, Code
from cardgen.runtime import atomic_write
from cardgen.runtime.atomic_write import ScratchFile


@pytest.mark.parametrize("size", [0, 10, 100_000])
def test_content_is_kept_on_either_side_of_the_limit(size: int) -> None:
    file = ScratchFile(max_in_memory=100)
    for _ in range(3):
        assert file.write(b"a" * size) == size
    assert file.content() == b"a" * 3 * size


def test_a_file_that_is_freed_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    file = ScratchFile(max_in_memory=1)
    file.write(b"content")
    del file  # a warning about a file that was not closed would fail this test
    assert list(tmp_path.iterdir()) == []


def test_no_room_for_temporary_files_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "missing"))
    file = ScratchFile(max_in_memory=1)
    assert file.write(b"content") == file.write(b"content") == len(b"content")
    with pytest.raises(CardgenError) as caught:
        file.check()
    (problem,) = caught.value.diagnostics
    assert problem.code == Code.UNWRITABLE
    assert problem.message == "temporary file cannot be written: No such file or directory"
    assert problem.place.file == str(tmp_path / "missing")


def test_a_full_disk_is_reported_after_writing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "TemporaryFile", lambda *_, **__: Path("/dev/full").open("r+b"))  # noqa: SIM115
    file = ScratchFile(max_in_memory=1)
    for _ in range(100):
        file.write(b"content")
    with pytest.raises(CardgenError, match="No space left on device"):
        file.check()


def test_content_in_memory_is_not_moved_to_disk_for_a_descriptor() -> None:
    with pytest.raises(OSError, match="fileno"):
        ScratchFile().fileno()


def test_a_scratch_file_is_copied_whole(tmp_path: Path) -> None:
    file = ScratchFile(max_in_memory=1)
    file.write(b"content")
    atomic_write.write(tmp_path / "copy", file)
    assert (tmp_path / "copy").read_bytes() == b"content"

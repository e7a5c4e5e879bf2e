from __future__ import annotations

from pathlib import Path

import pytest

from cardgen.target.output import OutputFiles, zip_archive


def test_files_are_written_at_the_end(tmp_path: Path) -> None:
    output = OutputFiles()
    output.add("a/b.txt", b"one")
    output.add("c.txt", b"")
    assert not list(tmp_path.iterdir())
    assert output.write(tmp_path) == {tmp_path / "a/b.txt": 3, tmp_path / "c.txt": 0}
    assert (tmp_path / "a/b.txt").read_bytes() == b"one"


def test_a_name_is_used_once() -> None:
    output = OutputFiles()
    output.add("a.txt", b"one")
    with pytest.raises(ValueError, match=r"two files are called a\.txt"):
        output.add("a.txt", b"two")


@pytest.mark.parametrize("path", ["../a", "a/../../b", "/a", "a//b", "a/", ".", "", "a/./b", "C:/a", "..\\a"])
def test_a_file_stays_below_the_folder(path: str) -> None:
    with pytest.raises(ValueError, match="is not below the output folder"):
        OutputFiles().add(path, b"one")


def test_an_archive_is_the_same_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    one = zip_archive({"a": b"1" * 100, "b/c": b"2"})
    monkeypatch.setattr("time.time", lambda: 2e9)
    assert zip_archive({"a": b"1" * 100, "b/c": b"2"}) == one
    assert len(zip_archive({"a": b"1" * 100, "b/c": b"2"}, compress=True)) < len(one)

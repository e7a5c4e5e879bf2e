from __future__ import annotations

import os
import sys
import tracemalloc
from pathlib import Path

import pytest

from cardgen.runtime import regular_file

LIMIT = 1 << 26


def test_memory_is_reserved_for_the_file_not_for_the_limit(tmp_path: Path) -> None:
    path = tmp_path / "small"
    path.write_bytes(b"a" * 1000)
    tracemalloc.start()
    try:
        assert regular_file.read(path, LIMIT) == b"a" * 1000
        assert tracemalloc.get_traced_memory()[1] < 1 << 20
    finally:
        tracemalloc.stop()


def test_a_file_that_grows_is_read_to_its_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, real = tmp_path / "log", os.read
    path.write_bytes(b"a")

    def read(file: int, length: int) -> bytes:
        content = real(file, length)
        if path.stat().st_size == 1:
            path.write_bytes(b"a" * 500_000)
        return content

    monkeypatch.setattr(os, "read", read)
    assert regular_file.read(path, LIMIT) == b"a" * 500_000
    path.write_bytes(b"a")
    with pytest.raises(regular_file.FileTooLargeError):
        regular_file.read(path, 400_000)


LINKS = pytest.mark.skipif(sys.platform == "win32", reason="creating links needs a privilege on Windows")


@LINKS
def test_nothing_is_listed_behind_a_link_out_of_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    outside, folder = tmp_path / "outside", tmp_path / "folder"
    for place in (outside, folder / "a", folder / "b", folder / ".git"):
        place.mkdir(parents=True)
        (place / "x.svg").touch()
    (folder / "a" / "y.svg").symlink_to(outside / "x.svg")
    (folder / "a" / "z.svg").symlink_to("../b/x.svg")
    (folder / "c").symlink_to(outside)
    (folder / "d").symlink_to("b")
    list_folder = os.scandir

    def watch(path: str | Path) -> object:
        assert not os.path.realpath(path).startswith(str(outside))
        return list_folder(path)

    monkeypatch.setattr(os, "scandir", watch)
    names = [path.relative_to(folder).as_posix() for path in regular_file.glob_inside(folder, "*/*.svg")]
    assert names == ["a/x.svg", "a/z.svg", "b/x.svg", "d/x.svg"]
    assert regular_file.glob_inside(folder, "c/*") == []
    assert regular_file.glob_inside(folder, "e/x.svg") == []
    assert regular_file.glob_inside(folder, "b/x.svg") == [folder / "b" / "x.svg"]
    assert regular_file.glob_inside(folder, "b/x.svg/*") == []


@LINKS
def test_a_relative_path_leads_to_a_server_as_an_absolute_one_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Windows connects to it as soon as anything there is looked at."""
    (tmp_path / "server" / "share").mkdir(parents=True)
    (tmp_path / "project").mkdir()
    monkeypatch.chdir(tmp_path / "project")
    Path("link").symlink_to(f"/{tmp_path}/server/share")
    monkeypatch.setattr(regular_file, "_CONNECTS", True)
    for root in (Path(), Path.cwd()):
        for path in (Path("link"), Path("link/a"), Path.cwd() / "link"):
            assert regular_file.resolve(path, root) == Path(os.sep)
            assert not regular_file.stays_inside(root, path)
            assert not regular_file.is_folder(path, root)
    monkeypatch.setattr(regular_file, "_CONNECTS", False)
    assert regular_file.is_folder(Path("link"), Path())

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from cardgen.runtime import fingerprint
from cardgen.runtime.fingerprint import READ, WATCHED, WRITTEN, find_project_root, stamp, stamp_of, walk, walk_statuses


def _write(root: Path, *names: str) -> None:
    for name in names:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(name, encoding="utf-8")


def _names(root: Path) -> list[str]:
    return [Path(entry.path).relative_to(root).as_posix() for entry in walk(str(root))]


def test_walk_is_sorted_and_skips_hidden_files_and_bytecode(tmp_path: Path) -> None:
    _write(tmp_path, "b/z", "b/a", "c", "a", ".git/x", ".hidden", "__pycache__/y")
    assert _names(tmp_path) == ["a", "b/a", "b/z", "c"]
    assert {entry.name for entry in walk(str(tmp_path), hidden=True)} == {"a", "z", "c", "x", ".hidden"}


def test_walk_enters_only_folders_that_it_may_enter(tmp_path: Path) -> None:
    _write(tmp_path, "in/a", "out/b", "in/out/c")
    assert [entry.name for entry in walk(str(tmp_path), lambda folder: folder.name != "out")] == ["a"]


def test_walk_of_deep_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Deeper than the stack of Python, and then than a path can be long."""
    monkeypatch.chdir(tmp_path)
    for _ in range(2500):
        Path("z").write_text("", "utf-8")
        Path("d").mkdir()
        os.chdir("d")
    monkeypatch.chdir(tmp_path)
    depths = [entry.path.count("/") for entry in walk(str(tmp_path))]
    assert depths == sorted(depths, reverse=True)
    assert len(depths) > 1500
    monkeypatch.chdir(tmp_path)
    for _ in range(2500):
        os.chdir("d")
    for _ in range(2500):
        os.chdir("..")
        Path("d").rmdir()
        Path("z").unlink()


def test_walk_yields_links_and_does_not_follow_them(tmp_path: Path) -> None:
    _write(tmp_path, "real/a")
    (tmp_path / "link").symlink_to(tmp_path, target_is_directory=True)
    (tmp_path / "nowhere").symlink_to(tmp_path / "missing")
    assert _names(tmp_path) == ["link", "nowhere", "real/a"]


def test_walk_of_what_is_no_folder_is_empty(tmp_path: Path) -> None:
    _write(tmp_path, "a")
    assert not [*walk(str(tmp_path / "a")), *walk(str(tmp_path / "missing"))]


def test_statuses_of_a_folder_of_one_file_and_of_nothing(tmp_path: Path) -> None:
    _write(tmp_path, "a", "out/b")
    (tmp_path / "nowhere").symlink_to(tmp_path / "missing")
    assert [path for path, _ in walk_statuses(str(tmp_path), {str(tmp_path / "out")})] == [str(tmp_path / "a")]
    with_broken = walk_statuses(str(tmp_path), {str(tmp_path / "out")}, broken=True)
    assert [path for path, _ in with_broken] == [str(tmp_path / "a"), str(tmp_path / "nowhere")]
    assert [path for path, _ in walk_statuses(str(tmp_path / "a"))] == [str(tmp_path / "a")]
    assert not list(walk_statuses(str(tmp_path / "missing")))


@pytest.mark.parametrize("broken", [True, False])
def test_files_that_go_while_a_folder_is_read_have_no_status(tmp_path: Path, broken: bool) -> None:
    _write(tmp_path, "a", "b", "c")
    statuses = walk_statuses(str(tmp_path), broken=broken)
    assert next(statuses)[0] == str(tmp_path / "a")
    (tmp_path / "b").unlink()
    assert [path for path, _ in statuses] == [str(tmp_path / "c")]


def test_statuses_on_windows_do_not_come_from_the_listing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """There, DirEntry.stat gives the inode 0, so that two files of one size and time could change places."""

    class Entry:
        def __init__(self, path: Path) -> None:
            self.name, self.path = path.name, str(path)

        def is_dir(self, *, follow_symlinks: bool = True) -> bool:
            return False

        def stat(self) -> os.stat_result:
            return os.stat_result(range(10))

    class Listing(list[Entry]):
        def __enter__(self) -> Listing:
            return self

        def __exit__(self, *_: object) -> None:
            pass

    _write(tmp_path, "a", "b")
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setattr(os, "scandir", lambda folder: Listing(Entry(Path(folder, name)) for name in "ab"))
    inodes = [status.st_ino for _, status in walk_statuses(str(tmp_path))]
    assert inodes == [stamp(tmp_path / name)[2] for name in "ab"]
    assert inodes[0] != inodes[1]


def test_a_stamp_says_as_much_as_is_asked_of_it(tmp_path: Path) -> None:
    _write(tmp_path, "a")
    status = os.stat(tmp_path / "a")  # noqa: PTH116
    whole = (status.st_size, status.st_mtime_ns, status.st_ino, status.st_ctime_ns)
    assert stamp(tmp_path / "a") == stamp_of(status) == stamp(tmp_path / "a", READ) == whole
    assert stamp(tmp_path / "a", WRITTEN) == whole[:3]
    assert stamp(tmp_path / "a", WATCHED) == whole[:2]
    assert stamp(tmp_path / "missing") == stamp("a\0b") == ()


def test_a_link_has_a_stamp_of_its_own(tmp_path: Path) -> None:
    _write(tmp_path, "a")
    (tmp_path / "link").symlink_to(tmp_path / "a")
    assert stamp(tmp_path / "link") == stamp(tmp_path / "a")
    assert stamp(tmp_path / "link", follow_links=False) != stamp(tmp_path / "a")


def test_the_root_is_the_nearest_folder_with_settings(tmp_path: Path) -> None:
    _write(tmp_path, "cardgen.yaml", "a/cardgen.yaml", "a/b/c")
    assert find_project_root(tmp_path / "a" / "b") == tmp_path / "a"
    assert find_project_root(tmp_path / "x") == tmp_path


@pytest.mark.skipif(sys.platform == "win32", reason="users of Windows have folders of their own for such files")
@pytest.mark.parametrize(("mode", "is_used"), [(0o1777, False), (0o755, True)])
def test_settings_of_another_user_in_a_shared_folder_are_nobodys(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mode: int, *, is_used: bool
) -> None:
    start = tmp_path / "mine"
    start.mkdir()
    (tmp_path / "cardgen.yaml").touch()
    tmp_path.chmod(mode)
    assert find_project_root(start) == tmp_path
    monkeypatch.setattr(fingerprint, "owner_of", lambda path: os.getuid() + (path.name == "cardgen.yaml"))
    assert find_project_root(start) == (tmp_path if is_used else start)

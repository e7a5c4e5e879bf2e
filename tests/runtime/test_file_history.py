"""Changes of files: all or none, and every byte comes back."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardgen.diagnostic import CardgenError
from cardgen.runtime import atomic_write
from cardgen.runtime.file_history import FileHistory

ONE, TWO, NEW = "cards/one.yaml", "cards/two.yaml", "cards/new.yaml"
CONTENT = b"\xef\xbb\xbfkind: relic\r\nname: One\r\n"


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    root = tmp_path / "project"
    (root / "cards").mkdir(parents=True)
    (root / ONE).write_bytes(CONTENT)
    (root / TWO).write_bytes(b"name: Two\n")
    return root


def opened(root: Path) -> FileHistory:
    return FileHistory(root, lambda file: root / file)


def change(history: FileHistory) -> None:
    history.change("Changed three files", {ONE: b"name: One\r\n", TWO: None, NEW: b"name: New\n"})


def contents(root: Path) -> dict[str, bytes]:
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in (root / "cards").iterdir()}


def test_files_are_written_and_removed(root: Path) -> None:
    change(opened(root))
    assert contents(root) == {ONE: b"name: One\r\n", NEW: b"name: New\n"}


def test_undo_restores_every_byte_also_after_the_studio_was_stopped(root: Path) -> None:
    before = contents(root)
    change(opened(root))
    history = opened(root)
    (step,) = history.steps
    assert step.title == "Changed three files"
    assert sorted(history.undo(step)) == sorted((ONE, TWO, NEW))
    assert contents(root) == before
    assert (history.steps, opened(root).steps) == ((), ())
    with pytest.raises(CardgenError, match="undone already"):
        history.undo(step)


def test_changes_of_one_run_are_offered_one_after_the_other(root: Path) -> None:
    change(opened(root))
    history = opened(root)
    assert history.offered is None
    for name in (b"First", b"Second"):
        history.change(name.decode(), {ONE: name})
    history.undo(history.steps[0])
    assert history.offered == history.steps[0]
    history.undo(history.steps[0])
    assert history.offered is None


def test_a_change_of_too_many_files_is_refused(root: Path) -> None:
    with pytest.raises(CardgenError, match="more than 500 files"):
        opened(root).change("Many", {f"cards/{number}.yaml": b"x" for number in range(501)})


def test_a_file_that_has_changed_since_is_never_overwritten(root: Path) -> None:
    history = opened(root)
    change(history)
    (root / NEW).write_bytes(b"name: Mine\n")
    after = contents(root)
    with pytest.raises(CardgenError, match=f"nothing was undone, because '{NEW}' has changed since"):
        history.undo(history.steps[0])
    assert contents(root) == after


def test_a_change_that_fails_is_not_offered(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: object) -> None:
        raise OSError("no room")

    history, before = opened(root), contents(root)
    monkeypatch.setattr(atomic_write, "write_all", fail)
    with pytest.raises(OSError, match="no room"):
        change(history)
    assert (history.steps, history.offered, contents(root)) == ((), None, before)
    assert not [*history.folder.glob("*.json")]


def test_a_file_that_may_not_be_changed_is_left_alone(root: Path) -> None:
    def path_of(file: str) -> Path:
        raise ValueError(f"not {file}")

    with pytest.raises(ValueError, match="not art"):
        FileHistory(root, path_of).change("Elsewhere", {"art/one.png": b"x"})
    assert not (root / "art").exists()


def test_only_the_user_may_read_the_history(root: Path) -> None:
    history = opened(root)
    change(history)
    (path,) = history.folder.iterdir()
    assert (path.stat().st_mode & 0o777, history.folder.stat().st_mode & 0o777) == (0o600, 0o700)


def test_what_cannot_be_read_in_the_history_is_ignored(root: Path) -> None:
    history = opened(root)
    change(history)
    (path,) = history.folder.iterdir()
    path.with_name("x.json").write_text("{", encoding="utf-8")
    path.with_name("y.json").write_text(path.read_text(encoding="utf-8").replace(ONE, "../x"), encoding="utf-8")
    assert len(opened(root).steps) == 1
    assert opened(root / "cards").steps == ()


def test_a_file_that_cannot_be_removed_leaves_all_as_they_were(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before, history, unlink = contents(root), opened(root), Path.unlink

    def refuse(path: Path, missing_ok: bool = False) -> None:
        if path == root / TWO:
            raise PermissionError(13, "Permission denied")
        unlink(path, missing_ok=missing_ok)

    monkeypatch.setattr(Path, "unlink", refuse)
    with pytest.raises(CardgenError, match=r"'two\.yaml' cannot be removed"):
        change(history)
    assert contents(root) == before
    assert history.steps == opened(root).steps == ()

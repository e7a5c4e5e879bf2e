"""Changes of whole cards: all files or none, and every byte comes back."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

import pytest

from cardgen.diagnostic import CardgenError
from cardgen.runtime import atomic_write
from cardgen.studio.history import History
from cardgen.studio.page_words import TextError

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


def digest(root: Path, file: str) -> str:
    return sha256((root / file).read_bytes()).hexdigest()


def change(history: History, root: Path) -> None:
    texts = {ONE: (digest(root, ONE), "name: One\n"), TWO: (digest(root, TWO), None), NEW: ("", "name: New\n")}
    history.change("Changed three files", texts)


def contents(root: Path) -> dict[str, bytes]:
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in (root / "cards").iterdir()}


def test_files_are_written_and_removed_in_their_own_line_breaks(root: Path) -> None:
    change(History(root), root)
    assert contents(root) == {ONE: b"\xef\xbb\xbfname: One\r\n", NEW: b"name: New\n"}


def test_undo_restores_every_byte_also_after_the_studio_was_stopped(root: Path) -> None:
    before = contents(root)
    change(History(root), root)
    history = History(root)
    (step,) = history.steps
    assert step.title == "Changed three files"
    assert sorted(history.undo(step)) == sorted((ONE, TWO, NEW))
    assert contents(root) == before
    assert (history.steps, History(root).steps) == ((), ())
    with pytest.raises(TextError, match="undone already"):
        history.undo(step)


def test_a_file_that_has_changed_since_is_never_overwritten(root: Path) -> None:
    history = History(root)
    change(history, root)
    (root / NEW).write_bytes(b"name: Mine\n")
    after = contents(root)
    with pytest.raises(TextError, match=f"nothing was undone, because '{NEW}' has changed since"):
        history.undo(history.steps[0])
    assert contents(root) == after
    with pytest.raises(TextError, match="has changed in the meantime"):
        history.change("Late", {ONE: ("0" * 64, "name: Late\n")})
    with pytest.raises(TextError, match="has changed in the meantime"):
        history.change("New", {ONE: ("", "name: New\n")})
    assert contents(root) == after


def test_a_change_that_fails_is_not_offered(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: object) -> None:
        raise OSError("no room")

    history, before = History(root), contents(root)
    monkeypatch.setattr(atomic_write, "write_all", fail)
    with pytest.raises(OSError, match="no room"):
        change(history, root)
    assert (history.steps, history.offered, contents(root)) == ((), None, before)
    assert not [*history.folder.glob("*.json")]


@pytest.mark.parametrize("file", ["../one.yaml", ".hidden/one.yaml", "art/one.png", "/etc/one.yaml"])
def test_only_card_files_of_the_project_are_written(root: Path, file: str) -> None:
    with pytest.raises((TextError, CardgenError)):
        History(root).change("Elsewhere", {file: ("", "name: x\n")})
    assert not (root / file).exists()


def test_only_the_user_may_read_the_history(root: Path) -> None:
    history = History(root)
    change(history, root)
    (path,) = history.folder.iterdir()
    assert (path.stat().st_mode & 0o777, history.folder.stat().st_mode & 0o777) == (0o600, 0o700)


def test_what_cannot_be_read_in_the_history_is_ignored(root: Path) -> None:
    history = History(root)
    change(history, root)
    (path,) = history.folder.iterdir()
    path.with_name("x.json").write_text("{", encoding="utf-8")
    path.with_name("y.json").write_text(path.read_text(encoding="utf-8").replace(ONE, "../x"), encoding="utf-8")
    assert len(History(root).steps) == 1
    assert History(root / "cards").steps == ()

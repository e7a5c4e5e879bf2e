"""No path leaves the project, whatever it is made of."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardgen.deck.release_file import release_files
from cardgen.diagnostic import CardgenError
from cardgen.export.pdf import cairo
from cardgen.project import files
from cardgen.project.files import display_path
from cardgen.project.project import Project
from cardgen.runtime import atomic_write, fingerprint, regular_file, workspace
from cardgen.text import fonts
from cardgen.text.shaped_row import Drawings

PIECES = st.sampled_from(["..", ".", "art", "out", "/", "\\", "C:", "~", "a.png", "", " ", "\0", "http:", "%2e%2e"])


@pytest.fixture
def project(tmp_path: Path) -> Project:
    root = tmp_path / "project"
    (root / "cards").mkdir(parents=True)
    (root / "art").mkdir()
    (root / "art" / "a.png").touch()
    (tmp_path / "secret.png").touch()
    (root / "out").symlink_to(tmp_path)
    (root / "art" / "link.png").symlink_to(tmp_path / "secret.png")
    (root / "art" / "own.png").symlink_to(root / "art" / "a.png")
    return Project(root)


@pytest.mark.parametrize("text", ["art/a.png", "./art/a.png", "cards/../art/a.png", "art/own.png"])
def test_paths_inside(project: Project, text: str) -> None:
    assert project.resolve_inside(text) == project.root / "art" / "a.png"


def test_paths_start_at_the_cards_folder(project: Project) -> None:
    base = project.root / "cards"
    assert project.resolve_inside("../art/a.png", base) == project.root / "art" / "a.png"
    assert project.resolve_inside("new.png", base) == project.root / "cards" / "new.png"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("../secret.png", "'../secret.png' points outside the project"),
        ("art/../../secret.png", "points outside the project"),
        ("out/secret.png", "points outside the project"),
        ("art/link.png", "points outside the project"),
        ("/etc/passwd", "'/etc/passwd' is an absolute path; write a path relative to the card's folder"),
        ("//server/share", "is an absolute path"),
        ("C:/x.png", "is an absolute path"),
        ("C:x.png", "is an absolute path"),
        ("\\\\server\\share", "is an absolute path"),
        ("art\\a.png", "contains a backslash; use forward slashes"),
        ("https://example.org/a.png", "is a URL; save the file in the project and write its path"),
        ("file:///etc/passwd", "is a URL"),
        ("data:image/png;base64,AAAA", "is a URL"),
        ("a\0b", "is not a valid path"),
        ("CON.png", "'CON.png' contains 'CON.png', which is a device on Windows; rename the file"),
        ("art/nul", "contains 'nul', which is a device on Windows"),
        ("com1/a.png", "contains 'com1', which is a device on Windows"),
        ("LPT¹.png", "which is a device on Windows"),
        ("aux .png", "which is a device on Windows"),
        ("CONOUT$", "which is a device on Windows"),
        ("art/a.png:stream", "contains a colon; rename the file"),
        ("art/a.png::$DATA", "contains a colon; rename the file"),
    ],
)
def test_paths_that_are_refused(project: Project, text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        project.resolve_inside(text)


@given(st.lists(PIECES, max_size=6).flatmap(lambda pieces: st.sampled_from(["/", ""]).map(lambda by: by.join(pieces))))
def test_no_path_leaves_the_project(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    root = tmp_path_factory.getbasetemp() / "held"
    (root / "art").mkdir(parents=True, exist_ok=True)
    if not (root / "out").is_symlink():
        (root / "out").symlink_to(root.parent)
    try:
        found = Project(root).resolve_inside(text, root / "art")
    except ValueError:
        return
    assert found.is_relative_to(root.resolve())


def test_paths_are_shown_as_they_would_be_typed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert display_path(tmp_path / "cards" / "a.yaml") == "cards/a.yaml"
    assert display_path(Path("cards/../a.yaml")) == "a.yaml"
    assert display_path(tmp_path) == "."
    assert display_path(tmp_path.parent / "x.yaml") == (tmp_path.parent / "x.yaml").as_posix()
    assert display_path(Path(f"{tmp_path}-other/x.yaml")) == f"{tmp_path.as_posix()}-other/x.yaml"


@pytest.mark.skipif(sys.platform == "win32", reason="creating links needs a privilege on Windows")
def test_a_link_to_a_server_is_refused_before_anybody_asks_for_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Windows connects to a server, with the user's name, as soon as a path there is looked at."""
    (tmp_path / "real").mkdir()
    for name, target in {
        "a.png": "//server/share/a.png",
        "art": r"\\server\share",
        "unc": r"\\?\UNC\server\share",
        "nt": r"\??\UNC\server\share",
        "device": r"\\.\pipe\x",
        "way": "art/b.png",
        "loop": "loop",
        "far": "real/near",
        "real/near": "../art",
    }.items():
        (tmp_path / name).symlink_to(target)
    (tmp_path / "local").symlink_to(r"\\?\C:\art")
    (tmp_path / "to-real").symlink_to("real")
    asked, realpath, is_symlink = set[str](), os.path.realpath, Path.is_symlink

    def ask(path: Path, **given: bool) -> str:
        asked.add(str(path))
        return realpath(path, **given)

    def look(path: Path) -> bool:
        assert "share" not in realpath(path.parent), "Windows would connect"
        return is_symlink(path)

    monkeypatch.setattr(regular_file, "_CONNECTS", True)
    monkeypatch.setattr(os.path, "realpath", ask)
    monkeypatch.setattr(Path, "is_symlink", look)
    for name in ("a.png", "art", "art/b.png", "unc/x", "nt", "device", "way", "far/d.png", "loop"):
        with pytest.raises(ValueError, match="points outside the project"):
            files.resolve_inside(tmp_path, name, tmp_path)
        with pytest.raises(CardgenError, match="the link points outside the project"):
            files.require_inside(tmp_path, tmp_path / name, name)
    assert asked == {str(tmp_path)}
    for name in ("local", "to-real/c.png"):
        files.resolve_inside(tmp_path, name, tmp_path)
    assert str(tmp_path / "local") in asked


@pytest.mark.skipif(sys.platform == "win32", reason="creating links needs a privilege on Windows")
def test_nothing_is_written_or_found_behind_a_link_to_a_server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "cardgen.yaml").write_text("game: ash\n", encoding="utf-8")
    (tmp_path / "output").symlink_to("//server/share")
    (tmp_path / "games" / "ash").mkdir(parents=True)
    (tmp_path / "games" / "ash" / "game.yaml").symlink_to("//server/share/game.yaml")
    templates = tmp_path / "templates"
    (templates / "ash").mkdir(parents=True)
    (templates / "ash" / "far.svg.j2").symlink_to("//server/share/far.svg.j2")
    near = templates / "ash" / "near.svg.j2"
    near.write_text(
        '{% include "ash/far.svg.j2" %}{% include "//server/share/a" %}{% include "ash/other.svg.j2" %}', "utf-8"
    )
    (templates / "ash" / "other.svg.j2").touch()
    for name in ("fonts/a.ttf", "fonts/a.woff2", "icons/a.svg", "releases/v1.yaml"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).symlink_to("//server/share/x")
    realpath, status = os.path.realpath, Path.stat

    def ask(path: Path, **given: bool) -> str:
        found = realpath(path, **given)
        assert "share" not in found, "Windows would connect"
        return found

    def look(path: Path, **given: bool) -> os.stat_result:
        assert "share" not in realpath(path if given.get("follow_symlinks", True) else path.parent), "so it would here"
        return status(path, **given)

    monkeypatch.setattr(regular_file, "_CONNECTS", True)
    monkeypatch.setattr(os.path, "realpath", ask)
    monkeypatch.setattr(Path, "stat", look)
    with pytest.raises(CardgenError, match="points outside the project"):
        atomic_write.write(tmp_path / "output" / "a.pdf", b"")
    with pytest.raises(CardgenError, match="points outside the project"):
        atomic_write.write_all({tmp_path / "output" / "a.yaml": b""})
    (tmp_path / "cards").mkdir()
    (tmp_path / "cards" / "far.yaml").symlink_to(f"/{tmp_path}/fonts")  # It looks like a server.
    with pytest.raises(CardgenError, match="points outside the project"):
        files.find_card_files(tmp_path, ())
    assert not workspace.find_games(tmp_path)
    assert not fonts._font_paths(tmp_path / "fonts")
    assert not fonts.unread_files(tmp_path / "fonts")
    assert Drawings([tmp_path / "icons"]).path("a") is None
    assert not release_files(tmp_path)
    assert [file.name for file in cairo._with_imports(near)] == ["near.svg.j2", "other.svg.j2"]


@pytest.mark.parametrize("folder", [".git", ".git/x", "__pycache__", "art/__pycache__", ".cache", "env", "env/lib"])
def test_no_file_is_named_where_nobody_looks_for_changes(tmp_path: Path, folder: str) -> None:
    """Otherwise, what was found in a file would be remembered when it has changed, or is gone."""
    (tmp_path / folder).mkdir(parents=True)
    (tmp_path / folder / "a.png").touch()
    for marker in (".cache/CACHEDIR.TAG", "env/pyvenv.cfg"):
        if (tmp_path / marker).parent.is_dir():
            (tmp_path / marker).touch()
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "near").symlink_to(tmp_path / folder)
    for name in (f"{folder}/a.png", f"{folder}/b/c.png", "a/near/a.png"):
        with pytest.raises(ValueError, match="which is a repository, a cache, or an environment; move the file"):
            files.resolve_inside(tmp_path, name, tmp_path)
    watched = [path for path, _ in fingerprint.project_statuses(tmp_path)]
    assert not any(path.endswith("a.png") for path in watched)


@pytest.mark.parametrize("name", ["", ".", "a.png", ".drafts/a.png", "a/.b/c.png", "gits/a.png"])
def test_other_hidden_files_can_be_named(tmp_path: Path, name: str) -> None:
    (tmp_path / "pyvenv.cfg").touch()  # of the project itself
    assert files.resolve_inside(tmp_path, name, tmp_path) == (tmp_path / name).resolve()

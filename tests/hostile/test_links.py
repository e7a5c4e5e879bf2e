"""Links that lead out of the project are refused wherever one may lie, and nothing of their target is shown."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from tests.cli.commands import Program
from tests.projects import MINION, Folder

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="creating links needs a privilege on Windows")

SECRET = "password: hunter2\nlines: [\n"


@pytest.fixture
def cardgen(folder: Folder, capsys: pytest.CaptureFixture[str]) -> Program:
    folder.plain().write("cards/a.yaml", MINION)
    return Program(capsys)


def link(folder: Folder, name: str, *, content: str = SECRET, inner: str = "", place: str = "../elsewhere") -> Path:
    """Make `name` a link out of the project: to a file with this content, or to the folder of the file `inner`."""
    target = folder.root / place
    target.mkdir(exist_ok=True)
    file = target / (inner or "secret.yaml")
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(content, encoding="utf-8")
    path = folder.root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.is_dir() and not path.is_symlink():
        path.rename(folder.root.parent / "moved")
    path.unlink(missing_ok=True)
    path.symlink_to(target if inner else file)
    return file


THEME = "colours: {ink: 5}\n"
SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><path d="M0 0h1v1z"/></svg>'
USES_ICON = "<svg xmlns='http://www.w3.org/2000/svg'>{{ icon('bomb', 5, 5, 5) }}</svg>"


@pytest.mark.parametrize("place", ["../elsewhere", ".git"])
@pytest.mark.parametrize(
    ("name", "inner", "command"),
    [
        ("cardgen.yaml", "", "build"),
        ("cardgen.yaml", "", "check"),
        ("cardgen.yaml", "", "list"),
        ("cardgen.yaml", "", "reference"),
        ("cards", "secret.yaml", "build"),
        ("cards", "secret.yaml", "check"),
        ("cards/sub/b.yaml", "", "check"),
        ("templates", "warniris/minion.svg.j2", "build"),
        ("templates/warniris", "minion.svg.j2", "build"),
        ("templates/warniris/minion.svg.j2", "", "build"),
        ("templates/warniris", "theme.yaml", "build"),
        ("templates/warniris/theme.yaml", "", "build"),
        ("sheets", "secret.yaml", "reference"),
        ("sheets/own.yaml", "", "reference"),
        ("fonts", "secret.ttf", "build"),
        ("icons", "bomb.svg", "build"),
        ("charges", "bomb.svg", "build"),
        ("sprues", "secret.yaml", "list --sprues"),
        ("sprues/own.yaml", "", "list --sprues"),
    ],
)
def test_a_link_out_of_the_project_is_refused(
    folder: Folder, cardgen: Program, name: str, inner: str, command: str, place: str
) -> None:
    """A repository has secrets of its own, such as passwords in the addresses of others."""
    if name == "icons":
        folder.write("templates/warniris/minion.svg.j2", USES_ICON)
    link(folder, name, inner=inner, place=place)
    outcome = cardgen(*command.split())
    assert outcome.code == 1
    assert "points outside" in outcome.out + outcome.err
    assert "hunter2" not in outcome.out + outcome.err
    assert "Traceback" not in outcome.err


@pytest.mark.parametrize(
    ("name", "command"),
    [
        *(
            ("captions/de.txt", command)
            for command in ("build --backs none --json", "reference --format html", "show gull")
        ),
        *(
            ("data/gulls.de.yaml", command)
            for command in ("check", "list", "release v1", "translate status de", "translate export de")
        ),
        ("data/gulls.de.yaml", "translate accept de"),
    ],
)
def test_words_in_other_languages_are_not_read_behind_a_link(
    folder: Folder, cardgen: Program, name: str, command: str
) -> None:
    """Their files are found by the names of languages and tables, and named by nobody."""
    folder.write("cardgen.yaml", "language: en\nlanguages: [de]\ntables: {data/gulls.csv: {kind: minion}}\n")
    folder.write("data/gulls.csv", "name,stats.M,stats.B,stats.S,stats.W,stats.Mo\nGull,2,2,2,1,10\n")
    secret = link(folder, name, content="translations: {gull: {name: hunter2}}\n" if "data" in name else SECRET)
    has_option = not command.startswith(("check", "translate", "release"))
    outcome = cardgen(*command.split(), *(["--language", "de"] if has_option else []))
    files = (path for path in folder.root.rglob("*") if path.is_file() and path.resolve() != secret.resolve())
    assert "hunter2" not in "".join((outcome.out, outcome.err, *(path.read_text("utf-8", "replace") for path in files)))
    assert (folder.root / name).is_symlink()
    if command != "release v1":
        assert f"{name}: " in outcome.out + outcome.err
        assert "the link points outside the project" in outcome.out + outcome.err


def test_a_folder_of_sheets_of_a_game_outside_the_project_is_not_listed(folder: Folder, cardgen: Program) -> None:
    folder.write("games/ember/game.yaml", "game: ember\nname: Ember\nprefix: EM\nkinds: {brave: {}}\n")
    link(folder, "games/ember/sheets", inner="hunter2.yaml")
    outcome = cardgen("reference", "--game", "ember")
    assert outcome.code == 1
    assert "games/ember/sheets: error[CG023]: the link points outside the project" in outcome.err
    assert "hunter2" not in outcome.out + outcome.err


@pytest.mark.parametrize("command", ["check", "build", "list", "show secret"])
@pytest.mark.parametrize(("name", "inner"), [("cards/link.yaml", ""), ("more", "secret.yaml")])
def test_files_named_on_the_command_line_are_no_exception(
    folder: Folder, cardgen: Program, command: str, name: str, inner: str
) -> None:
    link(folder, name, inner=inner)
    given = [name] if "show" not in command else ["--cards", name]
    outcome = cardgen(*command.split(), *given)
    assert outcome.code in (1, 2)
    assert "hunter2" not in outcome.out + outcome.err
    if "show" not in command:
        assert "points outside the project" in outcome.out + outcome.err


@pytest.mark.parametrize(
    "command", ["build", "reference", "calibrate", "build --format png", "show a --output output/a.png"]
)
def test_the_output_folder_stays_inside(folder: Folder, cardgen: Program, command: str) -> None:
    (folder.root.parent / "elsewhere").mkdir()
    (folder.root / "output").symlink_to(folder.root.parent / "elsewhere")
    outcome = cardgen(*command.split())
    assert outcome.code in (1, 2), outcome
    assert list((folder.root.parent / "elsewhere").iterdir()) == []


def test_a_folder_inside_the_output_stays_inside_too(folder: Folder, cardgen: Program) -> None:
    outcome = cardgen("build", "--format", "png")
    assert outcome.code == 0
    inner = next(path for path in (folder.root / "output").iterdir() if path.is_dir())
    elsewhere = folder.root.parent / "elsewhere"
    inner.rename(elsewhere)
    before = sorted(elsewhere.iterdir())
    inner.symlink_to(elsewhere)
    outcome = cardgen("build", "--format", "png", "--no-cache", "--dpi", "72")
    assert outcome.code == 1
    assert "points outside" in outcome.err
    assert sorted(elsewhere.iterdir()) == before


def test_an_output_folder_that_the_user_names_may_be_anywhere(folder: Folder, cardgen: Program, tmp_path: Path) -> None:
    assert cardgen("build", "-o", str(tmp_path / "there")).code == 0
    assert list((tmp_path / "there").iterdir())


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names")
@pytest.mark.parametrize("name", ["cardgen.yaml", "cards/b.yaml", "templates/warniris/minion.svg.j2", "sheets/a.yaml"])
def test_a_pipe_in_place_of_a_file_does_not_block(folder: Folder, cardgen: Program, name: str) -> None:
    path = folder.root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    os.mkfifo(path)
    outcome = cardgen("reference" if "sheets" in name else "build")
    assert "Traceback" not in outcome.err
    if outcome.code:
        assert "not a regular file" in outcome.err or "no" in outcome.err


@pytest.mark.parametrize("command", ["check", "preflight --service drivethru", "translate import"])
@pytest.mark.parametrize("has_settings", [True, False])
def test_links_are_those_of_the_file_s_own_project_wherever_a_command_is_run(
    folder: Folder, cardgen: Program, monkeypatch: pytest.MonkeyPatch, command: str, *, has_settings: bool
) -> None:
    """In a home folder without settings, a stranger's project below it has nothing to do with the rest."""
    link(folder, "own.yaml")
    if has_settings:
        folder.write("cardgen.yaml", "language: en\n")
    monkeypatch.chdir(folder.root.parent)
    outcome = cardgen(*command.split(), f"{folder.root.name}/own.yaml")
    assert outcome.code in (1, 2)
    assert "points outside" in outcome.out + outcome.err
    assert "hunter2" not in outcome.out + outcome.err

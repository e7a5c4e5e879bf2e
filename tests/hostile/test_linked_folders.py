"""Links that lead out of the project: those of its folders, of its output, and to other projects."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import cardgen
from cardgen.project.project import Project
from cardgen.project_checks.services import TemplateSources
from tests.cli.commands import Program
from tests.projects import MINION, Folder


@pytest.mark.skipif(sys.platform == "win32", reason="creating links needs a privilege on Windows")
@pytest.mark.parametrize("arguments", [("--help",), ("mine", "--help")])
def test_a_folder_of_profiles_outside_the_project_is_not_read(
    folder: Folder, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...]
) -> None:
    outside = folder.root.parent / "outside-profiles"
    outside.mkdir()
    (outside / "mine.yaml").write_text("target: press\ntitle: Hunter Two\n", encoding="utf-8")
    (folder.root / "services").symlink_to(outside)
    outcome = Program(capsys)("export", *arguments)
    assert "Hunter Two" not in outcome.out + outcome.err
    assert "the link points outside the project" in Program(capsys)("export", "mine").err


@pytest.mark.skipif(sys.platform == "win32", reason="creating links needs a privilege on Windows")
def test_sources_of_a_game_exclude_links_out_of_the_project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "cardgen.yaml").write_text("", encoding="utf-8")
    secret = tmp_path.parent / "secret.svg.j2"
    secret.write_text("<svg>hunter2</svg>", encoding="utf-8")
    own = tmp_path / "templates" / "warniris"
    own.mkdir(parents=True)
    (own / "a.svg.j2").symlink_to(secret)
    (own / "b.svg.j2").write_text("<svg>mine</svg>", encoding="utf-8")
    sources = TemplateSources(Project.find()).of_game("warniris")
    assert "mine" in sources
    assert "hunter2" not in sources


@pytest.mark.skipif(sys.platform == "win32", reason="creating links needs a privilege on Windows")
def test_files_of_a_folder_of_templates_outside_the_project_are_not_listed(
    folder: Folder, capsys: pytest.CaptureFixture[str]
) -> None:
    """A template that loads another one of a computed name may load any."""
    folder.plain().write("cards/a.yaml", MINION)
    path = folder.root / "templates/warniris/minion.svg.j2"
    load = "{% include 'warniris/no' ~ 'thing.svg.j2' ignore missing %}</svg>"
    path.write_text(path.read_text("utf-8").replace("</svg>", load), encoding="utf-8")
    outside = folder.root.parent / "outside-templates"
    outside.mkdir()
    (outside / "hunter2.svg").write_text("<svg/>", encoding="utf-8")
    (folder.root / "templates" / "mine").symlink_to(outside)
    outcome = Program(capsys)("release", "v1")
    assert outcome.code == 0, outcome
    assert "hunter2" not in outcome.out + outcome.err


def neighbor(folder: Folder) -> Path:
    """Another project of the user, beside the hostile one."""
    place = folder.root.parent / "own"
    (place / "cards").mkdir(parents=True)
    (place / "cardgen.yaml").write_text("game: warniris\n", encoding="utf-8")
    (place / "cards" / "a.yaml").write_text(MINION.replace("name: ", "name: Hunter Two "), encoding="utf-8")
    return place


@pytest.mark.skipif(sys.platform == "win32", reason="creating links needs a privilege on Windows")
@pytest.mark.parametrize("has_settings", [True, False])
@pytest.mark.parametrize("path", ["cards/link", "cards/link/cards", "cards/link/cards/a.yaml"])
def test_a_link_to_another_project_is_not_followed(
    folder: Folder, capsys: pytest.CaptureFixture[str], path: str, has_settings: bool
) -> None:
    own = neighbor(folder)
    folder.plain().write("cards/b.yaml", MINION)
    if has_settings:
        folder.write("cardgen.yaml", "game: warniris\n")
    (folder.root / "cards" / "link").symlink_to(own)
    for command in ("list", "check", "build"):
        outcome = Program(capsys)(command, path)
        assert outcome.code == 1
        assert "the link points outside the project" in outcome.err + outcome.out
        assert "Hunter Two" not in outcome.out + outcome.err
    assert "the link points outside the project" in str(cardgen.check(path))
    assert sorted(each.name for each in own.iterdir()) == ["cardgen.yaml", "cards"]


@pytest.mark.skipif(sys.platform == "win32", reason="creating links needs a privilege on Windows")
@pytest.mark.parametrize("has_settings", [True, False])
@pytest.mark.parametrize("output", [(), ("-o", "output/deep/er")])
def test_no_output_goes_to_another_project_through_a_link(
    folder: Folder, capsys: pytest.CaptureFixture[str], output: tuple[str, ...], has_settings: bool
) -> None:
    own = neighbor(folder)
    folder.plain().write("cards/b.yaml", MINION)
    if has_settings:
        folder.write("cardgen.yaml", "game: warniris\n")
    (folder.root / "output").symlink_to(own)
    outcome = Program(capsys)("build", *output)
    assert outcome.code == 1
    assert "points outside the project" in outcome.err
    assert sorted(each.name for each in own.iterdir()) == ["cardgen.yaml", "cards"]


@pytest.mark.skipif(sys.platform == "win32", reason="creating links needs a privilege on Windows")
def test_a_link_within_a_project_leads_to_the_project_in_it(folder: Folder, capsys: pytest.CaptureFixture[str]) -> None:
    own = neighbor(folder)
    own.rename(folder.root / "own")
    (folder.root / "link").symlink_to("own")
    assert "Hunter Two" in Program(capsys)("list", "link").out


LINKED = (
    "cards", "templates", "fonts", "icons", "games", "captions", "sheets", "sprues", "art", "services", "releases",
    "charges", "templates/warniris", "templates/shared", "games/ember", "art/backs"
)  # fmt: skip
# What a program lists or opens, by the events of Python's audits; `stat` has none.
WATCH = """
import os, sys
def note(event, arguments):
    if event in ("os.scandir", "os.listdir", "open") and isinstance(arguments[0], (str, bytes, os.PathLike)):
        if "outside-here" in os.path.realpath(os.fsdecode(arguments[0])):
            os.write(1, b"REACHED %s %s\\n" % (event.encode(), os.fsencode(arguments[0])))
sys.addaudithook(note)
from cardgen.cli import run
for command in sys.argv[1:]:
    run(command.split())
"""


@pytest.mark.skipif(sys.platform == "win32", reason="creating links needs a privilege on Windows")
@pytest.mark.parametrize("name", LINKED)
def test_a_folder_that_is_a_link_is_not_even_listed(folder: Folder, name: str) -> None:
    outside = folder.root.parent / "outside-here"
    (outside / "ember" / "templates").mkdir(parents=True)
    (outside / "ember" / "game.yaml").write_text("game: ember\nname: Ember\nprefix: EM\n", encoding="utf-8")
    folder.plain().write("cardgen.yaml", "game: warniris\n")
    if name != "cards":
        folder.write("cards/b.yaml", MINION)
    shutil.rmtree(folder.root / name, ignore_errors=True)
    (folder.root / name).parent.mkdir(exist_ok=True)
    (folder.root / name).symlink_to(outside)
    commands = (
        "list", "check", "build", "build --language de", "release v1", "diff v1", "reference", "export --help", "doctor"
    )  # fmt: skip
    done = subprocess.run(
        [sys.executable, "-c", WATCH, *commands], cwd=folder.root, capture_output=True, text=True, check=False
    )
    assert "REACHED" not in done.stdout

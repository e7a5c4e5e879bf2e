"""Links that lead out of the project: those of its folders, of its output, and to other projects."""

from __future__ import annotations

import json
import os
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
@pytest.mark.parametrize("target", ["cards", "own"])
@pytest.mark.parametrize(
    ("command", "link"),
    [
        ("build --format png", "output/warniris-minion"),
        ("build --format png -o dist", "dist/warniris-minion"),
        ("build --language de", "output/de"),
        ("build --language de -o dist", "dist/de"),
        ("export tts --language de -o dist", "dist/de"),
        ("export tts", "output/tts-selection"),
        ("export tts -o dist", "dist/images"),
    ],
)
def test_no_output_goes_to_another_folder_of_the_project_through_a_link(
    folder: Folder, capsys: pytest.CaptureFixture[str], command: str, link: str, target: str
) -> None:
    neighbor(folder).rename(folder.root / "own")
    folder.plain().write("cards/b.yaml", MINION)
    folder.write("cardgen.yaml", "game: warniris\nlanguages: [de]\n")
    path = folder.root / link
    path.parent.mkdir()
    path.symlink_to(folder.root / target)
    before = sorted((folder.root / target).iterdir())
    outcome = Program(capsys)(*command.split(), "cards/b.yaml")
    assert outcome.code == 1, outcome
    assert link in outcome.err
    assert "points outside the output folder" in outcome.err
    assert sorted((folder.root / target).iterdir()) == before


@pytest.mark.skipif(sys.platform == "win32", reason="creating links needs a privilege on Windows")
def test_a_link_within_a_project_leads_to_the_project_in_it(folder: Folder, capsys: pytest.CaptureFixture[str]) -> None:
    own = neighbor(folder)
    own.rename(folder.root / "own")
    (folder.root / "link").symlink_to("own")
    assert "Hunter Two" in Program(capsys)("list", "link").out


@pytest.mark.skipif(sys.platform == "win32", reason="creating links needs a privilege on Windows")
def test_a_link_that_is_checked_is_not_searched(folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    folder.plain().write("cards/b.yaml", MINION)
    outside = folder.root.parent / "outside"
    (outside / "sub").mkdir(parents=True)
    (folder.root / "cards" / "link").symlink_to(outside)
    list_folder = os.scandir

    def watch(path: str | Path = ".") -> object:
        assert not os.path.realpath(path).startswith(str(outside))
        return list_folder(path)

    monkeypatch.setattr(os, "scandir", watch)
    for name in ("cards/link", "cards/link/sub"):
        assert "the link points outside the project" in str(cardgen.check(name))


LINKED = (
    ("cards", "templates", "fonts", "icons", "games", "captions"),
    ("sheets", "sprues", "art", "services", "releases", "releases/v1.md", "charges", "data"),
    ("templates/warniris", "templates/shared", "templates/mine", "games/ember", "games/ember/templates", "art/backs"),
    ("icons/pkg", "icons/bomb.svg", "icons/own.json", "fonts/own.ttf", "sprues/own.yaml", "templates/warniris/icons"),
    ("templates/warniris/minion.svg.j2", "templates/warniris/theme.yaml", "templates/warniris/theme.dark.yaml"),
    ("captions/de.txt", "data/gulls.csv", "data/gulls.de.yaml", "cards/c.yaml", "cards/c.de.yaml", "cards/far"),
    ("cardgen.yaml", "games/ember/game.yaml", "releases/v0.yaml", "sheets/own.yaml", "sheets/own.de.yaml"),
)  # fmt: skip
COMMANDS = (
    "list", "check", "check games/ember", "build", "build --language de", "release v1", "diff v1", "export --help",
    "reference --language de", "doctor", "new template minion", "new template brave --game ember", "list --sprues",
    "show b -o b.png", "translate status", "release v0",
)  # fmt: skip
# What a program looks at, as on Windows, which connects to a server as soon as a program looks at a path there.
WATCH = """
import json, os, shutil, sys
from pathlib import Path
from cardgen.cli import run
from cardgen.runtime import fingerprint, regular_file

def watch(name):
    call = getattr(os, name)
    def watched(path=".", *given, **named):
        text = os.fsdecode(path) if isinstance(path, (str, bytes, os.PathLike)) else ""
        full = os.path.abspath(text)
        follows = name != "lstat" and named.get("follow_symlinks", True)
        if "outside-here" in text or full.startswith(f"{link}/") or (full == link and follows):
            os.write(1, f"REACHED {link}: {name} of {text} by {command}\\n".encode())
        return call(path, *given, **named)
    setattr(os, name, watched)

root, links = Path.cwd(), json.loads(sys.argv[1])
link = command = "-"
for name in ("stat", "lstat", "listdir", "scandir", "open"):
    watch(name)
regular_file._CONNECTS = True
fingerprint._status = lambda entry: os.stat(entry.path, follow_symlinks=False)
for number, name in enumerate(links):
    place = root.parent / f"project-{number}"
    shutil.copytree(root, place)
    path = place / name
    link = command = "-"
    shutil.rmtree(path, ignore_errors=True)
    path.unlink(missing_ok=True)
    path.parent.mkdir(parents=True, exist_ok=True)
    target = root.parent / "outside-here"
    path.symlink_to(f"/{target}" if not path.suffix else f"/{target}/CANARY{path.suffix}")
    os.chdir(place)
    link = str(path)
    for command in json.loads(sys.argv[2]):
        if any(each.startswith(name) for each in command.split()):
            continue  # The user has named it, and click asks whether it exists.
        assert run(command.split()) in (0, 1, 2), (name, command)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="creating links needs a privilege on Windows")
@pytest.mark.parametrize("names", LINKED, ids=lambda names: names[0])
def test_nothing_behind_a_link_is_even_looked_at(folder: Folder, names: tuple[str, ...]) -> None:
    outside = folder.root.parent / "outside-here"
    (outside / "ember" / "templates").mkdir(parents=True)
    game = "game: ember\nname: Ember\nprefix: EM\nkinds: {brave: {}}\n"
    drawing = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M1 1h5v5z"/></svg>'
    for name in ("ember/game.yaml", "CANARY.yaml", "CANARY.txt", "CANARY.csv", "CANARY.svg", "CANARY.j2", "icons.json"):
        (outside / name).write_text(game, encoding="utf-8")
    folder.plain().write("cardgen.yaml", "language: en\nlanguages: [de]\ntables: {data/gulls.csv: {kind: minion}}\n")
    folder.write("data/gulls.csv", "name,stats.M,stats.B,stats.S,stats.W,stats.Mo\nGull,2,2,2,1,10\n")
    folder.write("games/ember/game.yaml", game)
    folder.write("icons/near.svg", drawing)
    folder.write("cards/b.yaml", MINION.replace("name: ", "name: B\n# ") + "text: 'Gain {near} and {pkg:axe}.'\n")
    folder.write("sheets/own.yaml", "title: T\nsections: [{section: A, content: ['{near}']}]\n")
    given = (json.dumps(names), json.dumps(COMMANDS))
    done = subprocess.run(
        [sys.executable, "-c", WATCH, *given], cwd=folder.root, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-2000:]
    assert "REACHED" not in done.stdout, [each for each in done.stdout.split("\n") if "REACHED" in each]

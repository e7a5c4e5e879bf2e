"""Links that lead profiles of services and sources of templates out of the project."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from cardgen.pipeline.check.template_sources import TemplateSources
from cardgen.project import Project
from tests.cli.commands import Program
from tests.pipeline.projects import Folder


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

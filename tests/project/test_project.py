from __future__ import annotations

import os
from pathlib import Path

import pytest

from cardgen.diagnostic import CardgenError
from cardgen.project.files import built_in_folder
from cardgen.project.project import Project


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_settings_are_looked_for_upward(root: Path) -> None:
    (root / "cardgen.yaml").write_text("game: warcry\n", encoding="utf-8")
    below = root / "cards" / "deep"
    below.mkdir(parents=True)
    project = Project.find(below)
    assert (project.root, project.settings.game) == (root, "warcry")


def test_the_nearest_settings_count(root: Path) -> None:
    (root / "cardgen.yaml").write_text("game: warcry\n", encoding="utf-8")
    (root / "inner").mkdir()
    (root / "inner" / "cardgen.yaml").write_text("gap: 1mm\n", encoding="utf-8")
    project = Project.find(root / "inner")
    assert (project.root, project.settings.game, project.settings.gap) == (root / "inner", None, 1)


def test_without_settings_the_folder_is_the_project(root: Path) -> None:
    project = Project.find()
    assert (project.root, project.document) == (root, None)
    assert str(project.place(("game",))) == "."


def test_a_folder_called_like_the_settings_is_none(root: Path) -> None:
    (root / "cardgen.yaml").mkdir()
    assert Project.find(root).document is None


def test_settings_that_are_no_file_are_reported(root: Path) -> None:
    path = root / "cardgen.yaml"
    path.symlink_to(path)
    with pytest.raises(CardgenError, match="the link points to itself"):
        Project.find(root)
    path.unlink()
    os.mkfifo(path)
    with pytest.raises(CardgenError, match="not a regular file"):
        Project.find(root)


def test_settings_know_their_places(root: Path) -> None:
    (root / "cardgen.yaml").write_text("sizes:\n  relic: poker\n", encoding="utf-8")
    project = Project.find()
    assert str(project.place(("sizes", "relic"))) == "cardgen.yaml:2:10"
    assert str(project.place(("game",))) == "cardgen.yaml:1:1"


def test_own_folders_come_before_the_built_in_ones(root: Path) -> None:
    project = Project(root)
    assert project.folders("templates") == (built_in_folder("templates"),)
    assert project.folders("fonts") == ()
    (root / "templates").mkdir()
    (root / "fonts").mkdir()
    assert project.folders("templates") == (root / "templates", built_in_folder("templates"))
    assert project.folders("fonts") == (root / "fonts",)


def test_the_programs_own_project_has_no_folder_twice() -> None:
    assert Project(built_in_folder("cards").parent).folders("cards") == (built_in_folder("cards"),)


def test_what_is_built_in_is_there() -> None:
    assert (built_in_folder("cards") / "warniris").is_dir()
    assert (built_in_folder("templates") / "warniris").is_dir()

"""The studio announces the files that new projects and games then have."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardgen.editor.session import Session
from cardgen.studio.engine.starter import Starter
from cardgen.studio.studio import NewFile, game_files, project_files


def _written(root: Path) -> set[str]:
    return {path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file()}


def _agree(announced: tuple[NewFile, ...], written: set[str]) -> bool:
    """Return whether each file is announced, by itself or by its folder, and the other way round."""
    paths = tuple(each.path for each in announced)

    def is_at(name: str, path: str) -> bool:
        return name == path or (path.endswith("/") and name.startswith(path))

    return all(any(is_at(name, path) for path in paths) for name in written) and all(
        any(is_at(name, path) for name in written) for path in paths
    )


@pytest.fixture
def starter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Starter:
    monkeypatch.chdir(tmp_path)
    return Starter(Session(tmp_path))


@pytest.mark.parametrize(("sample", "own_game"), [(True, ""), (False, "Ember Field")])
def test_a_project_has_the_files_that_were_announced(
    starter: Starter, tmp_path: Path, sample: bool, own_game: str
) -> None:
    folder = Path(starter.new_project(str(tmp_path), "night", "warcry", sample=sample, own_game=own_game))
    assert _agree(project_files("Warcry", sample=sample, own_game=own_game), _written(folder))


def test_a_game_has_the_files_that_were_announced(starter: Starter, tmp_path: Path) -> None:
    (tmp_path / "cardgen.yaml").write_text("game: warcry\n", encoding="utf-8")
    before = _written(tmp_path)
    starter.new_game("Ember")
    assert _agree(game_files("Ember"), _written(tmp_path) - before)


def test_a_game_without_a_name_has_no_folder_yet() -> None:
    assert game_files("")[0].path == "games/NAME/game.yaml"

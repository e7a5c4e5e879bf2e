"""The templates of the program as the start of one's own: a copy in a project has no mistakes."""

from __future__ import annotations

import shutil

import pytest

from cardgen.diagnostic import Severity
from cardgen.project_checks.run import CheckRequest, check_project
from tests.projects import Folder
from tests.templates.sitters import KIT

ROOT = KIT.parent.parent


@pytest.mark.share(2)
@pytest.mark.parametrize("game", sorted(each.name for each in KIT.parent.iterdir() if each.is_dir()))
def test_a_copy_of_the_templates_of_a_game_has_no_mistakes(game: str, folder: Folder) -> None:
    for name in (game, "shared"):
        shutil.copytree(ROOT / "templates" / name, folder.root / "templates" / name, dirs_exist_ok=True)
    shutil.copytree(ROOT / "cards" / game, folder.root / "cards", dirs_exist_ok=True)
    folder.write("cardgen.yaml", f"game: {game}\n")
    found = check_project(CheckRequest(fit=True)).findings
    assert [str(each.diagnostic) for each in found if each.diagnostic.severity is not Severity.NOTE] == []

"""What the program prints on the cards of all games fits in every language that it knows: `make proofs` takes all."""

from __future__ import annotations

import shutil
from importlib.resources import files
from pathlib import Path

import pytest

from cardgen.project_checks.run import CheckRequest, check_project
from cardgen.rulesets.ruleset import games
from cardgen.runtime.workspace import Workspace

ROOT = Path(__file__).parents[2]
LANGUAGES = sorted(each.name.removesuffix(".txt") for each in files("cardgen").joinpath("captions").iterdir())
PRINTED = [(game, language) for game in games() for language in LANGUAGES if "." not in language]
# The mottos and names of the kits are English, and sentences of most games, too.
OF_TEXTS = {"CG141", "CG210"}
assert len(PRINTED) >= 20


@pytest.mark.share(len(PRINTED))
@pytest.mark.parametrize(("game", "language"), PRINTED)
def test_captions_fit_in_every_language(tmp_path: Path, game: str, language: str) -> None:
    shutil.copytree(ROOT / "cards" / game, tmp_path / "cards")
    (tmp_path / "cardgen.yaml").write_text(f"game: {game}\nlanguage: {language}\n", encoding="utf-8")
    found = check_project(CheckRequest(fit=True, workspace=Workspace(tmp_path))).findings
    assert [str(each.diagnostic) for each in found if each.check.code not in OF_TEXTS] == []

"""The page about Diskwars: its listings build, and it names every key."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from cardgen.builds.builder import build
from cardgen.print.request import BuildRequest
from cardgen.project_checks.run import CheckRequest, check_project
from cardgen.rulesets.ruleset import ruleset

PAGE = (Path(__file__).parent.parent.parent / "docs" / "diskwars.md").read_text(encoding="utf-8")
KINDS = ruleset("diskwars").kinds  # type: ignore[union-attr]
COMMON = set(KINDS["scenario"].model.model_fields) & set(KINDS["deployment"].model.model_fields) - {"ability"}


def test_its_listings_check_clean_and_build(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, text in re.findall(r"```yaml (\S+)\n(.*?)```", PAGE, re.DOTALL):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert [str(each.diagnostic) for each in check_project(CheckRequest()).findings] == []
    built = build(BuildRequest(warband="The Fen Watch"))
    assert {path.name for path in built.files} >= {"the-fen-watch-disks-a4.pdf"}

"""Texts of cards that could reorder what a terminal shows."""

from __future__ import annotations

import pytest

from tests.cli.commands import Program
from tests.pipeline.projects import MINION, Folder


def test_a_list_shows_names_with_escapes(folder: Folder, capsys: pytest.CaptureFixture[str]) -> None:
    folder.plain().write("cards/a.yaml", MINION.replace("Sentinel", "Sen\u202etinel"))
    out = Program(capsys)("list").out
    assert "\u202e" not in out
    assert "Sen\\u202etinel  cards/a.yaml" in out

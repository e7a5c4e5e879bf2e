from __future__ import annotations

import sys
from pathlib import Path

import pytest

DOCS = Path(__file__).parent.parent.parent / "docs"


def test_the_page_says_what_the_commands_say(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", [str(DOCS), *sys.path])
    import commands

    text = (DOCS / "commands.md").read_text(encoding="utf-8")
    assert commands.page().count("\n## cardgen ") >= 6
    assert text == commands.page(), "docs/commands.md is stale; write it anew with: make docs"

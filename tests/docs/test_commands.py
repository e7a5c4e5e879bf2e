from __future__ import annotations

import runpy
from pathlib import Path

DOCS = Path(__file__).parent.parent.parent / "docs"


def test_the_page_says_what_the_commands_say() -> None:
    page = runpy.run_path(str(DOCS / "commands.py"))["page"]()
    assert page.count("\n## cardgen ") >= 6
    text = (DOCS / "commands.md").read_text(encoding="utf-8")
    assert text == page, "docs/commands.md is stale; write it anew with: make docs"

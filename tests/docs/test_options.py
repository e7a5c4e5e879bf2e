"""What follows from the table of options is up to date in sources and pages."""

from __future__ import annotations

import runpy
from pathlib import Path

from cardgen.options import OPTIONS
from cardgen.project.project import Settings

ROOT = Path(__file__).parent.parent.parent


def test_files_say_what_the_table_says() -> None:
    texts = dict(runpy.run_path(str(ROOT / "docs" / "options.py"))["texts"]())
    assert len(texts) == 2
    stale = [path.name for path, text in texts.items() if path.read_text(encoding="utf-8") != text]
    assert stale == [], "write them anew with: make docs"


def test_settings_are_explained_to_editors() -> None:
    properties = Settings.model_json_schema()["properties"]
    assert all(properties[name]["description"] for name, option in OPTIONS.items() if option.setting)

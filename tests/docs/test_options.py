"""What follows from the table of options is up to date in sources and pages."""

from __future__ import annotations

import re
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


def test_the_page_on_printing_has_every_setting_of_an_option() -> None:
    page = (ROOT / "docs" / "printing.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| `(\w+)` \| `(--[a-z-]+)", page, re.MULTILINE))
    of_pictures = {"corners", "theme"}
    flags = {name: option.flag for name, option in OPTIONS.items() if option.setting and name not in of_pictures}
    assert flags
    assert rows == flags


def test_settings_are_explained_to_editors() -> None:
    properties = Settings.model_json_schema()["properties"]
    assert all(properties[name]["description"] for name, option in OPTIONS.items() if option.setting)

"""The page of the charges shows those that there are."""

from __future__ import annotations

import runpy
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
CHARGES = ROOT / "templates" / "shared" / "charges"


def test_the_page_and_its_picture_are_up_to_date() -> None:
    texts = dict(runpy.run_path(str(ROOT / "docs" / "charges.py"))["texts"]())
    assert len(texts) == 2
    stale = [path.name for path, text in texts.items() if path.read_text(encoding="utf-8") != text]
    assert stale == [], "write them anew with: make docs"


def test_each_charge_is_in_both() -> None:
    page = (ROOT / "docs" / "charges.md").read_text(encoding="utf-8")
    picture = (ROOT / "docs" / "pictures" / "charges.svg").read_text(encoding="utf-8")
    names = sorted(path.stem for path in CHARGES.glob("*.svg"))
    assert names
    assert [name for name in names if f"| `{name}` |" not in page] == []
    assert [name for name in names if f">{name.replace('-', ' ')}</text>" not in picture] == []

"""The gallery of the site: its rows name cards that exist, and its page shows the pictures that it writes."""

from __future__ import annotations

import importlib.util
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

import cardgen

SCRIPT = Path(__file__).parents[2] / "docs" / "site" / "gallery.py"


@pytest.fixture(scope="module")
def gallery() -> Iterator[Any]:
    spec = importlib.util.spec_from_file_location("site_gallery", SCRIPT)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules["site_gallery"] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    yield module
    del sys.modules["site_gallery"]


def test_every_row_has_cards(gallery: Any) -> None:
    rows = [row for row in gallery.ROWS if isinstance(row, gallery.CardRow)]
    assert len(rows) > 5
    for row in rows:
        deck = cardgen.load(gallery.CARDS / row.game)
        assert all(name in deck for name in row.names)
        assert all(deck.select([kind]) for kind in row.kinds)
        assert row.names or row.kinds


def test_the_page_shows_what_it_writes(gallery: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = {row.title: row for row in gallery.ROWS}
    monkeypatch.setattr(gallery, "ROWS", (rows["Tokens"], rows["Print sheets"]))
    page = gallery.make_gallery(tmp_path)
    shown = re.findall(r"\[!\[[^\]]+\]\(gallery/([\w-]+\.png)\)\{ width=(\d+) height=(\d+) loading=lazy \}\]", page)
    assert sorted(name for name, _, _ in shown) == sorted(path.name for path in tmp_path.iterdir())
    assert len(shown) == 8
    for name, width, height in shown:
        with Image.open(tmp_path / name) as picture:
            size = picture.size
        assert int(width) <= gallery.WIDEST
        assert int(width) / int(height) == pytest.approx(size[0] / size[1], rel=0.05)

from __future__ import annotations

import sqlite3
import time
from collections.abc import Mapping
from pathlib import Path

import pytest

from cardgen.export.pdf import cairo
from cardgen.export.pdf.cairo import ArtworkCache
from cardgen.face.face import Artwork
from cardgen.units import Box
from tests.export.pdf.inspection import artwork, rectangle
from tests.libcairo import needs_cairo

ONE, OTHER = (artwork(rectangle(Box(number, 0, 9, 9))).svg for number in (1, 2))


def test_what_was_kept_is_found_in_a_later_run(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "artwork.sqlite"
    ArtworkCache(path).store({ONE: b"drawn"})
    assert ArtworkCache(path).find([OTHER, ONE]) == {ONE: b"drawn"}


def test_an_empty_shelf_finds_nothing_and_makes_no_file(tmp_path: Path) -> None:
    path = tmp_path / "artwork.sqlite"
    assert ArtworkCache(path).find([ONE]) == {}
    ArtworkCache(path).store({})
    assert not path.exists()


def test_another_cairosvg_finds_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "artwork.sqlite"
    ArtworkCache(path).store({ONE: b"drawn"})
    monkeypatch.setattr("importlib.metadata.version", lambda _: "99")
    assert ArtworkCache(path).find([ONE]) == {}


def test_what_was_not_used_for_longest_goes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shelf, now = ArtworkCache(tmp_path / "artwork.sqlite", max_entries=2), time.time()
    for day, svg in enumerate((b"a", b"b")):
        monkeypatch.setattr("cardgen.export.pdf.cairo.time.time", lambda day=day: now + day * 86_400)
        shelf.store({svg: svg})
    monkeypatch.setattr("cardgen.export.pdf.cairo.time.time", lambda: now + 2 * 86_400)
    shelf.find([b"a"])
    shelf.store({b"c": b"c"})
    assert shelf.find([b"a", b"b", b"c"]) == {b"a": b"a", b"c": b"c"}


def test_a_file_that_is_no_database_is_replaced(tmp_path: Path) -> None:
    path = tmp_path / "artwork.sqlite"
    path.write_bytes(b"no database" * 1000)
    assert ArtworkCache(path).find([ONE]) == {}
    ArtworkCache(path).store({ONE: b"drawn"})
    assert ArtworkCache(path).find([ONE]) == {ONE: b"drawn"}


def test_a_shelf_that_cannot_be_opened_is_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    below_a_file = ArtworkCache(tmp_path / "file" / "artwork.sqlite")
    below_a_file.store({ONE: b"drawn"})
    assert below_a_file.find([ONE]) == {}

    def locked(*_: object, **__: object) -> None:
        raise sqlite3.OperationalError("database is locked")

    path = tmp_path / "artwork.sqlite"
    ArtworkCache(path).store({ONE: b"drawn"})
    monkeypatch.setattr(sqlite3, "connect", locked)
    assert ArtworkCache(path).find([ONE]) == {}
    assert path.exists()


@needs_cairo
def test_only_what_is_not_on_the_shelf_is_drawn_and_all_of_it_is_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shelf = ArtworkCache(tmp_path / "artwork.sqlite")
    fresh = cairo.render_artwork(map(Artwork, [ONE, OTHER]))
    cairo.render_artwork([Artwork(ONE)], shelf)
    asked: list[bytes] = []

    def counted(svg: bytes, _: Path | None) -> bytes:
        asked.append(svg)
        return fresh[svg]

    monkeypatch.setattr(cairo, "to_pdf", counted)
    mixed: Mapping[bytes, bytes] = cairo.render_artwork(map(Artwork, [ONE, OTHER, ONE]), shelf)
    assert asked == [OTHER]
    assert set(mixed) == {ONE, OTHER}
    assert cairo.render_artwork(map(Artwork, [ONE, OTHER]), shelf) == mixed
    assert asked == [OTHER]

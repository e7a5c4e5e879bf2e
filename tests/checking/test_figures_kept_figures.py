"""Figures of checks that are kept between runs."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from cardgen.checking.figures import FigureRows, KeptFigures

ROWS: FigureRows = ((Fraction(1, 3), Fraction(2)), (), (Fraction(0),))


@pytest.fixture(autouse=True)
def own_folders(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("CACHE", "CONFIG"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(tmp_path / name.lower()))


def refuse() -> FigureRows:
    raise AssertionError("it was computed again")


def stored(tmp_path: Path) -> Path:
    figures = KeptFigures(tmp_path / "figures.json")
    assert figures.find(("loss", 1), lambda: ROWS) == ROWS
    figures.save()
    return tmp_path / "figures.json"


def test_a_figure_is_computed_once_in_a_run_and_not_again_in_the_next_one(tmp_path: Path) -> None:
    figures = KeptFigures()
    assert figures.find("key", lambda: ROWS) == figures.find("key", refuse) == ROWS
    assert KeptFigures(stored(tmp_path)).find(("loss", 1), refuse) == ROWS


def test_another_key_is_another_figure(tmp_path: Path) -> None:
    other: FigureRows = ((Fraction(5),),)
    figures = KeptFigures(stored(tmp_path))
    assert figures.find(("loss", "1"), lambda: other) == other
    figures.save()
    again = KeptFigures(stored(tmp_path))
    assert again.find(("loss", "1"), refuse) == other
    assert again.find(("loss", 1), refuse) == ROWS


@pytest.mark.parametrize("content", [b"", b"{}", b"\0" * 40, None])
def test_a_file_that_this_user_did_not_write_is_not_read(content: bytes | None, tmp_path: Path) -> None:
    file = stored(tmp_path)
    changed = file.read_bytes().replace(b"1/3", b"1/2") if content is None else content
    assert changed != file.read_bytes()
    file.write_bytes(changed)
    assert KeptFigures(file).find(("loss", 1), lambda: ()) == ()


def test_a_figure_that_is_too_long_is_computed_again(tmp_path: Path) -> None:
    file = tmp_path / "figures.json"
    figures = KeptFigures(file)
    figures.find("key", lambda: ((Fraction(1, 10**2000 + 1),),))
    figures.save()
    assert KeptFigures(file).find("key", lambda: ROWS) == ROWS


def test_a_folder_that_cannot_be_written_loses_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    figures = KeptFigures(tmp_path / "file" / "figures.json")
    assert figures.find("key", lambda: ROWS) == ROWS
    figures.save()

"""Fixtures for all tests."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import hypothesis
import pytest
from pipeline.projects import Folder

# A busy machine is no fault of the program's.
hypothesis.settings.register_profile("calm", deadline=None)
hypothesis.settings.load_profile("calm")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Folder:
    """An empty folder, which is the current one."""
    root = tmp_path / "project"
    root.mkdir()
    monkeypatch.chdir(root)
    return Folder(root)


SNAPSHOTS = "--update-snapshots"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(SNAPSHOTS, action="store_true", help="write the snapshots anew instead of comparing with them")


@pytest.fixture
def snapshot(request: pytest.FixtureRequest) -> Callable[[str, str], None]:
    """Compares a text with the file of that name in `snapshots/` beside the test."""
    folder = request.path.parent / "snapshots"

    def compare(name: str, text: str) -> None:
        path = folder / name
        if request.config.getoption(SNAPSHOTS):
            folder.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8")
        assert path.is_file(), f"there is no snapshot {name}; write it with: pytest {SNAPSHOTS}"
        expected = path.read_text(encoding="utf-8")
        assert text == expected, f"{name} has changed; if that is right, write it anew with: pytest {SNAPSHOTS}"

    return compare

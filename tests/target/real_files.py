"""Files that others made, to test against; they are no part of the project."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

VARIABLE = "CARDGEN_REAL_FILES"


def real_folder() -> Path:
    """Return the folder of the files, or skip the test."""
    folder = os.environ.get(VARIABLE)
    if not folder:
        pytest.skip(f"{VARIABLE} is not set to a folder with files of other programs")
    return Path(folder)


def real_file(name: str) -> Path:
    """Return a file, or skip the test."""
    path = real_folder() / name
    if not path.is_file():
        pytest.skip(f"there is no {path}")
    return path


def real_json(name: str) -> Any:
    """Return the content of a JSON file, or skip the test."""
    return json.loads(real_file(name).read_text(encoding="utf-8"))

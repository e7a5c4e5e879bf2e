"""What a run of checks said is remembered: while nothing has changed, it is said again without reading a card.

This module is loaded first and must stay light: nothing here reads YAML or knows a card.
"""

from __future__ import annotations

import hashlib
import json
import os
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple

from cardgen.pipeline import state
from cardgen.user_folders import cache_folder

_MOST_REPORTS = 50
_SKIPPED = "output"


class Output(NamedTuple):
    """Text to be shown; `aside` is what does not belong to a report that a program reads."""

    text: str
    aside: bool = False


class Report(NamedTuple):
    """All that a run says: what is shown, what is written to files, and whether it fails."""

    outputs: tuple[Output, ...]
    files: tuple[tuple[str, str], ...]
    failed: bool


def remembered(run: Callable[[], Report], asked: Iterable[object], paths: Iterable[Path]) -> Report:
    """What `run` returned when the same was asked of the same files, or else what it returns now."""
    before = time.time_ns()
    question = _question([repr(each) for each in asked], paths)
    if question is None:
        return run()
    key, newest = question
    file = cache_folder() / "checks" / f"{key}.json"
    known = _read(file)
    if known is None:
        known = run()
        if newest < before - state.SETTLED_NS:
            _write(file, known)
    return known


def _question(asked: list[str], paths: Iterable[Path]) -> tuple[str, int] | None:
    """A digest of the question and of the state of all files that the answer may depend on, and their newest time."""
    here = Path.cwd()
    root = state.project_root(here)
    named = [here / path for path in paths]
    digest = hashlib.blake2b(repr((state.program(), str(here), str(root), asked)).encode(), digest_size=16)
    newest = count = 0
    for folder in dict.fromkeys((*state.PROGRAM, root, *named)):
        for path, status in state.files(str(folder), {str(root / _SKIPPED)}):
            count += 1
            if count > state.MOST_FILES:
                return None
            newest = max(newest, status.st_mtime_ns)
            digest.update(f"{path}\0{status.st_size}\0{status.st_mtime_ns}\0{status.st_ino}\n".encode())
    return digest.hexdigest(), newest


def _read(file: Path) -> Report | None:
    try:
        outputs, files, failed = json.loads(file.read_text(encoding="utf-8"))
        return Report(tuple(Output(*each) for each in outputs), tuple((name, text) for name, text in files), failed)
    except (OSError, ValueError, TypeError):
        return None


def _write(file: Path, report: Report) -> None:
    """Keep a report; that it cannot be kept is no reason to fail."""
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        aside = file.with_suffix(f".{os.getpid()}")
        aside.write_text(json.dumps(report), encoding="utf-8")
        aside.replace(file)
        state.forget_the_oldest(file.parent, _MOST_REPORTS)
    except OSError:
        return

"""What a run of checks said is remembered: while nothing has changed, it is said again without reading a card.

This module is loaded first and must stay light: nothing here reads YAML or knows a card.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import platformdirs

from cardgen import __version__

# As in cardgen.project, which is too heavy for here.
SETTINGS_FILE = "cardgen.yaml"
_PACKAGE = Path(__file__).parents[1]
# In a folder with more files than this, looking at them all is no gain.
_MOST_FILES = 20_000
# What was changed so shortly before could change again without its time showing it.
_SETTLED_NS = 100_000_000
_MOST_REPORTS = 50
_SKIPPED = frozenset({"__pycache__", "output"})


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
    state = _state([repr(each) for each in asked], paths)
    if state is None:
        return run()
    key, newest = state
    file = Path(platformdirs.user_cache_dir("cardgen")) / "checks" / f"{key}.json"
    known = _read(file)
    if known is None:
        known = run()
        if newest < before - _SETTLED_NS:
            _write(file, known)
    return known


def _state(asked: list[str], paths: Iterable[Path]) -> tuple[str, int] | None:
    """A digest of the question and of the state of all files that the answer may depend on, and their newest time."""
    here = Path.cwd()
    root = next((folder for folder in (here, *here.parents) if (folder / SETTINGS_FILE).is_file()), here)
    named = [here / path for path in paths]
    digest = hashlib.blake2b(repr((__version__, sys.version, str(here), str(root), asked)).encode(), digest_size=16)
    newest = count = 0
    for folder in dict.fromkeys((_PACKAGE, _PACKAGE.parent / "cards", _PACKAGE.parent / "templates", root, *named)):
        for path, status in _files(str(folder)):
            count += 1
            if count > _MOST_FILES:
                return None
            newest = max(newest, status.st_mtime_ns)
            digest.update(f"{path}\0{status.st_size}\0{status.st_mtime_ns}\0{status.st_ino}\n".encode())
    return digest.hexdigest(), newest


def _files(path: str) -> Iterator[tuple[str, os.stat_result]]:
    """The files below a folder, or the file itself, in an order that is always the same."""
    try:
        entries = sorted(os.scandir(path), key=lambda entry: entry.name)
    except NotADirectoryError:
        yield path, Path(path).stat()
        return
    except OSError:
        return
    for entry in entries:
        if entry.name.startswith(".") or entry.name in _SKIPPED:
            continue
        if entry.is_dir(follow_symlinks=False):
            yield from _files(entry.path)
        else:
            try:
                yield entry.path, entry.stat()
            except OSError:
                continue


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
        _forget_the_oldest(file.parent)
    except OSError:
        return


def _forget_the_oldest(folder: Path) -> None:
    reports = sorted(folder.glob("*.json"), key=lambda report: report.stat().st_mtime_ns, reverse=True)
    for report in reports[_MOST_REPORTS:]:
        report.unlink(missing_ok=True)

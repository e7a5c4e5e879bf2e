"""Cached reports of `cardgen check`, printed again while nothing has changed.

This module is loaded first, so it stays light: it reads no YAML and knows no cards.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from cardgen.diagnostic import CardgenError, log_activity
from cardgen.runtime import fingerprint, regular_file
from cardgen.runtime.user_folders import cache_folder, prune_oldest, seal, unseal

_MOST_REPORTS = 50
_MAX_BYTES = 64 * 2**20


class OutputText(NamedTuple):
    """Text to print.

    `to_stderr` keeps it out of a report that a program reads, which `is_data`.
    """

    text: str
    to_stderr: bool = False
    is_data: bool = False


class CheckReport(NamedTuple):
    """Output of a run: texts, files to write, and failure."""

    outputs: tuple[OutputText, ...]
    files: tuple[tuple[str, str], ...]
    failed: bool


def run_cached(
    run: Callable[[], CheckReport], options: Iterable[object], paths: Iterable[Path], roots: Iterable[Path]
) -> CheckReport:
    """Return a cached report, or else that of `run`, of the projects in the folders `roots`.

    A cached report is valid for the same options and unchanged files.
    """
    before = time.time_ns()
    key_and_newest = _cache_key([repr(each) for each in options], paths, [*roots])
    if key_and_newest is None:
        return run()
    key, newest = key_and_newest
    file = cache_folder() / "checks" / f"{key}.json"
    report = _read(file)
    log_activity(f"{'no' if report is None else 'used the'} cached report {file}")
    if report is None:
        report = run()
        if newest < before - fingerprint.SETTLED_NS:
            _write(file, report)
    return report


def _cache_key(options: list[str], paths: Iterable[Path], roots: list[Path]) -> tuple[str, int] | None:
    """Return a digest of the inputs, and their newest modification time.

    The inputs are the options and all files that matter.
    """
    here = Path.cwd()
    # Behind a link out of its project, nothing is looked at, because nothing there is checked.
    named_paths = [
        path
        for path in (here / each for each in paths)
        if all(regular_file.stays_inside(root, path) for root in roots if path.is_relative_to(root))
    ]
    digest = hashlib.blake2b(
        repr((fingerprint.program_version(), str(here), [*map(str, roots)], options)).encode(), digest_size=16
    )
    newest = 0
    program = chain.from_iterable(map(fingerprint.walk_statuses, map(str, fingerprint.PROGRAM_FOLDERS)))
    projects = chain.from_iterable(map(fingerprint.project_statuses, dict.fromkeys((*roots, *named_paths))))
    for count, (path, status) in enumerate(chain(program, projects), 1):
        if count > fingerprint.MOST_FILES:
            return None
        newest = max(newest, status.st_mtime_ns)
        # The mode tells whether the file can be read.
        line = f"{path}\0{fingerprint.stamp_of(status)}{status.st_mode}\n"
        digest.update(line.encode("utf-8", "surrogateescape"))
    return digest.hexdigest(), newest


def _read(file: Path) -> CheckReport | None:
    try:
        content = unseal(file.name, regular_file.read(file, _MAX_BYTES))
        if content is None:
            return None
        outputs, files, failed = json.loads(content)
        return CheckReport(
            tuple(OutputText(*each) for each in outputs), tuple((name, text) for name, text in files), failed
        )
    except (OSError, ValueError, TypeError):
        return None


def _write(file: Path, report: CheckReport) -> None:
    """Store a report; failing to do so is not an error."""
    from cardgen.runtime import atomic_write  # A cached report writes nothing.

    with suppress(CardgenError, OSError):
        entry = seal(file.name, json.dumps(report).encode())
        if entry is not None:
            atomic_write.write(file, entry, durable=False, confined=False)
        prune_oldest(file.parent, _MOST_REPORTS)

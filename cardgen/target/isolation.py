"""Measurement of files in a process of its own, within limits of time and memory."""

from __future__ import annotations

import time
from functools import partial
from pathlib import Path
from types import TracebackType

from cardgen.export.preflight import (
    PICTURE_SUFFIXES,
    Finding,
    Requirements,
    UnreadableFileError,
    picture_findings,
    preflight_document,
)
from cardgen.runtime import regular_file
from cardgen.runtime.limited_fork import LimitedFork, ResourceLimitError, free_memory
from cardgen.runtime.processes import can_fork

# The CPU time for a file and for all of them, and the memory beyond what the program uses.
TIME_LIMIT = 120.0
TOTAL_TIME_LIMIT = 600.0
MEMORY_LIMIT = 2 * 2**30
_MAX_BYTES = 512 * 2**20


class Measurement:
    """Measures the files of a command, where possible in one fork for all of them.

    Streams of a few kilobytes can expand to terabytes, inside libraries that have no limit.
    """

    def __init__(self, needs: Requirements) -> None:
        self._needs = needs
        self._fork: LimitedFork[[Path], tuple[list[Finding], int, float]] | None = None
        self._seconds = 0.0

    def __enter__(self) -> Measurement:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._fork is not None:
            self._fork.close()

    def measure(self, path: Path) -> tuple[list[Finding], int]:
        """Return the findings of a PDF or picture, and the number of its pages.

        Raises UnreadableFileError if the file cannot be read, or exceeds a limit.
        """
        if self._seconds > TOTAL_TIME_LIMIT:
            raise UnreadableFileError(f"measuring all files takes longer than {TOTAL_TIME_LIMIT:g} seconds")
        findings, pages, seconds = self._call(path)
        self._seconds += seconds
        return findings, pages

    def _call(self, path: Path) -> tuple[list[Finding], int, float]:
        if not can_fork():
            return _measure(self._needs, path)
        try:
            if self._fork is None:
                self._fork = LimitedFork(
                    partial(_measure_in_fork, self._needs), TIME_LIMIT, MEMORY_LIMIT, (UnreadableFileError,)
                )
            return self._fork.call(path)
        except ResourceLimitError as error:
            raise UnreadableFileError(_limit_message(error.resource)) from None
        except OSError as error:
            message = f"the file cannot be measured in a process of its own: {error.strerror or error}"
            raise UnreadableFileError(message) from None


def _measure(needs: Requirements, path: Path) -> tuple[list[Finding], int, float]:
    """Return the findings of a file, the number of its pages, and the CPU time that they took."""
    started = time.process_time()
    content = _read(path)
    if path.suffix.lower() in PICTURE_SUFFIXES:
        findings, pages = [each._replace(card=path.stem) for each in picture_findings(content, needs)], 0
    else:
        findings, pages = preflight_document(content, needs)
    return findings, pages, time.process_time() - started


def _measure_in_fork(needs: Requirements, path: Path) -> tuple[list[Finding], int, float]:
    try:
        return _measure(needs, path)
    except UnreadableFileError as error:
        # The libraries call a file broken when they have no memory for it.
        if free_memory() > MEMORY_LIMIT // 2:
            raise
        raise UnreadableFileError(f"{error}, or {_limit_message('memory')}") from None


def _read(path: Path) -> bytes:
    try:
        return regular_file.read(path, _MAX_BYTES)
    except regular_file.FileTooLargeError:
        message = f"the file is larger than {_MAX_BYTES // 2**20} MiB"
    except OSError as error:
        message = f"the file cannot be read: {error.strerror or error}"
    raise UnreadableFileError(message)


def _limit_message(resource: str) -> str:
    if resource == "time":
        return f"measuring the file takes longer than {TIME_LIMIT:g} seconds"
    if resource == "memory":
        return f"measuring the file takes more than {MEMORY_LIMIT // 2**20} MiB of memory"
    return "the file cannot be measured; reading it ended the process"

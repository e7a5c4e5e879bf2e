"""Failures that are not findings: of the operating system, and of cardgen itself."""

from __future__ import annotations

import errno
import os
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from cardgen import __version__
from cardgen.cli._output import print_line, print_styled
from cardgen.diagnostic import escape_controls
from cardgen.units import shorten

EXIT_FINDINGS, EXIT_FAULT, EXIT_INCOMPLETE = 1, 3, 4
TRACEBACK_SWITCH = "CARDGEN_TRACEBACK"
_MOST_REPORTS = 20
_FRAMES_SHOWN = 3
_MOST_SHOWN = 1_000
# Errors of the operating system that no program can prevent.
_CIRCUMSTANCES = frozenset(
    number
    for name in ("ENOSPC", "EDQUOT", "EFBIG", "EIO", "EMFILE", "ENFILE", "ENOMEM", "EAGAIN", "EROFS", "EACCES", "EPERM",
                 "ENAMETOOLONG")
    if (number := getattr(errno, name, None)) is not None
)  # fmt: skip
_HOW_TO_REPORT = "report it with this text where you got cardgen from, and attach a card that shows the problem"


def report_failure(error: Exception, arguments: Sequence[str]) -> int:
    """Report an unexpected exception on standard error, and return the exit code."""
    circumstance = _describe_circumstance(error)
    if circumstance:
        print_line(f"error: {circumstance}", err=True)
        return EXIT_FINDINGS
    # Print a short report, and the traceback or the file that contains it.
    lines = list(_fault_lines(error, arguments))
    full = "".join(f"{line}\n" for line in (*lines, *_traceback_lines(error)))
    if os.environ.get(TRACEBACK_SWITCH, "") not in ("", "0"):
        print_styled(full, err=True)
        where = "shown above"
    else:
        for line in lines:
            print_line(line, err=True)
        path = _save_report(full)
        where = f"in {path}" if path else f"shown with {TRACEBACK_SWITCH}=1"
    print_line(f"  full traceback: {where}", err=True)
    print_line(f"  help: {_HOW_TO_REPORT}", err=True)
    return EXIT_FAULT


def _describe_circumstance(error: Exception) -> str:
    """Return what is wrong with the machine, or '' if the fault is cardgen's."""
    if isinstance(error, MemoryError):
        return "not enough memory"
    if isinstance(error, EOFError):  # Python writes such a file when the disk is full.
        return "a file in a folder '__pycache__' of Python is incomplete; delete these folders"
    if not isinstance(error, OSError):
        return ""
    if isinstance(error, FileNotFoundError) and _is_folder_deleted():
        return "the current folder no longer exists; change to another one"
    if error.errno not in _CIRCUMSTANCES:
        return ""
    what = shorten(escape_controls(str(error.filename)), _MOST_SHOWN) if error.filename else "output cannot be written"
    return f"{what}: {error.strerror}"


def _is_folder_deleted() -> bool:
    try:
        Path.cwd()
    except FileNotFoundError:
        return True
    return False


def _fault_lines(error: Exception, arguments: Sequence[str]) -> Iterator[str]:
    import platform
    import shlex
    import traceback

    yield "error: cardgen failed because of a bug"
    # Not `platform.platform()`, which runs 'uname'.
    system = f"{platform.system()} {platform.release()} {platform.machine()}"
    yield f"  version: cardgen {__version__}, Python {platform.python_version()}, {system}"
    yield f"  command: {escape_controls(shlex.join(['cardgen', *arguments]))}"
    frames = traceback.extract_tb(error.__traceback__)[-_FRAMES_SHOWN:]
    yield from (f"  at {_short_path(frame.filename)}:{frame.lineno} in {frame.name}" for frame in frames)
    yield f"  {escape_controls(''.join(traceback.format_exception_only(error)).strip())}"


def _short_path(file: str) -> str:
    """Return the path of a module from its package on."""
    longest_first = sorted(sys.path, key=len, reverse=True)
    folder = next((folder for folder in longest_first if folder and file.startswith(folder)), "")
    return file.removeprefix(folder).lstrip("/\\")


def _traceback_lines(error: Exception) -> Iterator[str]:
    import traceback

    for text in traceback.format_exception(error):
        yield from map(escape_controls, text.rstrip("\n").split("\n"))


def _save_report(text: str) -> Path | None:
    """Write a report to the cache folder, or else to the folder for temporary files."""
    import tempfile

    from cardgen.runtime.user_folders import cache_folder

    for folder in (cache_folder() / "faults", Path(tempfile.gettempdir())):
        path = folder / f"cardgen-fault-{time.strftime('%Y%m%d-%H%M%S')}-{os.getpid()}.txt"
        with suppress(OSError):
            folder.mkdir(parents=True, exist_ok=True)
            with path.open("x", encoding="utf-8", errors="backslashreplace") as file:
                file.write(text)
            _remove_oldest(folder)
            return path
    return None


def _remove_oldest(folder: Path) -> None:
    for path in sorted(folder.glob("cardgen-fault-*.txt"))[:-_MOST_REPORTS]:
        with suppress(OSError):
            path.unlink()

"""Log of what a command reads, takes from caches, and does, with timings; off by default."""

from __future__ import annotations

import time
from collections.abc import Callable

from cardgen.diagnostic import escape_controls

_print: Callable[[str], None] | None = None
_started = 0.0


def start(print_line: Callable[[str], None]) -> None:
    """Pass each entry to a function from now on, as a line with the seconds since this call."""
    global _print, _started
    if _print is None:
        _started = time.monotonic()
    _print = print_line


def stop() -> None:
    """Log nothing from now on."""
    global _print
    _print = None


def record(entry: str) -> None:
    """Log an entry, such as 'read cards/a.yaml'."""
    if _print is not None:
        _print(escape_controls(f"[{time.monotonic() - _started:7.3f} s] {entry}"))

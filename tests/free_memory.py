"""What this process has freed: kept for what comes next, given back, or used up."""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

# Parameters of `mallopt` in glibc.
_TRIM_THRESHOLD, _MMAP_THRESHOLD = -1, -3


def keep_freed_memory() -> None:
    """Keep memory for what comes next.

    Pages are drawn into pictures of megabytes. If each is given back, the next one takes a page fault for every 4 KiB,
    which is a tenth of all time on virtual machines.
    """
    _tell_c_library("mallopt", _MMAP_THRESHOLD, 32 << 20)
    _tell_c_library("mallopt", _TRIM_THRESHOLD, 512 << 20)


def give_back_memory() -> None:
    """Give back what is free: forks take longer in a large process."""
    _tell_c_library("malloc_trim", 0)


@contextmanager
def no_free_memory() -> Iterator[None]:
    """Use up what is free on Linux; a fork with a limit of memory could use it beside the limit."""
    used, before = [], _virtual_size()
    while _virtual_size() == before:
        used.append(bytearray(1 << 20))
    yield


def _tell_c_library(function: str, *arguments: int) -> None:
    if sys.platform == "linux":
        with suppress(AttributeError):  # musl has no such functions.
            getattr(ctypes.CDLL(None), function)(*arguments)


def _virtual_size() -> str:
    return Path("/proc/self/statm").read_text(encoding="ascii").split()[0]

"""What this process has freed: kept for what comes next, or given back."""

from __future__ import annotations

import ctypes
import sys
from contextlib import suppress

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


def _tell_c_library(function: str, *arguments: int) -> None:
    if sys.platform == "linux":
        with suppress(AttributeError):  # musl has no such functions.
            getattr(ctypes.CDLL(None), function)(*arguments)

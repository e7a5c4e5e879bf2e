"""Context managers that reduce or disable garbage collection during a run."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

# So many new objects at least before garbage is looked for: beyond that, memory grows and little time is won.
_RARE_THRESHOLD = 10_000


@contextmanager
def rarer_gc() -> Iterator[None]:
    """Cards that are drawn leave garbage behind, but less than is worth being looked for every 700 objects."""
    thresholds = gc.get_threshold()
    gc.set_threshold(max(_RARE_THRESHOLD, thresholds[0]) if thresholds[0] else 0, *thresholds[1:])
    try:
        yield
    finally:
        gc.set_threshold(*thresholds)


@contextmanager
def without_gc() -> Iterator[None]:
    """Whatever is loaded and read lives to the end, so that looking for garbage in it takes a quarter of the time."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            # What is there counts as old from now on; otherwise all of it would be looked through at once.
            gc.freeze()
            gc.unfreeze()
            gc.enable()

"""Garbage collection, which a short run does better without."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def without_collection() -> Iterator[None]:
    """Whatever is loaded and read lives to the end, so that looking for garbage in it takes a quarter of the time."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            # What is there counts as old from now on; otherwise all of it would be looked through at once.
            gc.freeze()
            gc.unfreeze()
            gc.enable()

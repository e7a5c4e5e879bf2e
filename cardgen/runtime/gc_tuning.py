"""Context managers that reduce or disable garbage collection during a run."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

# New objects between collections; a higher number costs memory and saves little time.
_RARE_THRESHOLD = 10_000
# The same until a run begins its work: modules and classes are no garbage, and collections would take 7 % of the start.
_START_THRESHOLD = 100_000
# Objects that Python itself has frozen; Python 3.12 has some.
_FROZEN_AT_START = gc.get_freeze_count()


def collect_rarely() -> None:
    """Collect garbage hardly ever from now on, until `rarer_gc`.

    Only programs may call this; a library must leave the collector as it is.
    """
    gc.set_threshold(_START_THRESHOLD, *gc.get_threshold()[1:])


@contextmanager
def rarer_gc() -> Iterator[None]:
    """Collect garbage less often.

    Rendering creates too little garbage for a collection every 700 objects.
    """
    thresholds = gc.get_threshold()
    if thresholds[0] == _START_THRESHOLD:
        gc.freeze()  # Collections need not scan what was loaded until now.
        gc.set_threshold(_RARE_THRESHOLD, *thresholds[1:])
    else:
        gc.set_threshold(max(_RARE_THRESHOLD, thresholds[0]) if thresholds[0] else 0, *thresholds[1:])
    try:
        yield
    finally:
        gc.set_threshold(*thresholds)


@contextmanager
def without_gc() -> Iterator[None]:
    """Collect no garbage while loading.

    Loaded objects live to the end, and collections would take a quarter of the time.
    """
    was_enabled, was_frozen = gc.isenabled(), gc.get_freeze_count() > _FROZEN_AT_START
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            # Move all objects to the oldest generation; otherwise the next collection would scan all of them.
            gc.freeze()
            if not was_frozen:  # A program that has frozen what it loaded before needs no scan of this either.
                gc.unfreeze()
            gc.enable()

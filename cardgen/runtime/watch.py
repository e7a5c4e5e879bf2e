"""Polling of file fingerprints, and detection of settled changes.

Polling takes some milliseconds for a project of a thousand files and, unlike the notifications of an operating system,
works on network drives and in containers.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

from cardgen.runtime.fingerprint import Snapshot

POLL_INTERVAL = 0.1
# Taking snapshots uses at most this share of the time, however many files there are.
_MAX_SHARE = 0.1


def poll_changes(take_snapshot: Callable[[], Snapshot], interval: float = POLL_INTERVAL) -> Iterator[None]:
    """Yield at the start, then after every settled change; never ends.

    A change during a round starts another round.
    """
    while True:
        before = take_snapshot()
        yield
        current = _take_after(take_snapshot, interval)
        while current == before:
            current = _take_after(take_snapshot, interval)
        while (later := _take_after(take_snapshot, interval / 2)) != current:
            current = later


def _take_after(take_snapshot: Callable[[], Snapshot], interval: float) -> Snapshot:
    time.sleep(interval)
    started = time.monotonic()
    result = take_snapshot()
    time.sleep((time.monotonic() - started) / _MAX_SHARE * (1 - _MAX_SHARE))
    return result

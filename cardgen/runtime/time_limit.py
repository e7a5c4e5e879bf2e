"""CPU time limit for untrusted code in this thread; bounds Python, not C calls.

The time is the processor's, for on a busy machine nobody's template should be refused; such code cannot wait.
"""

from __future__ import annotations

import ctypes
import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

WATCHDOG_THREAD = "cardgen-watchdog"
_CHECK_INTERVAL = 0.1
_RESEND_AFTER = 0.2
# In so many steps an exception that was sent has arrived.
_DELIVERY_STEPS = 100


class TimeLimitError(Exception):
    """The code did not end in time."""


class Watchdog:
    """Raises TookTooLongError inside a `limit` block in which the program has worked for more than its seconds.

    One thread watches all blocks, so that a block costs next to nothing; it starts with the first one. An exception
    that is lost, as it is in a callback of the garbage collector, is sent again. Where the process is about to be
    copied, the thread ends, since a copy has no other threads; the next block has a new one.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._deadlines: dict[int, float] = {}
        self._interrupted: set[int] = set()
        self._thread: threading.Thread | None = None
        self._stop = threading.Event()
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(before=self._stop_thread)

    @contextmanager
    def limit(self, seconds: float) -> Iterator[None]:
        """Let the program work for so many seconds in the block; blocks of one thread cannot be nested."""
        thread = threading.get_ident()
        with self._lock:
            self._deadlines[thread] = time.process_time() + seconds
            if self._thread is None:
                self._stop.clear()
                self._thread = threading.Thread(target=self._watch, daemon=True, name=WATCHDOG_THREAD)
                self._thread.start()
        try:
            yield
        finally:
            self._unwatch(thread)

    def _stop_thread(self) -> None:
        """End the thread, which is not in the middle of anything then."""
        if self._thread is not None:
            self._stop.set()
            self._thread.join()
            self._thread = None

    def _unwatch(self, thread: int) -> None:
        """Watch a thread no longer. An exception that is on its way arrives here, for it must not hit what comes after.

        To call it back (PyThreadState_SetAsyncExc with NULL) would let code that is traced hang in Python 3.11.
        """
        delivered = False
        while not delivered:
            with suppress(TimeLimitError):
                with self._lock:
                    self._deadlines.pop(thread, None)
                    interrupted = thread in self._interrupted
                    self._interrupted.discard(thread)
                for _ in range(_DELIVERY_STEPS if interrupted else 0):
                    pass
                delivered = True

    def _watch(self) -> None:
        while not self._stop.wait(_CHECK_INTERVAL):
            now = time.process_time()
            with self._lock:
                for thread in [thread for thread, deadline in self._deadlines.items() if deadline < now]:
                    # Where it is swallowed, as in a callback of the garbage collector, it comes again.
                    self._deadlines[thread] = now + _RESEND_AFTER
                    self._interrupted.add(thread)
                    _raise_in_thread(thread, TimeLimitError)


def _raise_in_thread(thread: int, error: type[Exception]) -> None:
    """Raise an exception in another thread at its next step."""
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(error))

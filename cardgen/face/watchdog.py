"""A time limit for strangers' code in this thread; what it runs is Python, as C calls are bounded elsewhere.

The time is the processor's, for on a busy machine nobody's template should be refused; such code cannot wait.
"""

from __future__ import annotations

import ctypes
import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

THREAD_NAME = "cardgen-watchdog"
_CHECKED_EVERY = 0.1
_SENT_AGAIN_AFTER = 0.2
# In so many steps an exception that was sent has arrived.
_STEPS = 100


class TookTooLongError(Exception):
    """The code did not end in time."""


class Watchdog:
    """Raises TookTooLongError inside a `limit` block in which the program has worked for more than its seconds.

    One thread watches all blocks, so that a block costs next to nothing; it starts with the first one. An exception
    that is lost, as it is in a callback of the garbage collector, is sent again. Where the process is about to be
    copied, the thread ends, since a copy has no other threads; the next block has a new one.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._watched: dict[int, float] = {}
        self._sent: set[int] = set()
        self._thread: threading.Thread | None = None
        self._rests = threading.Event()
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(before=self._rest)

    @contextmanager
    def limit(self, seconds: float) -> Iterator[None]:
        """Let the program work for so many seconds in the block; blocks of one thread cannot be nested."""
        me = threading.get_ident()
        with self._lock:
            self._watched[me] = time.process_time() + seconds
            if self._thread is None:
                self._rests.clear()
                self._thread = threading.Thread(target=self._watch, daemon=True, name=THREAD_NAME)
                self._thread.start()
        try:
            yield
        finally:
            self._end(me)

    def _rest(self) -> None:
        """End the thread, which is not in the middle of anything then."""
        if self._thread is not None:
            self._rests.set()
            self._thread.join()
            self._thread = None

    def _end(self, me: int) -> None:
        """Watch a thread no longer. An exception that is on its way arrives here, for it must not hit what comes after.

        To call it back (PyThreadState_SetAsyncExc with NULL) would let code that is traced hang in Python 3.11.
        """
        ended = False
        while not ended:
            with suppress(TookTooLongError):
                with self._lock:
                    self._watched.pop(me, None)
                    sent = me in self._sent
                    self._sent.discard(me)
                for _ in range(_STEPS if sent else 0):
                    pass
                ended = True

    def _watch(self) -> None:
        while not self._rests.wait(_CHECKED_EVERY):
            now = time.process_time()
            with self._lock:
                for thread in [thread for thread, end in self._watched.items() if end < now]:
                    # Where it is swallowed, as in a callback of the garbage collector, it comes again.
                    self._watched[thread] = now + _SENT_AGAIN_AFTER
                    self._sent.add(thread)
                    _send(thread, TookTooLongError)


def _send(thread: int, error: type[Exception]) -> None:
    """Raise an exception in another thread at its next step."""
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(error))

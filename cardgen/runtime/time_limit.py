"""CPU time limit for untrusted code in this thread.

It bounds Python, not C calls. CPU time counts, because a busy machine must not reject anybody's template; such code
cannot wait for anything.
"""

from __future__ import annotations

import ctypes
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

WATCHDOG_THREAD = "cardgen-watchdog"
_CHECK_INTERVAL = 0.1
_RESEND_AFTER = 0.2
# An exception arrives within this many steps.
_DELIVERY_STEPS = 100
_Hook = Callable[["sys.UnraisableHookArgs"], object]


class TimeLimitError(Exception):
    """The code exceeded its time limit."""


class Watchdog:
    """Watchdog that raises TimeLimitError inside `limit` blocks.

    It does so when the program uses more CPU time than allowed. One thread, started by the first block, watches all
    blocks, so a block costs next to nothing. An exception that gets lost, as in a finalizer or a callback of the
    garbage collector, is not reported, but sent again. Before the process forks, the thread ends, because a fork copies
    no other threads; the next block starts a new one.

    Blocks should have no bare `while` loop (`while x: pass`): Python 3.12 and 3.13 leave its jump out of the handlers
    around it, so that the exception gets past them.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._deadlines: dict[int, float] = {}
        self._interrupted: set[int] = set()
        self._hook: _Hook | None = None
        self._hook_before: _Hook = sys.unraisablehook
        self._thread: threading.Thread | None = None
        self._stop = threading.Event()
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(before=self._stop_thread)

    @contextmanager
    def limit(self, seconds: float) -> Iterator[None]:
        """Limit the CPU seconds of the block.

        A nested block cannot extend the limit of the one around it.
        """
        thread = threading.get_ident()
        with self._lock:
            outer = self._deadlines.get(thread)
            deadline = time.process_time() + seconds
            self._deadlines[thread] = deadline if outer is None else min(deadline, outer)
            if self._thread is None:
                self._stop.clear()
                self._thread = threading.Thread(target=self._watch, daemon=True, name=WATCHDOG_THREAD)
                self._thread.start()
        try:
            yield
        finally:
            self._unwatch(thread, outer)

    def _stop_thread(self) -> None:
        """End the thread between two of its steps."""
        if self._thread is not None:
            self._stop.set()
            self._thread.join()
            self._thread = None

    def _unwatch(self, thread: int, outer: float | None) -> None:
        """End a block.

        An exception on its way arrives here, so that it cannot hit the code after the block. Calling it back
        (PyThreadState_SetAsyncExc with NULL) makes traced code hang in Python 3.11.
        """
        delivered = False
        while not delivered:
            with suppress(TimeLimitError):
                with self._lock:
                    if outer is None:
                        self._deadlines.pop(thread, None)
                    else:
                        self._deadlines[thread] = outer
                    interrupted = thread in self._interrupted
                    self._interrupted.discard(thread)
                    self._restore_hook()
                for _ in range(_DELIVERY_STEPS if interrupted else 0):
                    pass
                delivered = True

    def _watch(self) -> None:
        while not self._stop.wait(_CHECK_INTERVAL):
            now = time.process_time()
            with self._lock:
                for thread in [thread for thread, deadline in self._deadlines.items() if deadline < now]:
                    # If it is swallowed, as in a callback of the garbage collector, it comes again.
                    self._deadlines[thread] = now + _RESEND_AFTER
                    self._interrupted.add(thread)
                    self._replace_hook()
                    _raise_in_thread(thread, TimeLimitError)

    def _replace_hook(self) -> None:
        """Report no lost TimeLimitError while one may be on its way."""
        if self._hook is None:
            self._hook_before = sys.unraisablehook
            self._hook = sys.unraisablehook = _without_time_limits(sys.unraisablehook)

    def _restore_hook(self) -> None:
        """Report lost exceptions as before, unless somebody else replaced the hook meanwhile."""
        if self._hook is not None and not self._interrupted:
            if sys.unraisablehook is self._hook:
                sys.unraisablehook = self._hook_before
            self._hook = None


def _without_time_limits(hook: _Hook) -> _Hook:
    def report(error: sys.UnraisableHookArgs) -> None:
        if not issubclass(error.exc_type, TimeLimitError):
            hook(error)

    return report


def _raise_in_thread(thread: int, error: type[Exception]) -> None:
    """Raise an exception in another thread at its next step."""
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(error))


WATCHDOG = Watchdog()

"""Fork of this process that serves calls of one function, within limits that the kernel enforces.

A time limit inside a process cannot stop one long call into C, and nothing there can limit memory. A fork can be killed
from outside, and the memory that it may use is set before it runs anything.
"""

from __future__ import annotations

import gc
import os
import pickle
import signal
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO, Generic, ParamSpec, TypeVar

from cardgen.runtime.forked_worker import end_fork_with_parent

P = ParamSpec("P")
T = TypeVar("T")

_PAGE_SIZE = 4096
# The exit code of a fork without memory.
_OUT_OF_MEMORY = 3


class ResourceLimitError(Exception):
    """A call used more CPU time or memory than allowed, or ended its process.

    `resource` is 'time', 'memory', or ''.
    """

    def __init__(self, resource: str) -> None:
        super().__init__(resource)
        self.resource = resource


class LimitedFork(Generic[P, T]):
    """Fork that runs `function` with the arguments of each call, and sends back the result.

    Each call may use `seconds` of CPU time, and the fork `memory` bytes more than at its start. Arguments and results
    must be picklable. The fork sees the objects of this process as they were when it started. It ends when it exceeds
    a limit, when it is closed or garbage collected, and with this process.
    """

    def __init__(self, function: Callable[P, T], seconds: float, memory: int) -> None:
        """Raises OSError if no fork can be made."""
        child_input, requests = os.pipe()
        results, child_output = os.pipe()
        parent = os.getpid()
        # Ctrl-C reaches both processes; the parent ends the fork, which must never go on as if it were the parent.
        old_mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            self.process = os.fork()
            if not self.process:
                os.close(requests)
                os.close(results)
                _serve(function, child_input, child_output, seconds, memory, parent)
        except OSError:
            os.close(requests)
            os.close(results)
            raise
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, old_mask)
            os.close(child_input)
            os.close(child_output)
        self._owner = parent
        self._requests, self._results = open(requests, "wb"), open(results, "rb")  # noqa: PTH123, SIM115 - no paths
        self._status: int | None = None
        self._end = weakref.finalize(self, _end, self.process, parent, self._requests, self._results)

    @property
    def is_usable(self) -> bool:
        """Return whether this process may call it; the forks of this process may not."""
        return self._end.alive and os.getpid() == self._owner

    def call(self, *arguments: P.args, **keywords: P.kwargs) -> T:
        """Return the function's result. Raises its exception, or ResourceLimitError, after which the fork has ended."""
        try:
            pickle.dump((arguments, keywords), self._requests, pickle.HIGHEST_PROTOCOL)
            self._requests.flush()
            is_result, outcome = pickle.load(self._results)
        except (OSError, EOFError, pickle.UnpicklingError):
            raise ResourceLimitError(self._cause_of_end()) from None
        if not is_result:
            raise outcome
        return outcome  # type: ignore[no-any-return]

    def close(self) -> None:
        """End the fork, if it has not ended yet."""
        self._end()

    def _cause_of_end(self) -> str:
        """Wait for the fork to end; the kernel ends it with SIGPROF for its time."""
        self._end.detach()
        _close(self._requests, self._results)
        _, status = os.waitpid(self.process, 0)
        return {-signal.SIGPROF: "time", _OUT_OF_MEMORY: "memory"}.get(os.waitstatus_to_exitcode(status), "")


def _end(process: int, owner: int, *pipes: BinaryIO) -> None:
    _close(*pipes)
    if os.getpid() == owner:
        with suppress(OSError):
            os.kill(process, signal.SIGKILL)
            os.waitpid(process, 0)


def _close(*pipes: BinaryIO) -> None:
    for pipe in pipes:
        with suppress(OSError):  # The fork ended before it read everything.
            pipe.close()


def _serve(
    function: Callable[..., object], requests: int, results: int, seconds: float, memory: int, parent: int
) -> None:
    """Answer calls until there are no more, and end the process."""
    try:
        end_fork_with_parent(parent)
        signal.signal(signal.SIGPROF, signal.SIG_DFL)
        gc.freeze()  # Otherwise the garbage collector would touch, and so copy, all objects.
        _limit_memory(memory)
        with open(requests, "rb") as source, open(results, "wb") as target:
            while True:
                arguments, keywords = pickle.load(source)
                signal.setitimer(signal.ITIMER_PROF, seconds)
                target.write(_outcome(function, arguments, keywords))
                signal.setitimer(signal.ITIMER_PROF, 0)
                target.flush()
    except MemoryError:
        os._exit(_OUT_OF_MEMORY)
    finally:
        os._exit(1)


def _outcome(function: Callable[..., object], arguments: tuple[Any, ...], keywords: dict[str, Any]) -> bytes:
    """Return the pickled result or exception of a call; lack of memory ends the process."""
    try:
        outcome = True, function(*arguments, **keywords)
    except MemoryError:
        raise
    except Exception as error:
        outcome = False, error
    return pickle.dumps(outcome, pickle.HIGHEST_PROTOCOL)


def free_memory() -> int:
    """Return the bytes between the most memory that this fork has used, and its limit."""
    import resource

    text = Path("/proc/self/status").read_bytes()
    peak = next(int(line.split()[1]) for line in text.splitlines() if line.startswith(b"VmPeak:"))
    return resource.getrlimit(resource.RLIMIT_AS)[0] - peak * 1024


@contextmanager
def limits_here(seconds: float, memory: int) -> Iterator[None]:
    """Limit what the block may use, in a process that may die: CPU time in s, and bytes more than now.

    The kernel ends the process when the time is over; without memory, the block raises MemoryError.
    """
    import resource

    old = resource.getrlimit(resource.RLIMIT_AS)
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    _limit_memory(memory)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        resource.setrlimit(resource.RLIMIT_AS, old)


def _limit_memory(more: int) -> None:
    import resource

    with open("/proc/self/statm", "rb") as file:  # noqa: PTH123 - a path object would cost more than reading it
        used = int(file.read().split()[0]) * _PAGE_SIZE
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    limits = (used + more, soft, hard)
    resource.setrlimit(resource.RLIMIT_AS, (min(each for each in limits if each != resource.RLIM_INFINITY), hard))
    resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))

"""Fork of this process that serves calls of one function, within limits that the kernel enforces.

A time limit inside a process cannot stop one long call into C, and nothing there can limit memory. A fork can be killed
from outside, and the memory that it may use is set before it runs anything.
"""

from __future__ import annotations

import gc
import os
import signal
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO, Generic, ParamSpec, TypeVar

from cardgen.runtime.child_process import read_message, write_message
from cardgen.runtime.plain_data import Decoder, Encoder, PlainDataError
from cardgen.runtime.processes import Fork

P = ParamSpec("P")
T = TypeVar("T")

_PAGE_SIZE = 4096
# The exit code of a fork without memory.
_OUT_OF_MEMORY = 3
# Bytes of a result: a template's output has 4 million characters at most, and each takes up to 6 bytes.
MAX_RESULT = 64 << 20


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
    must be plain data: what a hostile file makes of the fork never becomes more than a wrong result. The fork sees the
    objects of this process as they were when it started, but none of its descriptors. It ends when it exceeds a limit,
    when it is closed or garbage collected, and with this process.
    """

    def __init__(
        self, function: Callable[P, T], seconds: float, memory: int, errors: tuple[type[Exception], ...] = ()
    ) -> None:
        """Raises OSError if no fork can be made. `errors` of the function have a text only, and are raised here too."""
        child_input, requests = os.pipe()
        results, child_output = os.pipe()
        try:
            self._fork = Fork(
                lambda: _serve(function, child_input, child_output, seconds, memory), (child_input, child_output)
            )
        except OSError:
            os.close(requests)
            os.close(results)
            raise
        finally:
            os.close(child_input)
            os.close(child_output)
        self.process, self._owner = self._fork.pid, os.getpid()
        self._errors = {each.__name__: each for each in errors}
        self._requests, self._results = open(requests, "wb"), open(results, "rb")  # noqa: PTH123, SIM115 - no paths
        self._encoder, self._decoder = Encoder(), Decoder()
        self._end = weakref.finalize(self, _end, self._fork, self._owner, self._requests, self._results)

    @property
    def is_usable(self) -> bool:
        """Return whether this process may call it; the forks of this process may not."""
        return self._end.alive and os.getpid() == self._owner

    def call(self, *arguments: P.args, **keywords: P.kwargs) -> T:
        """Return the function's result.

        Raises its exception, as a RuntimeError if it is not one of the `errors`, or ResourceLimitError, after which the
        fork has ended.
        """
        try:
            write_message(self._requests, self._encoder.encode((arguments, keywords)))
            self._encoder.forget()
            outcome = self._decoder.decode(read_message(self._results, MAX_RESULT))
            self._decoder.forget()
        except (OSError, EOFError, PlainDataError):
            raise ResourceLimitError(self._cause_of_end()) from None
        match outcome:
            case "", result:
                return result  # type: ignore[no-any-return]
            case str(error), str(message) if error in self._errors:
                raise self._errors[error](message)
            case str(error), str(message):
                raise RuntimeError(f"{error}: {message}")
        raise ResourceLimitError(self._cause_of_end())

    def close(self) -> None:
        """End the fork, if it has not ended yet."""
        self._end()

    def _cause_of_end(self) -> str:
        """End the fork, and return why it ended by itself, if so; the kernel ends it with SIGPROF for its time."""
        self._end.detach()
        self._fork.kill()
        _close(self._requests, self._results)
        return {-signal.SIGPROF: "time", _OUT_OF_MEMORY: "memory"}.get(self._fork.wait(), "")


def _end(fork: Fork, owner: int, *pipes: BinaryIO) -> None:
    _close(*pipes)
    if os.getpid() == owner:
        fork.kill()


def _close(*pipes: BinaryIO) -> None:
    for pipe in pipes:
        with suppress(OSError):  # The fork ended before it read everything.
            pipe.close()


def _serve(function: Callable[..., object], requests: int, results: int, seconds: float, memory: int) -> None:
    """Answer calls until there are no more, and end the process."""
    encoder, decoder = Encoder(), Decoder()
    try:
        signal.signal(signal.SIGPROF, signal.SIG_DFL)
        gc.freeze()  # Otherwise the garbage collector would touch, and so copy, all objects.
        _limit_memory(memory)
        # Not closed before the process ends, because the parent then ends it.
        source, target = open(requests, "rb"), open(results, "wb")  # noqa: SIM115
        while True:
            arguments, keywords = decoder.decode(read_message(source))
            decoder.forget()
            signal.setitimer(signal.ITIMER_PROF, seconds)
            message = encoder.encode(_outcome(function, arguments, keywords))
            encoder.forget()
            write_message(target, message)
            signal.setitimer(signal.ITIMER_PROF, 0)
    except MemoryError:
        os._exit(_OUT_OF_MEMORY)


def _outcome(
    function: Callable[..., object], arguments: tuple[Any, ...], keywords: dict[str, Any]
) -> tuple[str, object]:
    """Return the result, or the name and text of an exception; lack of memory ends the process."""
    try:
        return "", function(*arguments, **keywords)
    except MemoryError:
        raise
    except Exception as error:
        return type(error).__name__, str(error)


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

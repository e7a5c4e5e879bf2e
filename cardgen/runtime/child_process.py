"""Child processes that do one kind of work, and the channel to them.

The work and its requests are pickled: the child trusts this process. What comes back is plain data, because the child
reads files of strangers, and what they make of it must not run here.
"""

from __future__ import annotations

import os
import pickle
import signal
import threading
from collections.abc import Callable
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import IO, TYPE_CHECKING, Any, Final, TypeAlias

from cardgen.runtime import processes
from cardgen.runtime.plain_data import Decoder, Encoder, PlainDataError

if TYPE_CHECKING:
    from subprocess import Popen

_LENGTH_SIZE: Final = 8
# No answer is larger: not even the pages of a large sheet as pictures.
MAX_MESSAGE: Final = 1 << 30


class Ended:
    """What a child that has ended leaves in its inbox."""


ENDED: Final = Ended()
Inbox: TypeAlias = "SimpleQueue[tuple[ChildProcess, Any]]"


class ParentChannel:
    """The channel to the parent, in a child."""

    def __init__(self, requests: IO[bytes], answers: IO[bytes]) -> None:
        self._requests, self._answers = requests, answers
        self._encoder = Encoder()
        self._lock = threading.Lock()

    def receive(self) -> Any:
        """Wait for a request. Raises EOFError once there are no more."""
        return pickle.load(self._requests)

    def send(self, answer: object) -> None:
        """Send an answer. Raises OSError if nobody reads it, and PlainDataError if it is not plain data."""
        with self._lock:
            try:
                write_message(self._answers, self._encoder.encode(answer))
            finally:
                self._encoder.forget()


Work: TypeAlias = Callable[..., None]


class ChildProcess:
    """A process that runs `work(channel, *arguments)`, and ends.

    It is a fork if `forked`, and starts anew otherwise; then the work must be importable, and the arguments picklable.
    What it sends goes to the inbox as pairs of this child and the answer, the last of which is `ENDED`. Threads read
    what children send, so `begin` is called when no process will be forked any more.
    """

    def __init__(self, work: Work, *arguments: object, forked: bool = False, inbox: Inbox | None = None) -> None:
        """Raises OSError if no process can be started."""
        self.inbox: Inbox = SimpleQueue() if inbox is None else inbox
        self._process: processes.Fork | Popen[bytes]
        if forked:
            self._process, self._requests, self._answers = _fork(work, arguments)
        else:
            setup = pickle.dumps((work, arguments), pickle.HIGHEST_PROTOCOL)
            self._process = process = processes.start_python(__name__)
            assert process.stdin and process.stdout, "pipes"
            self._requests, self._answers = process.stdin, process.stdout
            with suppress(OSError):  # it ended already, which its answers will tell
                self._requests.write(setup)
                self._requests.flush()
        self._reader = threading.Thread(target=self._read, name=f"answers of {self._process.pid}", daemon=True)

    @property
    def pid(self) -> int:
        """The number of the process."""
        return self._process.pid

    def begin(self) -> None:
        """Begin to read answers."""
        self._reader.start()

    def send(self, request: object) -> None:
        """Send a request. Raises OSError if the child has ended."""
        self._requests.write(pickle.dumps(request, pickle.HIGHEST_PROTOCOL))
        self._requests.flush()

    def receive(self, seconds: float | None = None) -> Any:
        """Return the next answer, or `ENDED`. Raises TimeoutError if there is none in time."""
        try:
            return self.inbox.get(timeout=seconds)[1]
        except Empty:
            raise TimeoutError from None

    def _read(self) -> None:
        decoder = Decoder()
        with suppress(OSError, EOFError, PlainDataError):
            while True:
                answer = decoder.decode(read_message(self._answers))
                decoder.forget()
                self.inbox.put((self, answer))
        self.inbox.put((self, ENDED))

    def is_alive(self) -> bool:
        """Return whether the process runs."""
        return self._reader.is_alive()

    def terminate(self) -> None:
        """Ask the process to end, from any thread."""
        with suppress(OSError):
            if isinstance(self._process, processes.Fork):
                self._process.kill()
            else:
                self._process.terminate()

    def kill(self) -> None:
        """End the process, from any thread."""
        with suppress(OSError):
            self._process.kill()

    def join(self, seconds: float) -> None:
        """Wait for the process to send its last answer, which ends it."""
        if self._reader.ident is not None:
            self._reader.join(seconds)

    def close(self) -> None:
        """End the process, and wait until it has ended."""
        self.kill()
        self._process.wait()
        self.join(5)
        for pipe in (self._requests, self._answers):
            with suppress(OSError):
                pipe.close()


def write_message(pipe: IO[bytes], message: bytes) -> None:
    """Write a message after its length. Raises OSError if nobody reads it."""
    pipe.write(len(message).to_bytes(_LENGTH_SIZE))
    pipe.write(message)
    pipe.flush()


def read_message(pipe: IO[bytes], limit: int = MAX_MESSAGE) -> bytes:
    """Read a message. Raises EOFError at the end of the pipe, and PlainDataError if the message is too large."""
    length = int.from_bytes(_read_exactly(pipe, _LENGTH_SIZE))
    if length > limit:
        raise PlainDataError(f"the message has more than {limit} bytes")
    return _read_exactly(pipe, length)


def _read_exactly(pipe: IO[bytes], size: int) -> bytes:
    content = pipe.read(size)
    if len(content) < size:
        raise EOFError
    return content


def _fork(work: Work, arguments: tuple[object, ...]) -> tuple[processes.Fork, IO[bytes], IO[bytes]]:
    child_input, requests = os.pipe()
    answers, child_output = os.pipe()
    try:
        fork = processes.Fork(
            lambda: work(ParentChannel(open(child_input, "rb"), open(child_output, "wb")), *arguments),  # noqa: PTH123, SIM115
            (child_input, child_output),
        )
    except OSError:
        os.close(requests)
        os.close(answers)
        raise
    finally:
        os.close(child_input)
        os.close(child_output)
    return fork, open(requests, "wb"), open(answers, "rb")  # noqa: PTH123 - no paths


def main() -> None:
    """Do the work of a process that was started anew; Ctrl-C is for its parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    channel = ParentChannel(*take_standard_pipes())
    with suppress(EOFError, BrokenPipeError):
        work, arguments = channel.receive()
        work(channel, *arguments)


def take_standard_pipes() -> tuple[IO[bytes], IO[bytes]]:
    """Return standard input and output; from now on, they lead nowhere and to standard error.

    So what libraries print does not get between the messages.
    """
    pipes = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    with open(os.devnull, "r+b", buffering=0) as nowhere:  # noqa: PTH123
        os.dup2(nowhere.fileno(), 0)
        try:
            os.dup2(2, 1)
        except OSError:  # there is no standard error
            os.dup2(nowhere.fileno(), 1)
    return pipes

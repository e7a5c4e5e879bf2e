"""Channel of messages between this process and the gateway: plain data, each message after its length.

The gateway talks to other machines, so this process takes nothing from it that could run here.
"""

from __future__ import annotations

import threading
from typing import IO, Any

from cardgen.runtime.child_process import read_message, write_message
from cardgen.runtime.plain_data import Decoder, Encoder, PlainDataError


class Channel:
    """Two pipes to one process; any thread can send. `sent` and `received` are sums of bytes."""

    def __init__(self, reader: IO[bytes], writer: IO[bytes]) -> None:
        self._reader, self._writer = reader, writer
        self._encoder, self._decoder = Encoder(), Decoder()
        self._lock = threading.Lock()
        self.sent = self.received = 0

    def send(self, *message: Any) -> None:
        """Send a message. Raises OSError if the other process has ended."""
        with self._lock:
            content = self._encoder.encode(message)
            self._encoder.forget()
            write_message(self._writer, content)
            self.sent += len(content)

    def receive(self) -> tuple[Any, ...]:
        """Wait for a message. Raises EOFError if the other process has ended, or sends something else."""
        try:
            content = read_message(self._reader)
            self.received += len(content)
            kind, *more = self._decoder.decode(content)
            self._decoder.forget()
        except (PlainDataError, TypeError, ValueError) as error:
            raise EOFError(str(error)) from None
        return kind, *more

    def close(self) -> None:
        """Tell the other process that there are no more messages."""
        with self._lock:
            self._writer.close()

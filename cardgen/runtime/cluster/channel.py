"""Channel of messages between this process and the gateway: pickled tuples, each after its length."""

from __future__ import annotations

import pickle
import threading
from typing import IO, Any

_LENGTH_BYTES = 8


class Channel:
    """Two pipes to one process; any thread can send. `sent` and `received` are sums of bytes."""

    def __init__(self, reader: IO[bytes], writer: IO[bytes]) -> None:
        self._reader, self._writer = reader, writer
        self._lock = threading.Lock()
        self.sent = self.received = 0

    def send(self, *message: Any) -> None:
        """Send a message. Raises OSError if the other process has ended."""
        content = pickle.dumps(message, pickle.HIGHEST_PROTOCOL)
        with self._lock:
            self._writer.write(len(content).to_bytes(_LENGTH_BYTES, "big"))
            self._writer.write(content)
            self._writer.flush()
            self.sent += len(content)

    def receive(self) -> tuple[Any, ...]:
        """Wait for a message. Raises EOFError if the other process has ended."""
        length = int.from_bytes(self._read(_LENGTH_BYTES), "big")
        self.received += length
        message: tuple[Any, ...] = pickle.loads(self._read(length))
        return message

    def _read(self, size: int) -> bytes:
        content = self._reader.read(size)
        if len(content) < size:
            raise EOFError
        return content

    def close(self) -> None:
        """Tell the other process that there are no more messages."""
        with self._lock:
            self._writer.close()

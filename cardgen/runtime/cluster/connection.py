"""The connection to a cluster: starts the gateway, and compares versions."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import suppress
from itertools import count
from typing import Any, Self

from cardgen.runtime import activity_log, processes
from cardgen.runtime.cluster.address import Address, cluster_error, require_safe
from cardgen.runtime.cluster.channel import Channel
from cardgen.runtime.cluster.identity import differences, digest_of, identity

# Seconds for the gateway to end its workers.
_PATIENCE = 10.0
_MOST_DIFFERENCES = 3


class Connection:
    """Connection to a cluster whose workers have the same versions as this process."""

    def __init__(self, address: Address, workers: int, on_note: Callable[[str], None]) -> None:
        """Connect. Raises CardgenError if the cluster cannot be used."""
        self.on_note = on_note
        self.is_lost = False
        self.workers = 0
        self._address = address
        self._numbers = count()
        self._answers: dict[int, deque[tuple[str, int, Any]]] = {}
        shows_errors = os.environ.get("CARDGEN_TRACEBACK", "") not in ("", "0")
        self._process = processes.start_python(
            "cardgen.runtime.cluster.gateway", shows_errors=shows_errors, new_session=True
        )
        assert self._process.stdin and self._process.stdout
        self.channel = Channel(self._process.stdout, self._process.stdin)
        try:
            self.channel.send(address, workers)
            self._accept(*self.channel.receive())
        except (EOFError, OSError):
            self.close()
            raise cluster_error("the process that connects to the cluster ended unexpectedly") from None
        except BaseException:
            self.close()
            raise

    def _accept(self, kind: str, *answer: Any) -> None:
        """Raise CardgenError unless the cluster and all its workers can be used."""
        if kind == "refused":
            raise cluster_error(*answer)
        scheduler, identities = answer
        for address in (scheduler, *identities):
            require_safe(address)
        for worker, theirs in identities.items():
            _require_equal(worker, theirs)
        self.workers = len(identities)

    def open(self, payload: bytes) -> int:
        """Begin a run with its pickled setup, and return its number."""
        run = next(self._numbers)
        self._answers[run] = deque()
        self._send("open", run, digest_of(identity()), payload)
        return run

    def submit(self, run: int, block: int, items: list[Any]) -> None:
        """Let a worker run the tasks of a block."""
        self._send("submit", run, block, items)

    def receive(self, run: int) -> tuple[str, int, Any]:
        """Wait for an answer: 'result' or 'failed' with a block, or 'lost'."""
        while not self._answers[run]:
            if self.is_lost:
                return "lost", 0, None
            self._receive_one()
        return self._answers[run].popleft()

    def _receive_one(self) -> None:
        try:
            kind, *answer = self.channel.receive()
        except (EOFError, OSError):
            kind, answer = "lost", []
        if kind == "lost":
            self._lose()
        elif (run := answer[0]) in self._answers:
            self._answers[run].append((kind, *answer[1:]))

    def end(self, run: int) -> None:
        """Forget a run."""
        self._answers.pop(run, None)
        self._send("end", run)

    def _send(self, *message: Any) -> None:
        try:
            self.channel.send(*message)
        except (OSError, ValueError):
            self._lose()

    def _lose(self) -> None:
        if not self.is_lost:
            self.is_lost = True
            self.on_note(f"the cluster {self._address} no longer answers; this computer does the rest")

    def close(self) -> None:
        """End the gateway, and with it the workers that it started."""
        activity_log.record(f"cluster: {self.channel.sent:,} bytes sent, {self.channel.received:,} received")
        with suppress(OSError):
            self.channel.close()
        processes.end_group(self._process, _PATIENCE)
        if self._process.stdout:
            self._process.stdout.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _require_equal(worker: str, theirs: Mapping[str, str] | str) -> None:
    """Raise CardgenError for a worker with other versions."""
    if isinstance(theirs, str):
        raise cluster_error(f"the worker {worker} has no cardgen like this one: {theirs}", _SAME)
    different = differences(theirs, identity())
    if different:
        more = len(different) - _MOST_DIFFERENCES
        texts = [*different[:_MOST_DIFFERENCES], *([f"{more} more"] if more > 0 else [])]
        raise cluster_error(f"the worker {worker} has {', '.join(texts)}", _SAME)


_SAME = "install the same versions on all machines, so that results are the same"

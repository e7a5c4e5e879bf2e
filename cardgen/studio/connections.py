"""Connections of the studio's servers, within limits: nobody keeps others out by opening many and finishing nothing.

uvicorn limits neither how long the head or the body of a request may take, nor how many connections an address opens;
with httptools, its parser of choice, not even the size of headers. So both servers use its parser h11, which gives up
a head that is not complete after 16 KiB, and the limits below.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from contextlib import suppress
from functools import partial
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

from cardgen.diagnostic import escape_lines

# Seconds from the opening of a connection, or from the last answer, to the end of the next request with its body; and
# seconds in which a browser may take nothing of what it is sent.
REQUEST_SECONDS, STALL_SECONDS = 10.0, 30.0
# Seconds that a connection may stay open between requests.
KEEP_ALIVE_SECONDS = 5
# Connections of both servers, and everything else that is open.
_MOST_FILES = 4096


def make_room() -> None:
    """Let this process open as many files as the system allows, so that connections leave room for everything else.

    Some systems begin with 256, fewer than the connections that may be open.
    """
    with suppress(ImportError, OSError, ValueError):
        import resource  # not on Windows, which has no such limit

        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        most = _MOST_FILES if hard == resource.RLIM_INFINITY else min(_MOST_FILES, hard)
        if soft != resource.RLIM_INFINITY and soft < most:
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))


class EscapedLines(logging.Formatter):
    """Format of what the servers tell the terminal, which may repeat what anybody has asked them for."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the lines of a record, with escapes for control characters."""
        return escape_lines(super().format(record))


_TO_TERMINAL = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"escaped": {"()": EscapedLines}},
    "handlers": {"terminal": {"class": "logging.StreamHandler", "formatter": "escaped"}},
    "loggers": {"uvicorn": {"handlers": [], "propagate": True}},
    "root": {"handlers": ["terminal"]},
}


def server_options(**limits: int) -> dict[str, Any]:
    """Return the options of uvicorn that both servers have, with the limits of their connections."""
    return {
        "log_config": _TO_TERMINAL,
        "log_level": "error",
        "server_header": False,
        "proxy_headers": False,  # there is no proxy: whoever connects could write any address into its headers
        "http": ConnectionLimits(**limits).protocol,
        "timeout_keep_alive": KEEP_ALIVE_SECONDS,
        "timeout_graceful_shutdown": 1,
    }


class ConnectionLimits:
    """The connections of a server, and how many there may be: of all addresses together, and of each.

    A connection above `most` or `most_of_address` is closed at once, so those that are open stay. Connections that wait
    for a complete request, or for a browser that takes nothing, have limits of their own, `most_waiting` and
    `most_waiting_of_address`: above these, the one that has waited the longest is closed, because honest browsers
    finish their requests, and take their answers, first.
    """

    def __init__(self, most: int, most_of_address: int, most_waiting: int, most_waiting_of_address: int) -> None:
        self._most, self._most_of_address = most, most_of_address
        self._most_waiting, self._most_waiting_of_address = most_waiting, most_waiting_of_address
        self._counts: Counter[str] = Counter()
        # In the order in which they began to wait.
        self._waiting: dict[BoundedConnection, None] = {}

    @property
    def protocol(self) -> Any:
        """The protocol for uvicorn's option `http`."""
        return partial(BoundedConnection, self)

    def admit(self, address: str) -> bool:
        """Count a connection of an address if it may be opened; return whether it may."""
        if self._counts.total() >= self._most or self._counts[address] >= self._most_of_address:
            return False
        self._counts[address] += 1
        return True

    def release(self, address: str) -> None:
        """Count a connection no more."""
        self._counts[address] -= 1
        if not self._counts[address]:
            del self._counts[address]

    def wait(self, connection: BoundedConnection) -> None:
        """Note that a connection waits, and close others that have waited the longest."""
        self._waiting[connection] = None
        near = [each for each in self._waiting if each.address == connection.address]
        for each in near[: max(len(near) - self._most_waiting_of_address, 0)]:
            each.drop()
        for each in [*self._waiting][: max(len(self._waiting) - self._most_waiting, 0)]:
            each.drop()

    def stop_waiting(self, connection: BoundedConnection) -> None:
        """Note that a connection waits no more."""
        self._waiting.pop(connection, None)


class BoundedConnection(H11Protocol):
    """A connection that is closed when it waits too long for a request, or for a browser that takes nothing."""

    def __init__(self, limits: ConnectionLimits, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._limits = limits
        self.address = ""
        self._is_counted = False
        self._request_timer: asyncio.TimerHandle | None = None
        self._stall_timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        """Begin to wait for a request."""
        super().connection_made(transport)
        self.address = self.client[0] if self.client else ""
        self._is_counted = self._limits.admit(self.address)
        if self._is_counted:
            self._look()
        else:
            self.drop()

    def connection_lost(self, exc: Exception | None) -> None:
        """Count the connection no more."""
        self._release()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Read a part of a request."""
        super().data_received(data)
        self._look()

    def on_response_complete(self) -> None:
        """Wait for the next request."""
        super().on_response_complete()
        self._look()

    def handle_websocket_upgrade(self, event: Any) -> None:
        """Leave the connection to the protocol of websockets, whose application looks at the request."""
        self._release()
        super().handle_websocket_upgrade(event)
        # uvicorn leaves a connection open whose handshake it cannot read, such as one with a body, and never answers.
        if not getattr(self.transport.get_protocol(), "handshake_initiated", True):
            self.transport.abort()

    def pause_writing(self) -> None:
        """Wait for a browser that takes nothing."""
        super().pause_writing()
        if self._is_counted and self._stall_timer is None:
            self._stall_timer = self.loop.call_later(STALL_SECONDS, self.drop)
            self._limits.wait(self)

    def resume_writing(self) -> None:
        """Write on."""
        self._stop_stall_clock()
        super().resume_writing()

    def drop(self) -> None:
        """Close the connection, whatever is under way."""
        self._release()  # at once: others of a burst, which is accepted as a whole, must find room before it is lost
        self.transport.abort()

    def _look(self) -> None:
        """Start or stop the clock: a request that is not complete, with its body, waits."""
        if not self._is_counted:
            return
        is_waiting = self.cycle is None or self.cycle.response_complete or self.cycle.more_body
        if is_waiting and self._request_timer is None:
            self._request_timer = self.loop.call_later(REQUEST_SECONDS, self.drop)
            self._limits.wait(self)
        elif self._request_timer and not is_waiting:
            self._stop_clock()

    def _stop_clock(self) -> None:
        if self._request_timer:
            self._request_timer.cancel()
            self._request_timer = None
        if not self._stall_timer:
            self._limits.stop_waiting(self)

    def _stop_stall_clock(self) -> None:
        if self._stall_timer:
            self._stall_timer.cancel()
            self._stall_timer = None
        if not self._request_timer:
            self._limits.stop_waiting(self)

    def _release(self) -> None:
        self._stop_clock()
        self._stop_stall_clock()
        if self._is_counted:
            self._is_counted = False
            self._limits.release(self.address)

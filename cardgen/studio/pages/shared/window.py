"""The window of the browser that a page is shown in."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import TypeVar

from nicegui import ui

_Listener = TypeVar("_Listener", bound=Callable[..., object])


# How NiceGUI begins its warnings of changes of a page, or an element, that is gone.
_LATE_CHANGES = ("Client has been deleted", "An element has been deleted")


def allow_late_changes() -> None:
    """Let work that a page has begun, such as saving, go on to its end when the page is left.

    NiceGUI takes what it shows then for a mistake, and prints where; nobody sees it, so there is nothing to tell.
    """
    log = logging.getLogger("nicegui")
    if _is_no_late_change not in log.filters:
        log.addFilter(_is_no_late_change)


def _is_no_late_change(record: logging.LogRecord) -> bool:
    return not str(record.msg).startswith(_LATE_CHANGES)


@asynccontextmanager
async def connected_window() -> AsyncIterator[None]:
    """Run the block once the browser has connected, with the page as the place of new elements.

    If the page is left meanwhile, the rest is given up: nobody sees it, and its failures say nothing.
    """
    client = ui.context.client
    await client.connected()
    if client.is_deleted:
        raise asyncio.CancelledError
    with client:
        try:
            yield
        except Exception:
            if client.has_socket_connection and not client.is_deleted:
                raise
            raise asyncio.CancelledError from None


def listen(listeners: set[_Listener], listener: _Listener) -> None:
    """Add a listener until the window is closed."""
    listeners.add(listener)
    ui.context.client.on_delete(lambda: listeners.discard(listener))

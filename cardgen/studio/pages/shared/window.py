"""The window of the browser that a page is shown in."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import TypeVar

from nicegui import ui

_Listener = TypeVar("_Listener", bound=Callable[..., object])


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

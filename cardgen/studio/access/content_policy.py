"""Content security policies of the studio's pages.

NiceGUI writes its start script into each page, and Vue compiles templates in the browser. So a policy allows exactly
the scripts that a page came with, by their hashes, and evaluation of strings; scripts that get into the page later,
such as event handlers in a card's text, do not run.
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Awaitable, Callable, MutableMapping
from hashlib import sha256
from typing import Any

_Message = MutableMapping[str, Any]
_INLINE_SCRIPT = re.compile(rb"<script(?![^>]*\bsrc=)[^>]*>(.*?)</script>", re.DOTALL)
_COMMON_HEADERS = (
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
)
# A picture that is opened on its own may draw, and nothing else.
_PICTURE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; sandbox"


def page_policy(page: bytes, port: int) -> str:
    """Return the policy of an HTML page."""
    hashes = (b64encode(sha256(script).digest()).decode() for script in _INLINE_SCRIPT.findall(page))
    scripts = " ".join(f"'sha256-{each}'" for each in dict.fromkeys(hashes))
    sockets = " ".join(f"ws://{host}:{port}" for host in ("127.0.0.1", "localhost"))
    return "; ".join(
        (
            "default-src 'none'",
            f"script-src 'self' 'unsafe-eval' {scripts}",
            "style-src 'self' 'unsafe-inline'",
            "img-src 'self' data:",
            "font-src 'self' data:",
            f"connect-src 'self' {sockets}",
            "base-uri 'none'",
            "form-action 'none'",
            "frame-ancestors 'none'",
        )
    )


class PageWithPolicy:
    """Sender of one answer that adds headers; a page is held back until it is complete."""

    def __init__(self, send: Callable[[_Message], Awaitable[None]], port: int) -> None:
        self._send, self._port = send, port
        self._start: _Message | None = None
        self._body = b""

    async def send(self, message: _Message) -> None:
        """Send a part of the answer."""
        if message["type"] == "http.response.start":
            await self._begin(message)
        elif self._start is None:
            await self._send(message)
        else:
            self._body += message.get("body", b"")
            if not message.get("more_body"):
                await self._send_page(self._start)

    async def _begin(self, message: _Message) -> None:
        kind = next((value for name, value in message["headers"] if name.lower() == b"content-type"), b"")
        message["headers"] = [*message["headers"], *_COMMON_HEADERS]
        if kind.startswith(b"text/html"):
            self._start = message
            return
        if kind.startswith(b"image/"):
            message["headers"].append((b"content-security-policy", _PICTURE_POLICY.encode()))
        await self._send(message)

    async def _send_page(self, start: _Message) -> None:
        start["headers"].append((b"content-security-policy", page_policy(self._body, self._port).encode()))
        await self._send(start)
        await self._send({"type": "http.response.body", "body": self._body})

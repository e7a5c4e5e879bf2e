"""Requests and answers of the players' server, and what both must be like."""

from __future__ import annotations

import ipaddress
import json
from collections.abc import Mapping
from http.cookies import CookieError, SimpleCookie
from typing import Any

from cardgen.referee import strict_json
from cardgen.studio.access.guard import Message, Receive, Scope, Send

LOOPBACK = "127.0.0.1"
_MOST_BYTES = 8192
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_HEADERS = {
    "Content-Security-Policy": _POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}


class RefusalError(Exception):
    """A request that is refused, with the status and text of the answer."""

    def __init__(self, status: int, text: str) -> None:
        super().__init__(text)
        self.status = status


class Exchange:
    """A request to the players' server, and its answer."""

    def __init__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self._scope, self._receive, self._send = scope, receive, send
        self._headers = {name.lower(): value.decode("latin-1") for name, value in scope["headers"]}

    @property
    def address(self) -> str:
        """The address of the browser; this computer, which has 16 million of them, is one."""
        address = str((self._scope.get("client") or ("",))[0])
        return LOOPBACK if address.startswith("127.") else address

    @property
    def port(self) -> int:
        """The port of the server."""
        return int(self._scope["server"][1])

    @property
    def method(self) -> str:
        """GET, POST, or another one."""
        return str(self._scope["method"])

    @property
    def path(self) -> str:
        """The path, without the query."""
        return str(self._scope["path"])

    def require_own_network(self) -> None:
        """Raise RefusalError unless the request comes from this network, to this computer by its address.

        A name in place of the address could be one that a stranger's server points to this computer.
        """
        if not _is_near(self.address):
            raise RefusalError(403, "This server answers the local network only.")
        host, port = self._scope["server"]
        names = {f"{host}:{port}"} | ({f"localhost:{port}"} if ipaddress.ip_address(host).is_loopback else set())
        if self._headers.get(b"host", "").lower() not in names:
            raise RefusalError(421, "Open the address that the studio shows.")
        origin = self._headers.get(b"origin")
        is_own = origin is not None and origin.lower() in {f"http://{each}" for each in names}
        if (origin is not None and not is_own) or not self._is_from_here():
            raise RefusalError(403, "This server does not answer requests from other web sites.")
        if self.method == "POST" and not is_own:
            raise RefusalError(403, "This server answers its own pages only.")

    def _is_from_here(self) -> bool:
        """Return whether a browser says that its own pages, the user, or a link of the studio started the request.

        Another port of this computer is the 'same site', which is sent the cookies of seats; it can be anybody's.
        """
        site, mode = (self._headers.get(name, "") for name in (b"sec-fetch-site", b"sec-fetch-mode"))
        return site in ("", "none", "same-origin") or (site == "same-site" and mode == "navigate")

    def cookie(self, name: str) -> str:
        """Return the value of a cookie, or ''."""
        try:
            morsel = SimpleCookie(self._headers.get(b"cookie", "")).get(name)
        except CookieError:
            return ""
        return morsel.value if morsel else ""

    async def json(self) -> Mapping[str, Any]:
        """Return the body of the request. Raises RefusalError unless it is a small map in JSON."""
        if not self._headers.get(b"content-type", "").startswith("application/json"):
            raise RefusalError(415, "Send JSON.")
        body, is_more = b"", True
        while is_more:
            message = await self._receive()
            if message["type"] == "http.disconnect":
                raise RefusalError(400, "The request is incomplete.")
            body, is_more = body + message.get("body", b""), message.get("more_body", False)
            if len(body) > _MOST_BYTES:
                raise RefusalError(413, "The request is too large.")
        try:
            data = strict_json.parse(body.decode())
        except ValueError:
            data = None
        if not isinstance(data, dict):
            raise RefusalError(400, "Send a map in JSON.")
        return data

    async def reply(self, status: int, body: bytes, kind: str, headers: Mapping[str, str] | None = None) -> None:
        """Answer the request."""
        await self.start(status, kind, {"Content-Length": str(len(body)), **(headers or {})})
        await self._send({"type": "http.response.body", "body": body})

    async def reply_json(self, data: object, status: int = 200, headers: Mapping[str, str] | None = None) -> None:
        """Answer the request with JSON."""
        await self.reply(status, json.dumps(data).encode(), "application/json", headers)

    async def start(self, status: int, kind: str, headers: Mapping[str, str] | None = None) -> None:
        """Begin an answer."""
        every = {**_HEADERS, "Content-Type": kind, **(headers or {})}
        raw = [(name.lower().encode(), value.encode("latin-1", "replace")) for name, value in every.items()]
        await self._send({"type": "http.response.start", "status": status, "headers": raw})

    async def send_part(self, body: bytes) -> None:
        """Send a part of an answer that goes on."""
        await self._send({"type": "http.response.body", "body": body, "more_body": True})

    async def finish(self, body: bytes) -> None:
        """Send the last part of such an answer."""
        await self._send({"type": "http.response.body", "body": body})

    async def disconnected(self) -> None:
        """Wait until the browser closes the connection."""
        message: Message = {}
        while message.get("type") != "http.disconnect":
            message = await self._receive()


def _is_near(address: str) -> bool:
    """Return whether an address is this computer's, or of its local network."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return False
    return parsed.is_loopback or parsed.is_private or parsed.is_link_local

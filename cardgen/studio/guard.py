"""Guard of the studio's server: only the browser of the user who started it gets in.

Other users of the machine lack the token, and where the system says whose a connection is, it would not help them. Web
pages that the same browser shows can neither read it nor send it: the cookie is sent for pages of the same site only,
requests from another origin are refused, and so are names that a stranger's DNS server points to this machine.
"""

from __future__ import annotations

import os
import re
import secrets
import socket
import sys
from base64 import b64encode
from collections.abc import Awaitable, Callable, Iterable, Iterator, MutableMapping
from hashlib import sha256
from http.cookies import CookieError, SimpleCookie
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias
from urllib.parse import parse_qsl, quote, urlencode

# An IPv4 address, and a port.
Address: TypeAlias = tuple[str, int]

# Tables of connections; a browser can also use IPv6 sockets for IPv4 addresses.
_TABLES = (Path("/proc/net/tcp"), Path("/proc/net/tcp6"))
# Their columns: local and remote address, the id of the user, and the number of the socket.
_LOCAL, _REMOTE, _USER, _SOCKET = 1, 2, 7, 9
_ADMINISTRATOR = 0
# The owner of a connection whose program has closed it; the table then says 0, as for the administrator.
NOBODY = -1
# A table that changes while it is read can leave out a row.
_LOOKS = 3


def is_stranger(client: Address, server: Address) -> bool:
    """Return whether a connection from this computer is not that of this user; False if the system does not say."""
    known = {_ADMINISTRATOR, os.getuid()} if hasattr(os, "getuid") else set[int]()
    for _ in range(_LOOKS):
        owners = owners_of(client, server, _rows())
        if owners is None:
            return False
        if owners:
            return not owners <= known
    return True


def owners_of(client: Address, server: Address, rows: Iterator[str]) -> set[int] | None:
    """Return the ids of the users who have connected from one address to another, from the rows of a table.

    Return None for a table without the port of the server, which says nothing of its connections.
    """
    owners, knows_server = set[int](), False
    for row in rows:
        columns = row.split()
        if len(columns) > _SOCKET and columns[_USER].isdigit():
            knows_server |= columns[_LOCAL].endswith(f":{server[1]:04X}")
            if columns[_LOCAL].endswith(_in_table(client)) and columns[_REMOTE].endswith(_in_table(server)):
                owners.add(int(columns[_USER]) if columns[_SOCKET] != "0" else NOBODY)
    return owners if knows_server else None


def _in_table(address: Address) -> str:
    """Return an address as a table has it; those of IPv6 sockets end with it."""
    number = int.from_bytes(socket.inet_aton(address[0]), sys.byteorder)
    return f"{number:08X}:{address[1]:04X}"


def _rows() -> Iterator[str]:
    for table in _TABLES:
        try:
            with table.open(encoding="ascii") as file:
                yield from file
        except (OSError, UnicodeDecodeError):
            continue


Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]

# The only address of the server.
HOST = "127.0.0.1"
COOKIE, PARAMETER = "cardgen-studio", "token"
# The code with which a websocket is refused: it violates the policy.
_POLICY_VIOLATION = 1008


class Refusal(NamedTuple):
    """The status and text of a refused request."""

    status: int
    text: str


_WRONG_HOST = Refusal(421, "The studio answers on this computer only: open the URL that it printed.")
_WRONG_ORIGIN = Refusal(403, "The studio does not answer requests from other websites.")
_WRONG_USER = Refusal(403, "The studio answers the user who started it, and this is another one.")
_NO_TOKEN = Refusal(403, "Open the URL that 'cardgen studio' printed; it contains a token.")


def headers_of(scope: Scope) -> dict[bytes, str]:
    """Return the headers of a request by their names in lowercase; the values of one that is repeated are joined."""
    headers: dict[bytes, str] = {}
    for raw_name, raw_value in scope["headers"]:
        name, value = raw_name.lower(), raw_value.decode("latin-1")
        headers[name] = f"{headers[name]}{'; ' if name == b'cookie' else ', '}{value}" if name in headers else value
    return headers


class Guard:
    """An ASGI application in front of another, which sees only what is allowed.

    `port` is the one on which the server listens. Each of the `tickets` is a token for one visit. `is_stranger` says
    whether a connection from an address to that of the server is that of another user.
    """

    def __init__(
        self,
        application: Application,
        port: int,
        token: str,
        is_stranger: Callable[[Address, Address], bool] = is_stranger,
        tickets: Iterable[str] = (),
    ) -> None:
        self._is_stranger, self._tickets = is_stranger, set(tickets)
        self._application, self._port, self._token = application, port, token
        self._hosts = frozenset(f"{name}:{port}" for name in (HOST, "localhost"))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or let the other application do so."""
        if scope["type"] not in ("http", "websocket"):
            await self._application(scope, receive, send)
            return
        headers = headers_of(scope)
        # Whose a connection is takes the longest to find out, so that comes last.
        refusal = (
            self._refusal(headers)
            or (None if self._brings_token(scope) else self._token_refusal(headers))
            or self._user_refusal(scope)
        )
        if refusal:
            await _refuse(scope, send, refusal)
        elif self._brings_token(scope):
            await self._set_cookie(scope, send)
        else:
            page = PageWithPolicy(send, self._port)
            await self._application(scope, receive, page.send if scope["type"] == "http" else send)

    def _refusal(self, headers: dict[bytes, str]) -> Refusal | None:
        if headers.get(b"host", "").lower() not in self._hosts:
            return _WRONG_HOST
        origin = headers.get(b"origin")
        if origin is not None and origin.lower() not in {f"http://{host}" for host in self._hosts}:
            return _WRONG_ORIGIN
        # Another port of this computer is the 'same site', though it can be anybody's.
        return None if headers.get(b"sec-fetch-site", "none") in ("none", "same-origin") else _WRONG_ORIGIN

    def _user_refusal(self, scope: Scope) -> Refusal | None:
        client = scope.get("client")
        return _WRONG_USER if client and self._is_stranger(tuple(client), (HOST, self._port)) else None

    def _token_refusal(self, headers: dict[bytes, str]) -> Refusal | None:
        try:
            cookie = SimpleCookie(headers.get(b"cookie", "")).get(self._cookie_name)
        except CookieError:
            cookie = None
        return None if cookie is not None and self._is_token(cookie.value) else _NO_TOKEN

    @property
    def _cookie_name(self) -> str:
        """The name of the cookie; browsers share cookies between ports, so it says which studio it is for."""
        return f"{COOKIE}-{self._port}"

    def _brings_token(self, scope: Scope) -> bool:
        """Return whether this is the first visit, by the URL that the studio printed or opened."""
        if scope["type"] != "http" or scope["method"] != "GET":
            return False
        brought = (value for name, value in _query(scope) if name == PARAMETER)
        return any(each in self._tickets or self._is_token(each) for each in brought)

    def _is_token(self, text: str) -> bool:
        return secrets.compare_digest(text.encode(), self._token.encode())

    async def _set_cookie(self, scope: Scope, send: Send) -> None:
        """Store the token in a cookie, and continue at the URL without it, which the history may keep."""
        self._tickets.difference_update(value for name, value in _query(scope) if name == PARAMETER)
        rest = urlencode([(name, value) for name, value in _query(scope) if name != PARAMETER])
        # Quoted, because browsers take a path that begins with a slash and a backslash for another server.
        path = "/" + quote(scope["path"].lstrip("/"))
        headers = {
            "Location": f"{path}?{rest}" if rest else path,
            "Set-Cookie": f"{self._cookie_name}={self._token}; Path=/; HttpOnly; SameSite=Strict",
            "Cache-Control": "no-store",
            "Referrer-Policy": "no-referrer",
        }
        await _answer(send, 303, b"", headers)


def _query(scope: Scope) -> list[tuple[str, str]]:
    return parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)


async def _refuse(scope: Scope, send: Send, refusal: Refusal) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": _POLICY_VIOLATION, "reason": refusal.text})
    else:
        headers = {"Content-Type": "text/plain; charset=utf-8", "X-Content-Type-Options": "nosniff"}
        await _answer(send, refusal.status, refusal.text.encode(), headers)


async def _answer(send: Send, status: int, body: bytes, headers: dict[str, str]) -> None:
    raw = [(name.encode(), value.encode("latin-1", "replace")) for name, value in headers.items()]
    raw.append((b"content-length", str(len(body)).encode()))
    await send({"type": "http.response.start", "status": status, "headers": raw})
    await send({"type": "http.response.body", "body": body})


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

    def __init__(self, send: Callable[[Message], Awaitable[None]], port: int) -> None:
        self._send, self._port = send, port
        self._start: Message | None = None
        self._body = b""

    async def send(self, message: Message) -> None:
        """Send a part of the answer."""
        if message["type"] == "http.response.start":
            await self._begin(message)
        elif self._start is None:
            await self._send(message)
        else:
            self._body += message.get("body", b"")
            if not message.get("more_body"):
                await self._send_page(self._start)

    async def _begin(self, message: Message) -> None:
        kind = next((value for name, value in message["headers"] if name.lower() == b"content-type"), b"")
        message["headers"] = [*message["headers"], *_COMMON_HEADERS]
        if kind.startswith(b"text/html"):
            self._start = message
            return
        if kind.startswith(b"image/"):
            message["headers"].append((b"content-security-policy", _PICTURE_POLICY.encode()))
        await self._send(message)

    async def _send_page(self, start: Message) -> None:
        start["headers"].append((b"content-security-policy", page_policy(self._body, self._port).encode()))
        await self._send(start)
        await self._send({"type": "http.response.body", "body": self._body})

"""Guard of the studio's server: only the browser of the user who started it gets in.

Other users of the machine lack the token, and where the system says whose a connection is, it would not help them. Web
pages that the same browser shows can neither read it nor send it: the cookie is sent for pages of the same site only,
requests from another origin are refused, and so are names that a stranger's DNS server points to this machine.
"""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable, MutableMapping
from http.cookies import CookieError, SimpleCookie
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, quote, urlencode

from cardgen.studio.access.content_policy import PageWithPolicy
from cardgen.studio.access.peer import Address, is_stranger

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
_WRONG_ORIGIN = Refusal(403, "The studio does not answer requests from other web sites.")
_WRONG_USER = Refusal(403, "The studio answers the user who started it, and this is another one.")
_NO_TOKEN = Refusal(403, "Open the URL that 'cardgen studio' printed; it contains a token.")


class Guard:
    """An ASGI application in front of another, which sees only what is allowed.

    `port` is the one on which the server listens. `is_stranger` says whether a connection from an address to that of
    the server is that of another user.
    """

    def __init__(
        self,
        application: Application,
        port: int,
        token: str,
        is_stranger: Callable[[Address, Address], bool] = is_stranger,
    ) -> None:
        self._is_stranger = is_stranger
        self._application, self._port, self._token = application, port, token
        self._hosts = frozenset(f"{name}:{port}" for name in (HOST, "localhost"))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or let the other application do so."""
        if scope["type"] not in ("http", "websocket"):
            await self._application(scope, receive, send)
            return
        headers = {name.lower(): value.decode("latin-1") for name, value in scope["headers"]}
        refusal = (
            self._refusal(headers)
            or self._user_refusal(scope)
            or (None if self._brings_token(scope) else self._token_refusal(headers))
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
        """Return whether this is the first visit, by the URL that the studio printed."""
        if scope["type"] != "http" or scope["method"] != "GET":
            return False
        return any(name == PARAMETER and self._is_token(value) for name, value in _query(scope))

    def _is_token(self, text: str) -> bool:
        return secrets.compare_digest(text.encode(), self._token.encode())

    async def _set_cookie(self, scope: Scope, send: Send) -> None:
        """Store the token in a cookie, and continue at the URL without it, which the history may keep."""
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

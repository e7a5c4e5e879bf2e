"""Who gets into the studio: the host, origin, and token of requests and of websockets."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

import pytest

from cardgen.studio.guard import Address, Guard, Message, Receive, Scope, Send

PORT, TOKEN = 8123, "s3cret"
COOKIE = f"cardgen-studio-{PORT}={TOKEN}"
GOOD = {"host": f"127.0.0.1:{PORT}", "cookie": COOKIE}


async def _page(scope: Scope, receive: Receive, send: Send) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.accept"})
        return
    body = b"<html><script>start()</script></html>"
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-type", b"text/html")]})
    await send({"type": "http.response.body", "body": body})


async def _nothing() -> Message:
    return {"type": "http.request"}


def _ask(
    headers: Mapping[str, str], kind: str = "http", query: str = "", method: str = "GET", path: str = "/"
) -> list[dict[str, Any]]:
    """The messages that a request is answered with."""
    scope = {"type": kind, "method": method, "path": path, "query_string": query.encode()}
    scope["headers"] = [(name.encode(), value.encode()) for name, value in headers.items()]
    sent: list[dict[str, Any]] = []

    async def send(message: Message) -> None:
        sent.append(dict(message))

    asyncio.run(Guard(_page, PORT, TOKEN)(scope, _nothing, send))
    return sent


def test_its_own_browser_gets_in() -> None:
    assert _ask(GOOD)[0]["status"] == 200
    for site in ("none", "same-origin"):
        assert _ask({**GOOD, "sec-fetch-site": site})[0]["status"] == 200
    assert _ask({**GOOD, "origin": f"http://127.0.0.1:{PORT}"}, "websocket") == [{"type": "websocket.accept"}]


WRONG = {
    "name of a stranger's server": {"host": f"evil.example:{PORT}"},
    "another port": {"host": "127.0.0.1:80"},
    "no host": {"host": ""},
    "origin of a web page": {"origin": "https://evil.example"},
    "origin without a name": {"origin": "null"},
    "origin of another port": {"origin": f"http://127.0.0.1:{PORT + 1}"},
    "request that another site started": {"sec-fetch-site": "cross-site"},
    "request that another port of this computer started": {"sec-fetch-site": "same-site"},
    "no token": {"cookie": ""},
    "wrong token": {"cookie": f"cardgen-studio-{PORT}=guess"},
    "token of another port": {"cookie": f"cardgen-studio-{PORT + 1}={TOKEN}"},
    "broken cookie": {"cookie": '="'},
}


@pytest.mark.parametrize("headers", WRONG.values(), ids=WRONG)
def test_strangers_stay_outside(headers: Mapping[str, str]) -> None:
    assert _ask({**GOOD, **headers})[0]["status"] in (403, 421)
    assert _ask({**GOOD, **headers}, method="POST")[0]["status"] in (403, 421)
    (closed,) = _ask({**GOOD, **headers}, "websocket")
    assert (closed["type"], closed["code"]) == ("websocket.close", 1008)


def test_the_token_of_the_url_becomes_a_cookie_and_leaves_the_url() -> None:
    start = _ask({"host": f"localhost:{PORT}"}, query=f"token={TOKEN}&file=a.yaml")[0]
    headers = {name.decode().lower(): value.decode() for name, value in start["headers"]}
    assert (start["status"], headers["location"]) == (303, "/?file=a.yaml")
    assert headers["set-cookie"] == f"{COOKIE}; Path=/; HttpOnly; SameSite=Strict"


@pytest.mark.parametrize("query", ["token=guess", "token=", "token=s3cre%C3%A9"])
def test_a_wrong_token_in_the_url_is_refused(query: str) -> None:
    assert _ask({"host": f"127.0.0.1:{PORT}"}, query=query)[0]["status"] == 403


@pytest.mark.parametrize(
    ("path", "location"),
    [
        ("//evil.example/", "/evil.example/"),
        ("/\\evil.example/", "/%5Cevil.example/"),
        ("/a\r\nSet-Cookie: b=c", "/a%0D%0ASet-Cookie%3A%20b%3Dc"),
        ("/Fluß/€", "/Flu%C3%9F/%E2%82%AC"),
    ],
)
def test_the_first_visit_stays_at_the_studio(path: str, location: str) -> None:
    sent = _ask({"host": GOOD["host"]}, query=f"token={TOKEN}", path=path)
    assert sent[0]["status"] == 303
    assert dict(sent[0]["headers"])[b"Location"] == location.encode()


def test_the_token_of_a_url_does_not_open_a_websocket() -> None:
    assert _ask({"host": f"127.0.0.1:{PORT}"}, "websocket", f"token={TOKEN}")[0]["type"] == "websocket.close"


def test_pages_allow_only_the_scripts_that_they_came_with() -> None:
    headers = dict(_ask(GOOD)[0]["headers"])
    policy = headers[b"content-security-policy"].decode()
    assert "default-src 'none'" in policy
    script = next(part for part in policy.split("; ") if part.startswith("script-src"))
    assert "'sha256-" in script
    assert "unsafe-inline" not in script
    assert headers[b"x-frame-options"] == b"DENY"


@pytest.mark.parametrize("kind", ["http", "websocket"])
def test_another_user_stays_out_even_with_the_token(kind: str) -> None:
    sent: list[dict[str, Any]] = []
    asked: list[tuple[Address, Address]] = []

    async def send(message: Message) -> None:
        sent.append(dict(message))

    def is_stranger(client: Address, server: Address) -> bool:
        asked.append((client, server))
        return True

    headers = [(name.encode(), value.encode()) for name, value in GOOD.items()]
    scope = {"type": kind, "method": "GET", "path": "/", "query_string": f"token={TOKEN}".encode(), "headers": headers}
    guard = Guard(_page, PORT, TOKEN, is_stranger)
    asyncio.run(guard({**scope, "client": ("127.0.0.1", 50000)}, _nothing, send))
    assert asked == [(("127.0.0.1", 50000), ("127.0.0.1", PORT))]
    assert sent[0].get("status", sent[0].get("code")) in (403, 1008)


@pytest.mark.parametrize("kind", ["http", "websocket"])
def test_the_system_is_not_asked_about_connections_without_the_token(kind: str) -> None:
    """The table of connections grows with each of them, and looking through it takes time."""
    asked: list[Address] = []

    async def send(_: Message) -> None:
        pass

    def is_stranger(client: Address, _: Address) -> bool:
        asked.append(client)
        return False

    guard = Guard(_page, PORT, TOKEN, is_stranger)
    for cookie in ("", f"cardgen-studio-{PORT}=guess"):
        headers = [(b"host", GOOD["host"].encode()), (b"cookie", cookie.encode())]
        scope = {"type": kind, "method": "GET", "path": "/", "query_string": b"", "headers": headers}
        asyncio.run(guard({**scope, "client": ("127.0.0.1", 50000)}, _nothing, send))
    assert asked == []


TWICE = {
    "origin": ("https://evil.example", f"http://127.0.0.1:{PORT}"),
    "sec-fetch-site": ("cross-site", "none"),
}


@pytest.mark.parametrize(("name", "values"), TWICE.items(), ids=TWICE)
def test_a_header_that_is_there_twice_says_nothing_good(name: str, values: tuple[str, str]) -> None:
    for one, other in (values, values[::-1]):
        headers = [(key.encode(), value.encode()) for key, value in (*GOOD.items(), (name, one), (name, other))]
        sent: list[Message] = []

        async def send(message: Message, sent: list[Message] = sent) -> None:
            sent.append(message)

        scope = {"type": "http", "method": "GET", "path": "/", "query_string": b"", "headers": headers}
        asyncio.run(Guard(_page, PORT, TOKEN)(scope, _nothing, send))
        assert sent[0]["status"] == 403


def test_a_ticket_opens_the_studio_once() -> None:
    guard = Guard(_page, PORT, TOKEN, tickets=("once",))
    scope = {"type": "http", "method": "GET", "path": "/", "query_string": b"token=once"}
    scope["headers"] = [(b"host", f"127.0.0.1:{PORT}".encode())]
    sent: list[Message] = []

    async def send(message: Message) -> None:
        sent.append(message)

    for _ in "12":
        asyncio.run(guard(scope, _nothing, send))
    assert [each["status"] for each in sent if "status" in each] == [303, 403]

"""Downloads over HTTPS: limits of size and time, redirects, and which addresses are reached."""

from __future__ import annotations

import http.client
import socket
import time
from collections.abc import Iterator
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest

from cardgen.runtime import download
from cardgen.runtime.download import DownloadError

_PAGES = {
    "/cards.csv?gid=1": (200, {}, b"name\nUte\n"),
    "/moved": (307, {"Location": "/cards.csv?gid=1"}, b""),
    "/other": (302, {"Location": "https://other.example/cards.csv?gid=1"}, b""),
    "/plain": (302, {"Location": "http://tables.example/cards.csv"}, b""),
    "/file": (302, {"Location": "file:///etc/passwd"}, b""),
    "/private": (302, {"Location": "https://intranet.example/secret"}, b""),
    "/late": (302, {"Location": "/late"}, b""),
    "/loop": (301, {"Location": "/loop"}, b""),
    "/nowhere": (301, {}, b""),
    "/large": (200, {}, b"x" * 2_000_000),
    "/packed": (200, {"Content-Encoding": "gzip"}, b"x"),
    "/brackets": (302, {"Location": "https://[::1"}, b""),
    "/dots": (302, {"Location": "https://a..b/"}, b""),
    "/negative": (200, {"Transfer-Encoding": "chunked"}, b"-5\r\n"),
    "/short": (200, {"Content-Length": "99"}, b"x"),
}


# Heads of answers whose bodies come byte by byte.
_SLOW_BODIES = {
    "/slow-body": b"HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n",
    "/slow-end": b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n",
    "/slow-chunks": b"HTTP/1.1 200 OK\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n",
}


class _Server(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        if self.path == "/slow" or self.path in _SLOW_BODIES:
            with suppress(OSError):  # the client has left
                self.wfile.write(_SLOW_BODIES.get(self.path, b""))
                for _ in range(30):
                    self.wfile.write(b"H")
                    time.sleep(0.1)
            return
        if self.path == "/late":
            time.sleep(0.3)
        status, headers, body = _PAGES.get(self.path, (404, {}, b""))
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name of the library
        pass


@pytest.fixture
def hosts(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """Return the hosts that were connected to; behind all of them is a server of this test, without TLS."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Server)
    server.daemon_threads = True
    Thread(target=server.serve_forever, daemon=True).start()
    seen: list[str] = []

    def opened(host: str, port: int, seconds: float) -> http.client.HTTPConnection:
        download._public_address(host, port)
        seen.append(host)
        return http.client.HTTPConnection("127.0.0.1", server.server_port, timeout=seconds)

    names = {"intranet.example": "10.0.0.7", "half.example": "127.0.0.1"}

    def resolved(host: str, port: int, *_: object, **__: object) -> list[tuple[int, int, int, str, tuple[str, int]]]:
        host.encode("idna")
        is_address = host[0].isdigit() or ":" in host
        address = names.get(host, host if is_address else "93.184.215.14")
        return [(2, 1, 6, "", (address, port))]

    monkeypatch.setattr(socket, "getaddrinfo", resolved)
    monkeypatch.setattr(download, "_open", opened)
    yield seen
    server.shutdown()
    server.server_close()


def fetched(url: str, seconds: float = 5) -> bytes:
    return download.download(url, 1 << 20, seconds)


def test_a_file_is_downloaded_also_after_redirects(hosts: list[str]) -> None:
    assert fetched("https://tables.example/cards.csv?gid=1") == b"name\nUte\n"
    assert fetched("https://tables.example/moved") == b"name\nUte\n"
    assert fetched("https://tables.example/other") == b"name\nUte\n"
    assert hosts[-1] == "other.example"


@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("http://tables.example/cards.csv", "does not begin with https://"),
        ("file:///etc/passwd", "does not begin with https://"),
        ("https:///cards.csv", "does not begin with https://"),
        ("https://a:b@tables.example/", "a name or a password"),
        ("https://tables.example:x/", "is not an address"),
        ("https://tables.example/a b", "written as %XX"),
        ("https://tables.example/a\r\nX: y", "written as %XX"),
        ("https://tables.example/plain", "does not begin with https://"),
        ("https://tables.example/file", "does not begin with https://"),
        ("https://tables.example/private", "intranet.example is not a public address"),
        ("https://127.0.0.1/", "127.0.0.1 is not a public address"),
        ("https://169.254.169.254/", "is not a public address"),
        ("https://half.example/", "is not a public address"),
        ("https://[64:ff9b::7f00:1]/", "is not a public address"),
        ("https://[64:ff9b::a00:1]/", "is not a public address"),
        ("https://[::ffff:10.0.0.1]/", "is not a public address"),
        ("https://[::7f00:1]/", "is not a public address"),
        ("https://[::808:808]/", "is not a public address"),
        ("https://[::ffff:0:7f00:1]/", "is not a public address"),
        ("https://[64:ff9b:1::7f00:1]/", "is not a public address"),
        ("https://[2002:7f00:1::1]/", "is not a public address"),
        ("https://[2002:a00:1::1]/", "is not a public address"),
        ("https://[5f00::1]/", "is not a public address"),
        ("https://[4000::1]/", "is not a public address"),
        ("https://[fec0::1]/", "is not a public address"),
        ("https://224.0.0.1/", "is not a public address"),
        ("https://tables.example/brackets", "cannot be reached"),
        ("https://tables.example/dots", "cannot be reached"),
        ("https://tables.example/negative", "cannot be reached"),
        ("https://tables.example/loop", "leads to more than 5 others"),
        ("https://tables.example/nowhere", "leads to more than 5 others"),
        ("https://tables.example/large", "larger than 1 MiB"),
        ("https://tables.example/packed", "compressed"),
        ("https://tables.example/short", "cannot be reached|ended too early"),
        ("https://tables.example/nothing", "the answer is 404"),
    ],
)
def test_what_is_not_downloaded(hosts: list[str], url: str, message: str) -> None:
    with pytest.raises(DownloadError, match=message):
        fetched(url)
    assert set(hosts) <= {"tables.example"}


@pytest.mark.parametrize("page", ["slow", "slow-body", "slow-end", "slow-chunks"])
def test_a_server_that_sends_a_byte_now_and_then_is_left(hosts: list[str], page: str) -> None:
    started = time.monotonic()
    with pytest.raises(DownloadError, match=r"in time|did not answer|ended too early"):
        fetched(f"https://tables.example/{page}", 0.5)
    assert time.monotonic() - started < 2


def test_redirects_get_no_time_of_their_own(hosts: list[str]) -> None:
    with pytest.raises(DownloadError, match=r"in time|did not answer"):
        fetched("https://tables.example/late", 0.5)


def test_certificates_are_verified_and_names_are_resolved_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def connect(address: tuple[str, int], timeout: float) -> socket.socket:
        asked.append(address[0])
        raise OSError("no network in tests")

    monkeypatch.setattr(socket, "create_connection", connect)
    monkeypatch.setattr(socket, "getaddrinfo", lambda host, port, *_, **__: [(2, 1, 6, "", ("93.184.215.14", port))])
    with pytest.raises(DownloadError, match="no network in tests"):
        fetched("https://tables.example/cards.csv")
    assert asked == ["93.184.215.14"]

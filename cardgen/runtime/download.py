"""Download one file over HTTPS, within limits of size and time; only `cardgen table pull` does.

No proxy, cookie, or password is used. Whatever a name resolves to, and wherever an answer points, no address of this
computer or of a private network is reached.
"""

from __future__ import annotations

import http.client
import ipaddress
import socket
import ssl
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import Timer
from urllib.parse import urljoin, urlsplit

_CHUNK = 1 << 16
_MOST_REDIRECTS = 5
_REDIRECTS = (301, 302, 303, 307, 308)
_HEADERS = {"Accept": "*/*", "Accept-Encoding": "identity", "Connection": "close", "User-Agent": "cardgen"}
_PORT = 443


class DownloadError(Exception):
    """The file cannot be downloaded; the message is for users."""


def download(url: str, limit: int, seconds: float) -> bytes:
    """Return the content at an address, of up to `limit` bytes, which has to arrive in some `seconds`.

    Raises DownloadError.
    """
    end = time.monotonic() + seconds
    for _ in range(_MOST_REDIRECTS + 1):
        host, port, target = _split(url)
        try:
            with _answer(host, port, target, end) as response:
                if response.status not in _REDIRECTS:
                    return _content(response, limit)
                url = urljoin(url, response.getheader("Location") or "")
        except TimeoutError:
            raise DownloadError(f"{host} did not answer within {seconds:g} seconds") from None
        except (OSError, http.client.HTTPException, ValueError) as error:
            raise DownloadError(f"{host} cannot be reached, or does not answer in time: {error}") from None
    raise DownloadError(f"the address leads to more than {_MOST_REDIRECTS} others")


@contextmanager
def _answer(host: str, port: int, target: str, end: float) -> Iterator[http.client.HTTPResponse]:
    """Yield the answer of a host until a time of the monotonic clock, when its connection is closed.

    Raises TimeoutError at that time, also if what was read until then looks complete.
    """
    connection = _open(host, port, _left(end))
    try:
        connection.request("GET", target, headers=_HEADERS)
        # A timeout of a socket begins anew with every byte, and the connection forgets its socket once it has the head
        # of an answer that ends with it.
        timer = Timer(_left(end), _stop, (connection.sock,))
        timer.daemon = True
        timer.start()
        try:
            with connection.getresponse() as response:
                yield response
        finally:
            timer.cancel()
    finally:
        connection.close()
    _left(end)


def _left(end: float) -> float:
    """Return the seconds until a time of the monotonic clock. Raises TimeoutError if it is over."""
    left = end - time.monotonic()
    if left <= 0:
        raise TimeoutError
    return left


def _split(url: str) -> tuple[str, int, str]:
    """Return the host, the port, and the rest of an address. Raises DownloadError if it is not one of HTTPS."""
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port or _PORT
    except ValueError:
        raise DownloadError(f"'{url[:80]}' is not an address") from None
    if parts.scheme != "https" or not host:
        raise DownloadError(f"'{url[:80]}' does not begin with https://")
    if parts.username is not None or parts.password is not None:
        raise DownloadError("an address with a name or a password is not used")
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    if not (url.isascii() and url.isprintable()) or " " in url:
        raise DownloadError("the address has characters that must be written as %XX")
    return host, port, target


def _open(host: str, port: int, seconds: float) -> http.client.HTTPConnection:
    """Return a connection to a public host, whose certificate is verified."""
    end = time.monotonic() + seconds
    connection = http.client.HTTPSConnection(host, port, timeout=seconds)
    plain = socket.create_connection((_public_address(host, port), port), timeout=seconds)
    plain.settimeout(_left(end))
    # An answer without a length ends with the connection, which anybody on the way can cut.
    connection.sock = ssl.create_default_context().wrap_socket(plain, server_hostname=host, suppress_ragged_eofs=False)
    return connection


def _public_address(host: str, port: int) -> str:
    """Return the address of a host. Raises DownloadError if one of them is not public."""
    found = [str(each[4][0]) for each in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]
    private = [each for each in found if not _is_public(ipaddress.ip_address(each.partition("%")[0]))]
    if private or not found:
        raise DownloadError(f"{host} is not a public address of the internet ({', '.join(private)})")
    return found[0]


# Addresses of IPv6 that stand for one of IPv4, behind a translator, and those that were assigned to hosts.
_TRANSLATED = ipaddress.ip_network("64:ff9b::/96")
_UNICAST = ipaddress.ip_network("2000::/3")


def _is_public(address: ipaddress.IPv4Address | ipaddress.IPv6Address) -> bool:
    if isinstance(address, ipaddress.IPv6Address):
        inner = ipaddress.IPv4Address(int(address) & 0xFFFF_FFFF) if address in _TRANSLATED else None
        inner = inner or address.ipv4_mapped or address.sixtofour
        if inner or address not in _UNICAST:
            return inner is not None and _is_public(inner)
    return address.is_global and not address.is_multicast


def _stop(connection: socket.socket) -> None:
    with suppress(OSError):  # it has ended by itself
        connection.shutdown(socket.SHUT_RDWR)


def _content(response: http.client.HTTPResponse, limit: int) -> bytes:
    if response.status != http.HTTPStatus.OK:
        raise DownloadError(f"the answer is {response.status} {response.reason[:80]}")
    if response.getheader("Content-Encoding", "identity") != "identity":
        raise DownloadError("the answer is compressed, which was not asked for")
    content = b""
    while chunk := response.read(_CHUNK):
        content += chunk
        if len(content) > limit:
            raise DownloadError(f"the file is larger than {limit >> 20} MiB")
    if response.length:
        raise DownloadError("the answer ended too early")
    return content

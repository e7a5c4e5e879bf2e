"""Download one file over HTTPS, within limits of size and time; only `cardgen table pull` does.

No proxy, cookie, or password is used. Whatever a name resolves to, and wherever an answer points, no address of this
computer or of a private network is reached.
"""

from __future__ import annotations

import http.client
import ipaddress
import socket
import ssl
from contextlib import closing
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
    for _ in range(_MOST_REDIRECTS + 1):
        host, port, target = _split(url)
        try:
            with closing(_open(host, port, seconds)) as connection:
                timer = Timer(seconds, _stop, (connection,))  # a timeout of a socket begins anew with every byte
                timer.start()
                try:
                    connection.request("GET", target, headers=_HEADERS)
                    response = connection.getresponse()
                    if response.status not in _REDIRECTS:
                        return _content(response, limit)
                    url = urljoin(url, response.getheader("Location") or "")
                finally:
                    timer.cancel()
        except TimeoutError:
            raise DownloadError(f"{host} did not answer within {seconds:g} seconds") from None
        except (OSError, http.client.HTTPException) as error:
            raise DownloadError(f"{host} cannot be reached, or does not answer in time: {error}") from None
    raise DownloadError(f"the address leads to more than {_MOST_REDIRECTS} others")


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
    connection = http.client.HTTPSConnection(host, port, timeout=seconds)
    plain = socket.create_connection((_public_address(host, port), port), timeout=seconds)
    connection.sock = ssl.create_default_context().wrap_socket(plain, server_hostname=host)
    return connection


def _public_address(host: str, port: int) -> str:
    """Return the address of a host. Raises DownloadError if one of them is not public."""
    found = [str(each[4][0]) for each in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]
    private = [each for each in found if not ipaddress.ip_address(each.partition("%")[0]).is_global]
    if private or not found:
        raise DownloadError(f"{host} is not a public address of the internet ({', '.join(private)})")
    return found[0]


def _stop(connection: http.client.HTTPConnection) -> None:
    if connection.sock is not None:
        connection.sock.shutdown(socket.SHUT_RDWR)


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

"""The user at the other end of a connection from the same computer, as far as the system says.

A program that opens the browser shows the URL, and so its token, in the list of processes, which every user of a
computer can read on Linux. There, the system also says whose a connection is.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

# Tables of connections; a browser can also use IPv6 sockets for IPv4 addresses.
_TABLES = (Path("/proc/net/tcp"), Path("/proc/net/tcp6"))
# Their columns: local and remote address, and the id of the user.
_LOCAL, _REMOTE, _USER = 1, 2, 7
_ADMINISTRATOR = 0


def is_stranger(client_port: int, server_port: int) -> bool:
    """Return whether a connection is that of another user; False if the system does not say."""
    user = user_of(client_port, server_port, _rows())
    return user not in (None, _ADMINISTRATOR, os.getuid() if hasattr(os, "getuid") else None)


def user_of(client_port: int, server_port: int, rows: Iterator[str]) -> int | None:
    """Return the id of the user who has connected from one port to another, from the rows of a table."""
    for row in rows:
        columns = row.split()
        if (
            len(columns) > _USER
            and columns[_LOCAL].endswith(f":{client_port:04X}")
            and columns[_REMOTE].endswith(f":{server_port:04X}")
            and columns[_USER].isdigit()
        ):
            return int(columns[_USER])
    return None


def _rows() -> Iterator[str]:
    for table in _TABLES:
        try:
            with table.open(encoding="ascii") as file:
                yield from file
        except (OSError, UnicodeDecodeError):
            continue

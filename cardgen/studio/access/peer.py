"""The user at the other end of a connection from the same computer, as far as the system says.

A program that opens the browser shows the URL, and so its token, in the list of processes, which every user of a
computer can read on Linux. There, the system also says whose a connection is.
"""

from __future__ import annotations

import os
import socket
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TypeAlias

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

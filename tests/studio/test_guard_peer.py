"""Whose a connection is."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from cardgen.studio.guard import NOBODY, is_stranger, owners_of

ROWS = """\
  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:1FBB 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 61 1
   1: 0100007F:C350 0100007F:1FBB 01 00000000:00000000 00:00000000 00000000  1001        0 62 1
   2: 0100007F:1FBB 0100007F:C350 01 00000000:00000000 00:00000000 00000000  1000        0 63 1
"""


CLIENT, SERVER = ("127.0.0.1", 50000), ("127.0.0.1", 8123)


def test_the_user_is_that_of_the_connecting_end() -> None:
    rows = ROWS.splitlines()
    assert owners_of(CLIENT, SERVER, iter(rows)) == {1001}
    assert owners_of(("127.0.0.1", 50001), SERVER, iter(rows)) == set()
    assert owners_of(("127.0.0.2", 50000), SERVER, iter(rows)) == set()
    assert owners_of(CLIENT, ("127.0.0.1", 8124), iter(rows)) is None
    assert owners_of(CLIENT, SERVER, iter(["", "x", "1: :C350 :1FBB"])) is None


def test_a_connection_from_another_address_says_nothing() -> None:
    old = "   3: 0200007F:C350 0100007F:1FBB 06 00000000:00000000 03:00001234 00000000     0        0 0 3"
    assert owners_of(CLIENT, SERVER, iter([old, *ROWS.splitlines()])) == {1001}


def test_a_connection_that_was_closed_is_nobodys() -> None:
    """The table gives the administrator's number, which lets in."""
    rows = ROWS.replace("1001        0 62", "0        0 0")
    assert owners_of(CLIENT, SERVER, iter(rows.splitlines())) == {NOBODY}


def test_an_ipv6_socket_can_connect_to_an_ipv4_address() -> None:
    rows = [row.replace("0100007F:", "0000000000000000FFFF00000100007F:") for row in ROWS.splitlines()]
    assert owners_of(CLIENT, SERVER, iter(rows)) == {1001}


def test_an_own_connection_is_not_that_of_a_stranger() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server, socket.create_connection(server.getsockname()) as client:
        assert not is_stranger(client.getsockname(), server.getsockname())
    assert not is_stranger(("127.0.0.1", 1), ("127.0.0.1", 1)), "the system does not say"


@pytest.mark.skipif(not Path("/proc/net/tcp").exists(), reason="the system does not say")
def test_a_connection_that_the_system_does_not_list_is_that_of_a_stranger() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        assert is_stranger(("127.0.0.9", 1), server.getsockname())


@pytest.mark.skipif(not Path("/proc/net/tcp").exists() or os.getuid() != 0, reason="only root can be another user")
def test_a_connection_of_another_user_is() -> None:
    connect = "import socket, sys; s = socket.create_connection(('127.0.0.1', int(sys.argv[1]))); sys.stdin.read()"
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        command = [
            "/usr/bin/python3" if Path("/usr/bin/python3").exists() else sys.executable,
            "-c",
            connect,
            str(port),
        ]
        with subprocess.Popen(command, stdin=subprocess.PIPE, user=65534, cwd="/") as other:
            accepted, client = server.accept()
            with accepted:
                assert is_stranger(client, ("127.0.0.1", port))
            assert other.stdin
            other.stdin.close()

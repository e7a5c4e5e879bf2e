"""Whose a connection is."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from cardgen.studio.access.peer import is_stranger, user_of

ROWS = """\
  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:1FBB 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 61 1
   1: 0100007F:C350 0100007F:1FBB 01 00000000:00000000 00:00000000 00000000  1001        0 62 1
   2: 0100007F:1FBB 0100007F:C350 01 00000000:00000000 00:00000000 00000000  1000        0 63 1
"""


def test_the_user_is_that_of_the_connecting_end() -> None:
    assert user_of(50000, 8123, iter(ROWS.splitlines())) == 1001
    assert user_of(50001, 8123, iter(ROWS.splitlines())) is None
    assert user_of(50000, 8123, iter(["", "x", "1: :C350 :1FBB"])) is None


def test_an_own_connection_is_not_that_of_a_stranger() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server, socket.create_connection(server.getsockname()) as client:
        assert not is_stranger(client.getsockname()[1], server.getsockname()[1])
    assert not is_stranger(1, 1)


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
            accepted, (_, client_port) = server.accept()
            with accepted:
                assert is_stranger(client_port, port)
            assert other.stdin
            other.stdin.close()

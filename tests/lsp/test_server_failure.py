"""Input that no client sends is answered with errors of the protocol, and the server goes on."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pygls", reason="the language server needs cardgen[lsp]")

PACKAGE = Path(__file__).parents[2]
HOVER = {"textDocument": {"uri": "https://example.org/a.yaml"}, "position": {"line": 0, "character": 0}}
REQUESTS: list[tuple[str, object, str]] = [
    ("initialize", {"processId": None, "rootUri": None, "capabilities": {}}, ""),
    ("textDocument/hover", {"textDocument": {"uri": "file:///x"}, "position": 3}, "error"),
    ("textDocument/rename", None, "error"),
    ("textDocument/nonsense", {}, "error"),
    ("textDocument/hover", HOVER, "not the URI of a file"),
    ("textDocument/hover", {**HOVER, "textDocument": {"uri": "file:///no/such/file%00.yaml"}}, "not the URI of a file"),
    ("textDocument/hover", {**HOVER, "textDocument": {"uri": "file:///no/such/file.yaml"}}, ""),
    ("textDocument/hover", {**HOVER, "textDocument": {"uri": "file://[::1"}}, "not the URI of a file"),
    ("shutdown", None, ""),
]


def frame(message: dict[str, Any]) -> bytes:
    body = json.dumps({"jsonrpc": "2.0", **message}).encode()
    return f"Content-Length: {len(body)}\r\n\r\n".encode() + body


def answers(output: bytes) -> dict[int, dict[str, Any]]:
    found: dict[int, dict[str, Any]] = {}
    while output:
        head, _, rest = output.partition(b"\r\n\r\n")
        length = int(head.partition(b"Content-Length: ")[2].split(b"\r\n")[0])
        message, output = json.loads(rest[:length]), rest[length:]
        if "id" in message:
            found[message["id"]] = message
    return found


BROKEN = (
    b"{nope",
    b"[1, 2]",
    b"7",
    b'{"jsonrpc": "2.0", "id": 90, "method": "\xff"}',
    b"[" * 100_000,
    b'{"jsonrpc": "2.0", "id": 91, "method": "textDocument/hover", "params": ' + b'{"a":' * 50_000,
)


def test_bad_input_is_answered_with_an_error(tmp_path: Path) -> None:
    frames = [frame({"id": n, "method": method, "params": params}) for n, (method, params, _) in enumerate(REQUESTS)]
    done = subprocess.run(
        [sys.executable, "-m", "cardgen", "lsp"],
        input=b"".join(
            [
                *frames[:-1],
                frame({"method": "nonsense"}),
                *(b"Content-Length: %d\r\n\r\n%b" % (len(body), body) for body in BROKEN),
                frames[-1],
                frame({"method": "exit"}),
            ]
        ),
        capture_output=True,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": f"{PACKAGE}{os.pathsep}{os.environ.get('PYTHONPATH', '')}"},
        timeout=60,
        check=True,
    )
    found = answers(done.stdout)
    for number, (method, _, message) in enumerate(REQUESTS):
        error = found[number].get("error")
        assert bool(error) is bool(message), (method, found[number])
        assert message == "error" or message in json.dumps(error), found[number]
        assert "Traceback" not in json.dumps(found[number])
    assert b"Traceback" not in done.stderr

"""Output to a pipe on Windows, which has a code page that lacks most characters."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
# The modules that ask for the system when they are loaded are loaded before it is pretended to be Windows.
SCRIPT = """
import io, sys
import cardgen.cli, cardgen.cli._output, cardgen.cli._output
sys.stdout = io.TextIOWrapper(open(1, "wb", closefd=False), encoding="cp1252")
sys.stderr = io.TextIOWrapper(open(2, "wb", closefd=False), encoding="cp1252")
sys.platform = "win32"
cardgen.cli._output.prepare_streams()
print("\\u2588 \\u0141ukasz \\u2764", flush=True)
print("\\u2588", file=sys.stderr, flush=True)
"""


@pytest.mark.parametrize(
    ("chosen", "output", "errors"),
    [("", "█ Łukasz ❤", "█"), ("cp1252", "\\u2588 \\u0141ukasz \\u2764", "\\u2588")],
    ids=["utf-8", "chosen"],
)
def test_a_pipe_takes_every_character(chosen: str, output: str, errors: str) -> None:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    environment.pop("PYTHONIOENCODING", None)
    if chosen:
        environment["PYTHONIOENCODING"] = chosen
    done = subprocess.run([sys.executable, "-c", SCRIPT], env=environment, capture_output=True, check=True)
    encoding = chosen or "utf-8"
    assert done.stdout.decode(encoding).strip() == output
    assert done.stderr.decode(encoding).strip() == errors

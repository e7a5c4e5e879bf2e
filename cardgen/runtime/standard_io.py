"""Standard input and output as files, which users name '-'."""

from __future__ import annotations

import shutil
import sys
from functools import lru_cache
from pathlib import Path
from typing import IO, TextIO

DASH = Path("-")


def read_input(limit: int) -> bytes:
    """Return the first `limit` bytes of standard input, and one more if there are more; reads it once."""
    return _content(sys.stdin, limit)


@lru_cache(maxsize=1)
def _content(stream: TextIO, limit: int) -> bytes:
    return stream.buffer.read(limit + 1)


def write_output(content: IO[bytes]) -> None:
    """Copy a file to standard output, after what was printed before."""
    sys.stdout.flush()
    shutil.copyfileobj(content, sys.stdout.buffer)
    sys.stdout.buffer.flush()

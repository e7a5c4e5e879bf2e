"""Standard input and output as files, which users name '-'."""

from __future__ import annotations

import sys
from functools import lru_cache
from io import BytesIO
from pathlib import Path
from typing import IO, TextIO

from cardgen.diagnostic import escape_lines

DASH = Path("-")


def read_input(limit: int) -> bytes:
    """Return the first `limit` bytes of standard input, and one more if there are more; reads it once."""
    return _content(sys.stdin, limit)


@lru_cache(maxsize=1)
def _content(stream: TextIO, limit: int) -> bytes:
    return stream.buffer.read(limit + 1)


def write_output(content: IO[bytes]) -> None:
    """Copy a file to standard output, after what was printed before; a terminal gets escapes for control characters."""
    sys.stdout.flush()
    if sys.stdout.isatty():
        content = BytesIO(escape_lines(content.read().decode("utf-8", "backslashreplace")).encode())
    from shutil import copyfileobj  # loaded here because few commands write a file there

    copyfileobj(content, sys.stdout.buffer)
    sys.stdout.buffer.flush()

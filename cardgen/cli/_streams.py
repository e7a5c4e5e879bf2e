"""Standard streams: closed ones, encodings, and what cannot be written."""

from __future__ import annotations

import io
import os
import sys

_MODES = ("r", "w", "w")
_NAMES = ("stdin", "stdout", "stderr")


def prepare_streams() -> None:
    """Open closed streams, and let output streams accept every character.

    A closed stream would otherwise lend its number to the next file that is opened. Windows gives pipes a code page
    that lacks most characters, so output to a pipe is UTF-8 unless the user chose an encoding. What cannot be encoded
    is escaped.
    """
    for name, mode in zip(_NAMES, _MODES, strict=True):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: PTH123, SIM115 - open to the end
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            is_pipe = sys.platform == "win32" and not stream.isatty() and "PYTHONIOENCODING" not in os.environ
            stream.reconfigure(encoding="utf-8" if is_pipe else None, errors="backslashreplace")


def discard_output() -> None:
    """Let both output streams end in nothing, so that Python does not fail to flush them at its end."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.__stdout__, sys.__stderr__):
        if stream is not None and not stream.closed:
            os.dup2(nowhere, stream.fileno())

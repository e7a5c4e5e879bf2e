"""Output of commands: everything that they print goes through here.

Names, titles, and texts come from files of strangers. On a terminal, control characters in them could hide, reorder, or
overwrite lines.
"""

from __future__ import annotations

import io
import os
import sys
from io import StringIO

import click

from cardgen.diagnostic import escape_controls, escape_lines


def print_line(text: str = "", *, mark: str = "", err: bool = False) -> None:
    r"""Print one line, with escapes such as '\n' and '\u202e' for control characters.

    `mark` is put in front of it as it is, and may have colors.
    """
    click.echo(mark + escape_controls(text), err=err)


def print_data(text: str) -> None:
    """Print text for programs, such as CSV; on a terminal, its lines have escapes for control characters."""
    if sys.stdout.isatty():
        text = escape_lines(text)
    click.echo(text, nl=False, color=True)  # Otherwise click would change the data.


def print_styled(text: str, *, err: bool = False) -> None:
    """Print text that has colors, and already has escapes for the control characters in its parts."""
    click.echo(text, nl=False, err=err)


def prompt(text: str, *, err: bool = False) -> str:
    """Show a prompt and return the input.

    Raises click.Abort at the end of the input.
    """
    typed: str = click.prompt(escape_controls(text), prompt_suffix="\n> ", default="", show_default=False, err=err)
    return typed


def show_usage_error(error: click.ClickException) -> None:
    """Print an error of click, which can quote names of files and options."""
    text = StringIO()
    error.show(text)
    print_styled(escape_lines(text.getvalue()), err=True)


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

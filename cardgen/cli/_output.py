"""Output of commands: lines, JSON for programs, and progress. Everything that commands print goes through here.

Names, titles, and texts come from files of strangers. On a terminal, control characters in them could hide, reorder, or
overwrite lines. JSON is an object with the version of its shape, the name of the command, and the keys that
docs/json.md lists. Progress is a bar on standard error after one second, and a warning before work that takes minutes.
"""

from __future__ import annotations

import io
import os
import re
import sys
import time
from collections import deque
from collections.abc import Callable, Mapping
from io import StringIO
from types import TracebackType
from typing import Any

import click

from cardgen.diagnostic import CardgenError, Diagnostic, Place, escape_controls, escape_lines, format_group, group_alike
from cardgen.units import quantity

# What GitHub's runner takes for commands in the log of a step: lines that begin with '::', and '##[' anywhere; styles
# in between are removed for it.
_STYLE = r"\x1b\[[0-9;]*m"
_COMMAND = re.compile(rf"^((?:[^\S\n]|{_STYLE})*):(?=(?:{_STYLE})*:)|#(?=(?:{_STYLE})*#(?:{_STYLE})*\[)", re.MULTILINE)


def _for_people(text: str) -> str:
    """Return a text for people, without commands to the runner if it prints what this process does."""
    if "GITHUB_ACTIONS" not in os.environ:
        return text
    return _COMMAND.sub(lambda match: f"{match[1] or ''}\\x{ord(match[0][-1]):02x}", text)


def print_line(text: str = "", *, mark: str = "", err: bool = False) -> None:
    r"""Print one line, with escapes such as '\n' and '\u202e' for control characters.

    `mark` is put in front of it as it is, and may have colors.
    """
    click.echo(_for_people(mark + escape_controls(text)), err=err)


def print_data(text: str) -> None:
    """Print text for programs, such as CSV; on a terminal, its lines have escapes for control characters."""
    if sys.stdout.isatty():
        text = escape_lines(text)
    click.echo(text, nl=False, color=True)  # Otherwise click would change the data.


def print_styled(text: str, *, err: bool = False) -> None:
    """Print text that has colors, and already has escapes for the control characters in its parts."""
    click.echo(_for_people(text), nl=False, err=err)


def prompt(text: str, *, err: bool = False) -> str:
    """Show a prompt and return the input.

    Raises click.Abort at the end of the input.
    """
    typed: str = click.prompt(
        _for_people(escape_controls(text)), prompt_suffix="\n> ", default="", show_default=False, err=err
    )
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


VERSION = 1
_WANTED, _OFFERED = "cardgen.json", "cardgen.json-option"


def _remember(context: click.Context, parameter: click.Parameter, value: bool) -> bool:
    context.meta[_OFFERED] = True
    if value:
        context.meta[_WANTED] = True
    return value


def json_option(command: Any) -> Any:
    """Add the option for output as JSON."""
    option = click.option(
        "--json", "as_json", is_flag=True, is_eager=True, callback=_remember, help="Print the result as JSON."
    )
    return option(command)


def remember_json_format(context: click.Context, parameter: click.Parameter, value: str) -> str:
    """Note that a report was requested as JSON; a callback for options that name its format."""
    if value == "json":
        context.meta[_WANTED] = True
    return value


def offers_json(context: click.Context) -> bool:
    """Return whether the command can print JSON, in which all problems are listed."""
    return bool(context.meta.get(_OFFERED))


def wants_json(context: click.Context) -> bool:
    """Return whether the command prints JSON, and so also its errors."""
    return bool(context.meta.get(_WANTED))


def print_json(command: str, content: Mapping[str, object]) -> None:
    """Print the result of a command."""
    print_data(json_text(command, content))


def json_text(command: str, content: Mapping[str, object]) -> str:
    """Return the result of a command as JSON."""
    from cardgen.runtime.escapes import dump_json

    return dump_json({"version": VERSION, "command": command, **content}, default=_plain)


def _plain(value: Any) -> str:
    """Return a path with forward slashes, and a fraction as text."""
    return str(value.as_posix() if hasattr(value, "as_posix") else value)


def print_errors(command: str, error: CardgenError) -> None:
    """Print the problems that ended a command."""
    print_json(command, {"errors": [_problem(each) for each in error.diagnostics]})


def _problem(each: Diagnostic) -> dict[str, object]:
    related = [{"message": label, **_place(place)} for place, label in each.related]
    return {
        "code": each.code,
        "severity": each.severity.value,
        "message": each.message,
        "help": each.help,
        **_place(each.place),
        "related": related,
    }


def _place(place: Place) -> dict[str, object]:
    """Return a file with lines and columns, or the name of an option."""
    if place.is_argument:
        return {"argument": place.file}
    locator = {"locator": place.locator} if place.locator else {}
    return {"file": place.file, **(place.span._asdict() if place.span else {}), **locator}


# Commands that write files; when they fail, they say that nothing was written.
_WRITERS = {
    "battle", "build", "calibrate", "export", "fix", "new", "reference", "release", "schema", "table", "translate",
}  # fmt: skip


def show_errors(error: CardgenError, context: click.Context) -> None:
    """Show the diagnostics with their source lines, those that are alike once, then their number."""
    groups = group_alike(error.diagnostics, lambda each: each)
    lists_all = "--json" if offers_json(context) else ""
    for group in groups:
        print_styled(format_group(group.finding, group, color=True, lists_all=lists_all) + "\n\n", err=True)
    count = quantity(len(groups), "problem")
    places = f" (in {len(error.diagnostics):,} places)" if len(groups) < len(error.diagnostics) else ""
    command = [*context.command_path.split()[1:], context.invoked_subcommand][0]
    unwritten = "; nothing was written" if command in _WRITERS else ""
    print_line(f"{count}{places}{unwritten}", err=True)


# Seconds before a bar appears, and between its updates.
_PATIENCE, _INTERVAL = 1.0, 0.1
# The remaining time is estimated from the latest steps, without the slowest ones: steps that load templates, fonts, or
# modules take many times as long as others.
_LATEST, _FEWEST = 20, 4
# Remaining seconds that are worth a warning, once this share of the steps is complete, or after these seconds.
_LONG = 60.0
_SAMPLE_SHARE, _SAMPLE_SECONDS = 0.1, 60.0
# An estimate that knows the work is good enough for a warning after this.
_ESTIMATE_SECONDS = 5.0
_BAR_WIDTH, _LABEL_WIDTH, _SHORT_LABEL_WIDTH, _COUNT_WIDTH = 30, 24, 12, 11


class ProgressBar:
    """A bar on a terminal, and a warning on any standard error."""

    def __init__(self, *, hidden: bool = False) -> None:
        self._hidden = hidden
        self._is_terminal = sys.stderr.isatty()
        self._started = time.monotonic()
        self._times = _StepTimes(self._started)
        self._drawn = 0.0
        self._has_sample = False

    def __enter__(self) -> ProgressBar:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._drawn:
            print_line(err=True)

    def step(self, done: int, total: int, what: str, estimate: Callable[[], float] | None = None, /) -> None:
        """Show that `done` of `total` steps are complete; 0 if they begin now, after a preparation.

        `estimate` returns the remaining seconds if steps take different times; by default, they come from the latest
        steps.
        """
        now = time.monotonic()
        if not done:
            self._started = now
            self._times = _StepTimes(now)
        self._times.add(now, done)
        elapsed = now - self._started
        if self._hidden or elapsed < _PATIENCE:
            return
        is_sample = self._times.is_sample(elapsed, total) or (estimate is not None and elapsed >= _ESTIMATE_SECONDS)
        warns = is_sample and not self._has_sample
        draws = self._is_terminal and (now - self._drawn >= _INTERVAL or done == total)
        if not (warns or draws):
            return
        remaining = estimate() if estimate else self._times.mean() * (total - done)
        if warns:
            self._has_sample = True
            self._warn(remaining, total - done)
        if draws:
            self._drawn = now
            self._draw(done, total, what, remaining)

    def _draw(self, done: int, total: int, what: str, remaining: float) -> None:
        import shutil  # loaded here to keep 'cardgen --help' fast

        line = progress_line(done, total, what, remaining, shutil.get_terminal_size().columns - 1)
        print_styled(f"\r{line}", err=True)

    def _warn(self, remaining: float, steps: int) -> None:
        if remaining >= _LONG:
            start = "\r" if self._drawn else ""
            text = f"warning: about {format_minutes(remaining)} left ({steps:,} steps); press Ctrl-C to stop"
            print_line(text, mark=start, err=True)


class _StepTimes:
    """Times of the latest steps."""

    def __init__(self, started: float) -> None:
        self._last, self._done = started, 0
        self._seconds: deque[float] = deque(maxlen=_LATEST)

    def add(self, now: float, done: int) -> None:
        """Add the steps up to `done`, which is complete now."""
        steps = done - self._done
        if steps > 0:
            self._seconds.extend([(now - self._last) / steps] * min(steps, _LATEST))
            self._last, self._done = now, done

    def is_sample(self, elapsed: float, total: int) -> bool:
        """Return whether enough steps are complete for an estimate."""
        enough = elapsed >= _SAMPLE_SECONDS or self._done >= _SAMPLE_SHARE * total
        return enough and len(self._seconds) >= _FEWEST

    def mean(self) -> float:
        """Return the mean seconds of a step, without the slowest quarter; 0 while there are too few steps."""
        if len(self._seconds) < _FEWEST:
            return 0.0
        usual = sorted(self._seconds)[: -(len(self._seconds) // 4)]
        return sum(usual) / len(usual)


def progress_line(done: int, total: int, what: str, remaining: float, width: int) -> str:
    """Return a line with label, bar, count, and remaining seconds, which is always `width` characters wide.

    All its parts have a fixed width too, so that nothing jumps. A narrow line has a shorter label and bar, or no bar.
    """
    end = f" {f'{done}/{total}':>{_COUNT_WIDTH}} {format_clock(remaining):>6}"
    room = max(width - len(end), 0)
    bar = min(_BAR_WIDTH, room - _SHORT_LABEL_WIDTH - 3)
    bar = bar if bar >= 5 else 0
    label = min(_LABEL_WIDTH, room - bar - 3) if bar else room
    filled = bar * done // max(total, 1)
    drawn = f" [{'#' * filled}{'-' * (bar - filled)}]" if bar else ""
    text = escape_controls(what)
    fit = text.ljust(label) if len(text) <= label else f"{text[: max(label - 1, 0)]}…"[:label]
    return f"{fit}{drawn}{end}"[:width].ljust(width)


def format_clock(seconds: float) -> str:
    """Return a time as minutes and seconds, or as hours and minutes: '2:05', '3h07m'."""
    minutes, rest = divmod(round(seconds), 60)
    hours, more = divmod(minutes, 60)
    return f"{hours}h{more:02}m" if hours else f"{minutes}:{rest:02}"


def format_minutes(seconds: float) -> str:
    """Return a time in words: '3 minutes', '2 hours'."""
    minutes = max(round(seconds / 60), 1)
    number, unit = (round(minutes / 60), "hour") if minutes >= 90 else (minutes, "minute")
    return quantity(number, unit)

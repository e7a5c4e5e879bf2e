"""Progress on standard error: a bar after one second, and a warning before work that takes minutes."""

from __future__ import annotations

import sys
import time
from types import TracebackType

from cardgen.cli._terminal import print_line, print_styled
from cardgen.diagnostic import escape_controls

# Seconds before a bar appears, and between its updates.
_PATIENCE, _INTERVAL = 1.0, 0.1
# After the first of these times, the rest of the work is estimated; the second one is worth a warning.
_SAMPLE, _LONG = 2.0, 60.0
_BAR_WIDTH, _LABEL_WIDTH, _SHORT_LABEL_WIDTH, _COUNT_WIDTH = 30, 24, 12, 11


class ProgressBar:
    """A bar on a terminal, and a warning on any standard error."""

    def __init__(self, *, hidden: bool = False) -> None:
        self._hidden = hidden
        self._is_terminal = sys.stderr.isatty()
        self._started = time.monotonic()
        self._drawn = 0.0
        self._is_estimated = False

    def __enter__(self) -> ProgressBar:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._drawn:
            print_line(err=True)

    def step(self, done: int, total: int, what: str) -> None:
        """Show that `done` of `total` steps are complete; 0 if they begin now, after a preparation."""
        now = time.monotonic()
        if not done:
            self._started = now
        elapsed = now - self._started
        if self._hidden or elapsed < _PATIENCE:
            return
        remaining = elapsed / done * (total - done) if done else 0.0
        if not self._is_estimated and elapsed >= _SAMPLE:
            self._is_estimated = True
            self._warn(remaining, total - done)
        if self._is_terminal and (now - self._drawn >= _INTERVAL or done == total):
            import shutil  # loaded here to keep 'cardgen --help' fast

            self._drawn = now
            line = progress_line(done, total, what, remaining, shutil.get_terminal_size().columns - 1)
            print_styled(f"\r{line}", err=True)

    def _warn(self, remaining: float, steps: int) -> None:
        if remaining >= _LONG:
            start = "\r" if self._drawn else ""
            text = f"warning: about {format_minutes(remaining)} left ({steps:,} steps); press Ctrl-C to stop"
            print_line(text, mark=start, err=True)


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
    return f"{_fit(escape_controls(what), label)}{drawn}{end}"[:width].ljust(width)


def _fit(text: str, width: int) -> str:
    """Return a text that is exactly `width` characters wide."""
    return text.ljust(width) if len(text) <= width else f"{text[: max(width - 1, 0)]}…"[:width]


def format_clock(seconds: float) -> str:
    """Return a time as minutes and seconds, or as hours and minutes: '2:05', '3h07m'."""
    minutes, rest = divmod(round(seconds), 60)
    hours, more = divmod(minutes, 60)
    return f"{hours}h{more:02}m" if hours else f"{minutes}:{rest:02}"


def format_minutes(seconds: float) -> str:
    """Return a time in words: '3 minutes', '2 hours'."""
    minutes = max(round(seconds / 60), 1)
    number, unit = (round(minutes / 60), "hour") if minutes >= 90 else (minutes, "minute")
    return f"{number} {unit}{'' if number == 1 else 's'}"

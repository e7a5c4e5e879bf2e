"""Progress on standard error: a bar after one second, and a warning before work that takes minutes."""

from __future__ import annotations

import sys
import time
from collections import deque
from collections.abc import Callable
from types import TracebackType

from cardgen.cli._terminal import print_line, print_styled
from cardgen.diagnostic import escape_controls
from cardgen.units import quantity

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
    return quantity(number, unit)

"""Output on standard error: diagnostics, and a progress bar after one second."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import Any

import click

from cardgen.diagnostic import CardgenError, format_diagnostic


def show_errors(error: CardgenError) -> None:
    """Show each diagnostic with its source line, then their number."""
    for diagnostic in error.diagnostics:
        click.echo(format_diagnostic(diagnostic, color=True) + "\n", err=True)
    number = len(error.diagnostics)
    count = "1 problem" if number == 1 else f"{number} problems"
    click.echo(f"{count}; nothing was written", err=True)


_PATIENCE = 1.0


class ProgressBar:
    """A progress bar on a terminal, shown after one second."""

    def __init__(self, *, hidden: bool = False) -> None:
        self._hidden = hidden or not sys.stderr.isatty()
        self._started = time.monotonic()
        self._bar: Any = None

    def __enter__(self) -> ProgressBar:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._bar is not None:
            self._bar.render_finish()

    def step(self, done: int, total: int, what: str) -> None:
        """Show that `done` of `total` steps are complete."""
        if self._hidden or (self._bar is None and time.monotonic() - self._started < _PATIENCE):
            return
        if self._bar is None:
            self._bar = click.progressbar(length=total, file=sys.stderr, width=30)
        self._bar.length = total
        self._bar.label = f"{what:<10}"
        self._bar.update(done - self._bar.pos)

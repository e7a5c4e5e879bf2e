"""A problem in a text, not yet turned into lines and columns."""

from __future__ import annotations

from typing import NamedTuple

from cardgen.diagnostic import Diagnostic
from cardgen.source.codes import Code
from cardgen.source.lines import Lines


class Problem(NamedTuple):
    """What is wrong with the characters from `start` up to `end`; `first` is where the same thing stood before."""

    code: Code
    message: str
    start: int
    end: int
    help: str = ""
    first: tuple[int, int] | None = None

    def located(self, lines: Lines) -> Diagnostic:
        """The problem with its place."""
        related = ((lines.place(*self.first), "first defined here"),) if self.first else ()
        return Diagnostic(self.code, self.message, lines.place(self.start, self.end), self.help, related=related)


class ReadingEnds(Exception):  # noqa: N818 - not an error of the program, but the end of what can be read
    """Nothing behind this problem can be read."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.message)
        self.problem = problem

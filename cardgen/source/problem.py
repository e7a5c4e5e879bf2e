"""A problem in a text, before it is located."""

from __future__ import annotations

from typing import NamedTuple

from cardgen.diagnostic import Diagnostic
from cardgen.source.characters import LineIndex
from cardgen.source.codes import Code


class Problem(NamedTuple):
    """What is wrong with the characters from `start` up to `end`; `first` is where the same thing stood before."""

    code: Code
    message: str
    start: int
    end: int
    help: str = ""
    first_range: tuple[int, int] | None = None

    def to_diagnostic(self, line_index: LineIndex) -> Diagnostic:
        """The problem with its place."""
        related = ((line_index.place(*self.first_range), "first defined here"),) if self.first_range else ()
        return Diagnostic(self.code, self.message, line_index.place(self.start, self.end), self.help, related=related)


class FatalProblem(Exception):  # noqa: N818 - not an error of the program, but the end of what can be read
    """Nothing behind this problem can be read."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.message)
        self.problem = problem

"""Problems in a text, before they have a place."""

from __future__ import annotations

from typing import NamedTuple

from cardgen.diagnostic import Diagnostic
from cardgen.source.characters import LineIndex
from cardgen.source.codes import Code


class Problem(NamedTuple):
    """Problem with the characters from `start` to `end` (exclusive).

    `first_range` is the range of the first definition if this is a duplicate.
    """

    code: Code
    message: str
    start: int
    end: int
    help: str = ""
    first_range: tuple[int, int] | None = None

    def to_diagnostic(self, line_index: LineIndex) -> Diagnostic:
        """Return the diagnostic, with the problem's place."""
        related = ((line_index.place(*self.first_range), "first defined here"),) if self.first_range else ()
        return Diagnostic(self.code, self.message, line_index.place(self.start, self.end), self.help, related=related)


class FatalProblem(Exception):  # noqa: N818 - not an error of the program: reading stops
    """Problem that stops the reading of a text."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.message)
        self.problem = problem

"""Compiler of the expressions of a game file; locates mistakes in them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TypeVar

from cardgen.codes import Code
from cardgen.diagnostic import Diagnostic, Place
from cardgen.game_file.context import GameContext
from cardgen.game_file.expression.formula import Formula, Located, Words
from cardgen.sandbox.expression import Expression, ExpressionError, TextTemplate
from cardgen.sandbox.frames import Shape
from cardgen.source import KeyPath

# With more mistakes than this, further expressions are not read.
_MOST_PROBLEMS = 200
_MOST_NAMES = 30
_Kind = TypeVar("_Kind", bound=Located)


class FormulaCompiler:
    """Compiler of expressions and texts; mistakes go to the context."""

    def __init__(self, context: GameContext) -> None:
        self._context = context

    def formula(self, source: str, path: KeyPath, scope: Mapping[str, Shape]) -> Formula | None:
        """Return an expression that uses the names of a scope.

        Return None if it is not valid.
        """
        return self._compile(Formula, Expression, source, path, scope)

    def words(self, source: str, path: KeyPath, scope: Mapping[str, Shape]) -> Words | None:
        """Return a text that uses the names of a scope.

        Return None if it is not valid.
        """
        return self._compile(Words, TextTemplate, source, path, scope)

    def _compile(
        self,
        kind: type[_Kind],
        program: type[Expression] | type[TextTemplate],
        source: str,
        path: KeyPath,
        scope: Mapping[str, Shape],
    ) -> _Kind | None:
        if len(self._context.problems) > _MOST_PROBLEMS:
            return None
        if self._context.is_tested:
            return kind(program(source, at_once=False), partial(self._place, path, source))
        try:
            compiled = kind(program(source), partial(self._place, path, source))
        except ExpressionError as error:
            self._report(error, path, source)
            return None
        problems = list(compiled.program.problems(scope))
        for problem in problems:
            self._report(problem, path, source, f"available: {', '.join(list(scope)[:_MOST_NAMES])}")
        return None if problems else compiled

    def _report(self, error: ExpressionError, path: KeyPath, source: str, help_text: str = "") -> None:
        place = self._place(path, source, error.start, error.end)
        advice = "" if "did you mean" in error.message else help_text
        self._context.problems.append(Diagnostic(Code.INVALID_GAME, error.message, place, advice))

    def _place(self, path: KeyPath, source: str, start: int, end: int) -> Place:
        """Return the place of some characters of an expression.

        If it is written with escapes, return that of the whole expression.
        """
        is_part = 0 < end - start < len(source)
        return self._context.place_in_text(path, source, start, end) if is_part else self._context.place(path)

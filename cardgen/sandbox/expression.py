"""Expressions of the templates' language that count their steps."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from cardgen.runtime.workspace import FAILURE_STEPS, START_STEPS, Budget, BudgetError, Meter
from cardgen.sandbox.frames import ANYTHING, Frame, Shape
from cardgen.sandbox.values import ExpressionError, Links

if TYPE_CHECKING:
    from jinja2 import Environment, nodes

    from cardgen.sandbox.closures import Run


# Paragraphs of templates: blank lines after lines that end with a tag.
# Jinja2 removes the line break after a tag. That is right for a line that has only tags, but after a line with text,
# it would join the paragraph with the next one.

# A line that ends with a tag, before a blank line.
_LINE = re.compile(r"^([^\n]*[^-+\n])([%#]\})\n(?=[ \t]*\n)", re.MULTILINE)
_TAG = re.compile(r"\{%[^%]*%\}|\{#[^#]*#\}")


def keep_paragraphs(source: str) -> str:
    """Return a template that keeps the line breaks between its paragraphs; its lines have the same numbers."""
    return _LINE.sub(_keep, source) if "}\n" in source else source


def _keep(match: re.Match[str]) -> str:
    line = match[0].rstrip("\n")
    return f"{match[1]}+{match[2]}\n" if _TAG.sub("", line).strip() else match[0]


# Expressions and short texts of the templates' language, for data of strangers.
# `Expression("warms > heat").evaluate({"warms": 3, "heat": 2})` is True; `TextTemplate("gives {{ warms }}")` is text
# with `{{ }}`, `{% if %}`, `{% for %}`, and `{% set %}`. Both know the filters of templates, the functions in
# `functions.FUNCTIONS`, and aggregates of lists: `members.sum(points)`, `weapons.any(damage > 3)`, `members.count()`.
# The argument of an aggregate is evaluated for each item, whose fields are names there, and which itself is `each`.
# Evaluation is bounded without a process of its own; see `budget`. Evaluations can share a budget.

__all__ = ["ANYTHING", "Expression", "ExpressionError", "Shape", "TextTemplate"]

# Characters of an expression or a text.
MAX_LENGTH = 4_000


@cache
def _parser() -> Environment:
    """Return the parser, which is loaded at the first expression."""
    from jinja2 import Environment

    return Environment(autoescape=False, trim_blocks=True, lstrip_blocks=True, optimized=False)


class _Compiled(NamedTuple):
    """The syntax tree of a source, the function that evaluates it, and the steps that this takes at least."""

    tree: nodes.Node
    run: Run
    cost: int


class Program:
    """Compiled source that can be evaluated many times."""

    _state: str | None = None

    def __init__(self, source: str, *, at_once: bool = True) -> None:
        """Raises ExpressionError if the source is not valid.

        `start` and `end` locate the mistake in it. A source that is known to be valid need not be compiled `at_once`;
        it is compiled at its first use.
        """
        self.source = source
        if at_once:
            _ = self._compiled

    @cached_property
    def _compiled(self) -> _Compiled:
        from cardgen.sandbox.closures import nodes_in

        with self._located():
            if len(self.source) > MAX_LENGTH:
                raise ExpressionError(f"an expression cannot have more than {MAX_LENGTH:,} characters")
            tree = self._parse()
            return _Compiled(tree, self._compile(tree), nodes_in(tree) + START_STEPS)

    def _located(self) -> _Locator:
        return _Locator(self)

    def _parse(self) -> nodes.Node:
        raise NotImplementedError

    def _compile(self, tree: nodes.Node) -> Run:
        raise NotImplementedError

    def evaluate(self, names: Mapping[str, Any], budget: Budget | None = None, links: Links | None = None) -> Any:
        """Return the value for these names; `links` replace the values of fields of models.

        By default, it has a budget of its own.

        Raises ExpressionError for unknown names and values that do not fit, and BudgetError.
        """
        meter = Meter(budget or Budget())
        meter.spend(self._compiled.cost)
        try:
            with self._located():
                return self._compiled.run(Frame(names, meter, links))
        except ExpressionError:
            meter.spend(FAILURE_STEPS + len(self.source))
            raise

    def problems(self, scope: Mapping[str, Shape]) -> Iterator[ExpressionError]:
        """Yield every unknown name or attribute, with its range in the source."""
        from cardgen.sandbox.scope import unknown_names

        for error in unknown_names(self._compiled.tree, scope):
            yield self.locate(error)

    @cached_property
    def names(self) -> frozenset[str]:
        """All names and attributes in the source, such as 'brave' and 'heat' of 'brave.heat'."""
        from jinja2 import nodes

        tree = self._compiled.tree
        parts = [tree, *tree.find_all((nodes.Name, nodes.Getattr))]
        return frozenset(
            [
                *(node.name for node in parts if isinstance(node, nodes.Name)),
                *(node.attr for node in parts if isinstance(node, nodes.Getattr)),
            ]
        )

    def locate(self, error: ExpressionError) -> ExpressionError:
        """Return the error with the range of its word, or of the whole source."""
        if error.end:
            return error
        start = self._offset(error.word) if error.word else -1
        error.start, error.end = (start, start + len(error.word)) if start >= 0 else (0, len(self.source))
        return error

    def _offset(self, word: str) -> int:
        """Return where a word first is a name, an operator, or a text in the source, or -1."""
        from jinja2 import TemplateSyntaxError

        position = 0
        try:
            for _, kind, text in _parser().lexer.tokeniter(self.source, None, state=self._state):
                position = self.source.find(text, position) if text else position
                if text == word and kind != "data":
                    return position
                if kind == "string" and text[1:-1] == word:
                    return position + 1
                position += len(text)
        except TemplateSyntaxError:
            pass
        return -1


class Expression(Program):
    """Compiled expression."""

    _state = "variable"

    def _parse(self) -> nodes.Node:
        if not self.source.strip():
            raise ExpressionError("an expression cannot be empty")
        from jinja2.parser import Parser

        parser = Parser(_parser(), self.source, state=self._state)
        tree = parser.parse_expression()
        if not parser.stream.eos:
            word = str(parser.stream.current.value)
            # What to write instead of '=' or '=>', or ''.
            if parser.stream.current.value != "=":
                comparison_hint = ""
            else:
                comparison_hint = "; write '>='" if parser.stream.look().value == ">" else "; write '==' to compare"
            raise ExpressionError(f"unexpected '{word[:40]}'{comparison_hint}", word)
        tree.set_environment(_parser())
        return tree

    def _compile(self, tree: nodes.Node) -> Run:
        from cardgen.sandbox.closures import Compiler

        return Compiler().compile(tree)


class TextTemplate(Program):
    """Compiled text with `{{ }}` and simple statements."""

    def _parse(self) -> nodes.Node:
        return _parser().parse(keep_paragraphs(self.source))

    def _compile(self, tree: nodes.Node) -> Run:
        from cardgen.sandbox.closures import StatementCompiler

        return StatementCompiler().compile_body(tree.body)  # type: ignore[attr-defined]

    def render(self, names: Mapping[str, Any], budget: Budget | None = None) -> str:
        """Return the text for these names; see `evaluate` for errors."""
        return str(self.evaluate(names, budget))


class _Locator:
    """Block that turns errors of a program into located ones without names of Python."""

    def __init__(self, program: Program) -> None:
        self._program = program

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: Any, error: BaseException | None, trace: Any) -> None:
        if error is None:
            return
        from jinja2 import TemplateSyntaxError

        if isinstance(error, ExpressionError):
            self._program.locate(error)
        elif isinstance(error, TemplateSyntaxError):
            raise self._program.locate(_syntax_error(error.message or "")) from None
        elif isinstance(error, RecursionError):
            raise self._program.locate(ExpressionError("nested too deeply")) from None
        elif isinstance(error, BudgetError):
            raise error


def _syntax_error(message: str) -> ExpressionError:
    """Return what Jinja2 says about a syntax mistake in plain words, at the unknown tag if there is one."""
    from cardgen.sandbox.scope import syntax_message, unknown_tag

    if "Jinja" in message or "unknown tag" in message:
        return ExpressionError(syntax_message(message), unknown_tag(message))
    plain = message.replace("'end of template'", "end")
    return ExpressionError(f"not a valid expression: {plain}")

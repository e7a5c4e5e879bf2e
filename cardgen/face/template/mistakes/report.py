"""Diagnostics of mistakes in the source and output of a template."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from jinja2 import TemplateError
from pydantic import BaseModel

from cardgen.codes import Code
from cardgen.diagnostic import Diagnostic, Place, Span
from cardgen.face.inkscape.document import DrawingError
from cardgen.face.svg.parser import SvgError
from cardgen.face.template import engine
from cardgen.face.template.engine import Templates, source_lines
from cardgen.face.template.mistakes.analysis import Analyzer, Source
from cardgen.face.template.mistakes.lenient import LenientSandbox
from cardgen.face.template.mistakes.parsed_source import ParsedSource
from cardgen.face.template.mistakes.value_types import FunctionType, ModelType, ValueType, type_of_value
from cardgen.face.template.mistakes.wording import visible_fields
from cardgen.project.files import display_path
from cardgen.runtime.time_limit import WATCHDOG

# By then, a template has shown its mistakes.
_MOST_CARDS = 10
_QUOTED = re.compile(r"'([^']*)'")
# Time limit for one search, in seconds.
_TIME_LIMIT = 2.0


class LocatedOutput(NamedTuple):
    """Output of a template.

    `marks` has the offsets in bytes at which its lines begin, with their files and numbers.
    """

    svg: str
    marks: tuple[tuple[int, str, int], ...]

    def line_at(self, offset: int) -> tuple[str, int] | None:
        """Return the template file and line of a place in the output."""
        before = [mark for mark in self.marks if mark[0] <= offset]
        return before[-1][1:] if before else None


@dataclass(slots=True)
class MistakeFinder:
    """Finder of the mistakes of one game's templates.

    `icon_names` are the icons that they can draw.
    """

    templates: Templates
    icon_names: Callable[[], Iterable[str]] = tuple
    _sources: dict[tuple[str, type, str], tuple[Diagnostic, ...]] = field(default_factory=dict)
    _parsed: dict[str, ParsedSource] = field(default_factory=dict)
    _cards: dict[str, int] = field(default_factory=dict)

    def find_all(
        self, file: str, context: Mapping[str, Any], diagnostics: Iterable[Diagnostic]
    ) -> tuple[Diagnostic, ...]:
        """Return all mistakes of a template that cannot print a card.

        Those that are known already are passed in.
        """
        in_source = self.in_source(file, context)
        # A variable with a mistake is reported where it is set, not again wherever it is used.
        subjects = {_subject(each) for each in in_source}
        in_output = (each for each in self.in_output(file, context) if _subject(each) not in subjects)
        mistakes = dict.fromkeys((*in_source, *in_output))
        lines = {_line(each) for each in mistakes}
        return (*mistakes, *(each for each in diagnostics if _line(each) not in lines))

    def in_source(self, file: str, context: Mapping[str, Any]) -> tuple[Diagnostic, ...]:
        """Return the mistakes in the source of a template and its includes.

        They hold for every card of the kind.
        """
        key = (file, type(context.get("card")), str(context.get("side")))
        if key not in self._sources:
            self._sources[key] = tuple(self._analyze(file, context))
        return self._sources[key]

    def _analyze(self, file: str, context: Mapping[str, Any]) -> Iterator[Diagnostic]:
        constants = {name: value for name, value in context.items() if isinstance(value, str)}
        analyzer = Analyzer(self.templates.sandbox, self._find, self.templates.files, constants, parsed=self._parsed)
        try:
            with WATCHDOG.limit(_TIME_LIMIT):
                analyzer.analyze(file, self._types(context))
        except engine.TEMPLATE_ERRORS:
            pass  # What was found until then is enough.
        for path, mistake in analyzer.found:
            yield template_diagnostic(path, mistake.line, mistake.message, mistake.word)

    def _find(self, name: str) -> Source | None:
        try:
            text, path, _ = self.templates.loader.get_source(self.templates.sandbox, name)
        except (TemplateError, DrawingError):
            return None
        return Source(path, text)

    def _types(self, context: Mapping[str, Any]) -> dict[str, ValueType]:
        types = {name: type_of_value(value, name) for name, value in context.items()}
        if isinstance(context.get("card"), BaseModel):
            types["card"] = ModelType((type(context["card"]),))
        icon = types.get("icon")
        if isinstance(icon, FunctionType):
            types["icon"] = FunctionType("icon", icon.parameters, self.icon_names)
        return types

    def in_output(self, file: str, context: Mapping[str, Any]) -> tuple[Diagnostic, ...]:
        """Return the mistakes that occur when a card is printed.

        Rendering continues after each.
        """
        self._cards[file] = self._cards.get(file, 0) + 1
        if self._cards[file] > _MOST_CARDS:
            return ()
        sandbox = self._lenient(context, marked=False)
        self._render(sandbox, file, context)
        return tuple(template_diagnostic(path, line, message) for path, line, message in sandbox.mistakes if path)

    def locate(self, file: str, context: Mapping[str, Any]) -> LocatedOutput:
        """Return the output of a template with the lines that it comes from."""
        sandbox = self._lenient(context, marked=True)
        svg, marks = sandbox.strip_marks(self._render(sandbox, file, context))
        return LocatedOutput(svg, tuple(marks))

    def _lenient(self, context: Mapping[str, Any], *, marked: bool) -> LenientSandbox:
        card = context.get("card")
        fields = visible_fields(type(card)) if isinstance(card, BaseModel) else ()
        return LenientSandbox(self.templates.loader, engine.SUFFIXES, fields, context, marked=marked)

    @staticmethod
    def _render(sandbox: LenientSandbox, file: str, context: Mapping[str, Any]) -> str:
        try:
            with WATCHDOG.limit(_TIME_LIMIT):
                return sandbox.get_template(file).render(context)
        except engine.TEMPLATE_ERRORS:
            return ""


def _line(diagnostic: Diagnostic) -> tuple[str, int]:
    return diagnostic.place.file, diagnostic.place.span.line if diagnostic.place.span else 0


def _subject(diagnostic: Diagnostic) -> tuple[object, ...]:
    """Return what is wrong in a file, such as a name, or else the line and the message."""
    quoted = _QUOTED.findall(diagnostic.message)
    if quoted:
        return diagnostic.place.file, quoted[0]
    return (*_line(diagnostic), diagnostic.message.partition(";")[0])


def template_diagnostic(path: str, line: int, message: str, word: str = "", code: str = Code.TEMPLATE) -> Diagnostic:
    """Return a diagnostic at a line of a template.

    It points to a word, if the line contains it.
    """
    lines = source_lines(Path(path))
    excerpt = lines[line - 1] if 0 < line <= len(lines) else ""
    column = _column(excerpt, word) if word else -1
    end = column + len(word)
    if column < 0:
        column, end = engine.part_of_line(Path(path), excerpt, message)
    span = Span(line, column + 1, line, end + 1)
    return Diagnostic(code, message, Place(display_path(Path(path)), span, excerpt))


def _column(excerpt: str, word: str) -> int:
    """Return the position of a word in a line, or else of its letters; -1 if it is not there."""
    whole = re.search(rf"(?<!\w){re.escape(word)}(?!\w)", excerpt)
    return whole.start() if whole else excerpt.find(word)


def svg_diagnostic(error: SvgError, path: Path, output: LocatedOutput | None) -> Diagnostic:
    """Return the diagnostic of an error in the output of a template."""
    line = output.line_at(error.offset) if output and error.offset >= 0 else None
    if line is None:
        return engine.diagnostic_in_template(path, error.culprit, Code.SVG, str(error))
    file, number = line
    return template_diagnostic(file, number, str(error), error.culprit, Code.SVG)

"""Finding and rendering templates: a project's own come before the built-in ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any

from jinja2 import TemplateError, TemplateSyntaxError, meta
from jinja2.exceptions import SecurityError, UndefinedError

from cardgen.diagnostic import CardgenError, Diagnostic, Place, Span
from cardgen.face import codes
from cardgen.face.sandbox import FolderLoader, Sandbox

_SUFFIX = ".svg.j2"


@dataclass(frozen=True, slots=True)
class Rendered:
    """The SVG that a template gave, and the file it came from."""

    svg: str
    path: Path


class Templates:
    """The templates in some folders, the first folder first; compiled once each."""

    def __init__(self, folders: Sequence[Path]) -> None:
        self._loader = FolderLoader(folders)
        self._sandbox = Sandbox(self._loader)
        self._asked: dict[str, frozenset[str] | None] = {}

    def has(self, name: str) -> bool:
        """Whether there is a template of that name, such as 'warniris/minion'."""
        return self._loader.find(name + _SUFFIX) is not None

    def names(self, game: str) -> tuple[str, ...]:
        """The names of all templates of a game, sorted."""
        paths = (path for folder in self._loader.folders for path in (folder / game).glob(f"*{_SUFFIX}"))
        return tuple(sorted({f"{game}/{path.name.removesuffix(_SUFFIX)}" for path in paths}))

    def asks_for(self, name: str, variable: str) -> bool:
        """Whether a template, or one that it includes or imports, looks at a variable of its context.

        True where that cannot be told, since the name of an included template is worked out only when it is rendered.
        """
        found = self._variables(name + _SUFFIX)
        return found is None or variable in found

    def _variables(self, file: str) -> frozenset[str] | None:
        """The variables that a template asks for, and those below it; None when they cannot be told."""
        if file not in self._asked:
            self._asked[file] = frozenset()  # A template that includes itself adds nothing.
            try:
                tree = self._sandbox.parse(self._loader.get_source(self._sandbox, file)[0])
            except TemplateError:
                self._asked[file] = None
                return None
            below = [self._variables(each) if each else None for each in meta.find_referenced_templates(tree)]
            known = [each for each in below if each is not None]
            if len(known) < len(below):
                self._asked[file] = None
            else:
                self._asked[file] = frozenset(meta.find_undeclared_variables(tree)).union(*known)
        return self._asked[file]

    def render(self, name: str, context: Mapping[str, Any]) -> Rendered:
        """The SVG of the template of that name, which must exist.

        Raises CardgenError, located in the template, for whatever Jinja2 cannot do.
        """
        path = self._loader.find(name + _SUFFIX)
        if path is None:
            raise FileNotFoundError(name + _SUFFIX)
        try:
            svg = self._sandbox.get_template(name + _SUFFIX).render(context)
        except TemplateSyntaxError as error:
            raise CardgenError(_at(Path(error.filename or path), error.lineno, error.message or "")) from None
        except (TemplateError, ArithmeticError, LookupError, TypeError, ValueError, AttributeError) as error:
            line = _line_of(error.__traceback__, path)
            raise CardgenError(_at(*line, _sentence(error))) from None
        return Rendered(svg, path)


def fault_in(path: Path, culprit: str, code: str, message: str) -> Diagnostic:
    """A diagnostic in a template, at the first place where the culprit's text stands."""
    for number, line in enumerate(_lines(path), 1):
        column = line.find(culprit)
        if culprit and column >= 0:
            span = Span(number, column + 1, number, column + 1 + len(culprit))
            return Diagnostic(code, message, Place(str(path), span, line))
    return Diagnostic(code, message, Place(str(path)))


def _sentence(error: Exception) -> str:
    if isinstance(error, UndefinedError):
        return f"{error.message}; check the name, or ask 'is defined' first"
    if isinstance(error, SecurityError):
        return f"a template may not do this: {error.message}"
    return f"{error}" if isinstance(error, TemplateError) else f"{type(error).__name__}: {error}"


def _at(path: Path, line: int, message: str) -> Diagnostic:
    lines = _lines(path)
    excerpt = lines[line - 1] if 0 < line <= len(lines) else ""
    start = len(excerpt) - len(excerpt.lstrip()) + 1
    place = Place(str(path), Span(line, start, line, len(excerpt.rstrip()) + 1), excerpt)
    return Diagnostic(codes.TEMPLATE, f"the template cannot be rendered: {message}", place)


def _line_of(trace: TracebackType | None, path: Path) -> tuple[Path, int]:
    """The innermost template line of a traceback; Jinja2 writes its frames as if templates were Python files."""
    found = (path, 1)
    while trace is not None:
        name = trace.tb_frame.f_code.co_filename
        if name.endswith(_SUFFIX):
            found = (Path(name), trace.tb_lineno)
        trace = trace.tb_next
    return found


def _lines(path: Path) -> tuple[str, ...]:
    return tuple(path.read_text(encoding="utf-8", errors="replace").splitlines())

"""Template engine that locates errors at lines of templates."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, MutableMapping, Sequence
from functools import cache
from pathlib import Path, PurePosixPath
from types import TracebackType
from typing import Any, NamedTuple, Protocol

from jinja2 import BaseLoader, TemplateError, TemplateNotFound, TemplateRuntimeError, TemplateSyntaxError
from jinja2.environment import Environment, Template
from pydantic import BaseModel

from cardgen.diagnostic import CardgenError, Code, Diagnostic, Place, Span, did_you_mean
from cardgen.face.inkscape_texts import DrawingError
from cardgen.face.template.wording import error_message
from cardgen.project.files import (
    LAYOUT_SUFFIX,
    MAX_TEMPLATE_BYTES,
    TEMPLATE_SUFFIXES,
    AnyTemplateFolder,
    display_path,
    game_folders,
    read_template,
    require_inside,
    template_stem,
    template_text,
    to_template_folder,
)
from cardgen.project.files import TEMPLATE_SUFFIX as SUFFIX
from cardgen.runtime import regular_file
from cardgen.runtime.processes import WATCHDOG, TimeLimitError
from cardgen.runtime.regular_file import ALL_SAVED, UnsavedFiles, resolve, stays_inside
from cardgen.sandbox.compiler import CompiledFiles
from cardgen.sandbox.environment import Sandbox
from cardgen.sandbox.scope import syntax_message

# Everything that Jinja2 interprets starts with one of these.
_JINJA_DELIMITERS = ("{{", "{%", "{#")


class FolderLoader(BaseLoader):
    """Loader of templates by name from folders; earlier ones have priority.

    Names cannot point outside the folders.
    """

    def __init__(self, folders: Sequence[AnyTemplateFolder]) -> None:
        self.folders = tuple(each._replace(path=each.path.resolve()) for each in map(to_template_folder, folders))
        self.unsaved = next((each.unsaved for each in self.folders if each.unsaved), ALL_SAVED)
        self._paths: dict[str, Path] = {}

    def find(self, name: str) -> Path | None:
        """Return the file of a template, or None.

        A file that was found is not searched for again.
        """
        if name not in self._paths:
            path = self._search(name)
            if path is None:
                return None
            self._paths[name] = path
        return self._paths[name]

    def _search(self, name: str) -> Path | None:
        for folder in self.folders:
            try:
                written = folder.find(name)
                if written and (_is_plain(name) or stays_inside(folder.path, written)):
                    path = resolve(require_inside(folder.path, written, display_path(written)), folder.path)
                    if path.is_file():
                        return path
            except (OSError, RuntimeError, ValueError):  # name too long, symlink loop, or null byte
                continue
        return None

    def load(
        self,
        environment: Environment,
        name: str,
        globals: MutableMapping[str, Any] | None = None,  # noqa: A002 - Jinja2's name
    ) -> Template:
        """Return the template of that name.

        A file without Jinja2 syntax, such as a drawing, is not compiled.
        """
        source, path, _ = self.get_source(environment, name)
        if environment.extensions or any(mark in source for mark in _JINJA_DELIMITERS):
            return environment.template_class.from_code(
                environment, environment.compile(source, name, path), globals or {}
            )
        text = source.removesuffix("\n")
        module = {
            "name": name,
            "__file__": path,
            "blocks": {},
            "debug_info": "",
            "root": lambda _: (part for part in (text,)),
        }
        return environment.template_class.from_module_dict(environment, module, globals or {})

    def get_source(self, environment: Environment, template: str) -> tuple[str, str, Callable[[], bool]]:
        """Return what Jinja2 needs: text, file, and a freshness check."""
        path = self.find(template)
        if path is None:
            raise TemplateNotFound(template)
        text = self._read(path, template)
        if template.endswith(SUFFIX):
            text = source_of(path, text, lambda file: self._frame(template, file))
        return text, str(path), lambda: True

    def _read(self, path: Path, template: str) -> str:
        try:
            content = read_template(path, self.unsaved)
        except regular_file.FileTooLargeError:
            message = f"the file is larger than {MAX_TEMPLATE_BYTES // 1024:,} KiB"
            raise TemplateSyntaxError(message, 1, template, str(path)) from None
        except OSError as error:
            message = f"the file cannot be read: {error.strerror or error}"
            raise TemplateSyntaxError(message, 1, template, str(path)) from None
        return _decode(content, template, path)

    def _frame(self, template: str, file: str) -> str:
        """Return the source of the drawing behind a layout. Raises LookupError if it does not exist."""
        name = f"{template.rpartition('/')[0]}/{file}"
        path = self.find(name)
        if path is None:
            raise LookupError(file)
        try:
            return source_of(path, self._read(path, name), lambda file: self._frame(name, file))
        except DrawingError as error:
            found = (mistake_diagnostic(path, *each, unsaved=self.unsaved) for each in error.mistakes)
            raise DrawingError(diagnostics=tuple(found)) from None


def source_of(path: Path, text: str, read_frame: Callable[[str], str]) -> str:
    """Return the source of the template in a file, which may be a layout or a drawing.

    `read_frame` returns that of the drawing behind a layout. Raises DrawingError for mistakes in either.
    """
    if path.name.endswith(LAYOUT_SUFFIX):
        from cardgen.face.layout import compile_layout  # loaded here because few templates are layouts

        return compile_layout(text, display_path(path), read_frame)
    if path.suffix == ".svg":
        from cardgen.face.inkscape import convert  # loaded here because few templates are drawings

        return convert(text)
    return text


def _decode(content: bytes, template: str, path: Path) -> str:
    try:
        return content.decode("utf-8").replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        message = f"byte {error.start + 1}, 0x{content[error.start]:02X}, is not valid UTF-8; save the file as UTF-8"
        raise TemplateSyntaxError(message, line, template, str(path)) from None


def _is_plain(name: str) -> bool:
    """Return whether a name leads out of its folder only through a link."""
    path = PurePosixPath(name)
    return not path.is_absolute() and ".." not in path.parts


# The label of an object, and its id after it.
_NAMES_IN_MESSAGE = re.compile(r"['(]([^'()]+)[')]")
# Files whose lines errors are located at.
SUFFIXES = (*TEMPLATE_SUFFIXES, ".j2")
# Time limit for one face, in seconds; the slowest of the built-in templates takes a hundredth of a second.
TIME_LIMIT = 5.0
SLOW_ADVICE = "repeat loops less often, and do not nest long ones"
# A mistake in one expression, and everything else that ends a template.
MISTAKES = (
    TemplateError, ArithmeticError, LookupError, TypeError, ValueError, AttributeError, SyntaxError, AssertionError,
)  # fmt: skip
TEMPLATE_ERRORS = (*MISTAKES, RecursionError, MemoryError, TimeLimitError)


class RenderedTemplate(NamedTuple):
    """The SVG rendered from a template, and the template's file.

    `marks` are the offsets at which lines of templates begin, with their files and numbers, if they were requested.
    """

    svg: str
    path: Path
    marks: tuple[tuple[int, str, int], ...] = ()


class Templates:
    """Templates in folders, each compiled once; earlier folders have priority.

    `trusted` are the folders whose templates come with the program or an installed package.
    """

    def __init__(self, folders: Sequence[AnyTemplateFolder], trusted: Sequence[Path] = ()) -> None:
        self._trusted = tuple(trusted)
        self.are_trusted = {each.path for each in map(to_template_folder, folders)} <= set(trusted)
        self.loader = FolderLoader(folders)
        compiled_files = CompiledFiles(self._trusted, can_write=self.are_trusted)
        self.sandbox = Sandbox(self.loader, compiled_files)
        self._dependency_cache: dict[tuple[str, str], bool] = {}

    def has(self, name: str) -> bool:
        """Return whether there is a template of that name, such as 'chess/pawn'."""
        return self.loader.find(name + SUFFIX) is not None

    def is_trusted(self, name: str) -> bool:
        """Return whether a template comes with the program or an installed package."""
        return self.is_trusted_file(self.path(name))

    def is_trusted_file(self, path: Path) -> bool:
        """Return whether a file comes with the program or an installed package."""
        return any(path.is_relative_to(folder) for folder in self._trusted)

    @staticmethod
    def file_of(name: str) -> str:
        """Return the name under which templates can load a template."""
        return name + SUFFIX

    def path(self, name: str) -> Path:
        """Return the file of a template. Raises FileNotFoundError if there is none."""
        path = self.loader.find(name + SUFFIX)
        if path is None:
            raise FileNotFoundError(name + SUFFIX)
        return path

    def names(self, game: str) -> tuple[str, ...]:
        """Return the names of all templates of a game, sorted."""
        folders = tuple(game_folders(self.loader.folders, game))
        paths = (path for folder in folders for suffix in TEMPLATE_SUFFIXES for path in folder.glob(f"*{suffix}"))
        return tuple(sorted({f"{game}/{template_stem(path.name)}" for path in paths}))

    def missing(self, name: str, game: str, place: Place) -> Diagnostic:
        """Return the error of a place that names a template which does not exist."""
        names = self.names(game)
        message = f"unknown template '{name}.svg.j2'{did_you_mean(name, names)}"
        return Diagnostic(Code.NO_TEMPLATE, message, place, f"available: {', '.join(names) or 'none'}")

    def files(self) -> tuple[str, ...]:
        """Return the names of all files that templates can load, sorted."""
        return tuple(sorted({name for folder in self.loader.folders for name in folder.names()}))

    def depends_on(self, name: str, variable: str) -> bool:
        """Return whether a template uses a variable of its context.

        This includes the templates that it includes or imports. True if it is unknown because the name of one is
        computed at render time.
        """
        key = (name, variable)
        if key not in self._dependency_cache:
            try:
                with WATCHDOG.limit(TIME_LIMIT):
                    self._dependency_cache[key] = self._find_dependency(name + SUFFIX, variable)
            except TEMPLATE_ERRORS:  # rendering it will report the error
                self._dependency_cache[key] = True
        return self._dependency_cache[key]

    def _find_dependency(self, file: str, variable: str) -> bool:
        seen: set[str] = set()
        pending: list[str | None] = [file]
        while pending:
            name = pending.pop(0)
            if name in seen:
                continue
            if not name:
                return True
            seen.add(name)
            dependencies = self.sandbox.dependencies(name)
            if variable in dependencies.names:
                return True
            pending += dependencies.referenced_templates
        return False

    def render(self, name: str, context: Mapping[str, Any], sandbox: Sandbox | None = None) -> RenderedTemplate:
        """Return the SVG of the template of that name, which must exist, perhaps from a sandbox of its own.

        Raises CardgenError, located in the template, for any error that Jinja2 raises.
        """
        path = self.path(name)
        try:
            with WATCHDOG.limit(TIME_LIMIT):
                svg = (sandbox or self.sandbox).get_template(name + SUFFIX).render(context)
        except DrawingError as error:
            found = (self._diagnostic_at(path, *mistake) for mistake in error.mistakes)
            raise CardgenError(*error.diagnostics, *found) from None
        except TemplateSyntaxError as error:
            message = syntax_message(error.message or "")
            raise CardgenError(self._diagnostic_at(Path(error.filename or path), error.lineno, message)) from None
        except TEMPLATE_ERRORS as error:
            line = _template_line(error.__traceback__, path)
            advice = SLOW_ADVICE if isinstance(error, TimeLimitError) else ""
            raise CardgenError(self._diagnostic_at(*line, _error_message(error), advice)) from None
        return RenderedTemplate(svg, path)

    def _diagnostic_at(self, path: Path, line: int, message: str, advice: str = "") -> Diagnostic:
        return mistake_diagnostic(path, line, message, advice, self.loader.unsaved)


def mistake_diagnostic(
    path: Path, line: int, message: str, advice: str = "", unsaved: UnsavedFiles = ALL_SAVED
) -> Diagnostic:
    """Return a diagnostic at a line of a template."""
    lines = source_lines(path, unsaved)
    excerpt = lines[line - 1] if 0 < line <= len(lines) else ""
    start, end = part_of_line(path, excerpt, message)
    place = Place(display_path(path), Span(line, start + 1, line, end + 1), excerpt)
    return Diagnostic(Code.TEMPLATE, message, place, advice)


def diagnostic_in_template(
    path: Path, culprit: str, code: str, message: str, unsaved: UnsavedFiles = ALL_SAVED
) -> Diagnostic:
    """Return a diagnostic at the first occurrence of `culprit` in a template."""
    for number, line in enumerate(source_lines(path, unsaved), 1):
        column = line.find(culprit)
        if culprit and column >= 0:
            span = Span(number, column + 1, number, column + 1 + len(culprit))
            return Diagnostic(code, message, Place(display_path(path), span, line))
    return Diagnostic(code, message, Place(display_path(path)))


def slow_message() -> str:
    """Return the message for a template that was stopped because it took too long."""
    return f"the template took longer than {TIME_LIMIT:g} seconds for one card"


def _error_message(error: Exception) -> str:
    if isinstance(error, RecursionError):
        return "infinite recursion, or nested too deeply"
    if isinstance(error, SyntaxError):
        return "nested too deeply"
    if isinstance(error, TimeLimitError):
        return slow_message()
    if isinstance(error, MemoryError):
        return "it needs too much memory"
    return error_message(error)


def part_of_line(path: Path, excerpt: str, message: str) -> tuple[int, int]:
    """Return the begin and end of the part of a line that a message is about: the line without its indentation.

    For an object of a drawing, it is its label or id, or else its tag; for a layout, the word that is wrong.
    """
    begin, end = len(excerpt) - len(excerpt.lstrip()), len(excerpt.rstrip())
    names = [re.escape(name) for name in _NAMES_IN_MESSAGE.findall(message.partition(";")[0])]
    if path.name.endswith(LAYOUT_SUFFIX):
        words = (re.search(rf"(?<!\w){name}(?!\w)", excerpt) for name in names)
        word = next(filter(None, words), None)
        return word.span() if word else (begin, end)
    if path.suffix != ".svg":
        return begin, end
    attribute = next(filter(None, (re.search(rf'[\w:]+="{name}"', excerpt, re.IGNORECASE) for name in names)), None)
    tag = attribute or re.search(r"<\w+", excerpt)
    return tag.span() if tag else (begin, end)


def _template_line(trace: TracebackType | None, path: Path) -> tuple[Path, int]:
    """Return the innermost template line of a traceback.

    Jinja2 makes frames look as if templates were Python files.
    """
    line = (path, 1)
    while trace is not None:
        name = trace.tb_frame.f_code.co_filename
        if name.endswith(SUFFIXES):
            line = (Path(name), trace.tb_lineno)
        trace = trace.tb_next
    return line


def source_lines(path: Path, unsaved: UnsavedFiles) -> tuple[str, ...]:
    """Return the lines of a template; one that cannot be read has none."""
    return tuple(template_text(path, unsaved).splitlines())


class Term(Protocol):
    """A term with its definition in marked-up text."""

    @property
    def name(self) -> str:
        """The name of the term."""

    @property
    def definition(self) -> str:
        """What the term means."""


def meaning_function(terms: Callable[[], Iterable[Term]]) -> Callable[[str], str]:
    """Return the function `meaning(term)`, which reads the terms at its first call.

    The case of letters does not matter. The function raises TemplateRuntimeError for an unknown term.
    """

    @cache
    def glossary() -> dict[str, Term]:
        return {term.name.casefold(): term for term in terms()}

    def meaning(name: str) -> str:
        term = glossary().get(name.casefold())
        if term is None:
            names = [each.name for each in glossary().values()]
            raise TemplateRuntimeError(f"unknown term '{name}'{did_you_mean(name, names)}")
        return term.definition

    return meaning


# Parts whose texts are kept; more than a card has.
_MAX_PARTS = 64


def text_function(text: Callable[[Any], str]) -> Callable[[object], str]:
    """Return a function with the results of `text`, which is called once for each of the latest parts.

    Parts are models, which cannot change; anything else is not kept.
    """
    # Keyed by identity, because equal models are long to compare; the model is stored to keep it alive.
    kept: dict[int, tuple[BaseModel, str]] = {}

    def text_of(thing: object) -> str:
        entry = kept.get(id(thing))
        if entry is not None:
            return entry[1]
        result = text(thing)
        if isinstance(thing, BaseModel):
            if len(kept) >= _MAX_PARTS:
                kept.clear()
            kept[id(thing)] = thing, result
        return result

    return text_of

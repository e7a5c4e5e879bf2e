"""Publishes problems: those of a changed file at once, those of the project when the author pauses.

Texts that do not fit are found last, because the cards must be drawn.
"""

from __future__ import annotations

import asyncio
import logging
import os
import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import repeat
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit
from urllib.request import url2pathname

from lsprotocol import types

from cardgen.diagnostic import CardgenError, Severity, Span
from cardgen.editor.completion import Completion, CompletionKind
from cardgen.editor.references import Symbol
from cardgen.editor.session import Problem, Problems, ProjectState, Session, check_file
from cardgen.editor.text import Location, TextEdit, span_at
from cardgen.runtime.fingerprint import find_settings_folder
from cardgen.runtime.installation import check_address
from cardgen.runtime.request_process import BACKGROUND, ProcessError, RemoteService

# Seconds without a change before a file, and before the project is checked.
FILE_DELAY, PROJECT_DELAY = 0.02, 0.4
# Seconds for a check.
CHECK_SECONDS = 120.0
_LOG = logging.getLogger("cardgen.lsp")


class Publisher:
    """Problems that the client has of one project. A change cancels what an earlier one started."""

    def __init__(
        self,
        project: OpenProject,
        service: RemoteService,
        encoding: str,
        send: Callable[[types.PublishDiagnosticsParams], None],
    ) -> None:
        self.project = project
        self._service, self._encoding, self._send = service, encoding, send
        self._problems: dict[Path, tuple[Problem, ...]] = {}
        # Problems of open files that only drawing their cards finds.
        self._misfits: dict[Path, tuple[Problem, ...]] = {}
        self._sent: dict[Path, list[types.Diagnostic]] = {}
        self._task: asyncio.Task[None] | None = None

    def problems_of(self, path: Path) -> tuple[Problem, ...]:
        """Return the problems of a file, as the client has them."""
        return (*self._problems.get(path, ()), *self._misfits.get(path, ()))

    def schedule(self, path: Path | None = None) -> None:
        """Check a file soon, if it has cards, and the project later."""
        self.cancel()
        if self.project.session.is_empty:
            return
        self._task = asyncio.get_running_loop().create_task(self._run(path))

    def cancel(self) -> None:
        """Stop what is scheduled."""
        if self._task:
            self._task.cancel()

    async def _run(self, path: Path | None) -> None:
        try:
            if path and self.project.session.has_cards(path):
                await asyncio.sleep(FILE_DELAY)
                if self.project.session.checked_with(path):
                    self._publish({path: check_file(self.project.session, path)})
            await asyncio.sleep(PROJECT_DELAY)
            problems = await self._ask("check", self.project.state)
            self._publish({**dict.fromkeys(self._problems, ()), **problems})
            await self._draw(path)
        except (CardgenError, ProcessError, OSError) as error:
            _LOG.error("check failed: %s", error)
        except Exception as error:
            _LOG.error("check failed: %s: %s", type(error).__name__, error)

    async def _ask(self, name: str, *arguments: object) -> Any:
        return await self._service.call(name, *arguments, priority=BACKGROUND, seconds=CHECK_SECONDS)

    async def _draw(self, path: Path | None) -> None:
        """Draw the cards of a changed file, or of all open files, and publish the problems that this finds."""
        files = [path] if path and self.project.session.has_texts(path) else [*self.project.open_files]
        self._misfits = {path: found for path, found in self._misfits.items() if path in self.project.open_files}
        for each in files:
            if each in self.project.open_files and self.project.session.checked_with(each):
                found = await self._ask("check_fit", self.project.state, each)
                known = set(self._problems.get(each, ()))
                self._misfits[each] = tuple(problem for problem in found if problem not in known)
                self._publish({each: self._problems.get(each, ())})

    def _publish(self, problems: Problems) -> None:
        translator = Translator(self.project.session, self._encoding)
        self._problems.update(problems)
        for path in problems:
            if self.project.session.owns(path):
                diagnostics = list(map(translator.diagnostic, self.problems_of(path)))
                if diagnostics != self._sent.get(path, []):
                    self._sent[path] = diagnostics
                    version = self.project.open_files.get(path)
                    self._send(types.PublishDiagnosticsParams(uri_of(path), diagnostics, version))

    def resend(self, paths: Iterable[Path]) -> None:
        """Send the problems of files again when they are checked next."""
        for path in paths:
            self._sent.pop(path, None)


def path_of(uri: str) -> Path | None:
    """Return the absolute path of a file's URI; None for other URIs, and for files of other computers."""
    try:
        parts = urlsplit(uri)
        text = _decoded(parts.path)
        os.fsencode(text)  # raises an error for half of a character, which no name has
    except ValueError:
        return None
    if parts.scheme != "file" or parts.netloc not in ("", "localhost") or "\0" in text:
        return None
    if text.replace("\\", "/").startswith("//"):  # Windows would sign in to the computer of that name
        return None
    path = Path(os.path.abspath(text))  # noqa: PTH100 - resolve() would follow links
    return path if path.is_absolute() else None


def _decoded(path: str) -> str:
    """Return the path of a URI as the system writes it; names of files need not be UTF-8, except on Windows."""
    return url2pathname(path) if os.name == "nt" else unquote(path, errors="surrogateescape")


class OpenProject:
    """A project with open files; `generation` counts the changes of its files on the disk."""

    def __init__(self, root: Path, *, empty: bool = False) -> None:
        self.session = Session(root, empty=empty)
        self.generation = 0
        self.open_files: dict[Path, int | None] = {}

    def reload(self) -> None:
        """Read all files again."""
        self.generation += 1
        self.session.reload()

    @property
    def state(self) -> ProjectState:
        """What another process needs to see the same project."""
        return ProjectState(self.session.root, self.generation, self.session.unsaved)


class OpenProjects:
    """All projects of a client.

    Files outside of its folders belong to the folder with their settings. Without settings, they are alone: what is
    around them, such as the author's home folder, is not read.
    """

    def __init__(self) -> None:
        self._folders: list[Path] = []
        self._projects: dict[Path, OpenProject] = {}

    def __iter__(self) -> Iterator[OpenProject]:
        return iter(tuple(self._projects.values()))

    def add_folders(self, folders: Iterable[Path]) -> None:
        """Add folders of the client, and the projects whose settings they contain."""
        for folder in folders:
            self._folders.append(folder)
            if find_settings_folder(folder):
                self.project_of(folder / "cards")

    def remove_folders(self, folders: Iterable[Path]) -> None:
        """Remove folders of the client; projects with open files stay."""
        for folder in folders:
            self._folders = [each for each in self._folders if each != folder]
            kept = {root: each for root, each in self._projects.items() if root != folder or each.open_files}
            self._projects = kept

    def project_of(self, path: Path) -> OpenProject:
        """Return the project of a file, which is opened if necessary."""
        root = find_settings_folder(path.parent) or self._folder_of(path)
        place = root or path.parent
        known = self._projects.get(place)
        if known is None or (root and known.session.is_empty):
            self._projects[place] = OpenProject(place, empty=root is None)
        return self._projects[place]

    def _folder_of(self, path: Path) -> Path | None:
        around = [folder for folder in self._folders if path.is_relative_to(folder)]
        return max(around, key=lambda folder: len(folder.parts), default=None)


_SEVERITIES = {
    Severity.ERROR: types.DiagnosticSeverity.Error,
    Severity.WARNING: types.DiagnosticSeverity.Warning,
    Severity.NOTE: types.DiagnosticSeverity.Information,
}
_KINDS = {
    CompletionKind.KEY: types.CompletionItemKind.Property,
    CompletionKind.CHOICE: types.CompletionItemKind.EnumMember,
    CompletionKind.CARD: types.CompletionItemKind.Reference,
    CompletionKind.TERM: types.CompletionItemKind.Keyword,
    CompletionKind.ICON: types.CompletionItemKind.Color,
    CompletionKind.FILE: types.CompletionItemKind.File,
    CompletionKind.CLAUSE: types.CompletionItemKind.Text,
    CompletionKind.EXAMPLE: types.CompletionItemKind.Snippet,
}
# Checks of what has no effect; editors fade it.
_UNNECESSARY = frozenset(
    {"unused-ignore", "ignored-key", "unread-field", "unused-art", "dropped-motto", "dropped-picture"}
)


def uri_of(path: Path) -> str:
    """Return the URI of a file."""
    return path.as_uri()


class Translator:
    """Translates the places of one session; texts are split into lines once."""

    def __init__(self, session: Session, encoding: str) -> None:
        self._session, self._encoding = session, encoding
        self._maps: dict[Path, PositionMap] = {}

    def positions(self, path: Path) -> PositionMap:
        """Return the positions of a file's text."""
        if path not in self._maps:
            self._maps[path] = PositionMap(self._session.text(path), self._encoding)
        return self._maps[path]

    def location(self, location: Location) -> types.Location:
        """Return a location of the protocol."""
        return types.Location(uri_of(location.path), self.positions(location.path).range(location.span))

    def edit(self, edit: TextEdit) -> types.TextEdit:
        """Return an edit of the protocol."""
        return types.TextEdit(self.positions(edit.path).range(edit.span), edit.text)

    def workspace_edit(self, edits: Iterable[TextEdit]) -> types.WorkspaceEdit:
        """Return edits by file."""
        changes: dict[str, list[types.TextEdit]] = defaultdict(list)
        for edit in edits:
            changes[uri_of(edit.path)].append(self.edit(edit))
        return types.WorkspaceEdit(changes=dict(changes))

    def diagnostic(self, problem: Problem) -> types.Diagnostic:
        """Return a diagnostic with its help, its related places, and a link to its page."""
        one = problem.diagnostic
        message = f"{one.message}\nhelp: {one.help}" if one.help else one.message
        related = [
            types.DiagnosticRelatedInformation(
                self.location(Location(self._session.path_of(place), span_at(place))), label
            )
            for place, label in one.related
        ]
        link = check_address(one.code, problem.check)
        return types.Diagnostic(
            self.positions(problem.path).range(span_at(one.place)),
            message,
            severity=_SEVERITIES[one.severity],
            code=one.code,
            code_description=types.CodeDescription(link) if link else None,
            source="cardgen",
            tags=[types.DiagnosticTag.Unnecessary] if problem.check in _UNNECESSARY else None,
            related_information=related or None,
        )

    def symbol(self, path: Path, symbol: Symbol) -> types.DocumentSymbol:
        """Return a symbol of the protocol with its children."""
        positions = self.positions(path)
        kind = types.SymbolKind.Class if symbol.is_card else types.SymbolKind.Property
        children = [self.symbol(path, child) for child in symbol.children]
        return types.DocumentSymbol(
            symbol.name,
            kind,
            positions.range(symbol.span),
            positions.range(symbol.name_span),
            detail=symbol.detail or None,
            children=children or None,
        )


def completion_items(
    found: Sequence[Completion], positions: PositionMap, line: int, column: int
) -> list[types.CompletionItem]:
    """Return completions at a line and column, in their order."""
    spans = (Span(line, max(column - each.replaced, 1), line, column) for each in found)
    return [
        _completion_item(each, positions.range(span), n)
        for n, (each, span) in enumerate(zip(found, spans, strict=True))
    ]


def _completion_item(found: Completion, replaced: types.Range, number: int) -> types.CompletionItem:
    return types.CompletionItem(
        found.label,
        kind=_KINDS[found.kind],
        detail=found.detail or None,
        documentation=found.help or None,
        sort_text=f"{'0' if found.is_first else '1'}{number:05}",
        filter_text=found.label,
        text_edit=types.TextEdit(replaced, found.text),
    )


_LINE_END = re.compile(r"\r\n|\r|\n")
_BYTE_ORDER_MARK = "\ufeff"
# Characters that take more than one unit, by the encoding of positions.
_LONG = {"utf-16": re.compile("[\U00010000-\U0010ffff]"), "utf-8": re.compile(r"[^\x00-\x7f]")}


class PositionMap:
    """The lines of a text, in an encoding of positions: 'utf-16', 'utf-8', or 'utf-32'.

    A file can be one line with thousands of places, so the long characters of a line are looked for once.
    """

    def __init__(self, text: str, encoding: str) -> None:
        self._lines = _LINE_END.split(text)
        self._encoding = encoding
        self._columns: dict[int, list[int]] = {}

    def line_and_column(self, position: types.Position) -> tuple[int, int]:
        """Return the line and column of a position, counted from 1; beyond the end, those of the end."""
        if position.line >= len(self._lines):
            return len(self._lines), len(self._lines[-1]) + 1
        columns = range(len(self._lines[position.line]))
        column = bisect_left(columns, position.character, key=partial(self._units, position.line))
        return position.line + 1, self._without_mark(position.line, column) + 1

    def range(self, span: Span) -> types.Range:
        """Return the range of a span."""
        return types.Range(self._position(span.line, span.column), self._position(span.end_line, span.end_column))

    def whole(self) -> types.Range:
        """Return the range of the whole text."""
        last = len(self._lines) - 1
        return types.Range(types.Position(0, 0), types.Position(last, self._units(last, len(self._lines[last]))))

    def _position(self, line: int, column: int) -> types.Position:
        index = min(max(line, 1), len(self._lines)) - 1
        text = self._lines[index]
        if index == 0 and text.startswith(_BYTE_ORDER_MARK):
            column += 1
        return types.Position(index, self._units(index, min(column - 1, len(text))))

    def _without_mark(self, line: int, column: int) -> int:
        has_mark = line == 0 and self._lines[0].startswith(_BYTE_ORDER_MARK)
        return max(column - 1, 0) if has_mark else column

    def _units(self, line: int, column: int) -> int:
        """Return the units before a column of a line, both counted from 0."""
        if line not in self._columns:
            self._columns[line] = [*self._further_units(self._lines[line])]
        return column + bisect_left(self._columns[line], column)

    def _further_units(self, text: str) -> Iterator[int]:
        """Yield the column of each unit that a character takes beyond its first."""
        pattern = _LONG.get(self._encoding)
        for match in pattern.finditer(text) if pattern else ():
            size = len(match[0].encode("utf-8", "surrogatepass")) if self._encoding == "utf-8" else 2
            yield from repeat(match.start(), size - 1)

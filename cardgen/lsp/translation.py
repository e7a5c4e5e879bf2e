"""Answers of the editor as types of the protocol."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import cache
from importlib.metadata import PackageNotFoundError, metadata
from pathlib import Path
from urllib.parse import quote

from lsprotocol import types

from cardgen.diagnostic import Severity, Span
from cardgen.editor.completion import Completion, CompletionKind
from cardgen.editor.problems import Problem
from cardgen.editor.session import Session
from cardgen.editor.symbols import Symbol
from cardgen.editor.text import Location, TextEdit, span_at
from cardgen.lsp.positions import PositionMap

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
_UNNECESSARY = frozenset({"unused-ignore", "ignored-key", "unread-field", "unused-art", "dropped-motto"})


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
        link = check_page(one.code, problem.check)
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


def check_page(code: str, name: str) -> str:
    """Return the address of a check's page, or '' if the installation does not say where the documentation is."""
    base = _documentation()
    return f"{base}/checks.md#{quote(f'{code.lower()}-{name}')}" if base else ""


@cache
def _documentation() -> str:
    try:
        urls = metadata("cardgen").get_all("Project-URL") or ()
    except PackageNotFoundError:
        return ""
    address = next((url.partition(", ")[2] for url in urls if url.startswith("Documentation,")), "")
    return address.replace("/tree/", "/blob/").rstrip("/")

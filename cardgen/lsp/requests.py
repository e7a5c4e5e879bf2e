"""Requests of the client: each asks the editor module, and translates its answer."""

from __future__ import annotations

import logging
import os
from base64 import b64encode
from pathlib import Path
from typing import Any, NamedTuple

from lsprotocol import types

from cardgen.diagnostic import CardgenError
from cardgen.editor import actions, completion, hover, references
from cardgen.editor.session import Session
from cardgen.editor.subject import Cursor, cursor_at
from cardgen.editor.template_help import completions_in, is_template, template_hover
from cardgen.editor.text import format_text, offset_at
from cardgen.lsp.publisher import OpenProject, Translator, completion_items
from cardgen.lsp.server import CardServer, guarded, request_error
from cardgen.runtime.processes import rarer_gc
from cardgen.runtime.request_process import ProcessError

_PICTURE_DPI = 100
# Seconds for an answer of the other process.
_PICTURE_SECONDS, _ODDS_SECONDS = 20.0, 5.0
# A larger picture is left out; editors keep hovers in memory.
_MOST_PICTURE_BYTES = 2**20
_TRIGGERS = (" ", "{", "-", ":", "[", ",", '"', "'")


class _At(NamedTuple):
    """A position in a file of a project."""

    project: OpenProject
    path: Path
    line: int
    column: int
    translator: Translator

    @property
    def session(self) -> Session:
        """The session of the project."""
        return self.project.session

    def cursor(self) -> Cursor | None:
        """Return what is at the position."""
        return cursor_at(self.session.document(self.path), self.line, self.column)

    def required_cursor(self) -> Cursor:
        """Return what is at the position. Raises an error of the protocol if that is nothing."""
        cursor = self.cursor()
        if cursor is None:
            raise request_error("no value at this position, or the file has a syntax error")
        return cursor


def register_requests(cards: CardServer) -> None:
    """Add the requests to the server."""
    requests = _Requests(cards)
    feature = cards.server.feature
    feature(types.TEXT_DOCUMENT_COMPLETION, types.CompletionOptions(trigger_characters=list(_TRIGGERS)))(
        guarded(requests.complete)
    )
    feature(types.TEXT_DOCUMENT_HOVER)(guarded(requests.explain))
    feature(types.TEXT_DOCUMENT_DEFINITION)(guarded(requests.define))
    feature(types.TEXT_DOCUMENT_REFERENCES)(guarded(requests.refer))
    feature(types.TEXT_DOCUMENT_PREPARE_RENAME)(guarded(requests.prepare_rename))
    feature(types.TEXT_DOCUMENT_RENAME, types.RenameOptions(prepare_provider=True))(guarded(requests.rename_card))
    feature(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL)(guarded(requests.list_symbols))
    feature(types.WORKSPACE_SYMBOL)(guarded(requests.find_symbols))
    feature(types.TEXT_DOCUMENT_FORMATTING)(guarded(requests.format))
    kinds = [types.CodeActionKind.QuickFix, types.CodeActionKind.SourceFixAll]
    feature(types.TEXT_DOCUMENT_CODE_ACTION, types.CodeActionOptions(code_action_kinds=kinds))(guarded(requests.act))


class _Requests:
    def __init__(self, cards: CardServer) -> None:
        self._cards = cards

    def _translator(self, project: OpenProject) -> Translator:
        return Translator(project.session, self._cards.encoding)

    def _at(self, params: Any) -> _At:
        project, path = self._cards.file(params.text_document.uri)
        translator = self._translator(project)
        line, column = translator.positions(path).line_and_column(params.position)
        return _At(project, path, line, column, translator)

    async def complete(self, params: types.CompletionParams) -> types.CompletionList:
        """Answer textDocument/completion."""
        at = self._at(params)
        text = at.session.source(at.path)
        offset = offset_at(text, at.line, at.column)
        complete = completions_in(at.path)
        found = at.session.ask(lambda loaded: list(complete(loaded, at.path, text, offset)))
        items = completion_items(found, at.translator.positions(at.path), at.line, at.column)
        return types.CompletionList(len(items) >= completion.MOST_COMPLETIONS, items)

    async def explain(self, params: types.HoverParams) -> types.Hover | None:
        """Answer textDocument/hover."""
        at = self._at(params)
        found = self._help(at)
        if found is None:
            return None
        picture = await self._picture(at.project, found) if self._cards.shows_pictures else ""
        odds = await self._odds(at.project, found)
        content = types.MarkupContent(types.MarkupKind.Markdown, f"{picture}{found.markdown}{odds}")
        return types.Hover(content, at.translator.positions(at.path).range(found.span))

    @staticmethod
    def _help(at: _At) -> hover.Hover | None:
        if is_template(at.path):
            text = at.session.source(at.path)
            offset = offset_at(text, at.line, at.column)
            return at.session.ask(lambda loaded: template_hover(loaded, at.path, text, offset))
        cursor = at.cursor()
        return at.session.ask(lambda loaded: hover.hover(at.session, loaded, at.path, cursor)) if cursor else None

    async def _picture(self, project: OpenProject, found: hover.Hover) -> str:
        """Return the card of a hover as a picture in Markdown, or '' if it cannot be drawn."""
        if found.card is None:
            return ""
        card = found.card
        place = (project.state, card.game, card.card.id, _PICTURE_DPI)
        try:
            png: bytes = await self._cards.service.call("picture", *place, seconds=_PICTURE_SECONDS)
        except (CardgenError, ProcessError):
            return ""
        if len(png) > _MOST_PICTURE_BYTES:
            return ""
        return f"![{card.card.id}](data:image/png;base64,{b64encode(png).decode()})\n\n"

    async def _odds(self, project: OpenProject, found: hover.Hover) -> str:
        """Return the odds of the card of a hover as Markdown, or '' if it has none."""
        if found.card is None:
            return ""
        card = found.card
        place = (project.state, card.game, card.kind, card.card.id)
        try:
            lines = await self._cards.service.call("odds", *place, seconds=_ODDS_SECONDS)
        except (CardgenError, ProcessError):
            return ""
        return "".join(f"\n\n{hover.escape(line)}" for line in lines)

    async def define(self, params: types.DefinitionParams) -> list[types.Location]:
        """Answer textDocument/definition."""
        at = self._at(params)
        cursor = at.cursor()
        if cursor is None:
            return []
        found = at.session.ask(lambda loaded: references.definitions(at.session, loaded, at.path, cursor))
        return list(map(at.translator.location, found))

    async def refer(self, params: types.ReferenceParams) -> list[types.Location]:
        """Answer textDocument/references."""
        at = self._at(params)
        cursor, own = at.cursor(), params.context.include_declaration
        if cursor is None:
            return []
        found = at.session.ask(lambda loaded: references.references(at.session, loaded, at.path, cursor, own=own))
        return list(map(at.translator.location, found))

    async def prepare_rename(self, params: types.PrepareRenameParams) -> types.PrepareRenamePlaceholder:
        """Answer textDocument/prepareRename."""
        at = self._at(params)
        cursor = at.required_cursor()
        card = at.session.ask(
            lambda loaded: references.rename_target(at.session, loaded, at.path, cursor), strict=True
        ).card
        name = card.id if cursor.path[-1:] == ("id",) else card.name
        return types.PrepareRenamePlaceholder(at.translator.positions(at.path).range(cursor.span), name)

    async def rename_card(self, params: types.RenameParams) -> types.WorkspaceEdit:
        """Answer textDocument/rename."""
        at = self._at(params)
        cursor = at.required_cursor()
        edits = at.session.ask(
            lambda loaded: references.rename_edits(at.session, loaded, at.path, cursor, params.new_name), strict=True
        )
        return at.translator.workspace_edit(edits)

    async def list_symbols(self, params: types.DocumentSymbolParams) -> list[types.DocumentSymbol]:
        """Answer textDocument/documentSymbol."""
        project, path = self._cards.file(params.text_document.uri)
        translator = self._translator(project)
        return [translator.symbol(path, each) for each in references.document_symbols(project.session.document(path))]

    async def find_symbols(self, params: types.WorkspaceSymbolParams) -> list[types.WorkspaceSymbol]:
        """Answer workspace/symbol."""
        return [each for project in self._cards.projects for each in self._project_symbols(project, params.query)]

    def _project_symbols(self, project: OpenProject, query: str) -> list[types.WorkspaceSymbol]:
        translator = self._translator(project)
        found = project.session.ask(lambda loaded: references.project_symbols(project.session, loaded, query))
        kind = types.SymbolKind.Class
        return [
            types.WorkspaceSymbol(translator.location(one.location), one.name, kind, container_name=one.kind)
            for one in found
        ]

    async def format(self, params: types.DocumentFormattingParams) -> list[types.TextEdit]:
        """Answer textDocument/formatting."""
        project, path = self._cards.file(params.text_document.uri)
        text = project.session.text(path)
        after = text if is_template(path) else format_text(text)
        return [] if after == text else [types.TextEdit(self._translator(project).positions(path).whole(), after)]

    async def act(self, params: types.CodeActionParams) -> list[types.CodeAction]:
        """Answer textDocument/codeAction."""
        project, path = self._cards.file(params.text_document.uri)
        translator = self._translator(project)
        problems = self._cards.publisher(project).problems_of(path)
        only = params.context.only or [types.CodeActionKind.QuickFix, types.CodeActionKind.SourceFixAll]
        found: list[types.CodeAction] = []
        if any(types.CodeActionKind.QuickFix.value.startswith(str(getattr(kind, "value", kind))) for kind in only):
            near = [each for each in problems if _touches(translator.diagnostic(each).range, params.range)]
            found += [_code_action(each, translator) for each in actions.code_actions(project.session, near)]
        edits = actions.fix_all(problems)
        if edits and any(
            types.CodeActionKind.SourceFixAll.value.startswith(str(getattr(kind, "value", kind))) for kind in only
        ):
            edit = translator.workspace_edit(edits)
            found.append(types.CodeAction("Apply all safe fixes", types.CodeActionKind.SourceFixAll, edit=edit))
        return found


def _touches(one: types.Range, other: types.Range) -> bool:
    def key(position: types.Position) -> tuple[int, int]:
        return position.line, position.character

    return key(one.start) <= key(other.end) and key(other.start) <= key(one.end)


def _code_action(action: actions.CodeAction, translator: Translator) -> types.CodeAction:
    return types.CodeAction(
        action.title,
        types.CodeActionKind.QuickFix,
        [translator.diagnostic(action.problem)],
        action.preferred,
        edit=translator.workspace_edit(action.edits),
    )


def serve() -> None:
    """Answer a client until it ends."""
    logging.basicConfig(format="cardgen lsp: %(message)s", level=logging.ERROR)
    logging.getLogger("pygls").setLevel(logging.CRITICAL)  # it logs tracebacks
    cards = CardServer()
    register_requests(cards)
    try:
        with rarer_gc():
            # Standard output is for the protocol alone; what anything else prints goes to standard error.
            output = os.fdopen(os.dup(1), "wb")
            os.dup2(2, 1)
            cards.server.start_io(stdout=output)
    finally:
        cards.service.close()

"""Completion and help in the text that is being written; the answers are those of the language server."""

from __future__ import annotations

from typing import NamedTuple

from cardgen.diagnostic import CardgenError
from cardgen.editor.completion import Completion, completions
from cardgen.editor.hover import hover
from cardgen.editor.session import LoadedProject, Session, odds_lines
from cardgen.editor.subject import cursor_at
from cardgen.editor.text import offset_at
from cardgen.source import parse_document
from cardgen.studio.engine.answers import card_key, entry_of


class HelpText(NamedTuple):
    """Help at a position as Markdown, for the characters from `start` to `end`.

    `card` is the key of the card to show with it, or ''.
    """

    markdown: str
    start: int
    end: int
    card: str = ""


class Assist:
    """The functions of the engine for the author's keys and pointer; the text comes with the request."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def complete(self, file: str, text: str, offset: int) -> list[Completion]:
        """Return the completions at an offset of a text."""
        path = self._session.root / file
        return self._session.ask(lambda loaded: completions(loaded, path, text, offset))

    def help(self, file: str, text: str, line: int, column: int) -> HelpText | None:
        """Return the help at a line and column of a text, or None."""
        document = parse_document(text, str(self._session.root / file))
        cursor = cursor_at(document, line, column)
        if cursor is None:
            return None
        path = self._session.root / file
        found = self._session.ask(lambda loaded: hover(self._session, loaded, path, cursor))
        if not found:
            return None
        span = found.span
        start = offset_at(document.line_index.text, span.line, span.column)
        end = offset_at(document.line_index.text, span.end_line, span.end_column)
        return HelpText(found.markdown, start, end, card_key(found.card) if found.card else "")

    def odds(self, key: str) -> list[str]:
        """Return the odds of a card by its key, one benchmark a line; none if they cannot be told."""
        try:
            return self._session.ask(lambda loaded: _odds(loaded, key))
        except CardgenError:
            return []


def _odds(loaded: LoadedProject, key: str) -> list[str]:
    entry = entry_of(loaded, key)
    return odds_lines(loaded, entry.game, entry.kind, entry.card.id) if entry else []

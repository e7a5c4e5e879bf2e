"""Sentences of texts: how the game reads them, and what the referee does with them."""

from __future__ import annotations

from pathlib import Path

from cardgen.editor.cursor import Cursor
from cardgen.editor.references import entry_at
from cardgen.editor.session import LoadedProject, Session
from cardgen.editor.subject import TEXT_KEY
from cardgen.editor.text import offset_at
from cardgen.grammar.reading import Level, SentenceReading
from cardgen.model.entry import Entry
from cardgen.pipeline.load.explanation import TextExplanation, explanations


class SentenceAt:
    """A sentence at a position, and the text that it belongs to."""

    def __init__(self, text: TextExplanation, sentence: SentenceReading) -> None:
        self._text, self._sentence = text, sentence

    def lines(self) -> list[str]:
        """Return how the sentence was read, one thought a line, as plain text."""
        sentence = self._sentence
        read_as = f"{sentence.level.value.capitalize()}: {sentence.canonical}" if sentence.canonical else ""
        lines = [read_as or sentence.level.value.capitalize(), sentence.reason]
        if sentence.level != Level.UNREAD:
            lines.append(f"Referee: {self._text.referee(sentence)}")
        unread = (clause for clause in sentence.clauses if not clause.is_read)
        lines += [f"Not read: '{each.text}'" + (f"; try '{each.nearest}'" if each.nearest else "") for each in unread]
        return [line for line in lines if line]


def sentence_at(session: Session, loaded: LoadedProject, path: Path, cursor: Cursor) -> SentenceAt | None:
    """Return the sentence of an author's text at a position, or None."""
    entry = entry_at(session, loaded, path, cursor.path)
    for text in explanations([entry]) if entry else ():
        if entry and text.is_own and entry.source_map.source_path((*text.route, TEXT_KEY)) == cursor.path:
            found = (each for each in text.sentences if _covers(entry, text.text, each, cursor))
            return next((SentenceAt(text, each) for each in found), None)
    return None


def _covers(entry: Entry, text: str, sentence: SentenceReading, cursor: Cursor) -> bool:
    place = entry.document.place_of_substring(cursor.path, text, sentence.start, sentence.end)
    if place is None or place.span is None:
        return False
    source, span = cursor.document.line_index.text, place.span
    start, end = offset_at(source, span.line, span.column), offset_at(source, span.end_line, span.end_column)
    return start <= cursor.offset <= end

"""Sentences as effects: texts of a card that were read, and sentences that the author adds to a part."""

from __future__ import annotations

from typing import Any

from cardgen.deck.deck import require_game
from cardgen.deck.explanation import TextExplanation, structure_fixes
from cardgen.deck.game_settings import load_reader
from cardgen.editor.form import edits
from cardgen.editor.form.card_form import FormCard, parts_of, reading_of, text_at
from cardgen.editor.form.schema import Reading
from cardgen.source import KeyPath


def accepted_text(card: FormCard, path: KeyPath) -> str | None:
    """Return the file with effects in place of the text at a key path, or None if they cannot say the same."""
    text = text_at(card.entry, path) if card.entry else None
    fix = next(iter(structure_fixes([text], with_loose=True)), None) if text else None
    if fix is None:
        return None
    source, (start, end) = card.document.line_index.text, fix.char_range
    return source[:start] + fix.replacement + source[end:]


def sentence_readings(card: FormCard, path: KeyPath, sentence: str) -> tuple[tuple[Reading, ...], Any]:
    """Return how a part of a card reads a sentence, and the keys that say the same, or None."""
    reader = load_reader(require_game(card.game))
    part = next((part for own, part in parts_of(card.entry) if own == path), None) if card.entry else None
    if reader is None or part is None or card.entry is None or not sentence.strip():
        return (), None
    sentences = reader.read(part, sentence)
    text = TextExplanation(card.entry, (), part, sentence, True, sentences, reader)
    readings = tuple(reading_of(each, text) for each in sentences)
    return readings, reader.values(part, sentences) if sentences else None


def added_sentence(card: FormCard, text: str, path: KeyPath, sentence: str) -> str:
    """Return the file with the effects of a sentence behind those of a part. Raises EditError if it is not read."""
    _, values = sentence_readings(card, path, sentence)
    if not values:
        raise edits.EditError("this sentence cannot be written as effects")
    for key, value in values.items():
        if not isinstance(value, list):
            text = edits.set_value(text, (*path, key), value)
            continue
        for item in value:
            text = edits.append_item(text, (*path, key), item)
    return text

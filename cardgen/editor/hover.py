"""Help at a position, as Markdown: keys, cards, terms, and what a card prints."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from cardgen.deck.deck import require_game, rules_of
from cardgen.deck.explanation import explanations
from cardgen.deck.translated import State
from cardgen.diagnostic import Span
from cardgen.editor.references import card_path, entry_at, named_cards, references_to
from cardgen.editor.session import LoadedProject, Session
from cardgen.editor.subject import TEXT_KEY, Cursor, KeyHelp, Subject, key_help, subject_at
from cardgen.editor.text import offset_at, plain_text
from cardgen.editor.translations import TranslationCursor, translation_at
from cardgen.grammar.reading import Level, SentenceReading
from cardgen.model.card import Entry
from cardgen.rulesets.ruleset import GlossaryTerm
from cardgen.runtime import escapes as markdown
from cardgen.source import KeyPath
from cardgen.units import quantity
from cardgen.validation.base import Model

_WORD_CHARACTERS = re.compile(r"[\w'’-]")
_MARKDOWN = re.compile(r"([\\`*_\[\]<>#|~&])")
# What makes links of pages and addresses without any marks.
_LINK = re.compile(r"@|:(?=//)|\bwww(?=\.)", re.IGNORECASE)
_MOST_CHOICES = 40


class Hover(NamedTuple):
    """Help as Markdown; `card` is the card to show as a picture, or None."""

    markdown: str
    span: Span
    card: Entry | None = None


def hover(session: Session, loaded: LoadedProject, path: Path, cursor: Cursor) -> Hover | None:
    """Return the help at a position, or None."""
    if translated := translation_at(loaded, path, cursor.path):
        text = _translation_text(loaded, translated)
        return Hover(text, cursor.span, translated.card) if text else None
    subject = subject_at(loaded, path, cursor.document.data, cursor.path)
    if cursor.at_key:
        text = "\n\n---\n\n".join(_key_texts(loaded, subject))
        return Hover(text, cursor.span) if text else None
    cards = named_cards(session, loaded, path, cursor)
    if cards:
        parts = [_card_text(loaded, card) for card in cards]
        return Hover("\n\n---\n\n".join(parts), cursor.span, cards[0] if len(cards) == 1 else None)
    # The definition of the term, and the reading of the sentence, at a position in a text.
    texts: list[str] = []
    term = _term_at(loaded, subject, cursor)
    if term:
        texts.append(f"**{escape(term.name)}**: {escape(term.definition)}")
    texts += (escape(plain_text(line)) for line in _sentence_lines(session, loaded, path, cursor))
    text = "\n\n".join(texts or (*_made_texts(loaded, session, path, cursor), *_key_texts(loaded, subject)))
    return Hover(text, cursor.span) if text else None


def escape(text: str) -> str:
    """Return a text with escapes for the marks of Markdown, so that it links and embeds nothing."""
    return _LINK.sub(rf"\g<0>{markdown.INVISIBLE}", _MARKDOWN.sub(r"\\\1", text))


def _key_texts(loaded: LoadedProject, subject: Subject) -> Iterator[str]:
    texts = (_key_text(info) for model in subject.owners() if (info := key_help(loaded, model, subject.key)))
    yield from dict.fromkeys(texts)


def _key_text(info: KeyHelp) -> str:
    lines = [f"**{escape(info.name)}**" + (" (required)" if info.required else "")]
    if info.description:
        lines.append(escape(info.description))
    if info.values and not info.choices and info.values not in info.description:
        lines.append(f"Value: {escape(info.values)}")
    if info.choices and len(info.choices) <= _MOST_CHOICES:
        lines.append("One of " + ", ".join(map(markdown.code_span, info.choices)))
    if info.synonyms:
        lines.append("Also written " + ", ".join(map(markdown.code_span, info.synonyms)))
    return "\n\n".join(lines)


def _card_text(loaded: LoadedProject, card: Entry) -> str:
    rules = rules_of(card)
    count = len(list(references_to(loaded, card)))
    uses = quantity(count, "reference")
    lines = [f"**{escape(card.card.name)}** · {card.kind} · `{card.card.id}` · {uses}"]
    if card.card.motto:
        lines.append(f"*{escape(card.card.motto)}*")
    limit, text = rules.once_label(card.card), rules.describe(card.card) or card.card.text or ""
    lines += [escape(plain_text(each)) for each in (limit, text) if each]
    return "\n\n".join(lines)


def _translation_text(loaded: LoadedProject, found: TranslationCursor) -> str:
    """Return the source of a translation and its state; where there is no text, return the card."""
    text = found.text
    if text is None:
        return _card_text(loaded, found.card) if found.card else ""
    title = f"**{escape(text.entry.card.name)}** · {escape(text.field)} · {text.state}"
    lines = [title, f"Source: {escape(text.source)}"]
    if text.state is State.STALE and text.translation:
        lines.append(f"Translated from: {escape(text.translation.source or '')}")
    return "\n\n".join(lines)


def _made_texts(loaded: LoadedProject, session: Session, path: Path, cursor: Cursor) -> Iterator[str]:
    """Yield the text made from the part of a card around a position."""
    for entry in loaded.deck.cards:
        own = card_path(entry)
        if cursor.path[: len(own)] == own and session.path_of(entry.place()) == path:
            describe = rules_of(entry).describe
            parts = _models_around(entry.card, cursor.path[len(own) :])
            texts = (text for part in parts if (text := describe(part)))
            yield from (f"> {escape(plain_text(text))}" for text in list(texts)[:1])
            return


def _models_around(card: Model, path: KeyPath) -> list[Model]:
    """Return the models on the way to a value, the innermost first."""
    models: list[Model] = [card]
    value: object = card
    for step in path:
        if isinstance(value, Model) and isinstance(step, str):
            value = next((getattr(value, name) for name, field in type(value).model_fields.items()
                          if step in (name, field.alias)), None)  # fmt: skip
        elif isinstance(value, tuple | list) and isinstance(step, int) and step < len(value):
            value = value[step]
        else:
            break
        if isinstance(value, Model):
            models.append(value)
    return models[::-1]


def _term_at(loaded: LoadedProject, subject: Subject, cursor: Cursor) -> GlossaryTerm | None:
    """Return the term of the game at a position in a text."""
    if not subject.game:
        return None
    text, at = cursor.document.line_index.text, cursor.offset
    start = end = at
    while start and _WORD_CHARACTERS.match(text, start - 1):
        start -= 1
    while _WORD_CHARACTERS.match(text, end):
        end += 1
    terms = {form: term for term in require_game(subject.game, loaded.project.workspace).terms for form in term.forms}
    around = text[max(0, start - 40) : end + 40]
    inside = start - max(0, start - 40)
    for form, term in sorted(terms.items(), key=lambda pair: -len(pair[0])):
        for match in re.finditer(rf"(?<!\w){re.escape(form)}(?!\w)", around):
            if match.start() <= inside < match.end():
                return term
    return None


def _sentence_lines(session: Session, loaded: LoadedProject, path: Path, cursor: Cursor) -> Iterator[str]:
    """Yield how the sentence of an author's text at a position was read, one thought a line, as plain text."""
    entry = entry_at(session, loaded, path, cursor.path)
    for text in explanations([entry]) if entry else ():
        if entry and text.is_own and entry.source_map.source_path((*text.route, TEXT_KEY)) == cursor.path:
            for sentence in [each for each in text.sentences if _covers(entry, text.text, each, cursor)][:1]:
                yield ": ".join(filter(None, (sentence.level.value.capitalize(), sentence.canonical)))
                yield from filter(None, (sentence.reason,))
                if sentence.level != Level.UNREAD:
                    yield f"Referee: {text.referee(sentence)}"
                for each in (clause for clause in sentence.clauses if not clause.is_read):
                    yield f"Not read: '{each.text}'" + (f"; try '{each.nearest}'" if each.nearest else "")
            return


def _covers(entry: Entry, text: str, sentence: SentenceReading, cursor: Cursor) -> bool:
    place = entry.document.place_of_substring(cursor.path, text, sentence.start, sentence.end)
    if place is None or place.span is None:
        return False
    source, span = cursor.document.line_index.text, place.span
    start, end = offset_at(source, span.line, span.column), offset_at(source, span.end_line, span.end_column)
    return start <= cursor.offset <= end

"""The state of translations: translated, stale, or missing, text by text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

from cardgen.deck.deck import rules_of, source_texts
from cardgen.diagnostic import CardgenError, Code, Diagnostic, Place
from cardgen.model.card import Entry, Translation
from cardgen.model.translation import Translator
from cardgen.project.project import Project
from cardgen.units import quantity


class State(StrEnum):
    """State of a text in another language; one is stale if its source has changed since."""

    TRANSLATED = "translated"
    STALE = "stale"
    MISSING = "missing"


class TranslatedText(NamedTuple):
    """A text of a card in another language: the card, the pointer of the text, its source, and its translation."""

    entry: Entry
    field: str
    source: str
    translation: Translation | None

    @property
    def state(self) -> State:
        """The state; a translation whose source nobody has recorded counts as one of the present source."""
        if self.translation is None:
            return State.MISSING
        recorded = self.translation.source
        return State.TRANSLATED if recorded is None or same_text(recorded, self.source) else State.STALE

    @property
    def place(self) -> Place:
        """The place of the translation, or else of the source."""
        return self.translation.place() if self.translation else self.entry.place(tuple(self.field.split("/")))


def same_text(one: str, other: str) -> bool:
    """Return whether two texts are the same, but for spaces and marks of line breaks at the ends of their lines."""
    first, second = (
        [line.rstrip() for line in text.replace("\\\n", "\n").strip().splitlines()] for text in (one, other)
    )
    return first == second


def translated_texts(entries: Iterable[Entry]) -> Iterator[TranslatedText]:
    """Yield all texts of printed cards that were read in another language."""
    for entry in entries:
        if entry.source:
            yield from text_states(entry.source, entry.translations, entry.workspace.language)


def text_states(entry: Entry, found: Mapping[str, Translation], language: str) -> Iterator[TranslatedText]:
    """Yield the texts of a card with those of its translations that were found; drafts and lists have none.

    Texts that the game writes in the language are left out, unless they have translations of their own.
    """
    if not entry.card.draft and rules_of(entry).kinds[entry.kind].is_printed:
        needed = source_texts(entry, language)
        for field, source in source_texts(entry).items():
            if field in needed or field in found:
                yield TranslatedText(entry, field, source, found.get(field))


class LanguageTexts(NamedTuple):
    """The texts of some cards in a language; `problems` are mistakes in its translations, `loose` what fits no card."""

    language: str
    texts: Sequence[TranslatedText]
    problems: Sequence[Diagnostic]
    loose: Sequence[Diagnostic]


def texts_by_language(
    project: Project, cards: Sequence[Entry], files: Iterable[Path], languages: Iterable[str] = ()
) -> Iterator[LanguageTexts]:
    """Yield the texts of the cards in some files in languages of the project, by default all."""
    for language in languages or project.settings.languages:
        translator = Translator(project, language, files, is_exact=True)
        texts = [text for each in cards for text in text_states(each, translator.found(each), language)]
        for each in cards:
            translator.translate(each)
        yield LanguageTexts(language, texts, translator.problems, (*translator.loose_ends(cards),))


def language_notes(entries: Iterable[Entry], language: str, *, is_strict: bool) -> tuple[str, ...]:
    """Return notes on what is missing or stale in a translation of cards.

    Raises CardgenError with each such text instead if it `is_strict`.
    """
    gaps = [each for each in translated_texts(entries) if each.state is not State.TRANSLATED] if language else []
    if gaps and is_strict:
        raise CardgenError(*(gap_diagnostic(each, language) for each in gaps))
    return (f"{counts_of_gaps(gaps, language)}; run 'cardgen translate status {language}'",) if gaps else ()


def counts_of_gaps(gaps: Iterable[TranslatedText], language: str) -> str:
    """Return how many texts are missing and stale, in words."""
    counts = Counter(each.state for each in gaps)
    missing = f"{quantity(counts[State.MISSING], 'text')} not translated, so printed in the language of the cards"
    stale = f"{quantity(counts[State.STALE], 'translation')} older than the source"
    words = (*(missing,) * bool(counts[State.MISSING]), *(stale,) * bool(counts[State.STALE]))
    return f"{language}: {'; '.join(words)}"


def gap_diagnostic(gap: TranslatedText, language: str) -> Diagnostic:
    """Return the diagnostic of one text that is missing or stale."""
    what = "is not translated" if gap.state is State.MISSING else "has changed since its translation"
    message = f"'{gap.field}' of '{gap.entry.card.name}' {what} ({language})"
    return Diagnostic(Code.UNTRANSLATED, message, gap.place, "translate it, or build without --strict-language")

"""Translations of cards beside their texts: their states, and the files that change with them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from cardgen.deck.deck import card_files
from cardgen.deck.translated import State, texts_by_language
from cardgen.diagnostic import CardgenError, Code, Diagnostic, Place
from cardgen.editor.session import LoadedProject, Session
from cardgen.editor.translations import catalog_of
from cardgen.language import is_pseudo
from cardgen.studio.engine.answers import Gaps, TranslatedField, card_key, entry_of
from cardgen.studio.engine.card_changes import CardChange, ChangedFile, saved_text
from cardgen.translate.catalog import Unit
from cardgen.translate.exchange import translate


class Translations:
    """The part of the engine for translations. It computes texts, and writes nothing."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def fields(self, key: str, language: str) -> tuple[TranslatedField, ...]:
        """Return the texts of a card in a language of the project; none if it has no other one.

        Raises CardgenError for mistakes in its translations.
        """
        return self._session.ask(lambda loaded: tuple(map(_field, _units(loaded, key, language).values())))

    def change(self, key: str, language: str, field: str, text: str) -> CardChange:
        """Return the file of translations with another one of a text, or without one if it is empty.

        Raises CardgenError if it cannot be that of the text.
        """
        return self._session.ask(lambda loaded: self._change(loaded, key, language, field, text.strip()))

    def _change(self, loaded: LoadedProject, key: str, language: str, field: str, text: str) -> CardChange:
        entry = entry_of(loaded, key)
        catalog = catalog_of(loaded, entry, language) if entry else None
        units = catalog.units.items() if catalog else ()
        context = next((name for name, each in units if each.text.field == field), "")
        if catalog is None or not context:
            message = "the card has changed; try again"
            raise CardgenError(Diagnostic(Code.BAD_TRANSLATION, message, Place(field)))
        changed = [
            ChangedFile(path.relative_to(self._session.root).as_posix(), saved_text(path)[0], content.decode())
            for path, content in translate(catalog, context, text).items()
        ]
        return CardChange(tuple(changed), key)

    def gaps(self) -> Mapping[str, Gaps]:
        """Return what is stale or missing of each card by its key."""
        return self._session.ask(_gaps)


def _units(loaded: LoadedProject, key: str, language: str) -> Mapping[str, Unit]:
    entry = entry_of(loaded, key)
    if entry is None or not language or is_pseudo(language):
        return {}
    return catalog_of(loaded, entry, language).units


def _field(unit: Unit) -> TranslatedField:
    text, found = unit.text, unit.text.translation
    before = found.source if found and text.state is State.STALE else None
    return TranslatedField(text.field, text.source, found.text if found else "", text.state.value, before or "")


def _gaps(loaded: LoadedProject) -> Mapping[str, Gaps]:
    found: dict[str, dict[str, tuple[int, int]]] = {}
    for of in texts_by_language(loaded.project, loaded.deck.cards, card_files(loaded.project)):
        counts = Counter((card_key(each.entry), each.state) for each in of.texts)
        for key in dict.fromkeys(key for key, state in counts if state is not State.TRANSLATED):
            found.setdefault(key, {})[of.language] = (counts[key, State.STALE], counts[key, State.MISSING])
    return found

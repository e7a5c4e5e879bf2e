"""Cards in another language, and what a position in a file of translations is about."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from cardgen.deck.deck import card_files, translator_of
from cardgen.deck.translated import TranslatedText, texts_by_language
from cardgen.diagnostic import Place
from cardgen.editor.session import LoadedProject, Session
from cardgen.model.card import Entry
from cardgen.model.translation import SOURCE, read_translations
from cardgen.project.files import translation_files, translation_tag
from cardgen.project.project import Project
from cardgen.source import KeyPath
from cardgen.translate.catalog import Catalog, catalogs_of

# The key of a file of translations.
TRANSLATIONS = "translations"


class TranslationCursor(NamedTuple):
    """What a key path in a file of translations is about.

    `texts` are those of the `card`, which is None if the path leads to no card of the file. `field` is the pointer of a
    text, or ''; the path may be that of its source.
    """

    cards: tuple[Entry, ...]
    card: Entry | None
    texts: tuple[TranslatedText, ...]
    field: str
    is_source: bool

    @property
    def text(self) -> TranslatedText | None:
        """The text at the path."""
        return next((each for each in self.texts if each.field == self.field), None)

    def place(self) -> Place | None:
        """Return the place of the text, or of the name of the card, in the card's own file."""
        if self.card is None:
            return None
        return self.card.place(tuple(self.field.split("/")) if self.text else ("name",))


def translation_at(loaded: LoadedProject, path: Path, key_path: KeyPath) -> TranslationCursor | None:
    """Return what a key path of a file is about; None for files of other things."""
    project = loaded.project
    language = translation_tag(path.name, project.settings.languages)
    if not language or key_path[:1] != (TRANSLATIONS,):
        return None
    files = [each for each in card_files(project) if _companion(each) == _companion(path, ends_in_language=True)]
    names = {*map(project.display_path, files)}
    cards = tuple(each for each in loaded.deck.cards if each.document.file in names)
    _, id_, *rest = *key_path, "", ""
    card = next((each for each in cards if each.card.id == id_), None)
    is_source = rest[0] == SOURCE
    of_card = [] if card is None else [*texts_by_language(project, [card], files, [language])]
    return TranslationCursor(
        cards, card, tuple(text for each in of_card for text in each.texts), str(rest[is_source]), is_source
    )


def _companion(path: Path, *, ends_in_language: bool = False) -> tuple[Path, str]:
    """Return what a card file and its translations have in common."""
    return path.parent, path.stem.rpartition(".")[0] if ends_in_language else path.stem


def catalog_of(loaded: LoadedProject, entry: Entry, language: str) -> Catalog:
    """Return the texts of a card in a language.

    Raises CardgenError for mistakes in its translations, and if the language is not one of the project.
    """
    project = _project_in(loaded, language)
    files = [each for each in card_files(project) if project.display_path(each) == entry.document.file]
    return catalogs_of(project, [entry], files, [language])[0]


def in_language(loaded: LoadedProject, entry: Entry, language: str) -> tuple[Project, Entry]:
    """Return a card in a language, '' for its own, and the project that prints it so.

    Raises CardgenError if that is not one of the project.
    """
    if not language:
        return loaded.project, entry
    project = _project_in(loaded, language)
    return project, translator_of(project, card_files(project)).translate(entry)


def _project_in(loaded: LoadedProject, language: str) -> Project:
    project = replace(loaded.project, workspace=replace(loaded.project.workspace, language=language))
    project.require_language()
    return project


def id_places(session: Session, loaded: LoadedProject, card: Entry) -> Iterator[Place]:
    """Yield the places of a card's id in files of translations."""
    path = session.path_of(Place(card.document.file))
    for named in translation_files(path.parent, loaded.project.settings.languages).values():
        for file in named.get(path.stem, ()):
            if found := read_translations(loaded.project, file).cards.get(card.card.id):
                yield found.place()

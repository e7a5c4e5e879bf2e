"""Translations of cards: read beside their source, by id and field, and put in its place.

The file 'cards.de.yaml' translates the cards of 'cards.yaml' and 'cards.xlsx' into German; tables can also have columns
such as 'name.de'. Fields are named by their pointers ('abilities/0/text').
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from annotated_types import MaxLen
from pydantic.fields import FieldInfo

from cardgen.diagnostic import CardgenError, Code, Diagnostic, Place, did_you_mean
from cardgen.language import is_pseudo, pseudo_translation, tag_and_fallbacks
from cardgen.model.card import Entry, Identifier, Translation
from cardgen.model.card_values import pointer_steps, texts_of
from cardgen.model.deck import Deck, Links, with_links
from cardgen.project.files import display_path, require_inside, translation_files
from cardgen.project.project import Project
from cardgen.source import Document, read_document
from cardgen.validation.base import Model, SourceMap, Text, annotation_parts
from cardgen.validation.validate import validate

if TYPE_CHECKING:
    from cardgen.tables.table import TableDocument

# Translations of unknown cards in a file that are told one by one, and those that are named if there are more.
_MOST_LOOSE, _MOST_NAMED = 20, 3
# The key with the sources that the translations of a card were made from.
SOURCE = "source"


class TranslationModel(Model):
    """A file of translations: texts of cards by id and pointer, and under `source` what they were made from."""

    translations: Mapping[Identifier, Mapping[str, Text | Mapping[str, str]]]


class TranslatedCard(NamedTuple):
    """The translations of a card in one file, by pointer, and the place of its id."""

    texts: Mapping[str, Translation]
    place: Callable[[], Place]


class TranslationFile(NamedTuple):
    """A file of translations by the ids of cards, and what is wrong in it."""

    cards: Mapping[str, TranslatedCard]
    problems: tuple[Diagnostic, ...]


def read_translations(project: Project, path: Path) -> TranslationFile:
    """Read a file of translations. Never raises for problems of the file, or of its link: they are in the result."""
    try:
        require_inside(project.root if path.is_relative_to(project.root) else path.parent, path, display_path(path))
    except CardgenError as error:
        return TranslationFile({}, error.diagnostics)
    return project.workspace.recall(path, "translations", partial(_read, project, path))


def _read(project: Project, path: Path) -> TranslationFile:
    document = read_document(path, project.display_path(path), project.workspace.unsaved)
    data = {"translations": {}} if document.data is None else document.data
    model, problems = validate(TranslationModel, data, SourceMap(document, (TranslationModel,)))
    cards = model.translations if model else {}
    return TranslationFile(
        {id_: _card_of(document, id_, texts) for id_, texts in cards.items()}, (*document.diagnostics, *problems)
    )


def _card_of(document: Document, id_: str, texts: Mapping[str, str | Mapping[str, str]]) -> TranslatedCard:
    where = ("translations", id_)
    recorded = texts.get(SOURCE)
    sources = recorded if isinstance(recorded, Mapping) else {}
    found = {
        field: Translation(text, sources.get(field), partial(document.place, (*where, field)))
        for field, text in texts.items()
        if isinstance(text, str)
    }
    # Sources alone are those of columns of a table.
    only = {
        field: Translation("", text, partial(document.place, (*where, SOURCE, field)))
        for field, text in sources.items()
    }
    return TranslatedCard({**only, **found}, partial(document.place, where, key=True))


def translated_deck(deck: Deck, translator: Translator) -> Deck:
    """Return a deck in the language of a translator."""
    cards = tuple(map(translator.translate, deck.cards))
    index = {key: tuple(map(translator.translate, found)) for key, found in deck.index.items()}
    problems = sorted({*deck.diagnostics, *translator.problems}, key=Diagnostic.sort_key)
    return replace(deck, cards=cards, index=index, diagnostics=tuple(problems))


class Translator:
    """Puts the translations into one language in the place of the texts of cards.

    `files` are the card files that are translated, and `texts` returns the texts of a card by pointer; their
    translations that fit no card are in `problems`. A card is in the language if its game `speaks` it, having words in
    the language, even without translations. If it `is_exact`, German stands in for nothing that has no Austrian
    translation.
    """

    def __init__(
        self,
        project: Project,
        language: str,
        files: Iterable[Path],
        texts: Callable[[Entry], Mapping[str, str]] = lambda entry: texts_of(entry.card),
        speaks: Callable[[Entry], bool] = lambda entry: False,
        *,
        is_exact: bool = False,
    ) -> None:
        self._project, self.language, self._texts, self._speaks = project, language, texts, speaks
        tags = (language,) if is_exact else tag_and_fallbacks(language)
        self._tags = [tag for tag in tags if tag in project.settings.languages]
        self._files: dict[str, list[TranslationFile]] = {}
        self._done: dict[int, tuple[Entry, Entry]] = {}
        self._read: dict[Path, TranslationFile] = {}
        self.problems: list[Diagnostic] = []
        folders: dict[Path, dict[str, dict[str, list[Path]]]] = {}
        for file in files:
            if file.parent not in folders:
                folders[file.parent] = translation_files(file.parent, self._tags)
            paths = (folders[file.parent].get(tag, {}).get(file.stem, ()) for tag in self._tags)
            self._files[project.display_path(file)] = [self._file(path) for path, *_ in filter(None, paths)]
        self._folders = folders

    def _file(self, path: Path) -> TranslationFile:
        if path not in self._read:
            self._read[path] = read_translations(self._project, path)
            self.problems += self._read[path].problems
        return self._read[path]

    @property
    def paths(self) -> tuple[Path, ...]:
        """The files of translations that were read."""
        return tuple(self._read)

    def found(self, entry: Entry) -> dict[str, Translation]:
        """Return the translations of a card by pointer; the nearest language counts."""
        found: dict[str, Translation] = {}
        # The translations in the columns of a table.
        columns: dict[str, Translation] = {}
        document = entry.document
        if type(document) is not Document and entry.source_map.key_paths[0][:1] == ("cards",):
            index = entry.source_map.key_paths[0][1]
            in_columns = cast("TableDocument", document).translations(cast("int", index))
            for tag in reversed(self._tags):
                for field, (text, place) in in_columns.get(tag, {}).items():
                    columns[field] = Translation(text, None, place)
        for file in self._files.get(entry.document.file, ()):
            card = file.cards.get(entry.card.id)
            for field, translation in (card.texts if card else {}).items():
                if translation.text:
                    found.setdefault(field, translation)
                elif field in columns:
                    columns[field] = columns[field]._replace(source=translation.source)
        return {**columns, **found}

    def _pseudo(self, entry: Entry) -> dict[str, Translation]:
        """Return the texts of a card in a language that nobody speaks."""
        return {
            field: Translation(
                pseudo_translation(text, self.language), text, partial(entry.place, (*field.split("/"),))
            )
            for field, text in self._texts(entry).items()
        }

    def translate(self, entry: Entry) -> Entry:
        """Return a card in the language, with its references; texts without a translation stay as they are."""
        known = self._done.get(id(entry))
        if known is None:
            found = {} if entry.source else self._pseudo(entry) if is_pseudo(self.language) else self.found(entry)
            card: Any = entry.card
            for field, translation in found.items():
                if fault := check_text(entry, field, translation.text):
                    self.problems.append(Diagnostic(Code.INVALID, fault, translation.place()))
                else:
                    card = _with_text(card, [*pointer_steps(field)], translation.text)
            if card.language is None and not entry.source and (found or self._speaks(entry)):
                card = card.model_copy(update={"language": self.language})
            elif not entry.source and card.language is None and self._project.settings.language:
                card = card.model_copy(update={"language": self._project.settings.language})
            new = entry if entry.source else replace(entry, card=card, source=entry, translations=found)
            if new.links and not entry.source:
                new = with_links(new, Links(new.links, self.translate))
            self._done[id(entry)] = known = (entry, new)  # The entry is kept, so that no other gets its identity.
        return known[1]

    def loose_ends(self, cards: Iterable[Entry]) -> Iterator[Diagnostic]:
        """Yield a diagnostic for each translated card that is not one of these, and each file without card files."""
        cards = [*cards]
        known = frozenset(each.card.id for each in cards)
        now = {former: each.card.id for each in cards for former in each.card.formerly}
        for file in self._read.values():
            unknown = [(id_, card) for id_, card in file.cards.items() if id_ not in known]
            if len(unknown) > _MOST_LOOSE:
                shown = ", ".join(f"'{id_}'" for id_, _ in unknown[:_MOST_NAMED])
                message = f"no card has {len(unknown):,} of the ids in this file: {shown}, …"
                advice = "correct the ids, remove these cards, or rename the file if it belongs to other cards"
                yield Diagnostic(Code.UNKNOWN_CARD, message, unknown[0][1].place(), advice)
                continue
            for id_, card in unknown:
                message = f"no card has the id '{id_}'{did_you_mean(id_, {*known, *now}, now)}"
                yield Diagnostic(Code.UNKNOWN_CARD, message, card.place(), "correct the id, or remove the card")
        same = [paths for folder in self._folders.values() for paths in folder.get(self.language, {}).values()]
        for first, *others in same:
            for path in others:
                message = f"the translations of these cards are read from '{self._project.display_path(first)}'"
                place = Place(self._project.display_path(path))
                yield Diagnostic(Code.NOT_A_CARD_FILE, message, place, "move what it has there, and delete it")
        for path, *_ in same:
            if path not in self._read:
                message = f"no card file '{path.stem.rpartition('.')[0]}' is beside this file of its translations"
                place = Place(self._project.display_path(path))
                yield Diagnostic(Code.NOT_A_CARD_FILE, message, place, "rename or delete it")


def check_text(entry: Entry, field: str, text: str) -> str:
    """Return why a text cannot be that of a card at a pointer, or ''."""
    try:
        _with_text(entry.card, [*pointer_steps(field)], text)
    except LookupError:
        return f"card '{entry.card.id}' has no text '{field}'{did_you_mean(field, texts_of(entry.card))}"
    except ValueError as error:
        return str(error)
    return ""


def _with_text(value: Any, steps: list[str], text: str) -> Any:
    """Return a value with a text in the place of that at some steps of a pointer.

    Raises LookupError if there is no text, and ValueError with a message for the user if it would be too long.
    """
    name, below = steps[0], steps[1:]
    if isinstance(value, Model):
        for attribute, info in type(value).model_fields.items():
            if (info.alias or attribute) == name:
                part = getattr(value, attribute)
                if not below:
                    _require_text(value, info, name, text)
                return value.model_copy(update={attribute: _with_text(part, below, text) if below else text})
    elif isinstance(value, tuple) and name.isdecimal() and len(name) < 7 and int(name) < len(value):
        number = int(name)
        new = _with_text(value[number], below, text) if below else _same_sort(value[number], text)
        return (*value[:number], new, *value[number + 1 :])
    elif isinstance(value, Mapping) and name in value:
        return {**value, name: _with_text(value[name], below, text) if below else _same_sort(value[name], text)}
    raise LookupError(name)


def _same_sort(old: object, new: str) -> str:
    if isinstance(old, str):
        return new
    raise LookupError(new)


def _require_text(model: Model, info: FieldInfo, name: str, text: str) -> None:
    """Raise what `_with_text` raises if a field is not text, or cannot have this one; 'text' may be one of the game."""
    if name != "text" and name not in texts_of(model):
        raise LookupError(name)
    parts = (*info.metadata, *annotation_parts(info.annotation))
    nested = [each for part in parts for each in (part.metadata if isinstance(part, FieldInfo) else (part,))]
    most = min([each.max_length for each in nested if isinstance(each, MaxLen)], default=len(text))
    if len(text) > most:
        raise ValueError(f"the text has {len(text)} characters, and '{name}' can have {most}")

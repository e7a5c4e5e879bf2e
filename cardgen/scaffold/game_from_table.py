"""Games for the cards of a spreadsheet: `cardgen new game NAME --from cards.xlsx`.

Kinds, fields, and their types are guessed from the sheets. Comments in what is written say on what a guess rests, so
that authors can correct it.
"""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import chain, combinations, compress, count, islice, product
from math import ceil
from pathlib import Path, PurePosixPath
from statistics import median
from typing import Any, NamedTuple, TypeAlias

from pydantic import TypeAdapter, ValidationError

from cardgen.deck.art import ART_FOLDER
from cardgen.diagnostic import CardgenError, Code, Diagnostic, Place, join_words, plain_words, slugify
from cardgen.export.pictures import inspect_image
from cardgen.game_file.spec import MAX_NAME, MAX_TITLE, MOST_KINDS, CardKey, KindName
from cardgen.language import as_flag, folded, parse_language
from cardgen.model.card import AUTO
from cardgen.project.files import resolve_inside
from cardgen.project.project import KEYS_WITH_MAPS, Project, TableSettings
from cardgen.runtime.fingerprint import PICTURE_SUFFIXES, SETTINGS_FILE, WORKBOOK_SUFFIXES
from cardgen.runtime.regular_file import glob_inside, is_file_inside
from cardgen.scaffold.cards import yaml_scalar
from cardgen.scaffold.pictures import NO_ICON
from cardgen.scaffold.template import KnownCards
from cardgen.source import KeyPath, parse_document
from cardgen.source.composer import describe_character, find_unprintable
from cardgen.tables.table import LostValue, Table, as_text, split_list
from cardgen.tables.table_file import read_sheets
from cardgen.text.lines import label_width
from cardgen.units import quantity

SUFFIXES = (".csv", ".tsv", *sorted(WORKBOOK_SUFFIXES))
# Headings of the keys that every card has, in English, German, French, Spanish, Italian, Portuguese, Dutch, Polish,
# Czech, and the Nordic languages. 'Nombre' is a number in French and a name in Spanish: the cells decide.
_HEADINGS: Mapping[str, str] = {
    "id": "id",
    "name": "name title card card_name titel karte kartenname bezeichnung nom titre carte nombre título carta nome "
    "titolo naam kaart nazwa tytuł karta jméno název navn namn kort nimi",
    "qty": "qty quantity count copies number number_of_copies anzahl anz menge stück stk exemplare nombre quantité "
    "exemplaires cantidad copias número quantità copie quantidade cópias aantal ilość liczba sztuk počet antal",
    "text": "text rules card_text rules_text rule_text effect effects ability abilities description regeltext regel "
    "regeln effekt wirkung fähigkeit beschreibung kartentext texte effet règle règles pouvoir capacité texto efecto "
    "regla regras habilidad descripción testo effetto regola abilità descrizione efeito descrição tekst regels efekt "
    "zasada zasady opis działanie opis_działania popis regler",
    "motto": "motto flavor flavour flavor_text flavour_text quote zitat spruch stimmungstext citation ambiance cita "
    "ambientación citazione citação cytat motyw",
    "credit": "credit artist illustrator künstler zeichner illustrateur illustratrice artiste artista ilustrador "
    "illustratore ilustrator autor_ilustracji tecknare",
    "art": "art image picture illustration artwork img file image_file bild grafik bilddatei imagen ilustración "
    "immagine illustrazione imagem ilustração afbeelding obraz obrazek grafika ilustracja obrázek billede",
}
# Headings by which languages are told apart.
_LANGUAGES: Mapping[str, str] = {
    "en": "quantity count copies text rules effect ability description flavor quote picture image",
    "de": "titel anzahl stück exemplare regeln effekt wirkung fähigkeit beschreibung spruch zitat bild kosten stärke",
    "fr": "nom titre quantité exemplaires effet règle règles pouvoir capacité citation coût force défense",
    "es": "título cantidad copias efecto reglas habilidad descripción cita imagen ilustración coste fuerza",
    "it": "titolo quantità copie effetto regole abilità descrizione citazione immagine costo forza",
    "pt": "quantidade cópias efeito regras habilidade descrição citação imagem ilustração custo força",
    "nl": "naam aantal tekst regels effect beschrijving afbeelding kosten kracht",
    "pl": "nazwa ilość liczba sztuk działanie zdolność zasady opis cytat obrazek grafika koszt siła",
    "cs": "jméno název počet popis obrázek cena síla",
    "sv": "namn antal beskrivning bild kostnad styrka",
}
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]{0,8})")
_DECIMAL = re.compile(r"-?(?:0|[1-9][0-9]{0,8})(?:\.[0-9]{1,6}|,[0-9]{1,2})")
# The end of a sentence, in which a semicolon does not separate items.
_SENTENCE = re.compile(r"[.!?…][»”\"]?$", re.MULTILINE)
_PICTURE = re.compile(r".+\.(?:png|jpe?g|svg|webp|gif|tiff?)", re.IGNORECASE)
# Names that programs give to sheets, without a number.
_SHEET_NAMES = frozenset(
    {"sheet", "tabelle", "feuil", "feuille", "hoja", "foglio", "planilha", "blad", "arkusz", "list"}
)
# A column of words is a choice if it has at most this many different ones, each but one of them used twice or more.
_MOST_CHOICES, _LONGEST_CHOICE, _LONGEST_ITEM = 12, 30, 25
# The average length from which words without a telling heading are the text of a card.
_LONG_TEXT = 30
_MOST_FIELDS = 60
# Keys that change too often for ids.
_TELLING_NOTHING = ("text", "motto", "art", "qty", "null")
# Keys that are not printed below the picture of a card.
_ELSEWHERE = ("id", "name", "qty", "art", "motto", "null", "template", "back")
# Columns of which two may tell cards of one name apart.
_MOST_TRIED = 12
_MOST_NAMED = 5
# About as many letters as a line of text has.
_LETTERS_A_LINE = 40
# The share of cards that have a field which is not rare.
_OFTEN = 2 / 3
# Pictures whose proportions are read.
_MOST_MEASURED = 20
# How rows with sums are called, in the languages of the headings.
_TOTALS = frozenset(
    {"sum", "total", "totals", "summe", "gesamt", "somme", "suma", "totale", "totaal", "razem", "součet"}
)
_KEY = re.compile(r"[a-z][a-z0-9_]*")
# Headings that tell a language.
_FEWEST_TELLING = 2
_MOST_COPIES = 99  # more are a count of something else


class GuessedField(NamedTuple):
    """A field with the keys of its declaration, and what the guess rests on."""

    name: str
    declaration: str
    reason: str


class GuessedKind(NamedTuple):
    """A kind of cards on a sheet.

    `file` is the path of its table in the project. `columns` are the keys of its columns, `rows` selects rows, and
    `marks` are the cells of columns of numbers that stand for a missing one, such as '?'. `missing` says
    which pictures of ignored columns were not found, and `ids` are those of the cards; `id` is the expression that
    makes them, if not their names. `size` is that of its cards, if not the game's, and `known` is what they have on
    them. `copied` are pictures beside its table that the project
    needs, by the names in the cells.
    """

    name: str
    file: str
    sheet: str
    cards: int
    fields: tuple[GuessedField, ...]
    columns: Mapping[str, str]
    rows: str = ""
    marks: Mapping[str, tuple[str, ...]] = {}
    missing: Mapping[str, str] = {}
    ids: tuple[str, ...] = ()
    id: str = ""
    size: str = ""
    known: KnownCards = KnownCards()
    copied: Mapping[str, Path] = {}

    def guesses(self) -> Iterator[tuple[str, str, str, tuple[str, ...]]]:
        """Yield the heading of each column, its key or '', what the guess rests on, and what can be corrected."""
        fields = {field.name: field for field in self.fields}
        for heading, key in self.columns.items():
            reasons = [fields[key].reason if key in fields else "", self.missing.get(heading, "")]
            is_choice = key in fields and fields[key].declaration.startswith("type: choice")
            can_be = (LEFT_OUT, *((ANY_WORDS,) if is_choice else ())) if key not in ("null", "name") else ()
            yield heading, "" if key == "null" else key, "; ".join(filter(None, reasons)), can_be

    @property
    def title(self) -> str:
        """The title of its sheet or file, if that has accents or signs that its name has not; else ''."""
        titles = (" ".join(each.split()) for each in (self.sheet, PurePosixPath(self.file).stem))
        of_kind = (each for each in titles if plain_words(each) == self.name and len(each) <= MAX_TITLE)
        return next((each for each in of_kind if each.lower().replace(" ", "-") != self.name), "")

    def keys(self, headings: Iterable[str]) -> tuple[dict[str, str], frozenset[str]]:
        """Return the keys of columns that are read, by their headings, and the headings of those that are yes or no."""
        # Other headings would become a stranger's code in the expression.
        keys = {each: key for each in headings if _KEY.fullmatch(key := self.columns.get(each, each)) and key != "null"}
        flags = {field.name for field in self.fields if "type: flag" in field.declaration}
        return keys, frozenset(each for each, key in keys.items() if key in flags)


class SourceTable(NamedTuple):
    """A table to read: its path, its file in the project, and how messages call it.

    `keys` are those of columns of which they are known, `content` is that of a table that is not written yet, and
    `size` that of its cards. `pictures` is the folder from which pictures are copied, if it is not in the project.
    Columns of `texts` have no choices.
    """

    path: Path
    file: str
    name: str
    keys: Mapping[str, str] = {}
    content: bytes | None = None
    size: str = ""
    pictures: Path | None = None
    texts: frozenset[str] = frozenset()


class GuessedGame(NamedTuple):
    """The kinds of tables, the sheets that have no cards, with the reason, and the languages of translations.

    `language` is that of the cards, as far as the headings tell it, or ''. `no_icons` are names of pictures among the
    icons.
    """

    kinds: tuple[GuessedKind, ...]
    skipped: Mapping[str, str]
    languages: tuple[str, ...] = ()
    language: str = ""
    no_icons: tuple[str, ...] = ()

    def notes(self) -> Iterator[str]:
        """Yield what was not read, and what authors have to change."""
        for reason in dict.fromkeys(self.skipped.values()):
            sheets = [f"'{sheet}'" for sheet, why in self.skipped.items() if why == reason]
            more = [f"{len(sheets) - _MOST_NAMED} more"] if len(sheets) > _MOST_NAMED else []
            named = join_words([*sheets[:_MOST_NAMED], *more], "and")
            yield f"{f'sheets {named} are' if sheets[1:] else f'sheet {named} is'} not read: {reason}"
        for kind in self.kinds:
            for heading, words in kind.missing.items():
                if kind.columns[heading] == "null":
                    advice = "correct the column, and write its key, such as art, in place of null in cardgen.yaml"
                    yield f"column '{heading}' is not read: {words}; {advice}"
                else:
                    yield f"column '{heading}': {words}; add what is missing, or leave the column out"
        if self.no_icons:
            named = ", ".join(self.no_icons[:_MOST_NAMED]) + (", …" if len(self.no_icons) > _MOST_NAMED else "")
            yield f"not copied from the folder icons: {named}; {NO_ICON}"
        ids = Counter(each for kind in self.kinds for each in kind.ids)
        if repeated := [each for each, number in ids.items() if number > 1]:
            named = ", ".join(repeated[:_MOST_NAMED]) + (", …" if len(repeated) > _MOST_NAMED else "")
            advice = "add a column 'id' with a different word for each, or number copies in a column 'qty'"
            yield f"several cards are alike ({named}): {advice}"

    def kinds_text(self) -> str:
        """Return the part of a `game.yaml` that declares the kinds."""
        lines = ["kinds:"]
        for kind in self.kinds:
            lines += [f"  # {quantity(kind.cards, 'card')} of {_comment(kind.sheet)}", f"  {kind.name}:"]
            lines += [f"    title: {_quoted(kind.title)}"] if kind.title else []
            lines += [f"    size: {kind.size}"] if kind.size else []
            lines += ["    fields:"] if kind.fields else ["    fields: {}"]
            for field in kind.fields:
                lines += [f"      # {field.reason}", f"      {field.name}: {{{field.declaration}}}"]
        return "\n".join(lines) + "\n"

    def tables_text(self, game: str = "") -> str:
        """Return the settings of the tables; `game` is their game, if not the project's."""
        lines = ["tables:"]
        for kind in self.kinds:
            indent, file = "    ", f"  {yaml_scalar(kind.file)}:"
            lines += [] if file in lines else [file]
            if PurePosixPath(kind.file).suffix.lower() in WORKBOOK_SUFFIXES:
                lines.append(f"    {yaml_scalar(kind.sheet)}:")
                indent = "      "
            lines += [f"{indent}game: {game}"] if game else []
            lines.append(f"{indent}kind: {kind.name}")
            lines += [f"{indent}rows: {yaml_scalar(kind.rows)}"] if kind.rows else []
            if kind.id:
                lines += [f"{indent}# the names of several cards are the same", f"{indent}id: {yaml_scalar(kind.id)}"]
            renamed = {heading: key for heading, key in kind.columns.items() if heading != key}
            lines += [f"{indent}columns:"] if renamed else []
            for heading, key in renamed.items():
                lines += [f"{indent}  # {kind.missing[heading]}"] if heading in kind.missing else []
                lines.append(f"{indent}  {yaml_scalar(heading)}: {key}")
            if kind.marks:
                lines.append(f"{indent}values:")
                for heading, marks in kind.marks.items():
                    nothing = ", ".join(f"{_quoted(mark)}: null" for mark in marks)
                    lines.append(f"{indent}  {yaml_scalar(heading)}: {{{nothing}}}")
        lines += [f"    # {_comment(sheet)} is not read: {reason}" for sheet, reason in self.skipped.items()]
        return "\n".join(lines) + "\n"


# What authors say of columns, by the names of their kinds and their headings: LEFT_OUT or ANY_WORDS.
Corrections: TypeAlias = Collection[tuple[str, str, str]]
_SAID = LEFT_OUT, ANY_WORDS = "leave out", "any words"


def guess_game(
    tables: Iterable[SourceTable],
    folders: Sequence[Path],
    pictures: Collection[str] = (),
    corrections: Corrections = (),
) -> GuessedGame:
    """Return the kinds of cards in tables.

    Pictures are in the `folders`, or will be: `pictures` are their paths in the project. Raises CardgenError if a table
    cannot be read, and if no sheet has a column that can be the names of cards.
    """
    kinds: list[GuessedKind] = []
    skipped: dict[str, str] = {}
    languages: list[str] = []
    headings: list[str] = []
    for source in tables:
        if source.path.suffix.lower() not in SUFFIXES:
            message = "a game can be made only from a spreadsheet, or from a deck of Cider, Squib, or Magic Set Editor"
            advice = f"save it as one of {', '.join(SUFFIXES)}"
            raise CardgenError(Diagnostic(Code.BAD_TABLE, message, Place(source.name), advice))
        unsaved = {} if source.content is None else {str(source.path.absolute()): source.content}
        sheets = read_sheets(source.path, source.name, unsaved)
        for title, table in sheets.items():
            _require_printable(title, table, source.name)
            languages += _take_translations(table)
            headings += table.columns
        is_alone = sum(len(table.rows) > 0 for table in sheets.values()) == 1
        for title, table in sheets.items():
            has_own_name = bool(title) and not (is_alone and _is_unnamed(title))
            name = _kind_name(title if has_own_name else source.path.stem, [each.name for each in kinds])
            if title in KEYS_WITH_MAPS:
                kind: GuessedKind | str = f"'{title}' is a key of settings; rename the sheet"
            elif len(kinds) == MOST_KINDS:
                kind = f"a game has at most {MOST_KINDS} kinds"
            else:
                said = {
                    what: {each for of, each, about in corrections if (of, about) == (name, what)} for what in _SAID
                }
                nothing = dict.fromkeys(said[LEFT_OUT], "null")
                known = source._replace(keys={**source.keys, **nothing}, texts=frozenset(said[ANY_WORDS]))
                kind = _guess_kind(name, title, table, known, folders, pictures, is_alone=is_alone)
            if isinstance(kind, str):
                skipped[title or source.path.stem] = kind
            else:
                taken = {each for other in kinds for each in other.ids}
                kinds.append(_prefixed(kind) if taken & set(kind.ids) else kind)
    if not kinds:
        reasons = "; ".join(f"{sheet}: {reason}" if sheet else reason for sheet, reason in skipped.items())
        message = f"the table has no cards that can be read ({reasons})" if reasons else "the table is empty"
        advice = "write the names of the columns in the first row, and call that of the cards' names 'name'"
        raise CardgenError(Diagnostic(Code.BAD_TABLE, message, Place(source.name), advice))
    return GuessedGame(tuple(kinds), skipped, tuple(dict.fromkeys(languages)), _language_of(headings))


class NewValue(NamedTuple):
    """A value to set in a YAML file of the project; the last step to an item that is added to a list is a number."""

    file: str
    path: KeyPath
    value: Any


class Offer(NamedTuple):
    """Something in a table that the project does not know, and what each answer sets, the usual one first."""

    question: str
    answers: Mapping[str, tuple[NewValue, ...]]


def find_offers(project: Project, table: str, content: bytes, problems: Iterable[Diagnostic]) -> Iterator[Offer]:
    """Yield what could be done about unknown columns and words in another content of a spreadsheet.

    `problems` are those that the project has with it. Raises CardgenError if it cannot be read.
    """
    path = Path(os.path.normpath(project.root / table))
    file, settings = project.display_path(path), project.settings.tables[table]
    wrong = {(each.code, each.place.span, each.place.locator) for each in problems if each.place.file == file}
    for title, sheet in (
        read_sheets(path, file, {str(path): content}) if wrong and path.suffix.lower() in SUFFIXES else {}
    ).items():
        own = settings if isinstance(settings, TableSettings) else settings.get(title)
        if own is None or own.sheet not in (None, title):
            continue
        place = ("tables", table, *(() if own is settings else (title,)), "columns")
        fields = own_fields(project, own.game or project.settings.game or "", own.kind or "")
        for heading, at in sheet.columns.items():
            cells = {sheet.place((*row.path, heading)): row.values.get(heading) for row in sheet.rows}
            at_heading = sheet.place(at, key=True)
            if (Code.UNKNOWN_KEY, at_heading.span, at_heading.locator) in wrong and not find_unprintable(heading):
                yield fields.with_column(
                    (*place, heading), [*cells.values()], {*filter(None, own.columns.values()), *sheet.columns}
                )
            key = own.columns.get(heading) or fields.key_of(heading)
            texts = (
                as_text(cell)
                for each, cell in cells.items()
                if (Code.NOT_ONE_OF, each.span, each.locator) in wrong and isinstance(cell, str | int | float)
            )
            for text in {folded(text): text for text in reversed([*texts])}.values():
                for allowed in fields.with_choice(key, text):
                    question = f"'{allowed.value}' in the column '{heading}' is new"
                    yield Offer(question, {"allow it": (allowed,), "leave it as a mistake": ()})


def texts_in(file: str, content: bytes) -> frozenset[str]:
    """Return the texts of all cells of a spreadsheet. Raises CardgenError if it cannot be read."""
    if not file.lower().endswith(SUFFIXES):
        return frozenset()
    sheets = read_sheets(Path(file), file, {str(Path(file).absolute()): content}).values()
    return frozenset(str(cell) for sheet in sheets for row in sheet.rows for cell in row.values.values())


class OwnFields(NamedTuple):
    """The fields of a kind in the game's file, or those that the settings add to a game which is not the project's."""

    file: str
    place: KeyPath
    fields: Mapping[str, Any]

    def key_of(self, heading: str) -> str:
        """Return the field that has a heading as its name or label, or ''."""
        labels = {folded(str(field.get("label", name))): name for name, field in self.fields.items()}
        return heading if heading in self.fields else labels.get(folded(heading), "")

    def with_column(self, setting: KeyPath, cells: Sequence[Any], given: Collection[str]) -> Offer:
        """Return what can be done about a column at a place in the settings; other columns have the keys `given`."""
        heading, filled = str(setting[-1]), [cell for cell in cells if cell is not None]
        key = _field_name(heading, len(self.fields) + 1, [*self.fields])
        name = NewValue(SETTINGS_FILE, setting, key)
        answers: dict[str, tuple[NewValue, ...]] = {"leave it out": (name._replace(value=None),)}
        own = next((each for each in _keys_of(heading) if each in _FITS and _FITS[each](filled)), None)
        if own and own not in given:
            answers = {"add it to the cards": (name._replace(value=own),), **answers}
        elif self.place and filled:
            written = f"{{{_guess_field(key, heading, filled, len(cells)).declaration}}}"
            field = NewValue(self.file, (*self.place, key), parse_document(written, "").data)
            answers = {"add it to the cards": (field, name), **answers}
        return Offer(f"The column '{heading}' is new", answers)

    def with_choice(self, key: str, text: str) -> Iterator[NewValue]:
        """Yield the values that allow the words of a cell in a field with choices."""
        for path, words in (((key, "choices"), [text]), ((key, "items", "choices"), split_list(text))):
            choices = _value_in(self.fields, path)
            known = {*map(folded, map(str, choices or ()))}
            for word in words if known else ():
                if folded(word) not in known:
                    step = word if isinstance(choices, Mapping) else len(choices)
                    yield NewValue(self.file, (*self.place, *path, step), word)


def own_fields(project: Project, game: str, kind: str) -> OwnFields:
    """Return the fields of a kind of a game that authors can change in the project."""
    own = project.workspace.with_games().games.get(game)
    file = own.path.relative_to(project.root).as_posix() if own else SETTINGS_FILE
    place = (("kinds", kind, "fields") if own else ("kinds", kind)) if kind else ()
    document = parse_document(own.content.decode("utf-8", "replace"), "") if own else project.document
    fields = _value_in(document.data, place) if document and place else None
    return OwnFields(file, place, fields if isinstance(fields, dict) else {})


def _value_in(data: Any, path: KeyPath) -> Any:
    for step in path:
        data = data.get(step) if isinstance(data, Mapping) else None
    return data


def _language_of(headings: Iterable[str]) -> str:
    """Return the language that two headings or more belong to, if no other has as many; else ''."""
    words = {folded(heading) for heading in headings}
    known = {tag: len(words.intersection(map(folded, listed.split()))) for tag, listed in _LANGUAGES.items()}
    first, second = sorted(known.values(), reverse=True)[:2]
    return max(known, key=lambda tag: known[tag]) if first >= _FEWEST_TELLING and first > second else ""


def _require_printable(title: str, table: Table, file: str) -> None:
    """Raise CardgenError for names of sheets and columns with characters that settings cannot contain."""
    for what, name in (("sheet", title), *(("column", heading) for heading in table.columns)):
        if found := find_unprintable(name):
            message = f"the name of a {what} contains an unprintable character: {describe_character(found[0])}"
            raise CardgenError(Diagnostic(Code.BAD_TABLE, message, Place(file), f"rename the {what}"))


def _take_translations(table: Table) -> Iterator[str]:
    """Take the columns that are translations of others, such as 'name.de', and yield their languages."""
    of_texts = {
        folded(heading)
        for heading in table.columns
        if _are_words([cell for row in table.rows if (cell := row.values.get(heading)) is not None])
    }
    for heading in tuple(table.columns):
        base, _, tag = heading.rpartition(".")
        if folded(base.strip()) in of_texts:
            with suppress(ValueError):
                yield parse_language(tag.strip())
                table.columns = {each: path for each, path in table.columns.items() if each != heading}


def _guess_kind(
    name: str,
    title: str,
    table: Table,
    source: SourceTable,
    folders: Sequence[Path],
    pictures: Collection[str],
    *,
    is_alone: bool,
) -> GuessedKind | str:
    """Return the kind of a sheet, or why it has no cards; its pictures may be in the `folders`."""
    columns = {heading: [row.values.get(heading) for row in table.rows] for heading in table.columns}
    columns = {heading: cells for heading, cells in columns.items() if any(cell is not None for cell in cells)}
    all_columns = columns
    names = next((heading for heading, key in source.keys.items() if key == "name" and heading in columns), None)
    names = names or _find_names({each: cells for each, cells in columns.items() if each not in source.keys})
    if names is None:
        return "no column has a name for each card"
    if len(columns) == 1 and not is_alone and "name" not in _keys_of(names) and names not in source.keys:
        return f"its only column is '{' '.join(names.split())}', which does not say that it has names"
    keys = {names: "name"} | {heading: key for heading, key in source.keys.items() if heading in columns}
    missing: dict[str, str] = {}
    is_card = [cell is not None for cell in columns[names]]
    # A last row of sums is not a card.
    last = max((index for index, taken in enumerate(is_card) if taken), default=0)
    total = str(columns[names][last]) if folded(str(columns[names][last])).strip(" :") in _TOTALS and last else ""
    is_card[last] = is_card[last] and not total
    columns = {heading: _cells(cells, is_card) for heading, cells in columns.items()}
    for key, fits in _FITS.items():
        found = [each for each in columns if each not in keys and key in _keys_of(each) and fits(columns[each])]
        keys |= {} if key in keys.values() else dict.fromkeys(found[:1], key)
    rest = [heading for heading in columns if heading not in keys]
    texts = [heading for heading in rest if _are_words(columns[heading]) and _length(columns[heading]) >= _LONG_TEXT]
    if texts and "text" not in keys.values():
        keys[max(texts, key=lambda heading: _length(columns[heading]))] = "text"
    fields: list[GuessedField] = []
    marks: dict[str, tuple[str, ...]] = {}
    copied: dict[str, Path] = {}
    rare: list[str] = []
    for number, heading in enumerate(columns, start=1):
        if not columns[heading]:  # only rows without a card have it
            continue
        if all(isinstance(cell, LostValue) for cell in columns[heading]):
            keys[heading] = "null"
            missing[heading] = "its cells have no values, only formulas without results, or errors"
            continue
        absent = _absent(columns[heading], folders, pictures) if _are_pictures(columns[heading]) else []
        copied |= _find_pictures(absent, source.pictures) if source.pictures else {}
        if absent := [name for name in absent if name not in copied]:
            missing[heading] = f"{quantity(len(absent), 'picture')} not found, such as {absent[0]!r}"
            missing[heading] += _hint(absent, folders)
        if absent and len(absent) == len(set(columns[heading])):
            keys[heading] = "null"
        elif heading not in keys and len(fields) < _MOST_FIELDS:
            field = _field_name(heading, number, [field.name for field in fields])
            cells = _without_marks(columns[heading])
            guessed = _guess_field(field, heading, cells, sum(is_card), has_any_words=heading in source.texts)
            fields.append(_named_cards(guessed, name, cells, columns[names]))
            rare += [field] if len(cells) < _OFTEN * sum(is_card) else []
            keys[heading] = field
            if len(cells) < len(columns[heading]):
                marks[heading] = tuple(dict.fromkeys(str(cell) for cell in columns[heading] if _is_mark(cell)))
    # A card without an id of its own has that of its name.
    own_ids = next((columns[heading] for heading, key in keys.items() if key == "id"), None)
    telling = (heading for heading, key in keys.items() if key not in _TELLING_NOTHING)
    cells_of = {
        heading: [cell for cell, taken in zip(all_columns[heading], is_card, strict=True) if taken]
        for heading in telling
    }
    ids, expression = (own_ids, "") if own_ids else _find_ids(names, cells_of)
    if source.pictures:
        for key in (key for heading, key in keys.items() if AUTO in columns.get(heading, ())):
            copied |= _find_by_id(key, [slugify(str(each)) for each in ids], source.pictures)
    ignored = {heading: "null" for heading in table.columns if heading not in keys}
    return GuessedKind(
        name,
        source.file,
        title,
        sum(is_card),
        tuple(fields),
        keys | ignored,
        "" if all(is_card) else _rows_of_cards(names, total),
        marks,
        missing,
        tuple(slugify(str(cell)) for cell in ids),
        expression,
        source.size,
        KnownCards(
            max((_letters(row.values, keys) for row in compress(table.rows, is_card)), default=0),
            max((str(cell) for cell in columns[names]), key=label_width),
            "motto" in keys.values(),
            _proportion(columns, keys, [*folders, *filter(None, [source.pictures])]),
            frozenset(rare),
        ),
        copied,
    )


def _proportion(columns: Mapping[str, Sequence[Any]], keys: Mapping[str, str], folders: Sequence[Path]) -> float:
    """Return the width of pictures as a multiple of their height: the median of the first ones, 0 for none."""
    cells = (str(cell) for heading, cells in columns.items() if keys.get(heading) == "art" for cell in cells)
    found = (_first_file(name, folders) for name in islice(cells, _MOST_MEASURED))
    proportions = []
    for path in filter(None, found):
        with suppress(ValueError):
            picture = inspect_image(path)
            proportions.append(picture.width / picture.height)
    return median(proportions) if proportions else 0


def _letters(row: Mapping[str, Any], keys: Mapping[str, str]) -> int:
    """Return the number of letters that are printed below the picture of a card."""
    cells = ((heading, row.get(heading)) for heading, key in keys.items() if key not in _ELSEWHERE)
    words = [(heading, each) for heading, each in cells if isinstance(each, str) and not _is_number(each)]
    told = [(heading, each) for heading, each in words if as_flag(each) is None or keys[heading] == "text"]
    marked = [heading for heading, each in words if as_flag(each)]
    return sum(len(heading) * (keys[heading] != "text") + _room(each) for heading, each in told) + sum(map(len, marked))


def _room(text: str) -> int:
    """Return how many letters of a paragraph take as much room as a text; the lines of a list take whole lines."""
    first, *others = text.splitlines() or [""]
    return len(first) + sum(ceil(max(len(line), 1) / _LETTERS_A_LINE) * _LETTERS_A_LINE for line in others)


def _rows_of_cards(names: str, total: str) -> str:
    """Return the expression for rows that have a name, except that of the sums."""
    name = f"row[{_in_single_quotes(names)}]"
    return f"{name} not in [none, {_in_single_quotes(total)}]" if total else f"{name} != none"


def _prefixed(kind: GuessedKind) -> GuessedKind:
    """Return a kind whose ids begin with its name, because cards of another kind have the same."""
    names = next(heading for heading, key in kind.columns.items() if key == "name")
    words = f"'{kind.name} ' ~ {kind.id or f'row[{_in_single_quotes(names)}]'}"
    return kind._replace(id=words, ids=tuple(slugify(f"{kind.name} {each}") for each in kind.ids))


def _find_ids(names: str, columns: Mapping[str, Sequence[Any]]) -> tuple[Sequence[Any], str]:
    """Return the ids of cards, and the expression that makes them.

    The expression is empty if their names differ. Otherwise, it is that of the names and of the fewest short columns
    that tell them apart; if no two do, ids are names.
    """
    rows = columns[names]
    if len({slugify(str(cell)) for cell in rows}) == len(rows):
        return rows, ""
    short = [
        heading
        for heading, cells in columns.items()
        if heading != names and not any(cell is None for cell in cells) and _length(cells) < _LONG_TEXT
    ]
    for others in chain(combinations(short, 1), combinations(short[:_MOST_TRIED], 2)):
        ids = [" ".join(map(str, each)) for each in zip(rows, *(columns[other] for other in others), strict=True)]
        if len(set(map(slugify, ids))) == len(ids):
            return ids, " ~ ' ' ~ ".join(f"row[{_in_single_quotes(each)}]" for each in (names, *others))
    return rows, ""


def _find_names(columns: Mapping[str, Sequence[Any]]) -> str | None:
    """Return the column with the names of cards: one that says so, or else the first with a different text each."""
    for heading, cells in columns.items():
        if "name" in _keys_of(heading) and _are_words([cell for cell in cells if cell is not None]):
            return heading
    for heading, cells in columns.items():
        texts = [folded(cell) for cell in cells if isinstance(cell, str)]
        if len(texts) == len(cells) == len(set(texts)) and _are_words(texts) and _length(texts) < _LONG_TEXT:
            return heading
    return None


def _guess_field(
    name: str, heading: str, cells: Sequence[Any], cards: int, *, has_any_words: bool = False
) -> GuessedField:
    """Return the field of a column, without choices if it `has_any_words`; `cells` are those that are not empty."""
    label = f", label: {_quoted(heading.rstrip(' ?:')[:40] or heading[:40])}"
    optional = ", optional: true" if len(cells) < cards else ""
    where = f"in {len(cells)} of {quantity(cards, 'card')}"
    texts = [as_text(cell) for cell in cells if not isinstance(cell, LostValue)]
    if all(map(_is_whole, cells)):
        numbers = [int(cell) for cell in cells]
        least = f", min: {min(0, *numbers)}"
        reason = f"{_range('whole number', min(numbers), max(numbers))} {where}"
        return GuessedField(name, f"type: integer{least}{optional}{label}", reason)
    if all(map(_is_number, cells)):
        numbers_ = [float(str(cell).replace(",", ".")) for cell in cells]
        reason = f"{_range('number', min(numbers_), max(numbers_))} {where}"
        return GuessedField(name, f"type: number{optional}{label}", reason)
    if all(_is_flag(cell) for cell in cells):
        return GuessedField(name, f"type: flag{label}", f"yes or no {where}")
    if _are_pictures(cells):
        return GuessedField(name, f"type: picture{optional}{label}", f"names of pictures {where}")
    items = [item for text in texts for item in split_list(text)]
    if len(items) > len(texts) and max(map(len, items)) <= _LONGEST_ITEM and not any(map(_SENTENCE.search, texts)):
        reason = f"items with semicolons or line breaks between them {where}"
        return GuessedField(name, f"type: list, items: {{type: text}}{label}", reason)
    choices, rare = _choices(texts)
    is_few = not has_any_words and 1 < len(choices) <= min(_MOST_CHOICES, len(texts) / 2) and rare <= 1
    if is_few and max(map(len, choices)) <= _LONGEST_CHOICE and not any(map(_is_number, cells)):
        listed = ", ".join(map(_quoted, choices))
        reason = f"{len(choices)} words {where}; cards with other words are rejected"
        return GuessedField(name, f"type: choice, choices: [{listed}]{optional}{label}", reason)
    return GuessedField(name, f"type: text{optional}{label}", f"texts {where}")


def _choices(texts: Sequence[str]) -> tuple[list[str], int]:
    """Return the different words of a column, each in its most usual spelling, and how many are there only once.

    Of two spellings that are as usual, the one with a capital is taken.
    """
    spellings: dict[str, Counter[str]] = {}
    for text in texts:
        spellings.setdefault(folded(text), Counter())[text] += 1
    usual = [max(each, key=lambda text: (each[text], text[:1].isupper())) for each in spellings.values()]
    return usual, sum(each.total() == 1 for each in spellings.values())


def _named_cards(field: GuessedField, kind: str, cells: Sequence[Any], names: Sequence[Any]) -> GuessedField:
    """Return a field of texts as one of cards if each is the name or the id of a card of the kind.

    Names that are written twice, such as in capitals, name no other cards.
    """
    texts = list(map(str, names))
    known = {*texts, *map(slugify, texts)}
    is_text = field.declaration.startswith("type: text")
    if not is_text or [*map(folded, texts)] == [folded(str(cell)) for cell in cells] or not known.issuperset(cells):
        return field
    declaration = field.declaration.replace("type: text", f"type: card, kind: {kind}", 1)
    return field._replace(declaration=declaration, reason=field.reason.replace("texts", "names of cards", 1))


def _range(noun: str, least: float, most: float) -> str:
    return f"the {noun} {least:g}" if least == most else f"{noun}s from {least:g} to {most:g}"


def _keys_of(heading: str) -> tuple[str, ...]:
    """Return the keys of every card that a heading can mean."""
    word = "_".join(folded(heading).split())
    return tuple(key for key, words in _HEADINGS.items() if word in map(folded, words.split()))


def _cells(cells: Iterable[Any], is_card: Iterable[bool]) -> list[Any]:
    """Return the cells of cards that are not empty."""
    return [cell for cell, taken in zip(cells, is_card, strict=True) if taken and cell is not None]


def _is_mark(cell: Any) -> bool:
    """Return whether a cell stands for a missing number: a text of signs, such as '?' or '–'."""
    return isinstance(cell, str) and not any(map(str.isalnum, cell))


def _without_marks(cells: list[Any]) -> list[Any]:
    """Return the numbers of a column that has numbers and marks, else all cells."""
    numbers = [cell for cell in cells if not _is_mark(cell)]
    return numbers if numbers and all(map(_is_number, numbers)) else cells


def _length(cells: Sequence[Any]) -> float:
    """Return the average length of texts, 0 for none."""
    return sum(len(str(cell)) for cell in cells) / len(cells) if cells else 0.0


def _is_whole(cell: Any) -> bool:
    return (isinstance(cell, int) and not isinstance(cell, bool)) or (
        isinstance(cell, str) and bool(_NUMBER.fullmatch(cell))
    )


def _is_number(cell: Any) -> bool:
    return isinstance(cell, float) or _is_whole(cell) or (isinstance(cell, str) and bool(_DECIMAL.fullmatch(cell)))


def _is_flag(cell: Any) -> bool:
    return isinstance(cell, bool) or (isinstance(cell, str) and as_flag(cell) is not None)


def _are_ids(cells: Sequence[Any]) -> bool:
    return _are_words(cells) and all(slugify(cell) == cell for cell in cells)


def _are_copies(cells: Sequence[Any]) -> bool:
    return bool(cells) and all(_is_whole(cell) and 1 <= int(cell) <= _MOST_COPIES for cell in cells)


def _are_pictures(cells: Sequence[Any]) -> bool:
    return bool(cells) and all(isinstance(cell, str) and (cell == AUTO or _PICTURE.fullmatch(cell)) for cell in cells)


def _absent(cells: Sequence[Any], folders: Sequence[Path], pictures: Collection[str]) -> list[str]:
    """Return the names of pictures that are in none of the folders, and will not be."""
    names = (name for name in dict.fromkeys(map(str, cells)) if name not in pictures and name != AUTO)
    return [name for name in names if not _first_file(name, folders)]


def _find_pictures(names: Sequence[str], folder: Path) -> dict[str, Path]:
    """Return the pictures that are in a folder, in its folder `art`, or all in another folder of it."""
    found = {name: path for name in names if (path := _first_file(name, (folder,)))}
    rest = [name for name in names if name not in found]
    for other in _folders_in(folder) if rest else ():
        inside = {name: path for name in rest if (path := _first_file(name, (other,), folder))}
        if len(inside) == len(rest):
            return found | inside
    return found


def _folders_in(folder: Path) -> list[Path]:
    return [path for path in glob_inside(folder, "*") if path.is_dir()]


def _find_by_id(key: str, ids: Iterable[str], folder: Path) -> dict[str, Path]:
    """Return the pictures that are named after the ids of cards, as 'auto' in a key finds them."""
    names = (f"{place}/{id_}{suffix}" for id_ in ids for place in (f"{ART_FOLDER}/{key}", ART_FOLDER)
             for suffix in PICTURE_SUFFIXES)  # fmt: skip
    return {name: path for name in names if (path := _first_file(name, (folder,)))}


def _first_file(name: str, folders: Iterable[Path], root: Path | None = None) -> Path | None:
    """Return the file of a picture in the first folder that has it, as `art` of a card finds it.

    A cell of a stranger's table names no file elsewhere, out of `root`, which is by default the folder itself.
    """
    paths = (name,) if "/" in name else (name, f"{ART_FOLDER}/{name}")
    for folder, path in product(folders, paths):
        with suppress(ValueError):
            if ".." not in path and resolve_inside(root or folder, path, folder).is_file():
                return folder / path
    return None


def _hint(absent: Sequence[str], folders: Sequence[Path]) -> str:
    """Return where absent pictures are instead, if all are in one folder beside the table."""
    inside = sorted({(each, folder) for folder in folders for each in _folders_in(folder)})
    found = next((each.name for each, root in inside if all(is_file_inside(root, each / name) for name in absent)), "")
    return f", but in the folder '{found}': rename it to '{ART_FOLDER}'" if found else ""


def _are_words(cells: Sequence[Any]) -> bool:
    """Return whether cells are texts, and not only numbers, marks, or pictures."""
    is_text = bool(cells) and all(isinstance(cell, str) for cell in cells)
    return is_text and not (all(map(_is_number, cells)) or all(map(_is_flag, cells)) or _are_pictures(cells))


# The keys of every card that a column can have by its heading, and what its cells must be.
_FITS: Mapping[str, Callable[[Sequence[Any]], bool]] = {
    "id": _are_ids,
    "qty": _are_copies,
    "art": _are_pictures,
    "motto": _are_words,
    "credit": _are_words,
    "text": _are_words,
}


def _field_name(heading: str, number: int, taken: Sequence[str]) -> str:
    """Return a key for a column that no other one has, and that no card has anyway."""
    plain = plain_words(heading)[: MAX_NAME - 8].strip("-").replace("-", "_")
    name = plain if plain[:1].isalpha() else f"column_{plain or number}"
    name = name if _is_valid(CardKey, name) else f"own_{name}"  # such as 'size', which every card has
    return next(each for each in _variants(name, "_") if each not in taken)


def _kind_name(title: str, taken: Sequence[str]) -> str:
    """Return the name of the kind of a sheet."""
    plain = plain_words(title)[: MAX_NAME - 8].strip("-")
    name = plain if plain[:1].isalpha() else f"card-{plain}".strip("-")
    is_free = _is_valid(KindName, name) and name not in (
        "project",
        "game",
        "ci",
        "template",
    )  # which 'cardgen new' takes for others
    return next(each for each in _variants(name if is_free else f"own-{name}", "-") if each not in taken)


def _variants(name: str, hyphen: str) -> Iterator[str]:
    yield name
    yield from (f"{name}{hyphen}{number}" for number in count(2))


def _is_valid(annotation: Any, name: str) -> bool:
    try:
        TypeAdapter(annotation).validate_python(name)
    except ValidationError:
        return False
    return True


def _is_unnamed(title: str) -> bool:
    """Return whether a sheet has the name that its program gave it."""
    return folded(title).rstrip(" 0123456789") in _SHEET_NAMES


def _comment(text: str) -> str:
    """Return a text that can stand in a comment."""
    return yaml_scalar(" ".join(text.split())) if text else "the table"


def _in_single_quotes(text: str) -> str:
    """Return a text in the quotation marks of expressions."""
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def _quoted(text: str) -> str:
    """Return a text in the quotation marks of YAML."""
    return json.dumps(text, ensure_ascii=False)

"""New games for `cardgen new game`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import chain
from pathlib import Path, PurePosixPath
from shutil import copytree, rmtree
from string import Template
from typing import NamedTuple

from cardgen.deck.art import ART_FOLDER
from cardgen.deck.deck import own_game
from cardgen.diagnostic import CardgenError, Code, Diagnostic, Place, join_words, plain_words, slugify
from cardgen.game_file.loader import load_game
from cardgen.project.files import (
    CARDS_FOLDER,
    LAYOUT_SUFFIX,
    display_path,
    is_device_name,
    portable_stem,
    require_named_inside,
)
from cardgen.project.project import Project
from cardgen.runtime import atomic_write, regular_file
from cardgen.runtime.fingerprint import PICTURE_SUFFIXES, SETTINGS_FILE
from cardgen.runtime.regular_file import glob_inside, is_inside
from cardgen.runtime.workspace import GAME_FILE, GAME_ID, GAMES_FOLDER, ProjectGame, Workspace
from cardgen.scaffold.cards import has_cards, require_name, settings_text, write_new, yaml_scalar
from cardgen.scaffold.decks import read_deck
from cardgen.scaffold.decks.foreign import ForeignDeck, ForeignTable
from cardgen.scaffold.game_from_table import SUFFIXES, Corrections, GuessedGame, SourceTable, guess_game, texts_in
from cardgen.scaffold.pictures import ICONS_FOLDER, add_named_file
from cardgen.scaffold.template import KnownCards, back_text, layout_text
from cardgen.tables.table import MAX_FILE_SIZE
from cardgen.units import CARD_SIZES, parse_size, quantity

STARTER = Path(__file__).with_name("starter")
_THEME = "theme.yaml"
DEFAULT_SIZE = "poker"
_MOST_LETTERS = 40
# The name of an icon in a text.
_ICON = re.compile(r"\{([A-Za-z0-9_-]+)\}")
# The line of the project's game, with its comment.
_GAME_LINE = re.compile(r"^(game[ \t]*+:[ \t]*+)[^\s#]*+([ \t]*+(?:#.*)?)$", re.MULTILINE)
# Prefixes that are taken: that of the program's own codes.
_TAKEN_PREFIXES = {"CG": "GC"}


class NewGame(NamedTuple):
    """A new game and its files.

    `is_current` says whether it is the game of the project now, and `replaced` which one was before, if any. `kinds`
    are those that were made from a table, with the number of their cards, and `notes` say what authors have to do.
    """

    game: str
    files: tuple[Path, ...]
    is_current: bool
    replaced: str = ""
    kinds: Mapping[str, int] = {}
    notes: tuple[str, ...] = ()


def new_game(
    name: str,
    workspace: Workspace | None = None,
    *,
    table: Path | Sequence[Path] | None = None,
    size: str = "",
    corrections: Corrections = (),
    is_sent: bool = False,
) -> NewGame:
    """Write a game that builds, with its first cards, or for the cards of a `table` or several.

    `size` is that of its cards, by name or such as '70mm x 120mm', and `corrections` are those of guesses. A table
    that `is_sent` is in a folder which has only files for the game.

    The game is added to the current project; without one, the current folder becomes a project of this game. It also
    becomes the game of a project that has no cards yet, so that all commands know it. A table outside of the project is
    copied into it. Raises CardgenError for a name that cannot be a game's, if a file or a game already exists, and for
    a table that cannot be read or has no names of cards.
    """
    project = Project.open(workspace)
    game = _game_id(name, project.workspace)
    folder = project.root / GAMES_FOLDER / game
    words = {
        "game": game,
        "name": yaml_scalar(_title(name.strip())),
        "prefix": _prefix(name),
        "size": _size(size or DEFAULT_SIZE),
    }
    is_current = project.document is None or not has_cards(project)
    settings_file = project.root / SETTINGS_FILE
    settings = settings_text(game) if project.document is None else settings_file.read_text(encoding="utf-8")
    contents: dict[Path, bytes] = {}
    pictures: dict[Path, Path] = {}
    guess, deck = None, None
    if table is None:
        contents[folder / GAME_FILE] = _starter(GAME_FILE, words)
        contents[folder / "templates" / _THEME] = _starter(_THEME, words)
        contents[project.root / CARDS_FOLDER / f"{portable_stem(game, 'heroes')}.yaml"] = _starter("heroes.yaml", words)
    else:
        tables = [table] if isinstance(table, Path) else table
        guess, deck, contents, pictures = read_tables(project.root, tables, corrections, is_sent=is_sent)
        lost = "".join(f"# {note}\n" for note in (deck.notes() if deck else ()))
        contents[folder / GAME_FILE] = _starter("table.yaml", words) + lost.encode() + guess.kinds_text().encode()
        contents[folder / "templates" / _THEME] = _starter(_THEME, words) + (_STYLES if deck else b"")
        settings = _with_table(settings, guess.tables_text("" if is_current else game), guess, display_path(tables[0]))
    contents |= _layouts(folder, contents[folder / GAME_FILE], guess, deck)
    if project.document is None:
        contents = {settings_file: settings.encode(), **contents}
    write_new(contents, pictures)
    replaced = ""
    if project.document is not None and (is_current or guess):
        if is_current:
            settings, replaced = _with_game(settings, game), own_game(project)
        atomic_write.write(settings_file, settings.encode())
    kinds = {kind.name: kind.cards for kind in guess.kinds} if guess else {}
    notes = (*(deck.notes() if deck else ()), *(guess.notes() if guess else ()))
    return NewGame(game, (*contents, *pictures), is_current, replaced, kinds, notes)


def read_tables(
    root: Path, tables: Sequence[Path], corrections: Corrections = (), *, is_sent: bool = False
) -> tuple[GuessedGame, ForeignDeck | None, dict[Path, bytes], dict[Path, Path]]:
    """Return the game that fits tables or a deck of another program, and that deck.

    The files that the project in `root` needs for it follow: contents and pictures by their paths. Raises CardgenError
    if one cannot be read, or none has names of cards.
    """
    for table in tables:
        require_named_inside(root, table, display_path(table))
    if deck := read_deck(tables[0]):
        sources = list(_tables_of(deck, root))
        contents = {source.path: source.content or b"" for source in sources}
        contents |= {root / path: picture for path, picture in deck.pictures.items()}
        return guess_game(sources, (root,), deck.pictures, corrections), deck, contents, {}
    own = {table: table if is_inside(root, table) else root / table.name for table in tables}
    files = {table: path.resolve().relative_to(root.resolve()).as_posix() for table, path in own.items()}
    beside = {table: None if path == table else table.parent for table, path in own.items()}
    sources = [SourceTable(each, files[each], each.as_posix(), pictures=beside[each]) for each in tables]
    guess = guess_game(sources, (root, *dict.fromkeys(path.parent for path in own.values())), corrections=corrections)
    read = {kind.file for kind in guess.kinds}
    contents = {own[each]: each.read_bytes() for each in tables if beside[each] and files[each] in read}
    folders = [*dict.fromkeys(filter(None, beside.values()))]
    icons = [icon for folder in folders for icon in glob_inside(folder, "icons/*")]
    texts = " ".join(chain.from_iterable(texts_in(str(table), table.read_bytes()) for table in tables))
    named, pictures = set(_ICON.findall(texts)), {path for kind in guess.kinds for path in kind.copied.values()}
    found = (each for folder in folders for pattern in ("*.svg", "*/*.svg") for each in glob_inside(folder, pattern))
    icons += [each for each in found if each not in pictures and (is_sent or each.stem in named)]
    drawings = {root / ICONS_FOLDER / icon.name: icon for icon in icons if icon.suffix.lower() in (".svg", ".json")}
    others = [icon.name for icon in icons if icon.suffix.lower() in PICTURE_SUFFIXES and icon not in drawings.values()]
    copies = {path: icon for path, icon in drawings.items() if not path.exists()}
    return guess._replace(no_icons=tuple(others)), None, contents, _copied_pictures(guess, root) | copies


# Files by which a folder is a deck of another program, and how files end from which a game can be made.
_DECKS, _MSE = ("database.json", "deck.rb", "layout.yml"), ".mse-set"
SENT_SUFFIXES = (*SUFFIXES, *PICTURE_SUFFIXES, _MSE, ".json", ".rb", ".yml", ".html", ".css")


def _inner(folder: Path) -> Path:
    """Return the folder that is chosen as a whole, if there is only this one, or the folder itself."""
    (*others, first) = folder.iterdir() if any(folder.iterdir()) else (folder / "",)
    return _inner(first) if not others and first.is_dir() and first != folder else folder


def _has_tables(folder: Path) -> bool:
    return any(path.suffix.lower() in (*SUFFIXES, _MSE) or path.name in _DECKS for path in _inner(folder).iterdir())


def find_tables(folder: Path) -> list[Path]:
    """Return the tables in a folder of files from the browser, or the folder itself for a deck of another program."""
    folder = _inner(folder)
    if any((folder / name).is_file() for name in _DECKS):
        return [folder]
    found = [each for each in sorted(folder.iterdir()) if each.suffix.lower() in (*SUFFIXES, _MSE)]
    if found and (len(found) == 1 or all(each.suffix.lower() != _MSE for each in found)):
        return found
    message = "there is no spreadsheet among the files"
    if found:
        message = "choose one deck or spreadsheets, not " + join_words([f"'{each.name}'" for each in found], "and")
    advice = f"choose files that end in {join_words([*SUFFIXES, _MSE], 'or')}, and their pictures"
    raise CardgenError(Diagnostic(Code.BAD_TABLE, message, Place("table"), advice))


def join_folders(folder: Path, earlier: Path) -> str:
    """Return the folder of new files, or the one of an earlier choice if only that has tables.

    It gets what is in the other one if only one of them has tables; the other one is removed.
    """
    kept, other = (folder, earlier) if _has_tables(folder) else (earlier, folder)
    if not (_has_tables(kept) and _has_tables(other)):
        copytree(other, _inner(kept), dirs_exist_ok=True)
    rmtree(other)
    return str(kept)


@contextmanager
def own_names(folder: str) -> Iterator[None]:
    """Call files of a temporary folder in messages as the author does."""
    try:
        yield
    except CardgenError as error:
        if not folder:
            raise
        raise CardgenError(
            *(
                each._replace(
                    message=each.message.replace(f"{folder}/", ""),
                    place=each.place._replace(file=each.place.file.removeprefix(f"{folder}/")),
                )
                for each in error.diagnostics
            )
        ) from None


def add_file(root: Path, tables: Iterable[str], upload: Path, name: str) -> str:
    """Copy a picture or an icon for the cards in tables of a project into it, and return what was done."""
    contents = {each: regular_file.read_inside(root, root / each, MAX_FILE_SIZE) for each in tables}
    texts = frozenset(text for each, content in contents.items() for text in texts_in(each, content))
    return add_named_file(root, upload, name, texts)


def told_files(folder: Path, tables: Sequence[Path], copied: Mapping[Path, Path]) -> str:
    """Return what becomes of the files in a folder, of which some are copied to other paths."""
    every = sorted(path for path in folder.rglob("*") if path.is_file())
    icons = sorted(f"{{{path.stem}}}" for path in copied if path.parent.name == ICONS_FOLDER)
    parts = {"spreadsheet": len(tables), "picture": len(copied) - len(icons), "icon": len(icons)}
    told = f"{quantity(len(every), 'file')} read"
    if folder in tables:  # a deck of another program
        return f"{told}."
    told += f": {join_words([quantity(number, noun) for noun, number in parts.items() if number], 'and')}"
    told += f" ({', '.join(icons)})." if icons else "."
    others = [path.name for path in every if path not in (*tables, *copied.values())]
    return told + (f" Not used: {', '.join(others)}." if others else "")


def _copied_pictures(guess: GuessedGame, root: Path) -> dict[Path, Path]:
    """Return the pictures beside a table by their new paths, where its cells find them."""
    copied = {name: path for kind in guess.kinds for name, path in kind.copied.items()}
    return {root / (name if "/" in name else f"{ART_FOLDER}/{name}"): path for name, path in copied.items()}


def _size(text: str) -> str:
    """Return a size as it is written in a `game.yaml`."""
    try:
        parse_size(text, CARD_SIZES)
    except ValueError as error:
        raise CardgenError(Diagnostic(Code.BAD_OPTION, str(error), Place("--size"))) from None
    return yaml_scalar(text.strip())


# The styles of texts in templates that are made from those of another program.
_STYLES = b"""\
  # Of the templates that were made from those of another program, with sizes and colors of their own.
  plain: {font: text, size: 10, min_size: 4.5, leading: 1.2, paragraph_gap: 0.3}
  strong: {font: text, size: 10, min_size: 4.5, bold: true, leading: 1.1, paragraph_gap: 0.3}
"""


def _tables_of(deck: ForeignDeck, root: Path) -> Iterator[SourceTable]:
    """Yield the tables of another program's deck as files of the new project."""
    for table in deck.tables:
        table.number_names()
        table.leave_out(deck.lose)
        file, size = PurePosixPath(_file_of(table)), f"{table.width:g}mm x {table.height:g}mm"
        yield SourceTable(root / file, str(file), file.name, table.keys, table.csv(), size)


def _file_of(table: ForeignTable) -> str:
    return f"{CARDS_FOLDER}/{portable_stem(slugify(table.title), 'cards')}.csv"


def _layouts(folder: Path, game: bytes, guess: GuessedGame | None, deck: ForeignDeck | None) -> dict[Path, bytes]:
    """Return the layouts of a new game: those of another program's deck, and new ones for all other faces."""
    rules = load_game(ProjectGame(folder / GAME_FILE, GAME_FILE, unsaved={str((folder / GAME_FILE).absolute()): game}))
    guessed = {kind.name: kind for kind in guess.kinds} if guess else {}
    tables = {_file_of(table): table for table in deck.tables} if deck else {}
    texts: dict[str, str] = {}
    for name, kind in rules.kinds.items():
        size, own = kind.size_of(kind.model.model_construct()), guessed.get(name)
        front, back = layout_text(kind.model, size, own.known if own else KnownCards()), back_text(size, rules.name)
        texts |= {name: front, f"{name}.back": back}
        if own and (table := tables.get(own.file)):
            texts |= table.layouts(name, *own.keys(table.headings))
    files = {name: folder / "templates" / f"{name}{LAYOUT_SUFFIX}" for name in texts}
    return {files[name]: text.encode("utf-8", "replace") for name, text in texts.items()}


# The line that shows the default of the tables, and the setting itself.
_LANGUAGES = re.compile(r"^languages[ \t]*:", re.MULTILINE)
_LANGUAGE = re.compile(r"^language[ \t]*:", re.MULTILINE)
_NO_LANGUAGE = re.compile(r"^# language:.*\n", re.MULTILINE)
_NO_TABLES = re.compile(r"^# tables:.*\n", re.MULTILINE)
_TABLES = re.compile(r"^(?:tables|['\"]tables['\"])[ \t]*:", re.MULTILINE)


def _with_table(settings: str, tables: str, guess: GuessedGame, file: str) -> str:
    """Return the text of settings with a table.

    Raises CardgenError for settings that have tables already, with what to add to them.
    """
    if _TABLES.search(settings):
        kinds = ", ".join(kind.name for kind in guess.kinds)
        message = f"the project reads tables already, so '{file}' cannot be added to them"
        advice = f"make the game in an empty folder; its kinds are {kinds}"
        raise CardgenError(Diagnostic(Code.FILE_EXISTS, message, Place(SETTINGS_FILE), advice))
    if guess.language and not _LANGUAGE.search(settings):
        line = f"language: {guess.language}{' ' * 21}# guessed from the names of the columns\n"
        settings = _NO_LANGUAGE.sub("", settings, count=1)
        tables = f"{line}{tables}"
    if guess.languages and not _LANGUAGES.search(settings):
        tables = f"languages: [{', '.join(guess.languages)}]\n{tables}"
    text, count = _NO_TABLES.subn(lambda _: tables, settings, count=1)
    return text if count else f"{settings.rstrip()}\n\n{tables}"


def _with_game(settings: str, game: str) -> str:
    """Return the text of settings with another game; comments and layout stay."""
    text, count = _GAME_LINE.subn(rf"\g<1>{game}\g<2>", settings, count=1)
    return text if count else f"game: {game}\n{settings}"


def _starter(file: str, words: Mapping[str, str]) -> bytes:
    """Return a file of the starter; only those in YAML have words to fill in."""
    text = (STARTER / file).read_text(encoding="utf-8")
    return (Template(text).substitute(words) if file.endswith(".yaml") else text).encode()


def _game_id(name: str, workspace: Workspace) -> str:
    """Return the id of a new game."""
    require_name(name, "game")
    game = plain_words(name)
    if not GAME_ID.fullmatch(game) or len(game) > _MOST_LETTERS or game in _AMBIGUOUS:
        raise _bad_name(f"'{name}' cannot be the name of a game", "begin with a letter from a to z, such as 'Ember'")
    if is_device_name(game):
        raise _bad_name(f"'{name}' cannot be the name of a game", "Windows reserves it; choose another name")
    if game in workspace.game_ids:
        raise _bad_name(f"there is already a game '{game}'", "choose another name")
    return game


_AMBIGUOUS = frozenset({"y", "n", "yes", "no", "on", "off", "true", "false", "null", "shared"})


def _bad_name(message: str, help_text: str) -> CardgenError:
    return CardgenError(Diagnostic(Code.BAD_GAME_FOLDER, message, Place("NAME"), help_text))


def _title(name: str) -> str:
    """Return the name as it is printed: that of a folder, such as 'long-stair', becomes 'Long Stair'."""
    return " ".join(map(str.capitalize, name.split("-"))) if name == slugify(name) else name


def _prefix(name: str) -> str:
    """Return two letters for the codes of a game: the initials of two words, or else the first two letters."""
    words = [word for word in slugify(name).split("-") if word.isalpha()]
    letters = "".join(word[0] for word in words[:2]) if len(words) > 1 else "".join(words)[:2]
    prefix = (letters + "xx")[:2].upper()
    return _TAKEN_PREFIXES.get(prefix, prefix)

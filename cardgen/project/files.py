"""Find card files and pictures, and display paths."""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator
from contextlib import suppress
from errno import EFBIG
from functools import partial
from itertools import islice
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import NamedTuple, TypeAlias

from cardgen.diagnostic import MAX_SUGGESTIONS, CardgenError, Code, Diagnostic, Place, closest, join_words
from cardgen.language import parse_language
from cardgen.project.ignored import GitIgnore
from cardgen.runtime import regular_file
from cardgen.runtime import workspace as workspaces
from cardgen.runtime.fingerprint import (
    PACKAGE,
    PICTURE_SUFFIXES,
    SETTINGS_FILE,
    TABLE_SUFFIXES,
    find_settings_folder,
    has_settings,
    is_unwatched,
    walk,
)
from cardgen.runtime.regular_file import ALL_SAVED, DASH, UnsavedFiles, is_inside, resolve, stays_inside
from cardgen.runtime.user_folders import MAX_EMBEDDED_BYTES, lift_pictures
from cardgen.runtime.workspace import (
    GAME_ID,
    GAMES_FOLDER,
    MOST_GAMES,
    ProjectGames,
    game_paths,
    package_folders,
)
from cardgen.units import shorten

# Files of a folder that an unknown name is compared with.
_MOST_COMPARED = 1_000


class AmbiguousPictureError(ValueError):
    """Several pictures have the name of a card.

    The message is for the user, and `help` says what to do.
    """

    help = "keep one of them"

    def __init__(self, message: str, pictures: tuple[Path, ...]) -> None:
        super().__init__(message)
        self.pictures = pictures


def display_path(path: Path) -> str:
    """Return a path as the user would type it.

    It is relative if inside the current folder, and has forward slashes.
    """
    absolute, here = os.path.abspath(path), os.getcwd()  # noqa: PTH100, PTH109 - resolve() would follow links
    if absolute == here:
        return "."
    prefix = here.rstrip(os.sep) + os.sep
    return absolute.removeprefix(prefix).replace(os.sep, "/")


def find_games(root: Path, unsaved: UnsavedFiles = ALL_SAVED) -> ProjectGames:
    """Return the games in a project's folder `games`, by id.

    Raises CardgenError for a link that points outside the project, a folder whose name is not an id, a game that is
    already installed, and too many games.
    """
    folder = display_path(root / GAMES_FOLDER)
    require_inside(root, root / GAMES_FOLDER, folder)
    problems: list[Diagnostic] = []
    paths = [*game_paths(root, MOST_GAMES + 1)]
    if len(paths) > MOST_GAMES:
        message = f"a project can have at most {MOST_GAMES} games"
        problems.append(Diagnostic(Code.BAD_GAME_FOLDER, message, Place(folder), "move some to another project"))
    for path in paths:
        try:
            require_inside(root, path, display_path(path))
        except CardgenError as error:
            problems += error.diagnostics
            continue
        name, place = path.parent.name, Place(display_path(path))
        if not GAME_ID.fullmatch(name):
            message = f"'{name}' is not a valid id of a game"
            help_text = "rename the folder: use lowercase letters and digits, separated by single hyphens"
            problems.append(Diagnostic(Code.BAD_GAME_FOLDER, message, place, help_text))
        elif name in workspaces.game_locations() or name in workspaces.program_game_files():
            message = f"the game '{name}' is installed and cannot be replaced"
            problems.append(
                Diagnostic(Code.BAD_GAME_FOLDER, message, place, "rename the folder, and 'game' in the file")
            )
    if problems:
        raise CardgenError(*problems)
    return workspaces.find_games(root, unsaved)


def built_in_folder(name: str) -> Path:
    """Return the built-in folder of that name ('templates', 'cards').

    It is inside the installed package, or next to it in a checkout.
    """
    packaged = PACKAGE / name
    return packaged if packaged.is_dir() else PACKAGE.parent / name


CARDS_FOLDER, RELEASES_FOLDER = "cards", "releases"
CARD_SUFFIXES: tuple[str, ...] = (".yaml", ".yml")
# Windows opens a device instead of a file with one of these names, whatever its suffix.
_DEVICES = frozenset(
    {
        "con",
        "prn",
        "aux",
        "nul",
        "conin$",
        "conout$",
        *(f"{port}{number}" for port in ("com", "lpt") for number in "0123456789¹²³"),
    }
)
NON_CARD_FOLDERS = frozenset(
    {"templates", "fonts", "icons", "charges", "sheets", "sprues", "output", "games", "releases", "services", "data"}
    | {"node_modules", "venv"}
)
_FIRST_CARD_HELP = f"write a card such as {CARDS_FOLDER}/sentinel.yaml, or run 'cardgen new' to create one"


def portable_stem(id: str, kind: str) -> str:  # noqa: A002
    """Return the name of a new card's file, without its suffix, that every platform accepts."""
    return f"{id}-{kind}" if is_device_name(id) else id


def is_device_name(name: str) -> bool:
    """Return whether Windows would open a device instead of a file with this name."""
    return name.partition(".")[0].rstrip(" ").lower() in _DEVICES


_PORTABLE_NAME = re.compile(r"\w[\w .+-]{0,79}")
PORTABLE_NAME_HELP = "use up to 80 letters, digits, spaces, and the characters . _ + -"


def is_portable_name(name: str) -> bool:
    """Return whether every platform accepts a name for a file or a folder, and takes it for nothing else."""
    plain = unicodedata.normalize("NFC", name)
    return bool(_PORTABLE_NAME.fullmatch(plain)) and not plain.endswith((".", " ")) and not is_device_name(plain)


def find_card_files(
    root: Path,
    paths: Iterable[Path],
    tables: Collection[Path] = (),
    outside: list[Diagnostic] | None = None,
    languages: Collection[str] = (),
    new: Collection[Path] = (),
) -> tuple[Path, ...]:
    """Return the card files in `paths`, or else of the whole project.

    `root` is the folder of the project, and `tables` are its tables, which belong to the cards of the project wherever
    they are. A path is a card file, a table, a folder of these, or the folder of the project itself. Each file comes
    once, and the order is the same on every machine. Of the files that an editor has and the disk has not, the `new`
    ones, those count that would be found. The path '-' is standard input. Hidden files and folders, the
    settings, translations into one of the `languages`, and folders for other purposes are skipped. Raises CardgenError
    for a path that is missing or not a card file, for a folder without card files, and for a link that points outside
    the project, unless `outside` collects those in folders.
    """
    named = tuple(paths)
    if any(os.path.abspath(path) == str(root) for path in named) and has_settings(root):  # noqa: PTH100 - links stay
        named = ()  # A project that is named is read as it is where it is the current folder.
    files: dict[Path, None] = {}
    problems: list[Diagnostic] = []
    for path in named or (_cards_folder(root),):
        try:
            files.update(dict.fromkeys(_expand_path(root, path, tables if named else (), outside, languages, new)))
        except CardgenError as error:
            if named or not tables or any(each.code != Code.NO_CARDS for each in error.diagnostics):
                problems += error.diagnostics
    if not named:
        files.update(dict.fromkeys(tables))
    if problems:
        raise CardgenError(*problems)
    return tuple(files)


def translation_tag(file: str, languages: Collection[str]) -> str:
    """Return the language into which a file such as 'cards.de.yaml' translates; '' if not one of the `languages`."""
    if not languages or not file.endswith(CARD_SUFFIXES):
        return ""
    stem = os.path.basename(file).rpartition(".")[0]  # noqa: PTH119 - called for many files
    with suppress(ValueError):
        tag = parse_language(stem.rpartition(".")[2])
        return tag if "." in stem.strip(".") and tag in languages else ""
    return ""


def translation_files(folder: Path, languages: Collection[str]) -> dict[str, dict[str, list[Path]]]:
    """Return the translations in a folder by language, and by what the names of their cards' files begin with.

    There should be one of each; the first one counts.
    """
    found: dict[str, dict[str, list[Path]]] = {}
    for path in sorted(folder.iterdir()) if languages and folder.is_dir() else ():
        if tag := translation_tag(path.name, languages):
            found.setdefault(tag, {}).setdefault(path.stem.rpartition(".")[0], []).append(path)
    return found


def skipped_files(root: Path, read_files: Iterable[Path], languages: Collection[str] = ()) -> tuple[Path, ...]:
    """Return the files that look like cards but were not read.

    This reports a card saved as `.txt` or `.json`, or in the wrong folder: among the cards, beside a file that was read
    in a folder of the project, or with the ending of a card file. Pictures, hidden files, and files in folders for
    other purposes are never cards, and translations into the `languages` are read with theirs.
    """
    excluded = {*map(str, read_files), str(root / SETTINGS_FILE)}
    folders = {file.rpartition(os.sep)[0] for file in excluded} - {str(root)}
    among_cards = (file.path for file in _walk(_cards_folder(root)) if not file.name.lower().endswith(PICTURE_SUFFIXES))
    elsewhere = (
        file.path
        for file in _walk(root)
        if file.name.lower().endswith(CARD_SUFFIXES)
        or (file.path.rpartition(os.sep)[0] in folders and not file.name.lower().endswith(PICTURE_SUFFIXES))
    )
    found = {*among_cards, *elsewhere, *_cards_of_games(root)} - excluded
    return tuple(sorted(Path(file) for file in found if not translation_tag(file, languages)))


def _cards_of_games(root: Path) -> Iterator[str]:
    """Yield what looks like cards in the folders of games, whose own folder `cards` is never read."""
    games = root / GAMES_FOLDER
    for game in games.iterdir() if not games.is_symlink() and games.is_dir() else ():
        folder = game / CARDS_FOLDER
        is_link = game.is_symlink() or folder.is_symlink()
        if not (is_link or has_settings(game) or has_settings(folder)) and folder.is_dir():
            yield from (file.path for file in _walk(folder) if file.name.lower().endswith(CARD_SUFFIXES))


def _walk(folder: Path | str) -> Iterator[os.DirEntry[str]]:
    """Yield the files below a folder.

    Folders for other purposes, other projects, what Git ignores, and links to folders are skipped.
    """
    ignores = GitIgnore(Path(folder))
    return (
        entry
        for entry in walk(str(folder), partial(may_hold_cards, ignores=ignores))
        if not _is_folder(entry, Path(folder)) and not ignores(entry.path, is_folder=False)
    )


def may_hold_cards(folder: os.DirEntry[str], *, ignores: GitIgnore | None = None) -> bool:
    """True if a folder may contain cards of the project in which it is."""
    return (
        folder.name not in NON_CARD_FOLDERS
        and not has_settings(Path(folder.path))
        and not (ignores and ignores(folder.path, is_folder=True))
    )


_NO_PROJECTS = frozenset({"output", "node_modules", "venv"})


def projects_below(folder: Path) -> tuple[Path, ...]:
    """Return the folders below one that have a cardgen.yaml, in the order of their paths.

    Hidden folders and those that Git ignores are skipped, and links are not followed.
    """
    ignores = GitIgnore(folder)

    def may_hold_projects(entry: os.DirEntry[str]) -> bool:
        return entry.name not in _NO_PROJECTS and not ignores(entry.path, is_folder=True)

    found = (entry for entry in walk(str(folder), may_hold_projects) if entry.name == SETTINGS_FILE)
    return tuple(path for entry in found if (path := Path(entry.path).parent) != folder)


def help_without_cards(folder: Path) -> str:
    """Say what to do in a folder without cards: go to a project below, or write the first card."""
    below = [display_path(each) for each in projects_below(folder)[: MAX_SUGGESTIONS + 1]]
    if not below:
        return _FIRST_CARD_HELP
    names = [*(f"'{each}'" for each in below[:MAX_SUGGESTIONS]), *(["another"] if len(below) > MAX_SUGGESTIONS else [])]
    return f"run the command in one of the projects below it: {join_words(names)}"


def repository_root() -> Path:
    """Return the nearest folder, from the current one upward, that is a repository of Git, or else the current one."""
    here = Path.cwd()
    return next((each for each in (here, *here.parents) if os.path.lexists(each / ".git")), here)


def _is_folder(entry: os.DirEntry[str], top: Path) -> bool:
    try:
        return regular_file.is_folder(Path(entry.path), top) if entry.is_symlink() else entry.is_dir()
    except OSError:  # a link to itself; reading it reports the error
        return False


def _cards_folder(root: Path) -> Path:
    folder = root / CARDS_FOLDER
    require_inside(root, folder, display_path(folder))  # Before anything follows a link.
    return folder if folder.is_dir() else root


def _expand_path(
    root: Path,
    path: Path,
    tables: Collection[Path],
    outside: list[Diagnostic] | None,
    languages: Collection[str],
    new: Collection[Path],
) -> list[Path]:
    if path == DASH:
        return [path]
    name = display_path(path)
    path = require_named_inside(root, path, name)
    if path.is_dir():
        below = [*_card_files_below(root, path, outside), *_new_files_below(path, new)]
        below.sort(key=lambda file: file.replace(os.sep, "\0"))
        files = [Path(file) for file in below if not translation_tag(file, languages)]
        files += (table for table in tables if table.is_relative_to(path))
        if not files and not outside:
            raise _path_error(Code.NO_CARDS, "no card files found", path, help_without_cards(path))
        return files
    if path not in new and not path.exists():
        names: list[str] = []
        with suppress(OSError):  # a folder that is missing too, or that may not be listed
            names = [each.name for each in islice(path.parent.iterdir(), _MOST_COMPARED)]
        near = closest(path.name, names)
        advice = f"did you mean '{display_path(path.with_name(near))}'?" if near else ""
        raise _path_error(Code.NO_SUCH_FILE, "no such file or folder", path, advice)
    if path.name == SETTINGS_FILE:
        raise _path_error(Code.NOT_A_CARD_FILE, "the file contains the project's settings, not cards", path)
    if translation_tag(path.name, languages):
        help_text = f"pass the cards, and add '--language {translation_tag(path.name, languages)}'"
        raise _path_error(Code.NOT_A_CARD_FILE, "the file contains translations, not cards", path, help_text)
    if path.suffix not in CARD_SUFFIXES and path not in tables:
        message = f"the name of a card file must end in {' or '.join(CARD_SUFFIXES)}"
        help_text = "name this table under 'tables' in cardgen.yaml" if path.suffix.lower() in TABLE_SUFFIXES else ""
        raise _path_error(Code.NOT_A_CARD_FILE, message, path, help_text)
    return [path]


def _card_files_below(root: Path, folder: Path, outside: list[Diagnostic] | None) -> Iterator[str]:
    confines = root if folder.is_relative_to(root) else folder
    for file in _walk(folder):
        if not file.name.endswith(CARD_SUFFIXES) or file.name == SETTINGS_FILE:
            continue
        if file.is_symlink():
            try:
                require_inside(confines, Path(file), display_path(Path(file)))
            except CardgenError as error:
                if outside is None:
                    raise
                outside += error.diagnostics
                continue
        yield file.path


def _new_files_below(folder: Path, new: Collection[Path]) -> Iterator[str]:
    """Yield the new card files below a folder, as `_card_files_below` does those on the disk."""
    ignores = GitIgnore(folder) if new else None
    for path in new:
        if path.is_relative_to(folder) and path.name.endswith(CARD_SUFFIXES) and path.name != SETTINGS_FILE:
            folders = [each for each in path.parents if each.is_relative_to(folder) and each != folder]
            is_elsewhere = any(each.name in NON_CARD_FOLDERS or has_settings(each) for each in folders)
            is_hidden = any(part.startswith(".") for part in path.relative_to(folder).parts)
            if not (is_elsewhere or is_hidden or (ignores and ignores(str(path), is_folder=False))):
                yield str(path)


def _path_error(code: Code, message: str, path: Path, help_text: str = "") -> CardgenError:
    return CardgenError(Diagnostic(code, message, Place(display_path(path)), help_text))


_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:")
# No system opens longer paths, and following their links would take time in proportion to the square of their length.
_MOST_PATH_CHARACTERS = 4096
# No system has longer names of files and folders.
_MOST_NAME_BYTES = 255
_HELP = "replace the link with what it points to"


def resolve_inside(root: Path, text: str, base: Path) -> Path:
    """Resolve the path `text` relative to `base`; it need not exist.

    Raises ValueError with a message for the user if it is not a relative path, or points outside the folder `root`.
    """
    if len(text) > _MOST_PATH_CHARACTERS:
        raise ValueError(f"'{shorten(text)}' is not a valid path; use at most {_MOST_PATH_CHARACTERS:,} characters")
    if _URL.match(text):
        raise ValueError(f"'{text}' is a URL; save the file in the project and write its path")
    if PurePosixPath(text).is_absolute() or PureWindowsPath(text).anchor:
        raise ValueError(f"'{text}' is an absolute path; write a path relative to the card's folder")
    if "\\" in text:
        raise ValueError(f"'{text}' contains a backslash; use forward slashes")
    if ":" in text:  # On Windows, what follows is the name of a stream of the file.
        raise ValueError(f"'{text}' contains a colon; rename the file")
    if device := next(filter(is_device_name, text.split("/")), None):
        raise ValueError(f"'{text}' contains '{device}', which is a device on Windows; rename the file")
    if any(len(part.encode("utf-8", "replace")) > _MOST_NAME_BYTES for part in text.split("/")):
        raise ValueError(f"'{shorten(text)}' is not a valid path; use names of at most {_MOST_NAME_BYTES} bytes")
    try:
        target, top = resolve(base / text, root), resolve(root, root)
    except (OSError, ValueError) as error:  # a loop of links, a name that is too long, or a null byte
        raise ValueError(f"'{text}' is not a valid path") from error
    if not target.is_relative_to(top):
        raise ValueError(f"'{text}' points outside the project")
    folders = target.parents[: len(target.parts) - len(top.parts) - 1] if target != top else ()
    if other := next((folder.name for folder in folders if is_unwatched(str(folder))), ""):
        raise ValueError(f"'{text}' is in '{other}', which is a repository, a cache, or an environment; move the file")
    return target


def resolve_visible(folder: Path, text: str) -> Path:
    """Resolve the path `text` of a file below `folder` that a browser asks for, as `resolve_inside` does.

    Raises ValueError also for a hidden file, or one in a hidden folder, whether by its name or behind a link.
    """
    target = resolve_inside(folder, text, folder)
    if any(
        part.startswith(".")
        for part in (*PurePosixPath(text).parts, *target.relative_to(resolve(folder, folder)).parts)
    ):
        raise ValueError(f"'{text}' is hidden")
    return target


def require_inside(root: Path, path: Path, name: str, of: str = "project") -> Path:
    """Return `path`, which messages call `name`, and its `root` the folder `of` something.

    Raises CardgenError if it is, or is below, a link that points out of the folder `root` or to itself.
    """
    try:
        reason = "" if is_inside(root, path) else f"the link points outside the {of}"
    except OSError:
        reason = "the link points to itself"
    if reason:
        raise CardgenError(Diagnostic(Code.OUTSIDE, reason, Place(name), _HELP))
    return path


def has_file(root: Path, path: Path) -> bool:
    """Return whether a path is a file; whoever looks for a file by its name in a stranger's folder asks this.

    Raises CardgenError, before anything follows it, for a link that points out of the folder `root`.
    """
    return require_inside(root, path, display_path(path)).is_file()


def is_own(root: Path, path: Path) -> bool:
    """Return whether no link leads a file out of the project or, if it is elsewhere, out of its folder."""
    return stays_inside(root if path.is_relative_to(root) else path.parent, path)


def require_named_inside(root: Path, path: Path, name: str) -> Path:
    """Return the absolute form of a path that the user named, which may be anywhere.

    Raises CardgenError if it is in a project and a link leads from it out of the project, or if it is in none and
    itself such a link out of its folder. `root` is that of the current project, absolute; if it has no settings, as a
    home folder from which a command is run, a link must stay in its own folder, too.
    """
    absolute = Path(os.path.abspath(path))  # noqa: PTH100 - resolve() would follow links
    own = find_settings_folder(absolute.parent)
    if own is None and not has_settings(root):
        require_inside(absolute.parent, absolute, name)
    return require_inside(own or (root if absolute.is_relative_to(root) else absolute.parent), absolute, name)


MAX_TEMPLATE_BYTES = 1 << 20
# Templates can also be layouts and drawings; earlier ones have priority.
TEMPLATE_SUFFIX, LAYOUT_SUFFIX = ".svg.j2", ".layout.yaml"
TEMPLATE_SUFFIXES = (TEMPLATE_SUFFIX, LAYOUT_SUFFIX, ".svg")


class TemplateFolder(NamedTuple):
    """A folder of templates.

    It has a folder for each game or, with a `game`, contains the templates of that one. What is `unsaved` takes the
    place of its files.
    """

    path: Path
    game: str = ""
    unsaved: UnsavedFiles = ALL_SAVED

    def file(self, name: str) -> Path | None:
        """Return the path of a template such as 'ember/brave.svg.j2', which need not exist.

        None if this folder cannot contain it.
        """
        if not self.game:
            return self.path / name
        own = f"{self.game}/"
        return self.path / name.removeprefix(own) if name.startswith(own) else None

    def find(self, name: str) -> Path | None:
        """Return the file of a template.

        A layout such as 'brave.layout.yaml' or a drawing such as 'brave.svg' stands in for 'brave.svg.j2'.
        """
        stem = template_stem(name) if name.endswith(TEMPLATE_SUFFIX) else ""
        for each in (f"{stem}{suffix}" for suffix in TEMPLATE_SUFFIXES) if stem else (name,):
            path = self.file(each)
            # A link that leads elsewhere is not followed to look; whoever reads it says so. Path.is_file raises an
            # error for a name that is too long.
            if path is not None and (not stays_inside(self.path, path) or os.path.isfile(path)):  # noqa: PTH113
                return path
        return None

    def names(self) -> Iterator[str]:
        """Yield the names of all its files, such as 'ember/brave.svg.j2', but links out of it."""
        for path in regular_file.glob_inside(self.path, "*" if self.game else "*/*"):
            if path.is_file():
                yield f"{self.game}/{path.name}" if self.game else f"{path.parent.name}/{path.name}"

    def of_game(self, game: str) -> Path | None:
        """Return the folder of a game or of 'shared', which need not exist.

        None if this one is for another game, or a link leads elsewhere.
        """
        if not self.game:
            return self.path / game if stays_inside(self.path, self.path / game) else None
        return self.path if self.game == game else None


def template_stem(name: str) -> str:
    """Return the name of a template without the ending of its file; other names are returned as they are."""
    suffix = next(filter(name.endswith, TEMPLATE_SUFFIXES), "")
    return name.removesuffix(suffix)


def trusted_folders() -> tuple[Path, ...]:
    """Return the folders of templates that come with the program."""
    homes = (*package_folders().values(), *(file.path.parent for file in workspaces.program_game_files().values()))
    return (built_in_folder("templates"), *(home / "templates" for home in homes))


def read_template(path: Path, unsaved: UnsavedFiles = ALL_SAVED) -> bytes:
    """Return the source of a template, in which a short address stands for each embedded picture.

    Raises OSError if it cannot be read, and FileTooLargeError if it is too large, alone or with its pictures.
    """
    content = lift_pictures(regular_file.read(path, MAX_TEMPLATE_BYTES + MAX_EMBEDDED_BYTES, unsaved))
    if len(content) > MAX_TEMPLATE_BYTES:
        raise regular_file.FileTooLargeError(EFBIG, "the file is too large")
    return content


def template_text(path: Path, unsaved: UnsavedFiles = ALL_SAVED) -> str:
    """Return the source of a template, or '' if it cannot be read; rendering it reports why."""
    try:
        return read_template(path, unsaved).decode("utf-8", "replace")
    except OSError:
        return ""


# A plain path is a folder with one folder for each game.
AnyTemplateFolder: TypeAlias = Path | TemplateFolder


def to_template_folder(folder: AnyTemplateFolder) -> TemplateFolder:
    """Return a folder of templates for a path or for itself."""
    return folder if isinstance(folder, TemplateFolder) else TemplateFolder(folder)


def game_folders(folders: Iterable[AnyTemplateFolder], game: str) -> Iterator[Path]:
    """Yield the folders of a game or of 'shared', which need not exist."""
    return (path for folder in folders if (path := to_template_folder(folder).of_game(game)))

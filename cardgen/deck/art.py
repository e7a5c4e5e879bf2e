"""Pictures of cards: named by a path, or found by the card's id."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import islice
from pathlib import Path
from stat import S_ISREG

from cardgen.codes import Code
from cardgen.diagnostic import CardgenError, Diagnostic, Place
from cardgen.model.card import Art
from cardgen.model.entry import Entry
from cardgen.project import Project
from cardgen.project.files import AmbiguousPictureError, may_hold_cards
from cardgen.runtime.fingerprint import OTHER_PICTURE_SUFFIXES, PICTURE_SUFFIXES, walk
from cardgen.validation.suggestion import closest

ART_FOLDER = "art"
_ALL_SUFFIXES = (*PICTURE_SUFFIXES, *OTHER_PICTURE_SUFFIXES)
# The file of a picture that is found by the card's id.
AUTO = "auto"
_MAX_ENTRIES = 20_000
# With more pictures than this, looking for a similar name would take too long for each card.
_MAX_COMPARED = 200


def find_art(project: Project, entry: Entry, name: str) -> Path:
    """Return a picture that a card names.

    It is looked up beside the card's file, then in the project folder. Raises ValueError with a message for the user if
    it is outside the project, or not found.
    """
    return _find_by_id(project, entry) if name == AUTO else _find_by_path(project, _bases(project, entry), name)


def find_picture(project: Project, name: str) -> Path:
    """Return a picture that a setting names, as `find_art` does."""
    return _find_by_path(project, (project.root,), name)


def _bases(project: Project, entry: Entry) -> tuple[Path, ...]:
    return (project.cwd / entry.document.file).parent, project.root


def _find_by_path(project: Project, bases: Iterable[Path], name: str) -> Path:
    for base in bases:
        path = project.resolve_inside(name, base)
        try:
            if S_ISREG(path.stat().st_mode):  # Path.is_file hides errors since Python 3.14.
                return path
        except (FileNotFoundError, NotADirectoryError):
            continue
        except OSError as error:  # name too long, or folder not accessible
            raise ValueError(f"'{name}' cannot be accessed: {error.strerror or error}") from None
    raise ValueError(f"file '{name}' not found, neither beside the card nor in the project folder")


def _find_by_id(project: Project, entry: Entry) -> Path:
    """Return the only picture in a folder 'art' whose name is the card's id."""
    others: list[str] = []
    for base in dict.fromkeys(_bases(project, entry)):
        names = _picture_names(project, base)
        matches = [name for name in names if Path(name).stem.lower() == entry.card.id]
        if len(matches) > 1:
            message = f"several pictures for '{entry.card.id}' in {ART_FOLDER}/: {', '.join(matches)}"
            raise AmbiguousPictureError(message, tuple((base / ART_FOLDER / name).resolve() for name in matches))
        if matches:
            return _find_by_path(project, (base,), f"{ART_FOLDER}/{matches[0]}")
        others += names
    stems = {Path(name).stem: name for name in others}
    near = closest(entry.card.id, stems) if len(stems) <= _MAX_COMPARED else ""
    suggestion = f"; did you mean '{ART_FOLDER}/{stems[near]}'?" if near else ""
    raise ValueError(f"no picture '{ART_FOLDER}/{entry.card.id}.*'{suggestion}")


def _picture_names(project: Project, base: Path) -> tuple[str, ...]:
    """Return the names of the pictures in the folder 'art', sorted.

    Raises ValueError with a message for the user if a link leads from it out of the project, or it has too many files:
    which of them were read would depend on the file system.
    """
    folder = project.resolve_inside(ART_FOLDER, base)
    try:
        return _pictures_in(folder, folder.stat().st_mtime_ns)
    except OSError:
        return ()


@lru_cache(maxsize=8)
def _pictures_in(folder: Path, modified: int) -> tuple[str, ...]:
    """Return the sorted names of the pictures in a folder that was last changed at some time."""
    with os.scandir(folder) as entries:
        names = [each.name for each in islice(entries, _MAX_ENTRIES + 1)]
    if len(names) > _MAX_ENTRIES:
        raise ValueError(f"there are more than {_MAX_ENTRIES:,} files in {ART_FOLDER}/")
    return tuple(sorted(name for name in names if name.lower().endswith(PICTURE_SUFFIXES)))


def add_automatic_art(project: Project, entries: Iterable[Entry]) -> None:
    """Give the cards without art the pictures of their ids, if the settings say so and there are any.

    Cards are changed in place, because others link to them.
    """
    if project.settings.art != AUTO:
        return
    stems: dict[Path, frozenset[str]] = {}
    for entry in entries:
        bases = _bases(project, entry)
        for base in bases:
            if base not in stems:
                stems[base] = _stems(project, base)
        if entry.card.art is None and any(entry.card.id in stems[base] for base in bases):
            entry.card.__dict__["art"] = Art(file=AUTO)


def _stems(project: Project, base: Path) -> frozenset[str]:
    """Return the names of the pictures in the folder 'art' without suffixes. Raises CardgenError."""
    try:
        return frozenset(Path(name).stem.lower() for name in _picture_names(project, base))
    except ValueError as error:
        place = Place(project.display_path(base / ART_FOLDER))
        raise CardgenError(Diagnostic(Code.OUTSIDE, str(error), place, "rename the folder, or remove files")) from None


def art_files(project: Project) -> Mapping[str, Path]:
    """Return the pictures in folders named 'art', by displayed path; some may have a format that cannot be drawn."""
    return {project.display_path(path): path for path in sorted(_walk_art(project.root))}


def _walk_art(root: Path) -> Iterator[Path]:
    for entry in walk(str(root), may_hold_cards):
        path = Path(entry.path)
        if entry.name.lower().endswith(_ALL_SUFFIXES) and ART_FOLDER in path.relative_to(root).parts[:-1]:
            yield path

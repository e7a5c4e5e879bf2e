"""The fonts at hand: those of the package rendercv-fonts, and those of a project's own folders."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path

from cardgen.project.paths import stays_in
from cardgen.text.harfbuzz import Face

_SUFFIXES = {".ttf", ".otf"}
_REGULAR, _BOLD = 400, 700
_TALL, _DEEP = "bdhklHIT", "gjpqy"
_NOT_IN_A_KEY = re.compile(r"[^A-Za-z0-9-]")


@dataclass(frozen=True, slots=True, eq=False)
class Font:
    """One face of a family, opened.

    `key` names it uniquely among its Fonts and does not change from run to run ('EBGaramond-BoldItalic').
    `ascent` is how high its tall letters reach, `descent` how deep its letters hang (positive); these, `cap_height`
    and `x_height` are in em. `lacking` gathers the characters that it was asked for in vain.
    """

    key: str
    path: Path
    ascent: float
    descent: float
    cap_height: float
    x_height: float
    units_per_em: int
    face: Face = field(repr=False)
    lacking: set[str] = field(default_factory=set, repr=False)


@dataclass(frozen=True, slots=True)
class _File:
    """A font file in the index, not opened yet."""

    key: str
    family: str
    weight: float
    italic: bool
    path: Path

    @property
    def truetype(self) -> bool:
        """What its name says of its outlines."""
        return self.path.suffix.lower() == ".ttf"


class Fonts:
    """All fonts that text may be set in, looked up by family; each is opened when it is first asked for.

    `folders` are searched for .ttf and .otf files, in this order, before the fonts that come with the program; a
    family found earlier hides one of the same name found later. The names of families are compared without
    regard to case and spaces.
    """

    def __init__(self, folders: Iterable[Path] = ()) -> None:
        self._folders = tuple(folders)
        self._chosen: dict[tuple[str, bool, bool], Font] = {}
        self._opened: dict[Path, Font] = {}

    def font(self, family: str, bold: bool = False, italic: bool = False) -> Font:
        """The face of a family; where the family lacks it the one that is nearest in weight, then in slant.

        Raises ValueError with a sentence for the user when no such family is at hand or its file cannot be used.
        """
        asked = (family, bold, italic)
        found = self._chosen.get(asked)
        if found is None:
            found = self._chosen[asked] = self._open(self._nearest(*asked))
        return found

    def path(self, key: str) -> Path:
        """The file of the font with this key. Raises KeyError when there is none."""
        return self._files[key].path

    def opened(self, key: str) -> Font:
        """The font with this key. Raises KeyError when there is none, and ValueError for one that cannot be used."""
        return self._open(self._files[key])

    @property
    def families(self) -> tuple[str, ...]:
        """The families that have TrueType files, sorted."""
        usable = (files[0].family for files in self._index.values() if any(file.truetype for file in files))
        return tuple(sorted(usable))

    def _nearest(self, family: str, bold: bool, italic: bool) -> _File:
        files = self._index.get(_folded(family))
        if files is None:
            raise ValueError(f"there is no font family '{family}'{_suggestion(family, self.families)}")
        weight = _BOLD if bold else _REGULAR
        return min(files, key=lambda file: (abs(file.weight - weight), file.italic != italic, not file.truetype))

    def _open(self, file: _File) -> Font:
        if file.path not in self._opened:
            self._opened[file.path] = _opened(file)
        return self._opened[file.path]

    @cached_property
    def _files(self) -> dict[str, _File]:
        return {file.key: file for files in self._index.values() for file in files}

    @cached_property
    def _index(self) -> dict[str, list[_File]]:
        index: dict[str, list[_File]] = {}
        keys: set[str] = set()
        for files in (*map(_project_files, self._folders), _packaged_files()):
            known = frozenset(index)
            for file in files:
                if _folded(file.family) not in known:
                    index.setdefault(_folded(file.family), []).append(_with_own_key(file, keys))
        return index


def _folded(family: str) -> str:
    return family.casefold().replace(" ", "")


def _suggestion(family: str, families: tuple[str, ...]) -> str:
    near = get_close_matches(family, families, n=1, cutoff=0.5)
    return f"; did you mean '{near[0]}'?" if near else f"; there are {', '.join(families)}"


def _with_own_key(file: _File, keys: set[str]) -> _File:
    plain = _NOT_IN_A_KEY.sub("", file.path.stem) or "Font"
    key, number = plain, 2
    while key in keys:
        key, number = f"{plain}-{number}", number + 1
    keys.add(key)
    return replace(file, key=key)


def _font_paths(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.suffix.lower() in _SUFFIXES and path.is_file())


def _project_files(folder: Path) -> Iterator[_File]:
    """A project's fonts are few and named as their makers liked, so they are opened to learn what they are."""
    for path in _font_paths(folder):
        if not stays_in(folder, path):
            raise ValueError(f"the font {path.name} is a link that leads out of its folder")
        face = Face(path)
        yield _File("", face.family or path.stem, face.weight, face.italic, path)


def _packaged_files() -> Iterator[_File]:
    """The package's fonts are many (59 MB) and well named: folder and file name tell everything."""
    spec = find_spec("rendercv_fonts")
    root = Path(spec.origin).parent if spec and spec.origin else None
    for path in _font_paths(root) if root else ():
        family, _, style = path.stem.rpartition("-")
        folder = path.parent.name
        # 'NotoSansJP' in the folder 'Noto Sans' is a family of its own.
        extra = family.removeprefix(folder.replace(" ", ""))
        name = folder if extra == family else f"{folder} {extra}".strip()
        yield _File("", name, _BOLD if "Bold" in style else _REGULAR, "Italic" in style, path)


def _opened(file: _File) -> Font:
    face = Face(file.path)
    if not face.truetype:
        raise ValueError(
            f"{file.path.name} has PostScript outlines, which cannot be embedded as text; use a TrueType (.ttf) font"
        )
    ascent, descent = face.extent(_TALL)[0], face.extent(_DEEP)[1]
    cap_height, x_height = face.metric("CAP_HEIGHT"), face.metric("X_HEIGHT")
    ascent = max(ascent, cap_height)
    return Font(file.key, file.path, ascent, descent, cap_height, x_height, face.units_per_em, face)

"""Fonts by family: project folders first, then the built-in fonts, then the package rendercv-fonts."""

from __future__ import annotations

import re
import struct
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from cardgen.diagnostic import CardgenError, Code, Diagnostic, Place, did_you_mean, escape_controls
from cardgen.project.files import display_path
from cardgen.runtime.fingerprint import PACKAGE, walk
from cardgen.runtime.regular_file import is_file, is_inside
from cardgen.text.harfbuzz import Axes, FontFace, Parts, script_of

# A wheel brings these; a checkout does not have the folder.
_BUILT_IN = PACKAGE / "fonts"
_SUFFIXES = {".ttf", ".otf"}
_OTHER_FORMATS = frozenset({".woff", ".woff2", ".ttc", ".otc", ".pfb", ".eot"})
_REGULAR, _BOLD = 400, 700
# Font files of a project; each is checked whenever a text is set.
_MOST_FILES = 200
# Installed families with characters that a text's own family may lack, in the order in which they are tried.
_FALLBACKS = ("Source Sans 3", "EB Garamond", "Gentium Book Plus", "Noto Sans", "Open Sans", "Noto Sans JP",
              "Noto Sans SC", "Noto Sans KR", "Mukta", "Noto Sans Arabic", "Noto Sans Thai")  # fmt: skip
# Those for a script are tried before all others.
_BY_SCRIPT = {"Jpan": "Noto Sans JP", "Kore": "Noto Sans KR", "Hans": "Noto Sans SC", "Deva": "Noto Sans"}
# Packages of one variable font each, by their modules.
_SINGLE_FONTS = {"fontpkg_noto_sans_arabic": "Noto Sans Arabic", "fontpkg_noto_sans_thai": "Noto Sans Thai"}
# They join letters, set directions, or allow breaks, and are not drawn.
INVISIBLE = re.compile("[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e"
                       "\u2060-\u206f\ufe00-\ufe0f\ufeff\U000e0000-\U000e0fff]")  # fmt: skip
# The extra and the module that have letters of a script.
_EXTRAS = {
    "Arab": ("scripts", "fontpkg_noto_sans_arabic"),
    "Thai": ("scripts", "fontpkg_noto_sans_thai"),
    **dict.fromkeys(("Hebr", "Deva", "Hani", "Hira", "Kana", "Hang"), ("fonts", "rendercv_fonts")),
}
# Letters of this weight or more look bold beside regular ones.
_BOLDISH = 550
_TALL, _DEEP = "bdhklHIT", "gjpqy"
# The axes of a variable font that slant its letters; the first one that a font has counts.
_SLANTS = ("ital", "slnt")
_INVALID_IN_KEY = re.compile(r"[^A-Za-z0-9-]")


@dataclass(frozen=True, slots=True, eq=False)
class Font:
    """One face of a family, opened.

    `key` is unique among its Fonts and the same in every run ('EBGaramond-BoldItalic'). `ascent` is the height of tall
    letters, and `descent` the depth of descenders (positive); these, `cap_height`, and `x_height` are in em.
    `missing_characters` collects the characters that were looked up and have no glyph.
    """

    key: str
    path: Path
    ascent: float
    descent: float
    cap_height: float
    x_height: float
    units_per_em: int
    face: FontFace = field(repr=False)
    missing_characters: set[str] = field(default_factory=set, repr=False)


# What a damaged font raises when it is embedded.
_DAMAGE = (RuntimeError, LookupError, ValueError, ArithmeticError, struct.error)


def embed(font: Font, characters: str) -> bytes:
    """Return a font file with only these characters. Raises CardgenError if the font is damaged."""
    try:
        return font.face.subset(characters, font.key)
    except _DAMAGE as error:
        raise CardgenError(damage(font.path, error)) from None


def subset_of(font: Font, glyphs: Sequence[Parts]) -> tuple[bytes, list[int]]:
    """Return a font file with only these glyphs, and their numbers in it (see `FontFace.subset_glyphs`).

    Raises CardgenError if the font is damaged.
    """
    try:
        return font.face.subset_glyphs(glyphs, font.key)
    except _DAMAGE as error:
        raise CardgenError(damage(font.path, error)) from None


def damage(path: Path, error: Exception) -> Diagnostic:
    """Return the diagnostic of a font file that cannot be embedded."""
    advice = "replace the file, or remove it to use the font that comes with cardgen"
    message = f"the font is damaged: {escape_controls(str(error))}"
    return Diagnostic(Code.DAMAGED_FONT, message, Place(display_path(path)), advice)


class _FontFile(NamedTuple):
    """Font file in the index, not opened yet."""

    key: str
    family: str
    weight: float
    italic: bool
    path: Path
    axes: Axes = ()

    @property
    def is_truetype(self) -> bool:
        """True if the file name says that the outlines are TrueType."""
        return self.path.suffix.lower() == ".ttf"


class Fonts:
    """All available fonts by family, opened on first use.

    `folders` are searched for .ttf and .otf files in order, before the built-in fonts; a family in an earlier folder
    hides one of the same name in a later folder. Names of families are compared ignoring case and spaces.
    """

    def __init__(self, folders: Iterable[Path] = ()) -> None:
        self._folders = tuple(folders)
        self._by_style: dict[tuple[str, bool, bool], Font] = {}
        self._by_file: dict[tuple[Path, Axes], Font] = {}

    def font(self, family: str, bold: bool = False, italic: bool = False) -> Font:
        """Return the face of a family nearest in weight, then in slant.

        Raises ValueError with a message for the user if the family is unknown or its file cannot be used.
        """
        style_key = (family, bold, italic)
        font = self._by_style.get(style_key)
        if font is None:
            font = self._by_style[style_key] = self._open(self._nearest(*style_key))
        return font

    def fallback(self, characters: str, bold: bool = False, italic: bool = False, script: str = "") -> Font | None:
        """Return the first face with all these characters: of the project's families, then of installed ones.

        Of the installed families, that of the `script` (ISO 15924, as `written_in` returns it) comes first.
        """
        preferred = (_BY_SCRIPT[script],) if script in _BY_SCRIPT else ()
        installed = (family for family in (*preferred, *_FALLBACKS) if _family_key(family) in self._index)
        for family in dict.fromkeys((*self._own_families, *installed)):
            font = self.font(family, bold, italic)
            if all(map(font.face.has_glyph, characters)):
                return font
        return None

    def has_glyph(self, character: str) -> bool:
        """Return whether any font has a character, or it needs no glyph.

        While a font file is invalid, this is unknown, and True.
        """
        if INVISIBLE.match(character):
            return True
        try:
            return any(
                self.font(family).face.has_glyph(character)
                for family in (*_FALLBACKS, *self.families)
                if _family_key(family) in self._index
            )
        except ValueError:
            return True

    @cached_property
    def _own_families(self) -> tuple[str, ...]:
        return tuple(sorted({file.family for files, _ in self._project_files for file in files}))

    def path(self, key: str) -> Path:
        """Return the file of the font with this key.

        Raises KeyError if there is no such font.
        """
        return self.files[key].path

    def font_by_key(self, key: str) -> Font:
        """Return the font with this key.

        Raises KeyError if there is no such font, and ValueError if it cannot be used.
        """
        return self._open(self.files[key])

    def unusable_files(self) -> Iterator[Diagnostic]:
        """Yield an error for each font file of the project that cannot be used."""
        for _, problems in self._project_files:
            yield from problems

    @property
    def families(self) -> tuple[str, ...]:
        """All families, sorted."""
        return tuple(sorted(files[0].family for files in self._index.values()))

    def family_problem(self, family: str) -> str:
        """Return why a family cannot be used, as a message for the user; an empty text if it can be.

        While a font file is invalid, the families are unknown; texts report the file.
        """
        try:
            if _family_key(family) in self._index:
                return ""
        except ValueError:
            return ""
        unread = [display_path(path) for folder in self._folders for path in unread_files(folder)]
        reason = f"; {unread[0]} is not read, because only .ttf and .otf files are" if unread else ""
        hint = did_you_mean(family, self.families) or f" (one of {', '.join(self.families)})"
        return f"unknown font family '{family}'{hint}{extra_advice()}{reason}"

    def has_face(self, family: str, *, bold: bool, italic: bool) -> bool:
        """Return whether a family has a face that is as bold and slanted as requested. It must exist."""
        file = self._nearest(family, bold, italic)
        return (file.weight >= _BOLDISH or not bold) and (file.italic or not italic)

    def _nearest(self, family: str, bold: bool, italic: bool) -> _FontFile:
        files = self._index.get(_family_key(family))
        if files is None:
            raise ValueError(self.family_problem(family))
        weight = _BOLD if bold else _REGULAR
        return min(files, key=lambda file: (abs(file.weight - weight), file.italic != italic, not file.is_truetype))

    def _open(self, file: _FontFile) -> Font:
        key = (file.path, file.axes)
        if key not in self._by_file:
            face = FontFace(file.path, file.axes) if file.axes else FontFace(file.path)
            ascent, descent = face.vertical_extent(_TALL)[0], face.vertical_extent(_DEEP)[1]
            cap_height, x_height = face.metric("CAP_HEIGHT"), face.metric("X_HEIGHT")
            ascent = max(ascent, cap_height)
            self._by_file[key] = Font(
                file.key, file.path, ascent, descent, cap_height, x_height, face.units_per_em, face
            )
        return self._by_file[key]

    @cached_property
    def files(self) -> Mapping[str, _FontFile]:
        """All faces with their families and files, by key."""
        return {file.key: file for files in self._index.values() for file in files}

    @cached_property
    def _project_files(self) -> list[tuple[list[_FontFile], list[Diagnostic]]]:
        """The fonts in each of the folders, and the errors of those that cannot be used."""
        return [_project_font_files(folder) for folder in self._folders]

    @cached_property
    def _index(self) -> dict[str, list[_FontFile]]:
        for problem in self.unusable_files():
            raise ValueError(problem.message)
        index: dict[str, list[_FontFile]] = {}
        keys: set[str] = set()
        packaged = map(_packaged_font_files, packaged_folders())
        for files in (*(files for files, _ in self._project_files), *packaged, _single_font_files()):
            earlier_families = frozenset(index)
            for file in files:
                if _family_key(file.family) not in earlier_families:
                    index.setdefault(_family_key(file.family), []).append(_with_unique_key(file, keys))
        return index


def _family_key(family: str) -> str:
    return family.casefold().replace(" ", "")


def extra_advice(characters: str = "") -> str:
    """Return advice on the extra with fonts for characters, or with more families, as the end of a sentence.

    It is nothing if the extra is installed, or if no extra has the characters.
    """
    if not characters:
        return "" if find_spec("rendercv_fonts") else "; more families come with the extra 'fonts'"
    extras = (_EXTRAS.get(script_of(character), ("", "")) for character in characters)
    extra = next((extra for extra, module in extras if extra and not find_spec(module)), "")
    return f"; the extra '{extra}' has fonts for this script" if extra else ""


def _with_unique_key(file: _FontFile, keys: set[str]) -> _FontFile:
    instance = "".join(f"-{tag}{value:g}" for tag, value in file.axes)
    plain = _INVALID_IN_KEY.sub("", f"{file.path.stem}{instance}") or "Font"
    key, number = plain, 2
    while key in keys:
        key, number = f"{plain}-{number}", number + 1
    keys.add(key)
    return file._replace(key=key)


def _font_paths(folder: Path) -> list[Path]:
    return [path for path in _below(folder) if path.suffix.lower() in _SUFFIXES and is_file(path, folder)]


def _below(folder: Path) -> list[Path]:
    return sorted(Path(entry.path) for entry in walk(str(folder), hidden=True))


def unread_files(folder: Path) -> list[Path]:
    """Return the fonts below a folder whose formats are not read, such as WOFF2."""
    others = (path for path in _below(folder) if path.suffix.lower() in _OTHER_FORMATS)
    return [path for path in others if is_file(path, folder) and is_inside(folder, path)]


def _project_font_files(folder: Path) -> tuple[list[_FontFile], list[Diagnostic]]:
    """Return a project's fonts, opened to read their family and style, and an error for each that cannot be used.

    Their file names follow no convention.
    """
    files: list[_FontFile] = []
    problems: list[Diagnostic] = []
    paths = _font_paths(folder)
    if len(paths) > _MOST_FILES:
        message = f"there are {len(paths):,} fonts in this folder, but cardgen reads at most {_MOST_FILES}"
        advice = "remove those that no text uses"
        return [], [Diagnostic(Code.DAMAGED_FONT, message, Place(display_path(folder)), advice)]
    for path in paths:
        try:
            files += _instances(path, _open_project_font(folder, path))
        except ValueError as error:
            advice = "replace the file, or remove it"
            problems.append(Diagnostic(Code.DAMAGED_FONT, str(error), Place(display_path(path)), advice))
    return files, problems


def _open_project_font(folder: Path, path: Path) -> FontFace:
    """Open a font of a project. Raises ValueError with a message for the user if it cannot be used."""
    if not is_inside(folder, path):
        raise ValueError(f"the font {path.name} is a link that points outside its folder")
    face = FontFace(path)
    if not face.has_outlines:
        raise ValueError(f"{path.name} has no outlines; use a TrueType or OpenType font")
    if face.is_damaged:
        raise ValueError(f"{path.name} is damaged; save the font again, or remove it")
    return face


def _instances(path: Path, face: FontFace) -> Iterator[_FontFile]:
    """Yield the faces of a file: of a variable font, those that a text can ask for."""
    ranges, family = face.axis_ranges, face.family or path.stem
    plain = _FontFile("", family, face.weight, face.italic, path)
    weights = (_REGULAR, _BOLD) if "wght" in ranges else (face.weight,)
    slants = [(False, ()), *((True, (axis,)) for axis in map(partial(_slant_axis, ranges), _SLANTS) if axis)][:2]
    if not ranges:
        yield plain
        return
    for weight in dict.fromkeys(_within(weight, ranges.get("wght")) for weight in weights):
        for italic, slant in slants:
            axes = (("wght", weight), *slant) if "wght" in ranges else slant
            yield plain._replace(weight=weight, italic=italic or face.italic, axes=axes)


def _within(value: float, limits: tuple[float, float] | None) -> float:
    return min(max(value, limits[0]), limits[1]) if limits else value


def _slant_axis(ranges: Mapping[str, tuple[float, float]], tag: str) -> tuple[str, float] | None:
    """Return an axis at its most slanted, if the font has it; the angle of 'slnt' is negative."""
    if tag not in ranges:
        return None
    low, high = ranges[tag]
    return (tag, high if tag == "ital" else low) if low != high else None


def packaged_folders() -> tuple[Path, ...]:
    """Return the folders with fonts that are installed: those of the program, then those of rendercv-fonts."""
    spec = find_spec("rendercv_fonts")
    more = (Path(spec.origin).parent,) if spec and spec.origin else ()
    return (_BUILT_IN, *more) if _BUILT_IN.is_dir() else more


def _packaged_font_files(root: Path) -> Iterator[_FontFile]:
    """Yield the fonts of an installed folder by folder and file name.

    They can be many (59 MB) and are consistently named, so they need not be opened.
    """
    for path in _font_paths(root):
        family, _, style = path.stem.rpartition("-")
        folder = path.parent.name
        # 'NotoSansJP' in the folder 'Noto Sans' is a separate family.
        extra = family.removeprefix(folder.replace(" ", ""))
        name = folder if extra == family else f"{folder} {extra}".strip()
        yield _FontFile("", name, _BOLD if "Bold" in style else _REGULAR, "Italic" in style, path)


def _single_font_files() -> Iterator[_FontFile]:
    """Yield the faces of installed packages with one variable font each."""
    for module, family in _SINGLE_FONTS.items():
        spec = find_spec(module)
        for path in _font_paths(Path(spec.origin).parent) if spec and spec.origin else ():
            for weight in (_REGULAR, _BOLD):
                yield _FontFile("", family, weight, False, path, (("wght", float(weight)),))

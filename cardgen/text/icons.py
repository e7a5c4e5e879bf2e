"""Icons that stand among the words: a project's own SVG files first, then Font Awesome's solid ones."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path

from cardgen.project.paths import is_inside
from cardgen.text.harfbuzz import FontFace
from cardgen.text.lines import Outline, PathCommand
from cardgen.text.svg import read_icon

_FONT = Path("Font Awesome 7") / "Font Awesome 7 Free-Solid-900.otf"
# Font Awesome draws on a square of one em whose lower edge lies an eighth below the baseline.
_LOWER_EDGE = -0.125
# Nothing that could lead out of the folder.
_NAME = re.compile(r"\w[-\w. ]{0,99}")
_NO_ICONS = {".notdef", "space"}


class Icons:
    """The icons at hand, looked up by name; each is read when it is first asked for.

    `folders` are searched for NAME.svg, in this order, before Font Awesome.
    """

    def __init__(self, folders: Iterable[Path] = ()) -> None:
        self._folders = tuple(folders)
        self._cache: dict[str, Outline | None] = {}

    def find(self, name: str) -> Outline | None:
        """The outline of an icon, or None when there is none of that name.

        Raises ValueError with a sentence for the user when its file is no icon that can be used.
        """
        if name not in self._cache:
            self._cache[name] = self._project_icon(name) or _font_awesome_icon(name)
        return self._cache[name]

    def is_project_icon(self, name: str) -> bool:
        """Whether one of the folders has a file for it, so that it is more than an icon of Font Awesome's."""
        return bool(_NAME.fullmatch(name)) and any((folder / f"{name}.svg").is_file() for folder in self._folders)

    def names(self) -> tuple[str, ...]:
        """The names of all icons, sorted."""
        project_names = (path.stem for folder in self._folders for path in folder.glob("*.svg"))
        face = _font_awesome()
        return tuple(sorted({*project_names, *(face.glyph_names() if face else ())} - _NO_ICONS))

    def _project_icon(self, name: str) -> Outline | None:
        if not _NAME.fullmatch(name):
            return None
        paths = ((folder, folder / f"{name}.svg") for folder in self._folders)
        folder, path = next(((folder, path) for folder, path in paths if path.is_file()), (None, None))
        if folder is None or path is None:
            return None
        if not is_inside(folder, path):
            raise ValueError(f"{path.name} cannot be used as an icon: it is a link that leads out of its folder")
        return read_icon(path)


@lru_cache(maxsize=1)
def built_in_icons() -> Icons:
    """The icons that come with the program."""
    return Icons()


@lru_cache(maxsize=1)
def _font_awesome() -> FontFace | None:
    spec = find_spec("rendercv_fonts")
    path = Path(spec.origin).parent / _FONT if spec and spec.origin else None
    return FontFace(path) if path and path.is_file() else None


def _font_awesome_icon(name: str) -> Outline | None:
    face = _font_awesome()
    outline = face.outline(name) if face and name not in _NO_ICONS else None
    return None if outline is None else Outline((tuple(map(_shift_up, outline[0])),), outline[1])


def _shift_up(stroke: PathCommand) -> PathCommand:
    """The stroke as seen from the lower edge."""
    return (stroke[0], *(n - _LOWER_EDGE if index % 2 else n for index, n in enumerate(stroke[1:])))

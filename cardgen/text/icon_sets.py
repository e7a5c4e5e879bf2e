"""Icon sets in the JSON format of Iconify: files that settings name, or that are in a project's folder `icons`.

The format is that of https://iconify.design/docs/types/iconify-json.html: bodies of SVG by name, aliases of them, which
may be turned or mirrored, and the author and the license of the set. Packages such as @iconify-json/game-icons have the
latter in a file of their own, info.json beside icons.json.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from cardgen.diagnostic import CardgenError, Code, Diagnostic, Place
from cardgen.project.files import display_path, require_inside
from cardgen.runtime import regular_file
from cardgen.runtime.regular_file import ALL_SAVED, UnsavedFiles, stays_inside
from cardgen.text.lines import Outline

# game-icons.json, with 4,000 icons, has 7 MiB.
_MAX_BYTES = 64 << 20
_NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
# An alias of an alias, and so on.
_MOST_ALIASES = 8
_USUAL_SIZE = 16.0
_PACKAGE_ICONS, _PACKAGE_INFO = "icons.json", "info.json"


class IconSet(NamedTuple):
    """One icon set: its file, the prefix of its names, whom to credit, and its content."""

    path: Path
    prefix: str
    title: str
    author: str
    license: str
    content: Mapping[str, Any]

    @property
    def credit(self) -> str:
        """What the license asks to be said, such as 'Game Icons by Lorc'."""
        return f"{self.title} by {self.author}" if self.author else self.title

    def names(self) -> Iterator[str]:
        """Yield the names of all icons that are not hidden."""
        for part in ("icons", "aliases"):
            for name, icon in self.content.get(part, {}).items():
                if _NAME.fullmatch(name) and isinstance(icon, dict) and not icon.get("hidden"):
                    yield name

    def svg(self, name: str) -> bytes | None:
        """Return the SVG of an icon, or None if the set does not have it. Raises ValueError if it is damaged."""
        icon = self._resolve(name)
        if icon is None:
            return None
        body = icon.get("body")
        left, top, width, height = (
            _number({**self.content, **icon}.get(key, usual))
            for key, usual in (("left", 0.0), ("top", 0.0), ("width", _USUAL_SIZE), ("height", _USUAL_SIZE))
        )
        if not isinstance(body, str) or width <= 0 or height <= 0:
            raise ValueError(f"the icon '{name}' has no body, or no size")
        x, y = left + width / 2, top + height / 2
        if icon["rotate"] % 2:
            left, top, width, height = x - height / 2, y - width / 2, height, width
        mirrored = f"scale({-1 if icon['hFlip'] else 1} {-1 if icon['vFlip'] else 1})"
        turned = f"translate({x:g} {y:g}) rotate({90 * icon['rotate']}) {mirrored} translate({-x:g} {-y:g})"
        box = f'viewBox="{left:g} {top:g} {width:g} {height:g}" width="{width:g}" height="{height:g}"'
        links = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
        return f'<svg {links} {box}><g transform="{turned}">{body}</g></svg>'.encode()

    def _resolve(self, name: str) -> dict[str, Any] | None:
        """Return the values of an icon, with those of its aliases."""
        found: dict[str, Any] = {}
        turns, across, upright = 0, False, False
        for _ in range(_MOST_ALIASES):
            icon = self.content["icons"].get(name)
            each = self.content.get("aliases", {}).get(name) if icon is None else icon
            if not isinstance(each, dict):
                return None
            found = {**each, **found}
            turns += int(_number(each.get("rotate", 0)))
            across, upright = across ^ bool(each.get("hFlip")), upright ^ bool(each.get("vFlip"))
            if icon is not None:
                return {**found, "rotate": turns % 4, "hFlip": across, "vFlip": upright}
            name = str(each.get("parent"))
        return None


def _number(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) < 1e6:
        raise ValueError(f"a size must be a number, not {str(value)[:20]!r}")
    return float(value)


def read_icon_set(path: Path, unsaved: UnsavedFiles = ALL_SAVED) -> IconSet:
    """Return an icon set. Raises CardgenError, at its file, if it is not one."""
    try:
        content = json.loads(regular_file.read(path, _MAX_BYTES, unsaved))
        prefix, info = content["prefix"], content.get("info") or _info_of_package(path, unsaved)
        author, license_ = info.get("author") or {}, info.get("license") or {}
        texts = (info.get("name") or prefix, author.get("name") or "", license_.get("title") or "")
        parts = (content["icons"], content.get("aliases", {}))
        is_set = bool(_NAME.fullmatch(prefix)) and all(isinstance(part, dict) for part in parts)
    except regular_file.FileTooLargeError:
        raise _unusable(path, f"the icon set is larger than {_MAX_BYTES >> 20} MiB") from None
    except OSError as error:
        raise _unusable(path, f"the icon set cannot be read: {error.strerror or error}") from None
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError):
        is_set = False
    if not is_set:
        raise _unusable(path, "this is not an icon set in the format of Iconify, which has 'prefix' and 'icons'")
    title, author_name, license_title = (" ".join(str(text).split())[:200] for text in texts)
    return IconSet(path, prefix, title, author_name, license_title, content)


def _info_of_package(path: Path, unsaved: UnsavedFiles) -> Any:
    file = path.with_name(_PACKAGE_INFO)
    if path.name != _PACKAGE_ICONS or not stays_inside(path.parent, file):
        return {}
    with suppress(FileNotFoundError):
        return json.loads(regular_file.read(file, _MAX_BYTES, unsaved))
    return {}


def _files(folder: Path) -> list[Path]:
    """Return the files of icon sets in a folder. Raises CardgenError for one that is a link out of it."""
    packages = (path / _PACKAGE_ICONS for path in regular_file.glob_inside(folder, "*"))
    found = (*sorted(folder.glob("*.json")), *filter(os.path.lexists, packages))
    return [require_inside(folder, path, display_path(path)) for path in found]


def _unusable(path: Path, message: str) -> CardgenError:
    advice = "save the JSON file of a set, such as the one in the package @iconify-json/game-icons, or remove it"
    return CardgenError(Diagnostic(Code.ART, message, Place(display_path(path)), advice))


class IconSets:
    """The icon sets of some folders, and then those of `named`; files are read when the first icon is looked for.

    `outline` returns the outline of the SVG of an icon, or raises CardgenError at the path of its set.
    """

    def __init__(
        self,
        folders: Iterable[Path] = (),
        outline: Callable[[bytes, Path], Outline] | None = None,
        unsaved: UnsavedFiles = ALL_SAVED,
        named: Callable[[], Iterable[Path]] = tuple,
    ) -> None:
        self._folders, self._outline, self._unsaved, self._named = tuple(folders), outline, unsaved, named
        self._sets: tuple[IconSet, ...] | None = None
        self._cache: dict[str, Outline | None] = {}

    def sets(self) -> tuple[IconSet, ...]:
        """Return all sets, in the order of their names. Raises CardgenError if a file is missing or not a set."""
        if self._sets is None:
            found = [path for folder in self._folders for path in _files(folder)]
            known = {path.resolve() for path in found}
            named = [path for path in dict.fromkeys(self._named()) if path.resolve() not in known]
            self._sets = tuple(read_icon_set(path, self._unsaved) for path in (*found, *named))
        return self._sets

    def find(self, name: str) -> Outline | None:
        """Return the outline of an icon, 'axe' or 'game-icons:axe'; None if no set has it.

        Raises CardgenError, at the file of the set, if the icon cannot be drawn.
        """
        if name not in self._cache:
            self._cache[name] = self._find(name)
        return self._cache[name]

    def _find(self, name: str) -> Outline | None:
        prefix, _, own = name.rpartition(":")
        for each in self.sets() if self._outline else ():
            if prefix in ("", each.prefix):
                try:
                    svg = each.svg(own)
                except ValueError as error:
                    raise _unusable(each.path, str(error)) from None
                if svg is not None and self._outline:
                    return self._outline(svg, each.path)
        return None

    def names(self) -> tuple[str, ...]:
        """Return the names of all icons without their prefixes; of files that cannot be used, there are none."""
        with suppress(CardgenError):
            return tuple(name for each in self.sets() for name in each.names())
        return ()

    def unusable_files(self) -> Iterator[Diagnostic]:
        """Yield the problems of the files."""
        try:
            self.sets()
        except CardgenError as error:
            yield from error.diagnostics

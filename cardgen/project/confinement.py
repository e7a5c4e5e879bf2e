"""Confine paths to the project: neither words nor links may lead out of it."""

from __future__ import annotations

import errno
import os
import re
from pathlib import Path, PurePosixPath, PureWindowsPath

from cardgen.codes import Code
from cardgen.diagnostic import CardgenError, Diagnostic, Place

_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:")
# The error of Windows for a link that it cannot resolve.
_WINDOWS_LINK_LOOP = 1921
_HELP = "replace the link with what it points to"


def resolve_inside(root: Path, text: str, base: Path) -> Path:
    """Resolve the path `text` relative to `base`; it need not exist.

    Raises ValueError with a message for the user if it is not a relative path, or points outside the folder `root`.
    """
    if _URL.match(text):
        raise ValueError(f"'{text}' is a URL; save the file in the project and write its path")
    if PurePosixPath(text).is_absolute() or PureWindowsPath(text).anchor:
        raise ValueError(f"'{text}' is an absolute path; write a path relative to the card's folder")
    if "\\" in text:
        raise ValueError(f"'{text}' contains a backslash; use forward slashes")
    try:
        target = _resolve(base / text)
        within = target.is_relative_to(_resolve(root))
    except (OSError, ValueError) as error:  # a loop of links, a name that is too long, or a null byte
        raise ValueError(f"'{text}' is not a valid path") from error
    if not within:
        raise ValueError(f"'{text}' points outside the project")
    return target


def resolve_visible(folder: Path, text: str) -> Path:
    """Resolve the path `text` of a file below `folder` that a browser asks for, as `resolve_inside` does.

    Raises ValueError also for a hidden file, or one in a hidden folder, whether by its name or behind a link.
    """
    target = resolve_inside(folder, text, folder)
    if any(part.startswith(".") for part in (*PurePosixPath(text).parts, *target.relative_to(_resolve(folder)).parts)):
        raise ValueError(f"'{text}' is hidden")
    return target


def is_inside(folder: Path, path: Path) -> bool:
    """Return whether no link leads a file below `folder` out of it.

    Raises OSError if a link points to itself.
    """
    return _resolve(path).is_relative_to(_resolve(folder))


def _resolve(path: Path) -> Path:
    """Follow the links of a path; it need not exist.

    Raises OSError if a link points to itself. `Path.resolve` raises RuntimeError there, and nothing since Python 3.13.
    """
    try:
        return Path(os.path.realpath(path, strict=True))
    except OSError as error:
        if error.errno == errno.ELOOP or getattr(error, "winerror", 0) == _WINDOWS_LINK_LOOP:
            raise
    return Path(os.path.realpath(path))


def require_inside(root: Path, path: Path, name: str) -> Path:
    """Return `path`, which messages call `name`.

    Raises CardgenError if it is, or is below, a link that points out of the folder `root` or to itself.
    """
    try:
        reason = "" if is_inside(root, path) else "the link points outside the project"
    except OSError:
        reason = "the link points to itself"
    if reason:
        raise CardgenError(Diagnostic(Code.OUTSIDE, reason, Place(name), _HELP))
    return path


def require_named_inside(root: Path, path: Path, name: str) -> Path:
    """Return the absolute form of a path that the user named, which may be anywhere.

    Raises CardgenError if it is in the project and a link leads from it out of the project, or if it is elsewhere and
    itself such a link out of its folder. `root` is absolute.
    """
    absolute = Path(os.path.abspath(path))  # noqa: PTH100 - resolve() would follow links
    return require_inside(root if absolute.is_relative_to(root) else absolute.parent, absolute, name)

"""Paths: how users see them, and that none leaves the project."""

from __future__ import annotations

import os
import re
from pathlib import Path, PurePosixPath, PureWindowsPath

_PACKAGE = Path(__file__).parent.parent
_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:")


def display_path(path: Path) -> str:
    """The path as the user would type it: relative to the current folder when inside it, with slashes."""
    absolute, here = os.path.abspath(path), os.getcwd()  # noqa: PTH100, PTH109 - resolve() would follow links
    if absolute == here:
        return "."
    prefix = here.rstrip(os.sep) + os.sep
    return absolute.removeprefix(prefix).replace(os.sep, "/")


def built_in_folder(name: str) -> Path:
    """The folder of that name that comes with the program ('templates', 'cards').

    It lies inside the package when the program is installed, and beside it in a checkout.
    """
    packaged = _PACKAGE / name
    return packaged if packaged.is_dir() else _PACKAGE.parent / name


def resolve_inside(root: Path, text: str, base: Path) -> Path:
    """The file that a card in the folder `base` means by `text`, resolved; it need not exist.

    Raises ValueError with a sentence for the user when it is no relative path, or leads out of the folder `root`.
    """
    if _URL.match(text):
        raise ValueError(f"'{text}' is an address; save the file in the project and write its path")
    if PurePosixPath(text).is_absolute() or PureWindowsPath(text).anchor:
        raise ValueError(f"'{text}' is an absolute path; write one that starts at the card's folder")
    if "\\" in text:
        raise ValueError(f"'{text}' has a backslash; write the path with slashes")
    try:
        target = (base / text).resolve()
        within = target.is_relative_to(root.resolve())
    except (OSError, RuntimeError, ValueError) as error:  # A loop of links, a name too long, or a null byte.
        raise ValueError(f"'{text}' is no path that can be followed") from error
    if not within:
        raise ValueError(f"'{text}' leads out of the project")
    return target


def is_inside(folder: Path, path: Path) -> bool:
    """Whether a file found below `folder` lies there in truth: no link leads it out."""
    return path.resolve().is_relative_to(folder.resolve())

"""Identity of an installation: the versions and files on which results can depend."""

from __future__ import annotations

import hashlib
import platform
import sys
import zlib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from cardgen import __version__
from cardgen.runtime.fingerprint import PACKAGE, PROGRAM_FOLDERS, walk
from cardgen.runtime.installed_games import package_folders

# Those of cardgen, as in pyproject.toml, and Dask.
DEPENDENCIES = (
    "cairosvg", "click", "cssselect2", "jinja2", "pikepdf", "pillow", "platformdirs", "pydantic", "pypdfium2", "pyphen",
    "pyyaml", "reportlab", "tinycss2", "uharfbuzz", "dask", "distributed",
)  # fmt: skip
_MISSING = "none"
_FILES = "files of cardgen"


@cache
def identity() -> dict[str, str]:
    """Return what must be equal on two machines for equal results, by name, with its version or digest."""
    return {
        "cardgen": __version__,
        _FILES: _digest(PROGRAM_FOLDERS),
        "Python": f"{platform.python_implementation()} {platform.python_version()}",
        "system": f"{sys.platform} {platform.machine()}",
        "zlib": zlib.ZLIB_RUNTIME_VERSION,
        **{name: _version(name) for name in DEPENDENCIES},
        **{f"game {game}": _digest((folder,)) for game, folder in sorted(_other_packages())},
    }


def digest_of(each: Mapping[str, str]) -> str:
    """Return a digest of an identity."""
    return hashlib.blake2b(repr(sorted(each.items())).encode(), digest_size=16).hexdigest()


def differences(theirs: Mapping[str, str], ours: Mapping[str, str]) -> list[str]:
    """Return how an identity differs from ours, as texts such as 'pillow 11.0 instead of 12.0'."""
    names = [name for name in {**ours, **theirs} if theirs.get(name) != ours.get(name)]
    return [_difference(name, theirs.get(name, _MISSING), ours.get(name, _MISSING)) for name in names]


def _difference(name: str, theirs: str, ours: str) -> str:
    if name == _FILES or (name.startswith("game ") and _MISSING not in (theirs, ours)):
        return f"other {name}"
    return f"{name} {theirs} instead of {ours}"


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return _MISSING


def _other_packages() -> Iterator[tuple[str, Path]]:
    """Yield the id and folder of each game that is installed beside cardgen."""
    return ((game, folder) for game, folder in package_folders().items() if not folder.is_relative_to(PACKAGE))


def _digest(folders: tuple[Path, ...]) -> str:
    """Return a digest of the names and contents of all files in folders."""
    total = hashlib.blake2b(digest_size=16)
    for folder in folders:
        for entry in walk(str(folder)):
            name = f"{folder.name}/{Path(entry.path).relative_to(folder).as_posix()}"
            content = hashlib.blake2b(Path(entry.path).read_bytes(), digest_size=16).digest()
            total.update(name.encode("utf-8", "surrogateescape") + b"\0" + content)
    return total.hexdigest()

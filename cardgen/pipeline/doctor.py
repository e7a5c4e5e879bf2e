"""Diagnosis of the installation, with advice for each failure."""

from __future__ import annotations

import platform
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

from cardgen.diagnostic import CardgenError
from cardgen.pipeline.load import game_settings
from cardgen.project import Project
from cardgen.rulesets import ruleset
from cardgen.user_folders import cache_folder

_OLDEST = (3, 11)
_SPECIMEN = b'<svg xmlns="http://www.w3.org/2000/svg" width="10mm" height="10mm"><rect width="9" height="9"/></svg>'
_CACHE_ADVICE = (
    "make this folder writable (or, on Linux, set XDG_CACHE_HOME to another folder); "
    "builds work without a cache, but take longer"
)
_REINSTALL = "reinstall cardgen in a new virtual environment"


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """The state of one requirement; `advice` is for failures."""

    name: str
    ok: bool
    detail: str
    advice: str = ""


def examine(start: Path | None = None) -> Iterator[Diagnosis]:
    """Examine all requirements in turn, even after a failure.

    `start` is a folder of the project to examine, by default the current folder.
    """
    yield _python()
    examinations: tuple[tuple[str, Callable[[], str], str], ...] = (
        ("cairo", _cairo, _cairo_advice()),
        ("fonts", _fonts, _REINSTALL),
        ("cache", _cache, _CACHE_ADVICE),
        ("artwork", _artwork, "fix the problem with cairo first"),
        ("pictures", _pictures, _REINSTALL),
        ("games", _games, _REINSTALL),
        ("project", lambda: _project(start), "fix the settings named above"),
    )
    for name, examination, advice in examinations:
        yield _diagnose(name, examination, advice)


def _diagnose(name: str, examination: Callable[[], str], advice: str) -> Diagnosis:
    try:
        return Diagnosis(name, ok=True, detail=examination())
    except CardgenError as error:
        first = error.diagnostics[0]
        return Diagnosis(name, ok=False, detail=str(first), advice=first.help or advice)
    except (ImportError, OSError, ValueError, LookupError) as error:
        return Diagnosis(name, ok=False, detail=str(error).splitlines()[0], advice=advice)


def _python() -> Diagnosis:
    enough = sys.version_info >= _OLDEST
    advice = f"install Python {'.'.join(map(str, _OLDEST))} or newer"
    return Diagnosis("Python", enough, f"{platform.python_version()} on {platform.system()}", "" if enough else advice)


def _cairo() -> str:
    version = import_module("cairocffi").cairo_version_string()
    return f"libcairo {version}"


def _cairo_advice() -> str:
    return str(import_module("cardgen.export.cairo_artwork").HOW_TO_GET_CAIRO)


def _fonts() -> str:
    fonts = import_module("cardgen.text.fonts").Fonts()
    fonts.font("EB Garamond")
    fonts.font("Source Sans 3")
    return f"{len(fonts.families)} families"


def _cache() -> str:
    """Examine the folder for artwork and manifests.

    Raises OSError with the name of the folder if it is not writable.
    """
    folder = cache_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder) as file:
            file.write(b"cardgen")
    except OSError as error:
        raise OSError(f"cannot write to {folder}: {error.strerror or error}") from None
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    return f"{folder}, {size / 2**20:.1f} MiB; can be deleted at any time"


def _artwork() -> str:
    document: bytes = import_module("cardgen.export.cairo_artwork").to_pdf(_SPECIMEN)
    return f"test drawing: {len(document)} bytes"


def _pictures() -> str:
    document: bytes = import_module("cardgen.export.cairo_artwork").to_pdf(_SPECIMEN)
    png: bytes = import_module("cardgen.export.png").Rasterizer(document, 72).page(0)
    return f"test picture: {len(png)} bytes"


def _games() -> str:
    return ", ".join(ruleset.games())


def _project(start: Path | None) -> str:
    project = Project.find(start)
    with game_settings.in_force(project):  # reports what is wrong in the blocks of games
        pass
    settings = "settings from cardgen.yaml" if project.document else "no cardgen.yaml; default settings"
    return f"{project.display_path(project.root)}, {settings}"

"""Diagnosis of the installation, with advice for each failure."""

from __future__ import annotations

import platform
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path

from cardgen.deck.deck import read_game_settings, require_game
from cardgen.diagnostic import CardgenError
from cardgen.project.project import Project
from cardgen.runtime.fingerprint import walk_statuses
from cardgen.runtime.processes import away_from_current_folder
from cardgen.runtime.user_folders import cache_folder
from cardgen.units import Size

_OLDEST = (3, 11)
_SPECIMEN_SIZE = 10
_SPECIMEN = (
    b'<svg xmlns="http://www.w3.org/2000/svg" width="10mm" height="10mm" viewBox="0 0 10 10">'
    b'<defs><linearGradient id="g"><stop stop-color="red"/><stop offset="1" stop-color="blue"/></linearGradient></defs>'
    b'<rect width="9" height="9" fill="url(#g)" opacity="0.5"/></svg>'
)
_CACHE_ADVICE = (
    "make this folder writable (or, on Linux, set XDG_CACHE_HOME to another folder); "
    "builds work without a cache, but take longer"
)
_REINSTALL = "reinstall cardgen in a new virtual environment"


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """The state of one requirement; `advice` is for failures.

    A failure of what is not required makes some features unavailable.
    """

    name: str
    ok: bool
    detail: str
    advice: str = ""
    is_required: bool = True


def examine(start: Path | None = None) -> Iterator[Diagnosis]:
    """Examine all requirements in turn, even after a failure.

    `start` is a folder of the project to examine, by default the current folder.
    """
    yield _python()
    examinations: tuple[tuple[str, Callable[[], str], str], ...] = (
        ("fonts", _fonts, _REINSTALL),
        ("cache", _cache, _CACHE_ADVICE),
        ("artwork", _artwork, _REINSTALL),
        ("pictures", _pictures, _REINSTALL),
        ("games", lambda: _games(start), _REINSTALL),
        ("project", lambda: _project(start), "fix the settings named above"),
    )
    for name, examination, advice in examinations:
        yield _diagnose(name, examination, advice)
    yield replace(_diagnose("cairo", _cairo, _cairo_advice()), is_required=False)


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
    with away_from_current_folder():
        version = import_module("cairocffi").cairo_version_string()
    return f"libcairo {version}"


def _cairo_advice() -> str:
    how = import_module("cardgen.export.pdf.cairo").HOW_TO_GET_CAIRO
    return f"optional: only artwork with masks, patterns, markers, or style sheets needs it; {how}"


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
    size = sum(status.st_size for _, status in walk_statuses(str(folder), hidden=True))
    return f"{folder}, {size / 2**20:.1f} MiB; can be deleted at any time"


def _artwork() -> str:
    return f"test drawing: {len(_specimen())} bytes"


def _pictures() -> str:
    png: bytes = import_module("cardgen.export.svg").Rasterizer(_specimen(), 72).page(0)
    webp = "" if import_module("PIL.features").check("webp") else "; Pillow cannot read WebP"
    return f"test picture: {len(png)} bytes{webp}"


def _specimen() -> bytes:
    """Return a PDF with artwork; imports its writers as late as a build does."""
    pdf, faces = import_module("cardgen.export.pdf.writer"), import_module("cardgen.face.face")
    imposition, fonts = import_module("cardgen.sheet.imposition"), import_module("cardgen.text.fonts")
    size = Size(_SPECIMEN_SIZE, _SPECIMEN_SIZE)
    face = faces.Face(size, 0.0, (faces.Artwork(_SPECIMEN),))
    leaf = next(imposition.impose_single([imposition.PrintPiece(face)], size, 0))
    document: bytes = pdf.write([leaf.front], fonts.Fonts(), pdf.DocumentInfo("specimen"))
    return document


def _games(start: Path | None) -> str:
    """Examine the games. Raises CardgenError with the first mistake in one of the project's."""
    workspace = Project.find(start).workspace
    own = workspace.games
    for game in own:
        require_game(game, workspace)
    installed = ", ".join(game for game in workspace.game_ids if game not in own)
    return f"{installed}; of this project: {', '.join(own)}" if own else installed


def _project(start: Path | None) -> str:
    project = Project.find(start)
    read_game_settings(project)  # reports what is wrong in the blocks of games
    settings = "settings from cardgen.yaml" if project.document else "no cardgen.yaml; default settings"
    return f"{project.display_path(project.root)}, {settings}"

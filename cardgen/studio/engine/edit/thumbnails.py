"""Small pictures of the project's picture files, for lists to choose from."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlencode

from cardgen.editor.session import Session
from cardgen.export.thumbnail import thumbnail
from cardgen.face.vector_art.artwork import VectorArt, is_vector_art, open_vector_art
from cardgen.project.files import resolve_visible
from cardgen.runtime import regular_file
from cardgen.runtime.fingerprint import PICTURE_SUFFIXES

_LONGEST_SIDE = 96
_MOST_SVG_BYTES = 1 << 20
_SVG = """\
<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="{0:g}" height="{1:g}" \
viewBox="0 0 {0:g} {1:g}"><defs>{2}</defs>{3}</svg>"""


class Thumbnail(NamedTuple):
    """A small picture, or the problem that keeps a file from having one."""

    content: bytes
    media_type: str = ""
    problem: str = ""


def thumbnail_address(root: Path, path: Path) -> str:
    """Return the address of the thumbnail of a file of the project; it changes with the file."""
    try:
        changed = path.stat().st_mtime_ns
    except OSError:
        return ""
    return f"/thumbnail?{urlencode({'file': path.relative_to(root).as_posix(), 'v': changed})}"


class Thumbnails:
    """The part of the engine for thumbnails."""

    def __init__(self, session: Session) -> None:
        self._root = session.root

    def picture(self, file: str) -> Thumbnail:
        """Return the thumbnail of a picture file of the project.

        Browsers draw SVG files, as cards have them: a browser has no limits for what a small file can stand for.
        """
        if not file.lower().endswith(PICTURE_SUFFIXES):
            return Thumbnail(b"", problem=f"'{file}' is not a picture")
        try:
            path = resolve_visible(self._root, file)
            if is_vector_art(path):
                return Thumbnail(_svg(open_vector_art(path)), "image/svg+xml")
            return Thumbnail(thumbnail(path, _LONGEST_SIDE), "image/png")
        except (ValueError, OSError, regular_file.FileTooLargeError) as error:
            return Thumbnail(b"", problem=str(error))


def _svg(art: VectorArt) -> bytes:
    """Return a reduced picture as a file. Raises ValueError if it is too large for a thumbnail."""
    content = _SVG.format(*art.size, art.definitions, art.body).encode()
    if len(content) > _MOST_SVG_BYTES:
        raise ValueError("the picture is too large for a thumbnail")
    return content

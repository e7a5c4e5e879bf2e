"""Pictures that authors give to cards: checked, and copied into the folder `art` of the project."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from cardgen.deck.art import ART_FOLDER
from cardgen.diagnostic import CardgenError, Code, Diagnostic, Place, slugify
from cardgen.export.pictures import inspect_image, thumbnail
from cardgen.face.face import open_vector_art
from cardgen.project.files import portable_stem, require_inside, resolve_visible
from cardgen.runtime import atomic_write, regular_file
from cardgen.runtime.fingerprint import PICTURE_SUFFIXES
from cardgen.units import shorten

_SUFFIXES = {"image/png": ".png", "image/jpeg": ".jpg", "image/webp": ".webp", "image/gif": ".gif"}
_SVG = ".svg"
# Bytes of a picture.
MOST_BYTES = 64 << 20
# Bytes in which an SVG file must have begun; a drawing can have comments before its first element.
_HEAD = 64 << 10
_LONGEST_SIDE = 96


class PictureCard(NamedTuple):
    """The card that gets a picture: its id and kind, and the path of its file in the project."""

    id: str
    kind: str
    file: str


def add_picture(root: Path, upload: Path, name: str, card: PictureCard) -> str:
    """Copy a picture into `art/` of a project under the id of a card, and return its path in the project.

    Its suffix is that of its format. If another picture has the name, a number is added. The upload is removed;
    messages call it by the `name` that it had before. Raises CardgenError for a file that cannot be printed, and if the
    picture cannot be written.
    """
    try:
        suffix, content = _checked(upload)
        return _store(root, card, suffix, content)
    except (ValueError, OSError) as error:
        reason, shown = str(error), f"'{shorten(name)}'"
        message = reason.replace(f"'{upload.name}'", shown) if upload.name in reason else f"{shown}: {reason}"
        raise CardgenError(Diagnostic(Code.ART, message, Place("art"))) from None
    finally:
        with suppress(OSError):
            upload.unlink()


def _store(root: Path, card: PictureCard, suffix: str, content: bytes) -> str:
    folder = root / ART_FOLDER
    # A picture beside the file of the card would be found first.
    folders = dict.fromkeys((folder, (root / card.file).parent / ART_FOLDER))
    for each in folders:
        require_inside(root, each, each.relative_to(root).as_posix())
    taken = {Path(name).stem.lower(): (each, name) for each in folders for name in _names(each)}
    stem = name = portable_stem(slugify(card.id), card.kind)
    number = 1
    while name in taken:
        place, same = taken[name]
        if place == folder and same.endswith(suffix) and _is_content(root, folder / same, content):
            return f"{ART_FOLDER}/{same}"  # the author has given it to the card before
        number += 1
        name = f"{stem}-{number}"
    atomic_write.write(resolve_visible(root, f"{ART_FOLDER}/{name}{suffix}"), content)
    return f"{ART_FOLDER}/{name}{suffix}"


def _checked(path: Path) -> tuple[str, bytes]:
    """Return the suffix and the content of a picture that can be printed. Raises ValueError and OSError for others."""
    content = regular_file.read(path, MOST_BYTES)
    if not content:
        raise ValueError("the file is empty")
    if b"<svg" in content[:_HEAD] and content.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<"):
        drawing = path.rename(path.with_suffix(_SVG))
        try:
            open_vector_art(drawing)
        finally:
            drawing.rename(path)
        return _SVG, content
    suffix = _SUFFIXES[inspect_image(path).media_type]
    thumbnail(path, _LONGEST_SIDE)  # it decodes the picture, which finds what its head does not say
    return suffix, content


def _names(folder: Path) -> list[str]:
    with suppress(OSError):
        return [path.name for path in folder.iterdir() if path.name.lower().endswith(PICTURE_SUFFIXES)]
    return []


def _is_content(root: Path, path: Path, content: bytes) -> bool:
    with suppress(OSError):  # a link out of the project, for instance
        return regular_file.read_inside(root, path, MOST_BYTES) == content
    return False

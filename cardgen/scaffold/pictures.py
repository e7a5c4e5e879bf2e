"""Pictures and icons of authors: checked, and copied into the folders `art` and `icons` of the project."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from cardgen.deck.art import ART_FOLDER
from cardgen.diagnostic import CardgenError, Code, Diagnostic, Place, plain_words, slugify
from cardgen.export.pictures import inspect_image, thumbnail
from cardgen.face.face import icon_outline, is_vector_art, open_vector_art
from cardgen.project.files import portable_stem, require_inside, resolve_visible
from cardgen.runtime import atomic_write, regular_file
from cardgen.runtime.fingerprint import PICTURE_SUFFIXES
from cardgen.units import shorten

_SUFFIXES = {"image/png": ".png", "image/jpeg": ".jpg", "image/webp": ".webp", "image/gif": ".gif"}
_SVG, ICONS_FOLDER = ".svg", "icons"
_ICON_NAME = re.compile(r"[A-Za-z0-9_-]{1,80}")
NO_ICON = (
    "an icon must be an SVG file, such as one that Inkscape saves; its command Trace Bitmap turns a picture into one"
)
# Bytes of a picture.
MOST_BYTES = 64 << 20
# Bytes in which an SVG file must have begun; a drawing can have comments before its first element.
_HEAD = 64 << 10
_LONGEST_SIDE = 96
_MOST_SVG_BYTES = 1 << 20
_SVG_FILE = """\
<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="{0:g}" height="{1:g}" \
viewBox="0 0 {0:g} {1:g}"><defs>{2}</defs>{3}</svg>"""


class Thumbnail(NamedTuple):
    """A small picture, or the problem that keeps a file from having one."""

    content: bytes
    media_type: str = ""
    problem: str = ""


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
    folder = root / ART_FOLDER
    with _called(name, upload, "art"):
        suffix, content = _checked(upload)
        # A picture beside the file of the card would be found first.
        beside = (root / card.file).parent / ART_FOLDER
        return _store(root, (folder, beside), portable_stem(slugify(card.id), card.kind), suffix, content)


def add_icon(root: Path, upload: Path, name: str) -> str:
    """Copy a drawing into `icons/` of a project under its own name, and return the name of the icon.

    The rest is as for `add_picture`.
    """
    with _called(name, upload, ICONS_FOLDER):
        content = regular_file.read(upload, MOST_BYTES)
        if not _is_drawing(content):
            raise ValueError(NO_ICON)
        try:
            icon_outline(content, upload)
        except CardgenError as error:
            raise ValueError(error.diagnostics[0].message) from None
        stem = Path(name).stem
        stem = portable_stem(stem if _ICON_NAME.fullmatch(stem) else plain_words(stem) or "icon", "icon")
        return Path(_store(root, (root / ICONS_FOLDER,), stem, _SVG, content)).stem


def add_named_file(root: Path, upload: Path, name: str, texts: Collection[str]) -> str:
    """Copy a picture into a project under its own name, where the `texts` of tables name it; return what was done.

    One that was there before gets another name. A drawing that no text names as a picture is an icon. The rest is as
    for `add_picture`.
    """
    name = PurePosixPath(name).name
    named = sorted(text for text in texts if PurePosixPath(text).name == name)
    if name.lower().endswith(_SVG) and not named:
        return f"{name} is now the icon {{{add_icon(root, upload, name)}}}."
    file, more = named[0] if named and "/" in named[0] else f"{ART_FOLDER}/{name}", ""
    with _called(name, upload, ART_FOLDER):
        _, content = _checked(upload)
        path = resolve_visible(root, file)
        if path.exists() and not _is_content(root, path, content):
            before = next(each for number in count(2) if not (each := path.with_stem(f"{path.stem}-{number}")).exists())
            path.rename(before)
            more = f"; the picture before is now {PurePosixPath(file).with_name(before.name)}"
        atomic_write.write(path, content)
    return f"Saved as {file}{more if named else f'{more}; no card names it yet'}."


@contextmanager
def _called(name: str, upload: Path, place: str) -> Iterator[None]:
    """Call an upload in messages by the name that it had before, and remove it."""
    try:
        yield
    except (ValueError, OSError) as error:
        reason, shown = str(error), f"'{shorten(name)}'"
        message = reason.replace(f"'{upload.name}'", shown) if upload.name in reason else f"{shown}: {reason}"
        raise CardgenError(Diagnostic(Code.ART, message, Place(place))) from None
    finally:
        with suppress(OSError):
            upload.unlink()


def _store(root: Path, folders: Iterable[Path], stem: str, suffix: str, content: bytes) -> str:
    """Write a file into the first folder under a name that none of them has, and return its path in the project."""
    folder, *_ = folders = dict.fromkeys(folders)
    for each in folders:
        require_inside(root, each, each.relative_to(root).as_posix())
    taken = {Path(name).stem.lower(): (each, name) for each in folders for name in _names(each)}
    name, number = stem, 1
    while name.lower() in taken:
        place, same = taken[name.lower()]
        if place == folder and same.endswith(suffix) and _is_content(root, folder / same, content):
            return f"{folder.name}/{same}"  # the author has given it before
        number += 1
        name = f"{stem}-{number}"
    atomic_write.write(resolve_visible(root, f"{folder.name}/{name}{suffix}"), content)
    return f"{folder.name}/{name}{suffix}"


def _is_drawing(content: bytes) -> bool:
    return b"<svg" in content[:_HEAD] and content.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<")


def _checked(path: Path) -> tuple[str, bytes]:
    """Return the suffix and the content of a picture that can be printed. Raises ValueError and OSError for others."""
    content = regular_file.read(path, MOST_BYTES)
    if not content:
        raise ValueError("the file is empty")
    if _is_drawing(content):
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


def small_picture(root: Path, file: str) -> Thumbnail:
    """Return the thumbnail of a picture file of a project.

    Browsers draw SVG files, as cards have them: a browser has no limits for what a small file can stand for.
    """
    if not file.lower().endswith(PICTURE_SUFFIXES):
        return Thumbnail(b"", problem=f"'{file}' is not a picture")
    try:
        path = resolve_visible(root, file)
        if is_vector_art(path):
            art = open_vector_art(path)
            content = _SVG_FILE.format(*art.size, art.definitions, art.body).encode()
            if len(content) > _MOST_SVG_BYTES:
                raise ValueError("the picture is too large for a thumbnail")
            return Thumbnail(content, "image/svg+xml")
        return Thumbnail(thumbnail(path, _LONGEST_SIDE), "image/png")
    except (ValueError, OSError, regular_file.FileTooLargeError) as error:
        return Thumbnail(b"", problem=str(error))

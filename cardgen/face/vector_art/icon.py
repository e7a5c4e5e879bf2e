"""SVG files as icons, read by the code that reads art."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

from cardgen.affine import Matrix, multiply
from cardgen.codes import Code
from cardgen.diagnostic import CardgenError, Diagnostic, Place
from cardgen.face.vector_art.artwork import TIME_LIMIT, VectorArt, fault_diagnostics, reduce_svg
from cardgen.face.vector_art.document import VectorArtError
from cardgen.face.vector_art.lengths import parse_transform
from cardgen.face.vector_art.outlines import transformed
from cardgen.face.vector_art.scene import group_tag
from cardgen.project.files import display_path
from cardgen.runtime import regular_file
from cardgen.runtime.time_limit import WATCHDOG, TimeLimitError
from cardgen.text.lines import IconArt, Outline, PathCommand
from cardgen.text.svg_path import parse_path

_MAX_BYTES = 1 << 18
_PAINT = re.compile(r'\b(fill|stroke)="(#[0-9a-f]{6})"')
_STOP = re.compile(r'\b(stop-color)="(#[0-9a-f]{6})"')
# Definitions with colors of their own.
_COLOURED = ("<linearGradient", "<radialGradient", "<pattern")
_FLAT_ATTRIBUTES = {"g": {"transform"}, "path": {"d", "fill", "fill-rule"}}


def read_icon(path: Path, *, own_colours: bool = True) -> Outline:
    """Return the icon in an SVG file, whose height becomes 1.

    An icon of one color takes that of its text; one of several colors keeps them, except for 'currentColor'. Without
    `own_colours`, they become the color of the text, too. Raises CardgenError with the problems of the file, at their
    lines.
    """
    try:
        content = regular_file.read(path, _MAX_BYTES)
        stand_in = _unused_colour(content)
        with WATCHDOG.limit(TIME_LIMIT):
            art = reduce_svg(content, stand_in)
    except regular_file.FileTooLargeError:
        raise _unusable(path, f"the icon is larger than {_MAX_BYTES // 1024} KiB") from None
    except OSError as error:
        raise _unusable(path, f"the icon cannot be read: {error.strerror or error}") from None
    except TimeLimitError:
        raise _unusable(path, f"reading the icon took longer than {TIME_LIMIT:g} seconds") from None
    except VectorArtError as error:
        raise CardgenError(*fault_diagnostics(error, path)) from None
    if "<path" not in art.body:
        raise _unusable(path, "the icon draws nothing")
    body, colours = art.body, {colour for _, colour in _PAINT.findall(art.body)}
    if not own_colours:
        art = art._replace(definitions=_in_one_colour(art.definitions, stand_in))
    if not own_colours or (len(colours) == 1 and not any(tag in art.definitions for tag in _COLOURED)):
        body = _PAINT.sub(rf'\1="{stand_in}"', body)
        flat = None if art.definitions else _flat(art._replace(body=body))
        if flat:
            return flat
    scale = group_tag((1 / art.size.height, 0, 0, 1 / art.size.height, 0, 0))
    drawn = IconArt(art.definitions, f"{scale}{body}</g>", art.digest, stand_in)
    return Outline((), art.size.width / art.size.height, art=drawn)


def _in_one_colour(definitions: str, colour: str) -> str:
    """Return definitions whose gradients and patterns have one color; in masks, colors are transparency."""
    definitions = _STOP.sub(rf'\1="{colour}"', definitions)
    return definitions if "<mask" in definitions else _PAINT.sub(rf'\1="{colour}"', definitions)


def _unusable(path: Path, message: str) -> CardgenError:
    return CardgenError(Diagnostic(Code.ART, message, Place(display_path(path))))


def _unused_colour(content: bytes) -> str:
    """Return a color that a file does not contain; it stands for that of the text."""
    written, candidates = content.lower(), map("#{:06x}".format, range(0x010FE1, 0x1000000))
    return next(colour for colour in candidates if colour.encode() not in written)


def _flat(art: VectorArt) -> Outline | None:
    """Return the outline of filled paths with one fill rule; None for anything else, such as strokes."""
    paths: list[tuple[PathCommand, ...]] = []
    rules: set[str] = set()
    width, height = art.size
    # y points up in an outline
    whole = (1 / height, 0, 0, -1 / height, 0, 1)

    def add(element: ElementTree.Element, matrix: Matrix) -> bool:
        if not _FLAT_ATTRIBUTES[element.tag].issuperset(element.attrib):
            return False
        if element.tag == "g":
            inner = multiply(matrix, parse_transform(element.get("transform", "")))
            return all(add(child, inner) for child in element)
        paths.append(transformed(parse_path(element.get("d", "")), matrix))
        rules.add(element.get("fill-rule", "nonzero"))
        return element.get("fill") != "none"

    is_flat = add(ElementTree.fromstring(f"<g>{art.body}</g>"), whole)
    return Outline(tuple(paths), width / height, evenodd=rules == {"evenodd"}) if is_flat and len(rules) == 1 else None

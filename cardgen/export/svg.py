"""A face as one SVG file with real text, fonts, and pictures."""

from __future__ import annotations

import hashlib
from base64 import b64encode
from collections.abc import Iterable, Iterator
from html import escape
from itertools import count

from cardgen.affine import IDENTITY, Matrix
from cardgen.export.images.conversion import convert_for_svg
from cardgen.export.images.picture import inspect_image, open_image, quiet_pillow, read_image
from cardgen.face.face import Artwork, Face, Picture, Text
from cardgen.text.fonts import Fonts, embed
from cardgen.text.lines import IconGlyph, Line, Run
from cardgen.units import Box, Shape, Size, to_mm

# Every letter is positioned, so browsers must not apply kerning or ligatures.
_STYLE = "text{white-space:pre;font-kerning:none;font-variant-ligatures:none}"


def write(
    face: Face, fonts: Fonts, title: str, bleed: float = 0.0, *, shape: Shape = Shape.RECTANGLE, radius: float = 0.0
) -> bytes:
    """Return a face as SVG, cropped `bleed` millimeters outside the trim.

    There is one <text> per laid-out line. Without bleed, a round face is cropped to its circle, and others to corners
    of a `radius` in millimeters.
    """
    clip = "" if bleed else _cut_shape(face.size, shape, radius)
    return _FaceSvg(face, fonts, title, bleed, clip).document().encode()


class _FaceSvg:
    def __init__(self, face: Face, fonts: Fonts, title: str, bleed: float, cut: str) -> None:
        self._face = face
        self._fonts = fonts
        self._title = title
        self._bleed = bleed
        self._cut = cut
        self._families = _font_families(face)
        self._clips = count(1)

    def document(self) -> str:
        """Return the whole file.

        One unit is a millimeter; the origin is the top left corner of the trim.
        """
        bleed, size = self._bleed, self._face.size
        wide, high = f"{size.width + 2 * bleed:g}", f"{size.height + 2 * bleed:g}"
        parts = [
            '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
            f'width="{wide}mm" height="{high}mm" viewBox="{0 - bleed:g} {0 - bleed:g} {wide} {high}">',
            f"<title>{escape(self._title, quote=False)}</title>",
            f"<style>{''.join(self._font_faces())}{_STYLE}</style>",
            *([f'<clipPath id="cut-0">{self._cut}</clipPath><g clip-path="url(#cut-0)">'] if self._cut else []),
        ]
        for item in self._face.items:
            if isinstance(item, Artwork):
                parts.append(_inline_artwork(item))
            elif isinstance(item, Picture):
                parts.append(self._picture(item))
            else:
                parts.append(_transformed_group("".join(map(self._line, item.lines)), item.matrix))
        parts += [
            f'<path d="M{fold.x1:g} {fold.y1:g}L{fold.x2:g} {fold.y2:g}" stroke="#666666" stroke-width="0.09" '
            'stroke-dasharray="1.06 0.7"/>'
            for fold in self._face.folds
        ]
        return "\n".join([*parts, *(["</g>"] if self._cut else []), "</svg>", ""])

    def _font_faces(self) -> Iterator[str]:
        for key, (family, characters) in self._families.items():
            data = b64encode(embed(self._fonts.font_by_key(key), characters)).decode()
            yield f'@font-face{{font-family:"{family}";src:url(data:font/ttf;base64,{data})}}'

    def _line(self, line: Line) -> str:
        runs = [piece for piece in line.pieces if isinstance(piece, Run)]
        spans = "".join(map(self._span, runs))
        icons = "".join(_icon(piece) for piece in line.pieces if isinstance(piece, IconGlyph))
        return (f"<text>{spans}</text>\n" if runs else "") + icons

    def _span(self, run: Run) -> str:
        family, _ = self._families[run.font]
        size = to_mm(run.size)
        return (
            f'<tspan font-family="{family}" font-size="{size:.4f}" fill="{run.colour}" '
            f'x="{" ".join(_letter_positions(run, size))}" y="{run.y:.3f}">{escape(run.text, quote=False)}</tspan>'
        )

    def _picture(self, picture: Picture) -> str:
        """Return a picture, clipped to its box."""
        file, name = inspect_image(picture.path), f"cut-{next(self._clips)}"
        content = read_image(picture.path)
        with quiet_pillow(), open_image(content) as opened:
            converted = convert_for_svg(opened)
        media_type = "image/png" if converted else file.media_type
        data = b64encode(converted or content).decode()
        rounded = f' rx="{picture.radius:g}"' if picture.radius else ""
        image = (
            f'<clipPath id="{name}"><rect {_box_attributes(picture.box)}{rounded}/></clipPath>'
            f'<g clip-path="url(#{name})">'
            f'<image {_box_attributes(file.place(picture))} preserveAspectRatio="none" '
            f'xlink:href="data:{media_type};base64,{data}"/></g>\n'
        )
        return _transformed_group(image, picture.matrix)


def _cut_shape(size: Size, shape: Shape, radius: float) -> str:
    """Return the outline that a face is cropped to, or '' for its rectangle."""
    if shape is Shape.ROUND:
        return f'<circle cx="{size.width / 2:g}" cy="{size.height / 2:g}" r="{min(size) / 2:g}"/>'
    return f'<rect width="{size.width:g}" height="{size.height:g}" rx="{radius:g}"/>' if radius else ""


def _font_families(face: Face) -> dict[str, tuple[str, str]]:
    """Return each font's family name in the file, and its characters.

    The name depends on both, so that several files can be on one web page although each has its own subset.
    """
    used: dict[str, set[str]] = {}
    for run in _runs(face):
        used.setdefault(run.font, set()).update(run.text)
    families: dict[str, tuple[str, str]] = {}
    for key, letters in used.items():
        characters = "".join(sorted(letters))
        families[key] = (f"{key}-{hashlib.sha256(characters.encode()).hexdigest()[:8]}", characters)
    return families


def _runs(face: Face) -> Iterator[Run]:
    for item in face.items:
        if isinstance(item, Text):
            yield from (piece for line in item.lines for piece in line.pieces if isinstance(piece, Run))


def _inline_artwork(artwork: Artwork) -> str:
    """Return a chunk without its root, whose viewBox is the whole face."""
    svg = artwork.svg.decode()
    return f"<g>{svg[svg.index('>') + 1 : svg.rindex('</svg>')].strip()}</g>"


def _letter_positions(run: Run, size: float) -> Iterator[str]:
    """Yield the x coordinate of each letter.

    Browsers count a character beyond the basic multilingual plane twice.
    """
    x = run.x
    for character, advance in zip(run.text, run.advances, strict=True):
        yield from [f"{x:.3f}"] * (2 if ord(character) > 0xFFFF else 1)
        x += advance * size / 1000


def _icon(glyph: IconGlyph) -> str:
    size = to_mm(glyph.size)
    if glyph.outline.art:
        place = f"translate({glyph.x:.3f} {glyph.y - size:.3f}) scale({size:.5g})"
        return f'<g transform="{place}">{glyph.outline.art.drawn(glyph.colour)}</g>\n'
    rule = ' fill-rule="evenodd"' if glyph.outline.evenodd else ""
    place = f"translate({glyph.x:.3f} {glyph.y:.3f}) scale({size:.5g} {-size:.5g})"
    paths = "".join(f'<path d="{_path_data(strokes)}"/>' for strokes in glyph.outline.paths)
    return f'<g transform="{place}" fill="{glyph.colour}"{rule}>{paths}</g>\n'


def _path_data(strokes: Iterable[tuple[object, ...]]) -> str:
    return "".join(f"{kind}{' '.join(f'{number:.5g}' for number in numbers)}" for kind, *numbers in strokes)


def _transformed_group(content: str, matrix: Matrix) -> str:
    if matrix == IDENTITY or not content:
        return content
    return f'<g transform="matrix({" ".join(f"{number:.6g}" for number in matrix)})">{content}</g>'


def _box_attributes(box: Box) -> str:
    return f'x="{box.x:.4g}" y="{box.y:.4g}" width="{box.width:.6g}" height="{box.height:.6g}"'

"""Convert cg:text, text, cg:art, cg:room, cg:fold, cg:cut, and cg:field elements."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby, pairwise
from math import hypot, inf
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias, get_args

from jinja2 import TemplateRuntimeError
from markupsafe import Markup

from cardgen.face.face import CutPath, Field, Fold, Picture, Room, Text
from cardgen.face.theme import SMALLEST_TYPE, Theme
from cardgen.model.card import Art
from cardgen.svg.chunks import BoxElement
from cardgen.svg.scene import Outline, parse_path, transformed
from cardgen.svg.tree import SvgError, parse_colour, parse_share
from cardgen.text.bidi import has_right_to_left
from cardgen.text.captions import Captions
from cardgen.text.copyfitting import set_line, set_text, text_height
from cardgen.text.fonts import Fonts
from cardgen.text.lines import (
    Align,
    Fit,
    Glyph,
    IconGlyph,
    Line,
    Run,
    Style,
    TypesetText,
    Valign,
    curl_apostrophes,
)
from cardgen.text.shaped_row import Icons
from cardgen.text.shaped_word import joins
from cardgen.units import (
    IDENTITY,
    MM_PER_POINT,
    Box,
    Matrix,
    apply,
    compose,
    joined_box,
    mapped_box,
    parse_length,
    rotation,
    translation,
)

# Elements that are typeset.
TEXT_TAGS = frozenset({"cg:text", "text"})
_ANCHORS = ("start", "middle", "end")
_ALIGNS, _VALIGNS = get_args(Align), get_args(Valign)
_STYLE_ATTRIBUTES = ("style", "family", "fill", "size", "min-size")
_MAX_LENGTH = 100_000.0
_MAX_TYPE_SIZE = 1_000
_FIELD_TYPE_SIZE = 11.0
# Longer texts are not typeset at all, because that could take minutes.
_MAX_CHARACTERS = 20_000


class SizedStyle(NamedTuple):
    """A style in its largest size, the further sizes to try, descending, and the smallest; all in points."""

    style: Style
    steps: tuple[float, ...]
    smallest: float


# The texts of an element, and their fit.
Setting: TypeAlias = tuple[Text | Fit, ...]


@dataclass(frozen=True, slots=True)
class Typesetter:
    """Typesetter of one theme and language, which is a tag, or '' if nobody has named it.

    Texts that are not fields of a card are translated by the `captions`.
    """

    theme: Theme
    fonts: Fonts
    icons: Icons
    language: str = ""
    captions: Captions = field(default_factory=Captions)
    _styles: dict[tuple[str | None, ...], SizedStyle] = field(default_factory=dict)

    def typeset(self, element: BoxElement) -> Setting:
        """Typeset a `cg:text` or `text`; () if it is empty.

        Returns the text, which has several parts on an arc, and its fit. Raises SvgError for invalid attributes.
        """
        markup = _markup(element.content)
        if "field" not in element.attributes:
            markup = self.captions.translate(markup)
        if not markup:
            return ()
        if len(markup) > _MAX_CHARACTERS:
            return Text((), element.matrix), self._overlong_fit(element, len(markup))
        try:
            if "path" in element.attributes:
                return self._bent(element, markup)
            if element.tag == "text":
                setting, box = self._line(element, markup), None
            else:
                box = _box(element)
                setting, box = self._block(element, markup, box), mapped_box(box, element.matrix)
        except SvgError:
            raise
        except ValueError as error:  # an unusable font or icon
            name = "family" if "family" in element.attributes else "style"
            raise SvgError(str(error), f'{name}="{element.attributes.get(name, "body")}"') from None
        text = Text(setting.lines, element.matrix)
        return text, _printed(setting.fit, element)._replace(markup=markup, box=box or text_extent((text,)))

    def text_height(self, text: object, width: float, style: str = "body", size: float = 0.0) -> float:
        """Return the height of a box (mm) of a width (mm) that fits a text in a style, in its size or another (points).

        Raises TemplateRuntimeError, which gets the template's line, for an unknown style or a font that is unusable.
        """
        try:
            chosen = self.theme.style(style)[0]._replace(language=self.language)
            chosen = chosen._replace(size=float(size) or chosen.size)
            words = text.unescape() if isinstance(text, Markup) else str(text)
            markup = _markup(words[:_MAX_CHARACTERS])
            return round(text_height(markup, width, chosen, self.fonts, self.icons) + 0.005, 2)
        except (KeyError, ValueError) as error:
            raise TemplateRuntimeError(error.args[0]) from None

    def _overlong_fit(self, element: BoxElement, length: int) -> Fit:
        """Return the fit of a text too long for any card, computed from its beginning."""
        start = element._replace(content=element.content.strip()[:_MAX_CHARACTERS].replace("\n", " "))
        fit = next((each for each in self.typeset(start) if isinstance(each, Fit)), None)
        if fit is None or not fit.excess:  # Its box is as large as the text is long.
            return Fit(element.attributes.get("field", ""), SMALLEST_TYPE, 1.0, length - _MAX_CHARACTERS)
        return fit._replace(fill=fit.fill * length / _MAX_CHARACTERS, excess=fit.excess + length - _MAX_CHARACTERS)

    def _block(self, element: BoxElement, markup: str, box: Box) -> TypesetText:
        style, steps, smallest = self._style(element)
        return set_text(
            markup,
            box,
            style,
            self.fonts,
            min_size=smallest,
            steps=steps,
            align=_choice(element, "align", _ALIGNS),
            valign=_choice(element, "valign", _VALIGNS),
            field=element.attributes.get("field", ""),
            icons=self.icons,
        )

    def _line(self, element: BoxElement, markup: str) -> TypesetText:
        style, steps, smallest = self._style(element)
        return set_line(
            markup,
            _number(element, "x"),
            _number(element, "y"),
            style,
            self.fonts,
            anchor=_choice(element, "text-anchor", _ANCHORS),
            max_width=_number(element, "width") if "width" in element.attributes else None,
            min_size=smallest,
            steps=steps,
            field=element.attributes.get("field", ""),
            icons=self.icons,
        )

    def _bent(self, element: BoxElement, markup: str) -> Setting:
        """Typeset text that follows a circle."""
        _choice(element, "path", ("arc",))
        arc = _arc(element)
        style, steps, smallest = self._style(element)
        name = element.attributes.get("field", "")
        setting = set_line(
            markup,
            0,
            0,
            style,
            self.fonts,
            max_width=arc.length,
            min_size=smallest,
            steps=steps,
            field=name,
            icons=self.icons,
        )
        texts = [text._replace(continues=True) for line in setting.lines for text in bend(line, arc, element.matrix)]
        texts[-1:] = [text._replace(continues=False) for text in texts[-1:]]
        return (*texts, _printed(setting.fit, element)._replace(markup=markup, box=text_extent(texts)))

    def _style(self, element: BoxElement) -> SizedStyle:
        key = tuple(map(element.attributes.get, _STYLE_ATTRIBUTES))
        if key not in self._styles:
            self._styles[key] = self._resolve_style(element)
        return self._styles[key]

    def _resolve_style(self, element: BoxElement) -> SizedStyle:
        attributes = element.attributes
        try:
            style, smallest = self.theme.style(attributes.get("style", "body"))
            fill = self._colour(attributes["fill"]) if "fill" in attributes else style.colour
        except KeyError as error:
            raise SvgError(error.args[0], attributes.get("style", "")) from None
        size, *steps = _descending_points(element, "size", style.size)
        family = attributes.get("family", style.family)
        style = style._replace(family=family, size=size, colour=fill, language=self.language)
        return SizedStyle(style, tuple(steps), min(size, *steps, _points(element, "min-size", smallest)))

    def _colour(self, text: str) -> str:
        """Return a color of the theme, or one that is written as in other artwork. Raises KeyError, and SvgError."""
        return parse_colour(text).text if "(" in text or text.startswith("#") else self.theme.colour(text)


def _markup(content: str) -> str:
    """Return the marked-up text in the content of an element, as it is set."""
    return curl_apostrophes("\n".join(line.strip(" \t\r") for line in content.strip().split("\n")))


def _printed(fit: Fit, element: BoxElement) -> Fit:
    """Return a fit with the size at which the text is printed, after the transforms of its groups."""
    a, b, c, d, *_ = element.matrix
    # Of a transform that stretches, the smaller side counts.
    stretch = min(hypot(a, b), abs(a * d - b * c) / (hypot(a, b) or 1.0))
    return fit if abs(stretch - 1) < 1e-9 else fit._replace(size=fit.size * stretch)


def _arc(element: BoxElement) -> Arc:
    radius, angle, sweep = _number(element, "r"), _number(element, "angle", 0.0), _number(element, "sweep", 180.0)
    if radius <= 0:
        raise SvgError(f"r must be greater than 0, not {radius:g}", 'r="')
    if not 0 < sweep <= 360:
        raise SvgError(f"sweep must be more than 0 and at most 360 degrees, not {sweep:g}", 'sweep="')
    inside = _choice(element, "side", ("outside", "inside")) == "inside"
    return Arc(_number(element, "cx"), _number(element, "cy"), radius, angle, sweep, inside)


def make_picture(
    element: BoxElement, art: Art | None, find: Callable[[str], Path], find_beside: Callable[[str], Path] | None = None
) -> Picture:
    """Convert a `cg:art` to a picture.

    Its own file has priority over the card's art; `find_beside` finds the one of an `image`, which can be beside the
    template. Raises SvgError for invalid attributes, and the errors of both functions for a file that cannot be used.
    """
    attributes = element.attributes
    if "href" in attributes and find_beside:
        art, find = Art(file="image"), lambda _: find_beside(attributes["href"])
    elif "file" in attributes:
        art = Art(file=attributes["file"])
    if art is None:
        raise SvgError("<cg:art> has no picture; test 'if card.art' first, or add a 'file'", "<cg:art")
    box = _box(element)
    turns = int(_choice(element, "rotate", ("0", "90", "180", "270"))) if "rotate" in attributes else art.rotate
    mirrored = _choice(element, "mirror", ("false", "true")) == "true" if "mirror" in attributes else art.mirror
    scale = _number(element, "scale") if "scale" in attributes else art.scale
    if not 0.1 <= scale <= 10:
        raise SvgError(f"scale must be between 0.1 and 10, not {scale:g}", 'scale="')
    mask = _closed_path(element, "mask") if "mask" in attributes else ()
    matrix, upright = element.matrix, box
    if turns or mirrored:
        x, y = box.x + box.width / 2, box.y + box.height / 2
        if turns % 180:  # It fills the same box when it lies on its side.
            upright = Box(x - box.height / 2, y - box.width / 2, box.height, box.width)
        flip = (-1.0 if mirrored else 1.0, 0.0, 0.0, 1.0, 0.0, 0.0)
        matrix = compose(matrix, translation(x, y), rotation(turns), flip, translation(-x, -y))
        # The mask stays where the template draws it.
        mask = transformed(mask, compose(translation(x, y), flip, rotation(-turns), translation(-x, -y)))
    return Picture(
        find(art.file),
        upright,
        _choice(element, "fit", _FITS) if "fit" in attributes else art.fit,
        _pair(element, "focus") if "focus" in attributes else art.focus,
        _number(element, "radius") if "radius" in attributes else 0.0,
        matrix,
        scale,
        mask,
        _share(element, "opacity"),
    )


_FITS = ("cover", "contain", "meet", "stretch")


def _share(element: BoxElement, name: str) -> float:
    try:
        return parse_share(element.attributes.get(name, "1"))
    except ValueError as error:
        raise SvgError(f"{name}: {error}", f'{name}="') from None


def make_room(element: BoxElement) -> Room:
    """Convert a `cg:room`.

    Raises SvgError for invalid attributes.
    """
    return Room(element.attributes.get("field", ""), _number(element, "used"), _number(element, "available"))


def make_fold(element: BoxElement) -> Fold:
    """Convert a `cg:fold` to a line on the face.

    Raises SvgError for invalid attributes.
    """
    ends = (apply(element.matrix, _number(element, f"x{end}"), _number(element, f"y{end}")) for end in (1, 2))
    (x1, y1), (x2, y2) = ends
    return Fold(x1, y1, x2, y2)


def make_cut(element: BoxElement) -> CutPath:
    """Convert a `cg:cut` to an outline on the face.

    Raises SvgError for a path that is invalid or not closed.
    """
    return CutPath(transformed(_closed_path(element, "d"), element.matrix))


def _closed_path(element: BoxElement, name: str) -> Outline:
    """Return the outline in an attribute. Raises SvgError for a path that is missing, invalid, or not closed."""
    if name not in element.attributes:
        raise SvgError(f"<{element.tag}> needs the attribute '{name}'", f"<{element.tag}")
    try:
        outline = parse_path(element.attributes[name])
    except ValueError as error:
        raise SvgError(str(error), f'{name}="') from None
    if not _is_closed([kind for kind, *_ in outline]):
        raise SvgError(f"<{element.tag}> needs a path that ends with Z", f'{name}="')
    if not all(abs(number) < _MAX_LENGTH for _, *numbers in outline for number in numbers):
        raise SvgError("the path is out of range", f'{name}="')
    return outline


def _is_closed(kinds: Sequence[str]) -> bool:
    """Return whether each part of a path ends with Z before the next part starts."""
    return bool(kinds) and kinds[-1] == "Z" and all(one == "Z" for one, other in pairwise(kinds) if other == "M")


def make_field(element: BoxElement, used_names: Collection[str], theme: Theme) -> Field:
    """Convert a `cg:field`; its name must not be in `used_names`. What is typed looks like the theme's `body`.

    Raises SvgError for invalid attributes.
    """
    name = element.attributes.get("name", "").strip()
    if not name or name in used_names:
        message = f"duplicate <cg:field> name '{name}'" if name else "<cg:field> needs the attribute 'name'"
        raise SvgError(message, "<cg:field")
    if element.matrix[:4] != IDENTITY[:4]:
        raise SvgError("<cg:field> cannot be inside a group that rotates or scales it", "<cg:field")
    box = _box(element)
    return Field(
        name,
        box._replace(x=box.x + element.matrix[4], y=box.y + element.matrix[5]),
        _points(element, "size", _FIELD_TYPE_SIZE),
        _choice(element, "multiline", ("false", "true")) == "true",
        _choice(element, "align", ("left", "center")),
        _choice(element, "type", ("text", "check")) == "check",
        theme.style("body")[0].family if "body" in theme.styles else "",
    )


def _box(element: BoxElement) -> Box:
    box = Box(*(_number(element, name) for name in ("x", "y", "width", "height")))
    if box.width <= 0 or box.height <= 0:
        raise SvgError(f"<{element.tag}> must have a width and height greater than 0", f"<{element.tag}")
    return box


def _number(element: BoxElement, name: str, default: float | None = None) -> float:
    try:
        number = float(element.attributes[name])
    except KeyError:
        if default is not None:
            return default
        raise SvgError(f"<{element.tag}> needs the attribute '{name}'", f"<{element.tag}") from None
    except ValueError:
        number = inf
    if not abs(number) < _MAX_LENGTH:
        value = element.attributes[name]
        raise SvgError(f'{name}="{value}" is not a valid number of millimeters', f'{name}="') from None
    return number


def _points(element: BoxElement, name: str, default: float) -> float:
    return _parse_points(element.attributes[name], name) if name in element.attributes else default


def _descending_points(element: BoxElement, name: str, default: float) -> list[float]:
    """Return the sizes of a list with spaces, such as '14pt 11pt 9pt'."""
    if name not in element.attributes:
        return [default]
    sizes = [_parse_points(part, name) for part in re.split(r"\s+(?=[\d.])", element.attributes[name].strip())]
    if any(one <= other for one, other in pairwise(sizes)):
        message = f"the sizes must descend, such as 14pt 11pt 9pt, not {element.attributes[name]}"
        raise SvgError(message, f'{name}="')
    return sizes


def _parse_points(text: str, name: str) -> float:
    try:
        points = parse_length(text, unit="pt") * 72 / 25.4
    except ValueError as error:
        raise SvgError(str(error), f'{name}="') from None
    if not 1 <= points <= _MAX_TYPE_SIZE:
        raise SvgError(f"type size must be between 1 and {_MAX_TYPE_SIZE} pt, not {points:g}", f'{name}="')
    return points


def _pair(element: BoxElement, name: str) -> tuple[float, float]:
    try:
        across, down = (float(part) for part in element.attributes[name].replace(",", " ").split())
    except ValueError:
        across = down = inf
    if not (0 <= across <= 1 and 0 <= down <= 1):
        raise SvgError(f"'{name}' takes two numbers from 0 to 1, such as 0.5 0.3", f'{name}="') from None
    return across, down


def _choice(element: BoxElement, name: str, allowed: tuple[Any, ...]) -> Any:
    value = element.attributes.get(name, allowed[0])
    if value not in allowed:
        raise SvgError(f"unknown {name} '{value}' (one of {', '.join(allowed)})", f'{name}="{value}')
    return value


# Bounds of the glyphs of any font above and below the baseline, as multiples of the size.
_ASCENT, _DESCENT = 1.0, 0.35


def text_extent(texts: Iterable[Text]) -> Box | None:
    """Return the box around the glyphs of texts; None if nothing is printed."""
    return joined_box(mapped_box(box, text.matrix) for text in texts for box in _piece_boxes(text))


def _piece_boxes(text: Text) -> Iterable[Box]:
    for piece in (piece for line in text.lines for piece in line.pieces):
        em = piece.size * MM_PER_POINT
        yield Box(piece.x, piece.y - _ASCENT * em, piece.width, (_ASCENT + _DESCENT) * em)


class Arc(NamedTuple):
    """Part of a circle, which is the baseline of a text.

    Center and radius are in millimeters. `angle` is the middle of the text in degrees, clockwise from the top, and
    `sweep` the most degrees that it may take. Text `inside` has its head towards the center.
    """

    cx: float
    cy: float
    r: float
    angle: float = 0.0
    sweep: float = 180.0
    inside: bool = False

    @property
    def length(self) -> float:
        """The length of the baseline in millimeters."""
        return math.radians(self.sweep) * self.r


def bend(line: Line, arc: Arc, matrix: Matrix) -> Iterator[Text]:
    """Yield the glyphs of a line that starts at x = 0, each at its place on the arc.

    `matrix` applies to the bent text.
    """
    glyphs = list(_glyphs(line.pieces))
    width = max((glyph.x + glyph.width for glyph in glyphs), default=0.0)
    for glyph in glyphs:
        middle = glyph.x + glyph.width / 2
        turned = math.degrees((middle - width / 2) / arc.r)
        at = arc.angle + (-turned if arc.inside else turned)
        place = compose(matrix, _on_circle(arc, at), translation(-middle, 0))
        yield Text((Line((glyph,)),), place)


def _on_circle(arc: Arc, angle: float) -> Matrix:
    """Return the matrix that moves the origin to a point of the circle, upright in the direction of reading."""
    x, y = arc.cx + arc.r * math.sin(math.radians(angle)), arc.cy - arc.r * math.cos(math.radians(angle))
    return compose(translation(x, y), rotation(angle - 180 if arc.inside else angle))


def _glyphs(pieces: Iterable[Run | IconGlyph]) -> Iterator[Run | IconGlyph]:
    """Yield each character as a run of its own, with the marks that combine with it."""
    for piece in pieces:
        if isinstance(piece, IconGlyph):
            yield piece
        else:
            yield from _characters(piece)


def _characters(run: Run) -> Iterator[Run]:
    x, scale = run.x, run.size * MM_PER_POINT / 1000
    if run.glyphs:
        for text, glyphs in _clusters(run):
            width = sum(glyph.advance for glyph in glyphs) * scale
            yield run._replace(text=text, x=x, width=width, glyphs=glyphs)
            x += width
        return
    advances, number = run.advances, 0
    clusters: list[int] = []
    for advance in advances:
        # A mark has no advance: the character before it has all.
        number += bool(advance) or not clusters
        clusters.append(number)
    for _, indexes in groupby(range(len(run.text)), key=clusters.__getitem__):
        span = list(indexes)
        start, stop = span[0], span[-1] + 1
        width = sum(advances[start:stop]) * scale
        packed = run.packed_advances[8 * start : 8 * stop]
        yield run._replace(text=run.text[start:stop], x=x, width=width, packed_advances=packed)
        x += width


def _clusters(run: Run) -> Iterator[tuple[str, tuple[Glyph, ...]]]:
    """Yield the letters of a run with their glyphs and marks, from left to right."""
    backward = has_right_to_left(run.text)
    clusters: list[list[Glyph]] = []
    for glyph in reversed(run.glyphs) if backward else run.glyphs:
        if clusters and joins(glyph.text[0]):
            clusters[-1].append(glyph)
        else:
            clusters.append([glyph])
    for cluster in reversed(clusters) if backward else clusters:
        yield "".join(glyph.text for glyph in cluster), tuple(reversed(cluster) if backward else cluster)

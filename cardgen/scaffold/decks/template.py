"""Templates for the faces of other programs' decks."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from cardgen.runtime.escapes import escape_xml
from cardgen.scaffold.decks.foreign import Column, Element, PictureBox, Shape, TextBox, Words
from cardgen.svg.tree import parse_colour
from cardgen.units import Box

# Farther than this beyond the trim, an element is meant to reach the edge of the bleed.
_BEYOND = 1.0
# Keys that every card has a value of.
_ALWAYS = ("name", "qty", "id")
_KEY = re.compile(r"[a-z][a-z0-9_]*")
_TEMPLATE = """\
{{# {about} #}}
<svg xmlns="http://www.w3.org/2000/svg" xmlns:cg="https://cardgen.dev/svg">
{elements}
</svg>
"""


class Keys:
    """The keys of the columns of a kind by their headings, and the declarations of fields in its game."""

    def __init__(self, keys: Mapping[str, str], declarations: Mapping[str, str]) -> None:
        # A heading that is no field would be code of a stranger.
        self._keys = {heading: key for heading, key in keys.items() if key != "null" and _KEY.fullmatch(key)}
        self._types = {key: text.partition("type: ")[2].partition(",")[0] for key, text in declarations.items()}
        self._optional = {key for key, text in declarations.items() if "optional: true" in text}

    def has(self, words: Words) -> bool:
        """Return whether all columns of a text are fields of the card."""
        return all(part.heading in self._keys for part in words if isinstance(part, Column))

    def written(self, words: Words) -> str:
        """Return a text of a template."""
        return "".join(map(self._part, words))

    def test(self, words: Words) -> str:
        """Return the condition that one of the columns has a value, or '' if it always holds."""
        keys = dict.fromkeys(self._keys[part.heading] for part in words if isinstance(part, Column))
        tests = [self._test_of(key) for key in keys]
        return " or ".join(tests) if all(tests) else ""

    def _test_of(self, key: str) -> str:
        if key in _ALWAYS or (self._is_number(key) and key not in self._optional):
            return ""
        return f"card.{key} is not none" if self._is_number(key) else f"card.{key}"

    def _is_number(self, key: str) -> bool:
        return self._types.get(key) in ("integer", "number")

    def field(self, words: Words) -> str:
        """Return the first field of a text, for errors."""
        return next((self._keys[part.heading] for part in words if isinstance(part, Column)), "")

    def _part(self, part: str | Column) -> str:
        if isinstance(part, str):
            # What looks like a placeholder is none: a stranger wrote it.
            return escape_xml(part).replace('"', "&quot;").replace("{", "&#123;")
        key = self._keys[part.heading]
        if self._types.get(key) == "flag":  # as its name where it is true
            return self._part(part.heading)
        return f'{{{{ card.{key}|join("; ") }}}}' if self._types.get(key) == "list" else f"{{{{ card.{key} }}}}"


def template_text(about: str, elements: Sequence[Element], keys: Keys, width: float, height: float) -> str:
    """Return the template of a face in millimeters; elements with columns that are no fields are left out."""
    edges = _Edges(width, height)
    lines = [line for element in elements for line in _lines(element, keys, edges)]
    return _TEMPLATE.format(about=about.replace("#}", ""), elements="\n".join(lines))


def _colour(words: Words, keys: Keys, default: str) -> str:
    """Return a color that depends on the card, or as #rrggbb; `default` for anything else."""
    if any(isinstance(part, Column) for part in words):
        return keys.written(words)
    try:
        return parse_colour("".join(map(str, words)).lower()).text
    except ValueError:
        return default


class _Edges:
    """Writer of boxes; what reaches beyond the trim ends at the edge of the bleed, however large that is."""

    def __init__(self, width: float, height: float) -> None:
        self._sides = {"width": width, "height": height}

    def attributes(self, box: Box) -> str:
        """Return the place and size of a box."""
        across = self._along("x", "width", box.x, box.width)
        return f"{across} {self._along('y', 'height', box.y, box.height)}"

    def _along(self, start: str, length: str, at: float, size: float) -> str:
        side = self._sides[length]
        before, after = at <= -_BEYOND, at + size >= side + _BEYOND
        begin = "{{ -bleed }}" if before else f"{at:.2f}"
        if before and after:
            end = f"{{{{ {length} + 2 * bleed }}}}"
        elif before or after:
            end = f"{{{{ ({(at + size if before else side - at):.2f} + bleed)|round(2) }}}}"
        else:
            end = f"{size:.2f}"
        return f'{start}="{begin}" {length}="{end}"'


def _lines(element: Element, keys: Keys, edges: _Edges) -> Iterator[str]:
    write: Mapping[type, Callable[..., tuple[str, Words]]] = {TextBox: _text, PictureBox: _picture, Shape: _shape}
    if not keys.has(element.columns()) or element.box.width <= 0 or element.box.height <= 0:
        return
    text, needed = write[type(element)](element, keys, edges)
    test = keys.test(element.when) or keys.test(needed)
    yield f"{{% if {test} %}}{text}{{% endif %}}" if test else text


def _text(element: TextBox, keys: Keys, edges: _Edges) -> tuple[str, Words]:
    text = keys.written(element.words)
    field = keys.field(element.words)
    attributes = {
        "style": "strong" if element.bold else "plain",
        "size": f"{element.size:.1f}pt",
        "min-size": f"{min(element.size, max(4.5, element.size * 0.4)):.1f}pt",
        "fill": _colour(element.colour, keys, "#000000"),
        "align": element.align,
        "valign": element.valign,
        **({"field": field} if field else {}),
    }
    written = " ".join(f'{name}="{value}"' for name, value in attributes.items())
    return f"<cg:text {edges.attributes(element.box)} {written}>{text}</cg:text>", element.words


def _picture(element: PictureBox, keys: Keys, edges: _Edges) -> tuple[str, Words]:
    words = (element.file,)
    is_art = isinstance(element.file, Column) and keys.field(words) == "art"
    file = "" if is_art else f'file="{keys.written(words)}" '
    return f'<cg:art {edges.attributes(element.box)} {file}fit="{element.fit}"/>', words


def _shape(element: Shape, keys: Keys, edges: _Edges) -> tuple[str, Words]:
    paint = f'fill="{_colour(element.fill, keys, "#ffffff") if element.fill else "none"}"'
    if element.stroke and element.stroke_width:
        paint += f' stroke="{_colour(element.stroke, keys, "#000000")}" stroke-width="{element.stroke_width:.2f}"'
    box = element.box
    if element.is_ellipse:
        cx, cy, rx, ry = box.x + box.width / 2, box.y + box.height / 2, box.width / 2, box.height / 2
        return f'<ellipse cx="{cx:.2f}" cy="{cy:.2f}" rx="{rx:.2f}" ry="{ry:.2f}" {paint}/>', ()
    radius = f' rx="{element.radius:.2f}"' if element.radius else ""
    return f"<rect {edges.attributes(box)}{radius} {paint}/>", ()

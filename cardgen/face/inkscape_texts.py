"""Text objects of a drawing: their looks, lines, runs, and the boxes that they become."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from cardgen.diagnostic import Diagnostic, did_you_mean
from cardgen.runtime.escapes import escape_xml as escape
from cardgen.runtime.escapes import quoteattr
from cardgen.svg import subset
from cardgen.svg.tree import DRAWING, Element, SvgError, Tree, parse_transform, read_style, read_tree
from cardgen.units import Matrix, multiply

# Tree of a drawing, without what only Inkscape understands.

MAX_MISTAKES = 50


class DrawingError(ValueError):
    """Mistakes in a drawing, each with a line and a message; those of a layout are `diagnostics`."""

    def __init__(self, mistakes: Sequence[tuple[int, str]] = (), diagnostics: Sequence[Diagnostic] = ()) -> None:
        super().__init__(mistakes[0][1] if mistakes else diagnostics[0].message)
        self.mistakes, self.diagnostics = mistakes, diagnostics


def read_drawing(source: str) -> Tree:
    """Return the tree of a drawing, with the style of each element.

    Elements of other namespaces are left out. Raises DrawingError for anything that is not a well-formed SVG file.
    """
    try:
        tree = read_tree(source.encode("utf-8", "surrogatepass"), DRAWING)
    except SvgError as error:
        raise DrawingError([(error.line, str(error))]) from None
    for element in tree.elements:
        element.style = read_style(element.attributes.pop("style", ""))
    return tree


GUIDES = "guides"
SHAPES = subset.DRAWING_TAGS - {"use"}
_DEFINITIONS = frozenset({"linearGradient", "radialGradient", "clipPath", "mask", "pattern", "marker", "stop"})
_PAINTED = SHAPES | {"g", "a", "svg"} | _DEFINITIONS
# Elements that paint nothing, and that no object refers to.
SILENT = frozenset({"title", "desc", "metadata", "style", "defs", "script", "symbol", "solidcolor", *_DEFINITIONS})
# Properties that would change the picture, their values without effect, and what people call them.
_REFUSED = {
    "filter": ({"none"}, "a filter, such as blur"),
    "mix-blend-mode": ({"normal"}, "a blend mode"),
    "paint-order": ({"normal", "fill", "fill markers stroke", "fill stroke markers", "fill stroke"}, "a paint order"),
    "vector-effect": ({"none"}, "a vector effect"),
}  # fmt: skip
_WHAT = {
    "flowRoot": "flowed text of an older version; convert it to text",
    "textPath": "text on a path; convert it to a path",
    "foreignObject": "an HTML object",
    "switch": "a switch",
    "meshgradient": "a mesh gradient",
    "filter": "a filter, such as blur",
}  # fmt: skip
_BRACE = re.compile(r"\{")


def is_left_out(element: Element) -> bool:
    """Return whether an object is hidden, or is a layer for guides."""
    hidden = element.style.get("display", element.attributes.get("display")) == "none"
    return hidden or (
        element.attributes.get("inkscape:groupmode") == "layer" and label_of(element).strip().lower() == GUIDES
    )


def label_of(element: Element) -> str:
    """Return the label that people see in Inkscape, or else the id."""
    return element.attributes.get("inkscape:label") or element.attributes.get("id", "")


def object_faults(element: Element) -> Iterator[str]:
    """Yield why an object itself cannot be drawn as it is."""
    if element.tag in _WHAT:
        yield f"{element} is {_WHAT[element.tag]}"
        return
    try:
        object_matrix(element)
    except ValueError as error:
        yield f"{element}: {error}"
    for name, (harmless, what) in _REFUSED.items():
        value = element.style.get(name, element.attributes.get(name, ""))
        if value and value.lower() not in harmless:
            yield f"{element} has {what}, which cannot be drawn; export it as a picture, or remove it"
    if element.tag not in _PAINTED | SILENT | {"use", "text", "tspan", "image"}:
        yield f"{element} is a <{element.tag}>, which cannot be drawn; convert it to a path"


def object_matrix(element: Element) -> Matrix:
    """Return the matrix of an object's own transform.

    Raises ValueError if it is invalid.
    """
    text = element.attributes.get("transform", "")
    return parse_transform(text)


def outer_matrix(ancestors: list[Element], root: Matrix) -> Matrix:
    """Return the matrix of all transforms around an object."""
    matrix = root
    for each in ancestors:
        matrix = multiply(matrix, object_matrix(each))
    return matrix


def open_tag(element: Element, *, closed: bool = False, keep_id: bool = False) -> str:
    """Return the tag of an object with everything that can be drawn."""
    attributes: dict[str, str] = {}
    outer = element.tag in ("svg", "symbol")
    for name, value in element.attributes.items():
        if name == "id" and not keep_id:
            continue
        if outer and name not in subset.PROPERTIES | {"transform", "class"}:
            continue
        if name in subset.ATTRIBUTES and name != "xml:space":
            attributes[name] = value
    style = ";".join(f"{name}:{value}" for name, value in element.style.items() if name in subset.PROPERTIES)
    if style:
        attributes["style"] = style
    tag = "g" if element.tag in ("svg", "symbol") else element.tag
    written = "".join(f" {name}={escape_braces(quoteattr(value))}" for name, value in attributes.items())
    return f"<{tag}{written}{'/' if closed else ''}>"


def close_tag(element: Element) -> str:
    """Return the end tag of an object."""
    return f"</{'g' if element.tag in ('svg', 'symbol') else element.tag}>"


def escape_braces(text: str) -> str:
    """Return a text of XML whose braces mean nothing in a template."""
    return _BRACE.sub("&#123;", text)


_PX_PER_UNIT = {"px": 1.0, "": 1.0, "pt": 96 / 72, "mm": 96 / 25.4, "cm": 960 / 25.4, "in": 96.0, "pc": 16.0}
_SIZE = re.compile(r"((?:[0-9]++(?:\.[0-9]++)?|\.[0-9]++)(?:e[-+]?[0-9]++)?)\s*+([a-z]*+)")
_ANCHORS = {"start": "start", "middle": "middle", "center": "middle", "end": "end"}
_ALIGNMENTS = {"start": "left", "middle": "center", "center": "center", "end": "right", "justify": "justify"}
_COLOUR = re.compile(r"#[0-9a-fA-F]{6}")
_INHERITED = ("font-size", "font-family", "font-weight", "font-style", "fill", "text-anchor", "text-align")


class TextLook(NamedTuple):
    """Look of a text: font size in units of the drawing, family, and color."""

    size: float | None
    family: str
    bold: bool
    italic: bool
    fill: str
    anchor: str
    align: str


def own_style(element: Element) -> dict[str, str]:
    """Return the properties of an element that its text inherits."""
    given = {**element.attributes, **element.style}
    return {name: given[name] for name in _INHERITED if name in given}


def look_of(style: Mapping[str, str]) -> TextLook:
    """Return the look of a text with these properties."""
    weight = style.get("font-weight", "")
    anchor = style.get("text-anchor", "start")
    return TextLook(
        size=_size(style.get("font-size", "")),
        family=style.get("font-family", "").split(",")[0].strip(" '\""),
        bold=weight in ("bold", "bolder") or (weight.isdecimal() and int(weight[:4]) >= 600),
        italic=style.get("font-style", "") in ("italic", "oblique"),
        fill=_fill(style.get("fill", "")),
        anchor=_ANCHORS.get(anchor, "start"),
        align=_ALIGNMENTS.get(style.get("text-align", anchor), "left"),
    )


def look_faults(element: Element) -> Iterator[str]:
    """Yield what a text or a part of it looks like, but cannot be set as."""
    style = {**element.attributes, **element.style}
    if style.get("writing-mode", "").startswith(("tb", "vertical")):
        yield f"{element} is vertical text; rotate horizontal text instead"
    if style.get("fill", "").startswith("url("):
        yield f"{element} is text with a gradient or pattern; give it one color"
    if style.get("fill") == "none":
        yield f"{element} is text without a fill; give it a color"
    if style.get("stroke", "none") != "none":
        yield f"{element} is text with an outline, which cannot be printed; remove the stroke"


def _fill(text: str) -> str:
    """Return a color as #rrggbb; '' for none, and for one that is not valid."""
    if not text or _COLOUR.fullmatch(text):
        return text.lower()
    from cardgen.svg.tree import parse_colour  # most colors are #rrggbb

    try:
        return parse_colour(text).text
    except ValueError:
        return ""


def _size(text: str) -> float | None:
    match = _SIZE.fullmatch(text.strip())
    return float(match[1]) * _PX_PER_UNIT[match[2]] if match and match[2] in _PX_PER_UNIT else None


# A placeholder, up to the end of the text if it is not closed.
_PLACEHOLDER = re.compile(r"\{\{.*?(?:\}\}|\Z)|\{%.*?(?:%\}|\Z)|\{#.*?(?:#\}|\Z)", re.DOTALL)
_ENDS = {"{{": "}}", "{%": "%}", "{#": "#}"}
# A placeholder that is longer is not joined with more lines.
_LONGEST = 10_000


class TextLine(NamedTuple):
    """A line of a text object, with its point on the baseline in units of the drawing."""

    x: float
    y: float
    text: str
    look: TextLook


def lines_of(element: Element, inherited: Mapping[str, str]) -> list[TextLine]:
    """Return the lines of a text object.

    A placeholder that goes over several lines is joined to one.

    Raises ValueError for a position that is not a number.
    """
    style = {**inherited, **own_style(element)}
    lines: list[TextLine] = []
    for part in _parts(element):
        text, look = marked_line(part, style)
        if not text.strip():
            continue
        if lines and _is_open(lines[-1].text):
            lines[-1] = lines[-1]._replace(text=f"{lines[-1].text} {text}")
            continue
        x = _first_number(part.attributes.get("x") or element.attributes.get("x", "0"))
        y = _first_number(part.attributes.get("y") or element.attributes.get("y", "0"))
        lines.append(TextLine(x, y, text, look))
    return lines


def _parts(element: Element) -> Iterator[Element]:
    """Yield the lines of a text object: its tspans for lines, or else all of it."""
    if any(map(_is_line, element.children)):
        yield from (child for child in element.children if child.tag == "tspan")
    else:
        yield element


def _is_line(part: Element) -> bool:
    """Return whether a part is a line; a plain SVG has only its position."""
    return part.attributes.get("sodipodi:role") == "line" or {"x", "y"} <= part.attributes.keys()


def _is_open(text: str) -> bool:
    """Return whether a placeholder begins, but does not end."""
    if len(text) > _LONGEST:
        return False
    openings = [match[0][:2] for match in _PLACEHOLDER.finditer(text) if not _is_closed(match[0])]
    return bool(openings) and openings != ["{#"]


def _is_closed(placeholder: str) -> bool:
    return placeholder.endswith(_ENDS[placeholder[:2]])


def _first_number(text: str) -> float:
    return float(re.split(r"[\s,]+", text.strip())[0].removesuffix("px"))


def template_text(text: str) -> str:
    """Return text for a template: placeholders as they are, and everything else as XML."""
    parts, end = [], 0
    for match in filter(lambda each: _is_closed(each[0]), _PLACEHOLDER.finditer(text)):
        parts += [escape(text[end : match.start()]), re.sub(r"\s+", " ", match[0])]
        end = match.end()
    return "".join((*parts, escape(text[end:])))


# A placeholder, which can also end on a later line.
_PRINTED_PLACEHOLDER = re.compile(r"\{\{.*?(?:\}\}|\Z)|\{%.*?(?:%\}|\Z)", re.DOTALL)


class _Run(NamedTuple):
    element: Element
    text: str
    look: TextLook


def marked_line(element: Element, style: Mapping[str, str]) -> tuple[str, TextLook]:
    """Return the text of a line, with marks for its bold and italic parts, and the look of the rest.

    `style` has the properties around it. Raises ValueError for parts in another color, size, or font.
    """
    runs = [run for run in _runs(element, {**style, **own_style(element)}) if run.text]
    printed = [run for run in runs if run.text.strip()]
    if not printed:
        return "", look_of(style)
    bold, italic = all(run.look.bold for run in printed), all(run.look.italic for run in printed)
    base = printed[0].look._replace(bold=bold, italic=italic)
    # Whether each run begins or ends inside a placeholder, where marks would be part of it.
    spans = [match.span() for match in _PRINTED_PLACEHOLDER.finditer("".join(run.text for run in runs))]
    inside, begin = [], 0
    for run in runs:
        end = begin + len(run.text)
        inside.append(any(first < edge < last for first, last in spans for edge in (begin, end)))
        begin = end
    for run, is_inside in zip(runs, inside, strict=True):
        if run.text.strip() and not is_inside:
            _require_same(run, base)
    marked = (run.text if is_inside else _marked(run, base) for run, is_inside in zip(runs, inside, strict=True))
    return re.sub(r"\s+", " ", "".join(marked)), base


def _runs(element: Element, style: Mapping[str, str]) -> Iterator[_Run]:
    for each in element.content:
        if isinstance(each, str):
            yield _Run(element, each, look_of(style))
        elif each.tag not in ("title", "desc"):
            yield from _runs(each, {**style, **own_style(each)})


def _require_same(run: _Run, base: TextLook) -> None:
    differences = {
        "color": run.look.fill != base.fill,
        "size": run.look.size != base.size,
        "font": run.look.family.lower() != base.family.lower(),
    }
    what = next((name for name, differs in differences.items() if differs), None)
    if what:
        raise ValueError(f"part of it, '{run.text.strip()[:40]}', has a different {what}; make it a text of its own")


def _marked(run: _Run, base: TextLook) -> str:
    """Return a run with marks around its words."""
    mark = "**" * (run.look.bold and not base.bold) + "*" * (run.look.italic and not base.italic)
    words = run.text.strip()
    if not mark or not words:
        return run.text
    begin = run.text.index(words)
    return f"{run.text[:begin]}{mark}{words}{mark[::-1]}{run.text[begin + len(words) :]}"


_FIELD = re.compile(r"[a-z][a-z0-9_]*(?:\.[a-z][a-z0-9_]*){0,3}")
# Ids that Inkscape invents.
_INVENTED = re.compile(r"(?:rect|path|circle|ellipse|line|polyline|polygon|use|text)[0-9]+(?:-[0-9a-z-]+)*")
_TEXT_SETTINGS = ("style", "size", "min-size", "align", "valign", "fill")
_ART_SETTINGS = ("fit", "focus", "scale", "rotate", "mirror", "radius")
_CARD_FIELD = re.compile(r"\bcard\.([a-z_][a-z0-9_]*)")


# The attribute of a field's box that says where its rectangle is in the drawing, and the scale of its units.
ORIGIN = "data-at"


class Box(NamedTuple):
    """Box in mm, before the page is put in place; the attribute `origin` says where it comes from."""

    x: float
    y: float
    width: float
    height: float
    radius: float
    origin: str = ""


def field_label(element: Element) -> str:
    """Return the name of the field that an object could be labeled with, or ''.

    People write labels with capitals and spaces.
    """
    label = label_of(element).strip()
    name = re.sub(r"[\s-]+", "_", label.lower())
    return name if len(label) < 80 and _FIELD.fullmatch(name) and not _INVENTED.fullmatch(label) else ""


def is_field_box(element: Element) -> bool:
    """Return whether an object is a rectangle that could be a field."""
    return element.tag == "rect" and bool(field_label(element))


def read_settings(element: Element) -> tuple[dict[str, str], list[str]]:
    """Return what the description of an object sets, and what is wrong with it.

    An ordinary sentence is not a setting.
    """
    descriptions = [child.text for child in element.children if child.tag == "desc"]
    settings = read_style(" ".join(descriptions))
    if not any(name in (*_TEXT_SETTINGS, *_ART_SETTINGS) for name in settings) and any(
        " " in name for name in settings
    ):
        return {}, []
    return settings, list(_unknown_settings(element, settings))


def _unknown_settings(element: Element, settings: dict[str, str]) -> Iterator[str]:
    names = (*_TEXT_SETTINGS, *_ART_SETTINGS)
    for name in settings:
        if name not in names:
            hint = did_you_mean(name, names) or f" (one of {', '.join(names)})"
            yield f"unknown setting '{name[:40]}' in the description of {element}{hint}"


def _geometry(box: Box) -> str:
    return f'x="{box.x:.5g}" y="{box.y:.5g}" width="{box.width:.5g}" height="{box.height:.5g}"{box.origin}'


def _attributes(settings: dict[str, str], names: tuple[str, ...]) -> str:
    return "".join(f" {name}={escape_braces(quoteattr(settings[name]))}" for name in names if name in settings)


def text_box(element: Element, box: Box, settings: dict[str, str]) -> str:
    """Return the text box of a rectangle.

    Without a style, it has that of the field's name, or of the body.
    """
    label = field_label(element)
    style = "" if "style" in settings else f" style=\"{{{{ field_style('{label}') }}}}\""
    field = label.replace(".", "/")
    content = f"{{{{ field_text(card, '{label}') }}}}"
    return (
        f'<cg:text {_geometry(box)}{style}{_attributes(settings, _TEXT_SETTINGS)} field="{field}">{content}</cg:text>'
    )


def art_box(element: Element, box: Box, settings: dict[str, str]) -> str:
    """Return the art box of a rectangle, which is left out without a picture."""
    label = field_label(element)
    radius = f' radius="{box.radius:.5g}"' if box.radius and "radius" not in settings else ""
    own = _attributes(settings, _ART_SETTINGS)
    kept = ", ".join(f"'{name}'" for name in ("fit", "focus") if name in settings)
    picture = f"{{{{ field_picture(card, '{label}', [{kept}]) }}}}"
    art = f"<cg:art {_geometry(box)}{radius}{own} {picture}/>"
    return f"{{% if field_picture(card, '{label}') %}}{art}{{% endif %}}"


def by_field(element: Element, text: str, art: str, original: str) -> str:
    """Return the choice between text, picture, and ordinary shape.

    The fields of the card decide.
    """
    label = field_label(element)
    named = "true" if element.attributes.get("inkscape:label") else "false"
    return (
        f"{{% set kind_ = field_kind(card, '{label}', {named}) %}}{{% if kind_ == 'text' %}}{text}"
        f"{{% elif kind_ == 'picture' %}}{art}{{% else %}}{original}{{% endif %}}"
    )


def label_check(element: Element) -> str:
    """Return template code that refuses the label of a field on an object that cannot be one, or ''."""
    label = field_label(element)
    if not label or element.tag == "rect" or "{{" in element.text:
        return ""
    identity = re.sub(r"[^\w.-]", "", element.attributes.get("id", ""))[:40]
    return f"{{{{ refuse_field(card, '{label}', '{identity}', '{element.tag}') }}}}"


def text_line(line: TextLine, scale: float) -> str:
    """Return a line of a text object."""
    anchor = f' text-anchor="{line.look.anchor}"'
    place = f'x="{line.x * scale:.5g}" y="{line.y * scale:.5g}"'
    return _set_text(f"<text {place}{anchor}", "text", line.text, line.look, scale)


def flowed_text(element: Element, style: Mapping[str, str], box: Box, scale: float) -> str:
    """Return the text box of a text that flows in a rectangle; `style` has the properties around it."""
    text, look = marked_line(element, style)
    return _set_text(f'<cg:text {_geometry(box)} align="{look.align}"', "cg:text", text, look, scale) if text else ""


def _set_text(opener: str, tag: str, text: str, look: TextLook, scale: float) -> str:
    size = f' size="{look.size * scale * 72 / 25.4:.4g}pt"' if look.size else ""
    fill = f' fill="{look.fill}"' if look.fill else ""
    field = _CARD_FIELD.search(text)
    named = f' field="{field[1]}"' if field else ""
    family = re.sub(r"[^\w .-]", "", look.family)[:80]
    chosen = f"font_look('{family}', {str(look.bold).lower()}, {str(look.italic).lower()})"
    content = template_text(text.strip())
    return (
        f'{{% set look_ = {chosen} %}}{opener} style="{{{{ look_.style }}}}" {{{{ look_.family }}}}{size}{fill}{named}>'
        f"{{{{ look_.begin }}}}{content}{{{{ look_.end }}}}</{tag}>"
    )

"""Layouts: templates as lists of boxes, in files such as `brave.layout.yaml`.

All numbers of a layout are literal, so that a box can be moved without a formula. A layout becomes the source of a
template, in which each box is on the line of its file and has its index as `data-box`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Annotated, Any, Literal, NamedTuple, Self, TypeAlias

from pydantic import AfterValidator, BeforeValidator, Field, WithJsonSchema, model_validator
from pydantic_core import PydanticCustomError

from cardgen.diagnostic import Code, Diagnostic, join_words
from cardgen.face.inkscape_texts import DrawingError, escape_braces
from cardgen.model.schema import DIALECT, UntitledGenerator
from cardgen.runtime.escapes import escape_xml, quoteattr
from cardgen.source import Data, Document, parse_document
from cardgen.svg.tree import TEMPLATE, Element, read_tree
from cardgen.units import MM_PER_POINT, Box, parse_length, shorten
from cardgen.validation.base import Int, Model, SourceMap, Text, reachable_models
from cardgen.validation.validate import describe_value, validate

_UNIT = r"(mm|cm|in|pt)"
_NUMBER = r"-?([0-9]+(\.[0-9]+)?|\.[0-9]+)"


def _to_mm(value: object) -> object:
    """Return a length in millimeters; it may be negative, and a bare number is in mm."""
    if isinstance(value, str):
        try:
            return parse_length(value.strip().removeprefix("-")) * (-1 if value.strip().startswith("-") else 1)
        except ValueError as error:
            advice = {"code": Code.MALFORMED, "help": "write millimeters, such as 5.4, or a unit, such as 0.25in"}
            raise PydanticCustomError("length", "{message}", {"message": str(error), **advice}) from None
    return value


def _to_points(value: object) -> object:
    """Return a type size in points, which is also the unit of a bare number."""
    if isinstance(value, str):
        try:
            return parse_length(value, unit="pt") / MM_PER_POINT
        except ValueError:
            advice = {"code": Code.MALFORMED, "help": "write points, such as 9pt"}
            raise PydanticCustomError("size", f"{describe_value(value)} is not a type size", advice) from None
    return value


def _schema(pattern: str) -> WithJsonSchema:
    return WithJsonSchema({"anyOf": [{"type": "number"}, {"type": "string", "pattern": pattern}]})


_Length = Annotated[
    float, Field(strict=True, ge=-2_000, le=2_000), BeforeValidator(_to_mm), _schema(f"^{_NUMBER} *{_UNIT}$")
]
_Side = Annotated[
    float, Field(strict=True, ge=0, le=2_000), BeforeValidator(_to_mm), _schema(rf"^{_NUMBER[2:]} *{_UNIT}$")
]
_Points = Annotated[
    float, Field(strict=True, ge=4, le=200), BeforeValidator(_to_points), _schema(rf"^{_NUMBER[2:]} *pt$")
]
_FIELD = r"^[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*){0,3}$"
_PLACEHOLDER = re.compile(rf"\{{\{{\s*({_FIELD[1:-1]})\s*\}}\}}")
# What begins an expression, and what follows up to its end; a brace after a backslash is printed.
_EXPRESSION = re.compile(r"(?<!\\)\{[{%#](?:(?!\{[{%#]).){0,40}")


def _require_fields(text: str) -> str:
    """Return a text whose placeholders are names of fields, or raise an error."""
    if found := _EXPRESSION.search(_PLACEHOLDER.sub("", text)):
        message = f"'{found[0].strip()}' is not the name of a field in double braces"
        advice = "write {{ points }}, or continue as SVG with 'cardgen new template KIND --svg' for expressions"
        raise PydanticCustomError(
            "placeholder", "{message}", {"message": message, "code": Code.MALFORMED, "help": advice}
        )
    return text


_Text = Annotated[Text, AfterValidator(_require_fields)]
_FieldName = Annotated[str, Field(strict=True, pattern=_FIELD)]
_PLAIN_COLOUR = r"#[0-9A-Fa-f]{6}|[A-Za-z_][\w-]*"
_COMPUTED_COLOUR = rf"([\w #(),.%/+-]*\{{\{{ *{_FIELD[1:-1]} *\}}\}})+[\w #(),.%/+-]*"
_Colour = Annotated[str, Field(strict=True, pattern=rf"^({_PLAIN_COLOUR}|{_COMPUTED_COLOUR})$")]
_Icon = Annotated[str, Field(strict=True, pattern=r"^[A-Za-z0-9][\w-]*$")]
_Value: TypeAlias = str | int | bool
_Condition: TypeAlias = _FieldName | dict[_FieldName, _Value | tuple[_Value, ...]]
_Share = Annotated[float, Field(strict=True, ge=0, le=1)]

_TYPE = ("style", "size", "min_size", "family", "align", "valign", "fill")
_PICTURE = ("fit", "focus", "radius")
# What a box shows, and the keys that it can have for it.
CONTENTS: Mapping[str, tuple[str, ...]] = {
    "field": (*_TYPE, *_PICTURE, "label"),
    "each": (*_TYPE, "step", "label"),
    "text": _TYPE,
    "shape": ("fill", "stroke", "stroke_width", "radius", "opacity"),
    "icons": ("count", "gap", "align", "fill"),
    "picture": _PICTURE,
}
_COMMON = ("at", "when", "unless", *CONTENTS)


class LayoutBox(Model):
    """Box of a layout, which shows one thing: a `field`, `each`, `text`, `shape`, `icons`, or `picture`."""

    at: Annotated[
        tuple[_Length, _Length, _Side, _Side],
        Field(description="left and top edge from the corner of the trim, width, and height, in mm"),
    ]
    field: Annotated[_FieldName | None, Field(description="field of the card: its text, or its picture")] = None
    each: Annotated[
        _FieldName | Annotated[tuple[_FieldName, ...], Field(min_length=1, max_length=100)] | None,
        Field(
            description="fields, or a field with a list: with 'step', each of them or of its items has a box; without, "
            "those that the card has are paragraphs of one box"
        ),
    ] = None
    text: Annotated[
        _Text | None,
        Field(description="text; {{ points }} stands for a field; drawn if the card has one of its fields, or all do"),
    ] = None
    shape: Annotated[
        Literal["rect", "ellipse", "line", "emblem"] | None,
        Field(description="a rectangle, an ellipse, a line from corner to corner, or the card's coat of arms"),
    ] = None
    icons: Annotated[_Icon | None, Field(description="name of an icon, drawn in a row")] = None
    picture: Annotated[Text | None, Field(description="file of a picture that all cards show")] = None
    when: Annotated[
        _Condition | None,
        Field(description="a field: draw the box if the card has it; or fields with the values that they must have"),
    ] = None
    unless: Annotated[_Condition | None, Field(description="the opposite of when")] = None
    style: Annotated[
        Text | None, Field(description="text style of the theme; by default, the one named like the field, or body")
    ] = None
    size: Annotated[_Points | None, Field(description="type size, such as 9pt")] = None
    min_size: Annotated[_Points | None, Field(description="smallest type size to which text may shrink")] = None
    family: Annotated[Text | None, Field(description="font family instead of the style's")] = None
    align: Annotated[
        Literal["left", "center", "right", "justify"] | None, Field(description="alignment of the lines, or of icons")
    ] = None
    valign: Annotated[Literal["top", "middle", "bottom"] | None, Field(description="where the text is")] = None
    fill: Annotated[
        _Colour | None,
        Field(description="color: a name of the theme, '#rrggbb', or one that a field names: '{{ suit }}'"),
    ] = None
    stroke: Annotated[_Colour | None, Field(description="color of the outline")] = None
    stroke_width: Annotated[_Side | None, Field(description="width of the outline, in mm; the default is 0.25")] = None
    radius: Annotated[_Side | None, Field(description="radius of the corners, in mm")] = None
    opacity: Annotated[_Share | None, Field(description="from 0, which is invisible, to 1")] = None
    label: Annotated[
        Literal["above", "below", "before"] | None, Field(description="where the label of the field is, if anywhere")
    ] = None
    step: Annotated[
        tuple[_Length, _Length] | None, Field(description="from one box to the next, to the right and down, in mm")
    ] = None
    count: Annotated[
        _FieldName | Annotated[Int, Field(ge=1, le=100)] | None,
        Field(description="number of icons, or the field that has it; the default is 1"),
    ] = None
    gap: Annotated[_Side | None, Field(description="space between icons, in mm; the default is 1")] = None
    fit: Annotated[
        Literal["cover", "contain"] | None, Field(description="cover fills the box and crops; contain shows all")
    ] = None
    focus: Annotated[
        tuple[_Share, _Share] | None, Field(description="point of the picture to keep, as fractions of its sides")
    ] = None

    @model_validator(mode="after")
    def _check_content(self) -> Self:
        contents = [name for name in CONTENTS if getattr(self, name) is not None]
        if len(contents) != 1:
            what = join_words(contents, "and") if contents else "nothing"
            advice = f"give it one of {join_words(CONTENTS, 'or')}"
            raise PydanticCustomError("content", f"the box shows {what}", {"code": Code.MALFORMED, "help": advice})
        for key in sorted(self.model_fields_set - {*_COMMON, *CONTENTS[contents[0]]}):
            advice = f"use one of {join_words(CONTENTS[contents[0]], 'or')}"
            raise PydanticCustomError(
                "unused",
                f"'{key}' does nothing in a box with '{contents[0]}'",
                {"code": Code.UNKNOWN_KEY, "path": (key,), "at_key": True, "help": advice},
            )
        return self


class Layout(Model):
    """Layout of a side of a card: boxes in the order in which they are painted."""

    size: Annotated[
        tuple[_Side, _Side] | None,
        Field(description="width and height of its cards in mm; cards of other sizes are rejected"),
    ] = None
    background: Annotated[_Colour | None, Field(description="color of everything, to the edge of the bleed")] = None
    frame: Annotated[
        Annotated[str, Field(strict=True, pattern=r"^[\w.-]+\.svg$")] | None,
        Field(description="drawing behind the boxes, such as frame.svg, in the same folder"),
    ] = None
    boxes: Annotated[tuple[LayoutBox, ...], Field(max_length=500, description="boxes in paint order")] = ()


class ReadLayout(NamedTuple):
    """A layout with the document that it was read from."""

    layout: Layout
    document: Document


def read_layout(text: str, file: str) -> ReadLayout:
    """Return the layout of a text; `file` is its name in messages.

    Raises DrawingError with the diagnostics of all mistakes.
    """
    document = parse_document(text, file)
    data: Data = {} if document.data is None else document.data
    layout, diagnostics = validate(Layout, data, SourceMap(document, (Layout,)))
    if document.diagnostics or layout is None:
        raise DrawingError(diagnostics=(*document.diagnostics, *diagnostics))
    return ReadLayout(layout, document)


def compile_layout(text: str, file: str, read_frame: Callable[[str], str]) -> str:
    """Return the source of a template for a layout.

    `read_frame` returns the source of the template for a drawing in the same folder, and raises LookupError without
    it. Raises DrawingError with all mistakes.
    """
    layout, document = read_layout(text, file)
    parts, line = ['<svg xmlns="http://www.w3.org/2000/svg" xmlns:cg="https://cardgen.dev/svg">'], 1
    for name, path, source in _parts(layout, document, read_frame):
        span = document.place(path, key=name != "").span
        target = span.line if span else line
        parts.append("\n" * max(0, target - line) + source.replace("\n", " "))
        line = max(line, target)
    return "".join((*parts, "</svg>"))


def _parts(
    layout: Layout, document: Document, read_frame: Callable[[str], str]
) -> Iterator[tuple[str, tuple[str | int, ...], str]]:
    """Yield the name of each key, or '' for a box, its path, and its source."""
    keys: dict[str, str] = {}
    if layout.size:
        keys["size"] = f"{{{{ require_size({layout.size[0]:g}, {layout.size[1]:g}, width, height) }}}}"
    if layout.background:
        keys["background"] = (
            '<rect x="{{ -bleed }}" y="{{ -bleed }}" width="{{ width + 2 * bleed }}" height="{{ height + 2 * bleed }}" '
            f'fill="{_paint(layout.background)}"/>'
        )
    if layout.frame:
        try:
            keys["frame"] = _ROOT.sub("", read_frame(layout.frame))
        except LookupError:
            message, advice = f"the drawing '{layout.frame}' does not exist", "put it into the folder of this file"
            raise DrawingError(
                diagnostics=[Diagnostic(Code.TEMPLATE, message, document.place(("frame",)), advice)]
            ) from None
    for name, source in keys.items():
        yield name, (name,), source
    for index, box in enumerate(layout.boxes):
        yield "", ("boxes", index), _conditional(box, _box_source(box, f' data-box="{index}"'))


_ROOT = re.compile(r"\A\s*<svg\b[^>]*>|</svg>\s*\Z")


def _paint(colour: str) -> str:
    """Return the color of a shape as an attribute."""
    if "{{" in colour:
        return f"{{{{ {_colour_value(colour, 'none')} }}}}"
    return colour if colour.startswith("#") else f"{{{{ theme.colours['{colour}'] }}}}"


def _fill(colour: str | None) -> str:
    """Return the attribute with the color of a text, if any."""
    value = f"{{{{ {_colour_value(colour, 'ink')} }}}}" if colour and "{{" in colour else colour
    return f' fill="{value}"' if value else ""


def _colour_value(colour: str, default: str) -> str:
    """Return a color as an expression of Jinja2; the default stands for a field without a value."""
    values, end = [], 0
    for match in _PLACEHOLDER.finditer(colour):
        values += [f"'{colour[end : match.start()]}'", f"field_colour(card, '{match[1]}', '{default}')"]
        end = match.end()
    return " ~ ".join(value for value in (*values, f"'{colour[end:]}'") if value != "''")


def is_colour(text: str) -> bool:
    """Return whether a text can be a color of a box."""
    return bool(re.fullmatch(f"{_PLAIN_COLOUR}|{_COMPUTED_COLOUR}", text))


def _known_in(text: str) -> str:
    """Return what refuses unknown fields of a text or a color."""
    return "".join(_known(match[1]) for match in _PLACEHOLDER.finditer(text))


def _conditional(box: LayoutBox, source: str) -> str:
    tests = [*_tests(box.when)]
    tests += [f"not ({' and '.join(_tests(box.unless))})"] if box.unless else []
    return f"{{% if {' and '.join(tests)} %}}{source}{{% endif %}}" if tests else source


def _tests(condition: _Condition | None) -> Iterator[str]:
    if isinstance(condition, str):
        yield _value(condition)
    for field, values in condition.items() if isinstance(condition, dict) else ():
        listed = ", ".join(map(_literal, values if isinstance(values, tuple) else (values,)))
        yield f"{_value(field)} in [{listed}]"


def _value(field: str) -> str:
    """Return the value of a field as an expression; nothing if the card that it is a field of is not there."""
    owner, _, _ = field.rpartition(".")
    return f"({_value(owner)} and card.{field})" if owner else f"card.{field}"


def _literal(value: _Value) -> str:
    """Return a value as Jinja2 writes it."""
    if isinstance(value, str):
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'
    return str(value).lower()


def _box_source(box: LayoutBox, mark: str) -> str:
    place = Box(*box.at)
    if box.field:
        return _field_source(box, box.field, place, mark)
    if box.each:
        return _each_source(box, place, mark)
    if box.text:
        source = f"<cg:text {_geometry(place)}{_type(box, '')}{mark}>{_text_source(box.text)}</cg:text>"
        values = [f"field_text(card, '{match[1]}')" for match in _PLACEHOLDER.finditer(box.text)]
        return f"{_known_in(box.text)}{{% if {' or '.join(values)} %}}{source}{{% endif %}}" if values else source
    if box.shape:
        return _shape_source(box, place, mark)
    if box.icons:
        return _icons_source(box, box.icons, place, mark)
    file = escape_braces(quoteattr(box.picture or ""))
    return f"<cg:art {_geometry(place)}{_picture(box)} file={file}{mark}/>"


def _geometry(box: Box) -> str:
    return f'x="{box.x:.6g}" y="{box.y:.6g}" width="{box.width:.6g}" height="{box.height:.6g}"'


def _type(box: LayoutBox, field: str) -> str:
    """Return the attributes of a text box; `field` is the one whose style it has if it names none."""
    values = {name: getattr(box, name) for name in _TYPE if name != "fill"}
    values |= {name: f"{values[name]:.6g}pt" for name in ("size", "min_size") if values[name]}
    style = "" if box.style or not field else f" style=\"{{{{ field_style('{field}') }}}}\""
    return style + _attributes({name.replace("_", "-"): value for name, value in values.items()}) + _fill(box.fill)


def _attributes(values: Mapping[str, str | None]) -> str:
    return "".join(f" {name}={escape_braces(quoteattr(value))}" for name, value in values.items() if value)


def _picture(box: LayoutBox) -> str:
    values = {"fit": box.fit, "focus": box.focus and " ".join(f"{share:g}" for share in box.focus)}
    radius = f' radius="{box.radius:.6g}"' if box.radius else ""
    return radius + _attributes(values)


def _field_source(box: LayoutBox, field: str, place: Box, mark: str) -> str:
    """Return the text or the picture of a field; nothing is drawn for a field that the card does not have."""
    kept = ", ".join(f"'{name}'" for name in ("fit", "focus") if getattr(box, name))
    picture = f"field_picture(card, '{field}', [{kept}])"
    art = f"{{% if {picture} %}}<cg:art {_geometry(place)}{_picture(box)} {{{{ {picture} }}}}{mark}/>{{% endif %}}"
    value = f"field_text(card, '{field}')"
    named = f' field="{field.replace(".", "/")}"'
    text = _labeled(box, place, field, f"label(card, '{field}')", value, named + mark)
    kind = f"{{% set kind_ = field_kind(card, '{field}', true) %}}"
    return f"{_known(field)}{kind}{{% if kind_ == 'picture' %}}{art}{{% elif {value} %}}{text}{{% endif %}}"


def _known(field: str) -> str:
    return f"{{{{ require_field(card, '{field}') }}}}"


def _labeled(box: LayoutBox, place: Box, field: str, label: str, value: str, rest: str) -> str:
    """Return the boxes of a value and of its label, as expressions."""
    before = f"**{{{{ {label} }}}}** " if box.label == "before" else ""
    if box.label not in ("above", "below"):
        return f"<cg:text {_geometry(place)}{_type(box, field)}{rest}>{before}{{{{ {value} }}}}</cg:text>"
    small = place.height * _LABEL
    top = place.y if box.label == "above" else place.y + place.height - small
    label_place = place._replace(y=top, height=small)
    value_place = place._replace(y=place.y + small * (box.label == "above"), height=place.height - small)
    look = _attributes({"align": box.align}) + _fill(box.fill or "ink")
    return (
        f"<cg:text {_geometry(value_place)}{_type(box, field)}{rest}>{{{{ {value} }}}}</cg:text>"
        f'<cg:text {_geometry(label_place)} style="{{{{ field_style(\'label\') }}}}"{look} valign="middle"{rest}>'
        f"{{{{ {label} }}}}</cg:text>"
    )


# The part of a box's height that its label has.
_LABEL = 0.36


def _each_source(box: LayoutBox, place: Box, mark: str) -> str:
    if box.step is None:
        return _paragraphs_source(box, (box.each,) if isinstance(box.each, str) else box.each or (), place, mark)
    across, down = box.step
    if isinstance(box.each, tuple):
        places = (place._replace(x=place.x + n * across, y=place.y + n * down) for n in range(len(box.each)))
        return "".join(_field_source(box, field, at, mark) for field, at in zip(box.each, places, strict=True))
    field = box.each or ""
    moved = (
        f'x="{{{{ {place.x:.6g} + loop.index0 * {across:.6g} }}}}" '
        f'y="{{{{ {place.y:.6g} + loop.index0 * {down:.6g} }}}}" width="{place.width:.6g}" height="{place.height:.6g}"'
    )
    named = f' field="{field.replace(".", "/")}/{{{{ loop.index0 }}}}"'
    item = f"<cg:text {moved}{_type(box, field)}{named}{mark}>{{{{ item_ }}}}</cg:text>"
    return f"{_known(field)}{{% for item_ in field_items(card, '{field}') %}}{item}{{% endfor %}}"


def _paragraphs_source(box: LayoutBox, fields: Sequence[str], place: Box, mark: str) -> str:
    """Return the texts of several fields in one box."""
    labels = ", ".join(f"label(card, '{field}')" for field in fields) if box.label else ""
    lines = f"field_lines(card, [{', '.join(map(repr, fields))}], [{labels}])"
    main = "text" if "text" in fields else fields[0]
    named = f' field="{main.replace(".", "/")}"'
    text = f"<cg:text {_geometry(place)}{_type(box, main)}{named}{mark}>{{{{ {lines} }}}}</cg:text>"
    return f"{''.join(map(_known, fields))}{{% if {lines} %}}{text}{{% endif %}}"


def _text_source(text: str) -> str:
    parts, end = [], 0
    for match in _PLACEHOLDER.finditer(text):
        is_icon = text[: match.start()].endswith("{") and text.startswith("}", match.end())
        value = f"{{{{ {_value(match[1])} }}}}" if is_icon else f"{{{{ field_text(card, '{match[1]}') }}}}"
        parts += [_plain(text[end : match.start()]), value]
        end = match.end()
    return "".join((*parts, _plain(text[end:])))


def _plain(text: str) -> str:
    return escape_braces(escape_xml(text)).replace("\n", "&#10;")


def _shape_source(box: LayoutBox, place: Box, mark: str) -> str:
    x, y, width, height = (f"{number:.6g}" for number in place)
    stroke = box.stroke or ("ink" if box.shape == "line" else None)
    look = f' fill="{_paint(box.fill) if box.fill else "none"}"'
    look += f' stroke="{_paint(stroke)}" stroke-width="{box.stroke_width or 0.25:.6g}"' if stroke else ""
    look += f' opacity="{box.opacity:.6g}"' if box.opacity is not None else ""
    if box.shape == "emblem":
        wide = min(place.width, place.height / _EMBLEM)
        left, top = place.x + (place.width - wide) / 2, place.y + (place.height - wide * _EMBLEM) / 2
        return f"<g{mark}>{{{{ emblem(card.id, {left:.6g}, {top:.6g}, {wide:.6g}, card.blazon) }}}}</g>"
    if box.shape == "ellipse":
        across, down = place.width / 2, place.height / 2
        return (
            f'<ellipse cx="{place.x + across:.6g}" cy="{place.y + down:.6g}" rx="{across:.6g}" ry="{down:.6g}"'
            f"{look}{mark}/>"
        )
    if box.shape == "line":
        return f'<path d="M{x} {y}l{width} {height}"{look}{mark}/>'
    corners = f' rx="{box.radius:.6g}"' if box.radius else ""
    return f'<rect x="{x}" y="{y}" width="{width}" height="{height}"{corners}{look}{mark}/>'


# The height of a coat of arms, as a multiple of its width.
_EMBLEM = 1.16


def _icons_source(box: LayoutBox, icon: str, place: Box, mark: str) -> str:
    """Return a row of icons as high as the box, which are smaller if there are too many for its width."""
    gap = 1.0 if box.gap is None else box.gap
    count = f"field_count(card, '{box.count}')" if isinstance(box.count, str) else str(box.count or 1)
    size = f"[{place.height:.6g}, ({place.width:.6g} - {gap:.6g} * (count_ - 1)) / count_]|min"
    free = f"({place.width:.6g} - count_ * (size_ + {gap:.6g}) + {gap:.6g})"
    start = {"center": f" + {free} / 2", "right": f" + {free}"}.get(box.align or "", "")
    x = f"{place.x:.6g}{start} + size_ / 2 + n_ * (size_ + {gap:.6g})"
    drawn = f"icon('{icon}', {x}, {place.y + place.height / 2:.6g}, size_, {_colour_value(box.fill or 'ink', 'ink')})"
    return (
        f"{_known_in(box.fill or '')}{{% set count_ = {count} %}}{{% if count_ %}}{{% set size_ = {size} %}}<g{mark}>"
        f"{{% for n_ in range(count_) %}}{{{{ {drawn} }}}}{{% endfor %}}</g>{{% endif %}}"
    )


def layout_schema() -> dict[str, Any]:
    """Return the JSON Schema of layouts."""
    for _, model in reachable_models((Layout,)):
        model.model_rebuild()
    return {"$schema": DIALECT, **Layout.model_json_schema(schema_generator=UntitledGenerator), "title": "A layout"}


# What draws a field as its card needs it: its name, its picture, and its text.
_ANY_FIELD = re.compile(
    r"\{\{ require_field\(card, '([^']+)'\) \}\}\{% set kind_ = [^%]* %\}\{% if kind_ == 'picture' %\}(.*?)"
    r"(\{% )el(if field_text\(card, '\1'\) %\})(.*?)(\{% endif %\})"
)


def as_template(source: str, is_picture: Callable[[str], bool]) -> str:
    """Return the source of a compiled layout as a template to continue with, with a line for each element.

    `is_picture` says whether a field of the cards is a picture.
    """

    def choose(found: re.Match[str]) -> str:
        field, art, begin, test, text, end = found.groups()
        if is_picture(field):
            return art
        return f"{begin}{test}{text}{end}" if "label(card," in text else text

    source = re.sub(
        r' data-box="[0-9]+"|\{\{ require_field\(card, \'[^\']+\'\) \}\}', "", _ANY_FIELD.sub(choose, source)
    )
    source = re.sub(r"theme\.colours\['([A-Za-z_]\w*)'\]", r"theme.colours.\1", source)
    opener, _, rest = source.partition(">")
    lines = re.sub(r"(?<=/>|t>)(?=<cg:)|(?<=%\})(?=<cg:art|<g>)", "\n", rest.removesuffix("</svg>")).split("\n")
    return "\n".join((f"{opener}>", *(f"  {line}" for line in lines if line.strip()), "</svg>")) + "\n"


__all__ = ["CONTENTS", "Layout", "LayoutBox", "as_template", "compile_layout", "read_layout"]


# Boxes of a layout in words, and its drawings, compared.

At = tuple[float, float, float, float]


class PlacedBox(NamedTuple):
    """A box of a layout or template: its name in words, its line, its place in mm, and its look.

    A box that is repeated is drawn `times`, each further by `step`. The `look` has the keys that boxes of its content
    can have, with None for those that are not written. One that is not `drawn` shows nothing on the card. The line is 0
    if another file draws it.
    """

    name: str
    line: int
    at: At
    step: tuple[float, float] = (0.0, 0.0)
    times: int = 1
    look: Mapping[str, object] = {}
    drawn: bool = True


def number_text(number: float, places: int = 3) -> str:
    """Return a number as it is written in templates and layouts."""
    digits = f"{number:.{places}f}".rstrip("0").rstrip(".")
    return "0" if digits in ("-0", "") else digits


# The keys of the look of a box: those that can be changed by hand.
LOOK = ("text", "icons", "style", "size", "align", "valign", "fill", "stroke", "stroke_width", "radius", "opacity",
        "fit", "label", "count")  # fmt: skip


def placed_boxes(text: str, drawing: str = "") -> tuple[PlacedBox, ...]:
    """Return the boxes of a layout in paint order; none of a text with mistakes.

    The `drawing` is the SVG of a card, which says what shows something on it.
    """
    try:
        layout, document = read_layout(text, "")
    except DrawingError:
        return ()
    places = (document.place(("boxes", index)) for index in range(len(layout.boxes)))
    lines = (place.span.line if place.span else 1 for place in places)
    shown = _shown(drawing) if drawing else range(len(layout.boxes))
    return tuple(
        PlacedBox(_title(box), line, box.at, box.step or (0, 0), _times(box), look_of(box), index in shown)
        for index, (box, line) in enumerate(zip(layout.boxes, lines, strict=True))
    )


def look_of(box: LayoutBox) -> dict[str, object]:
    """Return the keys of a box that can be changed by hand."""
    content = _content(box)
    return {key: getattr(box, key) for key in LOOK if key in (content, *CONTENTS[content])}


def background_of(text: str) -> str | None:
    """Return the color of everything in a layout, or None if it has none or cannot be read."""
    try:
        return read_layout(text, "").layout.background
    except DrawingError:
        return None


def _content(box: LayoutBox) -> str:
    return next(name for name in CONTENTS if getattr(box, name) is not None)


def _title(box: LayoutBox) -> str:
    value = getattr(box, _content(box))
    words = ", ".join(value) if isinstance(value, tuple) else str(value).replace("\\\n", " ")
    return f"{_content(box)} {shorten(' '.join(words.split()), 30)}"


def _times(box: LayoutBox) -> int:
    """Return how often a box is drawn, if that does not depend on the card."""
    return len(box.each) if isinstance(box.each, tuple) and box.step else 1


# What is nearer than this is the same place, in mm: a text has three decimals of a millimeter, or four of an inch.
SAME = 0.003


def change_fault(
    before: str, after: str, indices: Mapping[int, int], changed: Mapping[int, tuple[float, float] | None]
) -> str:
    """Return why two drawings of a layout differ in more than the boxes that a gesture changes, or '' if they do not.

    The drawings are the SVG of a template, before texts are set. `indices` are those of boxes afterward by those
    before, and `changed` has the ways of the boxes that change, by their new index; they must have gone all of it. The
    index -1 is that of what is in no box.
    """
    one, other = _by_box(before), _by_box(after)
    kept = {index: at for index, at in indices.items() if at not in changed}
    is_same = all(_drawn(one, index) == _drawn(other, at) for index, at in kept.items())
    if not is_same or (-1 not in changed and _drawn(one, None) != _drawn(other, None)):
        return "drawing it again has changed other boxes, too; edit the text"
    for index, at in indices.items():
        way = changed.get(at)
        if way is None:
            continue
        pair = one.get(index, ()), other.get(at, ())
        if [each.tag for each in pair[0]] != [each.tag for each in pair[1]]:
            return "drawing it again has changed other boxes, too; edit the text"
        for old, new in zip(*pair, strict=True):
            gone = zip(_corner(old), _corner(new), way, strict=False)  # none for elements without a corner
            if any(abs(after - before - each) >= 2 * SAME for before, after, each in gone):
                return "drawing it again has not moved the box as it should; edit the text"
    return ""


def _shown(svg: str) -> set[int | None]:
    """Return the boxes of a drawing that show something."""
    return {box for box, parts in _by_box(svg).items() if any(each.tag != "g" or each.children for each in parts)}


def _by_box(svg: str) -> dict[int | None, list[Element]]:
    """Return the elements that a layout draws, by their box; None has what is in no box."""
    found: dict[int | None, list[Element]] = {}
    for each in read_tree(svg.encode("utf-8", "surrogatepass"), TEMPLATE).root.children:
        box = each.attributes.get("data-box")
        found.setdefault(None if box is None else int(box), []).append(each)
    return found


def _drawn(elements: Mapping[int | None, Sequence[Element]], box: int | None) -> list[object]:
    return [_inside(each) for each in elements.get(box, ())]


def _inside(element: Element) -> object:
    content = [each.strip() if isinstance(each, str) else _inside(each) for each in element.content]
    return element.tag, {key: value for key, value in element.attributes.items() if key != "data-box"}, content


def _corner(element: Element) -> tuple[float, ...]:
    """Return the top left corner of an element, or () if it has none."""
    return tuple(float(element.attributes[name]) for name in ("x", "y") if "x" in element.attributes)

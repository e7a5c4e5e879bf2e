"""Text boxes and art boxes for the rectangles and texts of a drawing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple
from xml.sax.saxutils import quoteattr

from cardgen.face.inkscape.document import DrawingElement, read_style
from cardgen.face.inkscape.objects import escape_braces
from cardgen.face.inkscape.texts import TextLine, TextLook, marked_up
from cardgen.validation.suggestion import did_you_mean

_FIELD = re.compile(r"[a-z][a-z0-9_]*(?:\.[a-z][a-z0-9_]*){0,3}")
# Ids that Inkscape invents.
_INVENTED = re.compile(r"rect[0-9]+(?:-[0-9a-z-]+)*")
_TEXT_SETTINGS = ("style", "size", "min-size", "align", "valign", "fill")
_ART_SETTINGS = ("fit", "focus", "radius")
_CARD_FIELD = re.compile(r"\bcard\.([a-z_][a-z0-9_]*)")


class Box(NamedTuple):
    """Box in mm, before the page is put in place."""

    x: float
    y: float
    width: float
    height: float
    radius: float


def field_label(element: DrawingElement) -> str:
    """Return the label of a rectangle that can be the name of a field, or ''."""
    label = element.label.strip()
    is_name = element.tag == "rect" and len(label) < 80 and _FIELD.fullmatch(label) and not _INVENTED.fullmatch(label)
    return label if is_name else ""


def read_settings(element: DrawingElement) -> tuple[dict[str, str], list[str]]:
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


def _unknown_settings(element: DrawingElement, settings: dict[str, str]) -> Iterator[str]:
    names = (*_TEXT_SETTINGS, *_ART_SETTINGS)
    for name in settings:
        if name not in names:
            hint = did_you_mean(name, names) or f" (one of {', '.join(names)})"
            yield f"unknown setting '{name[:40]}' in the description of {element}{hint}"


def _geometry(box: Box) -> str:
    return f'x="{box.x:.5g}" y="{box.y:.5g}" width="{box.width:.5g}" height="{box.height:.5g}"'


def _attributes(settings: dict[str, str], names: tuple[str, ...]) -> str:
    return "".join(f" {name}={escape_braces(quoteattr(settings[name]))}" for name in names if name in settings)


def text_box(element: DrawingElement, box: Box, settings: dict[str, str]) -> str:
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


def art_box(element: DrawingElement, box: Box, settings: dict[str, str]) -> str:
    """Return the art box of a rectangle, which is left out without a picture."""
    label = field_label(element)
    radius = f' radius="{box.radius:.5g}"' if box.radius and "radius" not in settings else ""
    own = _attributes(settings, _ART_SETTINGS)
    kept = ", ".join(f"'{name}'" for name in ("fit", "focus") if name in settings)
    picture = f"{{{{ field_picture(card, '{label}', [{kept}]) }}}}"
    art = f"<cg:art {_geometry(box)}{radius}{own} {picture}/>"
    return f"{{% if field_picture(card, '{label}') %}}{art}{{% endif %}}"


def by_field(element: DrawingElement, text: str, art: str, original: str) -> str:
    """Return the choice between text, picture, and ordinary shape.

    The fields of the card decide.
    """
    label = field_label(element)
    named = "true" if element.attributes.get("inkscape:label") else "false"
    return (
        f"{{% set kind_ = field_kind(card, '{label}', {named}) %}}{{% if kind_ == 'text' %}}{text}"
        f"{{% elif kind_ == 'picture' %}}{art}{{% else %}}{original}{{% endif %}}"
    )


def text_line(line: TextLine, scale: float) -> str:
    """Return a line of a text object."""
    anchor = f' text-anchor="{line.look.anchor}"'
    place = f'x="{line.x * scale:.5g}" y="{line.y * scale:.5g}"'
    return _set_text(f"<text {place}{anchor}", "text", line.text, line.look, scale)


def flowed_text(element: DrawingElement, look: TextLook, box: Box, scale: float) -> str:
    """Return the text box of a text that flows in a rectangle."""
    return _set_text(f'<cg:text {_geometry(box)} align="{look.align}"', "cg:text", element.text, look, scale)


def _set_text(opener: str, tag: str, text: str, look: TextLook, scale: float) -> str:
    size = f' size="{look.size * scale * 72 / 25.4:.4g}pt"' if look.size else ""
    fill = f' fill="{look.fill}"' if look.fill else ""
    field = _CARD_FIELD.search(text)
    named = f' field="{field[1]}"' if field else ""
    family = re.sub(r"[^\w .-]", "", look.family)[:80]
    chosen = f"font_look('{family}', {str(look.bold).lower()}, {str(look.italic).lower()})"
    content = marked_up(text, look._replace(bold=False, italic=False))
    return (
        f'{{% set look_ = {chosen} %}}{opener} style="{{{{ look_.style }}}}"{size}{fill}{named}>'
        f"{{{{ look_.begin }}}}{content}{{{{ look_.end }}}}</{tag}>"
    )

"""Functions of templates that are drawings: fields of the card in boxes, and fonts of the theme."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from jinja2 import TemplateRuntimeError
from markupsafe import Markup
from pydantic import BaseModel

from cardgen.face.template.mistakes.wording import unknown_field, visible_fields
from cardgen.face.theme import Theme
from cardgen.model.card import Art
from cardgen.runtime.xml_escape import quoteattr
from cardgen.validation.suggestion import closest

_BODY = "body"
# A page can be off by rounding, in mm.
_TOLERANCE = 0.3
_MOST_ITEMS = 200


def field_kind(card: BaseModel, path: str, named: bool) -> str:
    """Return 'text' or 'picture' for a field of the card, such as 'stats.mind', and '' for anything else.

    A label that its author chose (`named`) and that almost is a field is a mistake.
    """
    model: Any = type(card)
    value: Any = card
    for name in path.split("."):
        if not isinstance(value, BaseModel):
            return ""
        model = type(value)
        if name not in visible_fields(model):
            if named and closest(name, visible_fields(model)):
                raise TemplateRuntimeError(unknown_field(name, [model]))
            return ""
        annotation = model.model_fields[name].annotation if name in model.model_fields else None
        value = getattr(value, name)
    return "picture" if isinstance(value, Art) or _mentions_art(annotation) else "text"


def _mentions_art(annotation: Any) -> bool:
    return annotation is Art or any(map(_mentions_art, getattr(annotation, "__args__", ())))


def _value(card: BaseModel, path: str) -> Any:
    value: Any = card
    for name in path.split("."):
        value = getattr(value, name) if isinstance(value, BaseModel) and name in visible_fields(type(value)) else None
    return value


def field_picture(card: BaseModel, path: str, settings: Iterable[str] = ()) -> Markup:
    """Return the attributes of an art box for a picture field, or ''; `settings` are those that the drawing has."""
    art = _value(card, path)
    if not isinstance(art, Art):
        return Markup("")
    values = {"file": art.file, "fit": art.fit, "focus": " ".join(f"{share:g}" for share in art.focus)}
    own = set(settings)
    return Markup(" ".join(f"{name}={quoteattr(value)}" for name, value in values.items() if name not in own))


def page_origin(wide: float, high: float, width: float, height: float, bleed: float) -> tuple[float, float]:
    """Return the corner of a page relative to the trim; the page is as large as the trim, or as trim and bleed."""
    for border in (0.0, bleed):
        if abs(wide - width - 2 * border) <= _TOLERANCE and abs(high - height - 2 * border) <= _TOLERANCE:
            return -border, -border
    message = f"the page is {wide:g} x {high:g} mm, but the card is {width:g} x {height:g} mm"
    raise TemplateRuntimeError(f"{message}; set the page size in File > Document Properties, or the card's size")


def _plain_fields(value: BaseModel) -> Iterator[str]:
    """Yield the texts and numbers of a part of a card with their names."""
    for field, info in type(value).model_fields.items():
        each = getattr(value, field)
        is_plain = isinstance(each, str | int | float) and not isinstance(each, bool)
        if field not in ("name", "id") and is_plain and each not in ("", info.default):
            yield f"{field.replace('_', ' ')} {each}"


class DrawingFunctions:
    """Functions that depend on the theme, and on how the game describes parts of cards."""

    def __init__(self, theme: Theme, describe: Callable[[Any], str]) -> None:
        self._theme = theme
        self._describe = describe

    @property
    def functions(self) -> Mapping[str, Callable[..., object]]:
        """The functions by the names that templates use."""
        return {
            "field_kind": field_kind,
            "field_text": self.field_text,
            "field_picture": field_picture,
            "field_style": self.field_style,
            "font_look": self.font_look,
            "page_origin": page_origin,
        }

    def field_style(self, path: str) -> str:
        """Return the text style of a field: the one with its name, or that of the body."""
        name = path.rpartition(".")[2]
        if name in self._theme.styles:
            return name
        return "title" if name == "name" and "title" in self._theme.styles else _BODY

    def field_text(self, card: BaseModel, path: str) -> str:
        """Return the text of a field; the items of a list are paragraphs."""
        value = _value(card, path)
        if path == "text" and not value:
            value = self._describe(card)
        return self._text(value)

    def _text(self, value: Any) -> str:
        if value is None or value is False:
            return ""
        if isinstance(value, list | tuple):
            return "\n\n".join(filter(None, map(self._text, value[:_MOST_ITEMS])))
        if isinstance(value, Mapping):
            pairs = list(value.items())[:_MOST_ITEMS]
            return "\n\n".join(f"**{key}** {self._text(item)}" for key, item in pairs)
        if isinstance(value, BaseModel):
            return self._part(value)
        return "yes" if value is True else str(value)

    def _part(self, value: BaseModel) -> str:
        """Return a part of a card: its name in bold, and its text."""
        name = getattr(value, "name", None)
        text = self._describe(value) or ", ".join(_plain_fields(value))
        return f"{f'**{name}** ' if name else ''}{text}".strip()

    def font_look(self, family: str, bold: bool, italic: bool) -> dict[str, str]:
        """Return the style of the theme with a font, and the marks that make its text bold or italic."""
        fonts, styles = self._theme.fonts, self._theme.styles
        names = sorted(styles, key=lambda name: (styles[name].caps, abs(styles[name].tracking), name != _BODY))
        same = [name for name in names if fonts.get(styles[name].font, "").lower() == family.lower()]
        exact = [name for name in same if (styles[name].bold, styles[name].italic) == (bold, italic)]
        plain = [name for name in same if not (styles[name].bold or styles[name].italic)]
        chosen = next((name for name in (*exact, *plain) if not styles[name].caps), _BODY)
        style = styles.get(chosen)
        mark = "**" * (bold and not (style and style.bold)) + "*" * (italic and not (style and style.italic))
        return {"style": chosen, "begin": mark, "end": mark[::-1]}

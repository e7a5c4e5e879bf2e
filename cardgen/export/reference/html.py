"""A reference sheet as one self-contained web page."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from importlib.resources import files
from typing import Any

from jinja2 import Environment, StrictUndefined, Template
from markupsafe import Markup

from cardgen.face.theme import Theme
from cardgen.reference.document_tree import (
    DefinitionList,
    Document,
    Index,
    ItemList,
    RuleBlock,
    Table,
    TextBlock,
    document_texts,
)
from cardgen.reference.resolve import rule_marks
from cardgen.text.fonts import Fonts, embed
from cardgen.text.icons import Icons
from cardgen.text.line_breaks import insert_no_break_spaces
from cardgen.text.lines import IconArt, PathCommand
from cardgen.text.markup import Icon

# The font faces of a page: role in the style sheet, bold, and italic.
_FONT_FACES = (("text", False, False), ("text", True, False), ("text", False, True), ("display", True, False),
          ("display", False, True))  # fmt: skip
# Colors of the style sheet and their names in the theme, for light mode and for dark mode, which uses the theme's dark
# backgrounds.
_LIGHT_COLOURS = {
    "ink": "ink", "soft": "soft", "ground": "glow", "panel": "panel", "line": "line", "accent": "accent",
    "plaque": "plaque", "on-plaque": "light", "gilt": "gilt",
}  # fmt: skip
_DARK_COLOURS = {
    "ink": "light", "soft": "edge", "ground": "plaque", "panel": "lattice", "line": "line", "accent": "or",
    "plaque": "frame", "on-plaque": "light", "gilt": "gilt",
}  # fmt: skip
# Tests of the template for parts of the document, such as `block is table`.
_KINDS: Mapping[str, type] = {
    "text_block": TextBlock, "item_list": ItemList, "table": Table, "definition_list": DefinitionList, "icon": Icon,
    "rule_block": RuleBlock, "index": Index,
}  # fmt: skip


def write(document: Document, theme: Theme, night: Theme, fonts: Fonts, icons: Icons) -> bytes:
    """Return the web page of a document in a theme.

    `night` is the theme for the colors of dark mode.
    """
    page = _template().render(
        document=document,
        ids=set(_ids(document)),
        find_icon=icons.find,
        font_faces=list(_font_faces(document, theme, fonts)),
        day={role: theme.colour(name) for role, name in _LIGHT_COLOURS.items()},
        night={role: night.colour(name) for role, name in _DARK_COLOURS.items()},
        style_sheet=Markup(_read("page.css")),
    )
    return page.encode()


def _ids(document: Document) -> Iterator[str]:
    """Yield the ids of sections and rules, which links lead to."""
    for _, section in document.walk():
        yield section.id
        yield from (mark.id for mark in rule_marks(section) if mark.id)


@lru_cache(maxsize=1)
def _template() -> Template:
    environment = Environment(autoescape=True, undefined=StrictUndefined, keep_trailing_newline=True)
    environment.tests.update({name: _test_of(kind) for name, kind in _KINDS.items()})
    environment.filters.update(path_data=_path_data, drawn=_drawn, no_break_spaces=insert_no_break_spaces)
    return environment.from_string(_read("page.html.j2"))


def _test_of(kind: type) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, kind)


def _read(name: str) -> str:
    return (files(__package__) / name).read_text(encoding="utf-8")


def _font_faces(document: Document, theme: Theme, fonts: Fonts) -> Iterator[Mapping[str, object]]:
    """Yield the font faces, each subset to the characters on the page."""
    characters = "".join(sorted(set("".join(document_texts(document))) | set(map(chr, range(32, 127)))))
    for role, bold, italic in _FONT_FACES:
        font = fonts.font(theme.fonts[role], bold, italic)
        data = b64encode(embed(font, characters)).decode()
        yield {"role": role, "bold": bold, "italic": italic, "data": data}


def _drawn(art: IconArt) -> Markup:
    return Markup(art.drawn("currentColor"))


def _path_data(path: tuple[PathCommand, ...]) -> str:
    """Return a path as SVG path data, y downward."""
    return "".join(
        kind + " ".join(f"{1 - value if index % 2 else value:.3f}" for index, value in enumerate(numbers))
        for kind, *numbers in path
    )

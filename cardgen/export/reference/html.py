"""A reference sheet as one self-contained web page."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Iterator
from html import escape
from importlib.resources import files

from cardgen.face.theme import Theme
from cardgen.reference.document_tree import (
    Block,
    Callout,
    DefinitionList,
    Document,
    ItemList,
    RichText,
    Section,
    Table,
    TextBlock,
    walk_blocks,
)
from cardgen.text.fonts import Fonts
from cardgen.text.harfbuzz import FontFace
from cardgen.text.icons import Icons
from cardgen.text.line_breaks import insert_no_break_spaces
from cardgen.text.lines import Outline
from cardgen.text.markup import Icon, Paragraph, Phrase

# The faces that a page uses: its role in the style sheet, and whether it is bold and italic.
_FONT_FACES = (("text", False, False), ("text", True, False), ("text", False, True), ("display", True, False),
          ("display", False, True))  # fmt: skip
# The theme's colours that the style sheet knows, for paper and, from the theme's dark grounds, for the night.
_LIGHT_COLOURS = {
    "ink": "ink", "soft": "soft", "ground": "glow", "panel": "panel", "line": "line", "accent": "accent",
    "plaque": "plaque", "on-plaque": "light", "gilt": "gilt",
}  # fmt: skip
_DARK_COLOURS = {
    "ink": "light", "soft": "edge", "ground": "plaque", "panel": "lattice", "line": "line", "accent": "or",
    "plaque": "frame", "on-plaque": "light", "gilt": "gilt",
}  # fmt: skip


def write(document: Document, theme: Theme, night: Theme, fonts: Fonts, icons: Icons) -> bytes:
    """The page of a document in a theme; `night` is the theme whose dark grounds it takes in a dark room."""
    return _HtmlPage(document, theme, night, fonts, icons).page().encode()


class _HtmlPage:
    def __init__(self, document: Document, theme: Theme, night: Theme, fonts: Fonts, icons: Icons) -> None:
        self._document, self._theme, self._night = document, theme, night
        self._fonts, self._icons = fonts, icons
        self._ids = {section.id for _, section in document.walk()}

    def page(self) -> str:
        """The whole file."""
        document = self._document
        title = escape(document.title)
        subtitle = f'<p class="subtitle">{escape(document.subtitle)}</p>' if document.subtitle else ""
        credit = f"<footer><p>{escape(document.credit)}</p></footer>" if document.credit else ""
        body = "".join(self._section(section, 2) for section in document.sections)
        return (
            f'<!doctype html>\n<html lang="{escape(document.language)}">\n<head>\n<meta charset="utf-8">\n'
            f'<meta name="viewport" content="width=device-width, initial-scale=1">\n'
            f'<meta name="generator" content="cardgen">\n<meta name="color-scheme" content="light dark">\n'
            f"<title>{title}</title>\n<style>\n{self._style(body)}</style>\n</head>\n<body>\n"
            f'<a class="skip" href="#content">Skip to the rules</a>\n'
            f"<header><h1>{title}</h1>{subtitle}</header>\n{self._navigation()}"
            f'<main id="content">\n{body}</main>\n{credit}\n</body>\n</html>\n'
        )

    def _style(self, body: str) -> str:
        sheet = (files(__package__) / "page.css").read_text(encoding="utf-8")
        day, night = self._colours(self._theme, _LIGHT_COLOURS), self._colours(self._night, _DARK_COLOURS)
        faces = "".join(self._font_faces())
        dark = f"@media screen and (prefers-color-scheme: dark) {{ :root {{ {night} }} }}"
        return f"{faces}:root {{ {day} }}\n{dark}\n{sheet}"

    @staticmethod
    def _colours(theme: Theme, names: dict[str, str]) -> str:
        return " ".join(f"--{role}: {theme.colour(name)};" for role, name in names.items())

    def _font_faces(self) -> Iterator[str]:
        """The faces, each with the characters only that the page may show in it."""
        characters = "".join(sorted(set("".join(_characters(self._document))) | set(map(chr, range(32, 127)))))
        for role, bold, italic in _FONT_FACES:
            font = self._fonts.font(self._theme.fonts[role], bold, italic)
            data = b64encode(FontFace(font.path).subset(characters)).decode()
            yield (
                f'@font-face {{ font-family: "{role}"; font-weight: {700 if bold else 400}; font-style: '
                f"{'italic' if italic else 'normal'}; src: url(data:font/ttf;base64,{data}) }}\n"
            )

    def _navigation(self) -> str:
        links = "".join(
            f'<li><a href="#{section.id}">{escape(section.title)}</a></li>' for section in self._document.sections
        )
        return f'<nav aria-label="Sections"><ul>{links}</ul></nav>\n'

    def _section(self, section: Section, level: int) -> str:
        """A section with all below it; h2 is the highest."""
        icon = self._icon(section.icon) if section.icon else ""
        heading = f"<h{level}>{icon}{escape(section.title)}</h{level}>"
        lower = "".join(self._section(each, min(level + 1, 6)) for each in section.sections)
        return f'<section id="{section.id}">{heading}\n{self._blocks(section.blocks)}{lower}</section>\n'

    def _blocks(self, blocks: Iterable[Block]) -> str:
        return "".join(map(self._block, blocks))

    def _block(self, block: Block) -> str:
        match block:
            case TextBlock(text=prose):
                return "".join(f"<p>{self._inline(paragraph)}</p>\n" for paragraph in prose.paragraphs)
            case ItemList():
                name = "ol" if block.numbered else "ul"
                items = "".join(f"<li>{self._item(item)}</li>\n" for item in block.items)
                return f"<{name}>{items}</{name}>\n"
            case Table():
                return self._table(block)
            case DefinitionList():
                entries = (f"<dt>{escape(word)}</dt><dd>{self._prose(prose)}</dd>\n" for word, prose in block.entries)
                return f"<dl>{''.join(entries)}</dl>\n"
        return self._callout(block)

    def _item(self, blocks: tuple[Block, ...]) -> str:
        """An item of a list; one short text needs no paragraph of its own."""
        first, *others = blocks or (None,)
        if isinstance(first, TextBlock) and len(first.text.paragraphs) == 1:
            return self._prose(first.text) + self._blocks(others)
        return self._blocks(blocks)

    def _callout(self, callout: Callout) -> str:
        title = callout.title or ("Example" if callout.kind == "example" else "")
        heading = f'<p class="title">{escape(title)}</p>' if title else ""
        label = f' aria-label="{escape(title or "Note")}"'
        return f'<aside class="{callout.kind}"{label}>{heading}{self._blocks(callout.blocks)}</aside>\n'

    def _table(self, table: Table) -> str:
        caption = f"<caption>{escape(table.caption)}</caption>" if table.caption else ""
        heads = (
            f'<th scope="col" class="{align}">{self._prose(cell)}</th>' if cell.plain_text else "<td></td>"
            for cell, align in zip(table.head, table.align, strict=True)
        )
        head = f"<thead><tr>{''.join(heads)}</tr></thead>" if any(cell.plain_text for cell in table.head) else ""
        rows = "".join(f"<tr>{''.join(self._cells(table, row))}</tr>\n" for row in table.rows)
        return f'<div class="table"><table>{caption}{head}<tbody>{rows}</tbody></table></div>\n'

    def _cells(self, table: Table, row: tuple[RichText, ...]) -> Iterator[str]:
        for number, (cell, align) in enumerate(zip(row, table.align, strict=True)):
            if number == 0:
                look = "" if table.row_headers else " plain"
                yield f'<th scope="row" class="{align}{look}">{self._prose(cell)}</th>'
            else:
                yield f'<td class="{align}">{self._prose(cell)}</td>'

    def _prose(self, prose: RichText) -> str:
        return "<br>".join(map(self._inline, prose.paragraphs))

    def _inline(self, paragraph: Paragraph) -> str:
        return "".join(self._icon(part.name) if isinstance(part, Icon) else self._phrase(part) for part in paragraph)

    def _phrase(self, phrase: Phrase) -> str:
        text = escape(insert_no_break_spaces(phrase.text))
        if phrase.link in self._ids:
            text = f'<a href="#{phrase.link}">{text}</a>'
        text = f"<strong>{text}</strong>" if phrase.bold else text
        return f"<em>{text}</em>" if phrase.italic and not phrase.link else text

    def _icon(self, name: str) -> str:
        """An icon as SVG, as high as capitals; the words around it say the same."""
        outline = self._icons.find(name)
        if outline is None:
            return ""
        rule = ' fill-rule="evenodd"' if outline.evenodd else ""
        paths = "".join(f'<path{rule} d="{_path(outline, number)}"/>' for number in range(len(outline.paths)))
        return f'<svg class="icon" aria-hidden="true" viewBox="0 0 {outline.width:g} 1">{paths}</svg>'


def _path(outline: Outline, number: int) -> str:
    """A path of an outline, with y downward as SVG has it."""
    strokes = outline.paths[number]
    return "".join(
        kind + " ".join(f"{1 - value if index % 2 else value:.3f}" for index, value in enumerate(numbers))
        for kind, *numbers in strokes
    )


def _characters(document: Document) -> Iterator[str]:
    yield from (document.title, document.subtitle, document.credit)
    for _, section in document.walk():
        yield section.title
    for block in walk_blocks(document):
        yield from _block_texts(block)


def _block_texts(block: Block) -> Iterator[str]:
    """The words of a block itself, without those of blocks inside it."""
    match block:
        case TextBlock(text=prose):
            yield prose.plain_text
        case Table():
            yield block.caption
            yield from (cell.plain_text for row in (block.head, *block.rows) for cell in row)
        case DefinitionList():
            for word, prose in block.entries:
                yield word
                yield prose.plain_text
        case Callout():
            yield block.title

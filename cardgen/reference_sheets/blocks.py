"""Blocks of a reference sheet as column items."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from importlib.resources import files
from itertools import chain
from typing import Any

from jinja2 import Environment, StrictUndefined, Template
from markupsafe import Markup

from cardgen.face.theme import Theme
from cardgen.reference.document_tree import (
    Block,
    Callout,
    DefinitionList,
    Document,
    Index,
    ItemList,
    RichText,
    RuleBlock,
    RuleMark,
    Section,
    Table,
    TextBlock,
    document_texts,
    span_names,
)
from cardgen.reference.resolve import rule_marks
from cardgen.reference_sheets.typography import BLOCK_PENALTY, TextSetter, leading, scale, table_items
from cardgen.sheet.columns import (
    NEVER,
    Background,
    ColumnItem,
    ItemContent,
    ItemMark,
    PageReference,
    TypesetItem,
    with_background,
    with_marks,
)
from cardgen.sheet.leaf import Anchor, FilledBox, Stroke, TypesetLine
from cardgen.text.break_rules import insert_no_break_spaces
from cardgen.text.captions import Captions
from cardgen.text.fonts import Fonts, embed
from cardgen.text.lines import BUILT_IN_SPANS, Icon, IconArt, Line, PathCommand, Phrase, Run, SpanLook, Style
from cardgen.text.shaped_row import Icons
from cardgen.units import MM_PER_POINT, Box

# The penalty for a column break between two items of a list, and the most items of a list that is kept together.
_ITEM_PENALTY = 2.0
_SHORT_LIST = 5
# Added to the penalty: in the first lines after a heading, and inside a callout.
_HEADING_PENALTY, _FIRST_LINES, _CALLOUT_PENALTY = 6.0, 5, 12.0
# The least part of their size that headings on plaques have.
_LEAST_HEADING = 0.8


class BlockSetter(TextSetter):
    """Setter of blocks at one body size."""

    # All headings on plaques have this part of their size, so that those which are a little too long take one line.
    _heading_share = 1.0

    def document(self, document: Document, width: float) -> list[TypesetItem]:
        """Return all column items of a document.

        `width` is the width of a column in millimeters.
        """
        shares = [self._share_of_one_line(each, width) for each in document.sections]
        self._heading_share = min((each for each in shares if _LEAST_HEADING <= each < 1), default=1.0)
        items = list(self._contents(document, width)) if document.contents else []
        return [*items, *chain.from_iterable(self.section(each, 1, width) for each in document.sections)]

    def section(self, section: Section, level: int, width: float) -> list[TypesetItem]:
        """Return the items of a section and its subsections."""
        heading = self._heading(section, level, width)
        body = list(self.blocks(section.blocks, 0.0, width))
        if body:
            body[0] = replace(
                body[0], break_penalty=NEVER, space_above=(0.55 if level == 1 else 0.2) * self._em, stretch=0.0
            )
            body = _penalised(body, _HEADING_PENALTY, _FIRST_LINES)
        if section.blocks and all(isinstance(block, Table) for block in section.blocks):
            body = [replace(each, repeat_header=each.repeat_header or self._repeated(heading)) for each in body]
        lower = [self.section(each, level + 1, width) for each in section.sections]
        if lower and not body:
            lower[0][0] = replace(lower[0][0], break_penalty=NEVER, space_above=0.55 * self._em, stretch=0.0)
        return [heading, *body, *chain.from_iterable(lower)]

    def blocks(self, blocks: Iterable[Block], x: float, width: float) -> Iterator[TypesetItem]:
        """Yield the items of consecutive blocks, at `x` millimeters."""
        introduced = False
        for block in blocks:
            items = self._block(block, x, width)
            for number, item in enumerate(items):
                yield replace(item, break_penalty=NEVER) if introduced and not number else item
            introduced = isinstance(block, TextBlock) and block.text.plain_text.endswith(":")

    def _block(self, block: Block, x: float, width: float) -> list[TypesetItem]:
        match block:
            case TextBlock(text=prose):
                return self.text(prose, self.typography.body, x, width)
            case ItemList():
                # Set a list, indented after its numbers or bullets.
                labels = [f"{number + 1}" if block.numbered else "•" for number in range(len(block.items))]
                if block.marks:
                    return self._rules(block.items, block.marks, labels, x, width)
                indent = (1.35 if block.numbered else 0.95) * self._em
                return self._items(block.items, labels, (), indent, x, width)
            case Table():
                return table_items(self, block, x, width)
            case DefinitionList():
                return self._terms(block, x, width)
            case RuleBlock():
                return self._rules((block.blocks,), (block.mark,), ("",), x, width)
            case Index():
                return list(self._index(block, x, width))
        return self._callout(block, x, width)

    def _heading(self, section: Section, level: int, width: float) -> TypesetItem:
        """Set a heading.

        At the top level, it is light text on a dark plaque, below that dark text.
        """
        em, inset, share = self._em, self._inset(level), self._heading_share if level == 1 else 1.0
        style = scale(self.typography.heading(level), share)
        indent = self._indent(section, style, inset)
        title = RichText(((Phrase(section.heading),),), section.place)
        lines = self.lines(title, title.paragraphs[0], style, width - indent - inset)
        depth = (len(lines) - 1) * leading(style)
        height = 2.0 * em if level == 1 else leading(style)
        first = self.baseline(style, height if level == 1 else None)
        marks: list[ItemMark] = [Anchor(section.id, section.heading, level)]
        if level == 1:
            colours = self.typography.colour("plaque"), self.typography.colour("frame")
            marks.append(FilledBox(Box(0, 0, width, height + depth), colours[0], 0.35 * em, colours[1]))
        if section.icon:
            icon, wide = self.single_line((Icon(section.icon),), scale(self.typography.icon(level), share))
            marks.append(TypesetLine(icon, (indent + inset - 0.5 * em - wide) / 2, first))
        marks += (TypesetLine(line, indent, first + n * leading(style)) for n, line in enumerate(lines))
        gap, give, penalty = (1.4, 1.6, 0.0) if level == 1 else (0.85 if level == 2 else 0.6, 1.6, BLOCK_PENALTY / 2)
        return ColumnItem(
            ItemContent(tuple(marks)),
            height + depth,
            gap * em,
            give * em,
            penalty,
            section.start,
            starts_section=level == 1,
        )

    def _repeated(self, heading: TypesetItem) -> TypesetItem:
        """Return the heading of a table or list of icons as it stands above the part of it in the next column."""
        marks = tuple(mark for mark in heading.content.marks if not isinstance(mark, Anchor))
        return ColumnItem(ItemContent(marks), heading.height + 0.55 * self._em)

    def _inset(self, level: int) -> float:
        return 0.75 * self._em if level == 1 else 0.0

    def _indent(self, section: Section, style: Style, inset: float) -> float:
        return inset + (1.75 * style.size * MM_PER_POINT if section.icon else 0.0)

    def _share_of_one_line(self, section: Section, width: float) -> float:
        """Return the part of its size at which a heading on a plaque takes one line."""
        style, inset = self.typography.heading(1), self._inset(1)
        _, wide = self.single_line((Phrase(section.heading),), style)
        indent = self._indent(section, style, inset) - inset
        return min(1.0, 0.995 * (width - 2 * inset) / (wide + indent))

    def _rules(
        self,
        rules: Sequence[tuple[Block, ...]],
        marks: Sequence[RuleMark],
        labels: Sequence[str],
        x: float,
        width: float,
    ) -> list[TypesetItem]:
        """Set rules, each with its number, if any, or else with the label of its item."""
        labels = [mark.number or label for mark, label in zip(marks, labels, strict=True)]
        widths = [self.single_line((Phrase(label),), self.typography.number)[1] for label in labels]
        indent = max(widths) + 0.55 * self._em if any(labels) else 0.0
        # Numbers of one or two digits have the same indent.
        indent = max(indent, 2.35 * self._em) if any(mark.number for mark in marks) else indent
        return self._items(
            rules, labels, [Anchor(mark.id, "", 0) if mark.id else None for mark in marks], indent, x, width
        )

    def _items(
        self,
        contents: Sequence[tuple[Block, ...]],
        labels: Sequence[str],
        anchors: Sequence[Anchor | None],
        indent: float,
        x: float,
        width: float,
    ) -> list[TypesetItem]:
        """Set items with labels at `x`, and their content after an indent."""
        items: list[TypesetItem] = []
        penalty = _ITEM_PENALTY if len(contents) > _SHORT_LIST else 2 * _ITEM_PENALTY
        for number, item in enumerate(contents):
            item_lines = list(self.blocks(item, x + indent, width - indent))
            if not item_lines:
                continue
            line, _ = self.single_line((Phrase(labels[number]),), self.typography.number)
            gap = (0.42 if number == 0 else 0.22) * self._em
            anchor = anchors[number] if anchors else None
            marks: list[ItemMark] = [anchor] if anchor else []
            first = with_marks(item_lines[0], *marks, TypesetLine(line, x, self.baseline(self.typography.number)))
            first = replace(
                first, space_above=gap, stretch=0.3 * self._em, break_penalty=BLOCK_PENALTY if number == 0 else penalty
            )
            items += [first, *item_lines[1:]]
        return items

    def _terms(self, terms: DefinitionList, x: float, width: float) -> list[TypesetItem]:
        """Set each term in bold in front of its definition."""
        items: list[TypesetItem] = []
        for number, (word, prose) in enumerate(terms.entries):
            first, *others = prose.paragraphs or ((),)
            whole = replace(prose, paragraphs=((Phrase(f"{word}\u2002", bold=True), *first), *others))
            entry = self.text(whole, self.typography.body, x, width)
            gap = (0.42 if number == 0 else 0.26) * self._em
            penalty = BLOCK_PENALTY if number == 0 else _ITEM_PENALTY
            entry[0] = replace(entry[0], space_above=gap, stretch=0.3 * self._em, break_penalty=penalty)
            # A column may not end with a term whose definition starts the next one.
            characters = 0
            for at, item in enumerate(entry[:-1], 1):
                characters += sum(len(piece.text) for piece in _first_line(item).pieces if isinstance(piece, Run))
                if characters <= len(word):
                    entry[at] = replace(entry[at], break_penalty=NEVER)
            items += entry
        return items

    def _callout(self, callout: Callout, x: float, width: float) -> list[TypesetItem]:
        """Set a callout on a tinted background with a left bar."""
        em, bar = self._em, 0.3 * self._em
        inset, pad = 0.95 * em, 0.5 * em
        ground = Background(x, width, self.typography.colour("glow"), self.typography.colour("gilt"), bar)
        inner = list(self.blocks(callout.blocks, x + inset, width - inset - 0.6 * em))
        title = callout.title or ("Example" if callout.kind == "example" else "")
        if title and inner:
            # The place of a callout's first text, if known.
            callout_place = next((block.text.place for block in callout.blocks if isinstance(block, TextBlock)), None)
            words = RichText(((Phrase(title),),), callout_place)
            heading = self.text(words, self.typography.callout_title, x + inset, width - inset - 0.6 * em)
            inner[0] = replace(inner[0], break_penalty=NEVER, space_above=0.1 * em, stretch=0.0)
            inner = [*heading, *inner]
        if inner:
            inner[0] = replace(inner[0], space_above=0.0, stretch=0.0, break_penalty=NEVER)
        top = ColumnItem(ItemContent((), ground), pad, 0.0, 0.0, NEVER)
        space: TypesetItem = ColumnItem(ItemContent(()), 0.0, 0.6 * em, 0.5 * em, BLOCK_PENALTY)
        foot = ColumnItem(ItemContent((), ground), pad, 0.0, 0.0, NEVER)
        return [
            space,
            top,
            *(with_background(each, ground) for each in _penalised(inner, _CALLOUT_PENALTY, len(inner))),
            foot,
        ]

    def _contents(self, document: Document, width: float) -> Iterator[TypesetItem]:
        """Yield the table of contents."""
        style, em = self.typography.body, self._em
        for section in document.sections:
            title = RichText(((Phrase(section.heading, link=section.id),),), section.place)
            *others, last = self.text(title, style, 0.0, width - 2.6 * em)
            number = PageReference(section.id, width, self.baseline(style), style)
            for item in (*others, with_marks(last, *self._leader(last, 0.0, width - 1.7 * em), number)):
                yield replace(item, space_above=0.12 * em, stretch=0.0, break_penalty=NEVER)

    def _leader(self, line: TypesetItem, x: float, end: float) -> Iterator[Stroke]:
        """Yield the rule between the text of a line and what follows at its end."""
        start = x + max((piece.x + piece.width for piece in _first_line(line).pieces), default=0.0) + 0.5 * self._em
        if start < end:
            y = self.baseline(self.typography.body)
            yield Stroke(start, y, end, y, colour=self.typography.colour("line"))

    def _index(self, index: Index, x: float, width: float) -> Iterator[TypesetItem]:
        """Yield the lines of an index: a term, the number of its rule, and the page."""
        style, em, page_word = self.typography.body, self._em, self._compositor.captions.translate("p.")
        for number, entry in enumerate(index.entries):
            prefix = f"{entry.number}, {page_word}\u00a0" if entry.number else ""
            wide = self.single_line((Phrase(f"{prefix}88"),), style)[1]
            word = RichText(((Phrase(entry.word or "\u2003", link=entry.id),),))
            *others, last = self.text(word, style, x, width - wide - em)
            page = PageReference(entry.id, x + width, self.baseline(style), style, prefix)
            for item in (*others, with_marks(last, *self._leader(last, x, x + width - wide - 0.3 * em), page)):
                penalty = BLOCK_PENALTY if number else NEVER
                yield replace(item, space_above=0.05 * em, stretch=0.05 * em, break_penalty=penalty)


def _first_line(item: TypesetItem) -> Line:
    """Return the first line of text of an item."""
    return next(mark.line for mark in item.content.marks if isinstance(mark, TypesetLine))


def _penalised(items: Sequence[TypesetItem], penalty: float, count: int) -> list[TypesetItem]:
    """Add a penalty to column breaks before the first `count` items."""
    return [
        replace(each, break_penalty=each.break_penalty + penalty) if n < count else each for n, each in enumerate(items)
    ]


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


def write(
    document: Document, theme: Theme, night: Theme, fonts: Fonts, icons: Icons, captions: Captions | None = None
) -> bytes:
    """Return the web page of a document in a theme, with its own words in the language of `captions`.

    `night` is the theme for the colors of dark mode.
    """
    # The font faces, each subset to the characters on the page.
    font_faces: list[Mapping[str, object]] = []
    characters = "".join(sorted(set("".join(document_texts(document))) | set(map(chr, range(32, 127)))))
    for role, bold, italic in _FONT_FACES:
        font = fonts.font(theme.families[role], bold, italic)
        data = b64encode(embed(font, characters)).decode()
        font_faces.append({"role": role, "bold": bold, "italic": italic, "data": data})
    page = _template().render(
        document=document,
        ids=set(_ids(document)),
        find_icon=icons.find,
        word=(captions or Captions()).page_word,
        font_faces=font_faces,
        day={role: theme.colour(name) for role, name in _LIGHT_COLOURS.items()},
        night={role: night.colour(name) for role, name in _DARK_COLOURS.items()},
        day_spans=_span_rules(theme, document),
        night_spans=_span_rules(night, document),
        style_sheet=Markup(_read("page.css")),
    )
    return page.encode()


def _span_rules(theme: Theme, document: Document) -> dict[str, str]:
    """Return the declarations of CSS for the spans that a document has, by their class."""
    looks = {**BUILT_IN_SPANS, **dict(theme.span_looks)}
    return {f"span-{name}": _declarations(looks[name]) for name in sorted(span_names(document).intersection(looks))}


def _declarations(look: SpanLook) -> str:
    lines = " ".join(("underline",) * look.underline + ("line-through",) * look.strike)
    return "; ".join(
        (
            *((f"color: {look.colour}",) if look.colour else ()),
            *("font-weight: 700",) * look.bold,
            *("font-style: italic",) * look.italic,
            *((f"text-decoration-line: {lines}",) if lines else ()),
            *("font-variant-caps: small-caps",) * look.small_caps,
        )
    )


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


def _drawn(art: IconArt) -> Markup:
    return Markup(art.drawn("currentColor"))


def _path_data(path: tuple[PathCommand, ...]) -> str:
    """Return a path as SVG path data, y downward."""
    return "".join(
        kind + " ".join(f"{1 - value if index % 2 else value:.3f}" for index, value in enumerate(numbers))
        for kind, *numbers in path
    )

"""The boxes of a page of HTML and CSS: blocks below each other, rows and columns of flex boxes, and absolute places.

This is not a browser: it places what templates of cards are made of, well enough to be corrected by hand; texts are
measured by their number of letters, and what has no counterpart on a face is noted.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from html.parser import HTMLParser
from itertools import islice
from math import inf
from types import MappingProxyType
from typing import NamedTuple
from xml.etree import ElementTree as ET

import cssselect2
import tinycss2

from cardgen.scaffold.decks.foreign import (
    LONG_NUMBER,
    Column,
    Element,
    PictureBox,
    Shape,
    TextBox,
    Words,
    markup,
    without,
)
from cardgen.svg.tree import compiled_selectors
from cardgen.units import Box

_DPI = 300
_MM_PER_PIXEL = 25.4 / _DPI
_BLEED = 3.175  # what print services cut off a card of 825 by 1,125 pixels
_CARDS = ((63.5, 88.9), (57.15, 88.9), (44.45, 63.5), (70.0, 120.0), (88.9, 63.5))
_MARKED = re.compile("\ue000([0-9]{1,6})\ue001")
# Characters of a template or a style sheet, tags in it and elements that are made, and how deep those are.
MOST_TEXT, _MOST_TAGS, _MOST_NODES, _DEEPEST = 200_000, 10_000, 2_000, 40
_MOST_SELECTORS, _LONGEST_SELECTORS, _DEEPEST_BRACKETS = 1_000, 2_000, 50
_NUMBER = r"([0-9]+(?:\.[0-9]+)?|\.[0-9]+)"
_BORDER = re.compile(rf"\s*{_NUMBER}px\s+\w+\s+(.+)")
_INHERITED = ("color", "font-size", "font-weight", "text-align", "font-style", "line-height", "white-space")
_INLINE = frozenset({"b", "strong", "i", "em", "u", "s", "span", "br", "a", "small", "sup", "sub", "cg-if"})
_TEXTUAL = _INLINE | {"p", "ul", "ol", "li", "h1", "h2", "h3", "h4", "table", "tr", "td", "tbody"}
_VOID = frozenset({"br", "img", "hr", "input", "link", "meta"})
# Properties that make a box of an element that could be part of a text.
_BOXES = ("background-color", "background-image", "background", "position", "width", "height", "border", "display")
_LOST = ("filter", "transform", "box-shadow", "text-shadow", "mix-blend-mode", "clip-path", "font-family", "opacity")
# The average width of a letter, in sizes of the type.
_LETTER = 0.5


class WebPage(NamedTuple):
    """A template: HTML and CSS with marks for placeholders, what these stand for, and a function that notes losses."""

    html: str
    css: str
    placeholders: Sequence[Words]
    lose: Callable[[str, str], None]


def laid_out(page: WebPage, lengths: Mapping[str, int]) -> tuple[list[Element], float, float]:
    """Return the elements of a template, and the size of its cards in millimeters.

    `lengths` are those of the longest texts of columns, which texts must have room for.
    """
    root = _tree(page.html)
    layout = _Layout(page, _styles(root, page), lengths)
    roots = [each for each in root if each.tag not in ("style", "script")]
    card = next((each for each in root.iter() if layout.size_of(each)), None)
    width, height = (layout.card_size(card) if card is not None else None) or (825.0, 1125.0)
    layout.containing = _Area(0, 0, width, height)
    for each in roots:
        layout.place(each, layout.containing, {}, 0)
    # Corners are round where the card is cut.
    trim = _BLEED if _is_card(width, height, _BLEED) and not layout.is_round(card) else 0.0
    elements = [_in_millimeters(each, trim) for each in layout.elements]
    return elements, round(width * _MM_PER_PIXEL - 2 * trim, 2), round(height * _MM_PER_PIXEL - 2 * trim, 2)


def _is_card(width: float, height: float, bleed: float = 0.0) -> bool:
    """Return whether a usual card has this size in pixels."""
    sides = (width * _MM_PER_PIXEL - 2 * bleed, height * _MM_PER_PIXEL - 2 * bleed)
    return any(all(abs(side - own) < 0.6 for side, own in zip(sides, card, strict=True)) for card in _CARDS)


def _in_millimeters(element: Element, trim: float) -> Element:
    x, y, width, height = (number * _MM_PER_PIXEL for number in element.box)
    return element._replace(box=Box(x - trim, y - trim, width, height))


class _Builder(HTMLParser):
    """Reader of HTML, with end tags wherever they are missing."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.root = ET.Element("body")
        self._open = [self.root]
        self._nodes = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._nodes += 1
        if self._nodes > _MOST_NODES or len(self._open) > _DEEPEST:
            return
        child = ET.SubElement(self._open[-1], tag, {key: value or "" for key, value in attrs if ":" not in key})
        if tag not in _VOID:
            self._open.append(child)

    def handle_endtag(self, tag: str) -> None:
        if any(each.tag == tag for each in self._open[1:]):
            while self._open.pop().tag != tag:
                pass

    def handle_data(self, data: str) -> None:
        parent = self._open[-1]
        if len(parent):
            parent[-1].tail = (parent[-1].tail or "") + data
        else:
            parent.text = (parent.text or "") + data


def _tree(html: str) -> ET.Element:
    builder = _Builder()
    tags = re.finditer("<", html[:MOST_TEXT])
    cut = next(islice(tags, _MOST_TAGS, None), None)
    with suppress(AssertionError):  # a declaration that the parser does not know
        builder.feed(LONG_NUMBER.sub("&amp;#", html[: cut.start() if cut else MOST_TEXT]))
        builder.close()
    return builder.root


def _styles(root: ET.Element, page: WebPage) -> dict[ET.Element, dict[str, str]]:
    """Return the declarations of each element that has some, in the order of their weight."""
    matcher = _matcher(page)
    styles: dict[ET.Element, dict[str, str]] = {}
    for element in cssselect2.ElementWrapper.from_html_root(root).iter_subtree():
        style: dict[str, str] = {}
        with suppress(ValueError):  # an invalid address, which a selector looks at
            for match in sorted(matcher.match(element), key=lambda match: match[:2]):
                if match[2] is None:
                    style |= match[3]
        style |= _declarations(tinycss2.parse_component_value_list(_flat_css(element.etree_element.get("style", ""))))
        if style:
            styles[element.etree_element] = style
            for name in style:
                if name.removeprefix("-webkit-") in _LOST:
                    page.lose("properties of style sheets", name)
    return styles


def _matcher(page: WebPage) -> cssselect2.Matcher:
    """Return the rules of a style sheet; what a condition on the card adds is left out."""
    matcher = cssselect2.Matcher()
    css = _flat_css(without(page.css[:MOST_TEXT], "<cg-if", "</cg-if>"))
    # Comments of other languages, and placeholders on lines of their own, which would take the next property with them.
    css = re.sub(r"(?m)^[ \t]*+(?://.*|\ue000[0-9]{1,6}\ue001[ \t]*+)$", "", css)
    count = 0
    for rule in tinycss2.parse_stylesheet(css, skip_comments=True, skip_whitespace=True):
        if rule.type == "at-rule":
            page.lose("rules of style sheets that begin with @", f"@{rule.at_keyword}")
        if rule.type != "qualified-rule":
            continue
        if len(tinycss2.serialize(rule.prelude)) > _LONGEST_SELECTORS:
            continue
        declarations = _declarations(rule.content)
        for selector in compiled_selectors(rule.prelude):
            count += 1
            if count <= _MOST_SELECTORS:
                matcher.add_selector(selector, declarations)
    return matcher


def _flat_css(css: str) -> str:
    """Return a style sheet, '' if its brackets are nested so deeply that reading it would take all of the stack."""
    depth = 0
    for bracket in re.finditer(r"[(\[{}\])]", css):
        depth += 1 if bracket[0] in "([{" else -1
        if depth > _DEEPEST_BRACKETS:
            return ""
    return css


def _declarations(content: object) -> dict[str, str]:
    found = {}
    for each in tinycss2.parse_blocks_contents(content, skip_comments=True, skip_whitespace=True):
        if each.type == "declaration":
            found[each.lower_name] = tinycss2.serialize(each.value).strip()
    return found


NOTHING: Mapping[str, str] = MappingProxyType({})


class _Area(NamedTuple):
    """A box in pixels."""

    x: float
    y: float
    width: float
    height: float


class _Layout:
    """Places the elements of a tree, and collects what they draw."""

    def __init__(self, page: WebPage, styles: dict[ET.Element, dict[str, str]], lengths: Mapping[str, int]) -> None:
        self._page, self._styles, self._lengths = page, styles, lengths
        # What is drawn, each with its layer: the steps of the elements with a position around it, from the outermost.
        self._drawn: list[tuple[tuple[float, ...], Element]] = []
        self._layer: tuple[float, ...] = (0.0,)
        # The box to which absolute places refer.
        self.containing = _Area(0, 0, 0, 0)
        self._when: Words = ()
        # What was found out about elements, which are asked again by each element around them.
        self._are_texts: dict[ET.Element, bool] = {}
        self._heights: dict[tuple[object, ...], float] = {}

    @property
    def elements(self) -> list[Element]:
        """What is drawn, from the lowest to the highest."""
        return [element for _, element in sorted(self._drawn, key=lambda drawn: drawn[0])]

    def size_of(self, node: ET.Element) -> tuple[float, float] | None:
        """Return the width and height that a style sheet gives an element, if both."""
        style = self._styles.get(node, {})
        width, height = (_length(style.get(side, ""), 0, 0) for side in ("width", "height"))
        return (width, height) if width and height else None

    def card_size(self, card: ET.Element) -> tuple[float, float] | None:
        """Return the size of a card; a border that makes it a usual one is around what the style sheet says."""
        if (size := self.size_of(card)) is None:
            return None
        style = self._styles[card]
        border = 2 * _border(style)
        bordered = (size[0] + border, size[1] + border)
        is_outside = style.get("box-sizing") == "content-box" or (
            any(_is_card(*bordered, bleed) for bleed in (0.0, _BLEED))
            and not any(_is_card(*size, bleed) for bleed in (0.0, _BLEED))
        )
        if not border or not is_outside:
            return size
        self._styles[card] = {**style, "width": f"{bordered[0]}px", "height": f"{bordered[1]}px", "box-sizing": ""}
        return bordered

    def is_round(self, node: ET.Element | None) -> bool:
        """Return whether an element has round corners."""
        return node is not None and bool(_length(self._styles.get(node, {}).get("border-radius", ""), 0))

    def place(
        self,
        node: ET.Element,
        area: _Area,
        inherited: Mapping[str, str],
        depth: int,
        forced: Mapping[str, str] = NOTHING,
    ) -> float:
        """Draw an element at the top left of an area, and return the height that it takes.

        What is `forced` has priority over its style sheet: the lengths of the children of a flex box.
        """
        style = {**inherited, **self._styles.get(node, {}), **forced}
        if style.get("display") == "none" or depth > _DEEPEST:
            return 0.0
        if node.tag == "cg-if":
            return self._place_if(node, area, inherited, depth)
        above, right, below, left = _sides(style, "margin", area.width)
        is_absolute = style.get("position") in ("absolute", "fixed")
        if is_absolute:
            area = area._replace(
                x=self.containing.x if style.keys() & {"left", "right"} else area.x,
                y=self.containing.y if style.keys() & {"top", "bottom"} else area.y,
                width=self.containing.width,
                height=self.containing.height,
            )
        box = self._box(node, style, area._replace(x=area.x + left, width=area.width - left - right), is_absolute)
        box = box._replace(y=box.y + above)
        if style.get("position") == "relative":  # moved, while its place stays
            box = box._replace(
                x=box.x + _offset(style, "left", "right", area.width),
                y=box.y + _offset(style, "top", "bottom", area.height),
            )
        inner = _inside(box, _pads(style, area.width))
        outer, layer = self.containing, self._layer
        if style.get("position") in ("absolute", "fixed", "relative"):
            self.containing = _inside(box, (_border(style),) * 4)
            # Whatever has a position is above all that has none, unless it is sent to the back.
            index = re.fullmatch(r"-?[0-9]{1,6}", style.get("z-index", ""))
            number = float(index[0]) if index else 0.0
            self._layer = (*layer[:-1], number if number < 0 else number + 0.5, -inf)
        self._paint(node, style, box)
        self._layer = (*self._layer[:-1], 0.0)
        if node.tag != "img":
            self._place_content(node, style, inner, depth)
        self.containing, self._layer = outer, layer
        return 0.0 if is_absolute else above + box.height + below

    def _place_if(self, node: ET.Element, area: _Area, inherited: Mapping[str, str], depth: int) -> float:
        outer = self._when
        if column := node.get("column"):
            self._when = (*outer, Column(column))
        taken = self._stack(list(node), area, inherited, depth)
        self._when = outer
        return taken

    def _box(self, node: ET.Element, style: Mapping[str, str], area: _Area, is_absolute: bool = False) -> _Area:
        """Return the border box of an element."""
        above, right, below, left = _pads(style, area.width)
        adds = style.get("box-sizing") == "content-box"  # the program's own style sheet says border-box
        width = _length(style.get("width", ""), area.width)
        height = _length(style.get("height", ""), area.height)
        width = area.width if width is None else width + (left + right if adds else 0)
        if is_absolute and height is None and {"top", "bottom"} <= style.keys():
            height = (
                area.height - (_length(style["top"], area.height) or 0) - (_length(style["bottom"], area.height) or 0)
            )
            adds = False
        if height is None:
            height = self._natural_height(node, style, width - left - right) + above + below
        elif adds:
            height += above + below
        x, y = area.x, area.y
        if is_absolute:
            x += _length(style.get("left", ""), area.width) or 0
            y += _length(style.get("top", ""), area.height) or 0
            if "left" not in style and "right" in style:
                x = area.x + area.width - width - (_length(style["right"], area.width) or 0)
            if "top" not in style and "bottom" in style:
                y = area.y + area.height - height - (_length(style["bottom"], area.height) or 0)
        return _Area(x, y, width, height)

    def _natural_height(self, node: ET.Element, style: Mapping[str, str], width: float) -> float:
        """Return the height of an element's content."""
        key = (node, width, _is_row(style), *_passed_on(style).items())
        if key not in self._heights:
            self._heights[key] = self._measured_height(node, style, width)
        return self._heights[key]

    def _measured_height(self, node: ET.Element, style: Mapping[str, str], width: float) -> float:
        if node.tag == "img" or width <= 0:
            return 0.0
        if self._is_text(node):
            size = _font_size(style)
            letters = max(self._letters(node), 1)
            lines = -(-letters * size * _LETTER // width) + len(list(node.iter("li"))) * 0.5
            return float(lines * size * _line_height(style))
        heights = []
        for child in _shown(node):
            own = {**_passed_on(style), **self._styles.get(child, {})}
            if own.get("position") in ("absolute", "fixed") or own.get("display") == "none":
                continue
            above, right, below, left = _sides(own, "margin", width)
            box = self._box(child, own, _Area(0, 0, width - left - right, 0))
            heights.append(above + box.height + below)
        return max(heights, default=0.0) if _is_row(style) else sum(heights)

    def _place_content(self, node: ET.Element, style: Mapping[str, str], inner: _Area, depth: int) -> None:
        passed = _passed_on(style)
        if self._is_text(node):
            self._write(node, style, inner)
            return
        children = _shown(node)
        if "flex" not in style.get("display", ""):
            self._stack(children, inner, passed, depth)
            return
        flowing = [each for each in children if self._styles.get(each, {}).get("position") not in ("absolute", "fixed")]
        along = self._shares(flowing, style, inner)
        at, gap = 0.0, _length(style.get("gap", ""), inner.width) or 0
        free = (inner.width if _is_row(style) else inner.height) - sum(along) - gap * max(len(along) - 1, 0)
        justify = style.get("justify-content", "")
        at = free if justify in ("flex-end", "end") else free / 2 if justify == "center" else 0.0
        if justify == "space-between" and len(along) > 1:
            gap += max(free, 0) / (len(along) - 1)
        for child in children:
            if child not in flowing:
                self.place(child, inner, passed, depth + 1)
                continue
            length = along[flowing.index(child)]
            if _is_row(style):
                area = _Area(inner.x + at, inner.y, length, inner.height)
                stretched = {} if "height" in self._styles.get(child, {}) else {"height": f"{inner.height}px"}
                forced = {"width": f"{length}px", **stretched, "box-sizing": ""}
            else:
                area = _Area(inner.x, inner.y + at, inner.width, length)
                forced = {"height": f"{length}px", "box-sizing": ""}
            self.place(child, area, passed, depth + 1, forced)
            at += length + gap

    def _shares(self, children: Sequence[ET.Element], style: Mapping[str, str], inner: _Area) -> list[float]:
        """Return the lengths of the children of a flex box along its axis."""
        is_row = _is_row(style)
        total = inner.width if is_row else inner.height
        natural, growth = [], []
        for child in children:
            own = {**_passed_on(style), **self._styles.get(child, {})}
            above, right, below, left = _sides(own, "margin", inner.width)
            share = own.get("flex", own.get("flex-grow", "0")).partition(" ")[0]
            grows = min(float(share), 1e6) if re.fullmatch(_NUMBER, share) else 1.0 if share == "auto" else 0.0
            box = self._box(child, own, _Area(0, 0, inner.width - left - right, inner.height))
            if is_row:
                fixed = _length(own.get("width", ""), inner.width)
                pads = _pads(own, inner.width)
                size = (
                    box.width
                    if fixed is not None
                    else self._letters(child) * _font_size(own) * _LETTER + pads[1] + pads[3]
                )
                size += left + right
            else:
                size = box.height + above + below
            natural.append(0.0 if grows and "flex" in own else min(size, total))
            growth.append(grows)
        gap = (_length(style.get("gap", ""), inner.width) or 0) * max(len(children) - 1, 0)
        free = max(total - gap - sum(natural), 0.0)
        shares = sum(growth)
        return [size + (free * grows / shares if shares else 0.0) for size, grows in zip(natural, growth, strict=True)]

    def _stack(self, children: Sequence[ET.Element], area: _Area, inherited: Mapping[str, str], depth: int) -> float:
        """Draw elements below each other, and return their height."""
        at = 0.0
        for child in children:
            at += self.place(child, area._replace(y=area.y + at, height=max(area.height - at, 0)), inherited, depth + 1)
        return at

    def _paint(self, node: ET.Element, style: Mapping[str, str], box: _Area) -> None:
        """Draw the background, the border, and the picture of an element."""
        background = style.get("background", "")
        colour = next(_colours(background), "") or next(_colours(style.get("background-color", "")), "")
        radius = min(
            _length(style.get("border-radius", "").split(" ")[0], box.width) or 0, box.width / 2, box.height / 2
        )
        if "gradient" in background:
            self._page.lose("gradients; their first color is drawn", "")
        border = _BORDER.fullmatch(style.get("border", ""))
        fill = self._words(colour)
        if fill or border:
            width = _border(style)
            stroke = self._words(border[2]) if border else ()
            # A stroke is half outside of its line, a border inside of its box.
            line = Box(*_inside(box, (width / 2,) * 4))
            round_ = max(radius - width / 2, 0) * _MM_PER_PIXEL if radius > 38 else 0
            self._draw(Shape(line, fill, stroke, width * _MM_PER_PIXEL, round_, when=self._when))
        for source in (style.get("background-image", ""), style.get("background", ""), node.get("src", "")):
            for number in _MARKED.findall(source) if "url" in source or source is node.get("src", "") else ():
                words = self._placeholder(number)
                if len(words) == 1 and words[0]:
                    fits = style.get("background-size", style.get("object-fit", "cover"))
                    fit = "contain" if fits == "contain" else "cover"
                    self._draw(PictureBox(Box(*box), words[0], fit, self._when))

    def _draw(self, element: Element) -> None:
        self._drawn.append((self._layer, element))

    def _write(self, node: ET.Element, style: Mapping[str, str], area: _Area) -> None:
        words = self._words(_flat(node))
        if not any(part if isinstance(part, Column) else part.strip() for part in words):
            return
        align, justify = style.get("text-align", "left"), style.get("justify-content", "")
        is_flex = "flex" in style.get("display", "")
        if is_flex and "center" in (justify, style.get("align-items") if not _is_row(style) else ""):
            align = "center"
        middle = is_flex and "center" in (style.get("align-items") if _is_row(style) else justify, "")
        self._draw(
            TextBox(
                Box(*area),
                _marked_up(words),
                max(_font_size(style) * 72 / _DPI, 4.5),
                self._words(style.get("color", "#000000")),
                align if align in ("left", "center", "right", "justify") else "left",
                "middle" if middle else "top",
                style.get("font-weight", "") in ("bold", "bolder", "600", "700", "800", "900"),
                self._when,
            )
        )

    def _words(self, text: str) -> Words:
        """Return a text in which placeholders are columns again."""
        words: list[str | Column] = []
        for index, part in enumerate(_MARKED.split(text)):
            if index % 2:
                words += self._placeholder(part)
            elif part:
                words.append(part)
        return tuple(words)

    def _placeholder(self, number: str) -> Words:
        """Return what a placeholder stands for; the page of a stranger may have marks of none."""
        return self._page.placeholders[int(number)] if int(number) < len(self._page.placeholders) else ()

    def _is_text(self, node: ET.Element) -> bool:
        """Return whether an element contains only a text, with its marks."""
        if node not in self._are_texts:
            self._are_texts[node] = self._has_only_text(node)
        return self._are_texts[node]

    def _has_only_text(self, node: ET.Element) -> bool:
        has_words = any(text.strip() for text in node.itertext())
        below = [each for each in node.iter() if each is not node]
        return has_words and all(
            each.tag in _TEXTUAL and not any(name in self._styles.get(each, {}) for name in _BOXES) for each in below
        )

    def _letters(self, node: ET.Element) -> int:
        words = self._words("".join(node.itertext()))
        return sum(
            self._lengths.get(part.heading, 10) if isinstance(part, Column) else len(part.strip()) for part in words
        )


def _shown(node: ET.Element) -> list[ET.Element]:
    return [each for each in node if each.tag not in ("style", "script", "br")]


def _flat(node: ET.Element) -> str:
    """Return the HTML inside an element."""
    return (node.text or "") + "".join(ET.tostring(child, encoding="unicode") for child in node)


def _marked_up(written: Words) -> Words:
    """Return a text of HTML as markup; columns stay."""
    columns = [part for part in written if isinstance(part, Column)]
    numbers = iter(range(len(columns)))
    text = "".join(f"\ue000{next(numbers)}\ue001" if isinstance(part, Column) else part for part in written)
    text = re.sub(r"\s+", " ", text)
    parts = _MARKED.split(markup(text if "<" in text else f"{text}<br-none>"))
    numbered = dict(enumerate(columns))
    words = (numbered.get(int(part), "") if index % 2 else part for index, part in enumerate(parts) if part)
    return tuple(word for word in words if word)


def _passed_on(style: Mapping[str, str]) -> dict[str, str]:
    return {name: style[name] for name in _INHERITED if name in style}


def _is_row(style: Mapping[str, str]) -> bool:
    return "flex" in style.get("display", "") and "column" not in style.get("flex-direction", "row")


def _font_size(style: Mapping[str, str]) -> float:
    return _length(style.get("font-size", ""), 32.0) or 32.0


def _line_height(style: Mapping[str, str]) -> float:
    match = re.fullmatch(_NUMBER, style.get("line-height", ""))
    return min(float(match[1]), 100.0) if match else 1.5


def _length(text: str, whole: float, default: float | None = None) -> float | None:
    """Return a length in pixels; percentages are those of `whole`, and sums are added up."""
    if sum_ := re.fullmatch(r"calc\((.*)\)", text.strip()):
        parts = re.split(r"\s([+-])\s", sum_[1])
        signs = (1, *(-1 if each == "-" else 1 for each in parts[1::2]))
        lengths = [_length(each, whole) for each in parts[::2]]
        known = [sign * each for sign, each in zip(signs, lengths, strict=True) if each is not None]
        return sum(known) if len(known) == len(lengths) else default
    match = re.match(r"(-?[0-9]*\.?[0-9]+)(px|%|in|mm|cm|pt|em|rem|vw|vh)?", text.strip())
    if not match:
        return default
    units = {
        "%": whole / 100,
        "in": 300.0,
        "mm": 300 / 25.4,
        "cm": 3000 / 25.4,
        "pt": 300 / 72,
        "em": 32.0,
        "rem": 32.0,
    }
    return max(min(float(match[1]) * units.get(match[2] or "px", 1.0), 20_000.0), -20_000.0)


def _sides(style: Mapping[str, str], name: str, whole: float) -> tuple[float, float, float, float]:
    """Return the margin or padding of an element: above, right, below, left."""
    values = [_length(each, whole) or 0.0 for each in style.get(name, "0").split()[:4]] or [0.0]
    # One value is that of all sides, two are those of above and right, and below and left are as their opposites.
    values = [*values, *(values * 2)[:2], *values[1:2]][:4] if len(values) < 3 else [*values, values[1]][:4]
    above, right, below, left = [values[0]] * 4 if len(set(values)) == 1 else values
    own = (_length(style.get(f"{name}-{side}", ""), whole) for side in ("top", "right", "bottom", "left"))
    return tuple(usual if each is None else each for each, usual in zip(own, (above, right, below, left), strict=True))  # type: ignore[return-value]


def _border(style: Mapping[str, str]) -> float:
    """Return the width of an element's border in pixels."""
    border = _BORDER.fullmatch(style.get("border", ""))
    return min(float(border[1]), 1_000.0) if border else 0.0


def _pads(style: Mapping[str, str], whole: float) -> tuple[float, float, float, float]:
    """Return what is between the edge of an element's box and its content: its border and its padding."""
    above, right, below, left = (each + _border(style) for each in _sides(style, "padding", whole))
    return above, right, below, left


def _offset(style: Mapping[str, str], near: str, far: str, whole: float) -> float:
    """Return how far an element is moved from its near side."""
    moved = _length(style.get(near, ""), whole)
    return moved if moved is not None else -(_length(style.get(far, ""), whole) or 0.0)


def _inside(box: _Area, padding: tuple[float, float, float, float]) -> _Area:
    above, right, below, left = padding
    return _Area(box.x + left, box.y + above, max(box.width - left - right, 0), max(box.height - above - below, 0))


def _colours(text: str) -> Iterator[str]:
    """Yield the colors in the value of a background."""
    for token in tinycss2.parse_component_value_list(text):
        if token.type == "function" and token.lower_name in ("rgb", "rgba", "hsl", "hsla", "hwb"):
            yield tinycss2.serialize([token])
        elif token.type == "function" and token.lower_name.endswith("gradient"):
            yield from _colours(tinycss2.serialize(token.arguments))
        elif token.type == "hash" or (token.type == "ident" and token.lower_value not in _NO_COLOURS):
            yield tinycss2.serialize([token])


_NO_COLOURS = frozenset(
    {"none", "transparent", "inherit", "initial", "center", "top", "bottom", "left", "right", "no-repeat", "repeat"}
    | {"cover", "contain", "to", "at", "circle", "ellipse"}
)

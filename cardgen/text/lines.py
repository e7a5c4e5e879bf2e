"""Types of text: marked-up paragraphs, and set lines of runs and icons."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from typing import Any, Literal, NamedTuple
from unicodedata import east_asian_width, normalize

from cardgen.units import MM_PER_POINT, Box

# A line ends here, and its paragraph goes on: at a backslash before the end of a line, or a line break in a cell.
LINE_BREAK = "\u2028"
_BLANKS = f" {LINE_BREAK}"

# The name of a span, and the most names that a part of a text has, each of which is kept with the part.
SPAN_NAME = r"[A-Za-z][\w-]{0,39}"
_MOST_SPAN_NAMES = 16
_TOKEN = re.compile(
    r"\\([]\\*{}.)•[-])|\\[ \t\r]*(\n)|(\*+)|\{([A-Za-z0-9][A-Za-z0-9_-]*(?::[a-z0-9-]+)?)\}"
    rf"|(\[)|\]\{{[ \t]*(\.{SPAN_NAME}(?:[ \t]+\.{SPAN_NAME})*)[ \t]*\}}|([]{{}}])|([^][\\*{{}}]+|\\)"
)
# The beginning of an item of a list, which is that of a line: '- ', '• ', '1. ', or '1) '.
_ITEM = re.compile(r"(?:^|(?:\\[ \t\r]*)?\n|\u2028)[ \t]*([-•]|\d{1,2}[.)])[ \t]+(?=\S)")
_BLANK_LINE = re.compile(r"\n[ \t\r]*\n")
_SPACES = re.compile(r"[ \t\r\n]+")
# Of 'Em, Messin', and Sniper's, but not of feet, such as 6'.
_APOSTROPHE = re.compile(r"'(?:(?=\w)|(?<=[^\W\d_]'))")
_QUOTED = re.compile(r"(?<!\w)'([^'\s](?:[^'\n]*[^'\s])?)'(?!\w)")
_MARK = re.compile(r"[\\*{}]")
# Placeholder of an icon.
ICON_PLACEHOLDER = "\ufffc"
_BOLD_ONLY = re.compile(r"[^\\{}*]*(?:(?<![^\W_])\*\*(?!\s)[^\\{}*]+(?<!\s)\*\*(?!\*)[^\\{}*]*)*")
_BOLD, _ITALIC, _END = "**", "*", "]"
_MARKS_OF_STARS = {1: (_ITALIC,), 2: (_BOLD,), 3: (_BOLD, _ITALIC)}


class Phrase(NamedTuple):
    """Text of one style; `link` is a link target, or ''.

    `spans` are the names of the spans that it is in, from the outermost on, separated by spaces.
    """

    text: str
    bold: bool = False
    italic: bool = False
    link: str = ""
    spans: str = ""


class Marker(Phrase):
    """Bullet or number of an item of a list, as the first part of its paragraph; other lines are indented."""

    __slots__ = ()


class Icon(NamedTuple):
    """Icon inside a text."""

    name: str
    bold: bool = False
    italic: bool = False
    spans: str = ""


Paragraph = tuple[Phrase | Icon, ...]


@dataclass(slots=True)
class _Token:
    """Token of the source: words, an icon's name, or one mark.

    The mark of a span's begin is its names, and that of its end is _END. An unpaired mark becomes plain text.
    """

    at: int
    text: str = ""
    icon: str = ""
    mark: str = ""
    stray: bool = False


def parse_markup(markup: str) -> tuple[Paragraph, ...]:
    """Parse marked-up text into paragraphs.

    Empty paragraphs are dropped, and unbalanced marks are printed literally. A mark opens before a character and closes
    after one, and not between two letters or digits, so '2 * 3' and '2*3' have no marks; only the end of bold text may
    be inside a word ('**Wound**s'). Bold and italic may overlap. '[text]{.name}' is a span, which the theme or the
    program gives a look; spans may contain others. Phrases contain LINE_BREAK where a line ends.
    A line that begins with a bullet or a number is an item of a list: a paragraph whose first part is its Marker.
    """
    paragraphs = []
    for source in _BLANK_LINE.split(markup):
        for marker, text in _items(source):
            paragraph = _parse_simple(text) or _trim(_merge_phrases(_parts(_tokens(text))))
            if paragraph:
                paragraphs.append((Marker(marker), *paragraph) if marker else paragraph)
    return tuple(paragraphs)


def split_marker(paragraph: Paragraph) -> tuple[Marker | None, Paragraph]:
    """Return the marker of an item of a list, and the rest of its paragraph."""
    first = paragraph[0] if paragraph else None
    return (first, paragraph[1:]) if isinstance(first, Marker) else (None, paragraph)


def _items(source: str) -> Iterator[tuple[str, str]]:
    """Yield the items of a list with their markers, and the text before them without one."""
    marker, start = "", 0
    for match in _ITEM.finditer(source):
        yield marker, source[start : match.start()]
        marker, start = f"{'•' if match[1] == '-' else match[1]}\u2002", match.end()
    yield marker, source[start:]


def find_unbalanced(markup: str) -> tuple[int, ...]:
    """Return the offsets of unbalanced marks.

    These are stars without a partner, and opening braces that do not form an icon. A star between spaces and a single
    closing brace are literal.
    """
    tokens = (token for at, source in _paragraph_sources(markup) for token in _tokens(source, at))
    return tuple(token.at for token in tokens if token.stray)


def to_plain_text(markup: str) -> str:
    """Return the text without marks, and icons as their names.

    Paragraphs are separated by a blank line, and items of a list begin on a line of their own.
    """
    text = ""
    for paragraph in parse_markup(markup):
        marker, parts = split_marker(paragraph)
        text += "" if not text else "\n" if marker else "\n\n"
        text += marker.text.replace("\u2002", " ") if marker else ""
        lines = split_lines(parts)
        text += "\n".join(
            "".join(each.text if isinstance(each, Phrase) else each.name for each in line) for line in lines
        )
    return text


def split_lines(paragraph: Paragraph) -> tuple[Paragraph, ...]:
    """Split a paragraph at its line breaks; lines without content are dropped."""
    if not any(LINE_BREAK in part.text for part in paragraph if isinstance(part, Phrase)):
        return (paragraph,)
    lines: list[list[Phrase | Icon]] = [[]]
    for part in paragraph:
        if isinstance(part, Icon):
            lines[-1].append(part)
            continue
        first, *others = part.text.split(LINE_BREAK)
        lines[-1].append(part._replace(text=first))
        lines += [[part._replace(text=text)] for text in others]
    return tuple(filter(None, map(_trim, lines)))


def escape_markup(text: str) -> str:
    """Return markup that prints this text literally."""
    return _escape_items(_MARK.sub(r"\\\g<0>", text))


def _escape_items(markup: str) -> str:
    """Escape what would begin an item of a list."""
    return _ITEM.sub(lambda item: item[0].replace(item[1], f"{item[1][:-1]}\\{item[1][-1]}"), markup)


def choice_label(word: str) -> str:
    """Return one of the words that a field can be as it is printed: 'On edge' for 'on_edge'."""
    words = word.replace("_", " ")
    return words[:1].upper() + words[1:]


def label_width(label: str) -> float:
    """Return about how wide a label is when it is set in 7 pt bold, in mm: room for it has to be known before."""
    ems = 0.0
    for character in normalize("NFC", label):
        if character in _NARROW:
            ems += 0.4
        elif east_asian_width(character) in "WF":
            ems += 1.04
        elif character in _WIDE:
            ems += 0.9
        else:
            ems += 0.68 if character.isupper() else 0.58
    return ems * 7 * MM_PER_POINT


# Letters with their tracking, as they are in the fonts of labels.
_NARROW, _WIDE = frozenset("fijlrtI .,:;'’!|()[]-/"), frozenset("mwMW@%")


def curl_apostrophes(markup: str) -> str:
    """Replace straight apostrophes of words, and around quoted words, with typographic ones."""
    return _APOSTROPHE.sub("\u2019", _QUOTED.sub("\u2018\\1\u2019", markup)) if "'" in markup else markup


def format_markup(paragraphs: Iterable[Paragraph]) -> str:
    """Return markup that parses into these paragraphs."""
    texts = []
    for paragraph in paragraphs:
        marker, parts = split_marker(paragraph)
        begin = marker.text.replace("•", "-").replace("\u2002", " ") if marker else ""
        texts.append(begin + _escape_items("".join(_format_parts(parts))))
    return "\n\n".join(texts)


@lru_cache(maxsize=1 << 9)
def embolden(markup: str, terms: tuple[str, ...]) -> str:
    """Make every whole word or phrase in `terms` bold, case-sensitively.

    A plural with s counts too ('Wounds' for 'Wound'). Longer terms take precedence. Bold text is left unchanged.
    """
    pattern = _term_pattern(terms)
    if pattern is None:
        return markup
    return format_markup(_embolden_paragraph(paragraph, pattern) for paragraph in parse_markup(markup))


@lru_cache(maxsize=64)
def _term_pattern(terms: tuple[str, ...]) -> re.Pattern[str] | None:
    longest_first = sorted(filter(None, set(terms)), key=lambda term: (-len(term), term))
    if not longest_first:
        return None
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, longest_first))})s?(?!\w)")


def _embolden_paragraph(paragraph: Paragraph, pattern: re.Pattern[str]) -> Paragraph:
    marker, paragraph = split_marker(paragraph)
    text = "".join(part.text if isinstance(part, Phrase) else ICON_PLACEHOLDER for part in paragraph)
    bold = [part.bold for part in paragraph for _ in (part.text if isinstance(part, Phrase) else ICON_PLACEHOLDER)]
    for term in pattern.finditer(text):
        if not any(bold[term.start() : term.end()]):
            bold[term.start() : term.end()] = [True] * len(term[0])
    parts = _merge_phrases(_with_bold(paragraph, iter(bold)))
    return (marker, *parts) if marker else tuple(parts)


def _with_bold(paragraph: Paragraph, bold: Iterator[bool]) -> Iterator[Phrase | Icon]:
    for part in paragraph:
        if isinstance(part, Icon):
            yield part._replace(bold=next(bold))
            continue
        for flag, group in groupby(part.text, key=lambda _: next(bold)):
            yield part._replace(text="".join(group), bold=flag)


def _format_parts(parts: Paragraph) -> Iterator[str]:
    bold = italic = False
    spans = ""
    for part in (*parts, Phrase("")):
        if spans and spans != part.spans:
            yield f"]{{{' '.join(f'.{name}' for name in spans.split())}}}"
        yield _BOLD * (bold != part.bold) + _ITALIC * (italic != part.italic)
        if part.spans and spans != part.spans:
            yield "["
        bold, italic, spans = part.bold, part.italic, part.spans
        if isinstance(part, Icon):
            yield f"{{{part.name}}}"
            continue
        text = escape_markup(part.text)
        yield text.replace("[", "\\[") if spans else text


def _paragraph_sources(markup: str) -> Iterator[tuple[int, str]]:
    """Yield each paragraph's source with its offset."""
    start = 0
    for blank in _BLANK_LINE.finditer(markup):
        yield start, markup[start : blank.start()]
        start = blank.end()
    yield start, markup[start:]


def _tokens(source: str, offset: int = 0) -> list[_Token]:
    tokens: list[_Token] = []
    opened: dict[str, _Token] = {}
    # Brackets that are open, with the most names that a part of the text in them has.
    brackets: list[tuple[_Token, int]] = []
    for match in _TOKEN.finditer(source):
        at = match.start() + offset
        escaped, end_of_line, stars, icon, bracket, names, brace, words = match.groups()
        if stars:
            tokens += _star_tokens(source, match, at, opened)
        elif icon:
            tokens.append(_Token(at, icon=icon))
        elif bracket:  # literal, unless the end of a span follows
            tokens.append(_Token(at, bracket))
            brackets.append((tokens[-1], 0))
        elif names and brackets and brackets[-1][1] + names.count(".") <= _MOST_SPAN_NAMES:
            begin, inside = brackets.pop()
            begin.text, begin.mark = "", names.replace(".", "")
            tokens.append(_Token(at, mark=_END))
            if brackets:
                outer, most = brackets[-1]
                brackets[-1] = outer, max(most, inside + names.count("."))
        elif names:
            tokens.append(_Token(at, match[0], stray=True))
        elif end_of_line:
            tokens.append(_Token(at, LINE_BREAK))
        else:
            tokens.append(_Token(at, escaped or brace or words, stray=brace == "{"))
    for token in opened.values():
        token.text, token.mark, token.stray = token.mark, "", True
    return tokens


def _star_tokens(source: str, match: re.Match[str], at: int, opened: dict[str, _Token]) -> Iterator[_Token]:
    start, stop = match.span()
    can_close, can_open = (
        start > 0 and not source[start - 1].isspace(),
        stop < len(source) and not source[stop].isspace(),
    )
    in_word = can_close and can_open and source[start - 1].isalnum() and source[stop].isalnum()
    if in_word and _BOLD not in opened:
        yield _Token(at, match[0])
        return
    for mark in _MARKS_OF_STARS.get(len(match[0]), ()):
        if in_word and mark == _ITALIC:
            yield _Token(at, mark)
        elif mark in opened and can_close:
            del opened[mark]
            yield _Token(at, mark=mark)
        elif mark not in opened and can_open:
            opened[mark] = _Token(at, mark=mark)
            yield opened[mark]
        else:
            yield _Token(at, mark, stray=can_close or can_open)
    if len(match[0]) not in _MARKS_OF_STARS:
        yield _Token(at, match[0], stray=True)


def _parse_simple(source: str) -> Paragraph:
    """Parse a paragraph with balanced bold marks only; else return ().

    This covers most paragraphs.
    """
    if not _BOLD_ONLY.fullmatch(source):
        return ()  # Also for line breaks, and for marks between letters or digits.
    texts = _collapse_spaces(source).strip(_BLANKS).split(_BOLD)
    return tuple([Phrase(text, bold=number % 2 == 1) for number, text in enumerate(texts) if text])


def _collapse_spaces(text: str) -> str:
    """Replace runs of white space with single spaces."""
    return _SPACES.sub(" ", text) if "  " in text or "\n" in text or "\t" in text or "\r" in text else text


def _parts(tokens: list[_Token]) -> Iterator[Phrase | Icon]:
    bold = italic = False
    around = [""]
    for token in tokens:
        if token.mark in (_BOLD, _ITALIC):
            bold, italic = bold ^ (token.mark == _BOLD), italic ^ (token.mark == _ITALIC)
        elif token.mark == _END:
            around.pop()
        elif token.mark:
            around.append(f"{around[-1]} {token.mark}".lstrip())
        else:
            spans = around[-1]
            yield Icon(token.icon, bold, italic, spans) if token.icon else Phrase(token.text, bold, italic, "", spans)


def _merge_phrases(parts: Iterable[Phrase | Icon]) -> Iterator[Phrase | Icon]:
    """Merge neighboring phrases of one style; icons stay separate."""
    for _, group in groupby(parts, key=_style_key):
        members = tuple(group)
        phrases = [part for part in members if isinstance(part, Phrase)]
        yield phrases[0]._replace(text="".join(part.text for part in phrases)) if len(phrases) > 1 else members[0]


def _style_key(part: Phrase | Icon) -> object:
    return (part.bold, part.italic, part.link, part.spans) if isinstance(part, Phrase) else object()


def _trim(parts: Iterable[Phrase | Icon]) -> Paragraph:
    """Collapse spaces, even across phrases, and remove them and line breaks at both ends."""
    kept: list[Phrase | Icon] = []
    behind_space = True
    for part in parts:
        if isinstance(part, Icon):
            kept.append(part)
            behind_space = False
            continue
        text = _collapse_spaces(part.text)
        if not kept:
            text = text.lstrip(_BLANKS)
        elif behind_space and text.startswith(" "):
            text = text[1:]
        if text:
            kept.append(part if text is part.text else part._replace(text=text))
            behind_space = text.endswith(" ")
    while kept and isinstance(last := kept[-1], Phrase) and last.text.endswith((" ", LINE_BREAK)):
        kept.pop()
        if last.text.rstrip(_BLANKS):
            kept.append(last._replace(text=last.text.rstrip(_BLANKS)))
    return tuple(kept)


__all__ = [
    "Align",
    "Anchor",
    "Box",
    "Fit",
    "Glyph",
    "IconGlyph",
    "Line",
    "Outline",
    "PathCommand",
    "Run",
    "Style",
    "TypesetText",
    "Valign",
]

Align = Literal["left", "center", "right", "justify"]
Valign = Literal["top", "middle", "bottom"]
Anchor = Literal["start", "middle", "end"]
PathCommand = tuple[Any, ...]


class SpanLook(NamedTuple):
    """Look of a span: what differs from the text around it. `colour` is '#rrggbb', or '' for that of the text."""

    colour: str = ""
    bold: bool = False
    italic: bool = False
    underline: bool = False
    strike: bool = False
    small_caps: bool = False


# Spans that every text may have; a theme adds its own. Those of alignment count at the beginning of a line.
BUILT_IN_SPANS: Mapping[str, SpanLook] = {
    "underline": SpanLook(underline=True),
    "strike": SpanLook(strike=True),
    "small-caps": SpanLook(small_caps=True),
}
ALIGNMENTS: tuple[Align, ...] = ("left", "center", "right", "justify")
KNOWN_SPANS = frozenset((*BUILT_IN_SPANS, *ALIGNMENTS))


class Style(NamedTuple):
    """Text style: font family, size in points, and colors as '#rrggbb'.

    `leading` is the distance of baselines as a multiple of the size, `emphasis` is the color of bold text, `caps` sets
    the text in capitals, and `tracking` is the space between letters as a fraction of the size. `spans` are the looks
    of the theme's spans with their names. `language` is the tag of the text's language, '' if nobody has named it, and
    `families` are those of other scripts, by their code in ISO 15924.
    """

    family: str
    size: float
    colour: str = "#000000"
    bold: bool = False
    italic: bool = False
    leading: float = 1.2
    tracking: float = 0.0
    caps: bool = False
    emphasis: str | None = None
    paragraph_gap: float = 0.4
    spans: tuple[tuple[str, SpanLook], ...] = ()
    language: str = ""
    families: tuple[tuple[str, str], ...] = ()

    def span(self, name: str) -> SpanLook | None:
        """Return the look of a span, or None if neither the theme nor the program has one of that name."""
        return dict(self.spans).get(name) or BUILT_IN_SPANS.get(name) or (SpanLook() if name in ALIGNMENTS else None)


class Glyph(NamedTuple):
    """What a run draws for one or more characters, its `text`: glyphs of the font, and their advance together.

    Each of the `parts` is the number of a glyph, with its offset to the right and upward. All lengths are in
    thousandths of the size.
    """

    text: str
    advance: float
    parts: tuple[tuple[int, float, float], ...]


class Run(NamedTuple):
    """Part of a line in one font, size, and color.

    `x` and `y` are the left end of its baseline, and `width` is in millimeters. `packed_advances` holds the advances as
    packed doubles, because a deck has hundreds of thousands of them. `link` is the name of the link's target, or ''.
    `glyphs` are those of a text whose characters are not simply their own glyphs, from left to right; it has no packed
    advances.
    """

    text: str
    font: str
    size: float
    colour: str
    x: float
    y: float
    width: float
    packed_advances: bytes
    link: str = ""
    glyphs: tuple[Glyph, ...] = ()

    @property
    def advances(self) -> tuple[float, ...]:
        """The advance of each character, in thousandths of the size.

        Kerning and tracking are included.
        """
        return tuple(memoryview(self.packed_advances).cast("d"))


class IconArt(NamedTuple):
    """Icon with colors of its own, strokes, or transparency, as SVG of height 1, y downward.

    `prefix` starts all ids of the definitions. `text_colour` stands for the color of the text in both parts.
    """

    definitions: str
    body: str
    prefix: str
    text_colour: str

    def drawn(self, colour: str) -> str:
        """Return the SVG of the icon in a text of a color, such as '#7d2620'."""
        if not self.definitions:
            return self.body.replace(self.text_colour, colour)
        source = f"<defs>{self.definitions}</defs>{self.body}"
        if self.text_colour in self.definitions:  # other colors, other definitions
            source = source.replace(f"{self.prefix}-", f"{self.prefix}-{colour.strip('#')}-")
        return source.replace(self.text_colour, colour)


class Outline(NamedTuple):
    """Filled shape: paths of 'M', 'L', 'C', and 'Z' commands.

    The commands are ('M', x, y), ('L', x, y), ('C', x1, y1, x2, y2, x, y), and ('Z',). All coordinates are absolute, as
    fractions of the icon's size, with y pointing up from its lower edge; `width` is a fraction too. Each path is filled
    separately, with the even-odd rule if `evenodd`, else the nonzero rule. An icon that cannot be drawn like this has
    no paths, but `art`.
    """

    paths: tuple[tuple[PathCommand, ...], ...]
    width: float
    evenodd: bool = False
    art: IconArt | None = None


class IconGlyph(NamedTuple):
    """Icon: an outline in one color, placed by its lower left corner.

    The corner is at `x`, `y`. `size` (points) is the length of 1 in the outline; `width` is in millimeters. In SVG, the
    transform is `translate(x y) scale(s -s)`, with s = `size` in millimeters.
    """

    name: str
    outline: Outline
    size: float
    colour: str
    x: float
    y: float
    width: float


class Line(NamedTuple):
    """One line: its runs and icons from left to right."""

    pieces: tuple[Run | IconGlyph, ...]

    @property
    def text(self) -> str:
        """The line's characters, without its icons."""
        return "".join(piece.text for piece in self.pieces if isinstance(piece, Run))


class Fit(NamedTuple):
    """Fit of a text in its box at the chosen size (points).

    On a face, `size` includes the transforms of the template. `fill` is the used fraction of the box, over 1 if it is
    too full. `excess` is the number of characters outside the box, `missing` are the characters without a glyph, and
    `unknown_icons` the names of unknown icons. `field` is the path of the text in the card's data
    ('abilities/0/text'), and `markup` the text. `box` is its place on the face, if anything is printed.
    """

    field: str
    size: float
    fill: float
    excess: int = 0
    missing: str = ""
    unknown_icons: tuple[str, ...] = ()
    markup: str = ""
    box: Box | None = None

    @property
    def ok(self) -> bool:
        """True if everything fits and every character and icon is available."""
        return not (self.excess or self.missing or self.unknown_icons)


class TypesetText(NamedTuple):
    """Text set in its box."""

    lines: tuple[Line, ...]
    fit: Fit

"""What is read from a deck of another program: tables, pictures, faces, and what was lost.

Its files come from strangers: they are read within limits, and nothing in them runs.
"""

from __future__ import annotations

import csv
import io
import os
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from html import unescape
from itertools import islice
from pathlib import Path, PurePosixPath
from typing import NamedTuple, TypeAlias

from cardgen.diagnostic import CardgenError, Code, Diagnostic, Place, slugify
from cardgen.face.layout import is_colour
from cardgen.project.files import portable_stem
from cardgen.runtime import regular_file, zip_file
from cardgen.runtime.regular_file import stays_inside
from cardgen.scaffold.template import written_layout
from cardgen.source.composer import replace_unprintable
from cardgen.svg.tree import Colour, parse_colour
from cardgen.tables.csv_file import defuse
from cardgen.tables.table import MAX_CELLS, MAX_COLUMNS
from cardgen.text.lines import escape_markup
from cardgen.units import Box, Size, shorten

MIB = 1 << 20
_MOST_FILES = 20_000
_MOST_BYTES = 256 * MIB
_DEEPEST = 8
MOST_CARDS = 10_000
# The boxes of a layout.
_MOST_BOXES = 500
# How pictures begin that cardgen can print; some programs give them no suffix.
_SIGNATURES: Mapping[bytes, str] = {
    b"\x89PNG\r\n\x1a\n": ".png",
    b"\xff\xd8\xff": ".jpg",
    b"GIF8": ".gif",
    b"RIFF": ".webp",
    b"<svg": ".svg",
    b"<?xml": ".svg",
}
_MOST_LISTED = 5
_LONGEST_NOTE = 200


class Column(NamedTuple):
    """The value of a column of the table, as it stands in a text or in the name of a file."""

    heading: str


# A text, of words and columns.
Words: TypeAlias = tuple[str | Column, ...]


class TextBox(NamedTuple):
    """A text in a box in millimeters, its type in points, with a color of CSS."""

    box: Box
    words: Words
    size: float
    colour: Words = ("#000000",)
    align: str = "left"
    valign: str = "top"
    bold: bool = False
    when: Words = ()


class PictureBox(NamedTuple):
    """A picture in a box in millimeters: a file of the project, or a column of such."""

    box: Box
    file: str | Column
    fit: str = "cover"
    when: Words = ()


class Shape(NamedTuple):
    """A rectangle or an ellipse in a box in millimeters, in colors of CSS."""

    box: Box
    fill: Words = ()
    stroke: Words = ()
    stroke_width: float = 0.0
    radius: float = 0.0
    is_ellipse: bool = False
    when: Words = ()


# An element of a face; it is drawn if the columns in `when` have values.
Element: TypeAlias = TextBox | PictureBox | Shape


def columns_of(element: Element) -> Iterator[Column]:
    """Yield the columns that an element needs."""
    for value in element:
        if isinstance(value, Column):
            yield value
        elif isinstance(value, tuple):
            yield from (part for part in value if isinstance(part, Column))


class _BoxWriter(NamedTuple):
    """Writer of boxes for elements: the keys of columns by their headings, and the headings of those that are flags."""

    keys: Mapping[str, str]
    flags: Collection[str]

    def box_of(self, element: Element, size: Size) -> dict[str, object]:
        """Return the box of a layout for an element; an empty one is not drawn."""
        when = [self.keys[part.heading] for part in element.when if isinstance(part, Column)][-1:]
        if isinstance(element, TextBox):
            when += [self.keys[part.heading] for part in columns_of(element) if part.heading in self.flags][:1]
            box = self._text(element)
        elif isinstance(element, PictureBox):
            file = element.file
            shown = {"field": self.keys[file.heading]} if isinstance(file, Column) else {"picture": file}
            box = {**shown, "at": element.box, "fit": element.fit}
        else:
            box = self._shape(element, size)
        return box | ({"when": when[0]} if when and box else {})

    def _text(self, element: TextBox) -> dict[str, object]:
        if not self._written(element.words).strip():
            return {}
        key = self.keys[only.heading] if isinstance(only := element.words[0], Column) else ""
        is_field = len(element.words) == 1 and key and key not in map(self.keys.get, self.flags)
        points = min(max(element.size, 4.5), 200.0)
        return {
            **({"field": key} if is_field else {"text": self._written(element.words)}),
            "at": element.box,
            "style": "strong" if element.bold else "plain",
            "size": f"{points:.3g}pt",
            "min_size": f"{max(4.5, points * 0.4):.3g}pt",
            "fill": self._colour(element.colour, "#000000").text,
            **({"align": element.align} if element.align != "left" else {}),
            **({"valign": element.valign} if element.valign != "top" else {}),
        }

    def _shape(self, element: Shape, size: Size) -> dict[str, object]:
        place = ("ellipse", element.box) if element.is_ellipse else ("rect", _bled(element.box, size))
        box: dict[str, object] = dict(zip(("shape", "at"), place, strict=True))
        if element.fill:
            fill = self._colour(element.fill, "#ffffff")
            box |= {"fill": fill.text} | ({"opacity": fill.alpha} if fill.alpha < 1 else {})
        if element.stroke and element.stroke_width:
            box |= {"stroke": self._colour(element.stroke, "#000000").text, "stroke_width": element.stroke_width}
        box |= {"radius": element.radius} if element.radius and not element.is_ellipse else {}
        return box if box.keys() & {"fill", "stroke"} else {}

    def _written(self, words: Words) -> str:
        """Return a text of a layout; a flag is its heading."""
        return "".join(
            replace_unprintable(part)[0] if isinstance(part, str)
            else escape_markup(part.heading) if part.heading in self.flags
            else f"{{{{ {self.keys[part.heading]} }}}}"
            for part in words
        )  # fmt: skip

    def _colour(self, words: Words, default: str) -> Colour:
        """Return a color that depends on the card, or as #rrggbb; `default` for anything else."""
        text = self._written(words)
        if any(isinstance(part, Column) for part in words):
            return Colour(text if is_colour(text) else default)
        try:
            return parse_colour(text.lower())
        except ValueError:
            return Colour(default)


# How far shapes extend that reach beyond the trim, and how far they must, in mm.
_BLEED, _BEYOND = 5.0, 1.0


def _bled(box: Box, size: Size) -> Box:
    """Return a box that extends beyond the bleed where it reaches beyond the trim."""
    left, top = (-_BLEED if at <= -_BEYOND else at for at in (box.x, box.y))
    ends = (
        side + _BLEED if at + length >= side + _BEYOND else at + length
        for at, length, side in ((box.x, box.width, size.width), (box.y, box.height, size.height))
    )
    right, bottom = ends
    return Box(left, top, right - left, bottom - top)


@dataclass
class ForeignTable:
    """Cards of one kind.

    `faces` are templates by what follows the name of the kind in their file, such as '.back', or by their own names.
    Columns in `keys` have keys that every card has. The size is in millimeters.
    """

    title: str
    rows: list[dict[str, str]]
    faces: Mapping[str, Sequence[Element]] = field(default_factory=dict)
    keys: Mapping[str, str] = field(default_factory=dict)
    width: float = 63.5
    height: float = 88.9

    @property
    def headings(self) -> tuple[str, ...]:
        """The names of all columns, in their order."""
        return tuple(dict.fromkeys(heading for row in self.rows for heading in row))

    def number_names(self) -> None:
        """Give cards of one name ids of their own, in a column 'id'."""
        heading = next((heading for heading, key in self.keys.items() if key == "name"), "")
        seen = Counter[str]()
        for row in self.rows if heading else ():
            name = slugify(row.get(heading, ""))
            seen[name] += 1
            if seen[name] > 1:
                row["id"] = f"{name}-{seen[name]}"
                self.keys = {**self.keys, "id": "id"}

    def leave_out(self, lose: Callable[[str], object]) -> None:
        """Leave out what cannot be seen, and more boxes than a layout can have."""
        faces = {}
        for name, elements in self.faces.items():
            seen = [each for each in elements if self._is_seen(each.box)]
            faces[name] = seen[:_MOST_BOXES]
            if len(seen) > _MOST_BOXES:
                lose(f"what follows the first {_MOST_BOXES} boxes of a face")
            if len(seen) < len(elements):
                lose("what is outside of the card, or has no width or height")
        self.faces = faces

    def _is_seen(self, box: Box) -> bool:
        is_inside = -box.width < box.x < self.width and -box.height < box.y < self.height
        return is_inside and min(box.width, box.height) > 0

    def layouts(self, kind: str, keys: Mapping[str, str], flags: Collection[str]) -> Iterator[tuple[str, str]]:
        """Yield the name of each layout of a kind, without its suffix, with its text.

        Columns are known by their `keys`, and print their headings if they are `flags`.
        """
        size, writer = Size(self.width, self.height), _BoxWriter(keys, flags)
        for name, elements in self.faces.items():
            known = [each for each in elements if all(column.heading in keys for column in columns_of(each))]
            boxes = list(filter(None, (writer.box_of(each, size) for each in known)))
            first = boxes[0] if boxes else {}
            is_plain = first.keys() == {"shape", "at", "fill"} and first["at"] == _bled(Box(-9, -9, 2e3, 2e3), size)
            colour = str(boxes.pop(0)["fill"]) if is_plain else ""
            stem = f"{kind}{name}" if name[:1] in ("", ".") else name
            side = "the back" if name.endswith(".back") else "the front"
            yield stem, written_layout(side, size, boxes, colour)

    def csv(self) -> bytes:
        """Return the table in the form in which cardgen writes tables."""
        text, headings = io.StringIO(newline=""), self.headings
        writer = csv.writer(text)
        writer.writerow(map(defuse, headings))
        writer.writerows([defuse(row.get(heading, "")) for heading in headings] for row in self.rows)
        return text.getvalue().encode("utf-8-sig", "replace")


@dataclass
class ForeignDeck:
    """The tables of a deck, its pictures by their paths in the new project, and what was lost."""

    program: str
    tables: list[ForeignTable] = field(default_factory=list)
    pictures: dict[str, bytes] = field(default_factory=dict)
    lost: dict[str, dict[str, None]] = field(default_factory=dict)
    _names: dict[str, str] = field(default_factory=dict)
    _stems: Counter[str] = field(default_factory=Counter)

    def lose(self, what: str, detail: str = "") -> None:
        """Note that something is not in the new project."""
        details = self.lost.setdefault(_in_one_line(what), {})
        if detail:
            details[_in_one_line(detail)] = None

    def add_picture(self, name: str, read: Callable[[str], bytes | None]) -> str:
        """Return the path in the new project of a picture that a card or a face names; '' if it is lost."""
        if name not in self._names:
            self._names[name] = self._add_picture(name, read(name))
        return self._names[name]

    def _add_picture(self, name: str, content: bytes | None) -> str:
        if content is None:
            self.lose("pictures that are not in the deck", name)
            return ""
        start = content[:200].removeprefix(b"\xef\xbb\xbf").lstrip()
        suffix = next((each for begin, each in _SIGNATURES.items() if start.startswith(begin)), "")
        if not suffix:
            self.lose("pictures in formats other than PNG, JPEG, GIF, WebP, and SVG", name)
            return ""
        stem = file_stem(PurePosixPath(name.replace("\\", "/")).stem)
        while (path := f"art/{stem}{self._stems[stem] or ''}{suffix}") in self.pictures:
            self._stems[stem] += 1
        self.pictures[path] = content
        return path

    def notes(self) -> Iterator[str]:
        """Yield what was lost, one line for each kind of loss."""
        for what, details in self.lost.items():
            more = f", and {len(details) - _MOST_LISTED} more" if len(details) > _MOST_LISTED else ""
            yield f"lost: {what}{': ' if details else ''}{', '.join(islice(details, _MOST_LISTED))}{more}"


def _in_one_line(text: str) -> str:
    """Return a text of a stranger as notes and comments may have it."""
    return shorten(replace_unprintable(" ".join(text.split()))[0], _LONGEST_NOTE)


class Files:
    """The files of a deck by their names, in a folder or an archive, which have 256 MiB together at most.

    Raises CardgenError at `place`, the name of the deck for users.
    """

    def __init__(self, path: Path) -> None:
        self.place = Place(path.as_posix())
        self._left = _MOST_BYTES
        self._folder = path if path.is_dir() else None
        self._content: dict[str, bytes] = {}
        if self._folder is None:
            try:
                self._content = dict(zip_file.unpack(self._read(path), _MOST_FILES, _MOST_BYTES))
            except zip_file.UnpacksTooLargeError:
                raise self.error(f"the archive unpacks to more than {_MOST_BYTES // MIB} MiB") from None
            except ValueError:
                raise self.error("this is not an archive that can be read") from None
            self.names: tuple[str, ...] = tuple(self._content)
        else:
            self.names = tuple(self._walk(self._folder, _DEEPEST))
        self._known = frozenset(self.names)
        # The shortest name of a file that ends with some steps of its path, as they are and in small letters.
        self._by_end: dict[str, str] = {}
        self._by_small_end: dict[str, str] = {}
        for name in sorted(self.names, key=len):
            for start in (0, *(slash.end() for slash in re.finditer("/", name))):
                self._by_end.setdefault(name[start:], name)
                self._by_small_end.setdefault(name[start:].lower(), name)

    def read(self, name: str) -> bytes | None:
        """Return the content of a file, or None if the deck has none of this name."""
        if self._folder is None:
            return self._content.get(name)
        path = self._folder / name
        if name not in self._known or not stays_inside(self._folder, path):
            return None
        return self._read(path)

    def ending(self, end: str) -> str:
        """Return the file whose path ends with some steps, the shortest if there are several, or '' without one.

        If there is none, letters match in both cases, as on the computers of many designers.
        """
        return self._by_end.get(end) or self._by_small_end.get(end.lower(), "")

    def text(self, name: str) -> str:
        """Return the text of a file, '' if there is none."""
        return decoded(self.read(name) or b"")

    def error(self, message: str, advice: str = "") -> CardgenError:
        """Return an error of the deck."""
        return CardgenError(Diagnostic(Code.BAD_TABLE, message, self.place, advice))

    def _read(self, path: Path) -> bytes:
        try:
            content = regular_file.read(path, self._left)
        except regular_file.FileTooLargeError:
            raise self.error(f"the files of the deck have more than {_MOST_BYTES // MIB} MiB") from None
        except OSError as error:
            raise self.error(f"'{path.name}' cannot be read: {error.strerror or error}") from None
        self._left -= len(content) if self._folder else 0
        return content

    def _walk(self, root: Path, depth: int) -> Iterator[str]:
        """Yield the names of files in a folder, without hidden ones; links to folders are not followed."""
        count = 0
        for folder, folders, files in os.walk(root):
            below = Path(folder).relative_to(root)
            folders[:] = sorted(each for each in folders if each[0] not in "._") if len(below.parts) < depth else []
            for name in sorted(files):
                count += 1
                if count > _MOST_FILES:
                    raise self.error(f"the folder has more than {_MOST_FILES:,} files")
                yield (below / name).as_posix()


def require_small(tables: Sequence[ForeignTable], place: Place) -> None:
    """Raise CardgenError if tables have more cards, columns, or cells than cardgen reads."""
    cards = sum(len(table.rows) for table in tables)
    if cards > MOST_CARDS:
        message = f"the deck has more than {MOST_CARDS:,} cards"
        raise CardgenError(Diagnostic(Code.TABLE_TOO_LARGE, message, place, "divide the deck"))
    for table in tables:
        columns = len(table.headings)
        if columns > MAX_COLUMNS or columns * len(table.rows) > MAX_CELLS:
            message = f"'{table.title}' has more than {MAX_COLUMNS} columns, or {MAX_CELLS:,} cells"
            raise CardgenError(Diagnostic(Code.TABLE_TOO_LARGE, message, place, "divide the deck"))


def file_stem(name: str) -> str:
    """Return a name of the deck as that of a file, which every platform accepts."""
    return portable_stem(slugify(name), "card")


def decoded(content: bytes) -> str:
    """Return a text in UTF-8; other bytes become replacement characters, which checks find."""
    return content.decode("utf-8-sig", errors="replace").replace("\r\n", "\n").replace("\r", "\n")


# Texts with tags, as HTML, Pango, and Magic Set Editor write them.
_MARKS = {"b": "**", "strong": "**", "i": "*", "em": "*"}
_SPANS = {"u": "underline", "s": "strike", "strike": "strike", "del": "strike"}
_BLOCKS = frozenset({"p", "div", "ul", "ol", "table", "tr", "h1", "h2", "h3", "h4", "section"})
_BLANK = re.compile(r"\n\s*\n\s*")
# A tag, its name, and what is in it, or a declaration. The parser of the standard library takes hours for some texts.
_TAG = re.compile(r"<(/?)([A-Za-z][\w-]*)[^<>]*>|<[!?][^<>]*>")
# Numbers that Python refuses to read.
LONG_NUMBER = re.compile(r"&#(?=[xX]?[0-9a-fA-F]{20})")
# No card can print a longer text, nor more marks within each other.
_LONGEST_MARKUP, _DEEPEST_MARKS = 20_000, 20


def markup(text: str, symbol: Callable[[str], str] = lambda name: f"**{name}**") -> str:
    """Return the markup of a text with tags; other characters than tags are printed as they are."""
    if ("<" not in text and "&" not in text) or len(text) > _LONGEST_MARKUP:
        return escape_markup(text)
    reader = _Markup(symbol)
    end = 0
    text = without(text, "<!--", "-->")
    for tag in _TAG.finditer(text):
        reader.write(text[end : tag.start()])
        end = tag.end()
        if tag[2]:
            (reader.end if tag[1] else reader.begin)(tag[2].lower())
    reader.write(text[end:])
    return _BLANK.sub("\n\n", "".join(reader.parts)).strip()


def unescaped(text: str) -> str:
    """Return a text with characters in place of references such as '&amp;'; long numbers are left as they are."""
    return unescape(LONG_NUMBER.sub("&amp;#", text))


def without(text: str, start: str, end: str) -> str:
    """Return a text without what begins and ends with some words, such as comments."""
    before, *parts = text.split(start)
    return before + "".join(part.partition(end)[2] for part in parts)


class _Markup:
    """Writer of texts and tags as markup; what it does not know has no effect."""

    def __init__(self, symbol: Callable[[str], str]) -> None:
        self.parts: list[str] = []
        self._symbol = symbol
        self._lists: list[int | None] = []
        self._open: list[tuple[str, int]] = []

    def begin(self, tag: str) -> None:
        """Begin a tag."""
        if tag in _MARKS or tag in _SPANS or tag.startswith("sym"):
            if len(self._open) < _DEEPEST_MARKS:
                self._open.append((tag, len(self.parts)))
        elif tag == "br":
            self.parts.append("\\\n")
        elif tag == "li":
            if self._lists and self._lists[-1] is not None:
                self._lists[-1] += 1
                self.parts.append(f"\n{self._lists[-1]}. ")
            else:
                self.parts.append("\n- ")
        elif tag in _BLOCKS:
            self._lists += [None if tag == "ul" else 0] if tag in ("ul", "ol") else []
            self.parts.append("\n\n")

    def end(self, tag: str) -> None:
        """End the last tag of this name."""
        at = next((index for index in reversed(range(len(self._open))) if self._open[index][0] == tag), None)
        if at is not None:
            _, start = self._open.pop(at)
            inside = "".join(self.parts[start:])
            # Marks that enclose nothing, or spaces, would be printed.
            words = inside.strip()
            if not words:
                return
            marked = (
                f"{_MARKS[tag]}{words}{_MARKS[tag]}" if tag in _MARKS
                else f"[{words}]{{.{_SPANS[tag]}}}" if tag in _SPANS
                else self._symbol(words)
            )  # fmt: skip
            self.parts[start:] = [inside.replace(words, marked, 1)]
        elif tag in ("ul", "ol") and self._lists:
            self._lists.pop()
            self.parts.append("\n\n")
        elif tag in _BLOCKS:
            self.parts.append("\n\n")

    def write(self, text: str) -> None:
        """Write the text between two tags."""
        self.parts.append(escape_markup(unescaped(text)))

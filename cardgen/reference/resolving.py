"""A sheet as it was written becomes a document: what it asks for is looked up and put in its place."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from cardgen.diagnostic import Diagnostic, Place, stop_on_errors
from cardgen.reference import codes
from cardgen.reference.quoting import curled, plain, prose
from cardgen.reference.reading import Sheet
from cardgen.reference.sources import Content, Quote, RefusedError, Sources
from cardgen.reference.tree import Align, Block, Callout, Document, Passage, Points, Prose, Section, Table
from cardgen.reference.written import Piece, WrittenExample, WrittenNote, WrittenSection, WrittenTable
from cardgen.shape.base import Model
from cardgen.shape.origin import Origin
from cardgen.shape.suggestion import did_you_mean
from cardgen.shape.validation import validate
from cardgen.source import Route
from cardgen.text.icons import Icons
from cardgen.text.markup import Icon

_NUMBERS = 6  # A column whose cells are no longer than this stands in the middle.


def resolve(sheet: Sheet, sources: Sources, icons: Icons, name: str = "") -> Document:
    """The document of a sheet; `name` is that of the list that it is for, which becomes its title.

    Raises CardgenError with everything that the sheet asks for in vain.
    """
    resolver = _Resolver(sheet, sources, icons)
    sections = resolver.sections(("sections",), sheet.written.sections)
    stop_on_errors(dict.fromkeys(resolver.problems))
    written = sheet.written
    title, subtitle = map(curled, (name, written.title) if name else (written.title, written.subtitle))
    return Document(sheet.id, title, subtitle, sections, curled(written.credit), written.contents, written.language)


@dataclass(slots=True)
class _Resolver:
    """Resolves one sheet; `problems` gathers what is wrong."""

    sheet: Sheet
    sources: Sources
    icons: Icons
    problems: list[Diagnostic] = field(default_factory=list)
    titles: Mapping[str, str] = field(init=False)

    def __post_init__(self) -> None:
        self.titles = {section.name: curled(section.title) for _, section in self.sheet.sections()}

    def sections(self, route: Route, written: Iterable[WrittenSection]) -> tuple[Section, ...]:
        """Some sections, without those in which nothing is shown."""
        found = (self._section((*route, number), each) for number, each in enumerate(written))
        return tuple(section for section in found if section.blocks or section.sections)

    def _section(self, route: Route, written: WrittenSection) -> Section:
        if written.icon:
            self._look_up_icon(written.icon, self.sheet.place((*route, "icon")))
        blocks = tuple(self._pieces((*route, "content"), written.content))
        sections = self.sections((*route, "sections"), written.sections)
        place = self.sheet.place((*route, "title"))
        return Section(written.name, curled(written.title), blocks, sections, written.icon or "", written.start, place)

    def _pieces(self, route: Route, pieces: Iterable[Piece]) -> Iterator[Block]:
        for number, piece in enumerate(pieces):
            yield from self._piece((*route, number), piece)

    def _piece(self, route: Route, piece: Piece) -> Iterator[Block]:
        shown = tuple(self._shown(route, piece.show, piece.options or {})) if piece.show else ()
        if piece.show and not shown:
            return  # Words in front of nothing introduce nothing.
        if piece.text is not None:
            yield Passage(self._prose(piece.text, (*route, "text")))
        for name, numbered in (("steps", True), ("points", False)):
            items = getattr(piece, name)
            if items:
                routes = ((*route, name, number) for number in range(len(items)))
                yield Points(
                    tuple(tuple(self._piece(*each)) for each in zip(routes, items, strict=True)), numbered=numbered
                )
        if piece.table:
            yield self._table((*route, "table"), piece.table)
        if piece.note:
            yield self._note((*route, "note"), piece.note)
        if piece.example:
            yield self._example((*route, "example"), piece.example)
        yield from shown

    def _prose(self, text: str, route: Route, quotes: Mapping[str, Quote] | None = None) -> Prose:
        """The text at a route; what is wrong with it is kept as a problem."""
        place = self.sheet.place(route)
        try:
            found = prose(text, place, quotes or self.sources.quotes, self.titles)
        except RefusedError as error:
            start, end = error.route
            exact = self.sheet.origin.document.passage(self.sheet.origin.written(route), text, int(start), int(end))
            code = codes.UNKNOWN_SECTION if "section" in error.message else codes.UNKNOWN_NAME
            self.problems.append(Diagnostic(code, error.message, exact or place, error.help))
            return plain("", place)
        for part in (part for paragraph in found.paragraphs for part in paragraph):
            if isinstance(part, Icon):
                self._look_up_icon(part.name, place)
        return found

    def _look_up_icon(self, name: str, place: Place) -> None:
        try:
            if self.icons.find(name) is not None:
                return
            message = f"there is no icon '{name}'{did_you_mean(name, self.icons.names())}"
        except ValueError as error:
            message = str(error)
        self.problems.append(Diagnostic(codes.UNKNOWN_NAME, message, place))

    def _table(self, route: Route, written: WrittenTable) -> Table:
        width = len(written.head)
        for number, row in enumerate(written.rows):
            if len(row) != width:
                message = f"row {number + 1} has {_cells(len(row))}, and the table {_cells(width)} a row"
                place = self.sheet.place((*route, "rows", number))
                self.problems.append(Diagnostic(codes.UNEVEN_TABLE, message, place, "write '' where nothing belongs"))
            for column, cell in enumerate(row):
                if cell is None:
                    message = f"cell {column + 1} of row {number + 1} is missing"
                    place = self.sheet.place((*route, "rows", number, column))
                    self.problems.append(
                        Diagnostic(codes.UNEVEN_TABLE, message, place, "write '' where nothing belongs")
                    )
        if written.align is not None and len(written.align) != width:
            message = f"'align' speaks of {_columns(len(written.align))}, and the table has {_columns(width)}"
            self.problems.append(Diagnostic(codes.UNEVEN_TABLE, message, self.sheet.place((*route, "align"))))
        head = tuple(self._prose(text, (*route, "head", n)) for n, text in enumerate(written.head))
        rows = tuple(
            tuple(self._prose("" if cell is None else str(cell), (*route, "rows", r, c)) for c, cell in enumerate(row))
            for r, row in enumerate(written.rows)
        )
        return Table(head, rows, written.align or alignment(rows, width), written.caption or "")

    def _note(self, route: Route, written: WrittenNote) -> Callout:
        text_route = (*route, "text")
        return Callout("note", written.title or "", (Passage(self._prose(written.text, text_route)),))

    def _example(self, route: Route, written: WrittenExample) -> Callout:
        try:
            judged = self.sources.judge(written.trial, written.options, written.dice)
        except RefusedError as error:
            place = self.sheet.place((*route, *error.route))
            self.problems.append(Diagnostic(codes.BAD_EXAMPLE, error.message, place, error.help))
            return Callout("example", written.title or "", ())
        own = {name: _always(words) for name, words in judged.chances.items()}
        text = Passage(self._prose(written.text, (*route, "text"), {**self.sources.quotes, **own}))
        told = tuple((Passage(plain(line, text.prose.place)),) for line in judged.told)
        return Callout("example", written.title or "", (text, Points(told)) if told else (text,))

    def _shown(self, route: Route, name: str, options: Mapping[str, Any]) -> Iterator[Block]:
        """What the game shows under that name."""
        content = self.sources.contents.get(name)
        if content is None:
            message = f"there is nothing to show by the name '{name}'{did_you_mean(name, self.sources.contents)}"
            advice = f"known: {', '.join(self.sources.contents)}"
            place = self.sheet.place((*route, "show"))
            self.problems.append(Diagnostic(codes.UNKNOWN_CONTENT, message, place, advice))
            return
        try:
            yield from (_at(block, self.sheet.place(route)) for block in self._made(route, content, options))
        except RefusedError as error:
            place = self.sheet.place((*route, "with", *error.route))
            self.problems.append(Diagnostic(codes.UNKNOWN_NAME, error.message, place, error.help))

    def _made(self, route: Route, content: Content, options: Mapping[str, Any]) -> Iterable[Block]:
        written = self.sheet.origin.written((*route, "with"))
        origin = Origin(self.sheet.origin.document, (content.options,), (written,))
        found: Model | None
        found, problems = validate(content.options, dict(options), origin)
        self.problems += problems
        return content.make(found) if found is not None else ()


def alignment(rows: Iterable[tuple[Prose, ...]], width: int) -> tuple[Align, ...]:
    """The first column left; others in the middle where all their cells are short."""
    columns = list(zip(*(row for row in rows if len(row) == width), strict=True))
    short = [all(len(cell.plain) <= _NUMBERS for cell in column) for column in columns] or [False] * width
    return tuple("center" if each and number else "left" for number, each in enumerate(short))


def _at(block: Block, place: Place) -> Block:
    """The same block; text that the game made stands where it was asked for."""
    match block:
        case Passage(prose=text):
            return Passage(replace(text, place=place))
        case Table():
            rows = tuple(tuple(replace(cell, place=place) for cell in row) for row in block.rows)
            return replace(block, head=tuple(replace(cell, place=place) for cell in block.head), rows=rows)
        case Points():
            return replace(block, items=tuple(tuple(_at(each, place) for each in item) for item in block.items))
        case Callout():
            return replace(block, blocks=tuple(_at(each, place) for each in block.blocks))
    return replace(block, entries=tuple((curled(word), replace(text, place=place)) for word, text in block.entries))


def _always(words: str) -> Quote:
    return lambda _: words


def _cells(number: int) -> str:
    return "1 cell" if number == 1 else f"{number} cells"


def _columns(number: int) -> str:
    return "1 column" if number == 1 else f"{number} columns"

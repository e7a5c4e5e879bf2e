"""Resolves a sheet file with its providers into a document tree."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from cardgen.diagnostic import Diagnostic, Place, stop_on_errors
from cardgen.reference import codes
from cardgen.reference.document_tree import (
    Align,
    Block,
    Callout,
    DefinitionList,
    Document,
    ItemList,
    RichText,
    RuleBlock,
    RuleMark,
    Section,
    Table,
    TextBlock,
    map_texts,
)
from cardgen.reference.interpolation import interpolate, rich_text, smart_punctuation
from cardgen.reference.providers import BlockProvider, InlineProvider, NotAvailableError, Providers
from cardgen.reference.rule_numbers import with_index, with_numbers
from cardgen.reference.sheet_file import BlockModel, ExampleModel, NoteModel, SectionModel, SheetFile, TableModel
from cardgen.source import KeyPath
from cardgen.text.icons import Icons
from cardgen.text.markup import Icon, Phrase
from cardgen.validation.base import Model
from cardgen.validation.source_map import SourceMap
from cardgen.validation.suggestion import did_you_mean
from cardgen.validation.validate import validate

_SHORT_CELL = 6  # Columns whose cells have at most this many characters are centered.


def resolve(sheet: SheetFile, providers: Providers, icons: Icons, name: str = "") -> Document:
    """Return the document of a sheet.

    `name` is the name of the card list that the sheet is for; it becomes the title. Raises CardgenError with all
    problems of the sheet.
    """
    resolver = _Resolver(sheet, providers, icons)
    sections = resolver.sections(("sections",), sheet.model.sections)
    stop_on_errors(dict.fromkeys(resolver.problems))
    model = sheet.model
    title, subtitle = map(smart_punctuation, (name, model.title) if name else (model.title, model.subtitle))
    document = Document(
        sheet.id, title, subtitle, sections, smart_punctuation(model.credit), model.contents, model.language
    )
    if model.number:
        document = with_numbers(document)
    return with_index(document, model.index_title) if model.index else document


@dataclass(slots=True)
class _Resolver:
    """Resolves one sheet, and collects its problems."""

    sheet: SheetFile
    providers: Providers
    icons: Icons
    problems: list[Diagnostic] = field(default_factory=list)
    titles: dict[str, str] = field(init=False)

    def __post_init__(self) -> None:
        self.titles = {section.anchor: smart_punctuation(section.title) for _, section in self.sheet.sections()}
        if self.sheet.model.number:
            self.titles |= {rule.id: RuleMark.PLACEHOLDER for _, rule in self.sheet.rules() if rule.id}

    def sections(self, route: KeyPath, models: Iterable[SectionModel]) -> tuple[Section, ...]:
        """Return sections, without empty ones."""
        resolved = (self._section((*route, number), each) for number, each in enumerate(models))
        return tuple(section for section in resolved if section.blocks or section.sections)

    def _section(self, route: KeyPath, model: SectionModel) -> Section:
        if model.icon:
            self._check_icon(model.icon, self.sheet.place((*route, "icon")))
        blocks = tuple(self._rules((*route, "content"), model.content))
        sections = self.sections((*route, "sections"), model.sections)
        place = self.sheet.place((*route, "title"))
        return Section(
            model.anchor, smart_punctuation(model.title), blocks, sections, model.icon or "", model.start, place
        )

    def _rules(self, route: KeyPath, models: Iterable[BlockModel]) -> Iterator[Block]:
        """Yield the content of a section, with marks if they have a use."""
        for number, model in enumerate(models):
            rules = model.rules()
            blocks = tuple(self._block((*route, number), model))
            if not blocks or not (self.sheet.model.number or any(rule.is_marked for rule in rules)):
                yield from blocks
            elif model.text is not None:
                yield RuleBlock(_mark(model), blocks)
            else:
                yield from (_with_marks(block, rules) for block in blocks)

    def _block(self, route: KeyPath, model: BlockModel) -> Iterator[Block]:
        provided = tuple(self._provided_blocks(route, model.show, model.options or {})) if model.show else ()
        if model.show and not provided:
            return  # Its text would introduce nothing.
        if model.text is not None:
            text = self._text(model.text, (*route, "text"))
            yield TextBlock(_after_term(model.term, text) if model.term else text)
        for name, numbered in (("steps", True), ("points", False)):
            items = getattr(model, name)
            if items:
                routes = ((*route, name, number) for number in range(len(items)))
                yield ItemList(
                    tuple(tuple(self._block(*each)) for each in zip(routes, items, strict=True)), numbered=numbered
                )
        if model.table:
            yield self._table((*route, "table"), model.table)
        if model.note:
            yield self._note((*route, "note"), model.note)
        if model.example:
            yield self._example((*route, "example"), model.example)
        yield from provided

    def _text(self, text: str, route: KeyPath, inline_values: Mapping[str, InlineProvider] | None = None) -> RichText:
        """Return the text at a route.

        Its errors are added to the problems.
        """
        place = self.sheet.place(route)
        try:
            rich = interpolate(text, place, inline_values or self.providers.inline_values, self.titles)
        except NotAvailableError as error:
            start, end = error.route
            exact = self.sheet.origin.document.place_of_substring(
                self.sheet.origin.source_path(route), text, int(start), int(end)
            )
            code = codes.UNKNOWN_SECTION if "section" in error.message else codes.UNKNOWN_NAME
            self.problems.append(Diagnostic(code, error.message, exact or place, error.help))
            return rich_text("", place)
        for part in (part for paragraph in rich.paragraphs for part in paragraph):
            if isinstance(part, Icon):
                self._check_icon(part.name, place)
        return rich

    def _check_icon(self, name: str, place: Place) -> None:
        try:
            if self.icons.find(name) is not None:
                return
            message = f"unknown icon '{name}'{did_you_mean(name, self.icons.names())}"
        except ValueError as error:
            message = str(error)
        self.problems.append(Diagnostic(codes.UNKNOWN_NAME, message, place))

    def _table(self, route: KeyPath, model: TableModel) -> Table:
        width = len(model.head)
        for number, row in enumerate(model.rows):
            if len(row) != width:
                message = f"row {number + 1} must have {_cells(width)}, not {len(row)}"
                place = self.sheet.place((*route, "rows", number))
                self.problems.append(Diagnostic(codes.UNEVEN_TABLE, message, place, "write '' for an empty cell"))
            for column, cell in enumerate(row):
                if cell is None:
                    message = f"cell {column + 1} of row {number + 1} is missing"
                    place = self.sheet.place((*route, "rows", number, column))
                    self.problems.append(Diagnostic(codes.UNEVEN_TABLE, message, place, "write '' for an empty cell"))
        if model.align is not None and len(model.align) != width:
            message = f"'align' must have {_values(width)}, one for each column, not {len(model.align)}"
            self.problems.append(Diagnostic(codes.UNEVEN_TABLE, message, self.sheet.place((*route, "align"))))
        head = tuple(self._text(text, (*route, "head", n)) for n, text in enumerate(model.head))
        rows = tuple(
            tuple(self._text("" if cell is None else str(cell), (*route, "rows", r, c)) for c, cell in enumerate(row))
            for r, row in enumerate(model.rows)
        )
        return Table(head, rows, model.align or default_alignment(rows, width), model.caption or "")

    def _note(self, route: KeyPath, model: NoteModel) -> Callout:
        text_route = (*route, "text")
        return Callout("note", model.title or "", (TextBlock(self._text(model.text, text_route)),))

    def _example(self, route: KeyPath, model: ExampleModel) -> Callout:
        try:
            worked = self.providers.work_example(model.trial, model.options, model.dice)
        except NotAvailableError as error:
            place = self.sheet.place((*route, *error.route))
            self.problems.append(Diagnostic(codes.BAD_EXAMPLE, error.message, place, error.help))
            return Callout("example", model.title or "", ())
        chances = {name: _constant(words) for name, words in worked.chances.items()}
        text = TextBlock(self._text(model.text, (*route, "text"), {**self.providers.inline_values, **chances}))
        log = tuple((TextBlock(rich_text(line, text.text.place)),) for line in worked.log)
        return Callout("example", model.title or "", (text, ItemList(log)) if log else (text,))

    def _provided_blocks(self, route: KeyPath, name: str, options: Mapping[str, Any]) -> Iterator[Block]:
        """Yield the blocks that the game provides under a name."""
        provider = self.providers.blocks.get(name)
        if provider is None:
            message = f"unknown content '{name}'{did_you_mean(name, self.providers.blocks)}"
            advice = f"available: {', '.join(self.providers.blocks)}"
            place = self.sheet.place((*route, "show"))
            self.problems.append(Diagnostic(codes.UNKNOWN_CONTENT, message, place, advice))
            return
        try:
            yield from (
                _placed_at(block, self.sheet.place(route)) for block in self._make_blocks(route, provider, options)
            )
        except NotAvailableError as error:
            place = self.sheet.place((*route, "with", *error.route))
            self.problems.append(Diagnostic(codes.UNKNOWN_NAME, error.message, place, error.help))

    def _make_blocks(self, route: KeyPath, provider: BlockProvider, options: Mapping[str, Any]) -> Iterable[Block]:
        key_path = self.sheet.origin.source_path((*route, "with"))
        origin = SourceMap(self.sheet.origin.document, (provider.options,), (key_path,))
        options_model: Model | None
        options_model, problems = validate(provider.options, dict(options), origin)
        self.problems += problems
        return provider.make(options_model) if options_model is not None else ()


def default_alignment(rows: Iterable[tuple[RichText, ...]], width: int) -> tuple[Align, ...]:
    """Return the alignment of columns without `align`.

    The first column is aligned left; others are centered if all their cells are short.
    """
    columns = list(zip(*(row for row in rows if len(row) == width), strict=True))
    short = [all(len(cell.plain_text) <= _SHORT_CELL for cell in column) for column in columns] or [False] * width
    return tuple("center" if each and number else "left" for number, each in enumerate(short))


def _placed_at(block: Block, place: Place) -> Block:
    """Return the block with the place of its request for all text."""
    placed = map_texts(block, lambda text: replace(text, place=place))
    if isinstance(placed, DefinitionList):
        return DefinitionList(tuple((smart_punctuation(word), text) for word, text in placed.entries))
    return placed


def _mark(model: BlockModel) -> RuleMark:
    terms = (*((model.term,) if model.term else ()), *model.index)
    return RuleMark(model.id, tuple(map(smart_punctuation, terms)))


def _with_marks(block: Block, rules: Sequence[BlockModel]) -> Block:
    return replace(block, marks=tuple(map(_mark, rules))) if isinstance(block, ItemList) else block


def _after_term(term: str, text: RichText) -> RichText:
    """Return a text after its term in bold."""
    first, *others = text.paragraphs or ((),)
    lead = Phrase(f"{smart_punctuation(term)}\u2002", bold=True)
    return replace(text, paragraphs=((lead, *first), *others))


def _constant(words: str) -> InlineProvider:
    return lambda _: words


def _cells(number: int) -> str:
    return "1 cell" if number == 1 else f"{number} cells"


def _values(number: int) -> str:
    return "1 value" if number == 1 else f"{number} values"

"""Sheets resolved: values filled in, rules numbered, references found."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain, count
from typing import Any

from cardgen.diagnostic import Code, Diagnostic, Place, did_you_mean, slugify, stop_on_errors
from cardgen.reference.document_tree import (
    Align,
    Block,
    Callout,
    DefinitionList,
    Document,
    Index,
    IndexEntry,
    ItemList,
    RichText,
    RuleBlock,
    RuleMark,
    Section,
    Table,
    TextBlock,
    map_texts,
)
from cardgen.reference.sheet_file import BlockModel, ExampleModel, SectionModel, SheetFile, TableModel
from cardgen.source import KeyPath
from cardgen.text.lines import KNOWN_SPANS, Icon, Paragraph, Phrase, curl_apostrophes, escape_markup, parse_markup
from cardgen.text.shaped_row import Icons
from cardgen.units import quantity
from cardgen.validation.base import Model, SourceMap
from cardgen.validation.validate import validate

# Providers of blocks, inline values, and worked examples.


class NotAvailableError(Exception):
    """A requested name or value is not available.

    `route` leads to it within the request: a path of keys, or the start and end of a placeholder.
    """

    def __init__(self, message: str, help: str = "", route: tuple[str | int, ...] = ()) -> None:  # noqa: A002
        super().__init__(message)
        self.message, self.help, self.route = message, help, route

    @classmethod
    def unknown(
        cls, what: str, name: str, known: Iterable[str], route: tuple[str | int, ...] = ()
    ) -> NotAvailableError:
        """Return the error for an unknown name, with a suggestion."""
        names = list(known)
        return cls(f"unknown {what} '{name}'{did_you_mean(name, names)}", f"available: {', '.join(names)}", route)


@dataclass(frozen=True, slots=True)
class BlockProvider:
    """Content that a game can show: its options and block function.

    `make` raises NotAvailableError for unknown names in the options.
    """

    options: type[Model]
    make: Callable[[Any], Iterable[Block]]


# Returns marked-up text for the argument of a placeholder. Raises NotAvailableError.
InlineProvider = Callable[[str], str]


@dataclass(frozen=True, slots=True)
class WorkedExample:
    """The results of an example: chances in words and a log.

    `chances` are by name. The log is empty unless the example was played with given dice. `left_out` is a sentence
    about the rules that the results leave to the players, or ''.
    """

    chances: Mapping[str, str]
    log: tuple[str, ...] = ()
    left_out: str = ""


@dataclass(frozen=True, slots=True)
class Providers:
    """Everything that a sheet can request, by name.

    `work_example` computes the odds of a trial from the values of its situation; with dice, it also plays the trial
    once. It raises NotAvailableError.
    """

    blocks: Mapping[str, BlockProvider]
    inline_values: Mapping[str, InlineProvider]
    work_example: Callable[[str, Mapping[str, Any], Sequence[int]], WorkedExample]


# Interpolation of <name arg> placeholders in marked-up text.

# A name in angle brackets, with an optional argument: <see attack>.
PLACEHOLDER = re.compile(r"<([a-z][\w-]*)((?:\s[^<>]*)?)>")
SEE = "see"
_MINUS = re.compile(r"(?<!\w)-(?=\d)")
# Private-use characters, which card files cannot contain; they replace the placeholders while markup is parsed.
_FIRST_STAND_IN = 0xF0000
_STAND_IN = re.compile(f"([{chr(_FIRST_STAND_IN)}-{chr(_FIRST_STAND_IN + 0xFFF)}])")


def interpolate(
    text: str, place: Place, inline_values: Mapping[str, InlineProvider], titles: Mapping[str, str]
) -> RichText:
    """Return the text with its placeholders filled in.

    `titles` are the titles of the sections by id, for <see id>. Raises NotAvailableError, whose route is the span of
    the placeholder in the text.
    """
    values: list[tuple[str, str]] = []

    def hold(match: re.Match[str]) -> str:
        try:
            values.append(_look_up(match[1], match[2].strip(), inline_values, titles))
        except NotAvailableError as error:
            raise NotAvailableError(error.message, error.help, match.span()) from None
        return chr(_FIRST_STAND_IN + len(values) - 1)

    with_stand_ins = PLACEHOLDER.sub(hold, smart_punctuation(text))
    return RichText(tuple(tuple(_fill(paragraph, values)) for paragraph in parse_markup(with_stand_ins)), place)


def smart_punctuation(text: str) -> str:
    """Return the text with typographic quotation marks, apostrophes, and minus signs."""
    return _MINUS.sub("\u2212", curl_apostrophes(text))


def rich_text(text: str, place: Place | None = None) -> RichText:
    """Return marked-up text without placeholders as rich text."""
    return RichText(parse_markup(smart_punctuation(text)), place)


def _look_up(
    name: str, argument: str, inline_values: Mapping[str, InlineProvider], titles: Mapping[str, str]
) -> tuple[str, str]:
    """Return the marked-up value of a placeholder, and its link.

    The link is the id of a section or ''.
    """
    if name == SEE:
        if argument not in titles:
            raise NotAvailableError.unknown("section", argument, titles)
        return titles[argument], argument
    if name not in inline_values:
        known = (SEE, *inline_values)
        raise NotAvailableError(f"unknown quote '{name}'{did_you_mean(name, known)}", f"available: {', '.join(known)}")
    return smart_punctuation(inline_values[name](argument)), ""


def _fill(paragraph: Paragraph, values: list[tuple[str, str]]) -> Iterator[Phrase | Icon]:
    for part in paragraph:
        if isinstance(part, Icon):
            yield part
            continue
        for piece in _STAND_IN.split(part.text):
            if not _STAND_IN.fullmatch(piece):
                if piece:
                    yield part._replace(text=piece)
                continue
            markup, link = values[ord(piece) - _FIRST_STAND_IN]
            for inner in (each for inner_paragraph in parse_markup(markup) for each in inner_paragraph):
                spans = " ".join(filter(None, (part.spans, inner.spans)))
                italic = part.italic or inner.italic or bool(link)
                look = inner._replace(bold=part.bold or inner.bold, italic=italic, spans=spans)
                yield look._replace(link=link) if isinstance(look, Phrase) else look


# Numbers of sections and rules, and the index of a sheet.

INDEX_ID = "index"


def with_numbers(document: Document) -> Document:
    """Return the document with numbered sections and rules, and with these numbers in its cross-references.

    Sections are 1, 2, 3; the rules of section 3 are 3.1, 3.2, 3.3, in its subsections too.
    """
    sections = tuple(_numbered(section, str(number), count(1)) for number, section in enumerate(document.sections, 1))
    numbers = dict(_numbers(sections))
    fill = partial(_with_references, numbers=numbers)
    return replace(document, sections=tuple(_map_section(section, fill) for section in sections))


def _numbered(section: Section, number: str, rules: Iterator[int], *, top: bool = True) -> Section:
    blocks = tuple(_numbered_block(block, number, rules) for block in section.blocks)
    lower = tuple(_numbered(each, number, rules, top=False) for each in section.sections)
    return replace(section, blocks=blocks, sections=lower, number=number if top else "")


def _numbered_block(block: Block, number: str, rules: Iterator[int]) -> Block:
    if isinstance(block, RuleBlock):
        return replace(block, mark=replace(block.mark, number=f"{number}.{next(rules)}"))
    if isinstance(block, ItemList) and block.marks:
        return replace(block, marks=tuple(replace(mark, number=f"{number}.{next(rules)}") for mark in block.marks))
    return block


def _numbers(sections: Iterable[Section]) -> Iterator[tuple[str, str]]:
    """Yield the number of each section and rule by id; a subsection has that of its first rule."""
    for section in sections:
        marks = [mark for _, each in section.walk() for mark in rule_marks(each)]
        yield section.id, section.number or next((mark.number for mark in marks), "")
        yield from ((mark.id, mark.number) for mark in rule_marks(section) if mark.id)
        yield from _numbers(section.sections)


def rule_marks(section: Section) -> Iterator[RuleMark]:
    """Yield the marks of the rules of a section, without those of its subsections."""
    for block in section.blocks:
        if isinstance(block, RuleBlock):
            yield block.mark
        elif isinstance(block, ItemList):
            yield from block.marks


def _with_references(text: RichText, numbers: Mapping[str, str]) -> RichText:
    """Return a text with numbers: 'Cover (7)' for a section, and '7.2' for a rule."""

    def fill(part: Phrase | Icon) -> Phrase | Icon:
        number = numbers.get(part.link, "") if isinstance(part, Phrase) else ""
        if not isinstance(part, Phrase) or not number:
            return part
        return part._replace(text=f"{part.text} ({number})" if part.text != RuleMark.PLACEHOLDER else number)

    return replace(text, paragraphs=tuple(tuple(map(fill, paragraph)) for paragraph in text.paragraphs))


def _map_section(section: Section, fill: partial[RichText]) -> Section:
    blocks = tuple(map_texts(block, fill) for block in section.blocks)
    return replace(section, blocks=blocks, sections=tuple(_map_section(each, fill) for each in section.sections))


def with_index(document: Document, title: str) -> Document:
    """Return the document with an index of the terms of its rules as its last section."""
    used = {section.id for _, section in document.walk()}
    used |= {mark.id for _, section in document.walk() for mark in rule_marks(section)}
    sections = tuple(_with_anchors(section, used) for section in document.sections)
    places: dict[str, list[RuleMark]] = defaultdict(list)
    for top in sections:
        for _, section in top.walk():
            for mark in rule_marks(section):
                for term in mark.terms:
                    places[term].append(mark)
    entries = [
        IndexEntry("" if number else term, mark.number, mark.id)
        for term in sorted(places, key=lambda word: (word.casefold(), word))
        for number, mark in enumerate(places[term])
    ]
    number = str(len(sections) + 1) if any(section.number for section in sections) else ""
    index = Section(_free_id(INDEX_ID, used), title, (Index(tuple(entries)),), number=number)
    return replace(document, sections=(*sections, index)) if entries else document


def _with_anchors(section: Section, used: set[str]) -> Section:
    """Return a section in which every rule with terms has an id."""
    blocks = tuple(_anchored(block, used) for block in section.blocks)
    return replace(section, blocks=blocks, sections=tuple(_with_anchors(each, used) for each in section.sections))


def _anchored(block: Block, used: set[str]) -> Block:
    if isinstance(block, RuleBlock):
        return replace(block, mark=_with_id(block.mark, used))
    if isinstance(block, ItemList):
        return replace(block, marks=tuple(_with_id(mark, used) for mark in block.marks))
    return block


def _with_id(mark: RuleMark, used: set[str]) -> RuleMark:
    if mark.id or not mark.terms:
        return mark
    return replace(mark, id=_free_id(f"rule-{slugify(mark.terms[0])}", used))


def _free_id(wish: str, used: set[str]) -> str:
    name = next(name for name in chain((wish,), (f"{wish}-{number}" for number in count(2))) if name not in used)
    used.add(name)
    return name


# Resolves a sheet file with its providers into a document tree.

_SHORT_CELL = 6  # Columns whose cells have at most this many characters are centered.


def resolve(
    sheet: SheetFile, providers: Providers, icons: Icons, name: str = "", spans: Collection[str] = KNOWN_SPANS
) -> Document:
    """Return the document of a sheet.

    `name` is the name of the card list that the sheet is for; it becomes the title. `spans` are the names that spans of
    its texts can have. Raises CardgenError with all problems of the sheet.
    """
    resolver = _Resolver(sheet, providers, icons, spans)
    sections = resolver.sections(("sections",), sheet.model.sections)
    stop_on_errors(dict.fromkeys(resolver.problems))
    model = sheet.model
    title, subtitle = map(smart_punctuation, (name, model.title) if name else (model.title, model.subtitle))
    document = Document(
        sheet.id, title, subtitle, sections, smart_punctuation(model.credit), model.contents, model.language or "en-GB"
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
    spans: Collection[str]
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
            text = self._text(model.note.text, (*route, "note", "text"))
            yield Callout("note", model.note.title or "", (TextBlock(text),))
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
            code = Code.UNKNOWN_SECTION if "section" in error.message else Code.UNKNOWN_SHEET_NAME
            self.problems.append(Diagnostic(code, error.message, exact or place, error.help))
            return rich_text("", place)
        for part in (part for paragraph in rich.paragraphs for part in paragraph):
            if isinstance(part, Icon):
                self._check_icon(part.name, place)
            for name in set(part.spans.split()).difference(self.spans):
                message = f"unknown span '{name}'{did_you_mean(name, self.spans)}"
                advice = "define it under 'spans' in the theme"
                self.problems.append(Diagnostic(Code.UNKNOWN_SHEET_NAME, message, place, advice))
        return rich

    def _check_icon(self, name: str, place: Place) -> None:
        try:
            if self.icons.find(name) is not None:
                return
            message = f"unknown icon '{name}'{did_you_mean(name, self.icons.names())}"
        except ValueError as error:
            message = str(error)
        self.problems.append(Diagnostic(Code.UNKNOWN_SHEET_NAME, message, place))

    def _table(self, route: KeyPath, model: TableModel) -> Table:
        width = len(model.head)
        for number, row in enumerate(model.rows):
            if len(row) != width:
                message = f"row {number + 1} must have {quantity(width, 'cell')}, not {len(row)}"
                place = self.sheet.place((*route, "rows", number))
                self.problems.append(Diagnostic(Code.UNEVEN_TABLE, message, place, "write '' for an empty cell"))
            for column, cell in enumerate(row):
                if cell is None:
                    message = f"cell {column + 1} of row {number + 1} is missing"
                    place = self.sheet.place((*route, "rows", number, column))
                    self.problems.append(Diagnostic(Code.UNEVEN_TABLE, message, place, "write '' for an empty cell"))
        if model.align is not None and len(model.align) != width:
            message = f"'align' must have {quantity(width, 'value')}, one for each column, not {len(model.align)}"
            self.problems.append(Diagnostic(Code.UNEVEN_TABLE, message, self.sheet.place((*route, "align"))))
        head = tuple(self._text(text, (*route, "head", n)) for n, text in enumerate(model.head))
        rows = tuple(
            tuple(self._text("" if cell is None else str(cell), (*route, "rows", r, c)) for c, cell in enumerate(row))
            for r, row in enumerate(model.rows)
        )
        return Table(head, rows, model.align or default_alignment(rows, width), model.caption or "")

    def _example(self, route: KeyPath, model: ExampleModel) -> Callout:
        try:
            worked = self.providers.work_example(model.trial, model.options, model.dice)
        except NotAvailableError as error:
            place = self.sheet.place((*route, *error.route))
            self.problems.append(Diagnostic(Code.BAD_EXAMPLE, error.message, place, error.help))
            return Callout("example", model.title or "", ())
        chances = {name: _constant(words) for name, words in worked.chances.items()}
        text = TextBlock(self._text(model.text, (*route, "text"), {**self.providers.inline_values, **chances}))
        log = tuple((TextBlock(rich_text(line, text.text.place)),) for line in worked.log)
        notes = [TextBlock(rich_text(escape_markup(worked.left_out), text.text.place))] if worked.left_out else []
        return Callout("example", model.title or "", (*notes, text, *([ItemList(log)] if log else [])))

    def _provided_blocks(self, route: KeyPath, name: str, options: Mapping[str, Any]) -> Iterator[Block]:
        """Yield the blocks that the game provides under a name."""
        provider = self.providers.blocks.get(name)
        if provider is None:
            message = f"unknown content '{name}'{did_you_mean(name, self.providers.blocks)}"
            advice = f"available: {', '.join(self.providers.blocks)}"
            place = self.sheet.place((*route, "show"))
            self.problems.append(Diagnostic(Code.UNKNOWN_CONTENT, message, place, advice))
            return
        try:
            yield from (
                _placed_at(block, self.sheet.place(route)) for block in self._make_blocks(route, provider, options)
            )
        except NotAvailableError as error:
            place = self.sheet.place((*route, "with", *error.route))
            self.problems.append(Diagnostic(Code.UNKNOWN_SHEET_NAME, error.message, place, error.help))

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

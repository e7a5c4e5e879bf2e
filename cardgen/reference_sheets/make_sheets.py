"""Reference sheets as PDF and HTML files: their subjects, and several imposed on one sheet of paper."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from cardgen.deck.card_lookup import CardLookup
from cardgen.deck.deck import game_of, list_credits, project_icons, read_game_settings, rulings_of, unknown_settings
from cardgen.diagnostic import CardgenError, Code, Diagnostic, Place, did_you_mean, stop_on_errors
from cardgen.face.theme import Theme, load_theme, theme_names
from cardgen.model.card import Card, Entry
from cardgen.print.request import paper_name, require_known, setting_of
from cardgen.project.project import Project
from cardgen.reference.document_tree import Block, Document, TextBlock, document_texts
from cardgen.reference.resolve import BlockProvider, Providers, WorkedExample, resolve, rich_text
from cardgen.reference.sheet_file import SheetFile, TrimModel
from cardgen.reference_sheets.catalog import SheetCatalog, load_reference, run_all, work_example
from cardgen.reference_sheets.typography import FONTS, missing_from_theme
from cardgen.rulesets.reference import (
    CONTENT_PROVIDERS,
    INLINE_VALUES,
    RULING_MARKS,
    CardGroup,
    GameData,
    ReferenceContent,
)
from cardgen.runtime import atomic_write
from cardgen.runtime.processes import WATCHDOG, TimeLimitError
from cardgen.runtime.workspace import Workspace
from cardgen.sheet.imposition import booklet, impose_leaves
from cardgen.sheet.leaf import Leaf, duplex_mode, pages_of
from cardgen.text.captions import captions_of
from cardgen.text.fonts import Fonts
from cardgen.text.lines import escape_markup
from cardgen.units import PAPER_SIZES, Size, quantity

Subject: TypeAlias = Card | CardGroup
SheetOfSubject: TypeAlias = tuple[SheetFile, Subject | None]
_OPTION = Place("--of")


@dataclass(frozen=True, slots=True)
class Subjects:
    """The subjects of the sheets of a game."""

    content: ReferenceContent
    data: GameData
    lookup: CardLookup

    def sheets_about(self, sheets: Iterable[SheetFile], name: str) -> list[SheetOfSubject]:
        """Return the sheets that are made for a subject, by its name.

        Raises CardgenError if no sheet is. The problem of a sheet for a list of cards comes first.
        """
        pairs: list[SheetOfSubject] = []
        problems: list[CardgenError] = []
        for sheet in sorted(sheets, key=lambda sheet: sheet.model.each not in self.content.list_kinds):
            if sheet.model.each:
                try:
                    pairs += [(sheet, subject) for subject in self.of_sheet(sheet, name)]
                except CardgenError as error:
                    problems.append(error)
        if problems and not pairs:
            raise problems[0]
        return pairs

    def of_sheet(self, sheet: SheetFile, name: str | None) -> Sequence[Subject | None]:
        """Return the subjects of a sheet, or only None.

        With a name, that is the subject with this name. Raises CardgenError for an unknown name.
        """
        each = sheet.model.each
        if each is None:
            if name:
                message = f"the sheet '{sheet.id}' does not depend on a list of cards such as '{name}'"
                raise CardgenError(Diagnostic(Code.BAD_OPTION, message, _OPTION))
            return (None,)
        if each in self.content.list_kinds:
            return (self.lookup.find(name, (each,), _OPTION).card,) if name else self.data.cards[each]
        if each not in self.content.groups:
            raise self._unknown_kind(sheet, each)
        groups = tuple(self.content.groups[each](self.data))
        return (_find_group(each, groups, name),) if name else [group for group in groups if group.in_use]

    def _unknown_kind(self, sheet: SheetFile, kind: str) -> CardgenError:
        kinds = (*self.content.list_kinds, *self.content.groups)
        message = f"unknown kind of list '{kind}'{did_you_mean(kind, kinds)}"
        advice = f"use one of {', '.join(kinds) or 'none'}"
        return CardgenError(Diagnostic(Code.UNKNOWN_SHEET_NAME, message, sheet.place(("each",)), advice))


def _find_group(kind: str, groups: Sequence[CardGroup], name: str) -> CardGroup:
    """Return the group with an id or name, ignoring case."""
    for group in groups:
        if name.casefold() in (group.id, group.name.casefold()):
            return group
    in_use = [group.name for group in groups if group.in_use]
    message = f"unknown {kind} '{name}'{did_you_mean(name, [group.name for group in groups])}"
    advice = f"use one of {', '.join(in_use)}" if in_use else ""
    raise CardgenError(Diagnostic(Code.UNKNOWN_SHEET_NAME, message, _OPTION, advice))


class TypesetSheet(NamedTuple):
    """A typeset sheet on its paper, with the number of its pages."""

    document: Document
    paper: Size
    leaves: Sequence[Leaf[Any]]
    pages: int


FORMATS = ("pdf", "html")


# The CPU time for setting one sheet, in seconds.
TIME_LIMIT = 60.0


@dataclass(frozen=True, slots=True)
class SheetRequest:
    """The sheets to make, by name or file, and options.

    The default is all sheets of the game. An option that is None is left to the sheet. `of` is the list or group of
    cards, such as a warband or faction, whose sheets to make. `paths` replace the project's card files. `game` is by
    default that of the cards in `paths`, or else that of the project. `fold` sets two pages a side, in booklet order.
    `impose` joins all sheets in one PDF with that number of pages a side, each with the next one on its back. `trim`
    adds trim marks to all sheets. `workspace` is that of the project, by default of the current folder.
    """

    sheets: tuple[str, ...] = ()
    output: Path = Path("output")
    formats: tuple[str, ...] = ("pdf",)
    paper: str | None = None
    columns: int | None = None
    theme: str | None = None
    of: str | None = None
    game: str | None = None
    paths: tuple[Path, ...] = ()
    fold: bool = False
    impose: int | None = None
    trim: bool = False
    workspace: Workspace | None = None


@dataclass(frozen=True, slots=True)
class SheetsResult:
    """The files of a run, the page count, and the time."""

    files: tuple[Path, ...]
    pages: int
    seconds: float

    @property
    def summary(self) -> str:
        """The last line of output."""
        number = len(self.files)
        pages = f", {quantity(self.pages, 'page')}" if self.pages else ""
        return f"{quantity(number, 'file')}{pages} in {self.seconds:.1f} s"


def make_sheets(request: SheetRequest) -> SheetsResult:
    """Write all requested files, or none.

    Raises CardgenError with all problems in a sheet or in its fit on the paper.
    """
    started = time.monotonic()
    rendered = render_sheets(request)
    for path, (content, _) in rendered.items():
        atomic_write.write(path, content)
    return SheetsResult(tuple(rendered), sum(pages for _, pages in rendered.values()), time.monotonic() - started)


def render_sheets(request: SheetRequest) -> Mapping[Path, tuple[bytes, int]]:
    """Render the requested files: path, content, and page count.

    The page count of HTML is 0. Nothing is written. Raises CardgenError as `make_sheets` does.
    """
    for name in request.formats:
        require_known(name, FORMATS, "format", Place("--format"))
    if request.impose and (request.fold or tuple(request.formats) != ("pdf",)):
        other = "--fold" if request.fold else "--format"
        raise CardgenError(Diagnostic(Code.BAD_OPTION, f"--impose cannot be combined with {other}", Place("--impose")))
    builder = _SheetBuilder(request)
    requested = builder.requested_sheets()
    if request.impose:
        return builder.imposed(run_all(partial(builder.typeset, *each) for each in requested), request.impose)
    files = run_all(partial(builder.sheet_files, *each) for each in requested)
    return {path: content for files_of_sheet in files for path, content in files_of_sheet.items()}


def typeset_sheets(request: SheetRequest) -> Iterator[TypesetSheet | str]:
    """Yield the requested sheets on their paper; for one that does not fit, say, why it is left out.

    Raises CardgenError as `make_sheets` does for anything else.
    """
    builder = _SheetBuilder(request)
    for sheet, of in builder.requested_sheets():
        try:
            yield builder.typeset(sheet, of)
        except CardgenError as error:
            name = " ".join(filter(None, (sheet.id, f"of {of.name}" if of else "")))
            yield f"the reference sheet '{name}' is left out: {error.diagnostics[0].message}"


def sheet_documents(request: SheetRequest) -> list[Document]:
    """Return the resolved documents of the requested sheets, without layout.

    Raises CardgenError with all unknown references in them.
    """
    builder = _SheetBuilder(request)
    return run_all(partial(builder.document, sheet, of) for sheet, of in builder.requested_sheets())


def list_sheets(
    game: str | None = None, workspace: Workspace | None = None, paths: Sequence[Path] = ()
) -> list[tuple[str, str, str]]:
    """List the sheets of a game, by default that of the cards in `paths`: name, title, and description."""
    project = Project.open(workspace)
    rules = game_of(project, game, paths)
    sheets = SheetCatalog(project, rules, load_reference(rules)).sheets()
    return [(sheet.id, sheet.model.title, sheet.model.about or "") for sheet in sheets]


class _SheetBuilder:
    """The shared context of a run: project, game data, fonts, and icons."""

    def __init__(self, request: SheetRequest) -> None:
        self._request = request
        self._project = Project.open(request.workspace)
        stop_on_errors(unknown_settings(self._project))
        self._rules = game_of(self._project, request.game, request.paths).in_language(self._project.language)
        self._content = load_reference(self._rules)
        self._lookup = CardLookup(self._rules, request.paths, self._project)
        self._fonts = Fonts(self._project.folders("fonts"))
        self._captions = captions_of(self._project)
        settings, _ = rulings_of(self._project, self._rules)
        cards = {kind: tuple(entry.card for entry in self._entries(kind)) for kind in self._rules.kinds}
        self._theme = self._load_theme(request.theme)
        self._icons = project_icons(self._project, self._rules.id, own_colours=self._theme.icons == "own")
        stop_on_errors(self._icons.unusable_files(self._project.root))
        workspace = read_game_settings(self._project)
        self._game_data = GameData(
            self._rules,
            cards,
            settings,
            self._find_card,
            ruling_mark=self._ruling_mark(),
            workspace=workspace,
            credits=partial(list_credits, request.workspace),
        )

    def _entries(self, kind: str) -> list[Entry]:
        """Return the cards of a kind that sheets show."""
        shared = kind in self._content.shared_kinds
        return self._lookup.all_entries((kind,)) if shared else self._lookup.entries((kind,))

    def _find_card(self, kind: str, name: str) -> Card | None:
        """Return the card with a kind and name, or None."""
        try:
            return self._lookup.find(name, (kind,)).card
        except CardgenError:
            return None

    def _ruling_mark(self) -> str:
        """Return the best mark of rulings that the fonts of the theme have."""
        fonts = [self._fonts.font(self._theme.families[name]) for name in FONTS]
        suitable = (mark for mark in RULING_MARKS if all(font.face.has_glyph(mark) for font in fonts))
        return next(suitable, RULING_MARKS[-1])

    def _load_theme(self, requested: str | None) -> Theme:
        folders = self._project.template_folders()
        name = requested or self._project.settings.theme
        place = Place("--theme") if requested else self._project.place(("theme",))
        require_known(name, theme_names(folders, self._rules.id, self._rules.base_theme), "theme", place)
        stop_on_errors(self._fonts.unusable_files())
        theme = load_theme(folders, self._rules.id, name, self._rules.base_theme, self._fonts.family_problem)
        problems = [f"theme lacks {what}, which sheets need" for what in missing_from_theme(theme)]
        for family in {theme.families[font] for font in FONTS if font in theme.fonts}:
            try:
                self._fonts.font(family)
            except ValueError as error:
                problems.append(str(error))
        stop_on_errors(Diagnostic(Code.THEME, problem, Place(f"the theme '{name}'")) for problem in problems)
        return theme

    def requested_sheets(self) -> list[SheetOfSubject]:
        """Return the requested sheets, each with its subject or None."""
        request = self._request
        sheets = SheetCatalog(self._project, self._rules, self._content).sheets(request.sheets)
        subjects = Subjects(self._content, self._game_data, self._lookup)
        if request.of and not request.sheets:
            return subjects.sheets_about(sheets, request.of)
        return [(sheet, subject) for sheet in sheets for subject in subjects.of_sheet(sheet, request.of)]

    def document(self, sheet: SheetFile, of: Subject | None) -> Document:
        """Resolve the document of a sheet."""
        document = resolve(sheet, self._sources(of), self._icons, of.name if of else "", self._theme.known_spans)
        document = replace(document, language=self._language(sheet) or document.language)
        data = self._game_data
        has_rulings = any(data.ruling_mark in text for text in document_texts(document))
        credit = f"{document.credit} {self._say(data.ruling_note)}".strip()
        return replace(document, credit=credit) if has_rulings else document

    def _say(self, text: str) -> str:
        """Return what the program says, in the language of the project."""
        return self._captions.translate(text)

    def _provided(self, make: Callable[..., Iterable[Block]], data: GameData, options: Any) -> Iterator[Block]:
        """Yield the blocks of a provider, with paragraphs of the program in the language of the project."""
        for block in make(options, data):
            words = block.text.plain_text if isinstance(block, TextBlock) else ""
            said = self._say(words)
            yield block if said == words else TextBlock(rich_text(escape_markup(said)))

    def _worked(self, trial: str, values: Mapping[str, Any], dice: Sequence[int]) -> WorkedExample:
        worked = work_example(self._rules, self._lookup, self._game_data, trial, values, dice)
        chances = {name: self._captions.number(self._say(chance)) for name, chance in worked.chances.items()}
        return replace(worked, chances=chances, left_out=self._say(worked.left_out))

    def _language(self, sheet: SheetFile) -> str:
        return sheet.model.language or self._project.language

    def sheet_files(self, sheet: SheetFile, of: Subject | None) -> dict[Path, tuple[bytes, int]]:
        """Render the files of a sheet: path, content, and number of pages."""
        return dict(self._files(sheet, of))

    @contextmanager
    def _limited(self, sheet: SheetFile) -> Iterator[None]:
        """Raise CardgenError if setting a sheet takes too long."""
        try:
            with WATCHDOG.limit(TIME_LIMIT):
                yield
        except TimeLimitError:
            message = f"setting the sheet took longer than {TIME_LIMIT:g} seconds"
            place = sheet.place(("title",))
            raise CardgenError(Diagnostic(Code.SHEET_TOO_LONG, message, place, "shorten its texts")) from None

    def _files(self, sheet: SheetFile, of: Subject | None) -> Iterator[tuple[Path, tuple[bytes, int]]]:
        document = self.document(sheet, of)
        stem = "-".join(filter(None, (self._rules.id, sheet.id, of.id if of else "")))
        for name in dict.fromkeys(self._request.formats):
            if name == "html":
                yield self._request.output / f"{stem}.html", (self._html(document), 0)
            else:
                typeset = self.typeset(sheet, of, document)
                fold = self._request.fold
                path = self._request.output / f"{stem}-{self._paper_name(typeset.paper)}{'-folded' if fold else ''}.pdf"
                leaves = booklet(pages_of(typeset.leaves)) if fold else typeset.leaves
                yield path, (self._pdf(document, leaves, shows_bookmarks=not fold), typeset.pages)

    def imposed(self, sheets: Sequence[TypesetSheet], across: int) -> dict[Path, tuple[bytes, int]]:
        """Return one PDF for each paper with all leaves of the sheets for it, `across` of them on each side."""
        papers: dict[str, list[TypesetSheet]] = {}
        for sheet in sheets:
            papers.setdefault(self._paper_name(sheet.paper), []).append(sheet)
        return {
            self._request.output / f"{self._rules.id}-imposed-{paper}.pdf": (
                self._pdf(group[0].document, impose_leaves([each.leaves for each in group], across)),
                sum(each.pages for each in group),
            )
            for paper, group in papers.items()
        }

    def _pdf(self, document: Document, leaves: Sequence[Leaf[Any]], *, shows_bookmarks: bool = False) -> bytes:
        from cardgen.export.pdf import writer  # loaded here because web pages do not need it

        has_several = sum(1 for _ in document.walk()) > 1
        about = writer.DocumentInfo(
            document.title,
            document.subtitle,
            duplex_mode(leaves),
            document.language,
            shows_bookmarks=shows_bookmarks and has_several,
        )
        return writer.write(pages_of(leaves), self._fonts, about)

    def _paper_name(self, paper: Size) -> str:
        """Return the name of a paper in file names; half of one without a name of its own has that of the whole."""
        whole = Size(paper.height, 2 * paper.width)
        return paper_name(whole if self._request.fold and paper not in PAPER_SIZES.values() else paper)

    def _sources(self, of: Subject | None) -> Providers:
        group = of if isinstance(of, CardGroup) else None
        card_list = None if isinstance(of, CardGroup) else of
        game_data = replace(self._game_data, card_list=card_list, group=group)
        block_providers = {**CONTENT_PROVIDERS, **self._content.content_providers}
        inline_values = {**INLINE_VALUES, **self._content.inline_values}
        return Providers(
            {
                name: BlockProvider(each.options, partial(self._provided, each.make, game_data))
                for name, each in block_providers.items()
            },
            {name: partial(_call, each, game_data) for name, each in inline_values.items()},
            self._worked,
        )

    def typeset(self, sheet: SheetFile, of: Subject | None, document: Document | None = None) -> TypesetSheet:
        """Return a sheet on its paper, of its resolved `document` if that is known."""
        from cardgen.reference_sheets.pagination import SheetFormat, Trim, paginate, sheet_leaves
        from cardgen.text.copyfitting import Compositor

        document, paper = document or self.document(sheet, of), self._paper_for(sheet)
        header = sheet.model
        fewest, most = header.pages if isinstance(header.pages, tuple) else (None, header.pages)
        place = sheet.place(("pages",) if header.pages else ("title",))
        # The paper that a sheet's columns and pages are designed for.
        page_format = SheetFormat(paper, header.columns, most, header.body, place, fewest).adapted_from(
            sheet.model.paper or PAPER_SIZES["a4"]
        )
        if self._request.trim or (header.trim and not self._request.fold):
            trim = header.trim or TrimModel()
            page_format = replace(page_format, trim=Trim(trim.margin, trim.corners))
        if self._request.columns is not None:
            page_format = replace(page_format, columns=self._request.columns)
        compositor = Compositor(self._fonts, self._icons, self._language(sheet), self._captions)
        with self._limited(sheet):
            pages = paginate(document, page_format, self._theme, compositor)
            leaves = sheet_leaves(document, pages, page_format, compositor)
        return TypesetSheet(document, paper, leaves, pages.count)

    def _html(self, document: Document) -> bytes:
        from cardgen.reference_sheets import blocks

        night = load_theme(self._project.template_folders(), self._rules.id, "default", self._rules.base_theme)
        return blocks.write(document, self._theme, night, self._fonts, self._icons, self._captions)

    def _paper_for(self, sheet: SheetFile) -> Size:
        if self._request.paper is not None:
            paper: Size = setting_of("paper", self._request.paper)
            return paper
        own, leaf = sheet.model.paper, self._project.settings.paper
        if own is None or not self._request.fold:
            return own or leaf
        # The pages of a booklet are halves of the project's paper, unless they are so already, as A5 is of A4.
        half = Size(min(max(leaf) / 2, min(leaf)), max(max(leaf) / 2, min(leaf)))
        same = all(abs(one - other) <= 1 for one, other in zip(own, half, strict=True))
        return own if same else half


def _call(make: Any, game_data: GameData, argument: Any) -> Any:
    return make(argument, game_data)

"""From sheets to files: read, filled with what the game knows, set, drawn and written."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from cardgen import rulesets
from cardgen.diagnostic import CardgenError, Diagnostic, Place, stop_on_errors
from cardgen.export import files
from cardgen.export.reference.typography import FONTS, lacking
from cardgen.face.codes import THEME
from cardgen.face.theme import Theme, load_theme, theme_names
from cardgen.model.card import Card
from cardgen.pipeline.contestants import Contestants
from cardgen.pipeline.exemplifying import judge
from cardgen.pipeline.loading import game_called
from cardgen.pipeline.pictures import icon_folders
from cardgen.pipeline.repertoire import Repertoire, gathered, reference_of
from cardgen.pipeline.request import BAD_OPTION, faults, known, paper_name
from cardgen.pipeline.settings import misnamed
from cardgen.project import Project, Settings
from cardgen.reference import codes
from cardgen.reference.reading import Sheet
from cardgen.reference.resolving import resolve
from cardgen.reference.sources import Content, Sources
from cardgen.reference.tree import Document
from cardgen.rulesets.reference import EXHIBITS, QUOTATIONS, Knowledge
from cardgen.rulesets.ruling import in_force
from cardgen.shape.suggestion import did_you_mean
from cardgen.text.fonts import Fonts
from cardgen.text.hyphenation import hyphen_points
from cardgen.text.icons import Icons
from cardgen.units import PAPER_SIZES, Size

FORMATS = ("pdf", "html")


@dataclass(frozen=True, slots=True)
class Wish:
    """What to make: sheets by name or file, all of the game without any; None leaves a thing to the sheet.

    `of` names the list of cards, such as a warband, whose sheets are wanted. `game` is another one than the project
    plays, `paths` are card files instead of the project's. `fold` puts pages in the order of a booklet, two on a side.
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


@dataclass(frozen=True, slots=True)
class Sheets:
    """What was made: the files, how many sheets of paper sides they have, and how long it took."""

    files: tuple[Path, ...]
    pages: int
    seconds: float

    @property
    def summary(self) -> str:
        """One line for the end."""
        number = len(self.files)
        pages = f", {self.pages} {'page' if self.pages == 1 else 'pages'}" if self.pages else ""
        return f"{number} {'file' if number == 1 else 'files'}{pages} in {self.seconds:.1f} s"


def make(wish: Wish) -> Sheets:
    """Make the files that are asked for, all of them or none.

    Raises CardgenError with all that is wrong in a sheet, or in how it fits its paper.
    """
    started = time.monotonic()
    made = contents(wish)
    for path, (content, _) in made.items():
        files.write(path, content)
    return Sheets(tuple(made), sum(pages for _, pages in made.values()), time.monotonic() - started)


def contents(wish: Wish) -> Mapping[Path, tuple[bytes, int]]:
    """The files that are asked for, each with its content and its number of pages (0 for a web page).

    Nothing is written. Raises CardgenError as `make` does.
    """
    for name in wish.formats:
        known(name, FORMATS, "format", Place("--format"))
    workshop = _Workshop(wish)
    made: dict[Path, tuple[bytes, int]] = {}
    for found in gathered(partial(workshop.files, sheet, of) for sheet, of in workshop.orders()):
        made.update(found)
    return made


def documents(wish: Wish) -> list[Document]:
    """The documents of the sheets that are asked for, filled with what the game knows, but not drawn.

    Raises CardgenError with all that they ask for in vain.
    """
    workshop = _Workshop(wish)
    return gathered(partial(workshop.document, sheet, of) for sheet, of in workshop.orders())


def available(game: str | None = None) -> list[tuple[str, str, str]]:
    """Every sheet of a game, by default the one at hand: its name, title and what it is about."""
    project = Project.find()
    rules = game_called(game or project.settings.game or rulesets.default_game())
    sheets = Repertoire(project, rules, reference_of(rules)).sheets()
    return [(sheet.id, sheet.written.title, sheet.written.about or "") for sheet in sheets]


class _Workshop:
    """What all sheets of a run have in common: the project, the game and what it knows, fonts and icons."""

    def __init__(self, wish: Wish) -> None:
        self._wish = wish
        self._project = Project.find()
        stop_on_errors(misnamed(self._project))
        played = self._project.settings.game or rulesets.default_game()
        self._rules = game_called(wish.game or played)
        self._reference = reference_of(self._rules)
        self._contestants = Contestants(self._rules, wish.paths)
        self._icons = Icons(icon_folders(self._project, self._rules.id))
        self._fonts = Fonts(self._project.folders("fonts"))
        turned = self._project.settings.rulings if self._rules.id == played else {}
        settings, _ = in_force(self._rules.rulings, turned)
        cards = {kind: tuple(entry.card for entry in self._contestants.entries((kind,))) for kind in self._rules.kinds}
        self._knowledge = Knowledge(self._rules, cards, settings, self._seek)
        self._theme = self._load_theme(wish.theme)

    def _seek(self, kind: str, name: str) -> Card | None:
        """A card of a kind by name, wherever it is; None where there is none."""
        try:
            return self._contestants.find(name, (kind,)).card
        except CardgenError:
            return None

    def _load_theme(self, asked: str | None) -> Theme:
        folders = self._project.folders("templates")
        name = asked or self._project.settings.theme
        place = Place("--theme") if asked else self._project.place(("theme",))
        known(name, theme_names(folders, self._rules.id), "theme", place)
        theme = load_theme(folders, self._rules.id, name)
        problems = [f"it has not {what}, which sheets need" for what in lacking(theme)]
        for family in {theme.fonts[font] for font in FONTS if font in theme.fonts}:
            try:
                self._fonts.font(family)
            except ValueError as error:
                problems.append(str(error))
        stop_on_errors(Diagnostic(THEME, problem, Place(f"the theme '{name}'")) for problem in problems)
        return theme

    def orders(self) -> list[tuple[Sheet, Card | None]]:
        """The sheets that are asked for, each with the list that it is for, or None."""
        sheets = Repertoire(self._project, self._rules, self._reference).sheets(self._wish.sheets)
        if not self._wish.sheets and self._wish.of:
            sheets = [sheet for sheet in sheets if sheet.written.each]
        return [(sheet, of) for sheet in sheets for of in self._lists(sheet)]

    def _lists(self, sheet: Sheet) -> Sequence[Card | None]:
        """The lists of cards for which a sheet is made; None stands for none."""
        kind = sheet.written.each
        if kind is None:
            if self._wish.of:
                message = f"the sheet '{sheet.id}' is made once for all, not for '{self._wish.of}'"
                raise CardgenError(Diagnostic(BAD_OPTION, message, Place("--warband")))
            return (None,)
        if kind not in self._reference.lists:
            lists = ", ".join(self._reference.lists) or "none"
            message = f"'{kind}' is no kind of list{did_you_mean(kind, self._reference.lists)}"
            raise CardgenError(Diagnostic(codes.UNKNOWN_NAME, message, sheet.place(("each",)), f"known: {lists}"))
        if self._wish.of:
            return (self._contestants.find(self._wish.of, (kind,)).card,)
        return self._knowledge.cards[kind]

    def document(self, sheet: Sheet, of: Card | None) -> Document:
        """The document of a sheet."""
        return resolve(sheet, self._sources(of), self._icons, of.name if of else "")

    def files(self, sheet: Sheet, of: Card | None) -> dict[Path, tuple[bytes, int]]:
        """The files of a sheet, each with its content and its number of pages."""
        return dict(self._files(sheet, of))

    def _files(self, sheet: Sheet, of: Card | None) -> Iterator[tuple[Path, tuple[bytes, int]]]:
        document = self.document(sheet, of)
        stem = "-".join(filter(None, (self._rules.id, sheet.id, of.id if of else "")))
        for name in dict.fromkeys(self._wish.formats):
            if name == "html":
                yield self._wish.output / f"{stem}.html", (self._html(document), 0)
            else:
                paper = self._paper(sheet)
                ending = "-folded" if self._wish.fold else ""
                yield self._wish.output / f"{stem}-{paper_name(paper)}{ending}.pdf", self._pdf(sheet, document, paper)

    def _sources(self, of: Card | None) -> Sources:
        knowledge = replace(self._knowledge, of=of)
        exhibits = {**EXHIBITS, **self._reference.exhibits}
        quotations = {**QUOTATIONS, **self._reference.quotations}
        return Sources(
            {name: Content(each.options, partial(_made, each.make, knowledge)) for name, each in exhibits.items()},
            {name: partial(_made, each, knowledge) for name, each in quotations.items()},
            partial(judge, self._rules, self._contestants, self._knowledge.rulings),
        )

    def _pdf(self, sheet: Sheet, document: Document, paper: Size) -> tuple[bytes, int]:
        from cardgen.export.reference import folding, pdf
        from cardgen.export.reference.pagination import Format, paginate
        from cardgen.text.galley import Compositor

        written = sheet.written
        fewest, most = written.pages if isinstance(written.pages, tuple) else (None, written.pages)
        place = sheet.place(("pages",) if written.pages else ("title",))
        form = Format(paper, written.columns, most, written.body, place, fewest).scaled_from(self._meant(sheet))
        if self._wish.columns is not None:
            form = replace(form, columns=self._wish.columns)
        compositor = Compositor(self._fonts, self._icons, _hyphenated(sheet))
        pages = paginate(document, form, self._theme, compositor)
        content = pdf.write(document, pages, form, self._fonts, compositor)
        return folding.folded(content) if self._wish.fold else content, pages.count

    def _html(self, document: Document) -> bytes:
        from cardgen.export.reference import html

        night = load_theme(self._project.folders("templates"), self._rules.id, "default")
        return html.write(document, self._theme, night, self._fonts, self._icons)

    def _paper(self, sheet: Sheet) -> Size:
        if self._wish.paper is not None:
            stop_on_errors(faults("paper", self._wish.paper))
            return Settings.model_validate({"paper": self._wish.paper}).paper
        return sheet.written.paper or self._project.settings.paper

    @staticmethod
    def _meant(sheet: Sheet) -> Size:
        """The paper for which a sheet says how many columns and pages it has."""
        return sheet.written.paper or PAPER_SIZES["a4"]


def _hyphenated(sheet: Sheet) -> str:
    """The language by which words of a sheet are hyphenated. Raises CardgenError for one that nobody can."""
    language = sheet.written.language.replace("-", "_")
    try:
        hyphen_points("language", language)
    except ValueError as error:
        raise CardgenError(Diagnostic(codes.UNKNOWN_NAME, str(error), sheet.place(("language",)))) from None
    return language


def _made(make: Any, knowledge: Knowledge, asked: Any) -> Any:
    return make(asked, knowledge)

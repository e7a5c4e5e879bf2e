"""Sheets on paper: the options for them, and pictures of their pages."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from cardgen.deck.deck import require_game
from cardgen.diagnostic import CardgenError
from cardgen.editor.session import LoadedProject, Session
from cardgen.export.svg import Rasterizer
from cardgen.face.theme import theme_names
from cardgen.model.entry import Entry
from cardgen.options import LEAST_DPI, MOST_DPI, OPTIONS
from cardgen.print import calibrate
from cardgen.print.calibrate import READING_NAMES, CalibrationTarget, list_profiles
from cardgen.print.layouts import LAYOUTS
from cardgen.print.options import paper_name, sprue_files
from cardgen.print.output_formats import FORMATS
from cardgen.project import Project
from cardgen.releases.run import release_files
from cardgen.runtime import regular_file
from cardgen.runtime.fingerprint import walk
from cardgen.sheet.calibration import Readings
from cardgen.studio.engine.answers import ExportForm, PrintForm, StoredProfile
from cardgen.studio.job import MOST_BYTES
from cardgen.studio.page_words import CHOICE, FLAG, NUMBER, SEVERAL, FieldChoice, OptionField, label_of, plain_choices
from cardgen.target import profile
from cardgen.target.registry import TARGETS
from cardgen.units import PAPER_SIZES

_PROFILE_SUFFIXES = (".icc", ".icm")
# Options that the studio leaves to the command line: it sends nothing to other computers.
_LEFT_OUT = ("upload",)


class Sheets:
    """The part of the engine for sheets."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._document: tuple[tuple[str, int, int], Rasterizer] | None = None

    def form(self) -> PrintForm:
        """Return the options of builds and exports. Raises CardgenError if the settings cannot be read."""
        return self._session.ask(_form, strict=True)

    def page(self, path: str, index: int, dpi: int) -> bytes:
        """Return a page of a document as PNG. Raises OSError if the document is gone."""
        key = path, Path(path).stat().st_mtime_ns, dpi
        if self._document is None or self._document[0] != key:
            self._document = key, Rasterizer(regular_file.read(Path(path), MOST_BYTES), dpi)
        return self._document[1].page(index)


def _form(loaded: LoadedProject) -> PrintForm:
    project = loaded.project
    return PrintForm(
        tuple(_card_fields(loaded)),
        tuple(_paper_fields(project, loaded.game)),
        tuple(_rare_fields(project)),
        tuple(_exports(project)),
    )


def _card_fields(loaded: LoadedProject) -> Iterator[OptionField]:
    packs = tuple(_packs(loaded.deck.cards))
    if packs:
        text = "Everything that one list of cards needs, and nothing else."
        yield OptionField("warband", "Warband or list", CHOICE, text, packs)
    text = "Kinds, tags, or cards; leave it empty for all cards."
    yield OptionField("only", "Only", SEVERAL, text, tuple(_selections(loaded.deck.cards)), placeholder="all cards")
    yield OptionField("kit", "With proxies and other pieces", FLAG, "Also the pieces that are made from cards.")
    text, (low, high) = "Instead of the number in the card file.", OPTIONS["qty"].limits or (None, None)
    yield OptionField(
        "qty",
        "Copies of each",
        NUMBER,
        text,
        low=low,
        high=high,
        placeholder="as the card says",
    )


def _packs(cards: Iterable[Entry]) -> Iterator[FieldChoice]:
    for entry in cards:
        pack = require_game(entry.game).pack
        if pack and entry.kind in pack.kinds:
            yield FieldChoice(entry.card.id, entry.card.name)


def _selections(cards: Iterable[Entry]) -> Iterator[FieldChoice]:
    printed = [entry for entry in cards if require_game(entry.game).kinds[entry.kind].is_printed]
    yield from (FieldChoice(kind, f"kind: {kind}") for kind in dict.fromkeys(entry.kind for entry in printed))
    tags = dict.fromkeys(tag for entry in printed for tag in entry.card.tags)
    yield from (FieldChoice(tag, f"tag: {tag}") for tag in tags)
    yield from (FieldChoice(entry.card.id, entry.card.name) for entry in printed)


def _paper_fields(project: Project, game: str) -> Iterator[OptionField]:
    settings = project.settings
    papers = plain_choices(PAPER_SIZES)
    text = "A size of paper, or its sides, such as 210mm x 297mm."
    yield OptionField("paper", "Paper", help=text, choices=papers, placeholder=paper_name(settings.paper))
    text = (
        "Cards of one size in rows and columns; all kinds together on the fewest sheets; or one card per page. A "
        "warband or list is packed by default."
    )
    yield OptionField("layout", "Layout", CHOICE, text, plain_choices(LAYOUTS), placeholder=settings.layout)
    sprues = plain_choices(sorted(sprue_files(project)))
    text = "Places the cards in the slots of a sprue, instead of a layout."
    yield OptionField("sprue", "Sprue", CHOICE, text, sprues, placeholder=settings.sprue or "none")
    names = (f"{printer}/{tray}" if tray != "default" else printer for printer, tray, _, _ in list_profiles())
    printers = plain_choices(dict.fromkeys(("none", *names)))
    text = "Applies the calibration of this printer."
    yield OptionField("printer", "Printer", CHOICE, text, printers, placeholder=_printer_words(settings.printer))
    themes = plain_choices(theme_names(project.template_folders(), game))
    yield OptionField("theme", "Theme", CHOICE, "Theme of all cards.", themes, placeholder="the card's")
    text = "Beyond the trim edge, such as 3mm or 0.125in."
    yield OptionField("bleed", "Bleed", help=text, placeholder=f"{settings.bleed:g}mm")
    yield OptionField("no_backs", "Fronts only", FLAG)


def _printer_words(printer: str) -> str:
    return "as calibrated" if printer == "default" else printer


def _rare_fields(project: Project) -> Iterator[OptionField]:
    text = "PDF for print sheets; PNG or SVG for one file per face."
    yield OptionField("formats", "Format", CHOICE, text, plain_choices(FORMATS), placeholder="pdf")
    text, (least, most) = "Resolution of PNG files in dots per inch.", (LEAST_DPI, MOST_DPI)
    yield OptionField("dpi", "Resolution", NUMBER, text, low=least, high=most, unit="dpi", placeholder="300")
    yield OptionField("keep_bleed", "Keep the bleed in PNG and SVG files", FLAG)
    text = "Radius of the corners of PNG and SVG files, such as 3mm."
    yield OptionField("corners", "Corners", help=text, placeholder="square")
    yield OptionField("skip_unfit", "Skip cards whose texts do not fit", FLAG)
    yield _press_field(project, "ICC profile of a press; PDF sheets are written in its inks.")
    releases = plain_choices(release_files(project.root))
    if releases:
        text = "Only cards that are new or whose rules changed since a release."
        yield OptionField("changed_since", "Changed since", CHOICE, text, releases, placeholder="all cards")


def _press_field(project: Project, text: str) -> OptionField:
    files = sorted(entry.path for entry in walk(str(project.root)) if entry.name.lower().endswith(_PROFILE_SUFFIXES))
    choices = plain_choices(Path(file).relative_to(project.root).as_posix() for file in files[:100])
    return OptionField("profile", "Press profile", CHOICE, text, choices, placeholder="none")


def _exports(project: Project) -> Iterator[ExportForm]:
    """Yield the targets in order of use, and then other profiles of the project."""
    files = profile.profile_files(project)
    for name in (*TARGETS, *sorted(files.keys() - TARGETS.keys())):
        title, target = profile.title_and_target(files[name])
        text = TARGETS[target].summary if name in TARGETS else f"{title}, a profile for {target}."
        yield ExportForm(name, title, text, tuple(_target_fields(project, target)))


def _target_fields(project: Project, target: str) -> Iterator[OptionField]:
    for option in TARGETS[target].options:
        label = label_of(option.name).replace("url", "URL")
        if option.metavar == "FILE.icc":
            yield _press_field(project, option.help)
        elif option.name not in _LEFT_OUT:
            sort = "text" if option.metavar else FLAG
            yield OptionField(option.name, label, sort, option.help)
    text, (least, most) = "Instead of that of the profile.", (LEAST_DPI, MOST_DPI)
    yield OptionField("dpi", "Resolution", NUMBER, text, low=least, high=most, unit="dpi")


_LABELS = {
    "top": "Top scale",
    "bottom": "Bottom scale",
    "left": "Left scale",
    "right": "Right scale",
    "across": "Horizontal ruler",
    "along": "Vertical ruler",
}
_RULERS = ("across", "along")


class Printers:
    """The part of the engine for calibration; profiles are in the user's configuration folder."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def form(self) -> tuple[OptionField, ...]:
        """Return what to calibrate: a printer, its tray, the paper, and how it turns the paper."""
        settings = self._session.run(lambda: Project.find(self._session.root).settings)
        edges = (
            FieldChoice("long-edge", "over the long edge"),
            FieldChoice("short-edge", "over the short edge"),
        )
        text = "Letters, digits, spaces, dots, hyphens, and underscores, such as office."
        return (
            OptionField("printer", "Printer", help=text, placeholder=settings.printer),
            OptionField("tray", "Tray", help="If the printer has several.", placeholder="default"),
            OptionField("paper", "Paper", choices=plain_choices(PAPER_SIZES), placeholder=paper_name(settings.paper)),
            OptionField("backs", "The printer turns the sheet", CHOICE, choices=edges, placeholder=settings.backs),
        )

    def reading_form(self) -> tuple[OptionField, ...]:
        """Return the readings of the sheet in mm."""
        return tuple(
            OptionField(name, _LABELS[name], unit="mm", placeholder="100" if name in _RULERS else "0")
            for name in READING_NAMES
        )

    def profiles(self) -> tuple[tuple[str, str, str, str], ...]:
        """Return printer, tray, paper, and figures of all profiles. Raises CardgenError for an invalid profile file."""
        return tuple(calibrate.list_profiles())

    def write_sheet(self, values: Mapping[str, str], *, proof: bool = False) -> str:
        """Write the sheet to measure, or with `proof` the sheet to verify a profile, and return its path."""
        return self._session.run(lambda: calibrate.write_sheet(_target(values), Path("output"), proof=proof).as_posix())

    def store(self, values: Mapping[str, str], texts: Mapping[str, str]) -> StoredProfile:
        """Store the readings of a sheet. Raises CardgenError with all that are not plausible."""
        target = self._session.run(lambda: _target(values))
        path, profile = calibrate.store_profile(target, _readings(texts))
        return StoredProfile(target.title, calibrate.describe_profile(profile), str(path))


def _target(values: Mapping[str, str]) -> CalibrationTarget:
    name = calibrate.printer_setting(values.get("printer", ""), values.get("tray", ""))
    return calibrate.calibration_target(name or None, values.get("paper") or None, values.get("backs") or None)


def _readings(texts: Mapping[str, str]) -> Readings:
    numbers: dict[str, float] = {}
    problems = []
    for name in READING_NAMES:
        text = texts.get(name, "").strip().replace(",", ".")
        try:
            if text:
                numbers[name] = calibrate.parse_reading(name, text)
        except CardgenError as error:
            problems += [each._replace(message=f"{_LABELS[name]}: {each.message}") for each in error.diagnostics]
    if problems:
        raise CardgenError(*problems)
    return Readings(**numbers)

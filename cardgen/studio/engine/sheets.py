"""Sheets on paper: the options for them, and pictures of their pages."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeAlias

from cardgen.deck.deck import kind_of, rules_of
from cardgen.deck.release_file import release_files
from cardgen.diagnostic import CardgenError
from cardgen.editor.session import LoadedProject, Session
from cardgen.export.svg import Rasterizer
from cardgen.face.theme import theme_names
from cardgen.options import CARDS, FLAG, MORE, NONE, OPTIONS, PAPER, TEXT, WORDS, Option, without_commas
from cardgen.print import calibrate
from cardgen.print.calibrate import READING_NAMES, CalibrationTarget, Readings, list_profiles
from cardgen.print.output_formats import FORMATS
from cardgen.print.render import LAYOUTS
from cardgen.print.request import paper_name, sprue_files
from cardgen.project.project import Project, Settings
from cardgen.runtime import regular_file
from cardgen.runtime.fingerprint import walk
from cardgen.runtime.workspace import Workspace
from cardgen.studio.engine.answers import ExportForm, PrintForm, StoredProfile
from cardgen.studio.job import MOST_BYTES
from cardgen.studio.page_words import CHOICE, SEVERAL, FieldChoice, OptionField, label_of, page_words, plain_choices
from cardgen.target import profile
from cardgen.target.registry import TARGETS
from cardgen.units import PAPER_SIZES, Size

_PROFILE_SUFFIXES = (".icc", ".icm")
# Options that the studio leaves to the command line: it sends nothing to other computers.
_LEFT_OUT = ("upload",)
_PARTS = (CARDS, PAPER, MORE)
# Options whose choices are not the only values.
_SUGGESTED = ("paper",)

Choices: TypeAlias = Mapping[str, tuple[FieldChoice, ...]]


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

    def join(self, paths: Sequence[str], target: str) -> str:
        """Write one PDF of the documents of a build, and return what to choose when it is printed."""
        from cardgen.export import print_file  # loaded here because it needs a library for PDF

        paper, sides = print_file.join(paths, Path(target))
        return f"In the print dialog: 100% (actual size), {paper}, {sides}."


def _form(loaded: LoadedProject) -> PrintForm:
    choices, settings = _choices(loaded), loaded.project.settings
    shown = sorted(_shown(choices), key=lambda option: _PARTS.index(option.part))
    parts = {
        part: [_field(each, each.build, choices, settings) for each in shown if each.part == part] for part in _PARTS
    }
    exported = (each for each in shown if each.export and not each.of_profile)
    # The targets in order of use, and then other profiles of the project.
    exports: list[ExportForm] = []
    files = profile.profile_files(loaded.project)
    for name in (*TARGETS, *sorted(files.keys() - TARGETS.keys())):
        title, target = profile.title_and_target(files[name])
        text = TARGETS[target].summary if name in TARGETS else f"{title}, a profile for {target}."
        exports.append(ExportForm(name, title, text, tuple(_target_fields(loaded.project, target))))
    return PrintForm(
        tuple(parts[CARDS]),
        tuple(parts[PAPER]),
        tuple(parts[MORE]),
        tuple(_field(each, each.export, choices, settings) for each in exported),
        tuple(exports),
    )


def _shown(choices: Choices) -> Iterator[Option]:
    """Yield the options of the form, without those that have nothing to choose from, and what needs these."""
    for option in OPTIONS.values():
        if option.content and choices.get(option.name, True) and choices.get(option.needs, True):
            yield option


def _field(option: Option, text: str, choices: Choices, settings: Settings) -> OptionField:
    """Return the field of an option with a help text of the command line."""
    default = getattr(settings, option.name) if option.setting else option.default
    text = page_words(option.studio or without_commas(text))
    if option.sort == FLAG and option.default:
        text = f"Turn it off to {text[0].lower()}{text[1:]}"
    elif option.sort == FLAG and text == f"{label_of(option.name)}.":
        text = ""
    own = choices.get(option.name) or plain_choices(option.words)
    sort = SEVERAL if option.sort == WORDS else option.sort
    if own and sort == TEXT and option.name not in _SUGGESTED:
        sort = CHOICE
    low, high = option.limits or (None, None)
    return OptionField(
        option.name,
        label_of(option.name),
        sort,
        text,
        own,
        low=low,
        high=high,
        placeholder="" if option.sort == FLAG else _written(option, default),
        is_on=option.sort == FLAG and default,
    )


def _written(option: Option, value: Any) -> str:
    """Return the default of an option as people write it."""
    usual = (
        Settings.model_fields[option.name].get_default(call_default_factory=True) if option.setting else option.default
    )
    match value:
        case _ if option.placeholder and value == usual:
            return option.placeholder
        case Size():
            return paper_name(value)
        case float():
            return f"{value:g}mm"
        case tuple():
            return ", ".join(_written(option, each) for each in value) or NONE
        case Mapping():
            return ", ".join(f"{kind}: {length:g}mm" if kind else f"{length:g}mm" for kind, length in value.items())
    return NONE if value is None else str(value)


def _choices(loaded: LoadedProject) -> Choices:
    """Return the choices of options that depend on the project or on this computer, by option."""
    project = loaded.project
    names = (f"{printer}/{tray}" if tray != "default" else printer for printer, tray, _, _ in list_profiles())
    packs: list[FieldChoice] = []
    for entry in loaded.deck.cards:
        pack = rules_of(entry).pack
        if pack and entry.kind in pack.kinds:
            packs.append(FieldChoice(entry.card.id, entry.card.name))
    printed = [entry for entry in loaded.deck.cards if kind_of(entry).is_printed]
    tags = dict.fromkeys(tag for entry in printed for tag in entry.card.tags)
    selections = [FieldChoice(kind, f"kind: {kind}") for kind in dict.fromkeys(entry.kind for entry in printed)]
    selections += (FieldChoice(tag, f"tag: {tag}") for tag in tags)
    selections += (FieldChoice(entry.card.id, entry.card.name) for entry in printed)
    return {
        "formats": plain_choices(FORMATS),
        "layout": plain_choices(LAYOUTS),
        "sprue": plain_choices(sorted(sprue_files(project))),
        "paper": plain_choices(PAPER_SIZES),
        "printer": plain_choices(dict.fromkeys((NONE, *names))),
        "theme": plain_choices(theme_names(project.template_folders(), loaded.game)),
        "language": plain_choices(project.settings.languages),
        "only": tuple(selections),
        "warband": tuple(packs),
        "changed_since": plain_choices(release_files(project.root)),
        "profile": _press_profiles(project),
    }


def _press_profiles(project: Project) -> tuple[FieldChoice, ...]:
    files = sorted(entry.path for entry in walk(str(project.root)) if entry.name.lower().endswith(_PROFILE_SUFFIXES))
    return plain_choices(Path(file).relative_to(project.root).as_posix() for file in files[:100])


def _target_fields(project: Project, target: str) -> Iterator[OptionField]:
    for option in TARGETS[target].options:
        label = label_of(option.name).replace("url", "URL")
        if option.metavar == "FILE.icc":
            yield OptionField(option.name, label, CHOICE, option.help, _press_profiles(project), placeholder=NONE)
        elif option.name not in _LEFT_OUT:
            yield OptionField(option.name, label, TEXT if option.metavar else FLAG, option.help)
    for each in OPTIONS.values():
        if each.of_profile:
            yield replace(_field(each, each.export, {}, project.settings), placeholder="")


_LABELS = {
    "top": "Top scale",
    "bottom": "Bottom scale",
    "left": "Left scale",
    "right": "Right scale",
    "across": "Horizontal ruler",
    "along": "Vertical ruler",
}


class Printers:
    """The part of the engine for calibration; profiles are in the user's configuration folder."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def form(self) -> tuple[OptionField, ...]:
        """Return what to calibrate: a printer, its tray, the paper, and how it turns the paper."""
        settings = Project.open(self._session.workspace).settings
        edges = tuple(FieldChoice(f"{each}-edge", f"over the {each} edge") for each in ("long", "short"))
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
            OptionField(name, _LABELS[name], unit="mm", placeholder="100" if name in ("across", "along") else "0")
            for name in READING_NAMES
        )

    def profiles(self) -> tuple[tuple[str, str, str, str], ...]:
        """Return printer, tray, paper, and figures of all profiles. Raises CardgenError for an invalid profile file."""
        return tuple(calibrate.list_profiles())

    def write_sheet(self, values: Mapping[str, str], *, proof: bool = False) -> str:
        """Write the sheet to measure, or with `proof` the sheet to verify a profile, and return its path."""
        return calibrate.write_sheet(_target(values, self._session.workspace), Path("output"), proof=proof).as_posix()

    def store(self, values: Mapping[str, str], texts: Mapping[str, str]) -> StoredProfile:
        """Store the readings of a sheet. Raises CardgenError with all that are not plausible."""
        target = _target(values, self._session.workspace)
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
        path, profile = calibrate.store_profile(target, Readings(**numbers))
        return StoredProfile(target.title, calibrate.describe_profile(profile), str(path))


def _target(values: Mapping[str, str], workspace: Workspace) -> CalibrationTarget:
    name = calibrate.printer_setting(values.get("printer", ""), values.get("tray", ""))
    return calibrate.calibration_target(
        name or None, values.get("paper") or None, values.get("backs") or None, workspace
    )

"""The options of builds and exports, each declared once, as a field of `Options`.

The command line, requests, the Python API, and the studio take them from here. This module is loaded by
'cardgen --help', so it stays light.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any, NamedTuple, get_args, get_origin, get_type_hints

# The range of resolutions, in dots per inch.
LEAST_DPI, MOST_DPI = 36, 1200
PRINT_DPI = 300

# What an option is: a line of text, a whole number, a switch, or several words.
TEXT, NUMBER, FLAG, WORDS = "text", "number", "flag", "words"
_SORTS = {str: TEXT, int: NUMBER, bool: FLAG, tuple: WORDS}
# The parts of the studio's form; the last is for options that few people need.
CARDS, PAPER, MORE = "cards", "paper", "more"
# A list of lengths without any: a list that is empty cannot be written on the command line.
NONE = "none"
# Sides of sheets for printers that print on one side only; the last sheet is the first to be printed again.
FRONTS, BACKS, BACKS_REVERSED = "fronts", "backs", "backs-reversed"
# What is printed of cards with mistakes: nothing, or a placeholder.
SKIP, PLACEHOLDER = "skip", "placeholder"


class Setting(NamedTuple):
    """The setting in cardgen.yaml that an option overrides.

    `default` is written as in the file, and `type` is the name of its type in `cardgen.project.project`, if that does
    not follow from the option's. `about` says what it is, if the help of the option does not.
    """

    default: str
    type: str = ""
    about: str = ""


@dataclass(frozen=True, slots=True)
class Option:
    """What is known of an option besides its name, type, and default.

    `build`, `export`, `show`, `listing`, and `reference` are its help texts in these commands; a command without a text
    does not have the option. `studio` is the help in the studio, if that of builds does not fit there, `label` the name
    of its field, `placeholder` stands for its default there, and `part` is the part of the form. `metavar` is the
    placeholder of its value; a comma in it means that commas separate several values. `flags` are its names on the
    command line, if they do not follow from `name`, and `shorthand` is a switch that stands for one of its values.
    `limits` are the least and the greatest number, and `words` the words that it accepts; messages call one of them by
    the `noun`. `needs` names an option without which it has no effect, and `excludes` one that it cannot be combined
    with. `of_profile` is true if an export takes its default from the profile of the target. `content` is false for
    options that do not change the files; the studio does not have them. `name`, `sort`, and `default` come from the
    field.
    """

    build: str
    export: str = ""
    show: str = ""
    listing: str = ""
    reference: str = ""
    studio: str = ""
    label: str = ""
    placeholder: str = ""
    part: str = MORE
    metavar: str = ""
    flags: tuple[str, ...] = ()
    shorthand: tuple[str, str] | None = None
    bare: str = ""
    former: str = ""
    limits: tuple[int, int] | None = None
    words: tuple[str, ...] = ()
    noun: str = ""
    needs: str = ""
    excludes: str = ""
    setting: Setting | None = None
    of_profile: bool = False
    content: bool = True
    name: str = ""
    sort: str = TEXT
    default: Any = None

    @property
    def about_setting(self) -> str:
        """What its setting is."""
        return (self.setting and self.setting.about) or self.build

    @property
    def flag(self) -> str:
        """The first name on the command line: '--no-cache' for `cache`, which is on by default."""
        negation = "no-" if self.default is True else ""
        flag = f"--{negation}{self.name.replace('_', '-')}"
        return next((each for each in self.flags if each.startswith("--")), flag)


class Options(NamedTuple):
    """Options of a build; None means the project's or card's setting.

    `folder` is a folder of the project, by default the current folder. After a change, `make docs` writes what follows
    from the table into other files.
    """

    paths: tuple[Path, ...] = ()
    output: Path = Path("output")
    folder: Path | None = None
    formats: Annotated[
        tuple[str, ...],
        Option(
            "pdf for print sheets; png or svg for one file per face.",
            label="Format",
            metavar="FORMAT[,FORMAT]",
            flags=("--format",),
        ),
    ] = ("pdf",)
    layout: Annotated[
        str | None,
        Option(
            "grid: cards of one size in rows and columns; packed: all kinds together on the fewest sheets; single: one "
            "card per page, with bleed but without marks.",
            studio="Cards of one size in rows and columns (grid), all kinds together on the fewest sheets (packed), or "
            "one card per page (single). A list is packed by default.",
            part=PAPER,
            setting=Setting("grid"),
        ),
    ] = None
    sprue: Annotated[
        str | None,
        Option(
            "Place the cards in the slots of a sprue, such as a4-poker.",
            part=PAPER,
            metavar="NAME",
            setting=Setting(
                "null",
                about="a sprue instead of a layout, such as a4-poker; for all, run 'cardgen list --sprues'",
            ),
        ),
    ] = None
    paper: Annotated[
        str | None,
        Option(
            "Paper size: a4, letter, a3, legal, tabloid, a5, or a size such as '210mm x 297mm'; or several: a4,letter.",
            part=PAPER,
            metavar="SIZE[,SIZE]",
            setting=Setting(
                "a4",
                "PaperSize",
                about="paper size: a4, letter, a3, legal, tabloid, a5, or a size such as '210mm x 297mm'",
            ),
        ),
    ] = None
    printer: Annotated[
        str | None,
        Option(
            "Apply the calibration profile of this printer; see 'cardgen calibrate'.",
            placeholder="as calibrated",
            part=PAPER,
            metavar="NAME[/TRAY]",
            setting=Setting("default", about="a printer measured with 'cardgen calibrate', printer/tray, or none"),
        ),
    ] = None
    theme: Annotated[
        str | None,
        Option(
            "Theme of all cards, such as low-ink.",
            export="Theme of all cards, such as low-ink.",
            show="Theme, such as low-ink.",
            placeholder="the card's",
            part=PAPER,
            setting=Setting("default", about="theme of cards that name none: default, low-ink, or one of the project"),
        ),
    ] = None
    bleed: Annotated[
        str | None,
        Option(
            "Bleed beyond the trim edge, such as 3mm or 0.125in.",
            part=PAPER,
            metavar="LENGTH",
            setting=Setting("3mm", "Length"),
        ),
    ] = None
    back_bleed: Annotated[
        str | None,
        Option(
            "Additional bleed on backs, such as 1mm, for printers that shift them.",
            metavar="LENGTH",
            setting=Setting("0mm", "Length"),
        ),
    ] = None
    backs: Annotated[
        str | None,
        Option(
            "Edge over which the printer flips sheets: long-edge or short-edge; gutterfold: beside their fronts, to "
            "fold; none: only fronts.",
            export="none: only fronts; for sheets, also long-edge, short-edge, or gutterfold.",
            part=PAPER,
            metavar="WORD",
            words=("long-edge", "short-edge", "gutterfold", NONE),
            noun="way to print backs",
            shorthand=("--no-backs", NONE),
            setting=Setting(
                "long-edge",
                about="edge over which the printer flips sheets: long-edge or short-edge; gutterfold: backs beside "
                "their fronts, to fold; none: only fronts",
            ),
        ),
    ] = None
    sides: Annotated[
        str | None,
        Option(
            "One side of each sheet, for printers without duplex: fronts; then backs if you turn the stack over, or "
            "backs-reversed if you put it back as it came out.",
            label="Only one side",
            placeholder="both",
            metavar="fronts|backs|backs-reversed",
            words=(FRONTS, BACKS, BACKS_REVERSED),
            noun="side",
        ),
    ] = None
    gap: Annotated[
        str | None,
        Option(
            "Space between cards, such as 2mm; without any, neighboring cards share a cut.",
            metavar="LENGTH",
            setting=Setting("0mm", "Length"),
        ),
    ] = None
    margin: Annotated[
        str | None,
        Option(
            "Edge that the printer cannot print on: 3mm to 7mm for most printers.",
            metavar="LENGTH",
            setting=Setting("5mm", "Length"),
        ),
    ] = None
    corners: Annotated[
        str | None,
        Option(
            "Round the corners of PNG and SVG files by a radius, such as 3mm, with transparency outside.",
            placeholder="square",
            metavar="LENGTH",
            setting=Setting("{}", "Corners", "radius of the corners of PNG and SVG files: 3mm, or {minion: 3mm}"),
        ),
    ] = None
    punches: Annotated[
        tuple[str, ...] | None,
        Option(
            "Diameters of your punches, such as 25mm,50mm, or none; other round pieces are cut with scissors.",
            metavar="LENGTH[,LENGTH]",
            setting=Setting("[25mm]", "Lengths", "diameters of your punches; other round pieces are cut with scissors"),
        ),
    ] = None
    cut_list: Annotated[
        bool | None,
        Option(
            "End packed sheets and sprues with a page of cutting instructions.",
            setting=Setting("true"),
        ),
    ] = None
    version_mark: Annotated[
        bool | None,
        Option(
            "Mark each card with the release in which its rules or words last changed.",
            export="Mark each card with the release in which its rules or words last changed.",
            show="Mark the card with the release in which its rules or words last changed.",
            setting=Setting("false"),
        ),
    ] = None
    language: Annotated[
        tuple[str, ...],
        Option(
            "Build the cards in these of the project's languages, each into a folder of its own; 'all' builds every "
            "language.",
            export="Export the cards in these of the project's languages, each into a folder of its own; 'all' exports "
            "every language.",
            show="Show the card in one of the project's languages, such as de.",
            listing="List the cards in one of the project's languages, such as de.",
            reference="Make the sheets with the cards in one of the project's languages, such as de.",
            label="Languages",
            placeholder="that of the cards",
            part=CARDS,
            metavar="LANGUAGE[,LANGUAGE]",
        ),
    ] = ()
    strict_language: Annotated[
        bool,
        Option(
            "Reject texts that are not translated, or whose source has changed since (with --language).",
            export="Reject texts that are not translated, or whose source has changed since (with --language).",
            label="Only if all is translated",
            needs="language",
        ),
    ] = False
    only: Annotated[
        tuple[str, ...],
        Option(
            "Build only cards that match a kind, name, tag, or value (suit=shells). Can be repeated.",
            export="Export only cards that match a kind, name, tag, or value (suit=shells). Can be repeated.",
            studio="Kinds, tags, or cards; leave it empty for all cards.",
            placeholder="all cards",
            part=CARDS,
            metavar="KIND|NAME|TAG",
        ),
    ] = ()
    kit: Annotated[
        bool,
        Option(
            "Also build pieces made from the cards, such as proxies.",
            export="Also export pieces made from the cards, such as proxies.",
            label="With proxies and other pieces",
            part=CARDS,
        ),
    ] = False
    pnp: Annotated[
        bool,
        Option(
            "Print and play: one PDF with a cover, rules, all cards, and pieces, as with --kit, and how to print them.",
            label="One file to print and play",
            part=CARDS,
            excludes="profile",
        ),
    ] = False
    warband: Annotated[
        str | None,
        Option(
            "Build everything that one list, such as a warband, needs, and nothing else.",
            export="Export everything that one list, such as a warband, needs, and nothing else.",
            label="List",
            part=CARDS,
            metavar="NAME",
            flags=("--warband", "--pack"),
            excludes="kit",
        ),
    ] = None
    changed_since: Annotated[
        str | None,
        Option(
            "Build only cards that are new or whose rules changed since a release, or a Git tag without a release "
            "file.",
            export="Export only cards that are new or whose rules changed since a release, or a Git tag without a "
            "release file.",
            studio="Only cards that are new or whose rules changed since a release.",
            placeholder="all cards",
            metavar="RELEASE",
        ),
    ] = None
    changes: Annotated[
        tuple[str, ...],
        Option(
            "With --changed-since, also build cards whose words, looks, or copies changed, such as words,looks.",
            export="With --changed-since, also export cards whose words, looks, or copies changed, such as "
            "words,looks.",
            metavar="CLASS[,CLASS]",
            words=("words", "looks", "copies"),
            noun="class of changes",
            needs="changed_since",
        ),
    ] = ()
    errata: Annotated[
        tuple[str, ...],
        Option(
            "With --changed-since, also print a sheet of all changes, or stickers for old cards instead of new cards; "
            "or both, as sheet,stickers.",
            metavar="sheet|stickers",
            words=("sheet", "stickers"),
            noun="kind of errata",
            needs="changed_since",
        ),
    ] = ()
    qty: Annotated[
        int | None,
        Option(
            "Copies of each card, instead of the number in the card file.",
            export="Copies of each card, instead of the number in the file.",
            label="Copies of each",
            placeholder="as the card says",
            part=CARDS,
            limits=(1, 500),
        ),
    ] = None
    sets: Annotated[
        int,
        Option(
            "Whole sets of the cards, one after another, each with the copies that cards have in it.",
            label="Whole sets",
            limits=(1, 100),
        ),
    ] = 1
    keep_going: Annotated[
        str | None,
        Option(
            "skip: leave out cards with mistakes, list them, and build the rest; placeholder: print a placeholder for "
            "each.",
            export="skip: leave out cards with mistakes, list them, and export the rest; placeholder: export a "
            "placeholder for each.",
            studio="What is printed of cards with mistakes, which are listed above the sheets.",
            label="Cards with mistakes",
            placeholder="nothing",
            part=CARDS,
            metavar="[skip|placeholder]",
            words=(SKIP, PLACEHOLDER),
            noun="way to keep going",
            bare=SKIP,
            former="--skip-unfit",
        ),
    ] = None
    dpi: Annotated[
        int,
        Option(
            "Resolution of PNG files in dots per inch.",
            export="Picture resolution in dpi (default: the profile's).",
            label="Resolution",
            limits=(LEAST_DPI, MOST_DPI),
            of_profile=True,
        ),
    ] = PRINT_DPI
    profile: Annotated[
        str | None,
        Option(
            "ICC profile of a press; PDF sheets are written in its inks, as PDF/X-4 without form fields.",
            label="Press profile",
            metavar="FILE.icc",
        ),
    ] = None
    keep_bleed: Annotated[bool, Option("Keep the bleed in PNG and SVG files.")] = False
    jobs: Annotated[
        int | None,
        Option(
            "Maximum number of parallel processes.  [default: one per processor]",
            export="Maximum number of parallel processes.  [default: one per processor]",
            flags=("-j", "--jobs"),
            metavar="N",
            limits=(1, 64),
            content=False,
        ),
    ] = None
    cluster: Annotated[
        str | None,
        Option(
            "Work on a Dask cluster: tls://HOST:8786, tcp://127.0.0.1:8786, or local for workers on this computer.",
            export="Work on a Dask cluster: tls://HOST:8786, tcp://127.0.0.1:8786, or local for workers on this "
            "computer.",
            metavar="ADDRESS",
            content=False,
        ),
    ] = None
    cache: Annotated[
        bool,
        Option(
            "Rebuild everything, and store nothing for later builds.",
            export="Store nothing for later builds and exports.",
            content=False,
        ),
    ] = True


# What help says about several values on the command line.
_SEVERAL = re.compile(r" Can be repeated\.|; or both, as \w+,\w+|, such as \w+,\w+")


def without_commas(text: str) -> str:
    """Return a help text without what it says about several values on the command line."""
    return _SEVERAL.sub("", text)


def _declared() -> Iterator[Option]:
    for name, hint in get_type_hints(Options, include_extras=True).items():
        option = next((each for each in getattr(hint, "__metadata__", ()) if isinstance(each, Option)), None)
        if option:
            plain = hint.__origin__
            types = (get_origin(each) or each for each in (plain, *get_args(plain)))
            sort = next(_SORTS[each] for each in types if each in _SORTS)
            yield replace(option, name=name, sort=sort, default=Options._field_defaults[name])


# All options by name, in the order of help texts.
OPTIONS: Mapping[str, Option] = {option.name: option for option in _declared()}


class Mistake(NamedTuple):
    """Why options cannot be as they are: the name of one, a message, and perhaps what to do."""

    name: str
    message: str
    help: str = ""


def mistakes(values: Mapping[str, Any], written: Callable[[str], str] = repr) -> Iterator[Mistake]:
    """Yield what is wrong about given options: words that are unknown, and those that do not go together.

    `written` returns how messages name an option.
    """
    for name, option in OPTIONS.items():
        value = values.get(name)
        if value and option.excludes and values.get(option.excludes):
            message = f"{written(option.excludes)} and {written(name)} cannot be combined"
            yield Mistake(name, message, "remove one of them")
        if value and option.needs and values.get(option.needs) in (None, ()):
            yield Mistake(name, f"{written(name)} needs {written(option.needs)}")
        words = value or () if option.sort == WORDS else () if value is None else (value,)
        for word in words if option.words else ():
            if word not in option.words:
                known = ", ".join(option.words)
                yield Mistake(name, f"unknown {option.noun} '{word}' (one of {known})")


def content_of(options: Options) -> dict[str, Any]:
    """Return the options that change the files of a build, by name."""
    means = {name for name, option in OPTIONS.items() if not option.content} | {"folder"}
    return {name: value for name, value in options._asdict().items() if name not in means}

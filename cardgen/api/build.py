"""Builds print sheets and pictures from cards, and draws single cards."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal, TypedDict, Unpack, overload

from cardgen.api.arguments import (
    PathLike,
    Paths,
    argument_places,
    bad_argument,
    project_folder,
    require_between,
    to_paths,
    to_words,
    unexpected_argument,
    warn,
)
from cardgen.api.deck import Card
from cardgen.diagnostic import did_you_mean, join_words
from cardgen.options import LEAST_DPI, MOST_DPI, OPTIONS, PRINT_DPI, WORDS, mistakes
from cardgen.print.build_manifest import BuildResult
from cardgen.print.request import BuildRequest
from cardgen.runtime.cluster.pool import open_cluster


class BuildOptions(TypedDict, total=False):
    """The options of `cardgen.build`.

    None is the value of the project or the card.
    """

    formats: str | Sequence[str]
    layout: str | None
    sprue: str | None
    paper: str | None
    printer: str | None
    theme: str | None
    bleed: str | None
    back_bleed: str | None
    backs: str | None
    sides: str | None
    gap: str | None
    margin: str | None
    corners: str | None
    punches: str | Sequence[str] | None
    cut_list: bool | None
    version_mark: bool | None
    language: str | Sequence[str]
    strict_language: bool
    only: str | Sequence[str]
    kit: bool
    pnp: bool
    warband: str | None
    changed_since: str | None
    changes: str | Sequence[str]
    errata: str | Sequence[str]
    qty: int | None
    sets: int
    keep_going: str | None
    dpi: int
    profile: str | None
    keep_bleed: bool
    jobs: int | None
    cluster: str | None
    cache: bool


def build(paths: Paths = (), output: PathLike = "output", **options: Unpack[BuildOptions]) -> BuildResult:
    """Build print sheets or pictures from cards, as `cardgen build` does.

    All files are written, or none. Unlike the command, every call builds everything, and no file of an earlier build is
    removed. With `keep_going`, `skipped` lists the cards with mistakes; if no card is right, they are errors. If a
    cluster stops answering, this computer does the rest, and a RuntimeWarning says so.

    Args:
        paths: One or more card files or folders. By default, all cards of the project of the current folder. With
            paths, the project is the one that the paths belong to.
        output: The folder for the files, relative to the current folder. It is created if it does not exist.
        **options: Each is optional.

            formats: pdf for print sheets; png or svg for one file per face. One or several. Default: pdf.
            layout: grid: cards of one size in rows and columns; packed: all kinds together on the fewest sheets;
                single: one card per page, with bleed but without marks.
            sprue: Place the cards in the slots of a sprue, such as a4-poker.
            paper: Paper size: a4, letter, a3, legal, tabloid, a5, or a size such as '210mm x 297mm'; or several:
                a4,letter.
            printer: Apply the calibration profile of this printer; see 'cardgen calibrate'.
            theme: Theme of all cards, such as low-ink.
            bleed: Bleed beyond the trim edge, such as 3mm or 0.125in.
            back_bleed: Additional bleed on backs, such as 1mm, for printers that shift them.
            backs: Edge over which the printer flips sheets: long-edge or short-edge; gutterfold: beside their fronts,
                to fold; none: only fronts.
            sides: One side of each sheet, for printers without duplex: fronts; then backs if you turn the stack over,
                or backs-reversed if you put it back as it came out.
            gap: Space between cards, such as 2mm; without any, neighboring cards share a cut.
            margin: Edge that the printer cannot print on: 3mm to 7mm for most printers.
            corners: Round the corners of PNG and SVG files by a radius, such as 3mm, with transparency outside.
            punches: Diameters of your punches, or none; other round pieces are cut with scissors. One or several.
            cut_list: True to end packed sheets and sprues with a page of cutting instructions.
            version_mark: True to mark each card with the release in which its rules or words last changed.
            language: Build the cards in these of the project's languages, each into a folder of its own; 'all' builds
                every language. One or several.
            strict_language: True to reject texts that are not translated, or whose source has changed since (with
                `language`).
            only: Build only cards that match a kind, name, tag, or value (suit=shells). One or several.
            kit: True to also build pieces made from the cards, such as proxies.
            pnp: True to print and play: one PDF with a cover, rules, all cards, and pieces, as with `kit`, and how to
                print them.
            warband: Build everything that one list, such as a warband, needs, and nothing else.
            changed_since: Build only cards that are new or whose rules changed since a release, or a Git tag without a
                release file.
            changes: With `changed_since`, also build cards whose words, looks, or copies changed. One or several.
            errata: With `changed_since`, also print a sheet of all changes, or stickers for old cards instead of new
                cards. One or several.
            qty: Copies of each card, instead of the number in the card file. From 1 to 500.
            sets: Whole sets of the cards, one after another, each with the copies that cards have in it. From 1 to 100.
                Default: 1.
            keep_going: skip: leave out cards with mistakes, list them, and build the rest; placeholder: print a
                placeholder for each.
            dpi: Resolution of PNG files in dots per inch. From 36 to 1200. Default: 300.
            profile: ICC profile of a press; PDF sheets are written in its inks, as PDF/X-4 without form fields.
            keep_bleed: True to keep the bleed in PNG and SVG files.
            jobs: Maximum number of parallel processes. From 1 to 64. Default: one per processor.
            cluster: Work on a Dask cluster: tls://HOST:8786, tcp://127.0.0.1:8786, or local for workers on this
                computer.
            cache: False to rebuild everything, and store nothing for later builds.

    Returns:
        The files, relative to the current folder if `output` is, and the numbers of cards, copies, and sheets.

    Raises:
        TypeError: An option is unknown; the message suggests a similar one.
        CardgenError: The cards, templates, or settings have errors, a text does not fit, or an option has an invalid
            value. Its `diagnostics` contain all problems; no file is changed.

    """
    request = _build_request(to_paths(paths), Path(output), dict(options))
    from cardgen.builds import builder  # imported here because it loads all graphics libraries

    with argument_places(), open_cluster(request.cluster, request.processes, warn) as link:
        return builder.build(request, cluster=link)


def _build_request(paths: tuple[Path, ...], output: Path, options: dict[str, Any]) -> BuildRequest:
    for option in OPTIONS.values():
        former = option.former.lstrip("-").replace("-", "_")
        if former and former in options:
            warnings.warn(f"'{former}' is now '{option.name}'", DeprecationWarning, stacklevel=3)
            given = options.pop(former)
            options.setdefault(option.name, option.bare if given else None)
    unknown = next((name for name in options if name not in OPTIONS), None)
    if unknown is not None:
        raise unexpected_argument("build", unknown, OPTIONS)
    values = {name: _read(name, value) for name, value in options.items() if value is not None}
    for mistake in mistakes(values):
        raise bad_argument(mistake.name, mistake.message, mistake.help)
    return BuildRequest(paths=paths, output=output, folder=project_folder(paths), **values)


def _read(name: str, value: Any) -> Any:
    """Return the value of an option. Raises CardgenError for a number out of its range."""
    option = OPTIONS[name]
    if option.limits:
        return require_between(name, value, *option.limits)
    return to_words(value) if option.sort == WORDS else value


FORMATS = ("svg", "png", "pdf")
SIDES = ("front", "back")


@overload
def render(
    card: Card,
    format: Literal["svg"] = "svg",
    side: Literal["front", "back"] = "front",
    theme: str | None = None,
    dpi: int = PRINT_DPI,
) -> str: ...
@overload
def render(
    card: Card,
    format: Literal["png", "pdf"],
    side: Literal["front", "back"] = "front",
    theme: str | None = None,
    dpi: int = PRINT_DPI,
) -> bytes: ...
def render(
    card: Card,
    format: Literal["svg", "png", "pdf"] = "svg",  # noqa: A002 - the name that the commands use
    side: Literal["front", "back"] = "front",
    theme: str | None = None,
    dpi: int = PRINT_DPI,
) -> str | bytes:
    """Draw one side of a card, cropped to its trim.

    Templates, themes, and fonts are read once per deck. If you change them, load the deck again.

    Args:
        card: A card of a deck.
        format: 'svg', 'png', or 'pdf'.
        side: 'front' or 'back'.
        theme: The theme, such as 'low-ink'. By default, the theme of the card or the project.
        dpi: The resolution of PNG files in dots per inch, from 36 to 1200.

    Returns:
        The content of the file: text for SVG, bytes for PNG and PDF. The picture has the size of the card in
        millimeters; fonts are embedded.

    Raises:
        TypeError: `card` is not a card of a deck.
        CardgenError: The card cannot be drawn: its text does not fit, its art or theme is missing, cards of its kind
            are not printed, or it has no back; or the format, side, or resolution is invalid.

    """
    if not isinstance(card, Card):
        raise TypeError(f"render() needs a card of a deck, not {type(card).__name__}; cardgen.load() returns a deck")
    _require_one_of("format", format, FORMATS)
    _require_one_of("side", side, SIDES)
    content = card._source.render(card._entry, format, side, theme, require_between("dpi", dpi, LEAST_DPI, MOST_DPI))
    return content.decode() if format == "svg" else content


def _require_one_of(name: str, value: str, values: tuple[str, ...]) -> None:
    if value not in values:
        message = f"unknown {name} '{value}'{did_you_mean(str(value), values)}"
        raise bad_argument(name, message, f"use {join_words(repr(each) for each in values)}")

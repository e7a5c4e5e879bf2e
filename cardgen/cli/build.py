"""`cardgen build`: print sheets and pictures from cards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cardgen.cli._cluster import cluster_in_force, cluster_option
from cardgen.cli._file_options import (
    WholeNumber,
    output_option,
    paths_argument,
    print_discarded,
    print_unprinted,
    split_changes,
    split_errata,
    split_formats,
)
from cardgen.cli._file_options import formats_option as formats_option
from cardgen.cli._group import with_written_options, written_option
from cardgen.cli._json import json_option, print_json, show_errors
from cardgen.cli._progress import ProgressBar
from cardgen.cli._terminal import print_line
from cardgen.runtime.regular_file import DASH

if TYPE_CHECKING:
    from cardgen.print.build_manifest import BuildManifest, BuildResult
    from cardgen.print.options import BuildRequest

_MANY_FILES = 8


@click.command("build")
@paths_argument
@output_option
@formats_option("pdf for print sheets; png or svg for one file per face.")
@click.option(
    "--layout",
    help="grid: cards of one size in rows and columns; packed: all kinds together on the fewest sheets; single: one "
    "card per page, with bleed but without marks.",
)
@click.option("--sprue", metavar="NAME", help="Place the cards in the slots of a sprue, such as a4-poker.")
@click.option("--paper", help="Paper size: a4, letter, a3, legal, tabloid, a5, or a size such as '210mm x 297mm'.")
@click.option(
    "--printer", metavar="NAME[/TRAY]", help="Apply the calibration profile of this printer; see 'cardgen calibrate'."
)
@click.option("--theme", help="Theme of all cards, such as low-ink.")
@click.option("--bleed", metavar="LENGTH", help="Bleed beyond the trim edge, such as 3mm or 0.125in.")
@click.option(
    "--corners",
    metavar="LENGTH",
    help="Round the corners of PNG and SVG files by a radius, such as 3mm, with transparency outside.",
)
@click.option(
    "--only",
    multiple=True,
    metavar="KIND|NAME|TAG",
    help="Build only matching cards, also by value: suit=shells. Can be repeated.",
)
@click.option("--kit", is_flag=True, help="Also build pieces made from the cards, such as proxies.")
@click.option(
    "--warband",
    "--pack",
    "warband",
    metavar="NAME",
    help="Build everything that one warband or other list needs, and nothing else.",
)
@click.option(
    "--changed-since",
    metavar="RELEASE",
    help="Build only cards that are new or whose rules changed since a release, or a Git tag without a release file.",
)
@click.option(
    "--changes",
    metavar="CLASS[,CLASS]",
    default="",
    help="With --changed-since, also build cards whose words, looks, or copies changed, such as words,looks.",
)
@click.option(
    "--errata",
    metavar="sheet|stickers",
    default="",
    help="With --changed-since, also print a sheet of all changes, or stickers for old cards instead of new cards; or "
    "both, as sheet,stickers.",
)
@click.option("--qty", type=WholeNumber(1, 500), help="Copies of each card, instead of the number in the card file.")
@click.option("--skip-unfit", is_flag=True, help="Skip cards whose texts do not fit, and list them.")
@click.option("--no-backs", is_flag=True, help="Build only fronts.")
@click.option(
    "--dpi",
    type=WholeNumber(36, 1200),
    default=300,
    show_default=True,
    help="Resolution of PNG files in dots per inch.",
)
@click.option(
    "--profile",
    metavar="FILE.icc",
    help="ICC profile of a press; PDF sheets are written in its inks, as PDF/X-4 without form fields.",
)
@click.option("--keep-bleed", is_flag=True, help="Keep the bleed in PNG and SVG files.")
@click.option(
    "-j",
    "--jobs",
    type=WholeNumber(1, 64),
    metavar="N",
    help="Maximum number of parallel processes.  [default: one per processor]",
)
@cluster_option
@click.option("--no-cache", is_flag=True, help="Rebuild everything, and store nothing for later builds.")
@click.option("-w", "--watch", is_flag=True, help="Build again when a file changes, until you press Ctrl-C.")
@click.option("-q", "--quiet", is_flag=True, help="Print only problems.")
@json_option
def command(
    formats: tuple[str, ...],
    no_backs: bool,
    jobs: int | None,
    cluster: str | None,
    no_cache: bool,
    watch: bool,
    quiet: bool,
    as_json: bool,
    **given: Any,
) -> None:
    """Build print sheets or pictures of cards.

    PATHS are card files or folders, or - for a card on standard input; the default is the project's cards.

    Each kind of card gets one PDF, in which each sheet of fronts is followed by its backs. With --warband, each type of
    paper gets one PDF, with cards, proxies, the roster, and a reference sheet.

    Skips the build if nothing changed since the last one with the same options. Removes files of cards that were
    renamed or deleted.
    """
    from cardgen.print.build_manifest import BuildManifest  # loaded here to keep 'cardgen --help' fast

    if given["kit"] and given["warband"]:
        raise click.UsageError(f"--kit and {written_option('--warband')} cannot be combined")
    if watch and as_json:
        raise click.UsageError("--watch and --json cannot be combined")
    if given["profile"] and "pdf" not in split_formats(formats):
        raise click.UsageError("--profile is for PDF sheets; add --format pdf")
    given["changes"] = split_changes(given["changes"], given["changed_since"])
    given["errata"] = split_errata(given["errata"], given["changed_since"])
    requested = {"formats": split_formats(formats), "backs": not no_backs, **given}
    if watch and DASH in given["paths"]:
        raise click.UsageError("standard input cannot be watched")
    manifest = None if no_cache or DASH in given["paths"] else BuildManifest(requested, given["paths"], given["output"])
    # The manifest does not know the tags of Git.
    may_be_unchanged = manifest and not watch and not given["changed_since"]
    result = manifest.unchanged_result() if manifest and may_be_unchanged else None
    if result is None:
        from cardgen.builds import builder
        from cardgen.print.options import BuildRequest

        request = BuildRequest(cache=not no_cache, jobs=jobs, cluster=cluster, **requested)
        if watch:
            with cluster_in_force(cluster, jobs):
                _watch(request, manifest, quiet=quiet)
            return
        with cluster_in_force(cluster, jobs), ProgressBar(hidden=quiet) as progress:
            result = builder.build(request, progress.step, manifest)
    _print_skipped(result)
    if as_json:
        print_json("build", asdict(result))
    elif not quiet:
        _print_result(result)


def _watch(request: BuildRequest, manifest: BuildManifest | None, *, quiet: bool) -> None:
    """Build on changes until Ctrl-C, which is not an error."""
    from cardgen.builds import builder
    from cardgen.diagnostic import CardgenError

    try:
        for outcome in builder.watch_and_build(request, manifest):
            if isinstance(outcome, CardgenError):
                context = click.get_current_context()
                show_errors(with_written_options(outcome, context), context)
            else:
                _print_skipped(outcome)
                if not quiet:
                    _print_result(outcome)
            print_line("watching for changes; press Ctrl-C to stop", err=True)
    except KeyboardInterrupt:
        print_line(err=True)


def _print_skipped(result: BuildResult) -> None:
    """Print why cards were skipped, to standard error."""
    for card in result.skipped:
        for problem in card.problems:
            print_line(problem, err=True)


def _print_result(result: BuildResult) -> None:
    """Print the files that were written and removed, in build order."""
    for line in _path_lines(result.written):
        print_line(line)
    for line in _path_lines(result.removed):
        print_line(f"removed {line}")
    print_discarded(result.discarded)
    print_unprinted(result.unprinted)
    print_line(result.summary)


def _path_lines(paths: Sequence[Path]) -> Iterator[str]:
    """Yield a line for each path, or for many in a folder."""
    numbers = Counter(path.parent for path in paths)
    crowd = {folder for folder, number in numbers.items() if number > _MANY_FILES}
    for path in dict.fromkeys((path.parent if path.parent in crowd else path) for path in paths):
        yield f"{path.as_posix()}/ ({numbers[path]} files)" if path in crowd else path.as_posix()

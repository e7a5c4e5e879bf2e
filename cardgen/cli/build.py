"""`cardgen build`: cards to print sheets and pictures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cardgen.cli._file_options import formats_option as formats_option
from cardgen.cli._file_options import output_option, split_formats
from cardgen.cli._stderr import ProgressBar, show_errors

if TYPE_CHECKING:
    from cardgen.pipeline.cache.build_manifest import BuildManifest, BuildResult
    from cardgen.pipeline.options import BuildRequest

_MANY_FILES = 8


@click.command("build")
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path))
@output_option
@formats_option("pdf for sheets, png and svg for one file a face.")
@click.option(
    "--layout",
    help="grid for sheets of cards of one size, packed for all kinds together on the fewest sheets, single for one "
    "card a page with its bleed and no marks.",
)
@click.option("--sprue", metavar="NAME", help="Lay the cards into the slots of a sprue, such as a4-poker.")
@click.option("--paper", help="Paper: a4, letter, a3, legal, tabloid, a5, or for instance '210mm x 297mm'.")
@click.option("--printer", metavar="NAME[/TRAY]", help="Make up for what this printer does; see 'cardgen calibrate'.")
@click.option("--theme", help="Theme of all cards, such as low-ink.")
@click.option("--bleed", metavar="LENGTH", help="How far the ground is painted beyond the cut, such as 3mm or 0.125in.")
@click.option("--only", multiple=True, metavar="KIND|NAME|TAG", help="Only these cards; may be given several times.")
@click.option("--kit", is_flag=True, help="Also the pieces that are made from the cards, such as proxies.")
@click.option("--warband", metavar="NAME", help="All that one warband takes to the table, and nothing else.")
@click.option("--qty", type=click.IntRange(1, 500), help="Copies of each card, instead of what the cards say.")
@click.option("--no-backs", is_flag=True, help="Fronts only.")
@click.option(
    "--dpi",
    type=click.IntRange(36, 1200),
    default=300,
    show_default=True,
    help="Resolution of PNG files, in dots per inch.",
)
@click.option("--keep-bleed", is_flag=True, help="Keep the bleed around PNG and SVG files.")
@click.option(
    "-j",
    "--jobs",
    type=click.IntRange(1, 64),
    metavar="N",
    help="Processes that work at once, where there is enough to do.  [default: one for each processor]",
)
@click.option("--no-cache", is_flag=True, help="Build everything anew, and keep nothing for later builds.")
@click.option("-w", "--watch", is_flag=True, help="Build again whenever a file changes, until Ctrl-C.")
@click.option("-q", "--quiet", is_flag=True, help="Say nothing but problems.")
def command(
    formats: tuple[str, ...],
    no_backs: bool,
    jobs: int | None,
    no_cache: bool,
    watch: bool,
    quiet: bool,
    **given: Any,
) -> None:
    """Build print sheets, or pictures of the cards, from card files.

    PATHS are card files or folders of them; without any, the project's cards are built.
    For each kind of card one PDF is written: fronts, each sheet followed by its backs.
    Nothing is done where nothing has changed since the same build before. Files that it wrote for cards that have
    another name now, or are gone, are removed.
    With --warband there is one PDF for each sort of paper: cards, proxies, the roster, and a reference sheet.
    """
    from cardgen.pipeline.cache.build_manifest import BuildManifest  # loaded here, so that 'cardgen --help' stays quick

    if given["kit"] and given["warband"]:
        raise click.UsageError("--kit is for all cards, --warband for those of one warband; give one of them")
    requested = {"formats": split_formats(formats), "backs": not no_backs, **given}
    manifest = None if no_cache else BuildManifest(requested, given["paths"], given["output"])
    result = manifest.unchanged_result() if manifest and not watch else None
    if result is None:
        from cardgen.pipeline.build import builder
        from cardgen.pipeline.options import BuildRequest

        request = BuildRequest(cache=not no_cache, jobs=jobs, **requested)
        if watch:
            _watch(request, manifest, quiet=quiet)
            return
        with ProgressBar(hidden=quiet) as progress:
            result = builder.build(request, progress.step, manifest)
    if not quiet:
        _print_result(result)


def _watch(request: BuildRequest, manifest: BuildManifest | None, *, quiet: bool) -> None:
    """Build until Ctrl-C, which is how watching ends: it is no failure."""
    from cardgen.diagnostic import CardgenError
    from cardgen.pipeline.build import builder

    try:
        for outcome in builder.watch_and_build(request, manifest):
            if isinstance(outcome, CardgenError):
                show_errors(outcome)
            elif not quiet:
                _print_result(outcome)
            click.echo("watching; Ctrl-C ends it", err=True)
    except KeyboardInterrupt:
        click.echo("", err=True)


def _print_result(result: BuildResult) -> None:
    """Which files are new and which are gone, in the order of the build."""
    for line in _path_lines(result.written):
        click.echo(line)
    for line in _path_lines(result.removed):
        click.echo(f"removed {line}")
    click.echo(result.summary)


def _path_lines(paths: Sequence[Path]) -> Iterator[str]:
    """The paths; many in one folder make one line."""
    numbers = Counter(path.parent for path in paths)
    crowd = {folder for folder, number in numbers.items() if number > _MANY_FILES}
    for path in dict.fromkeys((path.parent if path.parent in crowd else path) for path in paths):
        yield f"{path.as_posix()}/ ({numbers[path]} files)" if path in crowd else path.as_posix()

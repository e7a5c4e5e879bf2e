"""`cardgen build`: print sheets and pictures from cards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cardgen.cli._failures import EXIT_INCOMPLETE
from cardgen.cli._group import with_written_options
from cardgen.cli._options import (
    BareOptions,
    build_options,
    open_cluster,
    output_option,
    paths_argument,
    print_discarded,
    print_left_out,
    print_notes,
    print_problems,
    print_unprinted,
    require_compatible,
    start_folder,
)
from cardgen.cli._output import ProgressBar, json_option, print_json, print_line, show_errors
from cardgen.options import Options, content_of
from cardgen.runtime.regular_file import DASH

if TYPE_CHECKING:
    from cardgen.print.build_manifest import BuildManifest, BuildResult
    from cardgen.print.request import BuildRequest
    from cardgen.runtime.workspace import Link

_MANY_FILES = 8


@click.command("build", cls=BareOptions)
@paths_argument
@output_option
@build_options("build")
@click.option("-w", "--watch", is_flag=True, help="Build again when a file changes, until you press Ctrl-C.")
@click.option("-q", "--quiet", is_flag=True, help="Print only problems.")
@json_option
def command(
    watch: bool,
    quiet: bool,
    as_json: bool,
    **given: Any,
) -> None:
    """Build print sheets or pictures of cards.

    PATHS are card files or folders, or - for a card on standard input; the default is the project's cards.

    Each kind of card gets one PDF, in which each sheet of fronts is followed by its backs. With --warband, each type of
    paper gets one PDF, with cards, proxies, the roster, and a reference sheet.

    If a card has mistakes, nothing is written; with --keep-going, the other cards are built, and the exit code is 4.

    Skips the build if nothing changed since the last one with the same options. Removes files of cards that were
    renamed or deleted.
    """
    from cardgen.print.build_manifest import BuildManifest  # loaded here to keep 'cardgen --help' fast

    require_compatible(given)
    options = Options(**given, folder=start_folder())
    if watch and as_json:
        raise click.UsageError("--watch and --json cannot be combined")
    if options.profile and "pdf" not in options.formats:
        raise click.UsageError("--profile is for PDF sheets; add --format pdf")
    if watch and DASH in options.paths:
        raise click.UsageError("standard input cannot be watched")
    has_manifest = options.cache and DASH not in options.paths
    manifest = (
        BuildManifest(content_of(options), options.paths, options.output, options.folder) if has_manifest else None
    )
    # The manifest does not know the tags of Git.
    has_several = options.language or "," in (options.paper or "")
    may_be_unchanged = manifest and not watch and not options.changed_since and not has_several
    result = manifest.unchanged_result() if manifest and may_be_unchanged else None
    if result is None:
        from cardgen.builds import builder
        from cardgen.print.request import BuildRequest

        request = BuildRequest._make(options)
        if watch:
            with open_cluster(options.cluster, options.jobs) as cluster:
                _watch(request, manifest, cluster, quiet=quiet)
            return
        with open_cluster(options.cluster, options.jobs) as cluster, ProgressBar(hidden=quiet) as progress:
            result = builder.build(request, progress.step, manifest, cluster)
    print_problems(result.skipped)
    if as_json:
        print_json("build", {name: value for name, value in asdict(result).items() if name != "variety"})
    elif not quiet:
        _print_result(result)
    print_notes((*result.notes, *(() if quiet else result.advice)))
    if result.incomplete:
        raise click.exceptions.Exit(EXIT_INCOMPLETE)


def _watch(request: BuildRequest, manifest: BuildManifest | None, cluster: Link | None, *, quiet: bool) -> None:
    """Build on changes until Ctrl-C, which is not an error."""
    from cardgen.builds import builder
    from cardgen.diagnostic import CardgenError

    try:
        for outcome in builder.watch_and_build(request, manifest, cluster):
            if isinstance(outcome, CardgenError):
                context = click.get_current_context()
                show_errors(with_written_options(outcome, context), context)
            else:
                print_problems(outcome.skipped)
                print_notes((*outcome.notes, *(() if quiet else outcome.advice)))
                if not quiet:
                    _print_result(outcome)
            print_line("watching for changes; press Ctrl-C to stop", err=True)
    except KeyboardInterrupt:
        print_line(err=True)


def _print_result(result: BuildResult) -> None:
    """Print the files that were written and removed, in build order."""
    for line in _path_lines(result.written):
        print_line(line)
    for line in _path_lines(result.removed):
        print_line(f"removed {line}")
    print_discarded(result.discarded)
    print_unprinted(result.unprinted)
    if result.incomplete:
        print_left_out(result.skipped)
    print_line(result.summary)


def _path_lines(paths: Sequence[Path]) -> Iterator[str]:
    """Yield a line for each path, or for many in a folder."""
    numbers = Counter(path.parent for path in paths)
    crowd = {folder for folder, number in numbers.items() if number > _MANY_FILES}
    for path in dict.fromkeys((path.parent if path.parent in crowd else path) for path in paths):
        yield f"{path.as_posix()}/ ({numbers[path]} files)" if path in crowd else path.as_posix()

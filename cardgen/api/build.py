"""Builds print sheets and pictures from cards."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypedDict, Unpack

from cardgen.api.arguments import (
    PathLike,
    Paths,
    argument_places,
    bad_argument,
    in_own_context,
    project_folder,
    require_between,
    to_paths,
    to_words,
    unexpected_argument,
    warn,
)
from cardgen.options import OPTIONS, WORDS, mistakes
from cardgen.print.build_manifest import BuildResult
from cardgen.print.options import BuildRequest
from cardgen.runtime.cluster.pool import cluster_in_force


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
    corners: str | None
    only: str | Sequence[str]
    kit: bool
    warband: str | None
    changed_since: str | None
    changes: str | Sequence[str]
    errata: str | Sequence[str]
    qty: int | None
    skip_unfit: bool
    backs: bool
    dpi: int
    profile: str | None
    keep_bleed: bool
    jobs: int | None
    cluster: str | None
    cache: bool


@in_own_context
def build(paths: Paths = (), output: PathLike = "output", **options: Unpack[BuildOptions]) -> BuildResult:
    """Build print sheets or pictures from cards, as `cardgen build` does.

    All files are written, or none. Unlike the command, every call builds everything, and no file of an earlier build is
    removed.

    Args:
        paths: One or more card files or folders. By default, all cards of the project of the current folder. With
            paths, the project is the one that the paths belong to.
        output: The folder for the files, relative to the current folder. It is created if it does not exist.
        **options: Each is optional.

            formats: One or more of 'pdf' for sheets, and 'png' and 'svg' for one file per card side. Default: 'pdf'.
            layout: 'grid', 'packed', or 'single'.
            sprue: The name of a sprue, an arrangement of slots, such as 'a4-poker'.
            paper: 'a4', 'letter', 'a3', 'legal', 'tabloid', 'a5', or a size such as '210mm x 297mm'.
            printer: A calibrated printer, as 'NAME' or 'NAME/TRAY'.
            theme: The theme of all cards, such as 'low-ink'.
            bleed: The width of the bleed, such as '3mm' or '0.125in'.
            corners: The corner radius of PNG and SVG files, such as '3mm'.
            only: One or more kinds, ids, names, tags, or values such as `suit=shells` of the cards to build.
            kit: True to build also the pieces that are made from cards, such as proxies.
            warband: The name of a card list; only its cards and pieces are built.
            changed_since: A release, or a Git tag without a release file; only cards that are new or whose rules
                changed since then are built.
            changes: One or more of 'words', 'looks', and 'copies', to also build cards with these changes.
            errata: One or more of 'sheet' for a sheet of all changes, and 'stickers' for stickers instead of new cards.
            qty: The number of copies of each card, from 1 to 500, instead of the cards' own numbers.
            skip_unfit: True to leave out the cards whose texts do not fit, and list them in `skipped`. If no card fits,
                they are errors.
            backs: False for fronts only.
            dpi: The resolution of PNG files in dots per inch, from 36 to 1200. Default: 300.
            profile: The path of an ICC profile, in whose inks PDF sheets are written.
            keep_bleed: True to keep the bleed around PNG and SVG files.
            jobs: The number of parallel processes, from 1 to 64. Default: one per processor.
            cluster: The address of a Dask cluster that draws PNG files, such as 'tls://HOST:8786', or 'local'. If it
                stops answering, this computer does the rest, and a RuntimeWarning says so.
            cache: False to not cache artwork for later builds.

    Returns:
        The files, relative to the current folder if `output` is, and the numbers of cards, copies, and sheets.

    Raises:
        TypeError: An option is unknown; the message suggests a similar one.
        CardgenError: The cards, templates, or settings have errors, a text does not fit, or an option has an invalid
            value. Its `diagnostics` contain all problems; no file is changed.

    """
    request = _build_request(to_paths(paths), Path(output), dict(options))
    from cardgen.builds import builder  # imported here because it loads all graphics libraries

    with argument_places(), cluster_in_force(request.cluster, request.processes, warn):
        return builder.build(request)


def _build_request(paths: tuple[Path, ...], output: Path, options: dict[str, Any]) -> BuildRequest:
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

"""`cardgen show`: a preview of one card."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import click

from cardgen.cli._options import build_options
from cardgen.cli._output import json_option, print_json, print_line
from cardgen.runtime.regular_file import DASH


@click.command("show")
@click.argument("name")
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, dir_okay=False),
    help="File to write: .png, .svg, or .pdf, or - for a PNG on standard output.  [default: output/ID-front.png]",
)
@click.option("--back", is_flag=True, help="Show the back of the card.")
@build_options("show")
@click.option(
    "--open/--no-open", "opened", default=None, help="Open the picture.  [default: open if there is a desktop]"
)
@json_option
def command(name: str, output: Path | None, back: bool, opened: bool | None, as_json: bool, **given: Any) -> None:
    """Write a picture of one card, and open it if there is a desktop.

    NAME is the name or id of the card.
    """
    from cardgen.builds.builder import write_preview  # loaded here to keep 'cardgen --help' fast
    from cardgen.print.request import BuildRequest

    if output == DASH and as_json:
        raise click.UsageError("-o - and --json cannot be combined")
    path = write_preview(name, BuildRequest(**given), output, back=back)
    if path == DASH:
        return
    if as_json:
        print_json("show", {"file": path})
    else:
        print_line(path.as_posix())
    if opened or (opened is None and _has_desktop()):
        from cardgen.runtime import processes  # loaded here because most runs open nothing

        processes.open_for_user(str(path.resolve()))


def _has_desktop() -> bool:
    """Return whether the user has a screen that can show a window."""
    if not _terminal():
        return False
    return sys.platform in ("darwin", "win32") or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def _terminal() -> bool:
    return sys.stdout.isatty()

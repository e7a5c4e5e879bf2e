"""Options of commands that write files."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

Decorator = Callable[[Any], Any]

output_option: Decorator = click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("output"),
    show_default=True,
    help="Folder for the files.",
)


def formats_option(help: str) -> Decorator:  # noqa: A002 - the name that click uses
    """Return the option for output formats; `split_formats` splits its values."""
    return click.option(
        "--format",
        "formats",
        multiple=True,
        default=("pdf",),
        show_default=True,
        metavar="FORMAT[,FORMAT]",
        help=help,
    )


def split_formats(values: tuple[str, ...]) -> tuple[str, ...]:
    """Split the values of the option at commas."""
    return tuple(name.strip() for text in values for name in text.split(","))

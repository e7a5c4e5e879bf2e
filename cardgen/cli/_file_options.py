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
    help="Folder that the files go to.",
)


def formats_option(help: str) -> Decorator:  # noqa: A002 - click's word
    """The option for sorts of files; `help` says which there are. `names` reads what was given."""
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
    """The formats that were given, several with commas between them too."""
    return tuple(name.strip() for text in values for name in text.split(","))

"""Environment variables for options: CARDGEN_BUILD_PAPER is `cardgen build --paper`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

import click

Parameters = TypeVar("Parameters", bound=Iterable[click.Parameter])


def name_variables(path: str, parameters: Parameters) -> Parameters:
    """Give each option the variable of its name below a command, such as 'cardgen build'; return the parameters.

    Click would use the names in the program, which differ from those of the options.
    """
    for each in parameters:
        if isinstance(each, click.Option) and each.name not in ("help", "version"):
            flag = max(each.opts, key=len).lstrip("-")
            each.envvar = f"{path} {flag}".upper().replace(" ", "_").replace("-", "_")
    return parameters

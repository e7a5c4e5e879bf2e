"""Shell completion of names: cards, kinds, papers, themes, and others."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, TypeVar

import click

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

Parameters = TypeVar("Parameters", bound=Iterable[click.Parameter])

CARD = "CARD"
# What options and arguments name; see the lists of cardgen.cli._completion_names.
_SORTS = {
    **dict.fromkeys(("a", "attacker", "b", "card", "name", "names", "of", "target", "warband"), ("card",)),
    "weapon_and_target": ("card",),
    "only": ("kind", "card"),
    "what": ("scaffold", "kind"),
    "kinds": ("kind",),
    **dict.fromkeys(("explain", "ignore", "select"), ("check",)),
    **dict.fromkeys(("game", "layout", "paper", "printer", "sprue", "theme"), ()),
    "rulings": ("ruling",),
    "sheets": ("sheet",),
}


class _Name(click.types.StringParamType):
    """Text that names things of some sorts."""

    def __init__(self, *sorts: str) -> None:
        self._sorts = sorts

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """Return the names that begin like the last word of a list separated by commas, ignoring case."""
        from click.shell_completion import CompletionItem

        from cardgen.cli._completion_names import names

        before, comma, word = incomplete.rpartition(",")
        found = (name for name in names(*self._sorts) if name.casefold().startswith(word.casefold()))
        return [CompletionItem(f"{before}{comma}{name}") for name in found]


def complete_names(parameters: Parameters) -> Parameters:
    """Let a shell complete the values of parameters that name something, and return the parameters."""
    for each in parameters:
        if type(each.type) is not click.types.StringParamType:
            continue
        sorts = ("card",) if each.metavar == CARD else _SORTS.get(each.name or "")
        if sorts is not None:
            each.type = _Name(*(sorts or (each.name or "",)))
    return parameters

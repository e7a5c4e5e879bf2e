"""Providers of blocks, inline values, and worked examples."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from cardgen.reference.document_tree import Block
from cardgen.validation.base import Model
from cardgen.validation.suggestion import did_you_mean


class NotAvailableError(Exception):
    """A requested name or value is not available.

    `route` leads to it within the request: a path of keys, or the start and end of a placeholder.
    """

    def __init__(self, message: str, help: str = "", route: tuple[str | int, ...] = ()) -> None:  # noqa: A002
        super().__init__(message)
        self.message, self.help, self.route = message, help, route

    @classmethod
    def unknown(
        cls, what: str, name: str, known: Iterable[str], route: tuple[str | int, ...] = ()
    ) -> NotAvailableError:
        """Return the error for an unknown name, with a suggestion."""
        names = list(known)
        return cls(f"unknown {what} '{name}'{did_you_mean(name, names)}", f"available: {', '.join(names)}", route)


@dataclass(frozen=True, slots=True)
class BlockProvider:
    """Content that a game can show: its options and block function.

    `make` raises NotAvailableError for unknown names in the options.
    """

    options: type[Model]
    make: Callable[[Any], Iterable[Block]]


# Returns marked-up text for the argument of a placeholder. Raises NotAvailableError.
InlineProvider = Callable[[str], str]


@dataclass(frozen=True, slots=True)
class WorkedExample:
    """The results of an example: chances in words and a log.

    `chances` are by name. The log is empty unless the example was played with given dice.
    """

    chances: Mapping[str, str]
    log: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Providers:
    """Everything that a sheet can request, by name.

    `work_example` computes the odds of a trial from the values of its situation; with dice, it also plays the trial
    once. It raises NotAvailableError.
    """

    blocks: Mapping[str, BlockProvider]
    inline_values: Mapping[str, InlineProvider]
    work_example: Callable[[str, Mapping[str, Any], Sequence[int]], WorkedExample]

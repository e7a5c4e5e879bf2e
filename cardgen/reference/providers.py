"""Providers of blocks, inline values and worked examples, handed in from above."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from cardgen.reference.document_tree import Block
from cardgen.validation.base import Model
from cardgen.validation.suggestion import did_you_mean


class NotAvailableError(Exception):
    """Something was asked for that there is not. `route` leads to it within what was asked."""

    def __init__(self, message: str, help: str = "", route: tuple[str | int, ...] = ()) -> None:  # noqa: A002
        super().__init__(message)
        self.message, self.help, self.route = message, help, route

    @classmethod
    def unknown(
        cls, what: str, name: str, known: Iterable[str], route: tuple[str | int, ...] = ()
    ) -> NotAvailableError:
        """The refusal of a name that nothing bears."""
        names = list(known)
        return cls(f"there is no {what} '{name}'{did_you_mean(name, names)}", f"known: {', '.join(names)}", route)


@dataclass(frozen=True, slots=True)
class BlockProvider:
    """Something that a game can show: the model of its options, and what makes blocks of them.

    `make` raises RefusedError for what there is not.
    """

    options: type[Model]
    make: Callable[[Any], Iterable[Block]]


# Words for a text, marked up, from what stands behind the quote's name. Raises RefusedError.
InlineProvider = Callable[[str], str]


@dataclass(frozen=True, slots=True)
class WorkedExample:
    """What came of an example: chances in words by their name, and what was told when it was played."""

    chances: Mapping[str, str]
    log: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Providers:
    """All that a sheet may ask for, by name.

    `judge` works out a trial from the values of its situation; with dice it plays it once too. It raises RefusedError.
    """

    blocks: Mapping[str, BlockProvider]
    inline_values: Mapping[str, InlineProvider]
    work_example: Callable[[str, Mapping[str, Any], Sequence[int]], WorkedExample]

"""Shared by commands that print only the cards that changed since a release."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import click

from cardgen.cli._terminal import print_line

if TYPE_CHECKING:
    from cardgen.pipeline.cache.build_manifest import DiscardedCard, UnprintedCard

_CHANGES = ("words", "looks", "copies")
_ERRATA = ("sheet", "stickers")


def split_changes(text: str, since: str | None) -> tuple[str, ...]:
    """Return the classes of changes of the option `--changes`; renamed cards belong to the words."""
    return _split("--changes", text, since, "class of changes", _CHANGES)


def split_errata(text: str, since: str | None) -> tuple[str, ...]:
    """Return the documents of the option `--errata`."""
    return _split("--errata", text, since, "kind of errata", _ERRATA)


def _split(option: str, text: str, since: str | None, what: str, known: tuple[str, ...]) -> tuple[str, ...]:
    """Return the words of an option that belongs to `--changed-since`."""
    names = tuple(name.strip() for name in text.split(",") if name.strip())
    if names and since is None:
        raise click.UsageError(f"{option} needs --changed-since")
    for name in names:
        if name not in known:
            raise click.UsageError(f"unknown {what} '{name}' (one of {', '.join(known)})")
    return names


def print_unprinted(cards: Iterable[UnprintedCard]) -> None:
    """Print the cards that changed and are not printed, with what prints them, if there are any."""
    cards = tuple(cards)
    if not cards:
        return
    print_line("changed, but not printed:")
    for card in cards:
        print_line(f"  {card.name} ({card.kind} {card.id}): {', '.join(card.changes)}")
    # renamed cards belong to the words
    classes = {"words" if each == "renamed" else each for card in cards for each in card.changes}
    print_line(f"  --changes {','.join(each for each in _CHANGES if each in classes)} prints them")


def print_discarded(cards: Iterable[DiscardedCard]) -> None:
    """Print the old cards to throw away, if there are any."""
    for number, card in enumerate(cards):
        if not number:
            print_line("throw away:")
        print_line(f"  {card.copies} × {card.name} ({card.kind} {card.id})")

"""Backs of cards: what the card, its template, or the settings name."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path

from cardgen.codes import Code
from cardgen.diagnostic import CardgenError, Diagnostic, Place
from cardgen.model.card_values import BackSource, choose_back
from cardgen.model.entry import Entry
from cardgen.pipeline.load.art import find_art, find_picture
from cardgen.project import Project
from cardgen.project.project import is_picture


def find_back(project: Project, entry: Entry, has_back: Callable[[str], bool]) -> BackSource:
    """Return the source of a card's back; `has_back` tells whether a template has one.

    Raises CardgenError, located at the name, if a picture cannot be used.
    """
    choice = choose_back(entry, project.settings.back, has_back)
    if choice is None:
        return BackSource(None, "", entry.place)
    if choice.rule is None:
        place = partial(entry.place, ("back" if entry.card.back else "template",))
    else:
        place = partial(project.place, ("back", choice.rule, "back"))
    if not choice.is_picture:
        return BackSource(None, choice.name, place)
    try:
        find = find_picture(project, choice.name) if choice.rule is not None else find_art(project, entry, choice.name)
    except ValueError as error:
        raise _error(str(error), place()) from None
    return BackSource(find, "", place)


def _error(message: str, place: Place) -> CardgenError:
    return CardgenError(Diagnostic(Code.ART, message, place, "add the picture, or name another back"))


def settings_back(project: Project, entry: Entry) -> str:
    """Return the back that the settings give to a card, or ''."""
    rules = project.settings.back
    return next((rule.back for rule in rules if rule.applies_to(entry.kind, entry.card.tags, entry.card)), "")


def back_pictures(project: Project) -> frozenset[Path]:
    """Return the pictures that are backs by the settings, as far as they exist."""
    pictures = set()
    for rule in project.settings.back:
        if is_picture(rule.back):
            with suppress(ValueError):
                pictures.add(find_picture(project, rule.back))
    return frozenset(pictures)

"""Backs of cards: what the card, its template, or the settings name, and mistakes in the settings' rules."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path

from cardgen.codes import Code
from cardgen.deck.art import find_art, find_picture
from cardgen.diagnostic import CardgenError, Diagnostic, Place, Severity
from cardgen.model.card import Card
from cardgen.model.card_values import BackSource, choose_back
from cardgen.model.entry import Entry
from cardgen.project import Project
from cardgen.project.project import BackRule, is_picture
from cardgen.quantity import with_article
from cardgen.rulesets.ruleset import Ruleset
from cardgen.source import KeyPath
from cardgen.validation.base import ModelKey, accepted_keys, model_keys
from cardgen.validation.suggestion import UnknownName, did_you_mean, join_words


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


def wrong_back_rules(project: Project, game: Ruleset) -> Iterator[Diagnostic]:
    """Yield a diagnostic for each name in a rule that does not exist: a kind, a key, or a choice."""
    kinds = tuple(name for name, kind in game.kinds.items() if kind.is_printed)
    for number, rule in enumerate(project.settings.back):
        path: KeyPath = ("back", number)
        if rule.kind is not None and rule.kind not in kinds:
            unknown = UnknownName("kind", rule.kind, kinds, (rule.kind,))
            yield Diagnostic(Code.BAD_SETTINGS, str(unknown), project.place((*path, "kind")), unknown.help)
        else:
            models = tuple(game.kinds[name].model for name in kinds if rule.kind in (None, name))
            yield from _wrong_conditions(rule, models, (*path, "where"), project)


def _wrong_conditions(
    rule: BackRule, models: tuple[type[Card], ...], path: KeyPath, project: Project
) -> Iterator[Diagnostic]:
    if any(model.model_config.get("extra") == "allow" for model in models):
        return
    for name, value in rule.where.items():
        keys = [model_keys(model)[name] for model in models if name in model_keys(model)]
        if not keys:
            guess = did_you_mean(name, accepted_keys(models))
            owner = with_article(rule.kind) if rule.kind else "any kind"
            message, place = f"unknown key '{name}' of {owner}{guess}", project.place((*path, name), key=True)
            yield Diagnostic(Code.BAD_SETTINGS, message, place)
        elif all(_is_impossible(key, value) for key in keys):
            choices = [str(choice) for key in keys for choice in key.choices if choice is not None]
            message = f"must be {join_words(dict.fromkeys(choices))}, not '{value}'{did_you_mean(str(value), choices)}"
            yield Diagnostic(Code.BAD_SETTINGS, message, project.place((*path, name)))


def _is_impossible(key: ModelKey, value: str | int | bool) -> bool:
    """Return whether a value is not one of the choices of its key."""
    return bool(key.choices) and str(value) not in map(str, key.choices)


def _missing_picture(rule: BackRule, path: KeyPath, project: Project) -> Iterator[Diagnostic]:
    if is_picture(rule.back):
        try:
            find_picture(project, rule.back)
        except ValueError as error:
            yield Diagnostic(Code.ART, str(error), project.place(path), "add the picture, or name another back")


def missing_back_pictures(project: Project) -> Iterator[Diagnostic]:
    """Yield an error for each rule whose picture is missing."""
    for number, rule in enumerate(project.settings.back):
        yield from _missing_picture(rule, ("back", number, "back"), project)


def unused_back_rules(project: Project, entries: Iterable[Entry]) -> Iterator[Diagnostic]:
    """Yield a warning for each rule whose conditions no card meets."""
    cards = list(entries)
    for number, rule in enumerate(project.settings.back):
        if cards and not any(rule.applies_to(entry.kind, entry.card.tags, entry.card) for entry in cards):
            tags = {tag for entry in cards for tag in entry.card.tags}
            guess = did_you_mean(rule.tag, tags) if rule.tag and rule.tag not in tags else ""
            what = f"the tag '{rule.tag}'{guess}" if guess else "this rule"
            message = f"no card has {what}" if guess else f"no card matches {what}"
            place = project.place(("back", number))
            yield Diagnostic(Code.BAD_SETTINGS, message, place, "change its conditions, or remove it", Severity.WARNING)

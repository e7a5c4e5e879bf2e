"""The parts of a card, each with the checks that look at it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import NamedTuple, TypeAlias

from pydantic.fields import FieldInfo

from cardgen.checking.check import Check, Find, Finding
from cardgen.checking.context import FREE_TEXT_KEYS, CheckContext, CheckScope, FreeText
from cardgen.checking.sentence_checks import findings_in_sentences
from cardgen.model.entry import Entry
from cardgen.source import KeyPath
from cardgen.validation.base import Aspect, Model, Prose
from cardgen.validation.model_keys import annotation_parts, model_keys

# A part of a card, the route to it, and the models that contain it.
CardPart: TypeAlias = tuple[object, KeyPath, tuple[Model, ...]]


def walk_parts(model: Model) -> list[CardPart]:
    """Return the model and all its parts, in key order."""
    collected: list[CardPart] = []
    _collect(model, (), (), collected)
    return collected


def _collect(model: Model, route: KeyPath, ancestors: tuple[Model, ...], collected: list[CardPart]) -> None:
    collected.append((model, route, ancestors))
    part_fields = _part_fields(type(model))
    if not part_fields:
        return
    inner_ancestors = (*ancestors, model)
    for field in part_fields:
        value = getattr(model, field.attribute)
        if value:
            _collect_value(value, field, (*route, field.key), inner_ancestors, collected)


class _PartField(NamedTuple):
    """A field that contains models or text, and whether its texts contain rules."""

    attribute: str
    key: str
    has_rules: bool


def _collect_value(
    value: object, field: _PartField, route: KeyPath, ancestors: tuple[Model, ...], collected: list[CardPart]
) -> None:
    """Collect the texts and models in the value of a field, which can be a list or a map of them."""
    if isinstance(value, str):
        collected.append((FreeText(value, field.key, field.has_rules), route, ancestors))
    elif isinstance(value, Model):
        _collect(value, route, ancestors, collected)
    elif isinstance(value, dict):
        for name, item in value.items():
            _collect_value(item, field, (*route, name), ancestors, collected)
    elif isinstance(value, tuple | list):
        for index, item in enumerate(value):
            _collect_value(item, field, (*route, index), ancestors, collected)


@cache
def _part_fields(model: type[Model]) -> tuple[_PartField, ...]:
    """Return the fields that contain models or text."""
    keys = ((attribute, info.alias or attribute, info) for attribute, info in model.model_fields.items())
    return tuple(
        _PartField(attribute, key, Aspect.RULES in _field_parts(info))
        for attribute, key, info in keys
        if _has_parts(model, key, info)
    )


def _has_parts(model: type[Model], key: str, info: FieldInfo) -> bool:
    """Return whether a field contains models or free text."""
    if key in FREE_TEXT_KEYS or model_keys(model)[key].models:
        return True
    return any(isinstance(part, Prose) for part in _field_parts(info))


def _field_parts(info: FieldInfo) -> tuple[object, ...]:
    """Return the metadata of a field, and the parts of its annotation."""
    return *info.metadata, *annotation_parts(info.annotation)


class Dispatch(dict[tuple[type, str], tuple[tuple[Check, Find], ...]]):
    """The checks by type (or base class) and game; the game is '' for files.

    A check that is looked up is marked as applicable.
    """

    def __init__(self, checks: Iterable[Check], applicable: set[str]) -> None:
        super().__init__()
        self._checks = [(check, check.find) for check in checks if check.find]
        self._applicable = applicable

    def interested(self, kind: type, game: str) -> tuple[tuple[Check, Find], ...]:
        """Return the checks that look at a type in a game."""
        return self[kind, game]

    def __missing__(self, key: tuple[type, str]) -> tuple[tuple[Check, Find], ...]:
        kind, game = key
        games = ("", game)
        self[key] = interested = tuple(
            (check, find) for check, find in self._checks if check.game in games and issubclass(kind, check.looks_at)
        )
        self.mark_applicable(check.name for check, _ in interested)
        return interested

    def mark_applicable(self, names: Iterable[str]) -> None:
        """Mark checks as applicable."""
        self._applicable.update(names)


# What a check finds, before it has its place in the source.
FindingOfCheck: TypeAlias = tuple[Finding, Check]


class CheckedPart(NamedTuple):
    """A part of a card, its position, and the checks that look at it; `rules_text` is the part if it is one."""

    part: object
    context: CheckContext
    checks: tuple[tuple[Check, Find], ...]
    rules_text: FreeText | None


def checked_parts(scope: CheckScope, entry: Entry, dispatch: Dispatch) -> Iterator[CheckedPart]:
    """Yield the parts of a card that are checked, in order."""
    for part, route, ancestors in walk_parts(entry.card):
        interested = dispatch[type(part), entry.game]
        rules_text = part if isinstance(part, FreeText) and part.is_rules_text else None
        if interested or rules_text:
            yield CheckedPart(part, CheckContext(scope, entry, route, ancestors), interested, rules_text)


# Yields what is found in the cards of a scope, in the order of the cards.
FindInCards: TypeAlias = Callable[[CheckScope, Dispatch], Iterable[tuple[CheckContext, FindingOfCheck]]]


def find_here(scope: CheckScope, dispatch: Dispatch) -> Iterator[tuple[CheckContext, FindingOfCheck]]:
    """Check all cards in this process."""
    for entry in scope.cards:
        for part, context, checks, rules_text in checked_parts(scope, entry, dispatch):
            for check, find in checks:
                for finding in find(part, context):
                    yield context, (finding, check)
            for pair in sentence_findings(rules_text, context, dispatch) if rules_text else ():
                yield context, pair


def sentence_findings(rules_text: FreeText, context: CheckContext, dispatch: Dispatch) -> Iterator[FindingOfCheck]:
    """Yield what checks find in the sentences of a text."""
    return findings_in_sentences(rules_text, context, dispatch.interested, walk_parts)

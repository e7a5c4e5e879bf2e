"""A card that does exactly what another card does, under another name.

Why is this bad?
    One of the two is probably a copy that was never edited, and a player who takes both gets the same thing twice.
    cardgen does not compare names, mottos, pictures, and series numbers, or cards with only a few keywords or numbers,
    unless they also share a motto.

Example
    kind: relic
    cards:
      - name: Sun Stone
        effects: [{when: turn_start, bearer: {heal: 1}}]
      - name: Moon Stone  # CG125: 11
        effects: [{when: turn_start, bearer: {heal: 1}}]

Use instead
    kind: relic
    cards:
      - name: Sun Stone
        effects: [{when: turn_start, bearer: {heal: 1}}]
      - name: Moon Stone
        effects: [{when: turn_end, bearer: {heal: 1}}]
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator
from typing import Any, get_origin

from cardgen.checking.check import CheckContext, CheckScope, Confidence, Finding, Related
from cardgen.checking.checks.lost_id import ids_of
from cardgen.diagnostic import Severity
from cardgen.model.card import Card, Entry
from cardgen.project.files import built_in_folder, display_path
from cardgen.validation.base import Model, model_keys, once_per_model

CODE, NAME = "CG125", "near-duplicate"
SEVERITY, CONFIDENCE = Severity.WARNING, Confidence.LIKELY
LOOKS_AT = CheckScope

# The name of a card, and its appearance.
_APPEARANCE_KEYS = {*Card.model_fields, "number"} - {"text"}
_NAMES = {"name"}
# What tells a text from a name, and a profile from a few numbers.
_TEXT_SPACES, _MANY_NUMBERS = 2, 4
_OF_KIT = "change it, or use the card of the sample kit: lists can name it"


def find(scope: CheckScope, context: CheckContext) -> Iterator[Finding]:
    """Yield the first card that equals an earlier one; further ones are told with it."""
    models = tuple(model for model in scope.own.models() if model.HAS_RULES)
    counts = Counter(scope.own.facts(models, content_digest))
    others = [
        (content_digest(each.card), each) for each in scope.other_cards.like(models, content_digest, lambda: counts)
    ]
    repeated = {digest for digest, _ in others if digest in counts} | {
        each for each, count in counts.items() if count > 1
    }
    own = [(content_digest(each.card), each) for each in scope.own.like(models, content_digest, lambda: repeated)]
    folder = display_path(built_in_folder("cards"))
    kit = [each for _, each in others if each.document.file.startswith(folder)]
    first: dict[object, Entry] = {}
    for digest, entry in (*others, *own):
        first.setdefault((type(entry.card), digest), entry)
    copies: dict[object, list[Entry]] = {}
    for digest, entry in own:
        other = first[type(entry.card), digest]
        is_copy = _is_distinctive(entry.card) or _has_motto_of(other.card, entry.card)
        if other.card.name != entry.card.name and is_copy and not _was_released(other, scope):
            copies.setdefault((type(entry.card), digest), []).append(entry)
    for key, (entry, *more) in copies.items():
        other, also = first[key], f" and {len(more)} more" if more else ""
        yield Finding(
            f"'{entry.card.name}'{also} {'do' if more else 'does'} exactly what '{other.card.name}' does",
            ("name",),
            help=_OF_KIT if other in kit else "change one of them, or remove it",
            entry=entry,
            related=tuple(Related("the other card", ("name",), each) for each in (other, *more)),
        )


def _was_released(other: Entry, scope: CheckScope) -> bool:
    """Return whether the project has released a card that now only the program has, which its lost id tells."""
    key = (other.game, other.card.id)
    if all((each.game, each.id) != key for each in scope.services.released()):
        return False
    return all(key != (game, name) for game, *names in scope.own.said(ids_of, scope) for name in names)


def _has_motto_of(other: Card, card: Card) -> bool:
    return bool(card.motto) and card.motto == other.motto and str(card.motto).count(" ") >= _TEXT_SPACES


def _is_distinctive(card: Card) -> bool:
    """Return whether a card has a text, a part, or so many numbers that two cards hardly have them by chance."""
    values = [
        getattr(card, attribute) for attribute in _compared_fields(type(card)) if attribute in card.model_fields_set
    ]
    items = [item for value in values for item in (value if isinstance(value, tuple) else (value,))]
    return (
        any(isinstance(item, Model | dict) for item in items)
        or any(isinstance(value, str) and value.count(" ") >= _TEXT_SPACES for value in values)
        or sum(str(item).isdigit() for item in items) >= _MANY_NUMBERS
    )


def content_digest(card: Card) -> str:
    """Return a digest of all that is compared of a card."""
    content = f"{type(card).__name__}\0{card.model_dump_json(exclude=_excluded(type(card)))}".encode(
        "utf-8", "surrogatepass"
    )
    return hashlib.blake2b(content, digest_size=12).hexdigest()


@once_per_model
def _compared_fields(model: type[Model]) -> tuple[str, ...]:
    return tuple(name for name, excluded in _fields(model) if excluded is not True)


@once_per_model
def _excluded(model: type[Model]) -> dict[str, Any]:
    """Return pydantic's `exclude` for appearance and for names of parts."""
    return {name: excluded for name, excluded in _fields(model) if excluded}


def _fields(model: type[Model]) -> Iterator[tuple[str, Any]]:
    """Yield each field with its exclusion: True (all) or {} (nothing)."""
    ignored_keys = _APPEARANCE_KEYS if issubclass(model, Card) else _NAMES
    for attribute, info in model.model_fields.items():
        below = model_keys(model)[attribute].models
        if attribute in ignored_keys:
            yield attribute, True
        elif below:
            inner = _excluded(below[0])
            yield attribute, ({"__all__": inner} if get_origin(info.annotation) is tuple and inner else inner)
        else:
            yield attribute, {}

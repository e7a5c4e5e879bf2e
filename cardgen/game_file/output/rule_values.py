"""The rules of a game file as plain values by key path, so that releases can compare them.

The first two steps tell which cards a value concerns: those of a kind (`kinds`, name) or those that use a term
(`glossary`, name). Parts of cards are listed below each field of their type.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from hashlib import blake2b
from itertools import chain
from typing import TypeAlias

from cardgen.game_file.cards.parts import NAME, LinePart
from cardgen.game_file.expressions import GameContext
from cardgen.game_file.spec.document import GameFile
from cardgen.game_file.spec.kinds import CheckSpec, FieldSpec, KindSpec, ListSpec, TypeSpec
from cardgen.rulesets.ruleset import GlossaryTerm
from cardgen.source import KeyPath
from cardgen.text.markup import choice_label, escape_markup
from cardgen.validation.base import Model

Value: TypeAlias = str | float
KINDS, FIELDS, ITEMS, GLOSSARY = "kinds", "fields", "items", "glossary"
# The keys of a field that are plain values; defaults are values of the cards.
_FIELD_KEYS = ("type", "min", "max", "kind", "label", "icon")


def rule_values(context: GameContext) -> Iterator[tuple[KeyPath, Value]]:
    """Yield the values of a game's rules by key path, in order of the file."""
    spec = context.spec
    kinds: Mapping[str, KindSpec | ListSpec] = {**spec.kinds, **spec.lists}
    for name, kind in kinds.items():
        yield from _kind_values((KINDS, name), kind, spec.types)
    for name, piece in spec.pieces.items():
        text = getattr(piece, "text", None)
        yield from [((KINDS, name, "text"), text)] if text else []
    for check_name, check in spec.checks.items():
        yield from _check_values(check_name, check, spec)
    yield from _trial_values(spec)
    yield from chain.from_iterable(map(_term_values, context.terms))


def _kind_values(
    path: KeyPath, kind: KindSpec | ListSpec, types: Mapping[str, TypeSpec]
) -> Iterator[tuple[KeyPath, Value]]:
    for field, spec in kind.fields.items():
        yield from field_values(spec, (*path, FIELDS, field), types)
    if isinstance(kind, ListSpec):
        yield (*path, "members", "kind"), ", ".join(kind.members.kinds)
        yield from _plain(kind.members, (*path, "members"), ("min", "max"))
        for field, limit in kind.limits.items():
            yield from _plain(limit, (*path, "limits", field), ("min", "max"))
        return
    yield from _plain(kind, path, ("text", "shape"))
    yield from (((*path, "boxes", label), count) for label, count in kind.boxes.items())


def field_values(
    spec: FieldSpec, path: KeyPath, types: Mapping[str, TypeSpec], above: tuple[str, ...] = ()
) -> Iterator[tuple[KeyPath, Value]]:
    """Yield the values of a field and of the parts below it; `above` are the types that it is in."""
    yield from _plain(spec, path, _FIELD_KEYS)
    if isinstance(spec.choices, Mapping):
        yield from (((*path, "choices", word), meaning) for word, meaning in spec.choices.items())
    yield from (
        ((*path, "choices", word), True) for word in spec.choices or () if not isinstance(spec.choices, Mapping)
    )
    yield from [((*path, "keys"), ", ".join(spec.keys))] if spec.keys else []
    if spec.items:
        yield from field_values(spec.items, (*path, ITEMS), types, above)
    part = types.get(spec.type)
    if part and spec.type not in above:
        yield from _plain(part, path, ("line",))
        for name, field in part.fields.items():
            yield from field_values(field, (*path, FIELDS, name), types, (*above, spec.type))


def _plain(spec: Model, path: KeyPath, keys: Iterable[str]) -> Iterator[tuple[KeyPath, Value]]:
    values = ((key, getattr(spec, key)) for key in keys)
    yield from (((*path, key), value) for key, value in values if value is not None)


def _check_values(name: str, check: CheckSpec, spec: GameFile) -> Iterator[tuple[KeyPath, Value]]:
    """Yield a check for each kind that it looks at, or that has a part of a type that it looks at."""
    kinds: Mapping[str, KindSpec | ListSpec] = {**spec.kinds, **spec.lists}
    for kind, its in kinds.items():
        if {kind, *_types_of(its.fields.values(), spec.types)} & {*check.kind}:
            yield from _plain(check, (KINDS, kind, "checks", name), ("when", "severity"))


def _types_of(fields: Iterable[FieldSpec], types: Mapping[str, TypeSpec]) -> frozenset[str]:
    """Return the types of parts in fields, and those below them."""
    pending, seen = [*fields], set[str]()
    while pending:
        spec = pending.pop()
        pending += [spec.items] if spec.items else []
        if spec.type in types and spec.type not in seen:
            seen.add(spec.type)
            pending += types[spec.type].fields.values()
    return frozenset(seen)


def _trial_values(spec: GameFile) -> Iterator[tuple[KeyPath, Value]]:
    """Yield a digest of each trial, with its dice and the trials that it calls, for each kind that it asks for."""
    for name, trial in spec.trials.items():
        kinds = dict.fromkeys(kind for ask in trial.asks.values() for kind in _names(getattr(ask, "kind", None)))
        content = json.dumps([each.model_dump(mode="json") for each in _parts_of_trial(name, spec)], sort_keys=True)
        digest = blake2b(content.encode(), digest_size=8).hexdigest()
        yield from (((KINDS, kind, "trials", name), digest) for kind in kinds)


def _names(kind: str | Iterable[str] | None) -> tuple[str, ...]:
    return (kind,) if isinstance(kind, str) else tuple(kind or ())


def _parts_of_trial(name: str, spec: GameFile) -> Iterator[Model]:
    """Yield a trial, and the dice and trials whose names it contains."""
    pending, seen = [name], {name}
    while pending:
        part = spec.trials.get(pending[-1]) or spec.dice[pending[-1]]
        pending.pop()
        yield part
        text = part.model_dump_json()
        more = [each for each in (*spec.trials, *spec.dice) if each not in seen and f'"{each}"' in text]
        seen.update(more)
        pending += more


def _term_values(term: GlossaryTerm) -> Iterator[tuple[KeyPath, Value]]:
    path = (GLOSSARY, term.name)
    yield (*path, "means"), term.definition
    yield (*path, "forms"), ", ".join((*term.forms, *term.everyday))
    yield from [((*path, "bold"), True)] if term.bold else []


# A value whose field is unknown, such as one inside a map.
_ANY = FieldSpec(type="text")


def title_of(name: str) -> str:
    """Return the label of a key without one: 'Hit points' for 'hit_points'."""
    words = name.replace("_", " ").replace("-", " ")
    return words[:1].upper() + words[1:]


class FieldWords:
    """Words for the values of fields, given the types of parts of a game."""

    def __init__(self, types: Mapping[str, TypeSpec]) -> None:
        self._types = types

    def lines(self, value: object, spec: FieldSpec, label: str) -> Iterator[str]:
        """Yield the marked-up lines of a list, map, or part.

        Values that are no parts share a line.
        """
        item_spec = spec.items or _ANY
        if isinstance(value, Model):
            yield self._part_line(value, spec, label)
        elif isinstance(value, tuple) and any(isinstance(item, Model) for item in value):
            for item in value:
                yield from self.lines(item, item_spec, label)
        elif isinstance(value, dict) and any(isinstance(item, Model | tuple | dict) for item in value.values()):
            for key, item in value.items():
                yield from self.lines(item, item_spec, title_of(key))
        elif isinstance(value, tuple | dict) and value:
            yield f"**{escape_markup(label)}** {self.line(value, spec)}"

    def line(self, value: object, spec: FieldSpec) -> str:
        """Return values on one line, separated by commas."""
        item_spec = spec.items or _ANY
        if isinstance(value, dict):
            return ", ".join(
                f"{escape_markup(str(key))} {self.line(item, item_spec)}".strip() for key, item in value.items()
            )
        if isinstance(value, tuple):
            return ", ".join(self.line(item, item_spec) for item in value)
        if isinstance(value, Model):
            return self._part_line(value, spec, "")
        text = "" if value is True else str(value)
        return escape_markup(choice_label(text) if spec.type == "choice" else text)

    def _part_line(self, part: Model, spec: FieldSpec, label: str) -> str:
        """Return a part as its name and its line, or its values."""
        name = escape_markup(getattr(part, NAME, "") or label)
        line = part.line if isinstance(part, LinePart) else ""
        if line:
            return f"**{name}** {escape_markup(line)}"
        specs = self._types[spec.type].fields if spec.type in self._types else {}
        values = ((key, value) for key, value in part if key != NAME and value not in (None, False, (), {}))
        words = (
            f"{escape_markup(title_of(key).lower())} {self.line(value, specs.get(key, _ANY))}" for key, value in values
        )
        return f"**{name}** {', '.join(map(str.strip, words))}"

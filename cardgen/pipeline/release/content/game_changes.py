"""Changes of a project's own rules, and the cards that they concern."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from cardgen.model.card_values import Scalar, pointer_steps
from cardgen.pipeline.release.content.released_card import Release, ReleasedCard
from cardgen.validation.base import Aspect
from cardgen.validation.suggestion import slugify

# What the last keys of values change, apart from rules, and keys above the last one.
_WORDS, _LOOKS = frozenset({"label", "text", "line"}), frozenset({"icon", "bold", "shape"})
GLOSSARY, SETTINGS = "glossary", "settings"
_KINDS, _BOXES, _FIELDS, _ITEMS, _CHOICES = "kinds", "boxes", "fields", "items", "choices"


class ChangedGameValue(NamedTuple):
    """A value of a game's rules before and after, by JSON pointer; None for a missing one."""

    game: str
    key: str
    old: Scalar | None
    new: Scalar | None

    @property
    def steps(self) -> tuple[str, ...]:
        """The steps of the pointer."""
        return tuple(pointer_steps(self.key))

    @property
    def aspect(self) -> Aspect:
        """Whether rules, words, or looks of cards change with it."""
        steps = self.steps
        if steps[-1] in _LOOKS or (len(steps) == 4 and steps[2] == _BOXES):
            return Aspect.LOOKS
        return Aspect.WORDS if steps[-1] in _WORDS else Aspect.RULES

    def concerns(self, card: ReleasedCard) -> bool:
        """Return whether a card, before or after the change, is one of those that it concerns."""
        match self.steps:
            case _ if card.game != self.game:
                return False
            case (section, term, _) if section == GLOSSARY:
                return term in card.terms
            case (section, *names) if section == SETTINGS:
                return _is_named(card, (*names, self.old, self.new))
            case (section, kind, *rest) if section == _KINDS:
                return card.kind == kind and self._concerns_kind(card, rest)
            case _:
                return bool(card.values)

    def _concerns_kind(self, card: ReleasedCard, steps: list[str]) -> bool:
        """Return whether it concerns a card of its kind: one with the field, or with the choice."""
        if steps == ["text"]:
            return "text" not in card.texts and "text" not in card.values
        fields, rest = _field_steps(steps)
        values = [value for key, value in (*card.values.items(), *card.texts.items()) if _leads(fields, key)]
        if rest[:1] == [_CHOICES]:
            return rest[1] in values
        return bool(values) or not fields


def _field_steps(steps: list[str]) -> tuple[list[str], list[str]]:
    """Return the names of fields at the start of a pointer, and the rest."""
    names = []
    while len(steps) > 1 and steps[0] == _FIELDS:
        names.append(steps[1])
        steps = steps[2:]
        while steps[:1] == [_ITEMS]:
            steps = steps[1:]
    return names, steps


def _leads(fields: list[str], key: str) -> bool:
    """Return whether a key of a card is below some fields."""
    steps = pointer_steps(key)
    return bool(fields) and next(steps) == fields[0] and all(field in steps for field in fields[1:])


def _is_named(card: ReleasedCard, names: tuple[Scalar | None, ...]) -> bool:
    words = {slugify(each) for each in names if isinstance(each, str)}
    return any(value in words for value in card.values.values())


def changed_game_values(old: Release, new: Release) -> Iterator[ChangedGameValue]:
    """Yield the values that changed in games of which both releases have cards."""
    shared = {card.game for card in old.cards} & {card.game for card in new.cards}
    for game in sorted(shared & (old.games.keys() | new.games.keys())):
        one, two = old.games.get(game, {}), new.games.get(game, {})
        if _has_own_file(one) == _has_own_file(two):
            for key in sorted(one.keys() | two.keys()):
                if one.get(key) != two.get(key):
                    yield ChangedGameValue(game, key, one.get(key), two.get(key))


def _has_own_file(values: Mapping[str, Scalar]) -> bool:
    """Return whether values are from a game file, whose game may have become one of a package."""
    return any(not key.startswith(f"{SETTINGS}/") for key in values)

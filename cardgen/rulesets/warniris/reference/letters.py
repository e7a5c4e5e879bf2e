"""The letters on datacards: characteristics, and the numbers and types of weapons."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from cardgen.reference.tree import Block, Table
from cardgen.rulesets.reference import ContentProvider, GameData, NoOptions, table
from cardgen.rulesets.warniris.kinds import Stats
from cardgen.rulesets.warniris.profile import NUMBER_LETTERS, WEAPON_TYPES

TYPE_NAMES = {"CW": "Combat Weapon", "RW": "Ranged Weapon", "P": "Power"}


def _characteristic_letters(_: NoOptions, data: GameData) -> Iterator[Block]:
    yield _letter_table(((letters[0], name.capitalize()) for name, letters in Stats.SYNONYMS.items()), data)


def _number_letters(_: NoOptions, data: GameData) -> Iterator[Block]:
    yield _letter_table(((letter, name.capitalize()) for letter, (name, _limit) in NUMBER_LETTERS.items()), data)


def _type_letters(_: NoOptions, data: GameData) -> Iterator[Block]:
    yield _letter_table(((letter, TYPE_NAMES[letter]) for letter in WEAPON_TYPES), data)


def _letter_table(letters: Iterable[tuple[str, str]], data: GameData) -> Table:
    """Letters with the terms that they stand for, and what those mean."""
    rows = ((letter, f"**{name}**\u2002{_definition(letter, name, data)}") for letter, name in letters)
    return table(("", ""), rows, "ll")


def _definition(letter: str, name: str, data: GameData) -> str:
    """What a term means; the letter in front of it stands in a cell of its own."""
    text = data.term(name).definition.removeprefix(f"{letter}: ")
    return text[0].upper() + text[1:]


LETTER_PROVIDERS = {
    "characteristics": ContentProvider(_characteristic_letters, "the letters of a fighter and what each does"),
    "weapon-numbers": ContentProvider(_number_letters, "the letters of a weapon's line and what each does"),
    "weapon-types": ContentProvider(_type_letters, "CW, RW and P"),
}

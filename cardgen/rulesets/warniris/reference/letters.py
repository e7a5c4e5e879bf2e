"""The letters on datacards: characteristics, and the numbers and types of weapons."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from cardgen.reference.tree import Block, Table
from cardgen.rulesets.reference import Exhibit, Knowledge, NoOptions, table
from cardgen.rulesets.warniris.kinds import Stats
from cardgen.rulesets.warniris.profile import LETTERS, TYPES

TYPE_NAMES = {"CW": "Combat Weapon", "RW": "Ranged Weapon", "P": "Power"}


def _characteristics(_: NoOptions, known: Knowledge) -> Iterator[Block]:
    yield _explained(((letters[0], name.capitalize()) for name, letters in Stats.SYNONYMS.items()), known)


def _numbers(_: NoOptions, known: Knowledge) -> Iterator[Block]:
    yield _explained(((letter, name.capitalize()) for letter, (name, _limit) in LETTERS.items()), known)


def _types(_: NoOptions, known: Knowledge) -> Iterator[Block]:
    yield _explained(((letter, TYPE_NAMES[letter]) for letter in TYPES), known)


def _explained(letters: Iterable[tuple[str, str]], known: Knowledge) -> Table:
    """Letters with the terms that they stand for, and what those mean."""
    rows = ((letter, f"**{name}**\u2002{_definition(letter, name, known)}") for letter, name in letters)
    return table(("", ""), rows, "ll")


def _definition(letter: str, name: str, known: Knowledge) -> str:
    """What a term means; the letter in front of it stands in a cell of its own."""
    text = known.term(name).definition.removeprefix(f"{letter}: ")
    return text[0].upper() + text[1:]


EXHIBITS = {
    "characteristics": Exhibit(_characteristics, "the letters of a fighter and what each does"),
    "weapon-numbers": Exhibit(_numbers, "the letters of a weapon's line and what each does"),
    "weapon-types": Exhibit(_types, "CW, RW and P"),
}

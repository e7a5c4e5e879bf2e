"""What happens to somebody, as a clause."""

from __future__ import annotations

from typing import NamedTuple

from cardgen.rulesets.warniris.effect import Deeds
from cardgen.rulesets.warniris.grammar import SPACE, cm, quoted, signed
from cardgen.rulesets.warniris.profile import Profile
from cardgen.shape.suggestion import listed

CHANGES = ("mind", "body", "spirit", "movement", "range", "penetration", "damage")
LENGTHS = {"movement", "range"}
PLURALS = {
    "gets": "get",
    "has": "have",
    "is": "are",
    "regains": "regain",
    "takes": "take",
    "ignores": "ignore",
}


class Subject(NamedTuple):
    """Somebody whom an effect concerns.

    `free` is true for those who choose what they do, `changed` is the verb before a change of numbers, and
    `acting` is true where the subject's own words name the deed that the change weighs on.
    """

    noun: str
    changed: str
    plural: bool = False
    free: bool = False
    acting: bool = False


def statement(subject: Subject, deeds: Deeds, *, point: bool) -> str:
    """'enemies within 5 cm take 1 Damage'. `point` says that one lost point is spoken of, which can be ignored."""
    phrases = [*_suffered(deeds, point=point), *_chosen(deeds, free=subject.free)]
    changes = _changes(deeds)
    if changes:
        verb = "does so at" if subject.acting and not phrases else subject.changed
        phrases.append(f"{verb} {listed(changes, 'and')}")
    return f"{subject.noun} {listed(map(_plural, phrases) if subject.plural else phrases, 'and')}"


def _changes(deeds: Deeds) -> list[str]:
    """'+1 Mind', '−5 cm Movement'."""
    changed = {name: signed(getattr(deeds, name)) for name in CHANGES if getattr(deeds, name)}
    return [f"{cm(by) if name in LENGTHS else by}{SPACE}{name.capitalize()}" for name, by in changed.items()]


def _suffered(deeds: Deeds, *, point: bool) -> list[str]:
    """What happens without anybody's doing."""
    phrases = []
    if deeds.heal:
        phrases.append(f"regains {wounds(deeds.heal)}")
    if deeds.deal:
        phrases.append(f"takes {deeds.deal}{SPACE}Damage")
    if deeds.ignore:
        that = point and deeds.ignore == 1
        phrases.append(f"ignores {'that loss' if that else f'the loss of {wounds(deeds.ignore)}'}")
    return phrases


def _chosen(deeds: Deeds, *, free: bool) -> list[str]:
    """What the bearer's side may do, and what the others must."""
    phrases = []
    if deeds.move:
        phrases.append(f"{'may Move' if free else 'is moved'} up to {cm(deeds.move)}")
    if deeds.reroll:
        phrases.append(f"{'may re-roll a failed' if free else 'must re-roll a passed'} {deeds.reroll} Test")
    if deeds.weapon:
        phrases.append(f"may use {_weapon(deeds.weapon)}")
    return phrases


def _weapon(weapon: Profile) -> str:
    """'*Claws* (CW R1 D2)'."""
    return f"{quoted(weapon.name)} ({f'{weapon.type} {weapon.numbers}'.strip()})"


def wounds(count: int) -> str:
    """'1 Wound', '2 Wounds'."""
    return f"{count}{SPACE}{'Wound' if count == 1 else 'Wounds'}"


def _plural(phrase: str) -> str:
    verb, rest = phrase.split(" ", 1)
    return f"{PLURALS.get(verb, verb)} {rest}"

"""Clauses for consequences: 'takes 1 Damage', 'may re-roll a failed hit Test'."""

from __future__ import annotations

from typing import NamedTuple

from cardgen.game import NBSP, centimetres, italic_name, join_words, signed
from cardgen.rulesets.warniris.effect import Deeds
from cardgen.rulesets.warniris.weapon_line import Profile

CHANGED_STATS = ("mind", "body", "spirit", "movement", "range", "penetration", "damage")
STATS_IN_CM = {"movement", "range"}
PLURAL_VERBS = {
    "gets": "get",
    "has": "have",
    "is": "are",
    "regains": "regain",
    "takes": "take",
    "ignores": "ignore",
}


class Subject(NamedTuple):
    """A party that an effect applies to.

    `may_choose` is true if it chooses what it does, `change_verb` is the verb before a change of values, and
    `names_event` is true if the noun already names the action that the change applies to.
    """

    noun: str
    change_verb: str
    plural: bool = False
    may_choose: bool = False
    names_event: bool = False


def consequence_clause(subject: Subject, deeds: Deeds, *, one_point: bool) -> str:
    """Return 'enemies within 5 cm take 1 Damage'.

    `one_point` is true if the sentence is about a single lost Wound, which can be ignored.
    """
    phrases = [*_forced_phrases(deeds, one_point=one_point), *_choice_phrases(deeds, may_choose=subject.may_choose)]
    changes = _stat_changes(deeds)
    if changes:
        verb = "does so at" if subject.names_event and not phrases else subject.change_verb
        phrases.append(f"{verb} {join_words(changes, 'and', serial_comma=False)}")
    words = map(_plural_phrase, phrases) if subject.plural else phrases
    return f"{subject.noun} {join_words(words, 'and', serial_comma=False)}"


def _stat_changes(deeds: Deeds) -> list[str]:
    """Return the changes: '+1 Mind', '−5 cm Movement'."""
    changed = {name: signed(getattr(deeds, name)) for name in CHANGED_STATS if getattr(deeds, name)}
    return [
        f"{centimetres(by) if name in STATS_IN_CM else by}{NBSP}{name.capitalize()}" for name, by in changed.items()
    ]


def _forced_phrases(deeds: Deeds, *, one_point: bool) -> list[str]:
    """Return what happens without a choice."""
    phrases = []
    if deeds.heal:
        phrases.append(f"regains {wounds_phrase(deeds.heal)}")
    if deeds.deal:
        phrases.append(f"takes {deeds.deal}{NBSP}Damage")
    if deeds.ignore:
        that = one_point and deeds.ignore == 1
        phrases.append(f"ignores {'that loss' if that else f'the loss of {wounds_phrase(deeds.ignore)}'}")
    return phrases


def _choice_phrases(deeds: Deeds, *, may_choose: bool) -> list[str]:
    """Return what the bearer's side may do, and what others must do."""
    phrases = []
    if deeds.move:
        phrases.append(f"{'may Move' if may_choose else 'is moved'} up to {centimetres(deeds.move)}")
    if deeds.reroll:
        phrases.append(f"{'may re-roll a failed' if may_choose else 'must re-roll a passed'} {deeds.reroll} Test")
    if deeds.weapon:
        phrases.append(f"may use {_lent_weapon(deeds.weapon)}")
    return phrases


def _lent_weapon(weapon: Profile) -> str:
    """Return '*Claws* (CW R1 D2)'."""
    return f"{italic_name(weapon.name)} ({f'{weapon.type} {weapon.numbers}'.strip()})"


def wounds_phrase(count: int) -> str:
    """Return '1 Wound' or '2 Wounds'."""
    return f"{count}{NBSP}{'Wound' if count == 1 else 'Wounds'}"


def _plural_phrase(phrase: str) -> str:
    verb, rest = phrase.split(" ", 1)
    return f"{PLURAL_VERBS.get(verb, verb)} {rest}"

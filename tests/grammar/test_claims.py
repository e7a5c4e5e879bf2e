"""Claims of texts: what their sentences say of their card, if every word of a sentence is read."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from cardgen.grammar.claims import Claims
from cardgen.grammar.grammar import Grammar
from cardgen.rulesets.diskwars import wording as diskwars
from cardgen.rulesets.skirmish import wording as skirmish
from tests.cases import each_case
from tests.near_misses import near_misses

GRAMMARS: dict[str, tuple[Grammar, Callable[[str], Claims]]] = {
    "disks": (diskwars.GRAMMAR, diskwars.claims_of),
    "weapons": (skirmish.WEAPONS, lambda text: skirmish.claims_of(skirmish.WEAPONS, text)),
    "warriors": (skirmish.WARRIORS, lambda text: skirmish.claims_of(skirmish.WARRIORS, text)),
}
TEXTS = {
    "disks": [
        "Deal 2 arcane damage to an enemy disk within short range.",
        "Empower this disk and another friendly disk within short range.",
        "Friendly disks with flying or strider have 1 more movement.",
        "Ranged attacks at friendly disks that have not been activated roll 1 battle die fewer (at least 1).",
        "Move an enemy disk within medium range by 1 flip.",
        "A disk that has a wound token has 1 less movement.",
        "Disks that reinforce here get no activation token.",
        "Every piece of terrain is rough.",
        "It has flying.",
        "Its bow has long range.",
        "When it reinforces, it makes its free scout move.",
        "Disks may be deployed here on top of enemy disks.",
        "It may be empowered a second time.",
    ],
    "weapons": [
        "+2 Strength. It strikes after all others, except in the turn in which its user charges.",
        "One shot, or two at a target within 9\".",
        "For riders, +1 Strength in the turn of a charge.",
        "It takes 1 more off armor saves. No shot in a turn in which the shooter moved.",
    ],
    "warriors": [
        "She is a Level 2 Wizard.",
        "He wears heavy armor.",
        "His charm gives a ward save of 5.",
        "It climbs walls.",
        "His horse is barded.",
        "It flees from charges.",
    ],
}  # fmt: skip


def meanings(claims: Claims) -> list[dict[str, object]]:
    return [dict(claim.meaning) for claim in claims.claims]


@each_case(
    ("grammar", "text", "expected"),
    [
        ("disks", "Empower this disk and another friendly disk within short range.",
         [{"do": "empower", "whom": "self", "within": "short"}, {"do": "empower", "whom": "other", "within": "short"}]),
        ("disks", "Move a friendly disk within long range two flips.",
         [{"do": "move", "whom": "friend", "within": "long", "amount": 2}]),
        ("disks", "Heroes get +1 toughness.", [{"stat": "toughness", "whom": "heroes", "amount": 1}]),
        ("disks", "It cannot be empowered.", [{"empowerable": False}]),
        ("weapons", "It adds 1 to the Strength of its user, and needs both hands.", [{"bonus": 1}, {"hands": 2}]),
        ("weapons", "Strength of the thrower +1.", [{"rules": "thrown", "bonus": 1}]),
        ("warriors", "His lucky charm gives a ward save of 5.", [{"ward": 5}]),
        ("warriors", "She does not cause fear.", []),
        ("warriors", "While he has lost a Wound, his Movement is 3.", []),
    ],
)  # fmt: skip
def test_a_sentence_says_this_of_its_card(grammar: str, text: str, expected: list[dict[str, object]]) -> None:
    assert meanings(GRAMMARS[grammar][1](text)) == expected


def test_a_claim_has_the_place_of_its_clause() -> None:
    text = "Nobody knows. It has flying, and impact 2."
    claims, unread = found = diskwars.claims_of("Nobody knows. It has flying.")
    assert not found.is_whole
    assert unread == (("Nobody knows.", 0),)
    assert [text[claim.start : claim.end] for claim in claims] == ["It has flying"]


@pytest.mark.parametrize("grammar", TEXTS)
def test_a_sentence_with_another_word_does_not_say_the_same(grammar: str) -> None:
    """A word that changes the meaning is never skipped: the sentence says something else, or nothing.

    'Only' before a number changes nothing: the number is exact anyway.
    """
    claims_of = GRAMMARS[grammar][1]
    missed = [
        (text, near)
        for text in TEXTS[grammar]
        for near in near_misses(text)
        if near.lower() != text.lower()
        and not re.search(r"only \d", near)
        and meanings(claims_of(near)) == meanings(claims_of(text))
    ]
    assert missed == []

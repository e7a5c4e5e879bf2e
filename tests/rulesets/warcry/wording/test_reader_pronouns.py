"""Whom 'it', 'that enemy', 'that attack', and 'its activation' mean, or that the sentence is not read."""

from __future__ import annotations

from typing import Any

from tests.cases import each_case
from tests.rulesets.warcry.wording.test_reader import data_of

FRIEND, ENEMY = 'Pick a friendly fighter within 6".', 'Pick an enemy within 6".'
REACTION = "This fighter can make this reaction after a melee attack that targets it is resolved."
ROUND = "until the end of the battle round"


@each_case(
    ("sentences", "change"),
    [
        ("It can make a bonus attack. Add 1 to the Strength characteristic of that attack action.", {"strength": 1}),
        ("It can make a bonus attack. That attack has +1 Attacks.", {"attacks": 1}),
        ("It can make a bonus attack, and add 1 to the Strength of that attack.", {"strength": 1}),
        ("It can make a bonus attack. Re-roll misses for that attack.", {"reroll": "misses"}),
        ("It can make a bonus attack. That attack ignores cover.", {"no_cover": "any"}),
        ("It can make a bonus attack. Add 1 to the damage points allocated by each hit of that attack.", {"damage": 1}),
        ("It can make a bonus move, and then a bonus attack. Add 2 to the Damage of critical hits of that attack.",
         {"critical": 2}),
    ],
    ids=lambda each: each[:60] if isinstance(each, str) else "",
)  # fmt: skip
def test_that_attack_is_the_bonus_attack_before_it(sentences: str, change: dict[str, Any]) -> None:
    changes = data_of(f"{FRIEND} {sentences}", "double")
    assert changes is not None
    assert changes[-1] == {"of": "picked", "for": "attack", **change}


def test_that_attack_is_the_bonus_attack_of_the_fighter_that_reacts() -> None:
    bonus = "It can make a bonus attack that targets the attacker. Add 1 to the Strength of that attack."
    changes = data_of(f"{REACTION} {bonus}", "reaction")
    assert changes is not None
    assert changes[-1] == {"strength": 1, "for": "attack"}
    before = "This fighter can make this reaction when a melee attack targets it, before the hit rolls."
    assert data_of(f"{before} Subtract 1 from the Strength of that attack.", "reaction") == [
        {"reacts": {"event": "targeted", "attack": "melee"}},
        {"of": "attacker", "strength": -1, "for": "attack"},
    ]


@each_case(
    "text",
    [
        # The attack of another.
        f"{FRIEND} It can make a bonus attack. This fighter has +1 Strength for that attack.",
        f"{FRIEND} It can make a bonus attack. For that attack, critical hits are scored on 5+.",
        f"{FRIEND} It can make a bonus attack. {ENEMY} Add 1 to the Strength of that attack.",
        f"{FRIEND} It can make a bonus move. This fighter can fly during that move.",
        # The one that was picked, or the one rolled for.
        f'{FRIEND} Roll a die for each enemy within 3". For each 4+, remove 1 damage point from that fighter.',
        f'{ENEMY} Roll a die for each enemy within 3". On a 4+, that enemy is allocated 1 damage point.',
        f'{ENEMY} Roll a die for each friendly fighter within 3". On a 4+, it is allocated 1 damage point.',
        # Either of two that a clause names.
        f"{ENEMY} This fighter can make a bonus attack against it. Then it is allocated 1 damage point.",
        f"{ENEMY} This fighter can make a bonus attack against it, then it is allocated 1 damage point.",
        f"{ENEMY} This fighter can make a bonus attack that targets it. It cannot make reactions {ROUND}.",
        f"{ENEMY} This fighter can make a bonus attack that targets that enemy. If it is taken down, this fighter can "
        'make a bonus move of up to 3".',
        f"{ENEMY} This fighter's attacks against that enemy have +1 Strength {ROUND}. It cannot react {ROUND}.",
        f'{ENEMY} This fighter moves up to 3" toward that fighter. It is allocated 1 damage point.',
        f'{ENEMY} Each friendly fighter within 3" of that enemy has +1 Attacks {ROUND}. It suffers 2 damage points.',
        f'{ENEMY} Each other enemy within 3" of it is allocated 1 damage point. It cannot make reactions {ROUND}.',
        f"{ENEMY} Remove 1 damage point from this fighter and allocate 1 damage point to it.",
        f"{ENEMY} Allocate 3 damage points to it. Remove 1 damage point from this fighter. It cannot react {ROUND}.",
        f"{ENEMY} Add 1 to this fighter's Strength {ROUND}. It cannot make reactions {ROUND}.",
        f'Each enemy within 3" is allocated 1 damage point. It cannot make reactions {ROUND}.',
        f"{ENEMY} The next attack by a friendly fighter that targets that enemy in this battle round has +1 Attacks.",
        f'{ENEMY} A friendly fighter within 6" can make a bonus attack against that enemy.',
        # The activation of another.
        f"{ENEMY} It cannot make move actions until the end of its activation.",
        f"{ENEMY} It cannot make move actions until the end of their activation.",
        f"{ENEMY} It cannot make move actions until it ends its activation.",
        f"{ENEMY} It has -1 Toughness until the start of its next activation.",
        f"{ENEMY} The next time it is attacked in its activation, it has -1 Toughness.",
        'Each friendly fighter within 6" has +1 Move until the end of its activation.',
        'Each friendly fighter within 6" has +1 Move until the end of their activation.',
        'Each enemy within 3" has -1 Attacks until the start of its next activation.',
        "Friendly fighters have +1 Move until the end of each enemy's activation.",
        'Friendly fighters that start their activation within 6" of this fighter have +1 Move until the end of that '
        "activation.",
        f"{FRIEND} It can activate right after this fighter's activation. Add 1 to its Attacks until the end of that "
        "activation.",
        f"{ENEMY} It has -1 Move for this fighter's next move action in this battle round.",
    ],
    ids=lambda text: text[-70:],
)  # fmt: skip
def test_words_that_could_mean_somebody_else_are_not_read(text: str) -> None:
    assert data_of(text, "double") is None


@each_case(
    ("text", "change"),
    [
        # A word with a side means the one of that side.
        (f'{ENEMY} Roll a die for each other friendly fighter within 3". For each 4+, allocate 1 damage to that enemy.',
         {"on_roll": "4+", "of": "picked", "deal": 1}),
        (f'{FRIEND} Roll a die for each enemy within 3". On a 4+, remove 1 damage point from that friendly fighter.',
         {"on_roll": "4+", "of": "picked", "heal": 1}),
        (f'{FRIEND} Roll a die for each enemy within 3". On a 4+, that enemy is allocated 1 damage point.',
         {"on_roll": "4+", "of": "rolled", "deal": 1}),
        (f"{ENEMY} Roll a die for that fighter. On a 4+, it is allocated 1 damage point.",
         {"on_roll": "4+", "of": "picked", "deal": 1}),
        # The same subject, said or left out.
        (f"{ENEMY} This fighter can make a bonus attack against it. This fighter has +1 Toughness {ROUND}.",
         {"toughness": 1, "for": "round"}),
        (f"{ENEMY} This fighter can make a bonus attack against it. That enemy cannot make reactions {ROUND}.",
         {"of": "picked", "cannot": ["react"], "for": "round"}),
        (f"{ENEMY} This fighter can make a bonus attack against it and cannot make reactions {ROUND}.",
         {"cannot": ["react"], "for": "round"}),
        (f"{ENEMY} It cannot make move actions until the end of this activation.",
         {"of": "picked", "cannot": ["move"], "for": "activation"}),
        (f"{ENEMY} It has -1 Toughness until the start of this fighter's next activation.",
         {"of": "picked", "toughness": -1, "for": "next-activation"}),
        ("This fighter has +1 Toughness until the start of its next activation.",
         {"toughness": 1, "for": "next-activation"}),
        (f"{ENEMY} This fighter's attacks against that enemy have +1 Strength until the end of its activation.",
         {"strength": 1, "target": "picked", "for": "activation"}),
        (f"{ENEMY} It has -1 Move for its next move action in this battle round.",
         {"of": "picked", "move": -1, "for": "round", "next": "move"}),
        (f'Each enemy within 3" is allocated 1 damage point. They cannot make reactions {ROUND}.',
         {"of": {"side": "enemy", "within": 3}, "cannot": ["react"], "for": "round"}),
        ('Enemies within 3" cannot make move actions. It lasts until the end of the battle round.',
         {"of": {"side": "enemy", "within": 3}, "cannot": ["move"], "for": "round"}),
    ],
    ids=lambda each: each[-70:] if isinstance(each, str) else "",
)  # fmt: skip
def test_words_that_can_mean_one_only_are_read(text: str, change: dict[str, Any]) -> None:
    changes = data_of(text, "double")
    assert changes is not None
    assert changes[-1] == change

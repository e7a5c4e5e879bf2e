"""Decks of any length for measuring, always the same."""

from __future__ import annotations

from itertools import islice, product

FIRST = (
    "Iron",
    "Ash",
    "Grave",
    "Storm",
    "Blood",
    "Night",
    "Bone",
    "Frost",
    "Ember",
    "Thorn",
    "Dusk",
    "Rust",
    "Salt",
    "Pale",
    "Grim",
)
SECOND = (
    "Warden",
    "Reaver",
    "Hound",
    "Stalker",
    "Priest",
    "Gunner",
    "Cutter",
    "Brute",
    "Howler",
    "Sentry",
    "Keeper",
    "Drake",
    "Rider",
    "Herald",
    "Monk",
)
NUMBER = ("", " II", " III", " IV", " V", " VI")
CLOSE = ("Dagger", "Sword", "Club", "Axe", "Flail", "Blade", "Hook")
FAR = ("Rifle", "Pistol", "Lance", "Blast", "Sling")
MOTTOS = (
    "Nobody passes twice.",
    "What it names, burns.",
    "Talks with the heavy end.",
    "The river remembers every one of us.",
    "It came to stay.",
)


def minions(number: int) -> str:
    """A card file with that many minions, no two alike; 1350 at the most."""
    names = (f"{first} {second}{numeral}" for numeral, second, first in product(NUMBER, SECOND, FIRST))
    return "kind: minion\ncards:\n" + "".join(_minion(index, name) for index, name in enumerate(islice(names, number)))


def _minion(index: int, name: str) -> str:
    mind, body, spirit = (index // step % 5 + 1 for step in (1, 5, 25))
    close, far = CLOSE[index % len(CLOSE)], FAR[index % len(FAR)]
    return (
        f"  - name: {name}\n    motto: {MOTTOS[index % len(MOTTOS)]}\n"
        f"    stats: {{M: {mind}, B: {body}, S: {spirit}, W: {index % 3 + 1}, Mo: {index % 17 + 4}}}\n"
        f"    weapons:\n      - {close}: CW R1 P{index % 3 + 1} D{index % 2 + 1}\n"
        f"      - {far} of {FIRST[index % 11]}: RW R{index % 20 + 5} P1 D{index % 3 + 1}\n"
    )

"""Reproducible decks of any length for benchmarks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count, islice, product
from pathlib import Path
from random import Random

from PIL import Image

_A_FILE = 300

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
    """Return a card file with up to 1350 different minions."""
    names = (f"{first} {second}{numeral}" for numeral, second, first in product(NUMBER, SECOND, FIRST))
    return "kind: minion\ncards:\n" + "".join(_minion(index, name) for index, name in enumerate(islice(names, number)))


def minions_of_sizes(number: int, sizes: Sequence[str]) -> Iterator[str]:
    """Return files of 1000 minions each, in runs of `sizes`."""
    places = ("", *(f" of {first}" for first in FIRST))
    names = (
        f"{first} {second}{numeral}{place}" for place, numeral, second, first in product(places, NUMBER, SECOND, FIRST)
    )
    cards = [
        f"{_minion(index, name)}    size: {sizes[index % len(sizes)]}\n"
        for index, name in enumerate(islice(names, number))
    ]
    for start in range(0, number, 1000):
        yield "kind: minion\ncards:\n" + "".join(cards[start : start + 1000])


def _minion(index: int, name: str) -> str:
    mind, body, spirit = (index // step % 5 + 1 for step in (1, 5, 25))
    close, far = CLOSE[index % len(CLOSE)], FAR[index % len(FAR)]
    return (
        f"  - name: {name}\n    motto: {MOTTOS[index % len(MOTTOS)]}\n"
        f"    stats: {{M: {mind}, B: {body}, S: {spirit}, W: {index % 3 + 1}, Mo: {index % 17 + 4}}}\n"
        f"    weapons:\n      - {close}: CW R1 P{index % 3 + 1} D{index % 2 + 1}\n"
        f"      - {far} of {FIRST[index % 11]}: RW R{index % 20 + 5} P1 D{index % 3 + 1}\n"
    )


NUMERALS = tuple(
    tens + ones
    for tens in ("", " X", " XX", " XXX")
    for ones in ("", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX")
)
OWN = ("Oath", "Breath", "Lamp", "Tide", "Toll", "Grip", "Mark", "Step", "Ward", "Hunger")
OMENS = (
    "I was told to hold", "Hush", "One breath, one bell", "Carry the lamp", "Everyone owes the water", "Sank twice",
    "Ten steps", "No door ever asked my name", "The fire forgives nobody", "Here be me", "Two roads, one ditch",
    "The bells stopped", "Snow on the gate", "Count the crows", "A debt is a rope", "All oaths are iron",
    "What the river took", "My brother laughed", "Salt for the threshold", "The lantern knows",
)  # fmt: skip
ENDINGS = (
    "I am holding.", "The wound can hear you.", "One body.", "Leave the rest.", "Pay, or swim.", "Walked home twice.",
    "And then the eleventh.", "None will.", "Ask it again.", "Turn around.", "Nobody dug it.", "So did he.",
    "Nobody knocks.", "One is missing.", "Pull it.", "Iron rusts.", "It keeps.", "Once.", "Do not step over.",
)  # fmt: skip
EFFECTS = (
    "{{when: damaged, if: {{wounds_at_most: {a}, roll: [1, 2]}}, bearer: {{ignore: 1}}}}",
    "{{when: eliminated, if: {{range_within: {b}}}, friends: {{heal: 2}}}}",
    "{{when: attacking, if: {{range_over: {b}, weapon: RW}}, bearer: {{reroll: hit}}}}",
    "{{if: {{range_within: {b}}}, friends: {{spirit: +1}}}}",
    "{{when: turn_start, if: {{range_within: {b}}}, friends: {{heal: 1}}}}",
    "{{when: moving, bearer: {{movement: +{a}}}}}",
    "{{when: attacked, if: {{weapon: CW}}, attacker: {{penetration: -1}}}}",
    "{{when: damaged, bearer: {{move: {a}}}}}",
    "{{if: {{wounds_at_most: {a}}}, bearer: {{mind: +1, damage: +1}}}}",
    "{{when: eliminated, if: {{range_within: {a}}}, enemies: {{deal: 1}}}}",
    "{{when: activation_end, bearer: {{move: {b}}}}}",
)


def write_characters(folder: Path, number: int, houses: int) -> None:
    """Write up to 9000 different characters, in files of 300.

    Each has two weapons, one of them with an effect, and one or two abilities. Its house is its first tag.
    """
    names = (f"{first} {second}{numeral}" for numeral, second, first in product(NUMERALS, SECOND, FIRST))
    cards = [_character(index, name, index % houses) for index, name in enumerate(islice(names, number))]
    folder.mkdir(parents=True)
    for start in range(0, number, _A_FILE):
        text = "kind: character\ncards:\n" + "".join(cards[start : start + _A_FILE])
        (folder / f"characters-{start:04}.yaml").write_text(text, encoding="utf-8")


def illustrated_deck(root: Path, number: int, side: int) -> None:
    """Create a project of characters with a picture each, as JPEG files with sides of `side` pixels."""
    write_characters(root / "cards", number, number)
    (root / "art").mkdir()
    numbers = count()
    for path in sorted((root / "cards").iterdir()):
        cards = path.read_text(encoding="utf-8").split("    motto:")
        text = cards[0] + "".join(f"    art: art/{next(numbers)}.jpg\n    motto:{card}" for card in cards[1:])
        path.write_text(text, encoding="utf-8")
    for index in range(number):
        pixels = Image.frombytes("RGB", (16, 16), Random(index).randbytes(3 * 16 * 16))
        pixels.resize((side, side), Image.Resampling.BICUBIC).save(root / f"art/{index}.jpg", quality=90)


def _character(index: int, name: str, house: int) -> str:
    mind, body, spirit = (index // step % 5 + 1 for step in (1, 5, 25))
    close, far = CLOSE[index % len(CLOSE)], FAR[index % len(FAR)]
    sort, numbers = ("RW", "P")[index % 2], {"a": index % 4 + 2, "b": index // 4 % 13 + 8}
    abilities = "".join(
        f"      - name: {FIRST[(index + step) % 15]} {OWN[(index // 15 + step) % len(OWN)]}\n"
        f"        effects: [{EFFECTS[(index + 4 * step) % len(EFFECTS)].format(**numbers)}]\n"
        for step in range(index % 3 // 2 + 1)
    )
    return (
        f"  - name: {name}\n    tags: [house-{house:03}]\n"
        f"    motto: {OMENS[index % len(OMENS)]}. {ENDINGS[index // 7 % len(ENDINGS)]}\n"
        f"    stats: {{M: {mind}, B: {body}, S: {spirit}, W: {index % 6 + 4}, Mo: {index % 9 + 8}}}\n"
        f"    weapons:\n      - {close} of {FIRST[index % 13]}: CW R1 P{index % 3 + 1} D{index % 2 + 1}\n"
        f"      - {{name: {SECOND[index % 14]}'s {far}, type: {sort}, range: {index % 20 + 5},\n"
        f"         damage: {index % 3 + 1},\n"
        f"         effects: [{{when: hit, for: turn, target: {{movement: -{index % 4 + 1}}}}}]}}\n"
        f"    abilities:\n{abilities}"
    )

"""Reproducible decks of any length for benchmarks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count, islice, product
from pathlib import Path
from random import Random

from PIL import Image

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
    f" {tens}{ones}".rstrip()
    for tens in ("", "X", "XX", "XXX")
    for ones in ("", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX")
)
# What follows a name: a numeral, and beyond 9,000 cards a place.
_AFTER_NAMES = tuple(
    f"{numeral}{place}" for place in ("", *(f" of {first}" for first in FIRST)) for numeral in NUMERALS
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
# Rules of an ability: effects, or after @ a text.
EFFECTS = (
    "{{when: damaged, if: {{wounds_at_most: {a}, roll: [1, 2]}}, bearer: {{ignore: 1}}}}",
    "{{when: eliminated, if: {{range_within: {b}}}, friends: {{heal: {c}}}}}",
    "{{when: attacking, if: {{range_over: {b}}}, bearer: {{reroll: hit}}}}",
    "{{if: {{range_within: {b}}}, friends: {{spirit: +1}}}}",
    "{{when: turn_start, if: {{range_within: {b}}}, friends: {{heal: {c}}}}}",
    "{{when: moving, bearer: {{movement: +{a}}}}}",
    "{{when: attacked, if: {{weapon: CW}}, attacker: {{penetration: -{c}}}}}",
    "{{when: damaged, bearer: {{move: {a}}}}}",
    "{{if: {{wounds_at_most: {a}}}, bearer: {{mind: +1, damage: +{c}}}}}",
    "{{when: eliminated, if: {{range_within: {a}}}, enemies: {{deal: {c}}}}}",
    "{{when: activation_end, bearer: {{move: {b}}}}}",
    "{{when: attacked, if: {{range_over: {b}}}, attacker: {{mind: -{c}, spirit: -1}}}}",
    "{{when: activation_start, for: turn, bearer: {{body: +{c}}}}}",
    "{{when: damaged, if: {{roll: [{a}]}}, bearer: {{ignore: {c}}}}}",
    "{{when: reacting, bearer: {{reroll: timing}}}}",
    "{{when: activation_start, for: turn, while: attacking, bearer: {{range: +{a}}}}}",
    "@At the start of each turn, this Character Heals {c} Wounds.",
    "@Friends within {b} cm have +{c} Mind.",
    "@Once per turn, when this Character is Damaged, it may Move up to {a} cm.",
    "{{when: battle_start, for: battle, if: {{range_within: {b}}}, friends: {{movement: +{c}}}}}",
)
HITS = (
    "{{when: hit, for: turn, target: {{movement: -{a}}}}}",
    "{{when: hit, target: {{move: {a}}}}}",
    "{{when: hit, for: turn, target: {{mind: -{c}}}}}",
    "{{when: hit, for: turn, target: {{body: -1, spirit: -{c}}}}}",
)
# What is wrong with some cards: a key in place of 'motto', a value, a moment, a word, and a reference.
MISTAKES = (
    ("    motto:", "    moto:"),
    ("W: ", "W: 9"),
    ("CW R1 ", "CW R30 "),
    ("effects: [{when: ", "effects: [{when: at_"),
    (". ", ". The the "),
    ("    stats:", "    art: nowhere.png\n    stats:"),
)


def write_characters(folder: Path, number: int, houses: int, *, a_file: int = 300, wrong: int = 0) -> None:
    """Write different characters, `a_file` of them in each file; one of `wrong` has a mistake, if that is not 0.

    Each has stats, weapons, and abilities of its own. Its house is its first tag.
    """
    cards = [
        f"  - name: {name}\n    tags: [house-{n % houses:03}]\n{keys}"
        for n, (name, keys) in enumerate(characters(number))
    ]
    if wrong:
        cards[::wrong] = [_mistaken(card, *MISTAKES[n % len(MISTAKES)]) for n, card in enumerate(cards[::wrong])]
    folder.mkdir(parents=True)
    for start in range(0, number, a_file):
        text = "kind: character\ncards:\n" + "".join(cards[start : start + a_file])
        (folder / f"characters-{start:04}.yaml").write_text(text, encoding="utf-8")


def characters(number: int) -> Iterator[tuple[str, str]]:
    """Yield the names of up to 135,000 characters, and their other keys, indented by four spaces."""
    names = (f"{first} {second}{rest}" for rest, second, first in product(_AFTER_NAMES, SECOND, FIRST))
    return ((name, _character(index)) for index, name in enumerate(islice(names, number)))


def _mistaken(card: str, right: str, wrong: str) -> str:
    assert right in card, card
    return card.replace(right, wrong, 1)


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


def _character(index: int) -> str:
    dice = Random(index)
    mind, body, spirit = (index // step % 5 + 1 for step in (1, 5, 25))
    close, far = dice.choice(CLOSE), dice.choice(FAR)
    abilities = "".join(
        f"      - name: {FIRST[(index + step) % 15]} {OWN[(index // 15 + step) % len(OWN)]}\n"
        f"        {_rules(effect, dice)}\n"
        for step, effect in enumerate(dice.sample(EFFECTS, index % 3 // 2 + 1))
    )
    return (
        f"    motto: {OMENS[index % len(OMENS)]}. {ENDINGS[index // 7 % len(ENDINGS)]}\n"
        f"    stats: {{M: {mind}, B: {body}, S: {spirit}, W: {dice.randint(5, 9)}, Mo: {dice.randint(8, 16)}}}\n"
        f"    weapons:\n      - {close} of {FIRST[index % 13]}: CW R1 P{dice.randint(0, 3)} D{dice.randint(1, 2)}\n"
        f"      - {{name: {SECOND[index % 14]}'s {far}, type: {dice.choice(('RW', 'P'))},\n"
        f"         range: {dice.randint(5, 24)}, damage: {dice.randint(1, 3)},\n"
        f"         effects: [{_numbered(dice.choice(HITS), dice)}]}}\n"
        f"    abilities:\n{abilities}"
    )


def _rules(effect: str, dice: Random) -> str:
    numbered = _numbered(effect, dice)
    return f"text: {numbered[1:]}" if numbered.startswith("@") else f"effects: [{numbered}]"


def _numbered(effect: str, dice: Random) -> str:
    return effect.format(a=dice.randint(2, 4), b=dice.randint(6, 20), c=dice.randint(1, 2))

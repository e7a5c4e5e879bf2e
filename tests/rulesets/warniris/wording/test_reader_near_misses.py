"""A word that changes the meaning never goes unnoticed."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from cardgen.grammar.reading import Level
from cardgen.rulesets.warniris.cards import Ability
from cardgen.rulesets.warniris.effect import Effect
from cardgen.rulesets.warniris.wording.reader import read_text
from tests.cases import each_case
from tests.random_cases import number_of_cases

MISSES = 2_000
# Words of one meaning on each line: a word of another line in its place, or in front, changes what a sentence says.
RIVALS = [
    [["Mind"], ["Body"], ["Spirit"], ["Movement"], ["Range"], ["Penetration"], ["Damage"]],
    [["enemies", "foes"], ["friends", "allies"]],
    [["Characters"], ["Minions"]],
    [["Character"], ["Minion"]],
    [["within"], ["over"]],
    [["gets", "gains"], ["loses"]],
    [["regains", "heals"], ["takes", "suffers"]],
    [["bearer"], ["target"], ["attacker"]],
    [["turn"], ["battle"], ["Activation"], ["Action"]],
    [["start"], ["end"]],
    [["Attacks"], ["Channels"], ["hits"], ["Moves"], ["Reacts"]],
    [["Attacked"], ["Channeled"], ["eliminated"]],
    [["CW"], ["RW"], ["Power"]],
    [["failed"], ["passed"]],
    [["may"], ["must"], ["cannot"]],
    [["each"], ["no"]],
    [["more"], ["less"]],
    [["when", "whenever"], ["unless"], ["until"]],
]
GUARDS = ["not", "only", "other", "never", "up to", "at least", "no", "half", "twice", "except", "unless"]
OTHERS = {
    word.lower(): [other for line in group if line is not same for other in line]
    for group in RIVALS
    for same in group
    for word in same
}
AUTHORS = Path(__file__).parents[1] / "authors.yaml"


def originals() -> list[str]:
    """The sentences of authors that are read as effects, and some in the words of the game."""
    rows = yaml.safe_load(AUTHORS.read_text(encoding="utf-8"))
    return [row["sentence"] for row in rows if row.get("effects") and row["kind"] != "weapon"] + [
        "At the start of one of its Activations, the bearer regains 2 Wounds, once per battle.",
        "Whoever Attacks or Channels at the bearer from over 12 cm does so at -1 Mind and -1 Spirit.",
        "When this Character is eliminated, before it is removed, enemies within 4 cm take 1 Damage.",
        "When it hits, the target gets -2 Body until the end of the battle (cumulative).",
        "For each point of Damage that the bearer takes, roll 1D6: on a 1 or 2, it ignores that point.",
        "When this Character Attacks with an RW from over 20 cm, it may re-roll a failed Test to hit.",
        "At the start of the battle, friends within 12 cm at that moment get +2 cm Movement until the end of the turn.",
        "While this Character has 4 Wounds or fewer left, it has +1 Mind and +1 Damage.",
        "When the bearer is Attacked by a Minion with a CW, the attacker gets -1 Penetration.",
        "Friends within 8 cm have +1 Spirit.",
        "Enemy Characters over 10 cm away have -1 Mind.",
        "At the end of its Activation, an enemy of your choice takes 2 Damage unless it passes a Body Test.",
        "While this Character has half of its Wounds or fewer left, it may React once more in a turn.",
        "While the bearer has not Moved in this turn, it cannot be Attacked by a Minion from over 9 cm.",
        "When an enemy Character within 6 cm is eliminated, the bearer may make a free Move of up to 4 cm.",
        "When this Character eliminates a Minion with a CW, a friend of your choice regains 1 Wound.",
        "When the bearer passes a Test to resist against a Character, the attacker takes 1 Damage.",
        "Enemies within 6 cm have half Movement.",
        "When an enemy within 6 cm ends a Move, that enemy takes 1 Damage.",
        "When an enemy within 6 cm Channels, roll 1D6: on a 5 or 6, that enemy loses this Attack or Channel.",
        "Her Long Rifle has +5 cm Range against Minions.",
        "When this Character hits with *Hex Staff*, the target gets -1 Mind.",
        "When this Character Reacts, if this is its second Reaction in the turn, it gets -1 Mind.",
        "When this Character Attacks, if another friendly Minion has already Attacked the target in the turn, "
        "this Character gets +1 Damage.",
        "Whenever this Character Moves, it cannot be Reacted to.",
        "At the end of each turn, if the bearer has 3 Wounds or fewer left, it regains 1 Wound.",
    ]


# 'Only once' is a limit as 'once' is, 'only if' a condition as 'if' is, every Move is one of 'up to' so far, and the
# bearer is none of the miniatures around it.
SAME = re.compile(
    r"\bonly (?:if|while|as|so|for)\b|\bother miniature within\b|\bmove up to \d+ cm further\b"
    r"|\bonly once\b|\bonce (?:a|per) (?:turn|match|battle),? only\b",
    re.IGNORECASE,
)


def variants(sentence: str) -> Iterator[str]:
    """Yield the sentence with one word or number changed, or with a word that limits it."""
    yield from (each for each in _changed(sentence) if not SAME.search(each))


def _changed(sentence: str) -> Iterator[str]:
    for match in re.finditer(r"[A-Za-z]+|\d+", sentence):
        before, word, after = sentence[: match.start()], match[0], sentence[match.end() :]
        if word.isdigit():
            yield from (f"{before}{number}{after}" for number in (int(word) + 1, int(word) + 5) if number != 1)
        # 'this Minion' bears an ability, as 'this Character' does.
        for other in () if before.endswith("this ") else OTHERS.get(word.lower(), ()):
            yield f"{before}{other}{after}"
        yield from (f"{before}{guard} {word}{after}" for guard in GUARDS)


def meanings(sentence: str) -> list[object]:
    """What each sentence of a text means, None for one that is not read."""
    thing = Ability.model_validate({"name": "X", "text": sentence})
    return [reading.value if reading.level != Level.UNREAD else None for reading in read_text(thing, sentence)]


@pytest.mark.fuzz
def test_no_near_miss_is_read_as_the_original() -> None:
    """Some of them, the same in every run; `make fuzz` takes more."""
    pairs = [(sentence, variant) for sentence in originals() for variant in variants(sentence)]
    assert len(pairs) > MISSES
    pairs = random.Random(MISSES).sample(pairs, min(len(pairs), number_of_cases(MISSES // 2, 1)))
    known = {sentence: meanings(sentence) for sentence in originals()}
    assert all(all(each) for each in known.values())
    wrong = [(sentence, variant) for sentence, variant in pairs if meanings(variant) == known[sentence]]
    assert wrong == []


@each_case(
    "sentence",
    [
        "When the bearer is hit, the attacker takes 1 Damage instead.",
        "When the bearer is hit, roll 1D6: on a 6, it takes 1 Damage instead.",
        "When Damaged, it may immediately Move up to 5 cm.",
        "At the end of one turn, the bearer regains 1 Wound.",
        "Whenever the bearer loses a Wound, it regains 1 additional Wound.",
        "When the bearer also loses a Wound, the attacker takes 1 Damage.",
        "At the start of its activation, the bearer gets +1 Mind before the end of the turn.",
        "At the start of each turn, one of your Characters regains 1 Wound.",  # also the bearer
        "The bearer may re-roll one failed Mind Test.",  # only one
        "It takes 1 Damage.",  # whom it harms
        "At the end of each turn, it takes 1 Damage.",
        "When the bearer Moves by an attack, it regains 1 Wound.",  # in an attack only
        "When the bearer Moves from an enemy, it gets +1 Body.",
        "When the bearer is eliminated from over 10 cm, enemies take 1 Damage.",  # the distance of the attack
        "When the bearer eliminates an enemy within 10 cm, friends regain 1 Wound.",
        "When the bearer Attacks or Channels, the power gets +1 Damage.",  # no Attack
        "When the bearer Attacks with a CW, that shot gets +1 Damage.",
        "When an enemy attacks or channels, the power fizzles.",
        "The bearer ignores Spirit Tests for miniatures in between.",  # for Powers
        "The bearer needs no Tests for friends in between.",
        "While the bearer has lost less than half of its Wounds, it has +1 Mind.",
        "While the bearer is over 6 cm away from at least one enemy, it has +1 Mind.",
        "When an enemy ends a Move within 6 cm, that Minion takes 1 Damage.",
        "When an enemy ends a Move within 6 cm, that friend regains 1 Wound.",
        "At the start of its Activation, choose a friend within 6 cm: that enemy takes 1 Damage.",
        "When the bearer is hit, before it is removed, the attacker takes 1 Damage.",
        "When an enemy is eliminated within 6 cm, except the bearer gets +1 Mind.",  # who gets it
        "The bearer gets +1 Mind if another friend has attacked the target before this turn.",
        "The bearer cannot be Attacked or Channeled at dies.",
        "If a friend has been eliminated, the bearer gets +1 Mind.",  # from then on
        "While an enemy was eliminated within 6 cm, the bearer gets +1 Mind.",
        "When this weapon hits, the target takes 1 Damage.",  # an ability is no weapon
        "When an enemy Minion starts its Activation within 6 cm, not the bearer gets +1 Mind.",
        "When the bearer is eliminated, choose an enemy within 6 cm: enemies within 6 cm take 1 Damage.",
        "At the start of one of its Activations, you may have the bearer regain 1 Wound.",  # not each time
    ],
)
def test_a_word_that_changes_the_meaning_is_not_skipped(sentence: str) -> None:
    assert meanings(sentence) == [None]


MIND = {"for": "turn", "bearer": {"mind": 1}}


@pytest.mark.parametrize(
    ("text", "effect"),
    [
        ("When the bearer is eliminated by an enemy, enemies within 4 cm take 1 Damage.",
         {"when": "eliminated", "if": {"range_within": 4}, "enemies": {"deal": 1}}),
        ("When killed by enemies, enemies within 4 cm take 1 Damage.",
         {"when": "eliminated", "if": {"range_within": 4}, "enemies": {"deal": 1}}),
        ("When the bearer is eliminated by an attack, enemies within 4 cm take 1 Damage.",
         {"when": "eliminated", "if": {"weapon": "CW/RW", "range_within": 4}, "enemies": {"deal": 1}}),
        ("When the bearer eliminates an enemy by an attack, it regains 1 Wound.",
         {"when": "eliminating", "if": {"weapon": "CW/RW"}, "bearer": {"heal": 1}}),
        ("When an enemy damages the bearer, the bearer gets +1 Mind until the end of the turn.",
         {"when": "damaged", **MIND}),
        ("For each point of Damage that the bearer takes from an enemy, roll 1D6: on a 1, it ignores that point.",
         {"when": "damaged", "if": {"roll": [1]}, "bearer": {"ignore": 1}}),
        ("If a friendly Minion is within 6 cm, the bearer gets +1 Mind.",
         {"if": {"friend_within": 6}, "bearer": {"mind": 1}}),
        ("At the start of each turn, all miniatures within 5 cm take 1 Damage.",
         {"when": "turn_start", "if": {"range_within": 5}, "friends": {"deal": 1}, "enemies": {"deal": 1}}),
        ("The bearer may shoot through gaps without penalty.", {"bearer": {"gaps": "ignored"}}),
        ("The bearer ignores the -1 to Mind for gaps in cover.", {"bearer": {"gaps": "ignored"}}),
        ("While the bearer is over 6 cm away from an enemy, it has +1 Mind.",
         {"if": {"enemy_over": 6}, "bearer": {"mind": 1}}),
        ("Damage dealt to the bearer is reduced by 1.", {"when": "attacked", "attacker": {"damage": -1}}),
    ],
)  # fmt: skip
def test_what_leaves_out_a_limit_is_read_loosely_at_most(text: str, effect: dict[str, Any]) -> None:
    """Relics, abilities, and friends deal Damage and eliminate, too, and the bearer is near itself."""
    [reading] = read_text(Ability(name="X", text=text), text)
    assert (reading.level, reading.value.effects) == (Level.LOOSELY, (Effect.model_validate(effect),))


@pytest.mark.parametrize(
    ("text", "effect"),
    [
        ("When the bearer is hit by an enemy, the bearer gets +1 Mind until the end of the turn.",
         {"when": "struck", **MIND}),
        ("When an enemy Character hits the bearer, the bearer gets +1 Mind until the end of the turn.",
         {"when": "struck", "if": {"against": "character"}, **MIND}),
        ("When a shot hits the bearer, the bearer gets +1 Mind until the end of the turn.",
         {"when": "struck", "if": {"weapon": "RW"}, **MIND}),
        ("When its shot misses, the bearer gets +1 Mind until the end of the turn.",
         {"when": "missing", "if": {"weapon": "RW"}, **MIND}),
        ("When an attack against the bearer misses, the bearer gets +1 Mind until the end of the turn.",
         {"when": "missed", "if": {"weapon": "CW/RW"}, **MIND}),
        ("When an attack or channel hits the bearer, the bearer gets +1 Mind until the end of the turn.",
         {"when": "struck", **MIND}),
        ("When its attack is resisted, the bearer gets +1 Mind until the end of the turn.",
         {"when": "resisted", "if": {"weapon": "CW/RW"}, **MIND}),
        ("When his blow eliminates an enemy, the bearer regains 1 Wound.",
         {"when": "eliminating", "if": {"weapon": "CW"}, "bearer": {"heal": 1}}),
        ("Enemies have -1 Spirit against the bearer.", {"when": "attacked", "attacker": {"spirit": -1}}),
        ("The bearer cannot be chosen as a target of attacks from over 15 cm.",
         {"when": "attacked", "if": {"range_over": 15, "weapon": "CW/RW"}, "bearer": {"targeted": "never"}}),
        ("The bearer cannot be targeted.", {"bearer": {"targeted": "never"}}),
        ("If a friend was eliminated this turn, the bearer gets +1 Mind.",
         {"when": "friend_eliminated", "for": "turn", "cumulative": False, "bearer": {"mind": 1}}),
        ("The bearer regains 1 Wound each time it resists a Power.",
         {"when": "resisting", "if": {"weapon": "P"}, "bearer": {"heal": 1}}),
        ("Enemy Characters must pass a Spirit Test before Attacking the bearer. If failed, the Attack is lost.",
         {"when": "attacked", "if": {"weapon": "CW/RW", "against": "character"},
          "attacker": {"fails": "attack", "unless": "spirit"}}),
        ("When the bearer is eliminated, all miniatures within 5 cm take 1 Damage.",
         {"when": "eliminated", "if": {"range_within": 5}, "friends": {"deal": 1}, "enemies": {"deal": 1}}),
        ("When the bearer attacks with an RW, that shot gets +1 Damage.",
         {"when": "attacking", "if": {"weapon": "RW"}, "bearer": {"damage": 1}}),
    ],
)  # fmt: skip
def test_the_noun_of_an_attack_says_with_what(text: str, effect: dict[str, Any]) -> None:
    [reading] = read_text(Ability(name="X", text=text), text)
    assert (reading.level, reading.value.effects) == (Level.READ, (Effect.model_validate(effect),))

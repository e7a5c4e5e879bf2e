"""Texts that are read: what authors write, what refers to the sentence before, and near misses."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from cardgen.rulesets.warcry.cards import Ability, Fighter, Trait
from cardgen.rulesets.warcry.wording.consequences import read_sentences
from cardgen.rulesets.warcry.wording.reader import READER
from cardgen.rulesets.warcry.wording.sentences import sentences
from tests.cases import each_case
from tests.random_cases import MORE
from tests.rulesets.warcry.wording.change_space import ChangeSpace

HERE = Path(__file__).parent
KIT = HERE.parents[3] / "cards" / "warcry"
AUTHORS: list[dict[str, Any]] = yaml.safe_load((HERE.parent / "authors.yaml").read_text(encoding="utf-8"))
HOMEBREW: list[dict[str, Any]] = yaml.safe_load((HERE.parent / "homebrew.yaml").read_text(encoding="utf-8"))
# Shares of what is read: of the authors' sentences, and of those of abilities and battle traits in the kit.
LEAST_OF_AUTHORS, LEAST_OF_KIT = 0.8, 0.6


def data_of(text: str, price: str = "") -> list[dict[str, Any]] | None:
    """Return the changes that a text says as plain data, or None if a sentence was not read."""
    readings = read_sentences(text, price)
    if any(each.level != "read" for each in readings):
        return None
    return [each.model_dump(mode="json", exclude_defaults=True, by_alias=True) for r in readings for each in r.value]


@each_case("case", AUTHORS, ids=lambda case: case["sentence"][:40])
def test_sentences_of_authors_are_read_as_meant_or_not_at_all(case: dict[str, Any]) -> None:
    assert data_of(case["sentence"], "reaction" if case["kind"] == "reaction" else "") == case["changes"]


def test_sentences_of_homebrew_are_read_as_meant() -> None:
    wrong = [case["sentence"] for case in HOMEBREW if data_of(case["sentence"]) != case["changes"]]
    assert wrong == []


def test_many_sentences_of_authors_are_read() -> None:
    assert sum(case["changes"] is not None for case in AUTHORS) >= LEAST_OF_AUTHORS * len(AUTHORS)


def test_nothing_that_breaks_a_rule_is_read() -> None:
    assert {case["changes"] is None for case in AUTHORS if "breaks_rule" in case} == {True}


def _texts(card: dict[str, Any]) -> Iterator[str]:
    if "text" in card:
        yield card["text"]
    for key in ("choices", "grants"):
        for part in card.get(key, ()):
            yield from _texts(part)


def test_most_sentences_of_the_kit_are_read() -> None:
    files = [path for path in sorted(KIT.glob("*.yaml")) if re.match("traits|universal|last|ember", path.name)]
    cards = [card for path in files for card in yaml.safe_load(path.read_text(encoding="utf-8"))["cards"]]
    readings = [each for card in cards for text in _texts(card) for each in read_sentences(text)]
    assert len(readings) > 100
    assert sum(each.level == "read" for each in readings) >= LEAST_OF_KIT * len(readings)


@each_case(
    ("text", "changes"),
    [
        ("Pick an enemy within 3\". It cannot make move actions until the end of the battle round.",
         [{"pick": {"side": "enemy", "within": 3}}, {"of": "picked", "cannot": ["move"], "for": "round"}]),
        ("Roll a die for each enemy within 1\". On a 2 or more, that fighter is allocated 1 damage point.",
         [{"roll_each": {"side": "enemy", "within": 1}}, {"on_roll": "2+", "of": "rolled", "deal": 1}]),
        ("This fighter makes a bonus move. Then it can make a bonus attack.",
         [{"bonus_move": "move"}, {"bonus_attack": True, "may": True}]),
        ("Roll 3 dice: for each 5-6, this fighter heals two wounds.", [{"roll": 3}, {"on_roll": "5+", "heal": 2}]),
        ("Make this reaction when a melee attack targets this fighter. That attack has -1 Attacks.",
         [{"reacts": {"event": "targeted", "attack": "melee"}}, {"of": "attacker", "attacks": -1, "for": "attack"}]),
        ("[double] until the end of its activation this fighter gets plus one move",
         [{"move": 1, "for": "activation"}]),
        ("Pick an enemy within 6\". When the next battle round starts, it is allocated 3 damage points.",
         [{"pick": {"side": "enemy", "within": 6}}, {"when": {"event": "next-round"}, "of": "picked", "deal": 3}]),
        ("When another friendly Hero takes down an enemy, this fighter has +1 Move.",
         [{"when": {"event": "takes-down", "of": {"side": "friend", "another": True, "runemarks": ["hero"]},
                    "attack": "anything"}, "move": 1}]),
        ("After the initiative phase, you may pick two of your doubles, triples, or quads and swap their values.",
         [{"when": {"event": "initiative"}, "may": True, "sets": {"swap": True}}]),
        ("Roll a die for each of your doubles, triples, and quads. On a 4+, its value becomes 6.",
         [{"roll_each": "sets"}, {"on_roll": "4+", "of": "rolled", "sets": {"value": 6}}]),
        ("Roll a die for each of your doubles, triples, and quads. On a 4+, add 1 to its value, to a maximum of 6.",
         [{"roll_each": "sets"}, {"on_roll": "4+", "of": "rolled", "sets": {"add": 1}}]),
    ],
    ids=lambda each: each[:30] if isinstance(each, str) else "",
)  # fmt: skip
def test_a_sentence_refers_to_those_before(text: str, changes: list[dict[str, Any]]) -> None:
    assert data_of(text) == changes


@each_case(
    ("text", "changes"),
    [
        ("Friendly fighters have +1 Toughness while they are in cover.",
         [{"of": {"side": "friend", "cover": True}, "toughness": 1}]),
        ("While in cover, friendly fighters have +1 Toughness.",
         [{"of": {"side": "friend", "cover": True}, "toughness": 1}]),
        ("While in cover, this fighter has +1 Toughness.", [{"while": {"cover": True}, "toughness": 1}]),
        ("Your fighters have +1 Strength in melee attacks if they have made a move action in this activation.",
         [{"of": {"side": "friend", "moved": True}, "strength": 1, "weapon": "melee"}]),
        ("Your fighters have +1 Strength in melee attacks if another friendly fighter is within 1\" of them.",
         [{"of": {"side": "friend"}, "if": {"of": "each", "friend_within": 1}, "strength": 1, "weapon": "melee"}]),
        ("Friendly fighters may make a bonus disengage after they take down an enemy.",
         [{"when": {"event": "takes-down", "attack": "anything", "of": "friend"},
           "of": "subject", "bonus_disengage": True, "may": True}]),
        ("Each friendly fighter within 6\" heals 1 damage when this fighter takes down an enemy.",
         [{"when": {"event": "takes-down", "attack": "anything"}, "of": {"side": "friend", "within": 6}, "heal": 1}]),
        ("Enemies cannot disengage while within 1\" of this fighter.",
         [{"of": {"side": "enemy", "within": 1, "aura": "stay"}, "cannot": ["disengage"]}]),
        ("Enemies within 3\" have -1 Strength. They cannot disengage.",
         [{"of": {"side": "enemy", "within": 3}, "strength": -1},
          {"of": {"side": "enemy", "within": 3}, "cannot": ["disengage"]}]),
        ("After a friendly fighter takes down an enemy, add 1 to that friendly fighter's Move until the round ends.",
         [{"when": {"event": "takes-down", "attack": "anything", "of": "friend"}, "of": "subject", "move": 1,
           "for": "round"}]),
        ("When a friendly fighter is taken down, each enemy within 3\" of it takes 1 damage.",
         [{"when": {"event": "taken-down", "of": "friend"}, "of": {"side": "enemy", "within": 3, "to": "subject"},
           "deal": 1}]),
        ("When a friendly fighter uses an ability, if they are in cover, they heal 1 damage.",
         [{"when": {"event": "ability", "of": "friend"}, "if": {"of": "subject", "cover": True}, "of": "subject",
           "heal": 1}]),
        ("When a friendly fighter uses an ability, this fighter heals 1 damage.",
         [{"when": {"event": "ability", "of": "friend"}, "heal": 1}]),
        ("Pick an enemy within 6\". If it is in cover, this fighter makes a bonus move.",
         [{"pick": {"side": "enemy", "within": 6}}, {"if": {"of": "picked", "cover": True}, "bonus_move": "move"}]),
        ("Unless this fighter has any damage points, it makes a bonus attack.",
         [{"unless": {"damaged": 1}, "bonus_attack": True}]),
        ("If this fighter has not attacked this activation, it makes a bonus attack.",
         [{"unless": {"attacked": True}, "bonus_attack": True}]),
        ("This fighter and each friendly fighter within 3\" have +1 Move until the round ends.",
         [{"move": 1, "for": "round"},
          {"of": {"side": "friend", "within": 3, "another": True}, "move": 1, "for": "round"}]),
        ("Roll a die. This fighter is allocated 1 damage point on a 2+.",
         [{"roll": 1}, {"on_roll": "2+", "deal": 1}]),
        ("Pick an enemy and roll a D6. On a 3+ it takes 4 damage. Otherwise, this fighter takes 1 damage.",
         [{"pick": {"side": "enemy"}}, {"roll": 1}, {"on_roll": "3+", "of": "picked", "deal": 4},
          {"on_roll": "1-2", "deal": 1}]),
        ('Pick an enemy within 6". Roll a die. On a 3-5, it takes 1 damage. On a 6, it takes D6 damage. '
         "Otherwise, this fighter takes 2 damage.",
         [{"pick": {"side": "enemy", "within": 6}}, {"roll": 1}, {"on_roll": "3-5", "of": "picked", "deal": 1},
          {"on_roll": "6", "of": "picked", "deal": "d6"}, {"on_roll": "1-2", "deal": 2}]),
        ("Roll a die. On a 1, this fighter takes 2 damage. On a 6, it takes 4 damage. Otherwise, it takes 1 damage.",
         [{"roll": 1}, {"on_roll": "1", "deal": 2}, {"on_roll": "6", "deal": 4}, {"on_roll": "2-5", "deal": 1}]),
        ("For each enemy within 3\", this fighter has +1 Attacks until the end of its activation.",
         [{"per": {"side": "enemy", "within": 3}, "attacks": 1, "for": "activation"}]),
        ("When this fighter makes a melee attack against an enemy in cover, it has +1 Strength.",
         [{"weapon": "melee", "target": {"side": "enemy", "cover": True}, "strength": 1}]),
        ("Until the end of its activation, this fighter's melee attacks have +1 Strength against enemies in cover.",
         [{"weapon": "melee", "target": {"side": "enemy", "cover": True}, "strength": 1, "for": "activation"}]),
        ("This fighter makes a bonus melee attack with -1 Attacks.",
         [{"bonus_attack": "melee"}, {"attacks": -1, "for": "attack"}]),
        ("This fighter may make a bonus move and, if it ends within 1\" of an enemy, a bonus attack.",
         [{"bonus_move": "move", "may": True}, {"if": {"enemy_within": 1}, "bonus_attack": True, "may": True}]),
        ("Once per battle, until the end of the battle round, your fighters have +2 Move.",
         [{"only_if": {"once": "battle"}}, {"of": {"side": "friend"}, "move": 2, "for": "round"}]),
        ("When this fighter would be taken down, the damage of that attack is halved, rounding down.",
         [{"when": {"event": "would-fall"}, "incoming": True, "half_damage": "down", "for": "attack"}]),
        ("This fighter has +1 Move, but -1 Toughness, until the end of the battle round.",
         [{"move": 1, "toughness": -1, "for": "round"}]),
        ("This fighter's next melee attack has +1 Strength, and its critical hits do 2 extra damage.",
         [{"weapon": "melee", "next": "attack", "strength": 1}, {"weapon": "melee", "next": "attack", "critical": 2}]),
    ],
    ids=lambda each: each[:40] if isinstance(each, str) else "",
)  # fmt: skip
def test_a_clause_belongs_to_the_fighters_that_it_names(text: str, changes: list[dict[str, Any]]) -> None:
    assert data_of(text) == changes


@each_case(
    "text",
    [
        "That fighter is allocated 3 damage points.",  # nobody was picked
        "That friendly fighter has +1 Move.",
        'Pick an enemy within 3". Each friendly fighter within 3" of that friendly fighter has +1 Move.',
        'Pick a friendly fighter within 3". Each friendly fighter within 3" of that enemy has +1 Move.',
        "On a 4+, this fighter is allocated 1 damage point.",  # no dice were rolled
        "The attacker is allocated 1 damage point.",  # no attack
        'Pick an enemy within 3". That friendly fighter has +1 Move.',  # another one
        "Roll a D8. On a 4+, remove 1 damage point from this fighter.",
        "Roll a die. On a 7+, remove 1 damage point from this fighter.",
        "Roll a die. On a 5-, remove 1 damage point from this fighter.",
        "This fighter's melee attacks score critical hits on hit rolls of 5- until the end of the battle round.",
        "This fighter's melee attacks score critical hits on hit rolls of 5–, until the end of the battle round.",
        "Pick an enemy within 3\". Until the end of that fighter's activation, this fighter has +1 Move.",
        "This fighter has +1 Move until the end of the battle round until the end of its activation.",
        "This fighter has +1 Move and +2 Move.",
        "This fighter has +D3 Move.",
        "A fighter is allocated 1 damage point.",  # which one
        "This fighter makes a bonus move until the end of the battle round.",  # nothing that lasts
        "While in cover, this fighter and each enemy have +1 Toughness.",  # who is in cover
        "This fighter and each enemy have +1 Move. It cannot attack.",  # which of them
        "Unless this fighter is in cover and it has moved, it has +1 Move.",  # unless both
        "Pick an enemy. The fighter has +1 Move.",  # which one
        'If this fighter is within 3" of this fighter, it has +1 Move.',
        "One of them makes a bonus attack.",  # one of whom
        "The next time this fighter attacks this battle round, each critical hit allocates 3 additional damage points.",
        "The next time this fighter makes an attack action, it has +1 Attacks until the end of its activation.",
        "Each critical hit allocates 3 additional damage points the next time this fighter attacks this battle round.",
        "The next time this fighter is targeted by an attack action this battle round, it has +1 Toughness.",
        "The next time this battle round this fighter is targeted by a melee attack action, it has +1 Toughness.",
        # Whether only that attack counts.
        "This fighter can make a bonus attack. If it takes down an enemy, it can make another bonus attack.",
        "This fighter makes a bonus attack. Remove 1 damage point from it if it takes down an enemy.",
        "Roll a die. Otherwise, this fighter makes a bonus attack.",  # no other faces
        "Roll a die. On a 4, this fighter takes 1 damage. Otherwise, it takes 2 damage.",  # 1-3, and 5+
        "Roll a die. On a 1-3, this fighter takes 1 damage. On a 4+, it takes 2 damage. Otherwise, it takes 3 damage.",
        "Roll a die. If the roll exceeds its Toughness, each enemy takes 1 damage and this fighter has +1 Move.",
        'Pick an enemy within 6". When it makes an attack, this fighter has +1 Move.',  # a moment of an enemy
        "This fighter has +1 Move and on a 4+, until the end of the battle round.",
        "When an enemy ends a move action, add 1 to the Strength of that attack.",  # which attack
        'When an enemy is taken down within 3", that attack has +1 Attacks.',
        "When damage is allocated to this fighter, that attack has +1 Strength.",  # whose attack
        "At the start of every battle round, it is allocated 1 damage point.",  # whom it harms
        "If it is on the battlefield, it is allocated 1 damage point.",
        "When it takes down an enemy, it is allocated 1 damage point.",
        'Pick an enemy within 6". When this fighter is taken down, it is allocated 3 damage points.',  # one of two
        'Each enemy within 3" has -1 Move. When the next battle round starts, it is allocated 1 damage point.',
        'Pick an enemy within 6". When it is taken down, this fighter may make a bonus move.',  # 'while' of a moment
        "Roll a die. On a 4+, its value becomes 6.",  # the value of what
        "If it is within range, remove 2 damage points from this fighter.",  # of which attack
        "If this fighter has made a bonus move in this activation, its attacks have +1 Attacks.",  # which is no action
    ],
)
def test_what_refers_to_nothing_is_not_read(text: str) -> None:
    assert data_of(text) is None


def test_what_refers_to_a_sentence_that_was_not_read_is_loose() -> None:
    readings = read_sentences("Sing to an enemy. That enemy is allocated 1 damage point.")
    assert [each.level.value for each in readings] == ["not read", "read loosely"]


def test_a_text_with_another_price_is_not_read() -> None:
    text = "[Triple] This fighter makes a bonus move."
    assert data_of(text, "triple")
    assert data_of(text, "double") is None
    assert data_of("[Single] This fighter makes a bonus move.") is None


SWAPS = [
    ("enemy", "friendly"), ("friendly", "enemy"), ("visible ", ""), ("melee", "missile"), ("missile", "melee"),
    ("melee ", ""), ("add", "subtract"), ("subtract", "add"), ("battle round", "activation"), ("within", "more than"),
    ("activation", "battle round"), ("critical hit", "hit"), ("each hit and ", ""), ("Attacks", "Strength"),
    ("Strength", "Toughness"), ("Toughness", "Move"), ("Move", "Wounds"), ("this fighter", "that fighter"),
    ("that fighter", "this fighter"), ("makes", "cannot make"), ("may ", "cannot "), ("cannot", "may"),
    ("half the value", "the value"), ("the value", "double the value"), ("double the value", "the value"),
    ("rounded up", "rounded down"), ("bonus move", "bonus attack"), ("bonus attack", "bonus disengage"),
    ("bonus move", "move"), ("+", "-"), ("D3", "D6"), ("D6", "D3"), ("1", "2"), ("2", "3"), ("3", "4"), ("6", "8"),
    ("allocated", "spared"), ("remove", "allocate"), ("Remove", "Allocate"), (" or ", " and "), (" and ", " or "),
    ("only if", "unless"), ("if ", "unless "), ("until", "from"), ("next ", "last "), ("next ", ""),
    ("ick a", "ick each"), ("ick a", "ick two"), ("each ", "one "), ("an enemy", "no enemy"), ("no enemy", "an enemy"),
    ("not ", ""), ("taken down", "wounded"), ("before", "after"), ("after", "before"), ("other ", ""),
    ("Hero", "Beast"), ("Beast", "Hero"), ("while", "if not"), ("targets", "misses"), ("attack", "move"),
    ("fly", "climb"), ("closest", "farthest"), ("closer", "farther"), ("minimum", "maximum"), ("up to ", "at least "),
    ("a die", "two dice"), ("your", "your opponent's"), ("reaction", "ability"), ("ability", "reaction"),
    ("end of", "start of"), ("start of", "end of"), ("toward", "away from"), ("away from", "toward"),
    ("at least", "at most"), ("or more", "or fewer"), ("extra", "fewer"), ("Range", "Wounds"),
]  # fmt: skip


def near_misses(text: str) -> Iterator[str]:
    """Yield texts with another word, one word less, or a 'not' that change what is meant."""
    for old, new in SWAPS:
        for match in re.finditer(
            rf"(?<!\w){re.escape(old)}" if old[0].isalnum() and old != "ick a" else re.escape(old), text
        ):
            yield text[: match.start()] + new + text[match.end() :]
    words = text.split(" ")
    for index in range(1, len(words)):
        yield " ".join((*words[:index], "not", *words[index:]))


@pytest.mark.share(3)
@pytest.mark.fuzz
def test_near_misses_are_not_read_as_the_original() -> None:
    """One in eight, the same in every run; `make fuzz` takes all."""
    texts = [case["sentence"] for case in (*AUTHORS, *HOMEBREW[::4]) if case["changes"]]
    files = sorted(path for path in KIT.glob("*.yaml") if re.match("traits|universal|last|ember", path.name))
    cards = [card for path in files for card in yaml.safe_load(path.read_text(encoding="utf-8"))["cards"]]
    texts += [text for card in cards for text in _texts(card) if data_of(text)]
    space = ChangeSpace(3)
    texts += [" ".join(sentences(space.rule())) for _ in range(25)]
    tries = [(text, miss) for text in texts for miss in near_misses(text) if miss != text]
    assert len(tries) >= 4000
    tries = tries if MORE in os.environ else tries[::8]
    originals = {text: data_of(text) for text, _ in tries}
    assert [miss for text, miss in tries if data_of(miss) == originals[text]] == []


def test_a_reader_of_cards_gives_the_changes() -> None:
    card = Ability(name="Hook", price="double", text="Remove D3 damage points from this fighter.")
    readings = READER.read(card, card.text or "")
    assert READER.values(card, readings) == {"changes": [{"heal": "d3"}]}
    assert READER.referee(card, readings[0]) == "removes the damage points"
    assert READER.read(Fighter.model_construct(), "Anything.") == ()
    trait = Trait(name="Bold", runemark="chaos", text="Your fighters have +1 Strength in melee attacks.")
    assert READER.referee(trait, READER.read(trait, trait.text or "")[0]) == "adds it to the numbers of the fighters"
    for keys, done in (
        ({"once": "round"}, "asks whether it is used"),
        ({"text": "Your fighters that cost 99 points or less have +1 Strength."}, "of the fighters while it is so"),
    ):
        limited = Trait.model_validate({"name": "Bold", "runemark": "chaos", "text": trait.text, **keys})
        assert READER.referee(limited, READER.read(limited, limited.text or "")[0]).endswith(done)


@each_case(
    ("text", "levels"),
    [
        ('Pick up to two enemy fighters within 6". Allocate 2 damage points to one of them.', "read, not read"),
        ('Pick up to two enemy fighters within 6". Allocate 2 damage points to each of them.', "read, read"),
        ('Pick an enemy fighter within 6" that is not visible to this fighter. Allocate 3 damage points to it.',
         "not read, not read"),
        ("Sing to an enemy. Roll a die. On a 4+, it takes 3 damage.", "not read, read, not read"),
        ("It is taken down.", "not read"),
        ("Add 1 to the Move of this fighter before the end of the battle round.", "not read"),
        ("This fighter cannot make additional reactions until the end of the battle round.", "not read"),
        ("This fighter may instead make a bonus move action.", "not read"),
        ("When this fighter also takes down an enemy, it makes a bonus move.", "not read"),
        ("When this fighter takes down an enemy, it also makes a bonus move.", "read"),
        ("This fighter each has +1 Move.", "not read"),
        ("Hook again and drag: this fighter makes a bonus move.", "not read"),
    ],
)  # fmt: skip
def test_a_word_that_changes_the_meaning_is_not_skipped(text: str, levels: str) -> None:
    assert ", ".join(each.level.value for each in read_sentences(text, "double")) == levels


@each_case(("text", "level", "key"), [
    ("Until the end of the battle round, if this fighter is in cover, it has +1 Strength.", "read", "while"),
    ("Until the end of the battle round, if an enemy is within 3\" of this fighter, this fighter has +1 Toughness.",
     "read", "while"),
    ("Until the end of the battle round, this fighter has +1 Move if it has at least 5 damage points.", "read",
     "while"),
    ("Until the end of the battle, if this fighter is in cover, it has +1 Strength.", "read", "while"),
    ("If this fighter is in cover, it has +1 Strength until the end of the battle round.", "read loosely", "while"),
    ("This fighter has +1 Toughness until the end of the battle round if it is in cover.", "read loosely", "while"),
    ("Until the end of the battle round, unless this fighter is in cover, it has +1 Strength.", "read loosely",
     "unless"),
    ("If this fighter is in cover now, it has +1 Strength until the end of the battle round.", "read", "if"),
    ("Until the end of the battle round, if this fighter has the Hero runemark, it has +1 Strength.", "read", "if"),
    ("Until the end of the battle round, friendly fighters have +1 Toughness while they are in cover.", "read",
     "while"),
    ("Until the end of the battle round, if they are in cover, friendly fighters have +1 Toughness.", "read", "while"),
])  # fmt: skip
def test_a_condition_of_what_lasts_can_change(text: str, level: str, key: str) -> None:
    (reading,) = read_sentences(text, "double")
    (change,) = reading.value
    assert (
        reading.level,
        {"if", "unless", "while"} & change.model_dump(by_alias=True, exclude_defaults=True).keys(),
    ) == (level, {key})


@each_case(("before", "levels"), [
    ("Roll a die.", ["read", "read"]), ("Sing a song of 4 stones.", ["not read", "read loosely"]), ("", ["not read"]),
])  # fmt: skip
def test_that_many_is_what_was_rolled(before: str, levels: list[str]) -> None:
    text = f"{before} Remove that many damage points from this fighter.".strip()
    assert [each.level for each in read_sentences(text, "double")] == levels


@pytest.mark.parametrize(
    ("text", "level"),
    [
        ("Friendly fighters in cover have +1 Toughness until the end of the battle round.", "read loosely"),
        ("Until the end of the battle round, enemies in cover cannot make move actions.", "read loosely"),
        (
            "Friendly fighters in cover have +1 Toughness until the end of the battle round, as they are now.",
            "read",
        ),
        ("Friendly fighters have +1 Toughness until the end of the battle round, as they are now.", "not read"),
        ("Friendly fighters with the Beast runemark have +1 Toughness until the end of the battle round.", "read"),
        ("Friendly fighters in cover have +1 Toughness.", "read"),
        ("Fighters with the Mount runemark can also use this ability.", "not read"),
        ("Fighters without the Hero runemark cannot use this ability.", "not read"),
    ],
)
def test_who_is_meant_is_clear_or_the_sentence_is_not_read_so(text: str, level: str) -> None:
    assert [each.level for each in read_sentences(text, "double")] == [level]


@pytest.mark.parametrize(
    "opening",
    ["[Double] ", "Double: ", "Double, ", "With a double, ", "For a double, ", "Spend a double: ",
     "Spend a double and ", "Spend a double, and ", "Spend a double to ", "By spending a double, ",
     "If you have a double, ",
     "If you've got a double to spend, ", "Got a double? "],
)  # fmt: skip
def test_the_price_of_an_ability_is_written_in_many_ways(opening: str) -> None:
    text = f'{opening}pick an enemy within 3". It takes 1 damage.'
    expected = [{"pick": {"side": "enemy", "within": 3}}, {"of": "picked", "deal": 1}]
    assert data_of(text) == data_of(text, "double") == expected
    assert data_of(text, "triple") is None
    assert data_of(text.replace("ouble", "ouble or triple", 1)) is None


@each_case(
    ("text", "changes"),
    [
        ("Blessing: +2 Wounds.", [{"wounds": 2}]),
        ("If it's taken down an enemy this activation, you can spend a triple to have it make a bonus attack.",
         [{"if": {"took_down": "any"}, "bonus_attack": True, "may": True}]),
        ("When an enemy disengages, this fighter can react by making a bonus move.",
         [{"reacts": {"event": "enemy-disengage"}}, {"bonus_move": "move"}]),
        ("When one of your fighters makes a missile attack, you can re-roll hit rolls that came up 1.",
         [{"of": {"side": "friend"}, "weapon": "missile", "reroll": "ones"}]),
        ("[Double] Push one enemy within 1\" straight away from it 3\".", None),
        ("[Double] You can push one enemy within 1\" of this fighter up to 3\" straight away from it.",
         [{"pick": {"side": "enemy", "within": 1}}, {"of": "picked", "shift": 3, "direction": "away"}]),
        ("[Triple] Every hit this fighter scores with a melee attack counts as a critical hit this activation.",
         [{"weapon": "melee", "for": "activation", "critical_face": "hit"}]),
        ("[Double] -1 damage for each hit.", None),
        ("[Double] Take 1 off the damage of each hit.", None),
        ("When an enemy makes a melee attack, add 1 to the Strength of melee attacks.", None),
        ("If you can spend a triple to have it make a bonus attack.", None),
        ("This fighter can react by making a bonus move.", None),
        ("[Double] Allocate 2 damage points to each enemy within 3\", rolling separately for each of them.", None),
    ],
    ids=lambda each: each[:40] if isinstance(each, str) else "",
)  # fmt: skip
def test_spoken_and_legal_sentences(text: str, changes: list[dict[str, Any]] | None) -> None:
    assert data_of(text) == changes

"""What the checks of groups, conditions, moments, picks, and penalties report, word for word, and what they pass."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from cardgen.rulesets.warcry.checks.texts import _BY_NAME
from cardgen.rulesets.warcry.wording.reader import PLAYED
from tests.cases import each_case
from tests.rulesets.warcry.test_checks_battleplans import messages

DEAL = "{of: picked, deal: 3}"
PLAN = """  - {kind: battleplan, name: The Ford, primary: {text: The battle lasts 6 battle rounds.},
     secondary: {text: Take down two.}, twist: {text: It floods.}}
"""


def ability(*changes: str, price: str = "double", others: str = "", text: str = "") -> str:
    listed = f", changes: [{', '.join(changes)}]" if changes else ""
    words = f', text: "{text}"' if text else ""
    return f"game: warcry\ncards:\n{others}  - {{kind: ability, name: Omen, price: {price}{listed}{words}}}\n"


def pick(keys: str) -> tuple[str, str]:
    return f"{{pick: {{side: enemy, {keys}}}}}", DEAL


@each_case(
    ("changes", "message"),
    [
        (pick("wounds: 20, most_wounds: 10"), "no fighter has 'wounds: 20' and 'most_wounds: 10'"),
        (pick("toughness: 5, most_toughness: 4"), "no fighter has 'toughness: 5' and 'most_toughness: 4'"),
        (pick("wounds: 10, most_wounds: 10"), ""),
        (pick("moved: true, still: true"), "no fighter is both 'moved' and 'still'"),
        (pick("damaged: 1, unhurt: true"), "no fighter is both 'damaged' and 'unhurt'"),
        (pick("fresh: true, activated: true"), "no fighter is both 'fresh' and 'activated'"),
        (pick("within: 3, beyond: 3"), "nothing is within 3 inches and more than 3 inches away"),
        (pick("within: 6, beyond: 3"), ""),
        (("{only_if: {enemy_within: 1, no_enemy_within: 3}}", "{heal: 1}"),
         "nothing is within 1 inch and more than 3 inches away"),
        (("{only_if: {enemy_within: 3, no_enemy_within: 1}}", "{heal: 1}"), ""),
        (("{only_if: {moved: true}}", "{not_if: {moved: true}}", "{heal: 1}"), ""),
        (("{heal: 1, if: {cover: true}, unless: {cover: true}}",), "'if' and 'unless' are the same condition"),
        (("{heal: 1, if: {cover: true}, unless: {moved: true}}",), ""),
    ],
)  # fmt: skip
def test_groups_and_conditions_can_be_met(changes: tuple[str, ...], message: str, tmp_path: Path) -> None:
    found = messages(tmp_path, ability(*changes), "WC326")
    assert [words for words, _ in found] == [message] * bool(message)


def test_a_contradiction_in_a_text_is_found(tmp_path: Path) -> None:
    text = (
        "This fighter may use this ability only if it has made a move action in this activation and it has not made a "
        "move action in this activation. This fighter makes a bonus attack."
    )
    assert [words for words, _ in messages(tmp_path, ability(text=text), "WC326")] == [
        "no fighter is both 'moved' and 'still'"
    ]


@pytest.mark.parametrize(
    ("kind", "change", "found"),
    [
        ("ability, price: double", "{reacts: {event: targeted}}",
         [("a rule with the price 'double' is not a reaction", "set the price to reaction, or remove 'reacts'")]),
        ("ability, price: reaction", "{reacts: {event: targeted}}", []),
        ("trait, runemark: chaos", "{reacts: {event: targeted}}",
         [("a rule without a price is not a reaction", "set the price to reaction, or remove 'reacts'")]),
        ("trait, runemark: chaos", "{not_if: {moved: true}}",
         [("a rule without a price always applies", "write 'if' or 'while' instead of 'not_if'")]),
        ("trait, runemark: chaos", "{only_if: {once: battle}}", []),
        ("trait, runemark: chaos", "{only_if: {once: battle, moved: true}}",
         [("a rule without a price always applies", "write 'if' or 'while' instead of 'only_if'")]),
        ("ability, price: free", "{only_if: {moved: true}}", []),
    ],
)  # fmt: skip
def test_only_reactions_react(kind: str, change: str, found: list[tuple[str, str]], tmp_path: Path) -> None:
    text = f"game: warcry\ncards:\n  - {{kind: {kind}, name: Omen, changes: [{change}, {{heal: 1}}]}}\n"
    assert messages(tmp_path, text, "WC327") == found


@each_case(
    ("changes", "message"),
    [
        (("{pick: {side: enemy}}", "{heal: 1}"), "nothing happens to the fighter that is picked"),
        (("{pick: {side: enemy}}", DEAL), ""),
        (("{pick: {side: enemy}, of: picked, deal: 1}",), ""),
        (("{pick: {side: enemy}}", "{bonus_attack: true, against: picked}"), ""),
        (("{pick: {side: enemy}}", "{pick: {side: enemy, within: 3, to: picked}}", DEAL), ""),
        (("{pick: {side: enemy}}", "{heal: 1, if: {of: picked, damaged: 1}}"), ""),
        (("{roll: 1}", "{heal: 1}"), "nothing depends on the roll"),
        (("{roll: 1}", "{on_roll: 4+, heal: 1}"), ""),
        (("{roll: 2d6}", "{bonus_move: rolled}"), ""),
        (("{roll: 1}", "{sets: {value: rolled}}"), ""),
    ],
)
def test_picks_and_rolls_are_used(changes: tuple[str, ...], message: str, tmp_path: Path) -> None:
    found = messages(tmp_path, ability(*changes), "WC328")
    assert [words for words, _ in found] == [message] * bool(message)
    assert messages(tmp_path, ability(*changes, text="Sing."), "WC328") == []


@pytest.mark.parametrize(
    ("change", "found"),
    [
        ("{move: -10, for: round}", [("no fighter has 10 Move; the highest is 9",
                                      "lower the penalty, or write 'cannot: [move]'")]),
        ("{move: -9, for: round}", []),
        ("{attacks: -6, for: round}", [("no fighter has 6 Attacks; the highest is 5",
                                        "lower the penalty, or write 'fixes: [attacks]'")]),
        ("{move: +10, for: round}", []),
    ],
)  # fmt: skip
def test_penalties_leave_a_difference(change: str, found: list[tuple[str, str]], tmp_path: Path) -> None:
    """The fighters of the kit are in play too."""
    assert messages(tmp_path, ability(change), "WC329") == found


@pytest.mark.parametrize(
    ("changes", "others", "numbers"),
    [
        (("{heal: 1, if: {rounds: [3, 8]}}",), "", [8]),
        (("{heal: 1, if: {rounds: [5]}}",), PLAN, []),
        (("{heal: 1, if: {rounds: [5]}}",), "", [5]),
        (("{heal: 1, unless: {rounds: [7, 8]}}",), PLAN, [7, 8]),
    ],
)
def test_rounds_of_conditions_come(changes: tuple[str, ...], others: str, numbers: list[int], tmp_path: Path) -> None:
    last = 6 if others else 4
    assert messages(tmp_path, ability(*changes, others=others), "WC312") == [
        (f"battle round {number} never comes", f"use battle round 1 to {last}") for number in numbers
    ]


def test_reactions_answer_something(tmp_path: Path) -> None:
    message = "the reaction does not say what it answers"
    brace = ability("{toughness: +1, for: attack}", price="reaction")
    assert [words for words, _ in messages(tmp_path, brace, "WC319")] == [message]
    in_words = ability(price="reaction", text="This fighter has +1 Toughness until the end of the attack.")
    assert [words for words, _ in messages(tmp_path, in_words, "WC319")] == [message]
    moment = ability("{reacts: {event: targeted}}", "{toughness: +1, for: attack}", price="reaction")
    assert messages(tmp_path, moment, "WC319") == []
    assert messages(tmp_path, ability("{toughness: +1, for: attack}", price="reaction", text="Duck."), "WC319") == []


@each_case(
    ("text", "word"),
    [
        ("[Triple] Remove 3 damage points from this fighter.", "triple"),
        ("**[Triple]** Remove 3 damage points from this fighter.", "triple"),
        ("{quad} Remove 3 damage points from this fighter.", "quad"),
        ("REACTION: remove 3 damage points from this fighter.", "reaction"),
        ("Sing. Quad - this fighter makes a bonus attack.", "quad"),
        ("Spend a triple to use this ability.", "triple"),
        ("It costs a quad.", "quad"),
        ("[Double] Remove 3 damage points from this fighter.", ""),
        ("Pick a {double}, {triple}, or {quad} that you have, and add 1 to its value.", ""),
        ("Add 1 to the value of any triple that was spent on *Tearing Bite*.", ""),
        ("Double the Move of this fighter until the end of its activation.", ""),
    ],
)
def test_a_text_has_the_price_of_its_card(text: str, word: str, tmp_path: Path) -> None:
    found = messages(tmp_path, ability(text=text), "WC330")
    assert [words for words, _ in found] == [f"the text has the price '{word}', the card the price 'double'"] * bool(
        word
    )


@each_case(
    ("text", "found"),
    [
        ("[Double] Remove D3 damage points from this fighter.", 0),
        ("{double} *Remove D3 damage points from this fighter.*", 0),
        ("Sing. [Double] Remove D3 damage points from this fighter.", 0),
        ("On a [Double] Remove D3 damage points from this fighter.", 1),
    ],
)
def test_the_price_of_an_ability_does_not_make_a_term_of_the_word_after_it(
    text: str, found: int, tmp_path: Path
) -> None:
    assert len(messages(tmp_path, ability(text=text), "CG204")) == found


@each_case(
    ("card", "found"),
    [
        (ability("{of: picked, deal: 1}"), ["no fighter is picked before this"]),
        (ability("{on_roll: 4+, heal: 1}"), ["no die is rolled before this"]),
        (ability("{of: rolled, deal: 1}"), ["no die is rolled before this"]),
        (ability("{of: picked, deal: 1}", "{pick: {side: enemy}}"), ["no fighter is picked before this"]),
        (ability(DEAL, text="Pick an enemy. Allocate 3 damage points to it."), []),
        (ability("{pick: {side: enemy}, of: picked, deal: 1}"), []),
        (ability("{roll: 1, on_roll: 4+, heal: 1}"), []),
        (ability("{reacts: {event: targeted}}", "{of: picked, deal: 1}", price="reaction"), []),
        (ability("{when: {event: enemy-move}, of: picked, deal: 1}"), []),
        (ability('{roll_each: {side: enemy}}', "{on_roll: 4+, of: rolled, deal: 1}"), []),
    ],
)  # fmt: skip
def test_a_fighter_is_picked_and_a_die_rolled_before_something_happens_for_it(
    card: str, found: list[str], tmp_path: Path
) -> None:
    assert [words for words, _ in messages(tmp_path, card, "WC332")] == found


@each_case(
    ("needs", "keys", "found"),
    [
        ("[hero]", "not_for: [hero]", 1),
        ("[beast]", "not_for: [hero]", 0),
        ("[]", "only_for: [hero], not_for: [hero, beast]", 1),
        ("[]", "only_for: [hero, beast], not_for: [hero]", 0),
    ],
)
def test_an_ability_is_for_somebody(needs: str, keys: str, found: int, tmp_path: Path) -> None:
    card = ability(f"{{{keys}, heal: 1}}").replace("price: double", f"price: double, runemarks: {needs}")
    assert len(messages(tmp_path, card, "WC130")) == found


@each_case(
    ("name", "price", "text", "found"),
    [
        ("Counter", "reaction", "Each 1 deals 2 damage points.", []),
        ("Counter", "double", "Each 1 deals 5 damage points.", ["the price 'reaction', not 'double'", "no 5"]),
        ("Take Cover", "reaction", "On a 3+, a critical hit is a hit.", ["no 3"]),
        ("Strike Them Down", "reaction", "On a 4+, it is allocated D6 damage points.", []),
        ("Riposte", "reaction", "Each 1 deals 5 damage points.", []),
    ],
)
def test_what_is_played_by_its_name_says_what_is_played(
    name: str, price: str, text: str, found: list[str], tmp_path: Path
) -> None:
    card = ability(text=text, price=price)
    own = re.sub(r"name: [^,]+", f"name: {name}", card, count=1)
    said = [words for words, _ in messages(tmp_path, own, "WC334")]
    assert len(said) == len(found)
    assert all(words.endswith(end) for words, end in zip(said, found, strict=True))
    assert {*_BY_NAME} <= {*PLAYED}

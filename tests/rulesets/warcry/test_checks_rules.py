"""What the checks of fighters, changes, and choices report, word for word, and what they pass."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cases import each_case
from tests.rulesets.warcry.test_checks_battleplans import messages

Found = list[tuple[str, str]]
FIGHTER = """game: warcry
kind: fighter
name: Asha
faction: chaos
stats: {{M: 5, T: 4, W: 10}}
points: {points}
weapons: [{{Axe: {axe}}}, {{Knife: {knife}}}]
"""
NEVER_BETTER = [("'Knife' is never better than 'Axe'", "raise one of its numbers, or remove it")]


@pytest.mark.parametrize(
    ("axe", "knife", "found"),
    [
        ("axe R2 A3 S4 D1/4", "dagger R1 A3 S3 D1/4", NEVER_BETTER),
        ("axe R1 A3 S4 D1/4", "axe R1 A3 S4 D1/4", NEVER_BETTER),
        ("dagger R1 A3 S3 D1/4", "axe R2 A3 S4 D1/4",
         [("'Axe' is never better than 'Knife'", "raise one of its numbers, or remove it")]),
        ("axe R2 A3 S4 D1/4", "dagger R1 A4 S3 D1/4", []),
        ("axe R1 A3 S4 D1/4", "axe R2-6 A1 S3 D1/3", []),
        ("ranged R3-15 A3 S4 D1/4", "ranged R1-10 A2 S3 D1/3", []),
        ("ranged R3-15 A3 S4 D1/4", "ranged R4-10 A2 S3 D1/3", NEVER_BETTER),
        ("ranged R0-15 A5 S5 D5/5", "dagger R1 A1 S1 D1/1", []),
    ],
)  # fmt: skip
def test_both_weapons_are_worth_an_attack(axe: str, knife: str, found: Found, tmp_path: Path) -> None:
    assert messages(tmp_path, FIGHTER.format(points=70, axe=axe, knife=knife), "WC315") == found


@pytest.mark.parametrize(("points", "found"), [(0, [("the fighter costs no points", "set its points")]), (1, [])])
def test_fighters_cost_points(points: int, found: Found, tmp_path: Path) -> None:
    text = FIGHTER.format(points=points, axe="axe R1 A3 S4 D1/4", knife="dagger R1 A4 S3 D1/3")
    assert messages(tmp_path, text, "WC320") == found


def ability(price: str, changes: str, marks: str = "") -> str:
    return f"game: warcry\nkind: ability\nname: Omen\nprice: {price}\nrunemarks: [{marks}]\nchanges: [{changes}]\n"


@pytest.mark.parametrize(
    ("price", "changes", "found"),
    [
        ("double", "{wild_dice: +1}",
         [("too late to change wild dice at the start of the battle", "use a battle trait or a blessing")]),
        ("reaction", "{initiative: ties}", [("too late to change the initiative", "use a battle trait or a blessing")]),
        ("double", "{move: +1, for: round}", []),
        ("double", "{when: {event: battle-start}, save_wild: 1}",
         [("too late for what happens when the battle starts", "use a battle trait or a blessing")]),
        ("double", "{when: {event: next-round}, save_wild: 1}", []),
    ],
)  # fmt: skip
def test_fighters_do_not_change_what_is_over(price: str, changes: str, found: Found, tmp_path: Path) -> None:
    assert messages(tmp_path, ability(price, changes), "WC316") == found


@pytest.mark.parametrize(
    ("price", "text", "moment"),
    [
        ("double", "At the start of the battle, you have 1 extra wild die.", "when the battle starts"),
        ("double", 'After deployment, this fighter can make a bonus move of up to 3".', "after deployment"),
        ("double", "At the start of battle round 1, remove 1 damage point from this fighter.",
         "when battle round 1 starts"),
        ("reaction", "At the start of the battle, save 1 extra wild die.", "when the battle starts"),
        ("double", "When the next battle round starts, save 1 extra wild die.", ""),
        ("double", "At the start of battle round 2, remove 1 damage point from this fighter.", ""),
    ],
)  # fmt: skip
def test_texts_name_no_moment_that_is_over(price: str, text: str, moment: str, tmp_path: Path) -> None:
    card = f"game: warcry\nkind: ability\nname: Omen\nprice: {price}\ntext: '{text}'\n"
    found = {message for message, _ in messages(tmp_path, card, "WC316")}
    assert (f"too late for what happens {moment}" in found) is bool(moment)
    assert bool(found) is bool(moment)


NO_WEAPON = ("'weapon' has no effect without a change of weapons", "remove it")
NO_SPAN = ("'for' has no effect without a change of a characteristic", "remove it")


@each_case(
    ("change", "found"),
    [
        ("{move: +1, weapon: melee, for: round}", [NO_WEAPON]),
        ("{heal: 3, weapon: one, for: round}", [NO_WEAPON, NO_SPAN]),
        ("{bonus_attack: true, for: activation}", [NO_SPAN]),
        ("{move: +2, for: attack}",
         [("a change of Move has no effect during an attack", "write 'for: activation' or 'for: round'")]),
        ("{toughness: +2, for: attack}", []),
        ("{bonus_move: move, while: {cover: true}}",
         [("'while' has no effect on this change", "write 'if' for what happens at once")]),
        ("{deal: 1, next: attack, may: true}",
         [("'next' has no effect on this change", "remove it"), ("'may' has no effect on this change", "remove it")]),
        ("{attacks: +1, while: {cover: true}, for: round}", []),
        ("{take_cover: 4}", [("Take Cover needs 4+ anyway", "use another number")]),
        ("{take_cover: 3, for: round}", []),
        ("{no_cover: any, for: activation}", []),
        ("{attacks: +1, weapon: melee, for: attack}", []),
    ],
)  # fmt: skip
def test_every_key_of_a_change_does_something(change: str, found: Found, tmp_path: Path) -> None:
    assert sorted(messages(tmp_path, ability("double", change), "WC317")) == sorted(found)


def blessing(changes: str, text: str = "") -> str:
    extra = f"text: {text}\n" if text else ""
    return f"game: warcry\nkind: blessing\nname: Omen\npoints: {{regular: 5, elite: 5}}\nchanges: [{changes}]\n{extra}"


@pytest.mark.parametrize(
    ("changes", "text", "found"),
    [
        ("{move: -2}", "", [("the blessing only makes its fighter worse", "write a change as +N")]),
        ("{wild_dice: -1}", "", [("the blessing only makes its fighter worse", "write a change as +N")]),
        ("{move: -2}, {wounds: +3}", "", []),
        ("{move: -2, toughness: +1}", "", []),
        ("{move: -2}, {impact: -1}", "", []),
        ("{move: -2}", "It is slow, and enemies fear it.", []),
        ("{attacks: -1, incoming: true}", "", []),
    ],
)
def test_blessings_bless(changes: str, text: str, found: Found, tmp_path: Path) -> None:
    assert messages(tmp_path, blessing(changes, text), "WC318") == found


@pytest.mark.parametrize(
    ("text", "is_penalty"),
    [
        ("This fighter has -1 Move.", True),
        ("Subtract 1 from the Toughness characteristic of this fighter.", True),
        ("This fighter has -1 Move and +1 Toughness.", False),
        ("This fighter has -1 Move. It frightens everybody who sees it.", False),
    ],
)
def test_blessings_in_words_bless(text: str, is_penalty: bool, tmp_path: Path) -> None:
    card = f"game: warcry\nkind: blessing\nname: Omen\npoints: {{regular: 5, elite: 5}}\ntext: {text}\n"
    found = [("the blessing only makes its fighter worse", "write a bonus, such as +1")]
    assert messages(tmp_path, card, "WC318") == (found if is_penalty else [])


def test_rules_without_dice_compare_no_roll_with_their_value(tmp_path: Path) -> None:
    assert len(messages(tmp_path, ability("action", "{roll: 1}, {on_roll: over-value, heal: 1}"), "WC303")) == 1
    assert messages(tmp_path, ability("double", "{roll: 1}, {on_roll: over-value, heal: 1}"), "WC303") == []


@pytest.mark.parametrize(
    ("changes", "text", "found"),
    [
        ("{heal: 3}", "", [("the card does not say when this happens", "add a 'text' that says when")]),
        ("{bonus_attack: true}", "", [("the card does not say when this happens", "add a 'text' that says when")]),
        ("{move: +1, for: round}", "", [("the card does not say when this happens", "add a 'text' that says when")]),
        ("{heal: 3}", "Once per battle.", []),
        ("{move: +1}", "", []),
    ],
)
def test_what_happens_at_a_moment_names_it(changes: str, text: str, found: Found, tmp_path: Path) -> None:
    assert messages(tmp_path, blessing(changes, text), "WC319") == found
    trait = (
        blessing(changes, text)
        .replace("blessing", "trait")
        .replace("points: {regular: 5, elite: 5}", "runemark: chaos")
    )
    assert messages(tmp_path, trait, "WC319") == found


@pytest.mark.parametrize(
    ("marks", "found"),
    [
        (
            "skaven, the-unmade",
            [("no fighter is of 'Skaven' and of 'The Unmade'", "write an ability for each of them")],
        ),
        ("hero, mount, elite, agile", [("no fighter has 4 runemarks besides its faction's", "use up to 3")]),
        ("chaos, skaven, hero, mount, elite", []),
        ("hero, mount, hero, elite, hero", []),
    ],
)
def test_somebody_can_use_an_ability(marks: str, found: Found, tmp_path: Path) -> None:
    assert messages(tmp_path, ability("double", "{move: +1, for: round}", marks), "WC130") == found


def test_a_reaction_for_good_is_reported(tmp_path: Path) -> None:
    advice = "write 'for: attack' or 'for: round'"
    assert messages(tmp_path, ability("reaction", "{toughness: +1}"), "WC308") == [
        ("a reaction changes Toughness for good", advice)
    ]


@pytest.mark.parametrize("state", ["flies: true", "reroll: ones", "cannot: [wait]", "ward: 5", "halve: [move]"])
def test_a_state_that_dice_pay_for_has_an_end(state: str, tmp_path: Path) -> None:
    advice = "write 'for: attack', 'for: activation', or 'for: round'"
    assert messages(tmp_path, ability("double", f"{{{state}}}"), "WC308") == [
        ("an effect of a double has no end", advice)
    ]
    for change in (f"{{{state}, for: round}}", f"{{{state}, next: attack}}"):
        assert messages(tmp_path, ability("double", change), "WC308") == []
    assert messages(tmp_path, ability("free", f"{{{state}}}"), "WC308") == []


def test_a_reaction_does_not_last_for_an_activation_of_its_own(tmp_path: Path) -> None:
    """Reactions answer the action of an enemy, which is the one that activates."""
    assert messages(tmp_path, ability("reaction", "{toughness: +1, for: activation}"), "WC308") == [
        ("a reaction is not made in its fighter's own activation", "write 'for: attack' or 'for: round'")
    ]
    assert messages(tmp_path, ability("reaction", "{toughness: +1, for: attack}"), "WC308") == []
    assert messages(tmp_path, ability("double", "{toughness: +1, for: activation}"), "WC308") == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Roll a D8.", [("unknown term 'D8'", "use D6 or D3")]),
        ("Roll a D20.", [("unknown term 'D20'", "use D6 or D3")]),
        ("It takes 3 mortal wounds.", [("unknown term 'mortal wounds'", "allocate damage points")]),
        ("In the shooting phase, attack.", [("unknown term 'shooting phase'", "Warcry has a combat phase")]),
        ("Spend 1 Command Point.", [("unknown term 'Command Point'", "Warcry has ability dice")]),
        ("Roll D66, D3, and 2D6 in the combat phase.", []),
        ("Pick 2D8 enemies.", [("unknown term '2D8'", "use D6 or D3")]),
        ("A fighter with 23+ Wounds falls on a 6+.", []),
        ("Roll 10 or more dice.", []),
    ],
)
def test_words_of_other_games(text: str, found: Found, tmp_path: Path) -> None:
    card = f"game: warcry\nkind: ability\nname: Omen\nprice: double\ntext: {text}\n"
    assert messages(tmp_path, card, "WC202") == found


WARBAND = """game: warcry
cards:
  - {{kind: trait, name: Omens, runemark: chaos, choices: [{choices}]}}
  - {{kind: trait, name: Plain, runemark: chaos, changes: [{{move: +1}}]}}
  - {{kind: fighter, name: Asha, faction: chaos, stats: {{M: 5, T: 4, W: 10}}, points: 70,
     weapons: [{{Axe: axe R1 A3 S4 D1/4}}]}}
  - {{kind: warband, name: The Few, members: [{{fighter: Asha}}]{keys}}}
"""
TWO = "{name: Red Blood, changes: [{toughness: +1}]}, {name: Smoke, changes: [{move: +1}]}"


@pytest.mark.parametrize(
    ("keys", "found"),
    [
        (", trait: Omens, choice: Smoke", []),
        (", trait: Omens, choice: red-blood", []),
        (", trait: Omens", []),
        (", trait: Omens, choice: Smok",
         [("unknown choice 'Smok'; did you mean 'Smoke'?", "choose Red Blood or Smoke")]),
        (", trait: Omens, choice: Red Blood and Smoke",
         [("unknown choice 'Red Blood and Smoke'", "choose Red Blood or Smoke")]),
        (", trait: Plain, choice: Smoke", [("'Plain' offers no choice", "remove 'choice'")]),
        (", choice: Smoke", [("a choice needs a battle trait", "add 'trait', or remove 'choice'")]),
    ],
)  # fmt: skip
def test_a_warband_chooses_what_its_trait_offers(keys: str, found: Found, tmp_path: Path) -> None:
    assert messages(tmp_path, WARBAND.format(choices=TWO, keys=keys), "WC132") == found


def test_nobody_takes_both_halves(tmp_path: Path) -> None:
    text = WARBAND.format(choices=TWO, keys=", trait: Omens, choice: [Red Blood, Smoke]")
    assert messages(tmp_path, text, "WC132") == [("'choice' must be text, not a list", "")]


def test_a_choice_of_one_is_none(tmp_path: Path) -> None:
    text = WARBAND.format(choices=TWO.partition(", {name: Smoke")[0], keys="")
    assert messages(tmp_path, text, "WC132") == [
        ("a choice needs two alternatives or more", "add one, or use 'grants'")
    ]


@each_case("kind", ["cylinder", "standee"])
@each_case(
    ("keys", "code", "found"),
    [
        ("faction: skavn", "WC120", [("unknown runemark 'skavn'", "did you mean 'skaven'?")]),
        ("runemarks: [heroe]", "WC120", [("unknown runemark 'heroe'", "did you mean 'hero'?")]),
        ("faction: hero", "WC127", [("'Hero' is not a faction or grand alliance", "write it under 'runemarks'")]),
        ("faction: skaven, runemarks: [order]", "WC128",
         [("'Order' is of Order, but the fighter is of Chaos", "use runemarks of one grand alliance")]),
        ("runemarks: [hero, hero]", "WC129", [("repeated runemark 'Hero'", "leave it out")]),
        ("faction: skaven, runemarks: [hero]", "WC1", []),
        ("base: 32", "WC1", []),
    ],
)  # fmt: skip
def test_runemarks_of_proxies_are_checked(kind: str, keys: str, code: str, found: Found, tmp_path: Path) -> None:
    text = f"game: warcry\ncards:\n  - {{kind: {kind}, name: Asha, {keys}}}\n"
    assert messages(tmp_path, text, code) == found


@pytest.mark.parametrize(("second", "found"), [("seraphon", 1), ("the-unmade", 0)])
def test_a_fighter_of_two_alliances_does_not_excuse_an_ability(second: str, found: int, tmp_path: Path) -> None:
    text = f"""game: warcry
cards:
  - {{kind: fighter, name: Asha, faction: skaven, runemarks: [{second}], stats: {{M: 5, T: 4, W: 10}}, points: 70,
     weapons: [{{Axe: axe R1 A3 S4 D1/4}}]}}
  - {{kind: ability, name: Omen, price: double, runemarks: [skaven, {second}], text: It runs.}}
"""
    assert len(messages(tmp_path, text, "WC130")) == found


LONGER = "the text and the changes differ in how long they last"


@pytest.mark.parametrize(
    ("changes", "text", "found"),
    [
        ("{move: +1, for: round}", "This fighter has +2 Move until the end of the battle round.",
         [("the text and the changes differ in Move", "the changes have +1 Move")]),
        ("{attacks: +1, for: activation}, {attacks: +2, for: round}", "It has +3 Attacks.",
         [("the text and the changes differ in Attacks", "the changes have +1 and +2 Attacks")]),
        ("{critical: +2, for: round}", "It has −2 Damage.",
         [("the text and the changes differ in Damage", "the changes have +2 Damage")]),
        ("{move: +1, for: round}", "It has +1 Move until the end of its activation.",
         [(LONGER, "the changes last until the end of the battle round")]),
        ("{move: +1, for: activation}", "Two more inches of Move are his until his activation ends.",
         [("the text and the changes differ in Move", "the changes have +1 Move")]),
        ("{attacks: +1, for: activation}", "It hits harder, with 1 more Strength until its activation ends.",
         [("the text changes Strength, and the changes Attacks", "change one of the two")]),
        ("{attacks: +1, for: activation}", "It has 1 more Attack, and fears no Strength, till dusk.", []),
        ("{move: +1, for: activation}", "Until the battle round ends, it flies, with +1 Move.",
         [(LONGER, "the changes last until the end of its activation")]),
        ("{strength: +1, for: attack}", "It has +1 Strength until the end of the battle round.",
         [(LONGER, "the changes are for this attack")]),
        ("{move: +1, for: round}", "It has +1 Move and others -1 Strength until the end of the battle round.", []),
        ("{heal: 3}", "It has +1 Move until the end of the battle round.",
         [("the changes do not say 'This fighter has +1 Move until the end of the battle round.'",
           "add it to the changes, or remove it from the text")]),
    ],
)  # fmt: skip
def test_texts_agree_with_changes(changes: str, text: str, found: Found, tmp_path: Path) -> None:
    card = ability("double", changes) + f"text: {text}\n"
    assert messages(tmp_path, card, "WC322") == found


STRIKE = 'Pick a visible enemy within 6" and roll a die. On a 4+, allocate 2 damage points to that enemy.'
MOVED = "Use this ability only if this fighter has made a move action this activation."
STRIKE_DATA = ["{pick: {side: enemy, visible: true, within: 6}, roll: 1}", "{on_roll: 4+, of: picked, deal: 2}"]


@pytest.mark.parametrize(
    ("text", "changes", "told"),
    [
        (STRIKE, STRIKE_DATA, []),
        (STRIKE, ["{pick: {side: enemy, visible: true, within: 6}}", "{roll: 1}", STRIKE_DATA[1]], []),
        (STRIKE, [STRIKE_DATA[0], "{on_roll: 4+, of: picked, deal: 3}"], ["deal: damage"]),
        (STRIKE, ["{pick: {side: enemy, visible: true, within: 8}, roll: 1}", STRIKE_DATA[1]], ["distance"]),
        (STRIKE, [STRIKE_DATA[0], "{on_roll: 3+, of: picked, deal: 2}"], ["roll"]),
        (STRIKE, ["{pick: {side: friend, visible: true, within: 6}, roll: 1}", STRIKE_DATA[1]], ["target"]),
        (STRIKE, ["{pick: {side: enemy, visible: true, within: 6, count: 2}, roll: 1}", STRIKE_DATA[1]], ["scope"]),
        (STRIKE, [*STRIKE_DATA, "{heal: 1}"], ["the text says less"]),
        (f"{STRIKE} Remove 1 damage point from this fighter.", STRIKE_DATA, ["the text says more"]),
        (f"{STRIKE} Sing a song of the sea.", STRIKE_DATA, []),
        (f"{MOVED} {STRIKE}", STRIKE_DATA, ["condition"]),
        (f"{MOVED} {STRIKE}", ["{only_if: {moved: true}}", *STRIKE_DATA], []),
        ("This fighter heals 2 damage points.", ["{deal: 2}"], ["another deed"]),
        ("This fighter may make a bonus move.", ["{bonus_move: move}"], []),
        ("This fighter has +1 Move and +1 Toughness until the end of its activation.",
         ["{move: +1, for: activation}", "{toughness: +1, for: activation}"], []),
        ("This fighter has +1 Toughness while in cover until the end of the battle round.",
         ["{toughness: +1, for: round}"], ["while"]),
        ("Its melee attacks have +1 Strength until the end of its activation.", ["{strength: +1, for: activation}"],
         ["of one type"]),
    ],
)  # fmt: skip
def test_text_and_changes_agree_word_by_word_as_far_as_the_text_is_read(
    text: str, changes: list[str], told: list[str], tmp_path: Path
) -> None:
    data = "".join(f"  - {each}\n" for each in changes)
    card = f"game: warcry\nkind: ability\nname: Own\nprice: double\nchanges:\n{data}text: {json.dumps(text)}\n"
    found = messages(tmp_path, card, "WC322")
    assert len(found) == len(told), found


@each_case(
    ("once", "text", "found"),
    [
        ("round", "Once per battle, an enemy falls ill.", "Once per battle"),
        ("battle", "Once per battle round, an enemy falls ill.", "Once per battle round"),
        ("battle", "At the end of each battle round, an enemy falls ill.", "At the end of each battle round"),
        ("battle", "The first time in a battle round that an enemy falls, sing.", "The first time in a battle round"),
        ("round", "The first time this battle that an enemy falls, sing.", "The first time this battle"),
        ("round", "Only once in every activation, an enemy falls ill.", "once in every activation"),
        ("round", "Once per battle round, an enemy falls ill.", ""),
        ("round", "At the end of each battle round, an enemy falls ill.", ""),
        ("battle", "Once per battle, at the end of a battle round, an enemy falls ill.", ""),
        ("battle", "Once, an enemy falls ill in this battle round.", ""),
        ("battle", "Nobody is picked more than once per battle round.", ""),
        (None, "Once per battle, an enemy falls ill.", ""),
    ],
)
def test_the_text_of_a_trait_says_how_often_it_is_used(once: str | None, text: str, found: str, tmp_path: Path) -> None:
    limit = f"once: {once}\n" if once else ""
    card = f"game: warcry\nkind: trait\nname: Omens\nrunemark: chaos\n{limit}text: '{text}'\n"
    said = [f"the text says '{found}', but 'once' is {once}"] if found else []
    assert [message for message, *_ in messages(tmp_path, card, "WC322")] == said

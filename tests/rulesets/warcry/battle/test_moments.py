"""Battle traits of the battlepack that happen by themselves in a battle, or count in its attacks."""

from __future__ import annotations

from typing import Any

import pytest

from cardgen.referee.trial import card_of_kind
from cardgen.rulesets.warcry.battle.activation import AbilityOption, AbilityUse, ability_options, activate, use_ability
from cardgen.rulesets.warcry.battle.attacks import AttackOption, disengage, make_attack
from cardgen.rulesets.warcry.battle.moments import begin_round, happens
from cardgen.rulesets.warcry.battle.performance import values_of
from cardgen.rulesets.warcry.battle.table import Combatant, Effect, Table
from cardgen.rulesets.warcry.cards import Ability, Trait
from cardgen.rulesets.warcry.changes import Change
from cardgen.rulesets.warcry.referee.initiative import DiceSet
from tests.cases import each_case
from tests.rulesets.warcry.battle.players import Script, combatant, run_with, table_of
from tests.rulesets.warcry.referee.fights import terms
from tests.rulesets.warcry.test_cards import all_of


def table_with(name: str, *, sides: tuple[int, ...] = (0,), sizes: tuple[int, int] = (2, 2), **keys: Any) -> Table:
    """Return a table on which some sides have a battle trait of the battlepack."""
    table = table_of(sizes=sizes, **keys)
    for side in sides:
        trait = all_of(Trait)[name]
        assert isinstance(trait, Trait)
        table.sides[side].trait = trait
    table.round = 1
    return table


def attack(table: Table, attacker: Combatant, target: Combatant, script: Script) -> list[str]:
    option = AttackOption(target, attacker.stats.weapons[0], False)
    return run_with(make_attack(table, attacker, option, set(), has_more=False), script)[1]


@each_case(
    ("name", "event", "script", "damage"),
    [
        # Red 1, Red 2, Blue 1, Blue 2 begin with 4 damage points each.
        ("Blood Calls To Blood", "round-end", Script({"pick": "Blue 2"}, dice=[4, 4]), [4, 4, 4, 7]),
        ("Blood Calls To Blood", "round-end", Script({"pick": "Blue 2"}, dice=[4, 3]), [4, 4, 4, 4]),
        ("Blood Calls To Blood", "round-end", Script({"pick": "nobody"}), [4, 4, 4, 4]),
        ("Dawnbringer Zealots", "round-end", Script({"pick": "Red 2", "condition": "yes"}, face=3), [4, 1, 4, 4]),
        ("Dawnbringer Zealots", "round-end", Script({"pick": "Red 2", "condition": "no"}, face=3), [4, 2, 4, 4]),
        ("Ravaged by Corruption", "round-end", Script({"pick": ["Red 1", "Blue 1"]}, dice=[2, 5]), [5, 4, 7, 4]),
        ("Infection Vectors", "round-start", Script({"group": "Blue"}, dice=[5, 4]), [4, 4, 5, 4]),
        ("Pyres of Victory", "round-start", Script(), [4, 4, 4, 4]),
    ],
)
def test_a_phase_of_the_battle(name: str, event: str, script: Script, damage: list[int]) -> None:
    table = table_with(name)
    for each in table.combatants:
        each.damage = 4
    run_with(happens(table, event), script)
    assert [each.damage for each in table.combatants] == damage


@each_case(
    ("order", "damage"),
    [
        # Ravaged by Corruption is Red's; only afterwards is there a damage point on Red 1 for Blood Calls To Blood.
        ("Ravaged by Corruption", 4),
        ("Blood Calls To Blood", 1),
    ],
)
def test_whoever_wins_a_roll_off_orders_the_traits_of_both_warbands(order: str, damage: int) -> None:
    table = table_with("Ravaged by Corruption")
    blood = all_of(Trait)["Blood Calls To Blood"]
    assert isinstance(blood, Trait)
    table.sides[1].trait = blood
    script = Script(
        {"order": order, "pick": ["Red 1", "Blue 1", "Red 1"] if damage == 4 else ["Red 1", "Blue 1"]}, dice=[2], face=6
    )
    run_with(happens(table, "round-end"), script)
    assert table.combatants[0].damage == damage
    assert [each.who for each in script.of("order")] == ["Blue"], "2 on the roll-off"


@each_case(
    ("name", "sides", "event"),
    [
        ("Blood Calls To Blood", (0,), "round-end"),
        ("Scions of the Storm", (0, 1), "round-start"),
        ("Infection Vectors", (0, 1), "round-start"),
    ],
)
def test_nobody_rolls_off_for_one_trait_or_one_that_says_who_goes_first(
    name: str, sides: tuple[int, ...], event: str
) -> None:
    table = table_with(name, sides=sides)
    table.round = 2
    script = Script()
    run_with(happens(table, event), script)
    assert script.of("order") == []


@pytest.mark.parametrize(("faces", "wild"), [([3, 6, 2], 2), ([1, 2, 2], 0)])
def test_a_die_is_rolled_for_each_token(faces: list[int], wild: int) -> None:
    table = table_with("Pyres of Victory")
    run_with(happens(table, "round-end"), Script({"tokens": 3}, dice=faces))
    assert (table.sides[0].wild, table.sides[1].wild) == (wild, 0)


@pytest.mark.parametrize(("down", "value", "removed"), [((2,), 2, 5), ((2,), 4, 6), ((), 2, 2), ((1, 2), 2, 2)])
def test_more_enemies_down_raise_values_without_a_question(down: tuple[int, ...], value: int, removed: int) -> None:
    """For the Glory of the Dark Gods adds 3, to a maximum of 6, while more enemies are taken down."""
    table, script = table_with("For the Glory of the Dark Gods"), Script()
    table.sides[0].sets, table.combatants[0].damage = [DiceSet(value, 2)], 9
    for place in down:
        table.combatants[place].damage = 10
    table.distances.claim_apart(table.combatants[0], table.enemies(table.combatants[0]))
    respite = next(each for each in ability_options(table, table.combatants[0], 2) if each.rule.name == "Respite")
    run_with(use_ability(AbilityUse(table, table.combatants[0], respite, set())), script)
    assert (table.combatants[0].damage, script.asked) == (9 - removed, [])


def test_values_that_are_raised_for_some_are_raised_for_them_only() -> None:
    """Whether others are near, or a rule with a price is in force, the players know."""
    change = {"raise_value": 1}
    for rule, expected in (
        ({**change, "of": {"side": "friend", "runemarks": ["hero"]}}, [(3, 3), (2, 2)]),
        ({**change, "of": {"side": "friend", "runemarks": ["hero"], "objective_within": 3}}, [(2, 3), (2, 2)]),
        ({**change, "if": {"of": "leader", "standing": True}}, [(2, 3), (2, 3)]),
        ({**change, "may": True}, [(2, 3), (2, 3)]),
    ):
        table = table_of()
        table.combatants[0] = combatant(0, "Red 1", marks=("hero",))
        table.sides[0].trait = Trait.model_validate({"name": "Lift", "runemark": "chaos", "changes": [rule]})
        assert [values_of(table, who, "Shove", 2) for who in table.combatants[:2]] == expected
    table.sides[0].trait = None
    table.sides[0].rules += (Ability.model_validate({"name": "Lift", "price": "double", "changes": [change]}),)
    assert values_of(table, table.combatants[0], "Shove", 2) == (2, 3)


def test_a_corpse_is_devoured_once() -> None:
    """The action is offered while it changes something; nobody is no corpse."""
    table = table_with("Devour Corpse", sizes=(1, 3), marks=("brute",))
    ogor = table.combatants[0]
    table.sides[0].rules += table.sides[0].trait.grants  # type: ignore[union-attr]
    for each in table.combatants[1:3]:
        each.damage = 10
    ogor.damage = 9
    script = Script({"action": ["Devour", "Devour", "Devour"]}, dice=[2, 1])
    run_with(activate(table, ogor, ""), script)
    assert [each.options for each in script.of("pick")] == [("Blue 1 (10/10)", "Blue 2 (10/10)")]
    assert ogor.damage == 9 - 2 - 1
    table.combatants[3].damage, ogor.damage = 10, 0
    assert not any("Devour" in each for each in offered(table, ogor)), (
        "without damage points there is nothing to remove"
    )
    table.combatants[3].damage, ogor.damage = 0, 5
    assert not any("Devour" in each for each in offered(table, ogor)), "both were picked before"


def offered(table: Table, who: Combatant) -> tuple[str, ...]:
    script = Script()
    who.begin_round()
    run_with(activate(table, who, ""), script)
    return script.of("action")[0].options


@pytest.mark.parametrize(
    ("name", "event", "answers", "asked"),
    [
        ("Lure of the Missing God", "initiative", {"pick": "Blue 1"}, []),
        ("We Make War", "initiative", {"use": "yes"}, ["We Make War is used"]),
        ("Da Bad Moon Rises", "initiative", {"use": "yes"}, ["Da Bad Moon Rises is used"]),
    ],
)
def test_a_choice_of_the_warband_is_asked_for_once(
    name: str, event: str, answers: dict[str, Any], asked: list[str]
) -> None:
    """Whoever may pick somebody and does is not asked again, and no fighter of the warband is named."""
    table, script = table_with(name), Script(answers, face=3)
    table.sides[0].sets = [DiceSet(2, 2)]
    _, lines = run_with(happens(table, event), script)
    assert [each.what for each in script.of("use")] == asked
    assert not any("applies to Red" in line for line in lines)


def test_enemies_with_the_trait_are_spared() -> None:
    table = table_with("Infection Vectors", sides=(0, 1))
    script = Script()
    run_with(happens(table, "round-start"), script)
    assert script.asked == []


@pytest.mark.parametrize(
    ("name", "face", "before", "damage", "wild"),
    [("Ravenous Gorging", 6, 5, 2, 0), ("Worthy Draught", 6, 8, 2, 0), ("Seeking Glory", 6, 5, 5, 2)],
)
def test_what_follows_a_fall(name: str, face: int, before: int, damage: int, wild: int) -> None:
    table = table_with(name, marks=("hero",))
    attacker, _, target, _ = table.combatants
    target.is_leader, attacker.damage = True, before
    attack(table, attacker, target, Script(face=face))
    assert target.is_down
    assert (attacker.damage, table.sides[0].wild) == (damage, wild)


def test_only_some_enemies_are_a_worthy_draught() -> None:
    table = table_with("Worthy Draught")
    attacker, _, target, _ = table.combatants
    attacker.damage = 8
    attack(table, attacker, target, Script(face=6))
    assert attacker.damage == 8


def test_no_respite() -> None:
    table = table_with("No Respite", sides=(1,))
    attacker, _, target, _ = table.combatants
    attack(table, attacker, target, Script({"pick": "Red 1"}, dice=[6, 6, 6, 4, 5]))
    assert (target.is_down, attacker.damage) == (True, 3)


def test_no_claw_unbloodied() -> None:
    table = table_with("No Claw Unbloodied", sides=(1,))
    who = table.combatants[0]
    run_with(disengage(table, who, is_answered=False), Script({"count": 2}, face=2))
    assert who.damage == 2


@pytest.mark.parametrize(("answer", "damage", "attacks"), [("yes", 8, 5), ("no", 5, 3)])
def test_pain_fuelled_rapture(answer: str, damage: int, attacks: int) -> None:
    table = table_with("Pain-fuelled Rapture", sides=(1,))
    attacker, _, target, _ = table.combatants
    attack(table, attacker, target, Script({"use": answer}, dice=[6, 4, 1]))
    assert target.damage == damage
    assert target.stats.weapons[0].attacks == attacks
    attack(table, target, attacker, Script({"use": "no"}, face=1))
    assert target.stats.weapons[0].attacks == 3


@pytest.mark.parametrize(("answer", "damage", "wild"), [("yes", 3, 1), ("no", 5, 0)])
def test_a_good_deal_is_made_once_per_battle_round(answer: str, damage: int, wild: int) -> None:
    """1 and 4 damage points for a hit and a critical hit; 2 fewer for each, but at least 1."""
    table = table_with("A Good Deal", sides=(1,))
    attacker, _, target, _ = table.combatants
    script = Script({"use": answer}, dice=[6, 4, 1] * 2)
    attack(table, attacker, target, script)
    assert (target.damage, table.sides[0].wild) == (damage, wild)
    attack(table, attacker, target, script)
    assert len(script.of("use")) == (1 if answer == "yes" else 2)


@pytest.mark.parametrize(
    ("name", "side", "faces", "expected"),
    [("Aspire to Glory", 0, [6, 1, 6], [9, 8]), ("Deathless Minions", 1, [6, 1, 6], [5, 8])],
)
def test_the_first_critical_hit_of_a_battle_round(name: str, side: int, faces: list[int], expected: list[int]) -> None:
    table = table_with(name, sides=(side,), marks=("minion",))
    weapon = "Axe: axe R1 A3 S4 D1/4" if side == 0 else "Bow: ranged R3-9 A3 S4 D1/4"
    attacker, _, target, _ = table.combatants
    table.combatants[0] = attacker = combatant(0, "Red 1", "M5 T4 W10", weapon)
    for damage in expected:
        target.damage = 0
        attack(table, attacker, target, Script(dice=[1, 1, 1]))  # No critical hit, so it is not used.
        attack(table, attacker, target, Script(dice=[*faces]))
        assert target.damage == damage
    table.sides[side].begin_round()
    target.damage = 0
    attack(table, attacker, target, Script(dice=[*faces]))
    assert target.damage == expected[0]


def test_an_ability_about_the_first_critical_hit_does_not_use_up_a_trait_about_it() -> None:
    """Aspire to Glory is for fighters of 125 points or less; another one has an ability of its own."""
    table = table_with("Aspire to Glory", marks=("minion",))
    dear, cheap, target, _ = table.combatants
    dear.card = dear.card.model_copy(update={"points": 160})
    own = Change.model_validate({"first_critical": 2, "weapon": "melee", "for": "activation"})
    dear.effects.append(Effect((own,), "activation"))
    for attacker, damage in ((dear, 6), (cheap, 5), (cheap, 4)):  # 4 points, and 2 or 1 for the first one.
        target.damage = 0
        attack(table, attacker, target, Script(dice=[6, 1, 1]))
        assert target.damage == damage


GLORY = (
    "Once per battle round, add 1 to the damage points allocated by the first critical hit from a melee attack action "
    "made by any friendly fighter with this battle trait that has a points cost of 125 or less."
)


@each_case(
    ("rule", "lasts"),
    [
        ({"text": GLORY}, "round"),
        ({"text": GLORY.replace("battle round", "battle")}, "battle"),
        ({"text": GLORY.removeprefix("Once per battle round, "), "once": "round"}, "round"),
        ({"changes": [{"only_if": {"once": "round"}, "first_critical": 1, "of": {"side": "friend"}}]}, "round"),
    ],
)
def test_a_trait_whose_words_limit_it_is_used_once(rule: dict[str, Any], lasts: str) -> None:
    table = table_of(marks=("minion",))
    table.round = 1
    table.sides[0].trait = Trait.model_validate({"name": "Glory", "runemark": "chaos", **rule})
    attacker, _, target, _ = table.combatants
    damages: list[int] = []
    for number in (1, 1, 2):
        if number > table.round:
            table.sides[0].begin_round()
        table.round, target.damage = number, 0
        attack(table, attacker, target, Script(dice=[6, 1, 1]))
        damages.append(target.damage)
    assert damages == [5, 4, 5 if lasts == "round" else 4]


@each_case(
    ("rule", "asked"),
    [
        ({"text": "Once per battle, friendly fighters have +1 Strength."}, 1),
        ({"text": "Friendly fighters have +1 Strength.", "once": "battle"}, 1),
        ({"changes": [{"only_if": {"once": "battle"}}, {"strength": 1, "attacks": 1, "of": {"side": "friend"}}]}, 1),
        ({"text": "Friendly fighters have +1 Strength."}, 0),
    ],
)
def test_a_limited_bonus_is_offered_until_it_is_used(rule: dict[str, Any], asked: int) -> None:
    table = table_of()
    table.round = 1
    table.sides[0].trait = Trait.model_validate({"name": "Ire", "runemark": "chaos", **rule})
    attacker, _, target, _ = table.combatants
    script = Script({"use": ["no", "yes"]}, face=3)
    for _ in range(3):
        attack(table, attacker, target, script)
    assert len(script.of("use")) == 2 * asked


def test_all_changes_of_a_limited_rule_count_in_the_attack_that_uses_it() -> None:
    table = table_of()
    table.round = 1
    changes = [{"attacks": 1, "of": {"side": "friend"}}, {"strength": 1, "of": {"side": "friend"}}]
    table.sides[0].trait = Trait.model_validate(
        {"name": "Ire", "runemark": "chaos", "once": "battle", "changes": changes}
    )
    attacker, _, target, _ = table.combatants
    script = Script({"use": "yes"}, face=3)
    attack(table, attacker, target, script)
    assert (target.damage, len(script.of("use"))) == (4, 1), "4 dice that need 3+"


def test_a_moment_whose_words_limit_it_happens_once() -> None:
    text = "Once per battle, at the end of a battle round, pick an enemy fighter and allocate 1 damage point to it."
    table = table_of()
    table.sides[0].trait = Trait.model_validate({"name": "Doom", "runemark": "chaos", "text": text})
    for number in (1, 2, 3):
        table.round = number
        run_with(happens(table, "round-end"), Script({"pick": "Blue 1"}))
        assert table.combatants[2].damage == 1


def test_a_moment_does_not_use_up_what_its_trait_grants_for_a_price() -> None:
    grant = {"name": "Howl", "price": "double", "changes": [{"move": 1, "for": "activation"}]}
    changes = [{"when": {"event": "round-end"}, "pick": {"side": "enemy"}}, {"of": "picked", "deal": 1}]
    for once, left in ((None, ["Howl"]), ("battle", [])):
        table = table_of()
        trait = Trait.model_validate(
            {"name": "Doom", "runemark": "chaos", "once": once, "changes": changes, "grants": [grant]}
        )
        side = table.sides[0]
        side.trait, side.rules = trait, (*side.rules, *trait.grants)
        run_with(happens(table, "round-end"), Script({"pick": "Blue 1"}))
        assert [each.name for each in side.rules_with("double") if each.name == "Howl"] == left


def test_the_minimum_of_a_deal_is_that_of_the_damage_with_the_ability() -> None:
    """Damage 2, +1 by the ability and -2 by the trait: 1, as in the odds of the attack."""
    table = table_with("A Good Deal", sides=(1,))
    table.combatants[0] = attacker = combatant(0, "Red 1", "M5 T4 W10", "Axe: axe R1 A1 S4 D2/2")
    attacker.effects.append(Effect((Change.model_validate({"damage": 1, "critical": 1}),), "activation"))
    attack(table, attacker, table.combatants[2], Script({"use": "yes"}, dice=[4]))
    assert table.combatants[2].damage == 1


@pytest.mark.parametrize(("has_moved", "damage"), [(False, 0), (True, 3)])
def test_a_wave_of_terror_needs_a_move(has_moved: bool, damage: int) -> None:
    table = table_with("Wave of Terror")
    attacker, _, target, _ = table.combatants
    attacker.has_moved = has_moved
    attack(table, attacker, target, Script(face=3))
    assert target.damage == damage


@pytest.mark.parametrize(("number", "move", "strength"), [(1, 6, 4), (2, 6, 4), (3, 5, 5), (4, 5, 5)])
def test_the_tides_turn_after_two_battle_rounds(number: int, move: int, strength: int) -> None:
    table = table_with("Power of the Tides")
    table.round = number
    run_with(begin_round(table), Script())
    red, *_, blue = table.combatants
    assert (red.stats.move, red.stats.weapons[0].strength) == (move, strength)
    assert (blue.stats.move, blue.stats.weapons[0].strength) == (5, 4)


def test_a_challenge_is_for_all_attacks_on_the_fighter() -> None:
    table = table_with("Entertain Me!")
    attacker, _, target, _ = table.combatants
    target.profile = target.profile._replace(toughness=7)
    script = Script({"use": "yes"}, face=4)
    for damage in (3, 6):
        attack(table, attacker, target, script)
        assert target.damage == damage
    assert len(script.of("use")) == 1


def test_activations_have_moments() -> None:
    table = table_with("Stick 'Em Good and Quick")
    red, _, blue, _ = table.combatants
    run_with(activate(table, red), Script({"pick": "Blue 1"}, face=5))
    assert blue.damage == 3
    table = table_with("Enough Messin'", sides=(1,))
    _, lines = run_with(activate(table, table.combatants[0]), Script({"action": "wait", "pick": "Blue 2"}))
    assert 'Blue 2 may make a bonus move of up to 3"' in lines
    table = table_with("Matchless Acrobats")
    table.sides[0].sets = [DiceSet(3, 2)]
    run_with(activate(table, table.combatants[0]), Script({"action": ["Rush", "end"]}, face=5))
    assert table.sides[0].wild == 1


def test_what_waits_for_the_next_battle_round_happens_then() -> None:
    table = table_with("There are Always More", sizes=(3, 1))
    table.round, table.combatants[1].damage = 2, 10
    table.combatants[1].card = table.combatants[1].card.model_copy(update={"points": 70})
    run_with(happens(table, "round-end"), Script({"pick": "Red 2"}))
    script = Script()
    infection = all_of(Trait)["Infection Vectors"]
    assert isinstance(infection, Trait)
    table.sides[1].trait = infection
    _, lines = run_with(happens(table, "round-start"), script)
    assert any(line.startswith("Red 2 returns: ") for line in lines)
    assert (table.combatants[1].stands, table.combatants[1].damage, script.of("effect")) == (True, 0, [])
    assert [each.who for each in script.of("order")] == ["Red"], (
        "Red won the roll-off against a trait of the same moment"
    )


def test_a_warband_that_is_wholly_down_keeps_its_battle_trait() -> None:
    """The rules ask for nobody who stands, unless a trait says so: here a fighter returns to a battle that goes on."""
    table = table_with("There are Always More", sizes=(2, 1))
    table.round = 2
    for each in table.combatants[:2]:
        each.damage, each.card = 10, each.card.model_copy(update={"points": 70})
    assert not table.standing(0)
    script = Script({"pick": "Red 2"})
    run_with(happens(table, "round-end"), script)
    assert [each.who for each in script.of("pick")] == ["Red"]
    run_with(happens(table, "round-start"), Script())
    assert table.combatants[1].stands


def test_a_trait_that_needs_fighters_on_the_battlefield_offers_nothing_without_them() -> None:
    table = table_with("Blood Calls To Blood", sizes=(2, 1))
    for each in table.combatants[:2]:
        each.damage = 10
    script = Script({"pick": "Blue 1"}, face=6)
    run_with(happens(table, "round-end"), script)
    assert (script.of("pick"), table.combatants[2].damage) == ([], 0)


@pytest.mark.parametrize(("name", "inches"), [("Beastman Ambush", 6), ("Scions of the Storm", 5)])
def test_a_fighter_that_leaves_the_battlefield_is_off_it_until_it_is_set_up(name: str, inches: int) -> None:
    """Nobody activates or attacks it until then, and nobody else can be set up."""
    table = table_with(name, sizes=(3, 1))
    red, second, _, blue = table.combatants
    table.distances.claim(red, blue, 0, 1)
    script = Script({"pick": ["Red 1", "nobody"]})
    _, lines = run_with(happens(table, "deployment"), script)
    assert "Red 1 leaves the battlefield" in lines
    assert (red.stands, red.is_down, red.can_activate, second.stands) == (False, False, False, True)
    assert not any("Red 1" in option for option in offered(table, blue))
    run_with(happens(table, "round-start"), script)
    assert not red.stands, "it is battle round 1"
    table.round, second.damage, table.combatants[2].damage = 2, 10, 10
    script = Script({"pick": "Red 1"})
    _, lines = run_with(happens(table, "round-start"), script)
    assert [each.options for each in script.of("pick")] == [("nobody", "Red 1 (0/10)")]
    assert red.stands
    assert any(line.startswith("Red 1 returns") and f'{inches}"' in line for line in lines)
    assert table.distances.bounds(red, blue)[1] > inches, "it may be anywhere"
    assert not script.of("effect"), "the tracker knows all that matters to it"


def test_the_worthy_prey_is_remembered_until_it_is_taken_down() -> None:
    table = table_with("Worthy Prey")
    for prey, asked in (("Blue 2", 1), ("Blue 1", 0)):
        script = Script({"pick": prey})
        _, lines = run_with(happens(table, "round-start"), script)
        assert (len(script.of("pick")), script.of("condition")) == (asked, [])
    assert values_of(table, table.combatants[0], "Shove", 2) == (2, 6), "the players know whom an ability targets"
    table.combatants[3].allocate(10)
    table.combatants[3].fall()
    assert values_of(table, table.combatants[0], "Shove", 2) == (2, 2)
    _, lines = run_with(happens(table, "round-start"), Script({"pick": "Blue 1"}))
    assert "Blue 1 is the worthy prey of Red" in lines


@pytest.mark.parametrize(("dice", "asked"), [([6, 4, 1], 1), ([6, 6, 1], 1), ([6, 1, 1], 0), ([4, 4, 4], 0)])
def test_the_tracker_knows_the_hit_rolls_of_an_attack(dice: list[int], asked: int) -> None:
    """Jubilant Bloodletting needs a critical hit and another hit."""
    table = table_with("Jubilant Bloodletting")
    table.sides[0].sets = [DiceSet(2, 2)]
    red, _, blue, _ = table.combatants
    script = Script({"use": "no"}, dice=dice)
    attack(table, red, blue, script)
    assert (len(script.of("use")), script.of("condition")) == (asked, [])


def test_one_fighter_of_each_battle_group_is_picked() -> None:
    """There are three battle groups at most; whoever is deployed again stays on the battlefield."""
    table = table_with("Hidden Hunters", sizes=(5, 1))
    script = Script({"pick": ["Red 1", "Red 3", "Red 5", "Red 2"]})
    run_with(happens(table, "deployment"), script)
    assert len(script.of("pick")) == 3
    assert all(each.stands for each in table.combatants)


@each_case(
    ("setting", "is_near", "face", "removed"),
    [
        ("rule", "no", 6, 2),  # D3 damage points, minus 1
        ("rule", "no", 1, 0),
        ("rule", "yes", 6, 3),  # D3 and 1 additional damage point are one total.
        ("rule", "yes", 1, 1),
        ("each", "yes", 6, 2),
        ("each", "yes", 1, 0),
    ],
)
def test_seared_wounds_take_one_off_what_a_rule_removes(setting: str, is_near: str, face: int, removed: int) -> None:
    table = seared("Dawnbringer Zealots")
    table.rulings, table.combatants[0].damage = terms({"removal-total": setting}).rulings, 9
    run_with(happens(table, "round-end"), Script({"pick": "Red 1", "condition": is_near}, face=face))
    assert table.combatants[0].damage == 9 - removed


@each_case(("setting", "left"), [("said", 0), ("there", 1)])
def test_seared_wounds_against_more_than_there_is_to_remove_are_a_ruling(setting: str, left: int) -> None:
    table = seared("Seeking Glory")
    table.rulings, table.combatants[0].damage = terms({"removal-excess": setting}).rulings, 2
    rule = Ability.model_validate({"name": "Breath", "price": "double", "changes": [{"heal": 6}]})
    run_with(use_ability(AbilityUse(table, table.combatants[0], AbilityOption(rule, None), set())), Script())
    assert table.combatants[0].damage == left


def test_seared_wounds_leave_one_of_all_damage_points() -> None:
    """Also of those of a fighter that returns, which counts as taken down no more."""
    table = seared("Blessings of the Speaker", marks=("icon-bearer",))
    table.combatants[0].damage = 7
    script = Script({"pick": "Red 1", "use": "yes"})
    run_with(happens(table, "ability", table.combatants[1], rule_used="Bloody Tribute"), script)
    assert table.combatants[0].damage == 1
    for side, damage in ((0, 0), (1, 1)):
        table = seared("Reborn in Flame", marks=("beast", "berserker"))
        table.sides[1].trait = table.sides[side].trait
        (reborn,) = (each for each in all_of(Trait)["Reborn in Flame"].grants)  # type: ignore[attr-defined]
        table.combatants[1].damage = 10
        use = AbilityUse(table, table.combatants[0], AbilityOption(reborn, None), set())
        run_with(use_ability(use), Script({"pick": "Red 2"}))
        assert (table.combatants[1].stands, table.combatants[1].damage) == (True, damage)


def test_seared_wounds_take_one_off_all_dice_of_a_roll() -> None:
    table = seared("Seeking Glory")
    red = table.combatants[0]
    red.damage = 9
    rule = {"name": "Breath", "price": "double", "changes": [{"roll": 3}, {"on_roll": "4+", "heal": 1}]}
    use = AbilityUse(table, red, AbilityOption(Ability.model_validate(rule), None), set())
    run_with(use_ability(use), Script(dice=[4, 6, 5]))
    assert red.damage == 9 - (3 - 1)


def seared(name: str, **keys: Any) -> Table:
    """Return a table on which Red has a battle trait, and Blue has Seared Wounds."""
    table = table_with(name, **keys)
    seared_wounds = all_of(Trait)["Seared Wounds"]
    assert isinstance(seared_wounds, Trait)
    table.sides[1].trait = seared_wounds
    return table


def with_trait(table: Table, side: int, *changes: dict[str, Any]) -> None:
    """Give a side a battle trait of its own."""
    data = {"name": "Own", "runemark": "chaos", "changes": changes}
    table.sides[side].trait = Trait.model_validate(data)


def shove(table: Table, who: Combatant, *changes: dict[str, Any]) -> None:
    """Let a fighter use an ability of its own on Blue 1; whoever is picked next is Red 1."""
    rule = Ability.model_validate({"name": "Shove", "price": "double", "changes": changes})
    use = AbilityUse(table, who, AbilityOption(rule, None), set())
    run_with(use_ability(use), Script({"pick": ["Blue 1", "Red 1"]}, face=6))


def retaliation(name: str, points: int) -> Ability:
    """Return a reaction that allocates damage points to the attacker before the hit rolls."""
    changes = [{"reacts": {"event": "targeted"}}, {"of": "attacker", "deal": points}]
    return Ability.model_validate({"name": name, "price": "reaction", "changes": changes})


STRIKE = {"striker": "Red 1", "pick": "Red 1"}


@each_case("how", ["ability", "reaction", "fall", "wounds"])
def test_no_respite_whatever_takes_the_fighter_down(how: str) -> None:
    table = table_with("No Respite", sides=(1,))
    red, _, blue, _ = table.combatants
    if how == "ability":
        shove(table, red, {"pick": {"side": "enemy"}}, {"of": "picked", "deal": 10})
    elif how == "reaction":
        blue.damage = 9
        table.distances.claim(red, blue, 0, 1)
        run_with(disengage(table, blue), Script(STRIKE, face=6))
    elif how == "fall":
        blue.damage = 9
        script = Script({"action": ["something"], "event": "a fighter falls", "fighter": "Blue 1", "pick": "Red 1"})
        script.dice = [1, 6, 6]
        run_with(activate(table, table.combatants[1], ""), script)
    else:
        blue.damage = 10
        blue.effects.append(Effect((Change(wounds=2),), "activation"))
        run_with(activate(table, table.combatants[1], ""), Script({"pick": "Red 1"}, face=6))
    assert (blue.is_down, red.damage) == (True, 3)


def test_a_rapture_follows_strike_them_down_and_no_ability() -> None:
    """Damage points of an attack or a reaction lead to it, and those of an ability do not."""
    table = table_with("Pain-fuelled Rapture", sides=(1,))
    red, _, blue, _ = table.combatants
    shove(table, red, {"pick": {"side": "enemy"}}, {"of": "picked", "deal": 1})
    assert (blue.damage, blue.stats.weapons[0].attacks) == (1, 3)
    table.distances.claim(red, blue, 0, 1)
    run_with(disengage(table, blue), Script({**STRIKE, "use": "yes"}, dice=[4, 2]))
    assert (blue.damage, blue.stats.weapons[0].attacks) == (1 + 2 + 3, 5)


def test_a_rapture_that_takes_the_fighter_down_is_no_attack() -> None:
    """The attacker has not taken it down, so Ravenous Gorging removes nothing."""
    table = table_with("Ravenous Gorging")
    rapture = all_of(Trait)["Pain-fuelled Rapture"]
    assert isinstance(rapture, Trait)
    table.sides[1].trait = rapture
    red, _, blue, _ = table.combatants
    red.damage, blue.damage = 5, 6
    attack(table, red, blue, Script({"use": "yes"}, dice=[4, 1, 1]))
    assert (blue.is_down, red.damage) == (True, 5)


def test_a_rapture_by_counter_is_for_the_next_attack() -> None:
    table = table_with("Pain-fuelled Rapture")
    red, _, blue, _ = table.combatants
    attack(table, red, blue, Script({"reaction": "Counter", "use": "yes"}, dice=[1, 4, 4]))
    assert (red.damage, red.stats.weapons[0].attacks) == (2 + 3, 5)


@each_case(("name", "event", "expected"), [("Seeking Glory", "takes-down", 2), ("Jubilant Bloodletting", "attacks", 1)])
def test_an_attacker_that_counter_takes_down_has_attacked(name: str, event: str, expected: int) -> None:
    """Both are taken down at the same time, and what the attack has done is not undone."""
    table = table_with(name)
    red, _, blue, _ = table.combatants
    blue.is_leader, red.damage, blue.damage = True, 9, 5
    table.sides[0].sets = [DiceSet(2, 2)]
    script = Script({"reaction": "Counter", "use": "no"}, dice=[6, 6, 1])
    attack(table, red, blue, script)
    assert (red.is_down, blue.is_down) == (True, True)
    assert (table.sides[0].wild if event == "takes-down" else len(script.of("use"))) == expected


def test_an_attack_that_a_reaction_prevents_was_not_made() -> None:
    table = table_with("Jubilant Bloodletting")
    red, _, blue, _ = table.combatants
    table.sides[0].sets, table.sides[1].rules = [DiceSet(2, 2)], (retaliation("Spikes", 10),)
    script = Script({"reaction": "Spikes"}, face=6)
    attack(table, red, blue, script)
    assert (red.is_down, script.of("use")) == (True, [])


@each_case(
    ("attack_type", "by_attack", "by_counter", "by_ability"),
    [("anything", 1, 1, 1), ("any", 1, 0, 0), ("melee", 1, 0, 0), ("missile", 0, 0, 0)],
)
def test_what_takes_an_enemy_down(attack_type: str, by_attack: int, by_counter: int, by_ability: int) -> None:
    """A reaction or an ability is no attack, and takes an enemy down all the same."""
    for how, expected in (("attack", by_attack), ("counter", by_counter), ("ability", by_ability)):
        table = table_of()
        with_trait(table, 0, {"when": {"event": "takes-down", "attack": attack_type, "of": "friend"}}, {"save_wild": 1})
        red, _, blue, _ = table.combatants
        blue.damage = 9
        if how == "attack":
            attack(table, red, blue, Script(face=6))
        elif how == "counter":
            attack(table, blue, red, Script({"reaction": "Counter"}, face=1))
        else:
            shove(table, red, {"pick": {"side": "enemy"}}, {"of": "picked", "deal": 1})
        assert (blue.is_down, table.sides[0].wild) == (True, expected), how


@each_case(("attack_type", "wild"), [("any", 1), ("melee", 1), ("missile", 0)])
def test_an_attack_that_takes_a_friend_down_has_a_type(attack_type: str, wild: int) -> None:
    table = table_of()
    with_trait(table, 1, {"when": {"event": "taken-down", "attack": attack_type, "of": "friend"}}, {"save_wild": 1})
    table.combatants[2].damage = 9
    attack(table, table.combatants[0], table.combatants[2], Script(face=6))
    assert table.sides[1].wild == wild


@each_case("name", ["Shared Pain", "Another"])
def test_shared_bliss_follows_its_reaction(name: str) -> None:
    table = table_with("Shared Bliss", sides=(1,))
    red, _, blue, _ = table.combatants
    table.sides[1].rules, red.damage = (retaliation(name, 1),), 9
    script = Script({"reaction": name})
    attack(table, red, blue, script)
    assert (red.is_down, len(script.of("effect"))) == (True, 1 if name == "Shared Pain" else 0)


@each_case(
    ("name", "number", "is_set_up"),
    [
        ("Scions of the Storm", 1, False),
        ("Scions of the Storm", 2, True),
        ("Scions of the Storm", 5, True),
        ("Scions of the Storm", 10, True),
        ("Beastman Ambush", 4, True),
        ("Beastman Ambush", 5, False),
    ],
)
def test_from_the_second_battle_round_means_until_the_last(name: str, number: int, is_set_up: bool) -> None:
    """A battle may have more than four battle rounds; Beastman Ambush names battle rounds 2, 3, and 4."""
    table = table_with(name)
    table.round, table.combatants[0].has_left = number, True
    run_with(happens(table, "round-start"), Script({"pick": "Red 1"}))
    assert table.combatants[0].stands is is_set_up


def test_a_trait_that_waits_for_a_disengage_action_happens_after_it() -> None:
    table = table_of(sizes=(1, 1))
    red, blue = table.combatants
    changes = [{"when": {"event": "disengage", "of": "friend"}, "of": "subject", "heal": 2}]
    card = {"kind": "trait", "name": "Slip Away", "runemark": "chaos", "changes": changes}
    table.sides[0].trait = card_of_kind(card, Trait)
    red.damage = blue.damage = 5
    table.distances.claim(red, blue, 0, 1)
    run_with(disengage(table, red), Script())
    assert (red.damage, blue.damage) == (3, 5)

"""Rules that pick fighters, roll dice, and name conditions, in a battle."""

from __future__ import annotations

from typing import Any

import pytest

from cardgen.referee.requests import Measurement, Roll
from cardgen.rulesets.warcry.battle.activation import AbilityUse, ability_options, use_ability
from cardgen.rulesets.warcry.battle.attacks import AttackOption, attack_options, make_attack
from cardgen.rulesets.warcry.battle.performance import end_effects, known_state
from cardgen.rulesets.warcry.battle.table import Combatant, Fall, RoundNotes, Table
from cardgen.rulesets.warcry.cards import Ability
from cardgen.rulesets.warcry.changes import Change
from cardgen.rulesets.warcry.effective import changes_of
from cardgen.rulesets.warcry.referee.initiative import DiceSet
from cardgen.rulesets.warcry.selections import Condition
from tests.rulesets.warcry.battle.players import Script, combatant, run_with, table_of


def table_with(text: str, *, value: int = 3, damage: int = 0) -> Table:
    """Return a table on which Red may use an ability with a text, for a quad of some value."""
    table = table_of()
    side = table.sides[0]
    side.rules, side.sets = (Ability(name="Own", price="quad", text=text),), [DiceSet(value, 4)]
    table.combatants[0].damage = damage
    return table


def use(table: Table, script: Script | None = None) -> list[str]:
    (option,) = ability_options(table, table.combatants[0], 2)
    _, lines = run_with(use_ability(AbilityUse(table, table.combatants[0], option, set())), script or Script())
    return lines


def damage(table: Table) -> list[int]:
    return [each.damage for each in table.combatants]


def blue(table: Table) -> Combatant:
    return table.combatants[2]


def test_a_picked_enemy_is_allocated_a_point_for_each_die() -> None:
    text = 'Pick a visible enemy within 6". Roll as many dice as the value of this ability. For each 5+, that enemy is '
    table = table_with(text + "allocated 2 damage points.")
    script = Script({"pick": "Blue 1"}, dice=[5, 4, 6])
    use(table, script)
    assert damage(table) == [0, 0, 4, 0]
    assert script.of("pick")[0].what == 'pick a visible enemy within 6"'
    assert table.distances.is_within(table.combatants[0], blue(table), 6)


def test_no_die_is_rolled_for_somebody_who_is_not_picked() -> None:
    text = 'Pick an enemy within 3" and roll a die. On a 2+, remove 2 damage points from this fighter.'
    for pick, points in (("nobody", 5), ("Blue 1", 3)):
        table, script = table_with(text, damage=5), Script({"pick": pick}, face=4)
        use(table, script)
        assert table.combatants[0].damage == points
        assert any(isinstance(each, Roll) for each in script.asked) is (pick != "nobody")


@pytest.mark.parametrize(("answer", "points"), [("no", 0), ("yes", 2)])
def test_a_condition_is_asked_for_once(answer: str, points: int) -> None:
    """Whoever is not picked because it does not hold needs no second answer."""
    text = (
        'This fighter can make a bonus move action. Then, if it is within 1" of an enemy, that enemy is allocated D3 '
    )
    table, script = table_with(f"{text}damage points."), Script({"condition": answer, "pick": "Blue 1"}, face=4)
    use(table, script)
    assert (len(script.of("condition")), blue(table).damage) == (1, points)


def test_outcomes_share_the_dice() -> None:
    text = 'Pick an enemy within 3" and roll a die. On a 3-5, it is allocated 1 damage point. '
    for face, points in ((2, 0), (5, 1), (6, 4)):
        table = table_with(text + "On a 6, it is allocated D6 damage points.")
        use(table, Script({"pick": "Blue 1"}, dice=[face, 4]))
        assert blue(table).damage == points


def test_several_dice_are_rolled_for_each_fighter() -> None:
    table = table_with('Roll 2 dice for each enemy within 6". For each 4+, that fighter is allocated 1 damage point.')
    use(table, Script(dice=[4, 5, 3, 6]))
    assert damage(table)[2:] == [2, 1]


def test_a_roll_is_compared_with_the_value() -> None:
    text = 'Pick an enemy within 3" and roll a die. On a roll under the value of this ability, it takes 1 damage.'
    for face, points in ((2, 1), (3, 0)):
        table = table_with(text, value=3)
        use(table, Script({"pick": "Blue 1"}, dice=[face]))
        assert blue(table).damage == points


def test_fighters_that_are_too_far_away_are_not_offered() -> None:
    table = table_with('Pick an enemy within 3". It is allocated 3 damage points.')
    table.distances.claim(table.combatants[0], blue(table), 4, 9)
    script = Script({"pick": "Blue 2"})
    use(table, script)
    assert script.of("pick")[0].options == ("nobody", "Blue 2 (0/10)")
    table.distances.claim(table.combatants[0], table.combatants[3], 4, 9)
    assert ability_options(table, table.combatants[0], 2) == []


def test_a_die_is_rolled_for_each_fighter_of_a_group() -> None:
    table = table_with('Roll a die for each enemy within 6". On a 4+, that fighter is allocated D3 damage points.')
    use(table, Script(dice=[3, 4, 5]))
    assert damage(table) == [0, 0, 0, 3]


def test_an_effect_on_a_picked_fighter_ends_with_the_battle_round() -> None:
    text = (
        'Pick an enemy within 6". Until the end of the battle round, subtract 2 from its Move, to a minimum of 4, and '
    )
    table = table_with(text + "it cannot make disengage actions.")
    use(table, Script({"pick": "Blue 1"}))
    assert blue(table).stats.move == 4
    assert blue(table).bans == {"disengage"}
    blue(table).end_effects("round")
    assert (blue(table).stats.move, blue(table).bans) == (5, frozenset())


@pytest.mark.parametrize(("value", "toughness"), [(1, 5), (3, 6), (6, 7)])
def test_half_of_the_value_is_rounded_up(value: int, toughness: int) -> None:
    text = "Until the end of the battle round, add half the value of this ability (rounding up) to this fighter's "
    table = table_with(text + "Toughness characteristic.", value=value)
    use(table)
    assert table.combatants[0].stats.toughness == toughness


def test_an_ability_is_offered_only_if_its_condition_can_be_true() -> None:
    text = "A fighter can use this ability only if an enemy fighter has been taken down by an attack action made by it "
    table = table_with(text + "this activation. Remove D6 damage points from this fighter.", damage=6)
    assert ability_options(table, table.combatants[0], 2) == []
    table.notes.falls.append(Fall(blue(table), table.combatants[0]))
    use(table, Script(dice=[4]))
    assert table.combatants[0].damage == 2


@pytest.mark.parametrize(
    ("span", "answers"),
    [("activation", [False, True, True]), ("round", [False, False, True]), ("battle", [False, False, False])],
)
def test_a_rule_is_offered_once_in_its_span(span: str, answers: list[bool]) -> None:
    """Not again in the same activation, in another one, or in another battle round."""
    table = table_with("Sing.")
    who, side = table.combatants[0], table.sides[0]
    changes = [{"only_if": {"once": span}}, {"toughness": 1, "for": "round"}]
    side.rules = (Ability.model_validate({"name": "Own", "price": "quad", "changes": changes}),)
    side.sets = [DiceSet(3, 4), DiceSet(4, 4)]
    table.round = 1
    use(table)
    offered = [bool(ability_options(table, who, 2))]
    table.begin_activation()
    offered.append(bool(ability_options(table, who, 2)))
    table.round, table.notes = 2, RoundNotes()
    table.begin_activation()
    offered.append(bool(ability_options(table, who, 2)))
    assert offered == answers


@pytest.mark.parametrize(
    ("text", "is_offered"),
    [
        ("This fighter can use this ability once per battle. Remove 2 damage points from it.", True),
        ("Once per battle, this fighter can remove 2 damage points from itself.", True),
        ("A fighter can only use this ability once per battle. Remove 2 damage points from this fighter.", True),
        ("Only once per battle by each fighter. Remove 2 damage points from this fighter.", True),
        ("Use this ability only once per battle. Remove 2 damage points from this fighter.", False),
        ("Use this ability only once per battle: this fighter can remove 2 damage points from itself.", False),
    ],
)
def test_once_per_battle_is_for_the_fighter_that_a_sentence_names(text: str, is_offered: bool) -> None:
    table = table_with(text, damage=5)
    own, friend = table.combatants[:2]
    friend.damage, table.sides[0].sets = 5, [DiceSet(3, 4), DiceSet(4, 4)]
    assert changes_of(table.sides[0].rules[0])
    option = ability_options(table, own, 2)[0]
    run_with(use_ability(AbilityUse(table, own, option, set())), Script())
    assert (bool(ability_options(table, own, 2)), bool(ability_options(table, friend, 2))) == (False, is_offered)


@pytest.mark.parametrize(
    "condition",
    [
        {"took_down": "any"},
        {"attacked": True},
        {"outnumbered": True},
        {"more_down": "enemy"},
        {"cost": 10},
        {"initiative": True},
        {"leader": True},
    ],
    ids=str,
)
def test_what_the_tracker_knows_decides_whether_an_ability_is_offered(condition: dict[str, Any]) -> None:
    def offered(key: str, *, holds: bool) -> bool:
        table = table_with("Sing.")
        changes = [{key: condition}, {"toughness": 1, "for": "round"}]
        table.sides[0].rules = (Ability.model_validate({"name": "Own", "price": "quad", "changes": changes}),)
        one, friend, enemy, _ = table.combatants
        one.card = one.card.model_copy(update={"points": 10 if holds else 20})
        one.is_leader, friend.is_leader = holds, not holds
        one.has_attacked = holds
        table.initiative = 0 if holds else 1
        if holds and "outnumbered" in condition:
            friend.damage = 10
        elif holds:
            enemy.damage = 10
            table.notes.falls.append(Fall(enemy, one))
        return bool(ability_options(table, one, 2))

    assert [offered("only_if", holds=holds) for holds in (True, False)] == [True, False]
    assert [offered("not_if", holds=holds) for holds in (True, False)] == [False, True]


def test_what_was_done_in_an_earlier_activation_does_not_count() -> None:
    table = table_with("Sing.")
    one, enemy = table.combatants[0], table.combatants[2]
    one.has_moved = one.has_attacked = True
    table.notes.falls.append(Fall(enemy, one))
    table.begin_activation()
    assert (one.has_moved, one.has_attacked) == (False, False)
    assert known_state(table, one, Condition(took_down="any")) is False


def test_an_ability_is_not_offered_if_it_is_forbidden() -> None:
    text = "This fighter cannot use this ability if it has damage points. +2 Move until the end of the battle round."
    table = table_with(text, damage=1)
    assert ability_options(table, table.combatants[0], 2) == []
    table = table_with(text)
    use(table)
    assert table.combatants[0].stats.move == 7


def test_an_amount_is_another_one_under_a_condition() -> None:
    text = "Remove 1 damage point from this fighter, or 3 if the value of this ability is 5 or 6."
    for value, damage in ((5, 3), (4, 5)):
        table, script = table_with(text, value=value, damage=6), Script()
        use(table, script)
        assert table.combatants[0].damage == damage
        assert not script.of("condition")


def test_a_condition_that_is_not_known_is_asked() -> None:
    text = 'If this fighter is within 3" of an objective, it is allocated 2 damage points.'
    for answer, points in (("yes", 2), ("no", 0)):
        table, script = table_with(text), Script({"condition": answer})
        use(table, script)
        assert table.combatants[0].damage == points
        assert script.of("condition")[0].what == 'Red 1 is within 3" of an objective'


def test_changes_for_the_next_attack_end_with_it_or_with_the_activation() -> None:
    table = table_with("This fighter's next attack has +2 Strength until the end of its activation.")
    use(table)
    who = table.combatants[0]
    assert who.stats.weapons[0].strength == 6
    blue(table).end_effects("own attack")
    assert who.stats.weapons[0].strength == 6
    who.end_effects("own attack")
    assert who.stats.weapons[0].strength == 4
    table = table_with("This fighter's next attack has +2 Strength until the end of its activation.")
    use(table)
    table.combatants[0].end_effects("activation")
    assert table.combatants[0].stats.weapons[0].strength == 4


def test_a_reach_limits_the_weapons() -> None:
    text = "Until the end of its activation, add 1 to the Attacks of this fighter's attacks with a Range of 2 or less."
    table = table_with(text)
    table.combatants[0] = combatant(0, "Red 1", "M5 T4 W10", "Axe: axe R1 A3 S4 D1/4", "Pike: spear R3 A3 S4 D1/4")
    use(table)
    assert [arm.attacks for arm in table.combatants[0].stats.weapons] == [4, 3]


def test_halving_rounds_up() -> None:
    table = table_with('Until the end of the battle round, halve the Move of a visible enemy within 6", rounding up.')
    use(table, Script({"pick": "Blue 2"}))
    assert table.combatants[3].stats.move == 3


def test_what_the_tracker_cannot_apply_is_shown_and_asked() -> None:
    table = table_with('Pick an enemy within 6" and move it up to 2" directly toward this fighter.')
    script = Script({"pick": "Blue 1", "effect": "nothing to note"})
    lines = use(table, script)
    assert 'Own applies to Blue 1: Move that fighter up to 2" directly toward this fighter.' in lines
    assert script.of("effect")


PICKED = [{"pick": {"side": "enemy", "within": 6}}]


@pytest.mark.parametrize(
    ("changes", "rest"),
    [
        ([{"when": {"event": "round-end"}, "of": "picked", "deal": 6}], "At the end of "),
        ([{"when": {"event": "takes-down"}, "heal": "d3"}], "After an attack by this fighter takes "),
        ([{"when": {"event": "takes-down"}, "toughness": 4, "for": "round"}], "After an attack by "),
        ([{"when": {"event": "takes-down"}, "bonus_attack": True}], "After an attack by this fighter takes "),
        ([{"when": {"event": "attacks"}, "of": "picked", "taken_down": True}], "After an attack by this fighter, "),
        ([{"when": {"event": "enemy-move"}, "heal": 1}, {"heal": 2}], "When an enemy "),
        ([{"roll_each": "hits"}, {"on_roll": "4+", "of": "picked", "deal": 1}], "Roll "),
    ],
)
def test_what_happens_at_a_later_moment_is_left_to_the_players_and_not_applied_at_once(
    changes: list[dict[str, Any]], rest: str
) -> None:
    table, script = table_with("Sing.", damage=5), Script({"pick": "Blue 1"}, face=6)
    rule = Ability.model_validate({"name": "Own", "price": "quad", "changes": [*PICKED, *changes]})
    table.sides[0].rules = (rule,)
    lines = use(table, script)
    assert damage(table) == [5, 0, 0, 0]
    assert table.combatants[0].stats.toughness == 4
    assert not script.of("effect") and not script.of("bonus attack")
    assert [line.partition(": ")[2].startswith(rest) for line in lines if "players to apply then" in line] == [True]


@pytest.mark.parametrize(
    ("text", "points"),
    [
        ('Roll a dice for each enemy within 6". On a 2+, allocate 3 damage points to that fighter unless it has '
         "the Hero runemark.", [0, 3]),
        ('Roll a dice for each enemy within 6". On a 2+, allocate 3 damage points to that fighter if it has the '
         "Hero runemark.", [3, 0]),
        ('Pick up to 2 visible enemy fighters within 6". Allocate 1 damage point to each of them, or 2 if it has the '
         "Hero runemark.", [2, 1]),
        ('Pick up to 2 visible enemy fighters within 6". Allocate 1 damage point to each of them. If it has the Hero '
         "runemark, allocate 2 damage points to it.", [3, 1]),
        ('Pick up to 2 visible enemy fighters within 6" and roll a die for each. On a 4+, allocate 1 damage point to '
         "that fighter unless it has the Hero runemark.", [0, 1]),
    ],
)  # fmt: skip
def test_a_condition_of_fighters_that_are_picked_or_rolled_for_is_about_each_of_them(
    text: str, points: list[int]
) -> None:
    table = table_with(text)
    table.combatants[2] = combatant(1, "Blue 1", marks=("hero",))
    assert changes_of(table.sides[0].rules[0])
    use(table, Script({"pick": "Blue"}, face=5))
    assert damage(table)[2:] == points


def test_a_bonus_move_is_for_each_picked_fighter_for_which_its_condition_holds() -> None:
    text = 'Pick 2 friendly fighters. Each of them makes a bonus move action of 3" if it has any damage points.'
    table = table_with(text, damage=1)
    lines = use(table, Script({"pick": ["Red 1", "Red 2"]}))
    assert [line.partition(" may")[0] for line in lines if "bonus move of" in line] == ["Red 1"]


def test_wild_dice_are_saved() -> None:
    table = table_with("Roll 3 dice. For each 4+, save 1 extra wild die.")
    use(table, Script(dice=[4, 1, 6]))
    assert table.sides[0].wild == 2


def test_a_text_that_is_not_read_asks_for_its_effect() -> None:
    table, script = table_with("Sing until somebody burns."), Script({"effect": "nothing to note"})
    use(table, script)
    assert script.of("effect")


def test_what_is_optional_is_asked() -> None:
    for answer, points in (("yes", 2), ("no", 5)):
        table = table_with("You may remove 3 damage points from this fighter.", damage=5)
        use(table, Script({"use": answer}))
        assert table.combatants[0].damage == points


def test_a_condition_can_be_about_another_fighter() -> None:
    text = 'Pick an enemy within 3". If it has any damage points, it is allocated 2 damage points.'
    for hurt in (0, 1):
        table = table_with(text)
        blue(table).damage = hurt
        use(table, Script({"pick": "Blue 1"}))
        assert blue(table).damage == 3 * hurt
    table = table_with('Pick an enemy within 3". Unless it has any damage points, it is allocated 2 damage points.')
    use(table, Script({"pick": "Blue 1"}))
    assert blue(table).damage == 2


def test_a_condition_of_each_fighter_of_a_group_is_asked_for_each() -> None:
    table = table_with('Enemies are allocated 2 damage points if another friendly fighter is within 1" of them.')
    script = Script({"condition": ["yes", "no"]})
    use(table, script)
    assert [each.damage for each in table.combatants[2:]] == [2, 0]
    assert script.of("condition")[0].what == 'another friendly fighter is within 1" of Blue 1'


def test_a_die_is_rolled_for_each_set_that_is_left() -> None:
    table = table_with("Roll a die for each of your doubles, triples, and quads. On a 4+, its value becomes 6.")
    table.sides[0].sets += [DiceSet(2, 2), DiceSet(5, 3)]
    script = Script(dice=[4, 1])
    lines = use(table, script)
    assert [line for line in lines if " of " in line][-2:] == ["double of 2: 4", "triple of 5: 1"]
    assert len(script.of("effect")) == 1
    assert [each.value for each in table.sides[0].sets] == [2, 5], "for the players to change"


def test_one_saved_die_is_not_called_dice() -> None:
    table = table_with("Save 1 extra wild die.")
    assert use(table)[-1] == "Red has 1 saved wild die"


def test_as_many_fighters_are_picked_as_the_rule_says() -> None:
    text = "{} enemies that have not activated in this battle round. Each of them is allocated 1 damage point."
    table = table_with(text.format("Pick 2"))
    script = Script({"pick": "Blue 1"})
    use(table, script)
    assert damage(table) == [0, 0, 1, 1]
    assert [each.options for each in script.of("pick")] == [("Blue 1 (0/10)", "Blue 2 (0/10)")], "the last one is clear"
    table = table_with(text.format("Pick up to 2"))
    script = Script({"pick": ["Blue 1", "nobody"]})
    use(table, script)
    assert damage(table) == [0, 0, 1, 0]
    assert [each.what.partition("(")[2] for each in script.of("pick")] == ["1 of 2)", "2 of 2)"]


HURT = "Until the end of the battle round, if this fighter has at least 5 damage points, it has +1 "
COVERED = "Until the end of the battle round, if this fighter is in cover, it has +1 Strength."


def attacked(table: Table, attacker: int, script: Script) -> int:
    """Let a fighter attack the one opposite, and return the damage points."""
    who, target = table.combatants[attacker], table.combatants[2 - attacker]
    before = target.damage
    option = AttackOption(target, who.stats.weapons[0], cover=False)
    run_with(make_attack(table, who, option, set(), has_more=False), script)
    return target.damage - before


@pytest.mark.parametrize(("text", "attacker", "face", "damage"), [
    (f"{HURT}Strength.", 0, 3, [0, 3]), (f"{HURT}Toughness.", 2, 4, [3, 0]),
])  # fmt: skip
def test_a_condition_of_what_lasts_is_checked_at_each_attack(
    text: str, attacker: int, face: int, damage: list[int]
) -> None:
    """Strength 4 against Toughness 4 hits on a 4+: the condition was not true when the ability was used."""
    table = table_with(text)
    script = Script(face=face)
    use(table, script)
    assert attacked(table, attacker, script) == damage[0]
    table.combatants[0].damage = 5
    assert attacked(table, attacker, script) == damage[1]
    assert [each.has_attacked for each in table.combatants].index(True) == attacker
    table.combatants[0].end_effects("round")
    table.combatants[0].damage = 0
    assert attacked(table, attacker, script) == damage[0]
    assert not script.of("condition")


def test_a_lasting_condition_that_is_not_known_is_asked_at_each_attack_it_matters_to() -> None:
    table, script = table_with(COVERED), Script({"condition": ["no", "yes"]}, face=3)
    use(table, script)
    assert not script.of("condition")
    assert [attacked(table, 0, script), attacked(table, 0, script), attacked(table, 2, script)] == [0, 3, 0]
    assert [each.what for each in script.of("condition")] == ["Red 1 is in cover"] * 2


def test_cover_is_asked_while_a_condition_may_change_the_numbers() -> None:
    table = table_with(f"{HURT}Toughness.")
    table.combatants[2] = combatant(1, "Blue 1", "M5 T4 W10", "Axe: axe R1 A3 S1 D1/4")
    assert {each.cover for each in attack_options(table, blue(table)) if each.target.name == "Red 1"} == {False}
    use(table)
    assert {each.cover for each in attack_options(table, blue(table)) if each.target.name == "Red 1"} == {False, True}


def test_a_condition_of_a_single_weapon_is_not_lost() -> None:
    table = table_with(COVERED)
    change = Change.model_validate({"strength": 1, "weapon": "one-melee", "for": "round", "if": {"unhurt": True}})
    table.sides[0].rules = (Ability(name="Own", price="quad", changes=(change,)),)
    table.combatants[0].damage = 1
    use(table)
    assert table.combatants[0].stats.weapons[0].strength == 4


@pytest.mark.parametrize(("far", "most"), [(0, 2), (1, 1), (2, None)])
def test_nobody_counts_more_fighters_than_there_are(far: int, most: int | None) -> None:
    text = "Remove 1 damage point from this fighter for each enemy fighter within 3 inches."
    table, script = table_with(text.replace(" inches", '"'), damage=5), Script({"count": 9 if most is None else most})
    assert changes_of(table.sides[0].rules[0])
    for enemy in table.combatants[2:][:far]:
        table.distances.claim(table.combatants[0], enemy, 9, 9)
    use(table, script)
    asked = [(each.low, each.high) for each in script.asked if isinstance(each, Measurement) and each.key == "count"]
    assert asked == ([(0, most)] if most else [])
    assert table.combatants[0].damage == 5 - (most or 0)


@pytest.mark.parametrize(("damage", "is_down"), [(9, False), (10, True), (12, True)])
def test_whoever_has_no_wounds_left_when_lent_ones_go_is_taken_down(damage: int, is_down: bool) -> None:
    table = table_with("This fighter has +3 Wounds until the end of the battle round.")
    use(table)
    red = table.combatants[0]
    red.allocate(damage)
    _, lines = run_with(end_effects(table, table.combatants, "round"), Script())
    assert red.is_down is is_down
    assert lines == (["Red 1 has 10 Wounds again, and " + f"{damage} damage", "Red 1 is taken down"] if is_down else [])
    assert [fall.victim for fall in table.notes.falls] == [red] * is_down


def test_whoever_loses_the_wounds_that_were_left_is_taken_down_for_good() -> None:
    table = table_with('Pick an enemy within 6". It has -2 Wounds until the end of the battle round.')
    blue(table).damage = 8
    assert "Blue 1 is taken down" in use(table, Script({"pick": "Blue 1"}))
    run_with(end_effects(table, table.combatants, "round"), Script())
    assert blue(table).is_down

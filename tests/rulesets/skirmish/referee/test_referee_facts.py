"""Facts of the rules, each held by a test that fails if the fact is changed."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations
from typing import Any

import pytest

from cardgen.referee.odds import odds
from cardgen.referee.play import play
from cardgen.rulesets.skirmish.referee.combat import fight_round, recover
from cardgen.rulesets.skirmish.referee.target_numbers import (
    FALLS,
    Attempt,
    Fighter,
    Opponent,
    Shot,
    climb_down,
    climb_up,
    count_opponents,
    fall,
    fall_hit,
    flight_length,
    jump,
    leap,
    mount_strikes,
    shot_modifiers,
    shots,
    strikes,
)
from cardgen.rulesets.skirmish.referee.warrior import (
    AUTOMATIC,
    DOWN,
    FIT,
    HAND_WEAPON,
    INJURIES,
    NEVER,
    OUT,
    STUNNED,
    Health,
    Mount,
    Warrior,
    Weapon,
    fall_strength,
    flight_dice,
    resolve,
)
from tests.cases import each_case
from tests.rulesets.skirmish.referee.fights import (
    BOW,
    GREAT_WEAPON,
    HALBERD,
    HANDGUN,
    blow,
    card,
    case,
    fighter,
    harm,
    need,
    rules,
    warrior,
)

F, RULES = Fraction, rules()
PISTOLS = Weapon("Brace of pistols", first_strength=4, piercing=1, attacks=1, rules=frozenset({"foot-only"}))
PISTOL = PISTOLS._replace(name="Pistol", rules=frozenset({"extra-only"}))
THROWN = Weapon("Knife", range=6, rules=frozenset({"thrown"}))
HORSE = Mount("Horse", 8, 3, 3, 3, 1)


def volley(one: Fighter, other: Fighter | None = None, its: Health | None = None) -> Any:
    """Return the attacks of a fighter on an ordinary one."""
    target = other or fighter(1)
    return strikes(one, target, one.warrior.health, its or target.warrior.health, RULES)


def fates(*fighters: Fighter, healths: tuple[Health, ...] = (), **settings: str) -> Any:
    """Return the odds of a round: the health of each fighter."""
    start = healths or tuple(each.warrior.health for each in fighters)
    return odds(fight_round, fighters, start, rules(**settings)).map(lambda end: end.healths)


def test_the_injury_table() -> None:
    assert INJURIES == (DOWN, DOWN, STUNNED, STUNNED, OUT, OUT)


def test_an_attack_on_the_stunned_needs_no_dice() -> None:
    assert harm(blow(6, 6, 2), Health(0, STUNNED)) == {"O": 1}


def test_a_shot_at_the_knocked_down_rolls_to_hit() -> None:
    assert harm(blow(6, 2, NEVER, kind="shot"), Health(0, DOWN))["K"] > F(1, 2)


def test_one_critical_hit_a_phase() -> None:
    sure = blow(AUTOMATIC, 6, NEVER, can_be_critical=True)
    assert harm(((sure, 1),), Health(3))["L"] == F(1, 6)
    assert harm(((sure, 2),), Health(4)).get("K") is None
    assert "K" in harm(((sure._replace(kind="shot"), 2),), Health(4))


def test_a_second_attacker_finishes_whom_the_first_has_felled() -> None:
    sure = Weapon("Axe", bonus=7)
    allies = [fighter(0, sure, ws=10, i=initiative) for initiative in (6, 5)]
    alone = fates(allies[0]._replace(warrior=allies[0].warrior._replace(a=2)), fighter(1))
    together = fates(*allies, fighter(1))
    assert alone.chance(lambda all_: all_[-1].state == DOWN) > 0
    assert together.chance(lambda all_: all_[-1].state == OUT) > alone.chance(lambda all_: all_[-1].state == OUT)


def test_standing_enemies_come_first() -> None:
    one, standing, fallen = fighter(a=5), fighter(1), fighter(1, name="C")
    healths = (one.warrior.health, Health(0, STUNNED), standing.warrior.health)
    after = fates(one, fallen, standing, healths=healths)
    assert after.chance(lambda all_: all_[1].state == OUT) == 0
    assert after.chance(lambda all_: all_[2].state == OUT) > 0


def test_fallen_models_do_not_strike() -> None:
    for state in (DOWN, STUNNED):
        one, other = fighter(a=5), fighter(1)
        after = fates(one, other, healths=(Health(0, state), other.warrior.health))
        assert after.chance(lambda all_: all_[1].state == FIT) == 1


@pytest.mark.parametrize(
    ("one", "other", "who_is_safe"),
    [
        ({"i": 2, "charges": True}, {"i": 9}, 0),
        ({"i": 4}, {"i": 3}, 0),
        ({"i": 4, "weapon": GREAT_WEAPON}, {"i": 3}, 1),
        ({"i": 2, "weapon": GREAT_WEAPON, "charges": True}, {"i": 9}, 0),
        ({"i": 9, "stood_up": True}, {"i": 1, "weapon": GREAT_WEAPON}, 1),
    ],
)
def test_the_strike_order(one: dict[str, Any], other: dict[str, Any], who_is_safe: int) -> None:
    """Whoever strikes first, and fells the other for sure, is not struck."""
    pair = [fighter(side, **{"ws": 10, "t": 1, "first": False, **keys}) for side, keys in enumerate((one, other))]
    killers = [each._replace(warrior=each.warrior._replace(a=6, s=10)) for each in pair]
    after = fates(*killers)
    assert after.chance(lambda all_: all_[who_is_safe].state == FIT) > F(9, 10)


def test_equal_initiative_is_rolled_off() -> None:
    pair = fighter(0, a=6, s=10, ws=9), fighter(1, a=6, s=10, ws=9)
    after = fates(*pair)
    assert (
        after.chance(lambda all_: all_[0].state == FIT) == after.chance(lambda all_: all_[1].state == FIT) > F(49, 100)
    )


def test_a_dive_gives_one_strength_and_one_to_hit() -> None:
    plain, dive = (volley(fighter(dives=dives))[0][0] for dives in (False, True))
    assert (plain.hit - dive.hit, plain.wound - dive.wound) == (1, 1)


def test_who_is_afraid_hits_on_sixes() -> None:
    assert volley(fighter(ws=10, is_afraid=True))[0][0].hit == 6


def test_hatred_is_for_the_first_round() -> None:
    who: Any = {"rules": frozenset({"hatred"})}
    traits = [volley(fighter(first=first, **who))[0][0].traits for first in (True, False)]
    assert [each & {"hatred"} for each in traits] == [{"hatred"}, set()]


def test_killing_blow_slays_only_man_sized_enemies() -> None:
    killer = fighter(rules=frozenset({"killing-blow"}))
    for rule, slays in (("", True), ("large", False), ("monster", False), ("swarm", False)):
        foe = fighter(1, rules=frozenset({rule} - {""}))
        assert ("killing-blow" in volley(killer, foe)[0][0].traits) == slays


def test_killing_blow_allows_a_ward_save() -> None:
    assert harm(blow(4, 6, 2, "killing-blow", ward=2))["O"] == F(1, 12) * F(1, 6)


def test_poison_needs_a_hit_on_six_or_less() -> None:
    assert harm(blow(7, 6, NEVER, "poison"))["N"] == 1 - F(1, 12) * F(1, 6)
    assert harm(blow(6, 6, NEVER, "poison"))["N"] == F(5, 6)


def test_swarms_make_no_injury_roll() -> None:
    assert set(harm(blow(4, 4, 5, "swarm"))) == {"N", "O"}


@each_case(
    ("weapon", "first", "charges", "strengths"),
    [
        (HAND_WEAPON, True, True, [3]),
        (HALBERD, False, False, [4]),
        (GREAT_WEAPON, False, False, [5]),
        (Weapon("Flail", first_bonus=2, hands=2), True, False, [5]),
        (Weapon("Flail", first_bonus=2, hands=2), False, False, [3]),
        (Weapon("Lance", charge_bonus=2), True, True, [5]),
        (Weapon("Lance", charge_bonus=2), True, False, [3]),
        (PISTOLS, True, False, [4]),
        (PISTOLS, False, False, [3]),
        (PISTOL, True, False, [3, 4]),
        (PISTOL, False, False, [3, 3]),
    ],
)
def test_strength_of_weapons(weapon: Weapon, first: bool, charges: bool, strengths: list[int]) -> None:
    found = volley(fighter(0, weapon, first=first, charges=charges))
    assert [int(struck.basis.removeprefix("Strength ")) for struck, _ in found] == strengths


@pytest.mark.parametrize("rule", ["mounted-only", "rider-charge"])
def test_bonuses_for_riders_need_a_mount(rule: str) -> None:
    spear = Weapon("Spear", charge_bonus=1, rules=frozenset({rule}))
    blows = [volley(fighter(0, spear, charges=True, mount=mount))[0][0] for mount in (None, HORSE)]
    assert [each.basis for each in blows] == ["Strength 3", "Strength 4"]


def test_a_critical_hit_of_poison_cannot_wound_whom_nothing_wounds() -> None:
    sting = blow(AUTOMATIC + 4, NEVER, NEVER, "poison", rules=rules(poison_sixes="critical", critical="hits"))
    assert harm(sting)["N"] == 1 - F(1, 6) * F(5, 6)


def test_extra_attacks_are_for_models_on_foot() -> None:
    two = Weapon("Two hand weapons", attacks=1, hands=2)
    assert volley(fighter(0, two))[0][1] == 2
    assert volley(fighter(0, two, mount=HORSE))[0][1] == 1


def test_frenzy_adds_an_attack() -> None:
    assert volley(fighter(rules=frozenset({"frenzy"})))[0][1] == 2


def test_a_mount_strikes_with_its_own_numbers() -> None:
    rider, foe = fighter(mount=HORSE._replace(ws=4, s=4)), fighter(1)
    ((struck, count),) = mount_strikes(rider, foe, rider.warrior.health, foe.warrior.health, RULES)
    assert (struck.hit, struck.wound, count) == (3, 3, 1)


@pytest.mark.parametrize(
    ("keys", "weapon", "mounted", "save"),
    [
        ({}, None, False, 7),
        ({"armor": 6}, None, False, 6),
        ({"armor": 5, "has_shield": True}, None, False, 4),
        ({"armor": 5, "has_shield": True}, HAND_WEAPON, False, 3),
        ({"armor": 5, "has_shield": True}, GREAT_WEAPON, False, 5),
        ({"armor": 5, "has_shield": True, "mount": HORSE}, HAND_WEAPON, True, 3),
        ({"armor": 7, "mount": HORSE}, None, True, 6),
        ({"armor": 7, "mount": HORSE._replace(barded=True)}, None, True, 5),
    ],
)
def test_armor_saves(keys: dict[str, Any], weapon: Weapon | None, mounted: bool, save: int) -> None:
    assert warrior(**keys).save(weapon, is_mounted=mounted) == save


def test_half_of_the_range_is_short() -> None:
    assert [need(3, RULES, distance=distance) for distance in (12, 13, 24)] == [4, 5, 5]


def test_all_modifiers_add_up() -> None:
    large = warrior("B", rules=frozenset({"large"}))
    shot = Shot(24, True, "hard", True)
    given = {each.source: each.amount for each in shot_modifiers(BOW, large, shot, rules(single_target="counted"))}
    assert given == {"long range": -1, "moved": -1, "charging target": -1, "single target": -1, "hard cover": -2,
                     "large target": 1}  # fmt: skip


def test_thrown_weapons_ignore_range_and_moves() -> None:
    target = warrior("B")
    ((struck, _),) = shots(warrior(s=4), target, THROWN, Shot(6, True), target.health, RULES)
    assert (struck.hit, struck.wound) == (4, 3)


def test_a_shot_has_the_strength_of_the_weapon() -> None:
    target = warrior("B")
    assert shots(warrior(s=9), target, BOW, Shot(6), target.health, RULES)[0][0].wound == 4


@pytest.mark.parametrize(
    ("weapon", "shot", "message"),
    [
        (BOW, Shot(25), 'has a range of 24"'),
        (HANDGUN, Shot(5, moved=True), "cannot be used after a move"),
        (BOW._replace(shots=2, shots_within=9), Shot(10, is_volley=True), 'only within 9"'),
    ],
)
def test_impossible_shots(weapon: Weapon, shot: Shot, message: str) -> None:
    target = warrior("B")
    with pytest.raises(ValueError, match=message):
        shots(warrior(), target, weapon, shot, target.health, RULES)


def test_several_shots() -> None:
    target, repeater = warrior("B"), BOW._replace(shots=2, shots_penalty=1)
    for is_volley, expected in ((False, (4, 1)), (True, (5, 2))):
        ((struck, count),) = shots(warrior(), target, repeater, Shot(5, is_volley=is_volley), target.health, RULES)
        assert (struck.hit, count) == expected


def test_a_fall_ignores_armor_and_is_never_critical() -> None:
    knight = warrior(armor=2)
    hit = fall_hit(knight, 4, "", RULES)
    assert (hit.save, hit.can_be_critical, hit.hit) == (NEVER, False, AUTOMATIC)
    assert [fall_strength(height) for height in (4, 11)] == [4, 10]


def test_a_fall_is_up_to_three_hits() -> None:
    giant = warrior(w=9, t=1)
    lost = odds(fall, giant, giant.health, Attempt(10), RULES).map(lambda end: 9 - end.health.wounds)
    assert max(lost.weights) == 3


def test_a_test_for_each_complete_two_inches() -> None:
    who = warrior(i=3)
    lands = [
        odds(jump, who, who.health, Attempt(height), RULES).chance(lambda end: end.words != FALLS)
        for height in (1, 3, 5)
    ]
    assert lands == [1, F(1, 2), F(1, 4)]


@pytest.mark.parametrize(
    ("procedure", "arguments", "message"),
    [
        (jump, (warrior(), Health(1), Attempt(7), RULES), 'at most 6" high'),
        (climb_up, (warrior(m=4), Health(1), Attempt(5), RULES), 'at most 4"'),
        (climb_up, (warrior(rules=frozenset({"animal"})), Health(1), Attempt(1), RULES), "animal"),
        (leap, (warrior(), Health(1), Attempt(2, 1, 4, 9), RULES), 'at most 3" wide'),
    ],
)
def test_limits_of_heights(procedure: Any, arguments: tuple[Any, ...], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        odds(procedure, *arguments)


@pytest.mark.parametrize(
    ("trial", "keys", "message"),
    [("climb", {"height": 5}, 'at most 4"'), ("jump", {"height": 7}, 'at most 6" high'),
     ("gap", {"height": 1, "width": 4}, 'at most 3" wide')],
)  # fmt: skip
def test_impossible_heights_are_reported_before_any_die(trial: str, keys: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        case(trial, warrior=card(), **keys)


def test_a_failed_climb() -> None:
    who = warrior(i=3)
    up, down = (_climbs(who, down) for down in (False, True))
    assert up == {"succeeds": F(1, 2), "does not move": F(1, 2)}
    assert down == {"succeeds": F(1, 2), "falls": F(1, 2)}


def _climbs(who: Warrior, down: bool) -> dict[str, Fraction]:
    return dict(odds(climb_down if down else climb_up, who, who.health, Attempt(4), RULES).map(lambda end: end.words))


def test_a_gap_needs_movement_and_a_test() -> None:
    who = warrior(i=4)
    for movement, falls in ((2, 1), (3, F(1, 3))):
        assert (
            odds(leap, who, who.health, Attempt(4, 1, 3, movement), RULES).chance(lambda end: end.words == FALLS)
            == falls
        )


def test_recovery() -> None:
    assert recover(Health(0, STUNNED)) == (Health(0, DOWN), False)
    assert recover(Health(0, DOWN)) == (Health(0, FIT), True)


def test_flights() -> None:
    assert [flight_dice(move) for move in (4, 6, 7)] == [2, 2, 3]
    fast = warrior(m=8)
    assert [flight_length(fast, RULES, was_alone=alone) for alone in (True, False)] == [2, 3]


def test_riders_have_the_movement_of_their_mounts() -> None:
    moves = [warrior(mount=mount).move for mount in (None, HORSE, HORSE._replace(barded=True))]
    assert moves == [4, 8, 7]


def test_fallen_opponents_do_not_count() -> None:
    foe = fighter(1)
    opponents = [Opponent(foe, foe.warrior.health), Opponent(foe, Health(0, DOWN))]
    assert count_opponents(opponents, RULES) == 1
    assert count_opponents(opponents, rules(fallen_opponents="all")) == 2


def test_a_stunned_model_costs_one_attack() -> None:
    one, foes = fighter(a=2), [fighter(1, name=name) for name in "BCD"]
    healths = (one.warrior.health, *[Health(0, STUNNED)] * 3)
    after = fates(one, *foes, healths=healths)
    assert after.chance(lambda all_: sorted(each.state for each in all_[1:]) == [OUT, OUT, STUNNED]) == 1
    assert [after.chance(lambda all_, at=at: all_[at].state == STUNNED) for at in (1, 2, 3)] == [Fraction(1, 3)] * 3
    free = fates(one, *foes, healths=healths, stunned_kill="free")
    assert free.chance(lambda all_: [each.state for each in all_[1:]] == [OUT] * 3) == 1


@pytest.mark.parametrize(("policy", "target"), [("frail", "C"), ("able", "D"), ("any", None)])
def test_the_policy_chooses_targets_whatever_the_order_of_the_list(policy: str, target: str | None) -> None:
    """All orders of the list have the same odds."""
    foes = [card("B", t=4, ws=2), card("C", t=2, ws=2), card("D", t=4, ws=5)]
    mighty = card("A", s=9, ws=9, i=9)
    found = set()
    for beneath in permutations(foes):
        tables = case("combat", {}, {"targets": policy}, a=(mighty,), b=beneath).odds
        assert tables is not None
        harmed = {table.title: 1 - dict(table.parts).get("1 Wound", 0) for table in tables() if table.title != "A"}
        found.add(tuple(sorted(harmed.items())))
    ((*one,),) = found
    hurt = [name for name, chance in one if chance]
    assert hurt == ([target] if target else ["B", "C", "D"])


def test_each_of_three_equal_enemies_is_equally_likely_if_two_are_copies() -> None:
    """It is attacked as often as among three enemies that only have other names."""
    mighty, harmed = card("A", s=9, ws=9, i=9), []
    for names in ("BBD", "BCD"):
        tables = case("combat", {}, {"targets": "any"}, a=(mighty,), b=tuple(map(card, names))).odds
        assert tables is not None
        harmed.append([dict(table.parts).get("1 Wound", 0) for table in tables() if table.title == "D"])
    assert harmed[0] == harmed[1] != [1]


def test_a_stupid_model_may_not_fight() -> None:
    plain, stupid = (
        fates(fighter(is_stupid=each), fighter(1)).chance(lambda all_: all_[1].state == FIT) for each in (False, True)
    )
    assert 1 - stupid == (1 - plain) / 2


def test_unit_strength() -> None:
    made = [
        warrior(),
        warrior(mount=HORSE),
        warrior(rules=frozenset({"large"})),
        warrior(w=5, rules=frozenset({"monster"})),
    ]
    assert [each.unit_strength for each in made] == [1, 2, 3, 5]


def test_killing_blow_comes_before_the_critical() -> None:
    killer = blow(AUTOMATIC, 4, NEVER, "killing-blow")
    end = odds(resolve, ((killer, 1),), Health(3))
    assert end.chance(lambda each: each.health.state == OUT and each.may_crit) == F(1, 6)


def test_a_model_that_fell_rolls_for_nothing_in_the_same_round() -> None:
    """The faster fighter fells the enemy before the roll-off of the two others with equal Initiative."""
    fast, slow = fighter(i=6, name="A1"), fighter(name="A2")
    asked: list[str] = []

    def answer(path: str, question: Any) -> int:
        asked.append(question.key)
        return 1 if question.key == "injury" else 6

    play(fight_round((fast, slow, fighter(1)), (Health(1), Health(1), Health(1)), RULES), answer, lambda _: None)
    assert "injury" in asked
    assert "roll-off" not in asked


def test_no_mount_finishes_whom_its_rider_fells() -> None:
    """By the seed, one model does not fell and finish an enemy: its mount's attack is as another one of its own."""
    for own_victim in ("together", "lost"):
        rider = fighter(i=5, mount=Mount("Horse", 8, 3, 3, 4, 1))
        two = fighter(i=5, a=2)
        mounted, walking = (
            fates(each, fighter(1), healths=(each.warrior.health, Health(1)), own_victim=own_victim).map(
                lambda all_: all_[1].state
            )
            for each in (rider, two)
        )
        assert mounted.weights == walking.weights


def test_what_trials_leave_out_is_named() -> None:
    """Special rules of a card and magic items have only text, and a trial without them must not pass for one with."""
    ada = card("Ada", rules=["Fear", "Hatred", "Animal", "Patient"], special={"Patient": "She waits."}, magic=["Lamp"])
    notes = ("Ada: Lamp", "Ada: Patient", "Ada: fear")
    assert case("attack", attacker=ada, target=card("Bo")).not_simulated == notes
    assert case("attack", attacker=card("Bo"), target=ada).not_simulated == notes
    assert case("combat", a=(ada,), b=(card("Bo"),)).not_simulated == notes
    assert case("duel", a=ada, b=card("Bo")).not_simulated == notes


@pytest.mark.parametrize(
    ("keys", "notes"),
    [
        ({"ward": 6, "special": {"Relic": "Its relic gives it a ward save of 6."}}, ()),
        ({"special": {"Relic": "Its relic gives it a ward save of 6."}}, ("Ada: Relic",)),
        ({"ward": 6, "magic": ["Lamp"], "text": "Her Lamp is a magic item: a ward save of 6, which Strength does not"
          " change."}, ()),
        ({"ward": 6, "magic": ["Lamp"], "text": "It has a ward save of 6."}, ("Ada: Lamp",)),
        ({"ward": 6, "magic": ["Lamp"], "text": "Her Lamp hums. It has a ward save of 6."}, ("Ada: Lamp",)),
    ],
)  # fmt: skip
def test_an_item_whose_text_is_all_in_the_profile_is_played(keys: dict[str, Any], notes: tuple[str, ...]) -> None:
    ada = card("Ada", rules=["Relic"] if "special" in keys else [], **keys)
    assert case("attack", attacker=ada, target=card("Bo")).not_simulated == notes

"""The figures of the rules, every procedure against icepool as fractions, and seeded rolls against the odds."""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction
from typing import Any

import icepool
import pytest

from cardgen.referee.odds import odds
from cardgen.referee.play import play
from cardgen.rulesets.warcry.limits import Weapon
from cardgen.rulesets.warcry.referee.attack import (
    PreparedAttack,
    counter_damage,
    face_to_hit,
    resolve_attack,
    roll_hits,
)
from cardgen.rulesets.warcry.referee.initiative import (
    ALL_ONES,
    DiceSet,
    Hand,
    Players,
    hand_of,
    lift_set,
    roll_dice,
    settle_initiative,
    use_wild_dice,
)
from cardgen.rulesets.warcry.referee.initiative import roll_hand as rolled_hand
from tests.cases import each_case
from tests.rulesets.warcry.referee.fights import card, case, chances, fighter, means, rolled

D6 = icepool.d6
SIX_DICE = 6**6


def exact(die: Any) -> dict[Any, Fraction]:
    return {outcome: Fraction(weight, die.denominator()) for outcome, weight in die.items() if weight}


def swing(attacks: int, lowest: int, damage: int, critical: int, **keys: Any) -> PreparedAttack:
    axe = Weapon(name="Axe", shape="axe", range=1, attacks=attacks, strength=4, damage=damage, critical=critical)
    return PreparedAttack("A", "B", axe, lowest, **keys)


# The figures of the rules.


def test_singles_of_six_dice() -> None:
    found = chances(case("dice"))
    weights = {count: found[str(count)] * SIX_DICE for count in (0, 1, 2, 3, 4, 6)}
    assert weights == {0: 2556, 1: 7380, 2: 18000, 3: 7200, 4: 10800, 6: 720}
    assert "5" not in found


def test_sets_of_six_dice() -> None:
    found = {words: value * SIX_DICE for words, value in chances(case("dice")).items()}
    assert found["a quad or better"] == found["some value four times or more"] == 2436
    assert found["some value three times"] == 14700
    assert found["some value twice"] == 36450
    assert found["a double or better"] == 45936
    assert found["a triple or better"] == 17136
    (_, _, lifted) = case("dice", wild=1).odds()  # type: ignore[misc]
    found = {words: value * SIX_DICE for words, value in lifted.chances}
    assert found["a double or better"] == SIX_DICE, "a wild die makes a single a double if there is no set"
    assert (found["a triple or better"], found["a quad or better"]) == (45936, 17136)


def test_an_attack_of_four_dice() -> None:
    asha, bran = fighter("Asha", "M5 T4 W30", "Axe: axe R1 A4 S4 D2/5"), fighter("Bran", "M5 T4 W30")
    matter = case("attack", attacker=asha, target=bran)
    assert means(matter)["mean damage"] == 6
    assert sum(value for words, value in chances(matter).items() if words.isdigit() and int(words) >= 10) == Fraction(
        203, 1296
    )
    bow = fighter("Asha", "M5 T4 W30", "Bow: ranged R3-15 A4 S4 D2/5")
    bran = fighter("Bran", "M5 T3 W30")  # Toughness 4 in cover
    matter = case("attack", attacker=bow, target=bran, cover=True, reaction="take-cover")
    assert means(matter)["mean damage"] == 5


def test_counter_against_four_dice() -> None:
    found = odds(resolve_attack, swing(4, 4, 2, 5, reaction="counter")).map(lambda harm: harm.attacker)
    assert dict(found) == {3: Fraction(563, 1296), 2: Fraction(1, 12), 1: Fraction(41, 162), 0: Fraction(11, 48)}
    matter = case("attack", attacker=fighter("A", "M5 T4 W10", "Axe: axe R1 A4 S4 D2/5"), target=fighter("B"),
                  reaction="counter")  # fmt: skip
    assert chances(matter)["3"] >= Fraction(563, 1296)


@pytest.mark.parametrize(("strength", "toughness", "face"), [(5, 4, 3), (4, 4, 4), (3, 4, 5), (1, 12, 5), (12, 1, 3)])
def test_strength_against_toughness(strength: int, toughness: int, face: int) -> None:
    assert face_to_hit(strength, toughness) == face


# Against icepool.


def faces(count: int) -> Any:
    """The sorted faces of some dice."""
    return icepool.tupleize(*[D6] * count).map(lambda t: tuple(sorted(t)), star=False)


def test_hands_agree_with_icepool() -> None:
    assert dict(odds(roll_dice, 3, "A")) == exact(faces(3))


def test_several_ones_may_be_rolled_again() -> None:
    def again(shown: tuple[int, ...]) -> Any:
        ones = shown.count(1)
        if ones < 2:
            return shown
        return faces(ones).map(lambda new: tuple(sorted((*shown[ones:], *new))), star=False)

    found = odds(rolled_hand, 3, 0, "A", (ALL_ONES,))
    expected: dict[Hand, Fraction] = {}
    for shown, chance in exact(faces(3).map(again, star=False)).items():
        expected[hand_of(shown)] = expected.get(hand_of(shown), Fraction(0)) + chance
    assert dict(found) == expected


def tallied(t: tuple[str, ...]) -> tuple[int, ...]:
    """Ones, misses, hits and critical hits."""
    return t.count("one"), t.count("one") + t.count("miss"), t.count("hit"), t.count("crit")


def test_volleys_agree_with_icepool() -> None:
    for attacks in (1, 3, 6):
        for lowest in (3, 4, 5):
            sort = D6.map(lambda f, lowest=lowest: "crit" if f == 6 else "hit" if f >= lowest else "one" if f == 1 else "miss")  # fmt: skip  # noqa: E501
            expected = icepool.tupleize(*[sort] * attacks).map(tallied, star=False)
            assert dict(odds(roll_hits, attacks, lowest, "A").map(lambda tally: tuple(tally)[:4])) == exact(expected)


def expected_attack(attacks: int, lowest: int, damage: int, critical: int, saves: int) -> Any:
    """Damage of an attack; `saves` is the face that Take Cover needs, 7 for none."""
    soft = icepool.Die({damage: max(0, 7 - saves), critical: 6 - max(0, 7 - saves)})
    one = D6.map(lambda face: soft if face == 6 else damage if face >= lowest else 0)
    return attacks @ one


def test_attacks_agree_with_icepool() -> None:
    dice = random.Random(1)
    for _ in range(120):
        attacks, damage = dice.randint(1, 6), dice.randint(0, 4)
        critical, strength, toughness = damage + dice.randint(0, 5), dice.randint(2, 7), dice.randint(2, 7)
        cover, take = dice.random() < 0.5, dice.random() < 0.5
        saves = dice.choice([3, 4])
        order = card("trait", "Bold", runemark="order", changes=[{"take_cover": saves}])
        archer = fighter("A", "M5 T4 W60", f"Bow: ranged R3-15 A{attacks} S{strength} D{damage}/{critical}")
        target = fighter("B", f"M5 T{toughness} W60", faction="order")
        matter = case("attack", attacker=archer, target=target, cover=cover, distance=9,
                      reaction="take-cover" if cover and take else None, target_trait=order)  # fmt: skip
        lowest = 3 if strength > toughness + cover else 4 if strength == toughness + cover else 5
        expected = expected_attack(attacks, lowest, damage, critical, saves if cover and take else 7)
        found = {int(words): value for words, value in chances(matter).items() if words.isdigit()}
        assert found == exact(expected)


def test_counter_agrees_with_icepool() -> None:
    for attacks in (1, 2, 4, 5):
        for lowest in (3, 4, 5):
            for each_one in (False, True):
                for ones_miss in (False, True):
                    blow = swing(
                        attacks, lowest, 1, 3, reaction="counter", every_one_counts=each_one, ones_are_misses=ones_miss
                    )
                    found = odds(resolve_attack, blow).map(lambda harm: harm.attacker)

                    def back(
                        t: tuple[int, ...], low: int = lowest, each: bool = each_one, counted: bool = ones_miss
                    ) -> int:
                        ones = t.count(1)
                        missed = sum(face < low for face in t) - (0 if counted else ones)
                        return (2 * ones if each else 2 * bool(ones)) + (missed >= 2)

                    assert dict(found) == exact(faces(attacks).map(back, star=False))


def test_taking_a_fighter_down_agrees_with_icepool() -> None:
    """Two attacks an activation; the rest of the damage is lost, and nobody is taken down twice."""
    asha = fighter("Asha", "M5 T4 W10", "Axe: axe R1 A3 S5 D1/4")
    bran = fighter("Bran", "M5 T4 W12")
    one = D6.map(lambda face: 4 if face == 6 else 1 if face >= 3 else 0)
    found = chances(case("activation", attacker=asha, target=bran))
    for activations in (1, 2):
        expected = 6 * activations @ one >= 12
        words = f"Bran within {activations} activation{'' if activations == 1 else 's'}"
        assert found[words] == exact(expected).get(True, 0)


def test_onslaught_adds_a_die_to_each_attack_of_the_first_activation() -> None:
    asha = fighter("Asha", "M5 T4 W10", "Axe: axe R1 A3 S5 D1/4")
    bran = fighter("Bran", "M5 T4 W12")
    onslaught = card("ability", "Onslaught", price="triple", changes=[{"attacks": 1, "weapon": "melee", "for": "activation"}])  # fmt: skip  # noqa: E501
    one = D6.map(lambda face: 4 if face == 6 else 1 if face >= 3 else 0)
    for again, dice in ((False, (8, 14)), (True, (8, 16))):
        found = chances(case("activation", attacker=asha, target=bran, ability=onslaught, dice="quad", again=again))
        for activations, count in zip((1, 2), dice, strict=True):
            words = f"Bran within {activations} activation{'' if activations == 1 else 's'}"
            assert found[words] == exact(count @ one >= 12).get(True, 0)
    bow = fighter("Asha", "M5 T4 W10", "Bow: ranged R3-15 A3 S5 D1/4")
    assert means(case("attack", attacker=bow, target=bran, ability=onslaught))["mean hits"] == Fraction(3, 2)


EDGE = card("ability", "Edge", price="double", changes=[{"attacks": 2, "weapon": "one-melee", "for": "activation"}])


def test_an_ability_of_a_single_weapon_improves_the_one_that_attacks() -> None:
    asha = fighter("Asha", "M5 T4 W10", "Axe: axe R1 A3 S5 D1/4", "Bow: ranged R3-9 A2 S5 D1/4")
    for weapon, hits in (("Axe", 5), ("Bow", 2), (None, 5)):
        found = means(case("attack", attacker=asha, target=fighter("Bran"), weapon=weapon, ability=EDGE))
        assert found["mean hits"] == Fraction(hits, 2)
    two = fighter("Asha", "M5 T4 W10", "Axe: axe R1 A3 S5 D1/4", "Pike: spear R3 A2 S5 D1/4")
    far = case("attack", attacker=two, target=fighter("Bran"), distance=3, ability=EDGE)
    assert means(far)["mean hits"] == 2


def test_the_means_of_hits_are_those_after_take_cover() -> None:
    """Two dice that need 5 and more: 1/3 of a hit and of a critical hit each, two thirds of which become hits on 3+."""
    bow = fighter("Asha", "M5 T4 W10", "Bow: ranged R6-15 A2 S5 D2/5")
    brace = card("trait", "Brace", runemark="chaos", changes=[{"take_cover": 3}])
    target = fighter("Bran", "M5 T5 W9")
    values: dict[str, Any] = {"attacker": bow, "target": target, "target_trait": brace, "cover": True}
    found = means(case("attack", reaction="take-cover", **values))
    assert (found["mean hits"], found["mean critical hits"]) == (Fraction(5, 9), Fraction(1, 9))
    assert found["mean damage"] == Fraction(5, 3)
    assert means(case("attack", **values))["mean critical hits"] == Fraction(1, 3)


@pytest.mark.parametrize("trial", ["attack", "activation"])
def test_a_reaction_is_not_an_ability_of_the_attacker(trial: str) -> None:
    dodge = card("ability", "Dodge", price="reaction", changes=[{"toughness": 1, "for": "attack"}])
    with pytest.raises(ValueError, match="'Dodge' is a reaction"):
        case(trial, attacker=fighter("A"), target=fighter("B"), ability=dodge)
    hits = means(case("attack", attacker=fighter("A"), target=fighter("B"), target_ability=dodge))["mean hits"]
    assert hits == Fraction(1, 2)


def test_the_odds_of_ten_initiative_dice() -> None:
    """Ten dice have 6 or more singles never, and always a set."""
    found = chances(case("dice", dice=10))
    assert found["a double or better"] == 1
    assert "6" not in found
    first = chances(case("initiative", dice_a=10, dice_b=3, wild_a=6, wild_b=6))
    assert first["A has the initiative"] == Fraction(12351893, 22674816)


def test_strike_them_down_and_impact_damage() -> None:
    found = chances(case("disengage", fighter=fighter("A", "M5 T4 W10"), damage=7))
    assert found["A is taken down"] == Fraction(1, 3)
    assert found["0"] == Fraction(1, 2)
    values = {"fighter": fighter("A")}
    assert means(case("fall", **values))["mean"] == Fraction(5, 6)
    assert means(case("fall", {"impact-table": "high"}, **values))["mean"] == Fraction(5, 6)


def test_a_trait_that_lowers_impact_rolls_harms_the_enemy_by_default() -> None:
    """Battlepack: the trait of Horns of Hashut subtracts 2 from enemies' rolls, so low rolls must be worse."""
    horns = card("trait", "Fire", runemark="horns-of-hashut", changes=[{"impact": -2}])
    values = {"fighter": fighter("A"), "enemy_trait": horns}
    assert means(case("fall", **values))["mean"] == Fraction(11, 6)
    assert means(case("fall", {"impact-table": "high"}, **values))["mean"] == Fraction(1, 6)


def test_a_blessing_counts_in_a_fall() -> None:
    fortitude = card("blessing", "Fortitude", points={"regular": 20, "elite": 20}, changes=[{"wounds": 4}])
    values: dict[str, Any] = {"fighter": fighter("A", "M5 T4 W10"), "damage": 9}
    assert chances(case("fall", **values))["A is taken down"] == Fraction(1, 2)
    assert chances(case("fall", blessing=fortitude, **values))["A is taken down"] == 0


def test_an_alternative_with_a_price_is_named_as_not_adjudicated() -> None:
    sharp = {"name": "Sharp", "price": "double", "changes": [{"critical": 2, "weapon": "melee", "for": "attack"}]}
    road = card("trait", "Road", runemark="chaos", choices=[sharp, {"name": "Fast", "changes": [{"move": 2}]}])
    values: dict[str, Any] = {"attacker": fighter("A"), "target": fighter("B"), "trait": road}
    assert case("attack", choice="Sharp", **values).not_simulated == ("'Sharp' has the price 'double'",)
    assert case("attack", choice="Fast", **values).not_simulated == ("'Road' has no effect on this attack",)


# Initiative and wild dice.


def test_hands_are_read_from_faces() -> None:
    assert hand_of((1, 1, 1, 3, 5, 5)) == Hand(1, (DiceSet(1, 3), DiceSet(5, 2)), 0, (3,))
    assert hand_of((2, 2, 2, 2, 2, 6)) == Hand(1, (DiceSet(2, 4),), 0, (6,)), "five alike are a quad"
    assert str(hand_of((2, 2, 4, 4, 4, 6), 1)) == "1 single, double of 2, triple of 4, 1 wild die"


def test_a_wild_die_lifts_a_set_once() -> None:
    hand = Hand(1, (DiceSet(2, 2), DiceSet(4, 3)), 2)
    once = lift_set(hand, DiceSet(4, 3))
    assert once == Hand(1, (DiceSet(2, 2), DiceSet(4, 4, True)), 1)
    lifted = odds(use_wild_dice, hand, "A", "lift", False)
    assert list(lifted.weights) == [Hand(1, (DiceSet(2, 3, True), DiceSet(4, 4, True)), 0)]
    assert list(odds(use_wild_dice, hand, "A", "keep", True).weights) == [hand]


def test_a_wild_die_lifts_a_set_that_counts_first() -> None:
    hand = Hand(0, (DiceSet(1, 3), DiceSet(6, 2)), 1)
    assert list(odds(use_wild_dice, hand, "A", "lift").weights) == [Hand(0, (DiceSet(1, 4, True), DiceSet(6, 2)), 0)]
    lifted = odds(use_wild_dice, hand, "A", "lift", 0, True, 5)
    assert list(lifted.weights) == [Hand(0, (DiceSet(1, 3), DiceSet(6, 3, True)), 0)]


@pytest.mark.parametrize(("ahead", "behind", "wild", "left"), [(2, 2, 3, 2), (3, 2, 3, 1), (4, 2, 3, 0), (6, 2, 3, 3)])
def test_wild_dice_beyond_those_that_take_the_initiative_are_saved(
    ahead: int, behind: int, wild: int, left: int
) -> None:
    players = Players(("A", "B"), (6, 6), (0, wild), ((), ()), (False, False), "seize")
    ends = odds(settle_initiative, players, (Hand(ahead, ()), Hand(behind, (), wild)))
    # A tie is rolled off first, and whoever loses it is behind.
    assert {end.hands[1].wild for end in ends.weights if end.first == 1 and end.seized} <= {left}
    assert {end.hands[1].wild for end in ends.weights} <= {left, wild}


def singles() -> dict[int, Fraction]:
    return {n: Fraction(w, SIX_DICE) for n, w in {0: 2556, 1: 7380, 2: 18000, 3: 7200, 4: 10800, 6: 720}.items()}


def expected_initiative(wild: int) -> tuple[Fraction, Fraction]:
    """A's chance, and that of a seizure, worked out from the singles alone: whoever is behind adds wild dice."""
    first = seized = Fraction(0)
    for a, p in singles().items():
        for b, q in singles().items():
            weight = p * q
            for leader, share in ((0, 1), (1, 0)) if a == b else ((0 if a > b else 1, 1),):
                half = Fraction(1, 2) if a == b else Fraction(share)
                gap = abs(a - b)
                # Behind: enough wild dice to be ahead, or to tie, which is rolled off unless it was a tie before.
                takes = Fraction(0)
                if wild and gap <= wild:
                    takes = Fraction(1) if wild > gap else Fraction(1, 2)
                seized += weight * half * takes
                first += weight * half * (1 - takes if leader == 0 else takes)
    return first, seized


@pytest.mark.parametrize("wild", [0, 1, 2])
def test_initiative_agrees_with_what_follows_from_the_singles(wild: int) -> None:
    found = chances(case("initiative", wild_a=wild, wild_b=wild))
    first, seized = expected_initiative(wild)
    assert found["A has the initiative"] == first == Fraction(1, 2)
    assert found["it is seized"] == seized


def test_traits_bear_on_initiative() -> None:
    ties = card("trait", "Masters", runemark="chaos-legionnaires", changes=[{"initiative": "ties"}])
    tied = sum(p * p for p in singles().values())
    found = chances(case("initiative", wild_a=0, wild_b=0, trait_a=ties))
    assert found["A has the initiative"] == Fraction(1, 2) + tied / 2
    again = card("trait", "Primal", runemark="bonesplitterz", changes=[{"initiative": "reroll-ones"}])
    found = chances(case("initiative", wild_a=0, wild_b=0, trait_a=again))
    assert found["A has the initiative"] == Fraction(1194034613, 2176782336)
    found = chances(case("initiative", {"primal-beliefs": "all"}, wild_a=0, wild_b=0, trait_a=again))
    assert found["A has the initiative"] == Fraction(381180751, 725594112)
    single = card("trait", "Second Look", runemark="chaos", changes=[{"initiative": "reroll-one"}])
    found = chances(case("initiative", wild_a=0, wild_b=0, trait_a=single))
    assert found["A has the initiative"] == Fraction(3209149, 5038848)
    # A player who can lift no set makes a single a double, and may lose the initiative by it.
    for policy, seized in (("lift", Fraction(11285, 559872)), ("keep", 0)):
        found = chances(case("initiative", policy={"wild": policy}))
        assert found["A has the initiative"] == Fraction(1, 2)
        assert found["it is seized"] == seized


# Three readings of one procedure.


TRIALS: dict[str, dict[str, Any]] = {
    "attack": {"attacker": fighter("A", "M5 T4 W10", "Axe: axe R1 A2 S4 D1/4"), "target": fighter("B"),
               "reaction": "counter"},
    "activation": {"attacker": fighter("A"), "target": fighter("B"), "activations": 1, "reaction": "counter"},
    "duel": {"a": fighter("A"), "b": fighter("B"), "rounds": 1},
    "initiative": {},
    "dice": {"wild": 1},
    "disengage": {"fighter": fighter("A")},
    "fall": {"fighter": fighter("A")},
}  # fmt: skip


@pytest.mark.parametrize("trial", TRIALS)
def test_every_trial_can_be_rolled_worked_out_and_asked(trial: str) -> None:
    matter = case(trial, **TRIALS[trial])
    assert matter.odds is not None
    assert all(sum(value for _, value in table.parts) == 1 for table in matter.odds() if table.parts)
    outcome, told = rolled(matter, "seed")
    assert told
    assert matter.outcome_lines(outcome)
    assert rolled(matter, "seed")[0] == outcome
    answers = {event.path: event.answer for event in told if not isinstance(event, str)}
    assert play(matter.start(), lambda path, _: answers[path], lambda _: None) == outcome
    matter.outcome_data(outcome)


@pytest.mark.parametrize("trial", ["attack", "disengage", "fall"])
def test_seeded_rolls_follow_the_odds(trial: str) -> None:
    matter = case(trial, **TRIALS[trial])
    shown = Counter(str(matter.outcome_data(rolled(matter, f"{trial} {n}")[0])) for n in range(600))
    assert matter.odds is not None
    mean = next(value for table in matter.odds() for words, value in table.means if words.startswith("mean"))
    found = [matter.outcome_data(rolled(matter, f"{trial} {n}")[0]) for n in range(600)]
    points = [each["target"] if isinstance(each, dict) else each for each in found]
    assert len(shown) > 1
    assert abs(sum(points) / 600 - float(mean)) < 0.35


def test_a_duel_is_what_its_turns_come_to() -> None:
    """Attack by attack is the same as the procedure, worked out as a whole."""
    from cardgen.rulesets.warcry.referee.duel import fighter_duel
    from cardgen.rulesets.warcry.referee.fighter import fighter_stats

    a, b = fighter_stats(fighter("A", "M5 T4 W6")), fighter_stats(fighter("B", "M5 T3 W5", "Axe: axe R1 A2 S3 D1/3"))
    from tests.rulesets.warcry.referee.fights import terms

    duel = fighter_duel(a, b, 1, 1, terms())
    assert dict(duel.odds(0)) == dict(odds(duel.play, 0))
    assert dict(duel.odds(1)) == dict(odds(duel.play, 1))


# What may not be.


def gated(**use: Any) -> dict[str, Any]:
    """Return an ability that can be used under a condition only."""
    return card("ability", "Gate", price="double", changes=[use, {"attacks": 1, "weapon": "melee", "for": "attack"}])


@pytest.mark.parametrize(
    ("use", "value", "is_noted"),
    [
        ({"only_if": {"least_value": 5}}, 5, False),
        ({"only_if": {"least_value": 5}}, None, True),
        ({"only_if": {"took_down": "any"}}, 5, True),
        ({"not_if": {"attacked": True}}, 5, True),
    ],
)
def test_a_use_that_is_taken_as_allowed_is_said(use: dict[str, Any], value: int | None, is_noted: bool) -> None:
    one, two = fighter("A", "M5 T4 W10", "Axe: axe R1 A3 S4 D1/4"), fighter("B", "M5 T4 W10", "Axe: axe R1 A3 S4 D1/4")
    notes = case("attack", attacker=one, target=two, ability=gated(**use), value=value).not_simulated
    assert ("the condition of 'Gate' is true" in notes) is is_noted


@each_case(
    ("values", "message"),
    [
        ({"weapon": "Axe", "distance": 9}, "Axe reaches from 0 to 1 inches, and the target is 9 away"),
        ({"reaction": "take-cover"}, "Take Cover answers missile attacks only"),
        ({"weapon": "Bow", "reaction": "counter"}, "Counter answers melee attacks only"),
        ({"weapon": "Bow", "reaction": "take-cover"}, "Take Cover needs cover"),
        ({"weapon": "Spoon"}, "A has no weapon 'Spoon'; it has Axe, Bow"),
        ({"target_damage": 10}, "B has 10 Wounds: with 10 damage points it is taken down"),
        ({"value": 3}, "a value or dice need an ability; choose one"),
        ({"trait": card("trait", "T", runemark="order", changes=[{"move": 1}])}, "A cannot have 'T': it is for Order"),
        (
            {"ability": card("ability", "F", price="quad", changes=[{"move": 1}]), "dice": "triple"},
            "'F' costs a quad; a triple does not pay for it",
        ),
        (
            {"ability": card("ability", "F", price="quad", runemarks=["hero"], changes=[{"move": 1}])},
            "A cannot use 'F': it lacks the runemark Hero",
        ),
        (
            {"ability": card("ability", "F", price="quad", changes=[{"heal": "value"}])},
            "'F' needs the value of its dice",
        ),
        (
            {"ability": gated(only_if={"least_value": 5}), "value": 4},
            "'Gate' needs a value of at least 5, not 4",
        ),
        (
            {"ability": gated(not_if={"least_value": 5}), "value": 5},
            "'Gate' needs a value below 5, not 5",
        ),
    ],
)
def test_what_may_not_be_is_said(values: dict[str, Any], message: str) -> None:
    one = fighter("A", "M5 T4 W10", "Axe: axe R1 A3 S4 D1/4", "Bow: ranged R3-15 A2 S3 D1/3")
    with pytest.raises(ValueError, match="^" + message.replace("(", r"\(") + "$"):
        case("attack", attacker=one, target=fighter("B", "M5 T4 W10"), **values)


def test_mounts_take_no_cover_and_blessings_need_a_weapon() -> None:
    bow = fighter("A", "M5 T4 W10", "Bow: ranged R3-15 A2 S3 D1/3")
    with pytest.raises(ValueError, match="B has the Mount runemark"):
        case("attack", attacker=bow, target=fighter("B", marks=("mount",)), cover=True, reaction="take-cover")
    fury = card("blessing", "Fury", points={"regular": 1, "elite": 1}, changes=[{"attacks": 1, "weapon": "one-melee"}])
    with pytest.raises(ValueError, match="A has no weapon that 'Fury' could improve"):
        case("attack", attacker=bow, target=fighter("B"), blessing=fury)


# Abilities and blessings in an activation.


def test_respite_heals_by_its_value_and_not_beside_an_enemy() -> None:
    respite = card("ability", "Respite", price="double", changes=[{"heal": "value"}])
    values: dict[str, Any] = {
        "attacker": fighter("A", "M5 T4 W10"), "target": fighter("B"), "ability": respite, "value": 4, "damage": 6,
        "distance": 20,
    }  # fmt: skip
    outcome, _ = rolled(case("activation", activations=1, **values), "x")
    assert (outcome.attacker, outcome.distance) == (2, 10)
    with pytest.raises(ValueError, match="Respite cannot be used within 1 inch of an enemy"):
        case("activation", enemies_near=True, **values)


def test_rush_brings_a_fighter_into_range() -> None:
    rush = card("ability", "Rush", price="double", changes=[{"move": 1, "for": "activation"}])
    values: dict[str, Any] = {"attacker": fighter("A"), "target": fighter("B"), "distance": 7, "activations": 1}
    assert rolled(case("activation", **values), "x")[0].distance == 1
    slow = chances(case("activation", **values))
    fast = chances(case("activation", ability=rush, **values))
    assert slow.keys() == {"B within 1 activation", "0"}
    assert slow["B within 1 activation"] == 0
    assert fast["B within 1 activation"] == Fraction(1, 216), "three critical hits"
    assert fast["0"] < 1, "it moves 6 inches, and attacks"


def test_reckoning_moves_and_strikes_besides() -> None:
    reckoning = card("ability", "Reckoning", price="quad", changes=[{"bonus_move": "value"}, {"bonus_attack": True}])
    values: dict[str, Any] = {
        "attacker": fighter("A"), "target": fighter("B", "M5 T4 W60"), "ability": reckoning, "value": 3,
        "activations": 1, "half_down": True,
    }  # fmt: skip
    near, far = (means(case("activation", distance=distance, **values))["mean"] for distance in (4, 5))
    assert near == 3 * far, "three attacks, not a move and one attack"
    with pytest.raises(ValueError, match="Reckoning needs half of the warband taken down"):
        case("activation", **{**values, "half_down": False})


def test_blessings_are_counted_in() -> None:
    bless = {
        "Might": {"strength": 1, "weapon": "one"},
        "Ferocity": {"attacks": 1, "weapon": "one-melee"},
        "Brutality": {"damage": 1, "weapon": "one-melee"},
        "Savagery": {"critical": 1, "weapon": "one-melee"},
    }
    expected = {"Might": "5/2", "Ferocity": "8/3", "Brutality": "3", "Savagery": "5/2"}
    one = fighter("A", "M5 T4 W10", "Axe: axe R1 A3 S4 D1/4")
    for name, change in bless.items():
        blessing = card("blessing", name, points={"regular": 1, "elite": 1}, changes=[change])
        mean = means(case("attack", attacker=one, target=fighter("B", "M5 T4 W60"), blessing=blessing))["mean damage"]
        # Two dice of six hit with 4 and 5, three with Might; the 6 is critical.
        sure = {"Might": Fraction(3, 6) * (3 + 4), "Ferocity": Fraction(4, 6) * (2 + 4),
                "Brutality": Fraction(3, 6) * (4 + 4), "Savagery": Fraction(3, 6) * (2 + 5)}[name]  # fmt: skip
        assert mean == sure, expected[name]
    stone = card("blessing", "Stone", points={"regular": 1, "elite": 1}, changes=[{"toughness": 1}, {"wounds": 4}])
    matter = case("attack", attacker=one, target=fighter("B", "M5 T4 W1"), target_blessing=stone)
    assert matter.odds is not None
    assert matter.odds()[0].title.endswith("3 dice, 5+")
    assert matter.odds()[0].chances[0][1] < Fraction(3, 6), "five Wounds"


def test_relentless_destroyers_ignore_cover_in_melee_only() -> None:
    trait = card("trait", "Destroyers", runemark="destruction", changes=[{"no_cover": "melee"}])
    one = fighter("A", "M5 T4 W10", "Axe: axe R1 A3 S4 D1/4", "Bow: ranged R3-15 A3 S4 D1/3", faction="ironjawz")
    for weapon, needed in (("Axe", "4+"), ("Bow", "5+")):
        matter = case("attack", attacker=one, target=fighter("B"), weapon=weapon, cover=True, trait=trait)
        assert matter.odds is not None
        assert matter.odds()[0].title.endswith(needed)


def test_words_only_are_named() -> None:
    deal = card("trait", "A Good Deal", runemark="kharadron-overlords", text="Strike a deal.")
    target = fighter("B", faction="kharadron-overlords")
    matter = case("attack", attacker=fighter("A"), target=target, target_trait=deal)
    assert matter.not_simulated == ("'A Good Deal' has only text",)


def test_older_rules_let_a_double_pay_for_onslaught() -> None:
    onslaught = card(
        "ability", "Onslaught", id="onslaught", price="triple", changes=[{"attacks": 1, "weapon": "melee"}]
    )
    values: dict[str, Any] = {"attacker": fighter("A"), "target": fighter("B"), "ability": onslaught, "dice": "double"}
    with pytest.raises(ValueError, match="costs a triple"):
        case("attack", **values)
    assert case("attack", {"onslaught": "double"}, **values).title == "A: Axe at B"
    values["ability"] = {**onslaught, "price": "double"}
    assert case("attack", **values).title == "A: Axe at B", "the ruling is not about a card with a price of its own"
    values["ability"] = {**onslaught, "price": "quad"}
    with pytest.raises(ValueError, match="costs a quad"):
        case("attack", {"onslaught": "double"}, **values)


def test_countered_counts_ones_once() -> None:
    tally = odds(roll_hits, 2, 4, "A")
    assert {counter_damage(each) for each in tally.weights} == {0, 1, 2, 3}

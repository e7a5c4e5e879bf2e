"""What battle traits may bear on: every key of a change counts in an attack or activation, or is named with it."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from cardgen.referee.trial import Idle
from cardgen.rulesets.warcry.cards import Trait
from cardgen.rulesets.warcry.changes import DEEDS, Change
from tests.cases import each_case
from tests.rulesets.warcry.referee.fights import card, case, chances, fighter
from tests.rulesets.warcry.referee.test_circumstances import armed, home, trait
from tests.rulesets.warcry.test_cards import all_of

FRIENDS, ENEMIES = {"side": "friend"}, {"side": "enemy"}
# A value of each key.
SAMPLES: dict[str, Any] = {
    **dict.fromkeys(("move", "toughness", "wounds", "range", "attacks", "strength", "damage", "critical"), 1),
    **dict.fromkeys(("heal", "deal", "survives", "raise_value", "healing", "save_wild", "wild_dice", "impact"), 1),
    **dict.fromkeys(("bonus_move", "shift", "counts_as", "take_cover", "min_range", "first_critical"), 3),
    **dict.fromkeys(("ability_range", "adds_to_roll"), 1),
    **dict.fromkeys(("critical_face", "ward", "lowest_value", "ability_value"), 5),
    **{key: True for key, info in Change.model_fields.items() if info.default is False and key in DEEDS},
    **dict.fromkeys(("halve", "double", "fixes"), ("strength",)),
    "reroll": "ones", "passes": "enemies", "turns": "miss", "half_damage": "up", "adds_mark": "hero",
    "cannot": ["attack"], "set_up": {"near": 3}, "not_for": ["hero"], "only_for": ["warrior"], "spares": ["Hardy"],
    "lends": {"ability": "Onslaught", "reaction": True}, "sets": {"value": 6}, "goes_first": "attacker", "called": "it",
    "no_cover": "any", "initiative": "ties",
}  # fmt: skip
# What cannot change an attack, nor an activation: dice before them, objectives, ways over terrain, and users of rules.
APART = {
    "impact", "initiative", "goes_first", "wild_dice", "save_wild", "sets", "counts_as", "flies", "passes", "climbs",
    "called", "chooses", "only_for", "not_for", "spares", "lends",
}  # fmt: skip
# What is of abilities that are used; nobody uses one here.
OF_ABILITIES = {"raise_value", "lowest_value", "ability_value", "ability_range", "adds_to_roll"}
# What changes activations, but not a single attack before or after it.
BETWEEN = {
    "move", "bonus_move", "bonus_attack", "bonus_disengage", "shift", "set_up", "leaves", "returns", "redeploys",
    "swap_places", "activates", "many_abilities", "healing",
}  # fmt: skip
# What a target does not need while it is attacked.
OF_ATTACKERS = {
    "move", "range", "attacks", "strength", "damage", "critical", "reroll", "critical_face", "first_critical",
    "min_range", "matches_toughness", "no_cover",
}  # fmt: skip


def test_each_key_has_a_sample() -> None:
    assert {info.alias or key for key, info in Change.model_fields.items()} >= SAMPLES.keys()
    assert SAMPLES.keys() == {*DEEDS}


@pytest.mark.parametrize("key", DEEDS)
def test_each_key_counts_or_is_named(key: str) -> None:
    """Of fighters in the open, which changes whenever somebody moves, and at the moment of an attack.

    Only what can change nothing has no effect.
    """
    rules: list[tuple[dict[str, Any], set[str]]] = [
        ({"of": {**FRIENDS, "carries": True}}, APART | OF_ABILITIES),
        ({"of": {**ENEMIES, "carries": True}}, APART | OF_ABILITIES),
        ({"when": {"event": "takes-down", "of": "friend"}, "of": "subject"}, APART - {"lends"} | OF_ABILITIES),
        ({"when": {"event": "taken-down", "of": "friend"}, "of": "subject"}, APART - {"lends"} | OF_ABILITIES),
        ({"when": {"event": "round-end"}, "of": FRIENDS}, APART | OF_ABILITIES),
    ]
    for (frame, apart), trial, whose in product(rules, ("attack", "activation"), ("", "target_")):
        is_own = frame["of"] != {**ENEMIES, "carries": True}
        event = frame.get("when", {}).get("event")
        is_inside = event == "taken-down" or (event == "takes-down" and not whose)
        idle = apart if is_inside else apart | {"lends"}
        if trial == "attack":
            idle = idle | ({"move", "activates", "many_abilities", "healing"} if is_inside else BETWEEN)
            idle = idle | ({"deal", "heal", "taken_down"} if event and not is_inside else set())
        if whose and is_own:
            idle = idle | OF_ATTACKERS
        rule = home("Rule", changes=[{**frame, key: SAMPLES[key]}])
        values: dict[str, Any] = {"attacker": fighter("A", "M5 T4 W12"), "target": fighter("B", "M5 T4 W12")}
        matter = case(trial, **values, **{f"{whose}trait": rule})
        (note,) = matter.not_simulated
        has_no_effect = f"does not bear on this {trial}: " in note or f"has no effect on this {trial}" in note
        assert has_no_effect is (key in idle), (trial, whose, frame, note)
        assert note.startswith("'Rule' ")
        assert isinstance(note, Idle) is (has_no_effect or "counts only after its moment (--triggered)" in note)
        assert chances(matter) == chances(case(trial, **values))


# Traits of dice, and of abilities that nobody uses here.
OF_DICE = {
    "'Orrible Trap", "Aetherquartz Reserves", "Coalesced or Starborne", "Da Bad Moon Rises", "Eightfold Allies",
    "For the Glory of the Dark Gods", "Jubilant Bloodletting", "Matchless Acrobats", "Pyres of Victory",
    "Ranks Unbroken By Dissent", "Sanguine Glory", "Seeking Glory", "Shared Bliss", "Spirit Pathways", "Warp Destiny",
    "Warp Fate", "We Make War", "Weapons Dripping with Poison", "Worthy Prey",
}  # fmt: skip
# Traits of the moves and attacks of their own fighters, who do nothing while they are attacked.
OF_ACTIONS = {
    "Aspire to Glory", "Entertain Me!", "Form a Lance", "Plunging Killers", "Point-blank Volley",
    "Power of the Tides", "Runic Momentum", "The River Winds Its Way", "Wave of Terror",
}  # fmt: skip


@pytest.mark.parametrize("whose", ["", "target_"])
def test_each_trait_of_the_kit_counts_in_an_activation_or_is_named(whose: str) -> None:
    idle = set()
    for name in all_of(Trait):
        for choice in [each["name"] for each in trait(name).get("choices", ())] or [None]:
            one, other = armed(name), fighter("B", "M5 T4 W12")
            values = {"attacker": other, "target": one} if whose else {"attacker": one, "target": other}
            matter = case("activation", **values, **{f"{whose}trait": trait(name), f"{whose}choice": choice})
            assert matter.not_simulated or chances(matter) != chances(case("activation", **values)), name
            idle |= {name for note in matter.not_simulated if " does not bear on " in note}
    assert idle == OF_DICE | (OF_ACTIONS if whose else set())


def far(name: str, distance: int, **values: Any) -> Any:
    target = fighter("B", "M5 T4 W12")
    given: dict[str, Any] = {"attacker": armed(name), "target": target, "distance": distance, "trait": trait(name)}
    return case("activation", **{"activations": 1, **given, **values})


def test_the_move_of_a_trait_counts_in_the_rounds_of_an_activation() -> None:
    """Move 5 + 1 reaches a target 7 inches away for an attack from 1 inch."""
    down = "B within 1 activation"
    near = chances(far("Power of the Tides", 6, trait=None))[down]
    assert near > 0
    assert chances(far("Power of the Tides", 7, trait=None))[down] == 0
    for number, expected in ((1, near), (2, near)):
        matter = far("Power of the Tides", 7, round=number)
        assert chances(matter)[down] == expected
        strength = "If it is battle round 3 or 4, melee attacks by your fighters have +1 Strength."
        assert matter.not_simulated == (f"'Power of the Tides' counts only if it is battle round 3 or 4: {strength}",)
    assert chances(far("Power of the Tides", 7, round=3))[down] == 0
    unknown = far("Power of the Tides", 7).not_simulated
    assert [type(note) for note in unknown] == [str, str]
    assert any("+1 Move" in note for note in unknown)


def test_each_activation_is_in_a_battle_round_of_its_own() -> None:
    """In round 2 the fighter has Move 6, and in round 3 Strength 5 instead of 4 against Toughness 4."""
    one, two, three, plain = (
        chances(far("Power of the Tides", 1, round=number, activations=2)) for number in (1, 2, 3, None)
    )
    for label in ("B within 1 activation", "B within 2 activations"):
        assert one[label] == plain[label], "the last one without a round leaves the trait out"
    assert two["B within 1 activation"] == one["B within 1 activation"] < three["B within 1 activation"]
    assert one["B within 2 activations"] < two["B within 2 activations"] < three["B within 2 activations"]


@each_case(
    ("name", "words"),
    [
        ("Runic Momentum", "After one of your fighters uses an ability, that friendly fighter has +1 Move"),
        ("Form a Lance", "if 2 or more other friendly fighters are within 1\" of that friendly fighter, that friendly "
         "fighter has +1 Move"),
        ("The River Winds Its Way", "that friendly fighter has +1 Move until the end of this activation."),
        ("Ravenous Gorging", "After a melee attack by one of your fighters takes down an enemy, remove D3 damage"),
    ],
)  # fmt: skip
def test_a_trait_for_moves_is_named_with_activations(name: str, words: str) -> None:
    notes = [note for note in far(name, 7).not_simulated if type(note) is str]
    assert any(note.startswith(f"'{name}' is not applied: ") and words in note for note in notes)


@pytest.mark.parametrize("trial", ["attack", "activation"])
def test_what_happens_when_the_target_is_taken_down_is_named(trial: str) -> None:
    """No Respite may take down an attacker that Counter has left standing."""
    values: dict[str, Any] = {
        "attacker": fighter("A", "M5 T4 W10"), "target": armed("No Respite"), "target_trait": trait("No Respite"),
        "target_damage": 5, "damage": 8, "reaction": "counter",
    }  # fmt: skip
    (note, *_) = case(trial, **values).not_simulated
    assert type(note) is str
    assert note.startswith("'No Respite' is not applied: When one of your fighters is taken down, pick a visible enemy")
    assert note.endswith("that fighter is allocated D3 damage points.")


def test_a_rule_that_counts_in_part_names_only_its_other_parts() -> None:
    """What always applies is in the numbers, and is not said to have no effect."""
    rule = home("Rule", changes=[{"strength": 1, "of": FRIENDS}, {"impact": -1, "of": {**FRIENDS, "carries": True}}])
    values: dict[str, Any] = {"attacker": fighter("A", "M5 T4 W12"), "target": fighter("B", "M5 T4 W12")}
    (note,) = case("attack", **values, trait=rule).not_simulated
    assert "Strength" not in note
    assert isinstance(note, Idle)


def test_damage_at_the_start_of_an_activation_is_there_before_its_attack() -> None:
    moment = {"event": "activation-start", "of": "friend"}
    rule = home("Rule", changes=[{"when": moment, "of": "subject", "deal": 3}, {"of": "subject", "attacks": 2}])
    values: dict[str, Any] = {"attacker": fighter("A", "M5 T4 W12"), "target": fighter("B", "M5 T4 W12")}
    matter = case("attack", **values, trait=rule, triggered=True)
    assert matter.not_simulated == ("'Rule' has allocated 3 damage points to A, beside those of --damage",)


@pytest.mark.parametrize("key", sorted(OF_ABILITIES - {"adds_to_roll"}))
def test_the_value_of_an_ability_is_named_with_the_ability(key: str) -> None:
    edge = card("ability", "Edge", price="double", changes=[{"damage": 1, "times": "value", "for": "activation"}])
    rule = home("Rule", changes=[{"when": {"event": "ability", "of": "friend"}, key: SAMPLES[key]}])
    values: dict[str, Any] = {"attacker": fighter("A", "M5 T4 W12"), "target": fighter("B", "M5 T4 W12")}
    matter = case("attack", **values, trait=rule, ability=edge, value=2)
    assert [type(note) for note in matter.not_simulated] == [str]


def test_the_damage_of_an_attack_counts_although_counter_takes_its_fighter_down() -> None:
    said = "the damage of an attack counts although Counter takes A down"
    values: dict[str, Any] = {"attacker": fighter("A", "M5 T4 W10"), "target": fighter("B", "M5 T4 W10")}
    for trial, damage, is_said in (
        ("attack", 7, True), ("attack", 6, False), ("activation", 6, True), ("activation", 3, False),
    ):  # fmt: skip
        matter = case(trial, **values, damage=damage, reaction="counter")
        assert (said in matter.not_simulated) is is_said, (trial, damage)
        assert said not in case(trial, **values, damage=damage).not_simulated
    lone = fighter("A", "M5 T4 W10", "Axe: axe R1 A1 S4 D1/4")
    assert (
        said not in case("attack", attacker=lone, target=values["target"], damage=8, reaction="counter").not_simulated
    )


def test_the_player_of_the_attacker_picks_the_order() -> None:
    """Of the target's trait and Take Cover, or of both traits."""
    bow = fighter("A", "M5 T4 W12", "Bow: ranged R3-12 A3 S4 D2/5")
    minion = fighter("B", "M5 T4 W12", marks=("minion",), faction="death")
    values: dict[str, Any] = {
        "attacker": bow, "target": minion, "target_trait": trait("Deathless Minions"), "cover": True,
    }  # fmt: skip
    order = "A's player has picked the order: 'Deathless Minions' before Take Cover"
    assert order in case("attack", **values, reaction="take-cover").not_simulated
    assert order not in case("attack", **values).not_simulated

    order = "A's player has picked the order: 'A Good Deal' before 'Aspire to Glory'"
    dwarf = fighter("B", "M5 T4 W12", faction="kharadron-overlords")
    blade = armed("Aspire to Glory", "Blade: sword R1 A3 S4 D1/2")
    given: dict[str, Any] = {"attacker": blade, "target": dwarf, "target_trait": trait("A Good Deal")}
    matter = case("attack", **given, trait=trait("Aspire to Glory"))
    assert order in matter.not_simulated
    assert chances(matter)["2"] > 0, "a critical hit of 1 damage point, and the one of the trait"
    assert order not in case("attack", **given).not_simulated
    heavy = armed("Aspire to Glory", "Blade: sword R1 A3 S4 D3/6")
    assert order not in case("attack", **{**given, "attacker": heavy}, trait=trait("Aspire to Glory")).not_simulated

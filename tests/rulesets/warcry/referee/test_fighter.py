"""Cards without an effect on the odds of a trial, which are said before the odds."""

from __future__ import annotations

from typing import Any

import pytest

from cardgen.matches.trials import odds_as_csv, odds_as_text
from cardgen.referee.trial import not_adjudicated_sentence, notes_of
from tests.cases import each_case
from tests.rulesets.warcry.referee.fights import card, case, chances, fighter

BOW, AXE = "Bow: ranged R3-15 A2 S4 D1/4", "Axe: axe R1 A3 S4 D1/4"
ARCHER, GUARD = fighter("Asha", "M5 T4 W10", BOW, AXE, marks=("hero",)), fighter("Bo")


def ability(*changes: dict[str, Any], **keys: Any) -> dict[str, Any]:
    return card("ability", "Omen", price="double", changes=list(changes), **keys)


def blessing(**change: Any) -> dict[str, Any]:
    return card("blessing", "Grace", points={"regular": 15, "elite": 20}, changes=[change])


def trait(*changes: dict[str, Any], **keys: Any) -> dict[str, Any]:
    return card("trait", "Tide", runemark="chaos", changes=list(changes), **keys)


HEROISM = card("blessing", "Heroism", points={"regular": 10, "elite": 10},
               text="This fighter may use *Inspiring Presence* as if it had the {hero} Hero runemark.")  # fmt: skip
MELEE = {"attacks": 1, "weapon": "melee", "for": "activation"}


@each_case(
    ("values", "notes"),
    [
        ({"ability": ability(MELEE), "weapon": "Bow"}, ["'Omen' has no effect on this attack"]),
        ({"ability": ability(MELEE), "weapon": "Axe"}, []),
        ({"ability": ability({"move": 1, "for": "activation"})}, ["'Omen' has no effect on this attack"]),
        ({"ability": ability({"strength": 1, "weapon": "missile", "for": "activation"}), "weapon": "Bow"}, []),
        ({"target_ability": ability({"move": 1, "for": "round"})}, ["'Omen' has no effect on this attack"]),
        ({"target_ability": ability({"toughness": 1, "for": "round"})}, []),
        ({"blessing": blessing(move=1)}, ["'Grace' has no effect on this attack"]),
        ({"blessing": blessing(wounds=4)}, ["'Grace' has no effect on this attack"]),
        ({"blessing": blessing(wounds=4), "weapon": "Axe", "reaction": "counter"}, []),
        ({"blessing": HEROISM}, ["'Heroism' has no effect on this attack"]),
        ({"target_blessing": blessing(wounds=4)}, []),
        ({"target_blessing": blessing(attacks=1, weapon="one-melee")}, ["'Grace' has no effect on this attack"]),
        ({"trait": trait({"wild_dice": 1})}, ["'Tide' has no effect on this attack"]),
        ({"trait": trait({"attacks": 1})}, []),
        ({"target_trait": trait({"take_cover": 3})}, ["'Tide' has no effect on this attack"]),
        ({"target_trait": trait({"take_cover": 3}), "weapon": "Bow", "cover": True, "reaction": "take-cover"}, []),
    ],
)  # fmt: skip
def test_what_does_not_bear_on_an_attack_is_said(values: dict[str, Any], notes: list[str]) -> None:
    trial = case("attack", attacker=ARCHER, target=GUARD, **values)
    assert [*trial.not_simulated] == notes
    if notes:
        cards = {"ability", "target_ability", "blessing", "target_blessing", "trait", "target_trait"}
        plain = {key: value for key, value in values.items() if key not in cards}
        assert chances(trial) == chances(case("attack", attacker=ARCHER, target=GUARD, **plain))


def test_the_idle_part_of_an_ability_is_said() -> None:
    both = ability({"move": 1, "for": "activation"}, MELEE)
    assert case("attack", attacker=ARCHER, target=GUARD, ability=both, weapon="Axe").not_simulated == (
        "'Omen' has no effect on this attack: This fighter has +1 Move until the end of its activation.",
    )


def test_what_comes_before_or_after_an_attack_is_said() -> None:
    heals = ability({"heal": 3}, {"bonus_move": 3}, MELEE)
    notes = case("attack", attacker=ARCHER, target=GUARD, ability=heals, weapon="Axe").not_simulated
    assert [note.partition(":")[0] for note in notes] == ["'Omen' is not applied"] * 2
    whole = case("activation", attacker=ARCHER, target=GUARD, ability=heals, distance=1, damage=3)
    assert whole.not_simulated == ()


@pytest.mark.parametrize(
    ("values", "notes"),
    [
        ({"ability": ability({"move": 1, "for": "activation"})}, []),
        ({"ability": ability(MELEE), "weapon": "Bow"}, ["'Omen' has no effect on this activation"]),
        ({"blessing": blessing(move=1)}, []),
        ({"blessing": blessing(toughness=1)}, ["'Grace' has no effect on this activation"]),
        ({"blessing": HEROISM}, ["'Heroism' has no effect on this activation"]),
    ],
)
def test_what_does_not_bear_on_an_activation_is_said(values: dict[str, Any], notes: list[str]) -> None:
    assert [*case("activation", attacker=ARCHER, target=GUARD, **values).not_simulated] == notes


def test_what_was_adjudicated_without_an_effect_is_not_called_not_adjudicated() -> None:
    words = card("trait", "Song", runemark="chaos", text="Sing as loudly as you can.")
    trial = case("attack", attacker=ARCHER, target=GUARD, blessing=blessing(move=1), target_trait=words)
    assert notes_of(trial.not_simulated) == {
        "not adjudicated": ["'Song' has only text"],
        "assumed": [],
        "no effect": ["'Grace' has no effect on this attack"],
    }
    text = odds_as_text((), trial.not_simulated)
    assert sorted(text) == ["'Grace' has no effect on this attack", "not adjudicated: 'Song' has only text"]
    assert not_adjudicated_sentence(trial.not_simulated) == (
        "Not adjudicated: 'Song' has only text. 'Grace' has no effect on this attack."
    )
    rows = odds_as_csv((), trial.not_simulated)
    assert "no effect,'Grace' has no effect on this attack,," in rows
    assert "not adjudicated,'Song' has only text,," in rows
    never = case("activation", attacker=ARCHER, target=GUARD, reaction="strike-them-down", distance=5).not_simulated
    assert notes_of(never)["no effect"] == [*never] == ["Strike Them Down: Asha does not disengage from Bo"]


@pytest.mark.parametrize(
    ("trial", "values", "note"),
    [
        ("duel", {"a": ARCHER, "b": GUARD, "blessing_a": blessing(move=1)}, "'Grace' has no effect on this duel"),
        ("duel", {"a": ARCHER, "b": GUARD, "blessing_b": blessing(toughness=1)}, ""),
        ("disengage", {"fighter": GUARD, "blessing": blessing(move=1)},
         "'Grace' has no effect on this disengage action"),
        ("disengage", {"fighter": GUARD, "blessing": blessing(wounds=4)}, ""),
        ("fall", {"fighter": GUARD, "enemy_trait": trait({"move": 1})}, "'Tide' has no effect on this fall"),
        ("fall", {"fighter": GUARD, "enemy_trait": trait({"impact": -2})}, ""),
        ("initiative", {"trait_a": trait({"move": 1})}, "'Tide' has no effect on this initiative phase"),
        ("initiative", {"trait_b": trait({"initiative": "ties"})}, ""),
    ],
)  # fmt: skip
def test_what_does_not_bear_on_other_trials_is_said(trial: str, values: dict[str, Any], note: str) -> None:
    found = [each for each in case(trial, **values).not_simulated if "has no effect" in each]
    assert found == [note] * bool(note)

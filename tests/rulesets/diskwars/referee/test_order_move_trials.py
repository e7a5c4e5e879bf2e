"""Flips over a distance use the diameters of the project, which the transcript keeps."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from cardgen.matches.session import TrialRequest, prepare_trial, roll, trial_parameters
from cardgen.referee.play import play
from cardgen.referee.trial import Assumed
from cardgen.runtime.workspace import Workspace
from tests.rulesets.diskwars.referee.cases import card, case

BOW = {"name": "Bow", "missile": 2, "range": "long", "strength": "1"}
ELDER = card(
    "Elder", ranged=[BOW], focus="Rally everyone.", focus_effects=[{"Rally": "empower other short"}], movement=4
)


@pytest.mark.parametrize(("sizes", "flips"), [("{}", 6), ("{disk: {small: 25mm}}", 9), ("{disk: 50mm}", 5)])
def test_reach_uses_the_sizes_of_the_project(sizes: str, flips: int, tmp_path: Path) -> None:
    (tmp_path / "cardgen.yaml").write_text(f"game: diskwars\nsizes: {sizes}\n", encoding="utf-8")
    request = TrialRequest(
        "reach", {"disk": "Tin Rats", "distance": 200}, game="diskwars", workspace=Workspace(tmp_path)
    )
    played = roll(prepare_trial(request), "s")
    assert any(line.startswith(f"onto the other disk: {flips} flips") for line in played.outcome)
    assert '"sizes":{"small":' in played.transcript


@pytest.mark.parametrize("damage", [2, "2", "d6"])
def test_damage_of_an_unstable_ability_can_be_a_number_or_dice(damage: Any) -> None:
    values = {"user": "Tin Rats", "target": "Mother Slag", "damage": damage}
    prepared = prepare_trial(TrialRequest("unstable", values, game="diskwars"))
    assert f'"damage":"{damage}"' in roll(prepared, "s").transcript


def test_sizes_are_no_option() -> None:
    assert set(trial_parameters("reach", "diskwars")) == {"disk", "distance", "diameter"}
    assert "scenarios" not in trial_parameters("battle", "diskwars")


def test_a_diameter_can_be_given() -> None:
    matter = case("reach", disk=card(), distance=100, sizes={"small": 40.0}, diameter=30)
    outcome = play(matter.start(), lambda path, question: "", lambda entry: None)
    assert outcome[-1] == "onto the other disk: 4 flips"


def test_reach_says_the_lengths_of_the_ranges() -> None:
    matter = case("reach", disk=card(), distance=200, sizes={"small": 40.0})
    assert play(matter.start(), lambda path, question: "", lambda entry: None) == (
        "within long range, 300 mm: 0 flips",
        "within medium range, 150 mm: 2 flips",
        "within short range, 75 mm: 4 flips",
        "onto the other disk: 6 flips, more than its movement 4",
    )


@pytest.mark.parametrize(
    ("trial", "values"),
    [
        ("attack", {"attacker": ELDER, "target": card("B")}),
        ("attack", {"attacker": card("B", ranged=[BOW]), "target": card("C"), "nearby": (ELDER,)}),
        ("melee", {"attackers": (card("B"),), "defenders": (ELDER,)}),
        ("unstable", {"user": card("B"), "target": ELDER, "damage": 2}),
        ("impact", {"mover": card("B", impact=1), "target": ELDER}),
        ("magic", {"caster": card("B", magic=1), "target": ELDER}),
    ],
)
def test_abilities_that_a_trial_does_not_play_are_named(trial: str, values: dict[str, Any]) -> None:
    """Only a battle plays effects, so a trial leaves out every ability."""
    assert case(trial, {"battle-die": "hit"}, **values).not_simulated == ("Elder: Rally everyone.",)


@pytest.mark.parametrize(("flips", "keywords", "is_told"), [(2, [], True), (1, [], False), (2, ["flying"], False)])
def test_several_flips_on_rough_terrain_need_a_start_on_it(flips: int, keywords: list[str], is_told: bool) -> None:
    """A flip onto rough terrain ends the move."""
    bog = {"kind": "terrain", "name": "Bog", "dangerous": "arcane", "keywords": ["rough"]}
    notes = case("dangerous", disk=card("B", keywords=keywords), terrain=bog, flips=flips).not_simulated
    assert notes == ("Bog is rough: for more than one flip on it, B overlaps it before its move",) * is_told
    assert all(isinstance(each, Assumed) for each in notes)


def test_a_duel_names_what_disks_do_besides_melee() -> None:
    mover = card("B", impact=2, magic=1, ranged=[BOW])
    assert case("duel", a=mover, b=ELDER).not_simulated == (
        "B: Bow", "B: impact 2", "B: Magic 1", "Elder: Bow", "Elder: Rally everyone.",
    )  # fmt: skip

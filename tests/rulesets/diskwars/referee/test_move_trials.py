"""Flips over a distance use the diameters of the project, which the transcript keeps."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardgen.pipeline.referee.session import roll
from cardgen.pipeline.referee.setup import TrialRequest, prepare_trial, trial_parameters
from cardgen.referee.play import play
from tests.rulesets.diskwars.referee.cases import card, case


@pytest.mark.parametrize(("sizes", "flips"), [("{}", 6), ("{disk: {small: 25mm}}", 9), ("{disk: 50mm}", 5)])
def test_reach_uses_the_sizes_of_the_project(sizes: str, flips: int, tmp_path: Path) -> None:
    (tmp_path / "cardgen.yaml").write_text(f"game: diskwars\nsizes: {sizes}\n", encoding="utf-8")
    request = TrialRequest("reach", {"disk": "Tin Rats", "distance": 200}, game="diskwars", folder=tmp_path)
    played = roll(prepare_trial(request), "s")
    assert any(line.startswith(f"onto the other disk: {flips} flips") for line in played.outcome)
    assert '"sizes":{"small":' in played.transcript


def test_sizes_are_no_option() -> None:
    assert set(trial_parameters("reach", "diskwars")) == {"disk", "distance", "diameter"}
    assert "scenarios" not in trial_parameters("battle", "diskwars")


def test_a_diameter_can_be_given() -> None:
    matter = case("reach", disk=card(), distance=100, sizes={"small": 40.0}, diameter=30)
    outcome = play(matter.start(), lambda path, question: "", lambda entry: None)
    assert outcome[-1] == "onto the other disk: 4 flips"

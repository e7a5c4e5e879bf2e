"""Battles of Warniris with random effects and rulings, played by chance: they end."""

from __future__ import annotations

import random
from typing import Any

import pytest

from cardgen.referee.play import LogEntry, play
from cardgen.rulesets.warniris.rulebook import RULINGS
from tests.random_cases import dice_for, number_of_cases
from tests.rulesets.warniris.battle.test_battle import Player
from tests.rulesets.warniris.referee.fights import case
from tests.rulesets.warniris.referee.test_race import random_crowd

BATTLES = number_of_cases(8, 0.05)
# The share of rulings with another setting than usual.
OTHER_RULINGS = 0.3


def warband(dice: random.Random, name: str) -> dict[str, Any]:
    """Return three Characters with random effects; one carries a Relic."""
    members = []
    for number, competitor in enumerate(random_crowd(dice)):
        stats = {**competitor.card["stats"], "W": competitor.card["stats"]["W"] + 3}
        character = {**competitor.card, "kind": "character", "name": f"{name}{number}", "stats": stats}
        relic = None if number else competitor.carries
        members.append({"character": character, **({"relic": relic} if relic else {})})
    return {"kind": "warband", "name": name, "members": members}


@pytest.mark.timeout(86_400)
def test_battles_with_random_effects_end() -> None:
    dice = dice_for("battles")
    for _ in range(BATTLES):
        settings = {each.id: dice.choice([*each.settings]) for each in RULINGS if dice.random() < OTHER_RULINGS}
        battle = case("battle", settings, a=warband(dice, "Reds"), b=warband(dice, "Blues"))
        log = list[LogEntry]()
        assert play(battle.start(), Player(dice.getrandbits(32), turns=4), log.append)
        assert log

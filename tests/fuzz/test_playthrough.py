"""Battles of Diskwars played by chance, with rulings by chance: they end, hold the rules, and verify."""

from __future__ import annotations

import os
import random
from typing import Any

import pytest

from cardgen.referee.play import LogEntry, SealedAnswer, play, seeded_face
from cardgen.referee.requests import Question, Roll, SealedDecision
from cardgen.referee.rounds import ELIMINATION, TIE, VICTORY
from cardgen.referee.transcript import Header, commitment, parse_transcript, seal, transcript_text, verify, with_secrets
from cardgen.referee.trial import PreparedTrial
from cardgen.rulesets.diskwars import RULESET
from cardgen.rulesets.diskwars.referee.battle import battle as battle_module
from cardgen.rulesets.diskwars.referee.battle.table import Table
from tests.rulesets.diskwars.referee.battle.players import Chance, army, battle

CASES = int(os.environ.get("FUZZ_CASES", "12"))
SECRET = "0123456789abcdef" * 4


class Sealing:
    """A player by chance whose dice come from a seed, and whose unseen choices are sealed."""

    def __init__(self, seed: int) -> None:
        self.player = Chance(seed)

    def __call__(self, path: str, question: Question) -> Any:
        if isinstance(question, Roll):
            return seeded_face("seed", path, question.sides)
        answer = self.player(path, question)
        if isinstance(question, SealedDecision):
            assert isinstance(answer, SealedAnswer)
            return seal(SECRET, path, question, answer.option)
        return answer


def matter_of(seed: int) -> tuple[PreparedTrial, int]:
    chance = random.Random(seed)
    count = chance.choice((2, 2, 3, 4))
    armies = [army(place % 2, f"Army {place}") for place in range(count)]
    rulings = {each.id: chance.choice([*each.settings]) for each in RULESET.rulings}
    return battle(*armies, rulings=rulings, deployed=chance.random() < 0.3), count


def check(table: Table) -> None:
    """Check what holds at every moment."""
    for each in table.models:
        assert each.place in ("reserve", "field", "casualties")
        assert each.health.wounds <= each.disk.stamina
        assert not (each.beneath and not each.is_present)
        assert not any(low.rests_on(each) or not low.is_present for low in each.beneath)
        if each.is_present:
            assert not each.health.is_out
    for player in table.players:
        cards = [*player.hand, *player.discards, *player.cards]
        assert len(cards) == len(set(map(id, cards))) == 4


@pytest.mark.parametrize("seed", range(CASES))
def test_a_battle_by_chance(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    matter, count = matter_of(seed)
    tables: list[Table] = []

    class Watched(Table):
        def __init__(self, **keys: Any) -> None:
            super().__init__(**keys)
            tables.append(self)

    monkeypatch.setattr(battle_module, "Table", Watched)
    player, log = Sealing(seed), list[LogEntry]()

    def listen(entry: LogEntry) -> None:
        log.append(entry)
        if isinstance(entry, str) and entry.startswith("Round "):
            check(tables[-1])

    end = play(matter.start(), with_secrets(player, SECRET), listen)
    check(tables[-1])
    assert len(end.points) == len(end.lost) == count
    assert end.reason in {ELIMINATION, TIE, VICTORY}
    assert (end.winner is None) <= (end.reason == "elimination")
    header = Header("diskwars", "battle", {}, {}, {}, "seed", commitment(SECRET))
    text = transcript_text(header, log, matter.outcome_data(end), SECRET)
    result = verify(parse_transcript("file", text), matter.start(), matter.outcome_data)
    assert result.is_finished
    assert result.has_secret

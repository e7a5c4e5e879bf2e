"""Objectives in the words of the game, of the rulebook, and of authors."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings

from cardgen.grammar.reading import Level
from cardgen.rulesets.warniris.cards import Earn, Mission
from cardgen.rulesets.warniris.wording.effects import describe
from cardgen.rulesets.warniris.wording.reader import read_text
from tests.cases import each_case
from tests.rulesets.warniris.wording.test_wording import EARNS

Data = dict[str, Any]
CARDS = Path(__file__).parents[4] / "cards" / "warniris"
KIT = yaml.safe_load((CARDS / "missions.yaml").read_text(encoding="utf-8"))["cards"]


@each_case("row", KIT, ids=str)
def test_every_mission_of_the_kit_is_read(row: Data) -> None:
    mission = Mission.model_validate({"vp": 3, **row})
    [reading] = read_text(mission, describe(mission))
    assert (reading.level, reading.value) == (Level.READ, mission.earn)


@settings(max_examples=60, deadline=None, derandomize=True)
@given(EARNS)
def test_every_objective_is_read_as_itself_or_not_at_all(earn: Data) -> None:
    mission = Mission.model_validate({"name": "X", "vp": 1, "earn": earn})
    [reading] = read_text(mission, describe(mission))
    assert reading.value in (None, mission.earn) or describe(mission) == describe(
        mission.model_copy(update={"earn": reading.value})
    )


# Objectives in the forms that the rulebook uses for its sixteen, with other words and numbers, and in those of authors.
WORDINGS: list[tuple[str, Data]] = [
    ("Kill at least three foes in a single turn.", {"event": "eliminate", "count": 3, "in": "turn"}),
    ("Control the middle of the battle zone for three consecutive turns, having at least one of your Characters within "
     "a 7cm radius of the center.", {"event": "control", "range_within": 7, "in": "turn", "turns": 3}),
    ("Perform a Move with one of your Characters, passing through at least three foes without failing any Test in one "
     "turn.", {"event": "pass", "count": 3, "by": "one", "in": "move"}),
    ("Move through three enemies in a single Move without failing a Test.",
     {"event": "pass", "count": 3, "in": "move"}),
    ("Resist Penetration from four enemy Attacks with a single Character in one turn.",
     {"event": "resist", "count": 4, "by": "one", "in": "turn"}),
    ("Resist three Powers in one turn with the same Character.",
     {"event": "resist", "count": 3, "by": "one", "weapon": "P", "in": "turn"}),
    ("Have at least two of your Characters alive at the end of the battle.",
     {"event": "survive", "count": 2, "of": "character"}),
    ("Have no less than two of your Minions survive until the end of the game.",
     {"event": "survive", "count": 2, "of": "minion"}),
    ("Coordinate three Characters to perform Attacks on a single enemy Character in one turn, eliminating it.",
     {"event": "eliminate", "attackers": 3, "of": "character", "in": "turn"}),
    ("Move a Character through the opposing deployment zone and exit in one turn.",
     {"event": "raid", "by": "one", "in": "turn"}),
    ("Have a Character be the first to Attack an enemy Minion.", {"event": "attack", "of": "minion", "first": True}),
    ("Be the first to eliminate an enemy Character.", {"event": "eliminate", "of": "character", "first": True}),
    ("Deal Damage to two different foes in a single turn.",
     {"event": "damage", "count": 2, "different": True, "in": "turn"}),
    ("Eliminate an enemy Minion from over 9cm away in a single turn.",
     {"event": "eliminate", "of": "minion", "range_over": 9, "in": "turn"}),
    ("Attack two different enemy Characters in a single turn.",
     {"event": "attack", "of": "character", "count": 2, "different": True, "in": "turn"}),
    ("Attack two enemies in one turn.", {"event": "attack", "count": 2, "different": True, "in": "turn"}),
    ("Eliminate an enemy Character Attacking from your own deployment zone with a CW.",
     {"event": "eliminate", "of": "character", "weapon": "CW", "from": "zone"}),
    ("Damage an enemy from cover with a MW and then Move back into cover, all in one turn.",
     {"event": "damage", "weapon": "ruling", "from": "cover", "then": "cover", "in": "turn"}),
    ("Move one of your Characters out of the Range of an enemy Weapon without getting hit in one turn.",
     {"event": "retreat", "by": "one", "in": "turn"}),
    ("Save a friendly Character from an Attack with the Reaction of another Character, eliminating the attacker.",
     {"event": "eliminate", "by": "one", "rescue": True}),
    ("Have all of your Characters alive at the end of the battle.",
     {"event": "survive", "of": "character", "everyone": True}),
    ("Lose no Characters until the end of the battle.", {"event": "survive", "of": "character", "everyone": True}),
    ("Eliminate an enemy with a Reaction.", {"event": "eliminate", "reaction": True}),
    ("Eliminate two enemies with the same Character during the battle.",
     {"event": "eliminate", "count": 2, "by": "one"}),
    ("End a turn with one of your Characters within 5cm of the center of the table.",
     {"event": "control", "range_within": 5, "in": "turn"}),
]  # fmt: skip


def read(text: str) -> tuple[Level, Earn | None]:
    [reading] = read_text(Mission.model_validate({"name": "X", "vp": 1, "text": text}), text)
    return reading.level, reading.value


@each_case(("text", "earn"), WORDINGS)
def test_objectives_are_read_in_other_words(text: str, earn: Data) -> None:
    assert read(text) == (Level.READ, Earn.model_validate(earn))


ADDED = ["instead", "only", "also", "again", "one of", "up to", "other than", "unless", "half", "each", "first",
         "before", "after", "not", "no", "never", "exactly", "every", "last", "twice", "without"]  # fmt: skip
EXCHANGED = [
    {"over", "before", "after", "from", "with", "without"},
    {"in", "before", "after", "over"},
    {"turn", "battle", "move"},
    {"enemy", "friendly", "your"},
    {"enemies", "friends"},
    {"character", "minion", "miniature"},
    {"characters", "minions"},
    {"eliminate", "damage", "attack", "resist", "survive"},
    {"least", "most"},
    {"or", "and"},
    {"more", "less"},
    {"first", "last"},
    {"same", "different"},
]
# Words without which a sentence says the same.
SPARE = {*"you the a an own of any and all different radius single away attacking".split()}  # noqa: SIM905


def near_misses(sentence: str) -> Iterator[str]:
    """Yield the sentence with one word added, dropped, or exchanged, so that it no longer says the same."""
    words = list(re.finditer(r"[A-Za-z]+|\d+", sentence))
    for match in words:
        word, before, after = match[0].lower(), sentence[: match.start()], sentence[match.end() :]
        yield from (f"{before}{added} {match[0]}{after}" for added in ADDED)
        yield from (f"{before}{other}{after}" for group in EXCHANGED if word in group for other in group - {word})
        if word not in SPARE:
            yield f"{before.rstrip()} {after.lstrip()}"


def own_sentences() -> list[tuple[str, Earn]]:
    missions = [Mission.model_validate({"vp": 3, **row}) for row in KIT]
    return [(describe(mission), mission.earn) for mission in missions if mission.earn]


@pytest.mark.share(3)
def test_no_near_miss_of_an_objective_is_read_as_the_objective() -> None:
    originals = [*own_sentences(), *((text, Earn.model_validate(earn)) for text, earn in WORDINGS)]
    misses = [(text, goal, miss) for text, goal in originals for miss in near_misses(text)]
    assert len(misses) > 5_000
    wrong = [miss for _, goal, miss in misses if read(miss)[1] == goal]
    assert wrong == []

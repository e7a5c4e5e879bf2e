"""Every ruling makes a difference: each setting changes what the referee plays or what the sheets print."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from cardgen.referee.odds import odds
from cardgen.referee.play import Event, LogEntry, play
from cardgen.referee.requests import Decision, Procedure, Selection
from cardgen.rulesets.warniris.battle.activation import activate
from cardgen.rulesets.warniris.battle.missions import times_earned
from cardgen.rulesets.warniris.cards import Earn
from cardgen.rulesets.warniris.referee.attack import resolve_attack
from cardgen.rulesets.warniris.referee.conditions import AttackAction, LogEvent
from cardgen.rulesets.warniris.referee.game import State
from cardgen.rulesets.warniris.referee.situations import AttackSituation
from cardgen.rulesets.warniris.rulebook import RULINGS
from cardgen.rulesets.warniris.trials import AttackTrial
from tests.projects import Folder
from tests.rulesets.warniris.battle.test_activation import (
    AXE,
    CHARGE,
    FASTER,
    GUN,
    SHOT,
    THIRD,
    THROUGH,
    Script,
    swimmer,
)
from tests.rulesets.warniris.battle.test_battle import COURT, HORDE, OATH, Player, played
from tests.rulesets.warniris.referee.fights import A, B, card, case, relic, table, terms
from tests.rulesets.warniris.test_reference_sheets import sheet, text

Settings = Mapping[str, str]
SHOOTER = card("Shooter", "M4 B3 S5 W5", "Gun: RW R20 P1 D2")
TARGET = card("Target", "M2 B3 S3 W4", "Gun: RW R20 D1")
BYSTANDERS = (card("Wall", "M3 B5 S3 W4"), card("Straw", "M3 B1 S3 W4"))


def attack(rulings: Settings, **situation: Any) -> Any:
    """Return the odds of everybody's wounds and of the VP after an attack, or why it may not be made."""
    try:
        trial = AttackTrial(AttackSituation(**{"attacker": SHOOTER, "target": TARGET, **situation}), terms(rulings))
    except ValueError as error:
        return str(error)
    return dict(odds(trial.procedure).map(lambda state: state.counters))


def acted(
    rulings: Settings, script: Script, *cards: Any, sides: tuple[int, ...] = (0, 1), wounds: tuple[int, ...] = ()
) -> Any:
    """Return what is asked and told in one action of the first miniature, and what is left of everybody."""
    game = table(*(cards or (AXE, GUN)), sides=sides, asked=True, rulings=rulings)
    return _trace(activate(game, game.initial_state(wounds), 0, 1), script)


def _trace(procedure: Procedure[State], script: Script) -> Any:
    told: list[LogEntry] = []
    state = play(procedure, script, told.append)
    options = [each.options for each in script.questions if isinstance(each, Decision | Selection)]
    return state.counters, script.asked, options, [line for line in told if not isinstance(line, Event)]


def friendly_fire(rulings: Settings) -> Any:
    game = table(SHOOTER, TARGET, TARGET, sides=(0, 1, 0), rulings=rulings)
    action = AttackAction(0, 1, "Gun", 9, between=(2,))
    return dict(odds(resolve_attack, game, game.initial_state(), action).map(lambda state: game.vp(state)))


def winner(rulings: Settings, wounds: tuple[int, int], vp: tuple[int, int]) -> Any:
    game = table(A, B, rulings=rulings)
    start = game.initial_state()
    return game.winner(State(start.mode, (*wounds, *vp, *start.counters[4:])))


def duel(rulings: Settings, **situation: Any) -> Any:
    trial = case("duel", rulings, a=A, b=B, turns=1, relic_b=relic("Iron Halo"), **situation)
    assert trial.odds is not None
    return trial.odds()


def earned(rulings: Settings, earn: dict[str, Any], *events: LogEvent) -> int:
    game = table(SHOOTER, SHOOTER, TARGET, TARGET, sides=(0, 0, 1, 1), rulings=rulings)
    state = game.initial_state()
    state = State(state.mode._replace(events=events), state.counters)
    return times_earned(game, state, 0, Earn.model_validate(earn), "turn")


def battle(rulings: Settings) -> Any:
    """Return what is told in a battle in which nobody does anything, and what the players can choose."""
    script = Script(deployment_1=[3, 1], deployment_2=[3, 2], first_turn_1=[2], first_turn_2=[1])
    three = {**COURT, "members": COURT["members"][:3]}
    told: list[LogEntry] = []
    play(case("battle", rulings, a=three, b=OATH, turns=1).start(), script, told.append)
    options = [each.options for each in script.questions if isinstance(each, Decision | Selection)]
    return options, [line for line in told if not isinstance(line, Event)]


def same_relics(rulings: Settings) -> str:
    members: Any = OATH["members"]
    twice = [{**member, "relic": relic("Iron Halo")} for member in members]
    try:
        case("battle", rulings, a={**OATH, "members": twice}, b=COURT)
    except ValueError as error:
        return str(error)
    return ""


def last_stand(rulings: Settings) -> Any:
    matter = case("battle", rulings, a=OATH, b=HORDE)
    player = Player(1)
    end, told = played(matter, player)
    return [line for line in told if not isinstance(line, Event)], matter.outcome_lines(end), len(player.asked)


def mission_battle(rulings: Settings) -> Any:
    blood = {"kind": "mission", "name": "Blood", "vp": 1, "earn": {"event": "damage"}}
    return played(case("battle", rulings, a=OATH, b=COURT, missions=(blood,) * 6), Player(5))[0]


def booklet(rulings: Settings) -> Any:
    """Return the words of the booklet without its list of rulings."""
    Path("cardgen.yaml").write_text(f"rulings: {json.dumps(dict(rulings))}\n", encoding="utf-8")
    return [text(section) for section in sheet("booklet").sections if section.id != "rulings"]


PRIEST = card("Priest", "M3 B3 S3 W4", "Hymn: P R8 H2")
LATE = {"action": [THROUGH], "reaction": [SHOT], "timing": [6], "distance": [21, 31]}
SHOTS = [LogEvent("attack", who, whom, "RW", 9, 1) for who, whom in ((0, 2), (1, 3))]
TWO_ENEMIES = {"event": "attack", "count": 2, "different": True, "in": "turn"}
SEEN = {"action": ["Gun (RW R20 P1 D2) at Third"], "distance": [(20, "Gun")], "between_1": [6]}

SCENES: dict[str, Callable[[Settings], Any]] = {
    "tie-rolls": battle,
    "clamp-order": lambda rulings: [
        case("test", rulings, card=card("C", "M3 B5 S3 W5"), attribute="body", bonus=1, penetration=points).odds()  # type: ignore[misc]
        for points in (2, 9)
    ],
    "overkill-vp": lambda rulings: attack(rulings, target_wounds=1),
    "friendly-vp": friendly_fire,
    "elimination": lambda rulings: winner(rulings, (0, 2), (5, 1)),
    "both-eliminated": lambda rulings: winner(rulings, (0, 0), (5, 1)),
    "vp-tie": lambda rulings: winner(rulings, (1, 2), (3, 3)),
    "ignored-vp": lambda rulings: attack(rulings, target_relic=relic("Iron Halo")),
    "reaction-test": lambda rulings: attack(rulings, reaction="Gun", target_wounds=1),
    "reaction-cloak": lambda rulings: attack(rulings, reaction="Gun", cover="gap", wounds=1),
    "reaction-hit": lambda rulings: attack(rulings, reaction="Gun"),
    "reaction-when": lambda rulings: acted(rulings, Script(action=[THROUGH], reaction=[SHOT], distance=[5, 5])),
    "reaction-chain": lambda rulings: acted(rulings, Script(action=[THROUGH], reaction=[SHOT], distance=[5] * 3)),
    "reaction-cw-move": lambda rulings: attack(rulings, target=AXE, reaction="Axe", distance=9),
    "reaction-spent": lambda rulings: acted(rulings, Script(**LATE)),
    "reaction-counts": lambda rulings: earned(rulings, {"event": "attack"}, SHOTS[0]._replace(reaction=True)),
    "bonus-on-reaction": lambda rulings: attack(
        rulings, target=TARGET, target_relic=relic("Combat Drugs"), reaction="Gun"
    ),
    "between-order": lambda rulings: attack(rulings, between=BYSTANDERS),
    "between-hit": lambda rulings: attack(rulings, between=BYSTANDERS),
    "diverted-sight": lambda rulings: acted(rulings, Script(**SEEN), SHOOTER, GUN, THIRD, sides=(0, 1, 1)),
    "interference-cover": lambda rulings: attack(rulings, between=BYSTANDERS, cover="gap"),
    "penalty-scope": lambda rulings: attack(rulings, between=BYSTANDERS, distance=15, target_relic=relic("Camo Cloak")),
    "cw-path": lambda rulings: attack(rulings, attacker=AXE, distance=9, crossed=1),
    "free-move-counts": lambda rulings: acted(
        rulings, Script(action=[CHARGE], target=["Gun"], distance=[15, 1]), swimmer(FASTER), GUN
    ),
    "partial-cover": lambda rulings: attack(rulings, cover="part"),
    "small-gaps": lambda rulings: attack(rulings, cover="slit"),
    "attack-friends": lambda rulings: acted(rulings, Script(), AXE, GUN, THIRD, sides=(0, 0, 1)),
    "heal-target": lambda rulings: acted(rulings, Script(), PRIEST, GUN, THIRD, sides=(0, 0, 1), wounds=(2, 9, 9)),
    "unequal": battle,
    "same-action": duel,
    "distance": lambda rulings: attack(rulings, distance=20),
    "zone-shape": battle,
    "relic-duplicates": same_relics,
    "channel-is-attack": lambda rulings: earned(rulings, {"event": "attack"}, SHOTS[0]._replace(weapon="P")),
    "mission-scope": lambda rulings: earned(rulings, TWO_ENEMIES, *SHOTS),
    "mission-once": mission_battle,
    "horde-actions": last_stand,
    "last-stand-first": last_stand,
    "last-stand-score": last_stand,
    "refill": last_stand,
    "mission-14-type": booklet,
    "mission-2-check": booklet,
    "mission-2-contested": booklet,
}


def test_every_ruling_has_its_scene() -> None:
    assert SCENES.keys() == {ruling.id for ruling in RULINGS}


@pytest.mark.share(3)
@pytest.mark.parametrize("ruling", RULINGS, ids=lambda ruling: ruling.id)
def test_each_setting_of_a_ruling_makes_a_difference(ruling: Any, folder: Folder) -> None:
    results = [SCENES[ruling.id]({ruling.id: setting}) for setting in ruling.settings]
    assert len(results) > 1
    assert all(one != other for one, other in combinations(results, 2))

"""Whole battles and Last Stands, played by chance; missions; and what is legal."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest

from cardgen.referee.play import Event, LogEntry, play
from cardgen.referee.requests import Answer, Decision, MarkedMeasurement, Measurement, Question, Roll, Selection, Test
from cardgen.referee.trial import PreparedTrial
from cardgen.rulesets.warniris.battle.activation import NO_MORE
from cardgen.rulesets.warniris.battle.battle import Battle
from cardgen.rulesets.warniris.battle.missions import times_earned
from cardgen.rulesets.warniris.cards import Earn
from cardgen.rulesets.warniris.referee.conditions import LogEvent
from cardgen.rulesets.warniris.referee.game import ActiveEffect, State
from tests.cases import each_case
from tests.rulesets.warniris.referee.fights import card, case, sample, samples, table

HALVANE, VEX, QUILL, CAEL = (
    sample("character", name) for name in ("Halvane Doru", "Maerin Vex", "Isolde Quill", "Brother Cael")
)
OATH = {"kind": "warband", "name": "Oath", "members": [{"character": each} for each in (HALVANE, VEX, QUILL, CAEL)]}
COURT = {
    "kind": "warband",
    "name": "Court",
    "members": [
        {"character": sample("character", name), "relic": sample("relic", relic)}
        for name, relic in (
            ("Queen Ysolve", "Warp Channeler"),
            ("The Bailiff", "Combat Drugs"),
            ("Old Gravel", "Disruptor Module"),
            ("Nix Undersong", "Iron Halo"),
        )
    ],
}
HORDE = {
    "kind": "warband",
    "name": "Horde",
    "minions": [{"minion": sample("minion", "Brute"), "qty": 12}, {"minion": sample("minion", "Sorcerer"), "qty": 8}],
}


class Player:
    """Answers by chance, mostly with what leads to blows; remembers what it was asked."""

    def __init__(self, seed: int, turns: int = 3) -> None:
        self.dice = random.Random(seed)
        self.asked: list[Question] = []
        self.turns = turns

    def __call__(self, path: str, question: Question) -> Answer:
        self.asked.append(question)
        match question:
            case Test() | Roll():
                return self.dice.randint(1, question.sides)
            case Measurement():
                return self._distance(question.low, question.high)
            case MarkedMeasurement():
                marks = [mark for mark in question.marks if mark != "hidden" and self.dice.random() < 0.1]
                return (self._distance(question.low, question.high), *marks)
            case Selection(key="activate"):
                kind = self.dice.choice([option for option in question.options if option != NO_MORE])
                return (kind,) * self.dice.randint(1, min(3, question.most))
            case Selection(key="action"):
                chosen = self.dice.choices(question.options, k=self.dice.randint(1, question.most))
                numbered = enumerate(chosen)
                return tuple(each for at, each in numbered if each not in question.once or each not in chosen[:at])
            case Selection():
                return tuple(option for option in question.options if self._names(option))
            case Decision(key="go on"):
                gone = sum(each.key == "go on" for each in self.asked)
                return question.options[gone >= self.turns]
        options = [option for option in question.options if option != NO_MORE]
        return self.dice.choice(options)

    def _distance(self, low: int, high: int) -> int:
        return self.dice.randint(low, max(low, min(high, self.dice.choice([1, 3, 20]))))

    def _names(self, option: str) -> bool:
        never = option == "wholly hidden" or option.startswith("nobody else")
        return not never and self.dice.random() < (0.5 if " with " in option else 0.1)


def played(matter: PreparedTrial, player: Player) -> tuple[Any, list[LogEntry]]:
    told: list[LogEntry] = []
    return play(matter.start(), player, told.append), told


def battle(**more: Any) -> PreparedTrial:
    return case("battle", a=OATH, b=COURT, **more)


@pytest.mark.parametrize("seed", range(12))
def test_battles_end_and_keep_to_the_rules(seed: int) -> None:
    matter = battle(missions=tuple(samples("mission")))
    end, told = played(matter, Player(seed))
    assert 1 <= end.turns <= 5
    events = [each for each in told if isinstance(each, Event)]
    activations = [each for each in events if each.question.key == "activate"]
    for turn in range(1, end.turns + 1):
        acted = [each.answer for each in activations if each.path.startswith(f"turn {turn}/")]
        assert len(acted) == len(set(acted)), "nobody acts twice in a turn"
        timed = [each for each in events if each.path.startswith(f"turn {turn}/") and each.question.key == "timing"]
        reacted = [each.question.who for each in timed]
        assert len(reacted) == len(set(reacted)), "nobody reacts twice in a turn"
    for each in events:
        if isinstance(each.question, Test):
            assert 1 <= each.question.need <= 5
    lost = [text for text in told if isinstance(text, str) and "is eliminated" in text]
    assert len(lost) <= 8
    assert matter.outcome_lines(end)


def test_only_missions_that_score_are_named() -> None:
    """Players report what happened, without the name of a mission, so that the others stay secret."""
    cards = samples("mission")
    asked = 0
    for seed in range(6):
        _, told = played(battle(missions=tuple(cards)), Player(seed))
        *told, held, also_held = told
        assert all(" held Mission " in str(each) for each in (held, also_held)), "hands are shown at the end"
        for each in told:
            words = str(each.question) if isinstance(each, Event) else str(each)
            named = [card["name"] for card in cards if card["name"] in words]
            assert not named or f" scores {named[0]}: " in words
            asked += isinstance(each, Event) and each.question.key == "report"
    assert asked


def test_the_same_answers_play_the_same_battle() -> None:
    matter = battle()
    assert played(matter, Player(3)) == played(matter, Player(3))


@pytest.mark.parametrize(("setting", "most"), [("two", 2), ("three", 3)])
def test_a_last_stand(setting: str, most: int) -> None:
    matter = case("battle", {"horde-actions": setting}, a=OATH, b=HORDE)
    player = Player(1)
    end, told = played(matter, player)
    assert end.winner is None
    assert end.turns >= 2
    keys = [question.key for question in player.asked]
    assert keys[0] == "stays out"
    assert "reaction" in keys
    actions = [
        q.what for q in player.asked if isinstance(q, Selection) and q.key == "action" and q.who.startswith("Brute")
    ]
    assert max(int(what.split()[-1]) for what in actions) == most
    reactions = [q for q in player.asked if isinstance(q, Selection) and q.key == "reaction"]
    assert reactions
    assert not any("Brute" in option or "Sorcerer" in option for q in reactions for option in q.options)
    assert any(isinstance(text, str) and "new Minions" in text for text in told)
    assert "stood for" in matter.outcome_lines(end)[0]


def test_the_horde_acts_one_by_one_while_defenders_are_left() -> None:
    """Several Minions act at once only where all defenders have acted (section 8; ruling `unequal`)."""
    groups = 0
    for seed in range(3):
        _, told = played(case("battle", a=OATH, b=HORDE), Player(seed))
        lines = [each.question.who if isinstance(each, Event) else each for each in told]
        for place, each in enumerate(told):
            if isinstance(each, Event) and each.question.key == "activate" and isinstance(each.question, Selection):
                groups += 1
                rest = lines[place : next((i for i in range(place, len(lines)) if lines[i].startswith("Turn ")), None)]
                assert "Oath: which miniature acts" not in rest
                assert not any(line.endswith(" acts last") for line in rest)
            if isinstance(each, Event) and re.match(r"\w+, \d+ of them$", each.question.who):
                before = [e for e in told[max(0, place - 8) : place] if isinstance(e, Event)]
                assert any(isinstance(e.question, Selection) and e.question.key == "activate" for e in before)
    assert groups


@pytest.mark.parametrize(
    ("situation", "words"),
    [
        ({"a": OATH, "b": HORDE, "missions": (sample("mission", "Hero Vanguard"),)}, "not allowed"),
        ({"a": HORDE, "b": OATH}, "defenders first"),
        ({"a": OATH, "b": OATH}, "itself"),
        ({"a": OATH, "b": {**HORDE, "minions": [{"minion": sample("minion", "Brute")}]}}, "20 Minions"),
    ],
)
def test_warbands_that_cannot_meet(situation: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        case("battle", **situation)


SIDE = [card(name, "M3 B3 S3 W4", "Gun: RW R30 D1") for name in "abcd"]


def times(earn: dict[str, Any], *deeds: LogEvent, side: int = 0, window: str = "battle", **rulings: str) -> int:
    """How often a mission was earned, with two on each side: 0 and 1 against 2 and 3; 3 is a Minion."""
    settings = {name.replace("_", "-"): setting for name, setting in rulings.items()}
    people = table(SIDE[0], SIDE[1], SIDE[2], {**SIDE[3], "kind": "minion"}, sides=(0, 0, 1, 1), rulings=settings)
    state = people.initial_state()
    state = State(state.mode._replace(events=deeds), state.counters)
    return times_earned(people, state, side, Earn.model_validate(earn), window)


def deed(event: str, by: int, of: int, weapon: str = "RW", distance: int = 10, turn: int = 1) -> LogEvent:
    return LogEvent(event, by, of, weapon, distance, turn)


KILL = deed("eliminate", 0, 2)


@each_case(
    ("earn", "deeds", "expected"),
    [
        ({"event": "eliminate", "count": 2, "in": "turn"}, [KILL], 0),
        ({"event": "eliminate", "count": 2, "in": "turn"}, [KILL, deed("eliminate", 1, 3)], 1),
        ({"event": "eliminate", "count": 2, "in": "turn"}, [KILL, deed("eliminate", 1, 3, turn=2)], 0),
        ({"event": "eliminate", "count": 2, "in": "battle"}, [KILL, deed("eliminate", 1, 3, turn=2)], 1),
        ({"event": "eliminate", "of": "minion"}, [KILL], 0),
        ({"event": "eliminate", "of": "character", "range_over": 10}, [KILL], 0),
        ({"event": "eliminate", "of": "character", "range_over": 9}, [KILL], 1),
        ({"event": "damage", "weapon": "P"}, [deed("damage", 0, 2)], 0),
        ({"event": "damage"}, [deed("damage", 0, 1)], 0),
        ({"event": "damage"}, [deed("damage", 2, 0)], 0),
        ({"event": "damage", "of": "character", "first": True}, [deed("damage", 0, 3), deed("damage", 0, 2)], 1),
        ({"event": "damage", "of": "character", "first": True}, [deed("damage", 2, 1), deed("damage", 0, 2)], 0),
        ({"event": "attack", "count": 2, "different": True}, [deed("attack", 0, 2), deed("attack", 1, 2)], 0),
        ({"event": "attack", "count": 2, "different": True}, [deed("attack", 0, 2), deed("attack", 1, 3)], 1),
        ({"event": "attack"}, [deed("attack", 0, 2, "P")], 0),
        ({"event": "resist", "count": 2, "by": "one"}, [deed("resist", 0, 2), deed("resist", 1, 2)], 0),
        ({"event": "resist", "count": 2, "by": "one"}, [deed("resist", 0, 2), deed("resist", 0, 3)], 1),
        ({"event": "eliminate", "attackers": 2, "in": "turn"}, [deed("attack", 0, 2), KILL], 0),
        ({"event": "eliminate", "attackers": 2, "in": "turn"}, [deed("attack", 0, 2), deed("attack", 1, 2), KILL], 1),
        ({"event": "survive", "of": "character", "count": 2}, [], 1),
        ({"event": "survive", "of": "minion"}, [], 0),
        ({"event": "survive", "of": "character", "everyone": True}, [], 1),
        ({"event": "survive", "of": "minion", "everyone": True}, [], 0),
        ({"event": "survive", "in": "turn"}, [], 0),
    ],
)  # fmt: skip
def test_what_earns_a_mission(earn: dict[str, Any], deeds: list[LogEvent], expected: int) -> None:
    assert times(earn, *deeds) == expected


@pytest.mark.parametrize(("wounds", "expected"), [((4, 4, 0, 0), 1), ((4, 0, 4, 4), 0), ((0, 0, 4, 4), 0)])
def test_nobody_has_fallen(wounds: tuple[int, ...], expected: int) -> None:
    people = table(*SIDE, sides=(0, 0, 1, 1))
    goal = Earn.model_validate({"event": "survive", "of": "character", "everyone": True})
    assert times_earned(people, people.initial_state(wounds), 0, goal, "battle") == expected


def test_rulings_on_missions() -> None:
    power = deed("attack", 0, 2, "P")
    assert times({"event": "attack"}, power, channel_is_attack="included") == 1
    assert times({"event": "damage"}, *[deed("damage", 0, 2)] * 3) == 3
    once, each = (
        played(battle(missions=(sample("mission", "Hero Vanguard"),) * 6), Player(5))[0],
        played(case("battle", {"mission-once": "each-time"}, a=OATH, b=COURT,
                    missions=(sample("mission", "Hero Vanguard"),) * 6), Player(5))[0],
    )  # fmt: skip
    assert once.vp <= each.vp


def test_a_new_minion_has_none_of_the_old_ones_curses() -> None:
    people = table(SIDE[0], *[{**SIDE[1], "kind": "minion"}] * 2, sides=(0, 1, 1), asked=True)
    curses = [ActiveEffect(0, 0, (("enemies", (1, 2)),), "battle")]
    state = people.initial_state((4, 0, 4)).add_effects(*curses)
    after = play(Battle(people, ("A", "B"), 5, None)._refill_horde(state), Player(1), list[LogEntry]().append)
    assert after.wounds(1) == 4
    assert [each.affected for each in after.mode.active_effects] == [(("enemies", (2,)),)]


def test_an_activation_goes_on_when_a_horde_is_gone() -> None:
    people = table(SIDE[0], {**SIDE[1], "kind": "minion"}, sides=(0, 1))
    for fallen, over in ((1, False), (0, True)):
        assert people.is_over(people.initial_state().change_counter(fallen, -4)) is over
    assert table(SIDE[0], SIDE[1]).is_over(people.initial_state().change_counter(1, -4))

"""Trials of a game file: rolled, exact, and asked, and the mistakes in them."""

from __future__ import annotations

import contextlib
import time
from collections import Counter
from fractions import Fraction
from itertools import product
from typing import Any

import icepool
import pytest

from cardgen.diagnostic import CardgenError
from cardgen.referee.odds import TooManyPathsError
from cardgen.referee.play import entry_line, play
from cardgen.referee.requests import Measurement, Roll, Test
from tests.cases import each_case
from tests.game_file.trials import (
    ASH,
    EMBER,
    WARM,
    game_context,
    odds_of,
    prepare,
    problems,
    questions,
    rolled,
    rules_of,
    steps,
)

F = Fraction


def test_odds_of_the_example_are_those_worked_out_by_people() -> None:
    assert odds_of(EMBER + WARM, "warm", brave=ASH) == {
        "stays cold": F(1, 2), "gains 1 Heat": F(1, 6), "gains 2 Heat": F(1, 6), "gains 3 Heat": F(1, 6),
    }  # fmt: skip
    hot = {**ASH, "heat": 6}
    assert odds_of(EMBER + WARM, "warm", brave=hot)["stays cold"] == F(1, 6)
    assert "stays cold" not in odds_of(EMBER + WARM, "warm", {"sixes": "heat"}, brave=hot)
    assert odds_of(EMBER + WARM, "warm", brave=hot, bonus=-3)["stays cold"] == F(1, 2)


def test_the_log_of_a_roll() -> None:
    prepared = prepare(EMBER + WARM, "warm", brave=ASH)
    assert prepared.title == "Warm: Ash"
    for seed in "abcdef":
        outcome, events = rolled(prepared, seed)
        asked = questions(events)
        assert asked[0] == Test("to-warm-up", "Ash", "to warm up", 3)
        assert prepared.outcome_lines(outcome) == (outcome,)
        assert outcome == "stays cold" or asked[1] == Roll("how-much", "Ash", "how much", 3)
    assert {rolled(prepared, str(seed))[0] for seed in range(60)} == set(odds_of(EMBER + WARM, "warm", brave=ASH))


def test_players_answer_what_the_dice_decide() -> None:
    prepared = prepare(EMBER + WARM, "warm", brave=ASH)
    answers = iter([3, 2])
    lines: list[str] = []
    outcome = play(
        prepared.start(), lambda path, question: next(answers), lambda entry: lines.append(entry_line(entry))
    )
    assert (outcome, lines) == (
        "gains 2 Heat",
        ["Ash: to warm up: 3 or less on a D6: rolled 3: success", "Ash: how much, a D3: rolled 2"],
    )


def pool_odds(faces: dict[Any, int], count: int, worth: Any) -> dict[str, F]:
    """Return the odds of a number by counting every combination of dice."""
    every = [face for face, weight in faces.items() for _ in range(weight)]
    total = Counter(str(worth(dice)) for dice in product(every, repeat=count))
    return {value: F(ways, len(every) ** count) for value, ways in total.items()}


EMBER_FACES = {"flame": 2, "ash": 3, "nothing": 1}
D6 = dict.fromkeys(range(1, 7), 1)


@each_case(
    ("pool", "expected"),
    [
        ("dice: ember-die, count: 3, successes: [flame]", pool_odds(EMBER_FACES, 3, lambda dice: dice.count("flame"))),
        (
            "dice: ember-die, count: 4, successes: [flame, ash], keep: 2",
            pool_odds(EMBER_FACES, 4, lambda dice: min(2, sum(face != "nothing" for face in dice))),
        ),
        (
            "dice: ember-die, count: 4, successes: [flame], keep: {lowest: 2}",
            pool_odds(EMBER_FACES, 4, lambda dice: max(0, dice.count("flame") - 2)),
        ),
        ("dice: d6, count: 4, at_least: 5", pool_odds(D6, 4, lambda dice: sum(face >= 5 for face in dice))),
        ("dice: d6, count: 2, up_to: 1 + 1", pool_odds(D6, 2, lambda dice: sum(face <= 2 for face in dice))),
        ("dice: d6, count: 3, successes: [1, 6]", pool_odds(D6, 3, lambda dice: sum(face in (1, 6) for face in dice))),
        ("dice: d6, count: 4, keep: 3", pool_odds(D6, 4, lambda dice: sum(sorted(dice)[1:]))),
        ("dice: d6, count: 4, keep: {lowest: 2}", pool_odds(D6, 4, lambda dice: sum(sorted(dice)[:2]))),
        (
            "dice: d6, count: 4, keep: {highest: 2}, successes: [1, 6]",
            pool_odds(D6, 4, lambda dice: sum(face in (1, 6) for face in sorted(dice)[2:])),
        ),
        ("dice: d6, count: 3", pool_odds(D6, 3, sum)),
        ("dice: d6, count: 0", {"0": F(1)}),
    ],
)  # fmt: skip
def test_pools(pool: str, expected: dict[str, F]) -> None:
    text = steps(f"- pool: {{{pool}, name: how it burns, into: num}}\n- end: '{{{{ num }}}}'")
    assert odds_of(text, "go") == expected


def test_rerolled_faces_are_rolled_once_more() -> None:
    text = steps(
        "- pool: {dice: ember-die, count: 2, successes: [flame], reroll: [nothing], name: fire, into: num}\n"
        "- end: '{{ num }}'"
    )
    flame = F(2, 6) + F(1, 6) * F(2, 6)
    assert odds_of(text, "go") == {"0": (1 - flame) ** 2, "1": 2 * flame * (1 - flame), "2": flame**2}
    die = icepool.Die({1: 2, 0: 3, -1: 1}).reroll([-1], depth=1).map(lambda face: max(face, 0))
    both = 2 @ die
    assert {value: odds_of(text, "go")[str(value)] for value in both.outcomes()} == {
        value: F(both.quantity(value), both.denominator()) for value in both.outcomes()
    }


@pytest.mark.parametrize(
    ("dice", "expected"),
    [("4d6kh3", icepool.d6.highest(4, 3)), ("3d6+1d3-1", 3 @ icepool.d6 + icepool.d3 - 1), ("10d6", 10 @ icepool.d6)],
)
def test_rolls_agree_with_icepool(dice: str, expected: Any) -> None:
    found = odds_of(steps(f"- roll: {{dice: {dice}, name: x, into: num}}\n- end: '{{{{ num }}}}'"), "go")
    assert found == {str(value): F(expected.quantity(value), expected.denominator()) for value in expected.outcomes()}


def test_a_die_with_named_faces_and_paired_dice() -> None:
    text = steps("- roll: {dice: ember-die, name: x, into: face}\n- end: shows {{ face }}")
    assert odds_of(text, "go") == {"shows flame": F(1, 3), "shows ash": F(1, 2), "shows nothing": F(1, 6)}
    paired = odds_of(steps("- roll: {dice: d66, name: x, into: num}\n- end: '{{ num }}'"), "go")
    assert paired == {f"{tens}{units}": F(1, 36) for tens in range(1, 7) for units in range(1, 7)}


@each_case(
    ("test", "chance"),
    [
        ("dice: 1d6, at_least: 5", F(1, 3)), ("dice: 1d6, at_least: 7", F(0)), ("dice: 1d6, at_least: 0", F(1)),
        ("dice: 1d6, up_to: 2", F(1, 3)), ("dice: 2d6, at_least: 10", F(1, 6)), ("dice: 2d6, up_to: 3", F(1, 12)),
        ("dice: 1d6+1, at_least: 7", F(1, 6)),
    ],
)  # fmt: skip
@each_case("reads_roll", [False, True])
def test_tests(test: str, chance: F, *, reads_roll: bool) -> None:
    end = (
        "{{ 'yes' if passed else 'no' }}{{ '' if rolled else '' }}" if reads_roll else "{{ 'yes' if passed else 'no' }}"
    )
    odds = odds_of(steps(f'- test: {{{test}, name: x}}\n- end: "{end}"'), "go")
    assert odds.get("yes", F(0)) == chance
    assert sum(odds.values()) == 1


def test_numeric_faces_can_be_added_and_tested() -> None:
    text = (
        EMBER.replace("nothing: 1}}", "nothing: 1}}\n  odd-die: {faces: [1, 1, 3, 5]}")
        + """
trials:
  go:
    steps:
      - test: {dice: odd-die, at_least: 3, name: x}
      - pool: {dice: odd-die, count: 2, name: y, into: num}
      - end: "{{ passed }} {{ num }}"
"""
    )
    odds = odds_of(text, "go")
    assert odds["true 2"] == F(1, 2) * F(1, 4)
    assert odds["false 10"] == F(1, 2) * F(1, 16)


def test_branches_repetitions_and_values() -> None:
    text = steps(
        """
        - set: {hits: 0, rounds: 0}
        - repeat:
            times: 3
            until: hits == 2
            steps:
              - set: {rounds: rounds + 1}
              - test: {dice: 1d6, at_least: 4, name: to hit}
              - when: passed
                set: {hits: hits + 1}
        - when: hits == 2
          steps:
            - end: done after {{ rounds }}
          else:
            - say: almost
            - end: "{{ hits }} hits"
        """
    )
    assert odds_of(text, "go") == {
        "done after 2": F(1, 4), "done after 3": F(1, 4), "0 hits": F(1, 8), "1 hits": F(3, 8),
    }  # fmt: skip
    assert {rolled(prepare(text, "go"), str(seed))[0] for seed in range(40)} == set(odds_of(text, "go"))


def test_long_repetitions_merge_equal_states() -> None:
    text = steps(
        """
        - set: {hits: 0}
        - repeat:
            times: 60
            steps:
              - test: {dice: 1d6, up_to: 1, name: to hit}
              - when: passed
                set: {hits: hits + 1}
        - end: "{{ hits }}"
        """
    )
    odds = odds_of(text, "go")
    assert odds["0"] == F(5, 6) ** 60
    assert len(odds) == 61


CALLS = """
trials:
  spark:
    asks: {brave: {type: card, kind: brave}, worse: {type: integer, max: 6, default: 0}}
    steps:
      - test: {dice: 1d6, up_to: brave.heat - worse, name: to spark}
      - end: "{{ 'lit' if passed else 'dark' }}"
  fire:
    asks:
      brave: {type: card, kind: brave}
      wet: {type: flag}
      wood: {type: choice, choices: [oak, ash], default: ash}
    steps:
      - call: {trial: spark, with: {brave: brave, worse: 1 if wet else 0}, into: first}
      - call: {trial: spark, with: {brave: brave}, into: second}
      - end: "{{ wood }} {{ first }} {{ second }}"
"""


def test_trials_call_others() -> None:
    assert odds_of(EMBER + CALLS, "fire", brave=ASH, wet=True) == {
        "ash lit lit": F(1, 3) * F(1, 2), "ash lit dark": F(1, 3) * F(1, 2),
        "ash dark lit": F(2, 3) * F(1, 2), "ash dark dark": F(2, 3) * F(1, 2),
    }  # fmt: skip
    outcome, events = rolled(prepare(EMBER + CALLS, "fire", brave=ASH), "a")
    assert outcome in odds_of(EMBER + CALLS, "fire", brave=ASH)
    assert [event.path for event in events if hasattr(event, "path")] == ["spark/to-spark", "spark#2/to-spark"]


def test_unknown_dice_have_odds_as_ranges() -> None:
    text = (
        EMBER
        + """  odd-die: {candidates: [{faces: {flame: 2, ash: 1}}, {faces: {flame: 1, ash: 3}}]}
trials:
  go:
    steps:
      - roll: {dice: odd-die, name: x, into: face}
      - test: {dice: 1d6, up_to: 3, name: y}
      - when: passed
        end: fine
      - end: "{{ face }}"
"""
    )
    assert odds_of(text, "go") == {
        "fine": F(1, 2), "flame: at least": F(1, 8), "flame: at most": F(1, 3),
        "ash: at least": F(1, 6), "ash: at most": F(3, 8),
    }  # fmt: skip
    assert odds_of(text, "go", {"odd-die": "2"}) == {"fine": F(1, 2), "flame": F(1, 8), "ash": F(3, 8)}
    (policy,) = rules_of(text).trials().TRIALS.policies  # type: ignore[operator]
    assert policy.settings == {
        "unknown": "Odds are ranges; rolls use the first candidate.", "1": "2 flame, 1 ash", "2": "1 flame, 3 ash",
    }  # fmt: skip
    assert {rolled(prepare(text, "go", {"odd-die": "2"}), str(seed))[0] for seed in range(30)} == {
        "fine",
        "flame",
        "ash",
    }


def test_what_only_players_know() -> None:
    text = steps(
        """
        - ask: {type: integer, name: how far, min: 1, max: 1 + 4, unit: cm, into: far}
        - ask: {type: choice, name: which way, choices: [left, right], default: right, into: way}
        - ask: {type: flag, name: is it night, default: false, into: night}
        - end: "{{ far }} {{ way }} {{ night }}"
        """
    )
    prepared = prepare(text, "go")
    assert prepared.odds
    with pytest.raises(CardgenError, match="a player must answer this: how far"):
        prepared.odds()
    answers: dict[str, Any] = {"how-far": 3, "which-way": "left", "is-it-night": "yes"}
    asked: list[Any] = []
    assert play(prepared.start(), lambda path, question: answers[path], asked.append) == "3 left true"
    assert asked[0].question == Measurement("how-far", "", "how far", 1, 5, "cm")
    measured = steps("- ask: {type: choice, name: x, choices: [a, b], default: b, into: ans}\n- end: '{{ ans }}'")
    assert odds_of(measured, "go") == {"b": F(1)}


def test_a_step_with_else_leaves_its_result() -> None:
    text = steps("- {when: true, roll: {dice: d4, name: x, into: num}, else: [{say: y}]}\n- end: '{{ num }}'")
    assert odds_of(text, "go") == {str(face): F(1, 4) for face in range(1, 5)}


def test_outcomes_are_in_the_order_of_their_numbers() -> None:
    text = steps("- pool: {dice: d6, count: 11, at_least: 4, name: x, into: num}\n- end: '{{ num }} of 11'")
    assert list(odds_of(text, "go")) == [f"{number} of 11" for number in range(12)]


def test_a_trial_without_end_at_its_end_has_no_outcome() -> None:
    assert odds_of(steps("- when: false\n  end: never"), "go") == {"no outcome": F(1)}


WRONG = {
    "- end: '{{ brave.heet }}'": "'brave' has no 'heet'; did you mean 'heat'?",
    "- set: {x: z}\n- end: x": "unknown name 'z'",
    "- roll: {dice: 1d, name: x, into: num}\n- end: x": "'1d' is not valid dice notation from 'd' on",
    "- roll: {dice: ember-dye, name: x, into: num}\n- end: x": "unknown die 'ember-dye'; did you mean 'ember-die'?",
    "- test: {dice: ember-die, up_to: 3, name: x}\n- end: x": "a test needs dice with numbers",
    "- test: {dice: 1d6, name: x}\n- end: x": "a test needs either 'up_to' or 'at_least'",
    "- pool: {dice: 3d6, count: 2, name: x, into: num}\n- end: x": "a pool needs one die, such as d6",
    "- pool: {dice: ember-die, count: 2, name: x, into: num}\n- end: x":
        "a pool of dice with named faces needs 'successes'",
    "- pool: {dice: ember-die, count: 2, successes: [flam], name: x, into: num}\n- end: x":
        "the die has no face 'flam'; did you mean 'flame'?",
    "- pool: {dice: d6, count: 2, successes: [7], name: x, into: num}\n- end: x": "the die has no face '7'",
    "- set: {brave: 3}\n- end: x": "duplicate value 'brave'",
    "- set: {rulings: 3}\n- end: x": "the name 'rulings' is reserved",
    "- {end: x, say: y}": "a step can have only one of these keys",
    "- when: true": "a step needs one of these keys",
    "- say: x": "a trial needs a step 'end', whose text is the outcome",
    "- {end: x, else: [{end: y}]}": "'else' needs 'when'",
    "- call: {trial: goo}\n- end: x": "unknown trial 'goo'; did you mean 'go'?",
    "- call: {trial: go, with: {brave: brave}}\n- end: x": "the trial 'go' calls itself",
    "- ask: {type: choice, name: x, into: ans}\n- end: x": "a choice needs the key 'choices'",
    "- ask: {type: integer, default: 3, name: x, into: ans}\n- end: x":
        "a number that a player measures has no default",
    "- end: '{{ rulings.sixe }}'": "'rulings' has no 'sixe'; did you mean 'sixes'?",
    "- repeat: {times: 2, until: not don, steps: [{set: {done: true}}]}\n- end: x":
        "unknown name 'don'; did you mean 'done'?",
}  # fmt: skip


@each_case(("text", "message"), WRONG.items(), ids=WRONG.values())
def test_mistakes_have_places(text: str, message: str) -> None:
    found = problems(steps(text, brave="type: card, kind: brave"))
    assert any(each.split(" ", 1)[1].startswith(message) for each in found), found


def test_a_trial_without_an_end_is_told_how_to_write_one() -> None:
    assert [each.help for each in game_context(steps("- say: x")).problems] == ["add '- end: …' as the last step"]


def test_all_mistakes_are_reported_at_once() -> None:
    text = (
        EMBER
        + """
  d6: {faces: {a: 1}}
  empty-die: {help: x}
trials:
  one:
    asks:
      seed: {type: flag}
      foe: {type: card, kind: brav}
      size: {type: integer, min: 3, max: 1}
      way: {type: choice}
    steps:
      - end: "{{ sice }}"
  two:
    asks: {far: {type: integer, choices: [a], default: 900}}
    steps:
      - call: {trial: three, with: {fare: 1}}
      - end: x
  three:
    asks: {who: {type: card, kind: brave}}
    steps:
      - call: {trial: two}
      - end: x
"""
    )
    assert problems(text) == [
        "19:3 the name 'd6' is dice notation",
        "20:3 a die needs either 'faces' or 'candidates'",
        "24:7 the name 'seed' is reserved",
        "25:31 unknown kind 'brav'; did you mean 'brave'?",
        "26:34 'min' is 3, but 'max' is only 1",
        "27:12 a value of type choice needs the key 'choices'",
        "29:18 unknown name 'sice'; did you mean 'size'?",
        "30:3 the trial 'two' calls itself through three",
        "31:33 a value of type integer has no 'choices'",
        "31:56 must be a whole number between 0 and 100, not 900",
        "33:15 the trial 'three' needs 'who'",
        "33:37 the trial 'three' does not ask for 'fare'",
    ]


RUNTIME = {
    "- set: {x: brave}\n- end: x": "a step cannot store a brave",
    "- set: {x: range(2000)}\n- end: x": "a step can store at most 1,000 items and characters",
    "- test: {dice: 1d6, up_to: brave.name, name: x}\n- end: x": "must be a whole number, not a text",
    "- test: {dice: 1d6, up_to: 1 / 2, name: x}\n- end: x": "must be a whole number, not 0.5",
    "- pool: {dice: d6, count: 51, name: x, into: num}\n- end: x": "must be between 0 and 50, not 51",
    "- set: {x: 1}\n- set: {x: x + brave.name}\n- end: x": r"'\+' needs a number, not a text",
    "- repeat: {times: 2000, steps: [{say: x}]}\n- end: x": "must be between 0 and 1000, not 2000",
}


@pytest.mark.parametrize(("text", "message"), RUNTIME.items(), ids=RUNTIME.values())
def test_wrong_values_are_located_in_the_game_file(text: str, message: str) -> None:
    prepared = prepare(steps(text, brave="type: card, kind: brave"), "go", brave=ASH)
    with pytest.raises(CardgenError, match=rf"game.yaml:\d+:\d+: .*{message}"):
        rolled(prepared, "a")
    assert prepared.odds
    with pytest.raises(CardgenError, match=message):
        prepared.odds()


ENDLESS = {
    "loops": "- repeat: {times: 1000, steps: [{repeat: {times: 1000, steps: [{say: x}]}}]}\n- end: x",
    "states": "- set: {x: 0}\n- repeat:\n    times: 30\n    "
    "steps: [{roll: {dice: d999, name: y, into: z}}, {set: {x: x * 9 + z}}]"
    "\n- end: '{{ x }}'",
    "pool": "- pool: {dice: d1000, count: 50, keep: 40, name: y, into: num}\n- end: '{{ num }}'",
    "growth": "- set: {x: \"'abcdefgh'\"}\n- repeat: {times: 900, steps: [{set: {x: x ~ x}}]}\n- end: x",
    "steps": "- set: {x: 0}\n- repeat: {times: 900, steps: [{set: {x: range(9999).sum(each)}}]}\n- end: x",
}


@pytest.mark.parametrize("text", ENDLESS.values(), ids=ENDLESS.keys())
def test_endless_trials_end_with_a_message(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cardgen.game_file.trial_run.MAX_PATHS", 20_000)  # a tenth takes a tenth of the time
    prepared = prepare(steps(text), "go")
    assert prepared.odds
    with pytest.raises((CardgenError, TooManyPathsError)):
        prepared.odds()
    try:
        rolled(prepared, "a")
    except CardgenError as error:
        assert "game.yaml:" in str(error)


def test_many_throws_are_refused_though_their_results_are_few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cardgen.game_file.trial_run.MAX_PATHS", 2_000)
    pools = "- repeat: {times: 900, steps: [{pool: {dice: d6, count: 6, keep: 3, name: y, into: num}}]}\n- end: x"
    prepared = prepare(steps(pools), "go")
    assert prepared.odds
    with pytest.raises(TooManyPathsError, match="roll it instead, or throw fewer dice, repeat steps less often"):
        prepared.odds()


def unanswered() -> int:
    raise EOFError


def sequences(prepared: Any, path: tuple[int, ...] = ()) -> list[tuple[str, F]]:
    """Return the outcome and the chance of every way in which the dice can fall."""
    answers, weight, sides = iter(path), F(1), 0

    def answer(where: str, question: Any) -> int:
        nonlocal weight, sides
        sides = question.sides
        weight /= sides
        return next(answers, 0) or unanswered()

    try:
        outcome = play(prepared.start(), answer, lambda entry: None)
    except EOFError:
        return [each for face in range(1, sides + 1) for each in sequences(prepared, (*path, face))]
    return [(outcome, weight)]


@pytest.mark.parametrize(
    ("text", "trial", "values"),
    [
        (EMBER + WARM, "warm", {"brave": ASH, "bonus": 1}),
        (EMBER + CALLS, "fire", {"brave": ASH, "wet": True}),
        (
            steps(
                "- pool: {dice: ember-die, count: 2, successes: [flame], reroll: [nothing], name: fire, into: num}\n"
                "- repeat: {times: num, until: passed, steps: [{test: {dice: 1d4, at_least: 4, name: again}}]}\n"
                "- end: '{{ num }} {{ passed }}'"
            ),
            "go",
            {},
        ),
    ],
)
def test_rolling_every_die_gives_the_exact_odds(text: str, trial: str, values: dict[str, Any]) -> None:
    total: dict[str, F] = {}
    for outcome, weight in sequences(prepare(text, trial, **values)):
        total[outcome] = total.get(outcome, F(0)) + weight
    assert total == odds_of(text, trial, **values)


def test_a_chain_of_calls_is_bounded() -> None:
    links = [
        f"  link-{number}:\n    steps:\n"
        + (f"      - call: {{trial: link-{number + 1}}}\n" * 2 if number < 90 else "")
        + "      - end: x\n"
        for number in range(91)
    ]
    prepared = prepare(EMBER + "trials:\n" + "".join(links), "link-0")
    with pytest.raises(CardgenError, match="a trial cannot take more than 10,000 steps"):
        rolled(prepared, "a")
    assert prepared.odds
    with contextlib.suppress(TooManyPathsError):
        assert prepared.odds()[0].parts == (("x", F(1)),)


def test_a_game_file_full_of_mistakes_is_read_in_seconds() -> None:
    start = time.process_time()
    many = "".join(f"      - set: {{a{number}: b{number} + c{number}}}\n" for number in range(95))
    trials = "".join(f"  go-{number}:\n    steps:\n{many}      - end: x\n" for number in range(20))
    assert 200 <= len(problems(EMBER + "trials:\n" + trials)) < 400
    more = "".join(f"  go-{number}:\n    steps:\n{many}      - end: x\n" for number in range(30))
    (problem,) = problems(EMBER + "trials:\n" + more)
    assert problem.endswith("the trials of a game have at most 2,000 steps together, not 2,880")
    assert time.process_time() - start < 20


def test_rules_of_a_card_that_no_step_mentions_are_said_before_the_odds() -> None:
    fields = "boast: {type: text, optional: true}\n      brag: {type: text, optional: true, aspect: words}\n      "
    game = EMBER.replace("heat: {type", fields + "heat: {type", 1)
    card = {**ASH, "text": "Never freezes.", "boast": "Counts twice.", "brag": "Brr."}
    assert prepare(game + WARM, "warm", brave=card).not_simulated == ("Ash: weapons, text, and boast",)
    assert prepare(game + WARM, "warm", brave={**ASH, "weapons": []}).not_simulated == ()
    counted = WARM.replace("brave.heat + bonus", "brave.heat + bonus + (brave.weapons | length)")
    assert prepare(game + counted, "warm", brave=ASH).not_simulated == ()


@each_case("end", ["'{{ x }}'", "'{{ [x] }}'", "\"{{ x ~ 'a' }}\"", "'{{ {x: 1} }}'"])
def test_a_number_that_grows_and_grows_is_an_error(end: str) -> None:
    more = f"sum({', '.join(['x'] * 200)})"
    text = (
        EMBER
        + f"""
trials:
  grow:
    steps:
      - set: {{x: 10**12**64}}
      - repeat: {{times: 1000, steps: [set: {{x: "{more}"}}]}}
      - end: {end}
"""
    )
    with pytest.raises(CardgenError, match="a number is too large"):
        rolled(prepare(text, "grow"), "a")


@each_case("sum_of_items", ["[x, x, x, x, x, x, x, x].sum()", "[x, x, x, x, x, x, x, x].sum(each)"])
def test_sums_of_items_cannot_grow_either(sum_of_items: str) -> None:
    text = (
        EMBER
        + f"""
trials:
  grow:
    steps:
      - set: {{x: 10**12**64}}
      - repeat: {{times: 1000, steps: [repeat: {{times: 9, steps: [set: {{x: "{sum_of_items}"}}]}}]}}
      - end: x
"""
    )
    with pytest.raises(CardgenError, match="a number is too large"):
        rolled(prepare(text, "grow"), "a")

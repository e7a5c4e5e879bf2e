from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import Any, NamedTuple

import pytest

from cardgen.diagnostic import CardgenError
from cardgen.referee.die import uniform
from cardgen.referee.markov_chain import MarkovChain, Transition
from cardgen.referee.odds import OddsSolver, TooManyPathsError, UndecidedError, odds
from cardgen.referee.play import Event, InvalidAnswerError, play, require_seed, roll, seeded_face
from cardgen.referee.requests import (
    AbstractedCall,
    Decision,
    Log,
    MarkedMeasurement,
    Measurement,
    MemoizedCall,
    Procedure,
    Roll,
    Selection,
    Test,
    in_scope,
)


def two_tests(first: int, second: int) -> Procedure[str]:
    yield Log("{} then {}", (first, second))
    if not (yield Test("one", "A", "first", first)):
        return "neither"
    return "both" if (yield Test("two", "A", "second", second)) else "one"


def throws(count: int) -> Procedure[int]:
    if not count:
        return 0
    face = yield Roll("die", "", "die", 3)
    rest = yield MemoizedCall(throws, (count - 1,))
    return int(face) + int(rest)


def test_odds_of_tests() -> None:
    assert dict(odds(two_tests, 4, 3)) == {"both": Fraction(1, 3), "one": Fraction(1, 3), "neither": Fraction(1, 3)}


@pytest.mark.parametrize(("need", "chance"), [(-1, 0), (0, 0), (1, Fraction(1, 6)), (6, 1), (9, 1)])
def test_certain_and_impossible_tests(need: int, chance: Fraction) -> None:
    assert odds(two_tests, need, 6).chance(lambda end: end == "both") == chance


def test_calls_are_worked_out_once_each() -> None:
    """60 dice have 3 ** 60 paths; joined after each call there are few."""
    die = odds(throws, 60)
    assert len(die.weights) == 121
    assert die.mean(int) == 120
    assert odds(throws, 2) == uniform(3).flat_map(lambda a: uniform(3).map(lambda b: a + b))


def endless() -> Procedure[int]:
    total = 0
    for _ in range(30):
        face = yield Roll("die", "", "die")
        total += int(face)
    return total


def test_too_many_paths_are_refused() -> None:
    with pytest.raises(TooManyPathsError):
        odds(endless)


def asks(advised: str) -> Procedure[str]:
    return (yield Decision("which", "A", "which", ("x", "y"), advised))  # type: ignore[no-any-return]


def measures() -> Procedure[int]:
    return (yield Measurement("how far", "A", "how far", 0, 9))  # type: ignore[no-any-return]


def test_choices_are_made_as_advised_and_not_otherwise() -> None:
    assert dict(odds(asks, "y")) == {"y": 1}
    assert roll(asks("x"), "s") == "x"
    for procedure in (asks(""), measures()):
        with pytest.raises(LookupError):
            roll(procedure, "s")
    with pytest.raises(UndecidedError):
        odds(asks, "")
    with pytest.raises(UndecidedError):
        odds(measures)


def nested() -> Procedure[None]:
    yield from in_scope("turn", throws(2))
    yield from in_scope("turn", throws(1))
    yield Roll("die", "", "die")


def test_paths_name_each_question_once() -> None:
    told: list[Any] = []
    roll(nested(), "s", told.append)
    assert [event.path for event in told] == ["turn/die", "turn/die#2", "turn#2/die", "die"]


def test_a_die_depends_on_nothing_but_the_seed_and_its_path() -> None:
    told: list[Any] = []
    roll(nested(), "s", told.append)
    for event in told:
        assert isinstance(event, Event)
        assert event.answer == seeded_face("s", event.path, event.question.sides)  # type: ignore[union-attr]


def test_seeded_dice_are_fair_and_known() -> None:
    faces = Counter(seeded_face("seed", f"path {n}", 6) for n in range(6000))
    assert faces.keys() == set(range(1, 7))
    assert all(850 < count < 1150 for count in faces.values())
    assert {seeded_face("s", f"{n}", 1000) for n in range(20_000)} == set(range(1, 1001))
    assert [seeded_face("x", f"{n}", 6) for n in range(8)] == KNOWN
    assert seeded_face("a", "b", 10**6) != seeded_face("ab", "", 10**6)


KNOWN = [1, 1, 6, 2, 2, 4, 3, 5]


@pytest.mark.parametrize("given", [0, 7, -1, "3", None, True, 3.0])
def test_dice_that_cannot_be(given: Any) -> None:
    with pytest.raises(InvalidAnswerError):
        play(two_tests(3, 3), lambda path, question: given, lambda told: None)


class Pair(NamedTuple):
    mode: str
    counters: tuple[int, ...]


def hurt(state: Any) -> Procedure[Any]:
    """Take up to three off the first counter, and count it in the second."""
    face = yield Roll("die", "", "die", 3)
    lost = min(int(face), state.counters[0])
    mode = "dead" if lost == state.counters[0] else state.mode
    return Pair(mode, (state.counters[0] - lost, state.counters[1] + lost))


def looked(state: Any) -> Procedure[Any]:
    return (yield AbstractedCall(hurt, state, (), (4, 0)))


@pytest.mark.parametrize("wounds", range(1, 9))
def test_a_glance_comes_out_as_the_whole_look(wounds: int) -> None:
    start = Pair("fine", (wounds, 7))
    assert odds(looked, start) == odds(hurt, start)
    assert play(looked(start), lambda path, question: 2, lambda told: None) == play(
        hurt(start), lambda path, question: 2, lambda told: None
    )


def test_a_glance_is_worked_out_once_for_all_alike() -> None:
    count = 0

    def counted(state: Any) -> Procedure[Any]:
        nonlocal count
        count += 1
        return (yield from hurt(state))

    def look(state: Any) -> Procedure[Any]:
        return (yield AbstractedCall(counted, state, (), (4, 0)))

    reader = OddsSolver()
    for wounds in range(4, 40):
        reader.distribution(look, Pair("fine", (wounds, wounds)))
    assert count == 3


@pytest.mark.parametrize("bounds", [(4, 0), (None, None), (4, None), (7, 0)])
def test_a_chain_is_the_procedure_step_by_step(bounds: tuple[int | None, ...]) -> None:
    def step(state: Any) -> Procedure[Any]:
        return (yield from hurt(Pair(*state)))

    def whole(state: Any, times: int) -> Procedure[Any]:
        for _ in range(times):
            if state.counters[0]:
                state = yield from hurt(state)
        return state

    chain = MarkovChain(lambda state: not state[1][0], lambda state: state)
    hurts = chain.step("hurt", [Transition("hurt", step, bounds)], bounds)
    ends = chain.run(Pair("fine", (6, 0)), [hurts] * 4)
    assert dict(ends) == dict(odds(whole, Pair("fine", (6, 0)), 4).map(tuple))


def one_way() -> Procedure[tuple[str, tuple[str, ...]]]:
    which = yield Decision("which", "A", "which", ("only",))
    some = yield Selection("some", "A", "some", ())
    return which, some


def test_what_has_one_answer_is_not_asked() -> None:
    told: list[Any] = []
    assert play(one_way(), lambda *_: "asked", told.append) == ("only", ())
    assert not told
    assert dict(odds(one_way)) == {("only", ()): 1}


def measured() -> Procedure[Any]:
    marked = yield MarkedMeasurement("distance", "A", "distance", 0, 9, "cm", ("gap", "hidden"))
    return marked, (yield Selection("some", "A", "some", ("x", "y")))


@pytest.mark.parametrize(
    ("distance", "some", "words"),
    [
        (4, (), "between 0 and 9"),
        ((), (), "between 0 and 9"),
        ((10,), (), "not 10"),
        (("gap", 4), (), "between 0 and 9"),
        ((4, "fog"), (), "unknown mark 'fog'"),
        ((4, "gap", "gap"), (), "repeated mark"),
        ((4, "gap"), "x", "list of options"),
        ((4, "gap"), ("z",), "unknown option 'z'"),
        ((4,), ("x", "x"), "repeated option"),
    ],
)
def test_marks_and_selections_are_checked(distance: Any, some: Any, words: str) -> None:
    with pytest.raises(InvalidAnswerError, match=words):
        play(measured(), lambda path, _: {"distance": distance, "some": some}[path], lambda _: None)
    answers: dict[str, Any] = {"distance": (4, "gap"), "some": ("y", "x")}
    assert play(measured(), lambda path, _: answers[path], lambda _: None) == ((4, "gap"), ("y", "x"))
    with pytest.raises(UndecidedError):
        odds(measured)


@pytest.mark.parametrize(
    ("seed", "message"),
    [("\udcff", "must be text in UTF-8"), ("x" * 201, "must be at most 200 characters long, not 201")],
)
def test_a_seed_must_be_short_text(seed: str, message: str) -> None:
    with pytest.raises(CardgenError) as caught:
        require_seed(seed)
    assert caught.value.diagnostics[0].message == message

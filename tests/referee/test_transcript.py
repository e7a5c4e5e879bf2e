"""Transcripts: whatever is changed in one is found, at its line."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from cardgen.diagnostic import CardgenError
from cardgen.referee.play import LogEntry, entry_line, play, seeded_answers
from cardgen.referee.requests import Decision, Log, MarkedMeasurement, Modifier, Procedure, Roll, Selection, Test
from cardgen.referee.transcript import (
    Header,
    Transcript,
    dump,
    event_line,
    parse_transcript,
    recorded_answers,
    transcript_text,
    verify,
)
from tests.cases import each_case


def game() -> Procedure[int]:
    score = 0
    for _ in range(3):
        yield Log("throw {}", (score,))
        if (yield Test("hit", "A", "to hit", 3, "Mind 4", (Modifier("gap", -1),))):
            face = yield Roll("more", "A", "more")
            score += int(face)
        if (yield Decision("on", "A", "go on", ("yes", "no"), "yes")) == "no":
            return -1
    return score


HEADER = Header("g", "t", {}, {}, {}, "seed")


def text(seed: str | None = "seed") -> str:
    told: list[LogEntry] = []
    outcome = play(game(), seeded_answers("seed"), told.append)
    return transcript_text(Header("g", "t", {}, {}, {}, seed), told, outcome)


def checked(transcript: str) -> Any:
    return verify(parse_transcript("file", transcript), game(), lambda outcome: outcome)


def problem(transcript: str) -> Any:
    with pytest.raises(CardgenError) as error:
        checked(transcript)
    (found,) = error.value.diagnostics
    assert found.place.span is not None
    return found


def test_a_true_transcript_is_valid() -> None:
    verdict = checked(text())
    assert verdict.is_finished
    assert verdict.questions == text().count('"at"')
    assert verdict.dice > 2


def lines() -> list[dict[str, Any]]:
    return [json.loads(line) for line in text().splitlines()]


def test_every_change_of_a_value_is_found_at_its_line() -> None:
    count = 0
    for number, line in enumerate(lines()[1:], 2):
        for key, value in line.items():
            changed: Any = {"answer": (value % 6 + 1) if isinstance(value, int) else "no"}.get(key, "?")
            rows = lines()
            rows[number - 1][key] = changed
            count += 1
            found = problem("".join(map(dump, rows)))
            assert found.place.span.line in (number, number + 1), (key, found)
    assert count > 40


@each_case("number", range(2, 12))
def test_a_line_left_out_or_put_in_twice_is_found(number: int) -> None:
    rows = text().splitlines(keepends=True)
    assert problem("".join([*rows[: number - 1], *rows[number:]])).place.span.line >= number
    assert problem("".join([*rows[:number], rows[number - 1], *rows[number:]])).place.span.line >= number


@each_case("number", range(2, 12))
def test_a_transcript_that_stops_early_is_valid_so_far(number: int) -> None:
    verdict = checked("".join(text().splitlines(keepends=True)[:number]))
    assert not verdict.is_finished


def test_real_dice_are_checked_for_what_can_be() -> None:
    rows = [json.loads(line) for line in text(None).splitlines()]
    place = next(place for place, row in enumerate(rows) if row.get("test") == "to hit" and row["answer"] > 3)
    rows[place]["answer"] = rows[place]["answer"] % 3 + 4
    assert checked("".join(map(dump, rows))).is_finished
    rows[place]["answer"] = 7
    assert "not 7" in problem("".join(map(dump, rows))).message


@each_case(
    ("change", "line", "words"),
    [
        (lambda t: "", 1, "empty"),
        (lambda t: "nonsense\n", 1, "not valid JSON"),
        (lambda t: "[1]\n", 1, "not a JSON object"),
        (lambda t: "{}\n", 1, "not a transcript"),
        (lambda t: t.replace('"transcript":1', '"transcript":2'), 1, "format 2"),
        (lambda t: t.replace('"game":"g"', '"game":3'), 1, "'game'"),
        (lambda t: t.replace('"seed":"seed"', '"seed":1'), 1, "'seed'"),
        (lambda t: t + "oops\n", None, "not valid JSON"),
        (lambda t: t + t.splitlines()[1] + "\n", None, "outcome must be the last line"),
        (lambda t: t + '{"undo":99}\n', None, "not 99"),
        (lambda t: t + '{"undo":"x"}\n', None, "not x"),
        (lambda t: "[" * 100_000 + "\n", 1, "not valid JSON"),
    ],
)
def test_broken_transcripts(change: Callable[[str], str], line: int | None, words: str) -> None:
    changed = change(text())
    found = problem(changed)
    assert words in found.message
    assert found.place.span.line == (line or changed.count("\n"))
    assert len(found.message) < 300


def test_a_last_line_that_was_cut_off_is_left_out() -> None:
    cut = text()[:-20]
    transcript = parse_transcript("file", cut)
    assert transcript.is_truncated
    assert not transcript.is_finished
    assert not verify(transcript, game(), int).is_finished


def test_undo_takes_answers_back_with_what_was_told_for_them() -> None:
    rows = text().splitlines(keepends=True)
    places = [place for place, row in enumerate(rows) if '"at"' in row]
    for count in range(1, len(places)):
        begun = rows[: places[count] + 1]
        last = max((place for place in places[:count]), default=0)
        again = rows[last + 1 :]
        assert checked("".join([*begun, dump({"undo": 1}), *again])).is_finished


def test_everything_that_happens_has_a_line() -> None:
    told: list[LogEntry] = []
    play(game(), seeded_answers("seed"), told.append)
    assert [event_line(each) for each in told] == lines()[1:-1]
    assert isinstance(parse_transcript("file", text()), Transcript)


def test_errors_of_the_cards_are_kept() -> None:
    told: list[LogEntry] = []
    outcome = play(game(), seeded_answers("seed"), told.append)
    written = transcript_text(Header("g", "t", {}, {}, {}, "seed", errors=("a: wrong",)), told, outcome)
    assert parse_transcript("file", written).header.errors == ("a: wrong",)
    with pytest.raises(CardgenError, match="'errors' must be a list of texts, not "):
        parse_transcript("file", written.replace('["a: wrong"]', "[5]"))


def survey() -> Procedure[list[Any]]:
    where = yield MarkedMeasurement("distance", "A", "distance to B", 0, 73, "cm", ("gap", "hidden"))
    return [where, (yield Selection("near", "A", "who is near", ("B", "C", "D")))]


def test_lists_of_answers_are_written_and_verified() -> None:
    told: list[LogEntry] = []
    answers: dict[str, Any] = {"distance": (12, "gap"), "near": ("D", "B")}
    outcome = play(survey(), lambda path, _: answers[path], told.append)
    written = transcript_text(Header("g", "t", {}, {}, {}, None, version=3), told, outcome)
    transcript = parse_transcript("file", written)
    assert transcript.header.version == 3
    assert verify(transcript, survey(), lambda end: [list(each) for each in end]).is_finished
    assert play(survey(), recorded_answers(transcript), lambda _: None) == outcome
    for old, new in (
        ('[12,"gap"]', '["gap",12]'),
        ('"marks":["gap","hidden"]', '"marks":["gap"]'),
        ('["D","B"]', '"D"'),
    ):
        with pytest.raises(CardgenError):
            verify(parse_transcript("file", written.replace(old, new)), survey(), list)
    assert [entry_line(each) for each in told] == ["A: distance to B: 12 gap", "A: who is near: D, B"]


def test_saves_of_older_versions_can_hold_another_number_of_options() -> None:
    """An older save has the same line, and the answer with which the procedure asked again."""

    def choices(bounds: tuple[int, int] | None) -> Procedure[int]:
        chosen: tuple[str, ...] = ()
        while len(chosen) != 2:
            chosen = yield Selection("two", "A", "two of them", ("x", "y", "z"), bounds=bounds)
        return len(chosen)

    answers = iter([("x",), ("z", "x")])
    told: list[LogEntry] = []
    outcome = play(choices(None), lambda path, question: next(answers), told.append)
    old = parse_transcript("file", transcript_text(HEADER, told, outcome))
    assert verify(old, choices((2, 2)), lambda outcome: outcome).questions == 2

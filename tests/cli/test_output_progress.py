"""Progress and warnings about time."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import pytest

from cardgen.cli._output import ProgressBar, format_clock, format_minutes, progress_line

NAMES = ("a", "Halvane Doru", "a-very-long-file-name-that-no-line-has-room-for.pdf", "é" * 30, "b\x1b[2Jc")


@pytest.mark.parametrize("width", [20, 40, 59, 79, 200])
def test_the_width_of_a_line_does_not_change(width: int) -> None:
    lines = [
        progress_line(done, 1000, name, remaining, width)
        for done in (0, 9, 99, 1000)
        for name in NAMES
        for remaining in (0.0, 9.4, 59.6, 3599.0, 36000.0)
    ]
    assert {len(line) for line in lines} == {width}
    assert len({line.find("]") for line in lines}) == 1
    assert "\x1b" not in "".join(lines)


def test_the_parts_stay_in_place_when_the_total_changes() -> None:
    before, after = progress_line(99, 170, "a", 5, 59), progress_line(3, 95, "b", 5, 59)
    assert before.index("[") == after.index("[")
    assert before.index("]") == after.index("]")


def test_a_line_says_where_it_is() -> None:
    line = progress_line(500, 1000, "Brute", 65, 79)
    assert line.startswith("Brute ")
    assert f"[{'#' * 15}{'-' * 15}]" in line
    assert line.rstrip().endswith(" 500/1000   1:05")


def test_times_in_words() -> None:
    assert [format_clock(seconds) for seconds in (0, 59.7, 3600, 7260)] == ["0:00", "1:00", "1h00m", "2h01m"]
    assert [format_minutes(seconds) for seconds in (10, 61, 200, 7300)] == [
        *("1 minute", "1 minute", "3 minutes", "2 hours")
    ]


def run_timed(monkeypatch: pytest.MonkeyPatch, seconds: Sequence[float], hidden: bool = False) -> None:
    """Run steps that take these seconds."""
    clock = itertools.accumulate(seconds, initial=100.0)
    monkeypatch.setattr("time.monotonic", lambda: next(clock))
    with ProgressBar(hidden=hidden) as bar:
        for done in range(1, len(seconds) + 1):
            bar.step(done, len(seconds), "x")


def run_steps(monkeypatch: pytest.MonkeyPatch, total: int, seconds_a_step: float, hidden: bool = False) -> None:
    run_timed(monkeypatch, [seconds_a_step] * total, hidden)


def test_work_of_minutes_is_announced_once_anywhere(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run_steps(monkeypatch, 100, 2.0)
    err = capsys.readouterr().err
    assert err == "warning: about 3 minutes left (90 steps); press Ctrl-C to stop\n"


@pytest.mark.parametrize(
    ("seconds", "warning"),
    [
        ([20.0] * 1000, "about 6 hours left (996 steps)"),
        ([5.0] * 50 + [0.0] * 950, "about 82 minutes left (988 steps)"),
        ([3.0, 1.0, 1.0, 1.0] * 250, "about 16 minutes left (960 steps)"),
    ],
)
def test_long_work_is_announced_after_a_minute_or_a_tenth_of_its_steps(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], seconds: Sequence[float], warning: str
) -> None:
    run_timed(monkeypatch, seconds)
    assert capsys.readouterr().err == f"warning: {warning}; press Ctrl-C to stop\n"


@pytest.mark.parametrize(
    "seconds",
    [
        [20.0] + [0.03] * 720,  # the first step loads everything
        [1.5] * 31 + [0.03] * 690,  # the first card of each kind loads its templates
        ([2.0] + [0.02] * 23) * 30,  # each kind begins slowly
        [40.0, 30.0, 0.1, 0.1, 0.1, 0.1],
    ],
)
def test_slow_starts_are_no_long_work(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], seconds: Sequence[float]
) -> None:
    run_timed(monkeypatch, seconds)
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(("total", "seconds", "hidden"), [(10, 2.0, False), (100, 2.0, True), (10_000, 0.001, False)])
def test_short_or_quiet_work_is_not(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], total: int, seconds: float, hidden: bool
) -> None:
    run_steps(monkeypatch, total, seconds, hidden)
    assert capsys.readouterr().err == ""


def test_a_terminal_shows_a_bar_that_ends_its_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    run_steps(monkeypatch, 20, 0.5)
    err = capsys.readouterr().err
    assert err.endswith("\n")
    lines = err.rstrip("\n").split("\r")[1:]
    assert len(lines) > 5
    assert len({len(line) for line in lines}) == 1
    assert " 20/20 " in lines[-1]


def test_an_estimate_that_knows_the_work_is_shown_and_announced_early(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    clock = itertools.accumulate([2.0] * 100, initial=100.0)
    monkeypatch.setattr("time.monotonic", lambda: next(clock))
    with ProgressBar() as bar:
        for done in range(6):
            bar.step(done, 1000, "x", lambda done=done: 130.0 - done)  # type: ignore[misc]
    err = capsys.readouterr().err
    assert "warning: about 2 minutes left (997 steps)" in err
    assert " 2/1000   2:08" in err

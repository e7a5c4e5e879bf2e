"""Options of trials: how a parameter of a situation becomes an option with its help."""

from __future__ import annotations

import pytest

from cardgen.cli import run
from cardgen.cli._options import trial_option
from cardgen.referee.parameters import Parameter


@pytest.mark.parametrize(
    ("text", "help_text"),
    [
        ("Distance.", "Distance in cm."),
        ("Distance (default: in range).", "Distance in cm (default: in range)."),
        ("Distance; in reach if left out.", "Distance in cm; in reach if left out."),
        ("Distance, as measured.", "Distance in cm, as measured."),
        ("Distance", "Distance in cm"),
    ],
)
def test_the_unit_stands_after_the_noun(text: str, help_text: str) -> None:
    assert trial_option("distance", Parameter("number", text, high=9, unit="cm")).help == help_text


def test_a_number_without_a_unit_keeps_its_help() -> None:
    assert trial_option("turns", Parameter("number", "Number of turns.", high=9)).help == "Number of turns."


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["attack", "Sentinel", "Brute", "--odds", "--distance", "3", "--distance", "5"], "--distance is given twice"),
        (
            ["trial", "attack", "Sentinel", "Brute", "--distance=3", "--odds", "--distance=3"],
            "--distance is given twice",
        ),
        (["duel", "Sentinel", "Brute", "--seed", "a", "--seed", "b"], "--seed is given twice"),
        (["attack", "Sentinel", "Brute", "--odds", "--ask"], "--odds and --ask cannot be combined"),
    ],
)
def test_no_value_is_dropped_because_another_one_follows(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(arguments) == 2
    assert message in capsys.readouterr().err


def test_what_can_be_repeated_can_be_given_twice() -> None:
    terms = ["--policy", "reactions=first", "--policy", "weapon=best", "--odds", "--odds"]
    assert run(["attack", "Sentinel", "Brute", *terms]) == 0

"""Errors name options as the user wrote them."""

from __future__ import annotations

import pytest

from tests.cli.commands import Program
from tests.projects import Folder


@pytest.mark.parametrize(
    ("arguments", "option"),
    [
        (("build", "--pack", "nobodies"), "--pack"),
        (("build", "--pack=nobodies"), "--pack"),
        (("build", "--warband", "nobodies"), "--warband"),
        (("export", "tts", "--pack", "nobodies"), "--pack"),
        (("reference", "--pack", "nobodies"), "--pack"),
        (("reference", "--of", "nobodies"), "--of"),
    ],
)
def test_an_unknown_list_is_reported_with_the_option_used(
    folder: Folder, cardgen: Program, arguments: tuple[str, ...], option: str
) -> None:
    outcome = cardgen(*arguments)
    assert outcome.err.startswith(f"{option}: error["), outcome.err
    assert outcome.code == 2


@pytest.mark.parametrize("option", ["--pack", "--warband"])
def test_options_that_cannot_be_combined(folder: Folder, cardgen: Program, option: str) -> None:
    for command in (("build",), ("export", "tts")):
        assert f"--kit and {option} cannot be combined" in cardgen(*command, "--kit", option, "x").err


@pytest.mark.parametrize("arguments", [("trial", "--help"), ("trial", "attack", "a", "b"), ("trial", "nothing")])
def test_a_game_in_a_variable_that_does_not_exist(
    folder: Folder, cardgen: Program, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...]
) -> None:
    monkeypatch.setenv("CARDGEN_TRIAL_GAME", "nope")
    outcome = cardgen(*arguments)
    assert (outcome.code, outcome.err.splitlines()[0]) == (2, "--game: error[CG030]: unknown game 'nope'")

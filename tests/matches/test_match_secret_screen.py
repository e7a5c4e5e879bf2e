"""The screen of one player: the terminal's second screen, which is always left."""

from __future__ import annotations

import pytest

from cardgen.matches.match import BLANK_SCREEN, FIRST_SCREEN, SECOND_SCREEN, SecretScreen
from cardgen.referee.requests import SecretLog


def screen_of(*typed: str) -> tuple[SecretScreen, list[str]]:
    shown, words = list[str](), iter(typed)
    return SecretScreen(lambda text: next(words), shown.append, shown.append), shown


def test_the_second_screen_is_left_even_after_an_error() -> None:
    screen, shown = screen_of()
    with pytest.raises(KeyboardInterrupt), screen.opened():
        raise KeyboardInterrupt
    assert shown == [f"{SECOND_SCREEN}\n", f"{BLANK_SCREEN}{FIRST_SCREEN}\n"]


def test_one_side_sees_its_secrets() -> None:
    screen, shown = screen_of("2", "")
    assert not screen.has_secrets
    for who in ("A", "B"):
        screen.keep(SecretLog(who, f"{who} holds the hill"))
    screen.show()
    assert shown[3] == "  B holds the hill"
    assert "  A holds the hill" not in shown


@pytest.mark.parametrize("typed", ["3", "0", "x"])
def test_nobody_else_is_shown(typed: str) -> None:
    screen, shown = screen_of(typed)
    screen.keep(SecretLog("A", "secret"))
    screen.show()
    assert shown[-1] == "  enter the number of a side"


def test_a_match_without_secrets() -> None:
    screen, shown = screen_of()
    screen.show()
    assert shown == ["  no side has secrets in this battle"]

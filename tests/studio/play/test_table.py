"""Who gets a seat at a battle: codes, seats that are taken, and too many attempts."""

from __future__ import annotations

import re

import pytest

from cardgen.studio.play.table import (
    ALPHABET,
    MOST_TOKENS,
    MOST_TRIES,
    MOST_TRIES_OF_ALL,
    SCREEN,
    TRY_SECONDS,
    JoinError,
    Table,
    new_code,
    plain_code,
)


class _Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


def _table() -> tuple[Table, _Clock]:
    clock = _Clock()
    return Table(("Oath", "Court"), clock), clock


def _wrong(table: Table) -> str:
    return next(code for code in ("222222", "333333", "444444", "555555") if code != table.code)


def test_codes_have_six_letters_that_nobody_confuses() -> None:
    codes = {new_code() for _ in range(200)}
    assert len(codes) == 200
    assert all(re.fullmatch(f"[{ALPHABET}]{{6}}", code) for code in codes)
    assert not set("01IOL") & set(ALPHABET)
    assert plain_code(" k7q-x2m ") == "K7QX2M"


def test_the_code_admits_to_each_seat_once_and_to_the_screen_again() -> None:
    table, _ = _table()
    token = table.join("1", table.code.lower(), "a")
    assert table.join("1", "", "a", token) == token, "a window that comes back keeps its seat"
    assert table.seat_of("1", token) is table.seats["1"]
    assert table.seat_of("2", token) is None
    with pytest.raises(JoinError, match="taken") as error:
        table.join("1", table.code, "b")
    assert error.value.status == 409
    screens = {table.join(SCREEN, table.code, address) for address in map(str, range(100))}
    assert screens == {table.screen_token}, "no screen puts out another"
    assert SCREEN not in table.seats


def test_the_code_of_a_seat_admits_more_windows_of_it_and_to_nothing_else() -> None:
    table, _ = _table()
    first = table.join("1", table.code, "a")
    code = table.seats["1"].code
    assert table.places(code, "b") == ["1"]
    second = table.join("1", code, "b")
    assert all(table.seat_of("1", each) for each in (first, second))
    with pytest.raises(JoinError, match="no such seat"):
        table.join("2", code, "b")


def test_a_seat_that_is_freed_has_neither_windows_nor_its_old_code() -> None:
    table, _ = _table()
    other = table.join("2", table.code, "b")
    token, codes = table.join("1", table.code, "a"), (table.seats["1"].code, table.code)
    table.free("1")
    assert table.seat_of("1", token) is None
    for code in codes:  # whoever was put out does not come back at once, before the honest player
        with pytest.raises(JoinError, match="wrong"):
            table.join("1", code, "a", token)
    assert table.seat_of("2", other), "the others stay"
    assert table.join("1", table.code, "a")


def test_wrong_codes_of_an_address_are_limited_for_a_minute() -> None:
    table, clock = _table()
    for _ in range(MOST_TRIES):
        with pytest.raises(JoinError, match="wrong"):
            table.places(_wrong(table), "a")
    with pytest.raises(JoinError, match="Too many") as error:
        table.join("1", table.code, "a")
    assert error.value.status == 429
    assert table.places(table.code, "b")
    clock.now += TRY_SECONDS + 1
    assert table.places(table.code, "a")


def test_wrong_codes_of_many_addresses_are_limited_together() -> None:
    table, _ = _table()
    for number in range(MOST_TRIES_OF_ALL):
        with pytest.raises(JoinError, match="wrong"):
            table.places(_wrong(table), str(number))
    with pytest.raises(JoinError, match="Too many"):
        table.places(table.code, "somebody else")


def test_the_codes_expire_with_the_battle() -> None:
    table, _ = _table()
    token, own = table.join("1", table.code, "a"), table.seats["1"].code
    table.is_over = True
    for code in (table.code, own):
        with pytest.raises(JoinError, match="over"):
            table.places(code, "a")
    assert table.seat_of("1", token)


@pytest.mark.parametrize("code", ["", "é", "\N{KELVIN SIGN}" * 6, "A" * 500])
def test_any_text_may_be_tried(code: str) -> None:
    table, _ = _table()
    with pytest.raises(JoinError, match="wrong"):
        table.places(code, "a")


def test_too_many_windows_of_a_seat_are_refused_and_those_that_came_in_stay() -> None:
    table, _ = _table()
    code = table.seats["1"].code
    tokens = [table.join("1", code, "a") for _ in range(MOST_TOKENS)]
    with pytest.raises(JoinError, match="Too many windows") as error:
        table.join("1", code, "a")
    assert error.value.status == 409
    assert all(table.seat_of("1", each) for each in tokens)
    assert table.join("1", "", "a", tokens[0]) == tokens[0]


def test_the_server_does_not_know_the_tokens_of_players() -> None:
    table, _ = _table()
    token = table.join("1", table.code, "a")
    assert token not in repr(table.seats)

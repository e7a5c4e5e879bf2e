"""Who gets a seat at a battle: codes, seats that are taken, and too many attempts."""

from __future__ import annotations

import re

import pytest

from cardgen.studio.play.seats import (
    ALPHABET,
    MOST_TOKENS,
    MOST_TRIES,
    MOST_TRIES_OF_ALL,
    SCREEN,
    TRY_SECONDS,
    JoinError,
    Seating,
    new_code,
    plain_code,
)


class _Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


def _seating() -> tuple[Seating, _Clock]:
    clock = _Clock()
    return Seating(("Oath", "Court"), clock), clock


def _wrong(seating: Seating) -> str:
    return next(code for code in ("222222", "333333", "444444", "555555") if code != seating.code)


def test_codes_have_six_letters_that_nobody_confuses() -> None:
    codes = {new_code() for _ in range(200)}
    assert len(codes) == 200
    assert all(re.fullmatch(f"[{ALPHABET}]{{6}}", code) for code in codes)
    assert not set("01IOL") & set(ALPHABET)
    assert plain_code(" k7q-x2m ") == "K7QX2M"


def test_the_code_admits_to_each_seat_once_and_to_the_screen_again() -> None:
    seating, _ = _seating()
    token = seating.join("1", seating.code.lower(), "a")
    assert seating.join("1", "", "a", token) == token, "a window that comes back keeps its seat"
    assert seating.seat_of("1", token) is seating.seats["1"]
    assert seating.seat_of("2", token) is None
    with pytest.raises(JoinError, match="taken") as error:
        seating.join("1", seating.code, "b")
    assert error.value.status == 409
    screens = {seating.join(SCREEN, seating.code, address) for address in map(str, range(100))}
    assert screens == {seating.screen_token}, "no screen puts out another"
    assert SCREEN not in seating.seats


def test_the_code_of_a_seat_admits_more_windows_of_it_and_to_nothing_else() -> None:
    seating, _ = _seating()
    first = seating.join("1", seating.code, "a")
    code = seating.seats["1"].code
    assert seating.places(code, "b") == ["1"]
    second = seating.join("1", code, "b")
    assert all(seating.seat_of("1", each) for each in (first, second))
    with pytest.raises(JoinError, match="no such seat"):
        seating.join("2", code, "b")


def test_a_seat_that_is_freed_has_neither_windows_nor_its_old_code() -> None:
    seating, _ = _seating()
    other = seating.join("2", seating.code, "b")
    token, codes = seating.join("1", seating.code, "a"), (seating.seats["1"].code, seating.code)
    seating.free("1")
    assert seating.seat_of("1", token) is None
    for code in codes:  # whoever was put out does not come back at once, before the honest player
        with pytest.raises(JoinError, match="wrong"):
            seating.join("1", code, "a", token)
    assert seating.seat_of("2", other), "the others stay"
    assert seating.join("1", seating.code, "a")


def test_wrong_codes_of_an_address_are_limited_for_a_minute() -> None:
    seating, clock = _seating()
    for _ in range(MOST_TRIES):
        with pytest.raises(JoinError, match="wrong"):
            seating.places(_wrong(seating), "a")
    with pytest.raises(JoinError, match="Too many") as error:
        seating.join("1", seating.code, "a")
    assert error.value.status == 429
    assert seating.places(seating.code, "b")
    clock.now += TRY_SECONDS + 1
    assert seating.places(seating.code, "a")


def test_wrong_codes_of_many_addresses_are_limited_together() -> None:
    seating, _ = _seating()
    for number in range(MOST_TRIES_OF_ALL):
        with pytest.raises(JoinError, match="wrong"):
            seating.places(_wrong(seating), str(number))
    with pytest.raises(JoinError, match="Too many"):
        seating.places(seating.code, "somebody else")


def test_the_codes_expire_with_the_battle() -> None:
    seating, _ = _seating()
    token, own = seating.join("1", seating.code, "a"), seating.seats["1"].code
    seating.is_over = True
    for code in (seating.code, own):
        with pytest.raises(JoinError, match="over"):
            seating.places(code, "a")
    assert seating.seat_of("1", token)


@pytest.mark.parametrize("code", ["", "é", "\N{KELVIN SIGN}" * 6, "A" * 500])
def test_any_text_may_be_tried(code: str) -> None:
    seating, _ = _seating()
    with pytest.raises(JoinError, match="wrong"):
        seating.places(code, "a")


def test_too_many_windows_of_a_seat_are_refused_and_those_that_came_in_stay() -> None:
    seating, _ = _seating()
    code = seating.seats["1"].code
    tokens = [seating.join("1", code, "a") for _ in range(MOST_TOKENS)]
    with pytest.raises(JoinError, match="Too many windows") as error:
        seating.join("1", code, "a")
    assert error.value.status == 409
    assert all(seating.seat_of("1", each) for each in tokens)
    assert seating.join("1", "", "a", tokens[0]) == tokens[0]


def test_the_server_does_not_know_the_tokens_of_players() -> None:
    seating, _ = _seating()
    token = seating.join("1", seating.code, "a")
    assert token not in repr(seating.seats)

from __future__ import annotations

import sys
import time

import pytest

from cardgen.face import watchdog
from cardgen.face.watchdog import TookTooLongError, Watchdog


def _sleep(seconds: float) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        time.sleep(0.01)


def test_what_takes_too_long_is_ended_and_what_comes_after_goes_on() -> None:
    dog = Watchdog()
    with pytest.raises(TookTooLongError), dog.limit(0.01):
        _sleep(20)
    with dog.limit(10):
        _sleep(0.3)
    _sleep(0.3)


def test_an_exception_that_is_lost_is_sent_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watchdog, "_SENT_AGAIN_AFTER", 0.01)
    dog, lost = Watchdog(), 0
    with pytest.raises(TookTooLongError), dog.limit(0.01):
        try:
            _sleep(20)
        except TookTooLongError:
            lost += 1
        _sleep(20)
    assert lost == 1


def test_code_that_is_traced_is_watched_too() -> None:
    dog, seen = Watchdog(), 0

    def count(*_: object) -> None:
        nonlocal seen
        seen += 1

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        for _ in range(100):
            with dog.limit(10):
                pass
    finally:
        sys.setprofile(before)
    assert seen

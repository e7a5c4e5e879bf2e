from __future__ import annotations

import sys
import time
from contextlib import suppress

import pytest

from cardgen.runtime import processes
from cardgen.runtime.processes import TimeLimitError, Watchdog


def _work(seconds: float) -> None:
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass


def test_what_takes_too_long_is_ended_and_what_comes_after_goes_on() -> None:
    dog = Watchdog()
    with pytest.raises(TimeLimitError), dog.limit(0.01):
        _work(20)
    with dog.limit(10):
        _work(0.3)
    _work(0.3)


def test_an_exception_that_is_lost_is_sent_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processes, "_RESEND_AFTER", 0.01)
    dog, lost = Watchdog(), 0
    with pytest.raises(TimeLimitError), dog.limit(0.01):
        try:
            _work(20)
        except TimeLimitError:
            lost += 1
        _work(20)
    assert lost == 1


class _SlowToFree:
    def __del__(self) -> None:
        _work(20)


def test_an_exception_in_a_finalizer_is_not_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    reports: list[sys.UnraisableHookArgs] = []
    monkeypatch.setattr(sys, "unraisablehook", reports.append)
    hook, dog = sys.unraisablehook, Watchdog()
    with pytest.raises(TimeLimitError), dog.limit(0.01):
        _SlowToFree()
        _work(20)
    assert (reports, sys.unraisablehook) == ([], hook)


class _BrokenToFree:
    def __del__(self) -> None:
        raise OSError


def test_other_errors_in_finalizers_are_reported_as_usual(monkeypatch: pytest.MonkeyPatch) -> None:
    reports: list[sys.UnraisableHookArgs] = []
    monkeypatch.setattr(sys, "unraisablehook", reports.append)
    with suppress(TimeLimitError), Watchdog().limit(0.01):
        try:
            _work(20)
        finally:
            _BrokenToFree()
    assert [report.exc_type for report in reports] == [OSError]


def test_a_hook_that_was_set_meanwhile_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "unraisablehook", sys.unraisablehook)
    with suppress(TimeLimitError), Watchdog().limit(0.01):
        try:
            _work(20)
        finally:
            sys.unraisablehook = print
    assert sys.unraisablehook is print


def test_a_block_in_a_block_ends_in_time_and_leaves_the_outer_limit() -> None:
    dog = Watchdog()
    with dog.limit(60):
        with pytest.raises(TimeLimitError), dog.limit(0.01):
            _work(20)
        _work(0.3)
    _work(0.3)


def test_a_block_in_a_block_cannot_extend_the_outer_limit() -> None:
    dog, inner = Watchdog(), 0
    with pytest.raises(TimeLimitError), dog.limit(0.01):
        try:
            with dog.limit(60):
                _work(20)
        except TimeLimitError:
            inner += 1
        _work(20)
    assert inner == 1


def test_waiting_for_the_processor_does_not_count() -> None:
    started = time.monotonic()
    with Watchdog().limit(0.2):
        time.sleep(0.5)
    assert time.monotonic() - started >= 0.5


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

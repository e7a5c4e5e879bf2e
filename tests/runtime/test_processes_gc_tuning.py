"""How often garbage is looked for is as it was afterwards, whatever happens in between."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest

from cardgen.runtime.processes import collect_rarely, rarer_gc, without_gc


@pytest.fixture(autouse=True)
def _thresholds() -> Iterator[None]:
    before = gc.get_threshold()
    yield
    gc.set_threshold(*before)


def test_garbage_is_looked_for_more_seldom_for_a_while() -> None:
    gc.set_threshold(700, 10, 10)
    with rarer_gc():
        assert gc.get_threshold()[0] > 700
    assert gc.get_threshold() == (700, 10, 10)


def test_it_is_as_before_after_an_error() -> None:
    gc.set_threshold(700, 10, 10)
    with pytest.raises(ValueError, match="stop"), rarer_gc():
        raise ValueError("stop")
    assert gc.get_threshold() == (700, 10, 10)


def test_collection_that_is_off_stays_off_and_one_that_is_rarer_still_stays_so() -> None:
    for first in (0, 1_000_000):
        gc.set_threshold(first, 10, 10)
        with rarer_gc():
            assert gc.get_threshold()[0] == first


def test_a_program_collects_hardly_ever_until_it_begins_its_work() -> None:
    gc.set_threshold(700, 10, 10)
    collect_rarely()
    loaded = gc.get_threshold()[0]
    frozen = gc.get_freeze_count()
    try:
        with rarer_gc():
            assert 700 < gc.get_threshold()[0] < loaded
            assert gc.get_freeze_count() > frozen
        assert gc.get_threshold()[0] == loaded
    finally:
        gc.unfreeze()


def test_loading_freezes_objects_only_in_a_program_that_has_frozen_others() -> None:
    gc.unfreeze()
    with without_gc():
        assert not gc.isenabled()
    assert gc.isenabled()
    assert gc.get_freeze_count() == 0
    gc.freeze()
    frozen = gc.get_freeze_count()
    try:
        with without_gc():
            loaded: list[list[int]] = [[] for _ in range(10)]
        assert gc.isenabled()
        assert gc.get_freeze_count() >= frozen + len(loaded)
    finally:
        gc.unfreeze()

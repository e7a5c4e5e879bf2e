"""Pools on a cluster: the same results as in one process, whatever happens to blocks."""

from __future__ import annotations

import pickle
from collections import deque
from collections.abc import Callable
from typing import Any

import pytest

from cardgen.runtime.cluster.pool import ClusterPool, digest_of, identity
from cardgen.runtime.cluster.worker import OtherVersionError, run_block
from cardgen.runtime.plain_data import Encoder

COUNT = 70


def squares(offset: int) -> Callable[[int], int]:
    return lambda index: offset + index * index


def failing() -> Callable[[int], int]:
    def work(index: int) -> int:
        if index == 7:
            raise ValueError("seven")
        return index

    return work


class FakeLink:
    """A cluster that answers in reverse order; it is lost after some answers, and fails at some blocks."""

    def __init__(self, answers: int = 1000, failed: tuple[int, ...] = ()) -> None:
        self.notes: list[str] = []
        self.on_note = self.notes.append
        self.is_lost = False
        self.workers = 2
        self.ended: list[int] = []
        self._left, self._failing = answers, failed
        self._payloads: list[bytes] = []
        self._answers: deque[tuple[str, int, Any]] = deque()

    def open(self, payload: bytes) -> int:
        self._payloads.append(payload)
        return len(self._payloads) - 1

    def submit(self, run: int, block: int, items: list[Any]) -> None:
        if block in self._failing:
            self._answers.appendleft(("failed", block, "killed"))
        else:
            answer = run_block(digest_of(identity()), self._payloads[run], items)
            self._answers.appendleft(("result", block, answer))

    def receive(self, run: int) -> tuple[str, int, Any]:
        self._left -= 1
        if self._left < 0:
            self.is_lost = True
            return "lost", 0, None
        return self._answers.popleft()

    def end(self, run: int) -> None:
        self.ended.append(run)


@pytest.mark.parametrize(
    "link",
    [FakeLink(), FakeLink(5), FakeLink(0), FakeLink(failed=(0, 3))],
    ids=["whole", "lost late", "lost at once", "failed"],
)
def test_results_are_those_of_one_process(link: FakeLink) -> None:
    pool = ClusterPool(link, squares, (3,), COUNT, 1)
    assert [pool.result(index) for index in range(COUNT)] == [3 + index * index for index in range(COUNT)]
    assert pool.result(5) == 28
    assert len(link.notes) == len(link._failing)
    assert link.ended == ([] if link.is_lost else [0])


@pytest.mark.parametrize("link", [FakeLink(), FakeLink(5), FakeLink(failed=(0, 3))], ids=["whole", "lost", "failed"])
def test_tasks_get_their_items(link: FakeLink) -> None:
    pool = ClusterPool(link, squares, (3,), COUNT, 1, range(100, 100 + COUNT))
    assert [pool.result(index) for index in range(COUNT)] == [3 + item * item for item in range(100, 100 + COUNT)]


def test_results_can_be_requested_in_any_order() -> None:
    pool = ClusterPool(FakeLink(), squares, (0,), COUNT, 1)
    order = [5, 4, 69, 0, 4, 38]
    assert [pool.result(index) for index in order] == [index * index for index in order]


def test_the_exception_of_a_task_is_raised() -> None:
    pool = ClusterPool(FakeLink(), failing, (), COUNT, 1)
    with pytest.raises(ValueError, match="seven"):
        [pool.result(index) for index in range(COUNT)]


class ForgingLink(FakeLink):
    """A cluster that sends something else before the answer to a block."""

    def __init__(self, kind: str, block: int | None, value: object) -> None:
        super().__init__()
        self._forged = kind, block, value

    def submit(self, run: int, block: int, items: list[Any]) -> None:
        super().submit(run, block, items)
        kind, of, value = self._forged
        answer = Encoder().encode(value) if kind == "result" else value
        self._answers.appendleft((kind, block if of is None else of, answer))


@pytest.mark.parametrize(
    "link",
    [
        ForgingLink("result", None, [1]),
        ForgingLink("result", None, [0] * 1000),
        ForgingLink("result", None, "ab"),
        ForgingLink("result", None, {"a": 1}),
        ForgingLink("result", None, 5),
        ForgingLink("raw", None, b"garbage"),
        ForgingLink("raw", None, None),
        ForgingLink("result", 999, [0, 0]),
        ForgingLink("result", -1, [0, 0]),
        ForgingLink("failed", 999, "x"),
    ],
)
def test_an_answer_of_another_form_changes_no_result(link: ForgingLink) -> None:
    pool = ClusterPool(link, squares, (3,), COUNT, 1)
    assert [pool.result(index) for index in range(COUNT)] == [3 + index * index for index in range(COUNT)]


def test_an_answer_that_is_repeated_is_ignored() -> None:
    link = ForgingLink("result", 0, [0, 0])
    pool = ClusterPool(link, squares, (3,), COUNT, 1)
    pool.result(COUNT - 1)
    assert pool.result(COUNT // 2) == 3 + (COUNT // 2) ** 2
    assert not link.notes


def test_a_worker_with_other_versions_runs_nothing() -> None:
    with pytest.raises(OtherVersionError):
        run_block("other", pickle.dumps((squares, (0,))), [1])

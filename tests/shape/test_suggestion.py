from __future__ import annotations

import pytest

from cardgen.shape.suggestion import closest, did_you_mean, listed


@pytest.mark.parametrize(
    ("word", "found"), [("nmae", "name"), ("NAME", "name"), ("tag", "tags"), ("xyz", ""), ("", "")]
)
def test_closest(word: str, found: str) -> None:
    assert closest(word, ("name", "tags", "weapons")) == found


def test_the_question() -> None:
    assert did_you_mean("nmae", ("name",)) == "; did you mean 'name'?"
    assert did_you_mean("xyz", ("name",)) == ""


def test_lists() -> None:
    assert [listed(words) for words in (["a"], ["a", "b"], ["a", "b", "c"])] == ["a", "a or b", "a, b or c"]

"""Many cases of one statement are one test, in which each fails for itself."""

from __future__ import annotations

import inspect
from pathlib import Path

import pytest

from tests.cases import each_case


def test_every_case_that_fails_is_reported_by_its_name() -> None:
    @each_case(("one", "other"), [(1, 2), pytest.param(3, 3, id="equal"), (5, 4)])
    def check(one: int, other: int) -> None:
        assert one < other

    with pytest.raises(BaseExceptionGroup) as caught:
        check()
    assert str(caught.value).startswith("2 of 3 cases failed")
    assert [each.__notes__ for each in caught.value.exceptions] == [["in the case equal"], ["in the case 5, 4"]]


@pytest.mark.parametrize("ids", [lambda value: f"<{value}>", ["<1>", "<2>"]])
def test_names_are_given_as_for_tests_of_their_own(ids: object) -> None:
    @each_case("value", [1, 2], ids=ids)  # type: ignore[arg-type]
    def check(value: int) -> None:
        pytest.fail("no")

    with pytest.raises(BaseExceptionGroup) as caught:
        check()
    assert [each.__notes__ for each in caught.value.exceptions] == [["in the case <1>"], ["in the case <2>"]]


FOLDERS: list[Path] = []


@each_case("number", range(3))
def test_each_case_has_its_folder(number: int, tmp_path: Path) -> None:
    assert [*tmp_path.iterdir()] == []
    (tmp_path / "file").touch()
    FOLDERS.append(tmp_path)


def test_the_fixtures_are_those_that_are_no_values_of_cases() -> None:
    assert [*inspect.signature(test_each_case_has_its_folder).parameters] == ["tmp_path"]
    assert len({*FOLDERS}) in (0, 3)


def test_a_test_without_cases_is_a_mistake() -> None:
    with pytest.raises(ValueError, match="no cases of number"):
        each_case("number", [])

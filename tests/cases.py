"""Many cases of one statement as one test."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import pytest

Test = Callable[..., None]


def each_case(
    names: str | Sequence[str],
    values: Iterable[Any],
    ids: Callable[[Any], object] | Iterable[object] | None = None,
) -> Callable[[Test], Test]:
    """Run a test for each case, like `pytest.mark.parametrize`, but as one test, which reports every case that fails.

    For short cases: a test of its own costs some milliseconds, in which most of them are over. Cases share fixtures,
    but each has its own `tmp_path`. Raises ValueError if there are no cases.
    """
    parameters = [name.strip() for name in names.split(",")] if isinstance(names, str) else [*names]
    given = [*values]
    labels = [*ids] if isinstance(ids, Iterable) else [None] * len(given)
    cases = [
        _case(each, len(parameters), ids if callable(ids) else label) for each, label in zip(given, labels, strict=True)
    ]
    if not cases:
        raise ValueError(f"no cases of {names}")

    def decorate(function: Test) -> Test:
        @functools.wraps(function)
        def test(**fixtures: Any) -> None:
            failed: list[BaseException] = []
            root: Path | None = fixtures.get("tmp_path")
            for number, (name, arguments) in enumerate(cases):
                if root:
                    fixtures["tmp_path"] = root / str(number)
                    fixtures["tmp_path"].mkdir()
                try:
                    function(**dict(zip(parameters, arguments, strict=True)), **fixtures)
                except (Exception, pytest.fail.Exception) as error:
                    error.add_note(f"in the case {name}")
                    failed.append(error)
            if failed:
                raise BaseExceptionGroup(f"{len(failed)} of {len(cases)} cases failed", failed)

        signature = inspect.signature(function)
        fixtures = [each for name, each in signature.parameters.items() if name not in parameters]
        test.__signature__ = signature.replace(parameters=fixtures)  # type: ignore[attr-defined]
        return test

    return decorate


def _case(value: Any, count: int, label: object) -> tuple[str, tuple[Any, ...]]:
    """Return the name of a case and its arguments."""
    if hasattr(value, "marks"):  # made by pytest.param
        assert not value.marks, "cases of one test have no marks"
        arguments, label = value.values, value.id or label
    else:
        arguments = (value,) if count == 1 else tuple(value)
    if callable(label):
        return "-".join(str(label(each)) for each in arguments), arguments
    return str(label) if label is not None else ", ".join(map(repr, arguments)), arguments

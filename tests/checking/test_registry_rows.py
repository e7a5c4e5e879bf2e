"""Rows of text files as checks: expressions, functions, and fixed limits."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from cardgen.checking.check import Check, CheckContext, Confidence
from cardgen.checking.registry import checks_in_file
from cardgen.diagnostic import Severity
from cardgen.validation.base import Model

ROWS = """\
EX101 too-hot
Too hot.
---
EX301 cold-brave warning likely
on: cards.Brave
when: heat < limit
at: heat
say: only {heat} of {limit}
help: warm it up
fix: {limit}
A cold brave.
---
EX302 tall-tale note certain
on: cards.Brave
when: tale
at: tale:
say: "{tale}"
A tall tale.
---
EX303 odd-heat error certain
An odd heat.
"""
CARDS = """\
from cardgen.validation.base import Int, Model


class Brave(Model):
    heat: Int = 3
    tale: str = ""
"""
FUNCTIONS = """\
from cardgen.checking.check import Finding
from fires.cards import Brave


def odd_heat(brave: Brave):
    if brave.heat % 2:
        yield Finding("odd")
"""


@pytest.fixture
def checks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, Check]]:
    """The checks of a game with one file of rows, whose limit is 5."""
    folder = tmp_path / "fires" / "checks"
    folder.mkdir(parents=True)
    (tmp_path / "fires" / "__init__.py").touch()
    (tmp_path / "fires" / "cards.py").write_text(CARDS, encoding="utf-8")
    (folder / "__init__.py").write_text("NAMES = {'limit': lambda brave, context: 5}", encoding="utf-8")
    (folder / "braves.py").write_text(FUNCTIONS, encoding="utf-8")
    (folder / "braves.txt").write_text(ROWS, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    yield {check.code: check for check in checks_in_file(folder / "braves.txt", "fires.checks")}
    for name in [name for name in sys.modules if name.partition(".")[0] == "fires"]:
        del sys.modules[name]


def brave(check: Check, heat: int, tale: str = "") -> Model:
    model: Model = check.looks_at[0](heat=heat, tale=tale)
    return model


def found(check: Check, heat: int, tale: str = "") -> list[tuple[object, ...]]:
    assert check.find
    findings = check.find(brave(check, heat, tale), CheckContext(None))  # type: ignore[arg-type]
    return [(each.message, each.route, each.help, each.at_key, each.fix and each.fix.text) for each in findings]


def test_a_row_without_confidence_is_a_fixed_limit(checks: dict[str, Check]) -> None:
    limit = checks["EX101"]
    assert (limit.name, limit.severity, limit.is_fixed_limit) == ("too-hot", Severity.ERROR, True)
    assert limit.page == "Too hot."


def test_an_expression_decides_with_the_keys_of_the_model_and_the_names_of_the_game(checks: dict[str, Check]) -> None:
    check = checks["EX301"]
    assert (check.severity, check.confidence) == (Severity.WARNING, Confidence.LIKELY)
    assert check.page == "A cold brave."
    assert found(check, 4) == [("only 4 of 5", ("heat",), "warm it up", False, "5")]
    assert found(check, 5) == []


def test_a_colon_points_to_the_key(checks: dict[str, Check]) -> None:
    assert found(checks["EX302"], 4, "long") == [('"long"', ("tale",), "", True, None)]


def test_a_row_without_an_expression_is_the_function_of_its_name(checks: dict[str, Check]) -> None:
    check = checks["EX303"]
    assert (check.name, check.page) == ("odd-heat", "An odd heat.")
    assert [each[0] for each in found(check, 3)] == ["odd"]
    assert found(check, 4) == []


def test_a_row_without_a_condition_is_refused(checks: dict[str, Check], tmp_path: Path) -> None:
    (tmp_path / "fires" / "checks" / "braves.txt").write_text("EX304 no-such error certain\nA page.", encoding="utf-8")
    with pytest.raises(AttributeError, match="no_such"):
        list(checks_in_file(tmp_path / "fires" / "checks" / "braves.txt", "fires.checks"))

"""Every example of every manual page does what the page says."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardgen.checking.check import Check, ManualPage, expected_findings, parse_page
from cardgen.project_checks.services import all_checks
from tests.cases import each_case
from tests.checking.harness import checked, found_marks

CHECKS = all_checks().checks
MANUALS = [(check, parse_page(check.page)) for check in CHECKS]
EXAMPLES = [
    pytest.param(check, manual, example, id=f"{check.code}-{number}")
    for check, manual in MANUALS
    for number, example in enumerate(manual.examples)
]
INSTEAD = [
    pytest.param(manual, instead, id=f"{check.code}-{number}")
    for check, manual in MANUALS
    for number, instead in enumerate(manual.instead)
]


def mentioned(manual: ManualPage, text: str) -> list[str]:
    return [file for file in manual.files if file in text]


def test_there_are_examples() -> None:
    assert len(EXAMPLES) > 50
    assert len(INSTEAD) > 50


@each_case("check", CHECKS, ids=lambda check: check.code)
def test_every_check_has_a_page(check: Check) -> None:
    manual = parse_page(check.page)
    assert manual.title.endswith(".")
    assert "\n" not in manual.title
    assert manual.why
    assert not expected_findings(manual.why), "the heading 'Example' stands alone on its line, without a colon"


@each_case(("check", "manual", "example"), EXAMPLES)
def test_an_example_is_found_where_it_says(check: Check, manual: ManualPage, example: str, tmp_path: Path) -> None:
    expected = expected_findings(example)
    assert check.code in {mark.code for mark in expected}
    assert found_marks(checked(tmp_path, example, mentioned(manual, example))) == expected


@each_case(("manual", "instead"), INSTEAD)
def test_what_to_use_instead_is_clean(manual: ManualPage, instead: str, tmp_path: Path) -> None:
    assert found_marks(checked(tmp_path, instead, mentioned(manual, instead))) == ()

"""docs/checks.md is what the checks say of themselves."""

from __future__ import annotations

from pathlib import Path

from cardgen.checking.check import REGENERATE_COMMAND
from cardgen.project_checks.run import explain_checks
from cardgen.project_checks.services import all_checks

DOCS = Path(__file__).parents[2] / "docs" / "checks.md"


def test_the_handbook_is_fresh() -> None:
    assert DOCS.read_text(encoding="utf-8") == explain_checks("all"), f"renew it: {REGENERATE_COMMAND}"


def test_every_check_has_a_section() -> None:
    text = DOCS.read_text(encoding="utf-8")
    checks = all_checks().checks
    assert len(checks) > 80
    assert all(f"\n### {check.code} {check.name}\n" in text for check in checks)


def test_one_check_is_explained_by_code_and_by_name() -> None:
    assert explain_checks("WN301") == explain_checks("wasted-penetration")
    assert explain_checks("WN301").startswith("### WN301 wasted-penetration\n")


def test_an_example_is_the_lines_that_change_below_their_keys() -> None:
    assert explain_checks("WN304").partition("```diff\n")[2].partition("```")[0] == (
        "  abilities:\n"
        "-     effects: [{when: turn_start, bearer: {heal: 3}}]\n"
        "+     effects: [{when: turn_start, bearer: {heal: 2}}]\n"
    )


def test_long_lines_are_shown_where_they_change() -> None:
    page = explain_checks("WS338")
    assert "…" in page
    assert max(map(len, page.splitlines())) < 130


def test_one_of_several_findings_is_shown() -> None:
    change = explain_checks("WN303").partition("```diff\n")[2].partition("```")[0]
    assert [line[0] for line in change.splitlines()] == [" ", "-", "+"]

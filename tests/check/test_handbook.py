"""docs/checks.md is what the checks say of themselves."""

from __future__ import annotations

from pathlib import Path

from cardgen.check.handbook import RENEWED_BY
from cardgen.pipeline.checking import all_checks
from cardgen.pipeline.reporting import explain

DOCS = Path(__file__).parents[2] / "docs" / "checks.md"


def test_the_handbook_is_fresh() -> None:
    assert DOCS.read_text(encoding="utf-8") == explain("all"), f"renew it: {RENEWED_BY}"


def test_every_check_has_a_section() -> None:
    text = DOCS.read_text(encoding="utf-8")
    checks = all_checks().checks
    assert len(checks) > 80
    assert all(f"\n### {check.code} {check.name}\n" in text for check in checks)


def test_one_check_is_explained_by_code_and_by_name() -> None:
    assert explain("WN301") == explain("wasted-penetration")
    assert explain("WN301").startswith("### WN301 wasted-penetration\n")

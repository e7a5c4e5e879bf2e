"""Reports for CI servers: JUnit XML and GitLab Code Quality, each as its reader expects it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from lxml import etree

from cardgen.checking.reports import report
from cardgen.checking.runner import CheckResult
from cardgen.diagnostic import Severity
from tests.checking.harness import checked, inside
from tests.checking.reports.test_reports import CARDS, MANY, TEXT

JUNIT = etree.XMLSchema(etree.parse(Path(__file__).with_name("junit.xsd")))
# What GitLab says that it needs of each finding; it drops those that lack anything.
CODE_QUALITY = {
    "type": "array",
    "items": {
        "type": "object",
        "required": ["description", "check_name", "fingerprint", "severity", "location"],
        "properties": {
            "description": {"type": "string", "minLength": 1},
            "check_name": {"type": "string", "minLength": 1},
            "fingerprint": {"type": "string", "pattern": "^[0-9a-f]{64}$"},
            "severity": {"enum": ["info", "minor", "major", "critical", "blocker"]},
            "location": {
                "type": "object",
                "required": ["path", "lines"],
                "properties": {
                    "path": {"type": "string", "pattern": "^[^./]"},
                    "lines": {
                        "type": "object",
                        "required": ["begin"],
                        "properties": {"begin": {"type": "integer", "minimum": 1}},
                    },
                },
            },
        },
    },
}
CLEAN = "kind: relic\nname: Sun\neffects: [{when: turn_start, bearer: {heal: 1}}]\n"


@pytest.fixture
def outcome(tmp_path: Path) -> CheckResult:
    return checked(tmp_path, TEXT)


def junit(result: CheckResult) -> Any:
    root = etree.fromstring(report("junit", result).encode())
    JUNIT.assertValid(root)
    for element in (root, *root):
        cases = element.findall(".//testcase")
        assert int(element.get("tests")) == len(cases)
        assert int(element.get("failures")) == sum(case.find("failure") is not None for case in cases)
    return root


def code_quality(result: CheckResult) -> Any:
    issues = json.loads(report("gitlab", result))
    jsonschema.validate(issues, CODE_QUALITY)
    assert len({issue["fingerprint"] for issue in issues}) == len(issues)
    return issues


def test_junit_has_a_suite_for_each_file_and_a_case_for_each_check(outcome: CheckResult) -> None:
    (suite,) = junit(outcome)
    assert suite.get("name") == "card.yaml"
    assert [case.get("name") for case in suite] == ["CG125 near-duplicate", "CG201 doubled-word"]
    failure = suite[1][0]
    assert (failure.get("type"), failure.get("message")) == ("warning", "repeated word 'so'")
    assert failure.text == "card.yaml:4:12: warning[CG201]: repeated word 'so'; remove one of the two"


def test_junit_counts_the_findings_of_a_check(tmp_path: Path) -> None:
    (suite,) = junit(checked(tmp_path, MANY))
    (case,) = suite
    assert case[0].get("message") == "7 findings, the first: repeated word 'so'"
    assert len(case[0].text.splitlines()) == 7


def test_junit_passes_below_the_fail_level(outcome: CheckResult) -> None:
    root = junit(outcome._replace(fail_level=Severity.ERROR))
    assert (root.get("tests"), root.get("failures")) == ("2", "0")
    assert "repeated word" in root.findall(".//system-out")[1].text


def test_junit_has_a_case_for_a_clean_file(tmp_path: Path) -> None:
    (suite,) = junit(checked(tmp_path, CLEAN))
    assert [dict(case.attrib) for case in suite] == [{"name": "no findings", "classname": "card.yaml"}]


def test_junit_reports_what_stops_the_run(tmp_path: Path) -> None:
    (tmp_path / "cardgen.yaml").write_text("papr: a4\n", encoding="utf-8")
    (suite,) = junit(checked(tmp_path, CLEAN))
    assert (suite.get("name"), suite.get("failures")) == ("cardgen.yaml", "1")


def test_gitlab_gets_what_it_needs(outcome: CheckResult) -> None:
    doubled, duplicate = code_quality(outcome)
    del doubled["fingerprint"]
    assert doubled == {
        "description": "repeated word 'so' (remove one of the two)",
        "check_name": "CG201 doubled-word",
        "severity": "minor",
        "location": {"path": "card.yaml", "lines": {"begin": 4, "end": 4}},
    }
    assert duplicate["location"]["lines"]["begin"] == 6


def test_fingerprints_stay_when_lines_move(tmp_path: Path) -> None:
    before = code_quality(checked(tmp_path, TEXT))
    after = code_quality(checked(tmp_path, "# a comment\n\n" + TEXT))
    assert [one["fingerprint"] for one in before] == [one["fingerprint"] for one in after]
    assert [one["location"] for one in before] != [one["location"] for one in after]


def test_equal_findings_have_different_fingerprints(tmp_path: Path) -> None:
    assert len(code_quality(checked(tmp_path, MANY))) == 7


def test_a_whole_file_begins_at_line_1(tmp_path: Path) -> None:
    (issue,) = code_quality(checked(tmp_path, "\ufeff" + CLEAN))
    assert issue["location"] == {"path": "card.yaml", "lines": {"begin": 1}}


def test_a_clean_run_is_an_empty_list(tmp_path: Path) -> None:
    assert code_quality(checked(tmp_path, CLEAN)) == []


def test_every_check_fits_both_formats(tmp_path: Path) -> None:
    for path in CARDS.glob("*.yaml"):
        (tmp_path / path.name).write_bytes(path.read_bytes())
    result = checked(tmp_path, "kind: relic\nname: Sun\n")
    with inside(tmp_path):
        assert len(code_quality(result)) == len(result.findings) > 150
    assert len(junit(result).findall(".//testcase")) > 30

"""Reports: the same findings for people, for editors, and for programs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from pydantic import ValidationError
from pydantic_sarif.model import StaticAnalysisResultsFormatSarifVersion210JsonSchema as StandardLog

from cardgen.checking.reports import FORMATS, report
from cardgen.checking.runner import CheckResult
from tests.checking.harness import checked
from tests.cli.commands import process

CARDS = Path(__file__).parent.parent / "cards"
ROOT = Path(__file__).parents[3]
TEXT = """kind: relic
cards:
  - name: Sun Stone
    motto: so so, 100% warm
    effects: [{when: turn_start, bearer: {heal: 1}}]
  - name: Moon Stone
    effects: [{when: turn_start, bearer: {heal: 1}}]
"""


@pytest.fixture
def outcome(tmp_path: Path) -> CheckResult:
    return checked(tmp_path, TEXT)


def test_full_shows_the_line_the_fix_and_the_way_to_the_page(outcome: CheckResult) -> None:
    assert report("full", outcome) == (
        "card.yaml:4:12: warning[CG201]: repeated word 'so'\n"
        "   |\n"
        " 4 |     motto: so so, 100% warm\n"
        "   |            ^^^^^\n"
        "  help: remove one of the two\n"
        "  fix: --fix writes 'so' here\n"
        "  why: cardgen check --explain doubled-word\n"
        "\n"
        "card.yaml:6:11: warning[CG125]: 'Moon Stone' does exactly what 'Sun Stone' does\n"
        "   |\n"
        " 6 |   - name: Moon Stone\n"
        "   |           ^^^^^^^^^^\n"
        "  card.yaml:3:11: the other card\n"
        "   |\n"
        " 3 |   - name: Sun Stone\n"
        "   |           ^^^^^^^^^\n"
        "  help: change one of them, or remove it\n"
        "  why: cardgen check --explain near-duplicate\n"
        "\n"
    )


def test_concise_is_a_line_a_finding(outcome: CheckResult) -> None:
    assert report("concise", outcome) == (
        "card.yaml:4:12: warning[CG201]: repeated word 'so' (doubled-word)\n"
        "card.yaml:6:11: warning[CG125]: 'Moon Stone' does exactly what 'Sun Stone' does (near-duplicate)\n"
    )


def test_json_has_everything(outcome: CheckResult) -> None:
    data = json.loads(report("json", outcome))
    assert (data["version"], data["files"], data["cards"]) == (1, 1, 2)
    doubled, duplicate = data["findings"]
    assert doubled == {
        "code": "CG201",
        "name": "doubled-word",
        "severity": "warning",
        "confidence": "likely",
        "message": "repeated word 'so'",
        "help": "remove one of the two",
        "file": "card.yaml",
        "line": 4,
        "column": 12,
        "end_line": 4,
        "end_column": 17,
        "related": [],
        "fix": {"text": "so", "safe": True},
    }
    assert duplicate["related"][0]["line"] == 3
    assert duplicate["fix"] is None


def test_github_gets_commands_with_everything_escaped(outcome: CheckResult) -> None:
    assert report("github", outcome).splitlines() == [
        "::warning file=card.yaml,line=4,endLine=4,col=12,endColumn=17,title=CG201 doubled-word"
        "::repeated word 'so'%0Aremove one of the two",
        "::warning file=card.yaml,line=6,endLine=6,col=11,endColumn=21,title=CG125 near-duplicate"
        "::'Moon Stone' does exactly what 'Sun Stone' does%0Athe other card: card.yaml:3:11"
        "%0Achange one of them, or remove it",
    ]


def test_sarif_is_what_code_scanning_reads(outcome: CheckResult) -> None:
    log = json.loads(report("sarif", outcome))
    assert log["version"] == "2.1.0"
    (run,) = log["runs"]
    assert run["columnKind"] == "unicodeCodePoints"
    rules = run["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == ["CG125", "CG201"]
    assert all(rule["fullDescription"]["text"] and rule["shortDescription"]["text"] for rule in rules)
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        location = result["locations"][0]["physicalLocation"]
        assert location["artifactLocation"]["uri"] == "card.yaml"
        assert location["region"]["startLine"] <= location["region"]["endLine"]
    doubled, duplicate = run["results"]
    assert doubled["fixes"][0]["artifactChanges"][0]["replacements"][0]["insertedContent"] == {"text": "so"}
    assert duplicate["relatedLocations"][0]["physicalLocation"]["region"]["startLine"] == 3


def test_sarif_is_as_its_standard_says(tmp_path: Path) -> None:
    """The models come from the schema of OASIS and take no key that it does not know."""
    for path in CARDS.glob("*.yaml"):
        (tmp_path / path.name).write_bytes(path.read_bytes())
    log = json.loads(report("sarif", checked(tmp_path, "kind: relic\nname: Sun\n")))
    results = StandardLog.model_validate(log).runs[0].results
    assert results is not None
    assert len(results) > 150
    assert any(result.fixes for result in results)
    assert any(result.relatedLocations for result in results)
    log["runs"][0]["results"][0]["colour"] = "red"
    with pytest.raises(ValidationError, match="colour"):
        StandardLog.model_validate(log)


MANY = "kind: relic\ncards:\n" + "".join(
    f"  - name: Stone {number}\n    motto: so so\n    effects: [{{when: turn_start, bearer: {{heal: {number}}}}}]\n"
    for number in range(1, 8)
)


@pytest.fixture
def many(tmp_path: Path) -> CheckResult:
    """The same finding in 7 places."""
    return checked(tmp_path, MANY)


def test_full_shows_a_group_once_with_two_more_places_and_a_count(many: CheckResult) -> None:
    assert report("full", many) == (
        "card.yaml:4:12: warning[CG201]: repeated word 'so'\n"
        "   |\n"
        " 4 |     motto: so so\n"
        "   |            ^^^^^\n"
        "  card.yaml:7:12: also here\n"
        "   |\n"
        " 7 |     motto: so so\n"
        "   |            ^^^^^\n"
        "  card.yaml:10:12: also here\n"
        "    |\n"
        " 10 |     motto: so so\n"
        "    |            ^^^^^\n"
        "  help: remove one of the two\n"
        "  and 4 more places (--show-all lists them)\n"
        "  fix: --fix writes 'so' here\n"
        "  why: cardgen check --explain doubled-word\n"
        "\n"
    )


def test_concise_is_a_line_a_group(many: CheckResult) -> None:
    assert report("concise", many) == (
        "card.yaml:4:12: warning[CG201]: repeated word 'so' (doubled-word); "
        "also card.yaml:7:12, card.yaml:10:12 and 4 more places\n"
    )


def test_github_gets_an_annotation_for_each_finding_that_it_shows(many: CheckResult) -> None:
    lines = report("github", many).splitlines()
    assert lines[:2] == [
        f"::warning file=card.yaml,line={line},endLine={line},col=12,endColumn=17,title=CG201 doubled-word"
        "::repeated word 'so'%0Aremove one of the two"
        for line in (4, 7)
    ]
    assert len(lines) == 7
    lines = report("github", many._replace(findings=(*many.findings, *many.findings))).splitlines()
    assert len(lines) == 10
    assert lines[-1] == "::warning title=cardgen::5 more warnings: the summary of the job lists them"


def test_sarif_has_paths_from_the_root_and_pages_of_checks(many: CheckResult, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CARDGEN_DOCS", "https://example.org/docs")
    (run,) = json.loads(report("sarif", many))["runs"]
    place = run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]
    assert place == {"uri": "card.yaml", "uriBaseId": "%SRCROOT%"}
    assert place["uriBaseId"] in run["originalUriBaseIds"]
    driver = run["tool"]["driver"]
    assert driver["informationUri"] == "https://example.org/docs"
    (rule,) = driver["rules"]
    assert rule["helpUri"] == "https://example.org/docs/checks/cg201/"
    assert "```diff" in rule["help"]["markdown"]
    monkeypatch.delenv("CARDGEN_DOCS")
    assert "OWNER" not in report("sarif", many)


def test_markdown_is_a_row_a_group(many: CheckResult) -> None:
    heading, *_, row = report("markdown", many).splitlines()
    assert heading.startswith("### 1 warning (in 7 places): ")
    assert row.startswith(
        "| `card.yaml:4:12`<br>`card.yaml:7:12`<br>`card.yaml:10:12`<br>and 4 more places | **warning**"
    )


def test_markdown_links_to_nothing_that_a_card_names(tmp_path: Path) -> None:
    outcome = checked(tmp_path, "kind: relic\nname: Sun\nhttps://a.b www.a.b @c a/b#1 GH-1: 1\n")
    text = report("markdown", outcome)
    assert "https:&#8203;//a.b www&#8203;.a.b @&#8203;c a/b\\#&#8203;1 GH&#8203;-1" in text


@pytest.mark.parametrize("name", ["full", "concise", "github", "markdown"])
def test_everything_is_shown_on_request(name: str, many: CheckResult) -> None:
    shown = report(name, many._replace(show_all=True))
    assert shown.count("repeated word 'so'") == 7
    assert "more places" not in shown


def test_programs_get_every_place(many: CheckResult) -> None:
    assert len(json.loads(report("json", many))["findings"]) == 7
    assert len(json.loads(report("sarif", many))["runs"][0]["results"]) == 7


def test_a_whole_file_has_no_region(tmp_path: Path) -> None:
    outcome = checked(tmp_path, "\ufeffkind: relic\nname: Sun\neffects: [{when: turn_start, bearer: {heal: 1}}]\n")
    assert "::warning file=card.yaml,title=CG018 byte-order-mark::" in report("github", outcome)
    result = json.loads(report("sarif", outcome))["runs"][0]["results"][0]
    assert "region" not in result["locations"][0]["physicalLocation"]


def test_a_clean_run_says_nothing_but_the_last_line(tmp_path: Path) -> None:
    outcome = checked(tmp_path, "kind: relic\nname: Sun\neffects: [{when: turn_start, bearer: {heal: 1}}]\n")
    assert report("full", outcome) == report("concise", outcome) == report("github", outcome) == ""
    assert json.loads(report("json", outcome))["findings"] == []
    assert json.loads(report("sarif", outcome))["runs"][0]["results"] == []
    assert outcome.summary.startswith("clean: 1 file, 1 card, ")


def test_reports_are_the_same_bytes_for_any_hash_seed(tmp_path: Path) -> None:
    found = []
    for seed in ("1", "2"):
        formats = [f"--format={name}={tmp_path / seed / name}" for name in FORMATS]
        done = process("check", str(CARDS), "--no-cache", *formats, PYTHONHASHSEED=seed, PYTHONPATH=str(ROOT))
        assert done.code == 1, done.err
        found.append({name: (tmp_path / seed / name).read_bytes() for name in FORMATS})
    one, other = found
    assert [name for name in FORMATS if one[name] != other[name]] == []
    assert min(map(len, one.values())) > 3000


def test_a_fix_that_writes_spaces_shows_them(tmp_path: Path) -> None:
    assert "--fix writes '  ' here" in report(
        "full", checked(tmp_path, "kind: relic\nname: A\neffects:\n\t- {when: turn_start, bearer: {heal: 1}}\n")
    )

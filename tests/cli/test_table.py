from __future__ import annotations

import json

import pytest

from tests.cli.commands import Program, process
from tests.projects import STATS, Folder
from tests.tables.workbooks import xlsx


def test_cards_are_written_as_csv_to_standard_output(folder: Folder, cardgen: Program) -> None:
    folder.minions("Élan", "Warp Hound", more=", qty: 3")
    outcome = process("table", "export", "minion")
    assert outcome.code == 0
    assert outcome.out == (
        "\ufeffname,qty,stats.M,stats.B,stats.S,stats.W,stats.Mo\nÉlan,3,2,2,2,1,10\nWarp Hound,3,2,2,2,1,10\n"
    )


def test_a_table_that_was_written_belongs_to_the_project(folder: Folder, cardgen: Program) -> None:
    folder.minions("Ash", "Bone")
    outcome = cardgen("table", "export", "minion", "-o", "minions.xlsx")
    assert (outcome.code, outcome.out) == (0, "minions.xlsx\n")
    assert "kind: minion" in outcome.err
    (folder.root / "cards/minions.yaml").unlink()
    folder.write("cardgen.yaml", "tables: {minions.xlsx: {kind: minion}}\n")
    places = [line.split()[-1] for line in cardgen("list").out.splitlines()[1:]]
    assert places == ["minions.xlsx!minion:A2", "minions.xlsx!minion:A3"]
    assert cardgen("list", "minions.xlsx").out == cardgen("list").out


def test_an_existing_file_is_replaced_only_by_force(folder: Folder, cardgen: Program) -> None:
    folder.minions("Ash").write("a.csv", "mine")
    outcome = cardgen("table", "export", "minion", "-o", "a.csv")
    assert (outcome.code, outcome.out) == (2, "")
    assert "file already exists; left unchanged" in outcome.err
    assert cardgen("table", "export", "minion", "-o", "a.csv", "--force").code == 0


def test_json_and_selections(folder: Folder, cardgen: Program) -> None:
    folder.minions("Ash", "Bone")
    outcome = cardgen("table", "export", "minion", "--only", "bone", "-o", "a.json", "--json")
    assert json.loads(outcome.out) == {"version": 1, "command": "table", "files": ["a.json"], "cards": 1}
    (card,) = json.loads((folder.root / "a.json").read_text(encoding="utf-8"))
    assert card["name"] == "Bone"


def test_wrong_kinds_and_formats_have_suggestions(folder: Folder, cardgen: Program) -> None:
    folder.minions("Ash")
    assert "no cards of kind 'minoin'; did you mean 'minion'?" in cardgen("table", "export", "minoin").err
    assert "unknown table format '.doc'" in cardgen("table", "export", "minion", "-o", "a.doc").err
    assert "did you mean 'export'" in cardgen("table", "exprot").err
    assert cardgen("table", "export", "minion", "--json").code == 2


def test_tables_are_built_and_checked_like_other_files(
    folder: Folder, cardgen: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cardgen.runtime.fingerprint.SETTLED_NS", -3_600_000_000_000)
    folder.plain().write("data/m.csv", f'name,stats\nAsh,"{STATS}"\n')
    folder.write("cardgen.yaml", "tables: {data/m.csv: {kind: minion}}\n")
    assert cardgen("build", "-q").code == 0
    assert folder.files() == ["warniris-minion-a4.pdf"]
    assert "unchanged since the last build" in cardgen("build").err + cardgen("build").out
    folder.write("data/m.csv", f'name,stats\nAsh,"{STATS}"\nBone,"{STATS}"\n')
    assert "2 cards" in cardgen("build").err + cardgen("build").out
    assert cardgen("show", "Bone").code == 0


def test_fixes_leave_tables_alone(folder: Folder, cardgen: Program) -> None:
    text = f'name,stats,motto\nAsh,"{STATS}",the the end\n'
    folder.write("m.csv", text)
    folder.write("cardgen.yaml", "tables: {m.csv: {kind: minion}}\n")
    outcome = cardgen("check", "--fix", "--unsafe-fixes", "--no-cache")
    assert "m.csv:2:40: warning[CG201]" in outcome.out
    assert "fix:" not in outcome.out
    assert (folder.root / "m.csv").read_text(encoding="utf-8") == text


def test_every_report_has_the_cell(folder: Folder, cardgen: Program) -> None:
    folder.write("m.xlsx", xlsx([["name", "stats"], ["Ash", STATS.replace("B: 2", "B: 9")]]))
    folder.write("cardgen.yaml", "tables: {m.xlsx: {kind: minion}}\n")
    reports = {name: cardgen("check", "--no-cache", "--format", name).out for name in (
        "full", "concise", "markdown", "junit", "github", "gitlab", "sarif", "json")}  # fmt: skip
    for name in ("full", "concise", "markdown", "junit"):
        assert "m.xlsx!A:B2" in reports[name], name
    assert reports["github"].startswith("::error file=m.xlsx,title=")
    assert "::A:B2: " in reports["github"]
    assert json.loads(reports["gitlab"])[0]["description"].startswith("A:B2: ")
    assert json.loads(reports["gitlab"])[0]["location"]["lines"] == {"begin": 2, "end": 2}
    (location,) = json.loads(reports["sarif"])["runs"][0]["results"][0]["locations"]
    assert location == {
        "physicalLocation": {"artifactLocation": {"uri": "m.xlsx", "uriBaseId": "%SRCROOT%"}},
        "logicalLocations": [{"fullyQualifiedName": "A:B2"}],
    }
    finding = json.loads(reports["json"])["findings"][0]
    assert (finding["locator"], finding["line"], finding["column"]) == ("A:B2", 2, 2)


def test_reports_of_json_have_pointers_and_lines(folder: Folder, cardgen: Program) -> None:
    folder.write("m.json", f'[\n{{"name": "Ash", "stats": {json.dumps({"M": 9, "B": 2, "S": 2, "W": 1, "Mo": 10})}}}]')
    folder.write("cardgen.yaml", "tables: {m.json: {kind: minion}}\n")
    assert "m.json:2:32" in cardgen("check", "--format", "concise").out
    assert "file=m.json,line=2," in cardgen("check", "--format", "github").out
    (location,) = json.loads(cardgen("check", "--format", "sarif").out)["runs"][0]["results"][0]["locations"]
    assert location["physicalLocation"]["region"]["startLine"] == 2
    assert location["logicalLocations"] == [{"fullyQualifiedName": "/0/stats/M"}]


def test_mangled_cells_are_found_and_can_be_ignored(folder: Folder, cardgen: Program) -> None:
    folder.write("m.xlsx", xlsx([["name", "stats"], [7, STATS]]))
    folder.write("cardgen.yaml", "tables: {m.xlsx: {kind: minion}}\n")
    assert "m.xlsx!A:A2: warning[CG140]: the cell contains the number 7" in cardgen("check").out
    assert "CG140" not in cardgen("check", "--ignore", "mangled-cell").out

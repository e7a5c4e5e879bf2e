"""Tabs in files: a finding for each run of them, and an end to files of nothing else."""

from __future__ import annotations

from cardgen.project_checks.run import CheckRequest, check_project
from tests.projects import Folder

RELIC = "kind: relic\nname: Sun\n"


def places(folder: Folder, text: str) -> list[tuple[str, str]]:
    folder.write("cards/a.yaml", text)
    found = check_project(CheckRequest(select=("CG019",))).findings
    return [(str(each.diagnostic.place), each.fix.text) for each in found if each.fix]


def test_a_run_of_tabs_is_one_finding(folder: Folder) -> None:
    text = f"{RELIC}motto: >-\n\t\t It\t\tshines.\n\t\t so\n"
    assert places(folder, text) == [
        ("cards/a.yaml:4:1", "    "),
        ("cards/a.yaml:4:6", "  "),
        ("cards/a.yaml:5:1", "    "),
    ]


def test_a_file_of_tabs_has_an_end(folder: Folder) -> None:
    tabs = "x\t" * 3000
    assert len(places(folder, f"{RELIC}motto: a\n#{tabs}\n")) == 1000

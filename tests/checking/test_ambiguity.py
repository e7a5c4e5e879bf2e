"""Values that the versions of YAML read differently are settled by what their key takes."""

from __future__ import annotations

from cardgen.project_checks.run import CheckRequest, check_project
from tests.cases import each_case
from tests.projects import STATS, Folder

RELIC = "kind: relic\nname: Sun\ntext: It glows.\n"
QUOTES = "write {0} for the boolean, or put '{1}' in quotes for the text"


@each_case(
    ("line", "advice", "fix"),
    [
        ("once: yes", "write true", "true"),
        ("draft: Off", "write false", "false"),
        ("qty: no", "write a whole number", None),
        ("qty: 1:30", "write a whole number", None),
        ("motto: 12:30", "put 12:30 in quotes: '12:30'", "'12:30'"),
        ("motto: No", "put No in quotes: 'No'", "'No'"),
        ("nothing: yes", QUOTES.format("true", "yes"), "'yes'"),
        ("qty: 010", "put '010' in quotes, or write the number as 8 or 10", "10"),
    ],
)
def test_the_key_decides(line: str, advice: str, fix: str | None, folder: Folder) -> None:
    folder.write("cards/a.yaml", f"{RELIC}{line}\n")
    found = [each for each in check_project(CheckRequest()).findings if each.check.code == "CG014"]
    assert [(each.diagnostic.help, each.fix and each.fix.text) for each in found] == [(advice, fix)]


def test_keys_in_braces_and_in_parts(folder: Folder) -> None:
    line = "{kind: minion, name: Ox, stats: {M: 1, B: 1:30, S: 1, W: 1, Mo: 1}, motto: yes, weapons: [{'Axe': no}]}"
    folder.write("cards/a.yaml", f"game: warniris\ncards:\n  - {line}\n")
    found = [each for each in check_project(CheckRequest()).findings if each.check.code == "CG014"]
    assert [each.diagnostic.help for each in found] == [
        "write a whole number",
        "put yes in quotes: 'yes'",
        QUOTES.format("false", "no"),
    ]


def test_settings_are_settled_too(folder: Folder) -> None:
    folder.write("cardgen.yaml", "language: no\nversion_mark: on\n")
    folder.write("cards/a.yaml", f"kind: minion\nname: Ox\nstats: {STATS}\n")
    found = [each for each in check_project(CheckRequest()).findings if each.check.code == "CG014"]
    assert [each.diagnostic.help for each in found] == ["put no in quotes: 'no'", "write true"]

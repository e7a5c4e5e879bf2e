"""`cardgen check` in a repository of several projects, each with its own settings."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import cardgen as api
from tests.cli.commands import Program
from tests.projects import Folder
from tests.releases.test_run import git

RELIC = "kind: relic\nname: Sun Stone\nmotto: so so\neffects: [{when: turn_start, bearer: {heal: 1}}]\n"
FINDINGS = ["games/ash/cards/a.yaml:3:8", "games/ember/cards/a.yaml:3:8"]


@pytest.fixture
def repository(folder: Folder) -> Folder:
    """Two projects with a finding each, which is a failure in the first."""
    git(folder.root, "init", "-q")
    for name, level in (("ash", "warning"), ("ember", "error")):
        folder.write(f"games/{name}/cardgen.yaml", f"game: warniris\ncheck: {{fail_level: {level}}}\n")
        folder.write(f"games/{name}/cards/a.yaml", RELIC)
    folder.write(".gitignore", "/games/ash/cards/drafts/\n")
    for name in ("games/ash/cards/drafts/b.yaml", "games/ember/node_modules/b/b.yaml", "venv/b.yaml", "notes.yaml"):
        folder.write(name, "name: [\n")
    return folder


def places(cardgen: Program, *arguments: str) -> list[str]:
    lines = cardgen("check", "--format", "concise", *arguments).out.splitlines()[:-1]
    return [line.partition(": ")[0] for line in lines]


def test_each_project_is_checked_by_its_own_settings(repository: Folder, cardgen: Program) -> None:
    assert places(cardgen) == FINDINGS
    outcome = cardgen("check")
    assert outcome.code == 1
    assert "2 warnings: 2 files, 2 cards" in outcome.out
    repository.write("games/ash/cards/a.yaml", RELIC.replace("so so", "calm"))
    assert cardgen("check").code == 0
    assert [str(each.place) for each in api.check()] == FINDINGS[1:]


@pytest.mark.parametrize(
    ("arguments", "found"),
    [
        (("--project", "games/ember"), FINDINGS[1:]),
        (("--project", "games/ember/", "--project", "games/ash"), FINDINGS),
        (("games",), FINDINGS),
        (("games/ash/cards/a.yaml",), FINDINGS[:1]),
        (("games/ash/cards/a.yaml", "games/ember"), FINDINGS),
    ],
)
def test_paths_and_options_choose_projects(
    repository: Folder, cardgen: Program, arguments: tuple[str, ...], found: list[str]
) -> None:
    assert places(cardgen, *arguments) == found


def test_an_unknown_project_is_refused(repository: Folder, cardgen: Program) -> None:
    outcome = cardgen("check", "--project", "games/asch")
    assert outcome.code == 2
    assert "no project in 'games/asch'; did you mean 'games/ash'?" in outcome.err


def test_a_project_around_others_has_only_its_own_cards(repository: Folder, cardgen: Program) -> None:
    (repository.root / "notes.yaml").unlink()
    repository.write("cardgen.yaml", "game: warniris\n")
    assert places(cardgen) == FINDINGS  # it has no cards, which is no finding beside others
    repository.write("own.yaml", RELIC)
    assert places(cardgen) == [*FINDINGS, "own.yaml:3:8"]
    assert places(cardgen, "--project", ".") == ["own.yaml:3:8"]
    assert cardgen("list").out.count("Sun Stone") == 1


def test_reports_for_servers_name_files_from_the_root(
    repository: Folder, cardgen: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(repository.root / "games/ash")
    assert places(cardgen) == ["cards/a.yaml:3:8"]
    name = "games/ash/cards/a.yaml"
    for form in ("github", "sarif", "gitlab", "junit", "markdown"):
        text = cardgen("check", "--format", form).out
        assert name in text
        assert f'"{name[10:]}' not in text
    assert f"file={name}," in cardgen("check", "--format", "github").out


def test_what_a_branch_causes_is_found_in_each_project(repository: Folder, cardgen: Program) -> None:
    git(repository.root, "add", "games/ash/cardgen.yaml", "games/ash/cards/a.yaml")
    git(repository.root, "commit", "-qm", "first")
    repository.write("games/ash/cards/c.yaml", RELIC.replace("Sun", "Moon").replace("heal: 1", "heal: 2"))
    found = places(cardgen, "--changed-since", "HEAD")
    assert found == ["games/ash/cards/c.yaml:3:8", *FINDINGS[1:]]


def test_a_baseline_is_of_all_projects(repository: Folder, cardgen: Program, tmp_path: Path) -> None:
    assert cardgen("check", "--write-baseline", "base.json").code == 0
    assert len(json.loads((repository.root / "base.json").read_text("utf-8"))["findings"]) == 2
    outcome = cardgen("check", "--baseline", "base.json")
    assert outcome.code == 0
    assert "2 findings in the baseline" in outcome.out
    assert "stale" not in outcome.out

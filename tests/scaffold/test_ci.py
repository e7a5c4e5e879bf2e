"""What `cardgen new ci` writes for each host."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from cardgen.cli import run
from cardgen.scaffold.ci import HOSTS
from tests.projects import Folder
from tests.releases.test_run import git

SOURCE = "git+https://git.example.org/cards/cardgen@v1.2"
RELIC = "kind: relic\nname: Sun\nmotto: so so\neffects: [{when: turn_start, bearer: {heal: 1}}]\n"
BLESSING = """\
game: warcry
kind: blessing
name: Sun
motto: so so
points: {regular: 15, elite: 25}
changes: [{move: +1}]
"""


@pytest.fixture
def repository(folder: Folder) -> Folder:
    git(folder.root, "init", "-q")
    folder.write("cards/a.yaml", RELIC)
    return folder


@pytest.mark.parametrize("host", HOSTS)
def test_the_files_of_a_host_name_the_source(repository: Folder, capsys: pytest.CaptureFixture[str], host: str) -> None:
    repository.write(".gitattributes", "own\n")
    assert run(["new", "ci", "--host", host, "--from", SOURCE]) == 0
    written = capsys.readouterr().out.split()
    assert sorted(written) == sorted({*HOSTS[host], "cardgen.yaml"} - {".gitattributes"})
    assert (repository.root / ".gitattributes").read_text("utf-8") == "own\n"
    assert "output/" in (repository.root / ".gitignore").read_text("utf-8").splitlines()
    texts = {name: (repository.root / name).read_text("utf-8") for name in written}
    assert not any("OWNER" in text or "@SOURCE@" in text or "@LABELS@" in text for text in texts.values())
    assert sum(SOURCE in text for text in texts.values()) >= 3
    for name, text in texts.items():
        assert name.endswith((".md", ".py")) or yaml.safe_load(text)
    assert "git push" in "".join(texts.values())


def commands(data: Any) -> list[str]:
    """Return the scripts of jobs, wherever they are."""
    if isinstance(data, dict):
        own = [data["run"]] if isinstance(data.get("run"), str) else []
        return own + [each for value in data.values() for each in commands(value)]
    return [each for value in data for each in commands(value)] if isinstance(data, list) else []


def test_the_check_of_the_job_runs(repository: Folder, tmp_path: Path) -> None:
    git(repository.root, "add", "-A")
    git(repository.root, "commit", "-qm", "first")
    run(["new", "ci", "--from", SOURCE])
    workflow = yaml.safe_load((repository.root / ".github/workflows/cards.yml").read_text("utf-8"))
    (check,) = (each for each in commands(workflow) if each.startswith("cardgen"))
    summary = tmp_path / "summary.md"
    for base, code in (("", 1), ("HEAD", 0)):
        command = check.replace("cardgen", f"{sys.executable} -m cardgen", 1)
        environment = {**os.environ, "BASE": base, "GITHUB_STEP_SUMMARY": str(summary)}
        done = subprocess.run(["bash", "-c", command], env=environment, capture_output=True, check=False)
        assert done.returncode == code, done.stderr
    assert summary.read_text("utf-8").startswith("### clean")


@pytest.mark.parametrize("host", ["gitlab", "forgejo"])
def test_the_changed_cards_of_each_project_are_listed(
    repository: Folder, capsys: pytest.CaptureFixture[str], tmp_path: Path, host: str
) -> None:
    """In a repository of several projects, of which none is the repository itself, and one cannot be compared."""
    for name in ("a project", "b", "c"):
        repository.write(f"{name}/cardgen.yaml", "game: warniris\n")
        repository.write(f"{name}/cards/a.yaml", RELIC)
    (repository.root / "cards" / "a.yaml").unlink()
    (repository.root / "cards").rmdir()
    git(repository.root, "add", "-A")
    git(repository.root, "commit", "-qm", "first")
    repository.write("b/cards/a.yaml", RELIC.replace("heal: 1", "heal: 2"))
    repository.write("c/cards/a.yaml", f"{RELIC}odd: 1\n")
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (repository.root / "changes").symlink_to(elsewhere)  # as a request could
    run(["new", "ci", "--from", SOURCE, "--host", host])
    file = {"gitlab": ".gitlab-ci.yml", "forgejo": ".forgejo/workflows/cards.yml"}[host]
    texts = scripts(yaml.safe_load((repository.root / file).read_text("utf-8")))
    (script,) = (each for each in texts if "cardgen diff" in each)
    program = f'cardgen() {{ "{sys.executable}" -m cardgen "$@"; }}\npython() {{ :; }}\n'  # without the comment
    request = {"COMMENT_TOKEN": "x", "CI_MERGE_REQUEST_IID": "1", "CI_MERGE_REQUEST_DIFF_BASE_SHA": "HEAD"}
    environment = {**os.environ, **request, "BASE": "HEAD"}
    subprocess.run(["bash", "-ec", program + script], env=environment, capture_output=True, check=True)
    report = (repository.root / "changes" / "report.md").read_text("utf-8")
    assert not [*elsewhere.iterdir()]
    assert "## Changed cards in `a project`: HEAD" in report
    assert "**Sun**" in report.partition("in `b`")[2]
    assert "## Cards that could not be compared" in report
    for arguments in (["diff", "HEAD"], ["release", "v1"], ["list"]):
        assert run(arguments) == 1
        assert "run the command in one of the projects below it: 'a project', 'b', or 'c'" in capsys.readouterr().err
    assert not (repository.root / "releases").exists()


def scripts(data: Any) -> list[str]:
    """Return the texts of a workflow, of which some are scripts."""
    if isinstance(data, str):
        return [data]
    values = data.values() if isinstance(data, dict) else data if isinstance(data, list) else ()
    return [each for value in values for each in scripts(value)]


def test_the_action_is_used_where_it_is_hosted(repository: Folder) -> None:
    run(["new", "ci", "--from", "git+https://github.com/example/cardgen@v1.2"])
    assert "uses: example/cardgen@v1.2" in (repository.root / ".github/workflows/cards.yml").read_text("utf-8")


def test_a_wheel_of_the_repository_is_installed_by_hand_for_the_hook(
    repository: Folder, capsys: pytest.CaptureFixture[str]
) -> None:
    repository.write("tools/cardgen-1.0-py3-none-any.whl", b"")
    run(["new", "ci", "--host", "github", "--from", "tools/cardgen-1.0-py3-none-any.whl"])
    (hook,) = yaml.safe_load((repository.root / ".pre-commit-config.yaml").read_text("utf-8"))["repos"][0]["hooks"]
    assert (hook["language"], hook.get("additional_dependencies")) == ("system", None)
    assert "does not comment" in capsys.readouterr().err


def test_files_that_exist_are_named(repository: Folder, capsys: pytest.CaptureFixture[str]) -> None:
    repository.write(".gitignore", "own\n")
    assert run(["new", "ci", "--from", SOURCE]) == 0
    assert "already exist, left unchanged: .gitignore;" in capsys.readouterr().err
    assert run(["new", "ci", "--from", SOURCE]) == 0
    again = capsys.readouterr()
    assert again.out == ""
    assert all(name in again.err for name in HOSTS["github"])
    assert "next:" not in again.err


@pytest.mark.parametrize(
    "source",
    [
        "", 'x"; rm -rf "', "-r x", "a b", "/home/me/cardgen", "nonsense",
        "git+ssh://git@example.org/cards/cardgen@v1", "git@example.org:cards/cardgen.git",
        "git+https://me:password@example.org/cards/cardgen@v1", "/tmp/a.whl",
    ],
)  # fmt: skip
def test_a_source_that_is_none_is_refused(repository: Folder, capsys: pytest.CaptureFixture[str], source: str) -> None:
    assert run(["new", "ci", f"--from={source}"]) == 2
    said = capsys.readouterr().err
    assert said.startswith("--from: error")
    assert "use git+https://HOST/PATH@TAG, or the path of a wheel" in said
    assert not (repository.root / "CONTRIBUTING.md").exists()


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("https://example.org/a/b", "'git+' and '@TAG' are missing"),
        ("https://example.org/a/b@v1", "'git+' is missing\n  help: write git+https://example.org/a/b@v1\n"),
        (
            "git+https://example.org/a/b",
            "'@TAG' is missing\n  help: write git+https://example.org/a/b@TAG, with a tag or a",
        ),
        ("tools/cardgen.whl", "pip does not install cardgen from a file called 'cardgen.whl'"),
        ("https://example.org/cardgen.whl", "pip does not install cardgen from a file called 'cardgen.whl'"),
        ("tools/other-1.0-py3-none-any.whl", "pip does not install cardgen from a file called 'other-1.0-py3"),
        ("cardgen-1.0-py3-none-any.whl", "the repository has no file 'cardgen-1.0-py3-none-any.whl'"),
    ],
)
def test_what_a_source_lacks_is_named(
    repository: Folder, capsys: pytest.CaptureFixture[str], source: str, said: str
) -> None:
    assert run(["new", "ci", f"--from={source}"]) == 2
    assert said in capsys.readouterr().err
    assert not (repository.root / "CONTRIBUTING.md").exists()


def test_files_of_another_source_are_named(repository: Folder, capsys: pytest.CaptureFixture[str]) -> None:
    hosted = "git+https://github.com/example/cardgen@v1"
    run(["new", "ci", "--from", hosted])
    for source, named in ((hosted, 0), (f"{hosted}.2", 4), (SOURCE, 4)):
        capsys.readouterr()
        run(["new", "ci", "--from", source])
        said = capsys.readouterr().err.partition("note: ")[2]
        assert sum(name in said for name in HOSTS["github"]) == named
        assert not named or said.endswith(f" do not install cardgen from {source}\n")


def test_settings_name_the_one_game_of_all_cards(repository: Folder, capsys: pytest.CaptureFixture[str]) -> None:
    repository.write("cards/a.yaml", BLESSING)
    assert run(["new", "fighter", "Ash"]) == 2
    assert "--game warcry, or write 'game: warcry' in a new file cardgen.yaml" in capsys.readouterr().err
    run(["new", "ci", "--from", SOURCE])
    assert "cardgen.yaml: the game of the project is warcry" in capsys.readouterr().err
    assert run(["new", "fighter", "Ash"]) == 0
    assert (repository.root / ".cardgen/.gitignore").read_text("utf-8") == "*\n"


@pytest.mark.parametrize("others", ["cards/b.yaml", "deck/cardgen.yaml"])
def test_settings_are_not_guessed(repository: Folder, others: str) -> None:
    """For cards of several games, and where the projects are in folders below."""
    repository.write(others, BLESSING)
    assert run(["new", "ci", "--from", SOURCE]) == 0
    assert not (repository.root / "cardgen.yaml").exists()


@pytest.mark.skipif(os.name != "posix", reason="needs links")
@pytest.mark.parametrize("host", HOSTS)
def test_no_link_of_a_repository_leads_a_file_out_of_it(
    repository: Folder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, host: str
) -> None:
    victim = tmp_path / "victim"
    victim.mkdir()
    folders = {name.partition("/")[0] for name in HOSTS[host] if "/" in name}
    for name in folders:
        (repository.root / name).symlink_to(victim)
    repository.write("deck/cardgen.yaml", "game: warniris\n")
    monkeypatch.chdir(repository.root / "deck")
    assert run(["new", "ci", "--host", host, "--from", SOURCE]) == 1
    assert not [*victim.iterdir()]
    assert not (repository.root / "CONTRIBUTING.md").exists()

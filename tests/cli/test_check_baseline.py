"""`cardgen check --baseline`: a project adopts the checks late."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from tests.cli.commands import Outcome, Program


class Repository:
    """A project with cards that have findings, and its baseline."""

    def __init__(self, root: Path, cardgen: Program) -> None:
        self.root, self.cardgen = root, cardgen
        (root / "cards").mkdir()
        (root / "cardgen.yaml").write_text("game: warniris\n", encoding="utf-8")
        self.stones("a", "so so", "calm", "no no")

    def stones(self, name: str, *mottos: str) -> None:
        text = "kind: relic\ncards:\n" + "".join(
            f"  - name: Stone {name} {number}\n    motto: {motto}\n"
            f"    effects: [{{when: turn_start, bearer: {{heal: {number + 1}}}}}]\n"
            for number, motto in enumerate(mottos)
        )
        (self.root / "cards" / f"{name}.yaml").write_text(text, encoding="utf-8")

    def check(self, *arguments: str) -> Outcome:
        return self.cardgen("check", "--select", "doubled-word,tab", "--format", "concise", *arguments)

    def entries(self) -> list[str]:
        data = json.loads((self.root / "old.json").read_text(encoding="utf-8"))
        assert data["version"] == 1
        return [f"{item['file']}: {item['text']}" for item in data["findings"] for _ in range(item["count"])]


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cardgen: Program) -> Repository:
    folder = tmp_path / "repository"
    folder.mkdir()
    monkeypatch.chdir(folder)
    monkeypatch.setattr("platformdirs.user_cache_dir", lambda name: str(tmp_path / "cache"))
    return Repository(folder, cardgen)


def test_what_is_in_the_baseline_is_left_out(repository: Repository) -> None:
    assert repository.check().code == 1
    outcome = repository.check("--write-baseline", "old.json")
    assert (outcome.code, outcome.out) == (0, "clean: 1 file, 3 cards, 2 checks run, 2 findings in the baseline\n")
    assert repository.entries() == ["cards/a.yaml: motto: no no", "cards/a.yaml: motto: so so"]
    assert repository.check("--baseline", "old.json") == outcome


def test_lines_may_move(repository: Repository) -> None:
    repository.check("--write-baseline", "old.json")
    path = repository.root / "cards" / "a.yaml"
    path.write_text("# a comment\n\n" + path.read_text(encoding="utf-8"), encoding="utf-8")
    assert repository.check("--baseline", "old.json").code == 0


def test_only_the_new_finding_is_reported(repository: Repository) -> None:
    repository.check("--write-baseline", "old.json")
    repository.stones("a", "so so", "calm", "no no", "so so", "and so so")
    outcome = repository.check("--baseline", "old.json")
    assert outcome.code == 1
    assert [line.partition(":")[2].partition(":")[0] for line in outcome.out.splitlines()[:-1]] == ["13", "16"]
    assert outcome.out.splitlines()[-1].startswith("2 warnings: ")


def test_a_fixed_finding_makes_its_entry_stale(repository: Repository) -> None:
    repository.check("--write-baseline", "old.json")
    repository.stones("a", "calm", "calm", "no no")
    outcome = repository.check("--baseline", "old.json", "--statistics")
    assert outcome.code == 0
    assert "stale in the baseline: cards/a.yaml: CG201: repeated word 'so'\n" in outcome.out
    assert outcome.out.endswith(", 1 finding in the baseline, 1 stale\n")
    data = json.loads(repository.check("--baseline", "old.json", "--format", "json").out)
    assert data["baseline"]["findings"] == 1
    assert [entry["text"] for entry in data["baseline"]["stale"]] == ["motto: so so"]
    assert repository.check("--write-baseline", "old.json").out.endswith("1 finding in the baseline\n")
    assert repository.entries() == ["cards/a.yaml: motto: no no"]


def test_an_entry_that_stands_for_millions_of_findings_is_counted(repository: Repository) -> None:
    repository.check("--write-baseline", "old.json")
    old = repository.root / "old.json"
    baseline = json.loads(old.read_text(encoding="utf-8"))
    baseline["findings"] = [item | {"message": f"m{number}", "count": 1_000_000}
                            for number in range(2_000) for item in baseline["findings"][:1]]  # fmt: skip
    old.write_text(json.dumps(baseline), encoding="utf-8")
    outcome = repository.check("--baseline", "old.json", "--statistics")
    assert "stale in the baseline: cards/a.yaml: CG201: m7 (1,000,000 times)\n" in outcome.out
    assert outcome.out.endswith(", 2,000,000,000 stale\n")
    report = repository.cardgen("check", "--baseline", "old.json", "--select", "doubled-word", "--format", "json").out
    data = json.loads(report)
    assert [entry["count"] for entry in data["baseline"]["stale"]] == [1_000_000] * 2_000


def test_what_a_run_does_not_look_at_is_not_stale(repository: Repository) -> None:
    repository.stones("b", "ha ha")
    repository.check("--write-baseline", "old.json")
    assert "stale" not in repository.check("--baseline", "old.json", "cards/b.yaml").out
    assert "stale" not in repository.cardgen("check", "--select", "tab", "--baseline", "old.json").out
    (repository.root / "cards" / "b.yaml").unlink()
    assert repository.check("--baseline", "old.json").out.endswith("1 stale\n")


def test_writing_a_part_keeps_the_rest(repository: Repository) -> None:
    repository.check("--write-baseline", "old.json")
    repository.stones("b", "ha ha")
    repository.check("--write-baseline", "old.json", "cards/b.yaml")
    assert len(repository.entries()) == 3
    repository.cardgen("check", "--select", "tab", "--write-baseline", "old.json")
    assert len(repository.entries()) == 3


def test_it_holds_from_any_folder(repository: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    repository.check("--write-baseline", "old.json")
    monkeypatch.chdir("cards")
    assert repository.check("--baseline", "../old.json").code == 0


def test_a_fixed_limit_stays(repository: Repository) -> None:
    path = repository.root / "cards" / "a.yaml"
    path.write_text(path.read_text(encoding="utf-8") + "    oops: 1\n", encoding="utf-8")
    outcome = repository.check("--write-baseline", "old.json")
    assert outcome.code == 1
    assert "CG101" in outcome.out
    assert all("oops" not in entry for entry in repository.entries())


def test_a_changed_baseline_is_read_again(repository: Repository) -> None:
    for file in repository.root.rglob("*.*"):
        os.utime(file, (1e9, 1e9))
    hidden = repository.root / ".old.json"
    repository.check("--write-baseline", ".old.json")
    os.utime(hidden, (1e9, 1e9))
    assert repository.check("--baseline", ".old.json").code == 0
    hidden.write_text('{"version": 1, "findings": []}', encoding="utf-8")
    assert repository.check("--baseline", ".old.json").code == 1


@pytest.mark.parametrize("option", ["--baseline", "--write-baseline"])
def test_a_file_that_is_no_baseline_is_wrong_usage(repository: Repository, option: str) -> None:
    for content, message in [(b"[]", "'old.json': not a baseline"), (b"\xff", "'old.json' is not encoded in UTF-8")]:
        (repository.root / "old.json").write_bytes(content)
        outcome = repository.check(option, "old.json")
        assert outcome.code == 2
        assert message in outcome.err
        assert (repository.root / "old.json").read_bytes() == content


def test_a_missing_baseline_is_wrong_usage(repository: Repository) -> None:
    outcome = repository.check("--baseline", "old.json")
    assert outcome.code == 2
    assert "'old.json' does not exist" in outcome.err


def test_a_link_out_of_the_project_is_not_followed(repository: Repository) -> None:
    outside = repository.root.parent / "outside.json"
    outside.write_text('{"version": "secret", "findings": []}', encoding="utf-8")
    link = repository.root / "old.json"
    try:
        link.symlink_to(outside)
    except OSError:
        pytest.skip("this system has no links")
    outcome = repository.check("--baseline", "old.json")
    assert outcome.code == 1
    assert "error[CG023]: the link points outside the project" in outcome.err
    assert "secret" not in outcome.err

"""`cardgen check --changed-since`: what a branch causes, and nothing else."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import cardgen as api
from tests.cli.commands import Program
from tests.products import ROOT
from tests.releases.test_run import git
from tests.tables.workbooks import xlsx

HEAL = "effects: [{when: turn_start, bearer: {heal: 2}}]\n"


class Branch:
    """A repository with a commit that has findings, and changes that are not committed."""

    def __init__(self, root: Path, cardgen: Program) -> None:
        self.root, self._cardgen = root, cardgen
        self.write("cardgen.yaml", "game: warniris\n")
        self.stone("cards/a.yaml", "Sun Stone", "so so")
        git(root, "init", "-q")
        git(root, "add", "-A")
        git(root, "commit", "-qm", "first")

    def write(self, name: str, text: str) -> None:
        path = self.root / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def stone(self, name: str, title: str, motto: str, *, heal: int = 1) -> None:
        effects = f"[{{when: turn_start, bearer: {{heal: {heal}}}}}]"
        self.write(name, f"kind: relic\nname: {title}\nmotto: {motto}\neffects: {effects}\n")

    def check(self, *arguments: str) -> list[str]:
        outcome = self._cardgen("check", "--changed-since", "HEAD", "--format", "concise", *arguments)
        assert outcome.code in (0, 1), outcome.err
        return outcome.out.splitlines()


@pytest.fixture
def branch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cardgen: Program) -> Branch:
    folder = tmp_path / "repository"
    folder.mkdir()
    monkeypatch.chdir(folder)
    monkeypatch.setattr("platformdirs.user_cache_dir", lambda name: str(tmp_path / "cache"))
    return Branch(folder, cardgen)


def test_what_was_there_is_not_shown(branch: Branch) -> None:
    (summary,) = branch.check()
    assert summary.startswith("clean: 1 file, 1 card")
    assert summary.endswith("1 older finding not shown")


def test_what_the_branch_causes_is_shown(branch: Branch) -> None:
    branch.stone("cards/b.yaml", "Moon Stone", "go go", heal=2)
    finding, summary = branch.check()
    assert finding.startswith("cards/b.yaml:3:8: warning[CG201]: repeated word 'go'")
    assert summary.endswith("1 older finding not shown")


@pytest.mark.parametrize("name", ["cards/a.yaml", "cards/z.yaml"])
def test_a_finding_stays_old_in_a_line_that_changed_and_in_a_file_that_was_renamed(branch: Branch, name: str) -> None:
    motto = "so so la" if name == "cards/a.yaml" else "so so"
    (branch.root / "cards/a.yaml").unlink()
    branch.stone(name, "Sun Stone", motto)
    assert len(branch.check()) == 1


def test_the_same_finding_once_more_is_new(branch: Branch) -> None:
    branch.write("cards/a.yaml", (branch.root / "cards/a.yaml").read_text("utf-8").replace("so so", "so so, so so"))
    assert len(branch.check()) == 2


@pytest.mark.parametrize("name", ["0", "b"])
def test_of_two_cards_with_an_id_the_new_one_is_named(branch: Branch, name: str) -> None:
    """Cards are read in the order of their files, so the old card is the second one if the new file comes first."""
    branch.write(
        f"cards/{name}.yaml", "kind: relic\nname: Moon\nid: sun-stone\neffects: [{when: hit, bearer: {heal: 1}}]\n"
    )
    branch.write(
        f"cards/{name}.yaml",
        "kind: relic\nname: Moon\nid: sun-stone\nmotto: Calm.\neffects: [{when: turn_start, bearer: {heal: 2}}]\n",
    )
    finding, _ = branch.check()
    assert finding.startswith(f"cards/{name}.yaml:3:5: error[CG114]: duplicate id 'sun-stone'")


def test_a_name_that_no_longer_exists_is_caused_by_who_removed_it(branch: Branch) -> None:
    branch.write("cards/w.yaml", "kind: warband\nname: Few\nmembers: [{character: Anna}]\n")
    stats = "{M: 3, B: 2, S: 2, W: 5, Mo: 10}"
    branch.write("cards/m.yaml", f"kind: character\nname: Anna\nstats: {stats}\nweapons: [Saber: CW R1 P1 D1]\n")
    git(branch.root, "add", "-A")
    git(branch.root, "commit", "-qm", "second")
    assert len(branch.check()) == 1
    (branch.root / "cards/m.yaml").unlink()
    finding, _ = branch.check()
    assert finding.startswith("cards/w.yaml:3:")
    assert "Anna" in finding


def test_settings_and_games_are_those_of_then(branch: Branch) -> None:
    branch.write("cardgen.yaml", "game: warniris\npaper: a99\n")
    assert any("a99" in line for line in branch.check())


def test_it_works_from_any_folder_and_as_data(
    branch: Branch, monkeypatch: pytest.MonkeyPatch, cardgen: Program
) -> None:
    branch.stone("cards/b.yaml", "Moon Stone", "go go", heal=2)
    monkeypatch.chdir(branch.root / "cards")
    data = json.loads(cardgen("check", "--changed-since", "HEAD", "--json").out)
    assert [each["code"] for each in data["findings"]] == ["CG201"]
    assert data["since"] == {"release": "HEAD", "findings": 1}
    assert [each.code for each in api.check(changed_since="HEAD")] == ["CG201"]


@pytest.mark.parametrize("name", ["nope", "--output", ""])
def test_an_unknown_name_is_an_error(branch: Branch, cardgen: Program, name: str) -> None:
    outcome = cardgen("check", f"--changed-since={name}")
    assert outcome.code == 2
    assert "unknown release" in outcome.err


def test_a_lost_id_is_where_its_card_was(branch: Branch, cardgen: Program) -> None:
    heal = "effects: [{{when: turn_start, bearer: {{heal: {}}}}}]"
    cards = [f"  - name: Stone {number}\n    {heal.format(number)}\n" for number in (1, 2, 3)]
    branch.write("cards/b.yaml", f"kind: relic\ncards:\n{''.join(cards)}")
    branch.write("cards/c.csv", "kind,name,text\nrelic,Coin,It is round.\nrelic,Ring,It is rounder.\n")
    rows = [["name", "text"], ["Lamp", "It is bright."], ["Torch", "It is brighter."]]
    (branch.root / "cards/d.xlsx").write_bytes(xlsx(rows))
    branch.write("cardgen.yaml", "game: warniris\ntables: {cards/c.csv: {}, cards/d.xlsx: {kind: relic}}\n")
    assert cardgen("release", "v1").code == 0
    git(branch.root, "add", "-A")
    git(branch.root, "commit", "-qm", "second")
    assert len(branch.check()) == 1
    branch.write("cards/b.yaml", f"kind: relic\ncards:\n{cards[0]}{cards[2]}")
    branch.write("cards/c.csv", "kind,name,text\nrelic,Coin,It is round.\n")
    (branch.root / "cards/d.xlsx").write_bytes(xlsx(rows[:2]))
    (branch.root / "cards/a.yaml").unlink()
    stone, ring, torch, sun, _ = branch.check()
    assert stone.startswith("cards/b.yaml:5:1: warning[CG133]: no card has the id 'stone-2' of the release v1")
    assert ring.startswith("cards/c.csv:2:1: warning[CG133]: no card has the id 'ring' of the release v1")
    assert torch.startswith("cards/d.xlsx!A:A3: warning[CG133]: no card has the id 'torch' of the release v1")
    assert sun.startswith("releases/v1.yaml:")
    assert "'sun-stone' of the release v1; it was in cards/a.yaml" in sun


def test_a_finding_whose_figures_change_elsewhere_stays_old(branch: Branch) -> None:
    horde = "kind: warband\nname: Levy\nminions:\n  - {minion: sentinel, qty: 18}\n"
    branch.write("cards/w.yaml", horde)
    git(branch.root, "add", "-A")
    git(branch.root, "commit", "-qm", "second")
    branch.write("cards/w.yaml", horde.replace("18", "17"))
    assert len(branch.check()) == 1


def test_a_release_that_was_edited_is_one_finding_at_the_line(branch: Branch, cardgen: Program) -> None:
    assert cardgen("release", "v1").code == 0
    git(branch.root, "add", "-A")
    git(branch.root, "commit", "-qm", "release")
    branch.stone("cards/a.yaml", "Moon Stone", "so so")
    text = (branch.root / "releases/v1.yaml").read_text("utf-8")
    branch.write("releases/v1.yaml", text.replace("sun-stone", "moon-stone").replace("Sun Stone", "Moon Stone"))
    line = text[: text.index("sun-stone")].count("\n") + 1
    finding, _ = branch.check()
    assert finding == f"releases/v1.yaml:{line}:1: warning[CG133]: the release v1 was edited since HEAD (lost-id)"
    full = cardgen("check", "--changed-since", "HEAD").out
    assert "restore the file; write 'formerly: sun-stone' on the card that was renamed" in full
    branch.write("releases/v1.yaml", text)
    assert all("was edited" not in each for each in branch.check())
    (branch.root / "releases/v1.yaml").unlink()
    assert "releases/v1.yaml: warning[CG133]: the release v1 was removed since HEAD (lost-id)" in branch.check()


def test_what_changes_in_others_since_a_card_cannot_be_read_is_not_told(branch: Branch) -> None:
    text = (ROOT / "cards/warniris/characters.yaml").read_text("utf-8")
    branch.write("cards/c.yaml", text)
    git(branch.root, "add", "-A")
    git(branch.root, "commit", "-qm", "second")
    assert branch.check()[0].startswith("clean")
    mind = "stats: {M: 2, B: 3, S: 4, W: 5, Mo: 12}"
    assert mind in text
    branch.write("cards/c.yaml", text.replace(mind, mind.replace("M:", "Q:")))
    error, summary = branch.check()  # without the card, another one would be an outlier
    assert error.startswith("cards/c.yaml:23:13: error[CG101]")
    assert summary.startswith("1 error:")

"""What a repository of many people brings: marks of merges, files that Git LFS keeps, names, files in wrong places."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.cli.commands import Program
from tests.projects import Folder

RELIC = "kind: relic\nname: Sun Stone\neffects: [{when: turn_start, bearer: {heal: 1}}]\n"
CONFLICT = "<<<<<<< HEAD\nname: Sun Stone\n=======\nname: Moon Stone\n>>>>>>> branch\n"
POINTER = "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n"


def found(cardgen: Program, *arguments: str) -> list[str]:
    return cardgen("check", "--format", "concise", *arguments).out.splitlines()[:-1]


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_marks_of_a_merge_are_one_finding_at_the_first(folder: Folder, cardgen: Program, newline: str) -> None:
    text = f"kind: relic\n{CONFLICT}".replace("\n", newline)
    folder.plain().write("cards/a.yaml", text)
    (finding,) = found(cardgen)
    assert finding == "cards/a.yaml:2:1: error[CG024]: mark of a merge conflict (merge-conflict)"


@pytest.mark.parametrize("name", ["cardgen.yaml", "releases/v1.yaml"])
def test_marks_of_a_merge_in_settings_and_releases(folder: Folder, cardgen: Program, name: str) -> None:
    folder.plain().write("cards/a.yaml", RELIC)
    folder.write("cardgen.yaml", "game: warniris\n")
    assert cardgen("release", "v1").code == 0
    path = folder.root / name
    path.write_text(f"{path.read_text('utf-8')}{CONFLICT}", "utf-8")
    outcome = cardgen("diff", "v1")
    assert "error[CG024]: mark of a merge conflict" in outcome.err


def test_a_text_that_shows_a_mark_is_a_text(folder: Folder, cardgen: Program) -> None:
    folder.plain().write("cards/a.yaml", f"{RELIC}motto: |-\n  <<<<<<< left\n")
    assert not any("CG024" in each for each in found(cardgen))


@pytest.mark.parametrize("name", ["cards/b.yaml", "art/sun.svg", "fonts/Own.ttf"])
def test_a_file_that_git_lfs_keeps_is_named_so(folder: Folder, cardgen: Program, name: str) -> None:
    folder.plain().write("cards/a.yaml", f"{RELIC}art: art/sun.svg\n" if name.startswith("art") else RELIC)
    folder.write(name, POINTER)
    assert any("Git LFS has not fetched it; run 'git lfs pull'" in each for each in found(cardgen, "--fit"))


def test_paths_that_differ_only_in_case(folder: Folder, cardgen: Program) -> None:
    folder.plain().write("cards/A.yaml", RELIC)
    folder.write("cards/a.yaml", RELIC.replace("Sun", "Moon").replace("heal: 1", "heal: 2"))
    if len(list((folder.root / "cards").iterdir())) < 2:
        pytest.skip("the file system does not tell the names apart")
    (finding,) = found(cardgen)
    assert finding.startswith("cards/a.yaml: warning[CG130]: the path differs from 'cards/A.yaml' only in case")


def test_a_card_beside_the_folder_of_the_cards(folder: Folder, cardgen: Program) -> None:
    folder.plain().write("cards/a.yaml", RELIC)
    folder.write("b.yaml", RELIC)
    folder.write("notes.yaml", "todo: draw art\n")
    folder.write("deploy.yaml", "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\n")
    (finding,) = found(cardgen)
    assert finding.startswith("b.yaml:1:1: warning[CG131]: a card in a file that is not read")
    assert found(cardgen, "cards/a.yaml") == []


def test_a_card_without_a_name_is_what_others_may_mean(folder: Folder, cardgen: Program) -> None:
    """References and released ids that could be it are not reported besides."""
    folder.plain().write("cards/a.yaml", RELIC)
    hero = "kind: character\nname: Ash\nstats: {M: 3, B: 3, S: 3, W: 5, Mo: 10}\nweapons: [{Maul: CW R1 P1 D2}]\n"
    folder.write("cards/b.yaml", hero)
    folder.write("cards/c.yaml", "kind: warband\nname: Oath\nmembers: [{character: Ash, relic: Sun Stone}]\n")
    cardgen("release", "v1")
    folder.write("cards/a.yaml", RELIC.replace("name: Sun Stone\n", ""))
    (finding,) = found(cardgen)
    assert finding == "cards/a.yaml:1:1: error[CG102]: missing key 'name' (missing-key)"


def test_files_among_the_cards_that_are_not_read(folder: Folder, cardgen: Program) -> None:
    folder.plain().write("cards/a.yaml", RELIC)
    card = RELIC.replace("Sun", "Moon")
    for name in ("b.yaml.txt", "c.YAML", "d.yml.orig", "e.txt", "f.csv", "g.xlsx"):
        folder.write(f"cards/{name}", card)
    for name, text in {"notes.txt": "todo\n", "~$g.xlsx": "", "data.json": "[1]\n", "a.md": card}.items():
        folder.write(f"cards/{name}", text)
    folder.write("prices.csv", "a,b\n")
    read = "warning[CG131]: a card in a file that is not read (misplaced-card)"
    table = "warning[CG131]: a table that is not read (misplaced-card)"
    assert found(cardgen, "--show-all") == [
        *(f"cards/{name}:1:1: {read}" for name in ("b.yaml.txt", "c.YAML", "d.yml.orig", "e.txt")),
        *(f"cards/{name}: {table}" for name in ("f.csv", "g.xlsx")),
    ]


def test_cards_in_the_folder_of_a_game_are_not_read(folder: Folder, cardgen: Program) -> None:
    folder.plain().write("cards/a.yaml", RELIC)
    folder.write("games/own/cards/b.yaml", RELIC.replace("Sun", "Moon"))
    folder.write("games/own/notes.yaml", "todo: all\n")
    folder.write("games/other/cardgen.yaml", "game: warniris\n")  # a project of its own
    folder.write("games/other/cards/c.yaml", RELIC.replace("Sun", "Star"))
    assert found(cardgen) == [
        "games/own/cards/b.yaml:1:1: warning[CG131]: a card in a file that is not read (misplaced-card)"
    ]


def test_files_beside_others_that_are_read(folder: Folder, cardgen: Program) -> None:
    """A project without a folder for cards, and a table beside one that the settings name."""
    folder.write("cardgen.yaml", "tables: {tables/a.csv: {kind: relic}}\n")
    folder.write("tables/a.csv", "name,text\nSun Stone,It shines.\n")
    folder.write("tables/b.csv", "name,text\nMoon Stone,It shines.\n")
    folder.write("bands/c.yaml", RELIC.replace("Sun", "Star"))
    folder.write("bands/d.yaml.txt", RELIC.replace("Sun", "Sea"))
    folder.write("prices.csv", "a,b\n")
    assert found(cardgen) == [
        "bands/d.yaml.txt:1:1: warning[CG131]: a card in a file that is not read (misplaced-card)",
        "tables/b.csv: warning[CG131]: a table that is not read (misplaced-card)",
    ]


def test_looks_beside_the_folders_of_games(folder: Folder, cardgen: Program) -> None:
    folder.plain().write("cards/a.yaml", RELIC)
    for name in ("theme.yaml", "theme.dark.yaml", "relic.svg.j2", "macros.svg.j2", "notes.yaml"):
        folder.write(f"templates/{name}", "colours: {plaque: '#5e2612'}\n")
    assert found(cardgen) == [
        f"templates/{name}: warning[CG131]: a {what} that is not read (misplaced-card)"
        for name, what in (("relic.svg.j2", "template"), ("theme.dark.yaml", "theme"), ("theme.yaml", "theme"))
    ]


def test_a_card_beside_projects_belongs_to_none(folder: Folder, cardgen: Program) -> None:
    folder.write("cards/a.yaml", f"game: warniris\n{RELIC}motto: so so\n")
    for name, game in (("one", "warniris"), ("other", "skirmish"), ("two", "warniris")):
        folder.write(f"{name}/cardgen.yaml", f"game: {game}\n")
        folder.write(f"{name}/cards/b.yaml", f"game: warniris\n{RELIC}")
    outcome = cardgen("check", "--format", "full")
    assert "warning[CG131]: the file belongs to no project" in outcome.out
    assert "move it to 'one/cards' or 'two/cards', or add a cardgen.yaml" in outcome.out
    assert outcome.out.count("CG") == 1


@pytest.mark.skipif(not hasattr(os, "symlink") or os.name == "nt", reason="needs links")
def test_a_link_out_of_the_project_hides_no_other_finding(folder: Folder, cardgen: Program, tmp_path: Path) -> None:
    secret = tmp_path / "secret.yaml"
    secret.write_text(RELIC, "utf-8")
    folder.plain().write("cards/a.yaml", f"{RELIC}motto: so so\n")
    (folder.root / "cards/b.yaml").symlink_to(secret)
    (folder.root / "c.yaml").symlink_to(secret)  # no card file, so it is not read at all
    link, word = sorted(found(cardgen), reverse=True)
    assert link == "cards/b.yaml: error[CG023]: the link points outside the project (outside)"
    assert word.startswith("cards/a.yaml:4:8: warning[CG201]")
    assert cardgen("build").code == 1
    for name in ("b", "c"):
        folder.write(f"cards/{name}.yaml", f"game: warniris\n{RELIC.replace('Sun', name)}")
    assert "belongs to no project" not in cardgen("check", "--format", "full").out


@pytest.mark.skipif(not hasattr(os, "symlink") or os.name == "nt", reason="needs links")
def test_a_link_out_of_the_project_hides_nothing_in_a_project_with_translations(
    folder: Folder, cardgen: Program, tmp_path: Path
) -> None:
    (tmp_path / "secret.yaml").write_text(RELIC, "utf-8")
    folder.write("cardgen.yaml", "game: warniris\nlanguages: [de]\n")
    folder.write("cards/a.yaml", f"{RELIC}motto: so so\n")
    (folder.root / "cards/b.yaml").symlink_to(tmp_path / "secret.yaml")
    assert [each for each in found(cardgen) if "CG201" in each]

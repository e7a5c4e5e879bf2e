"""What Git ignores, compared with what Git itself says."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from cardgen.project.ignored import GitIgnore
from tests.releases.test_run import git

PATTERNS = """\
# comment
build/
*.bak.yaml
!keep.bak.yaml
/top.yaml
docs/*.yaml
a/**/z.yaml
deep/**
**/any/one.yaml
q?x.yaml
[ab]1.yaml
[!ab]2.yaml
\\#hash.yaml
\\!bang.yaml
\\*star.yaml
trailing.yaml\x20\x20
only/
"""
FILES = (
    *("build/a.yaml", "x/build/a.yaml", "build.yaml", "one.bak.yaml", "keep.bak.yaml", "top.yaml", "x/top.yaml"),
    *("docs/a.yaml", "docs/x/a.yaml", "x/docs/a.yaml", "a/z.yaml", "a/b/z.yaml", "a/b/c/z.yaml", "deep/a.yaml"),
    *("deep/x/a.yaml", "any/one.yaml", "x/any/one.yaml", "qax.yaml", "qx.yaml", "a1.yaml", "c1.yaml", "a2.yaml"),
    *("c2.yaml", "#hash.yaml", "!bang.yaml", "*star.yaml", "astar.yaml", "trailing.yaml", "x/only"),
    *("sub/inner.yaml", "sub/other.yaml", "other/inner.yaml", "sub/one.bak.yaml"),
)


def test_files_are_ignored_as_git_ignores_them(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    (tmp_path / "sub").mkdir()
    (tmp_path / ".gitignore").write_text(PATTERNS, "utf-8")
    (tmp_path / "sub/.gitignore").write_text("/inner.yaml\n!one.bak.yaml\n", "utf-8")
    for name in FILES:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    done = subprocess.run(
        ["git", "check-ignore", "--no-index", "--stdin"],
        input="\n".join(FILES),
        capture_output=True,
        encoding="utf-8",
        cwd=tmp_path,
        check=False,
    )
    ignores = GitIgnore(tmp_path)

    def is_ignored(name: str) -> bool:
        steps = name.split("/")
        folders = ("/".join(steps[:depth]) for depth in range(1, len(steps)))
        above = any(ignores(str(tmp_path / each), is_folder=True) for each in folders)
        return above or ignores(str(tmp_path / name), is_folder=False)

    assert "\n".join(filter(is_ignored, FILES)) == done.stdout.strip()
    assert len(done.stdout.splitlines()) > 15


def test_without_a_repository_nothing_is_ignored(tmp_path: Path) -> None:
    (tmp_path / ".gitignore").write_text("*\n", "utf-8")
    assert not GitIgnore(tmp_path)(str(tmp_path / "a.yaml"), is_folder=False)


def test_a_pattern_of_many_stars_takes_no_time(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / ".gitignore").write_text(f"{'*a' * 60}b\n{'**/a/' * 60}b\n", "utf-8")
    assert not GitIgnore(tmp_path)(str(tmp_path.joinpath(*["a" * 100] * 5, "a" * 200)), is_folder=False)


def test_only_so_many_patterns_of_a_repository_are_read(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    write_patterns(tmp_path, [f"*{number}[a-z]?.yaml" for number in range(1500)])
    for name in "abc":
        (tmp_path / name).mkdir()
        write_patterns(tmp_path / name, [f"*{number}.yaml" for number in range(300)])
    ignores = GitIgnore(tmp_path)
    assert ignores(str(tmp_path / "1499xy.yaml"), is_folder=False)
    found = [ignores(str(tmp_path / name / f"{number}.yaml"), is_folder=False) for name in "abc" for number in (0, 250)]
    assert found == [True, True, False, False, False, False]


def test_only_so_long_patterns_of_a_repository_are_read(tmp_path: Path) -> None:
    """Compiling `*a` 131,000 times takes seconds for each file."""
    (tmp_path / ".git").mkdir()
    write_patterns(tmp_path, ["N" + "*a" * 30_000])
    for name in "abc":
        (tmp_path / name).mkdir()
        write_patterns(tmp_path / name, ["N" + "*a" * 30_000 if name == "b" else "x.yaml"])
    ignores = GitIgnore(tmp_path)
    assert [ignores(str(tmp_path / name / "x.yaml"), is_folder=False) for name in "abc"] == [True, False, False]


def write_patterns(folder: Path, patterns: list[str]) -> None:
    (folder / ".gitignore").write_text("# comment\n" + "\n\n".join(patterns), "utf-8")


@pytest.mark.skipif(os.name != "posix", reason="needs links")
def test_a_link_is_not_read(tmp_path: Path) -> None:
    project = tmp_path / "project"
    (project / ".git").mkdir(parents=True)
    (tmp_path / "patterns").write_text("*.yaml\n", "utf-8")
    (project / ".gitignore").symlink_to(tmp_path / "patterns")
    assert not GitIgnore(project)(str(project / "a.yaml"), is_folder=False)

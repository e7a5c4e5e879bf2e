"""Commits of strangers' repositories: nothing of theirs runs, and every tree is read or refused."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from cardgen.diagnostic import CardgenError
from cardgen.pipeline.release.git_tree import commit_of, last_commit, write_tree
from tests.pipeline.release.test_run import git

SIGNED = """\
tree {tree}
author a <a@b.c> 1700000000 +0000
committer a <a@b.c> 1700000000 +0000
gpgsig -----BEGIN PGP SIGNATURE-----
 iQ==
 -----END PGP SIGNATURE-----

first
"""


def output(root: Path, *arguments: str, text: str = "") -> str:
    done = subprocess.run(["git", "-C", str(root), *arguments], check=True, capture_output=True, input=text.encode())
    return done.stdout.decode().strip()


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "a.yaml").write_text("name: A\n", "utf-8")
    git(folder, "init", "-q")
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "first")
    return folder


def witness(root: Path) -> tuple[Path, Path]:
    """Return a program, and the file that it writes when it runs."""
    program, trace = root.parent / "program.sh", root.parent / "trace"
    program.write_text(f"#!/bin/sh\necho ran >> {trace}\n", "utf-8")
    program.chmod(0o755)
    return program, trace


def test_signatures_are_not_checked_with_a_program_of_the_repository(root: Path) -> None:
    program, trace = witness(root)
    commit = output(root, "hash-object", "-t", "commit", "-w", "--stdin", text=SIGNED.format(tree=tree_of(root)))
    git(root, "update-ref", "HEAD", commit)
    git(root, "config", "gpg.program", str(program))
    git(root, "config", "log.showSignature", "true")
    assert last_commit(root, "a.yaml") == commit
    assert not trace.exists()


def test_missing_objects_are_not_fetched(root: Path) -> None:
    program, trace = witness(root)
    settings = {
        "core.repositoryformatversion": "1",
        "extensions.partialClone": "origin",
        "remote.origin.url": f"ext::{program} %S",
        "protocol.ext.allow": "always",
    }
    for name, value in settings.items():
        git(root, "config", name, value)
    assert commit_of(root, "deadbeef" * 5) is None
    assert not trace.exists()


def tree_of(root: Path) -> str:
    return output(root, "rev-parse", "HEAD^{tree}")


def forged(root: Path, *entries: str) -> str:
    tree = output(root, "mktree", text="".join(f"{entry}\n" for entry in entries))
    return output(root, "-c", "user.name=a", "-c", "user.email=a@b.c", "commit-tree", "-m", "forged", tree)


@pytest.mark.parametrize("name", ["x" * 300, "a.yaml"])
def test_files_that_cannot_be_written(root: Path, tmp_path: Path, name: str) -> None:
    blob, tree = output(root, "rev-parse", "HEAD:a.yaml"), tree_of(root)
    commit = forged(root, f"100644 blob {blob}\t{name}", f"040000 tree {tree}\ta.yaml")
    with pytest.raises(CardgenError, match="cannot be written"):
        write_tree(root, commit, tmp_path / "copy", "v1")


@pytest.mark.parametrize("name", ["größe-1", "cards@1.0", "a/b", "v1=2"])
def test_tags_with_unusual_names(root: Path, name: str) -> None:
    git(root, "tag", name)
    assert commit_of(root, name) == output(root, "rev-parse", "HEAD")


@pytest.mark.parametrize("name", ["", "-v", "^HEAD", "HEAD:a.yaml", "HEAD^{/first}", "a..b", "a b", "@{-1}", ":/first"])
def test_expressions_that_are_not_names_of_commits(root: Path, name: str) -> None:
    assert commit_of(root, name) is None

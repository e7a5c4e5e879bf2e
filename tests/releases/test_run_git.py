"""Commits of strangers' repositories: nothing of theirs runs, and every tree is read or refused."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
import zlib
from hashlib import sha1
from pathlib import Path

import pytest

from cardgen.diagnostic import CardgenError
from cardgen.releases import run
from cardgen.releases.run import commit_of, last_commit, missing_history, write_tree
from cardgen.runtime import processes
from cardgen.runtime.processes import find_program
from tests.releases.test_run import git

# Seconds; Git would wait for 20.
_SOON = 5.0
needs_posix = pytest.mark.skipif(os.name != "posix", reason="needs pipes, scripts, or links")
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


def test_no_setting_of_a_repository_runs_a_program(root: Path, tmp_path: Path) -> None:
    program, trace = witness(root)
    for name in ("core.fsmonitor", "core.sshCommand", "core.gitProxy", "core.askPass", "core.editor", "core.pager",
                 "pager.rev-list", "diff.external", "credential.helper", "filter.a.smudge", "filter.a.process",
                 "diff.a.textconv", "alias.rev-list", "alias.cat-file", "uploadpack.packObjectsHook"):  # fmt: skip
        git(root, "config", name, f"!{program}" if name.startswith("alias") else str(program))
    hooks = tmp_path / "hooks"
    hooks.mkdir()
    for name in ("post-checkout", "post-index-change", "reference-transaction", "fsmonitor-watchman", "pre-auto-gc"):
        (hooks / name).symlink_to(program)
    git(root, "config", "core.hooksPath", str(hooks))
    (root / ".git" / "info" / "attributes").write_text("* filter=a diff=a\n", "utf-8")
    commit = commit_of(root, "HEAD")
    assert commit is not None
    assert last_commit(root, "a.yaml") == commit
    assert missing_history(root) == ""
    write_tree(root, commit, tmp_path / "copy", "HEAD")
    assert (tmp_path / "copy" / "a.yaml").is_file()
    assert not trace.exists()


def test_a_folder_that_looks_like_a_bare_repository_is_none(root: Path) -> None:
    """Git would read its settings, though it came with the project as ordinary files."""
    bare = root / "cards"
    git(root, "init", "-q", "--bare", str(bare))
    git(bare, "fetch", "-q", str(root), "HEAD:refs/heads/master")
    git(bare, "symbolic-ref", "HEAD", "refs/heads/master")
    assert output(bare, "rev-parse", "HEAD")
    assert commit_of(bare, "HEAD") is None


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


@pytest.mark.parametrize("name", ["nul.yaml", "COM1", "con", "a.yaml.", "a ", ".. ", "a:b"])
def test_names_that_mean_something_else_on_windows_are_left_out(root: Path, tmp_path: Path, name: str) -> None:
    blob, tree = output(root, "rev-parse", "HEAD:a.yaml"), tree_of(root)
    commit = forged(root, f"100644 blob {blob}\t{name}", f"040000 tree {tree}\tsub", f"040000 tree {tree}\tz{name}")
    write_tree(root, commit, tmp_path / "copy", "v1")
    others = [] if name[-1] in ". " or ":" in name else [f"z{name}/a.yaml"]
    copied = [path.relative_to(tmp_path / "copy").as_posix() for path in (tmp_path / "copy").rglob("*.yaml")]
    assert sorted(path for path in copied if (tmp_path / "copy" / path).is_file()) == ["sub/a.yaml", *others]


def test_deep_folders_are_refused(root: Path, tmp_path: Path) -> None:
    tree = tree_of(root)
    for _ in range(1200):
        tree = stored_tree(root, b"40000 d\0" + bytes.fromhex(tree))
    with pytest.raises(CardgenError, match="folders in more than 100 others"):
        write_tree(root, forged(root, f"040000 tree {tree}\td"), tmp_path / "copy", "v1")


def stored_tree(root: Path, content: bytes) -> str:
    """Store a tree as git does, which would take a process for each."""
    content = b"tree %d\0%s" % (len(content), content)
    name = sha1(content).hexdigest()
    path = root / ".git" / "objects" / name[:2] / name[2:]
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(zlib.compress(content))
    return name


def test_a_list_of_files_without_end_is_refused(root: Path, tmp_path: Path) -> None:
    """Ten trees, each 16 times in the next, have 10^12 files; git lists gigabytes of their names within a minute."""
    entry = f"100644 blob {output(root, 'rev-parse', 'HEAD:a.yaml')}"
    for _ in range(10):
        tree = output(root, "mktree", text="".join(f"{entry}\t{'x' * 240}{part}\n" for part in range(10, 26)))
        entry = f"040000 tree {tree}"
    with pytest.raises(CardgenError, match="prints more than 16 MiB"):
        write_tree(root, forged(root, f"{entry}\tcards"), tmp_path / "copy", "v1")


def test_a_missing_file_is_said(root: Path, tmp_path: Path) -> None:
    """As in a clone with '--filter=blob:none', whose cards must not look as if they were new."""
    blob, commit = output(root, "rev-parse", "HEAD:a.yaml"), output(root, "rev-parse", "HEAD")
    (root / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    with pytest.raises(CardgenError, match=r"the repository lacks 'a\.yaml' at 'v1'"):
        write_tree(root, commit, tmp_path / "copy", "v1")


def test_a_file_that_nothing_reads_is_left_out(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cardgen.releases.run._LARGEST_FILE", 100)
    (root / "film.mov").write_bytes(b"x" * 101)
    git(root, "add", "-A")
    git(root, "commit", "-qm", "second")
    write_tree(root, "HEAD", tmp_path / "copy", "HEAD")
    assert [path.name for path in (tmp_path / "copy").iterdir()] == ["a.yaml"]


def test_an_object_that_unpacks_to_gigabytes_is_not_allocated(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    resource = pytest.importorskip("resource")
    packer = zlib.compressobj(9)
    start = packer.compress(b"commit 1200000000\0") + packer.flush(zlib.Z_FULL_FLUSH)
    zeros = packer.compress(bytes(2**24)) + packer.flush(zlib.Z_FULL_FLUSH)
    packed = start + zeros * 72  # after a full flush, the same bytes are packed the same way
    bomb = root / ".git" / "objects" / "ab" / ("c" * 38)
    bomb.parent.mkdir(exist_ok=True)
    bomb.write_bytes(packed)
    # A process begins as a copy of this one.
    before = max(resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    assert commit_of(root, "ab" + "c" * 38) is None
    assert resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss <= max(before + 50_000, 300_000)


PIPES = ("config", "HEAD", "packed-refs", "refs/heads/x", "objects/info/alternates", "objects/info/commit-graph",
         "objects/pack/x.idx")  # fmt: skip


@needs_posix
@pytest.mark.parametrize("name", PIPES)
@pytest.mark.parametrize("how", ["itself", "behind a link"])
def test_a_pipe_in_a_repository_is_refused_without_git(root: Path, name: str, how: str, tmp_path: Path) -> None:
    path = root / ".git" / name
    path.unlink(missing_ok=True)
    if how == "itself":
        os.mkfifo(path)
    else:
        os.mkfifo(tmp_path / "pipe")
        path.symlink_to(tmp_path / "pipe")
    started = time.monotonic()
    with pytest.raises(CardgenError, match=r"is neither a file nor a folder|alternates"):
        commit_of(root, "HEAD")
    assert time.monotonic() - started < _SOON


@needs_posix
@pytest.mark.parametrize("target", ["pipe", "/dev/zero"])
def test_settings_of_a_repository_that_include_a_pipe_are_refused(root: Path, target: str) -> None:
    os.mkfifo(root / "pipe")
    git(root, "config", "include.path", target if target[0] == "/" else str(root / target))
    with pytest.raises(CardgenError, match="is neither a file nor a folder"):
        commit_of(root, "HEAD")


@needs_posix
def test_settings_of_a_repository_can_include_nothing(root: Path) -> None:
    git(root, "config", "include.path", os.devnull)
    assert commit_of(root, "HEAD")


@needs_posix
def test_git_that_does_not_answer_is_ended(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    commit = output(root, "rev-parse", "HEAD")
    program = tmp_path / "bin" / "git"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\ncase "$*" in *cat-file*) exec sleep 60;; esac\nexec {find_program("git")} "$@"\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setattr("cardgen.releases.run._TIME_LIMIT", 0.5)
    with pytest.raises(CardgenError, match=r"git cannot read 'a\.yaml'"):
        write_tree(root, commit, tmp_path / "copy", "HEAD")


@pytest.fixture
def stranger(root: Path, tmp_path: Path) -> Path:
    """A project whose `.git` a stranger has written; `root` is the user's own repository."""
    folder = tmp_path / "stranger"
    git(tmp_path, "init", "-q", str(folder))
    return folder


def borrow(stranger: Path, root: Path, way: str) -> None:
    """Let Git read the commits of another repository."""
    own, other = stranger / ".git", root / ".git"
    commit = output(root, "rev-parse", "HEAD")
    if way == "alternates":
        (own / "objects" / "info" / "alternates").write_text(f"{other}/objects\n", "utf-8")
    elif way == "commondir":
        (own / "commondir").write_text(f"{other}\n", "utf-8")
    elif way in ("objects", "objects/pack"):
        git(root, "repack", "-adq")
        shutil.rmtree(own / way)
        (own / way).symlink_to(other / way)
    elif way == "packs":
        git(root, "repack", "-adq")
        for pack in (other / "objects" / "pack").iterdir():
            (own / "objects" / "pack" / pack.name).symlink_to(pack)
    else:
        shutil.rmtree(own)
        if way == "file":
            own.write_text(f"gitdir: {other}\n", "utf-8")
        elif way == "link":
            own.symlink_to(other)
        else:
            git(root, "worktree", "add", "-q", str(root.parent / "worktree"))
            own.write_text(f"gitdir: {other}/worktrees/worktree\n", "utf-8")
    if own.is_dir() and way in ("alternates", "objects", "objects/pack", "packs"):
        (own / "HEAD").write_text(f"{commit}\n", "utf-8")


@needs_posix
@pytest.mark.parametrize(
    "way", ["alternates", "commondir", "objects", "objects/pack", "packs", "file", "link", "worktree"]
)
def test_a_project_cannot_show_another_repository(stranger: Path, root: Path, way: str) -> None:
    borrow(stranger, root, way)
    assert output(stranger, "rev-parse", "HEAD") == output(root, "rev-parse", "HEAD")
    with pytest.raises(CardgenError, match=r"elsewhere|alternates"):
        commit_of(stranger, "HEAD")
    with pytest.raises(CardgenError, match=r"elsewhere|alternates"):
        last_commit(stranger, "a.yaml")


SERVERS = ("//server/share", r"\\server\share", "/\\server/share", r"\??\UNC\server\share", "//?/UNC/server/share")


@pytest.fixture
def no_git(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processes, "run_program", lambda *_: pytest.fail("git was run"))


@pytest.mark.usefixtures("no_git")
@pytest.mark.parametrize(
    "file",
    [".git", ".git/commondir", ".git/config", ".git/config.worktree", ".git/objects/info/alternates", "commondir"],
)
def test_git_is_not_run_where_a_repository_names_a_server(root: Path, file: str) -> None:
    """Windows connects to a server, with the user's name, as soon as anything looks at a path there."""
    if file == ".git":
        shutil.rmtree(root / file)
    if file == "commondir":
        (root / ".git").rename(root / "git")
    (root / "cards").mkdir()
    for server in SERVERS:
        text = f"gitdir: {server}\n" if file == ".git" else f"{server}\n"
        if "config" in file:
            escaped = server.replace("\\", r"\\")
            text = f'[remote "origin"]\n url = {escaped}\n[include]\n # one\n path = \\\n  "{escaped}"\n'
        (root / file).write_text(text, "utf-8")
        for ask in (commit_of, last_commit):
            with pytest.raises(CardgenError, match="refers to a server") as error:
                ask(root / "cards", "HEAD")
            (found,) = error.value.diagnostics
            assert (root / file).samefile(found.place.file)
            assert (found.place.span.line if found.place.span else 0) == (5 if "config" in file else 0)
            assert found.message.count("'path'") == ("config" in file)
            assert not found.place.source_line
        with pytest.raises(CardgenError, match="refers to a server"):
            missing_history(root)


@pytest.mark.usefixtures("no_git")
@pytest.mark.parametrize(
    ("files", "message"),
    [
        # Git would read 400 MB of comments anew for each object.
        ({".git/config": "# \n" * 90_000}, "too long"),
        ({".git/config": "[include]\n path = //server/share\n" + "# \n" * 90_000}, "too long"),
        ({".git/config": "[include]\n path = ../more\n", "more": "[include]\n path = //server/inc\n"}, "a server"),
        (
            {".git/config": '[includeIf "gitdir:."]\n path = "config"\n[include] path = ../b', "b": "#//\nx=//s/h"},
            "a server",
        ),
        ({".git/config": "[core][include] path = ../b\n[user]\n", "b": "[x]\nx=//s/h"}, "a server"),
        ({".git/objects/info/alternates": '"//server/share/objects"\n'}, "a server"),
        ({".git/objects/info/alternates": "../../o\n", "o/info/alternates": "//server/share/objects\n"}, "alternates"),
    ],
)
def test_git_is_not_run_where_it_would_look_elsewhere(root: Path, files: dict[str, str], message: str) -> None:
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, "utf-8")
    with pytest.raises(CardgenError, match=message):
        commit_of(root, "HEAD")


@needs_posix
@pytest.mark.usefixtures("no_git")
@pytest.mark.parametrize("way", ["include", "link", "folder", "pointer", "common"])
def test_settings_of_a_repository_that_are_elsewhere_are_not_shown(root: Path, tmp_path: Path, way: str) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / "config").write_text("[hunter]\n hunter2 = //server/share/hunter2\n", "utf-8")
    git_folder = root / ".git"
    if way == "include":
        (git_folder / "config").write_text(f"[include]\n path = {other / 'config'}\n", "utf-8")
    elif way == "link":
        (git_folder / "config").unlink()
        (git_folder / "config").symlink_to(other / "config")
    elif way == "common":
        (git_folder / "commondir").write_text(f"{other}\n", "utf-8")
    else:
        shutil.rmtree(git_folder)
        if way == "folder":
            git_folder.symlink_to(other)
        else:
            git_folder.write_text(f"gitdir: {other}\n", "utf-8")
    with pytest.raises(CardgenError, match="refers to a server") as error:
        commit_of(root, "HEAD")
    assert "hunter2" not in repr(error.value.diagnostics)


def test_settings_can_include_others_of_this_computer(root: Path) -> None:
    """Jobs on GitHub keep their credentials like this."""
    (root / "more").write_text("[user]\n name = A\n[include]\n path = gone\n", "utf-8")
    git(root, "config", "include.path", str(root / "more"))
    assert commit_of(root, "HEAD") == output(root, "rev-parse", "HEAD")


def test_a_program_that_settings_name_is_not_read_as_settings(root: Path) -> None:
    (root / "meld").write_bytes(b"\x7fELF" + bytes(2**20))
    git(root, "config", "mergetool.meld.path", str(root / "meld"))
    assert commit_of(root, "HEAD") == output(root, "rev-parse", "HEAD")


@needs_posix
@pytest.mark.usefixtures("no_git")
@pytest.mark.parametrize("name", ["objects/pack", "refs/tags/v1"])
def test_git_is_not_run_where_a_link_deep_in_a_repository_names_a_server(root: Path, name: str) -> None:
    place = root / ".git" / name
    if place.is_dir():
        shutil.rmtree(place)
    place.symlink_to("//server/share")
    with pytest.raises(CardgenError, match="refers to a server"):
        commit_of(root, "HEAD")


@needs_posix
@pytest.mark.usefixtures("no_git")
def test_git_is_not_run_where_a_link_of_a_repository_names_a_server(root: Path) -> None:
    for name in (".git/config", ".git/objects", ".git"):
        (root / name).rename(root / "moved")
        (root / name).symlink_to("//server/share")
        with pytest.raises(CardgenError, match="refers to a server"):
            commit_of(root, "HEAD")
        (root / name).unlink()
        (root / "moved").rename(root / name)


def test_a_remote_on_a_server_is_no_reason_not_to_run_git(root: Path) -> None:
    git(root, "remote", "add", "origin", "//server/share/cards.git")
    git(root, "config", "remote.origin.pushurl", "//server/share/cards.git")
    assert commit_of(root, "HEAD") == output(root, "rev-parse", "HEAD")


@needs_posix
def test_a_repository_that_names_the_project_as_its_worktree_borrows_nothing_either(root: Path, tmp_path: Path) -> None:
    git(tmp_path, "clone", "-q", "--shared", str(root), "borrower")
    git(tmp_path / "borrower", "worktree", "add", "-q", str(tmp_path / "cards"))
    assert output(tmp_path / "cards", "rev-parse", "HEAD") == output(root, "rev-parse", "HEAD")
    with pytest.raises(CardgenError, match="alternates"):
        commit_of(tmp_path / "cards", "HEAD")


def test_a_repository_does_not_say_how_much_memory_git_takes(root: Path) -> None:
    git(root, "config", "core.deltaBaseCacheLimit", "100g")
    assert run._git(root, "config", "core.deltaBaseCacheLimit") == (0, b"96m\n")


def test_worktrees_and_submodules_are_the_projects_own(root: Path, tmp_path: Path) -> None:
    commit = output(root, "rev-parse", "HEAD")
    git(root, "worktree", "add", "-q", str(tmp_path / "worktree"))
    assert commit_of(tmp_path / "worktree", "HEAD") == commit
    git(tmp_path, "init", "-q", str(tmp_path / "all"))
    git(tmp_path / "all", "-c", "protocol.file.allow=always", "submodule", "add", "-q", str(root), "cards")
    assert commit_of(tmp_path / "all" / "cards", "HEAD") == commit
    (root / "sub").mkdir()
    assert commit_of(root / "sub", "HEAD") == commit


@pytest.mark.parametrize("name", ["größe-1", "cards@1.0", "a/b", "v1=2"])
def test_tags_with_unusual_names(root: Path, name: str) -> None:
    git(root, "tag", name)
    assert commit_of(root, name) == output(root, "rev-parse", "HEAD")


@pytest.mark.parametrize("name", ["", "-v", "^HEAD", "HEAD:a.yaml", "HEAD^{/first}", "a..b", "a b", "@{-1}", ":/first"])
def test_expressions_that_are_not_names_of_commits(root: Path, name: str) -> None:
    assert commit_of(root, name) is None


def test_missing_tags_have_a_reason(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert missing_history(root) == ""
    git(root, "commit", "-q", "--allow-empty", "-m", "second")
    git(tmp_path, "clone", "-q", "--depth", "1", root.as_uri(), "shallow")
    assert "git fetch --unshallow --tags" in missing_history(tmp_path / "shallow")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert missing_history(root) == "for tags, install Git"

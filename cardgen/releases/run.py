"""Find releases, and compare them with each other or with the project."""

from __future__ import annotations

import os
import re
import stat
import tempfile
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from cardgen.deck.release_file import NAME, Release, file_of, read_release, release_files
from cardgen.diagnostic import CardgenError, Code, Diagnostic, Place, Span, did_you_mean
from cardgen.project.files import RELEASES_FOLDER, display_path, is_device_name
from cardgen.project_checks.projects import require_project
from cardgen.releases.changes import NOTHING, QUICK_CHANGES, Change, Changes, Meanings, compare
from cardgen.runtime import processes, regular_file
from cardgen.runtime.fingerprint import find_project_root
from cardgen.runtime.workspace import Workspace

if TYPE_CHECKING:
    from subprocess import Popen


# The name of the project as it is now, in reports.
WORKING_TREE = "working tree"


def _snapshot(name: str, folder: Path | None = None) -> Release:
    # loaded here because it loads templates and fonts, which comparisons of files do not need
    from cardgen.releases.snapshot import take_snapshot

    return take_snapshot(name, folder)


def diff(old: str, new: str | None = None, *, folder: Path | None = None) -> Changes:
    """Return the changes from one release to another, by default to the project as it is now.

    The project is that of a folder, by default the current one.
    """
    return compare(*load_both(old, new, folder=folder), Workspace(folder).with_games())


def diff_with_odds(
    old: str, new: str | None = None, *, odds: bool | None = None, folder: Path | None = None
) -> tuple[Changes, Meanings]:
    """Return the changes, and what changed rules mean: by default, if that is quick; with `odds`, always or never."""
    releases = load_both(old, new, folder=folder)
    workspace = Workspace(folder).with_games()
    changes = compare(*releases, workspace)
    changed = sum(Change.RULES in each.changes and each.old is not None for each in changes.cards)
    if odds is False or not changed:
        return changes, NOTHING
    if odds is None and changed > QUICK_CHANGES:
        note = f"no odds for {changed} changed cards; for these, use --odds"
        unknown = {each.card.key: "it was not computed" for each in changes.of(Change.RULES)}
        return changes, Meanings({}, note, unknown=unknown)
    # loaded here because it loads the referee
    from cardgen.releases.odds import meanings

    return changes, meanings(*releases, changes, workspace, every=bool(odds))


def load_both(old: str, new: str | None = None, *, folder: Path | None = None) -> tuple[Release, Release]:
    """Return two releases, the later of which is by default the project as it is now."""
    root = find_project_root(folder or Path.cwd())
    if new is None:
        require_project(root)
    before = load_release(root, old, "OLD")
    return before, _snapshot(WORKING_TREE, folder) if new is None else load_release(root, new, "NEW")


def load_release(root: Path, name: str, argument: str = "NAME") -> Release:
    """Return a release of a project: its file, or else the project at a Git tag or commit.

    Raises CardgenError, located at the `argument`, if there is neither, and if its cards cannot be read.
    """
    if NAME.fullmatch(name):
        path = file_of(root, name)
        if path.is_file():
            return read_release(path, name)
    with load_commit(root, name, argument) as folder:
        return _snapshot(name, folder)


@contextmanager
def load_commit(root: Path, name: str, argument: str = "NAME") -> Iterator[Path]:
    """Yield a folder with the files of a project at a Git tag, a commit, or that of a release; errors in them name it.

    Raises CardgenError, located at the `argument`, if there is none.
    """
    with ExitStack() as stack:
        try:
            commit = _commit_of_release(root, name)
            folder = stack.enter_context(_tree(root, commit, name)) if commit else None
        except CardgenError as error:
            at = Place(argument)
            raise CardgenError(
                *(each._replace(place=at) if each.place == _NAME else each for each in error.diagnostics)
            ) from None
        if folder is None:
            raise _unknown(root, name, argument)
        yield folder


@contextmanager
def _tree(root: Path, commit: str, name: str) -> Iterator[Path]:
    """Write the files of a commit to a temporary folder; errors in them name the release."""
    with tempfile.TemporaryDirectory(prefix="cardgen-") as temporary:
        folder = Path(temporary).resolve()
        write_tree(root, commit, folder, name)
        with _places_at(name, folder):
            yield folder


@contextmanager
def folder_of(root: Path, name: str | None) -> Iterator[Path | None]:
    """Yield a folder with the files of a release: those of its tag, or of the commit of its file; None without these.

    Without a name, the files are those of the project.
    """
    commit = None if name is None else _commit_of_release(root, name)
    if name is None or commit is None:
        yield root if name is None else None
        return
    with _tree(root, commit, name) as folder:
        yield folder


def _commit_of_release(root: Path, name: str) -> str | None:
    """Return the commit of a tag, branch, or commit, or else that of the file of a release; None without these."""
    commit = commit_of(root, name)
    if commit is None and NAME.fullmatch(name):
        return last_commit(root, f"{RELEASES_FOLDER}/{name}.yaml")
    return commit


def _unknown(root: Path, name: str, argument: str) -> CardgenError:
    names = sorted(release_files(root))
    if name in names:
        message = f"the cards of release '{name}' are not in the project's Git repository"
        advice = f"commit {RELEASES_FOLDER}/{name}.yaml, or use a tag or a commit"
        return CardgenError(Diagnostic(Code.NO_RELEASE, message, Place(argument), advice))
    message = f"unknown release '{name}'{did_you_mean(name, names)}"
    known = f"available: {', '.join(names)}, and the tags of the project's Git repository" if names else ""
    advice = known or "write one with 'cardgen release NAME', or use a tag from the project's Git repository"
    hint = missing_history(root)
    return CardgenError(Diagnostic(Code.NO_RELEASE, message, Place(argument), f"{advice}; {hint}" if hint else advice))


@contextmanager
def _places_at(name: str, folder: Path) -> Iterator[None]:
    """Name the files of errors 'NAME:PATH', as Git does, instead of in a temporary folder."""

    def renamed(place: Place) -> Place:
        path = Path(place.file)
        inside = path.is_absolute() and path.is_relative_to(folder)
        return place._replace(file=f"{name}:{path.relative_to(folder).as_posix()}") if inside else place

    def located(each: Diagnostic) -> Diagnostic:
        related = tuple((renamed(place), label) for place, label in each.related)
        return each._replace(place=renamed(each.place), related=related)

    try:
        yield
    except CardgenError as error:
        raise CardgenError(*map(located, error.diagnostics)) from None


# Files of a project as they were in a commit of its Git repository.
# Only objects are read, by `git cat-file`: no hooks, filters, or programs that a repository could name are run. They
# are those of the project's own repository: what came with the project must not point Git to another one on this
# computer.

# Names of tags, branches, and commits, but neither options nor the ranges and paths of Git.
REVISION = re.compile(r"(?!.*(?:\.\.|//))[^\s\x00-\x1f\x7f:?*\[\]\\{}~^-][^\s\x00-\x1f\x7f:?*\[\]\\{}]{0,199}")
_MOST_FILES, _MAX_BYTES, _DEEPEST = 20_000, 512 * 2**20, 100
# No file of a project is read that is larger.
_LARGEST_FILE = 64 * 2**20
# Seconds, and bytes, of which a list of the most files takes less unless their paths are very long.
_TIME_LIMIT, _MOST_PRINTED = 20.0, 16 * 2**20
# Git ends instead of allocating more at once: an object of a few bytes can be the difference from one of gigabytes.
_MOST_ALLOCATED = "256m"
# Bytes of a file of Git that names other files, or has settings: each call of Git reads them anew.
_LONGEST_POINTER = 256 * 2**10
_MOST_INCLUDED = 20
_ENTRY = re.compile(r"(\d{6}) (\w+) ([0-9a-f]{40,64}) +(\d+|-|BAD)\t(.+)", re.DOTALL)
_REGULAR = ("100644", "100755")
# The size of an object that is not there, as in a partial clone.
_MISSING = "BAD"
# Folders of results, which neither cards nor checks need.
_SKIPPED = ("output",)
_UNSAFE = re.compile(r'[\\:*?"<>|\x00-\x1f]')


# The settings of a repository that name programs, none of which reading objects needs, or that let it take any amount
# of memory. A folder of the project that looks like a bare repository is not one.
_SETTINGS = (
    "core.fsmonitor=false", f"core.hooksPath={os.devnull}", "core.sshCommand=false", "core.askPass=",
    "core.editor=false", "core.pager=cat", "core.gitProxy=", "credential.helper=", "diff.external=",
    "protocol.allow=never", "submodule.recurse=false", "safe.bareRepository=explicit",
    "core.deltaBaseCacheLimit=96m",
)  # fmt: skip


class _Blob(NamedTuple):
    path: str
    id: str
    size: int


def commit_of(root: Path, name: str) -> str | None:
    """Return the id of the commit that a name means in the repository of a project, or None."""
    if not REVISION.fullmatch(name) or processes.find_program("git") is None:
        return None
    return _commit(root, "rev-parse", "--verify", "--quiet", f"{name}^{{commit}}")


def missing_history(root: Path) -> str:
    """Return why tags of a project may be unknown, with what to do, or ''."""
    if processes.find_program("git") is None:
        return "for tags, install Git"
    is_shallow = _git(root, "rev-parse", "--is-shallow-repository")[1].strip() == b"true"
    return "the repository is a shallow clone: run 'git fetch --unshallow --tags' for its tags" if is_shallow else ""


def last_commit(root: Path, path: str) -> str | None:
    """Return the id of the last commit that changed a file of the project, or None."""
    if processes.find_program("git") is None:
        return None
    # not 'git log', which checks signatures with a program that the repository names
    return _commit(root, "rev-list", "-1", "HEAD", "--", path)


def write_tree(root: Path, commit: str, folder: Path, name: str) -> None:
    """Write the files that a project had in a commit to a folder.

    Links, submodules, and files that are too large for any purpose are left out. Raises CardgenError, located at the
    release's `name`, if there are too many files, if one is missing, or if Git fails.
    """
    blobs = list(_blobs(root, commit, name))
    if len(blobs) > _MOST_FILES or sum(blob.size for blob in blobs) > _MAX_BYTES:
        message = f"the project at '{name}' has more than {_MOST_FILES:,} files or {_MAX_BYTES // 2**20} MiB"
        raise _error(message, "write its release file, and commit that")
    try:
        with _process(root, "cat-file", "--batch") as process, _time_limit(process):
            _write_blobs(process, blobs, folder, name)
    except OSError as error:
        message = f"the files at '{name}' cannot be written: {error.strerror or error}"
        raise _error(message, "write its release file, and commit that") from None


def _write_blobs(process: Popen[bytes], blobs: list[_Blob], folder: Path, name: str) -> None:
    assert process.stdin is not None, "a pipe"
    assert process.stdout is not None, "a pipe"
    for blob in blobs:
        process.stdin.write(f"{blob.id}\n".encode("ascii"))
        process.stdin.flush()
        header = process.stdout.readline()
        content = process.stdout.read(blob.size + 1)[:-1]
        if header != f"{blob.id} blob {blob.size}\n".encode("ascii") or len(content) != blob.size:
            process.kill()
            raise _error(f"git cannot read '{blob.path}' at '{name}'", "run 'git fsck'")
        target = folder / blob.path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)


def _blobs(root: Path, commit: str, name: str) -> Iterator[_Blob]:
    """Yield the regular files of the project's folder."""
    code, listing = _git(root, "ls-tree", "-r", "-z", "-l", commit)
    if code:
        raise _error(f"git cannot list the files at '{name}'", "run 'git fsck'")
    for entry in listing.decode("utf-8", "surrogateescape").split("\0"):
        match = _ENTRY.fullmatch(entry)
        if not match or match[1] not in _REGULAR or match[4] == "-" or not _is_safe(match[5]):
            continue
        if match[5].count("/") > _DEEPEST:
            message = f"the project at '{name}' has folders in more than {_DEEPEST} others"
            raise _error(message, "write its release file, and commit that")
        if match[4] == _MISSING:
            message = f"the repository lacks '{match[5]}' at '{name}'"
            raise _error(message, "in a partial clone, fetch everything with 'git fetch --refetch --no-filter'")
        if int(match[4]) <= _LARGEST_FILE:
            yield _Blob(match[5], match[3], int(match[4]))


def _is_safe(path: str) -> bool:
    """Return whether a path stays in its folder on every system, and is not a result."""
    parts = path.split("/")
    # Windows ignores dots and spaces at the end of names.
    are_plain = all(part and part == part.rstrip(". ") and not is_device_name(part) for part in parts)
    return are_plain and not _UNSAFE.search(path) and parts[0] not in _SKIPPED and parts[0] != ".git"


def _arguments(root: Path, *arguments: str) -> list[str]:
    """Return arguments of Git whose settings replace those of the repository that name programs or other places.

    Raises CardgenError if Git would look for a file on a server.
    """
    _require_no_server(root)
    settings = (part for each in _SETTINGS for part in ("-c", each))
    return ["--no-pager", "-C", str(root.resolve()), *settings, *arguments]


# Paths on a server, as Windows reads them: it connects to the server, with the name of the user, as soon as anything
# asks for a file there.
_SERVER = r"(?:[/\\]{2}|[/\\]\?\?[/\\])"
_POINTER = re.compile(rf"^[^\S\n]*+(?:gitdir:\s*+)?\"?{_SERVER}", re.MULTILINE)
# A setting that has such a path; those of the addresses of other repositories are not files to Git before it connects.
_SETTING = re.compile(rf"(?<![\w-])(?!(?:push)?url\s*=)([a-z][\w-]*)\s*=\s*(?::\(optional\))?{_SERVER}", re.IGNORECASE)
_CONTINUED = re.compile(r"\\\r?\n|\"")
# The section 'include', which begins anywhere in a line and ends at a line with another, and a file that it names.
_INCLUDES = re.compile(
    r"\[\s*include(?:if)?\b[^\]]*\](.*?)(?=^[^\S\n]*\[|\Z)", re.IGNORECASE | re.MULTILINE | re.DOTALL
)
_INCLUDED = re.compile(r"(?<![\w-])path[^\S\n]*=[^\S\n]*(?::\(optional\))?([^\n;#]+)", re.IGNORECASE)


def _require_no_server(root: Path) -> None:
    """Raise CardgenError if a repository that Git may find for a folder names a path on a server."""
    folder = root.resolve()
    for each in (folder, *folder.parents):
        pointer = _local_pointer(each / ".git").removeprefix("gitdir:").strip()
        _local_pointer(each / "commondir")
        own = each / (pointer or ".git")
        common = own / (_local_pointer(own / "commondir") or ".")
        for place in dict.fromkeys((own, common)):
            names: list[str] = []
            with suppress(OSError):
                names = os.listdir(place)  # noqa: PTH208 - only names are needed
            for name in (*names, "objects/info", "objects/info/alternates"):
                _require_local_link(place / name)
            for name in ("gitdir", "objects/info/alternates"):
                _local_pointer(place / name)
            _require_local_settings([place / "config", place / "config.worktree"], each / ".git")


def _require_local_settings(files: list[Path], repository: Path) -> None:
    """Raise CardgenError if files of settings, or those that they include, name a path on a server.

    Nothing is shown of files that are not the `repository`'s own, and only the keys of settings of these.
    """
    own = {repository / file.name for file in files}
    seen = set[Path]()
    while files:
        file = files.pop()
        if file in seen:
            continue
        seen.add(file)
        if len(seen) > _MOST_INCLUDED:
            raise _error(f"the settings of its repository include too many files: see {file}", "include fewer")
        text = _CONTINUED.sub("", _content(file).replace("\\\\", "/"))
        _require_local(file, text, _SETTING, is_own=Path(os.path.realpath(file)) in own)
        for match in _INCLUDED.finditer("\n".join(_INCLUDES.findall(text))):
            with suppress(RuntimeError):  # no home folder
                included = file.parent / Path(match[1].strip()).expanduser()
                _require_local_links(included)
                files.append(included)


def _require_local_links(path: Path) -> None:
    for each in (*reversed(path.parents), path):
        _require_local_link(each)


def _require_own_objects(root: Path) -> None:
    """Raise CardgenError if the objects or references of the next repository above a folder are elsewhere.

    Git itself would look there first.
    """
    folder = root.resolve()
    top = next((each for each in (folder, *folder.parents) if os.path.lexists(each / ".git")), None)
    if top is None:
        return
    own = top / (_local_pointer(top / ".git").removeprefix("gitdir:").strip() or ".git")
    common = own / (_local_pointer(own / "commondir") or ".")
    _refuse_alternates(common / "objects")
    for place in (common / "objects", common / "refs"):
        for path in _special_files(place) if place.is_dir() else ():
            _require_local_link(path)


def _local_pointer(path: Path) -> str:
    """Return the text of a file that names others, without following a link to a server."""
    _require_local_link(path)
    text = _content(path)
    _require_local(path, text, _POINTER)
    return text.strip()


def _require_local_link(path: Path) -> None:
    """Raise CardgenError if a path is a link to a server, or leads to a pipe or device, which Git would wait for."""
    if path.is_symlink():
        _require_local(path, str(path.readlink()), _POINTER)
    if os.name == "posix" and path.exists() and not (path.is_file() or path.is_dir() or path.samefile(os.devnull)):
        advice = "remove it, or use a new clone of the repository"
        raise _error(f"{path} of its repository is neither a file nor a folder", advice)


def _require_local(path: Path, text: str, pattern: re.Pattern[str], *, is_own: bool = False) -> None:
    """Raise CardgenError if a text names a path on a server, with the key of the setting if `is_own`."""
    if match := pattern.search(text):
        key = f"'{match[1]}' in " if is_own else ""
        line = text.count("\n", 0, match.end()) + 1
        place = Place(display_path(path), Span(line, 1, line, 1) if is_own else None)
        raise _error(
            f"its repository refers to a server: see {key}{path}", "use a folder of this computer there", place
        )


def _environment() -> dict[str, str]:
    """Return the environment without the variables that point Git to another repository.

    Missing objects are not fetched; older versions of Git know only the list of allowed protocols.
    """
    own = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    offline = {"GIT_NO_LAZY_FETCH": "1", "GIT_ALLOW_PROTOCOL": "none", "GIT_TERMINAL_PROMPT": "0"}
    return {**own, **offline, "GIT_OPTIONAL_LOCKS": "0", "GIT_ALLOC_LIMIT": _MOST_ALLOCATED, "LC_ALL": "C"}


def _commit(root: Path, *arguments: str) -> str | None:
    """Return the id that Git prints, or None.

    Raises CardgenError if the project points Git to another repository.
    """
    _require_no_server(root)
    _require_own_objects(root)
    code, printed = _git(root, *arguments)
    commit = printed.decode("ascii", "replace").strip()
    if code or not re.fullmatch("[0-9a-f]{40,64}", commit):
        return None
    _require_own_repository(root)
    return commit


def _require_own_repository(root: Path) -> None:
    """Raise CardgenError if the objects that Git reads are not in the project, or in the folder that contains it.

    Those of a worktree or submodule are elsewhere, in a repository that names it as such.
    """
    folder = root.resolve()
    top = next((each for each in (folder, *folder.parents) if os.path.lexists(each / ".git")), folder)
    own, common = _printed_path(root, "--absolute-git-dir"), _printed_path(root, "--git-common-dir")
    is_own = common.is_relative_to(top) or _names_as_worktree(top, own, common)
    if not is_own and not _names_as_submodule(root, top, own, common):
        advice = "replace '.git' with a repository of the project's own, or with one that 'git worktree add' makes"
        raise _error(f"its repository is elsewhere, in {common}, and does not name this folder", advice)
    _refuse_alternates(common / "objects")
    if link := next(_special_files(common / "objects"), None):
        raise _error(f"its objects are elsewhere: {link} is a link", "replace the link with what it points to")


def _refuse_alternates(objects: Path) -> None:
    """Raise CardgenError if objects name others as theirs."""
    if any(_has_content(objects / "info" / name) for name in ("alternates", "http-alternates")):
        advice = f"run 'git repack -a -d', and delete {objects / 'info' / 'alternates'}"
        raise _error("its repository takes objects from another one ('alternates')", advice)


def _special_files(folder: Path) -> Iterator[Path]:
    """Yield links, pipes, and devices at and below a folder. Raises CardgenError for folders that cannot be listed."""

    def refuse(error: OSError) -> None:
        raise _error(f"{error.filename} cannot be read: {error.strerror}", "run 'git fsck'")

    def is_special(path: Path) -> bool:
        mode = path.lstat().st_mode
        return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))

    yield from filter(is_special, (folder,))
    for place, folders, files in os.walk(folder, onerror=refuse):
        yield from filter(is_special, (Path(place, name) for name in (*folders, *files)))


def _names_as_worktree(top: Path, own: Path, common: Path) -> bool:
    named = _content(own / "gitdir").strip()
    return own.parent == common / "worktrees" and bool(named) and Path(own, named).resolve() == top / ".git"


def _names_as_submodule(root: Path, top: Path, own: Path, common: Path) -> bool:
    code, printed = _git(root, "config", "--file", str(own / "config"), "core.worktree")
    named = os.fsdecode(printed).strip()
    return own == common and code == 0 and bool(named) and Path(own, named).resolve() == top


def _printed_path(root: Path, option: str) -> Path:
    printed = _git(root, "rev-parse", option)[1]
    return Path(root.resolve(), os.fsdecode(printed).removesuffix("\n")).resolve()


def _has_content(path: Path) -> bool:
    try:
        status = path.stat()
    except OSError:
        return path.is_symlink()
    return status.st_size > 0 or not stat.S_ISREG(status.st_mode)


def _content(path: Path) -> str:
    """Return the text of a file of Git, or '' if there is none. Raises CardgenError if it is too long."""
    try:
        return os.fsdecode(regular_file.read(path, _LONGEST_POINTER))
    except regular_file.FileTooLargeError:
        advice = f"shorten it to at most {_LONGEST_POINTER // 2**10} KiB"
        raise _error(f"a file of its repository is too long: {path}", advice) from None
    except OSError:
        return ""


def _git(root: Path, *arguments: str) -> tuple[int, bytes]:
    """Return the exit code of Git and what it prints: a few trees can make an endless list."""
    try:
        return processes.run_program(
            _program(), _arguments(root, *arguments), _environment(), _TIME_LIMIT, _MOST_PRINTED
        )
    except OSError as error:
        raise _error(f"git cannot be run: {error}", "write a release file instead") from None


def _process(root: Path, *arguments: str) -> Popen[bytes]:
    return processes.start_program(_program(), _arguments(root, *arguments), _environment())


@contextmanager
def _time_limit(process: Popen[bytes]) -> Iterator[None]:
    """End a process that takes too long, so that its output ends."""
    timer = threading.Timer(_TIME_LIMIT, process.kill)
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()  # no fork is made beside other threads


def _program() -> str:
    """Return the path of Git. Raises OSError if it is not installed."""
    program = processes.find_program("git")
    if program is None:
        raise OSError("it is not installed")
    return program


# What an error is about, unless it is a file; commands put their own option there.
_NAME = Place("NAME")


def _error(message: str, advice: str, place: Place = _NAME) -> CardgenError:
    return CardgenError(Diagnostic(Code.NO_RELEASE, message, place, advice))

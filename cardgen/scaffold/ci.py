"""Files with which a repository checks its cards: jobs, a hook, and how to contribute, for `cardgen new ci`."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import NamedTuple

from cardgen.deck.deck import indexed_sources
from cardgen.diagnostic import CardgenError, Code, Diagnostic, Place, join_words
from cardgen.project.files import display_path, projects_below, repository_root, require_inside
from cardgen.project.project import Project
from cardgen.runtime import atomic_write, regular_file
from cardgen.runtime.fingerprint import SETTINGS_FILE, find_settings_folder
from cardgen.runtime.workspace import Workspace
from cardgen.scaffold.cards import settings_text

_FOLDER = Path(__file__).with_name("ci_files")
_COMMON = {
    ".pre-commit-config.yaml": "hooks.yaml",
    ".gitattributes": "gitattributes",
    ".gitignore": "gitignore",
    "CONTRIBUTING.md": "contributing.md",
}
# The files of each host, and their templates.
HOSTS: Mapping[str, Mapping[str, str]] = {
    "github": {
        **_COMMON,
        ".github/workflows/cards.yml": "github.yml",
        ".github/workflows/fix-cards.yml": "github-fix.yml",
        ".github/ISSUE_TEMPLATE/card.yml": "issue-form.yml",
        ".github/labels.yml": "labels.yml",
    },
    "gitlab": {
        **_COMMON,
        ".gitlab-ci.yml": "gitlab.yml",
        ".gitlab/issue_templates/card.md": "issue.md",
        ".gitlab/labels.yml": "labels.yml",
        ".gitlab/comment.py": "comment.py",
    },
    "forgejo": {
        **_COMMON,
        ".forgejo/workflows/cards.yml": "forgejo.yml",
        ".forgejo/workflows/fix-cards.yml": "forgejo-fix.yml",
        ".forgejo/issue_template/card.yml": "issue-form.yml",
        ".forgejo/labels.yml": "labels.yml",
        ".forgejo/comment.py": "comment.py",
    },
}
# What pip installs on any computer: without keys, passwords, and characters that mean something in YAML and shells.
_SOURCE = re.compile(
    r"git\+https?://[\w.-]+(:\d+)?/[\w.~/+-]+@[\w./+-]+|(?P<address>https?://)?(\w[\w.:~/+-]*/)?(?P<wheel>[^/]+\.whl)",
    re.ASCII,
)
# What pip takes for a wheel of this program: its version, perhaps a build, and where it runs.
_WHEEL = re.compile(r"cardgen-\d[\w.+]*(-\d\w*)?(-[\w.]+){3}\.whl", re.ASCII)
# The words of templates that stand for the source, and the largest file in which it is looked for.
_LARGEST = 2**20
_NAMES_SOURCE = re.compile("@(SOURCE|INSTALLED|ACTION)@")
_ACTION = re.compile(r"git\+https://github\.com/([\w.-]+/[\w.-]+?)(?:\.git)?@([\w.-]+)")


def installed_source() -> str:
    """Return what pip installed this program from, if that is a repository, or ''."""
    with suppress(PackageNotFoundError, ValueError, KeyError, TypeError):
        origin = json.loads(distribution("cardgen").read_text("direct_url.json") or "")
        return f"{origin['vcs_info']['vcs']}+{origin['url']}@{origin['vcs_info']['commit_id']}"
    return ""


def has_action(source: str) -> bool:
    """Return whether jobs on GitHub can use the action of a source, which comments on pull requests."""
    return bool(_ACTION.fullmatch(source))


class NewFiles(NamedTuple):
    """Paths of the files that were written, those that existed before, and those of them with another source.

    `game` is that of the settings, if these are new.
    """

    written: Sequence[str]
    kept: Sequence[str]
    other_source: Sequence[str]
    game: str


def new_ci(host: str, source: str) -> NewFiles:
    """Write the files of a host into the repository, except for those that exist.

    `source` is what pip installs cardgen from: a repository with a tag, or a wheel. A repository without settings gets
    some if its cards are of one game. Raises CardgenError, located at `--from`, for a source that pip cannot install.
    """
    root, files = repository_root(), HOSTS[host]
    if problem := _problem(source, root):
        raise CardgenError(problem)
    action = _ACTION.fullmatch(source)
    labels = next(path for path in files if path.endswith("labels.yml"))
    values = {"@SOURCE@": source, "@LABELS@": f"\nThe labels of issues are listed in `{labels}`."}
    # pre-commit installs in a folder of its own, where a path of the repository leads nowhere.
    values["@INSTALLED@"] = (
        f'language: python\n        additional_dependencies: ["{source}"]'
        if "://" in source or not source.endswith(".whl")
        else f"language: system  # Install cardgen first: pip install {source}"
    )
    values["@ACTION@"] = f"{action[1]}@{action[2]}" if action else ""
    contents: dict[Path, bytes] = {}
    kept, others = list[str](), list[str]()
    own = re.compile("|".join(rf"{re.escape(name)}(?![\w./+-])" for name in (source, values["@ACTION@"]) if name))
    for name, template in files.items():
        path = require_inside(root, root / name, name)
        chosen = "github-action.yml" if template == "github.yml" and action else template
        text = (_FOLDER / chosen).read_text(encoding="utf-8")
        if path.exists():
            kept.append(display_path(path))
            if _NAMES_SOURCE.search(text) and not own.search(_text(root, name)):
                others.append(display_path(path))
            continue
        for word, value in values.items():
            text = text.replace(word, value)
        contents[path] = text.encode()
    if game := _game_without_settings(root):
        contents[root / SETTINGS_FILE] = settings_text(game).encode()
    atomic_write.write_all(contents)
    return NewFiles([*map(display_path, contents)], kept, others, game)


def _problem(source: str, root: Path) -> Diagnostic | None:
    """Return what keeps jobs from installing cardgen from a source, or None."""
    found = _SOURCE.fullmatch(source)
    wheel = found["wheel"] if found else None
    message, advice = f"the jobs cannot install cardgen from '{source}'", "use git+https://HOST/PATH@TAG"
    completed = (f"git+{source}", f"{source}@TAG", f"git+{source}@TAG")
    if not source:
        message = "it is not known where cardgen is installed from"
    if wheel and not _WHEEL.fullmatch(wheel):
        message = f"pip does not install cardgen from a file called '{wheel}'"
        advice = "keep the name that pip gave the wheel, such as cardgen-1.0-py3-none-any.whl"
    elif found and wheel and not found["address"] and not regular_file.is_file_inside(root, source):
        message = f"the repository has no file '{source}'"
        advice = "make the wheel first, and name its path from the root of the repository"
    elif found:
        return None
    elif "://" in source and (whole := next(filter(_SOURCE.fullmatch, completed), "")):
        missing = [f"'{part}'" for part in ("git+", "@TAG") if part in whole.replace(source, "", 1)]
        message += f": {join_words(missing, 'and')} {'is' if len(missing) == 1 else 'are'} missing"
        advice = f"write {whole}{', with a tag or a commit' if whole.endswith('@TAG') else ''}"
    else:
        advice += ", or the path of a wheel in the repository"
    return Diagnostic(Code.BAD_OPTION, message, Place("--from"), advice)


def _text(root: Path, name: str) -> str:
    try:
        return regular_file.read_inside(root, name, _LARGEST).decode("utf-8", "replace")
    except OSError:
        return ""


def _game_without_settings(root: Path) -> str:
    """Return the game of all cards of a repository that has no settings, or '' if there are several, or settings."""
    if find_settings_folder(root) or projects_below(root):
        return ""
    project = Project.open(Workspace(root).with_games())
    with suppress(CardgenError):
        games = indexed_sources(project, project.find_card_files())[0]("").games
        return games[0] if len(games) == 1 else ""
    return ""

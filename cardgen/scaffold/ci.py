"""Files with which a repository checks its cards: jobs, a hook, and how to contribute, for `cardgen new ci`."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import NamedTuple

from cardgen.diagnostic import CardgenError, Code, Diagnostic, Place
from cardgen.project.files import display_path, repository_root, require_inside
from cardgen.runtime import atomic_write

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
_SOURCE = re.compile(r"git\+https?://[\w.-]+(:\d+)?/[\w.~/+-]+@[\w./+-]+|(https?://)?\w[\w.:~/+-]*\.whl", re.ASCII)
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
    """Paths of the files that were written, and of those that existed before."""

    written: Sequence[str]
    kept: Sequence[str]


def new_ci(host: str, source: str) -> NewFiles:
    """Write the files of a host into the repository, except for those that exist.

    `source` is what pip installs cardgen from: a repository with a tag, or a wheel. Raises CardgenError, located at
    `--from`, if it is missing, or is neither.
    """
    if not _SOURCE.fullmatch(source):
        message = (
            f"the jobs cannot install cardgen from '{source}'"
            if source
            else "it is not known where cardgen is installed from"
        )
        advice = "use git+https://HOST/PATH@TAG, or the path of a wheel in the repository"
        raise CardgenError(Diagnostic(Code.BAD_OPTION, message, Place("--from"), advice))
    action = _ACTION.fullmatch(source)
    root, files = repository_root(), HOSTS[host]
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
    kept: list[str] = []
    for name, template in files.items():
        path = require_inside(root, root / name, name)
        if path.exists():
            kept.append(display_path(path))
            continue
        chosen = "github-action.yml" if template == "github.yml" and action else template
        text = (_FOLDER / chosen).read_text(encoding="utf-8")
        for word, value in values.items():
            text = text.replace(word, value)
        contents[path] = text.encode()
    atomic_write.write_all(contents)
    return NewFiles([*map(display_path, contents)], kept)

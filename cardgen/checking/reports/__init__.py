"""Report formats; each module has a function `report`."""

from __future__ import annotations

from importlib import import_module

from cardgen.checking.runner import CheckResult, paths_from
from cardgen.project.files import repository_root

FORMATS = ("full", "concise", "json", "github", "sarif", "markdown", "junit", "gitlab")
# Servers read these, which know the files of a repository by their paths from its root.
_OF_REPOSITORY = frozenset({"github", "sarif", "markdown", "junit", "gitlab"})
# These end with the summary line; formats for programs do not.
HUMAN_FORMATS = frozenset({"full", "concise"})


def report(name: str, result: CheckResult, *, color: bool = False) -> str:
    """Return the report in a format, with a final line break.

    `color` adds colors to formats for people.
    """
    if name in _OF_REPOSITORY:
        result = paths_from(result, repository_root())
    options = {"color": color} if name in HUMAN_FORMATS else {}
    text: str = import_module(f"cardgen.checking.reports.{name}").report(result, **options)
    return text

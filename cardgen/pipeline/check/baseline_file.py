"""Baseline files: written by one run, and left out of the reports of later ones."""

from __future__ import annotations

from pathlib import Path

from cardgen.checking import locate
from cardgen.checking.locate import Baseline, BaselineMatch, BaselineScope
from cardgen.checking.runner import CheckResult
from cardgen.project.files import display_path, require_named_inside
from cardgen.runtime import atomic_write, regular_file
from cardgen.runtime.fingerprint import find_project_root, start_folder
from cardgen.runtime.json_text import dump_json

_LARGEST = 16 << 20


def apply_baseline(result: CheckResult, file: Path, *, whole_project: bool) -> CheckResult:
    """Return the result without the findings in a baseline file.

    Raises ValueError with a message for the user if the file is not a baseline, and CardgenError if it is a link that
    leads out of the project.
    """
    scope = _scope(result, file, whole_project)
    findings, count, stale = locate.apply(_read(file), result.findings, file.parent, scope)
    return result._replace(findings=findings, baseline=BaselineMatch(file.as_posix(), count, stale))


def write_baseline(result: CheckResult, file: Path, *, whole_project: bool) -> None:
    """Record the findings in a baseline file.

    Entries for checks and files that the run did not include are kept. Raises ValueError with a message for the user if
    the file exists and is not a baseline.
    """
    old = _read(file) if file.exists() else {}
    new = locate.record(result.findings, file.parent)
    merged = locate.merge(old, new, _scope(result, file, whole_project))
    atomic_write.write(file, dump_json(locate.as_data(merged)).encode())


def _scope(result: CheckResult, file: Path, whole_project: bool) -> BaselineScope:
    files = frozenset(locate.relative_name(name, file.parent) for name in result.files)
    return BaselineScope(frozenset(check.code for check in result.checks), None if whole_project else files)


def _read(file: Path) -> Baseline:
    require_named_inside(find_project_root(start_folder()), file, display_path(file))
    try:
        text = regular_file.read(file, _LARGEST).decode("utf-8")
    except OSError as error:
        raise ValueError(f"'{file}' cannot be read: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise ValueError(f"'{file}' is not encoded in UTF-8") from None
    try:
        return locate.parse(text)
    except ValueError as error:
        raise ValueError(f"'{file}': {error}") from None

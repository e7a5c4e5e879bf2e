"""What check runs write: reports, manual pages of checks, baselines, and fixed files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from cardgen.checking import locate
from cardgen.checking.locate import Baseline, BaselineMatch, BaselineScope, diff, plan_fixes
from cardgen.checking.reports import HUMAN_FORMATS, report
from cardgen.checking.reports.statistics import statistics_table
from cardgen.checking.runner import CheckResult
from cardgen.project.files import display_path, require_named_inside
from cardgen.project_checks.check_reports import CheckReport, OutputText
from cardgen.project_checks.registries import all_checks
from cardgen.project_checks.run import CheckRequest, check_or_raise, check_project
from cardgen.runtime import atomic_write, regular_file
from cardgen.runtime.escapes import dump_json
from cardgen.runtime.workspace import Workspace


def render_reports(result: CheckResult, targets: Sequence[tuple[str, Path | None]], *, statistics: bool) -> CheckReport:
    """Render the requested reports, and the summary after those that are printed.

    Printed reports for people are colored, which whoever prints them may strip.
    """
    texts = [(file, report(name, result, color=file is None)) for name, file in targets]
    to_stderr = any(file is None and name not in HUMAN_FORMATS for name, file in targets)
    closing = [OutputText(statistics_table(result), to_stderr)] if statistics else []
    printed = [OutputText(text) for file, text in texts if file is None]
    files = tuple((str(file), text) for file, text in texts if file is not None)
    return CheckReport((*printed, *closing, OutputText(f"{result.summary}\n", to_stderr)), files, result.failed)


def explain_checks(word: str, workspace: Workspace | None = None) -> str:
    """Return the manual pages of matching checks; for all, the handbook."""
    from cardgen.checking.check import render_handbook, render_page  # loaded here because it is rarely needed

    registry = all_checks(workspace)
    checks = registry.matching(word)
    return render_handbook(checks) if len(checks) == len(registry.checks) else "\n".join(map(render_page, checks))


_LARGEST = 16 << 20


def apply_baseline(result: CheckResult, file: Path, root: Path, *, whole_project: bool) -> CheckResult:
    """Return the result without the findings in a baseline file of the project in the folder `root`.

    Raises ValueError with a message for the user if the file is not a baseline, and CardgenError if it is a link that
    leads out of the project.
    """
    scope = _scope(result, file, whole_project)
    findings, count, stale = locate.apply(_read_baseline(file, root), result.findings, file.parent, scope)
    return result._replace(findings=findings, baseline=BaselineMatch(file.as_posix(), count, stale))


def write_baseline(result: CheckResult, file: Path, root: Path, *, whole_project: bool) -> None:
    """Record the findings in a baseline file of the project in the folder `root`.

    Entries for checks and files that the run did not include are kept. Raises ValueError with a message for the user if
    the file exists and is not a baseline.
    """
    old = _read_baseline(file, root) if file.exists() else {}
    new = locate.record(result.findings, file.parent)
    merged = locate.merge(old, new, _scope(result, file, whole_project))
    atomic_write.write(file, dump_json(locate.as_data(merged)).encode())


def _scope(result: CheckResult, file: Path, whole_project: bool) -> BaselineScope:
    files = frozenset(locate.relative_name(name, file.parent) for name in result.files)
    return BaselineScope(frozenset(check.code for check in result.checks), None if whole_project else files)


def _read_baseline(file: Path, root: Path) -> Baseline:
    require_named_inside(root, file, display_path(file))
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


# A fix can make another one necessary. After this many rounds, two fixes must be undoing each other.
MOST_ROUNDS = 10


def apply_fixes(request: CheckRequest, *, unsafe: bool) -> CheckResult:
    """Apply fixes to the files, and return the remaining findings."""
    result, count = check_project(request), 0
    for _ in range(MOST_ROUNDS):
        fixed_files = plan_fixes(result.findings, unsafe=unsafe)
        if not fixed_files:
            break
        for path, file in fixed_files.items():
            atomic_write.write(path, file.after.encode("utf-8"))
            count += file.fixes
        result = check_project(request)
    return result._replace(fix_count=count)


def preview_fixes(request: CheckRequest, *, unsafe: bool) -> str:
    """Return the unified diff of the available fixes, or ''.

    Raises CardgenError as `check_or_raise` does.
    """
    planned_files = plan_fixes(check_or_raise(request).findings, unsafe=unsafe)
    return "".join(diff(path, planned_files[path]) for path in sorted(planned_files))

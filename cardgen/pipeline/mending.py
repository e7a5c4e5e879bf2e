"""Mending cards: fixes are applied until none is left, or shown as a diff."""

from __future__ import annotations

from cardgen.check.fixing import diff, plan_fixes
from cardgen.check.outcome import CheckResult
from cardgen.export import files
from cardgen.pipeline.checking import CheckRequest, check_or_raise, check_project

# One fix may call for another; more rounds than this would mean that two fixes undo each other.
MOST_ROUNDS = 10


def apply_fixes(request: CheckRequest, *, unsafe: bool) -> CheckResult:
    """Apply fixes to the files, and say what is left."""
    result, count = check_project(request), 0
    for _ in range(MOST_ROUNDS):
        fixed_files = plan_fixes(result.findings, unsafe=unsafe)
        if not fixed_files:
            break
        for path, file in fixed_files.items():
            files.write(path, file.after.encode("utf-8"))
            count += file.fixes
        result = check_project(request)
    return result._replace(fix_count=count)


def preview_fixes(request: CheckRequest, *, unsafe: bool) -> str:
    """What the fixes at hand would change, as a unified diff; '' for nothing. Raises CardgenError as `checked` does."""
    planned_files = plan_fixes(check_or_raise(request).findings, unsafe=unsafe)
    return "".join(diff(path, planned_files[path]) for path in sorted(planned_files))

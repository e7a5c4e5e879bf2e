"""Fixes of what a check run finds, in the files or as a diff."""

from __future__ import annotations

from cardgen.checking.locate import diff, plan_fixes
from cardgen.checking.runner import CheckResult
from cardgen.pipeline.check.run import CheckRequest, check_or_raise, check_project
from cardgen.runtime import atomic_write

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

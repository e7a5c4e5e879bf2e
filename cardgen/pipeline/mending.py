"""Mending cards: fixes are applied until none is left, or shown as a diff."""

from __future__ import annotations

from cardgen.check.fixing import diff, mended
from cardgen.check.outcome import Outcome
from cardgen.export import files
from cardgen.pipeline.checking import Request, check, checked

# One fix may call for another; more rounds than this would mean that two fixes undo each other.
MOST_ROUNDS = 10


def mend(request: Request, *, unsafe: bool) -> Outcome:
    """Apply fixes to the files, and say what is left."""
    outcome, count = check(request), 0
    for _ in range(MOST_ROUNDS):
        changed = mended(outcome.found, unsafe=unsafe)
        if not changed:
            break
        for path, file in changed.items():
            files.write(path, file.after.encode("utf-8"))
            count += file.fixes
        outcome = check(request)
    return outcome._replace(fixed=count)


def preview(request: Request, *, unsafe: bool) -> str:
    """What the fixes at hand would change, as a unified diff; '' for nothing. Raises CardgenError as `checked` does."""
    changed = mended(checked(request).found, unsafe=unsafe)
    return "".join(diff(path, changed[path]) for path in sorted(changed))

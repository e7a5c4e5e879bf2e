"""GitLab Code Quality report, which GitLab shows in merge requests."""

from __future__ import annotations

import hashlib
import os
from collections import Counter
from pathlib import Path
from typing import Any

from cardgen.checking.locate import BaselineEntry, LocatedFinding, entry_for
from cardgen.checking.runner import CheckResult
from cardgen.diagnostic import Severity, escape_controls
from cardgen.runtime.escapes import dump_json

_SEVERITIES = {Severity.ERROR: "major", Severity.WARNING: "minor", Severity.NOTE: "info"}


def report(result: CheckResult) -> str:
    """Return a list of findings; their fingerprints do not depend on line numbers."""
    here = Path.cwd()
    numbers: Counter[BaselineEntry] = Counter()
    issues = []
    for one in result.findings:
        entry = entry_for(one.diagnostic, here)
        numbers[entry] += 1  # GitLab keeps only one of the findings with the same fingerprint.
        content = "\0".join((*entry, str(numbers[entry])))
        issues.append(_issue(one, hashlib.sha256(content.encode("utf-8", "surrogatepass")).hexdigest()))
    return dump_json(issues)


def _issue(one: LocatedFinding, fingerprint: str) -> dict[str, Any]:
    diagnostic = one.diagnostic
    span = diagnostic.place.span
    advice = "".join(f" ({each})" for each in (*diagnostic.elsewhere, diagnostic.help) if each)
    locator = f"{diagnostic.place.locator}: " if diagnostic.place.locator else ""
    return {
        "description": escape_controls(locator + diagnostic.message + advice),
        "check_name": f"{diagnostic.code} {one.check.name}",
        "fingerprint": fingerprint,
        "severity": _SEVERITIES[diagnostic.severity],
        "location": {
            "path": os.fsencode(diagnostic.place.file).decode("utf-8", "replace"),
            "lines": {"begin": span.line, "end": span.end_line} if span else {"begin": 1},
        },
    }

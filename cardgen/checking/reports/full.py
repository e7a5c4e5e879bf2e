"""Full report for people: findings with source lines and carets."""

from __future__ import annotations

from cardgen.checking.runner import CheckResult, GroupedFinding
from cardgen.diagnostic import format_group


def report(result: CheckResult, *, color: bool = False) -> str:
    """Return all findings, separated by blank lines."""
    return "".join(f"{_finding(group, color=color)}\n\n" for group in result.groups)


def _finding(group: GroupedFinding, *, color: bool) -> str:
    one = group.finding
    lines = [format_group(one.diagnostic, group, color=color, lists_all="--show-all")]
    if one.fix:
        written = one.fix.text.strip() or one.fix.text
        does = f"writes {written!r} here" if written else "removes this"
        lines.append(f"  fix: {'--fix' if one.fix.safe else '--fix --unsafe-fixes'} {does}")
    if one.check.manual:
        lines.append(f"  why: cardgen check --explain {one.check.name}")
    return "\n".join(lines)

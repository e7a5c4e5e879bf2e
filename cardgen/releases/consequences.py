"""Findings that follow from others, and are not told beside them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from cardgen.checking.checks import beyond_its_cost, loose_translation, stale_translation, unused_art
from cardgen.checking.locate import LocatedFinding
from cardgen.diagnostic import Code, Diagnostic, Place, Severity
from cardgen.releases.branch_findings import GONE_TEMPLATE
from cardgen.releases.earlier_values import EarlierValues
from cardgen.runtime.fingerprint import SETTINGS_FILE


def without_consequences(
    findings: Sequence[LocatedFinding], is_old: Callable[[Place], bool]
) -> Iterator[LocatedFinding]:
    """Yield the findings, without warnings and notes at old lines if there are cards now that cannot be read.

    A card that is compared with all others gets another rank without them. One whose reference leads nowhere is there.
    """
    is_unread = any(
        each.check.find is None
        and each.diagnostic.severity is Severity.ERROR
        and each.diagnostic.code != Code.UNKNOWN_REFERENCE
        for each in findings
    )
    for each in findings:
        place = each.diagnostic.place
        is_caused = is_unread and each.check.find and each.diagnostic.severity is not Severity.ERROR
        if not (is_caused and place.source_line and is_old(place)):
            yield each


def _is_odd(finding: LocatedFinding) -> bool:
    return finding.diagnostic.code == Code.ODD_CHANGE and finding.diagnostic.severity is Severity.NOTE


def without_repetitions(
    findings: Sequence[LocatedFinding], of_branch: Sequence[LocatedFinding]
) -> Iterator[LocatedFinding]:
    """Yield all findings, and of those at the same line only what the branch did there: an old text, or a lost id.

    A change that is merely odd is not told where something is wrong for it.
    """
    told = {
        (each.check.code, _line(place))
        for each in of_branch
        for place in (each.diagnostic.place, *(place for place, _ in each.diagnostic.related))
    }
    stale = {line for code, line in told if code == stale_translation.CODE}
    for each in findings:
        line = _line(each.diagnostic.place)
        if line not in stale and (each.check.code, line) not in told:
            yield each
    found = {_line(each.diagnostic.place) for each in (*findings, *of_branch) if not _is_odd(each)}
    yield from (each for each in of_branch if not (_is_odd(each) and _line(each.diagnostic.place) in found))


def without_echoes(findings: Sequence[LocatedFinding], earlier: EarlierValues) -> Iterator[LocatedFinding]:
    """Yield findings without those that only say more about a change that another one names.

    At one place, these are all but the weightiest; of several at a line with one code, those that do not quote what the
    branch wrote there, if one does; pictures that no card uses any more, if a finding says where one was named; loose
    ends of a template that was removed; all others of a table with two columns of a name; errors in templates of the
    program that follow from others; and translations without cards if the settings that name them are wrong.
    """
    at, lines = dict[Place, list[LocatedFinding]](), dict[object, list[LocatedFinding]]()
    for each in findings:
        at.setdefault(each.diagnostic.place, []).append(each)
        lines.setdefault((each.diagnostic.code, _line(each.diagnostic.place)), []).append(each)
    advice = " ".join(each.diagnostic.help or "" for each in findings if each.check.name != unused_art.NAME)
    has_lost_template = any(each.diagnostic.message == GONE_TEMPLATE for each in findings)
    headings = {each.diagnostic.place for each in findings if each.diagnostic.message.startswith("duplicate column")}
    tables = {(place.file, place.locator.partition(":")[0]) for place in headings}
    errors = [each.diagnostic.place for each in findings if each.diagnostic.severity is Severity.ERROR]
    has_own_error = any(earlier.is_own(place) for place in errors)
    has_wrong_settings = any(Path(place.file).name == SETTINGS_FILE for place in errors)
    for each in findings:
        diagnostic, place = each.diagnostic, each.diagnostic.place
        if has_own_error and not earlier.is_own(place):
            continue
        if has_wrong_settings and each.check.name == loose_translation.NAME and not earlier.is_changed_file(place):
            continue
        if (place.file, place.locator.partition(":")[0]) in tables and place not in headings:
            continue
        alike = lines[diagnostic.code, _line(place)]
        is_vague = not _quotes(each, earlier) and any(_quotes(other, earlier) for other in alike)
        is_unused = each.check.name == unused_art.NAME and _names(advice, place.file)
        is_loose = diagnostic.code == Code.LOOSE_END and has_lost_template and not earlier.is_changed(place)
        weight = _weight(diagnostic)
        if not (is_vague or is_unused or is_loose or any(_weight(other.diagnostic) > weight for other in at[place])):
            yield each


def _weight(diagnostic: Diagnostic) -> int:
    """Return how much a finding says of its place: a wrong game file the most, what is odd less than what is wrong."""
    if diagnostic.code == Code.INVALID_GAME:
        return 3
    if diagnostic.severity is Severity.NOTE:
        return 0
    return 1 if diagnostic.code in (Code.ODD_CHANGE, beyond_its_cost.CODE) else 2


def _names(advice: str, file: str) -> bool:
    return any(file.endswith(name) for name in re.findall(r"[\w./-]+\.\w+", advice))


def _quotes(finding: LocatedFinding, earlier: EarlierValues) -> bool:
    """Return whether a finding quotes a word that the branch wrote in its line."""
    words = {word for quoted in re.findall(r"'([^']+)'", finding.diagnostic.message) for word in quoted.split()}
    return bool(words & earlier.words_written(finding.diagnostic.place))


def _line(place: Place) -> tuple[str, str, int]:
    return place.file, place.locator, place.span.line if place.span else 0

"""SARIF 2.1.0 report for code scanning."""

from __future__ import annotations

import os
from typing import Any
from urllib.parse import quote

from cardgen import __version__
from cardgen.checking.check import Check, Confidence, parse_page, render_page
from cardgen.checking.locate import LocatedFinding
from cardgen.checking.runner import CheckResult
from cardgen.diagnostic import Place
from cardgen.runtime.escapes import dump_json
from cardgen.runtime.installation import check_address, documentation_address

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
# The name that GitHub knows for the root of the repository.
_ROOT = "%SRCROOT%"
_PRECISION = {Confidence.CERTAIN: "very-high", Confidence.LIKELY: "high", Confidence.GUESS: "medium"}


def report(result: CheckResult) -> str:
    """Return a run with all findings, and their checks as rules."""
    pages = documentation_address()
    rules = tuple(sorted(result.statistics, key=lambda check: check.code))
    driver: dict[str, Any] = {
        "name": "cardgen",
        "version": __version__,
        "rules": [_rule(check) for check in rules],
    }
    if pages:
        driver["informationUri"] = pages
    index = {check.code: number for number, check in enumerate(rules)}
    run = {
        "tool": {"driver": driver},
        "originalUriBaseIds": {_ROOT: {"description": {"text": "The root of the repository."}}},
        "columnKind": "unicodeCodePoints",
        "results": [_result(one, index[one.check.code]) for one in result.findings],
    }
    return dump_json({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]})


def _rule(check: Check) -> dict[str, Any]:
    manual, page = parse_page(check.page), render_page(check)
    address = check_address(check.code, check.name)
    return {
        "id": check.code,
        "name": check.name,
        "shortDescription": {"text": manual.title},
        "fullDescription": {"text": manual.why},
        "help": {"text": page, "markdown": page},
        **({"helpUri": address} if address else {}),
        "defaultConfiguration": {"level": check.severity.value},
        "properties": {"precision": _PRECISION[check.confidence]},
    }


def _result(one: LocatedFinding, index: int) -> dict[str, Any]:
    diagnostic = one.diagnostic
    advice = f" ({diagnostic.help})" if diagnostic.help else ""
    result: dict[str, Any] = {
        "ruleId": diagnostic.code,
        "ruleIndex": index,
        "level": diagnostic.severity.value,
        "message": {"text": diagnostic.message + advice},
        "locations": [_location(diagnostic.place)],
    }
    if diagnostic.related:
        result["relatedLocations"] = [
            {"message": {"text": word}, **_location(place)} for place, word in diagnostic.related
        ]
    if one.fix and diagnostic.place.span:
        result["fixes"] = [_fix(one)]
    return result


def _location(place: Place) -> dict[str, Any]:
    file: dict[str, Any] = {"artifactLocation": _artifact(place)}
    region = _region(place)
    location = {"physicalLocation": file | ({"region": region} if region else {})}
    return location | ({"logicalLocations": [{"fullyQualifiedName": place.locator}]} if place.locator else {})


def _artifact(place: Place) -> dict[str, str]:
    return {"uri": quote(os.fsencode(place.file)), "uriBaseId": _ROOT}


def _region(place: Place) -> dict[str, int]:
    """Return the lines and columns of a place; a cell of a spreadsheet has none."""
    span = place.span
    if span is None or place.is_cell:
        return {}
    return {
        "startLine": span.line,
        "startColumn": max(span.column, 1),
        "endLine": span.end_line,
        "endColumn": span.end_column,
    }


def _fix(one: LocatedFinding) -> dict[str, Any]:
    place = one.diagnostic.place
    text = one.fix.text if one.fix else ""
    replacement = {"deletedRegion": _region(place), "insertedContent": {"text": text}}
    change = {"artifactLocation": _artifact(place), "replacements": [replacement]}
    return {
        "description": {"text": f"Write {text.strip()!r}" if text.strip() else "Remove it"},
        "artifactChanges": [change],
    }

"""JUnit XML report, which Jenkins, GitLab, and most other CI servers read as test results.

Each file is a test suite, and each check with findings in it a test case, so that a server can follow a check over many
runs. A file without findings has one test case, which passes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from xml.etree import ElementTree as ET

from cardgen.checking.check import Check
from cardgen.checking.locate import LocatedFinding
from cardgen.checking.runner import CheckResult
from cardgen.diagnostic import Diagnostic, escape_controls
from cardgen.units import quantity

# Characters that XML 1.0 cannot contain, besides control characters.
_NONCHARACTERS = re.compile("[\ufffe\uffff]")


def report(result: CheckResult) -> str:
    """Return test suites; findings below the fail level are output of a test that passes."""
    by_file: dict[str, list[LocatedFinding]] = {file: [] for file in result.files}
    for one in result.findings:
        by_file.setdefault(one.diagnostic.place.file, []).append(one)
    root = ET.Element("testsuites", name="cardgen")
    root.extend(_suite(file, findings, result) for file, findings in sorted(by_file.items()))
    root.attrib |= {key: str(sum(int(suite.get(key, 0)) for suite in root)) for key in ("tests", "failures", "errors")}
    ET.indent(root)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ET.tostring(root, encoding="unicode")}\n'


def _suite(file: str, findings: Iterable[LocatedFinding], result: CheckResult) -> ET.Element:
    by_check: dict[Check, list[LocatedFinding]] = {}
    for one in findings:
        by_check.setdefault(one.check, []).append(one)
    suite = ET.Element("testsuite", name=_clean(file))
    suite.extend(_case(file, check, by_check[check], result) for check in sorted(by_check, key=lambda each: each.code))
    if not by_check:
        ET.SubElement(suite, "testcase", name="no findings", classname=_clean(file))
    failures = len(suite.findall("testcase/failure"))
    suite.attrib |= {"tests": str(len(suite)), "failures": str(failures), "errors": "0"}
    return suite


def _case(file: str, check: Check, findings: list[LocatedFinding], result: CheckResult) -> ET.Element:
    case = ET.Element("testcase", name=f"{check.code} {check.name}", classname=_clean(file))
    text = "\n".join(_line(one.diagnostic) for one in findings)
    if any(map(result.is_failure, findings)):
        first = findings[0].diagnostic.message
        message = first if len(findings) == 1 else f"{quantity(len(findings), 'finding')}, the first: {first}"
        ET.SubElement(case, "failure", type=check.severity.value, message=_clean(message)).text = text
    else:
        ET.SubElement(case, "system-out").text = text
    return case


def _line(diagnostic: Diagnostic) -> str:
    return _clean(f"{diagnostic}; {diagnostic.help}" if diagnostic.help else str(diagnostic))


def _clean(text: str) -> str:
    return _NONCHARACTERS.sub("\ufffd", escape_controls(text))

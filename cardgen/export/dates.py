"""The date that documents bear: always the same one, or that of SOURCE_DATE_EPOCH, as reproducible builds have it."""

from __future__ import annotations

import os

from cardgen.diagnostic import CardgenError, Diagnostic, Place

BAD_DATE = "CG593"
DATE_VARIABLE = "SOURCE_DATE_EPOCH"
# The last second of the year 9999, behind which there are no dates.
_LAST_SECOND = 253_402_300_799


def check_source_date() -> None:
    """Look at SOURCE_DATE_EPOCH, which ReportLab reads; without it documents say the first of January 2000.

    Raises CardgenError when it is no number of seconds since the beginning of 1970.
    """
    value = os.environ.get(DATE_VARIABLE, "").strip()
    if value and not (value.isascii() and value.isdigit() and len(value) < 20 and int(value) <= _LAST_SECOND):
        message = f"'{value}' is no date: it has to be a number of seconds since the beginning of 1970"
        raise CardgenError(
            Diagnostic(BAD_DATE, message, Place(DATE_VARIABLE), "unset it, or write it as 'date +%s' does")
        )

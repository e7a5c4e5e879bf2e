"""Diagnostic codes of unreadable files and YAML errors."""

from __future__ import annotations

from enum import StrEnum


class Code(StrEnum):
    """Diagnostic codes, one for each kind of problem in a file."""

    UNREADABLE = "CG001"
    TOO_LARGE = "CG002"
    NOT_UTF8 = "CG003"
    UNPRINTABLE = "CG004"
    SYNTAX = "CG005"
    SEVERAL_DOCUMENTS = "CG006"
    TAG = "CG007"
    ANCHOR = "CG008"
    MERGE_KEY = "CG009"
    TOO_DEEP = "CG010"
    TOO_MUCH = "CG011"
    KEY_NOT_TEXT = "CG012"
    DUPLICATE_KEY = "CG013"
    AMBIGUOUS = "CG014"
    NUMBER_OUT_OF_RANGE = "CG015"

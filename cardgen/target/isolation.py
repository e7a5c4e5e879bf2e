"""Measurement of a PDF in a process of its own, within limits of time and memory."""

from __future__ import annotations

from functools import partial

from cardgen.export.preflight.document import UnreadableFileError, preflight_document
from cardgen.export.preflight.findings import Finding, Requirements
from cardgen.runtime.limited_fork import LimitedFork, ResourceLimitError
from cardgen.runtime.process_pool import can_fork

# The CPU time for a PDF, and the memory beyond what the program uses.
TIME_LIMIT = 120.0
MEMORY_LIMIT = 2 * 2**30


def measure_pdf(content: bytes, needs: Requirements) -> tuple[list[Finding], int]:
    """Return the findings of a PDF, and the number of its pages.

    Streams of a few kilobytes can expand to terabytes, inside libraries that have no limit. Raises UnreadableFileError
    if the file cannot be read, or exceeds a limit.
    """
    if not can_fork():
        return preflight_document(content, needs)
    fork = LimitedFork(partial(preflight_document, content, needs), TIME_LIMIT, MEMORY_LIMIT)
    try:
        return fork.call()
    except ResourceLimitError as error:
        raise UnreadableFileError(_limit_message(error.resource)) from None
    finally:
        fork.close()


def _limit_message(resource: str) -> str:
    if resource == "time":
        return f"measuring the PDF takes longer than {TIME_LIMIT:g} seconds"
    if resource == "memory":
        return f"measuring the PDF takes more than {MEMORY_LIMIT // 2**20} MiB of memory"
    return "the PDF cannot be measured; reading it ended the process"

"""Exports of a few cards to a print service."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from cardgen.print.request import BuildRequest
from cardgen.target.job import ExportRequest, ExportResult, export

CARDS = Path(__file__).parents[3] / "cards" / "warniris"


def ordered(target: str, folder: Path, *kinds: str, qty: int = 2, **options: Any) -> ExportResult:
    """The export of two copies of each minion, or of other kinds."""
    only = kinds or ("minion",)
    request = BuildRequest(paths=(CARDS,), only=only, qty=qty, output=folder, jobs=1, cache=False)
    return export(ExportRequest(target, request, options))

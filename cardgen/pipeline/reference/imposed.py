"""Sheets imposed together as double-sided sheets of paper."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

# Content and number of pages of files.
Files = Mapping[Path, tuple[bytes, int]]


def imposed(sheets: Files, game: str, across: int) -> Files:
    """Return one PDF for each paper with all pages of the sheets for it, `across` of them on each side."""
    from cardgen.export.reference.pagination import impose_leaves

    papers: dict[str, list[tuple[bytes, int]]] = {}
    for path, sheet in sheets.items():
        papers.setdefault(path.stem.rsplit("-", 1)[1], []).append(sheet)
    folder = next(iter(sheets)).parent if sheets else Path()
    return {
        folder / f"{game}-imposed-{paper}.pdf": (
            impose_leaves([content for content, _ in group], across),
            sum(pages for _, pages in group),
        )
        for paper, group in papers.items()
    }

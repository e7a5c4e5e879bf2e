"""Press: PDF/X-4 in ink with one side per page, and cut lines in a spot color."""

from __future__ import annotations

from cardgen.target.job import ExportJob, Outcome
from cardgen.target.print import pieces
from cardgen.target.print.pieces import PrintProfile, export_documents

Profile = PrintProfile


def export(job: ExportJob[PrintProfile]) -> Outcome:
    """Add one PDF for each size of card. Raises CardgenError without a color profile."""
    round_sizes = [card.size for card in job.cards]  # all, because cut lines are drawn
    selection = pieces.select(job, job.profile.sizes, round_sizes=round_sizes)
    pieces.require_count(job, sum(map(job.copies, selection.cards)))
    return export_documents(job, selection)

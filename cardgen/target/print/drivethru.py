"""DriveThruCards: PDF/X-1a, the back of each card before its front."""

from __future__ import annotations

from cardgen.target.job import ExportJob, Outcome
from cardgen.target.print import pieces
from cardgen.target.print.pieces import PrintProfile, export_documents

Profile = PrintProfile


def export(job: ExportJob[PrintProfile]) -> Outcome:
    """Add one PDF for each size. Raises CardgenError for a card without a back, and without a color profile."""
    selection = pieces.select_two_sided(job, job.profile.sizes)
    pieces.require_count(job, sum(map(job.copies, selection.cards)))
    return export_documents(job, selection)

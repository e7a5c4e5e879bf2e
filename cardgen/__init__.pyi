from cardgen.api.build import BuildOptions, build, render
from cardgen.api.check import check
from cardgen.api.deck import Card, Deck, load
from cardgen.api.odds import OddsTable, odds
from cardgen.api.release import ReleaseResult, diff, release
from cardgen.api.reports import compute_balance, explain, export_table, fix, make_sheets, preflight, prove
from cardgen.diagnostic import CardgenError, Diagnostic, Fix, Place, Severity, Span, format_diagnostic
from cardgen.print.build_manifest import BuildResult
from cardgen.releases.changes import ChangedCard, Changes

__all__ = [
    "BuildOptions",
    "BuildResult",
    "Card",
    "CardgenError",
    "ChangedCard",
    "Changes",
    "Deck",
    "Diagnostic",
    "Fix",
    "OddsTable",
    "Place",
    "ReleaseResult",
    "Severity",
    "Span",
    "__version__",
    "build",
    "check",
    "compute_balance",
    "diff",
    "explain",
    "export_table",
    "fix",
    "format_diagnostic",
    "load",
    "make_sheets",
    "odds",
    "preflight",
    "prove",
    "release",
    "render",
]

__version__: str

from cardgen.api.build import BuildOptions, build, render
from cardgen.api.check import check
from cardgen.api.deck import Card, Deck, load
from cardgen.api.odds import OddsTable, odds
from cardgen.api.release import ReleaseResult, diff, release
from cardgen.diagnostic import CardgenError, Diagnostic, Place, Severity, Span, format_diagnostic
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
    "OddsTable",
    "Place",
    "ReleaseResult",
    "Severity",
    "Span",
    "__version__",
    "build",
    "check",
    "diff",
    "format_diagnostic",
    "load",
    "odds",
    "release",
    "render",
]

__version__: str

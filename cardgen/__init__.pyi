from cardgen.api.build import BuildOptions, build
from cardgen.api.check import check
from cardgen.api.deck import Card, Deck, load
from cardgen.api.odds import OddsTable, odds
from cardgen.api.render import render
from cardgen.diagnostic import CardgenError, Diagnostic, Place, Severity, Span, format_diagnostic
from cardgen.pipeline.cache.build_manifest import BuildResult

__all__ = [
    "BuildOptions",
    "BuildResult",
    "Card",
    "CardgenError",
    "Deck",
    "Diagnostic",
    "OddsTable",
    "Place",
    "Severity",
    "Span",
    "__version__",
    "build",
    "check",
    "format_diagnostic",
    "load",
    "odds",
    "render",
]

__version__: str

"""cardgen: printable cards and references for tabletop skirmish games.

The names in `__all__` are the public API; `docs/python.md` describes it. Each is loaded when it is first used, so that
importing the package costs nothing: every command imports it.
`__init__.pyi` tells type checkers where each name comes from.
"""

__version__ = "0.1.0"

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

_MODULES = {
    "cardgen.api.build": ("BuildOptions", "build", "render"),
    "cardgen.api.check": ("check",),
    "cardgen.api.deck": ("Card", "Deck", "load"),
    "cardgen.api.odds": ("OddsTable", "odds"),
    "cardgen.api.release": ("ReleaseResult", "diff", "release"),
    "cardgen.api.reports": ("compute_balance", "explain", "export_table", "fix", "make_sheets", "preflight", "prove"),
    "cardgen.diagnostic": ("CardgenError", "Diagnostic", "Fix", "Place", "Severity", "Span", "format_diagnostic"),
    "cardgen.print.build_manifest": ("BuildResult",),
    "cardgen.releases.changes": ("ChangedCard", "Changes"),
}


def __getattr__(name: str) -> object:
    """Load a public name from its module (PEP 562)."""
    module = next((module for module, names in _MODULES.items() if name in names), None)
    if module is None:
        raise AttributeError(f"module 'cardgen' has no attribute '{name}'")
    from importlib import import_module  # loaded here, for most users of the package need none of this

    value: object = getattr(import_module(module), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """Every public name, loaded or not."""
    return sorted({*globals(), *__all__})

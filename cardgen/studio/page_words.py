"""The words of pages in place of those of the command line: labels of fields for options, and pages for commands."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType

from cardgen.diagnostic import CardgenError, Diagnostic

# Labels that say more than the name of the option.
_LABELS: Mapping[str, str] = MappingProxyType(
    {
        "asset_base_url": "Asset base URL",
        "backs": "The printer turns the sheet",
        "changed_since": "Changed since",
        "dpi": "Resolution",
        "format": "Format",
        "formats": "Format",
        "keep_bleed": "Keep the bleed in PNG and SVG files",
        "kit": "With proxies and other pieces",
        "no_backs": "Fronts only",
        "profile": "Press profile",
        "qty": "Copies of each",
        "ruling": "House rules",
        "save": "Save as",
        "seed": "Seed of the dice",
        "skip_unfit": "Skip cards whose texts do not fit",
        "warband": "Warband or list",
    }
)
# The page that does what a command does; other commands have none.
_PAGES: Mapping[str, str] = MappingProxyType(
    {
        "battle": "Play",
        "build": "Print",
        "calibrate": "Calibrate a printer",
        "cards": "Cards",
        "export": "Export",
        "fix": "Edit",
        "list": "Cards",
        "new": "New card",
        "trial": "Rules",
    }
)
_OPTION = re.compile(r"(?<![\w-])--([a-z][a-z0-9-]*)")
_QUOTED = r"(?P<quote>['`])cardgen (?P<name>[a-z]+)(?P<rest>[^'`\n]*)(?P=quote)"
_BARE = r"cardgen (?P<bare>[a-z]+)(?P<arguments>(?: (?:--[a-z-]+|[\w./]+))+)"
_COMMAND = re.compile(rf"(?P<verb>\b(?:run|use|with) )?(?:{_QUOTED}|{_BARE})")
# How to begin with a page instead of a command.
_VERBS = {"run ": "open ", "use ": "use ", "with ": "in "}


def label_of(name: str) -> str:
    """Return the label of an option: 'Target relic' for 'target_relic'."""
    return _LABELS.get(name.replace("-", "_")) or name.replace("_", " ").replace("-", " ").capitalize()


def page_words(text: str) -> str:
    """Return a message with fields in place of options such as '--reaction', and pages in place of commands.

    Commands that no page stands for stay as they are.
    """
    parts, end = [], 0
    for match in _COMMAND.finditer(text):
        parts += [_with_labels(text[end : match.start()]), _page(match)]
        end = match.end()
    return "".join((*parts, _with_labels(text[end:])))


def _page(match: re.Match[str]) -> str:
    page = _PAGES.get(match["name"] or match["bare"])
    if page is None:
        return match[0]
    options = _with_labels((match["rest"] or match["arguments"] or "").strip()) if page == "Print" else ""
    options = options.replace(" '", ", '")
    return f"{_VERBS.get(match['verb'], '')}'{page}'" + (f" with {options}" if options.startswith("'") else "")


def _with_labels(text: str) -> str:
    return _OPTION.sub(lambda match: f"'{label_of(match[1])}'", text)


def explain(error: Exception) -> str:
    """Return the problems of an error and what to do about them, one a line, in the words of the pages."""
    return "\n".join(map(explain_one, error.diagnostics)) if isinstance(error, CardgenError) else page_words(str(error))


def explain_one(diagnostic: Diagnostic) -> str:
    """Return a problem, with its place if that is in a file, and what to do about it, in the words of the pages."""
    place = str(diagnostic.place) if diagnostic.place.span else ""
    return page_words(": ".join(filter(None, (place, diagnostic.message, diagnostic.help))))

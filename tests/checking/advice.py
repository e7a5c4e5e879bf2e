"""What findings advise to write, and whether a card can have it."""

from __future__ import annotations

import re
from collections.abc import Iterator

import yaml
from pydantic import BaseModel

from cardgen.checking.contradictions import takes
from cardgen.checking.runner import CheckResult

# A line of effects, a key with its value, or an item of a list.
_ADVICE = re.compile(
    r"write '(?P<line>[^':]+)' in '(?P<lines>\w+)'"
    r"|write '(?P<key>\w+): (?P<value>.+?)'"
    r"|add '(?P<item>.+?)' to '(?P<items>\w+)'"
)


def impossible_advice(model: type[BaseModel], outcome: CheckResult) -> list[str]:
    """Return the advice of findings that a card of this model cannot follow."""
    texts = [each.diagnostic.help or "" for each in outcome.findings]
    return [text for text in texts if not all(takes(model, *each) for each in _advised(text))]


def _advised(text: str) -> Iterator[tuple[str, object]]:
    """Yield the keys that some help tells to write, each with its value."""
    for advised in _ADVICE.finditer(text):
        if advised["line"]:
            yield advised["lines"], ({"Line": advised["line"]},)
        elif advised["item"]:
            yield advised["items"], (advised["item"],)
        else:
            value = yaml.safe_load(advised["value"])
            yield advised["key"], tuple(value) if isinstance(value, list) else value

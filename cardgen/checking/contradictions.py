"""What a text says of its own card, against the keys of that card."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any

from cardgen.checking.check import Finding, Findings
from cardgen.grammar.claims import Claim
from cardgen.source import KeyPath

_NOTHING: Mapping[str, str] = MappingProxyType({})


def contradictions(
    values: Mapping[str, Any], claims: Iterable[Claim], route: KeyPath, derived: Mapping[str, str] = _NOTHING
) -> Findings:
    """Yield, at their words, the claims of a text that the values of the card's keys contradict, one for each clause.

    `route` leads to the text. A list contradicts what it does not contain. Claims about no key are left out. `derived`
    are messages for values that no key says by itself; '{value}' stands for the value.
    """
    for claim in claims:
        for key, said in claim.meaning:
            value = values.get(key)
            is_list = isinstance(value, list | tuple)
            if key not in values or _plain(said) in map(_plain, value if isinstance(value, list | tuple) else (value,)):
                continue
            if key in derived:
                message, advice = derived[key].format(value=value), "change the text, or the card"
            else:
                does = "does not" if is_list or value is None else f"says {_plain(value)}"
                message = f"the text says '{key}: {_plain(said)}', and the card {does}"
                advice = f"write '{key}: {f'[{_plain(said)}]' if is_list else _plain(said)}', or change the text"
            yield Finding(message, route, advice, text_range=(claim.start, claim.end))
            break


def _plain(value: object) -> str:
    """Return a value as a card file writes it."""
    return str(value).lower() if isinstance(value, bool) else str(value)

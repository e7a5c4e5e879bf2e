"""The kind that cards of an unknown kind probably have."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from cardgen.model.card import Card
from cardgen.validation.model_keys import accepted_keys


def kind_with_keys(keys: Iterable[str], kinds: Mapping[str, type[Card]]) -> str:
    """Return the only kind that has most of some keys, or ''.

    Keys that every card has tell nothing.
    """
    own = {*keys} - {*accepted_keys((Card,))}
    matches = {kind: len(own & {*accepted_keys((model,))}) for kind, model in kinds.items()}
    most = max(matches.values(), default=0)
    best = [kind for kind, count in matches.items() if count == most]
    return best[0] if len(best) == 1 and 2 * most >= len(own) else ""

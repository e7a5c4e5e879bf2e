"""A text that gives something and takes the same away.

Why is this bad?
    Both together do nothing, so one of the two is probably left from an earlier version, or the sign is wrong. cardgen
    looks for `gains`, `gets`, and `loses` with the same number of the same thing, unless a word such as `if` or `enemy`
    distinguishes the two.

Example
    kind: relic
    name: Sun Stone
    text: "Its bearer gains +1 Spirit and loses 1 Spirit."  # CG206: 39

Use instead
    kind: relic
    name: Sun Stone
    text: "Its bearer gains +1 Spirit and loses 1 Mind."
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from cardgen.checking.check import CheckContext, Confidence, Finding, FreeText
from cardgen.diagnostic import Severity

CODE, NAME = "CG206", "self-contradiction"
SEVERITY, CONFIDENCE = Severity.WARNING, Confidence.LIKELY
LOOKS_AT = FreeText

_CHANGE = re.compile(
    r"(?<!\w)(?:(?P<verb>gains?|gets?|receives?|loses?|suffers?)\s+)?(?P<sign>[-+−–])?(?P<number>[1-9]\d*)\s+(?P<what>[A-Za-z]{2,})"
)
_LOSSES = ("lose", "suffer")
_END = re.compile(r"[.!?]")
# Words that make two changes happen to others, at other times, or instead of each other.
_DIFFERENCE = re.compile(
    r"\b(?:if|when|whenever|while|until|unless|instead|or|otherwise|then|after|before|first|next|end|start|later|once|"
    r"enem(?:y|ies)|foes?|opponents?|targets?|friend\w*|all(?:y|ies)|another|others?|each|every|choose|may|roll\w*|on|for|"
    r"against|attacks?|during)\b",
    re.IGNORECASE,
)


def find(text: FreeText, context: CheckContext) -> Iterator[Finding]:
    """Yield each change of a text that takes back an earlier one."""
    if not text.is_rules_text:
        return
    seen: dict[tuple[str, str], tuple[bool, re.Match[str]]] = {}
    for match in _CHANGE.finditer(text.text):
        if not (match["verb"] or match["sign"]):
            continue
        is_loss = (match["sign"] or "+") != "+" or (match["verb"] or "").startswith(_LOSSES)
        other = seen.setdefault((match["number"], match["what"].casefold()), (is_loss, match))
        sentence = _END.search(text.text, match.end())
        end = sentence.start() if sentence else len(text.text)
        if other[0] is not is_loss and not _DIFFERENCE.search(text.text, other[1].end(), end):
            message = f"'{match[0]}' cancels out '{other[1][0]}'"
            yield Finding(message, help="remove one of them, or say what they depend on", text_range=match.span())

"""Printed text of changes."""

from __future__ import annotations

from cardgen.game import Model, printed_text
from cardgen.rulesets.warcry.changes import Change
from cardgen.rulesets.warcry.rulebook import GLOSSARY
from cardgen.rulesets.warcry.wording.sentences import sentences_of

DURATION_PHRASES = {
    "attack": " for this attack",
    "activation": " until the end of its activation",
    "round": " until the end of the battle round",
}


def sentences(changes: tuple[Change, ...]) -> tuple[str, ...]:
    """Return the sentences for each change as one text; different changes never read the same."""
    texts: list[str] = []
    dice: int | str = 1
    for change in changes:
        texts.append(" ".join(sentences_of(change, dice)))
        dice = change.roll or (1 if change.roll_each else dice)
    return tuple(texts)


def describe(thing: Model) -> str:
    """Return the markup text of a card or rule, or ''."""
    return printed_text(thing, lambda each: sentences(getattr(each, "changes", ())), GLOSSARY)


def once_label(thing: Model) -> str:
    """Return the limit on uses, such as 'Once per battle', or ''."""
    return {"round": "Once per battle round", "battle": "Once per battle"}.get(getattr(thing, "once", None) or "", "")

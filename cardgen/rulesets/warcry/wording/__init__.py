"""Printed text of changes."""

from __future__ import annotations

from cardgen.game import Model, printed_text
from cardgen.rulesets.warcry.limits import GLOSSARY
from cardgen.rulesets.warcry.wording.sentences import sentences


def describe(thing: Model) -> str:
    """Return the markup text of a card or rule, or ''."""
    return printed_text(thing, lambda each: sentences(getattr(each, "changes", ())), GLOSSARY)


def once_label(thing: Model) -> str:
    """Return the limit on uses, such as 'Once per battle', or ''."""
    return {"round": "Once per battle round", "battle": "Once per battle"}.get(getattr(thing, "once", None) or "", "")

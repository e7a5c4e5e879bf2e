"""Warcry, second edition, with the Matched Play battlepack."""

from cardgen.game import Model, Ruleset
from cardgen.rulesets.warcry.limits import GLOSSARY, RULINGS, Settings
from cardgen.rulesets.warcry.pack import KINDS, PACK


def describe(thing: Model) -> str:
    """Return the marked-up text of a card or a part of one, or ''."""
    from cardgen.rulesets.warcry import wording  # loaded here because few checks need it

    return wording.describe(thing)


def once_label(thing: Model) -> str:
    """Return how often a card or a part of one can be used, or ''."""
    from cardgen.rulesets.warcry import wording

    return wording.once_label(thing)


RULESET = Ruleset(
    id="warcry",
    name="Warcry, Matched Play",
    kinds=KINDS,
    describe=describe,
    once_label=once_label,
    glossary=GLOSSARY,
    rulings=RULINGS,
    reader=f"{__name__}.wording.reader",
    checks=f"{__name__}.checks",
    trials=f"{__name__}.trials",
    reference=f"{__name__}.reference",
    pack=PACK,
    settings=Settings,
)

"""Warniris, 2nd edition, by Orniris Terensi, in this project's own words."""

from cardgen.game import Model, Ruleset
from cardgen.rulesets.warniris.pack import KINDS, PACK
from cardgen.rulesets.warniris.rulebook import GLOSSARY, RULINGS


def describe(thing: Model) -> str:
    """Return the marked-up text of a card or a part of one, or ''."""
    from cardgen.rulesets.warniris import wording  # loaded here because few checks need it

    return wording.describe(thing)


def once_label(thing: Model) -> str:
    """Return how often a card or a part of one can be used, or ''."""
    from cardgen.rulesets.warniris import wording

    return wording.once_label(thing)


RULESET = Ruleset(
    id="warniris",
    name="Warniris, 2nd edition",
    kinds=KINDS,
    describe=describe,
    once_label=once_label,
    glossary=GLOSSARY,
    rulings=RULINGS,
    checks=f"{__name__}.checks",
    trials=f"{__name__}.trials",
    reference=f"{__name__}.reference",
    reader=f"{__name__}.wording.reader",
    pack=PACK,
)

"""Warcry, second edition, with the Matched Play battlepack."""

from cardgen.game import Ruleset
from cardgen.rulesets.warcry.pack import KINDS, PACK
from cardgen.rulesets.warcry.rulebook import GLOSSARY, RULINGS
from cardgen.rulesets.warcry.settings import Settings
from cardgen.rulesets.warcry.wording import describe, once_label

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
    trials=f"{__name__}.referee.trials",
    reference=f"{__name__}.reference",
    pack=PACK,
    settings=Settings,
)

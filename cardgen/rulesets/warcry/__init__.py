"""Warcry, second edition, with the Matched Play battlepack."""

from cardgen.game import Ruleset, late
from cardgen.rulesets.warcry.limits import GLOSSARY, RULINGS, Settings
from cardgen.rulesets.warcry.pack import KINDS, PACK

RULESET = Ruleset(
    id="warcry",
    name="Warcry, Matched Play",
    kinds=KINDS,
    describe=late(f"{__name__}.wording.sentences", "describe"),
    once_label=late(f"{__name__}.wording.sentences", "once_label"),
    glossary=GLOSSARY,
    rulings=RULINGS,
    reader=f"{__name__}.wording.reader",
    checks=f"{__name__}.checks",
    trials=f"{__name__}.trials",
    reference=f"{__name__}.reference",
    pack=PACK,
    settings=Settings,
)

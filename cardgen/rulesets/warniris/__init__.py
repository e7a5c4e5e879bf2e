"""Warniris, 2nd edition, by Orniris Terensi, in this project's own words."""

from cardgen.game import Ruleset
from cardgen.rulesets.warniris.pack import KINDS, PACK
from cardgen.rulesets.warniris.rulebook import GLOSSARY, RULINGS
from cardgen.rulesets.warniris.wording import describe, once_label

RULESET = Ruleset(
    id="warniris",
    name="Warniris, 2nd edition",
    kinds=KINDS,
    describe=describe,
    once_label=once_label,
    glossary=GLOSSARY,
    rulings=RULINGS,
    checks=f"{__name__}.checks",
    trials=f"{__name__}.referee.trials",
    reference=f"{__name__}.reference",
    reader=f"{__name__}.wording.reader",
    pack=PACK,
)

"""Warniris, 2nd edition, by Orniris Terensi, in this project's own words."""

from cardgen.game import Ruleset, late
from cardgen.rulesets.warniris.pack import KINDS, PACK
from cardgen.rulesets.warniris.rulebook import GLOSSARY, RULINGS

RULESET = Ruleset(
    id="warniris",
    name="Warniris, 2nd edition",
    kinds=KINDS,
    describe=late(f"{__name__}.wording.effects", "describe"),
    once_label=late(f"{__name__}.wording.effects", "once_label"),
    abbreviation=late(f"{__name__}.wording.effects", "abbreviation"),
    missing_clauses=late(f"{__name__}.wording.effects", "missing_clauses"),
    glossary=GLOSSARY,
    rulings=RULINGS,
    checks=f"{__name__}.checks",
    trials=f"{__name__}.trials",
    reference=f"{__name__}.reference",
    reader=f"{__name__}.wording.reader",
    pack=PACK,
)

"""Warniris, second edition, a game by Orniris Terensi: its facts, in this project's own words."""

from types import MappingProxyType

from cardgen.rulesets.ruleset import Kind, Ruleset
from cardgen.rulesets.warniris.examples import EXAMPLES
from cardgen.rulesets.warniris.glossary import GLOSSARY
from cardgen.rulesets.warniris.kinds import KINDS
from cardgen.rulesets.warniris.rulings import RULINGS
from cardgen.rulesets.warniris.wording import describe, once_label

RULESET = Ruleset(
    id="warniris",
    name="Warniris, 2nd edition",
    kinds=MappingProxyType({model.KIND: Kind(model, size, EXAMPLES[model.KIND]) for model, size in KINDS}),
    describe=describe,
    once_label=once_label,
    glossary=GLOSSARY,
    rulings=RULINGS,
    checks=f"{__name__}.checks",
    adjudication=f"{__name__}.procedures.adjudication",
    reference=f"{__name__}.reference",
)

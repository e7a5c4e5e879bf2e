"""Warcry, second edition, with the Matched Play battlepack: its facts, in this project's own words."""

from types import MappingProxyType

from cardgen.rulesets.ruleset import Kind, Ruleset
from cardgen.rulesets.warcry.examples import EXAMPLES
from cardgen.rulesets.warcry.glossary import GLOSSARY
from cardgen.rulesets.warcry.kinds import KINDS
from cardgen.rulesets.warcry.rulings import RULINGS
from cardgen.rulesets.warcry.wording import describe, once_label

RULESET = Ruleset(
    id="warcry",
    name="Warcry, Matched Play",
    kinds=MappingProxyType({model.KIND: Kind(model, size, EXAMPLES[model.KIND]) for model, size in KINDS}),
    describe=describe,
    once_label=once_label,
    glossary=GLOSSARY,
    rulings=RULINGS,
    checks=f"{__name__}.checks",
    trials=f"{__name__}.procedures.adjudication",
    reference=f"{__name__}.reference",
)

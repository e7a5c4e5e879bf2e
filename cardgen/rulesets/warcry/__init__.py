"""Warcry, second edition, with the Matched Play battlepack: its facts, in this project's own words."""

from __future__ import annotations

from pathlib import Path
from types import MappingProxyType

from cardgen.game import Kind, Ruleset
from cardgen.rulesets.warcry.cards import KINDS
from cardgen.rulesets.warcry.changes import describe, once_label
from cardgen.rulesets.warcry.rulebook import GLOSSARY, RULINGS

EXAMPLES = Path(__file__).with_name("examples")

RULESET = Ruleset(
    id="warcry",
    name="Warcry, Matched Play",
    kinds=MappingProxyType({model.KIND: Kind(model, size, EXAMPLES / f"{model.KIND}.yaml") for model, size in KINDS}),
    describe=describe,
    once_label=once_label,
    glossary=GLOSSARY,
    rulings=RULINGS,
    checks=f"{__name__}.checks",
    trials=f"{__name__}.referee.trials",
    reference=f"{__name__}.reference",
)

"""Warniris, second edition, a game by Orniris Terensi: its facts, in this project's own words."""

from cardgen.rulesets.ruleset import Kind, Ruleset
from cardgen.rulesets.warniris.glossary import GLOSSARY
from cardgen.rulesets.warniris.kinds import KINDS
from cardgen.rulesets.warniris.rulings import RULINGS
from cardgen.rulesets.warniris.wording import describe, once_label

RULESET = Ruleset(
    id="warniris",
    name="Warniris, 2nd edition",
    kinds={model.KIND: Kind(model, size) for model, size in KINDS},
    describe=describe,
    once_label=once_label,
    glossary=GLOSSARY,
    rulings=RULINGS,
)

"""An amount or a type of damage that an effect does not use.

Why is this bad?
    Only damage and moves have an amount, and only damage has a type. The referee ignores these for other effects.

Example
    game: diskwars
    kind: command
    name: Warm Hearth
    strategy: steady
    activation: 2
    battle: Empower a friendly disk within short range, and move another one by 2 flips.  # DW205: 9
    battle_effects:
      - Cheer: empower friend short 3  # DW341: 33
      - Haste: move other short 2/arcane  # DW341: 31

Use instead
    game: diskwars
    kind: command
    name: Warm Hearth
    strategy: steady
    activation: 2
    battle: Empower a friendly disk within short range. Move another friendly disk within short range by 2 flips.
    battle_effects:
      - Cheer: empower friend short
      - Haste: move other short 2
"""

from typing import Any

from cardgen.game import CheckContext, Confidence, Finding, Findings, Severity
from cardgen.rulesets.diskwars import EFFECT

CODE, NAME = "DW341", "unused-amount"
SEVERITY, CONFIDENCE = Severity.WARNING, Confidence.CERTAIN
LOOKS_AT = EFFECT


def find(effect: Any, _: CheckContext) -> Findings:
    """Yield the amount and the type of damage that an effect ignores."""
    if effect.do not in ("damage", "move", "shift") and effect.amount != "0":
        yield Finding(f"'{effect.do}' has no amount", ("amount",), help="remove it", word=effect.amount)
    if effect.do != "damage" and effect.damage != "physical":
        yield Finding(f"'{effect.do}' deals no damage", ("damage",), help="remove the type", word=effect.damage)

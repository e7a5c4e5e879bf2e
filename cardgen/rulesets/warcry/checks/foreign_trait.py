"""A warband whose fighters do not all share its battle trait's runemark.

Why is this bad?
    A battle trait belongs to a faction or grand alliance runemark. Unless every fighter has that runemark, the warband
    does not have the trait.

Example
    game: warcry
    cards:
      - {kind: fighter, name: Asha, faction: chaos, runemarks: [hero], stats: {M: 5, T: 4, W: 10},
         points: 70, weapons: [{Axe: axe R1 A3 S4 D1/4}]}
      - {kind: trait, name: Bold, runemark: order, changes: [{move: +1}]}
      - kind: warband
        name: The Few
        trait: Bold  # WC124: 12
        members:
          - {fighter: Asha, leader: true}
          - {fighter: Asha, qty: 2}

Use instead
    game: warcry
    cards:
      - {kind: fighter, name: Asha, faction: chaos, runemarks: [hero], stats: {M: 5, T: 4, W: 10},
         points: 70, weapons: [{Axe: axe R1 A3 S4 D1/4}]}
      - {kind: trait, name: Bold, runemark: chaos, changes: [{move: +1}]}
      - kind: warband
        name: The Few
        trait: Bold
        members:
          - {fighter: Asha, leader: true}
          - {fighter: Asha, qty: 2}
"""

from cardgen.game import CheckContext, Finding, Findings, rule
from cardgen.rulesets.warcry.cards import Warband
from cardgen.rulesets.warcry.roster import resolve_roster


@rule("WC124", "error", "certain")
def find(warband: Warband, context: CheckContext) -> Findings:
    """Yield a finding if some fighter lacks the runemark of the trait."""
    roster = resolve_roster(warband, context.scope)
    if roster.trait is None or not roster.is_complete or roster.trait.runemark in roster.shared_runemarks:
        return
    shared = ", ".join(sorted(map(roster.trait.settings.name_of, roster.shared_runemarks))) or "none"
    message = f"'{roster.trait.name}' needs {roster.trait.runemark_name}, which not all fighters have"
    yield Finding(message, ("trait",), help=f"runemarks that all fighters share: {shared}")

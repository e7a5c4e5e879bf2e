"""A blessing that only makes its fighter worse.

Why is this bad?
    Players pay points for a blessing, and nobody pays for a penalty. Usually a sign is wrong.

Example
    game: warcry
    kind: blessing
    name: Haste
    points: {regular: 15, elite: 25}
    changes:
      - {move: -2}  # WC318: 12

Use instead
    game: warcry
    kind: blessing
    name: Haste
    points: {regular: 15, elite: 25}
    changes:
      - {move: +2}
"""

from cardgen.game import Finding, Findings, rule
from cardgen.rulesets.warcry.cards import Blessing
from cardgen.rulesets.warcry.changes import Change

_NUMBERS = Change.FIGHTER_FIELDS + Change.WEAPON_FIELDS + ("wild_dice",)


@rule("WC318", "warning", "likely")
def find(blessing: Blessing) -> Findings:
    """Yield the first change of a blessing all of whose changes are penalties."""
    penalties = [name for change in blessing.changes for name, by in change.nonzero(_NUMBERS) if by < 0]
    if penalties and blessing.text is None and not any(map(_helps, blessing.changes)):
        route = ("changes", 0, penalties[0])
        yield Finding("the blessing only makes its fighter worse", route, help="write a change as +N")


def _helps(change: Change) -> bool:
    others = set(Change.FIELDS) - set(_NUMBERS) - {"impact"}
    return (
        change.impact < 0
        or any(by > 0 for _, by in change.nonzero(_NUMBERS))
        or any(getattr(change, name) for name in others)
    )

"""What earns a mission, as a sentence. Every field leaves its own trace."""

from __future__ import annotations

from cardgen.rulesets.warniris.earn import Earn
from cardgen.rulesets.warniris.grammar import cm, counted, joined

VERBS = {"eliminate": "eliminate", "damage": "Damage", "attack": "Attack"}
FOES = {
    "enemy": ("enemy", "enemies"),
    "character": ("enemy Character", "enemy Characters"),
    "minion": ("enemy Minion", "enemy Minions"),
}
OWN = {"enemy": "miniatures", "character": "Characters", "minion": "Minions"}
USING = {"CW": "using a CW", "RW": "using an RW", "P": "using a Power"}
TIMES = {
    ("survive", "battle"): "at the end of the battle",
    ("survive", "turn"): "at the end of a turn",
}


def objective(earn: Earn) -> str:
    """One sentence for what earns a mission."""
    time = TIMES.get((earn.event, earn.within), "in one turn" if earn.within == "turn" else "")
    parts = ["be the first to" if earn.first else "", _deed(earn), *_by(earn)]
    return joined([time, " ".join(part for part in parts if part)])


def _deed(earn: Earn) -> str:
    if earn.event == "survive":
        return f"have {_many(earn)}{OWN[earn.of]} still standing"
    if earn.event == "resist":
        return f"resist the Penetration of {_attacks(earn)}"
    return f"{VERBS[earn.event]} {_foes(earn)}"


def _many(earn: Earn) -> str:
    """'two or more different '."""
    return f"{counted(earn.count)} or more {'different ' if earn.different else ''}"


def _foes(earn: Earn) -> str:
    """'an enemy', 'three or more different enemy Characters', 'enemies three or more times'."""
    one, several = FOES[earn.of]
    if earn.count == 1 and not earn.different:
        return f"an {one}"
    if earn.different or earn.event == "eliminate":
        return f"{_many(earn)}{several}"
    return f"{several} {counted(earn.count)} or more times"


def _attacks(earn: Earn) -> str:
    """'two or more enemy Attacks', 'an Attack by an enemy Character', 'two or more Attacks by different enemies'."""
    one, several = FOES[earn.of]
    if earn.different:
        return f"{counted(earn.count)} or more Attacks by different {several}"
    if earn.count == 1:
        return f"an {one} Attack" if earn.of == "enemy" else f"an Attack by an {one}"
    attacks = f"{counted(earn.count)} or more"
    return f"{attacks} {one} Attacks" if earn.of == "enemy" else f"{attacks} Attacks by {several}"


def _by(earn: Earn) -> list[str]:
    """By whom and how."""
    parts = []
    if earn.attackers > 1:
        parts.append(f"that {counted(earn.attackers)} or more of your Characters have Attacked")
    if earn.weapon:
        parts.append(USING[earn.weapon])
    if earn.range_over is not None:
        parts.append(f"from over {cm(earn.range_over)} away")
    if earn.by == "one":
        parts.append("with the same Character")
    return parts

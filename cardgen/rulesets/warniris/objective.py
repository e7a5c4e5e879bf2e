"""What earns a mission, as a sentence. Every field leaves its own trace."""

from __future__ import annotations

from cardgen.rulesets.warniris.earn import Earn
from cardgen.rulesets.warniris.grammar import cm, counted, joined

FOES = {
    "enemy": ("enemy", "enemies"),
    "character": ("enemy Character", "enemy Characters"),
    "minion": ("enemy Minion", "enemy Minions"),
}
OWN = {"enemy": "miniatures", "character": "Characters", "minion": "Minions"}
USING = {"CW": "with a CW", "RW": "with an RW", "P": "with a Power"}
TIMES = {
    "turn": "in one turn",
    "battle": "",
    "survive turn": "at the end of a turn",
    "survive battle": "at the end of the battle",
}
# What you do, and what one of your Characters does.
VERBS = {
    "eliminate": ("eliminate", "eliminates"),
    "damage": ("Damage", "Damages"),
    "attack": ("Attack", "Attacks"),
    "resist": ("resist the Penetration of", "resists the Penetration of"),
}


def objective(earn: Earn) -> str:
    """One sentence for what earns a mission."""
    time = TIMES.get(f"{earn.event} {earn.within}", TIMES[earn.within])
    return joined([time, " ".join([_deed(earn), *_how(earn)])])


def _deed(earn: Earn) -> str:
    """Who does what to whom."""
    alone = earn.by == "one"
    if earn.event == "survive":
        who = f"{counted(earn.count)} or more of your {_different(earn)}{OWN[earn.of]}"
        return f"{who} still stand{' thanks to one of them' if alone else ''}"
    verb = VERBS[earn.event][alone]
    whom = _attacks(earn) if earn.event == "resist" else _foes(earn)
    return f"{'one of your Characters' if alone else 'you'} {verb} {whom}"


def _different(earn: Earn) -> str:
    return "different " if earn.different else ""


def _foes(earn: Earn) -> str:
    """'an enemy', 'three or more different enemy Characters', 'enemies three or more times'."""
    one, several = FOES[earn.of]
    if earn.count == 1 and not earn.different:
        return f"an {one}"
    if earn.different or earn.event == "eliminate":
        return f"{counted(earn.count)} or more {_different(earn)}{several}"
    return f"{several} {counted(earn.count)} or more times"


def _attacks(earn: Earn) -> str:
    """'an enemy Attack', 'two or more Attacks by enemy Characters', 'two or more Attacks by different enemies'."""
    one, several = FOES[earn.of]
    if earn.count == 1 and not earn.different:
        return "an enemy Attack" if earn.of == "enemy" else f"an Attack by an {one}"
    if earn.of == "enemy" and not earn.different:
        return f"{counted(earn.count)} or more enemy Attacks"
    return f"{counted(earn.count)} or more Attacks by {_different(earn)}{several}"


def _how(earn: Earn) -> list[str]:
    """By how many, with what, from where, and before whom."""
    parts = []
    if earn.attackers > 1:
        parts.append(f"that {counted(earn.attackers)} or more of your Characters have Attacked")
    if earn.weapon:
        parts.append(USING[earn.weapon])
    if earn.range_over is not None:
        parts.append(f"more than {cm(earn.range_over)} away")
    if earn.first:
        parts.append("before the other side does")
    return parts

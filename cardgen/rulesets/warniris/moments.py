"""How the moments of an effect and the circumstances of an attack are said."""

from __future__ import annotations

from typing import NamedTuple

from cardgen.rulesets.warniris.effect import STRIKES, Condition, Effect
from cardgen.rulesets.warniris.grammar import cm

POINTS = {
    "battle_start": "the start of the battle",
    "turn_start": "the start of each turn",
    "activation_start": "the start of {B's} Activation",
    "activation_end": "the end of {B's} Activation",
    "turn_end": "the end of each turn",
}
ENDS = {
    "action": "the end of the Action",
    "activation": "the end of the Activation",
    "turn": "the end of the turn",
    "battle": "the end of the battle",
}
FOES = {"character": "Character", "minion": "Minion"}
USING = {"CW": "with a CW", "RW": "with an RW", "P": "with a Power"}


class Verb(NamedTuple):
    """A verb and what stands before its opponent: 'loses a Wound' (to)."""

    said: str
    to: str = ""


QUIET = {"moving": "Moves", "eliminated": "is eliminated"}
BLOWS = {
    "attacking": Verb("Attacks or Channels", "at "),
    "attacked": Verb("is Attacked or Channelled at", "by "),
    "hit": Verb("hits"),
    "damaging": Verb("deals Damage", "to "),
    "damaged": Verb("loses a Wound", "to "),
    "reacting": Verb("Reacts", "to "),
}
WEAPON_BLOWS = {"attacking": Verb("Attacks"), "attacked": Verb("is Attacked", "by ")}
POWER_BLOWS = {"attacking": Verb("Channels", "at "), "attacked": Verb("is Channelled at", "by ")}
OWN_BLOWS = {"attacking", "hit", "damaging"}


def blow(event: str, who: str, condition: Condition, foe: str = "") -> str:
    """'{who} Attacks a Minion with a CW from over 12 cm'; `foe` stands for the opponent of the condition."""
    special = {"P": POWER_BLOWS, None: BLOWS}.get(condition.weapon, WEAPON_BLOWS)
    verb = special.get(event, BLOWS[event])
    spoken = condition.weapon == "P" and event in POWER_BLOWS
    foe = foe or (f"a {FOES[condition.against]}" if condition.against else "")
    parts = [who, verb.said, f"{verb.to}{foe}" if foe else ""]
    parts += [USING[condition.weapon] if condition.weapon and not spoken else "", _from(condition)]
    return " ".join(part for part in parts if part)


def moment(event: str, striker: str, condition: Condition | None = None, *, again: bool = False) -> str:
    """The clause of a moment, '' for always. `again` says that it comes more than once."""
    if event == "always":
        return ""
    if event in POINTS:
        return f"at {POINTS[event]}"
    word = "whenever" if again or event == "damaged" else "when"
    who = striker if event in OWN_BLOWS else "{B}"
    said = blow(event, who, condition or Condition()) if event in STRIKES else f"{who} {QUIET[event]}"
    return f"{word} {said}"


def whoever(condition: Condition) -> str:
    """The attacker as a subject: 'whoever Attacks or Channels at the bearer from over 12 cm'."""
    who = f"any {FOES[condition.against]} that" if condition.against else "whoever"
    return blow("attacking", who, condition, foe="{b}")


def circumstances(effect: Effect) -> str:
    """What an effect outside an attack asks of weapon, opponent and distance, unless a group's name says it."""
    condition = effect.condition
    if effect.bears in STRIKES:
        return ""
    using = USING[condition.weapon] if condition.weapon else ""
    against = f"against {FOES[condition.against]}s" if condition.against and not effect.enemies else ""
    distance = "" if effect.friends or effect.enemies else away(condition)
    return " ".join(part for part in (using, against, distance) if part)


def away(condition: Condition) -> str:
    """'within 10 cm', 'over 12 cm away'."""
    over, within = condition.range_over, condition.range_within
    if over is None:
        return "" if within is None else f"within {cm(within)}"
    return f"over {cm(over)} away" if within is None else f"over {over} but within {cm(within)}"


def _from(condition: Condition) -> str:
    distance = away(condition).removesuffix(" away")
    return f"from {distance}" if distance else ""

"""What was done, as missions count it; kept only where somebody wants to know."""

from __future__ import annotations

from typing import NamedTuple

from cardgen.rulesets.warniris.procedures.blow import AttackAction, available_weapons
from cardgen.rulesets.warniris.procedures.state import State
from cardgen.rulesets.warniris.procedures.table import Game


class LogEvent(NamedTuple):
    """An event, who did it to whom, with what, from how far (cm), and in which turn.

    Events are attack, hit, resist, damage and eliminate. For 'resist' it is the target that did it, to the attacker.
    """

    kind: str
    actor: int
    subject: int
    weapon: str
    distance: int | None
    turn: int


def log_event(game: Game, state: State, kind: str, actor: int, subject: int, attack: AttackAction | None) -> State:
    """The state with one more deed, where a record is kept."""
    if not game.logs_events:
        return state
    weapon_kind = available_weapons(game, state, attack.attacker)[attack.weapon].type if attack else ""
    deed = LogEvent(kind, actor, subject, weapon_kind, attack.distance if attack else None, state.mode.turn)
    return State(state.mode._replace(events=(*state.mode.events, deed)), state.counters)

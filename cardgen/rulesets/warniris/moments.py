"""The moments of effects: those of attacks, of eliminations, and of others nearby."""

from typing import Literal

Event = Literal[
    "battle_start", "turn_start", "activation_start", "activation_end", "turn_end", "moving",
    "attacking", "attacked", "hit", "damaging", "damaged", "reacting", "eliminated", "eliminating",
    "resisting", "missed", "resisted", "missing", "struck", "attack_end", "friend_eliminated", "enemy_eliminated",
    "enemy_activated", "enemy_moved", "enemy_attacking",
]  # fmt: skip
Trigger = Literal["always", Event]
STRIKES: frozenset[str] = frozenset(
    {
        *("attacking", "attacked", "hit", "damaging", "damaged", "reacting", "resisting", "resisted", "struck"),
        *("missed", "missing", "attack_end"),
    }
)
# Moments at which an attack's weapon and an opponent are known, but distances select friends and enemies.
KILLS: frozenset[str] = frozenset({"eliminated", "eliminating"})
# Somebody else's moments; distances are those between the bearer and that miniature.
NEARBY_EVENTS: frozenset[str] = frozenset(
    {"friend_eliminated", "enemy_eliminated", "enemy_activated", "enemy_moved", "enemy_attacking"}
)
# What enemies do: the start of their Activation, the end of their Move, and their Attack or Channel before any die.
ENEMY_ACTS: frozenset[str] = frozenset({"enemy_activated", "enemy_moved", "enemy_attacking"})

"""Fighters that cannot exist, or a condition that is never true.

Why is this bad?
    No fighter has both moved and not moved, or at least 20 Wounds and at most 10. A rule for such fighters never does
    anything, and neither does one whose condition is also its exception.

Example
    game: warcry
    kind: ability
    name: Hook
    price: double
    changes:
      - {pick: {side: enemy, wounds: 20, most_wounds: 10}}  # WC326: 51
      - {of: picked, deal: 3}

Example
    game: warcry
    kind: ability
    name: Ambush
    price: double
    changes:
      - {only_if: {moved: true, still: true}}  # WC326: 36
      - {attacks: +1, for: activation}

Example
    game: warcry
    kind: ability
    name: Brawl
    price: double
    changes:
      - {attacks: +1, for: activation, if: {cover: true}, unless: {cover: true}}  # WC326: 63

Use instead
    game: warcry
    kind: ability
    name: Hook
    price: double
    changes:
      - {pick: {side: enemy, wounds: 10, most_wounds: 20}}
      - {of: picked, deal: 3}
"""

from collections.abc import Iterator

from cardgen.game import Finding, Findings, quantity, rule
from cardgen.rulesets.warcry.cards import Ability, Blessing, Rule, Trait
from cardgen.rulesets.warcry.changes import Change
from cardgen.rulesets.warcry.effective import parts_of, placed_changes
from cardgen.rulesets.warcry.selections import State

# What is never true of the same fighter at the same time; what it did in this activation makes it one that activated.
_EXCLUDING = (
    *(("moved", "still"), ("damaged", "unhurt"), ("half_wounds", "unhurt"), ("down", "unhurt"), ("down", "standing")),
    *(("down", "reserve"), ("fresh", "activated"), ("fresh", "moved"), ("fresh", "attacked"), ("fresh", "took_down")),
)
# A lower limit, and the upper limit that it must not exceed.
_LIMITS = (("wounds", "most_wounds"), ("toughness", "most_toughness"))
# What is at most so far away, and what must be farther than that.
_DISTANCES = (
    *(("within", "beyond"), ("enemy_within", "no_enemy_within"), ("friend_within", "no_friend_within")),
    ("sees_enemy_within", "no_enemy_within"),
)
# Conditions, and their exceptions.
_EXCEPTIONS = (("condition", "unless"), ("during", "unless"), ("only_if", "not_if"))


@rule("WC326", "error", "certain")
def find(card: Ability | Rule | Trait | Blessing) -> Findings:
    """Yield the keys of groups and conditions that exclude each other."""
    for placed in placed_changes(card):
        for part, route in parts_of(placed.change):
            problems = _exclusions(part) if isinstance(part, State) else _exceptions(part)
            for key, message, advice in problems:
                yield Finding(message, placed.at(*route, key), advice, placed.text_range)


def _exclusions(state: State) -> Iterator[tuple[str, str, str]]:
    """Yield a key, a message, and advice for each pair of keys that no fighter satisfies."""
    for one, other in _EXCLUDING:
        if getattr(state, one, None) and getattr(state, other, None):
            yield other, f"no fighter is both '{one}' and '{other}'", f"remove '{one}' or '{other}'"
    for least, most in _LIMITS:
        low, high = getattr(state, least, None), getattr(state, most, None)
        if low is not None and high is not None and low > high:
            yield most, f"no fighter has '{least}: {low}' and '{most}: {high}'", "swap the two numbers"
    for near, far in _DISTANCES:
        inside, outside = getattr(state, near, None), getattr(state, far, None)
        if isinstance(inside, int) and isinstance(outside, int) and inside <= outside:
            limits = [quantity(inches, "inch", "inches") for inches in (inside, outside)]
            message = f"nothing is within {limits[0]} and more than {limits[1]} away"
            yield far, message, f"lower '{far}', or raise '{near}'"


def _exceptions(change: object) -> Iterator[tuple[str, str, str]]:
    """Yield a key, a message, and advice for each condition of a change that is also its exception."""
    for condition, exception in _EXCEPTIONS if isinstance(change, Change) else ():
        if getattr(change, condition) and getattr(change, condition) == getattr(change, exception):
            key = Change.model_fields[condition].alias or condition
            yield exception, f"'{key}' and '{exception}' are the same condition", "remove one of them"

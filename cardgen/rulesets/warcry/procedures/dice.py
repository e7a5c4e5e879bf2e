"""Initiative dice and ability dice: singles, sets, and wild dice (core rules, known from public sources)."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from cardgen.referee.requests import Call, Choice, Procedure, Roll
from cardgen.rulesets.warcry.kinds import DICE

SIX = 6
# A set of two dice is a double, of three a triple, of four or more a quad.
NAMES = dict(enumerate(DICE, 2))
LARGEST = max(NAMES)
KEEP, SINGLE = "keep it", "use it as a single"
AGAIN, KEEP_ONES = "roll them again", "keep them"


class Set(NamedTuple):
    """Ability dice of one value: 2, 3 or 4 of them, where 4 stands for more too. `lifted` by a wild die, once."""

    value: int
    size: int
    lifted: bool = False

    def __str__(self) -> str:
        return f"{NAMES[self.size]} of {self.value}"


class Hand(NamedTuple):
    """One player's dice after the initiative roll: singles, sets by value, and wild dice that are left."""

    singles: int
    sets: tuple[Set, ...]
    wild: int = 0

    def __str__(self) -> str:
        sets = ", ".join(map(str, self.sets)) or "no sets"
        wild = f", {self.wild} wild {'die' if self.wild == 1 else 'dice'}" if self.wild else ""
        return f"{self.singles} {'single' if self.singles == 1 else 'singles'}, {sets}{wild}"


def hand_of(faces: tuple[int, ...], wild: int = 0) -> Hand:
    """What some dice are worth: values shown once are singles, the others sets."""
    counts = Counter(faces)
    sets = tuple(Set(value, min(count, LARGEST)) for value, count in sorted(counts.items()) if count > 1)
    return Hand(sum(count == 1 for count in counts.values()), sets, wild)


def pool(count: int, who: str) -> Procedure[tuple[int, ...]]:
    """Roll some dice; their faces in order."""
    if not count:
        return ()
    rest = yield Call(pool, (count - 1, who))
    face = yield Roll("die", who, "initiative die")
    return tuple(sorted((*rest, face)))


def rolled(count: int, wild: int, who: str, rerolls: bool = False) -> Procedure[Hand]:
    """A player's initiative roll as a hand.

    With `rerolls` the 1s may be rolled again, once: that is advised where there are several, for a lone 1 is a single.
    """
    faces = yield Call(pool, (count, who))
    ones = faces.count(1)
    if rerolls and ones:
        advised = AGAIN if ones > 1 else KEEP_ONES
        chosen = yield Choice("ones", who, f"{ones} of the dice show 1", (AGAIN, KEEP_ONES), advised)
        if chosen == AGAIN:
            again = yield Call(pool, (ones, who))
            faces = tuple(sorted((*faces[ones:], *again)))
    return hand_of(faces, wild)


def raised(hand: Hand, wanted: Set) -> Hand:
    """The hand after a wild die has lifted one of its sets by a step."""
    sets = tuple(Set(s.value, s.size + 1, True) if s == wanted else s for s in hand.sets)
    return Hand(hand.singles, sets, hand.wild - 1)


def liftable(hand: Hand) -> tuple[Set, ...]:
    """The sets that a wild die could lift: one to a set at most, and none beyond a quad; the best last."""
    found = (each for each in hand.sets if not each.lifted and each.size < LARGEST)
    return tuple(sorted(found, key=lambda each: (each.size, each.value)))


def use_wild(hand: Hand, who: str, policy: str, single: bool) -> Procedure[Hand]:
    """Use, or save, each wild die: as a single more, or to lift a set.

    By the `policy` 'lift' the best set is lifted, by 'seize' a die is a single where `single` says that this helps,
    and by 'keep' they are saved.
    """
    for _ in range(hand.wild):
        sets = liftable(hand)
        lifts = {f"make the {each} a {NAMES[each.size + 1]}": each for each in sets}
        advised = KEEP
        if policy == "lift" and sets:
            advised = next(words for words, each in lifts.items() if each == sets[-1])
        elif policy == "seize" and single:
            advised = SINGLE
        chosen = yield Choice("wild", who, "a wild die", (KEEP, SINGLE, *lifts), advised)
        if chosen == SINGLE:
            hand = Hand(hand.singles + 1, hand.sets, hand.wild - 1)
        elif chosen != KEEP:
            hand = raised(hand, lifts[chosen])
    return hand


def at_least(hand: Hand, count: int, value: int = 1) -> bool:
    """Whether a hand has a set of that many dice, or more, of that value or higher."""
    return any(each.size >= count and each.value >= value for each in hand.sets)

"""The duel as a race: the numbers of what each side does to the other.

In each turn, a side makes its attacks and a reaction, which comes before or after the enemy's first attack, as its
timing test has it. If both stand at the end, the VP decide, which are the damage dealt.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import NamedTuple, TypeAlias

from cardgen.game import Assault, Die, ExactAssault, Standing

# The damage of a blow to a target with 1 Wound, with 2, and so on; the last die is that of all others.
Blow: TypeAlias = tuple[Die[int], ...]
NO_BLOW: Blow = (Die.constant(0),)
Ratios: TypeAlias = tuple[tuple[int, int], ...]


class Reaction(NamedTuple):
    """The damage of a reaction in time, and of one that is late; whether it is in time."""

    timed: Blow = NO_BLOW
    late: Blow = NO_BLOW
    in_time: Die[bool] = Die.constant(outcome=False)

    @property
    def damage(self) -> Blow:
        """The damage of a reaction, in time or late."""
        count = max(len(self.timed), len(self.late))
        timed, late = ((*blow, *[blow[-1]] * (count - len(blow))) for blow in (self.timed, self.late))
        return tuple(self.in_time.flat_map((late[place], timed[place]).__getitem__) for place in range(count))


class Blows(NamedTuple):
    """What a side deals in a turn: by each attack of its activation, and by its reaction in that of the enemy."""

    attacks: tuple[Blow, ...]
    reaction: Reaction


# The turns of a side if it goes first, and if it goes second.
Courses: TypeAlias = tuple[tuple[Blows, ...], tuple[Blows, ...]]
# Returns the numbers of a turn, and how the target stands after it.
Turn: TypeAlias = Callable[[Blows, Standing], tuple[list[Fraction], Standing]]


class Health(NamedTuple):
    """The Wounds of a target, and those that it gets back once when an activation begins, and it has lost as many."""

    wounds: int
    healing: int = 0


def assault(courses: Courses, target: Health, most_damage: int) -> Assault:
    """Return the assault on a target; nobody in the crowd can take more than `most_damage`."""
    first, second = courses
    return ExactAssault(_first(first, target, most_damage), (_second(second, target),)).rounded()


def _first(course: Iterable[Blows], target: Health, most_damage: int) -> Ratios:
    """Return the numbers of the turns, and at the end the lead for each number of VP of the other side."""
    numbers, standing = _turns(_first_turn, course, target)
    chance, below = standing.chance, standing.chance_below
    leads = [chance - below(vp + 1) - below(vp) for vp in range(most_damage)]
    return _ratios([*numbers, *leads])


def _second(course: Iterable[Blows], target: Health) -> Ratios:
    """Return the numbers of the turns, and at the end the chance of each number of VP."""
    numbers, standing = _turns(_second_turn, course, target)
    below = standing.chance_below
    return _ratios([*numbers, *(below(vp + 1) - below(vp) for vp in range(sum(target)))])


def _turns(turn: Turn, course: Iterable[Blows], target: Health) -> tuple[list[Fraction], Standing]:
    standing, numbers = Standing(*target), list[Fraction]()
    for blows in course:
        more, standing = turn(blows, standing)
        numbers += more
    return numbers, standing


# The scalar product of a turn's numbers of both sides is the advantage of the first side in this turn. U is the chance
# that the second side stands, V that of the first side; each event counts as P(V after it, U before it) less
# P(V before it, U after it). The second side's reaction comes before the first attack if it is in time (chance s), and
# else after it; so does that of the first side (chance r) in the other activation.


def _first_turn(blows: Blows, u0: Standing) -> tuple[list[Fraction], Standing]:
    """Return the numbers of the side that goes first: it attacks, and then reacts."""
    r = blows.reaction.in_time.chance_of(outcome=True)
    u1 = _after(u0, blows.attacks[0])
    u2 = _after_all(u1, blows.attacks[1:])
    timed, late, u3 = _after_reaction(u2.healed(), blows.reaction)
    before = r * (u2.chance - 2 * timed.chance) - (1 - r) * u2.chance
    after = r * timed.chance + (1 - r) * (2 * u2.chance - late.chance)
    return [u0.chance, u1.chance, u1.chance - u2.chance + before, after, u3.chance], u3


def _second_turn(blows: Blows, v0: Standing) -> tuple[list[Fraction], Standing]:
    """Return the numbers of the side that goes second: it reacts, and then attacks."""
    s = blows.reaction.in_time.chance_of(outcome=True)
    timed, late, v1 = _after_reaction(v0.healed(), blows.reaction)
    v2 = _after(v1, blows.attacks[0])
    v3 = _after_all(v2, blows.attacks[1:])
    before = s * (2 * timed.chance - v0.chance) + (1 - s) * v0.chance
    after = (1 - s) * (late.chance - 2 * v0.chance) - s * timed.chance
    return [before, after, v1.chance, v2.chance, v3.chance - v2.chance], v3


def _after_reaction(standing: Standing, reaction: Reaction) -> tuple[Standing, Standing, Standing]:
    """Return what follows a reaction in time, a late one, and either."""
    timed, late, either = (_after(standing, blow) for blow in (reaction.timed, reaction.late, reaction.damage))
    return timed, late, either


def _after_all(standing: Standing, attacks: Sequence[Blow]) -> Standing:
    for attack in attacks:
        standing = _after(standing, attack)
    return standing


def _after(standing: Standing, blow: Blow) -> Standing:
    return standing.after(*[die.weights for die in blow])


def _ratios(numbers: Sequence[Fraction]) -> Ratios:
    return tuple((number.numerator, number.denominator) for number in numbers)

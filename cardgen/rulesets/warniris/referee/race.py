"""The duel as a race: the numbers of what each side does to the other.

In each turn, a side makes its attacks and a reaction, which comes before or after the enemy's first attack, as its
timing test has it. If both stand at the end, the VP decide, which are the damage dealt.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from fractions import Fraction
from functools import cache, lru_cache, partial
from itertools import repeat
from operator import itemgetter
from sys import intern
from typing import Any, NamedTuple, TypeAlias, TypeVar

from cardgen.game import (
    Assault,
    Competitor,
    CrowdScores,
    Die,
    ExactAssault,
    Pairing,
    RulesConfig,
    Standing,
    TooManyPathsError,
    odds,
    race_scores,
    round_robin_pairings,
)
from cardgen.rulesets.warniris.referee.attack import resolve_attack, take_timing_test
from cardgen.rulesets.warniris.referee.conditions import AttackAction
from cardgen.rulesets.warniris.referee.counter_bounds import ATTACK_TRIGGERS
from cardgen.rulesets.warniris.referee.duel import (
    Duel,
    attacker_content,
    duel_content,
    duel_form,
    endows,
    heals_once,
    keeps_no_state,
    target_content,
    with_weapons,
)
from cardgen.rulesets.warniris.referee.game import Game, State
from cardgen.rulesets.warniris.referee.miniature import DAMAGE_CHANGE, LOSS_PREVENTION, Miniature
from cardgen.rulesets.warniris.referee.modifiers import may_react
from cardgen.rulesets.warniris.referee.situations import build_miniatures

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


H = TypeVar("H", bound=Hashable)
_DURING_ATTACKS = ATTACK_TRIGGERS | {LOSS_PREVENTION, DAMAGE_CHANGE}
# More Wounds than anybody can lose.
_UNHURT = 10_000


class DuelCourse:
    """What the first miniature of a duel deals to the second, whichever weapons it uses.

    `duel_of` returns the duel, which is not kept here. Equal blows of several duels are computed once, in `blows`.
    """

    def __init__(self, duel_of: Callable[[], Duel], blows: BlowLibrary) -> None:
        self._duel_of, self._blows = duel_of, blows
        duel = duel_of()
        one, start = duel.game.miniatures[0], duel.initial_state()
        weapons = [weapon for weapon in one.weapons if weapon.needs_test]
        names = [weapon.name for weapon in weapons]
        self._precedences = [weapon.precedence for weapon in weapons]
        only_first = len(names) < 2 or duel.game.policy["weapon"] == "first"
        # By whether it is a reaction: the damage of each weapon at first; None if it does not matter.
        self._damages = [
            [None if only_first else blows.blow(duel, start, _attack(name, reaction=reaction)) for name in names]
            for reaction in (False, True)
        ]
        self._names = tuple(map(intern, names))
        self._keeps_state = {effect.weapon for effect in one.effects if effect.weapon and not keeps_no_state(effect)}
        self._is_race = all(_is_in_turns(duel, first) for first in (0, 1))
        self._courses: dict[tuple[str, str], Courses] = {}

    def courses(self, wounds: int) -> Courses | None:
        """Return the turns of the side against these Wounds.

        None if this is not a race, as the sides act in another order, or the weapons that the policy uses keep a state.
        """
        if not self._is_race:
            return None
        used = self._choice(self._damages[0], wounds), self._choice(self._damages[1], wounds)
        if not self._keeps_state.isdisjoint(used):
            return None
        if used not in self._courses:
            self._courses[used] = self._blows.courses(self._duel_of(), *used)
        return self._courses[used]

    def _choice(self, damages: Sequence[Blow | None], wounds: int) -> str:
        """Return the weapon that the policy chooses, as `Duel` does."""
        means = [
            blow[min(wounds, len(blow)) - 1].mean(lambda damage: min(damage, wounds)) if blow else Fraction(0)
            for blow in damages
        ]
        if damages[0] is None:
            return self._names[0]
        ranks = [*zip(means, self._precedences, strict=True)]
        return self._names[ranks.index(max(ranks))]


def _is_in_turns(duel: Duel, first: int) -> bool:
    """Return whether both sides act in each turn, and the first side makes all its attacks before the other one."""
    actors = list[int]()
    for name, who in (*duel.events(first), ("dusk", first)):
        if name == "action":
            actors.append(who)
        elif name == "dusk":
            own = actors.count(first)
            if not own or own == len(actors) or actors[:own] != [first] * own:
                return False
            actors.clear()
    return True


def _attack(weapon: str, *, reaction: bool) -> AttackAction:
    return AttackAction(0, 1, weapon, reaction=reaction)


class BlowLibrary:
    """The blows of several duels, and their courses; equal ones are one object."""

    def __init__(self) -> None:
        self._same: dict[Hashable, Any] = {}

    def courses(self, duel: Duel, attack: str, reaction: str) -> Courses:
        """Return all turns of the first side with these weapons, if it goes first and if it goes second."""
        attacks = _attack(attack, reaction=False), _attack(reaction, reaction=True)
        first, second = (tuple(_Turns(self, duel).each(first, *attacks)) for first in (0, 1))
        return self._one((first, second))

    def blow(self, duel: Duel, state: State, attack: AttackAction) -> Blow:
        """Return the damage of an attack, computed once for each mode of a duel."""
        memory, key = duel.game.cache, ("blow", state.mode, attack)
        if key not in memory:
            unhurt, threshold = self._damage(duel, state, attack, _UNHURT), duel.game.max_wound_threshold(1)
            # With more Wounds than these, no damage of the attack reaches the threshold.
            most = threshold + max(unhurt.weights) if threshold else 0
            dice = [self._damage(duel, state, attack, wounds) for wounds in range(1, most + 1)]
            memory[key] = self._one((*dice, unhurt))
        blow: Blow = memory[key]
        return blow

    def _damage(self, duel: Duel, state: State, attack: AttackAction, wounds: int) -> Die[int]:
        before = State(state.mode, (duel.game.miniatures[0].wounds, wounds, *state.counters[2:]))
        return odds(resolve_attack, duel.game, before, attack).map(lambda after: wounds - after.wounds(1))

    def reaction(self, duel: Duel, state: State, attack: AttackAction) -> Reaction:
        """Return a reaction in time, and a late one, computed once for each mode of a duel."""
        memory, key = duel.game.cache, ("reaction", state.mode, attack)
        if key not in memory:
            timed = attack._replace(hits=duel.game.rulings["reaction-hit"] == "timing")
            in_time = odds(take_timing_test, duel.game, state, attack).map(itemgetter(1))
            memory[key] = Reaction(self.blow(duel, state, timed), self.blow(duel, state, attack), in_time)
        reaction: Reaction = memory[key]
        return reaction

    def _one(self, value: H) -> H:
        """Return the first value that equals this one."""
        same: H = self._same.setdefault(value, value)
        return same


class _Turns:
    """The turns of the first side of a duel."""

    def __init__(self, blows: BlowLibrary, duel: Duel) -> None:
        self._blows, self._duel, self._game = blows, duel, duel.game

    def each(self, first: int, attack: AttackAction, reaction: AttackAction) -> Iterator[Blows]:
        """Yield the turns, of which only the first is computed if all are alike."""
        turns, game = self._of_all(first, attack, reaction), self._game
        return turns if game.counts_turns or game.triggers - _DURING_ATTACKS else repeat(next(turns), self._duel.turns)

    def _of_all(self, first: int, attack: AttackAction, reaction: AttackAction) -> Iterator[Blows]:
        state, attacks, reacts = self._duel.initial_state(), list[Blow](), Reaction()
        for name, who in self._duel.events(first):
            if name != "action":
                state = self._after(name, state, who)
            elif who == 0:
                attacks.append(self._blows.blow(self._duel, state, attack))
                state = self._after_action(state, 1)
            else:
                reacts = self._blows.reaction(self._duel, state, reaction) if self._reacts(state, 0) else reacts
                state = self._after_action(state, 0)
            if name == "dusk":
                yield Blows(tuple(attacks), reacts)
                attacks, reacts = [], Reaction()
        if attacks:
            yield Blows(tuple(attacks), reacts)

    def _reacts(self, state: State, who: int) -> bool:
        return self._game.policy["reactions"] != "never" and may_react(self._game, state, who)

    def _after_action(self, state: State, reactor: int) -> State:
        """Return the state after an action, to which the other side has reacted if it can."""
        if self._reacts(state, reactor):
            state = state.change_counter(self._game.reaction_counter(reactor), -1)
        return state.end_window("action")

    def _after(self, name: str, state: State, who: int) -> State:
        """Return the only state that follows a step in which no attack is made, computed once for each state."""
        memory, key = self._game.cache, ("after", name, state, who)
        if key not in memory:
            (memory[key],) = odds(self._duel.effect_procedure(name), state, who).weights
        after: State = memory[key]
        return after


# All that the assaults of a side depend on, and all that assaults on it depend on, with its Wounds.
AttackerKey: TypeAlias = str
TargetKey: TypeAlias = tuple[str, Health]


def round_robin(competitors: Sequence[Competitor], config: RulesConfig) -> Iterator[Pairing]:
    """A duel of every two competitors, in range of each other."""
    return round_robin_pairings(_miniatures(competitors), partial(_touching_duel, config))


def crowd(competitors: Sequence[Competitor], config: RulesConfig) -> CrowdScores:
    """The scores of the same duels as `round_robin`.

    If something is not declared, whatever is on the cards may matter: only equal cards are one class, there are no
    races, and no two duels share results.
    """
    miniatures = _miniatures(competitors)
    if not all(_touching_duel(config, each, each).game.is_declared for each in miniatures):
        return race_scores(
            [repr((each.card, each.relic)) for each in miniatures],
            lambda *_: None,
            lambda one, other: _touching_duel(config, miniatures[one], miniatures[other]),
        )
    forms = [duel_form(each) for each in miniatures]
    with_names = any(
        effect.condition.weapon_name or any(deeds.weapon for _, deeds in effect.deeds)
        for form in forms
        for effect in form.effects
    )
    races, racing = Races(forms, config, with_names=with_names), can_race(config)
    return race_scores(
        [
            races.keys(form) if racing and is_racer(form, config) else duel_content(form, with_names=with_names)
            for form in forms
        ],
        races.assault,
        lambda one, other: _smallest_duel(config, (forms[one], forms[other])),
    )


def _miniatures(competitors: Sequence[Competitor]) -> tuple[Miniature, ...]:
    return build_miniatures([(competitor.card, competitor.carries) for competitor in competitors])


def _touching_duel(config: RulesConfig, one: Miniature, other: Miniature) -> Duel:
    return Duel(Game((one, other), (0, 1), config.rulings, config.policy))


def _smallest_duel(config: RulesConfig, forms: tuple[Miniature, Miniature]) -> Duel:
    """Return a duel without weapons that the policy never uses, if that spares effects."""
    duel = _touching_duel(config, *forms)
    if not (duel.game.has_fixed_weapons and any(effect.weapon for effect in duel.game.effects)):
        return duel
    return duel.with_forms(*(with_weapons(form, duel.weapons_in_use(who)) for who, form in enumerate(forms)))


def can_race(config: RulesConfig) -> bool:
    """Return whether duels in which neither side keeps a state are races under these rulings and this policy."""
    rulings, policy = config.rulings, config.policy
    has_early_reactions = policy["moment"] == "before" or rulings["reaction-when"] == "before-dice"
    return (
        Game.REACTIONS_PER_TURN == 1
        and rulings["elimination"] == "wins"
        and rulings["vp-tie"] != "wounds"
        and (has_early_reactions or policy["reactions"] == "never")
    )


def is_racer(form: Miniature, config: RulesConfig) -> bool:
    """Return whether a miniature has an attack and keeps no state, apart from effects of its weapons.

    Something that heals it once is not a state: nothing but the damage that it takes depends on it.
    """
    attacks = [weapon for weapon in form.weapons if weapon.needs_test]
    scores_ignored = config.rulings["ignored-vp"] == "scored" and any(
        deeds.ignore for effect in form.effects for _, deeds in effect.deeds
    )
    own = [effect for effect in form.effects if not (effect.weapon or heals_once(form, effect))]
    heals_target = any(weapon.healing for weapon in attacks)
    is_endowed = any(endows(weapon.effects) for weapon in form.card.weapons)
    has_one_health = len([effect for effect in form.effects if heals_once(form, effect)]) < 2
    has_state = is_endowed or scores_ignored or heals_target or not all(map(keeps_no_state, own))
    return bool(attacks) and has_one_health and not has_state


def health(form: Miniature, config: RulesConfig) -> Health:
    """Return the Wounds of a racer, and those that the policy gives back to it once."""
    effects = (effect for effect in form.effects if heals_once(form, effect))
    healing = sum(deeds.heal for effect in effects for _, deeds in effect.deeds)
    return Health(form.wounds, healing if config.policy["relics"] == "prompt" else 0)


class Races:
    """The assaults of a crowd; equal turns share theirs."""

    def __init__(self, forms: Sequence[Miniature], config: RulesConfig, *, with_names: bool) -> None:
        self.config, self.with_names = config, with_names
        self.most_damage = max((sum(health(each, config)) for each in forms), default=0)
        self._attackers: dict[AttackerKey, Miniature] = {}
        self._targets: dict[str, Miniature] = {}
        self._blows = BlowLibrary()
        self._course, self._assault = cache(self._course_of), cache(self._assault_of)
        self._last_duel = lru_cache(maxsize=1)(self._duel_of)

    def keys(self, form: Miniature) -> tuple[AttackerKey, TargetKey]:
        """Return all that a miniature's assaults, and assaults on it, depend on."""
        attacker, target = attacker_content(form, with_names=self.with_names), target_content(form)
        self._attackers.setdefault(attacker, form)
        self._targets.setdefault(target, form)
        return attacker, (target, health(form, self.config))

    def assault(self, attacker: AttackerKey, target: TargetKey) -> Assault | None:
        """Return the assault of a miniature on a target, or None if the weapons that it uses keep a state.

        Raises TooManyPathsError, with the names of both.
        """
        content, its_health = target
        try:
            courses = self._course(attacker, content).courses(its_health.wounds)
        except TooManyPathsError as error:
            error.fighters = self._attackers[attacker].name, self._targets[content].name
            raise
        return self._assault(courses, its_health) if courses else None

    def _course_of(self, attacker: AttackerKey, target: str) -> DuelCourse:
        return DuelCourse(partial(self._last_duel, attacker, target), self._blows)

    def _duel_of(self, attacker: AttackerKey, target: str) -> Duel:
        return _touching_duel(self.config, self._attackers[attacker], self._targets[target])

    def _assault_of(self, courses: Courses, target: Health) -> Assault:
        return assault(courses, target, self.most_damage)

"""The duel of two fighters, and the round robin of all pairs.

Two fighters stand alone at one distance, and act in turn.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, partial
from itertools import chain, starmap
from operator import itemgetter
from typing import Annotated, TypeAlias

from cardgen.game import (
    Assault,
    CardData,
    Competitor,
    CrowdScores,
    Die,
    ExactDuel,
    FirstFighter,
    OddsTable,
    Pairing,
    Parameter,
    PreparedTrial,
    Procedure,
    RulesConfig,
    State,
    Step,
    Transition,
    TurnRace,
    card_of_kind,
    numbered_names,
    odds,
    optional_card,
    race_scores,
    round_robin_pairings,
)
from cardgen.rulesets.warcry.cards import Blessing, Fighter
from cardgen.rulesets.warcry.effective import is_declared, own_changes
from cardgen.rulesets.warcry.referee.activation import ACTIONS, ADJACENT, ActivationPlan, ActivationState, take_action
from cardgen.rulesets.warcry.referee.attack import COUNTER, Damage, PreparedAttack, prepare_attack, resolve_attack
from cardgen.rulesets.warcry.referee.fighter import (
    BLESSINGS,
    FIGHTERS,
    MAX_DISTANCE,
    FighterStats,
    IdleBlessingError,
    fighter_stats,
    idle_cards,
    not_simulated,
)

# There are no ability dice in a duel, and nobody moves.
LEFT_OUT = "abilities, battle traits, moves, and reactions other than Counter"
ROUNDS = {"three": 3, "four": 4, "five": 5}
# The damage points of both.
DamagePoints: TypeAlias = tuple[int, int]


@dataclass(frozen=True, slots=True)
class FighterDuelSituation:
    """Two fighters alone, at one distance, for some battle rounds.

    Each activation is up to two attacks.
    """

    a: Annotated[CardData, Parameter("card", "First fighter.", FIGHTERS)]
    b: Annotated[CardData, Parameter("card", "Second fighter.", FIGHTERS)]
    blessing_a: Annotated[CardData | None, Parameter("card", "Blessing of the first fighter.", BLESSINGS)] = None
    blessing_b: Annotated[CardData | None, Parameter("card", "Blessing of the second fighter.", BLESSINGS)] = None
    rounds: Annotated[
        int | None, Parameter("number", "Number of battle rounds (default: by the ruling).", low=1, high=10)
    ] = None
    distance: Annotated[
        int, Parameter("number", "Distance (for the whole duel).", high=MAX_DISTANCE, unit="inches")
    ] = 1
    first: FirstFighter = "a"


class FighterDuel(ExactDuel[DamagePoints]):
    """Two plans against each other, in the same order every round."""

    def __init__(
        self, plans: tuple[ActivationPlan, ActivationPlan], rounds: int, distance: int, reactions: int
    ) -> None:
        super().__init__((plans[0].attacker.name, plans[1].attacker.name))
        self.plans, self.rounds, self.distance, self.reactions = plans, rounds, distance, reactions
        self.wounds = (plans[0].attacker.wounds, plans[1].attacker.wounds)

    def initial_state(self) -> State:
        """Return the counters: the damage points that each can still take."""
        return None, self.wounds

    def steps(self, first: int) -> Iterator[Step]:
        """Return the actions of both in turn."""
        return starmap(self._action_step, self.actions(first))

    def actions(self, first: int) -> Iterator[tuple[int, int]]:
        """Yield who takes each action, and how many reactions the other one has left for it.

        A reaction costs an action, and whoever has activated in a battle round makes none (core rules: Reactions). So
        only the second to activate reacts, and has fewer actions left then.
        """
        second, reactions = 1 - first, self._reaction_count(first)
        for _ in range(self.rounds):
            for action in range(ACTIONS):
                yield first, max(0, reactions - action)
            for _ in range(ACTIONS - reactions):
                yield second, 0

    def is_race(self) -> bool:
        """Return whether its actions are those that `TurnRace` takes for granted, whoever goes first."""
        for first in (0, 1):
            answered = self._reaction_count(first)
            turns = [(first, answered), *[(first, 0)] * (ACTIONS - 1), *[(1 - first, 0)] * (ACTIONS - answered)]
            if answered > 1 or [*self.actions(first)] != turns * self.rounds:
                return False
        return True

    def _reaction_count(self, who: int) -> int:
        """Return how many attacks of an activation the target answers."""
        attack = self.plans[who].attack_in_range(self.distance)
        return self.reactions if attack and attack.reaction else 0

    def _action_step(self, who: int, reactions: int) -> Step:
        attack = self.plans[who].attack_in_range(self.distance)
        most = attack.max_damage if attack else Damage()
        bounds = (most.attacker, most.target) if who == 0 else (most.target, most.attacker)
        procedure = partial(self._take_action, who, reactions)
        return self.chain.step("", [Transition((who, reactions), procedure, bounds)], bounds)

    def _take_action(self, who: int, reactions: int, state: State) -> Procedure[State]:
        points = self.outcome(state)
        before = ActivationState(points[1 - who], points[who], self.distance)
        after, _ = yield from take_action(self.plans[who], reactions, before)
        points = (after.attacker, after.target) if who == 0 else (after.target, after.attacker)
        return None, (self.wounds[0] - points[0], self.wounds[1] - points[1])

    def is_over(self, state: State) -> bool:
        """Return whether one is taken down."""
        return not all(state[1])

    def outcome(self, state: State) -> DamagePoints:
        """Return the damage points of both."""
        left = state[1]
        return self.wounds[0] - left[0], self.wounds[1] - left[1]

    def _is_taken_down(self, who: int, points: int) -> bool:
        return points >= self.wounds[who]

    def winner(self, outcome: DamagePoints) -> int | None:
        """Return who took the other down; None for neither, or both."""
        down = [*map(self._is_taken_down, (0, 1), outcome)]
        return None if down[0] == down[1] else down.index(False)

    def outcome_lines(self, outcome: DamagePoints) -> tuple[str, ...]:
        """Return the damage points of both, and who wins."""
        winner = self.winner(outcome)
        shown = zip(self.names, outcome, self.wounds, strict=True)
        return (
            *(f"{name}: {points} damage points of {wounds}" for name, points, wounds in shown),
            "nobody wins" if winner is None else f"{self.names[winner]} wins",
        )

    def tables(self, die: Die[DamagePoints], title: str) -> Iterator[OddsTable]:
        """Yield who wins, who is taken down, and the mean damage points."""
        points = [(who, name, die.map(itemgetter(who))) for who, name in enumerate(self.names)]
        down = tuple(
            (f"{name} is taken down", each.chance(partial(self._is_taken_down, who))) for who, name, each in points
        )
        means = tuple((f"mean damage points of {name}", each.mean(int)) for _, name, each in points)
        yield OddsTable(title, self.win_rows(die, "neither wins"), down, means)


def fighter_duel(a: FighterStats, b: FighterStats, rounds: int, distance: int, config: RulesConfig) -> FighterDuel:
    """Return the duel of two fighters."""
    return FighterDuel((_plan(a, b, config), _plan(b, a, config)), rounds, distance, int(_has_reactions(config)))


def _has_reactions(config: RulesConfig) -> bool:
    return config.policy["reactions"] == "first"


def _plan(attacker: FighterStats, target: FighterStats, config: RulesConfig) -> ActivationPlan:
    """Plan attacks with the weapon of the highest mean damage in range; nobody moves.

    Of equal weapons, it is that with the most Attacks, then the highest Strength, Damage, and Range.
    """
    attacks = [
        prepare_attack(
            attacker, weapon, target, cover=False, reaction=COUNTER if weapon.melee else "", rulings=config.rulings
        )
        for weapon in attacker.weapons
    ]
    return ActivationPlan(attacker._replace(move=0), target, tuple(sorted(attacks, key=_worth, reverse=True)))


def _worth(attack: PreparedAttack) -> tuple[int, ...]:
    """Return six times the mean damage of an attack, then all that tells it from another one of the same mean."""
    weapon, hits = attack.weapon, 6 - attack.hit_face
    mean = weapon.attacks * (hits * weapon.damage + weapon.critical)
    return mean, weapon.attacks, weapon.strength, weapon.damage, weapon.critical, weapon.range, -weapon.min_range


def set_up_duel(situation: FighterDuelSituation, config: RulesConfig) -> PreparedTrial:
    """Set up a duel of two cards with their blessings."""
    distance, rounds = situation.distance, situation.rounds or ROUNDS[config.rulings["rounds"]]
    a = fighter_stats(situation.a, situation.blessing_a, distance=distance)
    b = fighter_stats(situation.b, situation.blessing_b, distance=distance)
    one, other = numbered_names((a.name, b.name))
    duel = fighter_duel(a._replace(name=one), b._replace(name=other), rounds, distance, config)
    notes = (LEFT_OUT, *not_simulated(situation.blessing_a, situation.blessing_b))
    blessings = {"blessing_a": "", "blessing_b": ""}
    return duel.prepare(
        situation.first, (*notes, *idle_cards(situation, blessings, partial(_figures, config=config), "duel", notes))
    )


def _figures(situation: FighterDuelSituation, config: RulesConfig) -> object:
    """Return all that the odds of a duel depend on."""
    distance = situation.distance
    a = fighter_stats(situation.a, situation.blessing_a, distance=distance)
    b = fighter_stats(situation.b, situation.blessing_b, distance=distance)
    attacks = [_plan(*pair, config).attack_in_range(distance) for pair in ((a, b), (b, a))]
    return a.wounds, b.wounds, [attack and attack.figures for attack in attacks]


def _competitor_stats(competitor: Competitor) -> FighterStats:
    """Return a fighter with its blessing, unless it cannot have it, or has no weapon for it."""
    try:
        return fighter_stats(competitor.card, competitor.carries, distance=ADJACENT)
    except IdleBlessingError:
        return fighter_stats(competitor.card)


def round_robin(competitors: Sequence[Competitor], config: RulesConfig) -> Iterator[Pairing]:
    """Yield a duel of every two fighters with blessings, within 1 inch."""
    rounds = ROUNDS[config.rulings["rounds"]]
    return round_robin_pairings(
        [*map(_competitor_stats, competitors)], lambda a, b: fighter_duel(a, b, rounds, ADJACENT, config)
    )


def crowd(competitors: Sequence[Competitor], config: RulesConfig) -> CrowdScores:
    """Return the scores of the same duels as `round_robin`."""

    def choose(attacker: FighterStats, target: FighterStats) -> PreparedAttack | None:
        return _plan(attacker, target, config).attack_in_range(ADJACENT)

    fighters, rounds = [*map(_competitor_stats, competitors)], ROUNDS[config.rulings["rounds"]]
    blessings = [optional_card(competitor.carries, Blessing) for competitor in competitors]
    all_declared = all(map(is_declared, chain.from_iterable(map(own_changes, blessings))))
    if not all_declared or not all(fighter_duel(each, each, rounds, ADJACENT, config).is_race() for each in fighters):
        return race_scores(
            [repr(each) for each in fighters],
            lambda *_: None,
            lambda one, other: fighter_duel(fighters[one], fighters[other], rounds, ADJACENT, config),
        )
    return crowd_scores(fighters, choose, rounds, reactions=_has_reactions(config))


def cost(competitor: Competitor) -> int:
    """Return the points of a fighter with its blessing."""
    fighter = card_of_kind(competitor.card, Fighter)
    blessing = optional_card(competitor.carries, Blessing)
    return fighter.points + (blessing.price(fighter) if blessing else 0)


# All of an attacker that may matter to its attacks, and the Toughness and the Wounds of a target.
AttackerKey: TypeAlias = str
TargetKey: TypeAlias = tuple[int, int]
# All that the odds of an attack depend on; empty if there is none.
AttackKey: TypeAlias = tuple[object, ...]
# Returns the attack of a fighter on a target, or None if no weapon is in range.
ChooseAttack: TypeAlias = Callable[[FighterStats, FighterStats], PreparedAttack | None]


def crowd_scores(
    fighters: Sequence[FighterStats], choose: ChooseAttack, rounds: int, *, reactions: bool
) -> CrowdScores:
    """Return the scores of the duels of all fighters."""
    keys = [(_attacker_key(fighter), (fighter.toughness, fighter.wounds)) for fighter in fighters]
    return race_scores(keys, _Races(fighters, choose, rounds, reactions=reactions).assault)


def _attacker_key(fighter: FighterStats) -> AttackerKey:
    """Return all that is not known to be without effect: names, what a weapon looks like, and what others attack."""
    weapons = [weapon.model_dump(exclude={"name", "shape"}) for weapon in fighter.weapons]
    plain = fighter._replace(name="", move=0, toughness=0, wounds=0, weapons=(), runemarks=frozenset())
    return repr((weapons, plain))


class _Races:
    """The races of a crowd; equal attacks share theirs, whoever makes them."""

    def __init__(self, fighters: Sequence[FighterStats], choose: ChooseAttack, rounds: int, *, reactions: bool) -> None:
        self.choose, self.rounds, self.reactions = choose, rounds, reactions
        self.most_wounds = max(fighter.wounds for fighter in fighters)
        self.attackers = {_attacker_key(fighter): fighter for fighter in fighters}
        self.targets = {fighter.toughness: fighter for fighter in fighters}
        self.attacks: dict[AttackKey, PreparedAttack | None] = {}
        self._attack, self._race = cache(self._attack_key), cache(self._race_of)
        self._assault = cache(lambda attack, wounds: self._race(attack).assault(wounds).rounded())

    def assault(self, attacker: AttackerKey, target: TargetKey) -> Assault:
        """Return the assault on a target."""
        toughness, wounds = target
        return self._assault(self._attack(attacker, toughness), wounds)

    def _attack_key(self, attacker: AttackerKey, toughness: int) -> AttackKey:
        attack = self.choose(self.attackers[attacker], self.targets[toughness])
        key: AttackKey = attack.figures if attack else ()
        self.attacks.setdefault(key, attack)
        return key

    def _race_of(self, key: AttackKey) -> TurnRace:
        """Return the race of an attack; a fighter without one deals no damage."""
        attack = self.attacks[key]
        blow = _blow(attack._replace(reaction="")) if attack else {(0, 0): 1}
        countered = _blow(attack) if attack and attack.reaction and self.reactions else None
        return TurnRace(blow, countered, self.rounds, ACTIONS, self.most_wounds)


def _blow(attack: PreparedAttack) -> dict[tuple[int, int], int]:
    """Return the weights of damage to the target and to the attacker."""
    return {(damage.target, damage.attacker): weight for damage, weight in odds(resolve_attack, attack).weights.items()}

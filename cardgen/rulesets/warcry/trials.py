"""The trials of Warcry, and policies for choices nobody is asked about."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from cardgen.game import (
    Benchmark,
    CardData,
    Die,
    GameTrials,
    OddsTable,
    Parameter,
    PreparedTrial,
    Procedure,
    RulesConfig,
    Trial,
    TypicalCard,
    distribution_table,
    read_rulings,
)
from cardgen.rulesets.warcry.battle.battle import set_up_battle
from cardgen.rulesets.warcry.effective import passive_changes, trait_in_force, traits_not_simulated
from cardgen.rulesets.warcry.referee.activation import set_up_activation, strike_them_down
from cardgen.rulesets.warcry.referee.attack import set_up_attack
from cardgen.rulesets.warcry.referee.duel import cost, crowd, round_robin, set_up_duel
from cardgen.rulesets.warcry.referee.fighter import (
    BLESSINGS,
    FIGHTERS,
    TRAITS,
    FighterStats,
    fighter_stats,
    idle_cards,
    impact_damage,
    not_simulated,
)
from cardgen.rulesets.warcry.referee.initiative import set_up_dice, set_up_initiative


@dataclass(frozen=True, slots=True)
class DisengageSituation:
    """A disengage action, answered with Strike Them Down."""

    fighter: Annotated[CardData, Parameter("card", "Fighter that disengages.", FIGHTERS)]
    damage: Annotated[int, Parameter("number", "Damage points it already has.", high=100)] = 0
    blessing: Annotated[CardData | None, Parameter("card", "Blessing of the fighter.", BLESSINGS)] = None


def set_up_disengage(situation: DisengageSituation, config: RulesConfig) -> PreparedTrial:
    """Set up Strike Them Down. On 4+ the fighter that disengages is allocated D6 damage points before it moves."""
    fighter = fighter_stats(situation.fighter, situation.blessing)
    notes = (*not_simulated(situation.blessing),)
    idle = idle_cards(situation, {"blessing": ""}, _wounds, "disengage action", notes)
    return _damage_trial("Strike Them Down", fighter, situation.damage, strike_them_down, (*notes, *idle))


def _wounds(situation: DisengageSituation | FallSituation) -> int:
    return fighter_stats(situation.fighter, situation.blessing).wounds


@dataclass(frozen=True, slots=True)
class FallSituation:
    """Impact damage."""

    fighter: Annotated[CardData, Parameter("card", "Fighter that suffers it.", FIGHTERS)]
    damage: Annotated[int, Parameter("number", "Damage points it already has.", high=100)] = 0
    blessing: Annotated[CardData | None, Parameter("card", "Blessing of the fighter.", BLESSINGS)] = None
    enemy_trait: Annotated[CardData | None, Parameter("card", "Enemy's battle trait.", TRAITS)] = None
    enemy_choice: Annotated[str | None, Parameter("word", "Alternative that the enemy's trait offers.")] = None


def set_up_fall(situation: FallSituation, config: RulesConfig) -> PreparedTrial:
    """Set up impact damage. Horns of Hashut lower the die by 2, to 1 at least."""
    fighter = fighter_stats(situation.fighter, situation.blessing)
    trait, lowered = trait_in_force(situation.enemy_trait, situation.enemy_choice), _impact_modifier(situation)
    low = config.rulings["impact-table"] == "low"
    notes = (*not_simulated(situation.blessing), *traits_not_simulated(trait))
    choices = {"blessing": "", "enemy_trait": "enemy_choice"}
    idle = idle_cards(situation, choices, lambda other: (_wounds(other), _impact_modifier(other)), "fall", notes)
    return _damage_trial(
        "Impact damage",
        fighter,
        situation.damage,
        lambda who: impact_damage(who, lowered, low_is_worse=low),
        (*notes, *idle),
    )


def _impact_modifier(situation: FallSituation) -> int:
    trait = trait_in_force(situation.enemy_trait, situation.enemy_choice)
    return sum(change.impact for change in passive_changes(trait))


def _damage_trial(
    title: str,
    fighter: FighterStats,
    before: int,
    procedure: Callable[[str], Procedure[int]],
    notes: Iterable[str],
) -> PreparedTrial:
    """Return a trial that allocates damage points to one fighter. It has some `before`."""
    fighter.require_standing(before)
    name, left = fighter.name, fighter.wounds - before

    def outcome_lines(points: int) -> Iterator[str]:
        yield f"{name}: {points} damage{', taken down' if points >= left else ''}"

    def tables(die: Die[int]) -> Iterator[OddsTable]:
        down = ((f"{name} is taken down", die.chance(lambda points: points >= left)),)
        yield distribution_table(f"{title}: damage to {name}", die, down)

    return PreparedTrial.of(f"{title}: {name}", lambda: procedure(name), outcome_lines, tables, notes)


_ROWS = ("is taken down", "mean damage")


def benchmarks(card: CardData, typical: TypicalCard) -> Iterator[Benchmark]:
    """Yield attacks with each weapon, and an attack on the fighter; for a blessing, those of a blessed fighter."""
    other = typical(*FIGHTERS)
    fighter, blessing = (other, card) if card["kind"] in BLESSINGS else (card, None)
    if other is None or fighter is None or fighter["kind"] not in FIGHTERS:
        return
    who = f"{fighter['name']} with {card['name']}" if blessing else fighter["name"]
    for weapon in fighter.get("weapons", ()):
        situation = {"attacker": fighter, "target": other, "weapon": weapon["name"], "blessing": blessing}
        title = f"{who}: {weapon['name']}" if blessing else weapon["name"]
        yield Benchmark(f"{title} at {other['name']}", "attack", situation, _ROWS)
    situation = {"attacker": other, "target": fighter, "target_blessing": blessing}
    yield Benchmark(f"{other['name']} at {who}", "attack", situation, _ROWS)


POLICIES = read_rulings(Path(__file__).with_name("policies.txt"))


TRIALS = GameTrials(
    trials={
        "attack": Trial.of(set_up_attack, version=2),
        "activation": Trial.of(set_up_activation, version=2),
        "duel": Trial.of(set_up_duel),
        "initiative": Trial.of(set_up_initiative, version=2),
        "dice": Trial.of(set_up_dice, version=2),
        "disengage": Trial.of(set_up_disengage),
        "fall": Trial.of(set_up_fall),
        "battle": Trial.of(set_up_battle, version=8),
    },
    policies=POLICIES,
    fighters=FIGHTERS,
    carriers=FIGHTERS,
    equipment=BLESSINGS,
    round_robin=round_robin,
    crowd=crowd,
    cost=cost,
    benchmarks=benchmarks,
    groups=("faction", "runemarks"),
    numbers=(
        *(f"stats.{name}" for name in ("toughness", "wounds")),
        *(f"weapons.{name}" for name in ("attacks", "strength", "damage", "critical")),
    ),
)

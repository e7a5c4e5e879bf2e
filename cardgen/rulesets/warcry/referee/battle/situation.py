"""The battle trial: two warbands, a battleplan, and the abilities of the project."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated

from cardgen.game import (
    CardData,
    Parameter,
    PreparedTrial,
    Procedure,
    RulesConfig,
    card_of_kind,
    plain_data,
    side_names,
)
from cardgen.rulesets.warcry.cards import Ability, Battleplan
from cardgen.rulesets.warcry.referee.battle.battle import BattleResult, outcome_lines, play_battle
from cardgen.rulesets.warcry.referee.battle.muster import recruits_of, rules_in_words, side_of, usable_abilities
from cardgen.rulesets.warcry.referee.battle.plan.twist import MORE_WILD_DICE, TWISTS
from cardgen.rulesets.warcry.referee.battle.plan.victory import SECONDARY_RULES
from cardgen.rulesets.warcry.referee.battle.table import Table
from cardgen.rulesets.warcry.referee.duel import ROUNDS
from cardgen.rulesets.warcry.referee.fighter import ABILITIES, fighter_stats

# The rules of each section that the match tracker plays.
RULES = {"secondary": {*SECONDARY_RULES}, "twist": {*TWISTS, MORE_WILD_DICE}}


@dataclass(frozen=True, slots=True)
class BattleSituation:
    """A battle of two warbands, by a battleplan."""

    a: Annotated[CardData, Parameter("card", "One warband.", ("warband",))]
    b: Annotated[CardData, Parameter("card", "The other warband.", ("warband",))]
    battleplan: Annotated[CardData, Parameter("card", "Battleplan (required).", ("battleplan",))]
    rounds: Annotated[
        int | None, Parameter("number", "Number of battle rounds (default: by the ruling).", low=1, high=10)
    ] = None
    abilities: Annotated[tuple[CardData, ...], Parameter("library", "Abilities that fighters can use.", ABILITIES)] = ()

    def __post_init__(self) -> None:
        """Leave out the abilities that nobody can use, so that transcripts stay short."""
        usable = usable_abilities(self.abilities, recruits_of((self.a, self.b)))
        object.__setattr__(self, "abilities", usable)


def set_up_battle(situation: BattleSituation, config: RulesConfig) -> PreparedTrial:
    """Set up a battle.

    Raises ValueError for warbands that cannot meet, and for a battle trait or blessing that a fighter cannot have.
    """
    warbands, plan = (situation.a, situation.b), card_of_kind(situation.battleplan, Battleplan)
    names = side_names(situation.a, situation.b)
    abilities = [card_of_kind(data, Ability) for data in situation.abilities]
    sides = [side_of(index, warband, abilities) for index, warband in enumerate(warbands)]
    recruits = recruits_of(warbands)
    for recruit in recruits:
        fighter_stats(recruit.card, recruit.blessing, sides[recruit.side].trait)
    rounds = situation.rounds or ROUNDS[config.rulings["rounds"]]

    def start() -> Procedure[BattleResult]:
        one, other = (side_of(index, warband, abilities) for index, warband in enumerate(warbands))
        return play_battle(Table((one, other), [], plan, config.rulings, rounds), recruits, config)

    notes = (*rules_in_words(sides, recruits), *_plan_in_words(plan))
    title = f"{names[0]} against {names[1]}: {plan.name}"
    return PreparedTrial(title, start, lambda end: outcome_lines(names, end), plain_data, None, notes)


def _plan_in_words(plan: Battleplan) -> Iterator[str]:
    """Yield the parts of a battleplan that the players apply."""
    for section, name in ((plan.primary, "primary"), (plan.secondary, "secondary"), (plan.twist, "twist")):
        if section.rule in RULES.get(name, ()):
            continue
        if any(score.when for score in section.scores):
            asked = (score.text.rstrip(".") for score in section.scores if not score.when)
            yield from (f"'{text}' in '{section.name or name}' has only text" for text in asked)
        else:
            yield f"'{section.name or name}' has only text"
    if plan.victory:
        yield "the winner has only text"

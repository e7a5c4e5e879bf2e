"""A whole battle: set-up, battle rounds, and the winner."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Annotated, NamedTuple

from cardgen.game import (
    CardData,
    LiveScoreboard,
    Log,
    Measurement,
    Parameter,
    PreparedTrial,
    Procedure,
    RulesConfig,
    card_of_kind,
    choose,
    choose_one,
    in_scope,
    optional_card,
    plain_data,
    quantity,
    recruits,
    side_names,
)
from cardgen.rulesets.warcry.battle.activation import activate, openings
from cardgen.rulesets.warcry.battle.attacks import UNIVERSAL_REACTIONS
from cardgen.rulesets.warcry.battle.battleplan import (
    MORE_WILD_DICE,
    SECONDARY_RULES,
    TWISTS,
    determine_control,
    extra_wild_dice,
    find_places,
    has_red_and_blue,
    leader,
    play_twist,
    score_round,
)
from cardgen.rulesets.warcry.battle.moments import after_damage, begin_round, happens, may_change_score
from cardgen.rulesets.warcry.battle.performance import end_effects, note_effects, plain_text, plain_words
from cardgen.rulesets.warcry.battle.table import (
    FAR,
    NOBODY,
    SPITE,
    Combatant,
    RoundNotes,
    Side,
    Table,
)
from cardgen.rulesets.warcry.cards import Ability, Battleplan, Blessing, Fighter, Rule, Trait
from cardgen.rulesets.warcry.changes import Change
from cardgen.rulesets.warcry.effective import (
    HEROISM,
    LEFT,
    in_battle,
    introduces,
    is_simple,
    limit_of,
    own_changes,
    passive_changes,
    passive_rules,
    settle,
    trait_of,
    unapplied,
    unplayed,
    why_not,
)
from cardgen.rulesets.warcry.referee.duel import ROUNDS
from cardgen.rulesets.warcry.referee.fighter import (
    ABILITIES,
    INSPIRING_PRESENCE,
    fighter_stats,
    lent_runemarks,
    single_weapons,
)
from cardgen.rulesets.warcry.referee.initiative import INITIATIVE_DICE, Players, initiative_rerolls, roll_initiative

SECOND_ROUND = 2
LARGEST_GAP = 40
DRAW = "a draw"


class BattleResult(NamedTuple):
    """The winner (0, 1, or None), the victory points, and the fighters taken down of each side."""

    winner: int | None
    rounds: int
    vp: tuple[int, int]
    down: tuple[int, int]


def play_battle(table: Table, recruits: tuple[Recruit, ...], config: RulesConfig) -> Procedure[BattleResult]:
    """Play a battle on a new table from its set-up to its winner."""
    yield LiveScoreboard(table.scoreboard)
    yield from in_scope("set-up", _set_up(table, recruits))
    can_end = config.rulings["wiped-out"] != "play-on"
    while table.round < table.rounds and not (can_end and any(_wiped_out(table))):
        name = f"battle round {table.round + 1}"
        yield Log("{}", (name.capitalize(),))
        yield from in_scope(name, play_round(table, config))
    winner = yield from in_scope("victory", _determine_winner(table, config.rulings))
    vp, down = [side.vp for side in table.sides], [len(table.down(side)) for side in (0, 1)]
    return BattleResult(winner, table.round, (vp[0], vp[1]), (down[0], down[1]))


def _set_up(table: Table, recruits: tuple[Recruit, ...]) -> Procedure[None]:
    for side in table.sides:
        yield from muster_side(side)
    for recruit in recruits:
        combatant = yield from combatant_of(recruit, table.sides[recruit.side])
        table.combatants.append(combatant)
    for side in table.sides:
        gifts = [own_changes(each.blessing) for each in table.combatants if each.side == side.index]
        side.wild = sum(change.wild_dice for each in (side.changes, *gifts) for change in each)
    if has_red_and_blue(table.plan):
        options = {side.name: side.index for side in table.sides}
        table.red_side = yield from choose("red", "", "who deploys at the red points", options)
    table.places = yield from find_places(table)
    yield from _set_aside(table)
    yield from happens(table, "before-deployment")
    yield Log("Set up objectives and fighters as {} says", (table.plan.name,))
    for section in table.plan.sections:
        yield Log("{}: {}", (section.name or "note", plain_text(section.text or "")))
    yield from happens(table, "deployment")
    if table.standing(0) and table.standing(1):
        # Early activations offer no targets that are out of reach.
        gap = yield Measurement("gap", "", "whole inches between the nearest enemies after deployment", 0, LARGEST_GAP)
        for one in table.standing(0):
            for other in table.standing(1):
                table.distances.claim(one, other, int(gap), FAR)


def _set_aside(table: Table) -> Procedure[None]:
    """Ask which fighters start in reserve, and when they arrive if the map names several battle rounds.

    They may do so if the map has battle rounds in which groups arrive, or no deployment points at all.
    """
    points = table.plan.map.points if table.plan.map else ()
    rounds = sorted({point.round for point in points if point.round and point.round > 1})
    for side in table.sides if rounds or not points else ():
        what = "fighter that starts in reserve"
        while who := (yield from choose_one("reserve", side.name, what, table.standing(side.index), NOBODY)):
            options = {f"battle round {each}": each for each in rounds or [SECOND_ROUND]}
            who.arrival = yield from choose("arrival", side.name, f"when {who.name} arrives", options)
            who.is_in_reserve = True


def _wiped_out(table: Table) -> list[bool]:
    """Return whether each warband is taken down."""
    return [all(each.is_down for each in table.combatants if each.side == side) for side in (0, 1)]


def _determine_winner(table: Table, rulings: Mapping[str, str]) -> Procedure[int | None]:
    """Return the winner: by the battleplan's own words, or the side with more victory points."""
    wiped = _wiped_out(table)
    if rulings["wiped-out"] == "lose" and wiped[0] != wiped[1]:
        return wiped.index(False)
    if table.plan.victory:
        options: dict[str, int | None] = {side.name: side.index for side in table.sides}
        return (yield from choose("winner", "", f"winner ({table.plan.victory})", {**options, DRAW: None}))
    return leader(table)


def outcome_lines(names: Sequence[str], end: BattleResult) -> tuple[str, ...]:
    """Return the result of a battle in sentences."""
    winner = DRAW if end.winner is None else f"{names[end.winner]} wins"
    points = ", ".join(f"{name} {vp} VP" for name, vp in zip(names, end.vp, strict=True))
    down = ", ".join(f"{name} {count}" for name, count in zip(names, end.down, strict=True))
    rounds = quantity(end.rounds, "battle round")
    return (f"{winner} after {rounds}: {points}", f"taken down: {down}")


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
    for name, section in plan.main_sections.items():
        if section.rule in RULES.get(name, ()):
            continue
        if any(score.when for score in section.scores):
            asked = (score.text.rstrip(".") for score in section.scores if not score.when)
            yield from (f"'{text}' in '{section.name or name}' has only text" for text in asked)
        else:
            yield f"'{section.name or name}' has only text"
    if plan.victory:
        yield "the winner has only text"


ADJUDICATED = {INSPIRING_PRESENCE, HEROISM, SPITE, *UNIVERSAL_REACTIONS}


class Recruit(NamedTuple):
    """A fighter of a warband before the battle, as plain data, with a name of its own."""

    side: int
    name: str
    card: CardData
    blessing: CardData | None
    is_leader: bool = False


def recruits_of(warbands: tuple[CardData, CardData]) -> tuple[Recruit, ...]:
    """Return all fighters of both warbands; those that share a name are numbered."""
    return tuple(
        Recruit(side, name, member["fighter"], member.get("blessing"), bool(member.get("leader")))
        for side, name, member in recruits(warbands, "fighter")
    )


def combatant_of(recruit: Recruit, side: Side) -> Procedure[Combatant]:
    """Return the combatant of a recruit; ask which weapon its blessing or battle trait is for if there are several."""
    fighter, blessing = card_of_kind(recruit.card, Fighter), optional_card(recruit.blessing, Blessing)
    weapon = yield from _pick_weapon(recruit, side, blessing, own_changes(blessing))
    trait_weapon = yield from _pick_weapon(recruit, side, side.trait, passive_changes(side.trait, fighter.marks))
    stats = fighter_stats(recruit.card, recruit.blessing, side.trait, weapon, trait_weapon=trait_weapon)
    stats = stats._replace(name=recruit.name)
    return Combatant(recruit.side, fighter, blessing, stats, is_leader=recruit.is_leader)


def _pick_weapon(
    recruit: Recruit, side: Side, source: Blessing | Trait | None, changes: tuple[Change, ...]
) -> Procedure[str | None]:
    """Ask for the weapon of changes of a single weapon; return its name, or None if there is none."""
    weapons = single_weapons(fighter_stats(recruit.card).weapons, changes)
    if not weapons or source is None:
        return None
    what = f"weapon of {recruit.name} with {source.name}"
    return (yield from choose("weapon", side.name, what, {each.name: each.name for each in weapons}))


def side_of(index: int, warband: CardData, abilities: Iterable[Ability]) -> Side:
    """Return the side of a warband with the rules that its fighters can use.

    Raises ValueError for a choice that its battle trait does not offer.
    """
    trait = trait_of(warband.get("trait"), warband.get("choice"))
    return Side(index, warband["name"], trait, (*abilities, *(trait.grants if trait else ())))


def muster_side(side: Side) -> Procedure[None]:
    """Ask which alternative of its battle trait a side picks, unless its card says so, and put it into force."""
    if side.trait and side.trait.choices:
        options = {rule.name: rule for rule in side.trait.choices}
        rule = yield from choose("choice", side.name, f"choice of {side.trait.name}", options)
        side.trait, side.rules = settle(side.trait, rule), (*side.rules, rule)
        yield Log("{}: {}: {}", (side.name, rule.name, plain_words(rule)))


def usable_abilities(abilities: Iterable[CardData], recruits: Iterable[Recruit]) -> tuple[CardData, ...]:
    """Return the abilities that some fighter can use."""
    users = {(card_of_kind(each.card, Fighter).marks, optional_card(each.blessing, Blessing)) for each in recruits}
    cards = ((data, card_of_kind(data, Ability)) for data in abilities)
    return tuple(
        data
        for data, rule in cards
        if not all(why_not(rule, marks | lent_runemarks(gift, rule.id)) for marks, gift in users)
    )


def rules_in_words(sides: Iterable[Side], recruits: Iterable[Recruit]) -> Iterator[str]:
    """Yield what the match tracker leaves to the players, each once."""
    used = {rule.name: rule for side in sides for rule in side.rules if rule.price}
    blessings = {each.name: each for recruit in recruits if (each := optional_card(recruit.blessing, Blessing))}
    notes: list[str] = []
    for trait in (side.trait for side in sides):
        for settled in [settle(trait, rule) for rule in trait.choices] or [trait] if trait else ():
            used |= {rule.name: rule for rule in settled.grants if rule.price}
            notes += (note for rule in passive_rules(settled) for note in _left_to_players(settled, rule))
    for name, card in (used | blessings).items():
        if getattr(card, "id", "") not in ADJUDICATED:
            is_own = partial(_is_of_fighter, card) if isinstance(card, Blessing) else None
            notes += unapplied(card, name, is_own) if is_own else unplayed(card, name)
    yield from dict.fromkeys(notes)


def _left_to_players(trait: Trait, rule: Trait | Rule) -> Iterator[str]:
    """Yield what the match tracker does not apply of a rule of a battle trait."""
    if not introduces(rule):
        is_limited = limit_of(trait, rule) is not None
        left = [change for change, what in in_battle(rule, is_limited=is_limited) if what in LEFT]
        yield from unapplied(rule, rule.name, lambda change: not any(change is each for each in left))


def _is_of_fighter(blessing: Blessing, change: Change) -> bool:
    """Return whether a change of a blessing is in the numbers of its fighter, or in the wild dice of its side."""
    return any(change is each for each in own_changes(blessing)) and is_simple(change) and not change.has(_OF_SIDE)


# What a blessing changes for nobody in a battle.
_OF_SIDE = ("initiative", "impact")


LEAVE_WAITING = "nobody; those who wait do not activate again"


def play_round(table: Table, config: RulesConfig) -> Procedure[None]:
    """Play the next battle round."""
    table.round += 1
    table.notes = RoundNotes(held_before=dict(table.control))
    for each in table.combatants:
        each.begin_round()
    for side in table.sides:
        side.begin_round()
    for side in table.sides if table.round > 1 else ():
        people = (each for each in table.combatants if each.side == side.index)
        words = ", ".join(f"{each.name} down" if each.is_down else str(each) for each in people)
        yield Log("{}", (f"{side.name}, {side.vp} VP: {words}",))
    yield from in_scope("start", begin_round(table))
    yield from in_scope("start", happens(table, "round-start"))
    yield from in_scope("initiative", _initiative_phase(table, config))
    yield from in_scope("initiative", happens(table, "initiative"))
    yield from in_scope("twist", play_twist(table))
    yield from after_damage(table)
    for each in table.combatants:
        if each.is_in_reserve and each.arrival <= table.round:
            each.is_in_reserve = False
            yield Log("{} arrives", (each.name,))
    yield from _combat_phase(table)
    yield from in_scope("end", _end_round(table))


def _initiative_phase(table: Table, config: RulesConfig) -> Procedure[None]:
    """Roll the initiative; sets are the ability dice, and wild dice that are left are saved."""
    extra = extra_wild_dice(table)
    if table.behind and (count := max(extra)):
        dice = f"{quantity(count, 'more wild die', 'more wild dice')} for this initiative phase"
        yield Log("{} is behind: {}: {}", (table.behind.name, table.plan.twist.name or "twist", dice))
    base = tuple(side.wild + 1 for side in table.sides)
    one, other = ({change.initiative for change in side.changes if change.initiative} for side in table.sides)
    ruling = config.rulings["primal-beliefs"]
    players = Players(
        (table.sides[0].name, table.sides[1].name),
        (INITIATIVE_DICE, INITIATIVE_DICE),
        (base[0] + extra[0], base[1] + extra[1]),
        (initiative_rerolls(one, ruling), initiative_rerolls(other, ruling)),
        ("ties" in one, "ties" in other),
        config.policy["wild"],
    )
    order = yield from roll_initiative(players)
    table.initiative = order.first
    for side, hand, most in zip(table.sides, order.hands, base, strict=True):
        side.sets, side.wild = [*hand.sets], min(hand.wild, most)
        yield Log("{}: {}", (side.name, hand._replace(wild=side.wild).dice))


def _combat_phase(table: Table) -> Procedure[None]:
    """Activate fighters in turns until nobody is left.

    Whoever has the initiative picks who activates first; a side that has activated all of its fighters passes.
    """
    side = table.initiative
    if _ready(table, side) and _ready(table, 1 - side):
        options = {table.sides[each].name: each for each in (side, 1 - side)}
        side = yield from choose("first", table.sides[side].name, "who activates first", options)
    passed = [False, False]
    while not all(passed[each] or not _ready(table, each) for each in (0, 1)):
        if _ready(table, side) and not passed[side]:
            who, opening = yield from _pick_fighter(table, side)
            passed[side] = who is None
            while who is not None and who.can_activate:
                who = yield from in_scope(who.name, activate(table, who, opening))
                opening = ""
        side = 1 - side


def _ready(table: Table, side: int) -> list[Combatant]:
    return [each for each in table.standing(side) if each.can_activate]


def _pick_fighter(table: Table, side: int) -> Procedure[tuple[Combatant | None, str]]:
    """Ask which of several fighters activates, and perhaps its first step too.

    Those who wait may be left waiting once nobody else is left.
    """
    ready = _ready(table, side)
    if len(ready) == 1 and not ready[0].is_waiting:
        yield Log("{} activates", (ready[0].name,))
        return ready[0], ""
    options: dict[str, tuple[Combatant | None, str]] = {str(each): (each, "") for each in ready}
    if all(each.is_waiting for each in ready):
        options[LEAVE_WAITING] = (None, "")
    options |= {f"{opening}: {each}": (each, opening) for each in ready for opening in openings(table, each)}
    return (yield from choose("activate", table.sides[side].name, "which fighter activates", options))


def _scores_first(table: Table) -> Procedure[bool]:
    """Return whether victory points come before the battle traits that happen at the end of the battle round too.

    The player with the initiative chooses (core rules: Sequencing). Nobody is asked if that makes no difference.
    """
    if not may_change_score(table, "round-end"):
        return False
    options = {"battle traits": False, "control and victory points": True}
    holder = table.sides[table.initiative].name
    return (yield from choose("sequence", holder, "what comes first at the end of the battle round", options))


def _score(table: Table) -> Procedure[None]:
    yield from determine_control(table)
    yield from score_round(table)


def _end_round(table: Table) -> Procedure[None]:
    """Score the battle round, and end what lasts until then."""
    if rules := [rule for side in table.sides for rule in side.words]:
        for rule in rules:
            yield Log("{}: {}", (rule.name, plain_words(rule)))
        yield from note_effects(table, table.sides[table.initiative], "' and '".join(rule.name for rule in rules))
        yield from after_damage(table)
    is_scored_first = yield from _scores_first(table)
    if is_scored_first:
        yield from _score(table)
    yield from happens(table, "round-end")
    if not is_scored_first:
        yield from _score(table)
    yield from end_effects(table, table.combatants, "round")
    yield from after_damage(table)
    for side in table.sides:
        side.sets = []

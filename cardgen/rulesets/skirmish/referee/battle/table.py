"""The table: models, sides, and everything that the tracker remembers about a battle."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial

from cardgen.game import (
    Battlefield,
    BattleModel,
    Log,
    MarkedMeasurement,
    Measurement,
    MemoizedCall,
    Procedure,
    choose,
    choose_in_turn,
    choose_one,
    combats,
    confirm,
    in_scope,
    roll_sum,
    select,
)
from cardgen.rulesets.skirmish.referee.combat import CombatEnd, fight_round, parting_order
from cardgen.rulesets.skirmish.referee.target_numbers import (
    EDGE,
    FALLS,
    HARD,
    LEADER_REACH,
    SOFT,
    Attempt,
    Break,
    Fighter,
    Opponent,
    Shot,
    alone_test,
    break_away,
    count_opponents,
    shots,
    slip,
    spell_hit,
)
from cardgen.rulesets.skirmish.referee.warrior import (
    FALLEN,
    FIT,
    OUT,
    STUNNED,
    Health,
    Outcome,
    Rules,
    Volley,
    Warrior,
    Weapon,
    flight_dice,
    leadership_test,
    resolve,
    rout_threshold,
)

ALONE, PANIC = "alone", "panic"


@dataclass(eq=False, kw_only=True)
class Model(BattleModel):
    """A warrior in a battle.

    `flight` is why it flees: 'alone', 'panic', or ''. `led_by` is the side that inflicted more wounds in the last round
    of its combat, or -1.
    """

    warrior: Warrior
    health: Health
    contacts: set[Model] = field(default_factory=set)  # type: ignore[assignment]
    flight: str = ""
    is_hidden: bool = False
    is_gone: bool = False
    is_proof_to_terror: bool = False
    is_defended: bool = False
    weapon: str = ""
    led_by: int = -1

    @property
    def name(self) -> str:
        """Its name, which no other model has."""
        return self.warrior.name

    @property
    def is_lost(self) -> bool:
        """Whether it is out of action, or has fled off the table."""
        return self.is_gone or self.health.state == OUT

    @property
    def profile(self) -> Warrior:
        """Its warrior, without a mount that it has lost."""
        return self.warrior if self.health.is_mounted else self.warrior._replace(mount=None)

    @property
    def points(self) -> int:
        """Its cost."""
        return self.warrior.points

    @property
    def is_fit(self) -> bool:
        """Whether it is on the table, stands, and does not flee."""
        return self.is_present and self.health.state == FIT and not self.flight

    @property
    def is_free(self) -> bool:
        """Whether it is fit and not in close combat."""
        return self.is_fit and not self.contacts

    def has_rule(self, *rules: str) -> bool:
        """Return whether it has any of these special rules."""
        return not self.warrior.rules.isdisjoint(rules)

    @property
    def is_frenzied(self) -> bool:
        """Whether it has frenzy, and has not lost it."""
        return self.has_rule("frenzy") and not self.health.is_calm

    @property
    def ignores_fear(self) -> bool:
        """Whether psychology does not affect it."""
        return self.has_rule("immune", "undead") or self.is_frenzied

    @property
    def status(self) -> str:
        """Its Wounds or state, and whether it flees or hides."""
        notes = [str(self.health), *(["flees"] if self.flight else []), *(["hidden"] if self.is_hidden else [])]
        return ", ".join(notes)

    def __str__(self) -> str:
        return f"{self.name} ({self.status})"


class Table(Battlefield[Model]):
    """A battle in progress."""

    @property
    def has_heights(self) -> bool:
        """Whether models can fall from something: by the scenario, if there is one."""
        return not self.scenario or bool(self.floors)

    @property
    def floors(self) -> dict[str, int]:
        """The heights of the scenario's floors in inches, each with a label that names its terrain."""
        terrain = [each for each in self.scenario.get("terrain", ()) if each.get("level")]
        return {f'{each["name"]}, {each["level"]}"': each["level"] for each in terrain}

    @property
    def highest(self) -> int:
        """The height of the scenario's highest floor in inches; 0 if it has none."""
        return max(self.floors.values(), default=0)

    def leader(self, side: int) -> Model | None:
        """Return the leader on the table, or by the ruling `successor` the next one."""
        present = self.of(side, lambda each: each.is_leader or self.says("successor", "next"))
        return max(present, key=lambda each: (each.is_leader, each.warrior.ld), default=None)

    def test_courage(self, who: Model, what: str) -> Procedure[bool]:
        """Take a Leadership test, perhaps with that of a fit leader within 6 inches, which players confirm."""
        leadership, leader = who.warrior.ld, self.leader(who.side)
        if leader and leader.is_fit and leader.warrior.ld > leadership:
            where = f'{who.name} is within {LEADER_REACH}" of {leader.name}, who leads'
            if (yield from confirm("leader", self.sides[who.side], where)):
                leadership = leader.warrior.ld
        return (yield from leadership_test(who.name, leadership, what))

    def test_rout(self) -> Procedure[bool]:
        """Take the rout test of the side whose turn it is, if it needs one; return whether it routs."""
        force = [each for each in self.models if each.side == self.side]
        if not needs_rout_test(force, by_points=self.says("quarter", "points")):
            return False
        leadership, name = rout_leadership(force), self.sides[self.side]
        if not leadership:
            yield Log("{}: nobody is able to take the rout test", (name,))
            return self.says("leader-gone", "failed")
        return not (yield from leadership_test(name, leadership, "rout test"))


def needs_rout_test(force: Sequence[Model], *, by_points: bool = False) -> bool:
    """Return whether a quarter or more of a force is out of action, of its models or of its points."""
    values = [(each.is_lost, each.points if by_points else 1) for each in force]
    lost = sum(value for is_lost, value in values if is_lost)
    return lost >= max(1, rout_threshold(sum(value for _, value in values)))


def rout_leadership(force: Sequence[Model]) -> int:
    """Return the Leadership for a rout test: the leader's, or the best of those able; 0 if nobody is."""
    able = [each for each in force if each.is_present and each.health.state != STUNNED]
    leaders = [each.warrior.ld for each in able if each.is_leader]
    return max(leaders or [each.warrior.ld for each in able], default=0)


PANIC_REACH, HIGHEST = 6, 30
OTHER_HEIGHT, UNKNOWN = "another height", -1


def rules_for(table: Table, victim: Model) -> Rules:
    """Return the rulings for an attack; a model that was felled in this turn may keep its worse state."""
    keeps_worse = table.says("worst-injury", "turn") and victim.has_acted("felled")
    return frozenset({**table.settings, **({"milder-injury": "worse"} if keeps_worse else {})}.items())


def take_harm(
    table: Table, who: Model, health: Health, *, was: Health | None = None, can_slip: bool = True
) -> Procedure[None]:
    """Give a model its health after an attack or a fall, with everything that follows.

    `was` is its health before, if it has the new one already.
    """
    was, who.health = was or who.health, health
    if health.state == was.state:
        yield from [Log("{}", (who,))] if health != was else ()
        return
    who.is_hidden, who.flight = False, ""
    who.acts.add("felled")
    may_slip = health.state in FALLEN and can_slip and table.has_heights
    if may_slip and (height := (yield from _measure_edge(table, who))):
        roller = table.sides[1 - who.side]
        landing = yield from slip(who.warrior, health, Attempt(height), rules_for(table, who), roller)
        if landing.words == FALLS:
            who.leave_combat()
        yield from take_harm(table, who, landing.health, can_slip=False)
    if health.state == OUT:
        who.leave_combat()
    if health.state == OUT or table.says("panic-broken", "any"):
        yield from spread_panic(table, who)


def _measure_edge(table: Table, who: Model) -> Procedure[int]:
    """Ask for the height of the edge over which a felled model may slip; 0 if there is none."""
    what = f'edge within {EDGE}"'
    if not table.floors:
        height: int = yield Measurement("edge", who.name, f"height of an {what}, 0 for none", 0, HIGHEST, "inches")
        return height
    height = yield from choose("edge", who.name, what, {"none": 0, **table.floors, OTHER_HEIGHT: UNKNOWN})
    if height == UNKNOWN:
        height = yield Measurement("height", who.name, f"height of the {what}", 1, table.highest, "inches")
    return height


def measure_height(table: Table, who: str, what: str, low: int, high: int) -> Procedure[int]:
    """Ask for a height, within limits: one of those that the scenario names, or another one."""
    floors = {label: height for label, height in table.floors.items() if low <= height <= high}
    height = (yield from choose("height", who, what, {**floors, OTHER_HEIGHT: UNKNOWN})) if floors else UNKNOWN
    if height == UNKNOWN:
        height = yield Measurement("height", who, what, low, min(high, table.highest or high), "inches")
    return height


def spread_panic(table: Table, cause: Model) -> Procedure[None]:
    """Let the friends near a model that is lost test for panic, each once in a phase."""
    what = f'models within {PANIC_REACH}" of {cause.name} that test for panic'
    yield from panic_test(table, cause.side, what)


def panic_test(table: Table, side: int, what: str, fleeing: int | None = None) -> Procedure[None]:
    """Ask which models test for panic; those who fail flee.

    `fleeing` is the Unit Strength of all fleeing friends, if these are the cause; models with as much do not test.
    """
    friends = table.of(side, lambda each: each.is_fit and not each.ignores_fear and not each.has_acted("tested"))
    friends = [each for each in friends if fleeing is None or each.profile.unit_strength < fleeing]
    for who in (yield from select("panic", table.sides[side], what, friends)):
        who.acts.add("tested")
        if who.is_fit and not (yield from table.test_courage(who, "panic test")):
            yield from break_off(table, who)


def break_off(table: Table, who: Model) -> Procedure[None]:
    """Let a model flee whose nerve breaks, from combat under parting blows."""
    if not who.contacts:
        yield from run_away(table, who)
        return
    end = yield from break_away(*opponents_of(who), table.rules, flight_dice(who.profile.move))
    yield from leave_fight(table, who, end, PANIC)


def opponents_of(who: Model) -> tuple[Fighter, Health, tuple[Opponent, ...]]:
    """Return a model and its opponents, in the order of their parting blows, as procedures see them."""
    opponents = (Opponent(fighter_of(each), each.health, not each.has_acted("critical")) for each in who.contacts)
    return fighter_of(who), who.health, tuple(sorted(opponents, key=parting_order))


def fighter_of(who: Model) -> Fighter:
    """Return a model as a fighter with its weapon in this combat, and the bonuses of a charge in this turn."""
    weapon = next((each for each in who.warrior.melee_weapons if each.name == who.weapon), who.warrior.melee_weapons[0])
    charges, dives = who.has_acted("charged"), who.has_acted("dives")
    return Fighter(who.warrior, who.side, weapon, charges, first=not who.rounds, dives=dives)


def leave_fight(table: Table, who: Model, end: Break, cause: str) -> Procedure[None]:
    """Move a model out of a combat that it breaks from, unless parting blows have felled it."""
    for each in who.contacts:
        each.acts |= {"critical"} if each.name in end.criticals else set()
    if not end.runs:
        yield from take_harm(table, who, end.health)
        return
    who.health = end.health._replace(state=FIT)
    yield from _flee(table, who, cause)
    if cause == ALONE or table.says("panic-broken", "any"):
        yield from spread_panic(table, who)


def run_away(table: Table, who: Model, cause: str = PANIC, dice: int = 0) -> Procedure[None]:
    """Roll for the flight of a model, which may lead off the table."""
    inches = yield from roll_sum(dice or flight_dice(who.profile.move), "flight", who.name, "flight in inches")
    yield Log('{} runs {}"', (who.name, inches))
    yield from _flee(table, who, cause)


def _flee(table: Table, who: Model, cause: str) -> Procedure[None]:
    who.leave_combat()
    who.flight, who.is_hidden = cause, False
    who.acts.add("fled")
    if (yield from confirm("off", table.sides[who.side], f"{who.name} reaches a table edge")):
        who.is_gone = True
        yield Log("{} flees off the table, and counts as out of action", (who.name,))


def combat_phase(table: Table) -> Procedure[None]:
    """Fight all combats, and then test those who are alone."""
    for number, combat in enumerate(combats(table.models), 1):
        yield from in_scope(f"combat {number}", fight(table, combat))
    for side in (0, 1):
        if side == table.side or table.says("alone-phase", "every"):
            for each in table.of(side, lambda each: each.is_fit and len(each.contacts) > 1):
                yield from _stand_alone(table, each)


def fight(table: Table, combat: list[Model]) -> Procedure[None]:
    """Fight one round of a combat, and give all models their health; those who fled from others have left it."""
    combat = [each for each in combat if each.contacts]
    if not combat:
        return
    for each in combat:
        yield from _choose_weapon(table, each)
    fighters, healths = tuple(_in_combat(table, each, combat) for each in combat), tuple(each.health for each in combat)
    can_crit = tuple(not each.has_acted("critical") for each in combat)
    end: CombatEnd = yield from fight_round(fighters, healths, table.rules, combat[0].led_by, can_crit)
    led_by = -1 if end.wounds[0] == end.wounds[1] else int(end.wounds[1] > end.wounds[0])
    for each, may_crit in zip(combat, end.may_crit, strict=True):
        each.rounds, each.led_by = each.rounds + 1, led_by
        each.acts |= set() if may_crit else {"critical"}
    # All have their health before anybody tests for panic, so that nobody who has fallen strikes at those who flee.
    for each, health in zip(combat, end.healths, strict=True):
        each.health = health
    for each, was, health in zip(combat, healths, end.healths, strict=True):
        # A parting blow since then has had its own consequences.
        if each.health == health:
            yield from take_harm(table, each, health, was=was)


def _in_combat(table: Table, who: Model, combat: list[Model]) -> Fighter:
    """Return a model as a fighter in a combat, with what it has done in this turn."""
    return fighter_of(who)._replace(
        stood_up=who.has_acted("rose") and (who.side == table.side or table.says("stand-up", "next-turn")),
        is_afraid=who.has_acted("afraid"),
        is_stupid=who.has_acted("stupid"),
        is_defended=who.is_defended,
        reach=tuple(place for place, each in enumerate(combat) if each in who.contacts),
    )


def _choose_weapon(table: Table, who: Model) -> Procedure[None]:
    """Choose a weapon at the start of a combat; it is kept while the combat lasts."""
    weapons = {each.name: each.name for each in who.warrior.melee_weapons}
    if not who.rounds or who.weapon not in weapons:
        who.weapon = yield from choose("weapon", table.sides[who.side], f"weapon of {who.name}", weapons)


def _stand_alone(table: Table, who: Model) -> Procedure[None]:
    """Take the All Alone test of a model without fit friends near it or in its combat."""
    one, health, opponents = opponents_of(who)
    has_help = any(friend.is_fit for enemy in who.contacts for friend in enemy.contacts - {who})
    if has_help or count_opponents(opponents, table.rules) < 2:
        return
    what = f'a friend of {who.name} is within {LEADER_REACH}"'
    friends = table.of(who.side, lambda each: each.is_fit and each is not who)
    if friends and (yield from confirm("friend", table.sides[who.side], what)):
        return
    end = yield from alone_test(one, health, opponents, who.warrior.ld, table.rules)
    if end:
        yield from leave_fight(table, who, end, ALONE)


# What keeps a model from shooting.
NO_SHOT = ("ran", "charged", "failed", "rallied", "resting", "shot", "fled", "stupid")
MOST_HITS, MOST_STRENGTH, FARTHEST = 12, 10, 144
COVER_HINT = "+ soft or hard for cover"


def usable_weapons(table: Table, who: Model) -> list[Weapon]:
    """Return the weapons with which a model can shoot in this phase."""
    if not who.is_free or who.has_acted(*NO_SHOT) or (who.has_acted("fell") and table.says("after-fall", "never")):
        return []
    moved = _has_moved(table, who)
    return [each for each in who.warrior.missile_weapons if not (moved and "move-or-fire" in each.rules)]


def _has_moved(table: Table, who: Model) -> bool:
    return who.has_acted("moved", "jumped") or (who.has_acted("rose") and table.says("standing-moves", "moves"))


def shooting_phase(table: Table) -> Procedure[None]:
    """Let the models of a side shoot one after another."""
    ready = partial(table.of, table.side, lambda each: bool(usable_weapons(table, each)))
    yield from choose_in_turn("shooter", table.sides[table.side], "who shoots", ready, partial(_aim, table))


def _aim(table: Table, who: Model) -> Procedure[None]:
    """Choose a target, and shoot."""
    targets = [each for each in table.enemies(who) if not each.contacts and not each.is_hidden]
    seen = "the nearest in sight" if table.says("nearest", "visible") else "the nearest of all"
    easier = "one with a lower number to hit" if table.says("easier", "need") else "one with less cover"
    what = f'target: {seen}, {easier}, or from more than 2" up, any in sight'
    target = yield from choose_one("target", who.name, what, targets, "none")
    if target:
        who.is_hidden = False
        yield from shoot(table, who, target, is_charging=False)
    who.acts.add("shot")


def shoot(table: Table, who: Model, target: Model, *, is_charging: bool) -> Procedure[None]:
    """Shoot at a target, or at a charger that starts more than half of its charge away."""
    weapons = who.warrior.missile_weapons if is_charging else usable_weapons(table, who)
    weapon = yield from choose("weapon", who.name, "weapon", {each.name: each for each in weapons})
    what = f"distance to {target.name}"
    answer = yield MarkedMeasurement("distance", who.name, what, 0, FARTHEST, "inches", (SOFT, HARD), COVER_HINT)
    distance, cover = answer[0], HARD if HARD in answer else SOFT if SOFT in answer else ""
    if distance > weapon.range:
        return
    can_fire_all = weapon.shots > 1 and (not weapon.shots_within or distance <= weapon.shots_within)
    is_volley = can_fire_all and (yield from confirm("volley", who.name, f"fires {weapon.shots} shots"))
    shot = Shot(distance, _has_moved(table, who) and not is_charging, cover, is_charging, is_volley)
    rules = rules_for(table, target)
    yield from _hit(table, target, shots(who.warrior, target.warrior, weapon, shot, target.health, rules))


def _hit(table: Table, target: Model, volley: Volley) -> Procedure[None]:
    outcome: Outcome = yield MemoizedCall(resolve, (volley, target.health))
    yield from take_harm(table, target, outcome.health)


def magic_phase(table: Table) -> Procedure[None]:
    """Let spells strike models; casting itself, and all other spells, are left to the players."""
    wizards = table.of(table.side, lambda each: each.warrior.wizard > 0 and not each.has_acted("stupid"))
    casters = partial(table.of, table.side, lambda each: each in wizards and each.is_fit)
    yield from choose_in_turn("caster", table.sides[table.side], "whose spell strikes", casters, partial(_cast, table))


def _cast(table: Table, who: Model) -> Procedure[None]:
    """Let a spell strike a model."""
    who.is_hidden = False
    target = yield from choose_one("target", who.name, "model that the spell strikes", table.enemies(who), "none")
    if target:
        strength = yield Measurement("strength", who.name, "Strength of the hits", 1, MOST_STRENGTH)
        hits = yield Measurement("hits", who.name, "hits", 1, MOST_HITS)
        blow = spell_hit(who.name, target.warrior, strength, target.health, rules_for(table, target))
        yield from _hit(table, target, ((blow, hits),))

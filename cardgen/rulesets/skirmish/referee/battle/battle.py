"""A whole battle: turns of both sides in five phases, until one side wins (seed: The turn)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Any

from cardgen.game import (
    BattleResult,
    CardData,
    Log,
    Measurement,
    Parameter,
    PreparedTrial,
    Procedure,
    RulesConfig,
    choose,
    choose_in_turn,
    choose_one,
    confirm,
    in_scope,
    outcome_lines,
    plain_data,
    play_turns,
    quantity,
    recruits,
    select,
    side_names,
)
from cardgen.rulesets.skirmish.referee import target_numbers
from cardgen.rulesets.skirmish.referee.battle.table import (
    ALONE,
    HIGHEST,
    Model,
    Table,
    break_off,
    combat_phase,
    magic_phase,
    measure_height,
    panic_test,
    run_away,
    shoot,
    shooting_phase,
    take_harm,
)
from cardgen.rulesets.skirmish.referee.target_numbers import FALLS, HIGHEST_JUMP, Attempt, flight_length, jump
from cardgen.rulesets.skirmish.referee.warrior import DOWN, FIT, OUT, STUNNED, initiative_test, warrior_of

MOST_TURNS = 12
SIDES = ("attacker", "defender")
# Rulings that the players apply, by the phase in which they are shown.
SHOWN = {
    "start": ("panic-causes",),
    "movement": ("run-distance", "low-obstacles", "charge-climb", "spotted"),
    "magic": ("spell-chain", "unit-casters"),
    "shooting": ("rider-arc",),
}


@dataclass(frozen=True, slots=True)
class BattleSituation:
    """A battle of two warbands; A is the attacker."""

    a: Annotated[CardData, Parameter("card", "Warband of the attacker.", ("warband",))]
    b: Annotated[CardData, Parameter("card", "Warband of the defender.", ("warband",))]
    scenario: Annotated[CardData | None, Parameter("card", "Scenario.", ("scenario",))] = None
    turns: Annotated[int | None, Parameter("number", "Turns (default: the scenario's, or 12).", low=1, high=40)] = None


def set_up_battle(situation: BattleSituation, config: RulesConfig) -> PreparedTrial:
    """Set up a battle.

    Raises ValueError for a warband that meets itself, and for one without models.
    """
    warbands, scenario = (situation.a, situation.b), situation.scenario or {}
    names, settings = side_names(*warbands), {**config.rulings, **scenario.get("switches", {})}
    turns = situation.turns or scenario.get("turns") or MOST_TURNS
    models = models_of(warbands, settings)

    def start() -> Procedure[BattleResult]:
        return play_battle(
            Table(sides=names, models=models_of(warbands, settings), settings=settings, scenario=scenario, turns=turns)
        )

    own = (name for model in models for name in sorted(model.warrior.in_words))
    notes = tuple(f"'{name}' has only text" for name in dict.fromkeys((*scenario.get("special", {}), *own)))
    title = f"{names[0]} against {names[1]}{': ' + scenario['name'] if scenario else ''}"
    return PreparedTrial(title, start, lambda end: outcome_lines(names, end), plain_data, None, notes)


def models_of(warbands: tuple[CardData, CardData], settings: Mapping[str, str]) -> list[Model]:
    """Return the models of both warbands, each with its leader: the one that its card names, or the best."""
    models: list[Model] = []
    for side, band in enumerate(warbands):
        own = [each for each in recruits(warbands, "card") if each.side == side]
        if not own:
            raise ValueError(f"{band['name']} has no models")
        leader: Any = band.get("leader") or ""
        chosen = leader["name"] if isinstance(leader, dict) and settings["leader"] == "chosen" else ""
        first = max(own, key=lambda each: (each.member["card"]["name"] == chosen, each.member["card"].get("ld", 0)))
        warriors = [(warrior_of(each.member["card"], each.name), each is first) for each in own]
        models += [Model(side=side, warrior=who, health=who.health, is_leader=leads) for who, leads in warriors]
    return models


def play_battle(table: Table) -> Procedure[BattleResult]:
    """Play a battle on a new table to its end."""
    yield Log("{} attacks, {} defends", table.sides)
    for line in _beyond_limits(table):
        yield Log("{}", (line,))
    for each in table.models:
        if each.is_leader:
            yield Log("{} leads {}", (each.name, table.sides[each.side]))
    return (yield from play_turns(table, partial(_play_turn, table)))


def _beyond_limits(table: Table) -> Iterator[str]:
    """Yield a sentence for each number of points or models that the scenario does not provide for."""
    from cardgen.rulesets.skirmish import FORCE  # loaded here because the game names the trials

    for force in table.scenario.get("forces", ()):
        side = SIDES.index(force["side"])
        own = [each for each in table.models if each.side == side]
        for what, number in (("points", sum(each.points for each in own)), ("models", len(own))):
            low, high = (force.get(key, FORCE.model_fields[key].default) for key in (f"{what}_min", f"{what}_max"))
            if not low <= number <= high:
                limits = f"the scenario gives the {force['side']} {low} to {high}"
                yield f"{table.sides[side]} has {quantity(number, what[:-1])}; {limits}"


def _play_turn(table: Table) -> Procedure[None]:
    """Play the five phases of a turn, unless a rout ends the battle."""
    charges: dict[str, Callable[[Table], Procedure[None]]] = {"charges": charge_phase, "compulsory": compulsory_moves}
    if table.says("charge-order", "after"):
        charges = dict(reversed(charges.items()))
    moves = {"start": start_turn, "recovery": recover, **charges, "movement": other_moves}
    for name, phase in {**moves, "magic": magic_phase, "shooting": shooting_phase, "combat": combat_phase}.items():
        if table.loser is None:
            yield from in_scope(name, _play_phase(table, name, phase))


def _play_phase(table: Table, name: str, phase: Callable[[Table], Procedure[None]]) -> Procedure[None]:
    """Play a phase; in the first turn, show the rulings that the players apply in it."""
    from cardgen.rulesets.skirmish import RULESET  # loaded here because the game names the trials

    for ruling in RULESET.rulings:
        if table.turn == 1 and ruling.id in SHOWN.get(name, ()):
            yield Log("{}", (ruling.settings[table.settings[ruling.id]],))
    for each in table.models:
        each.acts -= {"tested", "critical"}
    yield from phase(table)


RUN_DISTANCE = 8
# What keeps a model from other moves, and from hiding.
NO_MOVE = ("charged", "failed", "rallied", "resting", "fled", "done", "fell", "moved")
NO_HIDING = ("ran", "charged", "fled", "fell", "felled")


def can_move(table: Table, who: Model) -> bool:
    """Return whether a model can still move; a knocked down one crawls if all enemies in contact are busy or fallen."""
    from_fallen = table.says("crawl", "yes-fallen")
    can_crawl = all(len(each.contacts) > 1 or (from_fallen and not each.is_fit) for each in who.contacts)
    return not who.has_acted(*NO_MOVE) and (who.is_free or (who.health.state == DOWN and can_crawl))


def compulsory_moves(table: Table) -> Procedure[None]:
    """Move those who must move: stupid models out of combat."""
    for each in table.of(table.side, lambda each: each.is_free and each.has_acted("stupid")):
        each.acts.add("moved")
        yield Log("{} moves straight ahead, half of its Movement", (each.name,))


def other_moves(table: Table) -> Procedure[None]:
    """Let all others move: first those who only move, then everyone who does more."""
    side, ready = table.sides[table.side], partial(table.of, table.side, partial(can_move, table))
    walkers = [each for each in ready() if each.health.state == FIT]
    for each in (yield from select("moves", side, "models that only move, up to their Movement", walkers)):
        each.acts.add("moved")
    yield from choose_in_turn("mover", side, "who does something else", ready, partial(_move, table))


def _move(table: Table, who: Model) -> Procedure[None]:
    steps = _steps(table, who)
    yield from (yield from choose("step", who.name, "move", steps))()


def _steps(table: Table, who: Model) -> dict[str, Callable[[], Procedure[None]]]:
    """Return everything that a model can do in the Movement phase, by label."""
    do = partial(partial, _act, who)
    if who.health.state == DOWN:
        return {'crawls 2"': do("moved", "crawls")}
    move = who.profile.move // 2 if who.has_acted("rose") else who.profile.move
    steps: dict[str, Callable[[], Procedure[None]]] = {f'moves up to {move}"': do("moved", "moves")}
    if not who.has_acted("rose", "walks"):
        steps[f'runs up to {2 * move}", without fit enemies within {RUN_DISTANCE}"'] = do("ran", "runs")
    if not who.has_acted(*NO_HIDING) and not who.is_hidden:
        steps["moves and hides"], steps["hides without a move"] = do("moved", "hides"), do("done", "hides")
    if who.is_hidden:
        steps["comes into view"] = partial(_reveal, who)
    if hidden := [each for each in table.enemies(who) if each.is_hidden]:
        steps["finds a hidden enemy"] = partial(_find, table, who, hidden)
    for what in target_numbers.PROCEDURES if table.has_heights else ():
        if not what.startswith("climb") or target_numbers.can_climb(who.warrior, who.health):
            steps[what] = partial(_attempt, table, who, what)
    for edge in dict.fromkeys(each["edge"] for each in table.conditions if each.get("edge")):
        steps[f"leaves by the {edge} edge"] = partial(_leave, table, who, edge)
    return {**steps, "stays": do("done", "stays")}


def _act(who: Model, act: str, words: str) -> Procedure[None]:
    who.acts |= {act, "moved"} if act == "ran" else {act}
    who.is_hidden = words == "hides" or (who.is_hidden and act == "moved")
    who.leave_combat()
    yield Log("{} {}", (who.name, words))


def _reveal(who: Model) -> Procedure[None]:
    who.is_hidden = False
    yield Log("{} comes into view", (who.name,))


def _find(table: Table, who: Model, hidden: list[Model]) -> Procedure[None]:
    """Reveal hidden enemies that a model sees, or that are within its Initiative in inches."""
    what = f'hidden models in view of {who.name}, or within {who.warrior.i}"'
    for each in (yield from select("hidden", table.sides[who.side], what, hidden)):
        yield from _reveal(each)


def _attempt(table: Table, who: Model, what: str) -> Procedure[None]:
    """Measure a climb, jump, gap, or fall, and attempt it."""
    highest = {"jump": target_numbers.HIGHEST_JUMP, "climb up": who.warrior.m, "climb down": who.warrior.m}.get(
        what, HIGHEST
    )
    height = yield from measure_height(table, who.name, f"height, to {what}", 0, highest)
    levels = width = left = 1
    if what.startswith("climb") and table.says("climb-levels", "each"):
        levels = yield Measurement("levels", who.name, "levels", 1, 10)
    if "gap" in what:
        width = yield Measurement("width", who.name, "width of the gap", 0, target_numbers.WIDEST_GAP, "inches")
        left = yield Measurement("left", who.name, "movement left", 0, 2 * who.profile.move, "inches")
    attempt, roller = target_numbers.Attempt(height, levels, width, left), table.sides[1 - who.side]
    landing = yield from target_numbers.PROCEDURES[what](who.warrior, who.health, attempt, table.rules, roller)
    yield Log("{} {}", (who.name, landing.words))
    jumps = landing.words == target_numbers.SUCCEEDS and not what.startswith("climb")
    acts = {target_numbers.FALLS: {"fell", "moved"}, target_numbers.STAYS: {"done"}}
    who.acts |= acts.get(landing.words, {"jumped" if jumps else "moved"})
    yield from take_harm(table, who, landing.health, can_slip=False)


def _leave(table: Table, who: Model, edge: str) -> Procedure[None]:
    """Leave the table by an edge, perhaps with a marker."""
    marks = {each["mark"] for each in table.conditions if each["when"] == "carry" and each.get("edge") == edge}
    options = {"nothing": "", **{f"a marker {mark}": mark for mark in sorted(marks)}}
    mark = yield from choose("carries", who.name, "carries", options)
    table.count_mark(who.side, mark)
    who.exit = edge
    yield Log("{} leaves by the {} edge", (who.name, edge))


NEAR_FLIGHT, TERROR_REACH = 4, 6


def start_turn(table: Table) -> Procedure[None]:
    """Take rout tests, and then those of panic, terror, stupidity, and of models that ran because they were alone."""
    side, name = table.side, table.sides[table.side]
    for each in table.models:
        each.acts &= {"rose"} if each.side != side and table.says("stand-up", "next-turn") else set()
    if (yield from table.test_rout()):
        yield Log("{} routs", (name,))
        table.loser = side
        return
    if runners := table.of(side, lambda each: bool(each.flight)):
        what = f'models within {NEAR_FLIGHT}" of fleeing friends with more Unit Strength that test for panic'
        yield from panic_test(table, side, what, sum(each.profile.unit_strength for each in runners))
    if table.of(1 - side, lambda each: each.has_rule("terror")):
        afraid = table.of(side, lambda each: each.is_fit and can_be_terrified(each))
        for each in (yield from select("terror", name, f'models within {TERROR_REACH}" of terror', afraid)):
            yield from terror_test(table, each)
    for each in table.of(side, lambda each: each.is_fit and each.has_rule("stupidity")):
        each.acts |= set() if (yield from table.test_courage(each, "stupidity test")) else {"stupid"}
    for each in table.of(side, lambda each: each.flight == ALONE and table.says("runners", "test")):
        if (yield from table.test_courage(each, "test to stop")):
            each.flight = ""
            each.acts.add("resting")
        else:
            yield from run_away(table, each, ALONE, 2)


def can_be_terrified(who: Model) -> bool:
    """Return whether a model still tests for terror."""
    return not (who.ignores_fear or who.is_proof_to_terror or who.has_rule("terror"))


def terror_test(table: Table, who: Model) -> Procedure[bool]:
    """Take the one terror test of a model in a game; one that fails flees, and cannot rally in this turn."""
    who.is_proof_to_terror = True
    passed = yield from table.test_courage(who, "terror test")
    if not passed:
        yield from break_off(table, who)
    return passed


def recover(table: Table) -> Procedure[None]:
    """Play the Recovery phase: rallies, and models that turn over or stand up."""
    name = table.sides[table.side]
    for each in table.of(table.side, lambda each: bool(each.flight) and not each.has_acted("fled")):
        yield from _rally(table, each)
    for each in table.of(table.side):
        if each.health.state == STUNNED:
            each.health = each.health._replace(state=DOWN)
            yield Log("{} turns over", (each,))
        elif each.health.state == DOWN and (yield from confirm("rise", name, f"{each.name} stands up")):
            each.health = each.health._replace(state=FIT)
            each.acts.add("rose")


def _rally(table: Table, who: Model) -> Procedure[None]:
    what = f"the model nearest to {who.name} is a fit enemy that is not hidden"
    is_near = yield from confirm("nearest", table.sides[who.side], what)
    if is_near or not (yield from table.test_courage(who, "rally")):
        dice = flight_length(who.profile, table.rules, was_alone=who.flight == ALONE)
        yield from run_away(table, who, who.flight, dice)
        return
    who.flight = ""
    who.acts.add("resting" if table.says("rally", "cast") else "rallied")
    yield Log("{} rallies", (who.name,))


STRAIGHT, UNSEEN, DIVE = "in a straight line", 'at an enemy out of sight within 4"', "from above, as a diving charge"
ACROSS = "across a low obstacle that the enemy defends"
HOLD, SHOOT, FLEE = "holds", "stands and shoots", "flees"
INTERCEPTION = 2
# What keeps a model from charging.
NO_CHARGE = ("rose", "rallied", "resting", "stupid", "fled", "charged", "failed", "no-charge")


def charge_phase(table: Table) -> Procedure[None]:
    """Declare and move all charges of a side."""
    ready = partial(table.of, table.side, lambda each: each.is_free and not each.has_acted(*NO_CHARGE))
    for each in filter(lambda each: each.is_frenzied, ready()):
        yield Log("{} is frenzied, and must charge an enemy in reach", (each.name,))
    yield from choose_in_turn("charge", table.sides[table.side], "who charges", ready, partial(charge, table))


def charge(table: Table, who: Model) -> Procedure[None]:
    """Play a charge from its declaration to contact."""
    side = table.sides[who.side]
    target = yield from choose_one("target", side, f"{who.name} charges", table.enemies(who), "nobody, after all")
    if target is None:
        who.acts.add("no-charge")
        return
    if target.is_hidden and not (yield from confirm("found", side, _found(who, target))):
        return
    who.acts.add("charged")
    who.is_hidden, was_hidden, target.is_hidden = False, target.is_hidden, False
    ways = (STRAIGHT, UNSEEN, ACROSS, *([DIVE] if table.has_heights else []))
    way = yield from choose("way", side, f"how {who.name} charges", {each: each for each in ways})
    if not (yield from _can_begin(table, who, target, way)):
        return
    yield from _react(table, who, target, was_hidden=was_hidden)
    if not who.is_fit:
        return
    blockers = yield from _intercept(table, who, target, way)
    if target.flight and not blockers:
        yield from _catch(table, who, target)
        return
    enemies = blockers or [target]
    if not (yield from confirm("reach", side, f"{who.name} reaches {enemies[0].name}")):
        who.acts |= {"failed", "moved"}
        yield Log("{} falls short and moves its Movement", (who.name,))
        return
    others = [each for each in table.enemies(who) if each not in (target, *blockers) and not each.is_hidden]
    enemies += yield from select("also", side, f"other enemies that {who.name} touches", others)
    for each in (who, *enemies):
        each.is_defended = bool(each.is_defended and each.contacts)
    target.is_defended |= way == ACROSS and not blockers
    for enemy in enemies:
        yield from _fear_charger(table, who, enemy)
        if enemy.is_present and not enemy.flight:
            who.touch(enemy)


def _can_begin(table: Table, who: Model, target: Model, way: str) -> Procedure[bool]:
    """Take the tests before a charge; a model that fails one does not charge."""
    if way == UNSEEN and not (yield from initiative_test(who.name, who.warrior.i, f"find {target.name}")):
        who.acts ^= {"charged", "no-charge", "walks"}
        return False
    if target.has_rule("terror") and can_be_terrified(who):
        if not (yield from terror_test(table, who)):
            return False
    elif _fears(who, target) and not (yield from table.test_courage(who, f"fear of {target.name}")):
        who.acts |= {"failed", "done"}
        return False
    if way == DIVE:
        height = yield from measure_height(table, who.name, "height of the jump", 1, HIGHEST_JUMP)
        landing = yield from jump(who.warrior, who.health, Attempt(height), table.rules, table.sides[1 - who.side])
        who.acts |= {"fell", "failed", "done"} if landing.words == FALLS else {"dives"}
        yield from take_harm(table, who, landing.health, can_slip=False)
        return landing.words != FALLS
    return True


def _found(who: Model, target: Model) -> str:
    return f'{target.name}, which hides, is within {who.warrior.i}" of {who.name}'


def _fears(who: Model, enemy: Model) -> bool:
    return enemy.has_rule("fear", "terror") and not (who.ignores_fear or who.has_rule("fear", "terror"))


def _react(table: Table, who: Model, target: Model, *, was_hidden: bool) -> Procedure[None]:
    """Let the target of a charge hold, shoot, or flee."""
    if not target.is_free:
        return
    can_shoot = target.warrior.missile_weapons and not (was_hidden and table.says("reactions", "hold"))
    able = (True, bool(can_shoot), not target.ignores_fear)
    words = (HOLD, f'{SHOOT}, if {who.name} is more than {who.profile.move}" away', FLEE)
    choices = zip(words, (HOLD, SHOOT, FLEE), able, strict=True)
    reactions = {label: reaction for label, reaction, is_able in choices if is_able}
    what = f"{target.name}, charged by {who.name}"
    reaction = yield from choose("reaction", table.sides[target.side], what, reactions)
    if reaction == SHOOT:
        yield from shoot(table, target, who, is_charging=True)
    elif reaction == FLEE:
        yield from run_away(table, target)
        target.acts.add("reacted")


def _intercept(table: Table, who: Model, target: Model, way: str) -> Procedure[list[Model]]:
    """Ask which enemies step into the way of a charge."""
    able = [each for each in table.enemies(who) if each.is_free and each is not target and not each.is_hidden]
    if way == DIVE and table.says("dive", "air"):
        return []
    side, what = table.sides[target.side], f'within {INTERCEPTION}" of the way of {who.name}'
    if table.says("interception", "all"):
        return (yield from select("interception", side, f"everyone {what}", able))
    blocker = yield from choose_one("interception", side, f"who intercepts, {what}", able, "nobody")
    return [blocker] if blocker else []


def _catch(table: Table, who: Model, target: Model) -> Procedure[None]:
    """Charge a fleeing model, which runs on before any blow."""
    if not target.is_present or target.has_acted("reacted"):
        who.acts |= {"failed", "moved"}
        return
    yield from run_away(table, target, target.flight, 2)
    if not target.is_present or table.says("caught", "runs"):
        return
    if (yield from confirm("caught", table.sides[who.side], f"the charge of {who.name} reaches {target.name}")):
        yield from take_harm(table, target, target.health._replace(state=OUT))


def _fear_charger(table: Table, who: Model, enemy: Model) -> Procedure[None]:
    """Let an enemy that is charged test for terror or fear; one that fails flees, or hits only on 6s."""
    if enemy.is_fit and who.has_rule("terror") and can_be_terrified(enemy):
        yield from terror_test(table, enemy)
    elif enemy.is_fit and _fears(enemy, who) and not (yield from table.test_courage(enemy, f"fear of {who.name}")):
        if enemy.profile.unit_strength < who.profile.unit_strength:
            yield from break_off(table, enemy)
        enemy.acts.add("afraid")

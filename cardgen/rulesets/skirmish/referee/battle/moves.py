"""The remaining moves: runs, hiding, climbs, jumps, crawling, and leaving the table."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from cardgen.game import Log, Measurement, Procedure, choose, choose_one, select
from cardgen.rulesets.skirmish.referee.battle.harm import HIGHEST, take_harm
from cardgen.rulesets.skirmish.referee.battle.table import Model, Table
from cardgen.rulesets.skirmish.referee.heights import HIGHEST_JUMP, STAYS, WIDEST_GAP, Landing, climb, jump, leap
from cardgen.rulesets.skirmish.referee.warrior import DOWN, FIT

RUN_DISTANCE = 8
# What keeps a model from other moves, and from hiding.
NO_MOVE = ("charged", "failed", "rallied", "resting", "fled", "done", "fell", "moved")
NO_HIDING = ("ran", "charged", "fled", "fell", "felled")
ANIMAL = "animal"


def can_move(table: Table, who: Model) -> bool:
    """Return whether a model can still move: a fit one out of combat, or a knocked down one that can crawl."""
    if who.has_acted(*NO_MOVE) or who.flight:
        return False
    return not who.is_engaged if who.health.state == FIT else who.health.state == DOWN and _can_crawl(table, who)


def _can_crawl(table: Table, who: Model) -> bool:
    """Return whether all enemies in contact are busy with others, or have fallen."""
    from_fallen = table.says("crawl", "yes-fallen")
    return all(len(each.contacts) > 1 or (from_fallen and not each.is_fit) for each in who.contacts)


def compulsory_moves(table: Table) -> Procedure[None]:
    """Move those who must move: stupid models out of combat."""
    for each in table.of(table.side, lambda each: each.is_fit and each.has_acted("stupid") and not each.is_engaged):
        each.acts.add("moved")
        yield Log("{} moves straight ahead, half of its Movement", (each.name,))


def other_moves(table: Table) -> Procedure[None]:
    """Let all others move: first those who only move, then everyone who does more."""
    side, ready = table.sides[table.side], partial(can_move, table)
    walkers = table.of(table.side, lambda each: ready(each) and each.health.state == FIT)
    for each in (yield from select("moves", side, "models that only move, up to their Movement", walkers)):
        each.acts.add("moved")
    while who := (
        yield from choose_one("mover", side, "who does something else", table.of(table.side, ready), "nobody")
    ):
        steps = _steps(table, who)
        step = yield from choose("step", who.name, "move", steps)
        yield from step()


def _steps(table: Table, who: Model) -> dict[str, Callable[[], Procedure[None]]]:
    """Return everything that a model can do in the Movement phase, by label."""
    do = partial(partial, _act, who)
    if who.health.state == DOWN:
        return {'crawls 2"': do("moved", "crawls", leaves=True)}
    move = who.warrior.m // 2 if who.has_acted("rose") else who.warrior.m
    steps: dict[str, Callable[[], Procedure[None]]] = {f'moves up to {move}"': do("moved", "moves")}
    if not who.has_acted("rose"):
        steps[f'runs up to {2 * move}", without fit enemies within {RUN_DISTANCE}"'] = do("ran", "runs")
    if not who.has_acted(*NO_HIDING) and not who.is_hidden:
        steps["moves and hides"], steps["hides without a move"] = do("moved", "hides"), do("done", "hides")
    if who.is_hidden:
        steps["comes into view"] = partial(_reveal, who)
    if hidden := [each for each in table.enemies(who) if each.is_hidden]:
        steps["finds a hidden enemy"] = partial(_find, table, who, hidden)
    if table.has_heights:
        steps |= {"jumps down": partial(_jump, table, who), "jumps over a gap": partial(_leap, table, who)}
        if not who.has_rule(ANIMAL):
            steps["climbs up"] = partial(_climb, table, who, down=False)
            steps["climbs down"] = partial(_climb, table, who, down=True)
    for edge in dict.fromkeys(each["edge"] for each in table.conditions if each.get("edge")):
        steps[f"leaves by the {edge} edge"] = partial(_leave, table, who, edge)
    return {**steps, "stays": do("done", "stays")}


def _act(who: Model, act: str, words: str, *, leaves: bool = False) -> Procedure[None]:
    who.acts |= {act, "moved"} if act == "ran" else {act}
    who.is_hidden = words == "hides" or (who.is_hidden and act == "moved")
    if leaves:
        who.leave_combat()
    yield Log("{} {}", (who.name, words))


def _reveal(who: Model) -> Procedure[None]:
    who.is_hidden = False
    yield Log("{} comes into view", (who.name,))


def _find(table: Table, who: Model, hidden: list[Model]) -> Procedure[None]:
    """Reveal hidden enemies that a model sees, or that are within its Initiative in inches."""
    by_whom = "of anyone" if table.says("spotted", "anyone") else "of a fit enemy"
    what = f'hidden models in view of {who.name}, or within {who.warrior.i}" ({by_whom})'
    for each in (yield from select("hidden", table.sides[who.side], what, hidden)):
        yield from _reveal(each)


def _jump(table: Table, who: Model) -> Procedure[None]:
    height = yield Measurement("height", who.name, "height of the jump", 0, HIGHEST_JUMP, "inches")
    landing = yield from jump(who.warrior, who.health, height, table.rules, table.sides[1 - who.side])
    yield from _land(table, who, landing)


def _climb(table: Table, who: Model, *, down: bool) -> Procedure[None]:
    height = yield Measurement("height", who.name, "height of the climb", 1, max(1, who.warrior.m), "inches")
    levels = 1
    if table.says("climb-levels", "each"):
        levels = yield Measurement("levels", who.name, "levels", 1, 10)
    roller = table.sides[1 - who.side]
    landing = yield from climb(who.warrior, who.health, height, table.rules, down=down, levels=levels, roller=roller)
    who.acts.add("moved" if landing.words != STAYS else "done")
    yield from _land(table, who, landing)


def _leap(table: Table, who: Model) -> Procedure[None]:
    width = yield Measurement("width", who.name, "width of the gap", 0, WIDEST_GAP, "inches")
    left = yield Measurement("left", who.name, "movement left", 0, 2 * who.warrior.m, "inches")
    depth = yield Measurement("depth", who.name, "height of a fall", 0, HIGHEST, "inches")
    landing = yield from leap(who.warrior, who.health, width, left, depth, table.rules)
    who.acts.add("leapt")
    yield from _land(table, who, landing)


def _land(table: Table, who: Model, landing: Landing) -> Procedure[None]:
    yield Log("{} {}", (who.name, landing.words))
    if landing.has_fallen:
        who.acts |= {"fell", "moved"}
        yield from take_harm(table, who, landing.health, can_slip=False)


def _leave(table: Table, who: Model, edge: str) -> Procedure[None]:
    """Leave the table by an edge, perhaps with a marker."""
    marks = {each["mark"] for each in table.conditions if each["when"] == "carry" and each.get("edge") == edge}
    options = {"nothing": "", **{f"a marker {mark}": mark for mark in sorted(marks)}}
    mark = yield from choose("carries", who.name, "carries", options)
    if mark:
        table.marks[who.side, mark] = table.marks.get((who.side, mark), 0) + 1
    who.exit = edge
    yield Log("{} leaves by the {} edge", (who.name, edge))

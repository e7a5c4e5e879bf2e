"""The remaining moves: runs, hiding, climbs, jumps, crawling, and leaving the table."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from cardgen.game import Log, Measurement, Procedure, choose, choose_in_turn, select
from cardgen.rulesets.skirmish.referee import heights
from cardgen.rulesets.skirmish.referee.battle.harm import HIGHEST, measure_height, take_harm
from cardgen.rulesets.skirmish.referee.battle.table import Model, Table
from cardgen.rulesets.skirmish.referee.warrior import DOWN, FIT

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
    for what in heights.PROCEDURES if table.has_heights else ():
        if not what.startswith("climb") or heights.can_climb(who.warrior, who.health):
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
    highest = {"jump": heights.HIGHEST_JUMP, "climb up": who.warrior.m, "climb down": who.warrior.m}.get(what, HIGHEST)
    height = yield from measure_height(table, who.name, f"height, to {what}", 0, highest)
    levels = width = left = 1
    if what.startswith("climb") and table.says("climb-levels", "each"):
        levels = yield Measurement("levels", who.name, "levels", 1, 10)
    if "gap" in what:
        width = yield Measurement("width", who.name, "width of the gap", 0, heights.WIDEST_GAP, "inches")
        left = yield Measurement("left", who.name, "movement left", 0, 2 * who.profile.move, "inches")
    attempt, roller = heights.Attempt(height, levels, width, left), table.sides[1 - who.side]
    landing = yield from heights.PROCEDURES[what](who.warrior, who.health, attempt, table.rules, roller)
    yield Log("{} {}", (who.name, landing.words))
    jumps = landing.words == heights.SUCCEEDS and not what.startswith("climb")
    acts = {heights.FALLS: {"fell", "moved"}, heights.STAYS: {"done"}}
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

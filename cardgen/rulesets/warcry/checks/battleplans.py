"""Checks of battleplans."""

import re
from collections.abc import Iterator

from cardgen.game import (
    NUMBER_WORDS,
    CheckContext,
    CheckScope,
    Finding,
    Findings,
    KeyPath,
    finder_in_scope,
    join_words,
    quantity,
)
from cardgen.rulesets.warcry.cards import Ability, Battleplan, Blessing, Rule, Trait
from cardgen.rulesets.warcry.changes import Change
from cardgen.rulesets.warcry.effective import needs, parts_of, placed_changes, rules_texts
from cardgen.rulesets.warcry.limits import BattleMap, Section, ShownMap
from cardgen.rulesets.warcry.selections import goes_on
from cardgen.rulesets.warcry.words import HALVES, OBJECTIVE, PLAN_WORDS, QUARTERS, SECONDARIES, PlanWord


def idle_objective(plan: Battleplan) -> Findings:
    """Yield repeated letters, and objectives if no text, condition, or rule uses any."""
    objectives = plan.map.objectives if plan.map else ()
    marks: set[str] = set()
    for index, objective in enumerate(objectives):
        if objective.mark in marks:
            route = ("map", "objectives", index, "mark")
            yield Finding(f"repeated letter '{objective.mark}'", route, help="give each objective a letter of its own")
        if objective.mark:
            marks.add(objective.mark)
    is_used = any(OBJECTIVE in text.casefold() for _, text in rules_texts(plan)) or any(
        need.startswith(OBJECTIVE) for _, need in needs(plan)
    )
    if objectives and not is_used:
        message, advice = "no rule of the battleplan speaks of objectives", "write what they are for, or remove them"
        yield Finding(message, ("map", "objectives"), help=advice, at_key=True)


def mapless_battleplan(mat: ShownMap, context: CheckContext) -> Findings:
    """Yield the battleplan without a map, unless the mat has one of its own."""
    plan = finder_in_scope(context.scope)(Battleplan, mat.battleplan)
    if plan is not None and plan.map is None and mat.map is None:
        message = f"the battleplan '{plan.name}' has no map"
        yield Finding(message, ("battleplan",), help="write the map as 'map' on the mat or on the battleplan")


_WHAT = {"secondary": "secondary victory condition", "twist": "twist"}


def misplaced_rule(plan: Battleplan) -> Findings:
    """Yield rules outside the section in which the battle tracker plays them."""
    notes = ((("sections", index), section) for index, section in enumerate(plan.sections))
    for path, section in (*notes, *(((key,), section) for key, section in plan.main_sections.items())):
        home = "secondary" if section.rule in SECONDARIES else "twist"
        if section.rule and path != (home,):
            message = f"'{section.rule}' is a rule of a {_WHAT[home]}"
            yield Finding(message, (*path, "rule"), help=f"move it to '{home}', or remove 'rule'")


_THINGS = {
    OBJECTIVE: re.compile(r"\bobjectives?\b", re.IGNORECASE),
    QUARTERS: re.compile(r"\btable quarters?\b", re.IGNORECASE),
    HALVES: re.compile(r"\btable hal(?:f|ves)\b", re.IGNORECASE),
}
_MARK = re.compile(r"\b[Oo]bjectives? ([A-Z])\b(?:(?:,| and| or) ([A-Z])\b)?")
_ADVICE = {
    OBJECTIVE: "add 'objectives' to the map",
    QUARTERS: "add 'quarters: true' to the map",
    HALVES: "add 'halves: left-right' to the map",
}


def missing_from_the_map(plan: Battleplan) -> Findings:
    """Yield the first text, condition, or rule that needs each thing that a finished map lacks."""
    if plan.map is None or not (plan.map.points or plan.map.objectives):
        return
    reported: set[str] = set()
    for finding, need in (*_text_needs(plan), *((Finding("", path), need) for path, need in needs(plan))):
        name = _absent(need, plan.map)
        if name and name not in reported:
            reported.add(name)
            mark = name.removeprefix(OBJECTIVE).strip()
            advice = _ADVICE.get(name, f"add 'mark: {mark}' to an objective")
            yield finding._replace(message=f"the map shows no {name}", help=advice)


def _text_needs(plan: Battleplan) -> Iterator[tuple[Finding, str]]:
    """Yield what the texts name, and where."""
    for path, text in rules_texts(plan):
        for match in _MARK.finditer(text):
            for group in (1, 2):
                if match[group]:
                    yield Finding("", path, text_range=match.span(group)), f"{OBJECTIVE} {match[group]}"
        for name, pattern in _THINGS.items():
            if first := pattern.search(text):
                yield Finding("", path, text_range=first.span()), name


def _absent(need: str, field: BattleMap) -> str:
    """Return what a map lacks: the need itself, any objective at all, or nothing."""
    if need.startswith(OBJECTIVE):
        mark = need.removeprefix(OBJECTIVE).strip()
        marks = {objective.mark for objective in field.objectives}
        return OBJECTIVE if not field.objectives else need if mark and mark not in marks else ""
    return "" if (field.quarters if need == QUARTERS else field.halves) else need


def off_the_map(field: BattleMap) -> Findings:
    """Yield the spots off the battlefield or on another spot."""
    seen: set[tuple[float, float]] = set()
    for key, spots in (("points", field.points), ("objectives", field.objectives)):
        for index, spot in enumerate(spots):
            x, y = spot.at
            if x > field.width or y > field.height:
                message = f"[{x:g}, {y:g}] is outside the battlefield of {field.width} by {field.height} inches"
                fits = f"write [{min(x, field.width):g}, {min(y, field.height):g}]"
                advice = f"{fits}; measure x to the right and y down from the upper left corner"
                yield Finding(message, (key, index, "at"), advice)
            elif spot.at in seen:
                yield Finding(f"[{x:g}, {y:g}] is already taken", (key, index, "at"), help="move one of them")
            seen.add(spot.at)


_SIDES = ("red", "blue")


def unequal_deployment(field: BattleMap) -> Findings:
    """Yield the sides that lack deployment points, or those of a battle group."""
    groups = {side: {point.group for point in field.points if point.side in (side, "either")} for side in _SIDES}
    for side, other in (_SIDES, _SIDES[::-1]):
        missing = sorted(filter(None, groups[other] - groups[side]))
        if groups[other] and not groups[side]:
            yield Finding(f"the map has no deployment points for {side}", ("points",), help="add them", at_key=True)
        elif missing and None not in groups[side]:
            message = f"{side} has no deployment point for its {join_words(missing, 'and')}, but {other} has"
            yield Finding(message, ("points",), help=f"add it, or remove it for {other}", at_key=True)


_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
_ROUND = re.compile(
    rf"\bbattle round (\d+|{'|'.join(NUMBER_WORDS[1:])})\b"
    rf"|\b(\d+(?=st|nd|rd|th)|{'|'.join(_ORDINALS)})(?:st|nd|rd|th)? battle round\b",
    re.IGNORECASE,
)
_LENGTH = re.compile(r"\b(\d+|[a-z]+) battle rounds\b", re.IGNORECASE)


def never_reached(card: Battleplan | Ability | Rule | Trait | Blessing, context: CheckContext) -> Findings:
    """Yield arrivals, texts, and changes of battle rounds after the last one."""
    usual = _number(context.rulings.get("rounds", "four"))
    if isinstance(card, Battleplan):
        yield from _find_in_battleplan(card, max(usual, _length(card)))
        return
    placed_all = [placed for placed in placed_changes(card) if any(_rounds(placed.change))]
    if placed_all:
        last = max(usual, context.scope.compute_once(_longest))
        for placed in placed_all:
            for route, number in _rounds(placed.change):
                if number > last:
                    yield _finding(number, last)._replace(route=placed.at(*route), text_range=placed.text_range)


def _longest(scope: CheckScope) -> int:
    """Return how many battle rounds the longest battleplan in play says that its battle lasts, or 0."""
    return max(scope.facts_of_type(_length, Battleplan), default=0)


def _length(plan: Battleplan) -> int:
    """Return how many battle rounds a battleplan says that its battle lasts, or 0."""
    return max((_number(match[1]) for _, text in rules_texts(plan) for match in _LENGTH.finditer(text)), default=0)


def _find_in_battleplan(plan: Battleplan, last: int) -> Findings:
    for index, point in enumerate(plan.map.points if plan.map else ()):
        if point.round is not None and point.round > last:
            yield _finding(point.round, last)._replace(route=("map", "points", index, "round"))
    for path, text in rules_texts(plan):
        for match in _ROUND.finditer(text):
            if (number := _number(match[1] or match[2])) > last:
                yield _finding(number, last)._replace(route=path, text_range=match.span())


def _rounds(change: Change) -> Iterator[tuple[KeyPath, int]]:
    """Yield the battle rounds that the moments and conditions of a change name, each with the keys that lead to it."""
    for part, route in parts_of(change):
        rounds = getattr(part, "rounds", ())
        for index, number in enumerate(rounds[:1] if goes_on(rounds) else rounds):
            yield (*route, "rounds", index), number


def _finding(number: int, last: int) -> Finding:
    return Finding(f"battle round {number} never comes", help=f"use battle round 1 to {last}")


def _number(word: str) -> int:
    word = word.casefold()
    if word in _ORDINALS:
        return _ORDINALS.index(word) + 1
    return int(word[:6]) if word.isdecimal() else NUMBER_WORDS.index(word) if word in NUMBER_WORDS else 0


_AMOUNT = re.compile(r"\d|victory point|\b(?:half|double|equal)\b", re.IGNORECASE)


def worthless_score(section: Section) -> Findings:
    """Yield the scores whose victory points neither `vp` nor the text gives."""
    for index, score in enumerate(section.scores):
        if score.vp is None and not _AMOUNT.search(score.text):
            route = ("scores", index, "text")
            yield Finding("the condition scores no victory points", route, help="add 'vp' with a number")


_WORDS = "|".join(NUMBER_WORDS[1:])
# How many victory points a condition says that it scores, and how many objectives it needs at least.
_MORE = "(?: extra| additional| more| further)?"
_POINTS = re.compile(rf"(?:^|\bscores? )(\d+|{_WORDS}){_MORE} victory points?\b", re.IGNORECASE)
_LEAST = re.compile(
    rf"\b(?:(?P<n>\d+|{_WORDS}) or more|at least (?P<least>\d+|{_WORDS})) (?:objectives?|enem(?:y|ies)|fighters?)\b",
    re.IGNORECASE,
)
_WITHIN = re.compile(r"\bwithin (\d+)(?:\"|″| inch)")
# Words of texts that say what is scored, or what a twist does; one such as 'It floods.' says nothing.
_TELLS = re.compile(
    r"victory|objective|quarter|\bhal(?:f|ves)\b|taken down|\bhero|\bmonster|\bwild di|abilit|strength", re.IGNORECASE
)


def rule_against_text(plan: Battleplan) -> Findings:
    """Yield the texts that say something else than the `when`, `vp`, or `rule` that the battle tracker plays."""
    for key, section in plan.main_sections.items():
        if section.rule and section.text:
            yield from _other_words(section.rule, section.text, (key,))
        for index, score in enumerate(section.scores):
            route = (key, "scores", index)
            points = _POINTS.search(score.text)
            if points and score.vp is not None and _number(points[1]) != score.vp:
                message = f"the text says {quantity(_number(points[1]), 'victory point')}, but 'vp' is {score.vp}"
                yield Finding(message, (*route, "text"), "change one of the two", points.span(1))
            if score.when:
                yield from _other_words(score.when, score.text, route)


def _has(pattern: str, text: str) -> bool:
    return re.search(pattern, text, re.IGNORECASE | re.DOTALL) is not None


def _other_words(word: str, text: str, route: KeyPath) -> Findings:
    """Yield a text that is not about what a word of the battle tracker means."""
    means = PLAN_WORDS[word]
    if said := _what_differs(means, text):
        message = f"the battle tracker plays '{word}', {means.help}, and the text says {said}"
        yield Finding(message, (*route, "text"), "change one of the two, or leave it to the players")


def _what_differs(means: PlanWord, text: str) -> str:
    """Return what a text says instead of what a word of the tracker means: a number, something else, or ''."""
    if (
        (means.says and _TELLS.search(text) and not _has(means.says, text))
        or (means.never and _has(means.never, text))
        or any(_has(first, text) and not _has(second, text) for first, second in means.pairs)
    ):
        return "something else"
    number, points = _LEAST.search(text), [_number(match[1]) for match in _POINTS.finditer(text)]
    if means.least and number and _number(number["n"] or number["least"]) != means.least:
        return f"'{number[0]}' instead of {means.least}"
    if means.points and points and means.points not in points:
        return f"{quantity(points[0], 'victory point')} instead of {means.points}"
    others = [inches for match in _WITHIN.finditer(text) if (inches := int(match[1][:6])) not in means.within]
    if means.within and others:
        return f"within {quantity(others[0], 'inch', 'inches')} instead of {' or '.join(map(str, means.within))}"
    return ""

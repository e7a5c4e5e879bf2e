"""A player with a table: every distance, line, and choice comes from where the miniatures are."""

from __future__ import annotations

import math
import random
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from cardgen.referee.play import Event, LogEntry, play
from cardgen.referee.requests import Answer, Decision, MarkedMeasurement, Measurement, Question, Roll, Selection, Test
from cardgen.referee.trial import PreparedTrial
from cardgen.rulesets.warniris.battle.battle import Battle
from cardgen.rulesets.warniris.weapon_line import Profile

BASE = 1.3
WIDTH, HEIGHT = 60.0, 42.0
# Walls that hide, and ruins with gaps, as segments.
WALLS = (((24.0, 12.0), (24.0, 20.0)), ((36.0, 22.0), (36.0, 30.0)))
RUINS = (((30.0, 4.0), (30.0, 12.0)), ((30.0, 30.0), (30.0, 38.0)))
Point = tuple[float, float]


@dataclass
class Piece:
    """A miniature on the table."""

    name: str
    side: int
    weapons: dict[str, Profile]
    movement: int
    at: Point
    stands: bool = True
    has_acted: bool = False


def _crosses(a: Point, b: Point, wall: tuple[Point, Point]) -> bool:
    def turn(p: Point, q: Point, r: Point) -> float:
        return (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])

    c, d = wall
    return turn(a, b, c) * turn(a, b, d) < 0 and turn(c, d, a) * turn(c, d, b) < 0


class TablePlayer:
    """Answers every question of a battle truthfully, attacks what it can, and counts its answers by turn."""

    def __init__(self, trial: PreparedTrial, seed: int, turns: int = 4) -> None:
        battle: Battle = trial.start.__self__  # type: ignore[attr-defined]
        self.game, self.battle = battle.game, battle
        self.dice, self.turns = random.Random(seed), turns
        self.answers: Counter[int] = Counter()
        self.keys: Counter[str] = Counter()
        self.pieces = [self._piece(who) for who in range(len(self.game.miniatures))]
        self.actor = self.target = self.pieces[0]
        self.waiting: tuple[Piece, Point] | None = None
        self.turn, self.group = 0, [self.pieces[0]]
        self.plan: tuple[Piece, Profile] | None = None
        self.checked = 0
        self.moves_twice = False

    def _piece(self, who: int) -> Piece:
        miniature, side = self.game.miniatures[who], self.game.sides[who]
        x, y = self.dice.uniform(2, 18), self.dice.uniform(2, 18)
        at = (WIDTH - x, HEIGHT - y) if side else (x, y)
        if self.battle.is_last_stand:
            at = self._last_stand_place(side)
        weapons = {weapon.name: weapon for weapon in miniature.weapons}
        return Piece(miniature.name, side, weapons, miniature.card.stats.movement, at)

    def _last_stand_place(self, side: int) -> Point:
        if not side:
            return (WIDTH / 2 + self.dice.uniform(-4, 4), HEIGHT / 2 + self.dice.uniform(-4, 4))
        along = self.dice.random()
        return self.dice.choice(
            [(along * WIDTH, 1.0), (along * WIDTH, HEIGHT - 1), (1.0, along * HEIGHT), (WIDTH - 1, along * HEIGHT)]
        )

    # Geometry

    def distance(self, one: Piece, other: Piece) -> int:
        return round(max(0.0, math.dist(one.at, other.at) - 2 * BASE))

    def is_hidden(self, one: Piece, other: Piece) -> bool:
        return any(_crosses(one.at, other.at, wall) for wall in WALLS)

    def in_gap(self, one: Piece, other: Piece) -> bool:
        return any(_crosses(one.at, other.at, ruin) for ruin in RUINS)

    def between(self, one: Piece, other: Piece) -> list[Piece]:
        length = math.dist(one.at, other.at)
        if length < 2 * BASE:
            return []
        in_line = []
        for each in self.standing():
            if each in (one, other):
                continue
            along = sum((each.at[i] - one.at[i]) * (other.at[i] - one.at[i]) for i in (0, 1)) / length
            foot = tuple(one.at[i] + (other.at[i] - one.at[i]) * along / length for i in (0, 1))
            if 0 < along < length and math.dist(each.at, foot) < BASE / 2:
                in_line.append((along, each))
        return [each for _, each in sorted(in_line, key=lambda pair: pair[0])]

    def towards(self, one: Piece, other: Piece, most: float, gap: float) -> Point:
        """Where a Move at somebody ends that stops at a gap from it."""
        length = math.dist(one.at, other.at)
        step = max(0.0, min(most, length - gap - 2 * BASE))
        return tuple(one.at[i] + (other.at[i] - one.at[i]) * step / (length or 1) for i in (0, 1))  # type: ignore[return-value]

    def _way_to(self, one: Piece, enemy: Piece, most: float) -> Point:
        """Where a Move to within 4 cm of an enemy ends, around the walls in between."""
        for wall in WALLS:
            if _crosses(one.at, enemy.at, wall):
                corners = [(end[0], end[1] + shift) for end, shift in zip(wall, (-3.0, 3.0), strict=True)]
                corner = min(corners, key=lambda each: math.dist(one.at, each))
                return self.towards(one, replace(enemy, at=corner), most, -2 * BASE)
        return self.towards(one, enemy, most, 4.0)

    def standing(self, side: int | None = None) -> list[Piece]:
        return [each for each in self.pieces if each.stands and side in (None, each.side)]

    def nearest_enemy(self, one: Piece) -> Piece:
        return min(self.standing(1 - one.side), key=lambda each: self.distance(one, each))

    def can_attack(self, one: Piece, other: Piece, weapon: Profile, approach: float = 0.0) -> bool:
        reach = weapon.range + (one.movement if weapon.type == "CW" else 0) + approach
        return self.distance(one, other) <= reach and not self.is_hidden(one, other)

    # Questions

    def __call__(self, path: str, question: Question) -> Answer:
        match = re.match(r"turn (\d+)/", path)
        self.turn = int(match[1]) if match else self.turn
        if isinstance(question, Test | Roll):
            return self.dice.randint(1, question.sides)
        if "/reaction" not in path or "/end of the Move" in path:
            self._end_move(path)
        self._check_notes()
        self.answers[self.turn] += 1
        self.keys[question.key.partition(" ")[0]] += 1
        answer: Answer = getattr(self, f"_answer_{question.key.partition(' ')[0]}")(question)
        return answer

    def _end_move(self, path: str) -> None:
        if self.waiting and ("/end of the Move" in path or not path.endswith(("/reaction", "/moment"))):
            piece, there = self.waiting
            piece.at = there
            self.waiting = None

    def _check_notes(self) -> None:
        """Whatever is noted about Characters is true."""
        if self.waiting or self.battle.is_last_stand:
            return
        for i, one in enumerate(self.pieces):
            for j, other in enumerate(self.pieces[:i]):
                if one.stands and other.stands:
                    span, true = self.game.notes.span(i, j), self.distance(one, other)
                    assert span.low <= true <= span.high, (one.name, other.name, span, true)
                    line = self.game.notes.line(i, j)
                    is_true = line is None or true <= 2 or line.is_hidden == self.is_hidden(one, other)
                    assert is_true, (one.name, other.name)
                    self.checked += 1

    def piece(self, name: str, side: int | None = None) -> Piece:
        """The piece of that name; of Minions, the actor or the one aimed at."""
        for each in (self.target, self.actor):
            if each.stands and each.name == name and side in (None, each.side):
                return each
        return next(each for each in self.standing(side) if each.name == name)

    def pair(self, question: Question, words: str) -> tuple[Piece, Piece]:
        who = question.who.partition(",")[0]
        other = re.sub(words, "", question.what)
        if who == other:
            return self.actor, self.target
        return self.piece(who), self.piece(other)

    def _answer_who(self, question: Decision) -> str:
        return self.dice.choice(question.options)

    def _answer_stays(self, question: Decision) -> str:
        out = question.options[-1]
        self.piece(out).stands = False
        return out

    def _answer_go(self, question: Decision) -> str:
        return question.options[self.turn >= self.turns]

    def _late_reaction(self, question: Decision | Selection) -> str:
        """The option to react to a Move, where somebody can."""
        for option in question.options:
            side_name, says, mover = option.partition(" reacts to the Move of ")
            if says:
                actor = self.piece(mover, 1 - self.game.side_names.index(side_name))
                enemies = self.standing(1 - actor.side)
                if any(self.can_attack(one, actor, weapon) for one in enemies for weapon in one.weapons.values()):
                    self.actor = actor
                    return option if self.dice.random() < 0.5 else ""
        return ""

    def _answer_activate(self, question: Decision | Selection) -> Answer:
        if isinstance(question, Decision):
            return self._late_reaction(question) or self._next(question)
        chosen = self._next(question)
        is_group = len(self.group) > 1 and chosen.endswith(" left")
        return (chosen,) * (len(self.group) if is_group else 1)

    def _next(self, question: Decision | Selection) -> str:
        if "Minion" not in question.what:
            chosen = self.dice.choice(
                [option for option in question.options if option != "pass" and " reacts " not in option]
            )
            self.actor = self.piece(chosen)
            return chosen
        question = question._replace(options=tuple(each for each in question.options if " reacts " not in each))
        names = {option.partition(",")[0].partition(" yet")[0] for option in question.options}
        ready = [each for each in self.standing(1) if each.name in names and not each.has_acted]
        able = [each for each in ready if self._choices(each)]
        if not able and "all that are left only Move" in question.options:
            for each in ready:
                each.at = self.towards(each, self.nearest_enemy(each), 2.0 * each.movement, 1.0)
                each.has_acted = True
            return "all that are left only Move"
        fallback = [each for each in self.standing(1) if each.name in names]
        self.actor = (able or ready or fallback)[0]
        self.plan, self.group = self._largest_group(able)
        self.actor = self.group[0] if self.group else self.actor
        named = [option for option in question.options if option.startswith(self.actor.name)]
        whole = [option for option in named if option.endswith(f"all {len(self.group)}")]
        return (whole or named)[0]

    def _largest_group(self, able: list[Piece]) -> tuple[tuple[Piece, Profile] | None, list[Piece]]:
        """The attack that most Minions of one kind can make, and who can make it."""
        groups: dict[tuple[str, str, str], list[Piece]] = {}
        plans: dict[tuple[str, str, str], tuple[Piece, Profile]] = {}
        for one in able:
            for target, weapon in self._choices(one):
                if weapon.type == "CW" or not self.between(one, target):
                    key = (one.name, target.name, weapon.name)
                    groups.setdefault(key, []).append(one)
                    plans[key] = (target, weapon)
        if not groups:
            return None, []
        best = max(groups, key=lambda key: len(groups[key]))
        return plans[best], groups[best]

    def _choices(self, one: Piece) -> list[tuple[Piece, Profile]]:
        """Every enemy that a piece can attack now, and with what."""
        return [
            (other, weapon)
            for other in self.standing(1 - one.side)
            for weapon in one.weapons.values()
            if weapon.damage and self.can_attack(one, other, weapon)
        ]

    def _answer_action(self, question: Selection) -> tuple[str, ...]:
        """All that it does, in one answer: what it uses, and then attacks, two Moves, or a Move and an attack."""
        if late := self._late_reaction(question):
            return (late,)
        uses = tuple(option for option in question.once if option.startswith("use ") and self.dice.random() < 0.5)
        left = question.most - len(question.once)
        chosen = self._action(question)
        if not chosen:
            return uses
        if " at " in chosen and not chosen.endswith("…"):
            return (*uses, *(chosen,) * left)
        if self.moves_twice:
            return (*uses, chosen, chosen)
        after = self._after_move(question) if chosen.startswith("Move") and left > 1 else ()
        return (*uses, chosen, *after)

    def _after_move(self, question: Selection) -> tuple[str, ...]:
        """An attack from where the Move ends, if there is one in the menu."""
        if not self.waiting:
            return ()
        here, self.actor.at = self.actor.at, self.waiting[1]
        attacks = self._listed_attacks(question)
        self.actor.at = here
        if not attacks:
            return ()
        option, self.target = self.dice.choice(attacks)
        return (option,)

    def _listed_attacks(self, question: Selection) -> list[tuple[str, Piece]]:
        return [
            (option, target)
            for option in question.options
            for target, weapon in self._choices(self.actor)
            if option.startswith(f"{weapon.name} (")
            and (option.endswith("…") or option.partition(" at ")[2].startswith(target.name))
        ]

    def _action(self, question: Selection) -> str:
        self.moves_twice = False
        options = {option: option for option in question.options}
        if "," in question.who:
            self._end_group()
            planned = [option for option in question.options if self.plan and self._is_planned(option)]
            if planned and self.plan:
                self.target = self.plan[0]
                return planned[0]
        else:
            self.actor = self.piece(question.who)
            self.group = [self.actor]
        self.actor.has_acted = True
        attacks = self._listed_attacks(question)
        heals = [option for option in options if "Hymn" in option and self._in_reach_of_hymn(option)]
        if heals:
            self.target = self.piece(heals[0].partition(" at ")[2])
            return heals[0]
        if attacks:
            option, self.target = self.dice.choice(attacks)
            return option
        moves = [option for option in options if option.startswith("Move")]
        if not moves or self.dice.random() < 0.1:
            return ""
        return self._move(moves, may_repeat=question.most > 1)

    def _is_planned(self, option: str) -> bool:
        assert self.plan
        target, weapon = self.plan
        return option.startswith(f"{weapon.name} (") and option.endswith(target.name)

    def _in_reach_of_hymn(self, option: str) -> bool:
        target = self.piece(option.partition(" at ")[2])
        return target is self.actor or (
            self.distance(self.actor, target) <= 8 and not self.is_hidden(self.actor, target)
        )

    def _end_group(self) -> None:
        for each in self.group:
            each.has_acted = True

    def _move(self, moves: list[str], *, may_repeat: bool) -> str:
        enemy = self.nearest_enemy(self.actor)
        far = self.distance(self.actor, enemy) > 2 * self.actor.movement + 8
        self.moves_twice = far and may_repeat
        steps = 2 if self.moves_twice else 1
        for each in self.group if len(self.group) > 1 else []:
            each.at = self.towards(each, enemy, steps * each.movement, 1.0)
        if len(self.group) == 1:
            self.waiting = (self.actor, self._way_to(self.actor, enemy, float(steps * self.actor.movement)))
        return moves[0]

    def _answer_target(self, question: Decision) -> str:
        near = sorted(self.standing(1 - self.actor.side), key=lambda each: self.distance(self.actor, each))
        for each in near:
            for option in question.options:
                if option.startswith(each.name):
                    self.target = each
                    return option
        return question.options[0]

    def _answer_distance(self, question: Question) -> Answer:
        if "farthest" in question.what:
            name = question.what.rpartition(" to ")[2]
            return (max(self.distance(each, self.piece(name, 0)) for each in self.group),)
        one, other = self.pair(question, "distance to ")
        cm = self.distance(one, other)
        if isinstance(question, Measurement):
            return cm
        assert isinstance(question, MarkedMeasurement)
        if "through" in question.marks and not self.is_hidden(one, other):
            return (cm,) if cm > 2 else (cm, *self._named_marks(one, other, question))
        return (cm, *self._named_marks(one, other, question))

    def _named_marks(self, one: Piece, other: Piece, question: MarkedMeasurement) -> list[str]:
        marks = self._marks(one, other)
        named = [mark for each in self.between(one, other) for mark in question.marks if mark.startswith(each.name)]
        named = [] if "hidden" in marks else list(dict.fromkeys(named))
        return [mark for mark in marks if mark in question.marks and not (mark == "between" and named)] + named

    def _marks(self, one: Piece, other: Piece) -> list[str]:
        if self.is_hidden(one, other):
            return ["hidden"]
        marks = ["gap"] if self.in_gap(one, other) else []
        return marks + (["between"] if self.between(one, other) else [])

    def _answer_nearest(self, question: Measurement) -> int:
        name = question.what.rpartition(" to ")[2]
        return min(self.distance(each, self.piece(name, 0)) for each in self.group)

    def _answer_sight(self, question: Selection) -> tuple[str, ...]:
        one, other = self.pair(question, "what is in the line to ")
        marks = self._marks(one, other)
        if "hidden" in marks:
            return ("wholly hidden",)
        gap = tuple(option for option in question.options if "gap" in option and "gap" in marks)
        names = dict.fromkeys(each.name for each in self.between(one, other))
        return (*gap, *(name for name in names if name in question.options))

    def _line_words(self, question: Decision, marks: list[str]) -> str:
        words = {
            (): "in clear sight",
            ("gap",): "through a gap of 1 cm or more (-1)",
            ("between",): "with miniatures in between",
            ("gap", "between"): "through a gap, with miniatures in between",
            ("hidden",): "wholly hidden",
        }[tuple(marks)]
        return words if words in question.options else "in clear sight"

    def _answer_between(self, question: Selection) -> tuple[str, ...]:
        one = self.piece(question.who)
        other = self.target if one is not self.target else self.actor
        names = dict.fromkeys(each.name for each in self.between(one, other))
        return tuple(option for name in names for option in question.options if option == name)

    def _arrive(self, text: str) -> None:
        """A free Move of somebody alone."""
        match = re.fullmatch(r"(.*) Moves at (.*) first", text)
        if match and len(self.group) == 1:
            one, other = self.piece(match[1]), self.piece(match[2])
            if one is other:
                one, other = self.actor, self.target
            one.at = self.towards(one, other, one.movement, 0.3)

    def _answer_arrival(self, question: Decision) -> str:
        if "do all of them" in question.what:
            for each in self.group:
                each.at = self.towards(each, self.target, each.movement, 0.6)
            return "yes"
        one, other = self.pair(question, "sees | where its Move ends")
        if len(self.group) > 1:
            one.at = self.towards(one, other, one.movement, 0.6)
        if self.distance(one, other) > 1:
            return "not in Range"
        return self._line_words(question, self._marks(one, other))

    def _answer_enemies(self, question: Measurement) -> int:
        return question.low

    def _answer_reaction(self, question: Selection) -> tuple[str, ...]:
        possible: dict[str, str] = {}
        for option in question.options:
            name, _, weapon = option.partition(" with ")
            for each in self.standing(1 - self.actor.side):
                if each.name == name and weapon in each.weapons and self._reaches_mover(each, self.actor, weapon):
                    possible[name] = option
        if not possible:
            return ("nobody else in this Activation",)
        chosen = tuple(option for option in possible.values() if self.dice.random() < 0.5)
        return chosen or ("nobody else in this Activation",)

    def _reaches_mover(self, one: Piece, actor: Piece, weapon: str) -> bool:
        here, there = actor.at, self.waiting[1] if self.waiting else actor.at
        actor.at = there
        possible = self.can_attack(one, actor, one.weapons[weapon])
        actor.at = here
        return possible

    def _answer_on(self, question: Decision) -> str:
        """Whether a reaction can happen on the way."""
        one = next(each for each in self.pieces if each.name == question.who)
        weapon = next(name for name in one.weapons if f" with {name} at a later" in question.what)
        return "yes" if self._reaches_mover(one, self.actor, weapon) else "no"

    def _answer_moment(self, question: Decision) -> str:
        return question.options[-1] if self.waiting else question.options[0]

    def _answer_near(self, question: Question) -> Answer:
        owner = next(each for each in self.pieces if each.name == question.who)
        cm = int(re.findall(r"(\d+) cm", question.what)[0])
        if isinstance(question, Selection):
            return tuple(name for name in question.options if self.distance(owner, self.piece(name)) <= cm)
        name = re.findall(r"is (.*) within", question.what)[0]
        return "yes" if self.distance(owner, self.piece(name)) <= cm else "no"

    def _answer_report(self, question: Selection) -> tuple[str, ...]:
        """Nothing, or one report of those that the table cannot check."""
        return (self.dice.choice(question.options),) if self.dice.random() < 0.5 else ()

    def _answer_free(self, question: Decision) -> str:
        return "no"

    def _answer_use(self, question: Decision) -> str:
        return self.dice.choice(question.options)

    def _answer_re_roll(self, question: Decision) -> str:
        return "yes"

    def __getattr__(self, name: str) -> Any:
        if name == "_answer_re-roll":
            return self._answer_re_roll
        raise AttributeError(name)

    # What is told

    def listen(self, entry: LogEntry) -> None:
        if isinstance(entry, Event):
            return
        self._arrive(entry)
        self._begin(entry)
        if match := re.fullmatch(r"(.*) is eliminated", entry):
            likely = (self.target, self.actor, *self.standing())
            next(each for each in likely if each.name == match[1] and each.stands).stands = False
        elif match := re.fullmatch(r".*: its player may shift (.*) up to (\d+) cm", entry):
            piece, cm = self.piece(match[1]), float(match[2])
            piece.at = self.towards(piece, self.nearest_enemy(piece), cm, 0.5)

    def _begin(self, entry: str) -> None:
        """A new turn, and the Minions that fill the Horde up at its start."""
        if entry.startswith("Turn "):
            for each in self.pieces:
                each.has_acted = False
        elif "new Minions appear" in entry:
            for each in (each for each in self.pieces if each.side and not each.stands):
                each.stands, each.at = True, self._last_stand_place(1)

    def play(self, trial: PreparedTrial) -> tuple[Any, list[LogEntry]]:
        told: list[LogEntry] = []

        def listen(entry: LogEntry) -> None:
            told.append(entry)
            self.listen(entry)

        return play(trial.start(), self, listen), told


def answers_by_turn(player: TablePlayer) -> Iterator[int]:
    """The answers of each turn; the set-up belongs to none."""
    return (count for turn, count in sorted(player.answers.items()) if turn)

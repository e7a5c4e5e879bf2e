"""Trials of game files for tests: prepared from the text of their sections."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from textwrap import dedent
from typing import Any

from cardgen.game_file.expressions import GameContext
from cardgen.game_file.loader import compile_game, read_game
from cardgen.referee.play import Event, LogEntry, play, seeded_answers
from cardgen.referee.requests import Question
from cardgen.referee.trial import PreparedTrial, RulesConfig
from cardgen.rulesets.ruleset import Ruleset
from cardgen.source import parse_document
from tests.game_file.games import HEADER

EMBER = """
types:
  weapon:
    fields:
      arm: {type: choice, choices: [near, far]}
      damage: {type: integer, min: 1, max: 6}
kinds:
  brave:
    fields:
      heat: {type: integer, min: 1, max: 6}
      warms: {type: integer, min: 0, default: 0}
      weapons: {type: list, items: {type: weapon}}
    example: {heat: 3}
rulings:
  sixes: {question: Can a 6 succeed?, settings: {never: Never., heat: Those with Heat 6 succeed.}}
dice:
  ember-die: {faces: {flame: 2, ash: 3, nothing: 1}}
"""
WARM = """
trials:
  warm:
    help: A brave tries to warm up.
    asks:
      brave: {type: card, kind: brave, help: Brave who tries.}
      bonus: {type: integer, min: -3, max: 3, default: 0}
    steps:
      - test: {dice: 1d6, up_to: "clamp(brave.heat + bonus, 1, 6 if rulings.sixes == 'heat' else 5)", name: to warm up}
      - when: not passed
        end: stays cold
      - roll: {dice: 1d3, name: how much, into: gained}
      - end: gains {{ gained }} Heat
"""
ASH = {"kind": "brave", "name": "Ash", "heat": 3, "weapons": [{"arm": "far", "damage": 2}]}


def game_context(text: str) -> GameContext:
    """Return the compiled game of a file's sections."""
    context = read_game(parse_document(HEADER + dedent(text), "game.yaml"), Path())
    compile_game(context)
    return context


def problems(text: str) -> list[str]:
    """Return the mistakes in a game file, from the line after its header: 'LINE:COLUMN MESSAGE'."""
    context = game_context(text)
    lines = HEADER.count("\n")
    places = sorted(
        (each.place.span.line - lines, each.place.span.column, each.message)
        for each in context.problems
        if each.place.span
    )
    return [f"{line}:{column} {message}" for line, column, message in places]


def rules_of(text: str) -> Ruleset:
    """Return a game without mistakes."""
    context = read_game(parse_document(HEADER + dedent(text), "game.yaml"), Path())
    rules = compile_game(context)
    assert [each.message for each in context.problems] == []
    return rules


def prepare(text: str, trial: str, rulings: dict[str, str] | None = None, **values: Any) -> PreparedTrial:
    """Return a trial with its values; rulings can contain policies, too."""
    rules = rules_of(text)
    assert callable(rules.trials)
    trials = rules.trials().TRIALS
    settings = {each.id: each.default for each in (*rules.rulings, *trials.policies)} | (rulings or {})
    own = trials.trials[trial]
    prepared: PreparedTrial = own.set_up(own.situation(**values), RulesConfig(settings, settings))
    return prepared


def odds_of(text: str, trial: str, rulings: dict[str, str] | None = None, **values: Any) -> dict[str, Fraction]:
    """Return the exact odds of a trial."""
    prepared = prepare(text, trial, rulings, **values)
    assert prepared.odds
    (table,) = prepared.odds()
    return dict(table.parts or table.chances)


def steps(text: str, **asks: str) -> str:
    """Return a game whose only trial, 'go', has these steps; `asks` are its values."""
    asked = "".join(f"      {name}: {{{each}}}\n" for name, each in asks.items())
    body = "".join(f"      {line}\n" for line in dedent(text).strip().splitlines())
    return f"{EMBER}trials:\n  go:\n" + (f"    asks:\n{asked}" if asked else "") + f"    steps:\n{body}"


def rolled(prepared: PreparedTrial, seed: str) -> tuple[Any, list[LogEntry]]:
    """Return the outcome of a seeded roll, and its events."""
    events: list[LogEntry] = []
    return play(prepared.start(), seeded_answers(seed), events.append), events


def questions(events: list[LogEntry]) -> list[Question]:
    """Return the questions of events."""
    return [each.question for each in events if isinstance(each, Event)]

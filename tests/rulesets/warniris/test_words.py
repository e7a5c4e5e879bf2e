"""What is declared of a word of effects matters: without any piece of it, the program complains or says something else.

Declarations are taken away piece by piece, and the game is loaded anew each time. It has to fail, or to differ in a
schema, a sentence, a reading, what the referee says or asks, a finding, or what odds depend on.
"""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.random_cases import of_today

FOLDER = Path(__file__).parents[3] / "cardgen" / "rulesets" / "warniris"
# A run takes so many pieces away, other ones each day; `make fuzz` takes all, one after the other.
PIECES = 6
PROGRAM = r"""
import gc, importlib, importlib.machinery, importlib.util, itertools, json, random, sys
WARNIRIS = "cardgen.rulesets.warniris"
gc.set_threshold(50_000)

class Loader(importlib.machinery.SourceFileLoader):
    def get_code(self, name):
        return compile(source, self.path, "exec")

class Finder:
    def find_spec(self, name, path, target=None):
        if file and name == f"{WARNIRIS}.{file}":
            place = f"{path[0]}/{file}.py"
            return importlib.util.spec_from_file_location(name, place, loader=Loader(name, place))

def forget():
    for name in [name for name in sys.modules if name.startswith(WARNIRIS)]:
        del sys.modules[name]

def facts():
    # Yield what follows from the declarations, the cheap parts first.
    effect = importlib.import_module(f"{WARNIRIS}.effect")
    words = importlib.import_module(f"{WARNIRIS}.words")
    yield json.dumps(effect.Effect.model_json_schema(), default=lambda _: "")
    conditions = importlib.import_module(f"{WARNIRIS}.referee.conditions")
    bounds = importlib.import_module(f"{WARNIRIS}.referee.counter_bounds")
    yield {step: sorted(names) for step, names in bounds.STEP_TRIGGERS.items()}, sorted(bounds.ATTACK_TRIGGERS)
    situations = importlib.import_module(f"{WARNIRIS}.referee.situations")
    yield sorted(situations.ATTACK_CONDITIONS), sorted(situations.DUEL_CONDITIONS)
    checks = importlib.import_module(f"{WARNIRIS}.checks.effects")
    wording = importlib.import_module(f"{WARNIRIS}.wording.effects")
    cards = importlib.import_module(f"{WARNIRIS}.cards")
    attributes = importlib.import_module(f"{WARNIRIS}.attribute_bounds")
    benchmarks = importlib.import_module(f"{WARNIRIS}.combat_benchmarks")
    random_effects = sys.modules.pop("tests.rulesets.warniris.random_effects", None)
    random_effects = importlib.import_module("tests.rulesets.warniris.random_effects")
    dice = random.Random(3)
    deeds = [{key: value} for key, values in random_effects.DEEDS.items() for value in values[:2] if key != "unless"]
    moments = random_effects.MOMENTS
    pool = [{"when": when, "for": "turn", "while": during, "bearer": {"mind": 1}}
             for when, during in zip(moments, [*moments[2:], moments[1], moments[1]])]
    pool += [{"when": when, party: deed} for deed in deeds for when, party in
             (("attacking", "bearer"), ("moving", "bearer"), ("always", "friend"), ("enemy_attacking", "actor"))]
    pool += [{"when": when, party: dice.choice(deeds)} for when in moments for party in random_effects.PARTIES]
    pool += [{"when": "turn_start", "for": span, "bearer": dice.choice(deeds)} for span in random_effects.SPANS]
    pool += [{"when": when, "if": {key: value}, party: {"mind": 1}}
             for key, values in random_effects.CONDITIONS.items() for value in values[:1]
             for when, party in (("always", "bearer"), ("attacking", "bearer"), ("turn_start", "enemies"))]
    pool += [{"when": "turn_start", "friends": {**deed, "unless": "body"}} for deed in ({"push": 2}, {"heal": 1})]
    pool += [{"when": "damaged", "bearer": {"ignore": 2}}, {"when": "damaged", "bearer": {"ignore": 1}}]
    pool += [{"when": "reacting", "if": {"turns": [1], "reaction": "second"}, "bearer": {"mind": 1}}]
    pool += [{"when": "attacking", "bearer": {"reroll": kind}} for kind in random_effects.DEEDS["reroll"]]
    pool += [{"when": "turn_start", "for": span, "bearer": {"mind": 1}} for span in random_effects.SPANS]
    pool += [{"when": when, "for": span, "bearer": {"mind": 1}} for when in moments for span in random_effects.SPANS]
    pool += [{"when": when, "if": condition, "bearer": {"mind": 1}} for when in moments
             for condition in ({"against": "minion"}, {"weapon": "P"}, {"weapon": "CW/RW"})]
    things = [cards.Relic.model_validate({"name": "R", "effects": [each]}) for each in pool]
    for thing in things:
        one = thing.effects[0]
        yield one.meaning.value, [(name, each.meaning.value, each.acts_at_once, each.can_last, each.is_apart)
                                  for name, each in one.deeds]
        yield effect.only_protects(one), one.condition.takes_chance, one.condition.asks_table
        yield conditions.speaks_of_attack(one.condition)
        yield sorted(attributes._change_totals([one]).items())
        yield [len(benchmarks.bearing_on_attack((one,), attacks=attacks)) for attacks in (False, True)]
        found = [*checks.void_duration(one), *checks.idle_effect(one), *checks.no_target(one, None),
                 *checks.reaction_promise(one, None)]
        yield [(each.message, each.help) for each in found]
    for thing in things:
        for once in (False, True):
            yield wording.sentences(thing.model_copy(update={"once": once}))
    reader = importlib.import_module(f"{WARNIRIS}.wording.reader")
    for thing in things:
        for sentence in wording.sentences(thing):
            readings = reader.READER.read(thing, sentence)
            yield [(each.level, each.canonical) for each in readings]
            yield [reader.referee_of(thing, each) for each in readings]
    yield from referee_words(importlib.import_module(f"{WARNIRIS}.referee.effects"), conditions, things)
    done = [wording.sentences(thing)[0] for thing in things if thing.effects[0].when in ("moving", "attacking")]
    for text in (*TEXTS, *(f"{sentence[:-1]}, {reminder}." for sentence in done for reminder in REMINDERS)):
        readings = reader.READER.read(things[0], text)
        yield [(each.level, each.canonical) for each in readings]

def referee_words(effects, conditions, things):
    fights = importlib.import_module("tests.rulesets.warniris.referee.fights")
    importlib.reload(fights)
    for thing in things:
        effect = thing.effects[0].model_dump(by_alias=True, exclude_unset=True)
        data = {"kind": "relic", "name": "R", "effects": [effect]}
        one, other = (fights.card(name, "M3 B3 S3 W3", "Axe: CW R1 P1 D2") for name in ("Ash", "Elm"))
        game = fights.table((one, data), other, asked=True)
        state, bound = game.initial_state(), game.miniatures[0].effects[0]
        yield bound.adds_up, bound.is_certain, effects.end_of(bound.span) if bound.span else ""
        for party, deeds in bound.deeds:
            yield list(map(str, conditions._steps(game, 0, 1, bound, deeds)))
        for high in (73, 0):  # A distance that nobody has measured, and one that the notes tell.
            game.notes.set_span(0, 1, type(game.notes.span(0, 1))(0, high))
            try:
                yield str(next(conditions.ask_table(game, state, 0, bound)))
            except StopIteration as end:
                yield end.value

file = source = ""
sys.meta_path.insert(0, Finder())
TEXTS, REMINDERS, pieces = json.load(sys.stdin)
usual, furthest = list(map(repr, facts())), 0
for name, file, source in pieces:
    forget()
    # The whole file, which comes last, is compared as far as the others were.
    end = None if name != "nothing" else furthest + 1
    pairs = itertools.islice(itertools.zip_longest(usual, facts()), end)
    try:
        different = next((index for index, (one, other) in enumerate(pairs) if one != repr(other)), None)
    except Exception:
        different = 0
    furthest = max(furthest, different or 0)
    print(json.dumps([name, different is None]), flush=True)
"""
# Sentences with reminders, uses without a moment, and pronouns at moments, which no effect's own sentence has.
TEXTS = [
    "Once per battle, the bearer ignores miniatures in between.",
    "Once per battle, the bearer takes another Action.",
    "Once per battle, the bearer ignores gaps.",
    "Once per battle, the bearer Moves through enemies without Tests.",
    "Once per battle, the bearer may React once more.",
    "Once per battle, the bearer may re-roll a failed Test to hit.",
    "Once per battle, the bearer may re-roll a failed Test to resist.",
    "Once per battle, the bearer may re-roll a failed Test to time a Reaction.",
    "When the bearer is hit, that enemy takes 1 Damage.",
    "When the bearer hits, that enemy takes 1 Damage.",
    "When the bearer Reacts, that enemy takes 1 Damage.",
    "When the bearer has Attacked or Channeled, that enemy takes 1 Damage.",
    "When an enemy ends a Move, that enemy takes 1 Damage.",
    "When the bearer eliminates an enemy Minion, it regains 1 Wound.",
    "When an enemy is eliminated, it regains 1 Wound.",
    "When a friend is eliminated, it regains 1 Wound.",
]

REMINDERS = [
    "this stacks with other changes",
    "to a maximum of 5",
    "never to less than 0",
    "never above its printed Wounds",
    "this is not an Action",
    "it cannot end on another miniature",
    "no Test is needed",
    "the second result stands",
    "any Test",
    "for a total of 3",
    "terrain that hides the target completely still prevents the attack",
    "in addition to its first Reaction",
    "Attacks may still be reacted to",
    "once lost, these Wounds cannot be healed",
    "in each Move",
]


def pieces() -> Iterator[tuple[str, str, str]]:
    """Yield each declared fact: its name, its file, and the source of the file without it."""
    for file in ("words", "effect"):
        source = (FOLDER / f"{file}.py").read_text(encoding="utf-8")
        starts = [0]
        for line in source.splitlines(keepends=True):
            starts.append(starts[-1] + len(line.encode()))
        for call in ast.walk(ast.parse(source)):
            words = {"Deed", "Change", "Rule", "Placing", "Circumstance", "OfAttack", "Chance", "Neighbor", "Party"}
            words |= {"Moment", "OfTurn", "OfAttacker", "OfTarget", "Span", "Rerolled"}
            if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in words):
                continue
            for fact in call.keywords:
                start, end = (
                    starts[line - 1] + column
                    for line, column in (
                        (fact.lineno, fact.col_offset),
                        (fact.end_lineno or 0, fact.end_col_offset or 0),
                    )
                )
                text = source.encode()
                rest = text[end:].decode().lstrip().removeprefix(",")
                yield f"{ast.unparse(call)}: {fact.arg}", file, text[:start].decode() + rest


@pytest.mark.fuzz
@pytest.mark.timeout(86_400)
def test_no_piece_of_a_declaration_can_be_taken_away_unnoticed() -> None:
    every = [*pieces()]
    assert len(every) > 200
    taken = of_today(every, len(every) // PIECES)
    whole = ("nothing", "words", (FOLDER / "words.py").read_text(encoding="utf-8"))
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        input=json.dumps([TEXTS, REMINDERS, [*taken, whole]]),
        capture_output=True,
        text=True,
        check=True,
        cwd=FOLDER.parents[2],
    )
    results = dict(map(json.loads, done.stdout.splitlines()))
    assert results.pop("nothing")
    assert len(results) == len({name for name, *_ in taken})
    assert not [name for name, is_missed in results.items() if is_missed]

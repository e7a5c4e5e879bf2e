"""Expressions that do much with few words."""

from __future__ import annotations

import json
import time

import pytest
from pydantic import BaseModel

from cardgen.runtime.workspace import EVALUATION_STEPS, RUN_STEPS, Budget, BudgetError
from cardgen.sandbox.expression import Expression, ExpressionError, TextTemplate
from tests.game_file.games import HEADER
from tests.hostile.conftest import Attack

ROWS = 2_000
BIG = list(range(50_000))


@pytest.mark.parametrize(
    "source",
    [
        "range(9000) | select('in', range(9000)) | length",
        "range(9000) | reject('in', range(9000)) | length",
        "rows | selectattr('x', 'in', range(9000)) | length",
        "range(9000) | map('units', 'x' * 89000) | length",
        "rows | map('join', 'x' * 89000) | length",
        "([range(300)] * 300) | unique | length",
        "([range(900)] * 100) | map('unique') | length",
        "big[1:] | first",
        "row['nam' ~ 'x']",
        "range(5000) | sum",
    ],
)
def test_a_step_takes_little_time_whatever_it_does(source: str) -> None:
    names = {"big": BIG, "rows": [{"x": 1}] * 500, "row": {f"column {number}": 1 for number in range(299)}}
    expression, budget = Expression(source), Budget(1_000_000)
    started = time.process_time()
    with pytest.raises(BudgetError):
        for _ in range(100_000):
            try:
                expression.evaluate(names, budget)
            except ExpressionError:
                continue
    assert time.process_time() - started < 10


@pytest.fixture
def few_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give a run a tenth of its steps, which take a tenth of the time."""
    assert Budget.__init__.__defaults__ == (RUN_STEPS,)
    monkeypatch.setattr(Budget.__init__, "__defaults__", (RUN_STEPS // 10,))


@pytest.mark.usefixtures("few_steps")
@pytest.mark.parametrize("command", ["check", "list", "build"])
def test_all_rows_of_all_tables_share_the_work(attack: Attack, command: str) -> None:
    settings = "tables:\n"
    for number in range(4):
        attack.folder.write(f"cards/{number}.json", json.dumps([{"name": f"Ash {row}"} for row in range(ROWS)]))
        settings += f"  cards/{number}.json: {{kind: minion, rows: (range(5000) | sum) > 0}}\n"
    attack.folder.write("cardgen.yaml", settings)
    started = time.process_time()
    outcome = attack.cardgen(command)
    assert time.process_time() - started < 60
    assert outcome.code == 1
    assert f"all expressions together take more than {RUN_STEPS // 10:,} steps" in outcome.out + outcome.err


@pytest.mark.usefixtures("few_steps")
@pytest.mark.parametrize(
    "abilities",
    [
        "{each: row.x, map: {a: parent.x}}",
        "{each: row.x, map: {a: {each: parent.x, map: {b: 1}}}}",
        "{each: row.x, map: {a: parent}}",
    ],
)
def test_rows_cannot_multiply_themselves(attack: Attack, abilities: str) -> None:
    attack.folder.write("cards/a.json", json.dumps([{"name": "Ash", "x": [0] * 100_000}]))
    attack.folder.write(
        "cardgen.yaml", f"tables: {{cards/a.json: {{kind: minion, map: {{name: row.name, weapons: {abilities}}}}}}}\n"
    )
    started = time.process_time()
    attack.fails("all expressions together take more than")
    assert time.process_time() - started < 60


@pytest.mark.parametrize("character", [r"\x1b", r"\x00", r"\ud800", r"\x9b", r"\r", r"\uffff"])
def test_expressions_cannot_make_characters_that_files_cannot_contain(character: str) -> None:
    for program, source in ((Expression, f"'a{character}'"), (TextTemplate, f"a {{{{ 'b{character}' }}}}")):
        with pytest.raises(ExpressionError, match=r"escape sequence produces an unprintable character: U\+"):
            program(source)


def test_transcripts_of_trials_are_text(attack: Attack) -> None:
    trial = "trials: {ebb: {steps: [{say: \"{{ '\\\\ud800' }}\"}, {end: done}]}}\n"
    attack.folder.write("games/ember/game.yaml", HEADER + "kinds: {brave: {}}\n" + trial)
    attack.folder.write("cards/ash.yaml", "game: ember\nkind: brave\nname: Ash\n")
    attack.folder.write("cardgen.yaml", "game: ember\n")
    outcome = attack.cardgen("trial", "ebb")
    assert outcome.code == 1
    assert "unprintable character: U+D800" in outcome.err


class Hoard(BaseModel):
    """A card that is one item in a list, whatever it contains."""

    text: str = "É" * 20_000
    numbers: list[int] = list(range(20_000))


@pytest.mark.parametrize(
    "source",
    [
        "([card]*99)|unique",
        "([card]*99)|unique(attribute='numbers')",
        "([card]*99)|groupby('numbers')",
        "([card]*99)|sort(attribute='text')",
        "([card]*99)|selectattr('text', 'in', ['a'])",
        "([card]*99)|select('==', other)",
        "([card]*99)|join(attribute='text')",
        "[card]*99 == [other]*99",
        "([card]*99) is eq([other]*99)",
        "[card] in [[other]]*99",
        "~".join(["card.text"] * 99),
    ],
)
def test_what_cards_contain_counts_as_steps(source: str) -> None:
    budget = Budget()
    with pytest.raises(BudgetError):
        Expression(source).evaluate({"card": Hoard(), "other": Hoard()}, budget)
    assert budget.left <= RUN_STEPS - EVALUATION_STEPS, "steps above the limit of an evaluation count for the run"


@pytest.mark.parametrize("text", ["nan", "inf", "1e999"])
def test_texts_become_no_numbers_without_a_value(text: str) -> None:
    assert Expression("t|float(7)").evaluate({"t": text}) == 7
    assert Expression("t|int(7)").evaluate({"t": text}) == 7

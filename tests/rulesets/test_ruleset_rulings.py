"""Rulings do something: each setting decides something in the code of its game, or it is known why it does not."""

from __future__ import annotations

import ast
import re
from dataclasses import replace
from importlib import import_module
from pathlib import Path

import cardgen.rulesets
from cardgen.rulesets.reference import CONTENT_PROVIDERS, GameData, RulingOptions
from cardgen.rulesets.ruleset import Ruleset
from tests.cases import each_case

FOLDER = Path(cardgen.rulesets.__file__).parent
TABLE = "a table has a row for each setting"
SHOWN = "battles show it to the players, who measure and move"
ONLY_ONE = "it has one setting, which says how the game is played"
PLAYERS = "it is about cards that are not in the game, or about moments that no procedure knows"
# Rulings that no function of the game decides by comparing its settings, and why.
REASONS = {
    "diskwars": {
        "battle-die": TABLE,
        **dict.fromkeys(("zone-depth", "reinforce-zone", "sight-at-terrain", "high-ground-sight"), SHOWN),
        **dict.fromkeys(
            ("initiative-later", "dangerous-types", "cave", "big-boss", "hellcannon-flips", "hellcannon-moment"),
            PLAYERS,
        ),
        **dict.fromkeys(("rot-limit", "rot-aura", "blood-moment", "blood-again"), PLAYERS),
        "token-order": "an owner takes damage off first, which is the same as together",
    },
    "skirmish": dict.fromkeys(
        ("panic-causes", "run-distance", "low-obstacles", "charge-climb", "spotted", "rider-arc", "spell-chain"), SHOWN
    ),
    "warcry": {
        **dict.fromkeys(("rounds", "primal-beliefs"), TABLE),
        **dict.fromkeys(
            ("seize-again", "victory", "scores-victory", "bloodgifted", "blessings-each", "desperate-strength"),
            ONLY_ONE,
        ),
        **dict.fromkeys(("bonus-move", "initiative-rerolls", "ravaged-by-corruption", "quick-stickers"), ONLY_ONE),
        **dict.fromkeys(("blessing-cost", "control-kept"), ONLY_ONE),
    },
    "warniris": dict.fromkeys(("mission-14-type", "zone-shape", "mission-2-check"), TABLE),
}


def _rules(game: str) -> Ruleset:
    rules: Ruleset = import_module(f"cardgen.rulesets.{game}").RULESET
    return rules


def _named(rules: Ruleset) -> dict[str, set[str]]:
    """Return the settings of each ruling that a function or an expression names together with it."""
    named = {ruling.id: set[str]() for ruling in rules.rulings}
    for path in sorted((FOLDER / rules.id).rglob("*.*")):
        if path.suffix == ".py":
            nodes = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
            scopes = [node for node in nodes if isinstance(node, ast.FunctionDef | ast.Lambda)]
            texts = [
                {
                    node.value
                    for node in ast.walk(scope)
                    if isinstance(node, ast.Constant) and isinstance(node.value, str)
                }
                for scope in scopes
            ]
            parts = [(words, words) for words in texts]
        elif path.suffix in (".yaml", ".txt"):
            lines = path.read_text(encoding="utf-8").splitlines()
            parts = [
                (
                    {*re.findall(r"rulings(?:\.|\[['\"])([a-z0-9-]+)", line)},
                    {*re.findall(r"['\"]([a-z0-9-]+)['\"]", line)},
                )
                for line in lines
            ]
        else:
            continue
        for ids, words in parts:
            for ruling in rules.rulings:
                if ruling.id in ids:
                    named[ruling.id] |= words & {*ruling.settings}
    return named


@each_case("game", REASONS)
def test_every_setting_decides_something_or_it_is_known_why_not(game: str) -> None:
    """Of the settings of a ruling, one may be that of everything else."""
    rules = _rules(game)
    named = _named(rules)
    open_ = {each.id for each in rules.rulings if len(each.settings) - len(named[each.id]) > 1}
    single = {each.id for each in rules.rulings if len(each.settings) == 1}
    assert open_ | single == REASONS[game].keys()
    assert single == {name for name, reason in REASONS[game].items() if reason is ONLY_ONE}


@each_case("game", REASONS)
def test_what_battles_show_is_shown(game: str) -> None:
    """Each is named by the code of the battle, and prints its answer there."""
    code = "".join(path.read_text(encoding="utf-8") for path in (FOLDER / game).rglob("battle/*.py"))
    assert [name for name, reason in REASONS[game].items() if reason is SHOWN and f'"{name}"' not in code] == []


@each_case("game", REASONS)
def test_the_sheets_of_a_game_print_each_setting_in_other_words(game: str) -> None:
    rules = _rules(game)
    sheets = "".join(path.read_text(encoding="utf-8") for path in (FOLDER / game / "sheets").glob("*.yaml"))
    assert "- show: rulings\n" in sheets, "a sheet lists all rulings"
    defaults = {each.id: each.default for each in rules.rulings}
    show = CONTENT_PROVIDERS["rulings"].make
    data = GameData(rules, {}, defaults, lambda kind, name: None)
    for ruling in rules.rulings:
        printed = [
            str([*show(RulingOptions(rulings=(ruling.id,)), replace(data, rulings={**defaults, ruling.id: setting}))])
            for setting in ruling.settings
        ]
        assert len({*printed}) == len(ruling.settings), ruling.id

"""The page about Warcry: its examples are cards, and it explains every key."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import Any

import pytest

from cardgen.cli import run
from cardgen.deck.deck import KindsByGame, libraries, require_game
from cardgen.model.deck import read_deck
from cardgen.project.project import Project
from cardgen.rulesets import ruleset
from cardgen.rulesets.warcry.cards import Trait
from cardgen.rulesets.warcry.effective import LEFT, in_battle, limit_of, passive_rules
from cardgen.rulesets.warcry.limits import Settings
from tests.cases import each_case
from tests.checking.harness import checked
from tests.rulesets.warcry.test_cards import all_of

PAGE = (Path(__file__).parent.parent.parent / "docs" / "warcry.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"^```yaml\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
KINDS = require_game("warcry").kinds
WORDS = set(re.findall(r"[a-z_][a-z0-9_-]*", PAGE))


def test_there_is_an_example_of_every_kind() -> None:
    assert [re.findall(r"^kind: (\w+)", example, re.MULTILINE)[0] for example in EXAMPLES] == list(KINDS)


@each_case("example", EXAMPLES, ids=lambda text: text.split("\n")[1])
def test_examples_are_cards(example: str, tmp_path: Path) -> None:
    path = tmp_path / "card.yaml"
    path.write_text(example, encoding="utf-8")
    project = Project(tmp_path)
    deck = read_deck(
        project, [path], KindsByGame(project.workspace), ruleset.default_game(), libraries(project, [path])
    )
    assert deck.diagnostics == ()
    assert len(deck.cards) == 1


def test_the_example_of_changes_is_clean(tmp_path: Path) -> None:
    (changes,) = re.findall(r"^```yaml changes\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    card = f"game: warcry\nkind: ability\nname: Own\nprice: triple\n{changes}"
    assert checked(tmp_path, card).findings == ()


def test_the_example_of_own_settings_is_clean(tmp_path: Path) -> None:
    (settings,) = re.findall(r"^```yaml settings\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    (card,) = re.findall(r"^```yaml own\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    (tmp_path / "cardgen.yaml").write_text(settings, encoding="utf-8")
    assert checked(tmp_path, card).findings == ()
    (tmp_path / "cardgen.yaml").unlink()
    assert {one.diagnostic.code for one in checked(tmp_path, card).findings} >= {"WC102"}
    assert set(Settings.model_fields) <= WORDS


def test_what_the_terminal_shows_is_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    monkeypatch.chdir(tmp_path)
    for shown in re.findall(r"^```console\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL):
        typed, _, answer = shown.partition("\n")
        assert run(shlex.split(typed.removeprefix("$ cardgen "))) == 0
        assert capsys.readouterr().out.startswith(answer)


def test_trials_stand_there() -> None:
    from cardgen.matches.session import trial_summaries

    assert {*trial_summaries("warcry")} <= WORDS


def test_the_traits_that_are_left_to_the_players_are_listed() -> None:
    left = {
        rule.name
        for card in all_of(Trait).values()
        if isinstance(card, Trait)
        for rule in (*passive_rules(card), *card.choices)
        if any(what in LEFT for _, what in in_battle(rule, is_limited=limit_of(card, rule) is not None))
    }
    rows = re.findall(r"^\| battle trait \| .*?\n\n", PAGE, re.MULTILINE | re.DOTALL)[0].splitlines()[2:-1]
    listed = [name for row in rows for name in row.split("|")[1].strip().split(", ")]
    assert sorted(listed) == sorted(left)

from __future__ import annotations

import re
from pathlib import Path

from cardgen.deck.deck import libraries, read_project_deck, require_game
from cardgen.model.deck import read_deck
from cardgen.project.project import Project, Settings
from cardgen.rulesets import ruleset
from cardgen.rulesets.ruleset import card_models
from cardgen.source import parse_document
from tests.cases import each_case

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "card-format.md").read_text(encoding="utf-8")
WARNIRIS = (DOCS / "warniris.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"^```yaml\n(.*?)^```", WARNIRIS + PAGE, re.MULTILINE | re.DOTALL)
KEY = re.compile(r"`([a-z_]+)`")


def test_there_are_examples_of_every_kind() -> None:
    kinds = {kind for example in EXAMPLES for kind in re.findall(r"^kind: (\w+)", example, re.MULTILINE)}
    assert kinds == set(require_game("warniris").kinds)


@each_case("example", EXAMPLES, ids=lambda text: text.split("\n")[2])
def test_examples_are_cards(example: str, tmp_path: Path) -> None:
    path = tmp_path / "card.yaml"
    path.write_text(example, encoding="utf-8")
    games = {game: card_models(require_game(game)) for game in ruleset.games()}
    project = Project(tmp_path)
    deck = read_deck(project, [path], games, ruleset.default_game(), libraries(project, [path]))
    assert deck.diagnostics == ()
    assert deck.cards


def test_the_settings_are_valid() -> None:
    text = re.findall(r"^```yaml settings\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    document = parse_document(text[0], "cardgen.yaml")
    assert document.diagnostics == ()
    assert isinstance(document.data, dict)
    Settings.model_validate(document.data)


def test_the_block_of_a_game_is_read(tmp_path: Path) -> None:
    (block,) = re.findall(r"^```yaml block\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    (tmp_path / "cardgen.yaml").write_text(block, encoding="utf-8")
    project = Project.find(tmp_path)
    assert set(project.game_blocks) == {"warcry"}
    assert read_project_deck(project, ()).diagnostics == ()

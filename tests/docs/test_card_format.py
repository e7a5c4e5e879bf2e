from __future__ import annotations

import re
from pathlib import Path

from cardgen.deck.deck import libraries, read_project_deck, require_game
from cardgen.face.theme import TextStyle
from cardgen.model.card import Card
from cardgen.model.deck import read_deck
from cardgen.project.project import Project, Settings
from cardgen.rulesets import ruleset
from cardgen.rulesets.ruleset import card_models
from cardgen.source import parse_document
from cardgen.validation.base import Model
from tests.cases import each_case

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "card-format.md").read_text(encoding="utf-8")
WARNIRIS = (DOCS / "warniris.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"^```yaml\n(.*?)^```", WARNIRIS + PAGE, re.MULTILINE | re.DOTALL)
KEY = re.compile(r"`([a-z_]+)`")


def keys(model: type[Model]) -> set[str]:
    return {field.alias or name for name, field in model.model_fields.items()}


def named_in(section: str) -> set[str]:
    return set(KEY.findall(section))


def between(start: str, end: str) -> str:
    return PAGE.split(start, 1)[1].split(end, 1)[0]


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


def test_all_keys_of_cards_are_explained() -> None:
    assert keys(Card) <= named_in(between("## Common keys", "## Text markup"))


@each_case("kind", sorted(require_game("warniris").kinds))
def test_all_keys_of_warniris_are_explained(kind: str) -> None:
    own = keys(card_models(require_game("warniris"))[kind]) - keys(Card)
    assert own <= set(re.findall(r"\b[a-z_]+\b", WARNIRIS + between("## Pieces", "## cardgen.yaml")))


def test_the_settings_are_all_there_and_valid() -> None:
    text = re.findall(r"^```yaml settings\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    document = parse_document(text[0], "cardgen.yaml")
    assert document.diagnostics == ()
    assert isinstance(document.data, dict)
    Settings.model_validate(document.data)
    assert set(document.data) == keys(Settings)


def test_all_keys_of_styles_are_explained() -> None:
    page = (Path(__file__).parent.parent.parent / "docs" / "templates.md").read_text(encoding="utf-8")
    assert keys(TextStyle) <= named_in(page)


def test_the_block_of_a_game_is_read(tmp_path: Path) -> None:
    (block,) = re.findall(r"^```yaml block\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    (tmp_path / "cardgen.yaml").write_text(block, encoding="utf-8")
    project = Project.find(tmp_path)
    assert set(project.game_blocks) == {"warcry"}
    assert read_project_deck(project, ()).diagnostics == ()

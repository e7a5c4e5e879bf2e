from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path

import jsonschema
import pytest
import yaml

from cardgen.deck.deck import card_schema, require_game
from cardgen.project.project import Project, Settings
from cardgen.rulesets import ruleset
from cardgen.scaffold import cards
from cardgen.source.document import parse_document
from tests.cases import each_case
from tests.cli.commands import Program
from tests.json_schemas import check_schema
from tests.projects import MINION, Folder

GAMES = ruleset.games()
KINDS = [(game, kind) for game in GAMES for kind in require_game(game).kinds]


def test_there_are_kinds_to_try() -> None:
    assert len(KINDS) >= 5


def test_a_project_has_settings_that_are_the_defaults_and_a_folder_for_cards(folder: Folder, cardgen: Program) -> None:
    outcome = cardgen("new", "project")
    assert (outcome.code, outcome.out) == (0, "cardgen.yaml\n")
    assert (folder.root / "cards").is_dir()
    settings = Project.find().settings
    assert settings == Settings(game=ruleset.default_game())


def test_every_setting_stands_in_the_file_with_its_default() -> None:
    text = cards.settings_text("warniris")
    data = parse_document(re.sub(r"^# (?=\w+:)", "", text, flags=re.MULTILINE), "cardgen.yaml").data
    assert isinstance(data, dict)
    assert list(data) == list(Settings.model_fields)
    assert Settings.model_validate({**data, "check": Settings().check}) == Settings(game="warniris")
    assert data["check"] == {"ignore": [], "fail_level": Settings().check.fail_level}


def test_a_new_project_names_the_settings_of_its_game(folder: Folder, cardgen: Program) -> None:
    assert cardgen("new", "project", "own", "--game", "warcry").code == 0
    text = (folder.root / "own/cardgen.yaml").read_text()
    assert text.endswith("# warcry: {factions: {}, runemarks: [], shapes: []}  # additions to the game\n")
    (folder.root / "own/cardgen.yaml").write_text(text.replace("# warcry: ", "warcry: "))
    assert Project.find(folder.root / "own").game_blocks == {"warcry": {"factions": {}, "runemarks": [], "shapes": []}}
    assert cardgen("new", "project", "other", "--game", "warniris").code == 0
    assert "warniris: {" not in (folder.root / "other/cardgen.yaml").read_text()


def test_a_project_with_samples_builds_at_once(
    folder: Folder, cardgen: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    outcome = cardgen("new", "project", "kit", "--sample")
    assert outcome.code == 0
    written = outcome.out.split()
    assert "kit/cardgen.yaml" in written
    assert len([path for path in written if path.startswith("kit/cards/")]) >= 3
    monkeypatch.chdir(folder.root / "kit")
    assert len(cardgen("list").out.splitlines()) > 20
    assert cardgen("build", "-q", "--only", "minion").code == 0


@pytest.mark.parametrize("arguments", [("minion", "Stray"), ("template", "minion")])
def test_nothing_is_written_above_the_only_project(
    folder: Folder, cardgen: Program, arguments: tuple[str, ...]
) -> None:
    cardgen("new", "project", "kit")
    outcome = cardgen("new", *arguments)
    assert (outcome.code, outcome.out) == (1, "")
    assert "run the command in one of the projects below it: 'kit'" in outcome.err
    assert [path.name for path in folder.root.iterdir()] == ["kit"]


def test_a_project_is_never_overwritten(folder: Folder, cardgen: Program) -> None:
    folder.write("cardgen.yaml", "paper: letter\n")
    folder.write("cards/minions.yaml", MINION)
    outcome = cardgen("new", "project", "--sample")
    assert outcome.code == 1
    assert "cardgen.yaml: error[CG525]: file already exists; left unchanged" in outcome.err
    assert "cards/minions.yaml: error[CG525]" in outcome.err
    assert folder.files(".") == ["cardgen.yaml", "cards/minions.yaml"]
    assert (folder.root / "cardgen.yaml").read_text() == "paper: letter\n"


def test_an_unknown_game_makes_no_project(folder: Folder, cardgen: Program) -> None:
    outcome = cardgen("new", "project", "--game", "chess")
    assert (outcome.code, folder.files(".")) == (2, [])
    assert "chess" in outcome.err


@pytest.mark.share(2)
@pytest.mark.parametrize("game", GAMES)
def test_a_first_card_of_every_kind_builds_without_a_word(game: str, folder: Folder, cardgen: Program) -> None:
    folder.write("cardgen.yaml", f"game: {game}\n")
    kinds = require_game(game).kinds
    for kind in kinds:
        outcome = cardgen("new", kind, f"First {kind}")
        assert (outcome.code, outcome.out) == (0, f"cards/first-{kind}.yaml\n"), outcome.err
    outcome = cardgen("build", "--layout", "single")
    assert (outcome.code, outcome.err) == (0, "")
    assert len(folder.files()) == sum(kind.is_printed for kind in kinds.values())


def test_a_card_names_its_schema_which_accepts_it(folder: Folder, cardgen: Program) -> None:
    assert cardgen("new", "relic", "Iron: Crown").code == 0
    path = folder.root / "cards/iron-crown.yaml"
    text = path.read_text(encoding="utf-8")
    modeline = re.match(r"# yaml-language-server: \$schema=(\S+)\n", text)
    assert modeline
    rules = json.loads((path.parent / modeline[1]).read_text(encoding="utf-8"))
    document = parse_document(text, "card")
    assert document.diagnostics == ()
    jsonschema.Draft202012Validator(rules).validate(document.data)
    assert isinstance(document.data, dict)
    assert document.data["name"] == "Iron: Crown"


def test_a_card_says_what_else_it_may_have(folder: Folder, cardgen: Program) -> None:
    cardgen("new", "minion", "Sentinel")
    text = (folder.root / "cards/sentinel.yaml").read_text(encoding="utf-8")
    offered = set(re.findall(r"^#   (\w+)", text, re.MULTILINE))
    assert {"qty", "art", "base", "note"} <= offered
    assert not {"name", "kind", "count", "stats", "weapons"} & offered


@pytest.mark.parametrize(
    "name", ["yes", "12", "Old: Gravel", "# Hash", "'Tis", "Æthelred", "- dash", "{brace}", "a # b"]
)
def test_names_of_all_sorts_are_written_so_that_they_are_read_again(
    folder: Folder, cardgen: Program, name: str
) -> None:
    outcome = cardgen("new", "minion", "--", name)
    assert outcome.code == 0, outcome.err
    (path,) = (folder.root / "cards").iterdir()
    data = parse_document(path.read_text(encoding="utf-8"), "card").data
    assert isinstance(data, dict)
    assert data["name"] == name


def test_a_card_is_never_overwritten_nor_made_twice(folder: Folder, cardgen: Program) -> None:
    folder.write("cards/sentinel.yaml", "# mine\n" + MINION)
    again = cardgen("new", "minion", "Sentinel")
    assert again.code == 1
    assert "cards/sentinel.yaml:3:7: error[CG525]" in again.err
    assert (folder.root / "cards/sentinel.yaml").read_text().startswith("# mine")
    folder.write("cards/brute.yaml", "half: written")
    assert "cards/brute.yaml: error[CG525]" in cardgen("new", "minion", "Brute").err


def test_an_unknown_kind_is_an_error_with_those_there_are(folder: Folder, cardgen: Program) -> None:
    outcome = cardgen("new", "minoin", "Sentinel")
    assert outcome.code == 2
    assert "'minoin'; did you mean 'minion'?" in outcome.err
    assert "relic" in outcome.err
    assert folder.files(".") == []


def test_a_name_that_cannot_be_is_an_error_and_nothing_is_written(folder: Folder, cardgen: Program) -> None:
    for name in ("   ", "x" * 100):
        assert cardgen("new", "minion", name).code == 1
    assert folder.files(".") == []


def test_a_list_of_cards_needs_a_card_to_name(folder: Folder, cardgen: Program) -> None:
    outcome = cardgen("new", "warband", "Oath")
    assert outcome.code == 1
    assert "help: create one first: cardgen new character NAME" in outcome.err
    assert cardgen("new", "character", "Old Gravel").code == 0
    assert cardgen("new", "warband", "Oath").code == 0
    assert "character: old-gravel" in (folder.root / "cards/oath.yaml").read_text()


@pytest.mark.parametrize("arguments", [("new",), ("new", "minion"), ("new", "minion", "A", "--sample")])
def test_wrong_usage_is_told(folder: Folder, cardgen: Program, arguments: tuple[str, ...]) -> None:
    outcome = cardgen(*arguments)
    assert outcome.code == 2
    assert "Usage:" in outcome.err


@cache
def validator_of(game: str) -> jsonschema.Draft202012Validator:
    """Return the validator of a game's card files; the schema itself is checked once."""
    rules = card_schema(game)
    check_schema(rules)
    return jsonschema.Draft202012Validator(rules)


@each_case(("game", "kind"), KINDS)
def test_a_kind_without_an_example_gets_the_keys_that_it_cannot_do_without(game: str, kind: str) -> None:
    """As games of others do; references are the one thing that a schema does not say."""
    validator = validator_of(game)
    keys = cards.required_keys(validator.schema, kind, require_game(game).kinds[kind].model)
    assert [error.message for error in validator.iter_errors({"kind": kind, "name": "A", **keys})] == []


@each_case(("game", "kind"), KINDS)
def test_an_example_is_completed_without_alternatives_of_its_keys(game: str, kind: str) -> None:
    """The example of a relic has effects, so it needs no text, which would replace them."""
    model = require_game(game).kinds[kind]
    example = yaml.safe_load(model.example_text) or {}
    keys = cards.required_keys(validator_of(game).schema, kind, model.model, example)
    assert not keys.keys() & {*example, *(("text",) if "effects" in example else ())}


def test_files_are_written_with_plain_line_ends(folder: Folder, cardgen: Program) -> None:
    cardgen("new", "project")
    cardgen("new", "minion", "A")
    for name in ("cardgen.yaml", "cards/a.yaml"):
        content = Path(name).read_bytes()
        assert b"\r" not in content
        assert content.endswith(b"\n")


@pytest.mark.parametrize("what", ["project", "game", "minion"])
@pytest.mark.parametrize("name", ["!!!", "_"])
def test_a_name_has_letters_or_digits(folder: Folder, cardgen: Program, what: str, name: str) -> None:
    folder.plain()
    before = folder.files()
    outcome = cardgen("new", what, name)
    assert (outcome.code, folder.files()) == (2, before)
    assert "use letters or digits" in outcome.err
    assert not (folder.root / name).exists()


def test_a_card_may_be_named_in_any_script(folder: Folder, cardgen: Program) -> None:
    folder.plain()
    assert cardgen("new", "minion", "火の番人").code == 0

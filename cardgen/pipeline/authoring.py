"""What `cardgen new` writes: projects and first cards."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path, PurePath

from cardgen import rulesets
from cardgen.diagnostic import CardgenError, Diagnostic, Place, stop_on_errors
from cardgen.export import files
from cardgen.model.card import slugify
from cardgen.model.deck import Deck, read_deck
from cardgen.model.file import read_cards
from cardgen.pipeline import specimen
from cardgen.pipeline.loading import KINDS_BY_GAME, card_models, card_schema, require_game
from cardgen.pipeline.request import require_known
from cardgen.project import Project
from cardgen.project.files import CARDS_FOLDER, SETTINGS_FILE
from cardgen.project.paths import built_in_folder, display_path
from cardgen.source.document import parse_document

FILE_EXISTS, NO_CARD_TO_NAME = "CG525", "CG526"

# Editors find the schema in this folder of the project.
SCHEMA_FOLDER = ".cardgen"
_REFERENCE = re.compile(r"<(\w+)>")

SETTINGS_TEMPLATE = """\
# The settings of this card project. What stands behind a '#' is the default: take the '#' away to change it.

game: {game}
# paper: a4                       # a4 letter a3 legal tabloid a5, or for instance 210mm x 297mm
# layout: grid                    # packed: all kinds together; single: one card a page, without marks
# sprue: null                     # a sprue in place of a layout, 'cardgen list --sprues' shows all
# sizes: {{}}                       # for instance {{minion: poker}}; 'cardgen list --sizes' shows all
# bleed: 3mm                      # how far the ground is painted beyond the cut
# gap: 0mm                        # between cards
# margin: 5mm                     # what the printer leaves white
# backs: long-edge                # short-edge gutterfold none
# back_bleed: 0mm                 # how much further backs are painted, for printers that shift them
# printer: default                # what 'cardgen calibrate' measured: a printer, or printer/tray
# cut_list: true                  # a last page that says how packed sheets are cut
# theme: default                  # or another theme of the game, or one of your own
# rulings: {{}}                     # rulings turned over
# check: {{ignore: [], fail_level: warning}}
"""


def new_project(folder: Path, game: str | None = None, *, sample: bool = False) -> tuple[Path, ...]:
    """Make a card project in a folder, which may be there already; returns the files that were written.

    Raises CardgenError when a file of that name is there, or the game is not.
    """
    game = game or rulesets.default_game()
    require_game(game)
    contents = {folder / SETTINGS_FILE: SETTINGS_TEMPLATE.format(game=game).encode()}
    if sample:
        kit = built_in_folder(CARDS_FOLDER) / game
        contents |= {folder / CARDS_FOLDER / path.name: path.read_bytes() for path in sorted(kit.glob("*.yaml"))}
    _write_new(contents)
    (folder / CARDS_FOLDER).mkdir(exist_ok=True)
    return tuple(contents)


def game_and_others(game: str | None) -> tuple[str, tuple[str, ...]]:
    """The game of a new project, and those that it could play instead."""
    chosen = game or rulesets.default_game()
    return chosen, tuple(other for other in rulesets.games() if other != chosen)


def new_card(kind: str, name: str) -> Path:
    """Write a card of a kind into the project at hand, so that it can be built at once; returns its file.

    The file names a schema, which is written too, so that editors complete and check it. Raises CardgenError for a
    kind that the game does not have, and for a card that is there already.
    """
    project = Project.find()
    game = project.settings.game or rulesets.default_game()
    kinds = card_models(require_game(game))
    require_known(kind, ("project", *kinds), f"kind of card in {require_game(game).name}:", Place("KIND"))
    deck = _existing_deck(project, game)
    path = project.root / CARDS_FOLDER / f"{slugify(name)}.yaml"
    existing = deck.find(game, kind, slugify(name))
    if existing is not None:
        raise CardgenError(_already_exists(existing.place(("name",))))
    schema_file = project.root / SCHEMA_FOLDER / f"{game}.schema.json"
    text = _card_text(deck, game, kind, name, PurePath("..", schema_file.relative_to(project.root)))
    document = parse_document(text, display_path(path))
    outcomes = read_cards(document, {game: kinds}, game)
    stop_on_errors(each for each in outcomes if isinstance(each, Diagnostic))
    _write_new({path: text.encode()})
    files.write(schema_file, (json.dumps(card_schema(game), indent=1, ensure_ascii=False) + "\n").encode())
    return path


def _card_text(deck: Deck, game: str, kind: str, name: str, schema_file: PurePath) -> str:
    rules = card_schema(game)
    example = require_game(game).kinds[kind].example
    body = _fill_references(example, deck, game) if example else specimen.minimal_body(rules, kind)
    return (
        f"# yaml-language-server: $schema={schema_file.as_posix()}\n"
        f"format: 1\ngame: {game}\nkind: {kind}\nname: {specimen.yaml_scalar(name.strip())}\n"
        f"{body}\n{specimen.optional_keys_comment(rules, kind, body)}"
    )


def _fill_references(example: str, deck: Deck, game: str) -> str:
    """The example with a card of the project in place of each <kind>."""

    def first(match: re.Match[str]) -> str:
        for entry in deck.cards:
            if (entry.game, entry.kind) == (game, match[1]):
                return entry.card.id
        message = f"there is no {match[1]} yet, which this kind of card would name"
        raise CardgenError(
            Diagnostic(NO_CARD_TO_NAME, message, Place("KIND"), f"make one first: cardgen new {match[1]} NAME")
        )

    return _REFERENCE.sub(first, example)


def _existing_deck(project: Project, game: str) -> Deck:
    """The cards that are there; what is wrong with them is not our concern now."""
    try:
        card_files = project.find_card_files()
    except CardgenError:
        return Deck(())
    return read_deck(project, card_files, KINDS_BY_GAME, game)


def _write_new(contents: Mapping[Path, bytes]) -> None:
    """Write files that must not be there yet: all of them or none."""
    existing = [_already_exists(Place(display_path(path))) for path in contents if path.exists()]
    if existing:
        raise CardgenError(*existing)
    for path, content in contents.items():
        files.write(path, content)


def _already_exists(place: Place) -> Diagnostic:
    return Diagnostic(FILE_EXISTS, "it is there already, and is left as it is", place, "choose another name")

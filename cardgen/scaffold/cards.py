"""New projects and minimal valid cards for `cardgen new`."""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Collection, Iterator, Mapping
from itertools import chain, repeat
from pathlib import Path, PurePath
from typing import Any, TypeAlias

import yaml

from cardgen.deck.card_index import CardSource, IndexedLink
from cardgen.deck.deck import card_schema, game_of, indexed_sources, read_game_settings, require_game
from cardgen.diagnostic import CardgenError, Code, Diagnostic, Place, join_words, slugify, stop_on_errors
from cardgen.model.card import Card, read_cards
from cardgen.model.deck import reference_keys
from cardgen.options import OPTIONS
from cardgen.print.request import require_known
from cardgen.project.files import CARDS_FOLDER, built_in_folder, display_path, portable_stem
from cardgen.project.project import Project, Settings
from cardgen.rulesets import ruleset
from cardgen.rulesets.ruleset import Ruleset, card_models
from cardgen.runtime import atomic_write, regular_file
from cardgen.runtime.fingerprint import SETTINGS_FILE, has_settings
from cardgen.runtime.workspace import Workspace
from cardgen.source.document import parse_document
from cardgen.units import with_article


def require_name(name: str, what: str) -> None:
    """Raise CardgenError for a name without letters and digits of any script; `what` is 'card', 'game', or another."""
    if not any(map(str.isalnum, name)):
        message = f"'{name}' cannot be the name of {with_article(what)}"
        raise CardgenError(
            Diagnostic(Code.BAD_OPTION, message, Place("NAME"), "use letters or digits, such as 'Ember'")
        )


Schema: TypeAlias = Mapping[str, Any]
PLACEHOLDER = "…"


def minimal_value(schema: Schema, definitions: Schema) -> Any:
    """Return the smallest value that is valid for a schema."""
    if "$ref" in schema:
        return minimal_value(definitions[schema["$ref"].rpartition("/")[2]], definitions)
    if "const" in schema or "enum" in schema:
        return schema["const"] if "const" in schema else schema["enum"][0]
    if schema.get("examples"):
        return schema["examples"][0]
    if schema.get("default") is not None and schema["default"] != []:
        return schema["default"]
    if "type" not in schema:
        choices = [each for each in (*schema.get("anyOf", ()), *schema.get("oneOf", ())) if each.get("type") != "null"]
        return minimal_value({**_bounds(schema), **choices[0]}, definitions) if choices else PLACEHOLDER
    if schema["type"] == "object":
        return _minimal_map(schema, definitions)
    if schema["type"] == "array":
        fewest = max(1, schema.get("minItems", 1))  # each is a value of its own, which YAML writes out
        return [minimal_value(schema.get("items", {}), definitions) for _ in range(fewest)]
    return _minimal_scalar(schema)


def _bounds(schema: Schema) -> Schema:
    """Return the bounds of numbers that stand beside alternatives."""
    return {key: schema[key] for key in ("minimum", "maximum") if key in schema}


def _minimal_scalar(schema: Schema) -> Any:
    number = schema.get("minimum", min(1, schema.get("maximum", 1)))
    text = PLACEHOLDER * max(1, schema.get("minLength", 1))
    return {"integer": number, "number": number, "boolean": False}.get(schema["type"], text)


def _minimal_map(schema: Schema, definitions: Schema) -> dict[str, Any]:
    properties, required = schema.get("properties", {}), [*schema.get("required", ()), *_required_alternatives(schema)]
    least = schema.get("minProperties", 0)
    required += [key for key in properties if key not in required][: max(0, least - len(required))]
    values = {key: minimal_value(properties[key], definitions) for key in dict.fromkeys(required)}
    others = schema.get("additionalProperties")
    if isinstance(others, Mapping):
        values |= {f"key {number + 1}": minimal_value(others, definitions) for number in range(len(values), least)}
    return values


def _required_alternatives(schema: Schema) -> Iterator[str]:
    """Yield the simplest of alternative required keys, preferably a text."""
    for group in schema.get("allOf", ()):
        choices = [*group.get("anyOf", ()), *group.get("oneOf", ())]
        if choices and all("required" in choice for choice in choices):
            texts = [choice for choice in choices if _is_text(schema, choice["required"][0])]
            yield from (texts or choices)[0]["required"]


def _is_text(schema: Schema, key: str) -> bool:
    property_schema = schema["properties"].get(key, {})
    return any(each.get("type") == "string" for each in (property_schema, *property_schema.get("anyOf", ())))


_PLAIN_SCALAR = re.compile(r"[A-Za-z][A-Za-z0-9' -]*[A-Za-z0-9']|[A-Za-z]")
_AMBIGUOUS_WORDS = frozenset({"true", "false", "null", "yes", "no", "on", "off", "y", "n"})
_HEADER_KEYS = frozenset({"format", "game", "kind", "name", "id"})
_SAME_AS = "the same as "


def yaml_scalar(text: str) -> str:
    """Return a text as a YAML scalar, quoted if necessary."""
    plain = _PLAIN_SCALAR.fullmatch(text) and text.lower() not in _AMBIGUOUS_WORDS
    return text if plain else json.dumps(text, ensure_ascii=False)


def required_keys(schema: Schema, kind: str, model: type[Card], written: Collection[str] = ()) -> dict[str, Any]:
    """Return the keys that a card of a kind cannot leave out, with values.

    The name of another card is '<kind>'. Keys that are `written` already are left out, and so are their alternatives.
    """
    card = schema["$defs"][f"{kind}.file"]
    open_groups = [group for group in card.get("allOf", ()) if not _has_alternative(group, written)]
    minimal = minimal_value({**card, "allOf": open_groups}, schema["$defs"])
    links = {key: f"<{linked}>" for key, linked in reference_keys(model).items()}
    return {
        key: [links[key]] * len(value) if key in links and isinstance(value, list) else links.get(key, value)
        for key, value in minimal.items()
        if key not in _HEADER_KEYS and key not in written
    }


def _has_alternative(group: Schema, written: Collection[str]) -> bool:
    """Return whether one of several alternative keys is written."""
    choices = (*group.get("anyOf", ()), *group.get("oneOf", ()))
    return any("required" in choice and set(choice["required"]) <= set(written) for choice in choices)


def optional_keys_comment(schema: Schema, kind: str, body: str) -> str:
    """Return the optional keys of a kind, with descriptions, as comments."""
    body_keys = set(yaml.safe_load(body) or ()) if body else set()
    descriptions = {
        key: _description(value)
        for key, value in schema["$defs"][f"{kind}.file"]["properties"].items()
        if key not in _HEADER_KEYS | body_keys and not _description(value).startswith(_SAME_AS)
    }
    wide = max(map(len, descriptions), default=0)
    lines = (f"#   {key:<{wide}}  {meaning}".rstrip() for key, meaning in descriptions.items())
    return "\n".join(["# Optional keys:", *lines, ""]) if descriptions else ""


def _description(schema: Schema) -> str:
    nested = (str(each.get("description", "")) for each in schema.get("anyOf", ()))
    return str(schema.get("description", "")) or next(filter(None, nested), "")


# The folder of a project with the schema for editors.
SCHEMA_FOLDER = ".cardgen"
_REFERENCE = re.compile(r"<([\w-]+)>")

# The column of the comments on settings.
_COMMENTS = 32


def settings_text(game: str) -> str:
    """Return the settings of a new project of a game, with all defaults as comments."""
    head = "# Settings of this card project. Lines with a '#' show the defaults; to change one, remove the '#'."
    return f"{head}\n\ngame: {game}\n{setting_lines('# ')}{_other_setting_lines('# ')}"


def setting_lines(prefix: str) -> str:
    """Return the settings that options override, with their defaults and what they are, each after a prefix."""
    return "".join(
        _setting_line(f"{prefix}{option.name}: {option.setting.default}", prefix, option.about_setting)
        for option in OPTIONS.values()
        if option.setting
    )


def _other_setting_lines(prefix: str) -> str:
    """Return the other settings, with their defaults and what they are."""
    names = {name for name in Settings.model_fields if name not in OPTIONS or not OPTIONS[name].setting} - {"game"}
    return "".join(
        _setting_line(f"{prefix}{name}: {_flow(value)}", prefix, str(Settings.model_fields[name].description))
        for name, value in Settings().model_dump(mode="json", include=names).items()
    )


def _flow(value: object) -> str:
    """Return a value as YAML in one line."""
    return yaml.safe_dump([value], default_flow_style=True, sort_keys=False, width=1000).strip()[1:-1]


def _setting_line(setting: str, prefix: str, about: str) -> str:
    """Return a setting with a comment, in as many lines as this needs."""
    about = f"{about[0].lower()}{about[1:].rstrip('.')}"
    starts = chain((setting,), repeat(prefix))
    comments = textwrap.wrap(about, 116 - _COMMENTS)
    return "".join(
        f"{f'{start}  ':<{_COMMENTS + len(prefix)}}# {each}\n" for start, each in zip(starts, comments, strict=False)
    )


def new_project(
    folder: Path, game: str | None = None, *, sample: bool = False, workspace: Workspace | None = None
) -> tuple[Path, ...]:
    """Create a card project, and return its files.

    The folder can be new or existing; `workspace` is that of the project around, whose games stay there. Raises
    CardgenError if a file already exists or the game does not.
    """
    game = game or ruleset.default_game()
    around = (workspace or Workspace()).with_games()
    require_game(game, around)
    if not folder.exists():
        require_name(folder.name, "project")
    if game in around.games:
        message = f"the game '{game}' belongs to the project of this folder"
        advice = f"copy its folder, games/{game}, into the new project"
        raise CardgenError(Diagnostic(Code.NO_SUCH_GAME, message, Place("--game"), advice))
    text = settings_text(game) + _game_block(game, around)
    contents = {folder / SETTINGS_FILE: text.encode()}
    if sample:
        kit = built_in_folder(CARDS_FOLDER) / game
        contents |= {folder / CARDS_FOLDER / path.name: path.read_bytes() for path in sorted(kit.glob("*.yaml"))}
    write_new(contents)
    (folder / CARDS_FOLDER).mkdir(exist_ok=True)
    return tuple(contents)


def _game_block(game: str, workspace: Workspace) -> str:
    """Return the line of cardgen.yaml with the defaults of a game's own settings, or ''."""
    rules = ruleset.ruleset(game, workspace)
    if not isinstance(rules, ruleset.Ruleset) or rules.settings is None:
        return ""
    data = {game: rules.settings().model_dump(mode="json")}
    block = yaml.safe_dump(data, default_flow_style=True, sort_keys=False, width=1000).strip()
    return f"# {block[1:-1]}  # additions to the game\n"


def game_and_others(game: str | None) -> tuple[str, tuple[str, ...]]:
    """Return the game of a new project, and the other games."""
    chosen = game or ruleset.default_game()
    return chosen, tuple(other for other in Workspace().with_games().game_ids if other != chosen)


def has_cards(project: Project) -> bool:
    """Return whether a project has card files, be they right or wrong."""
    try:
        return bool(project.find_card_files())
    except CardgenError:
        return False


def new_card(kind: str, name: str, game: str | None = None, workspace: Workspace | None = None) -> Path:
    """Write a new card of a game (default: the project's) that builds, and return its file.

    This also writes the schema that the card refers to, for completion and checks in editors. Raises CardgenError for a
    kind that the game does not have, and if the card already exists.
    """
    project = Project.open(workspace)
    own = project.workspace
    rules = game_of(project, game)
    game, kinds = rules.id, card_models(rules)
    if kind not in kinds and (others := [other for other in own.game_ids if kind in require_game(other, own).kinds]):
        message = f"unknown kind of card in {rules.name}: '{kind}'"
        file = SETTINGS_FILE if has_settings(project.root) else f"a new file {SETTINGS_FILE}"
        write = f"add --game {others[0]}, or write 'game: {others[0]}' in {file}"
        advice = f"it is a kind of card in {join_words(others)}: {write}"
        raise CardgenError(Diagnostic(Code.BAD_OPTION, message, Place("KIND"), advice))
    require_known(kind, ("project", "game", "template", *kinds), f"kind of card in {rules.name}:", Place("KIND"))
    cards = _existing_cards(project)
    path = project.root / CARDS_FOLDER / f"{portable_stem(slugify(name), kind)}.yaml"
    found = cards.matches(game, IndexedLink((kind,), slugify(name)))
    existing = cards.deck([found[0][0]]).find(game, kind, slugify(name)) if len(found) == 1 else None
    if existing is not None:
        raise CardgenError(_already_exists(existing.place(("name",)), "card"))
    schema_file = project.root / SCHEMA_FOLDER / f"{game}.schema.json"
    schema = card_schema(game, own)
    body = _card_text(cards, schema, rules, kind, name)
    text = _modeline(PurePath("..", schema_file.relative_to(project.root))) + body
    document = parse_document(text, display_path(path))
    outcomes = read_cards(document, {game: kinds}, game, read_game_settings(project))
    stop_on_errors(each for each in outcomes if isinstance(each, Diagnostic))
    require_name(name, "card")
    write_new({path: text.encode()})
    if not schema_file.parent.exists():  # Git does not need what follows from the game and the version.
        atomic_write.write(schema_file.parent / ".gitignore", b"*\n")
    atomic_write.write(schema_file, (json.dumps(schema, indent=1, ensure_ascii=False) + "\n").encode())
    return path


def _modeline(schema_file: PurePath) -> str:
    """Return the comment that names the schema of a card file to editors."""
    return f"# yaml-language-server: $schema={schema_file.as_posix()}\n"


def card_text(project: Project, rules: Ruleset, kind: str, name: str) -> str:
    """Return the text of a file with a new card of a kind. Raises CardgenError if it needs a card that is missing."""
    return _card_text(_existing_cards(project), card_schema(rules.id, project.workspace), rules, kind, name)


def _card_text(cards: CardSource, schema: Schema, rules: Ruleset, kind: str, name: str) -> str:
    game, found = rules.id, rules.kinds[kind]
    written = yaml.safe_load(found.example_text) or {}
    missing = required_keys(schema, kind, found.model, written)
    rest = yaml.safe_dump(missing, sort_keys=False, allow_unicode=True) if missing else ""
    body = _fill_references(f"{found.example_text}{rest}", cards, game)
    return (
        f"format: 1\ngame: {game}\nkind: {kind}\nname: {yaml_scalar(name.strip())}\n"
        f"{body}\n{optional_keys_comment(schema, kind, body)}"
    )


def _fill_references(example: str, cards: CardSource, game: str) -> str:
    """Replace each <kind> in an example with a card of the project."""

    def first(match: re.Match[str]) -> str:
        for card in cards.cards(game, (match[1],)):
            return card.id
        message = f"this kind of card needs {with_article(match[1])}, but the project has no such card"
        raise CardgenError(
            Diagnostic(
                Code.NO_CARD_TO_NAME, message, Place(CARDS_FOLDER), f"create one first: cardgen new {match[1]} NAME"
            )
        )

    return _REFERENCE.sub(first, example)


def _existing_cards(project: Project) -> CardSource:
    """Return the cards of the project, ignoring their problems."""
    try:
        files = project.find_card_files()
    except CardgenError:
        files = ()
    return indexed_sources(project, files)[0]("")


def write_new(contents: Mapping[Path, bytes], copies: Mapping[Path, Path] | None = None) -> None:
    """Write all files, and copies of others by their new paths, or none if one of them already exists."""
    existing = [_already_exists(Place(display_path(path))) for path in (*contents, *(copies or ())) if path.exists()]
    if existing:
        raise CardgenError(*existing)
    for path, content in contents.items():
        atomic_write.write(path, content)
    for path, source in (copies or {}).items():
        from cardgen.scaffold.pictures import MOST_BYTES  # loaded here because few commands need it

        atomic_write.write(path, regular_file.read(source, MOST_BYTES))


def _already_exists(place: Place, what: str = "file") -> Diagnostic:
    return Diagnostic(Code.FILE_EXISTS, f"{what} already exists; left unchanged", place, "choose another name")

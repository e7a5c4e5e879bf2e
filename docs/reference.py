"""Writes checks.md, glossary.md, and docs/reference from the models, words, and rulings of the program: `make docs`."""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any, NamedTuple

import yaml
from pydantic import ValidationError

import cardgen.game as game_names
from cardgen.deck.deck import card_schema, load_content, require_game
from cardgen.diagnostic import Severity
from cardgen.face.layout import layout_schema
from cardgen.face.theme import Theme
from cardgen.game_file.spec import game_file_schema
from cardgen.matches.session import load_referee
from cardgen.model.card import Card, DeckHeader
from cardgen.model.schema import UntitledGenerator
from cardgen.options import OPTIONS
from cardgen.project.project import Settings
from cardgen.project_checks.run import explain_checks
from cardgen.referee.parameters import Ruling
from cardgen.reference.sheet_file import SheetModel
from cardgen.rulesets import pieces, ruleset
from cardgen.rulesets.reference import CONTENT_PROVIDERS, ReferenceContent
from cardgen.rulesets.vocabulary import Vocabulary
from cardgen.scaffold.cards import minimal_value
from cardgen.validation.base import Model, reachable_models

FOLDER = Path(__file__).parent / "reference"
Schema = Mapping[str, Any]


class Part(NamedTuple):
    """A table of keys: its heading, what is described, its keys, and which of them are required."""

    name: str
    about: str
    keys: Mapping[str, Schema]
    required: Sequence[str]


class Sample(NamedTuple):
    """A card with keys of a part, so that the program writes their sentence; `key` is that of words."""

    kind: str
    card: Callable[[Mapping[str, Any]], Mapping[str, Any]]
    key: str = ""


def _effect(**keys: Any) -> Mapping[str, Any]:
    return {"name": "Sample", "effects": [keys]}


def _change(*changes: Mapping[str, Any]) -> Mapping[str, Any]:
    return {"name": "Sample", "price": "triple", "changes": [*changes]}


# Keys that are not about the bearer itself.
_APART = {"push", "pull", "swap"}
_DAMAGE, _STRENGTH = {"of": "picked", "deal": 1}, {"strength": 1, "for": "round"}
# The parts whose keys print a sentence, by game, and the vocabularies whose words do.
SAMPLES: Mapping[str, Mapping[str, Sample]] = {
    "warniris": {
        "Deeds": Sample("relic", lambda keys: _effect(**{"enemies" if keys.keys() & _APART else "bearer": keys})),
        "Condition": Sample("relic", lambda keys: _effect(when="attacking", **{"if": keys}, bearer={"mind": 1})),
        "moments": Sample("relic", lambda keys: _effect(**keys, bearer={"heal": 1}), "when"),
        "spans": Sample("relic", lambda keys: _effect(**keys, when="attacking", bearer={"mind": 1}), "for"),
    },
    "warcry": {
        "Change": Sample("ability", _change),
        "Condition": Sample("ability", lambda keys: _change({"if": keys, **_STRENGTH} if keys else _STRENGTH)),
        "Group": Sample("ability", lambda keys: _change({"pick": {"side": "enemy", **keys}}, _DAMAGE)),
        "events": Sample("ability", lambda keys: _change({"when": keys, "heal": 1} if keys else {"heal": 1}), "event"),
        "spans": Sample("ability", lambda keys: _change({**keys, "strength": 1}), "for"),
        "bans": Sample("ability", lambda keys: _change({"for": "round", **keys}), "cannot"),
    },
}


_GENERATED = "These pages are generated from the program. In an editor, the same descriptions appear while you type."


def pages() -> Iterator[tuple[Path, str]]:
    """Yield the pages, and their texts as they should be."""
    yield FOLDER.parent / "checks.md", explain_checks("all")
    yield FOLDER.parent / "glossary.md", _glossary()
    texts = {
        "settings.md": _settings(),
        "cards.md": _cards(),
        **{f"{game}.md": _game(game) for game in ruleset.games()},
        "game-file.md": _of_schema("Keys of game.yaml", "game-format.md", game_file_schema()),
        "sheets.md": _of_schema("Keys of reference sheets", "reference-sheets.md", _schema_of(SheetModel)),
        "cardgen-game.md": _python_names(),
        "layouts.md": _of_schema("Keys of layouts", "templates.md", layout_schema()),
        "themes.md": _of_schema("Keys of themes", "templates.md", _schema_of(Theme)),
    }
    links = "".join(f"- [{text.partition(chr(10))[0].removeprefix('# ')}]({name})\n" for name, text in texts.items())
    for name, text in {"README.md": f"# Keys, words, and rulings\n\n{_GENERATED}\n\n{links}", **texts}.items():
        yield FOLDER / name, re.sub(r"\n{3,}", "\n\n", text).rstrip() + "\n"


def _glossary() -> str:
    """Return the page of the terms that have a meaning, and of those of the code."""
    terms = yaml.safe_load((FOLDER.parent / "terms.yaml").read_text(encoding="utf-8"))
    meanings = {term: each["meaning"] for term, each in terms["terms"].items() if "meaning" in each}
    lines = ["# Glossary", "", "The terms of these pages, and at the end those of the code.", ""]
    for heading, words in (("", meanings), ("## Terms of the code", terms["code"])):
        lines += [*([heading, ""] if heading else []), "| term | meaning |", "|---|---|"]
        lines += [*(f"| {term} | {meaning} |" for term, meaning in words.items()), ""]
    return "\n".join(lines).rstrip() + "\n"


def _settings() -> str:
    outer, *inner = _parts(_schema_of(Settings))
    options = {option.name: option for option in OPTIONS.values() if option.setting}
    rows = []
    for key, schema in outer.keys.items():
        option = options.get(key)
        default = f"; default `{option.setting.default}`" if option and option.setting else _default(schema)
        values = re.sub(r"\[(.*?)\]\(.*?\)", r"\1", _values(schema, {}))
        flag = f"`{option.flag}`" if option else ""
        rows.append(f"| `{key}` | {values}{default} | {flag} | {_lower(_meaning(schema))} |")
    about = f"Every key is optional, and an option on the command line overrides it. {_guide('card-format.md')}"
    head = "| key | values | option | meaning |\n|---|---|---|---|"
    return "\n\n".join(
        ["# Settings in cardgen.yaml", about, "\n".join([head, *rows]), *(_table(each, {}) for each in inner)]
    )


def _cards() -> str:
    deck = _schema_of(DeckHeader)
    common = _schema_of(Card)
    zone = next(_parts(_schema_of(pieces.Zone)))
    texts = [
        "# Keys of all cards",
        f"These keys work in every game. {_guide('card-format.md')}",
        *(_table(part, {}, "Keys of a file") for part in _parts(deck)),
        *(_table(part, {}, "Keys of a card" if part.name == "Card" else "") for part in _parts(common)),
        "## Pieces\n\nA game can have its own sizes and further keys, which its page lists.",
        *(_table(part, {}, level="###") for part in (*_pieces().values(), zone)),
    ]
    return "\n\n".join(texts)


PIECES: Mapping[str, type[Card]] = {
    model.KIND: model
    for model in (
        pieces.Token, pieces.Cylinder, pieces.Standee, pieces.Blank, pieces.Ruler, pieces.Box, pieces.Mat, pieces.Dial,
    )
}  # fmt: skip


def _guide(name: str) -> str:
    """Return a link to the page that explains how to use the keys."""
    title = (FOLDER.parent / name).read_text(encoding="utf-8").partition("\n")[0].removeprefix("# ")
    return f"Guide: [{title}](../{name})."


def _game(game: str) -> str:
    rules = require_game(game)
    definitions = _definitions(game)
    words = _vocabularies(game)
    shared = _pieces()
    kinds: list[Part] = []
    rows: dict[str, list[str]] = {}  # those of pieces, with the pieces that have them
    for kind in rules.kinds:
        card = definitions[f"{kind}.card"]
        own = {key: value for key, value in card["properties"].items() if key not in _CARD_KEYS}
        if base := shared.get(kind):
            own = {key: value for key, value in own.items() if not _is_same(value, base.keys.get(key))}
            for row in _rows(Part(kind, "", own, card.get("required", ())), words):
                rows.setdefault(row, []).append(f"`{kind}`")
        kinds.append(Part(kind, card.get("description", ""), own, card.get("required", ())))
    found = {each.name: each for kind in kinds for each in _reachable(kind, definitions)}
    others = {*(each.name for each in kinds), *shared}
    about = "Besides [the keys of the pieces of all games](cards.md#pieces):"
    texts = [
        f"# Keys of {rules.name}",
        f"Cards also have [the keys of all cards](cards.md). {_guide(f'{game}.md')}",
        *(_table(kind, words) for kind in kinds if kind.name not in shared),
        "\n".join(
            [
                "## Pieces\n",
                f"{about}\n",
                *_PIECE_HEAD,
                *(f"| {', '.join(kinds_of)} {row}" for row, kinds_of in rows.items()),
            ]
        ),
        *(_table(part, words, game=game) for part in _without_repetition([*found.values()]) if part.name not in others),
        *(_words(name, each, game) for name, each in words.items()),
        _contents(load_content(rules)),
        _switches("Rulings", "rulings", rules.rulings),
        _switches("Policies", "policies", load_referee(game)[1].policies),
    ]
    return "\n\n".join(texts)


def _contents(content: ReferenceContent) -> str:
    """Return what sheets of a game can show, and the options."""
    rows = ["| `show` | content | `with` |\n|---|---|---|"]
    for name, provider in {**CONTENT_PROVIDERS, **content.content_providers}.items():
        options = ", ".join(f"`{key}`" for key in provider.options.model_fields)
        rows.append(f"| `{name}` | {provider.about} | {options} |")
    return "\n".join(["## Content of sheets\n", "[Sheets](../reference-sheets.md) can `show`:\n", *rows])


_SWITCHES = {
    "rulings": "Questions that the rules leave open. `rulings` in `cardgen.yaml` or `--ruling NAME=ANSWER` chooses an "
    "answer; the first is the default.",
    "policies": "Choices that the referee makes when it doesn't ask the players. `--policy NAME=CHOICE` chooses; the "
    "first is the default.",
}
_PIECE_HEAD = ("| piece | key | values | meaning |", "|---|---|---|---|")
_MANY = 5


def _without_repetition(parts: Sequence[Part]) -> Iterator[Part]:
    """Yield the parts; one that has many keys of a later one refers to it."""
    for index, part in enumerate(parts):
        for other in parts[index + 1 :]:
            same = {key for key, value in part.keys.items() if _is_same(value, other.keys.get(key))}
            if len(same) >= _MANY and len(same) + 1 >= len(other.keys):
                link = f"[{other.name}](#{_anchor(other.name)})"
                about = f"{part.about.partition(chr(10))[0]} It has the keys of {link}, and:"
                own = {key: each for key, each in part.keys.items() if key not in same}
                yield part._replace(about=about, keys=own)
                break
        else:
            yield part


@cache
def _definitions(game: str) -> Schema:
    definitions: Schema = card_schema(game, None)["$defs"]
    return definitions


def _is_same(value: Schema, other: Schema | None) -> bool:
    """Return whether a key of a piece is that of all games; a default of a game is its own."""
    texts = [re.sub(r'"\$ref": "[^"]*?(\w+?)"', "", json.dumps(each, sort_keys=True)) for each in (value, other)]
    return texts[0] == texts[1]


def _switches(title: str, what: str, rulings: Sequence[Ruling]) -> str:
    parts = [f"## {title}", _SWITCHES[what]]
    for ruling in rulings:
        answers = "\n".join(f"- `{name}`: {text}" for name, text in ruling.settings.items())
        parts.append(f"**`{ruling.id}`** {ruling.question}\n\n{answers}")
    return "\n\n".join(parts) if rulings else ""


def _vocabularies(game: str) -> dict[str, Vocabulary[Any]]:
    """Return the words of a game that are values of keys, by what they are."""
    try:
        module = import_module(f"cardgen.rulesets.{game}.words")
    except ModuleNotFoundError:
        return {}
    found = {name.lower(): each for name, each in vars(module).items() if isinstance(each, Vocabulary)}
    return {name: each for name, each in found.items() if name.isalpha()}


def _words(name: str, words: Vocabulary[Any], game: str) -> str:
    sample = SAMPLES.get(game, {}).get(name)
    rows = ["| word | meaning | prints |\n|---|---|---|" if sample else "| word | meaning |\n|---|---|"]
    for word, declared in words.items():
        sentence = f" {_sentence(game, sample, sample.key, word)} |" if sample else ""
        rows.append(f"| `{word}` | {_cell(declared.help)} |{sentence}")
    return "\n".join([f"## {name.capitalize()}\n", *rows])


@cache
def _models(game: str) -> Mapping[str, type[Card]]:
    return {name: kind.model for name, kind in require_game(game).kinds.items()}


def _sentence(game: str, sample: Sample, key: str, value: Any) -> str:
    """Return what a key adds to the sentence of a card, with an ellipsis for the rest; '' if it needs further keys."""
    with_key = _printed(game, sample, {key: value}) or _printed(game, sample, {key: [value]})
    before, after = _printed(game, sample, {}).split(), with_key.split()
    if not before or not after or before == after:
        return "" if before else with_key
    start = next((i for i, pair in enumerate(zip(before, after, strict=False)) if pair[0] != pair[1]), len(before))
    most = min(len(before), len(after)) - start
    end = next((i for i in range(most) if before[-1 - i] != after[-1 - i]), most)
    words = ["…"] * bool(start) + after[start : len(after) - end] + ["…"] * bool(end)
    return " ".join(words)


def _printed(game: str, sample: Sample, keys: Mapping[str, Any]) -> str:
    try:
        card = _models(game)[sample.kind].model_validate(sample.card(keys))
    except ValidationError:
        return ""
    return _cell(require_game(game).describe(card))


def _python_names() -> str:
    """Return the names that games in Python can import, with what their docstrings say."""
    rows = ["| name | what it is |\n|---|---|"]
    for name in sorted(game_names.__all__, key=str.casefold):
        value = getattr(game_names, name)
        is_ours = isinstance(value, ModuleType) or str(getattr(value, "__module__", "")).startswith("cardgen")
        is_documented = isinstance(value, type | ModuleType | FunctionType) or hasattr(value, "__wrapped__")
        text = " ".join((inspect.getdoc(value) or "").partition("\n\n")[0].split()) if is_ours and is_documented else ""
        if is_documented and not is_ours:
            text = f"`{value.__module__.partition('.')[0]}.{value.__name__}`"
        rows.append(f"| `{name}` | {_cell(text) or _value(name, value)} |")
    about = "Everything that a game in Python imports from `cardgen.game`: types, functions, and constants."
    return "\n".join(["# Names in cardgen.game\n", f"{about} {_guide('python-game.md')}\n", *rows])


# Types and constants, which have no docstrings.
_UNDOCUMENTED = {
    "Block": "Any block of a sheet.",
    "CARD_SIZES": "The named sizes of cards.",
    "CardData": "The plain data of a card.",
    "Contact": "A model with one on which it lies.",
    "CounterBounds": "For each counter, the value above which a procedure makes no distinction.",
    "Effect": "What an ability does, and to whom, as plain data.",
    "FigureRows": "Rows of odds that checks keep.",
    "Findings": "What `find` of a check returns.",
    "FirstFighter": "The option of a duel for who goes first.",
    "Flag": "True or false, strictly.",
    "FORCES": "The policy on whether equal points or single cards fight in `balance`.",
    "gap": "A gap in a form: no word, or a few words that change nothing.",
    "Height": "The height of a miniature in millimeters.",
    "Identifier": "A text in the form of an id, such as `toll-guard`.",
    "InlineValue": "A function that returns a value to quote in a text.",
    "Int": "A whole number, strictly.",
    "KeyPath": "The path to a value in a card: keys and indexes.",
    "Meaning": "What a clause means: a value, named parts, or a list.",
    "MINIATURE_PIECES": "The kinds of pieces that are made from a miniature.",
    "Number": "A number, strictly.",
    "NUMBER_WORDS": "Small numbers as words.",
    "Procedure": "A generator of requests, which receives the answers.",
    "State": "A state of a Markov chain.",
    "Text": "A text that is not blank, strictly.",
    "TypicalCard": "An ordinary opponent of a benchmark.",
}


def _value(name: str, value: Any) -> str:
    """Return what a name without a docstring is."""
    return f"`{value!r}`" if isinstance(value, str | int | float) else _UNDOCUMENTED[name]


def _of_schema(title: str, guide: str, schema: Schema) -> str:
    return "\n\n".join([f"# {title}", _guide(guide), *(_table(part, {}) for part in _parts(schema))])


def _schema_of(model: type[Model]) -> Schema:
    for _, each in reachable_models((model,)):
        each.model_rebuild()
    return model.model_json_schema(schema_generator=UntitledGenerator)


@cache
def _pieces() -> Mapping[str, Part]:
    """Return the pieces by kind, with the keys that are the same in all games."""
    found: dict[str, Part] = {}
    for game in ruleset.games():
        definitions = _definitions(game)
        for kind in (kind for kind in PIECES if f"{kind}.card" in definitions):
            own = definitions[f"{kind}.card"]
            keys = {key: value for key, value in own["properties"].items() if key not in _CARD_KEYS}
            earlier = found.setdefault(kind, Part(kind, PIECES[kind].__doc__ or "", keys, own.get("required", ())))
            same = {key: value for key, value in earlier.keys.items() if _is_same(value, keys.get(key))}
            found[kind] = earlier._replace(keys=same)
    return found


_CARD_KEYS = {"kind", *Card.model_fields, *(other for others in Card.SYNONYMS.values() for other in others)}


def _parts(schema: Schema) -> Iterator[Part]:
    """Yield the parts of a schema, the outermost first."""
    root = schema["$defs"][_name_of(schema["$ref"])] if "$ref" in schema else schema
    outermost = _part(root.get("title", ""), root)
    yield outermost
    yield from (each for each in _reachable(outermost, schema.get("$defs", {})) if each.name != outermost.name)


def _part(name: str, definition: Schema) -> Part:
    full = _full(definition)
    lines = (each["title"] for each in definition.get("anyOf", ()) if "properties" not in each and each.get("title"))
    about = "".join(
        (
            full.get("description", "").partition("\n\n")[0],
            *(f" Short form: `{line.partition(';')[0]}`." for line in lines),
        )
    )
    return Part(_title(name), about, full.get("properties", {}), full.get("required", ()))


def _reachable(part: Part, definitions: Schema) -> Iterator[Part]:
    """Yield the parts with keys that the keys of a part lead to, each once."""
    seen: set[str] = set()
    waiting = [*_references(part.keys)]
    while waiting:
        name = waiting.pop(0)
        found = _part(name, definitions[name])
        if name in seen or not found.keys or (name == "Art" and part.name != "Card"):
            continue
        seen.add(name)
        yield found
        waiting += _references(found.keys)


def _references(value: Any) -> Iterator[str]:
    if isinstance(value, Mapping):
        if isinstance(value.get("$ref"), str):
            yield _name_of(value["$ref"])
        for each in value.values():
            yield from _references(each)
    elif isinstance(value, list):
        for each in value:
            yield from _references(each)


def _full(definition: Schema) -> Schema:
    """Return the form of a part with keys, if it also has a short one."""
    return next((each for each in definition.get("anyOf", ()) if "properties" in each), definition)


def _name_of(reference: str) -> str:
    return reference.rpartition("/")[2]


def _title(name: str) -> str:
    """Return the name of a definition without its module, as words."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name.rpartition("__")[2].removesuffix("Model").removesuffix("Spec"))


def _anchor(title: str) -> str:
    return title.lower().replace(" ", "-")


_HEAD, _HEAD_WITH_SENTENCES = (
    "| key | values | meaning |\n|---|---|---|",
    "| key | values | meaning | prints |\n|---|---|---|---|",
)


def _table(part: Part, words: Mapping[str, Vocabulary[Any]], title: str = "", level: str = "##", game: str = "") -> str:
    sample = SAMPLES.get(game, {}).get(part.name)
    about = " ".join(part.about.partition("\n\n")[0].split())
    lines = [f"{level} {title or part.name}\n", f"{about}\n" if about else ""]
    rows = [*_rows(part, words, game, sample)]
    return "\n".join([*lines, _HEAD_WITH_SENTENCES if sample else _HEAD, *rows] if rows else lines)


def _rows(
    part: Part, words: Mapping[str, Vocabulary[Any]], game: str = "", sample: Sample | None = None
) -> Iterator[str]:
    """Yield a row for each key; several keys in a row with the same values and meaning share one."""
    cells: dict[tuple[str, ...], list[str]] = {}
    for key, schema in part.keys.items():
        if str(schema.get("description", "")).startswith("the same as "):
            continue
        required = "; required" if key in part.required else ""
        row = [f"{_values(schema, words)}{_default(schema)}{required}", _meaning(schema)]
        if sample:
            value = _sample_value(schema, _definitions(game))
            row.append(_sentence(game, sample, key, value))
        cells.setdefault(tuple(row), []).append(f"`{key}`")
    for shown, keys in cells.items():
        yield f"| {', '.join(keys)} | {' | '.join(shown)} |"


def _sample_value(schema: Schema, definitions: Schema) -> Any:
    """Return a value that shows what a key does."""
    first = next(each for each in schema.get("anyOf", (schema,)) if each.get("type") != "null")
    if first.get("type") == "boolean":
        return True
    if first.get("type") == "integer":
        low, high = first.get("minimum", 0), first.get("maximum", 9)
        return 1 if low < 0 else min(high, max(2, low))
    return minimal_value({key: value for key, value in first.items() if key != "default"}, definitions)


def _values(schema: Schema, words: Mapping[str, Vocabulary[Any]]) -> str:
    """Return which values a key has, in words."""
    sort = schema.get("type")
    if choices := schema.get("anyOf", schema.get("oneOf")):
        return _choices(choices, words)
    if "$ref" in schema:
        return _link(_name_of(schema["$ref"]))
    if "const" in schema or "enum" in schema:
        return _one_of(schema.get("enum", [schema.get("const")]), words)
    if sort == "array":
        return _list(schema, words)
    if sort == "object":
        return _map(schema, words)
    if sort == "boolean":
        return "`false`" if schema.get("default") else "`true`"
    if isinstance(sort, list):
        return "expression"
    return _text(schema) if sort == "string" else _number(schema)


# More alternatives than this are not told of the items of a map.
_MOST_CHOICES = 2


def _choices(choices: Sequence[Schema], words: Mapping[str, Vocabulary[Any]]) -> str:
    found = dict.fromkeys(_values(each, words) for each in choices if each.get("type") != "null")
    kept = [each for each in found if each not in ("0 or more", "number") or "length" not in found]
    return " or ".join(kept)


def _link(name: str) -> str:
    if name == "Severity":
        return ", ".join(f"`{each.value}`" for each in Severity)
    title = _title(name)
    return f"[{title}](#{_anchor(title)})" if title != "Art" else "picture"


def _one_of(values: Sequence[Any], words: Mapping[str, Vocabulary[Any]]) -> str:
    for name, vocabulary in words.items():
        if len(values) >= len(vocabulary) - 1 and {*values} <= {*vocabulary}:
            return f"[{name}](#{name})"
    shown = (_yaml(each).strip("'") for each in values if each != "")
    return ", ".join(f"`{value}`" for value in dict.fromkeys(shown))


def _list(schema: Schema, words: Mapping[str, Vocabulary[Any]]) -> str:
    if fixed := schema.get("prefixItems"):
        return f"`[{', '.join('number' for _ in fixed)}]`"
    return f"list of {_values(schema.get('items') or {}, words)}{_range(schema, 'Items')}"


def _map(schema: Schema, words: Mapping[str, Vocabulary[Any]]) -> str:
    inner = schema.get("additionalProperties")
    inner = next(iter(schema.get("patternProperties", {}).values()), inner)
    if not isinstance(inner, Mapping) or not inner or len(inner.get("anyOf", ())) > _MOST_CHOICES:
        return "map"
    return f"map of {_values(inner, words)}"


# What the start of a pattern says of a text.
_PATTERNS = {
    "^([A-Za-z]{2,3})": "language",
    "^\\s*([0-9]+": "length",
    "^[a-z0-9]+(-": "id",
    "^[a-z][a-z0-9]*(-": "name",
    "^[a-z][a-z0-9]*(_": "name",
    "^[A-Z]{2}[1-5]": "code",
    "^[A-Z]{2}$": "two letters",
}
_LONGEST = 1000


def _text(schema: Schema) -> str:
    pattern = str(schema.get("pattern", ""))
    name = next((each for start, each in _PATTERNS.items() if pattern.startswith(start)), "")
    is_free = schema.get("maxLength", _LONGEST) >= _LONGEST
    return name or ("text" if is_free else f"text{_range(schema, 'Length')}")


def _range(schema: Schema, what: str) -> str:
    """Return how many letters or items there may be."""
    low, high = schema.get(f"min{what}") or 0, schema.get(f"max{what}")
    unit = " characters" if what == "Length" else ""
    if high is None:
        return f", {low} or more{unit}" if low > 1 else ""
    if low == high:
        return f", {high}{unit}"
    return f", {low} to {high}{unit}" if low > 1 else f", up to {high}{unit}"


_HUGE = 100_000


def _number(schema: Schema) -> str:
    low = schema.get("minimum", schema.get("exclusiveMinimum"))
    high = schema.get("maximum", schema.get("exclusiveMaximum"))
    if low is not None and high is not None and high < _HUGE:
        change = "a change, " if low < 0 and "not" in schema else ""
        return f"{change}{low:g} to {high:g}"
    if low is not None and high is None:
        return f"{low:g} or more"
    return {"integer": "whole number", "number": "number"}.get(str(schema.get("type")), "any value")


# Defaults that a reader expects.
_PLAIN_DEFAULTS: tuple[object, ...] = (None, "", [], {}, False, 0, True)


def _default(schema: Schema) -> str:
    default = schema.get("default")
    if isinstance(default, Mapping) or any(default == plain for plain in _PLAIN_DEFAULTS if plain is not True):
        return ""
    if default is True:
        return ""
    return f"; default `{_yaml(int(default) if isinstance(default, float) and default.is_integer() else default)}`"


def _yaml(value: Any) -> str:
    return yaml.safe_dump([value], default_flow_style=True, allow_unicode=True, width=1000).strip()[1:-1]


def _meaning(schema: Schema) -> str:
    """Return the description of a key, unless it only repeats the values."""
    nested = (each["description"] for each in schema.get("anyOf", ()) if "description" in each)
    text = schema.get("description") or next(nested, "")
    if {*re.findall(r"[\w-]+", text)} <= {*map(str, _words_in(schema)), "or", "list", "each", "item"}:
        return ""
    return _cell(text.rstrip("."))


def _words_in(schema: Any) -> Iterator[Any]:
    if isinstance(schema, Mapping):
        yield from schema.get("enum", ())
        for value in schema.values():
            yield from _words_in(value)
    elif isinstance(schema, list):
        for value in schema:
            yield from _words_in(value)


def _lower(text: str) -> str:
    return f"{text[:1].lower()}{text[1:]}"


def _cell(text: str) -> str:
    return re.sub(r"<(?=[a-zA-Z])", "&lt;", " ".join(text.split()).replace("|", "\\|"))


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for file, content in pages():
        file.write_text(content, encoding="utf-8")

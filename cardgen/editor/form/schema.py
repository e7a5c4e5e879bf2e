"""JSON Schemas of parts of a card: the alternatives of a value, its keys, and its bounds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from typing import Any, NamedTuple

from cardgen.scaffold.cards import Schema, minimal_value
from cardgen.source import KeyPath
from cardgen.source.composer import Scalar

_SAME_AS = "the same as "
_LEAST = ("minimum", "exclusiveMinimum")
_MOST = ("maximum", "exclusiveMaximum")
_PYTHON_TYPES: Mapping[str, tuple[type, ...]] = {
    "object": (dict,), "array": (list,), "string": (str,), "integer": (int,), "number": (int, float),
    "boolean": (bool,),
}  # fmt: skip


class SchemaNode(NamedTuple):
    """A schema with the definitions that it refers to."""

    schema: Schema
    definitions: Schema

    def inner(self, schema: Schema) -> SchemaNode:
        """Return a schema inside of this one."""
        return self._replace(schema=schema)

    @property
    def help(self) -> str:
        """What the value means, in one paragraph."""
        own = self.schema.get("description", "")
        texts = (own, *(branch.get("description", "") for branch in self.branches()))
        return " ".join(next(filter(None, texts), "").partition("\n\n")[0].replace("`", "").split())

    def branches(self) -> list[Schema]:
        """Return the alternatives of the value, but null."""
        return [each for each in self._branches(self.schema, ()) if each.get("type") != "null"]

    def _branches(self, schema: Schema, seen: tuple[str, ...]) -> Iterator[Schema]:
        reference = schema.get("$ref", "").rpartition("/")[2]
        if reference in self.definitions and reference not in seen:
            yield from self._branches(self.definitions[reference], (*seen, reference))
        elif "anyOf" in schema or "oneOf" in schema:
            for branch in (*schema.get("anyOf", ()), *schema.get("oneOf", ())):
                yield from self._branches(branch, seen)
        else:
            yield schema

    def branch_of(self, value: object) -> Schema:
        """Return the alternative that a value is most likely meant to be."""
        branches = self.branches() or [{}]
        return max(branches, key=lambda branch: _likeness(branch, value))

    def constants(self) -> tuple[Any, ...]:
        """Return all valid values, if they can be listed."""
        choices: list[Any] = []
        for branch in self.branches():
            if branch.get("type") == "boolean":
                choices += [False, True]
            elif "const" in branch or "enum" in branch:
                choices += branch.get("enum", [branch.get("const")])
            else:
                return ()
        return tuple(dict.fromkeys(choices))


def _likeness(branch: Schema, value: object) -> int:
    if value is None:
        return 1 if branch.get("type") not in ("object", "array") else 0
    if value in branch.get("enum", ()) or ("const" in branch and branch["const"] == value):
        return 9
    is_flag, types = isinstance(value, bool), _PYTHON_TYPES.get(str(branch.get("type")), (object,))
    if not isinstance(value, types) or (is_flag and bool not in types):
        return -1
    if isinstance(value, dict):
        names = branch.get("properties", {})
        return 5 + len(names.keys() & value.keys()) - 2 * len(value.keys() - names.keys()) * bool(names)
    return 5


def bounds(branch: Schema) -> tuple[float | None, float | None]:
    """Return the least and the greatest number; those that are excluded themselves count, too."""
    least, most = ([branch[name] for name in names if name in branch] for names in (_LEAST, _MOST))
    return (least[0] if least else None), (most[0] if most else None)


def synonyms(branch: Schema) -> Mapping[str, str]:
    """Return the other spellings of keys, with the key."""
    pairs = branch.get("properties", {}).items()
    named = ((key, str(each.get("description", ""))) for key, each in pairs)
    return {key: text.removeprefix(_SAME_AS) for key, text in named if text.startswith(_SAME_AS)}


def required_keys(branch: Schema) -> frozenset[str]:
    """Return the keys that a map must have, in their first spelling."""
    return frozenset(branch.get("required", ())) | frozenset(_required_spellings(branch))


def _required_spellings(branch: Schema) -> Iterator[str]:
    """Yield the keys that have other spellings, of which one is required."""
    others = synonyms(branch)
    for rule in branch.get("allOf", ()):
        names: Sequence[str] = [name for each in rule.get("anyOf", ()) for name in each.get("required", ("",))]
        if names and len({others.get(name, name) for name in names}) == 1:
            yield others.get(names[0], names[0])


def property_node(node: SchemaNode, branch: Schema, key: str) -> SchemaNode:
    """Return the schema of a key in any of its spellings."""
    properties = branch.get("properties", {})
    canonical = synonyms(branch).get(key, key)
    others = branch.get("additionalProperties")
    return node.inner(properties.get(canonical, others if isinstance(others, dict) else {}))


def item_node(node: SchemaNode, branch: Schema, index: int) -> SchemaNode:
    """Return the schema of an item of a list."""
    fixed, rest = branch.get("prefixItems", ()), branch.get("items", {})
    return node.inner(fixed[index] if index < len(fixed) else rest if isinstance(rest, dict) else {})


def node_at(node: SchemaNode, data: Any, path: Sequence[str | int]) -> SchemaNode:
    """Return the schema of the value at a path below some data; the last steps may be missing there."""
    for step in path:
        branch = node.branch_of(data)
        node = item_node(node, branch, step) if isinstance(step, int) else property_node(node, branch, step)
        has_step = step in data if isinstance(data, dict) else isinstance(data, list) and step in range(len(data))
        data = data[step] if has_step else None
    return node


def first_value(node: SchemaNode) -> Any:
    """Return a value for a key or an item that the author adds: one that has an effect, if the schema knows any."""
    default = node.schema.get("default")
    others = [each for each in node.constants() if each != default]
    if others:
        return next((each for each in others if each is not False), others[0])
    branch = node.branch_of(default)
    if branch.get("type") in ("integer", "number") and not default:
        least, most = bounds(branch)
        return min(max(1, least if least is not None else 1), most if most is not None else 1)
    if branch.get("type") == "array":
        return [first_value(item_node(node, branch, index)) for index in range(max(1, branch.get("minItems", 1)))]
    short = next((each for each in node.branches() if each.get("type") == "string"), None)
    return minimal_value(short or node.schema, node.definitions)


class Widget(StrEnum):
    """How a value is edited."""

    TEXT = "text"
    NUMBER = "number"
    FLAG = "flag"
    CHOICE = "choice"
    MAP = "map"
    ENTRIES = "entries"
    LIST = "list"


class Addition(NamedTuple):
    """A key that a map does not have yet."""

    key: str
    label: str
    help: str


class Reading(NamedTuple):
    """How a sentence of a text was read; `unread` are its clauses that were not, with the nearest that would be."""

    text: str
    level: str
    canonical: str
    reason: str
    referee: str
    unread: tuple[tuple[str, str], ...]


class Field(NamedTuple):
    """A value of a card.

    `path` leads to it from the root of the file, `line` is that of its key, and `fault` is what its widget cannot show.
    `additions` are the keys of a map that are not set, and `short` says that the value is a short form of a map.
    `inherited` is the value that a card of a list gets from `defaults`. `made` is the text that the game makes of a
    part, and `readings` are the sentences of a text; it `is_acceptable` if effects can say the same, and the `obstacle`
    says why they cannot. A part that `takes_sentences` has effects that can be written as a sentence; its lists of
    effects have examples.
    """

    path: KeyPath
    key: str
    label: str
    widget: Widget
    help: str = ""
    value: Scalar = None
    is_set: bool = True
    is_required: bool = False
    is_long: bool = False
    is_whole: bool = False
    minimum: float | None = None
    maximum: float | None = None
    most_characters: int | None = None
    choices: tuple[Scalar, ...] = ()
    fields: tuple[Field, ...] = ()
    additions: tuple[Addition, ...] = ()
    can_add: bool = False
    can_remove: bool = False
    is_short: bool = False
    inherited: str = ""
    line: int = 0
    made: str = ""
    readings: tuple[Reading, ...] = ()
    is_acceptable: bool = False
    obstacle: str = ""
    takes_sentences: bool = False
    has_examples: bool = False

    def as_data(self) -> dict[str, Any]:
        """Return it as JSON."""
        data = self._asdict()
        return {
            **data,
            "widget": self.widget.value,
            "fields": [field.as_data() for field in self.fields],
            "additions": [each._asdict() for each in self.additions],
            "readings": [each._asdict() for each in self.readings],
        }

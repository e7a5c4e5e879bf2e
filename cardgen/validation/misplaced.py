"""Keys with the wrong indentation: the map that they belong in, and the mistakes that follow from it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Annotated, Any, NamedTuple, get_origin

from pydantic import TypeAdapter, ValidationError

from cardgen.diagnostic import VERY_CLOSE_CUTOFF, Place, closest
from cardgen.runtime.workspace import Workspace
from cardgen.source import KeyPath
from cardgen.validation.base import (
    FreeKeys,
    Model,
    ModelClasses,
    ModelKey,
    accepted_keys,
    annotation_parts,
    child_models,
    model_keys,
    spellings_of,
)
from cardgen.validation.fault import MISMATCH, Fault, format_constant


class Home(NamedTuple):
    """The map that a key belongs in, of which `beside` is a part or a neighbor of the key.

    `key_path` leads to the map. It is deeper than the key if it `is_below` it. `starts_list` if the map must become the
    first item of a list that is still empty. A map that `is_new` is not there yet; one that `lacks_name` should have a
    name of its own in the map `beside`. A map that `is_line` is written in its short form.
    """

    key_path: KeyPath
    beside: str
    is_below: bool
    starts_list: bool = False
    is_new: bool = False
    lacks_name: bool = False
    is_line: bool = False

    def advice(self, place: Place, items: Mapping[str, object]) -> str:
        """Return how to move keys with their values from a place, by indentation if they have lines of their own."""
        count = len(items)
        them = "it" if count == 1 else "them"
        lead = place.source_line[: place.span.column - 1] if place.span else ""
        is_flow = bool(place.locator or not place.source_line or lead.strip(" -"))
        if self.is_line:
            return f"write the last item of '{self.beside}' in full, as {{name: …}}, with {them} among its keys"
        if self.lacks_name:
            return f"write a name above {them}, with a colon, and indent {them} below it"
        if self.is_new and not (is_flow or self.starts_list) and any(isinstance(each, dict) for each in items.values()):
            return f"write '{self.beside}:' above {them}, and indent {them} below it"
        if self.is_new:
            written = ", ".join(f"{key}: {_short(value)}" for key, value in items.items())
            return (
                f"write '{self.beside}: [{{{written}}}]'"
                if self.starts_list
                else f"write '{self.beside}: {{{written}}}'"
            )
        if is_flow:
            return f"move {them} {'into' if self.is_below else 'out, beside'} '{self.beside}'"
        if not self.is_below:
            return f"indent {them} less, like '{self.beside}'"
        dash = f", and write '- ' before {'it' if count == 1 else 'the first'}" if self.starts_list else ""
        item = ", like the keys of its last item" if isinstance(self.key_path[-1], int) and not dash else ""
        return f"indent {them} more, below '{self.beside}'{item}{dash}"


def _short(value: object) -> str:
    return "…" if isinstance(value, dict | list | str) else format_constant(value)


def join_misplaced(
    faults: Sequence[Fault], data: object, models: ModelClasses, workspace: Workspace | None
) -> list[Fault]:
    """Join the faults of neighbors that belong in the same other map to one, and drop those that follow from it.

    The first has the context `home`, and the `items` of all. What is missing in the other map, or keeps it empty, need
    not be reported besides. A map of keys that are missing beside it has the context `unwraps`.
    """
    faults = _unwrap(_lifted(faults, data, models, workspace))
    homes = [fault.context.get("home") or _home(fault, data, models, faults, workspace) for fault in faults]
    joined: dict[tuple[KeyPath, Home], list[Fault]] = {}
    for fault, home in zip(faults, homes, strict=True):
        if home:
            joined.setdefault((fault.key_path[:-1], home), []).append(fault)
    first = {id(group[0]): (home, group) for (_, home), group in joined.items()}
    kept = []
    for fault, home in zip(faults, homes, strict=True):
        if id(fault) in first:
            items = {str(each.key_path[-1]): each.value for each in first[id(fault)][1]}
            kept.append(fault._replace(kind="extra_forbidden", context={"home": home, "items": items}))
        elif home is None and not any(_follows(fault, *each) for each in first.values()):
            kept.append(fault)
    return kept


def _lifted(
    faults: Sequence[Fault], data: object, models: ModelClasses, workspace: Workspace | None
) -> Sequence[Fault]:
    """Replace what is wrong in parts of maps of any names by one fault for each part that is a key of another level.

    In `fields: {might: {type: integer}, boxes: {wounds: might}}`, 'boxes' is not a field, but the key beside 'fields'.
    """
    kept: list[Fault] = []
    homes: dict[KeyPath, Home | None] = {}
    for fault in faults:
        for path in (fault.key_path[:end] for end in range(len(fault.key_path), 0, -1)):
            levels = _levels(data, models, path[:-1]) if path not in homes else None
            if levels and all(issubclass(each, FreeKeys) for each in levels[-1][1]):
                homes[path] = _home_of_part(path, levels, faults, workspace)
            if home := homes.get(path):
                value = _levels(data, models, path)
                lifted = Fault("extra_forbidden", path, (), value[-1][0] if value else None, context={"home": home})
                kept += [lifted] if all(each.key_path != path for each in kept) else []
                break
        else:
            kept.append(fault)
    return kept


def _home_of_part(
    path: KeyPath, levels: Sequence[tuple[Any, ModelClasses]], faults: Iterable[Fault], workspace: Workspace | None
) -> Home | None:
    """Return the home of a part of a map of any names that has the name and the form of a key of another level."""
    (siblings, models), name, above = levels[-1], path[-1], path[:-1]
    if not (models and isinstance(name, str) and isinstance(siblings, dict) and name in siblings):
        return None
    items = child_models(models, name)
    if isinstance(siblings[name], dict) and not {*siblings[name]}.isdisjoint(accepted_keys(items)):
        return None
    outside = _outside(name, siblings[name], above, levels, workspace, is_free=True)
    if outside or name not in accepted_keys(items):
        return outside
    keys = [each for each in siblings if any(suits(siblings[each], model, str(each), workspace) for model in items)]
    if name not in keys:
        return None
    others = {each: value for each, value in siblings.items() if each == name or each not in keys}
    below = _below(name, above, others, models, faults)
    return below or Home((*above, ""), str(above[-1]), is_below=True, lacks_name=True)


def _unwrap(faults: Sequence[Fault]) -> list[Fault]:
    """Mark maps under an unknown name, all of whose keys belong beside it, and drop what is missing there."""
    wrapped: dict[KeyPath, set[str]] = {}
    kept = []
    for fault in faults:
        missing = {each.key_path[-1] for each in faults if each.kind == "missing" and _are_siblings(each, fault)}
        if fault.kind == "extra_forbidden" and isinstance(fault.value, dict) and missing:
            names = {name for key in missing for name in spellings_of(fault.owners, key)}
            if names & {*fault.value} and len(fault.value) > 1 and {*fault.value} <= {*accepted_keys(fault.owners)}:
                wrapped.setdefault(fault.key_path[:-1], set()).update(fault.value)
                fault = fault._replace(context={"unwraps": True})
        kept.append(fault)
    return [
        each
        for each in kept
        if each.kind != "missing"
        or wrapped.get(each.key_path[:-1], set()).isdisjoint(spellings_of(each.owners, each.key_path[-1]))
    ]


def _are_siblings(one: Fault, other: Fault) -> bool:
    return one.key_path[:-1] == other.key_path[:-1]


def _follows(fault: Fault, home: Home, moved: Iterable[Fault]) -> bool:
    """Return whether a fault is that of a map without the keys that belong in it."""
    if fault.kind == "missing" and home.is_new:
        return fault.key_path in (home.key_path, home.key_path[:-1])
    if fault.kind == "missing" and fault.key_path[:-1] == home.key_path:
        names = spellings_of(fault.owners, fault.key_path[-1])
        return any(each.key_path[-1] in names for each in moved)
    if fault.value is None:
        return fault.key_path in (home.key_path, home.key_path[:-1])
    return fault.key_path == home.key_path and bool(fault.context.get("lacks_keys"))


def _home(
    fault: Fault, data: object, models: ModelClasses, faults: Iterable[Fault], workspace: Workspace | None
) -> Home | None:
    key, above = fault.key_path[-1] if fault.key_path else 0, fault.key_path[:-1]
    levels = _levels(data, models, above)
    if not isinstance(key, str) or levels is None or not isinstance(levels[-1][0], dict):
        return None
    is_free = fault.kind == MISMATCH and (not fault.owners or all(issubclass(each, FreeKeys) for each in fault.owners))
    if "unwraps" in fault.context or (not is_free and fault.kind != "extra_forbidden"):
        return None
    known = closest(key, accepted_keys(fault.owners), VERY_CLOSE_CUTOFF)
    if known and known not in levels[-1][0]:
        return None
    below = _below(key, above, *levels[-1], faults)
    outside = None if below else _outside(key, fault.value, above, levels, workspace, is_free=is_free)
    return below or outside or _in_new(fault, *levels[-1], faults)


def _levels(data: object, models: ModelClasses, key_path: KeyPath) -> list[tuple[Any, ModelClasses]] | None:
    """Return the value at each beginning of a key path, with its models; None if it does not exist."""
    levels: list[tuple[Any, ModelClasses]] = [(data, models)]
    for step in key_path:
        names = spellings_of(models, step)
        try:
            data = next(data[name] for name in names if not isinstance(data, dict) or name in data)  # type: ignore[index]
        except (StopIteration, TypeError, IndexError, KeyError):
            return None
        models = child_models(models, step)
        levels.append((data, models))
    return levels


def _below(
    key: str, above: KeyPath, siblings: Mapping[str, Any], models: ModelClasses, faults: Iterable[Fault]
) -> Home | None:
    """Return the home of a key that should be a level deeper: in a key before it, or in one after it."""
    empty = {each.key_path: each.expected for each in faults if each.kind == MISMATCH and each.value is None}
    unknown = {each.key_path for each in faults if each.kind == "extra_forbidden"}
    names = [*siblings]
    before = names[: names.index(key)][::-1]
    for name in (*before, *names[len(before) + 1 :]):
        value, path, is_known = siblings[name], (*above, name), key in accepted_keys(child_models(models, name))
        expected = empty.get(path, ())
        if value is None and name in before:
            # Only the empty key right above, apart from others that belong there, can be meant to have any names.
            is_above = "a map" in expected and all((*above, each) in unknown for each in before[: before.index(name)])
            if is_known or is_above:
                return Home((*path, 0) if "a list" in expected else path, name, True, "a list" in expected)
        if name in before and _takes_more(value, key, siblings[key], models, name):
            return Home(path, name, is_below=True)
        if isinstance(value, list) and value:
            path, value = (*path, len(value) - 1), value[-1]
        if isinstance(value, dict) and key not in value and is_known:
            is_line = len(value) == 1 and value.keys().isdisjoint(accepted_keys(child_models(models, name)))
            return Home(path, name, is_below=True, is_line=is_line)
    return None


def _takes_more(value: object, key: str, wanted: object, models: ModelClasses, name: str) -> bool:
    """Return whether a value is a map of maps by any names, which another map suits."""
    if not (isinstance(value, dict) and value and isinstance(wanted, dict)):
        return False
    is_free = all(issubclass(each, FreeKeys) for each in child_models(models, name))
    return is_free and any(suits({key: wanted}, model, name, None) for model in models)


def _in_new(fault: Fault, siblings: Mapping[str, Any], models: ModelClasses, faults: Iterable[Fault]) -> Home | None:
    """Return the home of a key in a map that is missing beside it, or in the only one that there can be."""
    key, above = str(fault.key_path[-1]), fault.key_path[:-1]
    is_part = isinstance(fault.value, dict)
    names = {
        info.spellings[0]: model
        for model in models
        for info in model_keys(model).values()
        if siblings.keys().isdisjoint(info.spellings)
        and (_takes_part(key, fault.value, model, info) if is_part else key in accepted_keys(info.models))
    }
    missing = {each.key_path for each in faults if each.kind == "missing"}
    needed = [name for name in names if any((*above, each) in missing for each in spellings_of(models, name))]
    found = needed or ([*names] if len(names) == 1 else [])
    if len(found) != 1 or isinstance(fault.value, list):
        return None
    name = found[0]
    fields = names[name].model_fields
    annotation = next(info.annotation for attribute, info in fields.items() if (info.alias or attribute) == name)
    is_list = any(get_origin(part) in (tuple, list) for part in annotation_parts(annotation))
    return Home((*above, name, 0) if is_list else (*above, name), name, True, is_list, is_new=True)


def _takes_part(key: str, value: object, model: type[Model], info: ModelKey) -> bool:
    """Return whether a key is a map of maps by any names, of which a map with some keys can be one."""
    is_free = bool(info.models) and all(issubclass(each, FreeKeys) and each.VALUES for each in info.models)
    return is_free and bool(value) and suits({key: value}, model, info.spellings[0], None)


def _outside(
    key: str,
    value: object,
    above: KeyPath,
    levels: Sequence[tuple[Any, ModelClasses]],
    workspace: Workspace | None,
    *,
    is_free: bool,
) -> Home | None:
    """Return the home of a key that should be less deep. In a map of any names, its value must fit there."""
    for depth in range(len(above) - 1, -1, -1):
        container, models = levels[depth]
        fits = key in accepted_keys(models) and isinstance(container, dict) and key not in container
        if fits and (not is_free or any(suits(value, model, key, workspace) for model in models)):
            return Home(above[:depth], str(above[depth]), is_below=False)
    return None


def suits(value: object, model: type[Model], key: str, workspace: Workspace | None) -> bool:
    """Return whether a value is valid for a key of a model; False for a key that the model lacks."""
    info = model.model_fields.get(key)
    if info is None:
        return False
    annotation: Any = Annotated[info.annotation, info]
    with suppress(ValidationError):
        TypeAdapter(annotation).validate_python(value, context=workspace)
        return True
    return False

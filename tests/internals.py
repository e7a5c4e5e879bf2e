"""Internals of a library that the program uses, found in the source."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Callable, Iterator, Mapping, Set
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

PACKAGE = Path(__file__).parents[1] / "cardgen"
_OWN = {"self", "cls", "__self"}
# The methods of a named tuple have an underscore so that they cannot be fields.
_NAMED_TUPLE = {"_replace", "_asdict", "_fields", "_make"}
_PRIVATE = re.compile(r"_[a-zA-Z]\w*(?<!__)", re.ASCII)

Imports = Mapping[str, tuple[str, str]]


def uses(library: str, internal_modules: Set[str], known: Set[str]) -> Mapping[str, Set[str]]:
    """Map internal names of a library to the files that use them.

    Internal names are names imported from `internal_modules`; attributes of other objects, and quoted words, that begin
    with an underscore; the `known` attributes; and members of library classes that a subclass overrides, calls, or
    sets. Files that do not import the library are searched for the underscored names that the other files use.
    """
    texts = {path.relative_to(PACKAGE).as_posix(): path.read_text(encoding="utf-8") for path in PACKAGE.rglob("*.py")}
    files: dict[str, set[str]] = {}
    for path, text in texts.items():
        if library in text:
            tree = ast.parse(text)
            imports = dict(_imports(tree, library))
            for name in _names(tree, imports, internal_modules, known) if imports else ():
                files.setdefault(name, set()).add(path)
    for name in filter(_PRIVATE.fullmatch, files):
        foreign = re.compile(rf"\b(?!self\b)\w+\.{name}\b")
        files[name] |= {path for path, text in texts.items() if foreign.search(text)}
    return files


def _imports(tree: ast.AST, library: str) -> Iterator[tuple[str, tuple[str, str]]]:
    """Yield the names that a file imports from a library.

    Each has its local name, the module, and the name in the module.
    """
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            assert not any(alias.name.split(".")[0] == library for alias in node.names), "use 'from … import'"
        elif isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] == library:
            yield from ((alias.asname or alias.name, (node.module, alias.name)) for alias in node.names)


def _names(tree: ast.AST, imports: Imports, internal_modules: Set[str], known: Set[str]) -> Iterator[str]:
    yield from (f"{module}.{name}" for module, name in imports.values() if module in internal_modules)
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            foreign = _PRIVATE.fullmatch(node.attr) and node.attr not in _NAMED_TUPLE and not _is_own(node.value)
            if node.attr in known or foreign:
                yield node.attr
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and _PRIVATE.fullmatch(node.value):
            yield node.value
        elif isinstance(node, ast.ClassDef):
            yield from known & set(_members(node))
            for base in map(ast.unparse, node.bases):
                yield from _inherited(node, base, imports)


def _is_own(node: ast.expr) -> bool:
    """Return whether the owner of an attribute is `self` or `super()`."""
    is_super = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "super"
    return is_super or (isinstance(node, ast.Name) and node.id in _OWN)


def _inherited(node: ast.ClassDef, base: str, imports: Imports) -> Iterator[str]:
    """Yield the names that a class inherits from a library class."""
    first, *rest = base.split(".")
    if first in imports:
        module, name = imports[first]
        owner: Any = getattr(import_module(module), name)
        for each in rest:
            owner = getattr(owner, each)
        yield from (f"{base}.{name}" for name in _members(node) if not name.endswith("__") and is_member(owner, name))


def _members(node: ast.ClassDef) -> Iterator[str]:
    for each in ast.walk(node):
        if isinstance(each, ast.FunctionDef):
            yield each.name
        elif isinstance(each, ast.Attribute) and _is_own(each.value):
            yield each.attr
    for statement in node.body:
        if isinstance(statement, ast.Assign):
            yield from (target.id for target in statement.targets if isinstance(target, ast.Name))


def is_member(owner: type, name: str) -> bool:
    """Return whether a class or its instances have an attribute."""
    return hasattr(owner, name) or re.search(rf"\bself\.{name}\b", _source(owner)) is not None


@cache
def _source(owner: type) -> str:
    return "\n".join(inspect.getsource(each) for each in inspect.getmro(owner) if each is not object)


def parameters(function: Callable[..., Any]) -> str:
    """Return the names of a function's parameters as in its signature."""
    return ", ".join(_parameter(each) for each in inspect.signature(function).parameters.values())


def _parameter(parameter: inspect.Parameter) -> str:
    several = {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}
    return next((sign for kind, sign in several.items() if parameter.kind is kind), "") + parameter.name

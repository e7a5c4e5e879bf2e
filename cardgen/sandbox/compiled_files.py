"""Compiled templates of the program, kept in `__pycache__` as Python keeps compiled modules."""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from importlib.util import MAGIC_NUMBER, cache_from_source
from marshal import dumps, loads
from pathlib import Path
from types import CodeType

from jinja2 import compiler as jinja_compiler

from cardgen.runtime.fingerprint import WATCHED, stamp
from cardgen.sandbox.template_dependencies import TemplateDependencies

_SUFFIX = ".jinja"
_DIGEST_SIZE = 32

# Source, name, and file of a template.
TemplateKey = tuple[str, str, str]
CompiledTemplate = tuple[CodeType, TemplateDependencies]


class CompiledFiles:
    """Files of compiled templates, for templates below some folders; without `can_write`, they are only read.

    Whoever can write these files can also change the program, so only folders of the program may be given.
    """

    def __init__(self, folders: Sequence[Path] = (), *, can_write: bool = False) -> None:
        self._folders, self._can_write = tuple(folders), can_write

    def load(self, key: TemplateKey) -> CompiledTemplate | None:
        """Return a template that was compiled from the same source by the same program, or None."""
        path = self._path(key)
        try:
            content = path.read_bytes() if path else b""
            if not path or content[:_DIGEST_SIZE] != _digest(key):
                return None
            code, *dependencies = loads(content[_DIGEST_SIZE:])
        except (OSError, EOFError, ValueError, TypeError):
            return None
        return code, TemplateDependencies(*dependencies)

    def store(self, key: TemplateKey, compiled: CompiledTemplate) -> None:
        """Write a compiled template, if that is possible."""
        path = self._path(key)
        if path is None or not self._can_write or sys.dont_write_bytecode:
            return
        code, needs = compiled
        parts = (code, needs.names, needs.referenced_templates, needs.pure_macros, needs.only_macros, needs.assigned)
        unfinished = path.with_suffix(f".{os.getpid()}")
        with suppress(OSError):
            path.parent.mkdir(parents=True, exist_ok=True)
            unfinished.write_bytes(_digest(key) + dumps(parts))
            unfinished.replace(path)

    def _path(self, key: TemplateKey) -> Path | None:
        file = Path(key[2])
        if not any(file.is_relative_to(folder) for folder in self._folders):
            return None
        try:
            return Path(cache_from_source(str(file))).with_suffix(_SUFFIX)
        except NotImplementedError:  # this Python keeps no compiled modules
            return None


def _digest(key: TemplateKey) -> bytes:
    return hashlib.sha256(repr((key, _compiler())).encode("utf-8", "surrogatepass")).digest()


@cache
def _compiler() -> tuple[object, ...]:
    """Return what the code of a template depends on besides its source: Python, Jinja2, and the sandbox."""
    files = (Path(jinja_compiler.__file__), *sorted(Path(__file__).parent.glob("*.py")))
    return (MAGIC_NUMBER, *(stamp(file, WATCHED) for file in files))

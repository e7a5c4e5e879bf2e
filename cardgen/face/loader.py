"""Where templates are found: by name in some folders, out of which no name leads."""

from __future__ import annotations

from collections.abc import Callable, MutableMapping, Sequence
from pathlib import Path
from typing import Any

from jinja2 import BaseLoader, TemplateNotFound, TemplateSyntaxError
from jinja2.environment import Environment, Template

_MAX_TEMPLATE_BYTES = 1 << 20
# All that Jinja2 looks for begins with one of these.
_JINJA_DELIMITERS = ("{{", "{%", "{#")


class FolderLoader(BaseLoader):
    """Finds templates by name in folders, the first one that has it wins; none of them can be left."""

    def __init__(self, folders: Sequence[Path]) -> None:
        self.folders = tuple(folder.resolve() for folder in folders)
        self._paths: dict[str, Path] = {}

    def find(self, name: str) -> Path | None:
        """The file of that name, or None; once found it is not looked for again."""
        if name not in self._paths:
            path = self._search(name)
            if path is None:
                return None
            self._paths[name] = path
        return self._paths[name]

    def _search(self, name: str) -> Path | None:
        for folder in self.folders:
            try:
                path = (folder / name).resolve()
                if path.is_relative_to(folder) and path.is_file():
                    return path
            except (OSError, RuntimeError, ValueError):  # A name too long, a loop of links, or a null byte.
                continue
        return None

    def load(
        self,
        environment: Environment,
        name: str,
        globals: MutableMapping[str, Any] | None = None,  # noqa: A002 - Jinja2's name
    ) -> Template:
        """The template of that name. A file that says nothing to Jinja2, such as a drawing, is not compiled."""
        source, path, _ = self.get_source(environment, name)
        if any(mark in source for mark in _JINJA_DELIMITERS):
            return environment.template_class.from_code(
                environment, environment.compile(source, name, path), globals or {}
            )
        text = source.removesuffix("\n")
        module = {
            "name": name,
            "__file__": path,
            "blocks": {},
            "debug_info": "",
            "root": lambda _: (part for part in (text,)),
        }
        return environment.template_class.from_module_dict(environment, module, globals or {})

    def get_source(self, environment: Environment, template: str) -> tuple[str, str, Callable[[], bool]]:
        """What Jinja2 asks for: the text, its file, and whether it is still the newest."""
        path = self.find(template)
        if path is None:
            raise TemplateNotFound(template)
        try:
            status = path.stat()
            content = path.read_bytes() if status.st_size <= _MAX_TEMPLATE_BYTES else b""
        except OSError as error:
            message = f"the file cannot be read: {error.strerror or error}"
            raise TemplateSyntaxError(message, 1, template, str(path)) from None
        if status.st_size > _MAX_TEMPLATE_BYTES:
            message = f"the file is larger than {_MAX_TEMPLATE_BYTES // 1024:,} KiB"
            raise TemplateSyntaxError(message, 1, template, str(path))
        return _decode(content, template, path), str(path), lambda: path.stat().st_mtime_ns == status.st_mtime_ns


def _decode(content: bytes, template: str, path: Path) -> str:
    try:
        return content.decode("utf-8").replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        message = f"byte {error.start + 1}, 0x{content[error.start]:02X}, is no UTF-8; save it as UTF-8"
        raise TemplateSyntaxError(message, line, template, str(path)) from None

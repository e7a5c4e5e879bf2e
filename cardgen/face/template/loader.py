"""Loader of templates from folders."""

from __future__ import annotations

from collections.abc import Callable, MutableMapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Any

from jinja2 import BaseLoader, TemplateNotFound, TemplateSyntaxError
from jinja2.environment import Environment, Template

from cardgen.project.confinement import require_inside
from cardgen.project.files import display_path
from cardgen.project.template_folders import MAX_TEMPLATE_BYTES, AnyTemplateFolder, to_template_folder
from cardgen.runtime import regular_file

# Everything that Jinja2 interprets starts with one of these.
_JINJA_DELIMITERS = ("{{", "{%", "{#")
SUFFIX = ".svg.j2"


class FolderLoader(BaseLoader):
    """Loader of templates by name from folders; earlier ones have priority.

    Names cannot point outside the folders.
    """

    def __init__(self, folders: Sequence[AnyTemplateFolder]) -> None:
        self.folders = tuple(each._replace(path=each.path.resolve()) for each in map(to_template_folder, folders))
        self._paths: dict[str, Path] = {}

    def find(self, name: str) -> Path | None:
        """Return the file of a template, or None.

        A file that was found is not searched for again.
        """
        if name not in self._paths:
            path = self._search(name)
            if path is None:
                return None
            self._paths[name] = path
        return self._paths[name]

    def _search(self, name: str) -> Path | None:
        for folder in self.folders:
            try:
                written = folder.find(name)
                path = written.resolve() if written else None
                if written and path and path.is_file() and (path.is_relative_to(folder.path) or _is_plain(name)):
                    return require_inside(folder.path, path, display_path(written))
            except (OSError, RuntimeError, ValueError):  # name too long, symlink loop, or null byte
                continue
        return None

    def load(
        self,
        environment: Environment,
        name: str,
        globals: MutableMapping[str, Any] | None = None,  # noqa: A002 - Jinja2's name
    ) -> Template:
        """Return the template of that name.

        A file without Jinja2 syntax, such as a drawing, is not compiled.
        """
        source, path, _ = self.get_source(environment, name)
        if environment.extensions or any(mark in source for mark in _JINJA_DELIMITERS):
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
        """Return what Jinja2 needs: text, file, and a freshness check."""
        path = self.find(template)
        if path is None:
            raise TemplateNotFound(template)
        try:
            content = regular_file.read(path, MAX_TEMPLATE_BYTES)
        except regular_file.FileTooLargeError:
            message = f"the file is larger than {MAX_TEMPLATE_BYTES // 1024:,} KiB"
            raise TemplateSyntaxError(message, 1, template, str(path)) from None
        except OSError as error:
            message = f"the file cannot be read: {error.strerror or error}"
            raise TemplateSyntaxError(message, 1, template, str(path)) from None
        text = _decode(content, template, path)
        if template.endswith(SUFFIX) and path.suffix == ".svg":
            from cardgen.face.inkscape.convert import convert  # loaded here because few templates are drawings

            text = convert(text)
        return text, str(path), lambda: True


def _decode(content: bytes, template: str, path: Path) -> str:
    try:
        return content.decode("utf-8").replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        message = f"byte {error.start + 1}, 0x{content[error.start]:02X}, is not valid UTF-8; save the file as UTF-8"
        raise TemplateSyntaxError(message, line, template, str(path)) from None


def _is_plain(name: str) -> bool:
    """Return whether a name leads out of its folder only through a link."""
    path = PurePosixPath(name)
    return not path.is_absolute() and ".." not in path.parts

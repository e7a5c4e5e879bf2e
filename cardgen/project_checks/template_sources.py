"""Sources of the templates that can print a card, and the fields that none of them reads.

They are read as text, because the template engine takes longer to load than all checks to run.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

from cardgen.checking.check import UnreadField
from cardgen.deck.deck import require_game
from cardgen.model.card import Entry
from cardgen.project import Project
from cardgen.project.files import MAX_TEMPLATE_BYTES, built_in_folder, game_folders, is_inside, template_text
from cardgen.rulesets import ruleset
from cardgen.rulesets.ruleset import kinds_made_from

_SUFFIX = ".svg.j2"
_COMMENT = re.compile(r"\{#.*?(?:#\}|\Z)", re.DOTALL)
# A tag that loads another template, and the name of that template if it is constant.
_LOADER = re.compile(r"\{%-?\s*(?:include|import|from|extends)\s+([^%]*)")
_CONSTANT = re.compile(r"""(["'])([^"']+)\1(?!\s*~)""")


class TemplateSources:
    """Sources of templates by game and name, each read once."""

    def __init__(self, project: Project) -> None:
        self._root, self._workspace = project.root, project.workspace
        self._folders = project.template_folders()
        self._joined: dict[tuple[str, str, str], str] = {}

    def find(self, game: str, name: str) -> Path | None:
        """Return the file of a template, such as 'minion.back', or None."""
        return self._find(f"{game}/{name}{_SUFFIX}")

    def of_card(self, entry: Entry) -> str:
        """Return the sources of all templates that can print a card.

        This includes the templates of pieces made from it. It is '' for a card that is not printed, and if not all
        templates are certain: one is missing, its name is computed, or it is a drawing with mistakes.
        """
        name = entry.card.template or entry.kind
        return self._of_kind(entry.kind, entry.game, name, entry.card.back or name)

    def of_sides(self, entry: Entry) -> str:
        """Return the sources of the templates that draw the sides of a card, or '' as `of_card` does."""
        name = entry.card.template or entry.kind
        return self._join(entry.kind, entry.game, name, entry.card.back or name, pieces=False)

    def of_kind(self, game: str, kind: str) -> str:
        """Return the sources of all templates that print cards of a kind, or '' as `of_card` does."""
        return self._of_kind(kind, game, kind, kind)

    def _of_kind(self, kind: str, game: str, front: str, back: str) -> str:
        key = (game, front, back)
        if key not in self._joined:
            self._joined[key] = self._join(kind, *key)
        return self._joined[key]

    def of_game(self, game: str) -> str:
        """Return the sources of all templates of a game, except links out of the project."""
        folders = game_folders(self._folders, game)
        paths = (path for folder in folders for path in sorted(folder.glob("*")))
        own = (path for path in paths if path.name.endswith((_SUFFIX, ".svg")) and self._is_own(path))
        return "\n".join(_source(template_text(path, self._workspace.unsaved), path) for path in own)

    def _join(self, kind_name: str, game: str, front: str, back: str, *, pieces: bool = True) -> str:
        kinds = require_game(game, self._workspace).kinds
        if not kinds[kind_name].is_printed or self.find(game, front) is None:
            return ""
        made = kinds_made_from(kinds, kind_name) if pieces else ()
        names = [front, f"{front}.long", f"{back}.back", *made]
        try:
            return "\n".join(self._closure([f"{game}/{name}{_SUFFIX}" for name in names if self.find(game, name)]))
        except (LookupError, OSError, ValueError):
            return ""

    def _closure(self, files: list[str]) -> Iterator[str]:
        """Yield the source of each file and of all that it loads.

        Raises LookupError if one of them is unknown.
        """
        seen = set[str]()
        while files:
            file = files.pop()
            if file not in seen:
                seen.add(file)
                source = self._read(file)
                yield source
                files += map(_constant_name, _LOADER.findall(source))

    def _read(self, file: str) -> str:
        path = self._find(file)
        if path is None or not self._is_own(path):
            raise LookupError(file)
        text = self._workspace.read(path, MAX_TEMPLATE_BYTES).decode()
        source = _converted(text) if path.suffix == ".svg" else text
        if source is None:
            raise LookupError(file)
        return _COMMENT.sub("", source)

    def _is_own(self, path: Path) -> bool:
        return path.is_file() and is_inside(self._root if path.is_relative_to(self._root) else path.parent, path)

    def _find(self, file: str) -> Path | None:
        return next((path for folder in self._folders if (path := folder.find(file))), None)


def _source(text: str, path: Path) -> str:
    """Return the text of a template without its comments.

    The fields of a drawing with mistakes are its labels, in any capitalization.
    """
    if path.suffix != ".svg":
        return _COMMENT.sub("", text)
    source = _converted(text)
    return text.lower() if source is None else _COMMENT.sub("", source)


def _converted(drawing: str) -> str | None:
    """Return the template that a drawing is converted to, or None if it has mistakes."""
    # Loaded here because few projects have drawings.
    from cardgen.face.inkscape import convert
    from cardgen.face.inkscape_texts import DrawingError

    try:
        return convert(drawing)
    except DrawingError:
        return None


def has_own_templates(project: Project) -> bool:
    """Return whether a project, or a game in it, has templates or fonts besides those of the program.

    A wheel contains a folder of fonts, and a checkout does not.
    """
    own = (*project.folders("fonts"), *(folder.path for folder in project.template_folders()))
    return not {built_in_folder("fonts"), built_in_folder("templates")}.issuperset(own)


def _constant_name(expression: str) -> str:
    name = _CONSTANT.match(expression.strip())
    if name is None:
        raise LookupError(expression)
    return name[2]


def unread_fields(
    project: Project, sources: TemplateSources, entries: Callable[[], Iterable[Entry]]
) -> Iterator[UnreadField]:
    """Yield the free fields that the templates of their kind do not read."""
    if not project.settings.kinds or project.document is None:
        return
    game, cards = project.settings.game or ruleset.default_game(), tuple(entries())
    for kind, block in project.settings.kinds.items():
        of_cards = (sources.of_card(entry) for entry in cards if (entry.game, entry.kind) == (game, kind))
        texts = {sources.of_kind(game, kind), *of_cards}
        fields = block.get("fields") if isinstance(block, Mapping) else None
        if "" in texts or not isinstance(fields, Mapping):
            continue
        for field in fields:
            if not any(_reads(text, field) for text in texts):
                place = project.document.place(("kinds", kind, "fields", field), key=True)
                yield UnreadField(kind, field, place)


def _reads(source: str, field: str) -> bool:
    """Return whether a template mentions a field, as `card.field`, as a text, or as the field of a box."""
    name = re.escape(field)
    return re.search(rf"\.\s*{name}\b|[\"']{name}[\"'/]", source) is not None

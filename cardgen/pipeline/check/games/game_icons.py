"""Icons that a game file names."""

from __future__ import annotations

from collections.abc import Iterator

from cardgen.codes import Code
from cardgen.diagnostic import Diagnostic
from cardgen.game_file.context import GameContext
from cardgen.pipeline.load.deck import icon_folders
from cardgen.project import Project
from cardgen.source import KeyPath
from cardgen.validation.suggestion import did_you_mean


def unknown_icons(context: GameContext, game: str, project: Project) -> Iterator[Diagnostic]:
    """Yield a problem for each icon that does not exist."""
    from cardgen.face.vector_art.artwork import read_icon  # loaded here because it imports HarfBuzz
    from cardgen.text.icons import Icons

    icons = Icons(icon_folders(project, game), read=read_icon)
    for path, name in _icons(context):
        if not icons.is_project_icon(name) and icons.find(name) is None:
            message = f"unknown icon '{name}'{did_you_mean(name, icons.names())}"
            help_text = "use an icon of Font Awesome's free solid set, or add an SVG file to the folder 'icons'"
            yield Diagnostic(Code.INVALID_GAME, message, context.place(path), help_text)


def _icons(context: GameContext) -> Iterator[tuple[KeyPath, str]]:
    """Yield each icon with its key path."""
    spec = context.spec
    for section, owners in (("kinds", spec.kinds), ("types", spec.types), ("lists", spec.lists)):
        for owner, each in owners.items():
            for field, field_spec in each.fields.items():
                if field_spec.icon:
                    yield (section, owner, "fields", field, "icon"), field_spec.icon
    for name, piece in spec.pieces.items():
        if piece.icon:
            yield ("pieces", name, "icon"), piece.icon

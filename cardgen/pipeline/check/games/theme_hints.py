"""Font files, faces, and names of a theme that a game does not print as its author expects."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from cardgen.codes import Code
from cardgen.diagnostic import CardgenError, Diagnostic, Place, Severity
from cardgen.face.theme import Theme, load_theme, place_in, theme_documents
from cardgen.pipeline.check.template_sources import TemplateSources
from cardgen.project import Project
from cardgen.project.files import is_inside
from cardgen.rulesets.ruleset import Ruleset
from cardgen.source.document import Document
from cardgen.text.fonts import Fonts
from cardgen.validation.suggestion import did_you_mean, join_words

_OTHER_FORMATS = frozenset({".woff", ".woff2", ".ttc", ".otc", ".pfb", ".eot"})


def theme_hints(rules: Ruleset, project: Project) -> Iterator[Diagnostic]:
    """Yield warnings about the fonts and the theme of a game; errors in them are reported when cards are rendered."""
    yield from _other_formats(project)
    selection = (project.template_folders(), rules.id, project.settings.theme, rules.base_theme)
    fonts = Fonts(project.folders("fonts"))
    try:
        if any(fonts.unusable_files()):
            return
        theme, documents = load_theme(*selection, fonts.family_problem), theme_documents(*selection)
    except CardgenError:
        return
    yield from _missing_faces(theme, documents, fonts)
    yield from _unread_names(theme, documents, TemplateSources(project).of_game(rules.id))


def _warning(message: str, place: Place, advice: str) -> Diagnostic:
    return Diagnostic(Code.LOOSE_END, message, place, advice, Severity.WARNING)


def _other_formats(project: Project) -> Iterator[Diagnostic]:
    for folder in project.folders("fonts"):
        for path in sorted(folder.rglob("*")):
            if path.suffix.lower() in _OTHER_FORMATS and is_inside(folder, path):
                message = f"fonts in the format {path.suffix.lower()} are not read"
                yield _warning(message, Place(project.display_path(path)), "add the font as a .ttf or .otf file")


def _missing_faces(theme: Theme, documents: Sequence[Document], fonts: Fonts) -> Iterator[Diagnostic]:
    """Yield a warning for each family without the bold or italic face that styles use."""
    for font, family in theme.fonts.items():
        styles = {name: style for name, style in theme.styles.items() if style.font == font}
        for face in ("bold", "italic"):
            users = sorted(f"'{name}'" for name, style in styles.items() if getattr(style, face))
            if users and not fonts.has_face(family, bold=face == "bold", italic=face == "italic"):
                message = f"the family '{family}' has no {face} face, which the styles {join_words(users, 'and')} use"
                advice = "add the file of that face to fonts/, or choose another family"
                yield _warning(message, place_in(documents, ("fonts", font)), advice)


def _unread_names(theme: Theme, documents: Sequence[Document], templates: str) -> Iterator[Diagnostic]:
    """Yield a warning for each new color or font that nothing reads, and whose name is almost that of another one."""
    words = _words_of_styles(theme)
    for number, document in enumerate(documents):
        for section in ("colours", "fonts"):
            others = {name for each in documents[:number] for name in _names(each, section)}
            own = _names(document, section)
            for name in own:
                hint = did_you_mean(name, sorted(others - {*own}))
                if hint and name not in {*others, *words} and name not in templates:
                    message = f"nothing reads the {section.removesuffix('s').replace('colour', 'color')} '{name}'{hint}"
                    yield _warning(message, document.place((section, name), key=True), "correct the name, or remove it")


def _words_of_styles(theme: Theme) -> Collection[str | None]:
    styles = theme.styles.values()
    return {word for style in styles for word in (style.font, style.colour, style.emphasis)}


def _names(document: Document, section: str) -> Mapping[str, Any]:
    content = document.data if isinstance(document.data, dict) else {}
    names = content.get(section)
    return names if isinstance(names, dict) else {}

"""A file with cards, or with a look of cards, that is not read, because of its folder, its name, or the settings.

Why is this bad?
    The cards are never checked, built, or found by name. In a project with a folder `cards`, only files in that folder
    are card files, and their names end in `.yaml` or `.yml`. Tables are read if `cardgen.yaml` lists them.
"""

from __future__ import annotations

from collections.abc import Iterator

from cardgen.checking.check import CheckContext, CheckScope, Confidence, Finding
from cardgen.diagnostic import Place, Severity
from cardgen.project.files import CARD_SUFFIXES
from cardgen.source import read_document

CODE, NAME = "CG131", "misplaced-card"
SEVERITY, CONFIDENCE = Severity.WARNING, Confidence.LIKELY
LOOKS_AT = CheckScope


def find(scope: CheckScope, context: CheckContext) -> Iterator[Finding]:
    """Yield the cards in files that were not read."""
    for shown, (path, message, help_text) in scope.services.unread_files().items():
        if message:
            yield Finding(message, help=help_text, place=Place(shown))
            continue
        document = read_document(path, shown)
        data = document.data if isinstance(document.data, dict) else {}
        # Files of other programs can have a kind, too, such as those of Kubernetes.
        if {"kind", "name"} <= data.keys() or isinstance(data.get("cards"), list):
            place = document.place(("cards" if "cards" in data else "kind",), key=True)
            is_named = path.suffix in CARD_SUFFIXES
            advice = "move the file into the folder 'cards'" if is_named else "let its name end in .yaml, or delete it"
            yield Finding("a card in a file that is not read", help=advice, place=place)

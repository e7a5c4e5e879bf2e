"""A card in a file that is not read, because it is not in the folder of the cards.

Why is this bad?
    The card is never checked, built, or found by its name. In a project with a folder `cards`, only the files in it are
    card files.
    Files of YAML with a kind and a name, or with a list of cards, are reported if you check the whole project.
"""

from __future__ import annotations

from collections.abc import Iterator

from cardgen.checking.check import CheckContext, CheckScope, Confidence, Finding
from cardgen.diagnostic import Severity
from cardgen.source import read_document

CODE, NAME = "CG131", "misplaced-card"
SEVERITY, CONFIDENCE = Severity.WARNING, Confidence.LIKELY
LOOKS_AT = CheckScope


def find(scope: CheckScope, context: CheckContext) -> Iterator[Finding]:
    """Yield the cards in files that were not read."""
    for shown, path in scope.services.unread_files().items():
        document = read_document(path, shown)
        data = document.data if isinstance(document.data, dict) else {}
        # Files of other programs can have a kind, too, such as those of Kubernetes.
        if {"kind", "name"} <= data.keys() or isinstance(data.get("cards"), list):
            place = document.place(("cards" if "cards" in data else "kind",), key=True)
            yield Finding(
                "a card in a file that is not read", help="move the file into the folder 'cards'", place=place
            )

"""Free fields of a project that no template reads."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from cardgen.checking.context import UnreadField
from cardgen.model.entry import Entry
from cardgen.pipeline.check.template_sources import TemplateSources
from cardgen.project import Project
from cardgen.rulesets import ruleset


def unread_fields(project: Project, sources: TemplateSources, entries: Iterable[Entry]) -> Iterator[UnreadField]:
    """Yield the free fields that the templates of their kind do not read."""
    if not project.settings.kinds or project.document is None:
        return
    game, cards = project.settings.game or ruleset.default_game(), tuple(entries)
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

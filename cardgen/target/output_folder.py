"""The folder of an export: one for all cards, and others for parts of them, so that none replaces another's files."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

from cardgen.validation.suggestion import slugify


def part_folder(whole: Path, options: Mapping[str, Any], paths: Collection[Path] = ()) -> Path:
    """Return the folder of an export: `whole` for all cards, or one beside it for the cards that options select.

    `paths` are the card files of the export if they are not those of the project.
    """
    parts = [whole.name]
    if warband := options.get("warband"):
        parts.append(slugify(warband))
    if options.get("only") or paths:
        parts.append("selection")
    if release := options.get("changed_since"):
        from cardgen.releases.selection import file_name_part  # loaded here because few exports need it

        parts.append(f"since-{file_name_part(release)}")
    return whole.with_name("-".join(parts))

"""The release in which the rules and words of each card last changed."""

from __future__ import annotations

from cardgen.pipeline.build.version_mark import Versions
from cardgen.pipeline.release.changes import Change, compare
from cardgen.pipeline.release.release_file import release_date
from cardgen.pipeline.release.run import in_own_context, load_release, release_files
from cardgen.pipeline.release.selection import whole_release
from cardgen.project import Project

_COUNTED = frozenset({Change.NEW, Change.RULES, Change.RENAMED, Change.WORDS})


def card_versions(project: Project) -> Versions:
    """Return the version of each card: the earliest release since which its rules and words are the same.

    The version of a card that changed after the latest release says so, without a date.
    """
    files = release_files(project.root)
    now = in_own_context(lambda: whole_release(project))
    latest = next(reversed(files), None)
    versions = {card.key: (f"after {latest}", "") for card in now.cards} if latest else {}
    same = set(versions)
    for name, path in reversed(files.items()):
        changes = compare(load_release(project.root, name), now)
        same -= {each.new.key for each in changes.cards if each.new and _COUNTED & {*each.changes}}
        if not same:
            break
        date = release_date(path)
        versions.update((key, (name, date)) for key in same)
    return Versions(versions)

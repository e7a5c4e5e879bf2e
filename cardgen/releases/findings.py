"""Findings that a project has gained since a release, such as those that a branch causes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from string import digits
from typing import Any

from cardgen.checking.checks import lost_id, misplaced_card, stale_translation, unused_art
from cardgen.checking.locate import BaselineEntry, LocatedFinding, entry_for, relative_name
from cardgen.checking.runner import CheckResult, sort_findings
from cardgen.deck.deck import list_cards, load_whole_deck
from cardgen.diagnostic import CardgenError, Code, Diagnostic, Place, Severity, Span, join_words, slugify
from cardgen.project.files import RELEASES_FOLDER, display_path
from cardgen.project.ignored import matches_pattern
from cardgen.project_checks.run import NOTHING_CHECKED, CheckRequest, check_project
from cardgen.releases.branch_findings import (
    LARGEST,
    Branch,
    check_settings,
    number_now,
    stricter,
    text_lines,
    with_source,
)
from cardgen.releases.changed_texts import ChangedTexts
from cardgen.releases.consequences import without_consequences, without_echoes, without_repetitions
from cardgen.releases.earlier_values import FOUND_HERE, EarlierValues, ValueChange, quoted_lines, undone
from cardgen.releases.odd_changes import odd_changes
from cardgen.releases.run import load_commit
from cardgen.runtime import regular_file
from cardgen.runtime.fingerprint import SETTINGS_FILE, TABLE_SUFFIXES, find_project_root
from cardgen.runtime.workspace import GAMES_FOLDER, Workspace, game_paths

# Beginnings of the codes of what is found when cards are drawn.
_LOOKS_CODES = ("CG5",)
# Beginnings of the codes of what keeps a whole file from being read.
_WHOLE_FILE = ("CG00", "CG01", Code.UNKNOWN_FORMAT, Code.UNKNOWN_GAME, Code.UNKNOWN_KIND)
# Files that are named by cards and templates, without or with this ending.
_LOOKS = frozenset({".svg", ".png", ".jpg", ".jpeg", ".webp", ".ttf", ".otf", ".j2", *TABLE_SUFFIXES})
_OF_EXAMPLE = "the example is not a valid "
# Places and names that a finding lists.
_MOST_NAMED = 5
_NUMBER = re.compile(r"\d[\d.,]*")
_QUOTED = re.compile(r"'([^']+)'")
_UNKNOWN = re.compile(r"unknown (.+?) '([^']+)'")
_LOST = re.compile(lost_id.MESSAGE.format("([a-z0-9-]+)", ".+"))
_GONE = re.compile(lost_id.MESSAGE.format("([a-z0-9-]+)", ".+?") + "; it was in (.+)")
_LISTED_PLACE = re.compile(r"(.+?)(?::(\d+):\d+|!([^!]*:[A-Z]+\d+)|:(?:/.*))?")


def _in_file(each: BaselineEntry) -> tuple[str, ...]:
    return each.file, each.code, each.message


# What a finding of before shares with the same one of now: all, all but its file, all but its line, or all but its
# figures, which other cards can change.
_SAME: Sequence[Callable[[BaselineEntry], tuple[str, ...]]] = (
    lambda each: each,
    lambda each: (each.code, each.message, each.text),
    _in_file,
    lambda each: (each.file, each.code, each.text, _NUMBER.sub("#", each.message)),
)


def gained_findings(result: CheckResult, request: CheckRequest, release: str, argument: str) -> CheckResult:
    """Return the result without the findings that the project had in a release, or at a tag or commit of Git.

    The whole project of then is checked as it was, by the checks of today. A finding stays the same if its file was
    renamed, or if its line changed in a way that leaves the finding as it is. Each is shown at a new line, if it has
    one. The fail level is the stricter one of both. Raises CardgenError, located at the `argument` with the name of the
    release, if it is unknown.
    """
    root = find_project_root(Path.cwd()) if request.workspace is None else request.workspace.root
    now = request.workspace or Workspace(root)
    with load_commit(root, release, argument) as folder:
        then = _workspace_of(folder, request.workspace)  # of a folder that nobody asks about again
        has_new_games = not request.paths and _have_games_changed(folder, root)
        if has_new_games:
            result = result._replace(findings=_with_games(result.findings, request, root, request.workspace))

        def compared(*, fit: bool) -> tuple[CheckResult, list[LocatedFinding]]:
            before = _found_before(request._replace(fit=fit), then, result)
            if has_new_games:
                before = before._replace(findings=_with_games(before.findings, request, folder, then))
            return before, _gained(result.findings, before.findings, folder, root)[0]

        looks = any(map(_is_of_looks, result.findings))
        before, findings = compared(fit=request.fit and looks)
        if request.fit and findings and not looks:
            # What is old may be found only when pieces are made and drawn, too.
            before, findings = compared(fit=True)
        older = len(result.findings) - len(findings)
        cards = cache(partial(_places_by_id, folder, request.workspace))
        earlier = EarlierValues(folder, root, cards().values(), (_at(each, folder) for each in before.findings))
        lines = cache(partial(_lines, folder))

        def is_old(place: Place) -> bool:
            return place.source_line in lines(relative_name(place.file, root)) and not earlier.is_changed(place)

        findings = [each._replace(diagnostic=_at_its_cause(each.diagnostic, is_old, root)) for each in findings]
        findings = [*_at_lost_files(without_consequences(findings, is_old), folder, root, release)]
        findings = [*_at_moved_files(findings, cards(), folder, root)]
        findings = [*_without_unread(findings, cards, is_old, root)]
        findings = [*_to_lost_cards(findings, then, now, release)]
        lost_cards = _LostCards(cards, earlier, is_old, folder, root)
        findings = lost_cards.told(findings)
        is_whole = all(regular_file.is_file_inside(folder, relative_name(name, root)) for name in result.files)
        findings = [*_joined(_explained(each, earlier, is_whole=is_whole) for each in findings)]
        if not request.paths:
            hidden, _ = _gained([each for each, _ in result.hidden], [each for each, _ in before.hidden], folder, root)
            pairs = [pair for pair in result.hidden if pair[0] in hidden]
            branch = Branch(result, pairs, folder, root, then, now, release, earlier)
            findings += lost_cards.unmissed(branch)
            findings = [*without_repetitions(findings, [*branch.findings(), *odd_changes(branch)])]
            findings += ChangedTexts(branch, findings).findings()
        findings = [*without_echoes(findings, earlier)]
        level = stricter(check_settings(now).fail_level, check_settings(then).fail_level)
    return result._replace(findings=sort_findings(findings), since=release, older=older, fail_level=level)


def _found_before(request: CheckRequest, then: Workspace, result: CheckResult) -> CheckResult:
    """Return what is found in the project of then, as far as anything that is found now can be the same."""
    if not (result.findings or result.hidden):
        return NOTHING_CHECKED
    return check_project(request._replace(paths=(), workspace=then, keeps_figures=False))


def _is_of_looks(each: LocatedFinding) -> bool:
    return each.check.needs_rendering or each.check.code.startswith(_LOOKS_CODES)


def _gained(
    found: Iterable[LocatedFinding], before: Iterable[LocatedFinding], folder: Path, root: Path
) -> tuple[list[LocatedFinding], list[BaselineEntry]]:
    """Return the findings that were not there before, and those of before that are not there now."""
    lines = {top: cache(partial(_counted_lines, top)) for top in (folder, root)}

    def has_changed(entry: BaselineEntry) -> bool:
        before, now = (lines[top](entry.file)[entry.text] for top in (folder, root))
        return before > now or not before

    known = [_as_here(each, folder, root) for each in before]
    findings = [*found]
    for key_of in _SAME:
        # The finding of a line that is still there is not the same one at another line.
        usable = known if key_of is not _in_file else [each for each in known if has_changed(each)]
        others = [] if usable is known else [each for each in known if not has_changed(each)]
        findings, unmet = _without(findings, usable, root, key_of)
        known = [*unmet, *others]
    return findings, known


def _counted_lines(top: Path, name: str) -> Counter[str]:
    return Counter(line.strip() for line in text_lines(top, name))


def _at(finding: LocatedFinding, folder: Path) -> tuple[str, str, int]:
    place = finding.diagnostic.place
    return relative_name(place.file, folder), finding.diagnostic.code, place.span.line if place.span else 0


def _explained(finding: LocatedFinding, earlier: EarlierValues, *, is_whole: bool) -> LocatedFinding:
    """Return a finding with what the branch changed; what nobody added files for can have its cause elsewhere."""
    said_already = finding.check.name == lost_id.NAME or finding.diagnostic.code == Code.UNKNOWN_REFERENCE
    if finding.check.name == stale_translation.NAME:
        return finding._replace(diagnostic=with_source(finding.diagnostic, earlier))
    can_move = is_whole and not said_already
    told = earlier.explained(finding.diagnostic, can_move=can_move, has_fix=finding.fix is not None)
    return finding._replace(diagnostic=told)


def _joined(findings: Iterable[LocatedFinding]) -> Iterator[LocatedFinding]:
    """Yield findings, those with the same code and cause as one with the places of all.

    An example that a changed limit makes wrong is one of the cards that it makes wrong.
    """
    groups = dict[object, list[LocatedFinding]]()
    limits = dict[Place, object]()
    for number, each in enumerate(findings):
        moved = next((place for place, label in each.diagnostic.related if label == FOUND_HERE), None)
        key: object = (each.diagnostic.code, each.diagnostic.place) if moved else number
        groups.setdefault(key, []).append(each)
        if moved and each.diagnostic.code != Code.INVALID_GAME:
            limits.setdefault(each.diagnostic.place, key)
    for key, group in [*groups.items()]:
        one = group[0].diagnostic
        limit = limits.get(one.place) if one.code == Code.INVALID_GAME and _OF_EXAMPLE in one.message else None
        if limit is not None:
            groups[limit] += groups.pop(key)
    for first, *others in groups.values():
        related = tuple(place for each in others for place in each.diagnostic.related[:1])
        yield first._replace(diagnostic=first.diagnostic._replace(related=(*first.diagnostic.related, *related)))


def _workspace_of(folder: Path, current: Workspace | None) -> Workspace:
    return Workspace(folder, cluster=current.cluster if current else None)


def _at_its_cause(diagnostic: Diagnostic, is_old: Callable[[Place], bool], root: Path) -> Diagnostic:
    """Return a diagnostic whose place is a new line, if it has one: of two cards with an id, the new one is wrong.

    A card of the sample kit is never the wrong one.
    """
    is_own = regular_file.stays_inside(root, Path(diagnostic.place.file))
    own = [place for place, _ in diagnostic.related if regular_file.stays_inside(root, Path(place.file))]
    new = next((place for place in own if not is_old(place)), None if is_own else next(iter(own), None))
    if new is None or (is_own and not is_old(diagnostic.place)):
        return diagnostic
    related = tuple((diagnostic.place if place == new else place, label) for place, label in diagnostic.related)
    return diagnostic._replace(place=new, related=related)


def _have_games_changed(folder: Path, root: Path) -> bool:
    """Return whether a game of the project, or what it is drawn with, is not what it was."""
    names = {path.relative_to(top) for top in (folder, root) for path in _files_of_games(top)}
    return any(_content(folder, name) != _content(root, name) for name in names)


def _files_of_games(root: Path) -> Iterator[Path]:
    if any(game_paths(root)):
        folders = (
            root / name for name in (GAMES_FOLDER, "templates", "fonts") if regular_file.stays_inside(root, root / name)
        )
        parts = (path for folder in folders for path in folder.rglob("*"))
        yield from (path for path in parts if regular_file.is_file_inside(root, path))


def _with_games(
    found: Sequence[LocatedFinding], request: CheckRequest, root: Path, workspace: Workspace | None
) -> tuple[LocatedFinding, ...]:
    """Return findings with what is wrong with the game files of a project themselves, each once."""
    games = tuple(game_paths(root))
    of_games = request._replace(paths=games, workspace=workspace, keeps_figures=False)
    more = check_project(of_games).findings if games else ()
    told = {(each.check.code, each.diagnostic.place) for each in found}
    return sort_findings([*found, *(each for each in more if (each.check.code, each.diagnostic.place) not in told)])


def _at_lost_files(
    findings: Iterable[LocatedFinding], folder: Path, root: Path, since: str
) -> Iterator[LocatedFinding]:
    """Yield findings; those that name a file that is gone say so, and what it is called now."""
    findings, moved = [*findings], set[str]()
    files = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if path.is_file()}
    gone = {
        name: path
        for name, path in files.items()
        if path.suffix in _LOOKS and not regular_file.is_file_inside(root, name)
    }
    said: dict[int, str] = {}
    for number, one in enumerate(findings if gone else ()):
        words = _QUOTED.findall(one.diagnostic.message)
        name = next((name for name, path in gone.items() if {name, path.name, path.stem}.intersection(words)), "")
        if name:
            top, content = root / name.split("/")[0], _content(folder, gone[name])
            among = sorted(top.rglob(f"*{gone[name].suffix}")) if regular_file.stays_inside(root, top) else []
            same = [path.relative_to(root).as_posix() for path in among if _content(root, path) == content]
            new = next((each for each in same if each not in files), "")
            moved.add(new)
            said[number] = f"restore '{name}', which was removed since {since}"
            if new:
                said[number] = f"write '{new}', as the file is called since {since}, or rename it to '{name}'"
    for number, one in enumerate(findings):
        is_moved = one.check.name == unused_art.NAME and relative_name(one.diagnostic.place.file, root) in moved
        if not is_moved:
            yield one._replace(diagnostic=one.diagnostic._replace(help=said.get(number, one.diagnostic.help)))


def _at_moved_files(
    findings: Sequence[LocatedFinding], places: Mapping[str, tuple[str, int, str]], folder: Path, root: Path
) -> Iterator[LocatedFinding]:
    """Yield findings; a file that was moved to where it is not read says so, and its cards are not missed as well."""
    moved: dict[str, str] = {}
    for one in findings:
        if one.check.code == misplaced_card.CODE:
            name = relative_name(one.diagnostic.place.file, root)
            content = _content(root, name)
            before = (path for path in folder.rglob("*") if content and _content(folder, path) == content)
            names = (path.relative_to(folder).as_posix() for path in before)
            moved[name] = next((each for each in names if not regular_file.is_file_inside(root, each)), "")
    ids = {id_ for id_, (file, *_) in places.items() if file in moved.values()}
    for one in findings:
        place, message = one.diagnostic.place, one.diagnostic.message
        lost, unknown = _LOST.fullmatch(message), _UNKNOWN.match(message)
        earlier = moved.get(relative_name(place.file, root)) if one.check.code == misplaced_card.CODE else ""
        if earlier:
            advice = f"move it back to '{earlier}', where it was before this branch"
            yield one._replace(diagnostic=one.diagnostic._replace(help=advice))
        elif not ids.intersection((lost[1],) if lost else (slugify(unknown[2]),) if unknown else ()):
            yield one


def _without_unread(
    findings: Sequence[LocatedFinding],
    places: Callable[[], Mapping[str, tuple[str, int, str]]],
    is_old: Callable[[Place], bool],
    root: Path,
) -> Iterator[LocatedFinding]:
    """Yield findings, without the old references to cards of a file of which nothing can be read any more."""
    of_files = {
        relative_name(each.diagnostic.place.file, root)
        for each in findings
        if each.diagnostic.code.startswith(_WHOLE_FILE) and each.diagnostic.severity is Severity.ERROR
    }
    for each in findings:
        named = _UNKNOWN.match(each.diagnostic.message) if of_files else None
        is_reference = named is not None and each.diagnostic.code == Code.UNKNOWN_REFERENCE
        file = places().get(slugify(named[2]), ("",))[0] if named and is_reference else ""
        if file not in of_files or not is_old(each.diagnostic.place):
            yield each


def _content(top: Path, name: str | Path) -> bytes:
    try:
        return regular_file.read_inside(top, name, LARGEST)
    except OSError:
        return b""


def _to_lost_cards(
    findings: Sequence[LocatedFinding], then: Workspace, current: Workspace, since: str
) -> Iterator[LocatedFinding]:
    """Yield findings; a reference to a card that is gone says so, and what the card with its id is called now.

    If an id was lost with it and another card may be the same, the reference says so already.
    """
    told = {place for one in findings if one.check.name == lost_id.NAME for place, _ in one.diagnostic.related}
    unknown = {one.diagnostic for one in findings if one.diagnostic.code == Code.UNKNOWN_REFERENCE}
    unknown = {each for each in unknown if each.place not in told}
    before = _cards_by_id(then) if unknown else {}
    now = _cards_by_id(current) if before else {}
    for one in findings:
        named = _UNKNOWN.match(one.diagnostic.message) if one.diagnostic in unknown else None
        kinds, name = (re.findall(r"[\w-]+", named[1]), named[2]) if named else ((), "")
        lost = next((key for key, old in before.items() if key[1] in kinds and name in (key[2], old)), None)
        if lost and lost in now:
            help_text = f"write '{now[lost]}', as the card '{name}' is called since {since}"
        elif any(lost and key[:2] == lost[:2] and key not in before for key in now):
            help_text = f"the card was removed or renamed since {since}: restore it, write its new name, or take it out"
        else:
            help_text = f"the card was removed since {since}: take it out here, or restore it"
        yield one._replace(diagnostic=one.diagnostic._replace(help=help_text)) if lost else one


def _cards_by_id(workspace: Workspace) -> Mapping[tuple[str, str, str], str]:
    """Return the names of the cards that can be read, by game, kind, and id."""
    try:
        cards = load_whole_deck((), (), "skip", workspace=workspace)[1].cards
    except CardgenError:
        return {}
    return {(each.game, each.kind, each.card.id): each.card.name for each in cards}


def _places_by_id(folder: Path, current: Workspace | None) -> Mapping[str, tuple[str, int, str]]:
    """Return the file, line, and cell of each card in a copy of the project, by id; nothing if it cannot be read."""
    try:
        listed = list_cards((), workspace=_workspace_of(folder, current))
    except CardgenError:
        return {}
    places = {each.id: _LISTED_PLACE.fullmatch(each.place) for each in listed}
    return {id_: (relative_name(at[1], folder), int(at[2] or 1), at[3] or "") for id_, at in places.items() if at}


class _LostCards:
    """The cards of a base that are gone, where they were, and why."""

    def __init__(
        self,
        places: Callable[[], Mapping[str, tuple[str, int, str]]],
        earlier: EarlierValues,
        is_old: Callable[[Place], bool],
        folder: Path,
        root: Path,
    ) -> None:
        self._places, self._earlier, self._is_old, self._folder, self._root = places, earlier, is_old, folder, root
        self._told, self._removed = set[Place](), dict[Place, tuple[str, str]]()

    def told(self, findings: Sequence[LocatedFinding]) -> list[LocatedFinding]:
        """Return findings, with lost cards reported where they were, or once for all cards that a setting leaves out.

        What cards are lost for is a change of the settings, of what Git ignores, or of the game or kind of their file.
        """
        kept, groups = list[LocatedFinding](), dict[ValueChange, list[tuple[str, LocatedFinding]]]()
        for each in findings:
            id_ = self._lost_in(each)
            file, line, cell = self._places().get(id_, ("", 0, "")) if id_ else ("", 0, "")
            if each.diagnostic.code == Code.NO_CARDS and (left := self._all_left_out()):
                each = each._replace(diagnostic=each.diagnostic._replace(place=left.at, help=undone(left)))
            if not file:
                kept.append(each)
                continue
            line = int(cell[len(cell.rstrip(digits)) :]) if cell else line
            changes = self._earlier.changes_of_card(file, line)
            if cause := self._cause(file, changes):
                groups.setdefault(cause, []).append((id_, each))
            else:
                kept.append(self._where_it_was(each, id_, (file, line, cell), changes or ()))
        self._told = {cause.at for cause in groups} | {each.diagnostic.place for each in kept}
        return [
            *_of_removed_rows([*_of_gone_files(kept)]),
            *(self._as_one(cause, lost) for cause, lost in groups.items()),
        ]

    def unmissed(self, branch: Branch) -> Iterator[LocatedFinding]:
        """Yield what leaves out cards that no release has, and what removed those that only other cards miss."""
        for place, (name, restore) in self._removed.items():
            if place not in self._told:
                yield branch.finding(
                    Code.ODD_CHANGE,
                    f"'{name}' was removed, but other cards still refer to it",
                    place,
                    restore,
                    Severity.NOTE,
                )
        groups = dict[ValueChange, list[str]]()
        before, now = branch.cards
        for key, entry in before.items() if now else ():
            file, place = relative_name(entry.document.file, self._folder), entry.place(("name",))
            changes = (
                self._earlier.changes_of_card(file, place.span.line if place.span else 0) if key not in now else ()
            )
            if key not in now and (cause := self._cause(file, changes)):
                groups.setdefault(cause, []).append(entry.card.id)
        for cause, ids in groups.items():
            if cause.at not in self._told:
                found = branch.finding(Code.ODD_CHANGE, _named(ids), cause.at, undone(cause), Severity.WARNING)
                yield found._replace(diagnostic=self._earlier.explained(found.diagnostic, can_move=False))

    def _all_left_out(self) -> ValueChange | None:
        """Return the change for which no card is read any more."""
        files = dict.fromkeys(file for file, *_ in self._places().values())
        return next((cause for file in files if (cause := self._cause(file, ()))), None)

    def _lost_in(self, one: LocatedFinding) -> str:
        """Return the id of the card that a finding misses, or ''."""
        place, message = one.diagnostic.place, one.diagnostic.message
        if lost := _LOST.fullmatch(message):
            return lost[1] if relative_name(place.file, self._root).startswith(f"{RELEASES_FOLDER}/") else ""
        unknown = _UNKNOWN.match(message) if one.diagnostic.code == Code.UNKNOWN_REFERENCE else None
        return slugify(unknown[2]) if unknown and self._is_old(place) else ""

    def _cause(self, file: str, changes: Sequence[ValueChange] | None) -> ValueChange | None:
        """Return the change for which a card of a file is not read any more, although its own changes leave it there.

        These are None if the file is gone. Whatever changed in a file that Git ignores now, that is the cause.
        """
        for folder in Path(file).parents:
            name = (folder / ".gitignore").as_posix()
            was, path = frozenset(text_lines(self._folder, name)), Path(file).relative_to(folder).as_posix()
            for number, line in enumerate(text_lines(self._root, name), 1):
                if line not in was and matches_pattern(line, path):
                    place = Place(display_path(self._root / name), Span(number, 1, number, len(line) + 1), line)
                    return ValueChange("", line, "", place, -1)
        if changes or changes is None:
            return None
        own = [each for each in self._earlier.changes_in(file) if each.key in ("game", "kind", "draft") and each.new]
        settings = self._earlier.changes_in(SETTINGS_FILE)
        of_file = [each for each in settings if file in (each.old, *self._earlier.above(SETTINGS_FILE, each))]
        of_file = of_file or [each for each in settings if file in each.old or each.key in ("game", "tables", "kinds")]
        return next(iter([*own, *of_file]), None)

    def _where_it_was(
        self, one: LocatedFinding, id_: str, at: tuple[str, int, str], changes: Sequence[ValueChange]
    ) -> LocatedFinding:
        """Return a finding at the line where the card was, which its author can see, with what was there.

        If the whole file is gone, the message names it. At a new card that can take its place, the finding stays.
        """
        diagnostic, (file, line, cell) = one.diagnostic, at
        is_reference = diagnostic.code == Code.UNKNOWN_REFERENCE
        if not regular_file.is_file_inside(self._root, file):
            if is_reference:
                return one
            message, advice = f"{diagnostic.message}; it was in {file}", f"restore '{file}', or: {diagnostic.help}"
            return one._replace(diagnostic=diagnostic._replace(message=message, help=advice))
        gone = [each for each in changes if each.old and not each.new]
        if len(gone) < len(changes) or not gone:
            if is_reference:
                is_renamed = not changes or any(each.key in ("name", "id") for each in changes)
                related = ((diagnostic.place, FOUND_HERE), *diagnostic.related)
                moved = diagnostic if is_renamed else diagnostic._replace(place=changes[0].at, help="", related=related)
                return one._replace(diagnostic=moved)
            place = Place(display_path(self._root / file), locator=cell)
            now = text_lines(self._root, file)
            if changes:
                place = changes[0].at
            elif now and not cell:
                number = number_now(text_lines(self._folder, file), now, line)
                place = place._replace(
                    span=Span(number, 1, number, len(now[number - 1]) + 1), source_line=now[number - 1]
                )
            related = ((diagnostic.place, "the release"),)
            return one._replace(diagnostic=diagnostic._replace(place=place, related=related))
        restore = f"this branch removed {quoted_lines(gone)}"
        if is_reference:
            self._removed.setdefault(gone[0].at, (_named_in(diagnostic), restore))
            where = f"this branch removed {quoted_lines(gone)} in {file}, or: take it out here"
            return one._replace(diagnostic=diagnostic._replace(help=where))
        related = ((diagnostic.place, "the release"), *diagnostic.related)
        advice = f"{restore}, or: {diagnostic.help}"
        return one._replace(diagnostic=diagnostic._replace(place=gone[0].at, related=related, help=advice))

    def _as_one(self, cause: ValueChange, lost: Sequence[tuple[str, LocatedFinding]]) -> LocatedFinding:
        """Return one finding for all that a change leaves out, with the places where that is missed."""
        first = min((each for _, each in lost), key=lambda each: list(Severity).index(each.diagnostic.severity))
        message = _named([id_ for id_, _ in lost])
        places = dict.fromkeys(
            each.diagnostic.place for _, each in lost if each.diagnostic.code == Code.UNKNOWN_REFERENCE
        )
        related = tuple((place, FOUND_HERE) for place in places)[:_MOST_NAMED]
        told = first.diagnostic._replace(place=cause.at, message=message, help=undone(cause), related=related)
        return first._replace(diagnostic=told)


def _of_gone_files(findings: Sequence[LocatedFinding]) -> Iterator[LocatedFinding]:
    """Yield findings, the ids that were lost with a file as one."""
    groups = dict[object, list[tuple[str, LocatedFinding]]]()
    for number, each in enumerate(findings):
        gone = _GONE.fullmatch(each.diagnostic.message)
        groups.setdefault(gone[2] if gone else number, []).append((gone[1] if gone else "", each))
    for file, group in groups.items():
        first = group[0][1]
        if len(group) > 1:
            message = f"{_named([id_ for id_, _ in group])}; they were in {file}"
            told = first.diagnostic._replace(message=message, help=f"restore '{file}'")
            first = first._replace(diagnostic=told)
        yield first


def _of_removed_rows(findings: Sequence[LocatedFinding]) -> Iterator[LocatedFinding]:
    """Yield findings, the many ids that were lost with the lines at one place as one."""
    groups = dict[object, list[tuple[str, LocatedFinding]]]()
    for number, each in enumerate(findings):
        lost = _LOST.fullmatch(each.diagnostic.message)
        groups.setdefault(each.diagnostic.place if lost else number, []).append((lost[1] if lost else "", each))
    for group in groups.values():
        first = group[0][1]
        if len(group) <= _MOST_NAMED:
            yield from (each for _, each in group)
            continue
        advice = f"restore the {len(group)} cards that this branch removed here"
        told = first.diagnostic._replace(message=_named([id_ for id_, _ in group]), help=advice)
        yield first._replace(diagnostic=told)


def _named(ids: Sequence[str]) -> str:
    """Return that cards are not read any more, with the first of their ids."""
    names = [*dict.fromkeys(f"'{id_}'" for id_ in ids)]
    shown = [*names[:_MOST_NAMED], *([f"{len(names) - _MOST_NAMED} more"] if len(names) > _MOST_NAMED else [])]
    return f"{len(names)} {'card is' if len(names) == 1 else 'cards are'} not read any more: {join_words(shown, 'and')}"


# Cards that a message names, and what it says of one whose file is gone.


def _named_in(diagnostic: Diagnostic) -> str:
    named = _UNKNOWN.match(diagnostic.message)
    return named[2] if named else ""


def _lines(folder: Path, name: str) -> frozenset[str]:
    try:
        return frozenset(regular_file.read_inside(folder, name, LARGEST).decode("utf-8", "replace").splitlines())
    except OSError:
        return frozenset()


def _as_here(finding: LocatedFinding, folder: Path, root: Path) -> BaselineEntry:
    """Return the entry of a finding in a copy of the project, with the paths of the project itself."""
    entry = entry_for(finding.diagnostic, folder)
    prefix = "" if display_path(root) == "." else f"{display_path(root)}/"
    return entry._replace(message=entry.message.replace(f"{display_path(folder)}/", prefix))


def _without(
    findings: Iterable[LocatedFinding],
    known: Iterable[BaselineEntry],
    root: Path,
    key_of: Callable[[BaselineEntry], Any],
) -> tuple[list[LocatedFinding], list[BaselineEntry]]:
    """Return the findings that are not known by a key, and the known ones that were not met."""
    left = list(known)
    counts = Counter(map(key_of, left))
    remaining, met = [], Counter[Any]()
    for each in findings:
        key = key_of(entry_for(each.diagnostic, root))
        if met[key] < counts[key]:
            met[key] += 1
        else:
            remaining.append(each)
    unmet = []
    for entry in left:
        key = key_of(entry)
        if met[key]:
            met[key] -= 1
        else:
            unmet.append(entry)
    return remaining, unmet

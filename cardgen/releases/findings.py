"""Findings that a project has gained since a release, such as those that a branch causes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any

from cardgen.checking.checks import lost_id, misplaced_card, stale_translation, unused_art
from cardgen.checking.locate import BaselineEntry, LocatedFinding, entry_for, relative_name
from cardgen.checking.runner import CheckResult, sort_findings
from cardgen.deck.deck import list_cards, load_whole_deck
from cardgen.diagnostic import CardgenError, Code, Diagnostic, Place, Severity, Span, slugify
from cardgen.project.files import RELEASES_FOLDER, display_path
from cardgen.project_checks.run import NOTHING_CHECKED, CheckRequest, check_project
from cardgen.releases.branch_findings import LARGEST, Branch, check_settings, number_now, stricter, text_lines
from cardgen.releases.earlier_values import FOUND_HERE, EarlierValues
from cardgen.releases.run import load_commit
from cardgen.runtime import regular_file
from cardgen.runtime.fingerprint import find_project_root
from cardgen.runtime.workspace import GAMES_FOLDER, Workspace, game_paths

# Beginnings of the codes of what is found when cards are drawn.
_LOOKS_CODES = ("CG5",)
_NUMBER = re.compile(r"\d[\d.,]*")


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
        before = _found_before(request, then, result)
        if has_new_games:
            before = before._replace(findings=_with_games(before.findings, request, folder, then))
        findings, _ = _gained(result.findings, before.findings, folder, root)
        older = len(result.findings) - len(findings)
        cards = cache(partial(_places_by_id, folder, request.workspace))
        earlier = EarlierValues(folder, root, cards().values(), (_at(each, folder) for each in before.findings))
        lines = cache(partial(_lines, folder))

        def is_old(place: Place) -> bool:
            return place.source_line in lines(relative_name(place.file, root)) and not earlier.is_changed(place)

        findings = [each._replace(diagnostic=_at_its_cause(each.diagnostic, is_old)) for each in findings]
        findings = [*_at_lost_files(_without_consequences(findings, is_old), folder, root, release)]
        findings = [*_at_moved_files(findings, cards(), folder, root)]
        findings = [*_to_lost_cards(findings, then, now, release)]
        findings = [
            _where_it_was(each, cards, folder, root) if each.check.name == lost_id.NAME else each for each in findings
        ]
        is_whole = all(regular_file.is_file_inside(folder, relative_name(name, root)) for name in result.files)
        findings = [*_joined(_explained(each, earlier, is_whole=is_whole) for each in findings)]
        if not request.paths:
            hidden, _ = _gained([each for each, _ in result.hidden], [each for each, _ in before.hidden], folder, root)
            pairs = [pair for pair in result.hidden if pair[0] in hidden]
            branch = Branch(result, pairs, folder, root, then, now, release)
            findings = [*_without_repetitions(findings, [*branch.findings(earlier)])]
        level = stricter(check_settings(now).fail_level, check_settings(then).fail_level)
    return result._replace(findings=sort_findings(findings), since=release, older=older, fail_level=level)


def _found_before(request: CheckRequest, then: Workspace, result: CheckResult) -> CheckResult:
    """Return what is found in the project of then, as far as anything that is found now can be the same."""
    if not (result.findings or result.hidden):
        return NOTHING_CHECKED
    looks = any(each.check.needs_rendering or each.check.code.startswith(_LOOKS_CODES) for each in result.findings)
    return check_project(request._replace(paths=(), workspace=then, keeps_figures=False, fit=request.fit and looks))


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


def _without_repetitions(
    findings: Iterable[LocatedFinding], of_branch: Sequence[LocatedFinding]
) -> Iterator[LocatedFinding]:
    """Yield all findings, and of those at the same line only what the branch did there: an old text, or a lost id."""
    told = {
        (each.check.code, _line(place))
        for each in of_branch
        for place in (each.diagnostic.place, *(place for place, _ in each.diagnostic.related))
    }
    stale = {line for code, line in told if code == stale_translation.CODE}
    for each in findings:
        line = _line(each.diagnostic.place)
        if line not in stale and (each.check.code, line) not in told:
            yield each
    yield from of_branch


def _at(finding: LocatedFinding, folder: Path) -> tuple[str, str, int]:
    place = finding.diagnostic.place
    return relative_name(place.file, folder), finding.diagnostic.code, place.span.line if place.span else 0


def _explained(finding: LocatedFinding, earlier: EarlierValues, *, is_whole: bool) -> LocatedFinding:
    """Return a finding with what the branch changed; what nobody added files for can have its cause elsewhere."""
    said_already = finding.check.name == lost_id.NAME or finding.diagnostic.code == Code.UNKNOWN_REFERENCE
    told = earlier.explained(
        finding.diagnostic, can_move=is_whole and not said_already, has_fix=finding.fix is not None
    )
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


_OF_EXAMPLE = "the example is not a valid "


def _line(place: Place) -> tuple[str, str, int]:
    return place.file, place.locator, place.span.line if place.span else 0


def _workspace_of(folder: Path, current: Workspace | None) -> Workspace:
    return Workspace(folder, cluster=current.cluster if current else None)


def _at_its_cause(diagnostic: Diagnostic, is_old: Callable[[Place], bool]) -> Diagnostic:
    """Return a diagnostic whose place is a new line, if it has one: of two cards with an id, the new one is wrong."""
    new = next((number for number, (place, _) in enumerate(diagnostic.related) if not is_old(place)), None)
    if new is None or not is_old(diagnostic.place):
        return diagnostic
    place, label = diagnostic.related[new]
    related = (*diagnostic.related[:new], (diagnostic.place, label), *diagnostic.related[new + 1 :])
    return diagnostic._replace(place=place, related=related)


def _without_consequences(
    findings: Sequence[LocatedFinding], is_old: Callable[[Place], bool]
) -> Iterator[LocatedFinding]:
    """Yield the findings, without warnings and notes at old lines if there are cards now that cannot be read.

    A card that is compared with all others gets another rank without them. One whose reference leads nowhere is there.
    """
    is_unread = any(
        each.check.find is None
        and each.diagnostic.severity is Severity.ERROR
        and each.diagnostic.code != Code.UNKNOWN_REFERENCE
        for each in findings
    )
    for each in findings:
        place = each.diagnostic.place
        is_caused = is_unread and each.check.find and each.diagnostic.severity is not Severity.ERROR
        if not (is_caused and place.source_line and is_old(place)):
            yield each


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
        yield from (path for path in parts if path.is_file())


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


# Files that are named by cards and templates, without or with this ending.
_LOOKS = frozenset({".svg", ".png", ".jpg", ".jpeg", ".webp", ".ttf", ".otf", ".j2"})
_QUOTED = re.compile(r"'([^']+)'")


def _content(top: Path, name: str | Path) -> bytes:
    try:
        return regular_file.read_inside(top, name, LARGEST)
    except OSError:
        return b""


_UNKNOWN = re.compile(r"unknown (.+?) '([^']+)'")


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


_LOST = re.compile(lost_id.MESSAGE.format("([a-z0-9-]+)", ".+"))
_LISTED_PLACE = re.compile(r"(.+?)(?::(\d+):\d+|!([^!]*:[A-Z]+\d+)|:(?:/.*))?")


def _places_by_id(folder: Path, current: Workspace | None) -> Mapping[str, tuple[str, int, str]]:
    """Return the file, line, and cell of each card in a copy of the project, by id; nothing if it cannot be read."""
    try:
        listed = list_cards((), workspace=_workspace_of(folder, current))
    except CardgenError:
        return {}
    places = {each.id: _LISTED_PLACE.fullmatch(each.place) for each in listed}
    return {id_: (relative_name(at[1], folder), int(at[2] or 1), at[3] or "") for id_, at in places.items() if at}


def _where_it_was(
    one: LocatedFinding, places: Callable[[], Mapping[str, tuple[str, int, str]]], folder: Path, root: Path
) -> LocatedFinding:
    """Return a lost id of a release at the line where the card was, which its author can see.

    If the whole file is gone, the message names it. At a new card that can take its place, the finding stays.
    """
    diagnostic = one.diagnostic
    lost = _LOST.fullmatch(diagnostic.message)
    if lost is None or not relative_name(diagnostic.place.file, root).startswith(f"{RELEASES_FOLDER}/"):
        return one
    file, line, cell = places().get(lost[1], ("", 0, ""))
    if not file:
        return one
    before, now = text_lines(folder, file), text_lines(root, file)
    if not regular_file.is_file_inside(root, file):
        return one._replace(diagnostic=diagnostic._replace(message=f"{diagnostic.message}; it was in {file}"))
    place = Place(display_path(root / file), locator=cell)
    if now and not cell:
        number = number_now(before, now, line)
        text = now[number - 1]
        place = place._replace(span=Span(number, 1, number, len(text) + 1), source_line=text)
    return one._replace(diagnostic=diagnostic._replace(place=place, related=((diagnostic.place, "the release"),)))


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

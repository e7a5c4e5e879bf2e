"""Findings that a project has gained since a release, such as those that a branch causes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from functools import cache, partial
from pathlib import Path
from typing import Any

from cardgen.checking.checks import lost_id, stale_translation, unused_art
from cardgen.checking.locate import BaselineEntry, LocatedFinding, entry_for, relative_name
from cardgen.checking.runner import CheckResult, sort_findings
from cardgen.deck.deck import list_cards, load_whole_deck
from cardgen.deck.release_file import read_release, release_files
from cardgen.deck.translated import same_text
from cardgen.diagnostic import CardgenError, Code, Diagnostic, Place, Severity, Span
from cardgen.project.files import RELEASES_FOLDER, display_path
from cardgen.project.project import Project
from cardgen.project_checks.run import CheckRequest, check_project
from cardgen.project_checks.services import all_translations
from cardgen.releases.earlier_values import FOUND_HERE, EarlierValues
from cardgen.releases.run import load_commit
from cardgen.runtime import regular_file
from cardgen.runtime.fingerprint import find_project_root
from cardgen.runtime.workspace import GAMES_FOLDER, Workspace, game_paths

_NUMBER = re.compile(r"\d[\d.,]*")
# What a finding of before shares with the same one of now: all, all but its file, all but its line, or all but its
# figures, which other cards can change.
_SAME: Sequence[Callable[[BaselineEntry], tuple[str, ...]]] = (
    lambda each: each,
    lambda each: (each.code, each.message, each.text),
    lambda each: (each.file, each.code, each.message),
    lambda each: (each.file, each.code, each.text, _NUMBER.sub("#", each.message)),
)

# Bytes of a file whose lines are compared.
_LARGEST = 16 * 2**20


def gained_findings(result: CheckResult, request: CheckRequest, release: str, argument: str) -> CheckResult:
    """Return the result without the findings that the project had in a release, or at a tag or commit of Git.

    The whole project of then is checked as it was, by the checks of today. A finding stays the same if its file was
    renamed, or if its line changed in a way that leaves the finding as it is. Each is shown at a new line, if it has
    one. Raises CardgenError, located at the `argument` with the name of the release, if it is unknown.
    """
    root = find_project_root(Path.cwd()) if request.workspace is None else request.workspace.root
    with load_commit(root, release, argument) as folder:
        then = _workspace_of(folder, request.workspace)  # of a folder that nobody asks about again
        before = check_project(request._replace(paths=(), workspace=then, keeps_figures=False))
        if not request.paths and _have_games_changed(folder, root):
            before = before._replace(findings=(*before.findings, *_of_games(request, folder, then)))
            of_games = _of_games(request, root, request.workspace)
            result = result._replace(findings=sort_findings([*result.findings, *of_games]))
        known = [_as_here(each, folder, root) for each in before.findings]
        findings = list(result.findings)
        for key_of in _SAME:
            findings, known = _without(findings, known, root, key_of)
        older = len(result.findings) - len(findings)
        is_old = partial(_is_old, root, cache(partial(_lines, folder)))
        findings = [each._replace(diagnostic=_at_its_cause(each.diagnostic, is_old)) for each in findings]
        findings = [*_at_lost_files(_without_consequences(findings, is_old), folder, root, release)]
        findings = [*_to_lost_cards(findings, then, request.workspace or Workspace(root), release)]
        cards = cache(partial(_places_by_id, folder, request.workspace))
        findings = [
            _where_it_was(each, cards, folder, root) if each.check.name == lost_id.NAME else each for each in findings
        ]
        earlier = EarlierValues(folder, root, cards().values(), (_at(each, folder) for each in before.findings))
        is_whole = all((folder / relative_name(name, root)).is_file() for name in result.files)
        findings = [*_joined(_explained(each, earlier, is_whole=is_whole) for each in findings)]
        edited = [] if request.paths else [*_edited_releases(result, folder, root, release)]
        stale = [] if request.paths else [*_stale_translations(result, then, request.workspace)]
    lines = {_line(each.diagnostic.place) for each in stale}
    findings = [each for each in findings if _line(each.diagnostic.place) not in lines]
    return result._replace(findings=sort_findings([*findings, *edited, *stale]), since=release, older=older)


def _at(finding: LocatedFinding, folder: Path) -> tuple[str, str, int]:
    place = finding.diagnostic.place
    return relative_name(place.file, folder), finding.diagnostic.code, place.span.line if place.span else 0


def _explained(finding: LocatedFinding, earlier: EarlierValues, *, is_whole: bool) -> LocatedFinding:
    """Return a finding with what the branch changed; what nobody added files for can have its cause elsewhere."""
    said_already = finding.check.name == lost_id.NAME or finding.diagnostic.code == Code.UNKNOWN_REFERENCE
    told = earlier.explained(finding.diagnostic, can_move=is_whole and not (finding.fix or said_already))
    return finding._replace(diagnostic=told)


def _joined(findings: Iterable[LocatedFinding]) -> Iterator[LocatedFinding]:
    """Yield findings, those with the same code and cause as one with the places of all."""
    groups = dict[object, list[LocatedFinding]]()
    for number, each in enumerate(findings):
        moved = next((place for place, label in each.diagnostic.related if label == FOUND_HERE), None)
        groups.setdefault((each.diagnostic.code, each.diagnostic.place) if moved else number, []).append(each)
    for first, *others in groups.values():
        related = tuple(place for each in others for place in each.diagnostic.related[:1])
        yield first._replace(diagnostic=first.diagnostic._replace(related=(*first.diagnostic.related, *related)))


def _line(place: Place) -> tuple[str, str, int]:
    return place.file, place.locator, place.span.line if place.span else 0


def _stale_translations(result: CheckResult, then: Workspace, now: Workspace | None) -> Iterator[LocatedFinding]:
    """Yield the translations that stayed as they were when their texts changed, unless they record their source."""
    check = next((each for each in result.checks if each.name == stale_translation.NAME), None)
    translations = all_translations(Project.open(now)) if check else ()
    if check is None or not translations:
        return
    before = {
        (of.language, pair.id, pair.field): pair
        for of in all_translations(Project.open(then))
        for pair in of.pairs
        if pair.recorded is None
    }
    for of in translations:
        for pair in of.pairs:
            old = before.get((of.language, pair.id, pair.field))
            if old and pair.recorded is None and pair.text == old.text and not same_text(pair.source, old.source):
                told = stale_translation.finding(pair._replace(recorded=old.source), of.language)
                assert told.place
                yield LocatedFinding(Diagnostic(check.code, told.message, told.place, told.help, check.severity), check)


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
    return any(_content(folder / name) != _content(root / name) for name in names)


def _files_of_games(root: Path) -> Iterator[Path]:
    if any(game_paths(root)):
        folders = (
            root / name for name in (GAMES_FOLDER, "templates", "fonts") if regular_file.stays_inside(root, root / name)
        )
        parts = (path for folder in folders for path in folder.rglob("*"))
        yield from (path for path in parts if path.is_file())


def _of_games(request: CheckRequest, root: Path, workspace: Workspace | None) -> Sequence[LocatedFinding]:
    """Return what is wrong with the game files of a project themselves."""
    games = tuple(game_paths(root))
    of_games = request._replace(paths=games, workspace=workspace, keeps_figures=False)
    return check_project(of_games).findings if games else ()


def _at_lost_files(
    findings: Iterable[LocatedFinding], folder: Path, root: Path, since: str
) -> Iterator[LocatedFinding]:
    """Yield findings; those that name a file that is gone say so, and what it is called now."""
    findings, moved = [*findings], set[str]()
    files = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if path.is_file()}
    gone = {name: path for name, path in files.items() if path.suffix in _LOOKS and not (root / name).is_file()}
    said: dict[int, str] = {}
    for number, one in enumerate(findings if gone else ()):
        words = _QUOTED.findall(one.diagnostic.message)
        name = next((name for name, path in gone.items() if {name, path.name, path.stem}.intersection(words)), "")
        if name:
            among = sorted((root / name.split("/")[0]).rglob(f"*{gone[name].suffix}"))
            same = [path.relative_to(root).as_posix() for path in among if _content(path) == _content(gone[name])]
            new = next((each for each in same if each not in files), "")
            moved.add(new)
            said[number] = f"restore '{name}', which was removed since {since}"
            if new:
                said[number] = f"write '{new}', as the file is called since {since}, or rename it to '{name}'"
    for number, one in enumerate(findings):
        is_moved = one.check.name == unused_art.NAME and relative_name(one.diagnostic.place.file, root) in moved
        if not is_moved:
            yield one._replace(diagnostic=one.diagnostic._replace(help=said.get(number, one.diagnostic.help)))


# Files that are named by cards and templates, without or with this ending.
_LOOKS = frozenset({".svg", ".png", ".jpg", ".jpeg", ".webp", ".ttf", ".otf", ".j2"})
_QUOTED = re.compile(r"'([^']+)'")


def _content(file: Path) -> bytes:
    try:
        return regular_file.read(file, _LARGEST)
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
    before, now = _text_lines(folder / file), _text_lines(root / file)
    if not (root / file).is_file():
        return one._replace(diagnostic=diagnostic._replace(message=f"{diagnostic.message}; it was in {file}"))
    place = Place(display_path(root / file), locator=cell)
    if now and not cell:
        number = _number_now(before, now, line)
        text = now[number - 1]
        place = place._replace(span=Span(number, 1, number, len(text) + 1), source_line=text)
    return one._replace(diagnostic=diagnostic._replace(place=place, related=((diagnostic.place, "the release"),)))


def _edited_releases(result: CheckResult, folder: Path, root: Path, since: str) -> Iterator[LocatedFinding]:
    """Yield each release that is gone, or not what it was, at the first line that differs.

    No id is lost by what it says now.
    """
    check = next((each for each in result.checks if each.name == lost_id.NAME), None)
    if check is None:
        return
    told = {(each.diagnostic.place.file, each.diagnostic.severity) for each in result.findings}
    for name, path in release_files(folder).items():
        file = root / RELEASES_FOLDER / path.name
        before, now = _text_lines(path), _text_lines(file)
        if before == now or (display_path(file), Severity.ERROR) in told:
            continue  # What cannot be read says what it should be.
        if not file.is_file():
            message = f"the release {name} was removed since {since}"
            gone = Diagnostic(lost_id.CODE, message, Place(display_path(file)), "restore the file", check.severity)
            yield LocatedFinding(gone, check)
            continue
        pairs = enumerate(zip(before, now, strict=False), 1)
        number = next((number for number, (old, new) in pairs if old != new), len(now))
        text = now[number - 1]
        place = Place(display_path(file), Span(number, 1, number, len(text) + 1), text)
        ids = ", ".join(sorted(_released_ids(path, name) - _released_ids(file, name)))
        message = f"the release {name} was edited since {since}"
        advice = f"; write 'formerly: {ids}' on the card that was renamed" if ids else ""
        diagnostic = Diagnostic(lost_id.CODE, message, place, f"restore the file{advice}", check.severity)
        yield LocatedFinding(diagnostic, check)


def _released_ids(file: Path, name: str) -> frozenset[str]:
    try:
        return frozenset(card.id for card in read_release(file, name).cards)
    except CardgenError:
        return frozenset()


def _text_lines(file: Path) -> list[str]:
    """Return the lines of a text file, or nothing for another file."""
    try:
        text = regular_file.read(file, _LARGEST).decode("utf-8")
    except (OSError, UnicodeDecodeError):
        return []
    return text.splitlines()


def _number_now(before: Sequence[str], now: Sequence[str], line: int) -> int:
    """Return the number of the line that is now where another was, which is gone."""
    for _, start, end, at, _ in SequenceMatcher(None, before, now, autojunk=False).get_opcodes():
        if start <= line - 1 < end:
            return max(1, min(at + 1, len(now)))
    return len(now)


def _is_old(root: Path, lines_of: Callable[[str], frozenset[str]], place: Place) -> bool:
    return place.source_line in lines_of(relative_name(place.file, root))


def _lines(folder: Path, name: str) -> frozenset[str]:
    try:
        return frozenset(regular_file.read(folder / name, _LARGEST).decode("utf-8", "replace").splitlines())
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

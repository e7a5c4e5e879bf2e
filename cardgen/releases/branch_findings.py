"""Findings that only a comparison of a branch with its base shows, such as checks that it turns off."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cached_property, partial
from pathlib import Path
from typing import Any

from cardgen.checking.check import Check, TranslatedPair, TranslationsOf
from cardgen.checking.checks import lost_id, misplaced_card, stale_translation, translation_gap
from cardgen.checking.locate import LocatedFinding, relative_name
from cardgen.checking.runner import CheckResult
from cardgen.deck.deck import card_files, read_project_deck, source_texts
from cardgen.deck.release_file import CardKey, read_release, release_files
from cardgen.deck.translated import same_text
from cardgen.diagnostic import CardgenError, Code, Diagnostic, Place, Severity, Span, join_words, slugify
from cardgen.game_file.texts import SHEETS_FOLDER
from cardgen.language import as_utf8
from cardgen.model.card import Entry
from cardgen.project.files import LAYOUT_SUFFIX, RELEASES_FOLDER, display_path
from cardgen.project.project import CheckSettings, Project
from cardgen.project_checks.run import known_checks
from cardgen.project_checks.services import all_translations, whole_deck
from cardgen.releases.earlier_values import CHANGED_HERE, EarlierValues, quoted_lines
from cardgen.runtime import regular_file
from cardgen.runtime.workspace import GAMES_FOLDER, Workspace, game_paths
from cardgen.source import KeyPath
from cardgen.source.document import Document, parse_document
from cardgen.source.list_changes import ListChanges
from cardgen.text.captions import CAPTIONS_FOLDER, read_captions

# Bytes of a file whose lines are compared.
LARGEST = 16 * 2**20
# Words of a text that two cards hardly have by chance, and letters of a word.
FEWEST_WORDS, FEWEST_LETTERS = 3, 4
# How alike a word is to another that is a slip.
_ALIKE = 0.75
_QUOTED = re.compile(r"'([^']+)'")
_WORD = re.compile(r"[^\W\d_]+")
_LEVELS = tuple(Severity)
# Cards of a file whose lost translations are told one by one.
_MOST_LOST = 3
GONE_TEMPLATE = "the template was removed, and cards are drawn without it"
_KEPT = "keep it as it was, and correct the cards that it finds"


@dataclass(frozen=True)
class Branch:
    """A project, and its files at the base `since` in a `folder`; `hidden` is what comments hide only now."""

    result: CheckResult
    hidden: Sequence[tuple[LocatedFinding, Place]]
    folder: Path
    root: Path
    then: Workspace
    now: Workspace
    since: str
    earlier: EarlierValues

    def findings(self) -> Iterator[LocatedFinding]:
        """Yield what the branch does that no check of its files alone can find."""
        yield from _edited_releases(self.result, self.folder, self.root, self.since)
        for each in self._stale_translations():
            yield each._replace(diagnostic=with_source(each.diagnostic, self.earlier))
        yield from self._lost_translations()
        yield from self._copied_translations()
        yield from self._changed_looks()
        yield from self._broken_sheets()
        yield from self._changed_captions()
        found = (*self._relaxed(), *self._misspelled())
        for each in {(each.check.code, each.diagnostic.place): each for each in reversed(found)}.values():
            yield self.explained(each)

    def finding(self, code: str, message: str, place: Place, help_text: str, severity: Severity) -> LocatedFinding:
        """Return a finding of a fixed limit."""
        check = known_checks(self.now).find(code)
        assert check
        return LocatedFinding(Diagnostic(code, message, place, help_text, severity), check)

    def explained(self, finding: LocatedFinding, *, can_move: bool = False) -> LocatedFinding:
        """Return a finding that says what was there before."""
        return finding._replace(diagnostic=self.earlier.explained(finding.diagnostic, can_move=can_move))

    def odd(self, message: str, place: Place, help_text: str, severity: Severity = Severity.WARNING) -> LocatedFinding:
        """Return an odd change, with what was there before."""
        return self.explained(self.finding(Code.ODD_CHANGE, message, place, help_text, severity))

    @cached_property
    def cards(self) -> tuple[Mapping[CardKey, Entry], Mapping[CardKey, Entry]]:
        """The cards of then and of now that can be read, by game, kind, and id."""
        return _cards(self.then), _cards(self.now)

    @cached_property
    def _translations(self) -> tuple[Sequence[TranslationsOf], Sequence[TranslationsOf]]:
        """The translations of then and of now; none of then without any of now."""
        found = _translations_of(self.now)
        return (_translations_of(self.then) if found else ()), found

    def _check(self, name: str) -> Check | None:
        """Return a check that runs."""
        return next((each for each in self.result.checks if each.name == name), None)

    def _stale_translations(self) -> Iterator[LocatedFinding]:
        """Yield the translations that stayed as they were when their texts changed, unless they record their source."""
        check = self._check(stale_translation.NAME)
        if check is None:
            return
        then, now = self._translations
        before = {(of.language, pair.id, pair.field): pair for of in then for pair in of.pairs if pair.recorded is None}
        for of in now:
            for pair in of.pairs:
                old = before.get((of.language, pair.id, pair.field))
                is_same = old and pair.text in (old.text, old.source) and not same_text(pair.source, old.source)
                if old and pair.recorded is None and is_same:
                    told = stale_translation.finding(pair._replace(recorded=old.source), of.language)
                    assert told.place
                    diagnostic = Diagnostic(check.code, told.message, told.place, told.help, check.severity)
                    yield LocatedFinding(diagnostic, check)

    def _lost_translations(self) -> Iterator[LocatedFinding]:
        """Yield the translations that are gone, of texts that are the same."""
        check = self._check(translation_gap.NAME)
        if check is None:
            return
        then, now = self._translations
        kept = {(of.language, pair.id, pair.field) for of in now for pair in (*of.pairs, *of.stale)}
        languages = {of.language for of in now}
        cards = self.cards[1] if now else {}
        sources = {
            (id_, field): text for (*_, id_), each in cards.items() for field, text in source_texts(each).items()
        }
        lost = dict[tuple[str, str, Place], list[TranslatedPair]]()
        for of in then:
            for pair in of.pairs if of.language in languages else ():
                is_gone = (of.language, pair.id, pair.field) not in kept
                if is_gone and sources.get((pair.id, pair.field)) == pair.source:
                    old = pair.place()
                    line = old._replace(span=Span(old.span.line, 1, old.span.line, 1)) if old.span else old
                    lost.setdefault((of.language, pair.id, line), []).append(pair)
        told = {(each.diagnostic.place.file, each.diagnostic.place.source_line) for each in self.result.findings}
        files = {file for file, _ in told}
        kept_files = {pair.place().file for of in now for pair in of.pairs}
        by_file = dict[tuple[str, str], list[Diagnostic]]()
        for (language, _, line), pairs in lost.items():
            diagnostic = self._lost_translation(check, language, line, pairs)
            by_file.setdefault((diagnostic.place.file, language), []).append(diagnostic)
        for (file, language), each in by_file.items():
            if len(each) > _MOST_LOST:
                is_gone = not regular_file.is_file_inside(self.root, relative_name(file, self.root))
                message = f"the texts of {len(each)} cards have no translation any more ({language})"
                advice = f"restore '{file}'" if is_gone else each[0].help
                place = Place(file) if is_gone else each[0].place
                each = [each[0]._replace(message=message, help=advice, place=place)]
            is_unread = file in files and file not in kept_files  # What says why is at its cause.
            for one in each if not is_unread else ():
                if (one.place.file, one.place.source_line) not in told:
                    yield LocatedFinding(one, check)

    def _lost_translation(self, check: Check, language: str, old: Place, pairs: Sequence[TranslatedPair]) -> Diagnostic:
        name = relative_name(old.file, self.folder)
        fields = join_words([f"'{pair.field}'" for pair in pairs], "and")
        has = "has" if len(pairs) == 1 else "have"
        message = f"{fields} of '{pairs[0].name}' {has} no translation any more ({language})"
        changes = [
            each for each in self.earlier.changes_in(name) if old.span and each.line == old.span.line and each.old
        ]
        if changes and not any(each.new for each in changes):
            advice = f"this branch removed {quoted_lines(changes)}"
            return Diagnostic(check.code, message, changes[0].at, advice, check.severity)
        before, now = text_lines(self.folder, name), text_lines(self.root, name)
        number = number_now(before, now, old.span.line) if now and old.span else 1
        text = now[number - 1] if now else ""
        place = (
            changes[0].at
            if changes
            else Place(display_path(self.root / name), Span(number, 1, number, len(text) + 1), text)
        )
        said = join_words([f"'{pair.text}'" for pair in pairs], "and")
        return Diagnostic(check.code, message, place, f"before this branch: {said}; restore that value", check.severity)

    def _copied_translations(self) -> Iterator[LocatedFinding]:
        """Yield the translations that became that of another text, though their own text stayed as it was."""
        if self._check(translation_gap.NAME) is None:
            return
        then, now = self._translations
        before = {(of.language, pair.id, pair.field): pair for of in then for pair in of.pairs}
        for of in now:
            for pair in of.pairs:
                old = before.get((of.language, pair.id, pair.field))
                if old is None or old.text == pair.text or not same_text(old.source, pair.source):
                    continue
                language = next(
                    (
                        each
                        for each, *at in before
                        if tuple(at) == (pair.id, pair.field)
                        and each != of.language
                        and before[each, pair.id, pair.field].text == pair.text != pair.source
                    ),
                    "",
                )
                if language:
                    message = f"this is the translation into '{language}', and not into '{of.language}'"
                    yield self.odd(message, pair.place(), "exchange the two translations")
                    continue
                if same_text(pair.text, pair.source) and not same_text(old.text, old.source):
                    message = f"the translation is the text itself now: '{pair.source}'"
                    yield self.odd(message, pair.place(), f"write '{old.text}' again", Severity.NOTE)
                    continue
                other = next((each for each in of.pairs if each.text == pair.text and each.source != pair.source), None)
                if other:
                    message = f"this is the translation of '{other.source}', and the text is '{pair.source}'"
                    yield self.odd(message, pair.place(), "translate it anew", Severity.NOTE)

    def _changed_looks(self) -> Iterator[LocatedFinding]:
        """Yield the templates that are gone, without which cards look otherwise, and pictures that are incomplete."""
        for name in self.earlier.changed_files:
            is_there, place = regular_file.is_file_inside(self.root, name), Place(display_path(self.root / name))
            if not is_there and Path(name).name.endswith((".svg.j2", LAYOUT_SUFFIX)):
                message, advice = GONE_TEMPLATE, f"restore '{name}'"
                yield self.finding(
                    Code.ODD_CHANGE, message, place, f"{advice}, unless the change is intentional", Severity.WARNING
                )
            elif is_there and name.endswith(".png"):
                # Imported here because few branches change pictures.
                from cardgen.export.pictures import check_png

                try:
                    check_png(regular_file.read_inside(self.root, name, LARGEST))
                except (OSError, ValueError) as error:
                    message = f"the picture cannot be read: {error}"
                    yield self.finding(
                        Code.ODD_CHANGE, message, place, "restore the file, or save it again", Severity.WARNING
                    )

    def _misspelled(self) -> Iterator[LocatedFinding]:
        """Yield the words of texts that a branch changed by a letter, and that the project has nowhere else."""
        names = [relative_name(name, self.root) for name in self.result.files]
        then, now = (_words_of(top, names) for top in (self.folder, self.root))
        for each in self.earlier.valued:
            if as_utf8(each.new):
                continue
            old, new = (_WORD.findall(text.casefold()) for text in (each.old, each.new))
            is_caption = Path(each.at.file).parent.name == CAPTIONS_FOLDER
            fewest = 1 if is_caption else FEWEST_WORDS
            for tag, a, b, c, d in ListChanges(old, new).get_opcodes():
                is_replaced = tag == "replace" and b - a == d - c and len(old) >= fewest
                pairs = [*zip(old[a:b], new[c:d], strict=True)] if is_replaced else []
                for word, written in pairs if all(_is_slip(*pair) for pair in pairs) else ():
                    if word in now and written not in then:
                        message = f"'{written}' is written nowhere else, and was '{word}' before"
                        yield self.finding(Code.ODD_CHANGE, message, each.at, f"write '{word}'", Severity.NOTE)

    def _broken_sheets(self) -> Iterator[LocatedFinding]:
        """Yield why reference sheets of the project, which quote cards, cannot be made any more."""
        if not any((*self.root.glob(f"{SHEETS_FOLDER}/*"), *self.root.glob(f"{GAMES_FOLDER}/*/{SHEETS_FOLDER}/*"))):
            return
        games = sorted({key[0] for cards in self.cards for key in cards})
        known, now = (_problems_of_sheets(each, games) for each in (self.then, self.now))
        for key in now.keys() - known.keys():
            each, named = now[key], _QUOTED.search(key[1])
            if not (named and slugify(named[1]) in self._unread):
                message = f"a reference sheet cannot be made: {each.message}"
                advice = (each.help or "").replace("available:", "use one of")
                told = self.finding(Code.ODD_CHANGE, message, each.place, advice, Severity.WARNING)
                yield self.explained(told, can_move=True)

    @cached_property
    def _unread(self) -> Collection[str]:
        """The ids of cards in files that are there, but not read any more, which is reported at these files."""
        before, now = self.cards
        read = {relative_name(each.document.file, self.root) for each in now.values()}
        files = {key[2]: relative_name(each.document.file, self.folder) for key, each in before.items()}
        is_moved = any(each.check.code == misplaced_card.CODE for each in self.result.findings)
        kept = {file for file in files.values() if is_moved or regular_file.is_file_inside(self.root, file)} - read
        return {id_ for id_, file in files.items() if file in kept}

    def _changed_captions(self) -> Iterator[LocatedFinding]:
        """Yield the lines of captions that cannot be read, and the labels of games that are not translated any more."""
        names = [name for name in self.earlier.changed_files if Path(name).parent.name == CAPTIONS_FOLDER]
        for name in names:
            if not regular_file.is_file_inside(self.root, name):
                continue
            try:
                then, now = (read_captions(top / name) for top in (self.folder, self.root))
            except CardgenError as error:
                for each in error.diagnostics:
                    yield self.odd(each.message, each.place, each.help or "")
                continue
            labels = "\n".join(line for file in game_paths(self.root) for line in text_lines(self.root, file))
            for change in self.earlier.changes_in(name):
                words = change.old.partition(" = ")[0].strip()
                is_gone = not change.new and words in then and words not in now
                if is_gone and re.search(rf"\b{re.escape(words)}\b", labels):
                    message = f"'{words}' has no translation any more, but a game of the project still uses it"
                    restore = f"this branch removed {quoted_lines([change])}"
                    yield self.finding(Code.ODD_CHANGE, message, change.at, restore, Severity.NOTE)

    def _relaxed(self) -> Iterator[LocatedFinding]:
        """Yield what the branch no longer checks, or hides."""
        for one, place in self.hidden:
            message = f"a comment hides {one.check.code} ({one.check.name}): {one.diagnostic.message}"
            advice = "correct the card and remove the comment, unless the card is right"
            is_error = one.diagnostic.severity is Severity.ERROR
            yield self.finding(Code.RELAXED, message, place, advice, Severity.WARNING if is_error else Severity.NOTE)
        for message, place, advice in (*self._relaxed_settings(), *self._relaxed_games()):
            yield self.finding(Code.RELAXED, message, place, advice, Severity.WARNING)

    def _relaxed_settings(self) -> Iterator[tuple[str, Place, str]]:
        if not any(self.folder.iterdir()):  # A project that is new turns nothing off.
            return
        try:
            project = Project.open(self.now)
        except CardgenError:
            return
        old, new = check_settings(self.then), project.settings.check
        for number, word in enumerate(new.ignore):
            if word not in old.ignore:
                advice = "remove it, and write a comment on each card that is right all the same"
                yield f"the whole project ignores '{word}' now", project.place(("check", "ignore", number)), advice
        if stricter(old.fail_level, new.fail_level) != new.fail_level:
            message = f"a {old.fail_level} fails no longer; only a finding of level '{new.fail_level}' does"
            yield message, project.place(("check", "fail_level")), f"write 'fail_level: {old.fail_level}'"

    def _relaxed_games(self) -> Iterator[tuple[str, Place, str]]:
        """Yield the checks and limits of the project's games that are gone, or whose severity is lower."""
        for file in game_paths(self.root):
            before, now = (_document(top, file.relative_to(self.root)) for top in (self.folder, self.root))
            if before and now and before.data != now.data:
                for path, keys, said in _relaxed_keys(before.data, now.data):
                    quoted = join_words([f"'{key}'" for key in keys], "and")
                    of = f" of '{path[-1]}'" if path else ""
                    yield (
                        f"this branch {said} {quoted}{of}",
                        now.place((*path, keys[0]) if said.startswith("lowered") else path),
                        _KEPT,
                    )


def _problems_of_sheets(workspace: Workspace, games: Iterable[str]) -> Mapping[tuple[str, str], Diagnostic]:
    """Return the problems of sheets, by code and message; suggestions depend on other cards."""
    # Imported here because few projects have sheets.
    from cardgen.reference_sheets.make_sheets import SheetRequest, sheet_documents

    found: list[Diagnostic] = []
    for game in games:
        try:
            sheet_documents(SheetRequest(game=game, workspace=workspace))
        except CardgenError as error:
            found += [each for each in error.diagnostics if Path(each.place.file).parent.name == SHEETS_FOLDER]
    return {(each.code, each.message.partition("; did you mean")[0]): each for each in found}


def with_source(diagnostic: Diagnostic, earlier: EarlierValues) -> Diagnostic:
    """Return the finding of an old translation with the change of its source, which is as likely to be meant."""
    quoted = stale_translation.CHANGED.search(diagnostic.message)
    cause = earlier.change_of(*quoted.groups()) if quoted else None
    if cause is None or cause.at.file == diagnostic.place.file:
        return diagnostic
    advice = f"{diagnostic.help}, or: this branch changed `{cause.old}` to `{cause.new}`; change that back"
    return diagnostic._replace(help=advice, related=((cause.at, CHANGED_HERE), *diagnostic.related))


def _translations_of(workspace: Workspace) -> Sequence[TranslationsOf]:
    project = Project.open(workspace)
    files = card_files(project)
    return all_translations(project, files, partial(whole_deck, project, files))


def _cards(workspace: Workspace) -> Mapping[CardKey, Entry]:
    """Return the cards that can be read, by game, kind, and id."""
    try:
        project = Project.open(workspace)
        cards = read_project_deck(project, card_files(project)).cards
    except CardgenError:
        return {}
    return {(each.game, each.kind, each.card.id): each for each in cards}


def _words_of(top: Path, names: Sequence[str]) -> Collection[str]:
    return {word for name in names for line in text_lines(top, name) for word in _WORD.findall(line.casefold())}


def _is_slip(word: str, written: str) -> bool:
    is_form = written in (f"{word}s", word.removesuffix("s"))
    alike = SequenceMatcher(None, word, written, autojunk=False).ratio() >= _ALIKE
    return min(len(word), len(written)) >= FEWEST_LETTERS and alike and not is_form


def stricter(one: Severity, other: Severity) -> Severity:
    """Return the one of two fail levels that more findings have."""
    return max(one, other, key=_LEVELS.index)


def check_settings(workspace: Workspace) -> CheckSettings:
    """Return how a project sets its checks, or the defaults if its settings cannot be read."""
    try:
        return Project.open(workspace).settings.check
    except CardgenError:
        return CheckSettings()


# The keys of a game file that limit what cards may say, by the paths of what they are in.
_BOUNDS = frozenset({"min", "max", "choices"})
_LIMITS: Mapping[tuple[str, ...], Collection[str]] = {
    ("checks",): (),
    ("lists", "*"): {"limits"},
    ("lists", "*", "limits"): (),
    ("lists", "*", "limits", "*"): _BOUNDS,
    ("lists", "*", "members"): _BOUNDS,
    **{(section, "*", "fields", "*"): _BOUNDS for section in ("kinds", "types", "lists")},
}


def _relaxed_keys(before: Any, now: Any, path: KeyPath = ()) -> Iterator[tuple[KeyPath, Sequence[str], str]]:
    """Yield what no longer limits cards: the path of its map, its keys, and what became of it."""
    if not (isinstance(before, dict) and isinstance(now, dict)):
        return
    kinds = next((keys for pattern, keys in _LIMITS.items() if _matches(path, pattern)), None)
    if kinds is not None:
        gone = [key for key in before if key not in now and (key in kinds or not kinds)]
        # A check or limit under another name is not gone.
        renamed = [before[key] in [each for other, each in now.items() if other not in before] for key in gone]
        if keys := [key for key, is_renamed in zip(gone, renamed, strict=True) if not is_renamed]:
            yield path, keys, "removed"
    if len(path) == 2 and path[0] == "checks":
        old, new = (each.get("severity", "warning") for each in (before, now))
        if old in _LEVELS and new in _LEVELS and _LEVELS.index(old) < _LEVELS.index(new):
            yield path, ["severity"], f"lowered {old} to {new} as the"
    for key in before.keys() & now.keys():
        yield from _relaxed_keys(before[key], now[key], (*path, key))


def _matches(path: KeyPath, pattern: Sequence[str]) -> bool:
    return len(path) == len(pattern) and all(part in ("*", key) for key, part in zip(path, pattern, strict=True))


def _document(top: Path, name: Path) -> Document | None:
    try:
        return parse_document(regular_file.read_inside(top, name, LARGEST).decode("utf-8"), display_path(top / name))
    except (OSError, UnicodeDecodeError):
        return None


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
        before, now = text_lines(folder, path), text_lines(root, file)
        if before == now or (display_path(file), Severity.ERROR) in told:
            continue  # What cannot be read says what it should be.
        if not regular_file.is_file_inside(root, file):
            message = f"the release {name} was removed since {since}"
            gone = Diagnostic(lost_id.CODE, message, Place(display_path(file)), "restore the file", check.severity)
            yield LocatedFinding(gone, check)
            continue
        pairs = enumerate(zip(before, now, strict=False), 1)
        number = next((number for number, (old, new) in pairs if old != new), len(now))
        text = now[number - 1]
        place = Place(display_path(file), Span(number, 1, number, len(text) + 1), text)
        ids = ", ".join(sorted(_released_ids(path, name) - _released_ids(file, name)))
        was = before[number - 1].strip() if len(before) == len(now) else ""
        message = f"the release {name} was edited since {since}"
        undo = f"before this branch: `{was}`; restore that value, or: " if was else ""
        advice = f"; write 'formerly: {ids}' on the card that was renamed" if ids else ""
        diagnostic = Diagnostic(lost_id.CODE, message, place, f"{undo}restore the file{advice}", check.severity)
        yield LocatedFinding(diagnostic, check)


def _released_ids(file: Path, name: str) -> frozenset[str]:
    try:
        return frozenset(card.id for card in read_release(file, name).cards)
    except CardgenError:
        return frozenset()


def text_lines(top: Path, name: str | Path) -> list[str]:
    """Return the lines of a text file below a folder, or nothing for another file, and behind a link out of it."""
    try:
        text = regular_file.read_inside(top, name, LARGEST).decode("utf-8")
    except (OSError, UnicodeDecodeError):
        return []
    return text.splitlines()


def number_now(before: Sequence[str], now: Sequence[str], line: int) -> int:
    """Return the number of the line that is now where another was, which is gone."""
    for _, start, end, at, _ in ListChanges(before, now).get_opcodes():
        if start <= line - 1 < end:
            return max(1, min(at + 1, len(now)))
    return len(now)

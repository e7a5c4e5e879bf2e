"""What checks find in card files, kept until something changes that they look at."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias, TypeVar, overload

from cardgen.checking.check import Check, CheckContext, CheckScope, EntryFact, Find
from cardgen.checking.locate import LocatedFinding, locate
from cardgen.checking.registry import Registry
from cardgen.checking.runner import Dispatch, find_in
from cardgen.checking.watched_scope import Seen, WatchedScope, digest_of, is_still_seen
from cardgen.deck.card_index import CardSource, load_rows, store_rows, stored_file
from cardgen.diagnostic import Diagnostic, log_activity
from cardgen.model.card import Entry
from cardgen.project.project import Project
from cardgen.project_checks.other_cards import IndexedCards
from cardgen.runtime import fingerprint
from cardgen.runtime.fingerprint import PROGRAM_FOLDERS, SETTLED_NS, Stamp
from cardgen.runtime.plain_data import Decoder, Encoder
from cardgen.runtime.workspace import RUN_STEPS
from cardgen.source import Document

Item = TypeVar("Item")


class LateList(Sequence[Item]):
    """A sequence that is loaded when somebody looks into it; its length is known before."""

    def __init__(self, length: int, load: Callable[[], Sequence[Item]]) -> None:
        self._length, self._load = length, load

    def __len__(self) -> int:
        return self._length

    @overload
    def __getitem__(self, index: int) -> Item: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Item]: ...
    def __getitem__(self, index: int | slice) -> Item | Sequence[Item]:
        return self._load()[index]

    def __iter__(self) -> Iterator[Item]:
        return iter(self._load())


# The files with cards that those of a file reference, or that its checks look up by name, with their stamps.
_Links: TypeAlias = tuple[tuple[str, Stamp], ...]


class KeptFile(NamedTuple):
    """What is kept of a file: what checks look up, the names of those that apply, and findings as plain data.

    `said` are facts of its cards by their functions.
    """

    stamp: Stamp
    names: tuple[str, ...]
    links: _Links
    seen: tuple[Seen, ...]
    applicable: tuple[str, ...]
    findings: str
    said: Mapping[str, list[Any]]

    @classmethod
    def of(
        cls, words: Sequence[Any], stamp: list[int], names: list[str], links: list[Any], seen: list[Any],
        applicable: int, findings: str, said: Mapping[str, list[Any]],
    ) -> KeptFile:  # fmt: skip
        """Return what was stored as JSON; `words` are numbered, because most files have the same."""
        of_links = tuple([(name, tuple(each)) for name, each in links])
        of_seen = tuple([Seen(words[derive], key, digest) for derive, key, digest in seen])
        return cls(tuple(stamp), tuple(names), of_links, of_seen, words[applicable], findings, said)

    def as_data(self, numbers: dict[Any, int]) -> list[Any]:
        """Return what is stored as JSON."""

        def number(word: object) -> int:
            return numbers.setdefault(word, len(numbers))

        seen = [(number(derive), key, digest) for derive, key, digest in self.seen]
        return [self.stamp, self.names, self.links, seen, number(self.applicable), self.findings, self.said]


class _NotingDispatch(Dispatch):
    """The checks by type and game, which notes what was asked for."""

    def __init__(self, checks: Iterable[Check], applicable: set[str]) -> None:
        super().__init__(checks, applicable)
        self.asked = set[tuple[type, str]]()

    def __getitem__(self, key: tuple[type, str]) -> tuple[tuple[Check, Find], ...]:
        self.asked.add(key)
        return super().__getitem__(key)


# FAST PATH. Reason: after a change of one card, a check of a project read and checked all of them. Gain: among 1,000
# files, it takes a quarter of the processor time. Slow twin: `cardgen/project_checks/run.py`, which checks all files.
class KeptFindings:
    """The findings in the files of a project by what they depend on.

    What checks look up in a scope is noted. A file is checked again if that has changed, or anything besides card
    files; and always if checks look at something else, or anything is wrong that is not found by a check.
    """

    def __init__(self, project: Project, source: CardSource, options: Sequence[object]) -> None:
        self._project, self._source, started = project, source, time.time_ns()
        self._key, newest = _key(project, source, options)
        self._is_settled = newest < started - SETTLED_NS
        way = repr(("findings", str(project.cwd), *options))
        self._file = stored_file(project, way) if source.kept.key else None
        (steps, words, templates), *rows = (load_rows(self._file, self._key) if self._file else []) or [(0, (), ())]
        self._steps: int = steps
        self._templates = tuple(templates)
        names = [word if isinstance(word, str) else tuple(word) for word in words]
        self._rows = {Path(name): KeptFile.of(names, *row) for name, *row in rows}
        self._stored = dict(self._rows), self._templates
        self._new: dict[Path, KeptFile] = {}
        self._said: dict[Path, dict[str, list[Any]]] = {}
        # The file of each card, and its number in there, once something was said of all.
        self.places: Sequence[tuple[Path, int]] = ()

    def forget(self) -> None:
        """Forget what is kept."""
        self._rows, self._new, self._steps, self._templates = {}, {}, 0, ()

    @cached_property
    def same(self) -> set[Path]:
        """The files that need not be checked, as far as can be told from files alone."""
        stamps = self._source.kept.stamps
        same = {file for file, row in self._rows.items() if stamps.get(file) == row.stamp}
        while changed := {file for file in same if not self._links_are_same(file, same)}:
            same -= changed
        return same

    def _links_are_same(self, file: Path, same: Collection[Path]) -> bool:
        _, names, links, *_ = self._rows[file]
        return links == self._links_of(file, names) and all(Path(name) in same for name, _ in links)

    def _links_of(self, file: Path, names: Iterable[str]) -> _Links:
        """Return the files that decide what references and names mean, as far as these are not of built-in cards."""
        stamps, cards = self._source.kept.stamps, self._source.index[file].cards
        matches = [self._source.matches(card.game, link) for card in cards for link in card.links]
        found = {each for match in matches for each, _ in match}
        found.update(each for name in names for each in self._files_by_name.get(name, ()))
        return tuple(sorted((str(each), stamps.get(each, ())) for each in found - {file}))

    @cached_property
    def _files_by_name(self) -> Mapping[str, set[Path]]:
        by_name: dict[str, set[Path]] = {}
        for file, known in self._source.index.items():
            for card in known.cards:
                for name in (card.name, card.id):
                    by_name.setdefault(name, set()).add(file)
        return by_name

    def unchanged(self, files: Iterable[Path], scope: CheckScope) -> Iterator[Path]:
        """Yield those of some files whose checks would look up the same values in a scope."""
        known = dict[Seen, bool]()
        for file in files:
            for seen in self._rows[file].seen:
                if seen not in known:
                    known[seen] = is_still_seen(seen, scope)
            if all(known[seen] for seen in self._rows[file].seen):
                yield file

    def findings(self, files: Iterable[Path], checks: Registry) -> Iterator[LocatedFinding]:
        """Yield what was found in some files."""
        for file in files:
            if content := self._rows[file].findings:
                for diagnostic, code, severity, fix, anchor in Decoder().decode(content.encode("ascii")):
                    check = checks.find(code)
                    assert check, "the key names all checks"
                    yield LocatedFinding(diagnostic, check._replace(severity=severity), fix, anchor)

    def applicable(self, files: Iterable[Path]) -> set[str]:
        """Return the names of the checks that apply to some files."""
        return {name for names in {self._rows[file].applicable for file in files} for name in names}

    def run(
        self, scope: CheckScope, documents: Mapping[Path, Document], cards: Iterable[Entry], checks: Sequence[Check]
    ) -> tuple[list[LocatedFinding], set[str]]:
        """Check some files; return what is found, and the names of the checks that apply."""
        applicable, every = set[str](), list[LocatedFinding]()
        watched, dispatch = WatchedScope(scope), _NotingDispatch(checks, applicable)
        of_files = group_by_file(cards)
        for file, document in documents.items():
            watched.begin()
            dispatch.asked.clear()
            context = CheckContext(watched)
            found = [
                locate(finding, check, context)
                for check, find in dispatch[type(document), ""]
                for finding in find(document, context)
            ]
            for place, (finding, check) in find_in(of_files.get(document.file, ()), watched, dispatch):
                found.append(locate(finding, check, place))
            every += found
            is_certain = watched.certain and not any(each.spot for each in found)
            if is_certain and (stamp := self._source.kept.stamps.get(file)):
                names = sorted({check.name for key in dispatch.asked for check, _ in dispatch[key]})
                looked_up = tuple(sorted(watched.names))
                links, seen = self._links_of(file, looked_up), tuple(sorted(watched.seen))
                self._new[file] = KeptFile(stamp, looked_up, links, seen, tuple(names), _encoded(found), {})
        return every, applicable

    def said(
        self, say: EntryFact, scope: CheckScope, read: Callable[[Iterable[Path]], Iterable[Entry]]
    ) -> Sequence[Any]:
        """Return what a function says of each card; `read` reads the files of which it is not known."""
        name, files = f"{say.__module__}.{say.__qualname__}", self._source.files
        known = {file: self._rows[file].said[name] for file in self.same if name in self._rows[file].said}
        new = [file for file in files if file not in known]
        by_file = group_by_file(read(new)) if new else {}
        for file in new:
            entries = by_file.get(self._project.display_path(file), ())
            known[file] = self._said.setdefault(file, {})[name] = [say(entry, scope) for entry in entries]
        self.places = [(file, number) for file in files for number in range(len(known[file]))]
        return [value for file in files for value in known[file]]

    def problems_of(
        self, numbers: Sequence[int], said: Sequence[Any], find: Callable[[], Sequence[Diagnostic]]
    ) -> Sequence[Diagnostic]:
        """Return the problems with drawing some cards of which something is said, which are found if any changed."""
        places = [self.places[number] for number in numbers]
        stamps = self._source.kept.stamps
        rows = [(str(self.places[each][0]), stamps.get(self.places[each][0]), each, said[each]) for each in numbers]
        identity = digest_of(repr(rows))
        if self._templates and self._templates[0] == identity and all(file in self.same for file, _ in places):
            problems: list[Diagnostic] = Decoder().decode(self._templates[1].encode("ascii"))
            return problems
        found = find()
        self._templates = identity, Encoder().encode([*found]).decode("ascii")
        return found

    def has_room(self, steps: int) -> bool:
        """Return whether all expressions together certainly take no more steps than a run may."""
        return self._steps + steps < RUN_STEPS

    def save(self, besides: Collection[Path], steps: int) -> None:
        """Store what was found in all files `besides` some; a run took some steps of expressions, and could go on."""
        rows = {file: self._with_said(file, row) for file, row in {**self._rows, **self._new}.items()}
        rows = {file: row for file, row in rows.items() if file not in besides}
        log_activity(f"findings {self._file}: {len(rows)} of {len(self._source.files)} files are kept")
        if self._file and self._is_settled and (rows, self._templates) != self._stored:
            numbers = dict[Any, int]()
            ordered = [(str(file), *rows[file].as_data(numbers)) for file in self._source.files if file in rows]
            head = self._steps + steps, [*numbers], self._templates
            store_rows(self._file, self._key, [head, *ordered])

    def _with_said(self, file: Path, row: KeptFile) -> KeptFile:
        known = self._rows[file].said if file in self.same else {}
        return row._replace(said={**known, **self._said.get(file, {})})


def _encoded(found: Iterable[LocatedFinding]) -> str:
    rows = [(each.diagnostic, each.check.code, each.check.severity, each.fix, each.anchor) for each in found]
    return Encoder().encode(rows).decode("ascii") if rows else ""


def _key(project: Project, source: CardSource, options: Sequence[object]) -> tuple[str, int]:
    """Return a digest of all besides card files on which findings depend, and the newest time of change of these."""
    digest = hashlib.blake2b(repr((source.kept.key, str(project.cwd), options)).encode(), digest_size=16)
    newest, cards = 0, {str(file) for file in source.files}
    program = chain.from_iterable(map(fingerprint.walk_statuses, map(str, PROGRAM_FOLDERS[1:])))
    for path, status in chain(program, fingerprint.project_statuses(project.root)):
        if path not in cards:
            newest = max(newest, status.st_mtime_ns, status.st_ctime_ns)
            line = f"{path}\0{fingerprint.stamp_of(status)}{status.st_mode}\n"
            digest.update(line.encode("utf-8", "surrogateescape"))
    return digest.hexdigest(), newest


class KeptCards(IndexedCards):
    """Cards of which it is kept what functions say of them."""

    def __init__(self, kept: KeptFindings, *given: Any) -> None:
        super().__init__(*given)
        self._kept = kept

    def said(self, say: EntryFact, scope: CheckScope) -> Sequence[Any]:
        """Return what a function says of each of these cards in order."""
        return self._kept.said(say, scope, self._read)


def group_by_file(entries: Iterable[Entry]) -> Mapping[str, Sequence[Entry]]:
    """Return cards by the paths of their files."""
    by_file: dict[str, list[Entry]] = {}
    for entry in entries:
        by_file.setdefault(entry.document.file, []).append(entry)
    return by_file

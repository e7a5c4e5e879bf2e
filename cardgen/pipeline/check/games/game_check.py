"""Checks of a game file itself: its examples, templates, fields, and terms."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import yaml

from cardgen.checking.check import Check, CheckContext, CheckScope, Finding, FreeText
from cardgen.checking.locate import LocatedFinding
from cardgen.checking.runner import CheckResult, sort_findings
from cardgen.codes import Code
from cardgen.diagnostic import CardgenError, Diagnostic, Place, Severity
from cardgen.game_file.check.example_run import run_examples
from cardgen.game_file.check.examples import MEMBERS, Samples, example_data, example_name, member_kind_of
from cardgen.game_file.context import GameContext
from cardgen.game_file.loader import compile_game as compile_context
from cardgen.game_file.loader import load_game, read_game, read_valid_part
from cardgen.game_file.spec.kinds import KindSpec, ListSpec
from cardgen.model.card_file import read_cards
from cardgen.model.entry import Entry
from cardgen.model.references import build_index, missing_links, resolve_links
from cardgen.pipeline.check.games.game_icons import unknown_icons
from cardgen.pipeline.check.games.loose_ends import unread_game_fields, unused_templates
from cardgen.pipeline.check.games.theme_hints import theme_hints
from cardgen.pipeline.check.registries import checks_of
from cardgen.pipeline.check.services import glossary_of, project_services
from cardgen.pipeline.load.art import find_art
from cardgen.project import Project
from cardgen.project.files import require_named_inside
from cardgen.rulesets.ruleset import Ruleset, card_models
from cardgen.runtime.project_games import GAME_FILE, ProjectGame
from cardgen.source import decode_document, parse_document

# Checks of wording, which also look at the texts of a game file.
WORDING = ("CG203", "CG204")
SAMPLE_PICTURE = Path(__file__).with_name("sample.svg")
_GAME_CODES = ("CG033", "CG035", *WORDING)


def add_games(paths: Iterable[Path], project: Project, result: CheckResult) -> CheckResult:
    """Return a result with the findings of game files."""
    files = {path: path if path.is_file() else path / GAME_FILE for path in paths}
    problems = [problem for file in files.values() for problem in check_game(file, project)]
    general = checks_of(frozenset())
    located = [
        LocatedFinding(each, general.find(each.code) or Check(each.code, each.code.lower(), ""))
        for each in dict.fromkeys(problems)
    ]
    return result._replace(
        findings=sort_findings([*result.findings, *located]),
        files=(*result.files, *map(project.display_path, files.values())),
        checks=result.checks or tuple(check for check in general.checks if check.code.startswith(_GAME_CODES)),
    )


def check_game(file: Path, project: Project) -> list[Diagnostic]:
    """Return the problems of a game file and of what belongs to it."""
    try:
        require_named_inside(project.root, file, project.display_path(file))
    except CardgenError as error:
        return list(error.diagnostics)
    known = {each.path.resolve(): (game, each) for game, each in project.games.items()}.get(file.resolve())
    game, source = known or (file.parent.name, ProjectGame(file, project.display_path(file)))
    try:
        rules = load_game(source, game)
    except CardgenError as error:
        return [*error.diagnostics, *_mistakes_in_rest(source, file.parent, game, project)]
    context = read_game(decode_document(source.content, source.name), file.parent)
    compile_context(context)
    run_examples(context)
    problems = [*context.problems]
    if known is None:
        return problems
    examples = _Examples(context, rules, project)
    problems += [*unread_game_fields(context, rules, project), *unused_templates(context, rules, project)]
    problems += [*unknown_icons(context, rules.id, project), *theme_hints(rules, project)]
    return [*problems, *examples.problems(), *_wrong_terms(context, rules, examples)]


def _mistakes_in_rest(source: ProjectGame, folder: Path, game: str, project: Project) -> list[Diagnostic]:
    """Return the mistakes in examples and icons that do not follow from the mistakes of a game."""
    try:
        context, _ = read_valid_part(decode_document(source.content, source.name), folder)
    except OSError:
        return []
    if context is None:
        return []
    before = len(context.problems)
    run_examples(context)
    return [*context.problems[before:], *unknown_icons(context, game, project)]


@dataclass
class _Examples:
    """One card of each kind, made from its example, or else from sample values."""

    context: GameContext
    rules: Ruleset
    project: Project

    @cached_property
    def _read(self) -> tuple[dict[str, Entry], dict[str, Diagnostic]]:
        entries: dict[str, Entry] = {}
        problems: dict[str, Diagnostic] = {}
        models = {self.rules.id: card_models(self.rules)}
        for kind in self._kinds():
            text = yaml.safe_dump({"game": self.rules.id, "kind": kind, **self._data(kind)}, sort_keys=False)
            document = parse_document(text, self.context.source_map.document.file)
            for outcome in read_cards(document, models, self.rules.id):
                if isinstance(outcome, Entry):
                    entries[kind] = outcome
                elif isinstance(outcome, Diagnostic):
                    problems.setdefault(kind, outcome)
        index = build_index(entries.values())
        return dict(zip(entries, resolve_links(entries.values(), index), strict=True)), problems

    def _kinds(self) -> Iterator[str]:
        """Yield the kinds of cards, and the lists."""
        yield from self.context.spec.kinds
        yield from (name for name in self.context.spec.lists if name in self.context.kinds)

    def _data(self, kind: str) -> Mapping[str, Any]:
        spec = self._spec(kind)
        samples = {} if spec.example else Samples(self.context, str(SAMPLE_PICTURE)).of_fields(spec.fields)
        data = {**example_data(kind, samples, self.context), "name": example_name(kind)}
        member = member_kind_of(kind, self.context)
        if member:
            data[MEMBERS] = [{example_name(member): max(1, self.context.spec.lists[kind].members.min)}]
        return data

    def _spec(self, kind: str) -> KindSpec | ListSpec:
        return self.context.spec.kinds.get(kind) or self.context.spec.lists[kind]

    @property
    def entries(self) -> Mapping[str, Entry]:
        """The examples that are valid, by kind."""
        return self._read[0]

    def problems(self) -> Iterator[Diagnostic]:
        """Yield a problem for each example that is not valid, and those of templates that cannot print one."""
        for kind, problem in self._read[1].items():
            if self._spec(kind).example:  # sample values are a guess
                message = f"the example is not a valid {kind}: {problem.message}"
                yield Diagnostic(Code.INVALID_GAME, message, self._place(kind), problem.help)
        yield from self._template_problems()

    def _place(self, kind: str) -> Place:
        section = "kinds" if kind in self.context.spec.kinds else "lists"
        return self.context.place((section, kind, *(("example",) if self._spec(kind).example else ())))

    def _template_problems(self) -> Iterator[Diagnostic]:
        from cardgen.pipeline.build.render import CardRenderer  # loaded here because it imports the template engine

        renderer = CardRenderer(self.project, find_art=_find_art)
        renderer.expect(self.entries.values())
        own_file = self.context.source_map.document.file
        for kind, entry in self.entries.items():
            if not self.rules.kinds[kind].is_printed or missing_links(entry):
                continue
            try:
                yield from renderer.source_mistakes(entry)
                _, misfits = renderer.render_piece(entry, backs=True)
            except CardgenError as error:
                misfits = error.diagnostics
            for each in misfits:
                # The example is not a file, so its own places mean nothing.
                yield each._replace(place=self._place(kind)) if each.place.file == own_file else each


def _find_art(project: Project, entry: Entry, name: str) -> Path:
    """Return a picture of an example, or the one that stands for any."""
    return SAMPLE_PICTURE if name == str(SAMPLE_PICTURE) else find_art(project, entry, name)


def _wrong_terms(context: GameContext, rules: Ruleset, examples: _Examples) -> Iterator[Diagnostic]:
    """Yield the terms that texts of the game file do not spell as the glossary does."""
    scope = CheckScope(
        cards=tuple(examples.entries.values()),
        documents=(),
        other_cards=lambda models, kind: (),
        services=project_services(examples.project),
        glossaries={rules.id: glossary_of(rules)},
    )
    for entry, text, place in _texts(context, rules, examples):
        free_text = FreeText(text, "text")
        for code in WORDING:
            check = checks_of(frozenset()).find(code)
            assert check
            assert check.find
            for finding in check.find(free_text, CheckContext(scope, entry)):
                yield _at(finding, code, check.severity, place)


def _texts(context: GameContext, rules: Ruleset, examples: _Examples) -> Iterator[tuple[Entry, str, Place]]:
    for kind, entry in examples.entries.items():
        spec = context.spec.kinds.get(kind)
        if spec and spec.text:
            yield entry, rules.describe(entry.card), context.place(("kinds", kind, "text"))
    for entry in [*examples.entries.values()][:1]:
        for name, term in context.spec.glossary.items():
            yield entry, term.means, context.place(("glossary", name, "means"))


def _at(finding: Finding, code: str, severity: Severity, place: Place) -> Diagnostic:
    return Diagnostic(code, finding.message, place, finding.help, severity)

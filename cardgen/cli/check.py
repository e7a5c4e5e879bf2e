"""`cardgen check`: problems of cards, with places, explanations, and fixes."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from cardgen.cli._options import build_option, open_cluster, require_no_values
from cardgen.cli._output import json_option, print_data, print_json, print_styled
from cardgen.runtime.regular_file import DASH

if TYPE_CHECKING:
    from cardgen.checking.runner import CheckResult
    from cardgen.project_checks.check_reports import CheckReport
    from cardgen.project_checks.projects import PathsByProject
    from cardgen.project_checks.run import CheckRequest
    from cardgen.runtime.workspace import Link, Workspace

_FORMATS = ("full", "concise", "json", "github", "sarif", "markdown", "junit", "gitlab")


def _words(context: click.Context, parameter: click.Parameter, values: tuple[str, ...]) -> tuple[str, ...]:
    """Split values at commas into codes and names."""
    return tuple(word.strip() for value in values for word in value.split(",") if word.strip())


def _targets(
    context: click.Context, parameter: click.Parameter, values: tuple[str, ...]
) -> tuple[tuple[str, Path | None], ...]:
    """Parse values such as 'sarif=out.sarif' into a format and a file."""
    targets = []
    for value in values:
        name, _, file = value.partition("=")
        if name not in _FORMATS:
            raise click.BadParameter(f"unknown format '{name}' (one of {', '.join(_FORMATS)})")
        targets.append((name, Path(file) if file else None))
    return tuple(targets)


@click.command("check")
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path), callback=require_no_values)
@click.option(
    "--project",
    "projects",
    multiple=True,
    type=click.Path(path_type=Path),
    metavar="FOLDER",
    help="Check only the project in this folder, of several in a repository. Can be repeated.",
)
@click.option(
    "--format",
    "targets",
    multiple=True,
    callback=_targets,
    default=("full",),
    metavar="FORMAT[=FILE]",
    help="Report format: full, concise, json, github, sarif, markdown, junit, or gitlab; with =FILE, write it to a "
    "file. Can be repeated.",
)
@click.option(
    "--select",
    multiple=True,
    callback=_words,
    metavar="CHECKS",
    help="Run only these checks: codes, code prefixes, or names, separated by commas.",
)
@click.option("--ignore", multiple=True, callback=_words, metavar="CHECKS", help="Skip these checks.")
@click.option(
    "--baseline",
    type=click.Path(path_type=Path, dir_okay=False, exists=True),
    metavar="FILE",
    help="Report only findings that this baseline does not contain.",
)
@click.option(
    "--write-baseline",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Record all findings in a baseline, so that later runs with --baseline leave them out.",
)
@click.option(
    "--changed-since",
    metavar="RELEASE",
    help="Check everything, and report only what the project did not have in a release, or at a Git tag or commit.",
)
@click.option("--fit", is_flag=True, help="Also draw the cards and pieces of their kit, and check how all of it fits.")
@click.option(
    "--pictures",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="FOLDER",
    help="Like --fit, and save a picture of each side with such a finding in this folder, with the spot marked.",
)
@click.option("--fix", is_flag=True, help="Apply fixes that do not change what a card does.")
@click.option("--diff", is_flag=True, help="Show what --fix would change, without changing files.")
@click.option("--unsafe-fixes", is_flag=True, help="With --fix or --diff, include fixes that change what a card does.")
@click.option("--no-cache", is_flag=True, help="Check again even if nothing has changed.")
@click.option("--explain", metavar="CODE|NAME", help="Show the manual page of a check, or of 'all' checks.")
@click.option(
    "--statistics",
    is_flag=True,
    help="Count findings by check, and list skipped files and checks with nothing to check.",
)
@click.option("--show-all", is_flag=True, help="Show every place of a finding, not only the first three.")
@click.option(
    "--fail-level",
    type=click.Choice(["error", "warning", "note"]),
    help="Exit with 1 on findings of this severity or higher (default: the project's setting, else warning).",
)
@build_option("cluster")
@json_option
def command(as_json: bool, **options: Any) -> int:
    """Check cards against the rules of their game.

    PATHS are card files or folders, or - for a card on standard input; the default is all cards of the project. Each
    cardgen.yaml in a folder below is a project of its own, which is checked with its own settings.

    Select checks by code (WN301), code prefix (WN3), or name.
    """
    from cardgen.project_checks.check_reports import run_cached
    from cardgen.project_checks.projects import paths_by_project
    from cardgen.runtime.fingerprint import find_project_root
    from cardgen.runtime.processes import without_gc  # loaded here to keep 'cardgen --help' fast

    if as_json:
        options["targets"] = (("json", None), *(target for target in options["targets"] if target[1]))
    check_options = _CheckOptions(**options)
    by_project = paths_by_project(check_options.paths, check_options.projects)
    if check_options.explain or check_options.diff:
        text = check_options.explanation(by_project) if check_options.explain else check_options.fixes_diff(by_project)
        if as_json:
            print_json("check", {"manual" if check_options.explain else "diff": text})
        else:
            print_data(text)
        return int(bool(text) and not check_options.explain)
    reads_input = DASH in check_options.paths
    if reads_input and check_options.fix:
        raise click.UsageError("--fix cannot change standard input; use --diff")
    uncached = any(
        (
            check_options.no_cache,
            reads_input,
            check_options.fix,
            check_options.fits,
            check_options.write_baseline,
            check_options.changed_since is not None,
        )
    )
    with without_gc(), open_cluster(check_options.cluster, None) as cluster:
        run = partial(check_options.report, by_project, cluster)
        roots = [find_project_root(each or Path.cwd()) for each in by_project]
        key = [check_options._replace(cluster=None)]
        return _deliver(run() if uncached else run_cached(run, key, check_options.input_paths, roots))


class _CheckOptions(NamedTuple):
    """The options of a run. Methods raise UsageError for unknown checks."""

    paths: tuple[Path, ...]
    projects: tuple[Path, ...]
    targets: tuple[tuple[str, Path | None], ...]
    select: tuple[str, ...]
    ignore: tuple[str, ...]
    baseline: Path | None
    write_baseline: Path | None
    changed_since: str | None
    fit: bool
    pictures: Path | None
    fix: bool
    diff: bool
    unsafe_fixes: bool
    no_cache: bool
    explain: str | None
    statistics: bool
    show_all: bool
    fail_level: str | None
    cluster: str | None

    @property
    def fits(self) -> bool:
        """True if cards are drawn."""
        return self.fit or self.pictures is not None

    @property
    def input_paths(self) -> tuple[Path, ...]:
        """The files and folders whose changes make a cached report invalid."""
        return (*self.paths, self.baseline) if self.baseline else self.paths

    def explanation(self, by_project: PathsByProject) -> str:
        """Return the requested manual pages."""
        from cardgen.project_checks.run import explain_checks
        from cardgen.runtime.workspace import Workspace

        own = [Workspace(each).with_games() for each in by_project]
        _require_checks((self.explain or "",), own)
        return next(filter(None, (explain_checks(self.explain or "", each) for each in own)), "")

    def fixes_diff(self, by_project: PathsByProject) -> str:
        """Return the diff of what --fix would change."""
        from cardgen.project_checks.run import preview_fixes

        return "".join(preview_fixes(each, unsafe=self.unsafe_fixes) for each in self._requests(by_project, None))

    def report(self, by_project: PathsByProject, cluster: Link | None) -> CheckReport:
        """Run the checks in each project, after applying fixes if requested."""
        from cardgen.checking.runner import merge_results
        from cardgen.project_checks import run

        result = merge_results([self._result(each) for each in self._requests(by_project, cluster)])
        result = self._without_baseline(result)._replace(show_all=self.show_all)
        report = run.render_reports(result, self.targets, statistics=self.statistics)
        if self.pictures is not None:
            from cardgen.project_checks.check_reports import OutputText
            from cardgen.project_checks.looks import draw_spots
            from cardgen.units import quantity

            drawn = quantity(len(draw_spots(result.findings, self.pictures)), "picture")
            note = OutputText(f"{drawn} in {self.pictures}\n", to_stderr=True)
            report = report._replace(outputs=(*report.outputs, note))
        return report

    def _result(self, request: CheckRequest) -> CheckResult:
        """Return what is found in a project, with its fail level."""
        from cardgen.project_checks import run

        result = run.apply_fixes(request, unsafe=self.unsafe_fixes) if self.fix else run.check_project(request)
        if self.changed_since is not None:
            from cardgen.releases.findings import gained_findings

            result = gained_findings(result, request, self.changed_since, "--changed-since")
        return run.with_fail_level(result, self.fail_level, request.workspace)

    def _without_baseline(self, result: CheckResult) -> CheckResult:
        """Return the result without the findings in the baseline, which is written first if requested."""
        file = self.write_baseline or self.baseline
        if file is None:
            return result
        from cardgen.project_checks.run import apply_baseline, write_baseline
        from cardgen.runtime.fingerprint import find_project_root

        root, is_whole = find_project_root(Path.cwd()), not self.paths and not self.projects
        try:
            if self.write_baseline:
                write_baseline(result, file, root, whole_project=is_whole)
            return apply_baseline(result, file, root, whole_project=is_whole)
        except ValueError as error:
            raise click.UsageError(str(error)) from None

    def _requests(self, by_project: PathsByProject, cluster: Link | None) -> list[CheckRequest]:
        from cardgen.project_checks.run import CheckRequest
        from cardgen.runtime.workspace import Workspace

        of_projects = {root: Workspace(root, cluster=cluster) for root in by_project}
        if self.select or self.ignore:
            own = [each.with_games() for each in of_projects.values()]
            _require_checks(self.select, own)
            _require_checks(self.ignore, own, to_ignore=True)
        keeps_figures = not self.no_cache
        return [
            CheckRequest(paths, self.select, self.ignore, self.fits, of_projects[root], keeps_figures=keeps_figures)
            for root, paths in by_project.items()
        ]


def _require_checks(words: tuple[str, ...], projects: Iterable[Workspace], *, to_ignore: bool = False) -> None:
    """Raise UsageError for a word that matches no check that can be used in one of the projects."""
    from cardgen.project_checks import services

    for word in words:
        refusals = [services.find_refusal(word, each, to_ignore=to_ignore) for each in projects]
        if all(refusals):
            raise click.UsageError(refusals[0])


def _deliver(report: CheckReport) -> int:
    """Write and print a report, and return the exit code."""
    for name, text in report.files:
        from cardgen.runtime.atomic_write import write

        write(Path(name), text.encode())
    for output in report.outputs:
        if output.is_data:
            print_data(output.text)
        else:
            print_styled(output.text, err=output.to_stderr)
    return int(report.failed)

"""Checks cards against the rules of their game."""

from __future__ import annotations

from collections.abc import Iterable

from cardgen.api.arguments import (
    Paths,
    Words,
    argument_places,
    bad_argument,
    project_folder,
    to_paths,
    to_words,
    warn,
)
from cardgen.checking.runner import merge_results
from cardgen.diagnostic import Diagnostic
from cardgen.print.request import BuildRequest
from cardgen.project_checks import run, services
from cardgen.project_checks.projects import paths_by_project
from cardgen.releases.findings import gained_findings
from cardgen.runtime.cluster.pool import open_cluster
from cardgen.runtime.processes import rarer_gc
from cardgen.runtime.workspace import Workspace


@rarer_gc()
def check(
    paths: Paths = (),
    select: Words = (),
    ignore: Words = (),
    fit: bool = False,
    cluster: str | None = None,
    changed_since: str | None = None,
) -> list[Diagnostic]:
    """Check cards against the rules of their game, as `cardgen check` does.

    Checks that the project's settings ignore, and findings that suppression comments cover, are left out. Nothing is
    cached.

    Args:
        paths: One or more card files or folders. By default, all cards of the project of the current folder, and of the
            projects in folders below it. With paths, they are checked in the projects that they belong to, whose other
            cards are read for references.
        select: One or more checks to run, by code ('WN301'), code prefix ('WN3'), or name. Default: all checks.
        ignore: One or more checks not to run, in the same form.
        fit: True to also draw the cards, and check that texts fit and pictures print well. This takes several times as
            long.
        cluster: The address of a Dask cluster that checks large collections, such as 'tls://HOST:8786', or 'local'. If
            it stops answering, this computer does the rest, and a RuntimeWarning says so.
        changed_since: A release, or a Git tag or commit. The findings that the project had then are left out.

    Returns:
        The findings, sorted by file and place, including errors because of which cards cannot be read.

    Raises:
        CardgenError: A word in `select` or `ignore` matches no check, the cluster cannot be used, or
            `changed_since` is unknown.

    """
    by_folder = {root or project_folder(named): named for root, named in paths_by_project(to_paths(paths)).items()}
    games = [Workspace(folder).with_games() for folder in by_folder]  # their checks can be selected
    words = (
        _require_checks("select", to_words(select), games),
        _require_checks("ignore", to_words(ignore), games),
    )
    with argument_places(), open_cluster(cluster, BuildRequest().processes, warn) as link:
        results = []
        for folder, named in by_folder.items():
            request = run.CheckRequest(named, *words, fit, Workspace(folder, cluster=link))
            result = run.check_project(request)
            if changed_since is not None:
                result = gained_findings(result, request, changed_since, "changed_since")
            results.append(result)
        return [
            one.diagnostic._replace(name=one.check.name, confidence=one.check.confidence.value, fix=one.fix)
            for one in merge_results(results).findings
        ]


def _require_checks(argument: str, words: tuple[str, ...], projects: Iterable[Workspace]) -> tuple[str, ...]:
    for word in words:
        refusals = [services.find_refusal(word, each, to_ignore=argument == "ignore") for each in projects]
        if all(refusals):
            raise bad_argument(argument, refusals[0])
    return words

"""Checks cards against the rules of their game."""

from __future__ import annotations

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
from cardgen.diagnostic import Diagnostic
from cardgen.print.request import BuildRequest
from cardgen.project_checks import run, services
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
        paths: One or more card files or folders. By default, all cards of the project of the current folder. With
            paths, the project is the one that the paths belong to. Its other cards are read for references.
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
        CardgenError: A word in `select` or `ignore` matches no check, the paths belong to different projects, the
            cluster cannot be used, or `changed_since` is unknown.

    """
    named_paths = to_paths(paths)
    folder = project_folder(named_paths)
    games = Workspace(folder).with_games()  # their checks can be selected
    words = (
        _require_checks("select", to_words(select), games),
        _require_checks("ignore", to_words(ignore), games),
    )
    with argument_places(), open_cluster(cluster, BuildRequest().processes, warn) as link:
        request = run.CheckRequest(named_paths, *words, fit, Workspace(folder, cluster=link))
        result = run.check_project(request)
        if changed_since is not None:
            result = gained_findings(result, request, changed_since, "changed_since")
        return [finding.diagnostic for finding in result.findings]


def _require_checks(argument: str, words: tuple[str, ...], workspace: Workspace) -> tuple[str, ...]:
    for word in words:
        refusal = services.find_refusal(word, workspace, to_ignore=argument == "ignore")
        if refusal:
            raise bad_argument(argument, refusal)
    return words

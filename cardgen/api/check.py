"""Cards checked against the rules of their game."""

from __future__ import annotations

from cardgen.api.arguments import Paths, Words, bad_argument, project_folder, to_paths, to_words
from cardgen.diagnostic import Diagnostic
from cardgen.pipeline.check import run
from cardgen.runtime.gc_tuning import rarer_gc


@rarer_gc()
def check(paths: Paths = (), select: Words = (), ignore: Words = (), fit: bool = False) -> list[Diagnostic]:
    """Check cards against the rules of their game, as `cardgen check` does.

    The checks that the project's settings ignore, and findings that a comment in a card file suppresses, are left out.
    Nothing is cached.

    Args:
        paths: Card files or folders of them, one or several; without any, the project that the current folder belongs
            to. With paths, the project is the one that they belong to. Its other cards are read for references.
        select: Run only these checks: codes ('WN301'), beginnings of codes ('WN3'), or names; one or several.
        ignore: Leave these checks out, named in the same way.
        fit: Also draw the cards, and check that texts fit and pictures print well. This takes a few times as long.

    Returns:
        The findings, sorted by file and place. Problems that keep cards from being read are among them.

    Raises:
        CardgenError: A word in `select` or `ignore` names no check, or the paths belong to different projects.

    """
    named_paths = to_paths(paths)
    request = run.CheckRequest(
        named_paths,
        _require_checks("select", to_words(select)),
        _require_checks("ignore", to_words(ignore)),
        fit,
        project_folder(named_paths),
    )
    return [finding.diagnostic for finding in run.check_project(request).findings]


def _require_checks(argument: str, words: tuple[str, ...]) -> tuple[str, ...]:
    for word in words:
        refusal = run.all_checks().refusal(word, to_ignore=argument == "ignore")
        if refusal:
            raise bad_argument(argument, refusal)
    return words

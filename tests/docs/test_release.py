"""What a release needs: matching versions, and workflows that hold no secret."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import yaml

from cardgen import __version__

ROOT = Path(__file__).parents[2]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))


def read(name: str) -> Any:
    return yaml.safe_load((ROOT / name).read_text(encoding="utf-8"))


def test_the_citation_is_complete_and_of_this_version() -> None:
    citation = read("CITATION.cff")
    assert {"cff-version", "message", "title", "authors"} <= citation.keys()
    assert (citation["version"], citation["license"]) == (__version__, "MIT")
    assert all(author["name"] for author in citation["authors"])


def test_no_workflow_uses_a_stored_secret() -> None:
    assert len(WORKFLOWS) == 4
    assert not [path.name for path in WORKFLOWS if "secrets." in path.read_text(encoding="utf-8")]


def test_every_checkout_forgets_its_credentials() -> None:
    for path in WORKFLOWS:
        for job in yaml.safe_load(path.read_text(encoding="utf-8"))["jobs"].values():
            checkouts = [step for step in job["steps"] if step.get("uses", "").startswith("actions/checkout@")]
            assert all(step["with"]["persist-credentials"] is False for step in checkouts), path.name


def test_only_the_publishing_job_can_publish() -> None:
    jobs = read(".github/workflows/release.yml")["jobs"]
    (publisher,) = [name for name, job in jobs.items() if any("pypi-publish" in str(step) for step in job["steps"])]
    assert jobs[publisher]["environment"] == "release"
    assert jobs[publisher]["permissions"] == {"id-token": "write"}
    assert not any("run" in step for step in jobs[publisher]["steps"])
    assert jobs["build"]["permissions"] == {"contents": "read"}


def test_a_release_refuses_a_tag_of_another_version() -> None:
    script = (ROOT / ".ci" / "release").read_text(encoding="utf-8")
    assert re.search(r'"\$tag" != "v\$version"', script)


def test_dependabot_updates_actions_and_packages() -> None:
    kinds = {update["package-ecosystem"] for update in read(".github/dependabot.yml")["updates"]}
    assert {"github-actions", "pip"} <= kinds

"""Identities: what must be equal on all machines."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from cardgen.runtime.cluster.pool import DEPENDENCIES, differences, digest_of, identity

PROJECT = Path(__file__).parents[3] / "pyproject.toml"


def test_all_dependencies_are_compared() -> None:
    project = tomllib.loads(PROJECT.read_text("utf-8"))["project"]
    names = {re.split(r"[^\w-]", each)[0] for each in project["dependencies"]}
    assert names | {"dask", "distributed"} == set(DEPENDENCIES)
    assert identity()["click"] != "none"


def test_equal_identities_have_equal_digests() -> None:
    ours = identity()
    assert not differences(dict(ours), ours)
    assert digest_of(dict(reversed(ours.items()))) == digest_of(ours)
    assert digest_of({**ours, "click": "0"}) != digest_of(ours)


def test_differences_are_named() -> None:
    ours = {"pillow": "12.0", "files of cardgen": "ab", "game ember": "cd", "zlib": "1"}
    theirs = {"pillow": "11.0", "files of cardgen": "ef", "zlib": "1", "game frost": "gh"}
    assert differences(theirs, ours) == [
        "pillow 11.0 instead of 12.0",
        "different files of cardgen",
        "game ember none instead of cd",
        "game frost gh instead of none",
    ]

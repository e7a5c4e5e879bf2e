"""The address of the documentation, and of the page of a check in it."""

from __future__ import annotations

import os
from functools import cache
from importlib.metadata import PackageNotFoundError, metadata

# The address of the documentation's site, or of the folder `docs` on a host of repositories, in place of the one that
# the package knows.
DOCS_VARIABLE = "CARDGEN_DOCS"


def documentation_address() -> str:
    """Return where the documentation is, or '' if neither the package nor the environment says it."""
    return (os.environ.get(DOCS_VARIABLE) or _of_package()).rstrip("/")


def check_address(code: str, name: str) -> str:
    """Return the address of a check's page, or '' if nobody says where the documentation is.

    On a site, each check has a page; the files of a repository have one page for all.
    """
    base = documentation_address()
    if "/blob/" in base:
        return f"{base}/checks.md#{code.lower()}-{name}"
    return f"{base}/checks/{code.lower()}/" if base else ""


@cache
def _of_package() -> str:
    try:
        urls = dict(each.split(", ", 1) for each in metadata("cardgen").get_all("Project-URL") or ())
    except (PackageNotFoundError, ValueError):
        return ""
    address = urls.get("Documentation", "")
    return "" if "/OWNER/" in address else address.replace("/tree/", "/blob/")

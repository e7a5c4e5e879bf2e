"""What of cardgen is installed and switched on, and where its documentation is."""

from __future__ import annotations

import os
from functools import cache

from cardgen import __version__

# CARDGEN_NO_FAST=1 turns all fast paths off. A fast path does the same work a second time in another way that handles
# the common case sooner. Its slow twin handles everything, and both give the same result, so whoever suspects a fast
# path can leave it out.
FAST = os.environ.get("CARDGEN_NO_FAST", "") in ("", "0")


def install_advice(extra: str, otherwise: str = "") -> str:
    """Return how to install an extra, and what to do otherwise, such as 'write CSV'.

    No package index is named: nobody has registered the name of this program there, so whoever does would be installed.
    """
    wheel = f"./cardgen-{__version__}-py3-none-any.whl"
    advice = (
        f"run pip install '.[{extra}]' in a checkout of cardgen, or pip install '{wheel}[{extra}]' next to its wheel"
    )
    return f"{advice}; or {otherwise}" if otherwise else advice


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
    from importlib.metadata import PackageNotFoundError, metadata  # loaded here because few commands need it

    try:
        urls = dict(each.split(", ", 1) for each in metadata("cardgen").get_all("Project-URL") or ())
    except (PackageNotFoundError, ValueError):
        return ""
    address = urls.get("Documentation", "")
    return "" if "/OWNER/" in address else address.replace("/tree/", "/blob/")

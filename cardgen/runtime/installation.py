"""What of cardgen is installed, and what of it is switched on."""

from __future__ import annotations

import os

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

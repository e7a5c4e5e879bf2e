"""How to install what only some features need.

No package index is named: nobody has registered the name of this program there, so whoever does would be installed.
"""

from __future__ import annotations

from cardgen import __version__


def install_advice(extra: str, otherwise: str = "") -> str:
    """Return how to install an extra, and what to do otherwise, such as 'write CSV'."""
    wheel = f"./cardgen-{__version__}-py3-none-any.whl"
    advice = (
        f"run pip install '.[{extra}]' in a checkout of cardgen, or pip install '{wheel}[{extra}]' next to its wheel"
    )
    return f"{advice}; or {otherwise}" if otherwise else advice

"""Checks the links of the documentation that lead to other sites: `python docs/site/external_links.py`.

CI runs it each night, not for each change, because other sites can be down at any time.
"""

from __future__ import annotations

import re
import sys
import time
import urllib.request
from collections.abc import Iterable, Iterator
from pathlib import Path
from urllib.error import HTTPError

ROOT = Path(__file__).parents[2]
# Links to the repository itself contain a placeholder for its owner.
PLACEHOLDER = "OWNER/"
TIMEOUT = 20.0
ATTEMPTS = 3
# Sites that turn robots away still exist.
ALIVE = {401, 403, 405, 429}
_FENCE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"\]\((https?://[^)\s]+)\)|<(https?://[^>\s]+)>")


def external_links(pages: Iterable[Path]) -> dict[str, list[Path]]:
    """Return each link to another site, and the pages that contain it."""
    links: dict[str, list[Path]] = {}
    for page in pages:
        for match in _LINK.finditer(_FENCE.sub("", page.read_text(encoding="utf-8"))):
            link = (match[1] or match[2]).partition("#")[0]
            if PLACEHOLDER not in link:
                links.setdefault(link, []).append(page)
    return links


def problem(link: str, pause: float = 5.0) -> str:
    """Return why a link is broken, or ''."""
    reason = ""
    for attempt in range(ATTEMPTS):
        if attempt:
            time.sleep(pause)
        request = urllib.request.Request(link, headers={"User-Agent": "cardgen-links/1"})
        try:
            with urllib.request.urlopen(request, timeout=TIMEOUT):
                return ""
        except HTTPError as error:
            error.close()
            if error.code in ALIVE:
                return ""
            reason = f"{error.code} {error.reason}"
        except OSError as error:
            reason = str(error)
    return reason


def pages() -> Iterator[Path]:
    """Yield the pages of the documentation."""
    yield from sorted(ROOT.glob("*.md"))
    yield from sorted((ROOT / "docs").rglob("*.md"))


def main() -> int:
    """Print the broken links, and return the exit code."""
    links = external_links(pages())
    broken = {link: reason for link in sorted(links) if (reason := problem(link))}
    for link, reason in broken.items():
        where = ", ".join(page.relative_to(ROOT).as_posix() for page in dict.fromkeys(links[link]))
        print(f"{where}: {link}: {reason}")
    print(f"{len(links)} links to other sites, {len(broken)} broken")
    return int(bool(broken))


if __name__ == "__main__":
    sys.exit(main())

"""The cluster of the option `--cluster`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from cardgen.cli._terminal import print_line

if TYPE_CHECKING:
    from cardgen.runtime.cluster.pool import Link


@contextmanager
def open_cluster(address: str | None, jobs: int | None) -> Iterator[Link | None]:
    """Connect to a cluster, if there is an address; notes go to standard error."""
    if address is None:
        yield None
        return
    from cardgen.print.options import BuildRequest  # loaded here to keep 'cardgen --help' fast
    from cardgen.runtime.cluster import pool

    def note(text: str) -> None:
        print_line(f"note: {text}", err=True)

    with pool.open_cluster(address, BuildRequest(jobs=jobs).processes, note) as link:
        yield link

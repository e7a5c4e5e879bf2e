"""The cluster of the option `--cluster`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from cardgen.cli._terminal import print_line


@contextmanager
def cluster_in_force(address: str | None, jobs: int | None) -> Iterator[None]:
    """Work on a cluster inside; notes go to standard error."""
    if address is None:
        yield
        return
    from cardgen.print.options import BuildRequest  # loaded here to keep 'cardgen --help' fast
    from cardgen.runtime.cluster import pool

    def note(text: str) -> None:
        print_line(f"note: {text}", err=True)

    with pool.cluster_in_force(address, BuildRequest(jobs=jobs).processes, note):
        yield

"""The part of a run on a cluster that happens on its workers."""

from __future__ import annotations

import hashlib
import pickle
import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import Any

from cardgen.runtime.cluster.pool import digest_of, identity
from cardgen.runtime.plain_data import Encoder

# The number of runs whose tasks stay prepared.
_MOST_TASKS = 2

_tasks: OrderedDict[bytes, Callable[[Any], Any]] = OrderedDict()
# A worker of Dask can have several threads; the libraries that draw must not run in two of them.
_lock = threading.Lock()


class OtherVersionError(Exception):
    """A worker that joined later has other versions."""


def run_block(expected: str, payload: bytes, items: Sequence[Any]) -> bytes:
    """Run some tasks of a run, and return their results as plain data, or None if one fails.

    `items` are their indices, or what they work on. `payload` is the pickled setup of the run with its arguments; it is
    prepared once in each worker. Raises OtherVersionError unless the identity of the worker has the digest `expected`.
    """
    if digest_of(identity()) != expected:
        raise OtherVersionError("the worker has different versions")
    with _lock:
        try:
            task = _task(payload)
            return Encoder().encode([task(item) for item in items])
        except Exception:
            return Encoder().encode(None)


def _task(payload: bytes) -> Callable[[Any], Any]:
    """Return the task of a run, which is prepared at its first use."""
    key = hashlib.blake2b(payload, digest_size=16).digest()
    if key not in _tasks:
        setup, arguments = pickle.loads(payload)
        _tasks[key] = setup(*arguments)
        if len(_tasks) > _MOST_TASKS:
            _tasks.popitem(last=False)
    return _tasks[key]

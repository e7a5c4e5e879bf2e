"""The gateway: the process that talks to Dask, started by `connection`.

It ends when its standard input does. Its workers, if any, end with it.
"""

from __future__ import annotations

import socket
import threading
import time
import warnings
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from cardgen.runtime.child_process import take_standard_pipes
from cardgen.runtime.cluster.pool import Address, Channel, identity
from cardgen.runtime.cluster.worker import run_block
from cardgen.runtime.installation import install_advice

if TYPE_CHECKING:
    from distributed import Client, Future

# Seconds: to connect, for a first worker, without the scheduler or any worker, and between looks at them.
_CONNECT, _FIRST_WORKER, _GRACE, _INTERVAL = 10.0, 10.0, 10.0, 1.0
_NO_CERTIFICATES = (
    "no certificates are configured",
    "set DASK_DISTRIBUTED__COMM__TLS__CA_FILE, DASK_DISTRIBUTED__COMM__TLS__CLIENT__CERT, and "
    "DASK_DISTRIBUTED__COMM__TLS__CLIENT__KEY to PEM files",
)
_START = "start one, such as: dask scheduler --host 127.0.0.1"
_NO_WORKERS = "the cluster has no workers", "start some with: dask worker ADDRESS --nworkers -1 --nthreads 1"


class RefusalError(Exception):
    """A cluster that cannot be used: message and help."""


def main() -> None:
    """Answer the messages of the parent until it closes the channel."""
    channel = Channel(*take_standard_pipes())
    warnings.simplefilter("ignore")
    with suppress(EOFError, BrokenPipeError), ExitStack() as stack:
        address, workers = channel.receive()
        try:
            client = _connect(address, workers, stack)
            answers = sorted(client.run(identity, on_error="return").items())
            channel.send(
                "ready",
                client.scheduler_info()["address"],
                {worker: answer if isinstance(answer, dict) else _first_line(answer) for worker, answer in answers},
            )
        except RefusalError as error:
            channel.send("refused", *error.args)
            return
        _Gateway(client, channel).serve()


def _connect(address: Address, workers: int, stack: ExitStack) -> Client:
    """Return a client of the cluster, which has a worker."""
    try:
        from distributed import Client
    except ImportError as error:
        raise RefusalError(f"Dask cannot be loaded: {error}", install_advice("cluster")) from None
    security = _security() if address.protocol == "tls" else None
    try:
        target = _local_cluster(workers, stack) if address.is_local else _answering(address)
        client = stack.enter_context(Client(target, timeout=_CONNECT, security=security, set_as_default=False))
    except Exception as error:
        reason = _first_line(error.__cause__ or error)
        raise RefusalError(f"no scheduler of Dask answers at {address}: {reason}", _START) from None
    try:
        client.wait_for_workers(1, timeout=_FIRST_WORKER)
    except TimeoutError:
        raise RefusalError(*_NO_WORKERS) from None
    return client


def _local_cluster(workers: int, stack: ExitStack) -> Any:
    """Return a cluster of this process; without its certificate, other users of this computer learn nothing from it."""
    import dask
    from distributed import LocalCluster, Security

    # Dask finds modules in its folder for temporary files, whose name others know, so it gets another one.
    folder = stack.enter_context(TemporaryDirectory(prefix="cardgen-", ignore_cleanup_errors=True))
    # Without a dashboard, schedulers and workers still tell anybody of their tasks over HTTP.
    routes: dict[str, object] = {"distributed.scheduler.http.routes": [], "distributed.worker.http.routes": []}
    dask.config.set({"temporary-directory": folder, **routes})
    return stack.enter_context(
        LocalCluster(
            n_workers=workers, threads_per_worker=1, host="127.0.0.1", dashboard_address=None,
            worker_dashboard_address=None, memory_limit=0, silence_logs=50, protocol="tls",
            security=Security.temporary(),
        )
    )  # fmt: skip


def _answering(address: Address) -> str:
    """Return the address. Raises OSError at once if nothing answers there; Dask would try again and again."""
    socket.create_connection((address.host.strip("[]"), address.port), _CONNECT).close()
    return str(address)


def _security() -> Any:
    from distributed import Security

    security = Security(require_encryption=True)
    if not (security.tls_ca_file and security.tls_client_cert):
        raise RefusalError(*_NO_CERTIFICATES)
    return security


def _first_line(error: BaseException) -> str:
    return (str(error).splitlines() or [""])[0][:200] or type(error).__name__


class _Gateway:
    """Submits blocks to the cluster, and sends each result when it is complete."""

    def __init__(self, client: Client, channel: Channel) -> None:
        self._client, self._channel = client, channel
        # The digest that workers must have, and the setup, of each run; and the blocks of runs on their way.
        self._runs: dict[int, tuple[str, Future]] = {}
        self._blocks: dict[tuple[int, int], Future] = {}

    def serve(self) -> None:
        """Do what the messages say until there are no more."""
        threading.Thread(target=self._watch, daemon=True).start()
        actions: dict[str, Callable[..., None]] = {"open": self._open, "submit": self._submit, "end": self._end}
        while True:
            kind, *arguments = self._channel.receive()
            actions[kind](*arguments)

    def _open(self, run: int, expected: str, payload: bytes) -> None:
        # As the result of a task, it is computed again if the worker that has it dies.
        self._runs[run] = expected, self._client.submit(bytes, payload, pure=False)

    def _submit(self, run: int, block: int, items: Sequence[Any]) -> None:
        expected, payload = self._runs[run]
        future = self._client.submit(run_block, expected, payload, items, pure=False, priority=-block)
        self._blocks[run, block] = future
        future.add_done_callback(lambda done: self._finish(run, block, done))

    def _end(self, run: int) -> None:
        self._runs.pop(run, None)

    def _finish(self, run: int, block: int, future: Future) -> None:
        """Send the result of a block."""
        answer: tuple[Any, ...]
        try:
            answer = "result", run, block, future.result()
        except BaseException as error:
            is_lost = future.status == "cancelled"
            answer = ("lost",) if is_lost else ("failed", run, block, _first_line(error))
        with suppress(OSError, ValueError):
            self._channel.send(*answer)
        self._blocks.pop((run, block), None)

    def _watch(self) -> None:
        """Report that the scheduler or all workers are gone."""
        last_alive = time.monotonic()
        while time.monotonic() - last_alive < _GRACE:
            time.sleep(_INTERVAL)
            if self._client.status == "running" and self._has_workers():
                last_alive = time.monotonic()
        with suppress(OSError, ValueError):
            self._channel.send("lost")

    def _has_workers(self) -> bool:
        try:
            return bool(self._client.nthreads())
        except Exception:
            return False


if __name__ == "__main__":
    main()

"""Addresses of clusters, and which of them are safe."""

from __future__ import annotations

import re
from ipaddress import ip_address
from typing import NamedTuple

from cardgen.codes import Code
from cardgen.diagnostic import CardgenError, Diagnostic, Place

LOCAL = "local"
_ADDRESS = re.compile(r"(?P<protocol>[a-z]+)://(?P<host>\[[0-9a-fA-F:.]+\]|[\w.-]+):(?P<port>[0-9]{1,5})", re.ASCII)
_FORMS = "use local, tcp://127.0.0.1:8786, or tls://HOST:8786"
_WHY_TLS = (
    "anyone who reaches such a port can run programs on the scheduler, the workers, and this computer; use tls:// with "
    "certificates, or a tunnel to 127.0.0.1"
)


class Address(NamedTuple):
    """Address of a scheduler; `protocol` is 'tcp' or 'tls', or 'local' for workers on this computer."""

    protocol: str
    host: str = ""
    port: int = 0

    @property
    def is_local(self) -> bool:
        """Whether the workers are started for this run."""
        return self.protocol == LOCAL

    def __str__(self) -> str:
        return LOCAL if self.is_local else f"{self.protocol}://{self.host}:{self.port}"


def parse_address(text: str) -> Address:
    """Return the address of a cluster.

    Raises CardgenError if it is invalid, or beyond this computer without TLS.
    """
    if text == LOCAL:
        return Address(LOCAL)
    match = _ADDRESS.fullmatch(text)
    if not match or match["protocol"] not in ("tcp", "tls") or not 0 < int(match["port"]) < 65536:
        raise cluster_error(f"'{text[:80]}' is not a valid address of a cluster", _FORMS)
    address = Address(match["protocol"], match["host"], int(match["port"]))
    require_safe(text)
    return address


def require_safe(address: str) -> None:
    """Raise CardgenError for the address of a scheduler or worker that is open to others and not encrypted."""
    if address.startswith("tls://") or is_loopback(address):
        return
    raise cluster_error(f"{address} is neither encrypted nor on this computer only", _WHY_TLS)


def is_loopback(address: str) -> bool:
    """Return whether an address such as 'tcp://127.0.0.1:8786' is reachable from this computer only."""
    host = address.partition("://")[2].rpartition(":")[0].strip("[]")
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def cluster_error(message: str, help_text: str = "") -> CardgenError:
    """Return an error of the option `--cluster`."""
    return CardgenError(Diagnostic(Code.NO_CLUSTER, message, Place("--cluster"), help_text))

"""Templates that take too long or too much memory in a single call, which only another process can stop."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from cardgen.face import renderer
from tests.projects import MINION, STATS, Folder

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="templates have a process of their own on Linux only")

ROOT = Path(__file__).parents[2]
# Far more than the program and the limit of a template need, so that a missing limit fails instead of filling memory.
MOST_MEMORY = 4 << 30
BUILD = ("build", "--no-cache")
HASTY = "import sys; from cardgen.face import renderer; renderer._SECONDS = 0.5; import cardgen.cli; "
SECONDS = renderer._SECONDS
LONG_CALL = "{{ dict(range(0, 230581995078360181406049, 2305843009213693951)|groupby('real')) }}"


def build(folder: Folder, body: str, *arguments: str, cards: str = MINION) -> subprocess.CompletedProcess[str]:
    folder.write(
        "templates/warniris/minion.svg.j2",
        f'<svg xmlns="http://www.w3.org/2000/svg" xmlns:cg="https://cardgen.dev/svg">\n{body}\n</svg>',
    )
    folder.write("cards/a.yaml", cards)
    return subprocess.run(
        [sys.executable, "-P", *(arguments if "-c" in arguments else ("-m", "cardgen", *(arguments or BUILD)))],
        cwd=folder.root,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY)),
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )


@pytest.mark.parametrize("arguments", [BUILD, ("check", "--fit", "--no-cache")], ids=["build", "check"])
def test_one_long_call_is_stopped(folder: Folder, arguments: tuple[str, ...]) -> None:
    assert SECONDS < 10
    process = build(folder, LONG_CALL, "-c", f"{HASTY}sys.argv[1:] = {[*arguments]}; cardgen.cli.main()")
    assert process.returncode == 1, process
    assert "Traceback" not in process.stderr
    assert "minion.svg.j2" in process.stdout + process.stderr


@pytest.mark.parametrize(
    "body",
    [
        "{{ range(99999)|map('string')|map('center', 99999)|list|length }}",
        "{% set n = namespace(v=[]) %}{% for i in range(9999) %}{% set n.v = [n.v, 'x' * 99999 ~ i] %}{% endfor %}",
        "{% set x %}{% for i in range(40) %}{{ 'x' * 99999 }}{% endfor %}{% endset %}"
        "{% set n = namespace(v=[]) %}{% for i in range(999) %}{% set n.v = [n.v, x ~ ''] %}{% endfor %}",
    ],
    ids=["filters", "lists", "blocks"],
)
def test_memory_is_limited(folder: Folder, body: str) -> None:
    process = build(folder, body)
    assert process.returncode == 1, process
    assert "Traceback" not in process.stderr
    assert "minion.svg.j2" in process.stderr


HERE = "import sys; from cardgen.face import renderer; renderer.can_fork = lambda: False; import cardgen.cli; "


def test_isolation_does_not_change_the_output(folder: Folder) -> None:
    body = '<cg:text x="5" y="5" width="40" height="60">{{ describe(card) }} {{ card.name }}</cg:text>'
    files = []
    for more in (
        BUILD,
        (*BUILD, "-j", "2"),
        ("-c", HERE + "sys.argv[1:] = ['build', '--no-cache']; cardgen.cli.main()"),
    ):
        process = build(folder, body, *more)
        assert process.returncode == 0, process
        files.append(next((folder.root / "output").glob("*.pdf")).read_bytes())
    assert len(set(files)) == 1


MUCH_MEMORY = (
    "{% set n = namespace(v=[]) %}{% for i in range(9999) %}{% set n.v = [n.v, 'x' * 99999 ~ i] %}{% endfor %}"
)
MINIONS = "kind: minion\ncards:\n" + "".join(f"  - {{name: M {n}, stats: {STATS}}}\n" for n in range(200))


@pytest.mark.parametrize(("call", "line"), [(LONG_CALL, ""), (MUCH_MEMORY, ":2:")], ids=["time", "memory"])
def test_workers_are_limited(folder: Folder, call: str, line: str) -> None:
    """Only one card, which a worker renders, exceeds a limit; the other worker's cards do not reveal it."""
    body = "{% if card.name == 'M 150' %}" + call + "{% endif %}"
    main = "sys.argv[1:] = ['build', '--no-cache', '-j', '3']; cardgen.cli.main()"
    process = build(folder, body, "-c", HASTY + main, cards=MINIONS)
    assert process.returncode == 1, process
    assert "Traceback" not in process.stderr
    assert f"minion.svg.j2{line}" in process.stderr
    assert process.stderr.count("error[") == 1

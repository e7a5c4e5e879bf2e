"""The order in which the stages may import each other, which is the architecture diagram, and names."""

from __future__ import annotations

import ast
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

from tests.cases import each_case
from tests.syntax import outline

TESTS = Path(__file__).parent
PACKAGE = TESTS.parent / "cardgen"

# Down only; the members of one tier never import each other.
TIERS: tuple[tuple[str, ...], ...] = (
    ("pytest_plugin",),
    ("cli", "api"),
    ("lsp", "studio"),
    ("editor",),
    ("target",),
    ("builds", "scaffold"),
    ("releases",),
    ("balance", "reference_sheets", "translate"),
    ("matches",),
    ("project_checks",),
    ("print",),
    ("deck",),
    ("games",),
    ("game",),
    ("game_file",),
    ("rulesets",),
    ("export",),
    ("reference", "sheet", "face", "checking"),
    ("svg",),
    ("text", "referee"),
    ("model", "grammar"),
    ("tables",),
    ("project",),
    ("sandbox",),
    ("validation",),
    ("source",),
    ("runtime",),
    ("options", "diagnostic", "units", "language"),
)
TIER_OF = {stage: tier for tier, stages in enumerate(TIERS) for stage in stages}
PAPER_LIBRARIES = {"reportlab", "cairosvg", "pikepdf", "pypdfium2"}
FILES = sorted(PACKAGE.rglob("*.py"))
# Nouns of the trade that end as gerunds do; the files of checks bear the name of the check, as users write it.
NOUNS = {"checking", "column_balancing", "copyfitting", "gc_tuning", "guillotine_packing", "meaning", "reading"}
NOUNS |= {"ruling", "wording"}
CHECKS = "checks"
# These tests are about more than one module: documents, whole runs, measurements, templates.
UNMIRRORED = {"docs", "examples", "fuzz", "hostile", "benchmarks", "templates", "journeys"}


def stage_of(path: Path) -> str:
    """The folder of a file; those of the games lie within that of the rulesets, but far above it."""
    parts = path.relative_to(PACKAGE).parts
    return "games" if parts[0] == "rulesets" and len(parts) > 2 else parts[0].removesuffix(".py")


def imports(path: Path) -> Iterator[str]:
    for module, names in outline(path).imports:
        yield module
        yield from (f"{module}.{name}" for name in names)


def test_every_stage_has_a_tier() -> None:
    stages = {stage_of(path) for path in FILES} - {"__init__", "__main__"}
    assert stages
    assert stages <= TIER_OF.keys()


def imports_upwards(path: Path) -> Iterator[str]:
    stage = stage_of(path)
    for module in imports(path) if stage in TIER_OF else ():
        parts = module.split(".")
        if parts[0] == "cardgen" and parts[1:] and parts[1] != stage and TIER_OF.get(parts[1], 99) <= TIER_OF[stage]:
            yield f"{path.relative_to(PACKAGE)} imports {module}"


def test_imports_go_down_only() -> None:
    assert not [wrong for path in FILES for wrong in imports_upwards(path)]


def test_only_export_imports_the_paper_libraries() -> None:
    importers = {stage_of(path) for path in FILES if PAPER_LIBRARIES & {name.split(".")[0] for name in imports(path)}}
    assert importers <= {"export"}


# Ways to start a process, or to let a library start one. The children of `processes` alone cannot be replaced by a file
# in the current folder.
PROCESSES = "runtime/processes.py"
STARTING_MODULES = {
    "subprocess", "multiprocessing", "webbrowser", "pty", "popen2", "concurrent.futures.process", "asyncio.subprocess",
    "_posixsubprocess", "distutils.spawn",
}  # fmt: skip
STARTING_NAMES = {
    "fork", "forkpty", "fork_exec", "startfile", "popen", "posix_spawn", "posix_spawnp", "get_context", "Popen",
    "ProcessPoolExecutor", "InterpreterPoolExecutor", "create_subprocess_exec", "create_subprocess_shell", "cpu_bound",
    "subprocess_exec", "subprocess_shell", "ShellExecuteW",
    *("exec" + end for end in ("l", "le", "lp", "lpe", "v", "ve", "vp", "vpe")),
    *("spawn" + end for end in ("l", "le", "lp", "lpe", "v", "ve", "vp", "vpe")),
}  # fmt: skip
STARTING_CALLS = {
    ("os", "system"),
    ("click", "launch"),
    ("click", "edit"),
    ("click", "echo_via_pager"),
    ("shutil", "which"),
    # These run 'uname' and 'ifconfig' from any folder of PATH.
    ("platform", "platform"),
    ("platform", "processor"),
    ("platform", "uname"),
    ("uuid", "getnode"),
    ("uuid", "uuid1"),
}


def ways_to_start(path: Path) -> Iterator[str]:
    """The names in a file that start processes, except for types that only the type checker sees."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    unseen = {
        id(inner)
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"
        for inner in ast.walk(node)
    }
    for node in ast.walk(tree):
        if id(node) in unseen:
            continue
        match node:
            case ast.Import(names=names):
                found = {alias.name for alias in names}
            case ast.ImportFrom(module=str(module), names=names):
                found = {module, *(f"{module}.{alias.name}" for alias in names)}
                found |= {alias.name for alias in names} & STARTING_NAMES
            case ast.Attribute(value=ast.Name(id=owner), attr=name) if (owner, name) in STARTING_CALLS:
                found = {"os.system"}
            case ast.Attribute(attr=name):
                found = {name} & STARTING_NAMES
            case _:
                continue
        starting = {
            name
            for name in found
            if name in STARTING_NAMES or any(f"{name}.".startswith(f"{each}.") for each in STARTING_MODULES)
        }
        yield from (f"{path.name}:{node.lineno} {name}" for name in starting | (found & {"os.system"}))


def test_one_module_starts_all_processes() -> None:
    found = {path.relative_to(PACKAGE).as_posix(): [*ways_to_start(path)] for path in FILES}
    assert found.pop(PROCESSES), "the search finds nothing"
    assert not [each for every in found.values() for each in every]


@each_case(
    "code",
    [
        "import subprocess", "from multiprocessing import get_context", "import os; os.fork()", "os.system('ls')",
        "from os import execv", "import webbrowser", "import multiprocessing.connection", "click.launch('a')",
        "from concurrent.futures import ProcessPoolExecutor", "import asyncio; asyncio.create_subprocess_exec('a')",
        "platform.platform()",
    ],
)  # fmt: skip
def test_a_way_to_start_a_process_is_found(tmp_path: Path, code: str) -> None:
    wrong = tmp_path / "wrong.py"
    wrong.write_text(code, encoding="utf-8")
    assert [*ways_to_start(wrong)]


def test_a_way_up_is_found(tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.py"
    wrong.write_text("from cardgen.cli import main\n", encoding="utf-8")
    assert "cardgen.cli.main" in list(imports(wrong))


def module_name(path: Path, root: Path = PACKAGE) -> str:
    """The dotted name of a module or a package, which its `__init__` stands for."""
    parts = path.relative_to(root.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def import_graph(files: Iterable[Path], root: Path = PACKAGE) -> dict[str, set[str]]:
    """The modules that each module imports, be it at the top, in a function, or for the type checker alone."""
    modules = {module_name(path, root): path for path in files}
    graph: dict[str, set[str]] = {}
    for name, path in modules.items():
        graph[name] = set()
        for module, names in outline(path).imports:
            full_names = (f"{module}.{each}" for each in names)
            graph[name] |= {full if full in modules else module for full in full_names} if names else {module}
        graph[name] &= modules.keys() - {name}
    return graph


def circle(graph: Mapping[str, set[str]]) -> list[str]:
    """One circle of imports, from a module to itself; empty where there is none."""
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def tier_of(path: Path, root: Path = PACKAGE) -> str | int:
    """The tier of a file; no game knows another, so each is a tier of its own."""
    parts = path.relative_to(root).parts
    if parts[0] == "rulesets" and len(parts) > 2:
        return parts[1]
    return TIER_OF.get(parts[0].removesuffix(".py"), -1)


def ambiguous_classes(files: Iterable[Path], root: Path = PACKAGE) -> dict[str, list[str]]:
    """The class names that mean two things within a tier, and where; private ones count too."""
    places: dict[tuple[str | int, str], list[str]] = defaultdict(list)
    for path in files:
        for name in outline(path).classes:
            places[tier_of(path, root), name].append(str(path))
    return {name: found for (_, name), found in places.items() if len(found) > 1}


def gerunds(root: Path) -> list[str]:
    modules = (path for path in root.rglob("*") if path.is_dir() or path.suffix == ".py")
    return [
        str(path)
        for path in modules
        if path.stem.endswith("ing") and path.stem not in NOUNS and path.parent.name != CHECKS
    ]


def shadows(tests: Path) -> list[str]:
    """The test helpers that would stand in for another module if their folder were searched for modules."""
    taken = sys.stdlib_module_names | {"cardgen"}
    helpers = (path for path in tests.rglob("*") if path.is_dir() or path.suffix == ".py")
    return [str(path) for path in helpers if path.stem in taken]


def unmirrored(tests: Path, root: Path = PACKAGE) -> list[str]:
    """The test files whose name begins with that of no module, and no package, in the folder that theirs mirrors."""
    return [
        str(path)
        for path in sorted(tests.rglob("test_*.py"))
        if len(parts := path.relative_to(tests).parts) > 1
        and parts[0] not in UNMIRRORED
        and not _subjects(root.joinpath(*parts[:-1])) & set(_beginnings(path.stem.removeprefix("test_")))
    ]


def _subjects(folder: Path) -> set[str]:
    """What a test in the mirror of a folder may be named after: its modules, its packages, and itself."""
    if not folder.is_dir():
        return set()
    modules = {path.stem.strip("_") for path in folder.glob("*.py")}
    return {folder.name, *modules, *(path.parent.name for path in folder.glob("*/__init__.py"))}


def _beginnings(name: str) -> Iterator[str]:
    words = name.split("_")
    return ("_".join(words[:count]) for count in range(1, len(words) + 1))


def test_no_module_imports_itself_by_way_of_others() -> None:
    assert not circle(import_graph(FILES))


def test_a_class_name_means_one_thing_in_a_tier() -> None:
    assert not ambiguous_classes(FILES)


def test_modules_are_named_by_nouns() -> None:
    assert not gerunds(PACKAGE)


def test_no_test_helper_takes_the_place_of_another_module() -> None:
    assert not shadows(TESTS)


def test_tests_mirror_the_source() -> None:
    assert not unmirrored(TESTS)


def write(root: Path, files: Mapping[str, str]) -> list[Path]:
    """A package with these files, for a wrong example."""
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
    return sorted(root.rglob("*.py"))


CHECKED = "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    "


@pytest.mark.parametrize("back", ["", "def late():\n    ", CHECKED])
@pytest.mark.parametrize("first", ["from cardgen.b import y", "from cardgen import b", "import cardgen.b"])
def test_a_circle_is_found(tmp_path: Path, first: str, back: str) -> None:
    root = tmp_path / "cardgen"
    files = write(root, {"__init__.py": "", "a.py": first, "b.py": f"{back}from cardgen.a import x", "c.py": first})
    assert set(circle(import_graph(files, root))) == {"cardgen.a", "cardgen.b"}


def test_a_class_name_with_two_meanings_is_found(tmp_path: Path) -> None:
    names = ("sheet/a", "face/b", "text/c", "rulesets/one/d", "rulesets/other/e", "rulesets/f")
    files = write(tmp_path, {f"{name}.py": "class _Reader: ..." for name in names})
    assert ambiguous_classes(files, tmp_path) == {
        "_Reader": [str(tmp_path / "face/b.py"), str(tmp_path / "sheet/a.py")]
    }


def test_a_gerund_is_found(tmp_path: Path) -> None:
    write(tmp_path, {"drawing.py": "", "making/a.py": "", "wording/b.py": "", "checks/c_spelling.py": ""})
    assert sorted(gerunds(tmp_path)) == [str(tmp_path / "drawing.py"), str(tmp_path / "making")]


def test_a_shadow_is_found(tmp_path: Path) -> None:
    write(tmp_path, {"statistics.py": "", "a/cardgen/b.py": "", "c/json/d.py": "", "right.py": ""})
    assert sorted(shadows(tmp_path)) == [str(tmp_path / name) for name in ("a/cardgen", "c/json", "statistics.py")]


def test_a_test_without_its_module_is_found(tmp_path: Path) -> None:
    root, tests = tmp_path / "cardgen", tmp_path / "tests"
    write(root, {"a/__init__.py": "", "a/b.py": "", "a/list_.py": "", "a/c/__init__.py": ""})
    right = ("a/test_b.py", "a/test_b_more.py", "a/test_list.py", "a/test_c.py", "a/c/test_c_x.py", "a/test_init.py")
    wrong = ("a/test_bb.py", "a/test_x_b.py", "b/test_a.py")
    write(tests, dict.fromkeys((*right, *wrong, "docs/test_page.py", "test_top.py"), ""))
    assert unmirrored(tests, root) == [str(tests / name) for name in wrong]

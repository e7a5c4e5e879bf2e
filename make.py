"""Run the targets of the Makefile without make, on any system: `python -m make test`.

It reads the Makefile, so both always do the same. Variables are set as with make: `python -m make fuzz CASES=1000`.
Only the setup differs: the virtual environment is made here, and cairo is left to the user.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent
SCRIPTS = "Scripts" if os.name == "nt" else "bin"
_VARIABLE = re.compile(r"(\w+) *[?:]= *(.*)")
_RULE = re.compile(r"(\S+):(?!=) *(.*)")
_REFERENCE = re.compile(r"\$\((\w+)\)")
_ASSIGNMENT = re.compile(r"(\w+)=(.*)")


class Makefile:
    """The rules of a Makefile, with the variables that the user sets."""

    def __init__(self, text: str, **variables: str) -> None:
        self.variables: dict[str, str] = {}
        self.rules: dict[str, tuple[list[str], list[str]]] = {}
        recipe: list[str] = []
        for line in text.splitlines():
            if line.startswith("\t"):
                recipe.append(line.strip())
            elif match := _VARIABLE.fullmatch(line):
                name, value = match.groups()
                self.variables[name] = variables.get(name, os.environ.get(name, self.expand(value)))
            elif match := _RULE.fullmatch(line):
                recipe = []
                self.rules[self.expand(match[1])] = (self.expand(match[2]).split(), recipe)

    @property
    def targets(self) -> list[str]:
        """The targets that a user runs."""
        return self.rules[".PHONY"][0]

    def expand(self, text: str) -> str:
        """Replace references to variables."""
        while _REFERENCE.search(text):
            text = _REFERENCE.sub(lambda match: self.variables[match[1]], text)
        return text

    def run(self, target: str) -> None:
        """Run a target after the targets that it needs, unless it is a file newer than them."""
        needed, recipe = self.rules.get(target, ([], []))
        for each in needed:
            self.run(each)
        if target in self.targets or (recipe and _is_outdated(ROOT / target, [ROOT / each for each in needed])):
            for line in recipe:
                _run_line(self.expand(line.replace("$@", target)), self.variables)


def _is_outdated(target: Path, needed: list[Path]) -> bool:
    if target.name == "python":  # It is python.exe on Windows, and often a link to an old file.
        return not any(target.parent.parent.glob(f"{SCRIPTS}/python*"))
    return not target.exists() or any(
        each.exists() and each.stat().st_mtime > target.stat().st_mtime for each in needed
    )


def _run_line(line: str, variables: dict[str, str]) -> None:
    words = shlex.split(line)
    environment = dict(os.environ)
    while match := _ASSIGNMENT.fullmatch(words[0]):
        environment[match[1]] = match[2]
        words = words[1:]
    print(shlex.join(words), flush=True)
    if words[0] == "touch":
        for word in words[1:]:
            (ROOT / word).touch()
    elif words[:2] == ["rm", "-rf"]:
        _remove(words[2:])
    elif words[0] == ".ci/setup":
        _run([sys.executable, "-m", "venv", variables["VENV"]], environment)
    else:
        _run(words, environment)


def _remove(patterns: list[str]) -> None:
    for path in [path for pattern in patterns for path in ROOT.glob(pattern)]:
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink()


def _run(words: list[str], environment: dict[str, str]) -> None:
    program = re.sub(r"^(.*)/bin/", rf"\1/{SCRIPTS}/", words[0])
    if "/" in program:
        program = str(ROOT / program)
    code = subprocess.run([program, *words[1:]], cwd=ROOT, env=environment, check=False).returncode
    if code:
        sys.exit(code)


def main(arguments: list[str]) -> None:
    """Run the targets that the arguments name, 'kit' by default."""
    assignments = [match.groups() for match in map(_ASSIGNMENT.fullmatch, arguments) if match]
    names = [each for each in arguments if "=" not in each]
    makefile = Makefile((ROOT / "Makefile").read_text(encoding="utf-8"), **dict(assignments))
    for name in names:
        if name not in makefile.targets:
            sys.exit(f"unknown target '{name}' (one of {', '.join(makefile.targets)})")
    for name in names or ["kit"]:
        makefile.run(name)


if __name__ == "__main__":
    main(sys.argv[1:])

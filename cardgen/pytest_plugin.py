"""pytest plugin: `pytest --cardgen cards/` checks every card file as a test.

The program itself is imported only if the option is used. All cards are checked together, once per process, when the
first of these tests runs; each test then reports the findings in its file.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from cardgen.checking.locate import LocatedFinding
    from cardgen.checking.runner import CheckResult
    from cardgen.diagnostic import Place
    from cardgen.project.project import Project

_PROPERTY = "cardgen"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options of the plugin."""
    group = parser.getgroup("cardgen", "cards")
    group.addoption(
        "--cardgen",
        action="append",
        default=[],
        dest="cardgen_paths",
        metavar="PATH",
        help="Check a card file, or all card files in a folder, as tests; repeatable.",
    )
    group.addoption("--cardgen-fit", action="store_true", help="Also draw the cards, and check that texts fit.")


def pytest_configure(config: pytest.Config) -> None:
    """Register the hooks for card files. Raises UsageError for invalid paths."""
    if config.getoption("cardgen_paths"):
        config.pluginmanager.register(_CardFileHooks(config), "cardgen-files")


class _CardFileHooks:
    """Hooks of a session that checks cards."""

    def __init__(self, config: pytest.Config) -> None:
        from cardgen.diagnostic import CardgenError, format_diagnostic

        here = config.invocation_params.dir
        paths = [here / path for path in config.getoption("cardgen_paths")]
        try:
            self._check = _SessionCheck(paths, fit=config.getoption("cardgen_fit"))
        except CardgenError as error:
            raise pytest.UsageError("\n".join(map(format_diagnostic, error.diagnostics))) from None
        self._folders = {folder for path in self._check.files for folder in path.parents}
        named = [here / arg.partition("::")[0] for arg in config.args]
        if not any(path in self._check.files for path in named):
            # pytest 8 collects nothing else of a folder if an argument names a file in it.
            outside = [path for path in self._check.files if not any(map(path.is_relative_to, named))]
            config.args += map(str, outside)

    @pytest.hookimpl(tryfirst=True)
    def pytest_ignore_collect(self, collection_path: Path) -> bool | None:
        """Enter folders with cards, even those that pytest leaves out, such as `build`."""
        is_wanted = collection_path in self._folders or collection_path in self._check.files
        return False if is_wanted else None

    def pytest_collect_file(self, file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
        """Collect a card file, or the project's settings."""
        if file_path not in self._check.files:
            return None
        collector: pytest.Collector = CardFile.from_parent(parent, path=file_path, check=self._check)
        return collector

    def pytest_terminal_summary(self, terminalreporter: Any, config: pytest.Config) -> None:
        """Show the findings of passed tests with -v."""
        passed = terminalreporter.getreports("passed") if config.get_verbosity() > 0 else ()
        texts = [text for report in passed for name, text in report.user_properties if name == _PROPERTY]
        if texts:
            terminalreporter.section("cardgen: findings below the fail level")
            terminalreporter.line("\n\n".join(texts))


class CardFile(pytest.File):
    """A card file, or a project's cardgen.yaml."""

    def __init__(self, check: _SessionCheck, **options: Any) -> None:
        super().__init__(**options)
        self.check = check

    def collect(self) -> Iterator[pytest.Item]:
        """Yield the test of the file."""
        yield CardFileItem.from_parent(self, name="cardgen", check=self.check)


class CardFileItem(pytest.Item):
    """The check of one file.

    Fails on findings of the project's fail level or higher.
    """

    def __init__(self, check: _SessionCheck, **options: Any) -> None:
        super().__init__(**options)
        self._check = check
        self.funcargs: dict[str, object] = {}  # Plugins such as pytest-lsp 1.0 fail on tests without it.

    def runtest(self) -> None:
        """Report the findings in the file."""
        from cardgen.diagnostic import format_diagnostic

        findings = self._check.findings(self.path)
        text = "\n\n".join(format_diagnostic(each.diagnostic) for each in findings)
        if self._check.fails(findings):
            pytest.fail(text, pytrace=False)
        if text:
            self.user_properties.append((_PROPERTY, text))

    def reportinfo(self) -> tuple[Path, None, str]:
        """Return the file as the title of a failure."""
        return self.path, None, os.path.relpath(self.path, self.config.invocation_params.dir)


class _SessionCheck:
    """The check of all card files in a session.

    It runs when the first result is needed. `files` are the settings file of the project, if it exists, and the card
    files. Findings in other files, such as templates, belong to the first of them. Raises CardgenError for paths
    without cards, and for paths of different projects.
    """

    def __init__(self, paths: Sequence[Path], *, fit: bool) -> None:
        from cardgen.api.arguments import project_folder
        from cardgen.runtime.fingerprint import SETTINGS_FILE

        self._paths, self._fit = tuple(paths), fit
        self._folder = project_folder(self._paths) or Path.cwd()
        settings = [file for file in [self._folder / SETTINGS_FILE] if file.is_file()]
        self.files = dict.fromkeys((*settings, *self._project().find_card_files(self._paths)))

    def _project(self) -> Project:
        """Return the project, or one without settings if they are wrong, which fails every test."""
        from cardgen.diagnostic import CardgenError
        from cardgen.project.project import Project

        try:
            project = Project.find(self._folder)
            _ = project.tables
        except CardgenError:
            return Project(self._folder)
        return project

    def findings(self, file: Path) -> tuple[LocatedFinding, ...]:
        """Return the findings in a file.

        All findings if nothing could be checked.
        """
        if not self._result.files:
            return self._result.findings
        return tuple(each for each in self._result.findings if self._owner(each.diagnostic.place) == file)

    def fails(self, findings: tuple[LocatedFinding, ...]) -> bool:
        """Return whether a file with these findings fails."""
        from cardgen.diagnostic import Severity
        from cardgen.project.project import Project

        level = Project.find(self._folder).settings.check.fail_level if self._result.files else Severity.ERROR
        return self._result._replace(findings=findings, fail_level=level).failed

    @cached_property
    def _result(self) -> CheckResult:
        from cardgen.project_checks import run
        from cardgen.runtime.workspace import Workspace

        self._cwd = Path.cwd()
        return run.check_project(run.CheckRequest(self._paths, fit=self._fit, workspace=Workspace(self._folder)))

    def _owner(self, place: Place) -> Path:
        """Return the file whose test reports findings at a place."""
        file = self._cwd / place.file
        return file if file in self.files else next(iter(self.files))

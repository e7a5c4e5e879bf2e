"""`cardgen export`: cards for digital tables, print services, and cutters."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from cardgen.cli._failures import EXIT_INCOMPLETE
from cardgen.cli._group import SuggestingGroup, complete_names, name_variables, shared_options
from cardgen.cli._options import (
    BareOptions,
    build_options,
    open_cluster,
    paths_argument,
    print_discarded,
    print_left_out,
    print_problems,
    print_unprinted,
    require_compatible,
    start_folder,
    workspace,
)
from cardgen.cli._output import ProgressBar, json_option, print_json, print_line
from cardgen.options import OPTIONS
from cardgen.target.registry import TARGETS, Target, TargetOption
from cardgen.units import file_size

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from cardgen.diagnostic import CardgenError
    from cardgen.target.job import ExportResult

_MANY_FILES = 8
_JOB_OPTIONS = tuple(name for name, option in OPTIONS.items() if option.of_profile)
_quiet = click.option("-q", "--quiet", is_flag=True, help="Print only problems.")


class _ExportGroup(SuggestingGroup):
    """A command for each profile: those of the program, and those of the project."""

    noun = "target"

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the targets in order of use, and then other profiles."""
        from cardgen.project.files import is_portable_name  # loaded here to keep 'cardgen --help' fast

        return [*TARGETS, *sorted(filter(is_portable_name, _other_profiles().keys() - TARGETS.keys()))]

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Return what shells may put into a line as it is."""
        from cardgen.cli._completion_names import OFFERED

        found = super().shell_complete(ctx, incomplete)
        return [each for each in found if each.value.startswith("-") or OFFERED.fullmatch(each.value)]

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        """Return the command for a profile, or None."""
        path = _other_profiles().get(name)
        if path is None and name in TARGETS:
            return _target_command(name, TARGETS[name], TARGETS[name].summary)
        if path is None and not _is_read(_own_folder()):
            path = _own_folder() / f"{name}.yaml"  # of which the command says why it is not read
        return _profile_command(name, path) if path else None


def _own_folder() -> Path:
    return workspace().root / "services"


def _is_read(folder: Path) -> bool:
    from cardgen.runtime.regular_file import stays_inside

    return stays_inside(folder.parent, folder)


def _other_profiles() -> dict[str, Path]:
    """Return the files of profiles that are not the built-in ones of the targets."""
    from cardgen.runtime.fingerprint import PACKAGE

    built_in = {path.stem: path for path in (PACKAGE / "services").glob("*.yaml") if path.stem not in TARGETS}
    own = _own_folder().glob("*.yaml") if _is_read(_own_folder()) else ()
    return built_in | {path.stem: path for path in own}


def _profile_command(name: str, path: Path) -> click.Command:
    """Return the command for a profile; if the file cannot be read, one that says so."""
    from cardgen.diagnostic import CardgenError
    from cardgen.project.files import display_path, require_inside
    from cardgen.target import profile

    try:
        title, target = profile.title_and_target(require_inside(path.parent.parent, path, display_path(path)))
    except CardgenError as error:
        return _broken_command(name, error)
    return _target_command(name, TARGETS[target], f"{title}, a profile for {target}.")


def _broken_command(name: str, error: CardgenError) -> click.Command:
    def fail() -> None:
        raise error

    settings = {"ignore_unknown_options": True, "allow_extra_args": True}
    return click.Command(name, settings, fail, help="A profile that cannot be read.")


def _target_command(name: str, target: Target, summary: str) -> click.Command:
    command: click.Command = click.command(name, cls=BareOptions, help=f"{summary}\n\n{_HELP}")(_decorate(name, target))
    path = f"cardgen export {name}"
    command.params += shared_options(path, hidden=True)
    name_variables(path, complete_names(command.params))
    return command


_HELP = "PATHS are card files or folders; the default is the project's cards."


def _decorate(name: str, target: Target) -> Any:
    def run(**values: Any) -> None:
        _run(name, target, values)

    decorated: Any = json_option(run)
    for option in (
        _quiet,
        build_options("export"),
        *map(_click_option, target.options[::-1]),
        _output_option(name),
        paths_argument,
    ):
        decorated = option(decorated)
    return decorated


def _click_option(option: TargetOption) -> Any:
    if option.metavar:
        return click.option(option.flag, metavar=option.metavar, help=option.help)
    return click.option(option.flag, is_flag=True, help=option.help)


def _output_option(name: str) -> Any:
    return click.option(
        "-o",
        "--output",
        type=click.Path(path_type=Path, file_okay=False),
        default=Path("output") / name,
        show_default=True,
        help="Folder for the files; by default, cards that you select have one of their own.",
    )


def _run(name: str, target: Target, values: dict[str, Any]) -> None:
    from cardgen.print.request import BuildRequest  # loaded here to keep 'cardgen --help' fast
    from cardgen.target.job import ExportRequest
    from cardgen.target.proof import export_proved

    require_compatible(values)
    values["output"] = _folder(values)
    quiet, as_json = values.pop("quiet"), values.pop("as_json")
    options = {key: values.pop(key) for key in (*_JOB_OPTIONS, *(option.name for option in target.options))}
    request = ExportRequest(name, BuildRequest(**values, folder=start_folder()), options)
    with open_cluster(values["cluster"], values["jobs"]) as cluster, ProgressBar(hidden=quiet) as progress:
        result = export_proved(request, progress.step, cluster)
    print_problems(result.skipped)
    if as_json:
        print_json("export", _as_data(result))
    elif not quiet:
        _print_result(result)
    if result.skipped:
        raise click.exceptions.Exit(EXIT_INCOMPLETE)


def _folder(values: Mapping[str, Any]) -> Path:
    """Return the folder for the files; some of the cards have a default of their own, so that complete exports stay."""
    from cardgen.target.output import part_folder  # loaded here to keep 'cardgen --help' fast

    folder: Path = values["output"]
    if click.get_current_context().get_parameter_source("output") is not ParameterSource.DEFAULT:
        return folder
    return part_folder(folder, values, values["paths"])


def _as_data(result: ExportResult) -> dict[str, object]:
    return {
        "target": result.name,
        "files": [{"path": path, "bytes": size} for path, size in result.files.items()],
        "removed": list(result.removed),
        "cards": result.cards,
        "copies": result.copies,
        "discarded": [asdict(card) for card in result.discarded],
        "skipped": [asdict(card) for card in result.skipped],
        "counts": dict(result.outcome.counts),
        "notes": list(result.outcome.notes),
        "next": result.outcome.next_step,
        "seconds": result.seconds,
    }


def _print_result(result: ExportResult) -> None:
    """Print the files with their sizes, the counts, what is missing, and the next step."""
    # A line for each file, or for many in a folder.
    numbers = Counter(path.parent for path in result.files)
    sizes: Counter[Path] = Counter()
    for path, size in result.files.items():
        sizes[path.parent if numbers[path.parent] > _MANY_FILES else path] += size
    for path, size in sizes.items():
        many = f"/ ({numbers[path]} files)" if path in numbers else ""
        line = f"{path.as_posix()}{many}, {file_size(size)}"
        print_line(line)
    for path in result.removed:
        print_line(f"removed {path.as_posix()}")
    print_discarded(result.discarded)
    print_unprinted(result.unprinted)
    print_left_out(result.skipped)
    counts = {"cards": result.cards, "copies": result.copies, **result.outcome.counts, "files": len(result.files)}
    parts = ", ".join(_count(number, noun) for noun, number in counts.items() if number)
    if parts:
        print_line(f"{parts}, {file_size(sum(result.files.values()))} in {result.seconds:.1f} s")
    for note in result.outcome.notes:
        print_line(f"note: {note}")
    if result.outcome.next_step:
        print_line(f"next: {result.outcome.next_step}")


def _count(number: int, noun: str) -> str:
    if number != 1:
        return f"{number} {noun}"
    return f"1 {noun[:-3]}y" if noun.endswith("ies") else f"1 {noun.removesuffix('s')}"


@click.command("export", cls=_ExportGroup, subcommand_metavar="TARGET [PATHS]...")
def command() -> None:
    """Export cards to a digital table, a print service, or a cutter.

    Each target has options of its own; see 'cardgen export TARGET --help'. A file services/NAME.yaml in the project is
    a target of your own: it is based on a target and changes that target's settings.
    """

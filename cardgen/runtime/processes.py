"""How processes start, in the only module that starts any, and how rarely this one looks for garbage.

The current folder is often a project that somebody else has made, so nothing in it may run. Python puts the current
folder, or that of a script, in front of its own modules; shells, Windows, and an empty entry of PATH put it in front of
other programs. So:

- Python starts with its safe path (`-P`), and with the modules of this process, except for those in the current folder;
- other programs are found by their absolute path in folders of PATH, and get a PATH with such folders only;
- no process inherits descriptors that it does not need.

`Watchdog` limits the processor time of strangers' code in a thread of this process.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from subprocess import Popen
    from typing import NoReturn


# The option of Linux's prctl that names the signal for the death of the parent.
_PR_SET_PDEATHSIG = 1
_STANDARD_ERROR = 2
# What Windows starts without a shell; batch files would be run by one.
_WINDOWS_SUFFIXES = (".exe", ".com")
# Programs that open URLs and files, with their arguments, in this order.
_OPENERS = {
    "darwin": (("/usr/bin/open",),),
    "linux": (("xdg-open",), ("gio", "open"), ("wslview",)),
}
# What tells Python, and Windows, to leave out the current folder.
_SAFE = {"PYTHONSAFEPATH": "1", "NoDefaultCurrentDirectoryInExePath": "1"}
# A child finds modules where its parent does, and where it would without it.
_START = (
    "import sys; own = sys.argv[1:]; sys.path[:] = [*own, *(each for each in sys.path if each not in own)]; "
    "from {module} import main; main()"
)


def protect_children() -> None:
    """Let all that this program starts, including what libraries start, run nothing of the current folder.

    For the program only: a library must not change the environment of the program that uses it.
    """
    os.environ.update(_SAFE, PATH=_safe_path(os.environ))


def start_python(module: str, *, shows_errors: bool = True, new_session: bool = False) -> Popen[bytes]:
    """Start `main` of a module of this program in another Python, with pipes as its standard input and output.

    Raises OSError if no process can be started.
    """
    import subprocess  # loaded here because most commands start no program

    if not _is_absolute(sys.executable or ""):
        raise OSError("the path of Python is unknown")
    # Where this process finds modules, without the current folder, which Python adds for `-c` and `-m`.
    own_search_path = [entry for entry in sys.path if _is_absolute(entry) and not _is_foreign(entry)]
    return subprocess.Popen(
        [sys.executable, "-P", *_interpreter_options(), "-c", _START.format(module=module), *own_search_path],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=None if shows_errors else subprocess.DEVNULL,
        env=child_environment(),
        start_new_session=new_session,
    )


def child_environment(environment: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return an environment, by default that of this process, in which nothing means the current folder."""
    own = dict(os.environ if environment is None else environment)
    own |= _SAFE
    own["PATH"] = _safe_path(own)
    if "PYTHONPATH" in own:
        own["PYTHONPATH"] = os.pathsep.join(filter(_is_absolute, own["PYTHONPATH"].split(os.pathsep)))
    return own


def _safe_path(environment: Mapping[str, str]) -> str:
    return os.pathsep.join(_program_folders(environment.get("PATH", "")) or _program_folders(os.defpath))


def _program_folders(path: str) -> list[str]:
    """Return the folders of a PATH without the current one, which empty and relative entries mean."""
    here = _current_folder()
    return [folder for folder in path.split(os.pathsep) if _is_absolute(folder) and not _is_same(folder, here)]


@contextmanager
def away_from_current_folder() -> Iterator[None]:
    """Make another folder the current one, while a library is loaded by its name.

    macOS and Windows look for libraries in the current folder, and Python runs a compiler to find some. The way back is
    a descriptor where systems have one: a folder that does not exist any more has no path.
    """
    here: str | int = _current_folder()
    with suppress(OSError):
        here = os.open(os.curdir, os.O_RDONLY) if os.chdir in os.supports_fd else here
    os.chdir(Path(__file__).parent)
    try:
        yield
    finally:
        with suppress(OSError):
            os.chdir(here)
        if isinstance(here, int):
            os.close(here)


def _interpreter_options() -> list[str]:
    flags = sys.flags
    given = {"-I": flags.isolated, "-E": flags.ignore_environment, "-s": flags.no_user_site, "-S": flags.no_site}
    given |= {"-B": flags.dont_write_bytecode, "-Xutf8": flags.utf8_mode}
    return [option for option, is_given in given.items() if is_given]


def leave_current_folder() -> None:
    """Find no modules any more in the current folder, which Python has put first for `-m`."""
    if not sys.flags.safe_path and _is_foreign(sys.path[0]):
        del sys.path[0]


def _is_foreign(folder: str) -> bool:
    """Return whether a folder is the current one, and not that of this program itself, as in a checkout."""
    here = _current_folder()
    return _is_same(folder or here, here) and not _is_same(folder or here, Path(__file__).parents[2])


def _current_folder() -> str:
    try:
        return os.getcwd()  # noqa: PTH109 - compared with texts
    except OSError:  # it was removed
        return ""


def _is_same(folder: str, other: str | Path) -> bool:
    try:
        return Path(folder).samefile(other)
    except OSError:
        return folder == str(other)


def _is_absolute(path: str) -> bool:
    return PurePath(path).is_absolute()


def find_program(name: str) -> str | None:
    """Return the absolute path of a program in a folder of PATH other than the current one, or None."""
    for folder in _program_folders(os.environ.get("PATH", os.defpath)):
        for suffix in _WINDOWS_SUFFIXES if sys.platform == "win32" else ("",):
            path = Path(folder, name + suffix)
            if path.is_file() and os.access(path, os.X_OK):
                return str(path)
    return None


def run_program(
    program: str, arguments: Sequence[str], environment: Mapping[str, str], seconds: float, most: int
) -> tuple[int, bytes]:
    """Run a program by its absolute path, in the folder where it lies, and return its exit code and output.

    Raises OSError if it cannot be run, which includes that it takes too long, or prints more than `most` bytes.
    """
    with start_program(program, arguments, environment, is_asked=False) as process:
        assert process.stdout, "a pipe"
        is_late = threading.Event()

        def end() -> None:
            is_late.set()
            process.kill()

        timer = threading.Timer(seconds, end)
        timer.start()
        try:
            output = process.stdout.read(most + 1)
            if len(output) <= most:
                process.wait()
        finally:
            timer.cancel()
            timer.join()  # no fork is made beside other threads
            process.kill()
    if is_late.is_set():
        raise OSError(f"it takes longer than {seconds:g} s")
    if len(output) > most:
        raise OSError(f"it prints more than {most // 2**20} MiB")
    return process.returncode, output


def start_program(
    program: str, arguments: Sequence[str], environment: Mapping[str, str], *, is_asked: bool = True
) -> Popen[bytes]:
    """Start a program by its absolute path, in the folder where it lies, with a pipe as its output.

    Its input is a pipe, too, or empty unless it `is_asked`. Raises OSError if it cannot be started.
    """
    import subprocess  # loaded here because most commands start no program

    return subprocess.Popen(
        [program, *arguments],
        stdin=subprocess.PIPE if is_asked else subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        cwd=Path(program).parent,
        env=child_environment(environment),
    )


def open_for_user(target: str) -> bool:
    """Show a URL in the user's browser, or a file, by its absolute path, in the program for its type.

    Returns whether a program for this was found.
    """
    import subprocess  # loaded here because most commands start no program

    if sys.platform == "win32":
        with suppress(OSError):
            os.startfile(target)
            return True
        return False
    for name, *arguments in _OPENERS.get(sys.platform, _OPENERS["linux"]):
        program = name if _is_absolute(name) else find_program(name)
        if program:
            with suppress(OSError):
                browser = subprocess.Popen(
                    [program, *arguments, target],
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                    cwd=Path(program).parent,
                    env=child_environment(),
                    start_new_session=True,
                )
                threading.Thread(target=browser.wait, name="browser", daemon=True).start()  # leaves no zombie
                return True
    return False


def can_fork() -> bool:
    """Return whether forking is safe for other work of this process.

    The variable CARDGEN_NO_FORK=1 says that it is not, as on other systems.
    """
    only_watchdogs = (
        thread.name == WATCHDOG_THREAD for thread in threading.enumerate() if thread is not threading.main_thread()
    )
    return (
        sys.platform == "linux"
        and os.environ.get("CARDGEN_NO_FORK", "") in ("", "0")
        and threading.current_thread() is threading.main_thread()
        and all(only_watchdogs)
    )


class Fork:
    """A fork of this process that does some work and ends, at the latest with this process.

    It has standard error and the descriptors of `keep`; all others, such as sockets and connections to other processes,
    lead nowhere.
    """

    def __init__(self, work: Callable[[], object], keep: Collection[int]) -> None:
        """Raises OSError if no fork can be made."""
        parent = os.getpid()
        self._status: int | None = None
        # Ctrl-C reaches both processes; the parent ends the fork, which must never go on as if it were the parent.
        old_mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            self.pid = os.fork()
            if not self.pid:
                _work_in_fork(work, keep, parent)
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, old_mask)

    def wait(self) -> int:
        """Wait for the end, and return the exit code, or the signal that ended the fork as a negative number."""
        if self._status is None:
            self._status = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
        return self._status

    def kill(self) -> None:
        """End the fork, if it has not ended."""
        if self._status is None:
            with suppress(OSError):
                os.kill(self.pid, signal.SIGKILL)
                self.wait()


def _work_in_fork(work: Callable[[], object], keep: Collection[int], parent: int) -> NoReturn:
    status = 1
    try:
        end_with_parent(parent)
        _drop_descriptors({*keep, _STANDARD_ERROR})
        work()
        status = 0
    finally:
        os._exit(status)


def end_with_parent(parent: int) -> None:
    """Let Linux kill this process when its parent has died."""
    import ctypes  # loaded here because most commands fork nothing

    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)


def _drop_descriptors(keep: Iterable[int]) -> None:
    """Let all other descriptors lead nowhere.

    Their numbers stay in use, because objects of the parent, which the fork may still free, would close what gets them.
    """
    nowhere = os.open(os.devnull, os.O_RDWR)
    for name in os.listdir("/proc/self/fd"):  # noqa: PTH208 - no paths
        if int(name) not in {*keep, nowhere}:
            with suppress(OSError):  # that of the list itself
                os.fstat(int(name))
                os.dup2(nowhere, int(name), inheritable=False)


def end_group(process: Popen[bytes], seconds: float) -> None:
    """Wait for a process that has a session of its own; after some seconds, end it with all that it has started."""
    from subprocess import TimeoutExpired

    try:
        process.wait(seconds)
    except (TimeoutExpired, KeyboardInterrupt):
        with suppress(OSError):
            if sys.platform == "win32":
                process.kill()
            else:
                os.killpg(process.pid, signal.SIGKILL)
        process.wait()


WATCHDOG_THREAD = "cardgen-watchdog"
_CHECK_INTERVAL, _IDLE_CHECKS = 0.1, 5
_RESEND_AFTER = 0.2
# An exception arrives within this many steps.
_DELIVERY_STEPS = 100
_Hook = Callable[["sys.UnraisableHookArgs"], object]


class TimeLimitError(Exception):
    """The code exceeded its time limit."""


class Watchdog:
    """Watchdog that raises TimeLimitError inside `limit` blocks.

    It does so when the program uses more CPU time than allowed. One thread, started by the first block, watches all
    blocks, so a block costs next to nothing; it ends half a second after the last one. An exception that gets lost, as
    in a finalizer or a callback of the garbage collector, is not reported, but sent again. Before the process forks,
    the thread ends, because a fork copies no other threads; the next block starts a new one.

    Blocks should have no bare `while` loop (`while x: pass`): Python 3.12 and 3.13 leave its jump out of the handlers
    around it, so that the exception gets past them.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._deadlines: dict[int, float] = {}
        self._interrupted: set[int] = set()
        self._hook: _Hook | None = None
        self._hook_before: _Hook = sys.unraisablehook
        self._thread: threading.Thread | None = None
        self._stop = threading.Event()
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(before=self._stop_thread)

    @contextmanager
    def limit(self, seconds: float) -> Iterator[None]:
        """Limit the CPU seconds of the block.

        A nested block cannot extend the limit of the one around it.
        """
        thread = threading.get_ident()
        with self._lock:
            outer = self._deadlines.get(thread)
            deadline = time.process_time() + seconds
            self._deadlines[thread] = deadline if outer is None else min(deadline, outer)
            if self._thread is None:
                self._stop.clear()
                self._thread = threading.Thread(target=self._watch, daemon=True, name=WATCHDOG_THREAD)
                self._thread.start()
        try:
            yield
        finally:
            self._unwatch(thread, outer)

    def _stop_thread(self) -> None:
        """End the thread between two of its steps."""
        thread = self._thread
        if thread is not None:
            self._stop.set()
            thread.join()
            self._thread = None

    def _unwatch(self, thread: int, outer: float | None) -> None:
        """End a block.

        An exception on its way arrives here, so that it cannot hit the code after the block. Calling it back
        (PyThreadState_SetAsyncExc with NULL) makes traced code hang in Python 3.11.
        """
        delivered = False
        while not delivered:
            with suppress(TimeLimitError):
                with self._lock:
                    if outer is None:
                        self._deadlines.pop(thread, None)
                    else:
                        self._deadlines[thread] = outer
                    interrupted = thread in self._interrupted
                    self._interrupted.discard(thread)
                    self._restore_hook()
                for _ in range(_DELIVERY_STEPS if interrupted else 0):
                    pass
                delivered = True

    def _watch(self) -> None:
        """Watch all blocks, until there has been none for a while."""
        import ctypes  # loaded here because most commands run no strangers' code

        idle, raise_in_thread = 0, ctypes.pythonapi.PyThreadState_SetAsyncExc  # at the next step of the thread
        while not self._stop.wait(_CHECK_INTERVAL):
            now = time.process_time()
            with self._lock:
                for thread in [thread for thread, deadline in self._deadlines.items() if deadline < now]:
                    # If it is swallowed, as in a callback of the garbage collector, it comes again.
                    self._deadlines[thread] = now + _RESEND_AFTER
                    self._interrupted.add(thread)
                    # Report no lost TimeLimitError while one may be on its way.
                    if self._hook is None:
                        self._hook_before = sys.unraisablehook
                        self._hook = sys.unraisablehook = _without_time_limits(sys.unraisablehook)
                    raise_in_thread(ctypes.c_ulong(thread), ctypes.py_object(TimeLimitError))
                idle = 0 if self._deadlines else idle + 1
                if idle == _IDLE_CHECKS:
                    self._thread = None
                    return

    def _restore_hook(self) -> None:
        """Report lost exceptions as before, unless somebody else replaced the hook meanwhile."""
        if self._hook is not None and not self._interrupted:
            if sys.unraisablehook is self._hook:
                sys.unraisablehook = self._hook_before
            self._hook = None


def _without_time_limits(hook: _Hook) -> _Hook:
    def report(error: sys.UnraisableHookArgs) -> None:
        if not issubclass(error.exc_type, TimeLimitError):
            hook(error)

    return report


WATCHDOG = Watchdog()


# New objects between collections; a higher number costs memory and saves little time.
_RARE_THRESHOLD = 10_000
# The same until a run begins its work: modules and classes are not garbage; collections would take 7 % of the start.
_START_THRESHOLD = 100_000
# Objects that Python itself has frozen; Python 3.12 has some.
_FROZEN_AT_START = gc.get_freeze_count()


def collect_rarely() -> None:
    """Collect garbage hardly ever from now on, until `rarer_gc`.

    Only programs may call this; a library must leave the collector as it is.
    """
    gc.set_threshold(_START_THRESHOLD, *gc.get_threshold()[1:])


@contextmanager
def rarer_gc() -> Iterator[None]:
    """Collect garbage less often.

    Rendering creates too little garbage for a collection every 700 objects.
    """
    thresholds = gc.get_threshold()
    if thresholds[0] == _START_THRESHOLD:
        gc.freeze()  # Collections need not scan what was loaded until now.
        gc.set_threshold(_RARE_THRESHOLD, *thresholds[1:])
    else:
        gc.set_threshold(max(_RARE_THRESHOLD, thresholds[0]) if thresholds[0] else 0, *thresholds[1:])
    try:
        yield
    finally:
        gc.set_threshold(*thresholds)


@contextmanager
def without_gc() -> Iterator[None]:
    """Collect no garbage while loading.

    Loaded objects live to the end, and collections would take a quarter of the time.
    """
    was_enabled, was_frozen = gc.isenabled(), gc.get_freeze_count() > _FROZEN_AT_START
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            # Move all objects to the oldest generation; otherwise the next collection would scan all of them.
            gc.freeze()
            if not was_frozen:  # A program that has frozen what it loaded before needs no scan of this either.
                gc.unfreeze()
            gc.enable()

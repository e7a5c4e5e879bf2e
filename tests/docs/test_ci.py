"""The example repository, checked as a user's CI would: by the action's own script, and by the pre-commit hook."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any, ClassVar

import jsonschema
import pytest
import yaml
from lxml import etree

from cardgen.cli import check, new
from tests.checking.reports.test_reports_ci import CODE_QUALITY, JUNIT
from tests.releases.test_run import git

ROOT = Path(__file__).parents[2]
EXAMPLE = Path(__file__).parent / "repository"
DOCS = ROOT / "docs" / "ci.md"
CARDS = "cards/lamplighters.yaml"
BASH = shutil.which("bash") or "bash"


def read(path: Path) -> Any:
    return yaml.safe_load(path.read_text(encoding="utf-8"))


ACTION = read(ROOT / "action.yml")
WORKFLOW = read(EXAMPLE / ".github/workflows/cards.yml")
STEP = next(step for step in WORKFLOW["jobs"]["check"]["steps"] if "cardgen@" in step["uses"])


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    folder = tmp_path / "repository"
    shutil.copytree(EXAMPLE, folder)
    return folder


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """What a runner sets, and a `cardgen` on the path."""
    program = tmp_path / "bin" / "cardgen"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m cardgen "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    path = f"{program.parent}{os.pathsep}{os.environ['PATH']}"
    files = {"GITHUB_STEP_SUMMARY": str(tmp_path / "summary.md"), "GITHUB_OUTPUT": str(tmp_path / "output.txt")}
    return {**os.environ, "PATH": path, "PYTHONPATH": str(ROOT), **files}


def run_action(
    repository: Path, environment: dict[str, str], **inputs: str
) -> tuple[subprocess.CompletedProcess[str], str]:
    """The check of the action, with its inputs filled in, and the summary that it leaves."""
    return run_step(CHECK, repository, environment, **inputs)


def run_step(
    step: Any, repository: Path, environment: dict[str, str], **inputs: str
) -> tuple[subprocess.CompletedProcess[str], str]:
    given = {name: str(spec["default"]) for name, spec in ACTION["inputs"].items()} | inputs

    def filled(text: str) -> str:
        return re.sub(r"\$\{\{ inputs\.([\w-]+) \}\}", lambda match: given[match[1]], text)

    done = subprocess.run(
        [BASH, "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
        cwd=repository / filled(step["working-directory"]),
        env=environment | {name: filled(value) for name, value in step["env"].items()},
        capture_output=True,
        text=True,
        check=False,
    )
    summary = Path(environment["GITHUB_STEP_SUMMARY"])
    return done, summary.read_text(encoding="utf-8") if summary.exists() else ""


def commands(log: str) -> list[str]:
    """What GitHub's runner takes from a log as commands, in both of their forms."""
    found, resume = [], ""
    for line in log.splitlines():
        match = re.match(r"\s*::([\w-]+)((?: .*?)?::.*)", line) or re.search(r"##\[([\w-]+)(.*?\].*)", line)
        if resume:
            resume = "" if match and match[1] == resume else resume
        elif match and match[1] == "stop-commands":
            resume = match[2].removeprefix("::")
        elif match:
            found.append(match[1] + match[2])
    assert not resume
    return found


def test_the_example_is_clean(repository: Path, environment: dict[str, str]) -> None:
    pushed = {**CHECK, "env": {**CHECK["env"], "BASE": ""}}  # a push has no base
    done, summary = run_step(pushed, repository, environment, **STEP["with"])
    assert (done.returncode, commands(done.stdout)) == (0, [])
    assert summary.startswith("### clean: 1 file, 3 cards, ")


def test_a_wrong_card_is_annotated_and_summed_up(repository: Path, environment: dict[str, str]) -> None:
    cards = repository / CARDS
    cards.write_text(cards.read_text(encoding="utf-8").replace("P1 D2", "P9 D2"), encoding="utf-8")
    done, summary = run_action(repository, environment, args="--ignore CG2", sarif="out/cards.sarif")
    assert done.returncode == 1
    (command,) = commands(done.stdout)
    assert command.startswith(f"warning file={CARDS},line=10,endLine=10,col=26,endColumn=28,title=WN301 ")
    assert summary.startswith("### 1 warning: ")
    assert f"| `{CARDS}:10:26` | **warning** Penetration 9 does no more than Penetration 5" in summary
    assert (repository / "out/cards.sarif").is_file()


def test_only_some_files(repository: Path, environment: dict[str, str]) -> None:
    done, _ = run_action(repository, environment, paths=f"{CARDS} nowhere.yaml")
    assert done.returncode == 1
    assert "::error file=nowhere.yaml,title=CG020 no-such-file::" in done.stdout


def test_paths_with_spaces_stand_on_lines_of_their_own(repository: Path, environment: dict[str, str]) -> None:
    spaced = repository / "cards" / "lamp lighters.yaml"
    (repository / CARDS).rename(spaced)
    done, summary = run_action(repository, environment, paths="cards/lamp lighters.yaml\n")
    assert (done.returncode, commands(done.stdout)) == (0, [])
    assert summary.startswith("### clean: 1 file, 3 cards, ")


def test_a_pip_in_the_repository_does_not_run(repository: Path, environment: dict[str, str]) -> None:
    (repository / "pip.py").write_text("open('broken', 'w')\n", encoding="utf-8")
    step = next(step for step in ACTION["runs"]["steps"] if step.get("name") == "Install cardgen")
    python = Path(environment["PATH"].split(os.pathsep)[0]) / "python"
    python.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} "$@"\n', encoding="utf-8")
    python.chmod(0o755)
    offline = {"ACTION": "./nowhere", "PIP_NO_INDEX": "1"}
    done = subprocess.run(
        [BASH, "-e", "-c", step["run"]], cwd=repository, env=environment | offline, capture_output=True, check=False
    )
    assert done.returncode
    assert not (repository / "broken").exists()


def test_every_action_is_pinned_by_commit() -> None:
    files = [ROOT / "action.yml", *sorted((ROOT / ".github" / "workflows").glob("*.yml"))]
    used = [line for file in files for line in file.read_text(encoding="utf-8").splitlines() if "uses:" in line]
    assert len(used) > 3
    assert all(re.search(r"uses: [\w/-]+@[0-9a-f]{40} # v\d", line) for line in used)


def test_no_input_can_run_a_command(repository: Path, environment: dict[str, str]) -> None:
    """Scripts get the inputs as variables of the environment, never as their own text."""
    assert all("${{" not in step.get("run", "") for step in ACTION["runs"]["steps"])
    run_action(repository, environment, args='"; touch broken; $(touch broken)')
    assert not (repository / "broken").exists()


def test_the_workflow_gives_inputs_that_exist() -> None:
    assert STEP["with"].keys() <= ACTION["inputs"].keys()
    rows = re.findall(r"^\| `([\w-]+)` \|", DOCS.read_text(encoding="utf-8"), re.MULTILINE)
    assert rows == list(ACTION["inputs"])


CHANGES, CHECK = (
    next(step for step in ACTION["runs"]["steps"] if step.get("id") == each) for each in ("changes", "findings")
)


def test_changed_cards_are_listed_and_must_be_named(
    repository: Path, environment: dict[str, str], tmp_path: Path
) -> None:
    subprocess.run(["cardgen", "release", "v1", "-q"], cwd=repository, env=environment, check=True)
    break_card(repository)
    (repository / "note.md").write_text("Nothing.\n", encoding="utf-8")
    inputs = {"changes-since": "v1", "release-note": "note.md", "pictures-branch": "pictures"}
    done, summary = run_step(CHANGES, repository, environment, **inputs)
    assert done.returncode == 1
    assert "the notes do not mention Wick Marrow, which changed since v1" in done.stderr
    assert "**Wick Marrow**" in summary
    folder = Path((tmp_path / "output.txt").read_text(encoding="utf-8").strip().partition("=")[2])
    assert (folder / "report.md").read_text(encoding="utf-8") in summary
    names = {path.name for path in (folder / "pictures").rglob("*.png")}
    assert names == {"001-wick-marrow-front.png", "001-the-lamplighters-front.png"}  # the list shows its members
    (repository / "note.md").write_text("Wick Marrow hits harder.\n", encoding="utf-8")
    assert run_step(CHANGES, repository, environment, **{**inputs, "pictures-branch": ""})[0].returncode == 0
    gated = {"changes-since": "v1", "allow": "words"}
    done, summary = run_step(CHANGES, repository, environment, **gated)
    assert done.returncode == 1
    assert "### Not allowed\n\n- Wick Marrow: rules changed\n" in summary
    done, summary = run_step(CHANGES, repository, environment, **{**gated, "changes-since": "v0"})
    assert done.returncode == 1
    assert re.search(r"## Cards that could not be compared\n\n    OLD: error\[CG\d+\]: unknown release 'v0'", summary)


def test_only_what_a_pull_request_causes(repository: Path, environment: dict[str, str], tmp_path: Path) -> None:
    """Its base is fetched if the clone is shallow."""
    break_card(repository)
    origin = tmp_path / "origin"
    shutil.copytree(repository, origin)
    git(origin, "init", "-q")
    git(origin, "add", "-A")
    git(origin, "commit", "-qm", "base")
    base = (
        (
            origin
            / ".git"
            / subprocess.run(
                ["git", "symbolic-ref", "HEAD"], cwd=origin, capture_output=True, text=True, check=True
            ).stdout.strip()
        )
        .read_text("utf-8")
        .strip()
    )
    shutil.rmtree(repository)
    git(tmp_path, "clone", "-q", "--no-checkout", "--depth=1", origin.as_uri(), str(repository))
    git(repository, "checkout", "-q", "HEAD")
    (repository / CARDS).write_text((repository / CARDS).read_text("utf-8").replace("D2", "D99"), encoding="utf-8")
    given = {**CHECK, "env": {**CHECK["env"], "BASE": base}}
    done, summary = run_step(given, repository, environment, **{"only-new": "true"})
    assert done.returncode == 1
    assert summary.startswith("### ")
    assert "older finding" in summary
    assert "WN301" not in summary
    assert "99" in summary
    assert Path((tmp_path / "output.txt").read_text("utf-8").strip().partition("=")[2]).read_text("utf-8") == summary


COMMANDS = ("##[set-output name=folder]a", "##[stop-commands]b", "::add-mask::c", "##[add-matcher]d")


@pytest.mark.share(2)
@pytest.mark.parametrize("step", [CHANGES, CHECK], ids=["changes", "check"])
def test_texts_of_cards_are_no_commands_to_the_runner(
    repository: Path, environment: dict[str, str], tmp_path: Path, step: Any
) -> None:
    subprocess.run(["cardgen", "release", "v1", "-q"], cwd=repository, env=environment, check=True)
    step = {**step, "run": f"exec 2>&1\n{step['run']}"}
    cards = repository / CARDS
    text = cards.read_text(encoding="utf-8")
    faults = ('name: "{0}", {0}: 1', 'name: "{0}"\n"', "name: [1]")
    for turn in range(len(faults)):  # each text in each fault; more of a kind would be summed up
        for number, attack in enumerate(COMMANDS, turn):
            changed = text.replace("name: Wick Marrow", faults[number % len(faults)].format(attack))
            cards.with_name(f"{attack}.yaml").write_text(changed, encoding="utf-8")
        done, _ = run_step(step, repository, environment, **{"changes-since": "v1", "pictures-branch": "pictures"})
        assert [attack for attack in COMMANDS if f"{attack[-1]}.yaml" not in done.stdout] == []
        allowed = re.compile(r"(error|warning|notice) (file=|title=cardgen::\d+ more )")
        assert all(map(allowed.match, commands(done.stdout)))


class GitHub(BaseHTTPRequestHandler):
    """The parts of GitHub's interface that the comment needs, which remember what they were given."""

    comments: ClassVar[list[dict[str, Any]]] = []
    calls: ClassVar[list[tuple[str, str]]] = []
    refused: ClassVar[bool] = False
    says_who: ClassVar[bool] = True

    def do_GET(self) -> None:
        self.calls.append(("GET", self.path))
        if "/git/ref/" in self.path:
            self.answer(404, {})
        elif self.path == "/user":
            self.answer(200 if self.says_who else 403, {"id": 5})
        else:
            self.answer(200, self.comments)

    def do_POST(self) -> None:
        self.change("POST")

    def do_PATCH(self) -> None:
        self.change("PATCH")

    def do_PUT(self) -> None:
        self.change("PUT")

    def change(self, method: str) -> None:
        content = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.calls.append((method, self.path))
        assert self.headers["Authorization"] == "Bearer secret"
        if self.path == "/graphql":
            is_own = content["variables"]["id"] == "IC_7"
            self.answer(200, {"data": {"node": {"viewerDidAuthor": True} if is_own else None}})
            return
        if ("/comments" in self.path or "/notes" in self.path) and not self.refused:
            others = [each for each in self.comments if each["id"] != 7]
            own = {"id": 7, "node_id": "IC_7", "user": {"type": "Bot"}, "author": {"id": 5}, "body": content["body"]}
            self.comments[:] = [own, *others]
        self.answer(403 if self.refused else 200, {"sha": "c0ffee"})

    def answer(self, code: int, content: object) -> None:
        self.send_response(code)
        self.end_headers()
        self.wfile.write(json.dumps(content).encode())

    def log_message(self, *_: object) -> None:
        """Print nothing."""


@pytest.fixture
def github(tmp_path: Path) -> Iterator[Callable[..., subprocess.CompletedProcess[str]]]:
    """Return a function that comments on pull request 3 of a repository."""
    GitHub.comments, GitHub.calls, GitHub.refused, GitHub.says_who = [], [], False, True
    server = ThreadingHTTPServer(("127.0.0.1", 0), GitHub)
    Thread(target=server.serve_forever, daemon=True).start()
    (tmp_path / "pictures").mkdir()
    (tmp_path / "pictures" / "001-ash-front.png").write_bytes(b"picture")
    report, nothing = tmp_path / "report.md", tmp_path / "nothing.md"
    nothing.touch()

    def comment(text: str, **variables: str) -> subprocess.CompletedProcess[str]:
        report.write_text(text, encoding="utf-8")
        own = {
            "GITHUB_API_URL": f"http://127.0.0.1:{server.server_port}", "GITHUB_REPOSITORY": "o/r", "CI_API_V4_URL": f"http://127.0.0.1:{server.server_port}",
            "GITHUB_SERVER_URL": "https://example.org", "TOKEN": "secret", "PULL": "3",
            "GITHUB_GRAPHQL_URL": f"http://127.0.0.1:{server.server_port}/graphql", "CHANGES": str(tmp_path),
            "FINDINGS": str(nothing), **variables,
        }  # fmt: skip
        script = str(ROOT / "cardgen" / "scaffold" / "ci_files" / "comment.py")
        command = [sys.executable, "-I", script]
        return subprocess.run(command, env={**os.environ, **own}, capture_output=True, text=True, check=False)

    yield comment
    server.shutdown()
    server.server_close()


def test_the_comment_is_written_once_and_then_updated(
    github: Callable[..., subprocess.CompletedProcess[str]], tmp_path: Path
) -> None:
    assert github("First", BRANCH="pictures").returncode == 0
    (written,) = GitHub.comments
    image = '<img src="https://example.org/o/r/raw/c0ffee/3/001-ash-front.png" alt="001-ash-front" width="200">'
    assert written["body"] == f"<!-- cardgen: changed cards -->\nFirst\n\n{image}\n"
    assert [method for method, path in GitHub.calls if "/comments" in path] == ["GET", "POST"]
    assert ("POST", "/repos/o/r/git/refs") in GitHub.calls
    GitHub.calls.clear()
    assert github("Second").returncode == 0
    assert [(method, path.partition("?")[0]) for method, path in GitHub.calls] == [
        ("GET", "/repos/o/r/issues/3/comments"),
        ("POST", "/graphql"),
        ("PATCH", "/repos/o/r/issues/comments/7"),
    ]
    assert "Second" in GitHub.comments[0]["body"]
    secret = tmp_path / "secret.png"
    secret.write_bytes(b"secret")
    (tmp_path / "pictures" / "002-link.png").symlink_to(secret)
    assert github("Third", BRANCH="pictures").returncode == 0
    assert "002-link" not in GitHub.comments[0]["body"]
    (tmp_path / "findings.md").write_text("### clean\n", "utf-8")
    assert github("Fourth", FINDINGS=str(tmp_path / "findings.md")).returncode == 0
    assert GitHub.comments[0]["body"] == "<!-- cardgen: changed cards -->\n### clean\n\nFourth\n"
    for number in range(61):
        (tmp_path / "pictures" / f"003-{number:02}.png").write_bytes(b"picture")
    assert github("Fifth", BRANCH="pictures").returncode == 0
    assert GitHub.comments[0]["body"].count("<img") == 60
    assert GitHub.comments[0]["body"].endswith("\n\n2 more pictures are not shown.\n")
    assert github("", FINDINGS=str(tmp_path / "findings.md"), CHANGES="").returncode == 0
    assert GitHub.comments[0]["body"] == "<!-- cardgen: changed cards -->\n### clean\n\n"
    # A link in the repository could lead to the token; a comment of a user who was deleted has none.
    (tmp_path / "link.md").symlink_to("/proc/self/environ")
    GitHub.comments.insert(0, {"id": 1, "user": None, "body": "<!-- cardgen: changed cards -->"})
    assert github("", FINDINGS=str(tmp_path / "link.md")).returncode == 0
    assert "The cards could not be checked" in GitHub.comments[0]["body"]
    assert "secret" not in GitHub.comments[0]["body"]
    (tmp_path / "report.md").unlink()
    assert github("", FINDINGS="", CHANGES="nowhere").returncode == 0  # no older comment stands
    assert "The cards could not be checked\n\nThe log of the job says why." in GitHub.comments[0]["body"]
    assert "The changed cards are not known" in GitHub.comments[0]["body"]
    github("line\n" * 20_000)
    assert len(GitHub.comments[0]["body"]) < 61_000


@pytest.mark.parametrize("sort", ["Bot", "User"])
def test_a_comment_of_somebody_else_is_left_as_it_is(
    github: Callable[..., subprocess.CompletedProcess[str]], sort: str
) -> None:
    """On GitHub, also that of another program, which may repeat what somebody has told it."""
    other = {"id": 6, "node_id": "IC_6", "user": {"type": sort}, "body": "<!-- cardgen: changed cards -->\nOther"}
    GitHub.comments.append(other)
    for text in ("First", "Second"):
        assert github(text).returncode == 0
        GitHub.comments.reverse()  # the other one comes first
    written = [(method, path) for method, path in GitHub.calls if "/comments" in path and method != "GET"]
    assert written == [("POST", "/repos/o/r/issues/3/comments"), ("PATCH", "/repos/o/r/issues/comments/7")]
    assert other in GitHub.comments


@pytest.mark.parametrize(("host", "user"), [("forgejo", 5), ("forgejo", -2), ("gitlab", 5)])
def test_the_comment_of_other_hosts(
    github: Callable[..., subprocess.CompletedProcess[str]], tmp_path: Path, host: str, user: int
) -> None:
    """With names that try to be markup: what reports escape stays escaped."""
    hostile = "## Changed cards\n\n- **\\<img src=x\\> @&#8203;all** \\(relic x\\)\n"
    url = {"GITLAB_CI": "true", "CI_PROJECT_ID": "12", "CI_MERGE_REQUEST_IID": "3"} if host == "gitlab" else {}
    GitHub.says_who = user == 5  # the token of a job of Forgejo may not ask
    # A note of somebody else is left as it is.
    stranger = {"id": 8, "login": "mallory"}
    body = "<!-- cardgen: changed cards -->"
    GitHub.comments.append({"id": 6, "author": stranger, "user": stranger, "body": body})
    for _ in range(2):
        assert github(hostile, **url).returncode == 0
        GitHub.comments[0]["user"] = {"id": user}  # these hosts do not say who is a program
    assert hostile in GitHub.comments[0]["body"]
    written = [(method, path) for method, path in GitHub.calls if method != "GET"]
    notes, comments = "/projects/12/merge_requests/3/notes", "/repos/o/r/issues/3/comments"
    expected = {
        "gitlab": [("POST", notes), ("PUT", f"{notes}/7")],
        "forgejo": [("POST", comments), ("PATCH", "/repos/o/r/issues/comments/7")],
    }
    assert written == expected[host]


def test_without_the_right_to_write_the_job_warns(github: Callable[..., subprocess.CompletedProcess[str]]) -> None:
    GitHub.refused = True
    done = github("First")
    assert done.returncode == 0
    assert done.stdout.startswith("::warning::the comment was not written: HTTP Error 403")
    assert "secret" not in done.stdout + done.stderr
    assert github("First", BRANCH="../x").returncode == 1


HOOKS = {hook["id"]: hook for hook in read(ROOT / ".pre-commit-hooks.yaml")}


@pytest.mark.share(3)
@pytest.mark.parametrize("name", HOOKS)
@pytest.mark.parametrize("folder", ["cards", ".", "minions/brave"])
def test_the_hooks_find_cards_in_any_folder(
    repository: Path, environment: dict[str, str], name: str, folder: str
) -> None:
    (repository / folder).mkdir(parents=True, exist_ok=True)
    cards = repository / CARDS
    wrong = cards.read_text(encoding="utf-8").replace("D2", "D99")
    cards.rename(repository / folder / cards.name).write_text(wrong, encoding="utf-8")
    if folder != "cards":
        cards.parent.rmdir()
    hook = HOOKS[name]
    assert hook["always_run"]  # also if a commit only deletes files, which hooks are not told
    assert not hook["pass_filenames"]
    command = shlex.split(hook["entry"])
    done = subprocess.run(command, cwd=repository, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "lamplighters.yaml:10:2" in done.stdout


def test_the_example_names_a_hook_that_exists(repository: Path, environment: dict[str, str]) -> None:
    wanted = [hook for repo in read(EXAMPLE / ".pre-commit-config.yaml")["repos"] for hook in repo["hooks"]]
    assert [hook["id"] for hook in wanted] == ["cardgen-check"]
    command = shlex.split(HOOKS["cardgen-check"]["entry"])
    done = subprocess.run(command, cwd=repository, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def run_script(lines: list[str], repository: Path, environment: dict[str, str]) -> int:
    """Run what a CI server would, with the program of this checkout in place of an installed one."""
    (command,) = [line.removeprefix(".venv/bin/") for line in lines if "cardgen check" in line]
    assert any("pip install git+https://github.com/OWNER/cardgen@v" in line for line in lines)
    return subprocess.run(shlex.split(command), cwd=repository, env=environment, check=False).returncode


def break_card(repository: Path) -> None:
    cards = repository / CARDS
    cards.write_text(cards.read_text(encoding="utf-8").replace("P1 D2", "P9 D2"), encoding="utf-8")


def test_gitlab_gets_the_reports_that_its_job_names(repository: Path, environment: dict[str, str]) -> None:
    job = read(EXAMPLE / ".gitlab-ci.yml")["cards"]
    assert run_script(job["script"], repository, environment) == 0
    break_card(repository)
    assert run_script(job["script"], repository, environment) == 1
    reports = job["artifacts"]["reports"]
    (issue,) = json.loads((repository / reports["codequality"]).read_text(encoding="utf-8"))
    jsonschema.validate([issue], CODE_QUALITY)
    assert issue["location"]["path"] == CARDS
    JUNIT.assertValid(etree.parse(repository / reports["junit"]))


def test_jenkins_gets_the_report_that_its_pipeline_names(repository: Path, environment: dict[str, str]) -> None:
    text = (EXAMPLE / "Jenkinsfile").read_text(encoding="utf-8")
    assert text.count("{") == text.count("}") == 8
    break_card(repository)
    assert run_script(re.findall(r"sh '([^']+)'", text), repository, environment) == 1
    (name,) = re.findall(r"junit '([^']+)'", text)
    root = etree.parse(repository / name)
    JUNIT.assertValid(root)
    assert [case.get("name") for case in root.iterfind(".//testcase")] == ["WN301 wasted-penetration"]


def test_the_page_sets_options_that_exist() -> None:
    page = re.sub(r"`pip [^`]+`", "", DOCS.read_text(encoding="utf-8"))
    options = set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", page))
    commands_of_page = (check.command, new.command)
    assert options <= {option for each in commands_of_page for parameter in each.params for option in parameter.opts}


def test_the_documentation_shows_the_example_as_it_is() -> None:
    text = DOCS.read_text(encoding="utf-8")
    files = [path for path in sorted(EXAMPLE.rglob("*")) if path.is_file()]
    assert len(files) == 6
    for path in files:
        name = path.relative_to(EXAMPLE).as_posix()
        content = path.read_text(encoding="utf-8")
        assert f"`{name}`" in text
        language = "groovy" if name == "Jenkinsfile" else "yaml"
        assert f"```{language}\n{content}```" in text, f"copy {path.relative_to(ROOT)} into {DOCS.relative_to(ROOT)}"

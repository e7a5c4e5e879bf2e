"""Comment a request with its findings and the cards that it changes; the comment of an earlier run is updated.

For pull requests of GitHub and Forgejo, whose interfaces are alike, and merge requests of GitLab. Run with the standard
library only, so that nothing but this file sees the token.
"""

from __future__ import annotations

import base64
import json
import os
import re
import sys
from contextlib import suppress
from html import escape
from pathlib import Path
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import quote
from urllib.request import Request, urlopen

MARKER = "<!-- cardgen: changed cards -->"
# GitHub takes 65,536 characters, and pages have 100 comments at most.
MOST_CHARACTERS, PER_PAGE, MOST_PAGES = 60_000, 100, 50
MOST_PICTURES = 60
_TIMEOUT = 30
# Asks GitHub whether a comment is the own one.
_AUTHOR = "query($id: ID!) { node(id: $id) { ... on Comment { viewerDidAuthor } } }"
# The user of all jobs of Forgejo, which nobody can register.
_FORGEJO_JOBS = -2
_BRANCH = re.compile(r"(?!.*(?:\.\.|//))[A-Za-z0-9][A-Za-z0-9._/-]{0,100}")


class Repository:
    """The REST interface of a repository on GitHub or Forgejo."""

    def __init__(self, api: str, name: str, token: str, graphql: str = "") -> None:
        self._api, self._url, self._token, self._graphql = api, f"{api}/repos/{name}", token, graphql

    def call(self, method: str, path: str, content: object = None) -> Any:
        """Return the answer to a request. Raises HTTPError and URLError if it fails."""
        return self._send(method, f"{self._api if path == 'user' else self._url}/{path}", content)

    def _send(self, method: str, url: str, content: object = None) -> Any:
        body = None if content is None else json.dumps(content).encode()
        headers = {"Authorization": f"Bearer {self._token}", "Accept": "application/vnd.github+json"}
        with urlopen(Request(url, body, headers, method=method), timeout=_TIMEOUT) as answer:
            return json.loads(answer.read() or b"null")

    def own_comment(self, pull: int) -> int | None:
        """Return the id of the own comment with the marker, or None: anybody can write one that begins with it."""
        own: int | None = None
        for page in range(1, MOST_PAGES + 1):
            comments = self.call("GET", f"issues/{pull}/comments?per_page={PER_PAGE}&page={page}")
            for comment in comments:
                user = comment["user"] or {}  # GitHub has none for those that were deleted.
                if not comment["body"].startswith(MARKER):
                    continue
                if "type" not in user:  # Forgejo does not say who is a program.
                    own = own or self._own_id()
                if self._has_written(comment) if "type" in user else user.get("id") == own:
                    return int(comment["id"])
            if len(comments) < PER_PAGE:
                return None
        return None

    def _has_written(self, comment: Any) -> bool:
        """Return whether GitHub says that a comment is of the user or app whose token this is; jobs may not ask who."""
        content = {"query": _AUTHOR, "variables": {"id": comment["node_id"]}}
        answer = self._send("POST", self._graphql, content)
        node = (answer.get("data") or {}).get("node") or {}
        return node.get("viewerDidAuthor") is True

    def _own_id(self) -> int:
        """Return the id of the user whose token this is on Forgejo."""
        try:
            return int(self.call("GET", "user")["id"])
        except HTTPError:  # The token of a job may not ask.
            return _FORGEJO_JOBS

    def write_comment(self, pull: int, text: str) -> None:
        """Write the comment, or update that of an earlier run."""
        comment = self.own_comment(pull)
        if comment is None:
            self.call("POST", f"issues/{pull}/comments", {"body": text})
        else:
            self.call("PATCH", f"issues/comments/{comment}", {"body": text})

    def commit_pictures(self, branch: str, pull: int, pictures: list[Path]) -> str:
        """Commit pictures to a branch, which is made if necessary, and return the id of the commit."""
        entries = [
            {"path": f"{pull}/{path.name}", "mode": "100644", "type": "blob", "sha": self._blob(path)}
            for path in pictures
        ]
        parent = self._head(branch)
        base = {"base_tree": parent} if parent else {}
        tree = self.call("POST", "git/trees", {"tree": entries, **base})["sha"]
        message = f"Pictures of pull request {pull}"
        content = {"message": message, "tree": tree, "parents": [parent] if parent else []}
        commit = str(self.call("POST", "git/commits", content)["sha"])
        if parent:
            self.call("PATCH", f"git/refs/heads/{branch}", {"sha": commit})
        else:
            self.call("POST", "git/refs", {"ref": f"refs/heads/{branch}", "sha": commit})
        return commit

    def _blob(self, path: Path) -> str:
        content = base64.b64encode(path.read_bytes()).decode()
        return str(self.call("POST", "git/blobs", {"content": content, "encoding": "base64"})["sha"])

    def _head(self, branch: str) -> str | None:
        try:
            return str(self.call("GET", f"git/ref/heads/{branch}")["object"]["sha"])
        except HTTPError as error:
            if error.code != 404:
                raise
            return None


class GitLab(Repository):
    """The REST interface of a project on GitLab, whose merge requests have notes."""

    def __init__(self, api: str, project: str, token: str) -> None:
        super().__init__(api, project, token)
        self._url, self._project = api, f"projects/{project}"

    def own_comment(self, pull: int) -> int | None:
        """Return the id of the own note with the marker, or None: anybody can write one that begins with it."""
        own = self.call("GET", "user")["id"]
        for page in range(1, MOST_PAGES + 1):
            notes = self.call("GET", f"{self._notes(pull)}?per_page={PER_PAGE}&page={page}")
            for note in notes:
                if note["author"]["id"] == own and note["body"].startswith(MARKER):
                    return int(note["id"])
            if len(notes) < PER_PAGE:
                return None
        return None

    def write_comment(self, pull: int, text: str) -> None:
        """Write the note, or update that of an earlier run."""
        note = self.own_comment(pull)
        path = self._notes(pull)
        self.call("POST" if note is None else "PUT", path if note is None else f"{path}/{note}", {"body": text})

    def _notes(self, pull: int) -> str:
        return f"{self._project}/merge_requests/{pull}/notes"


def find_repository() -> tuple[Repository, int]:
    """Return the repository whose job this is, and the number of the request."""
    token, own = os.environ["TOKEN"], os.environ
    if own.get("GITLAB_CI"):
        return GitLab(own["CI_API_V4_URL"], own["CI_PROJECT_ID"], token), int(own["CI_MERGE_REQUEST_IID"])
    repository = Repository(own["GITHUB_API_URL"], own["GITHUB_REPOSITORY"], token, own.get("GITHUB_GRAPHQL_URL", ""))
    return repository, int(own["PULL"])


def body(report: str, pictures: list[Path], folder: str) -> str:
    """Return the text of a comment; `folder` is the address of the pictures."""
    shown = pictures[:MOST_PICTURES]
    images = [f'<img src="{folder}/{quote(path.name)}" alt="{escape(path.stem)}" width="200">' for path in shown]
    more = [f"\n{len(pictures) - len(shown)} more pictures are not shown."] if len(pictures) > len(shown) else []
    gallery = "\n\n" + "\n".join([*images, *more]) if folder and pictures else ""
    room = MOST_CHARACTERS - len(gallery)
    text = report if len(report) <= room else f"{report[:room].rpartition(chr(10))[0]}\n\nThe list is too long to show."
    return f"{MARKER}\n{text}{gallery}\n"


def read(file: str, missing: str) -> str:
    """Return a report, or a text about one that an earlier step has not written: no older comment is left standing."""
    with suppress(OSError, ValueError):
        if not Path(file).is_symlink():  # One of the repository may lead to the token.
            return Path(file).read_text(encoding="utf-8")
    return f"### {missing}\n\nThe log of the job says why.\n"


def main() -> int:
    """Write the comment; without the right to, warn."""
    branch = os.environ.get("BRANCH", "")
    if branch and not _BRANCH.fullmatch(branch):
        print("::error::pictures-branch is not a valid name of a branch")
        return 1
    repository, pull = find_repository()
    findings, changes = os.environ.get("FINDINGS", ""), os.environ.get("CHANGES", "")
    reports = [read(findings, "The cards could not be checked")]
    if changes:
        reports.append(read(f"{changes}/report.md", "The changed cards are not known"))
    report = "\n".join(filter(None, reports))
    found = sorted(Path(changes, "pictures").rglob("*.png")) if branch and changes else []
    pictures = [path for path in found if path.is_file() and not path.is_symlink()]
    try:
        commit = repository.commit_pictures(branch, pull, pictures[:MOST_PICTURES]) if pictures else ""
        place = f"{os.environ['GITHUB_SERVER_URL']}/{os.environ['GITHUB_REPOSITORY']}" if commit else ""
        repository.write_comment(pull, body(report, pictures, f"{place}/raw/{commit}/{pull}" if commit else ""))
    except (HTTPError, URLError) as error:
        print(f"::warning::the comment was not written: {error}; pull requests from forks may not write")
    return 0


if __name__ == "__main__":
    sys.exit(main())

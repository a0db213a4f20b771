# Calls the API of a service, and writes files completely or not at all. Part of qsosync.py and
# udp-bridge.py.
from __future__ import annotations

import concurrent.futures
import contextlib
import datetime
import email.utils
import http.client
import json
import os
import re
import threading
import time
import urllib.parse
from email.message import Message as Headers
from typing import IO, Any, Callable, Collection, Dict, Iterator, Tuple

from qsosync_line import Line

Json = Dict[str, Any]
Answer = Tuple[int, Headers, Any] # status, headers, JSON or None
OnHeaders = Callable[[int, Headers], None] # status, headers
BATCH = 200
ATTEMPTS = 4
AHEAD = 8 # pages that an answer should name
VERSION = "@VERSION@"


class ServiceError(Exception):
    """Reports that the service refused a request or could not be reached. The caller can try again
    later."""

    def __init__(self, message: str, status: int | None = None) -> None:
        super().__init__(message)
        self.status = status


class Page:
    """A page of a download; in flight once the page has a future."""

    def __init__(self, cursor: str | None) -> None:
        self.cursor = cursor
        self.answer: concurrent.futures.Future[Answer] | None = None


class Pages:
    """Requests the pages of a download. While one page is read, requests for following pages are in
    flight. The headers of each page name following pages, which are then requested ahead. A page
    that was requested ahead is used only if the previous page names it, because the log can change
    meanwhile.

    If a page takes less than a second, six pages are in flight, which is a browser's number of
    connections. On a slow line, two pages are in flight: they keep the line busy, and each arrives
    before the client gives up. After a limited or failed request, only one page is in flight."""

    def __init__(self, ask: Callable[[str | None, int, OnHeaders], Answer],
                 clock: Callable[[], float] = time.monotonic) -> None:
        self.ask = ask # the cursor, and the number of pages to name
        self.clock = clock
        self.lock = threading.RLock()
        self.pages: list[Page] = [] # in their order, from the page that is taken next
        self.begun = self.on_the_way = 0
        self.most = 2

    def take(self, cursor: str | None) -> Answer:
        with self.lock:
            if not self.pages or self.pages[0].cursor != cursor:
                self.pages = [Page(cursor)]
            page = self.pages[0]
            future = page.answer or self.begin(page)
            self.fill()
        answer = future.result()
        with self.lock:
            self.pages.remove(page)
            self.fill()
        return answer

    def fill(self) -> None:
        for page in self.pages[:self.most]:
            if not page.answer and self.on_the_way < self.most:
                self.begin(page)

    def begin(self, page: Page) -> concurrent.futures.Future[Answer]:
        # Not every request asks for the names of following pages, because most of these names would
        # repeat names in the previous answer.
        ahead = AHEAD if page is self.pages[-1] or self.begun % 3 == 0 else 0
        future: concurrent.futures.Future[Answer] = concurrent.futures.Future()
        page.answer = future
        self.begun += 1
        self.on_the_way += 1
        # The thread is a daemon, so the end of the program does not wait for it.
        threading.Thread(target=self.run, args=(page, ahead, future), daemon=True).start()
        return future

    def run(self, page: Page, ahead: int, future: concurrent.futures.Future[Answer]) -> None:
        begun = self.clock()
        try:
            future.set_result(self.ask(
                page.cursor, ahead, lambda status, headers: self.hear(page, status, headers)))
        except BaseException as error:
            self.most = 1
            future.set_exception(error)
        took = self.clock() - begun
        with self.lock:
            if self.most > 1:
                self.most = 6 if took < 1 else 2 if took > 10 else self.most
            self.on_the_way -= 1
            self.fill()

    def hear(self, page: Page, status: int, headers: Headers) -> None:
        queries = re.findall(r'<\?([^>]*)>; rel="(?:next|section)"', headers.get("Link") or "")
        named = [dict(urllib.parse.parse_qsl(query)).get("cursor") for query in queries]
        with self.lock:
            if status != 200:
                self.most = 1
            elif page in self.pages:
                place = self.pages.index(page) + 1
                known = [one.cursor for one in self.pages[place:]]
                if known[:1] != named[:1]:
                    del self.pages[place:]
                    known = []
                if named[:len(known)] == known[:len(named)]:
                    self.pages += map(Page, named[len(known):])
                self.fill()


class Service:
    """Uses one log through the API. If the request limit is exceeded, a call waits as long as the
    service demands. A call repeats failed requests a few times. Raises ServiceError if the service
    refuses a request, or if no valid answer arrives. The member sees the agent, the name and
    version of the program, next to the key: "my-logger/1.0"."""

    def __init__(self, url: str, key: str, wait: Callable[[float], None] = time.sleep,
                 agent: str = "qsosync.py/" + VERSION) -> None:
        self.url = url.rstrip("/")
        self.line = Line(self.url)
        self.key = key
        self.wait = wait
        self.agent = agent

    def me(self) -> Json:
        """Returns the member's callsign and locator, and the key's scope."""
        return self.request("GET", "/me", needs=("callsign",))[2]

    def pages(self, updated_since: str | None = None) -> Iterator[tuple[Json, str | None]]:
        """Yields (page, epoch of the log). Pages of a service that reports deletions also have
        deleted and deletedComplete."""
        query = {"limit": "500", "includeDeleted": "true"}
        if updated_since:
            query["updatedSince"] = updated_since

        def ask(cursor: str | None, ahead: int, on_headers: OnHeaders) -> Answer:
            asked = {**query, **({"cursor": cursor} if cursor else {}),
                     **({"ahead": str(ahead)} if ahead else {})}
            return self.request("GET", "/logs?" + urllib.parse.urlencode(asked),
                                needs=("items", "nextCursor", "serverTime"), on_headers=on_headers)

        pages, cursor = Pages(ask), None
        while True:
            _, headers, body = pages.take(cursor)
            yield body, headers.get("X-Log-Epoch")
            cursor = body["nextCursor"]
            if cursor is None:
                return

    def ids(self, etag: str | None = None) -> tuple[list[Json] | None, str | None, str | None]:
        """Returns (ids, ETag, epoch); the ids are None if the log is unchanged since the answer
        with this ETag."""
        status, headers, page = self.request("GET", "/logs/ids", needs=("items",),
                                             headers={"If-None-Match": etag} if etag else {})
        items = None if status == 304 else page["items"]
        return items, headers.get("ETag"), headers.get("X-Log-Epoch")

    def send(self, entries: list[Json]) -> list[Json]:
        """Sends at most 200 QSOs, and returns the results in their order."""
        results = self.request("POST", "/logs/batch", {"entries": entries},
                               needs=("results",))[2]["results"]
        if len(results) != len(entries):
            raise ServiceError("the answer to a batch does not have one result per QSO")
        return results

    def delete(self, client_id: str) -> None:
        """Deletes a QSO; a missing QSO also counts as success."""
        try:
            self.request("DELETE", "/logs/" + urllib.parse.quote(client_id, safe=""))
        except ServiceError as error:
            if error.status != 404:
                raise

    def request(self, method: str, path: str, body: Json | None = None,
                headers: dict[str, str] | None = None, needs: Collection[str] = (),
                on_headers: OnHeaders = lambda status, headers: None) -> Answer:
        """Returns (status, headers, JSON or None) for a successful request. An answer without the
        required names counts as no answer, because it is from another server, such as a network's
        login page."""
        attempt = 0
        while True:
            attempt += 1
            try:
                status, answer_headers, text = self.request_once(
                    method, path, body, headers or {}, on_headers)
                if status == 429 or (status == 503 and answer_headers.get("Retry-After")):
                    self.wait(retry_after(answer_headers.get("Retry-After")))
                    attempt -= 1
                    continue
                if status == 304:
                    return status, answer_headers, None
                if 200 <= status < 300:
                    answer = json.loads(text) if text else None
                    if not needs or \
                            isinstance(answer, dict) and all(name in answer for name in needs):
                        return status, answer_headers, answer
                    raise ValueError("the answer cannot be understood")
                if status < 500 or attempt == ATTEMPTS:
                    message = f"the service answered {status} {error_code(text)}"
                    raise ServiceError(message.strip(), status)
            except (OSError, http.client.HTTPException, ValueError) as error:
                if attempt == ATTEMPTS:
                    raise ServiceError(f"no answer from {self.url}: {error}") from None
            self.wait(attempt)

    def request_once(self, method: str, path: str, body: Json | None, headers: dict[str, str],
                     on_headers: OnHeaders) -> tuple[int, Headers, bytes]:
        headers = {"Authorization": "Bearer " + self.key, "Accept": "application/json",
                   "User-Agent": self.agent, **headers}
        data = None
        if body is not None:
            data = json.dumps(body).encode()
            headers["Content-Type"] = "application/json"
        return self.line.request(method, path, data, headers, on_headers)


def retry_after(value: str | None) -> float:
    """Returns the seconds to wait, from a Retry-After header in either format."""
    value = value or ""
    try:
        return max(0, int(value))
    except (TypeError, ValueError):
        pass
    try:
        moment = email.utils.parsedate_to_datetime(value)
        return max(0, (moment - datetime.datetime.now(datetime.timezone.utc)).total_seconds())
    except (TypeError, ValueError):
        return 60


def error_code(text: bytes) -> str:
    try:
        return str(json.loads(text)["error"]["code"])
    except (ValueError, KeyError, TypeError):
        return ""


def lock_file(file: IO[str]) -> None:
    """Locks a file until the process ends. Raises OSError if another process has locked it."""
    try:
        import fcntl
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except ImportError: # Windows
        import msvcrt
        file.seek(0)
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1) # type: ignore[attr-defined]


@contextlib.contextmanager
def replacing(path: str) -> Iterator[IO[bytes]]:
    """Opens a readable and writable file that replaces another file at the end of the block. The
    file is replaced completely or not at all, even if the power fails."""
    beside = path + ".new"
    try:
        with open(beside, "w+b") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.replace(beside, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(beside)
        raise
    if os.name == "posix":
        folder = os.open(os.path.dirname(os.path.abspath(path)), os.O_RDONLY)
        os.fsync(folder)
        os.close(folder)


def replace_file(path: str, data: bytes) -> None:
    """Writes a file completely or not at all, even if the power fails."""
    with replacing(path) as file:
        file.write(data)


def update_file(path: str, data: bytes) -> None:
    """Writes a file completely or not at all, unless it already has this content."""
    try:
        with open(path, "rb") as file:
            if file.read() == data:
                return
    except FileNotFoundError:
        pass
    replace_file(path, data)

#!/usr/bin/env python3
"""Checks a program that synchronises with QSOsync. It plays a service that loses answers, is busy,
refuses requests, changes while pages are read, is restored from a backup and revokes the key. It
reports which rules of the API the program broke. qsosync-clients(7) describes it.

The program gets the service's address in QSOSYNC_URL. Its key is in QSOSYNC_KEY and in the file
QSOSYNC_KEY_FILE. It runs in an empty folder. Exit status 0: it followed all rules."""
from __future__ import annotations

import argparse
import base64
import http.server
import json
import os
import re
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse
import uuid
from typing import Any, Callable, Dict, List, NamedTuple, Optional, Tuple

KEY = "qsosync_0123456789012345678901234567890123456789012345678"
START = 1767225600 # 2026-01-01T00:00:00Z
OLD = "30AT1" # worked in the QSO without a clientId
ENTRIES_MAX = 200
BUSY_SECONDS = 2
MATCH_FIELDS = ("match", "program", "programId")
Json = Dict[str, Any]


class Asked(NamedTuple):
    """A request of the program, unchanged."""
    at: float
    method: str
    path: str
    query: Dict[str, str]
    body: Any
    status: int


def looks_only(body: Any) -> bool:
    """Whether a batch only looks up QSOs and saves nothing."""
    entries = body.get("entries") if isinstance(body, dict) else None
    return isinstance(entries, list) and all(
        isinstance(entry, dict) and entry.get("match") == "find" for entry in entries)


class Lost(Exception):
    """Ends the connection without an answer."""


# -- the service -----------------------------------------------------------------------------------

class Log:
    """The service's log. Each change has a stamp, in whole seconds, later than all before it."""

    def __init__(self) -> None:
        self.qsos: Dict[str, Json] = {}
        self.deleted: List[Tuple[int, str, str]] = []
        self.stamp = START
        self.epoch = "1"
        self.forgets_deletions = False

    def text(self, stamp: int) -> str:
        return time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime(stamp))

    def save(self, entry: Json) -> Json:
        self.stamp += 1
        name = entry["clientId"].lower()
        known = self.qsos.get(name)
        number = known["id"] if known else str(1000 + self.stamp - START)
        self.qsos[name] = {**entry, "clientId": name, "id": number, "spottedAt": None,
                           "syncedAt": self.text(self.stamp), "createdAt": self.text(START),
                           "crossConfirmedAt": None, "inventedLater": {"any": [1]}}
        return {"clientId": entry["clientId"], "id": number, "spottedAt": None}

    def find(self, entry: Json) -> Optional[str]:
        """The QSO that an entry with "match" describes."""
        name = str(entry["clientId"]).lower()
        if name in self.qsos:
            return name
        same = [name for name, qso in self.qsos.items() if qso.get("clientId") and
                all(qso.get(field) == entry.get(field) for field in ("callsignWorked", "band"))
                and str(qso["qsoAt"])[:16] == str(entry.get("qsoAt"))[:16]]
        return same[0] if same else None

    def match(self, entry: Json) -> Json:
        name = self.find(entry)
        said = {field: value for field, value in entry.items()
                if value is not None and field not in MATCH_FIELDS}
        if not name and entry["match"] == "find":
            return {"clientId": entry["clientId"], "id": None, "error": "NO_MATCH",
                    "permanent": False}
        if not name:
            return self.save(said)
        is_known = entry["match"] == "find" or all(
            self.qsos[name].get(field) == value for field, value in said.items()
            if field != "clientId")
        if not is_known:
            self.save({**self.qsos[name], **said, "clientId": name})
        return {"clientId": entry["clientId"], "id": self.qsos[name]["id"], "spottedAt": None,
                "matchedClientId": name, "unchanged": is_known}

    def log(self, callsign: str, minute: int) -> None:
        """Another program logs a QSO."""
        self.save({"clientId": str(uuid.uuid5(uuid.NAMESPACE_DNS, callsign)), "mode": "USB",
                   "band": "ELEVEN_METERS", "frequencyMhz": "27.555", "callsignWorked": callsign,
                   "qsoAt": self.text(START - 60 * minute)})

    def log_old(self) -> None:
        """A QSO from before synchronisation, without a clientId."""
        self.log(OLD, 0)
        name = next(name for name, qso in self.qsos.items() if qso["callsignWorked"] == OLD)
        self.qsos[name]["clientId"] = None

    def delete(self, name: str) -> bool:
        qso = self.qsos.pop(name.lower(), None)
        if qso:
            self.stamp += 1
            self.deleted.append((self.stamp, name.lower(), qso["id"]))
        return qso is not None

    def page(self, query: Dict[str, str]) -> Json:
        since = query.get("updatedSince", "")
        rows: List[Tuple[str, str, Json]] = [
            (qso["syncedAt"], "", qso) for qso in self.qsos.values() if qso["syncedAt"] > since]
        wants_deleted = query.get("includeDeleted") == "true"
        if wants_deleted and since and not self.forgets_deletions:
            rows += [(self.text(stamp), name, {"id": number})
                     for stamp, name, number in self.deleted if self.text(stamp) > since]
        rows.sort(key=lambda row: row[0])
        if "cursor" in query:
            after = base64.urlsafe_b64decode(query["cursor"].encode()).decode()
            rows = [row for row in rows if row[0] > after]
        limit = int(query.get("limit", "100"))
        shown, more = rows[:limit], len(rows) > limit
        cursor = base64.urlsafe_b64encode(shown[-1][0].encode()).decode() if more else None
        page: Json = {"items": [row[2] for row in shown if not row[1]], "nextCursor": cursor,
                      "serverTime": self.text(self.stamp), "inventedLater": None}
        if wants_deleted:
            page["deleted"] = [{"id": row[2]["id"], "clientId": row[1], "deletedAt": row[0]}
                               for row in shown if row[1]]
            page["deletedComplete"] = not (since and self.forgets_deletions)
        return page


class Service:
    """Answers a program, records its requests, and misbehaves as the judge asks."""

    def __init__(self, scope: str) -> None:
        self.scope = scope
        self.log = Log()
        self.asked: List[Asked] = []
        self.lock = threading.Lock()
        self.is_revoked = False
        self.refusal: Optional[Json] = None # of each new entry
        self.status: List[Tuple[str, int]] = [] # (method, status) of answers to come
        self.loses = "" # the method of the request whose answer is lost
        self.on_page: Callable[[int], None] = lambda number: None
        self.pages = 0

    def answer(self, method: str, path: str, query: Dict[str, str], body: Any) -> Tuple[int, Any]:
        log = self.log
        if self.is_revoked:
            return 401, {"error": {"code": "API_KEYS.INVALID"}}
        if self.status and self.status[0][0] in (method, "") and not looks_only(body):
            status = self.status.pop(0)[1]
            codes = {429: "GENERIC.RATE_LIMITED"}
            return status, {"error": {"code": codes.get(status, "GENERIC.INTERNAL_ERROR")}}
        if (method, path) == ("GET", "/me"):
            return 200, {"callsign": "21SD333", "locator": "JO59jw", "scope": self.scope}
        if (method, path) == ("GET", "/logs"):
            page = log.page(query)
            self.pages += 1
            self.on_page(self.pages)
            return 200, page
        if (method, path) == ("GET", "/logs/ids"):
            return 200, {"items": [{"id": qso["id"], "clientId": qso["clientId"]}
                                   for qso in log.qsos.values()]}
        if (method, path) == ("POST", "/logs/batch"):
            entries = body.get("entries") if isinstance(body, dict) else None
            if not isinstance(entries, list) or not 1 <= len(entries) <= ENTRIES_MAX:
                return 400, {"error": {"code": "VALIDATION.FAILED"}}
            return 200, {"results": [self.result(entry) for entry in entries]}
        if method == "DELETE" and path.startswith("/logs/"):
            is_gone = log.delete(urllib.parse.unquote(path[len("/logs/"):]))
            return (204, None) if is_gone else (404, {"error": {"code": "GENERIC.NOT_FOUND"}})
        return 404, {"error": {"code": "GENERIC.NOT_FOUND"}}

    def result(self, entry: Json) -> Json:
        if self.refusal is not None and entry.get("match") != "find":
            return {"clientId": entry.get("clientId"), "id": None, **self.refusal}
        try:
            uuid.UUID(entry["clientId"])
        except (KeyError, ValueError, AttributeError, TypeError):
            return {"clientId": entry.get("clientId"), "id": None, "permanent": True,
                    "error": "CLIENT_ID_INVALID"}
        return self.log.match(entry) if entry.get("match") else self.log.save(entry)

    def take(self, method: str, target: str, key: str, body: Any) -> Tuple[int, Any, str]:
        path, _, text = target.partition("?")
        query = dict(urllib.parse.parse_qsl(text))
        path = path[len("/api/v1"):] if path.startswith("/api/v1") else "/nowhere"
        with self.lock:
            status, said = self.answer(method, path, query, body)
            if key != KEY:
                status, said = 401, {"error": {"code": "API_KEYS.INVALID"}}
            self.asked.append(Asked(time.monotonic(), method, path, query, body, status))
            if self.loses == method and not looks_only(body):
                self.loses = ""
                raise Lost
            return status, said, self.log.epoch


def handler_of(service: Service) -> Any:
    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, format: str, *args: Any) -> None: # pylint: disable=redefined-builtin
            pass

        def handle_request(self) -> None:
            length = int(self.headers.get("Content-Length") or 0)
            raw = self.rfile.read(length)
            key = (self.headers.get("Authorization") or "").partition(" ")[2].strip()
            try:
                body = json.loads(raw) if raw else None
            except ValueError:
                body = None
            try:
                status, said, epoch = service.take(self.command, self.path,
                                                   key or self.headers.get("X-API-Key", ""), body)
            except Lost:
                self.close_connection = True
                return
            answer = b"" if said is None else json.dumps(said).encode()
            self.send_response(status)
            self.send_header("X-Log-Epoch", epoch)
            if status == 429:
                self.send_header("Retry-After", str(BUSY_SECONDS))
            if status != 204:
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

        do_GET = do_POST = do_DELETE = handle_request

    return Handler


# -- the judge -------------------------------------------------------------------------------------

class Judge:
    """Runs the program, evening by evening, and reports the rules that it broke."""

    def __init__(self, folder: str, sync: str, add: Optional[str], seconds: int,
                 is_told: bool) -> None:
        self.folder = folder
        self.sync, self.add, self.seconds, self.is_told = sync, add, seconds, is_told
        self.service = Service("WRITE" if add else "READ")
        self.has_refused = False # from then on a program may end with an error that says so
        self.broken = 0
        self.added = 0
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler_of(self.service))
        self.server.daemon_threads = True
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        key_file = os.path.join(self.folder, "key")
        with open(key_file, "w", encoding="ascii") as file:
            file.write(KEY + "\n")
        os.chmod(key_file, 0o600)
        address = f"http://127.0.0.1:{self.server.server_address[1]}/api/v1"
        self.environment = {**os.environ, "QSOSYNC_URL": address, "QSOSYNC_KEY": KEY,
                            "QSOSYNC_KEY_FILE": key_file}

    def run(self, command: str) -> Tuple[int, List[Asked], str]:
        """The exit status, the requests and the output of the program."""
        before = len(self.service.asked)
        work = os.path.join(self.folder, "work")
        os.makedirs(work, exist_ok=True)
        try:
            done = subprocess.run(command, shell=True, cwd=work, env=self.environment, text=True,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                  timeout=self.seconds, check=False)
            status, said = done.returncode, done.stdout
        except subprocess.TimeoutExpired:
            status, said = -1, f"not finished after {self.seconds} s"
        return status, self.service.asked[before:], said

    def synchronise(self, rule: str) -> List[Asked]:
        status, asked, said = self.run(self.sync)
        last = said.strip().splitlines()[-1] if said.strip() else f"exit {status}"
        self.check(status == 0 or status > 0 and self.has_refused,
                   f"{rule}: the program exits successfully", last)
        return asked

    def log_one(self) -> str:
        self.added += 1
        callsign = f"14AT{self.added}"
        self.run((self.add or "").replace("{callsign}", callsign))
        return callsign

    def check(self, is_so: bool, rule: str, seen: str = "") -> None:
        if not is_so:
            self.broken += 1
        if not is_so or self.is_told:
            why = f" ({seen})" if seen and not is_so else ""
            line = f"{'ok' if is_so else 'BROKEN'}  {rule}{why}"
            print("".join(letter if letter.isprintable() else "?" for letter in line))

    def stored(self, callsign: str) -> int:
        return sum(qso.get("callsignWorked") == callsign for qso in self.service.log.qsos.values())

    # The checks of the requests of a run.

    @staticmethod
    def pages(asked: List[Asked]) -> List[Asked]:
        return [one for one in asked if one.path == "/logs" and one.status == 200]

    @staticmethod
    def sent(asked: List[Asked], callsign: str) -> List[str]:
        """The clientIds under which the program sent it."""
        return [entry.get("clientId") for one in asked if one.path == "/logs/batch"
                for entry in (one.body or {}).get("entries", [])
                if entry.get("callsignWorked") == callsign and entry.get("match") != "find"]

    # -- reading

    def reads(self) -> None:
        log, service = self.service.log, self.service
        for number in range(1100):
            log.log(f"26AT{number}", number)
        log.log_old()
        stamps: List[str] = []

        def change(number: int) -> None:
            stamps.append(log.text(log.stamp))
            log.log(f"19AT{number}", number)

        service.on_page = change
        pages = self.pages(self.synchronise("first download"))
        service.on_page = lambda number: None
        self.check(bool(pages) and "updatedSince" not in pages[0].query,
                   "first download: the whole log is requested")
        self.check(len(pages) > 1 and all("cursor" in page.query for page in pages[1:]),
                   "first download: nextCursor is followed until it is null",
                   f"{len(pages)} pages")
        for name in list(log.qsos)[:2]:
            log.delete(name)
        asked = self.synchronise("changes")
        since = [page.query.get("updatedSince", "") for page in self.pages(asked)]
        self.check(bool(since) and all(one <= stamps[0] for one in since),
                   "changes: updatedSince is the serverTime of the first page",
                   f"{since[:1]} after {stamps[:1]}")
        self.check(any("includeDeleted" in one.query or one.path == "/logs/ids" for one in asked),
                   "changes: deletions are requested")
        log.forgets_deletions = True
        asked = self.synchronise("deletions that are no longer known")
        self.check(any(one.path == "/logs/ids" for one in asked)
                   or not any(page.query.get("updatedSince") for page in self.pages(asked)),
                   "deletions that are no longer known: all ids are requested")
        log.forgets_deletions = False
        service.status = [("GET", 429)]
        asked = self.synchronise("a busy service")
        times = [one.at for one in asked]
        waits = [after - before for before, after, one in zip(times, times[1:], asked)
                 if one.status == 429]
        self.check(bool(waits) and min(waits) >= BUSY_SECONDS - 0.1,
                   "a busy service: the program waits for Retry-After", f"{waits}")

    # -- sending

    def sends(self) -> None:
        service = self.service
        first = self.log_one()
        self.synchronise("a QSO is sent")
        self.check(self.stored(first) == 1, "a QSO is sent: the service stores it once")
        lost = self.log_one()
        service.loses = "POST"
        _, before, _ = self.run(self.sync)
        after = self.synchronise("a lost answer")
        names = {name.lower() for name in self.sent(before + after, lost)}
        self.check(len(names) == 1 and self.stored(lost) == 1,
                   "a lost answer: the QSO is sent again under its clientId",
                   f"{len(names)} clientIds")
        failed = self.log_one()
        service.status = [("POST", 500)]
        self.run(self.sync)
        self.synchronise("a failure")
        self.check(self.stored(failed) == 1, "a failure (500): the QSO is sent again")
        self.refusals()

    def refusals(self) -> None:
        service = self.service
        wrong = self.log_one()
        service.refusal = {"error": "FREQUENCY_OUT_OF_BAND_11M", "permanent": True}
        self.has_refused = True
        self.run(self.sync)
        service.refusal = None
        asked = self.synchronise("a rejected QSO")
        self.check(not self.sent(asked, wrong),
                   "a QSO that is rejected for good is not sent again unchanged")
        later = self.log_one()
        service.refusal = {"error": "GENERIC.INTERNAL_ERROR"}
        self.run(self.sync)
        service.refusal = None
        self.synchronise("a QSO that was rejected for now")
        self.check(self.stored(later) == 1, "a QSO that is rejected for now is sent again")

    # -- the end of a key

    def ends(self) -> None:
        service, log = self.service, self.service.log
        kept = self.log_one() if self.add else ""
        service.is_revoked = True
        status, asked, _ = self.run(self.sync)
        service.is_revoked = False
        self.check(len(asked) <= 5 and status >= 0, "a revoked key: the program stops",
                   f"{len(asked)} requests")
        changed = [qso for qso in log.qsos.values() if qso["callsignWorked"] == "26AT7"]
        for qso in changed:
            log.save({**qso, "notes": "changed"})
        self.synchronise("the key is valid again")
        if self.add:
            self.check(self.stored(kept) == 1, "the key is valid again: waiting QSOs are sent")
        gone = [name for name, qso in log.qsos.items()
                if re.match(rf"14AT1$|26AT5$|{OLD}$", qso["callsignWorked"])]
        for name in gone:
            del log.qsos[name]
        log.qsos.update((qso["clientId"], qso) for qso in changed)
        log.deleted.clear()
        log.epoch = "2"
        asked = self.synchronise("a restored backup") + self.synchronise("after a restored backup")
        self.check(not any(one.method == "DELETE" for one in asked),
                   "a restored backup (X-Log-Epoch): nothing is deleted")
        self.check(any("updatedSince" not in page.query for page in self.pages(asked))
                   or any(one.path == "/logs/ids" for one in asked),
                   "a restored backup: the whole log is compared")
        if self.add:
            self.check(self.stored("14AT1") == 1,
                       "a restored backup: QSOs that it lacks are sent again")
            self.check(all(log.qsos.get(qso["clientId"], {}).get("notes") for qso in changed),
                       "a restored backup: QSOs that it has in an older version are sent again")
            self.check(not self.sent(service.asked, OLD), "a QSO without clientId is never sent")

    def judge(self) -> int:
        self.reads()
        if self.add:
            self.sends()
        self.ends()
        self.server.shutdown()
        print(f"{self.broken} broken" if self.broken else "all rules kept")
        return 1 if self.broken else 0


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("--sync", required=True, metavar="COMMAND",
                        help="the program's synchronisation, as a line for the shell")
    parser.add_argument("--add", metavar="COMMAND",
                        help="logs a QSO with {callsign}; without it, only reading is checked")
    parser.add_argument("--all", action="store_true", help="also list the rules that were kept")
    parser.add_argument("--seconds", type=int, default=120, metavar="N",
                        help="how long a synchronisation may take")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="qsosync-check-client-") as folder:
        return Judge(folder, given.sync, given.add, given.seconds, given.all).judge()


if __name__ == "__main__":
    sys.exit(main())

# Simulates a service for qsosync-check-client.py: its log, its faults, and the requests that the
# tested program sent.
from __future__ import annotations

import base64
import http.server
import json
import sys
import threading
import time
import urllib.parse
import uuid
from typing import Any, Callable, Dict, List, NamedTuple, Optional, Tuple

from qsosync_modelrules import Json, fault_of_batch, fault_of_entry, fault_of_name
from qsosync_modelrules import fault_of_query, read_json, read_time

KEY = "qsosync_0123456789012345678901234567890123456789012345678"
START = 1767225600417 # 2026-01-01T00:00:00.417Z, in milliseconds
OLD = "30AT1" # worked in the QSO without a clientId
BUSY_SECONDS = 2
MATCH_FIELDS = ("match", "program", "programId")


class Asked(NamedTuple):
    """A request from the program, and the answer to it."""
    at: float
    method: str
    path: str
    query: Dict[str, str]
    body: Any
    status: int
    answer: Any


def looks_only(body: Any) -> bool:
    """Returns whether a batch only looks up QSOs and saves nothing."""
    entries = body.get("entries") if isinstance(body, dict) else None
    return isinstance(entries, list) and all(
        isinstance(entry, dict) and entry.get("match") == "find" for entry in entries)


class Lost(Exception):
    """Ends the connection without an answer."""


class Log:
    """The service's log. Each change has a stamp, in milliseconds, later than all previous
    stamps."""

    def __init__(self) -> None:
        self.qsos: Dict[str, Json] = {}
        self.deleted: List[Tuple[int, str, str]] = []
        self.stamp = START
        self.epoch = "1"
        self.forgets_deletions = False

    def text(self, stamp: int) -> str:
        seconds, ms = divmod(stamp, 1000)
        return time.strftime(f"%Y-%m-%dT%H:%M:%S.{ms:03}Z", time.gmtime(seconds))

    def step(self) -> None:
        self.stamp += 37

    def save(self, entry: Json) -> Json:
        name = entry["clientId"].lower()
        known = self.qsos.get(name)
        base = read_time(entry.get("baseSyncedAt"))
        if known and base is not None and known["syncedAt"] > self.text(base):
            return {"clientId": entry["clientId"], "id": None, "error": "CONFLICT",
                    "permanent": False, "syncedAt": known["syncedAt"]}
        self.step()
        number = known["id"] if known else str(1000 + self.stamp - START)
        entry = {key: value for key, value in entry.items() if key != "baseSyncedAt"}
        self.qsos[name] = {**entry, "clientId": name, "id": number, "spottedAt": None,
                           "syncedAt": self.text(self.stamp), "createdAt": self.text(START),
                           "crossConfirmedAt": None, "inventedLater": {"any": [1]}}
        return {"clientId": entry["clientId"], "id": number, "spottedAt": None}

    def find(self, entry: Json) -> Optional[str]:
        """Returns the clientId of the QSO that an entry with "match" describes, or None."""
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
        """Adds a QSO to the log, as if another program had sent it."""
        self.save({"clientId": str(uuid.uuid5(uuid.NAMESPACE_DNS, callsign)), "mode": "USB",
                   "band": "ELEVEN_METERS", "frequencyMhz": "27.555", "callsignWorked": callsign,
                   "qsoAt": self.text(START - 60000 * minute)})

    def log_old(self) -> None:
        """Adds a QSO without a clientId, like QSOs that were saved before clientIds existed."""
        self.log(OLD, 0)
        name = next(name for name, qso in self.qsos.items() if qso["callsignWorked"] == OLD)
        self.qsos[name]["clientId"] = None

    def delete(self, name: str) -> bool:
        qso = self.qsos.pop(name.lower(), None)
        if qso:
            self.step()
            self.deleted.append((self.stamp, name.lower(), qso["id"]))
        return qso is not None

    def page(self, query: Dict[str, str]) -> Json:
        since_ms = read_time(query.get("updatedSince", "").replace(" ", "+"))
        since = "" if since_ms is None else self.text(since_ms)
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
        limit = int(query.get("limit", "200"))
        shown, more = rows[:limit], len(rows) > limit
        cursor = base64.urlsafe_b64encode(shown[-1][0].encode()).decode() if more else None
        page: Json = {"items": [row[2] for row in shown if not row[1]], "nextCursor": cursor,
                      "serverTime": self.text(self.stamp), "inventedLater": None}
        if wants_deleted:
            page["deleted"] = [{"id": row[2]["id"], "clientId": row[1], "deletedAt": row[0]}
                               for row in shown if row[1]]
            page["deletedComplete"] = not (since and self.forgets_deletions)
        return page


class ModelService:
    """Answers a program, records its requests, and causes the faults that the judge requests."""

    def __init__(self, scope: str) -> None:
        self.scope = scope
        self.log = Log()
        self.asked: List[Asked] = []
        self.lock = threading.Lock()
        self.is_revoked = False
        self.refusal: Optional[Json] = None # the fault that each sent entry gets
        self.status: List[Tuple[str, int]] = [] # (method, status) of answers to come
        self.rejected: List[str] = [] # reasons for rejections by the API's rules
        self.loses = "" # the method of the request whose answer is lost
        self.on_page: Callable[[int], None] = lambda number: None
        self.on_ids: Callable[[], None] = lambda: None
        self.pages = 0

    @staticmethod
    def fault_of(method: str, path: str, query: Dict[str, str], body: Any,
                 content_type: str) -> Optional[Json]:
        if (method, path) == ("GET", "/logs"):
            return fault_of_query(query)
        if (method, path) == ("POST", "/logs/batch"):
            return fault_of_batch(content_type, body)
        return fault_of_name(path[len("/logs/"):]) if method == "DELETE" else None

    def answer(self, method: str, path: str, query: Dict[str, str], body: Any,
               content_type: str) -> Tuple[int, Any]:
        log = self.log
        if self.is_revoked:
            return 401, {"error": {"code": "API_KEYS.INVALID"}}
        if self.status and self.status[0][0] in (method, "") and not looks_only(body):
            status = self.status.pop(0)[1]
            codes = {429: "GENERIC.RATE_LIMITED"}
            return status, {"error": {"code": codes.get(status, "GENERIC.INTERNAL_ERROR")}}
        fault = self.fault_of(method, path, query, body, content_type)
        if fault:
            return 400, {"error": {"code": "VALIDATION.FAILED", "details": [fault]}}
        if (method, path) == ("GET", "/me"):
            return 200, {"callsign": "21SD333", "locator": "JO59jw", "scope": self.scope}
        if (method, path) == ("GET", "/logs"):
            page = log.page(query)
            self.pages += 1
            self.on_page(self.pages)
            return 200, page
        if (method, path) == ("GET", "/logs/ids"):
            self.on_ids()
            return 200, {"items": [{"id": qso["id"], "clientId": qso["clientId"]}
                                   for qso in log.qsos.values()]}
        if (method, path) == ("POST", "/logs/batch"):
            return 200, {"results": [self.result(entry) for entry in body["entries"]]}
        if method == "DELETE" and path.startswith("/logs/"):
            is_gone = log.delete(path[len("/logs/"):])
            return (204, None) if is_gone else (404, {"error": {"code": "GENERIC.NOT_FOUND"}})
        return 404, {"error": {"code": "GENERIC.NOT_FOUND"}}

    def result(self, entry: Json) -> Json:
        name = entry.get("clientId") if isinstance(entry, dict) else None
        reason = fault_of_entry(entry)
        if reason:
            self.rejected.append(reason)
            return {"clientId": name, "id": None, "permanent": True, "error": reason}
        if self.refusal is not None and entry.get("match") != "find":
            return {"clientId": name, "id": None, **self.refusal}
        return self.log.match(entry) if entry.get("match") else self.log.save(entry)

    def take(self, method: str, target: str, key: str, raw: bytes,
             content_type: str) -> Tuple[int, Any, str]:
        path, _, text = target.partition("?")
        query = dict(urllib.parse.parse_qsl(text))
        path = path[len("/api/v1"):] if path.startswith("/api/v1") else "/nowhere"
        path, body = urllib.parse.unquote(path), read_json(raw)
        with self.lock:
            status, said = self.answer(method, path, query, body, content_type)
            if key != KEY:
                status, said = 401, {"error": {"code": "API_KEYS.INVALID"}}
            self.asked.append(Asked(time.monotonic(), method, path, query, body, status, said))
            if self.loses == method and not looks_only(body):
                self.loses = ""
                raise Lost
            return status, said, self.log.epoch


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        if not isinstance(sys.exc_info()[1], ConnectionError): # otherwise a program was killed
            super().handle_error(request, client_address)


def handler_of(service: ModelService) -> Any:
    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, format: str, *args: Any) -> None: # pylint: disable=redefined-builtin
            pass

        def handle_request(self) -> None:
            length = int(self.headers.get("Content-Length") or 0)
            raw = self.rfile.read(length)
            key = (self.headers.get("Authorization") or "").partition(" ")[2].strip()
            try:
                status, said, epoch = service.take(self.command, self.path,
                                                   key or self.headers.get("X-API-Key", ""), raw,
                                                   self.headers.get("Content-Type") or "")
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

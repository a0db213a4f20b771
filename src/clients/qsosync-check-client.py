#!/usr/bin/env python3
"""Checks a program that synchronises with QSOsync. It plays a service that loses answers, is busy,
refuses requests, changes while pages are read, is restored from a backup and revokes the key. It
reports which rules of the API the program broke. qsosync-clients(7) describes it.

The program gets the service's address in QSOSYNC_URL. Its key is in QSOSYNC_KEY and in the file
QSOSYNC_KEY_FILE. It runs in an empty folder. Exit status 0: it followed all rules."""
from __future__ import annotations

import argparse
import http.server
import os
import re
import subprocess
import sys
import tempfile
import threading
from typing import List, Optional, Tuple

from qsosync_modelservice import BUSY_SECONDS, KEY, OLD, Asked, ModelService, handler_of


class Judge:
    """Runs the tested program in several cases, and reports the rules that the program broke."""

    def __init__(self, folder: str, sync: str, add: Optional[str], seconds: int,
                 is_told: bool) -> None:
        self.folder = folder
        self.sync, self.add, self.seconds, self.is_told = sync, add, seconds, is_told
        self.service = ModelService("WRITE" if add else "READ")
        self.has_refused = False # whether the service has rejected a QSO
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
        """Runs the program, and returns its exit status, its requests and its output."""
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

    # Checks the requests in a run.

    @staticmethod
    def pages(asked: List[Asked]) -> List[Asked]:
        return [one for one in asked if one.path == "/logs" and one.status == 200]

    @staticmethod
    def sent(asked: List[Asked], callsign: str) -> List[str]:
        """Returns the clientIds under which the program sent a QSO."""
        return [entry.get("clientId") for one in asked if one.path == "/logs/batch"
                for entry in (one.body or {}).get("entries", [])
                if entry.get("callsignWorked") == callsign and entry.get("match") != "find"]

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

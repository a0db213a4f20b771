#!/usr/bin/env python3
"""Checks a program that synchronises with QSOsync, and reports which rules of the API the program
broke. The checker acts as a service that loses answers, is busy and refuses requests. The service
also changes QSOs while pages are read, is restored from a backup, and revokes the key. See
qsosync-clients(7).

The program gets the service's address in QSOSYNC_URL, and its key in QSOSYNC_KEY and in the file
QSOSYNC_KEY_FILE. The program runs in an empty folder. Exit status 0: the program followed all
rules."""
from __future__ import annotations

import argparse
import os
import re
import signal
import subprocess
import sys
import tempfile
import threading
from typing import Dict, List, Optional, Set, Tuple

from qsosync_modelrules import Json, read_time
from qsosync_modelservice import BUSY_SECONDS, KEY, OLD, Asked, ModelService, Server, handler_of


class Judge:
    """Runs the tested program in several cases, and reports the rules that the program broke."""

    def __init__(self, folder: str, commands: Dict[str, Optional[str]], seconds: int,
                 is_told: bool) -> None:
        self.folder = folder
        self.sync, self.add, self.list, self.edit, self.delete = (
            commands[name] or "" for name in ("sync", "add", "list", "edit", "delete"))
        self.seconds, self.is_told = seconds, is_told
        self.process: Optional[subprocess.Popen[str]] = None
        self.service = ModelService("WRITE" if self.add else "READ")
        self.has_refused = False # whether the service has rejected a QSO
        self.broken = 0
        self.added = 0
        self.server = Server(("127.0.0.1", 0), handler_of(self.service))
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
        with subprocess.Popen(command, shell=True, cwd=work, env=self.environment, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              start_new_session=True) as self.process:
            try:
                said, _ = self.process.communicate(timeout=self.seconds)
                status = self.process.returncode
            except subprocess.TimeoutExpired:
                self.kill()
                status, said = -1, f"not finished after {self.seconds} s"
        return status, self.service.asked[before:], said

    def kill(self) -> None:
        """Kills the program and the processes that it started."""
        if self.process:
            os.killpg(self.process.pid, signal.SIGKILL)

    def synchronise(self, rule: str) -> List[Asked]:
        status, asked, said = self.run(self.sync)
        last = said.strip().splitlines()[-1] if said.strip() else f"exit {status}"
        self.check(status == 0 or status > 0 and self.has_refused,
                   f"{rule}: the program exits successfully", last)
        return asked

    def log_one(self) -> str:
        self.added += 1
        callsign = f"14AT{self.added}"
        self.run(self.add.replace("{callsign}", callsign))
        return callsign

    def change(self, command: str, callsign: str, notes: str = "") -> None:
        """Changes or deletes a QSO in the program's log."""
        name = str(self.find(callsign).get("clientId"))
        for word, value in ("callsign", callsign), ("clientId", name), ("notes", notes):
            command = command.replace("{" + word + "}", value)
        self.run(command)

    def compare(self, case: str) -> None:
        """Compares the callsigns in the program's log with the service's log."""
        if not self.list:
            return
        _, _, said = self.run(self.list)
        callsigns: Set[str] = set(re.findall(r"\b\d+AT\d+\b", said)) - {OLD}
        stored = {qso["callsignWorked"] for qso in self.service.log.qsos.values()} - {OLD}
        wrong = [f"{one} is missing" for one in sorted(stored - callsigns)]
        wrong += [f"{one} was deleted" for one in sorted(callsigns - stored)]
        self.check(not wrong, f"{case}: the program's log equals the service's",
                   ", ".join(wrong[:3]))

    def check(self, is_so: bool, rule: str, seen: str = "") -> None:
        if not is_so:
            self.broken += 1
        if not is_so or self.is_told:
            why = f" ({seen})" if seen and not is_so else ""
            line = f"{'ok' if is_so else 'BROKEN'}  {rule}{why}"
            print("".join(letter if letter.isprintable() else "?" for letter in line))

    def find(self, callsign: str) -> Json:
        """Returns the service's QSO with a station; empty if the service has none."""
        return next((qso for qso in self.service.log.qsos.values()
                     if qso["callsignWorked"] == callsign), {})

    def stored(self, callsign: str) -> int:
        return sum(qso.get("callsignWorked") == callsign for qso in self.service.log.qsos.values())


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
        self.check(bool(since) and all(read_time(one) == read_time(stamps[0]) for one in since),
                   "changes: updatedSince is the serverTime of the first page",
                   f"{since[:1]} instead of {stamps[:1]}")
        self.check(any("includeDeleted" in one.query or one.path == "/logs/ids" for one in asked),
                   "changes: deletions are requested")
        self.compare("changes")
        self.interrupt(self.pages(asked))
        log.delete(next(iter(log.qsos)))
        log.forgets_deletions = True
        asked = self.synchronise("deletions that are no longer known")
        self.check(any(one.path == "/logs/ids" for one in asked)
                   or not any(page.query.get("updatedSince") for page in self.pages(asked)),
                   "deletions that are no longer known: all ids are requested")
        self.compare("deletions that are no longer known")
        log.forgets_deletions = False
        self.waits()

    def interrupt(self, pages: List[Asked]) -> None:
        """Kills the program while it reads the second page of changes."""
        before = self.service.pages
        for number in range(700):
            self.service.log.log(f"43AT{number}", number)
        self.service.on_page = lambda number: self.kill() if number == before + 2 else None
        self.run(self.sync)
        self.service.on_page = lambda number: None
        again = self.pages(self.synchronise("after a kill in the middle of a download"))
        wanted = pages[0].answer["serverTime"] if pages else ""
        since = again[0].query.get("updatedSince") if again else None
        self.check(bool(again) and read_time(since) in (None, read_time(wanted)),
                   "after a kill: updatedSince is still the serverTime of the last whole download",
                   f"{since} instead of {wanted}")
        self.compare("after a kill")

    def waits(self) -> None:
        self.service.status = [("GET", 429)]
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
        self.compare("QSOs are sent")
        if self.edit:
            self.edits(first)
        if self.delete:
            self.deletes(lost, failed)

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

    def edits(self, callsign: str) -> None:
        log = self.service.log
        self.change(self.edit, callsign, "edited")
        self.synchronise("an edit")
        notes = self.find(callsign).get("notes")
        self.check("{notes}" not in self.edit or notes == "edited",
                   "an edit: the service has the new value", f"{notes}")
        self.change(self.edit, callsign, "late")
        if self.stored(callsign):
            log.save({**self.find(callsign), "notes": "newer"})
        before = len(self.service.asked)
        for _ in range(2):
            self.synchronise("a conflict")
        sent = [entry for one in self.service.asked[before:] if one.path == "/logs/batch"
                for entry in (one.body or {}).get("entries", [])]
        if any(entry.get("baseSyncedAt") for entry in sent):
            notes = self.find(callsign).get("notes")
            self.check(notes == "newer",
                       "a conflict (CONFLICT): the newer version is kept until somebody decides",
                       f"{notes}")

    def deletes(self, callsign: str, other: str) -> None:
        log = self.service.log
        self.change(self.delete, callsign)
        self.synchronise("a deletion")
        self.check(self.stored(callsign) == 0, "a deletion: the service deletes the QSO")
        self.change(self.delete, other)
        log.delete(str(self.find(other).get("clientId")))
        self.synchronise("a deletion of a QSO that is already deleted")
        asked = self.synchronise("after this deletion")
        self.check(not any(one.method == "DELETE" for one in asked),
                   "a deletion of a QSO that is already deleted counts as done")
        self.compare("a deletion")

    def ends(self) -> None:
        service, log = self.service, self.service.log
        kept = self.log_one() if self.add else ""
        service.is_revoked = True
        status, asked, _ = self.run(self.sync)
        service.is_revoked = False
        self.check(len(asked) <= 5 and status >= 0, "a revoked key: the program stops",
                   f"{len(asked)} requests")
        changed = [qso for qso in log.qsos.values() if qso["callsignWorked"] == "26AT47"]
        for qso in changed:
            log.save({**qso, "notes": "changed"})
        self.synchronise("the key is valid again")
        if self.add:
            self.check(self.stored(kept) == 1, "the key is valid again: waiting QSOs are sent")
        gone = [name for name, qso in log.qsos.items()
                if re.match(rf"14AT1$|26AT[5-9]\d*$|{OLD}$", qso["callsignWorked"])]
        lost = {log.qsos.pop(name)["callsignWorked"] for name in gone} - {OLD}
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
            self.check(all(self.stored(one) == 1 for one in lost),
                       "a restored backup: QSOs that it lacks are sent again")
            self.check(all(log.qsos.get(qso["clientId"], {}).get("notes") for qso in changed),
                       "a restored backup: QSOs that it has in an older version are sent again")
            self.check(not self.sent(service.asked, OLD), "a QSO without clientId is never sent")
        self.compare("after a restored backup")
        self.restore_before_ids()

    def restore_before_ids(self) -> None:
        """Restores a backup between the last page and the list of all ids."""
        service, log = self.service, self.service.log
        lost: List[str] = []

        def restore() -> None:
            service.on_ids = lambda: None
            lost.append(log.qsos.popitem()[1]["callsignWorked"])
            log.epoch = "3"

        service.on_ids, log.forgets_deletions = restore, True
        for case in "a backup that is restored before all ids are requested", "after this backup":
            self.synchronise(case)
        log.forgets_deletions = False
        if self.add:
            self.check(all(self.stored(one) == 1 for one in lost),
                       "an epoch that changes before all ids are requested: the lost QSO is sent")
        self.compare("after a backup that is restored before all ids are requested")

    def validity(self) -> None:
        """Checks that the real service would have accepted each request and each QSO, and that the
        program sent no QSO as a spot."""
        faults = [f"{one.method} {one.path}: {fault['field']} {fault['message']}"
                  for one in self.service.asked if one.status == 400
                  for fault in one.answer["error"]["details"]]
        self.check(not faults, "every request is valid", "; ".join(sorted(set(faults))[:3]))
        rejected = sorted(set(self.service.rejected))
        self.check(not rejected, "every QSO is valid", "; ".join(rejected[:3]))
        spots = sum(bool(entry.get("sendSpot")) for one in self.service.asked
                    if one.path == "/logs/batch" and one.status == 200
                    for entry in one.body["entries"] if isinstance(entry, dict))
        self.check(spots == 0, "a QSO becomes a spot only if the member asks for it (sendSpot)",
                   f"{spots} spots")

    def judge(self) -> int:
        self.reads()
        if self.add:
            self.sends()
        self.ends()
        self.validity()
        self.server.shutdown()
        print(f"{self.broken} broken" if self.broken else "all rules kept")
        return 1 if self.broken else 0


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("--sync", required=True, metavar="COMMAND",
                        help="the program's synchronisation, as a line for the shell")
    parser.add_argument("--add", metavar="COMMAND",
                        help="logs a QSO with {callsign}; without it, only reading is checked")
    parser.add_argument("--list", metavar="COMMAND",
                        help="prints the program's log, with the callsign worked of each QSO")
    parser.add_argument("--edit", metavar="COMMAND",
                        help="changes the QSO with {callsign} or {clientId}: its notes to {notes}")
    parser.add_argument("--delete", metavar="COMMAND",
                        help="deletes the QSO with {callsign} or {clientId}")
    parser.add_argument("--all", action="store_true", help="also list the rules that were kept")
    parser.add_argument("--seconds", type=int, default=120, metavar="N",
                        help="how long a synchronisation may take")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="qsosync-check-client-") as folder:
        return Judge(folder, vars(given), given.seconds, given.all).judge()


if __name__ == "__main__":
    sys.exit(main())

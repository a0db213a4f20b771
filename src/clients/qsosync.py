#!/usr/bin/env python3
"""Keeps an ADIF logging program's files and a QSOsync log in step; also a module for programs of
one's own (Service, LocalLog). qsosync-clients(7) describes it for users.

    qsosync.py sync FOLDER       sends what the folder's ADIF files hold, downloads the log
    qsosync.py push FILE.adi     sends what one ADIF file holds
    qsosync.py pull [FILE]       downloads the log, as ADIF or, for FILE.json, as JSON

The service is QSOSYNC_URL (or --url), the key stands in the file QSOSYNC_KEY_FILE (or --key-file).
Exit status: 0 done, 1 something was refused or failed, 2 wrong usage."""
from __future__ import annotations

import argparse
import collections
import hashlib
import itertools
import json
import os
import sys
import uuid

from qsosync_adif import Identities, differs, format_file, merge, read_qso, without_client_id
from qsosync_changes import Changes, content_of, put_changes, remember
from qsosync_fields import EMPTY_QSO, SERVER_FIELDS
from qsosync_standard import OtherBand
from qsosync_text import Refused, read_exporter, read_records
from qsosync_service import BATCH, Service, ServiceError, lock_file, own_secret, replace_file, update_file


# -- a log in a folder -----------------------------------------------------------------------------

class LocalLog:
    """A copy of a log in FOLDER/qsosync.json, and what waits to be sent.

    It may be killed at any moment: the file is replaced as a whole, and what was sent stays in it
    until a download has brought it back. Where the service was restored from a backup, what it lost
    is sent again and nothing is deleted here. Used by one process at a time."""

    def __init__(self, folder):
        os.makedirs(folder, mode=0o700, exist_ok=True)
        self.path = os.path.join(folder, "qsosync.json")
        self.lock = open(os.path.join(folder, ".qsosync.lock"), "w")
        try:
            lock_file(self.lock)
        except OSError:
            raise ServiceError(f"another one works in {folder}") from None
        self.state = {"epoch": None, "serverTime": None, "etag": None, "items": {}, "pending": {},
                      "rejected": {}, "records": {}, "former": {}, "deleted": {}, "renamed": {}, "edits": []}
        if os.path.exists(self.path):
            with open(self.path, encoding="utf-8") as file:
                self.state.update(json.load(file))
        self.saved = self.digest()
        if "secret" not in self.state:
            self.state["secret"] = own_secret()
        self.unsaved = 0 # entries that the service has settled since

    def digest(self):
        """The same while nothing changed. The serverTime alone changes nothing: from the one before, a download
        brings the same."""
        text = json.dumps({**self.state, "serverTime": None}, ensure_ascii=False)
        return hashlib.blake2b(text.encode()).digest()

    def save(self):
        digest = self.digest()
        if digest != self.saved:
            replace_file(self.path, json.dumps(self.state, ensure_ascii=False).encode())
            self.saved = digest
        self.unsaved = 0

    def note_settled(self, count):
        """Saves now and then, so that all the saving is work in proportion to the log. After a kill, what the service
        has settled since is sent again, and changes nothing there."""
        self.unsaved += count
        if self.unsaved * 8 >= len(self.state["items"]) + len(self.state["pending"]):
            self.save()

    def qsos(self):
        """The QSOs by clientId, with what waits to be sent in them."""
        pending = self.state["pending"]
        items = {key: qso for key, qso in self.state["items"].items() if key not in pending}
        items.update((key, {**self.state["items"].get(key, {}), **qso}) for key, qso in pending.items() if qso)
        return items

    def keep(self, key, qso):
        """Takes over the state of a QSO on the service, None where it was deleted; the one before is remembered."""
        state = self.state
        before = state["items"].pop(key, None) or state["deleted"].get(key)
        if qso is None:
            if before:
                state["deleted"][key] = before
            return
        state["deleted"].pop(key, None)
        if before and content_of(before) != content_of(qso):
            remember(state["former"], key, content_of(before))
        state["items"][key] = qso

    def deleted(self):
        """The last states of the QSOs that were deleted, here or on the service."""
        state = self.state
        here = {key: state["items"][key] for key, qso in state["pending"].items() if not qso and key in state["items"]}
        return {**state["deleted"], **here}

    def put(self, qso):
        """Keeps a QSO, whole, to be sent with the next sync; its clientId. Call save() after it.
        otherClientIds are for when clientId turns out to be another member's; the service ignores them."""
        client_id = (qso.get("clientId") or str(uuid.uuid4())).lower()
        entry = {field: value for field, value in qso.items() if field not in SERVER_FIELDS}
        self.state["pending"][client_id] = {**entry, "clientId": client_id}
        self.state["rejected"].pop(client_id, None)
        return client_id

    def delete(self, client_id):
        """Has a QSO deleted with the next sync. Call save() after it."""
        self.state["pending"][client_id.lower()] = None

    def sync(self, service):
        """Downloads, sends, downloads what that changed, and drops what was deleted elsewhere."""
        while not (self.download(service) and self.send_and_complete(service)):
            pass # the log was restored meanwhile

    def send_and_complete(self, service):
        """All but the first download; False when it has to begin again."""
        return (not self.send(service) or self.download(service)) and self.forget_deleted(service)

    def download(self, service):
        """False when it has to begin again."""
        state = self.state
        items, gone, epoch, server_time = {}, set(), None, None
        known = state["serverTime"] is None or state.get("deletionsKnown", False)
        for page, page_epoch in service.pages(state["serverTime"]):
            if server_time is None:
                epoch, server_time = page_epoch, page["serverTime"]
            if page_epoch != epoch:
                return False
            changed, deleted = self.by_key(page["items"]), self.by_key(page.get("deleted", ())).keys()
            for key in deleted:
                items.pop(key, None)
            items.update(changed)
            gone = (gone - changed.keys()) | deleted
            known = known and page.get("deletedComplete", False)
        if state["serverTime"] is not None and epoch != state["epoch"]:
            return self.download_restored(service)
        for key, qso in [*((key, None) for key in gone), *items.items()]:
            self.keep(key, qso)
        state.update(epoch=epoch, serverTime=server_time, deletionsKnown=known)
        self.save()
        return True

    @staticmethod
    def by_key(qsos):
        """As a dictionary; a very old QSO without clientId goes by its id."""
        return {qso["clientId"] or "id:" + qso["id"]: qso for qso in qsos}

    def download_restored(self, service):
        """An older copy of the logbook was put in place: all of it is downloaded, and what it lacks or
        has in an older state is sent again. False when it has to begin again."""
        items, epochs, server_time = {}, set(), None
        for page, epoch in service.pages():
            server_time = server_time or page["serverTime"]
            epochs.add(epoch)
            items.update(self.by_key(page["items"]))
        if len(epochs) != 1:
            return False
        for key, mine in self.state["items"].items():
            theirs = items.get(key)
            # What was sent and not downloaded since has no syncedAt yet.
            newer = theirs is None or mine.get("syncedAt", "~") > theirs["syncedAt"]
            if newer and mine.get("clientId"):
                if key not in self.state["pending"]:
                    self.put(mine)
                items[key] = mine
        for key, qso in items.items():
            self.keep(key, qso)
        self.state.update(epoch=epochs.pop(), serverTime=server_time, etag=None,
                          deletionsKnown=False)
        self.save()
        return True

    def send(self, service):
        """Sends what waits; was there anything?"""
        pending = self.state["pending"]
        if not pending:
            return False
        try:
            self.send_qsos(service, pending)
            for client_id in [key for key, qso in pending.items() if qso is None]:
                service.delete(client_id)
                del pending[client_id]
                self.keep(client_id, None)
                self.note_settled(1)
        finally:
            self.save()
        return True

    def send_qsos(self, service, pending):
        later = set()
        while entries := list(itertools.islice(
                (qso for key, qso in pending.items() if qso and key not in later), BATCH)):
            renamed = len(self.state["renamed"])
            for qso, result in zip(entries, service.send(entries)):
                later.update(self.settle(qso, result))
            self.note_settled(len(entries))
            if len(self.state["renamed"]) != renamed:
                self.save() # the new name may be one that nothing would give again

    def settle(self, qso, result):
        """What became of a QSO that was sent; the clientIds that have to wait for the next time."""
        state, client_id = self.state, qso["clientId"]
        if result["id"] is not None:
            self.keep(client_id, {**qso, "id": result["id"]})
        elif result["error"] == "CLIENT_ID_CONFLICT":
            # Another member has this UUID.
            other, *others = qso.get("otherClientIds") or [None]
            state["renamed"][client_id] = self.put({**qso, "clientId": other, "otherClientIds": others})
        elif result.get("permanent"):
            state["rejected"][client_id] = {"error": result["error"], "qso": qso}
        else:
            return [client_id]
        del state["pending"][client_id]
        return []

    def forget_deleted(self, service):
        """Where not all deletions are known, as on a service that does not tell them, drops what is no longer
        listed; False when it has to begin again."""
        if self.state.get("deletionsKnown"):
            return True
        ids, etag, epoch = service.ids(self.state["etag"])
        if epoch != self.state["epoch"]:
            return False
        if ids is not None:
            listed = {entry["clientId"] or "id:" + entry["id"] for entry in ids}
            for key in self.state["items"].keys() - listed:
                self.keep(key, None)
            self.state["etag"] = etag
        self.state["deletionsKnown"] = True
        self.save()
        return True


# -- ADIF files ------------------------------------------------------------------------------------

class Report:
    """What became of the records of a file, in the words of "qsosync-admin import"."""

    def __init__(self):
        self.count = collections.Counter()
        self.details = []
        self.unknown = collections.Counter()

    def refuse(self, line, reason):
        self.count["refused"] += 1
        self.details.append(f"line {line}: refused: {reason}")

    def print(self):
        for word in ("imported", "updated", "unchanged", "refused", "other bands"):
            print(word, self.count[word])
        for detail in self.details[:50]:
            print(detail)
        if len(self.details) > 50:
            print(f"... and {len(self.details) - 50} more")
        if self.unknown:
            print("fields without a place:", ", ".join(f"{name} {n}" for name, n in sorted(self.unknown.items())))


def read_file(path, identities, report, is_growing=False):
    """Yields (line, QSO, clientIds in the order of preference) of the records that are QSOs of ours."""
    with open(path, "rb") as file:
        data = file.read()
    exporter = read_exporter(data) or identities.member_callsign
    for line, fields, trouble in read_records(data, is_growing):
        try:
            if trouble:
                raise Refused(trouble)
            qso, losses, unknown = read_qso(fields, exporter)
        except OtherBand:
            report.count["other bands"] += 1
            continue
        except Refused as reason:
            report.refuse(line, reason)
            continue
        report.details.extend(f"line {line}: {name} {reason}" for name, reason in losses)
        report.unknown.update(unknown)
        yield line, qso, identities.of_record(qso)


def settle_without_client_id(records, qsos, report):
    """Takes out the records that were written from a QSO of the log without a clientId. The API has no way
    to change one."""
    known = without_client_id(qsos)
    for record in records:
        line, qso, _ = record
        stored = known.get((qso.pop("id", None), qso.pop("createdAt", None)))
        if not stored:
            yield record
        elif differs(stored, {field: qso.get(field, empty) for field, empty in EMPTY_QSO.items()}):
            report.refuse(line, "its QSO has no clientId and cannot be changed")
        else:
            report.count["unchanged"] += 1


def push(service, path):
    """Sends what the service lacks of a file, or has in another state."""
    report = Report()
    qsos = [qso for page, _ in service.pages() for qso in page["items"]]
    stored = {qso["clientId"]: qso for qso in qsos}
    records = read_file(path, Identities(service.me()["callsign"], own_secret(), qsos), report)
    waiting = list(settle_without_client_id(records, qsos, report))
    while waiting:
        waiting = push_round(service, waiting, stored, report)
    report.print()
    return 1 if report.count["refused"] else 0


def push_round(service, waiting, stored, report):
    """Sends the records; those that need another clientId come back."""
    conflicts, batch = [], []
    for record in waiting:
        _, qso, (client_id, *_) = record
        if len(batch) == BATCH or any(entry["clientId"] == client_id for _, entry in batch):
            conflicts += push_batch(service, batch, stored, report)
            batch = []
        whole = merge(stored.get(client_id), qso)
        if differs(stored.get(client_id), whole):
            batch.append((record, {"clientId": client_id, **whole}))
        else:
            report.count["unchanged"] += 1
    return conflicts + (push_batch(service, batch, stored, report) if batch else [])


def push_batch(service, batch, stored, report):
    conflicts = []
    for (record, entry), result in zip(batch, service.send([entry for _, entry in batch])):
        line, qso, (client_id, *others) = record
        if result["id"] is not None:
            report.count["updated" if client_id in stored else "imported"] += 1
            stored[client_id] = entry
        elif result["error"] == "CLIENT_ID_CONFLICT" and others:
            conflicts.append((line, {field: qso[field] for field in qso if field != "clientId"}, others))
        else:
            report.refuse(line, result["error"])
    return conflicts


def take_files(log, folder, callsign, report):
    """Notes in the log's state what programs changed in the folder's ADIF files since they were last read."""
    files, qsos = [], log.qsos()
    for name in sorted(os.listdir(folder)):
        if name.lower().endswith((".adi", ".adif")) and name != "qsosync.adi":
            identities = Identities(callsign, log.state["secret"], qsos.values())
            files.append(list(read_file(os.path.join(folder, name), identities, report, is_growing=True)))
    before = set(log.state["records"])
    found = Changes(log.state, qsos, log.deleted(), callsign).take(files)
    # A record that was corrected since may have another identity now.
    for client_id in before - found:
        log.state["rejected"].pop(client_id, None)
    log.save()


def sync(service, folder):
    """One synchronisation of a folder, its ADIF files included."""
    log, report = LocalLog(folder), Report()
    callsign = service.me()["callsign"]
    take_files(log, folder, callsign, report) # before the download: against what programs could know
    while not log.download(service):
        pass
    put_changes(log, callsign, report)
    if not log.send_and_complete(service):
        log.sync(service)
    update_file(os.path.join(folder, "qsosync.adi"), format_file(log.qsos().values(), callsign))
    for detail in report.details:
        print(detail, file=sys.stderr)
    for client_id, rejected in log.state["rejected"].items():
        qso = rejected["qso"]
        print(f"{qso.get('qsoAt')} {qso.get('callsignWorked') or ''} ({client_id}) is refused: {rejected['error']}",
              file=sys.stderr)
    return 1 if log.state["rejected"] or log.state["pending"] or report.count["refused"] else 0


def pull(service, path):
    qsos = [qso for page, _ in service.pages() for qso in page["items"]]
    unique = {qso["id"]: qso for qso in qsos}.values() # one that changed meanwhile comes twice
    if path and path.endswith(".json"):
        data = (json.dumps(list(unique), ensure_ascii=False, indent=1) + "\n").encode()
    else:
        data = format_file(unique, service.me()["callsign"])
    if path:
        replace_file(path, data)
    else:
        sys.stdout.buffer.write(data)
    return 0


# -- the command -----------------------------------------------------------------------------------

def add_options(parser, **defaults):
    parser.add_argument("--url", **defaults)
    parser.add_argument("--key-file", **defaults)
    return parser


def main():
    parser = add_options(argparse.ArgumentParser(description=__doc__,
                                                 formatter_class=argparse.RawDescriptionHelpFormatter))
    parser.set_defaults(url=os.environ.get("QSOSYNC_URL"), key_file=os.environ.get("QSOSYNC_KEY_FILE"))
    # After the command as well; there, what is absent must not hide what stands before it.
    options = add_options(argparse.ArgumentParser(add_help=False), default=argparse.SUPPRESS)
    commands = parser.add_subparsers(dest="command", required=True)
    for command, path in (("sync", "FOLDER"), ("push", "FILE.adi"), ("pull", "FILE")):
        commands.add_parser(command, parents=[options]).add_argument(
            "path", metavar=path, nargs="?" if command == "pull" else None)
    arguments = parser.parse_args()
    if not arguments.url or not arguments.key_file:
        parser.error("QSOSYNC_URL and QSOSYNC_KEY_FILE, or --url and --key-file, are needed")
    try:
        with open(arguments.key_file, encoding="ascii") as file:
            service = Service(arguments.url, file.read().strip())
        return {"sync": sync, "push": push, "pull": pull}[arguments.command](service, arguments.path)
    except (OSError, ServiceError, UnicodeError, ValueError) as error:
        print(f"qsosync.py: {error}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())

# A copy of a log on a disk, and what waits to be sent. A part of qsosync.py, and what programs of
# one's own use of it.
from __future__ import annotations

import datetime
import hashlib
import itertools
import json
import os
import uuid
from typing import Iterable

from qsosync_changes import State, content_of, remember
from qsosync_fields import SERVER_FIELDS, Qso
from qsosync_service import BATCH, Json, Service, ServiceError, lock_file, own_secret, replace_file


# So long after a log was restored, a device that is behind may send what it has.
AGAIN_SECONDS = 600


def again_after(server_time: str) -> str:
    """The end of that time, in the service's form."""
    moment = datetime.datetime.strptime(server_time, "%Y-%m-%dT%H:%M:%S.%fZ")
    moment += datetime.timedelta(seconds=AGAIN_SECONDS)
    return moment.isoformat(timespec="milliseconds") + "Z"


class LocalLog:
    """A copy of a log in FOLDER/qsosync.json, and what waits to be sent.

    It may be killed at any moment: the file is replaced as a whole, and what was sent stays in it
    until a download has brought it back. Where the service was restored from a backup, what it lost
    is sent again and nothing is deleted here. Used by one process at a time."""

    def __init__(self, folder: str) -> None:
        os.makedirs(folder, mode=0o700, exist_ok=True)
        self.path = os.path.join(folder, "qsosync.json")
        self.lock = open(os.path.join(folder, ".qsosync.lock"), "w")
        try:
            lock_file(self.lock)
        except OSError:
            raise ServiceError(f"another one works in {folder}") from None
        self.state: State = {
            "epoch": None, "serverTime": None, "etag": None, "items": {}, "pending": {},
            "rejected": {},
            "records": {}, "former": {}, "deleted": {}, "renamed": {}, "edits": []}
        if os.path.exists(self.path):
            with open(self.path, encoding="utf-8") as file:
                self.state.update(json.load(file))
        self.saved = self.digest()
        if "secret" not in self.state:
            self.state["secret"] = own_secret()
        self.unsaved = 0 # entries that the service has answered for since

    def digest(self) -> bytes:
        """The same while nothing changed. The serverTime alone changes nothing: from the one
        before, a download brings the same."""
        text = json.dumps({**self.state, "serverTime": None}, ensure_ascii=False)
        return hashlib.blake2b(text.encode()).digest()

    def save(self) -> None:
        digest = self.digest()
        if digest != self.saved:
            replace_file(self.path, json.dumps(self.state, ensure_ascii=False).encode())
            self.saved = digest
        self.unsaved = 0

    def note_settled(self, count: int) -> None:
        """Saves now and then, so that all the saving is work in proportion to the log. After a
        kill, what the service has answered for since is sent again, and changes nothing there."""
        self.unsaved += count
        if self.unsaved * 8 >= len(self.state["items"]) + len(self.state["pending"]):
            self.save()

    def qsos(self) -> dict[str, Qso]:
        """The QSOs by clientId, with what waits to be sent in them."""
        pending = self.state["pending"]
        items = {key: qso for key, qso in self.state["items"].items() if key not in pending}
        items.update((key, {**self.state["items"].get(key, {}), **qso}) for key,
                     qso in pending.items() if qso)
        return items

    def keep(self, key: str, qso: Qso | None) -> None:
        """Takes over the state of a QSO on the service, None where it was deleted; the one before
        is remembered."""
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

    def deleted(self) -> dict[str, Qso]:
        """The last states of the QSOs that were deleted, here or on the service."""
        state = self.state
        here = {key: state["items"][key] for key, qso in state["pending"].items() if not qso
                and key in state["items"]}
        return {**state["deleted"], **here}

    def put(self, qso: Qso) -> str:
        """Keeps a QSO, whole, to be sent with the next sync; its clientId. Call save() after it.
        otherClientIds are for when clientId turns out to be another member's; the service ignores
        them."""
        client_id = (qso.get("clientId") or str(uuid.uuid4())).lower()
        entry = {field: value for field, value in qso.items() if field not in SERVER_FIELDS}
        self.state["pending"][client_id] = {**entry, "clientId": client_id}
        self.state["rejected"].pop(client_id, None)
        return client_id

    def delete(self, client_id: str) -> None:
        """Has a QSO deleted with the next sync. Call save() after it."""
        self.state["pending"][client_id.lower()] = None

    def sync(self, service: Service) -> None:
        """Downloads, sends, downloads what that changed, and drops what was deleted elsewhere."""
        while not (self.download(service) and self.send_and_complete(service)):
            pass # the log was restored meanwhile

    def send_and_complete(self, service: Service) -> bool:
        """All but the first download; False when it has to begin again."""
        return (not self.send(service) or self.download(service)) and self.forget_deleted(service)

    def download(self, service: Service) -> bool:
        """False when it has to begin again."""
        state = self.state
        items: dict[str, Qso] = {}
        gone: set[str] = set()
        epoch, server_time = None, None
        known = state["serverTime"] is None or state.get("deletionsKnown", False)
        for page, page_epoch in service.pages(state["serverTime"]):
            if server_time is None:
                epoch, server_time = page_epoch, page["serverTime"]
            if page_epoch != epoch:
                return False
            changed = self.by_key(page["items"])
            deleted = self.by_key(page.get("deleted", ())).keys()
            for key in deleted:
                items.pop(key, None)
            items.update(changed)
            gone = (gone - changed.keys()) | deleted
            known = known and page.get("deletedComplete", False)
        if state["serverTime"] is not None and epoch != state["epoch"]:
            return self.download_restored(service)
        for key in gone:
            self.keep(key, None)
        until = state.get("againUntil", "")
        for key, qso in items.items():
            if qso["syncedAt"] <= until and self.is_former(key, qso):
                self.put_again(key)
            else:
                self.keep(key, qso)
        state.update(epoch=epoch, serverTime=server_time, deletionsKnown=known)
        self.save()
        return True

    @staticmethod
    def by_key(qsos: Iterable[Qso]) -> dict[str, Qso]:
        """As a dictionary; a very old QSO without clientId goes by its id."""
        return {qso["clientId"] or "id:" + qso["id"]: qso for qso in qsos}

    def download_restored(self, service: Service) -> bool:
        """An older copy of the logbook was put in place: all of it is downloaded, and what it lacks
        or has in an older state is sent again. Another device that is behind may have sent, or be
        about to send, an older state: one that the QSO had here before. False when it has to begin
        again."""
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
            newer = theirs is None or mine.get("syncedAt", "~") > theirs["syncedAt"] or \
                self.is_former(key, theirs)
            if newer and mine.get("clientId"):
                self.put_again(key)
                items[key] = mine
        for key, qso in items.items():
            self.keep(key, qso)
        self.state.update(epoch=epochs.pop(), serverTime=server_time, etag=None,
                          deletionsKnown=False, againUntil=again_after(str(server_time)))
        self.save()
        return True

    def is_former(self, key: str, qso: Qso) -> bool:
        """Is it a state that the QSO had here before the present one?"""
        mine = self.state["items"].get(key)
        content, former = content_of(qso), self.state["former"].get(key, ())
        return mine is not None and qso["clientId"] is not None and \
            content_of(mine) != content and content in former

    def put_again(self, key: str) -> None:
        """Has a QSO sent as it is here, unless something else of it waits."""
        if key not in self.state["pending"]:
            self.put(self.state["items"][key])

    def send(self, service: Service) -> bool:
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

    def send_qsos(self, service: Service, pending: dict[str, Qso | None]) -> None:
        later = set()
        while entries := list(itertools.islice(
                (qso for key, qso in pending.items() if qso and key not in later), BATCH)):
            renamed = len(self.state["renamed"])
            for qso, result in zip(entries, service.send(entries)):
                later.update(self.apply_result(qso, result))
            self.note_settled(len(entries))
            if len(self.state["renamed"]) != renamed:
                self.save() # the new name may be one that nothing would give again

    def apply_result(self, qso: Qso, result: Json) -> list[str]:
        """What became of a QSO that was sent; the clientIds that have to wait for the next time."""
        state, client_id = self.state, qso["clientId"]
        if result["id"] is not None:
            self.keep(client_id, {**qso, "id": result["id"]})
        elif result["error"] == "CLIENT_ID_CONFLICT":
            # Another member has this UUID.
            other, *others = qso.get("otherClientIds") or [None]
            state["renamed"][client_id] = self.put({**qso, "clientId": other,
                                                    "otherClientIds": others})
        elif result.get("permanent"):
            state["rejected"][client_id] = {"error": result["error"], "qso": qso}
        else:
            return [client_id]
        del state["pending"][client_id]
        return []

    def forget_deleted(self, service: Service) -> bool:
        """Where not all deletions are known, as on a service that does not tell them, drops what is
        no longer listed; False when it has to begin again."""
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

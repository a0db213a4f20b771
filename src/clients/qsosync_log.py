# Keeps a copy of a log on a disk, and the changes that wait to be sent. Part of qsosync.py, and the
# interface for your own programs.
from __future__ import annotations

import datetime
import hashlib
import json
import os
import uuid
from typing import Iterable, Iterator

from qsosync_changes import State, content_of, remember
from qsosync_fields import MATCH_NAMES, SERVER_FIELDS, Qso
from qsosync_matching import Found, batches_of, entry_of
from qsosync_service import BATCH, Json, Service, ServiceError, lock_file, replace_file

# The period after a log's restoration in which an outdated device can still send older states.
AGAIN_SECONDS = 600


def again_after(server_time: str) -> str:
    """Returns the end of the period AGAIN_SECONDS, in the service's format."""
    moment = datetime.datetime.strptime(server_time, "%Y-%m-%dT%H:%M:%S.%fZ")
    moment += datetime.timedelta(seconds=AGAIN_SECONDS)
    return moment.isoformat(timespec="milliseconds") + "Z"


def slices(entries: list[Qso]) -> Iterator[list[Qso]]:
    for at in range(0, len(entries), BATCH):
        yield entries[at:at + BATCH]


class LocalLog:
    """A copy of a log in FOLDER/qsosync.json, and the changes that wait to be sent.

    The program can be killed at any moment: the file is replaced as a whole, and sent QSOs stay in
    the file until a download has returned them. If the service was restored from a backup, the QSOs
    that it lost are sent again, and nothing is deleted here. Only one process may use a folder at a
    time."""

    def __init__(self, folder: str) -> None:
        os.makedirs(folder, mode=0o700, exist_ok=True)
        self.path = os.path.join(folder, "qsosync.json")
        self.lock = open(os.path.join(folder, ".qsosync.lock"), "a")
        try:
            lock_file(self.lock)
        except OSError:
            raise ServiceError(f"another program is using {folder}") from None
        self.state: State = {
            "epoch": None, "serverTime": None, "etag": None, "items": {}, "pending": {},
            "rejected": {},
            "records": {}, "names": {}, "former": {}, "deleted": {}, "renamed": {}, "edits": []}
        self.was_saved = self.lock.tell() > 0
        self.is_lost = not os.path.exists(self.path) and \
            (self.was_saved or os.path.exists(os.path.join(folder, "qsosync.adi")))
        if os.path.exists(self.path):
            with open(self.path, encoding="utf-8") as file:
                self.state.update(json.load(file))
        self.saved = self.digest()
        self.state.pop("secret", None) # previous versions stored a secret
        self.unsaved = 0 # entries that the service has answered since the last save
        # Records with their keys, one list per file, because the service compares the records in a
        # file together.
        self.files: list[list[tuple[str, Found]]] = []

    def digest(self) -> bytes:
        """Returns a digest of the state. If only serverTime has changed, the digest is the same,
        because a download from the previous serverTime has the same result."""
        text = json.dumps({**self.state, "serverTime": None}, ensure_ascii=False)
        return hashlib.blake2b(text.encode()).digest()

    def save(self) -> None:
        digest = self.digest()
        if digest != self.saved:
            replace_file(self.path, json.dumps(self.state, ensure_ascii=False).encode())
            self.saved = digest
        if not self.was_saved:
            self.lock.write("qsosync.json was saved\n")
            self.lock.flush()
            self.was_saved = True
        self.unsaved = 0

    def note_settled(self, count: int) -> None:
        """Saves occasionally, so that the work of saving stays in proportion to the log. After a
        kill, entries that the service has answered since the last save are sent again, which
        changes nothing on the service."""
        self.unsaved += count
        if self.unsaved * 8 >= len(self.state["items"]) + len(self.state["pending"]):
            self.save()

    def qsos(self) -> dict[str, Qso]:
        """Returns the QSOs by clientId, including waiting changes."""
        pending = self.state["pending"]
        items = {key: qso for key, qso in self.state["items"].items() if key not in pending}
        for key, qso in pending.items():
            if qso:
                sent = {name: value for name, value in qso.items() if name not in MATCH_NAMES}
                items[key] = {**self.state["items"].get(key, {}), **sent}
        return items

    def keep(self, key: str, qso: Qso | None) -> None:
        """Stores the service's state of a QSO, or None if the QSO was deleted; the previous state
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
        """Returns the last states of QSOs that were deleted, here or on the service."""
        state = self.state
        here = {key: state["items"][key] for key, qso in state["pending"].items() if not qso
                and key in state["items"]}
        return {**state["deleted"], **here}

    def states(self) -> Iterator[tuple[str, Qso]]:
        """Returns all states of QSOs in this folder, including deleted QSOs."""
        for group in (self.qsos(), self.deleted()):
            yield from group.items()
        for history in (self.state["records"], self.state["former"]):
            for key, states in history.items():
                yield from ((self.current(key), qso) for qso in states)

    def qsos_without_client_id(self) -> dict[str, Qso]:
        """Returns the QSOs without a clientId, including deleted QSOs."""
        return {key: qso for group in (self.deleted(), self.state["items"])
                for key, qso in group.items() if key.startswith("id:")}

    def put(self, qso: Qso) -> str:
        """Stores a whole QSO for the next sync, and returns its clientId. Call save() after
        put(). With "match": True, the service first checks whether it has the QSO under another
        clientId."""
        client_id = (qso.get("clientId") or str(uuid.uuid4())).lower()
        entry = {field: value for field, value in qso.items() if field not in SERVER_FIELDS}
        self.state["pending"][client_id] = {**entry, "clientId": client_id}
        self.state["rejected"].pop(client_id, None)
        return client_id

    def delete(self, client_id: str) -> None:
        """Deletes a QSO with the next sync. Call save() after delete()."""
        self.state["pending"][client_id.lower()] = None

    def sync(self, service: Service) -> list[Json]:
        """Downloads, sends, downloads the resulting changes, and drops QSOs that were deleted
        elsewhere. Returns the QSOs that the service rejected, each as {"error", "qso"}; put() the
        corrected QSO to send it again."""
        while not (self.download(service) and self.send_and_complete(service)):
            pass # the log was restored meanwhile
        return list(self.state["rejected"].values())

    def send_and_complete(self, service: Service) -> bool:
        """Performs all steps after the first download. Returns False if the sync must begin
        again."""
        return (not self.send(service) or self.download(service)) and self.forget_deleted(service)

    def download(self, service: Service) -> bool:
        """Downloads changes. Returns False if the sync must begin again."""
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
        """Returns the QSOs by clientId; a very old QSO without a clientId has its id as the key."""
        return {qso["clientId"] or "id:" + qso["id"]: qso for qso in qsos}

    def download_restored(self, service: Service) -> bool:
        """Downloads the whole log after the operator has restored a backup. If the restored log
        lacks a QSO, or has an older state of the QSO, this folder's state waits to be sent again.
        The restored log's state is older if its syncedAt is earlier, or if is_former() returns
        True. Returns False if the sync must begin again."""
        items, epochs, server_time = {}, set(), None
        for page, epoch in service.pages():
            server_time = server_time or page["serverTime"]
            epochs.add(epoch)
            items.update(self.by_key(page["items"]))
        if len(epochs) != 1:
            return False
        for key, mine in self.state["items"].items():
            theirs = items.get(key)
            # A QSO that was sent but not downloaded yet has no syncedAt.
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
        """Returns whether the QSO had this state in this folder before its current state. Another
        device can have sent such a state after the restoration, with a later syncedAt."""
        mine = self.state["items"].get(key)
        content, former = content_of(qso), self.state["former"].get(key, ())
        return mine is not None and qso["clientId"] is not None and \
            content_of(mine) != content and content in former

    def put_again(self, key: str) -> None:
        """Sends a QSO again in this folder's state, unless another change to the QSO waits."""
        if key not in self.state["pending"]:
            self.put(self.state["items"][key])

    def send(self, service: Service) -> bool:
        """Sends waiting entries, and returns whether any entries were sent."""
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
        later: set[str] = set()
        while requests := list(self.requests([qso for key, qso in pending.items()
                                              if qso and key not in later])):
            for entries in requests:
                renamed = len(self.state["renamed"])
                for qso, result in zip(entries, service.send(entries)):
                    if qso.get("match") != "find":
                        later.update(self.apply_result(qso, result))
                self.note_settled(len(entries))
                if len(self.state["renamed"]) != renamed:
                    self.save() # a second run would create other clientIds

    def requests(self, entries: list[Qso]) -> Iterator[list[Qso]]:
        """Groups entries into requests. New records in a file are sent together with records that
        could be the same contact."""
        new = {qso["clientId"]: qso for qso in entries if qso.get("match")}
        yield from slices([qso for qso in entries if not qso.get("match")])
        for records in self.files:
            keyed = {self.current(key): found for key, found in records}
            keys = {id(found): key for key, found in keyed.items()
                    if key in new or key in self.state["items"]}
            known = [found for found in keyed.values() if id(found) in keys]
            for batch in batches_of(known, lambda found: keys[id(found)] in new):
                yield [new.pop(key) if key in new else
                       {**entry_of(found.qso, found.program, found.program_id),
                        "clientId": key, "match": "find"}
                       for found in batch for key in [keys[id(found)]]]
        yield from slices(list(new.values()))

    def apply_result(self, qso: Qso, result: Json) -> list[str]:
        """Stores the outcome of a sent QSO; returns the clientIds that must wait for the next
        sync."""
        state, client_id = self.state, qso["clientId"]
        matched = result.get("matchedClientId") or client_id
        if result["id"] is not None and matched != client_id:
            self.rename(client_id, matched) # the next download contains the QSO
        elif result["id"] is not None and not (result.get("unchanged")
                                               and client_id in state["items"]):
            sent = {name: value for name, value in qso.items() if name not in MATCH_NAMES}
            self.keep(client_id, {**sent, "id": result["id"]})
        elif result["id"] is not None:
            pass # the QSO was already downloaded
        elif result["error"] == "CLIENT_ID_CONFLICT":
            # Another member has this clientId, so the QSO gets a new clientId.
            self.rename(client_id, self.put({**qso, "clientId": None, "match": True}))
        elif result.get("permanent"):
            state["rejected"][client_id] = {"error": result["error"], "qso": qso}
        else:
            return [client_id]
        del state["pending"][client_id]
        return []

    def rename(self, former: str, client_id: str) -> None:
        """Records that a QSO's clientId differs from the clientId that this folder gave the QSO."""
        state = self.state
        state["renamed"][former] = client_id
        for name in ("records", "former"):
            if former in state[name]:
                state[name][client_id] = [*state[name].pop(former),
                                          *state[name].get(client_id, ())]

    def current(self, key: str) -> str:
        """Returns the present clientId of a QSO."""
        while key in self.state["renamed"]:
            key = self.state["renamed"][key]
        return key

    def forget_deleted(self, service: Service) -> bool:
        """If not all deletions are known, for example because the service does not report them,
        drops QSOs that the service no longer lists. Returns False if the sync must begin again."""
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

# Stores datagrams on a disk: datagrams that wait for the service, and datagrams that cannot be
# understood. Part of udp-bridge.py.
from __future__ import annotations

import base64
import collections
import hashlib
import json
import os
import threading
import time
import uuid
from typing import Iterable, Tuple

from qsosync_datagram import Message, NotUnderstood
from qsosync_messages import understand
from qsosync_service import Json, ServiceError, lock_file, replace_file
from qsosync_udp import say

Numbered = Tuple[int, Message] # in a queue
HOLD_SECONDS = 2 # N1MM announces an edit as a deletion, followed immediately by the new state
ANNOUNCED_SECONDS = 3 # time in which the record can follow the message "QSO Logged"
RECENT = 100 # number of recently sent contacts
KEPT_MAX = 10000 # datagrams


class Kept:
    """Unchanged datagrams that could be QSOs but are not on the service. Each datagram has its own
    file, and a second file with the reason. A repeated datagram is stored once."""

    def __init__(self, folder: str) -> None:
        os.makedirs(folder, mode=0o700, exist_ok=True)
        self.folder = folder
        self.is_full = False

    def names(self) -> list[str]:
        return sorted(name[:-len(".datagram")] for name in os.listdir(self.folder)
                      if name.endswith(".datagram"))

    def path(self, name: str, kind: str) -> str:
        return os.path.join(self.folder, f"{name}.{kind}")

    def read(self, name: str) -> bytes:
        with open(self.path(name, "datagram"), "rb") as file:
            return file.read()

    def add(self, data: bytes, reason: str) -> None:
        name = hashlib.sha256(data).hexdigest()[:16]
        is_new = not os.path.exists(self.path(name, "datagram"))
        if is_new and len(self.names()) >= KEPT_MAX:
            if not self.is_full:
                say(f"{self.folder} is full: no more datagrams are kept")
            self.is_full = True
            return
        replace_file(self.path(name, "reason"), (" ".join(reason.split()) + "\n").encode())
        if is_new:
            replace_file(self.path(name, "datagram"), data)
            say(f"a datagram is kept as {self.path(name, 'datagram')}: {reason}; "
                "udp-bridge.py --again retries it")

    def remove(self, name: str) -> None:
        for kind in ("datagram", "reason"):
            if os.path.exists(self.path(name, kind)):
                os.unlink(self.path(name, kind))


class Queue:
    """Messages from their arrival until the service has them, in FOLDER/queue. Each event is one
    line, which is on the disk before the next step, so a kill damages at most the last line."""

    def __init__(self, folder: str) -> None:
        os.makedirs(folder, mode=0o700, exist_ok=True)
        self.lock = open(os.path.join(folder, ".lock"), "w")
        try:
            lock_file(self.lock)
        except OSError:
            raise ServiceError(f"another program is using {folder}") from None
        self.kept = Kept(os.path.join(folder, "not-logged"))
        self.changed = threading.Condition()
        self.path = os.path.join(folder, "queue")
        # Entries by number, in the order of arrival; each has number, at, data and id, and sure
        # once it no longer waits for another message.
        self.entries: dict[int, Json] = {}
        self.messages: dict[int, Message] = {}
        self.recent: collections.deque[tuple[str, ...]] = collections.deque(maxlen=RECENT)
        if os.path.exists(self.path):
            self.load()
        self.number = max(self.entries, default=0)
        self.rewrite()

    def load(self) -> None:
        with open(self.path, "rb") as file:
            lines = file.read().split(b"\n")[:-1]
        for line in map(json.loads, lines):
            if "data" in line:
                self.entries[line["number"]] = {"id": str(uuid.uuid4()), **line}
            elif "sure" in line and line["sure"] in self.entries:
                self.entries[line["sure"]]["sure"] = True
            else:
                for number in line.get("done", ()):
                    self.entries.pop(number, None)
        for number, entry in list(self.entries.items()):
            message = self.understand(self.data(number))
            if message and message.action == "delete" and not entry.get("sure"):
                # The deletion can be half of an edit whose other half was broadcast while this
                # program was not running.
                say(f"the deletion of {message.label()} is uncertain and was skipped; "
                    "delete the QSO by hand")
                message = None
            if message:
                self.messages[number] = message
            else:
                del self.entries[number]

    def data(self, number: int) -> bytes:
        return base64.b64decode(self.entries[number]["data"])

    def understand(self, data: bytes) -> Message | None:
        """Reads a datagram, or stores it separately if it cannot be understood."""
        try:
            return understand(data)
        except NotUnderstood as reason:
            self.kept.add(data, str(reason))
            return None

    def rewrite(self) -> None:
        lines = [json.dumps(entry) + "\n" for entry in self.entries.values()]
        replace_file(self.path, "".join(lines).encode())
        self.file = open(self.path, "ab")

    def write(self, *lines: Json) -> None:
        for line in lines:
            self.file.write(json.dumps(line).encode() + b"\n")
        self.file.flush()
        os.fsync(self.file.fileno())

    def add(self, arrived: Iterable[tuple[bytes, Message]]) -> None:
        """Adds messages and the datagrams that contained them."""
        with self.changed:
            added = []
            for data, message in arrived:
                self.number += 1
                added.append({"number": self.number, "at": time.time(), "id": str(uuid.uuid4()),
                              "data": base64.b64encode(data).decode()})
                self.entries[self.number] = added[-1]
                self.messages[self.number] = message
            self.write(*added)
            self.changed.notify()

    def finish(self, numbers: Iterable[int]) -> None:
        """Removes finished messages."""
        with self.changed:
            for number in numbers:
                self.recent.extend(self.messages[number].contacts())
                del self.entries[number], self.messages[number]
            if self.entries:
                self.write({"done": list(numbers)})
            else:
                self.file.close()
                self.rewrite()

    def due(self) -> tuple[list[Numbered], bool]:
        """Returns [(number, message)] to send now, in their order, and whether other messages still
        wait."""
        due, dropped, waits = [], [], False
        with self.changed:
            rewritten: set[object] = set()
            logged = set(self.recent)
            for message in self.messages.values():
                logged.update(message.contacts() if message.action == "log" else ())
            for number, message in reversed(list(self.messages.items())):
                if message.action == "delete" and message.key() in rewritten or \
                        message.action == "announce" and message.contacts() <= logged:
                    dropped.append(number) # half of an edit, or repeated by a log message
                elif self.has_to_wait(number, message):
                    waits = True
                else:
                    due.append((number, message))
                if message.action != "delete":
                    rewritten.add(message.key())
        if dropped:
            self.finish(dropped)
        return due[::-1], waits

    def has_to_wait(self, number: int, message: Message) -> bool:
        entry = self.entries[number]
        seconds = {"delete": HOLD_SECONDS, "announce": ANNOUNCED_SECONDS}.get(message.action, 0)
        if not seconds or entry.get("sure"):
            return False
        if 0 <= time.time() - entry["at"] < seconds:
            return True
        self.write({"sure": number})
        entry["sure"] = True
        return False

    def again(self) -> int:
        """Queues kept datagrams that can now be understood; returns their number."""
        count = 0
        for name in self.kept.names():
            data = self.kept.read(name)
            try:
                message = understand(data)
            except NotUnderstood as reason:
                self.kept.add(data, str(reason))
                continue
            if message:
                self.add([(data, message)])
                count += 1
            self.kept.remove(name)
        return count

#!/usr/bin/env python3
"""Logs into QSOsync what logging programs broadcast by UDP: WSJT-X, JTDX and WSJT-CB ("Logged
ADIF"), JS8Call, any program that sends ADIF text, and N1MM and fldigi (XML). qsosync-clients(7)
describes it.

The service is QSOSYNC_URL (or --url), the key stands in the file QSOSYNC_KEY_FILE (or --key-file).
What arrives is written to a file before anything else, and stays there until the service has it.
Ctrl-C ends it."""
from __future__ import annotations

import argparse
import base64
import datetime
import json
import os
import signal
import socket
import sys
import threading
import time
from typing import Iterable, Iterator, Tuple

from qsosync_adif import Identities, read_qso
from qsosync_fields import Qso
from qsosync_messages import Message, announces_qso, client_id_of_contact, understand
from qsosync_standard import OtherBand
from qsosync_text import Refused
from qsosync_udp import Receiver, open_socket, say
from qsosync_service import BATCH, Json, Service, ServiceError, lock_file, own_secret, replace_file

Numbered = Tuple[int, Message] # in a queue
LISTEN = ("127.0.0.1:2237", "127.0.0.1:2242", "127.0.0.1:2333", "127.0.0.1:12060")
# After the first of these messages the second one follows at once, where it is switched on.
ANNOUNCED_SECONDS = 3
HOLD_SECONDS = 2 # N1MM announces an edit as a deletion and, right after it, the new state
GATHER_SECONDS = 1 # so that what comes together goes in one batch
LIVE_SECONDS = 1800 # a QSO that is older is no news for the DX cluster


# -- the queue -------------------------------------------------------------------------------------

class Queue:
    """Messages from their arrival until the service has them, in FOLDER/queue: a line for each
    thing that happened, on the disk before the next step. Of a kill, at most the last line is
    torn."""

    def __init__(self, folder: str) -> None:
        os.makedirs(folder, mode=0o700, exist_ok=True)
        self.folder = folder
        self.lock = open(os.path.join(folder, ".lock"), "w")
        try:
            lock_file(self.lock)
        except OSError:
            raise ServiceError(f"another one works in {folder}") from None
        self.secret = self.keep_secret(os.path.join(folder, "secret"))
        self.changed = threading.Condition()
        self.path = os.path.join(folder, "queue")
        # By number, in the order of arrival; of entries: number, at, data, sure.
        self.entries: dict[int, Json] = {}
        self.messages: dict[int, Message] = {}
        if os.path.exists(self.path):
            self.load()
        self.number = max(self.entries, default=0)
        self.rewrite()

    @staticmethod
    def keep_secret(path: str) -> str:
        """The user's, as it was when the folder was made."""
        if not os.path.exists(path):
            replace_file(path, own_secret().encode())
        with open(path, encoding="ascii") as file:
            return file.read()

    def load(self) -> None:
        with open(self.path, "rb") as file:
            lines = file.read().split(b"\n")[:-1]
        for line in map(json.loads, lines):
            if "data" in line:
                self.entries[line["number"]] = line
            elif "sure" in line and line["sure"] in self.entries:
                self.entries[line["sure"]]["sure"] = True
            else:
                for number in line.get("done", ()):
                    self.entries.pop(number, None)
        for number, entry in list(self.entries.items()):
            message = understand(base64.b64decode(entry["data"]))
            if message and message.action == "delete" and not entry.get("sure"):
                # The edit that it may be half of was broadcast while nobody listened.
                say(f"the deletion of {message.client_id} is uncertain and left out; "
                    "delete it by hand")
                message = None
            if message:
                self.messages[number] = message
            else:
                del self.entries[number]

    def rewrite(self) -> None:
        lines = [json.dumps(entry) + "\n" for entry in self.entries.values()]
        replace_file(self.path, "".join(lines).encode())
        self.file = open(self.path, "ab")

    def write(self, line: Json) -> None:
        self.file.write(json.dumps(line).encode() + b"\n")
        self.file.flush()
        os.fsync(self.file.fileno())

    def add(self, arrived: Iterable[tuple[bytes, Message]]) -> None:
        """Messages and the datagrams that they came in."""
        with self.changed:
            for data, message in arrived:
                self.number += 1
                entry = {"number": self.number, "at": time.time(),
                         "data": base64.b64encode(data).decode()}
                self.file.write(json.dumps(entry).encode() + b"\n")
                self.entries[self.number] = entry
                self.messages[self.number] = message
            self.file.flush()
            os.fsync(self.file.fileno())
            self.changed.notify()

    def finish(self, numbers: Iterable[int]) -> None:
        """These need nothing more."""
        with self.changed:
            for number in numbers:
                del self.entries[number], self.messages[number]
            if self.entries:
                self.write({"done": list(numbers)})
            else:
                self.file.close()
                self.rewrite()

    def due(self) -> tuple[list[Numbered], bool]:
        """[(number, message)] to be sent now, in their order, and whether others wait for their
        time."""
        due, dropped, waits = [], [], False
        with self.changed:
            rewritten = set()
            for number, message in reversed(list(self.messages.items())):
                entry = self.entries[number]
                if message.action != "delete":
                    rewritten.add(message.client_id)
                elif message.client_id in rewritten:
                    dropped.append(number) # the first half of an edit
                    continue
                elif not entry.get("sure") and 0 <= time.time() - entry["at"] < HOLD_SECONDS:
                    waits = True
                    continue
                elif not entry.get("sure"):
                    self.write({"sure": number})
                    entry["sure"] = True
                due.append((number, message))
        if dropped:
            self.finish(dropped)
        return due[::-1], waits

    def reject(self, message: Message, reason: str) -> None:
        """Keeps what the service refuses for good, for the user to see."""
        say(f"a QSO is refused: {reason}")
        with open(os.path.join(self.folder, "rejected"), "a", encoding="utf-8") as file:
            records = [fields for _, fields, _ in message.records]
            file.write(json.dumps({"reason": reason, "records": records}) + "\n")


# -- sending ---------------------------------------------------------------------------------------

class Sender(threading.Thread):
    """Sends what is in the queue, in its order, and tries again for as long as it takes."""

    def __init__(self, queue: Queue, service: Service, wants_spots: bool) -> None:
        super().__init__(daemon=True)
        self.queue = queue
        self.service = service
        self.wants_spots = wants_spots
        self.callsign = "" # not known yet

    def run(self) -> None:
        pause = 0
        while True:
            with self.queue.changed:
                if not self.queue.entries:
                    self.queue.changed.wait()
            time.sleep(max(pause, GATHER_SECONDS))
            try:
                self.work()
                pause = 0
            except Exception as error: # whatever it is, what is in the queue has to be sent
                pause = min(60, pause * 2 or 5)
                say(f"{error}; {len(self.queue.entries)} in the queue, next attempt in {pause} s")

    def work(self) -> None:
        waits = True
        while waits:
            due, waits = self.queue.due()
            if due:
                self.callsign = self.callsign or self.service.me()["callsign"]
                self.send(due)
            if waits:
                time.sleep(HOLD_SECONDS / 4)

    def send(self, due: Iterable[Numbered]) -> None:
        run: list[Numbered] = []
        for number, message in due:
            if message.action == "delete" and message.client_id:
                self.send_qsos(run)
                self.service.delete(client_id_of_contact(message.client_id, self.queue.secret))
                self.queue.finish([number])
                run = []
            else:
                run.append((number, message))
        self.send_qsos(run)

    def send_qsos(self, run: list[Numbered]) -> None:
        waiting = [(number, message, *qso) for number, message in run
                   for qso in self.qsos_of(message)]
        temporary = set()
        while waiting:
            batch, waiting = waiting[:BATCH], waiting[BATCH:]
            results = self.service.send([{**qso, "clientId": ids[0]} for _, _, qso, ids in batch])
            for (number, message, qso, ids), result in zip(batch, results):
                if result["id"] is not None:
                    continue
                if result["error"] == "CLIENT_ID_CONFLICT" and len(ids) > 1:
                    waiting.append((number, message, qso, ids[1:]))
                elif result.get("permanent"):
                    self.queue.reject(message, result["error"])
                else:
                    temporary.add(number)
        finished = [number for number, _ in run if number not in temporary]
        if finished:
            self.queue.finish(finished)
        if temporary:
            raise ServiceError("some QSOs were not saved this time")

    def qsos_of(self, message: Message) -> Iterator[tuple[Qso, list[str]]]:
        """Yields (QSO, clientIds in the order of preference)."""
        identities = Identities(self.callsign, self.queue.secret)
        for _, fields, trouble in message.records:
            try:
                if fields is None:
                    raise Refused(trouble)
                qso, losses, _ = read_qso(fields, self.callsign)
            except OtherBand as band:
                say(f"a QSO on another band ({band}) is left out")
                continue
            except Refused as refusal:
                self.queue.reject(message, str(refusal))
                continue
            for name, reason in losses:
                say(f"{name} {reason}")
            ids = identities.of_record(qso)
            if message.client_id:
                ids = [client_id_of_contact(message.client_id, self.queue.secret), *ids]
            if self.wants_spots and message.action == "log" and is_live(qso):
                qso["sendSpot"] = True
            yield qso, ids


def is_live(qso: Qso) -> bool:
    moment = datetime.datetime.fromisoformat(qso["qsoAt"].replace("Z", "+00:00"))
    age = datetime.datetime.now(datetime.timezone.utc) - moment
    return abs(age.total_seconds()) <= LIVE_SECONDS


# -- receiving -------------------------------------------------------------------------------------

def receive(sockets: list[socket.socket], queue: Queue) -> None:
    sys.setswitchinterval(0.0005) # reading waits for nothing else here
    receiver = Receiver(sockets)
    receiver.start()
    announced = False # a QSO of which no text has come yet
    busy = False
    while True:
        wait = ANNOUNCED_SECONDS if announced else GATHER_SECONDS if busy else None
        datagrams = receiver.take(wait, BATCH)
        understood = []
        for data in datagrams:
            message = understand(data)
            if message:
                understood.append((data, message))
                announced = False
            elif announces_qso(data):
                announced = True
        if understood:
            queue.add(understood)
        lost = receiver.count_lost()
        if lost > 0:
            say(f"{lost} datagrams were lost: they came faster than this computer reads them; "
                "send the file of the logging program with qsosync.py push")
        if announced and not datagrams:
            say("a program announced a QSO and sent no ADIF of it: "
                "switch that on in its settings (JTDX: Reporting)")
            announced = False
        busy = bool(datagrams)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--url", default=os.environ.get("QSOSYNC_URL"))
    parser.add_argument("--key-file", default=os.environ.get("QSOSYNC_KEY_FILE"))
    parser.add_argument("--listen", metavar="ADDRESS:PORT", action="append",
                        help="may be given several times; without it " + ", ".join(LISTEN))
    parser.add_argument("--queue", metavar="FOLDER",
                        default=os.path.expanduser("~/.local/state/qsosync-udp"))
    parser.add_argument("--spot", action="store_true",
                        help="publish live QSOs on the service's DX cluster")
    arguments = parser.parse_args()
    if not arguments.url or not arguments.key_file:
        parser.error("QSOSYNC_URL and QSOSYNC_KEY_FILE, or --url and --key-file, are needed")
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        with open(arguments.key_file, encoding="ascii") as file:
            service = Service(arguments.url, file.read().strip())
        queue = Queue(arguments.queue)
        sockets = [open_socket(address) for address in arguments.listen or LISTEN]
        Sender(queue, service, arguments.spot).start()
        receive(sockets, queue)
    except KeyboardInterrupt:
        pass
    except (OSError, ServiceError, UnicodeError, ValueError) as error:
        say(error)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())

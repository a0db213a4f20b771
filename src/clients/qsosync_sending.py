# Sends the queued datagrams' QSOs to the service, in their order. Part of udp-bridge.py.
from __future__ import annotations

import datetime
import threading
import time
import uuid
from typing import Iterator, Sequence

from qsosync_adif import read_qso
from qsosync_datagram import Message
from qsosync_fields import Qso, Refused
from qsosync_matching import entry_of, named_by_program
from qsosync_queue import HOLD_SECONDS, Numbered, Queue
from qsosync_service import BATCH, Json, Service, ServiceError
from qsosync_standard import OtherBand
from qsosync_text import Fields
from qsosync_udp import say

GATHER_SECONDS = 1 # time in which messages are collected for one batch
LIVE_SECONDS = 1800 # maximum age of a QSO that is published on the DX cluster


class Sender(threading.Thread):
    """Sends the queue in its order, and repeats failed requests until they succeed."""

    def __init__(self, queue: Queue, service: Service, wants_spots: bool) -> None:
        super().__init__(daemon=True)
        self.queue = queue
        self.service = service
        self.wants_spots = wants_spots
        self.callsign = "" # unknown until the first answer

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
            except Exception as error: # whatever the error is, the queue must still be sent
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

    def send(self, due: Sequence[Numbered]) -> None:
        run: list[Numbered] = []
        for number, message in due:
            if message.action == "delete" or message.is_moved():
                self.send_qsos(run)
                run = []
            if message.action == "delete":
                self.delete(number, message)
                self.queue.finish([number])
                continue
            run.append((number, message))
            if message.is_moved():
                self.send_qsos(run, self.moved_from(message))
                run = []
        self.send_qsos(run)

    def find(self, message: Message) -> str | None:
        """Returns the clientId of a message's stored QSO, which is found by its earlier station and
        time."""
        fields = Fields()
        fields.update(message.before or {})
        if not fields.get("FREQ") and not fields.get("BAND"):
            fields["BAND"] = "11m" # a deletion states no band
        entry = entry_of(read_qso(fields, self.callsign)[0], message.program, message.program_id)
        result, = self.service.send([{**entry, "clientId": str(uuid.uuid4()), "match": "find"}])
        return result.get("matchedClientId")

    def delete(self, number: int, message: Message) -> None:
        try:
            client_id = self.find(message)
        except Refused as refusal:
            self.keep(number, str(refusal))
            return
        if client_id:
            self.service.delete(client_id)

    def moved_from(self, message: Message) -> str | None:
        """Returns the clientId of the QSO whose station or time the message changes. Without the
        clientId, the message would become another QSO."""
        try:
            return self.find(message)
        except Refused:
            return None

    def send_qsos(self, run: Sequence[Numbered], client_id: str | None = None) -> None:
        """Sends QSOs; client_id is the id of the single QSO, if known."""
        known = {"clientId": client_id} if client_id else {}
        waiting = [(number, {**entry, **known}) for number, message in run
                   for entry in self.entries_of(number, message)]
        temporary = set()
        for place in range(0, len(waiting), BATCH):
            batch = waiting[place:place + BATCH]
            results = self.service.send([entry for _, entry in batch])
            for (number, _), result in zip(batch, results):
                if result["id"] is None and result.get("permanent"):
                    self.keep(number, result["error"])
                elif result["id"] is None:
                    temporary.add(number)
        finished = [number for number, _ in run if number not in temporary]
        if finished:
            self.queue.finish(finished)
        if temporary:
            raise ServiceError("some QSOs were not saved this time")

    def keep(self, number: int, reason: str) -> None:
        self.queue.kept.add(self.queue.data(number), reason)

    def entries_of(self, number: int, message: Message) -> Iterator[Json]:
        """Yields a message's QSOs as entries to send. The service finds the QSOs that it already
        has."""
        for place, (_, fields, trouble) in enumerate(message.records):
            try:
                if fields is None:
                    raise Refused(trouble)
                qso, losses, _ = read_qso(fields, self.callsign)
            except OtherBand as band:
                say(f"a QSO on another band ({band}) was skipped")
                continue
            except Refused as refusal:
                self.keep(number, str(refusal))
                continue
            for name, reason in losses:
                say(f"{name} {reason}")
            if self.wants_spots and message.action in ("log", "announce") and is_live(qso):
                qso["sendSpot"] = True
            if "clientId" in qso: # the QSO has our clientId
                yield {**entry_of(qso, None, None), "clientId": qso["clientId"]}
                continue
            program, program_id = named_by_program(fields, message.program)
            named = uuid.uuid5(uuid.UUID(self.queue.entries[number]["id"]), str(place))
            yield {**entry_of(qso, program, message.program_id or program_id),
                   "clientId": str(named), "match": True}


def is_live(qso: Qso) -> bool:
    moment = datetime.datetime.fromisoformat(qso["qsoAt"].replace("Z", "+00:00"))
    age = datetime.datetime.now(datetime.timezone.utc) - moment
    return abs(age.total_seconds()) <= LIVE_SECONDS

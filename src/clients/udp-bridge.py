#!/usr/bin/env python3
"""Logs into QSOsync what logging programs broadcast by UDP: WSJT-X, JTDX and WSJT-CB ("Logged ADIF"), JS8Call, any program that sends ADIF text, and N1MM and fldigi (XML). qsosync-clients(7) describes it.

The service is QSOSYNC_URL (or --url), the key stands in the file QSOSYNC_KEY_FILE (or --key-file). What
arrives is written to a file before anything else, and stays there until the service has it. Ctrl-C ends it."""
from __future__ import annotations

import argparse
import base64
import datetime
import decimal
import json
import os
import re
import signal
import struct
import sys
import threading
import time
import uuid
import xml.etree.ElementTree

from qsosync_adif import Identities, read_qso
from qsosync_standard import OtherBand
from qsosync_text import Refused, read_records
from qsosync_udp import Receiver, open_socket
from qsosync_service import BATCH, Service, ServiceError, lock_file, own_secret, replace_file

LISTEN = ("127.0.0.1:2237", "127.0.0.1:2242", "127.0.0.1:2333", "127.0.0.1:12060")
WSJTX_MAGIC = 0xADBCCBDA
WSJTX_QSO_LOGGED, WSJTX_LOGGED_ADIF = 5, 12
ANNOUNCED_SECONDS = 3 # after the first of these messages the second one follows at once, where it is switched on
HOLD_SECONDS = 2 # N1MM announces an edit as a deletion and, right after it, the new state
GATHER_SECONDS = 1 # so that what comes together goes in one batch
LIVE_SECONDS = 1800 # a QSO that is older is no news for the DX cluster


def say(text):
    print(f"udp-bridge.py: {text}", file=sys.stderr, flush=True)


# -- what a datagram says --------------------------------------------------------------------------

class Message:
    """One datagram: its records, as ADIF fields, and what is to happen to them (log, edit, delete)."""

    def __init__(self, action, records, client_id=None):
        self.action = action
        self.records = records # (line, fields or None, trouble or None)
        self.client_id = client_id # where the program has a name of its own for the QSO


def understand(data):
    """The message of a datagram, or None where it is none of those that log a QSO."""
    try:
        if data[:4] == struct.pack(">I", WSJTX_MAGIC):
            data = logged_adif(data)
        elif data.lstrip()[:1] == b"<" and re.search(rb"<contact(info|replace|delete)\b", data):
            return read_contact(data)
        elif data[:1] == b"{":
            data = logged_by_js8call(data)
        if data and re.search(rb"<eor>", data, re.IGNORECASE):
            return Message("log", list(read_records(data)))
    except (ValueError, RecursionError, struct.error, xml.etree.ElementTree.ParseError) as error:
        say(f"a datagram is not understood: {error}")
    return None


def logged_adif(data):
    """The ADIF text of WSJT-X's message of type 12; None of other types. A text is its length in four
    bytes, and its bytes; the length FFFFFFFF means no text."""
    _, schema, kind = struct.unpack_from(">III", data)
    if schema < 2 or kind != WSJTX_LOGGED_ADIF:
        return None
    position = 12
    for _ in ("the program's name", "the ADIF text"):
        length, = struct.unpack_from(">I", data, position)
        length = 0 if length == 0xFFFFFFFF else length
        text = data[position + 4:position + 4 + length]
        if len(text) != length:
            raise ValueError("a text is cut off")
        position += 4 + length
    return text


def logged_by_js8call(data):
    """The ADIF text of JS8Call's own message about a QSO, which has no end of its record; None of others."""
    message = json.loads(data)
    if message.get("type") != "LOG.QSO" or not isinstance(message.get("value"), str):
        return None
    return message["value"].encode() + b" <eor>"


def announces_qso(data):
    """Is this WSJT-X's message that a QSO was logged, which the ADIF text follows?"""
    return data[:4] == struct.pack(">I", WSJTX_MAGIC) and data[8:12] == struct.pack(">I", WSJTX_QSO_LOGGED)


def read_contact(data):
    """A contact of N1MM or fldigi."""
    if b"<!" in data:
        raise ValueError("XML with declarations")
    root = xml.etree.ElementTree.fromstring(data.lstrip())
    action = {"contactinfo": "log", "contactreplace": "edit", "contactdelete": "delete"}.get(root.tag)
    if not action:
        return None
    values = {child.tag.lower(): (child.text or "").strip() for child in root}
    client_id = identity_of_contact(values.get("id"))
    if action == "delete" and not client_id:
        raise ValueError("a deletion that does not say of which QSO")
    return Message(action, [] if action == "delete" else [(1, fields_of_contact(values), None)], client_id)


def identity_of_contact(name):
    """The same for every edit: N1MM's ID is a UUID without hyphens. Another ID is a name, which becomes a UUID
    when it is sent."""
    if name and re.fullmatch("[0-9a-fA-F]{32}", name):
        return str(uuid.UUID(name))
    return name or None


def client_id_of_contact(identity, secret):
    is_uuid = re.fullmatch(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", identity)
    return identity if is_uuid else str(uuid.uuid5(uuid.UUID(secret), "n1mm|" + identity))


def fields_of_contact(values):
    # fldigi, which knows no contest, gives hertz; N1MM gives tens of them.
    unit = decimal.Decimal(10) / 1000000 if "contestname" in values else decimal.Decimal(1) / 1000000

    def megahertz(name):
        digits = values.get(name, "")
        return format(int(digits) * unit, "f") if re.fullmatch("[0-9]{1,12}", digits) else ""

    moment = re.fullmatch(r"(\d{4})-(\d\d)-(\d\d) (\d\d):(\d\d):(\d\d)", values.get("timestamp", ""))
    fields = {"QSO_DATE": "".join(moment.groups()[:3]) if moment else "",
              "TIME_ON": "".join(moment.groups()[3:]) if moment else "",
              "FREQ": megahertz("txfreq") or megahertz("rxfreq")}
    if values.get("rxfreq") != values.get("txfreq"): # both are always there
        fields["FREQ_RX"] = megahertz("rxfreq")
    for field, name in (("CALL", "call"), ("STATION_CALLSIGN", "mycall"), ("OPERATOR", "operator"), ("MODE", "mode"),
                        ("RST_SENT", "snt"), ("RST_RCVD", "rcv"), ("GRIDSQUARE", "gridsquare"), ("NAME", "name"),
                        ("QTH", "qth"), ("COMMENT", "comment"), ("TX_PWR", "power")):
        fields[field] = values.get(name, "")
    return fields


# -- the queue -------------------------------------------------------------------------------------

class Queue:
    """Messages from their arrival until the service has them, in FOLDER/queue: a line for each thing
    that happened, on the disk before the next step. Of a kill, at most the last line is torn."""

    def __init__(self, folder):
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
        self.entries = {} # number: {"number", "at", "data", "sure"}, in the order of arrival
        self.messages = {}
        if os.path.exists(self.path):
            self.load()
        self.number = max(self.entries, default=0)
        self.rewrite()

    @staticmethod
    def keep_secret(path):
        """The user's, as it was when the folder was made."""
        if not os.path.exists(path):
            replace_file(path, own_secret().encode())
        with open(path, encoding="ascii") as file:
            return file.read()

    def load(self):
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
            self.messages[number] = message = understand(base64.b64decode(entry["data"]))
            if message and message.action == "delete" and not entry.get("sure"):
                # The edit that it may be half of was broadcast while nobody listened.
                say(f"the deletion of {message.client_id} is uncertain and left out; delete it by hand")
                message = None
            if not message:
                del self.entries[number], self.messages[number]

    def rewrite(self):
        lines = [json.dumps(entry) + "\n" for entry in self.entries.values()]
        replace_file(self.path, "".join(lines).encode())
        self.file = open(self.path, "ab")

    def write(self, line):
        self.file.write(json.dumps(line).encode() + b"\n")
        self.file.flush()
        os.fsync(self.file.fileno())

    def add(self, arrived):
        """Messages and the datagrams that they came in."""
        with self.changed:
            for data, message in arrived:
                self.number += 1
                entry = {"number": self.number, "at": time.time(), "data": base64.b64encode(data).decode()}
                self.file.write(json.dumps(entry).encode() + b"\n")
                self.entries[self.number] = entry
                self.messages[self.number] = message
            self.file.flush()
            os.fsync(self.file.fileno())
            self.changed.notify()

    def finish(self, numbers):
        """These need nothing more."""
        with self.changed:
            for number in numbers:
                del self.entries[number], self.messages[number]
            if self.entries:
                self.write({"done": list(numbers)})
            else:
                self.file.close()
                self.rewrite()

    def due(self):
        """[(number, message)] to be sent now, in their order, and whether others wait for their time."""
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

    def reject(self, message, reason):
        """Keeps what the service refuses for good, for the user to see."""
        say(f"a QSO is refused: {reason}")
        with open(os.path.join(self.folder, "rejected"), "a", encoding="utf-8") as file:
            file.write(json.dumps({"reason": reason, "records": [fields for _, fields, _ in message.records]}) + "\n")


# -- sending ---------------------------------------------------------------------------------------

class Sender(threading.Thread):
    """Sends what is in the queue, in its order, and tries again for as long as it takes."""

    def __init__(self, queue, service, wants_spots):
        super().__init__(daemon=True)
        self.queue = queue
        self.service = service
        self.wants_spots = wants_spots
        self.callsign = None

    def run(self):
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

    def work(self):
        waits = True
        while waits:
            due, waits = self.queue.due()
            if due and not self.callsign:
                self.callsign = self.service.me()["callsign"]
            self.send(due)
            if waits:
                time.sleep(HOLD_SECONDS / 4)

    def send(self, due):
        run = []
        for number, message in due:
            if message.action == "delete":
                self.send_qsos(run)
                self.service.delete(client_id_of_contact(message.client_id, self.queue.secret))
                self.queue.finish([number])
                run = []
            else:
                run.append((number, message))
        self.send_qsos(run)

    def send_qsos(self, run):
        waiting = [(number, message, *qso) for number, message in run for qso in self.qsos_of(message)]
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

    def qsos_of(self, message):
        """Yields (QSO, clientIds in the order of preference)."""
        identities = Identities(self.callsign, self.queue.secret)
        for _, fields, trouble in message.records:
            try:
                if trouble:
                    raise Refused(trouble)
                qso, losses, _ = read_qso(fields, self.callsign)
            except OtherBand as band:
                say(f"a QSO on another band ({band}) is left out")
                continue
            except Refused as reason:
                self.queue.reject(message, str(reason))
                continue
            for name, reason in losses:
                say(f"{name} {reason}")
            ids = identities.of_record(qso)
            if message.client_id:
                ids = [client_id_of_contact(message.client_id, self.queue.secret), *ids]
            if self.wants_spots and message.action == "log" and is_live(qso):
                qso["sendSpot"] = True
            yield qso, ids


def is_live(qso):
    moment = datetime.datetime.fromisoformat(qso["qsoAt"].replace("Z", "+00:00"))
    return abs((datetime.datetime.now(datetime.timezone.utc) - moment).total_seconds()) <= LIVE_SECONDS


# -- receiving -------------------------------------------------------------------------------------

def receive(sockets, queue):
    sys.setswitchinterval(0.0005) # reading waits for nothing else here
    receiver = Receiver(sockets)
    receiver.start()
    announced = False # a QSO of which no text has come yet
    busy = False
    while True:
        datagrams = receiver.take(ANNOUNCED_SECONDS if announced else GATHER_SECONDS if busy else None, BATCH)
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
            say("a program announced a QSO and sent no ADIF of it: switch that on in its settings (JTDX: Reporting)")
            announced = False
        busy = bool(datagrams)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--url", default=os.environ.get("QSOSYNC_URL"))
    parser.add_argument("--key-file", default=os.environ.get("QSOSYNC_KEY_FILE"))
    parser.add_argument("--listen", metavar="ADDRESS:PORT", action="append",
                        help="may be given several times; without it " + ", ".join(LISTEN))
    parser.add_argument("--queue", metavar="FOLDER", default=os.path.expanduser("~/.local/state/qsosync-udp"))
    parser.add_argument("--spot", action="store_true", help="publish live QSOs on the service's DX cluster")
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
        return 0
    except (OSError, ServiceError, UnicodeError, ValueError) as error:
        say(error)
        return 1


if __name__ == "__main__":
    sys.exit(main())

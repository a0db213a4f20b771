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
import json
import os
import sys
from typing import IO, Any, Iterable, Iterator

from qsosync_adif import Beside, Found, Identities, contact_of, differs, format_file, merge
from qsosync_adif import read_qso, without_client_id
from qsosync_changes import Changes, Contacts, apply_edit
from qsosync_encodings import decoder, find_encoding, unfold
from qsosync_fields import EMPTY_QSO, Qso
from qsosync_log import LocalLog
from qsosync_service import BATCH, Service, ServiceError, own_secret, replace_file, replacing
from qsosync_service import update_file
from qsosync_standard import OtherBand
from qsosync_text import Refused, read_records, shown


# -- ADIF files ------------------------------------------------------------------------------------

class Report:
    """What became of the records of a file, in the words of "qsosync-admin import"."""

    def __init__(self) -> None:
        self.count: collections.Counter[str] = collections.Counter()
        self.details: list[str] = []
        self.unknown: collections.Counter[str] = collections.Counter()
        self.beside: Beside = {}

    def keep(self, contact: str, fields: dict[str, str]) -> None:
        """Fields without a place of one of the records of a contact. Where there are more, nobody
        knows which of them is which QSO."""
        known = self.beside.setdefault(contact, fields)
        if known is not fields:
            known.update((name, value) for name, value in fields.items() if name not in known)

    def refuse(self, line: int, reason: object) -> None:
        self.count["refused"] += 1
        self.details.append(f"line {line}: refused: {reason}")

    def refuse_file(self, name: str, reason: object) -> None:
        self.count["refused"] += 1
        self.details.append(f"{name}: refused: {reason}")

    def print(self) -> None:
        for word in ("imported", "updated", "unchanged", "refused", "other bands"):
            print(word, self.count[word])
        for detail in self.details[:50]:
            print(shown(detail))
        if len(self.details) > 50:
            print(f"... and {len(self.details) - 50} more")
        if self.unknown:
            print("fields without a place:", ", ".join(
                f"{shown(name)} {n}" for name, n in sorted(self.unknown.items())))


def read_file(path: str, identities: Identities, report: Report, encoding: str | None,
              is_growing: bool = False) -> Iterator[Found]:
    """Yields (line, QSO, clientIds in the order of preference) of the records that are QSOs of
    ours. The encoding is that of values that are not UTF-8; Refused where nobody says it."""
    with open(path, "rb") as file:
        data = unfold(file.read(), encoding)
    decode = decoder(find_encoding(data, encoding, identities.member_callsign))
    for line, fields, trouble in read_records(data, is_growing, decode):
        try:
            if fields is None:
                raise Refused(trouble)
            qso, losses, unknown = read_qso(fields, identities.member_callsign)
        except OtherBand:
            report.count["other bands"] += 1
            continue
        except Refused as reason:
            report.refuse(line, reason)
            continue
        report.details.extend(f"line {line}: {name} {reason}" for name, reason in losses)
        report.unknown.update(unknown)
        report.keep(contact_of(qso, identities.member_callsign),
                    {name: fields[name] for name in unknown})
        yield line, qso, identities.of_record(qso)


def settle_without_client_id(records: Iterable[Found], qsos: Iterable[Qso],
                             report: Report) -> Iterator[Found]:
    """Takes out the records that were written from a QSO of the log without a clientId. The API has
    no way to change one."""
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


def push(service: Service, path: str, encoding: str | None) -> int:
    """Sends what the service lacks of a file, or has in another state."""
    report = Report()
    qsos = [qso for page, _ in service.pages() for qso in page["items"]]
    stored = {qso["clientId"]: qso for qso in qsos}
    identities = Identities(service.me()["callsign"], own_secret(), qsos)
    records = read_file(path, identities, report, encoding)
    waiting = list(settle_without_client_id(records, qsos, report))
    while waiting:
        waiting = push_round(service, waiting, stored, report)
    report.print()
    return 1 if report.count["refused"] else 0


def push_round(service: Service, waiting: list[Found], stored: dict[str, Qso],
               report: Report) -> list[Found]:
    """Sends the records; those that need another clientId come back."""
    conflicts: list[Found] = []
    batch: list[tuple[Found, Qso]] = []
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


def push_batch(service: Service, batch: list[tuple[Found, Qso]], stored: dict[str, Qso],
               report: Report) -> list[Found]:
    conflicts = []
    for (record, entry), result in zip(batch, service.send([entry for _, entry in batch])):
        line, qso, (client_id, *others) = record
        if result["id"] is not None:
            report.count["updated" if client_id in stored else "imported"] += 1
            stored[client_id] = entry
        elif result["error"] == "CLIENT_ID_CONFLICT" and others:
            conflicts.append((line, {field: qso[field] for field in qso if field != "clientId"},
                              others))
        else:
            report.refuse(line, result["error"])
    return conflicts


def take_files(log: LocalLog, folder: str, callsign: str, report: Report,
               encoding: str | None) -> None:
    """Notes in the log's state what programs changed in the folder's ADIF files since they were
    last read."""
    files, qsos = [], log.qsos()
    for name in sorted(os.listdir(folder)):
        if name.lower().endswith((".adi", ".adif")) and name != "qsosync.adi":
            identities = Identities(callsign, log.state["secret"], qsos.values())
            try:
                records = read_file(os.path.join(folder, name), identities, report, encoding, True)
                files.append(list(records))
            except Refused as reason:
                report.refuse_file(name, reason)
    before = set(log.state["records"])
    found = Changes(log.state, qsos, log.deleted(), callsign).take(files)
    # A record that was corrected since may have another identity now.
    for client_id in before.difference(found):
        log.state["rejected"].pop(client_id, None)
    log.save()


def put_changes(log: LocalLog, callsign: str, report: Report) -> None:
    """Puts what programs changed on the log that was just downloaded."""
    state, qsos, deleted = log.state, log.qsos(), log.deleted()
    contacts = Contacts(qsos, state, callsign)
    for edit in state["edits"]:
        key = contacts.key_of(edit, qsos)
        whole = apply_edit({**edit, "key": key}, qsos.get(key), deleted)
        if not differs(qsos.get(key), whole):
            continue
        if key.startswith("id:"):
            report.refuse(edit["line"], "its QSO has no clientId and cannot be changed")
            continue
        log.put({"clientId": key, "otherClientIds": edit["others"], **whole})
        qsos[key] = {**qsos.get(key, {}), **whole}
    state["edits"] = []
    log.save()


def sync(service: Service, folder: str, encoding: str | None) -> int:
    """One synchronisation of a folder, its ADIF files included."""
    log, report = LocalLog(folder), Report()
    callsign = service.me()["callsign"]
    # Before the download: against what programs could know.
    take_files(log, folder, callsign, report, encoding)
    while not log.download(service):
        pass
    put_changes(log, callsign, report)
    if not log.send_and_complete(service):
        log.sync(service)
    update_file(os.path.join(folder, "qsosync.adi"),
                format_file(log.qsos().values(), callsign, report.beside))
    for detail in report.details:
        print(shown(detail), file=sys.stderr)
    for client_id, rejected in log.state["rejected"].items():
        qso = rejected["qso"]
        print(shown(f"{qso.get('qsoAt')} {qso.get('callsignWorked') or ''} ({client_id}) is "
                    f"refused: {rejected['error']}"), file=sys.stderr)
    return 1 if log.state["rejected"] or log.state["pending"] or report.count["refused"] else 0


def pull(service: Service, path: str | None) -> int:
    if path and path.endswith(".json"):
        with replacing(path) as file:
            write_json((page["items"] for page, _ in service.pages()), file)
        return 0
    # One that changed meanwhile comes twice.
    unique = {qso["id"]: qso for page, _ in service.pages() for qso in page["items"]}.values()
    data = format_file(unique, service.me()["callsign"])
    if path:
        replace_file(path, data)
    else:
        sys.stdout.buffer.write(data)
    return 0


def write_json(pages: Iterable[list[Qso]], file: IO[bytes]) -> None:
    """Writes a QSO a line, each page while the next ones come. Python takes three times as long to
    lay JSON out in another way."""
    encode = json.JSONEncoder(ensure_ascii=False).encode
    place: dict[str, int] = {}
    count = 0
    file.write(b"[")
    for qsos in pages:
        file.write("".join(
            [("," if count + at else "") + "\n" + encode(qso) for at, qso in enumerate(qsos)]
        ).encode())
        place.update((qso["id"], count + at) for at, qso in enumerate(qsos))
        count += len(qsos)
    file.write(b"\n]\n")
    if len(place) < count:
        drop_lines(file, set(range(count)).difference(place.values()))


def drop_lines(file: IO[bytes], former: set[int]) -> None:
    """Takes out former states of QSOs, which changed meanwhile and came twice."""
    file.seek(0)
    lines = file.read().splitlines()[1:-1]
    kept = [line.rstrip(b",") for at, line in enumerate(lines) if at not in former]
    file.seek(0)
    file.truncate()
    file.write(b"[\n" + b",\n".join(kept) + b"\n]\n")


# -- the command -----------------------------------------------------------------------------------

def add_options(parser: argparse.ArgumentParser, **defaults: Any) -> argparse.ArgumentParser:
    parser.add_argument("--url", **defaults)
    parser.add_argument("--key-file", **defaults)
    return parser


def main() -> int:
    parser = add_options(argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter))
    parser.set_defaults(url=os.environ.get("QSOSYNC_URL"),
                        key_file=os.environ.get("QSOSYNC_KEY_FILE"))
    # After the command as well; there, what is absent must not hide what stands before it.
    options = add_options(argparse.ArgumentParser(add_help=False), default=argparse.SUPPRESS)
    commands = parser.add_subparsers(dest="command", required=True)
    for name, path in (("sync", "FOLDER"), ("push", "FILE.adi")):
        command = commands.add_parser(name, parents=[options])
        command.add_argument("path", metavar=path)
        command.add_argument("--encoding", metavar="NAME", help="of values that are not UTF-8")
    commands.add_parser("pull", parents=[options]).add_argument("path", metavar="FILE", nargs="?")
    arguments = parser.parse_args()
    if not arguments.url or not arguments.key_file:
        parser.error("QSOSYNC_URL and QSOSYNC_KEY_FILE, or --url and --key-file, are needed")
    try:
        with open(arguments.key_file, encoding="ascii") as file:
            service = Service(arguments.url, file.read().strip())
        if arguments.command == "pull":
            return pull(service, arguments.path)
        send = sync if arguments.command == "sync" else push
        return send(service, arguments.path, arguments.encoding)
    except (OSError, Refused, ServiceError, UnicodeError, ValueError) as error:
        print(f"qsosync.py: {shown(error)}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())

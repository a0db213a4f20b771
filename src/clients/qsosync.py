#!/usr/bin/env python3
"""Keeps an ADIF logging program's files and a QSOsync log synchronised; also a module for your own
programs (Service, LocalLog). See qsosync-clients(7).

    qsosync.py sync FOLDER       sends the QSOs of the folder's ADIF files, downloads the log
    qsosync.py push FILE.adi     sends the QSOs of one ADIF file
    qsosync.py pull [FILE]       downloads the log, as ADIF or, for FILE.json, as JSON

The service is QSOSYNC_URL (or --url), and the key is in the file QSOSYNC_KEY_FILE (or --key-file).
Exit status: 0 done, 1 something was rejected or failed, 2 wrong usage."""
from __future__ import annotations

import argparse
import collections
import json
import os
import sys
from typing import IO, Any, Iterable, Iterator

from qsosync_adif import Beside, differs, format_file, merge, read_qso, without_client_id
from qsosync_changes import Changes, apply_edit
from qsosync_decoding import shown
from qsosync_encodings import decoder, find_encoding, unfold
from qsosync_fields import MATCH_NAMES, Qso, Refused
from qsosync_keys import Keyed, Keys
from qsosync_log import LocalLog
from qsosync_matching import Found, batches_of, entry_of, named_by_program, program_of_file
from qsosync_matching import send_records
from qsosync_service import BATCH, VERSION, Service, ServiceError, replace_file, replacing
from qsosync_service import update_file
from qsosync_standard import OtherBand
from qsosync_text import read_records

__version__ = VERSION
__all__ = ["LocalLog", "Service", "ServiceError"]


class Report:
    """The outcomes of a file's records, in the words of "qsosync-admin import"."""

    def __init__(self) -> None:
        self.count: collections.Counter[str] = collections.Counter()
        self.details: list[str] = []
        self.unknown: collections.Counter[str] = collections.Counter()

    def reject(self, line: int, reason: object) -> None:
        self.count["rejected"] += 1
        self.details.append(f"line {line}: rejected: {reason}")

    def reject_file(self, name: str, reason: object) -> None:
        self.count["rejected"] += 1
        self.details.append(f"{name}: rejected: {reason}")

    def print(self) -> None:
        for word in ("imported", "updated", "unchanged", "repeated", "rejected", "other bands"):
            print(word, self.count[word])
        for detail in self.details[:50]:
            print(shown(detail))
        if len(self.details) > 50:
            print(f"... and {len(self.details) - 50} more")
        if self.unknown:
            print("fields that are not stored:", ", ".join(
                f"{shown(name)} {n}" for name, n in sorted(self.unknown.items())))


def read_file(path: str, callsign: str, report: Report, encoding: str | None,
              is_growing: bool = False) -> Iterator[Found]:
    """Yields the records that become QSOs, and reports the other records. The encoding applies to
    values that are not UTF-8. Raises Refused if the file has such values and their encoding is
    unknown."""
    with open(path, "rb") as file:
        data = unfold(file.read(), encoding)
    decode, program = decoder(find_encoding(data, encoding, callsign)), program_of_file(data)
    for line, fields, trouble in read_records(data, is_growing, decode):
        try:
            if fields is None:
                raise Refused(trouble)
            qso, losses, unknown = read_qso(fields, callsign)
        except OtherBand:
            report.count["other bands"] += 1
            continue
        except Refused as reason:
            report.reject(line, reason)
            continue
        report.details.extend(f"line {line}: {name} {reason}" for name, reason in losses)
        report.unknown.update(unknown)
        yield Found(line, qso, {name: fields[name] for name in unknown},
                    *named_by_program(fields, program))


def tells_qso(found: Found) -> bool:
    """Returns whether the record was written from a QSO in a QSOsync log."""
    return "clientId" in found.qso or "id" in found.qso


def push(service: Service, path: str, encoding: str | None) -> int:
    """Sends a file's QSOs. Records that name their QSO are sent only if they change the QSO."""
    report = Report()
    records = list(read_file(path, service.me()["callsign"], report, encoding))
    ours = [found for found in records if tells_qso(found)]
    others = [found for found in records if not tells_qso(found)]
    if ours:
        others += push_ours(service, ours, report)
        others += {found.qso["clientId"]: found for found in ours
                   if "clientId" in found.qso}.values()
        places = {id(found): place for place, found in enumerate(records)}
        others.sort(key=lambda found: places[id(found)])
    seen: set[str] = set()
    for batch in batches_of(others, lambda found: "clientId" not in found.qso):
        # If several records are the same QSO, the last record counts.
        for found, result in reversed(list(zip(batch, send_records(service, batch, True)))):
            client_id = result.get("matchedClientId") or result["clientId"]
            if "clientId" in found.qso:
                continue
            if result["id"] is None:
                report.reject(found.line, result["error"])
            elif client_id in seen:
                report.count["repeated"] += 1
            else:
                report.count["imported" if "matchedClientId" not in result else
                             "unchanged" if result.get("unchanged") else "updated"] += 1
                seen.add(client_id)
    report.print()
    return 1 if report.count["rejected"] else 0


def push_ours(service: Service, records: Iterable[Found], report: Report) -> list[Found]:
    """Sends records that name their QSO, and returns records from another member's log. If several
    records are the same QSO, the last record counts."""
    qsos = [qso for page, _ in service.pages() for qso in page["items"]]
    stored = {qso["clientId"]: qso for qso in qsos}
    without = without_client_id(qsos)
    others: list[Found] = []
    last: dict[str, Found] = {}
    for found in records:
        client_id = found.qso.get("clientId")
        number = found.qso.pop("id", None), found.qso.pop("createdAt", None)
        if client_id:
            report.count["repeated"] += client_id in last
            last[client_id] = found
        elif number not in without:
            others.append(found)
        elif differs(without[number], merge(None, found.qso)):
            report.reject(found.line, "its QSO has no clientId and cannot be changed")
        else:
            report.count["unchanged"] += 1
    batch: dict[str, tuple[Found, Qso]] = {}
    for client_id, found in last.items():
        whole = merge(stored.get(client_id), found.qso)
        if not differs(stored.get(client_id), whole):
            report.count["unchanged"] += 1
            continue
        batch[client_id] = found, {"clientId": client_id, **whole}
        if len(batch) == BATCH:
            others += push_batch(service, batch, stored, report)
            batch = {}
    return others + push_batch(service, batch, stored, report)


def push_batch(service: Service, batch: dict[str, tuple[Found, Qso]], stored: dict[str, Qso],
               report: Report) -> list[Found]:
    others = []
    entries = list(batch.values())
    results = service.send([entry for _, entry in entries]) if entries else []
    for (found, entry), result in zip(entries, results):
        client_id = entry["clientId"]
        if result["id"] is not None:
            report.count["updated" if client_id in stored else "imported"] += 1
            stored[client_id] = entry
        elif result["error"] == "CLIENT_ID_CONFLICT":
            del found.qso["clientId"]
            others.append(found)
        else:
            report.reject(found.line, result["error"])
    return others


def take_files(log: LocalLog, folder: str, keys: Keys, report: Report,
               encoding: str | None) -> list[Keyed]:
    """Returns the records in the folder's ADIF files, with the keys of their QSOs."""
    for name in sorted(os.listdir(folder)):
        if name.lower().endswith((".adi", ".adif")) and name != "qsosync.adi":
            path = os.path.join(folder, name)
            try:
                log.files.append(list(keys.of_file(
                    read_file(path, keys.callsign, report, encoding, True))))
            except Refused as reason:
                report.reject_file(name, reason)
    return [record for records in log.files for record in records]


def note_changes(log: LocalLog, callsign: str, records: Iterable[Keyed]) -> None:
    """Records in the log's state which changes programs made in the files since the last
    reading."""
    before = set(log.state["records"])
    found = Changes(log.state, log.qsos(), log.deleted(), callsign).take(records)
    # A record that was corrected since the last reading can now be another QSO, so the rejection of
    # its previous QSO is removed.
    for client_id in before.difference(found):
        log.state["rejected"].pop(client_id, None)
    log.save()


def put_changes(log: LocalLog, report: Report) -> None:
    """Applies the changes that programs made in the files to the log that was just downloaded."""
    state, qsos, deleted = log.state, log.qsos(), log.deleted()
    for edit in state["edits"]:
        key = log.current(edit["key"])
        whole = apply_edit({**edit, "key": key}, qsos.get(key), deleted)
        if not differs(qsos.get(key), whole):
            continue
        if key.startswith("id:"):
            report.reject(edit["line"], "its QSO has no clientId and cannot be changed")
            continue
        match = state["pending"].get(key) or {}
        if key not in qsos and key not in deleted and "clientId" not in edit["record"]:
            match = {"match": True, **entry_of({}, *edit.get("program", (None, None)))}
        log.put({"clientId": key, **whole,
                 **{name: match[name] for name in MATCH_NAMES if name in match}})
        qsos[key] = {**qsos.get(key, {}), **whole}
    state["edits"] = []
    log.save()


def ask_for_deleted(keys: Keys, folder: str, answer: str | None) -> None:
    """Stops QSOs that were deleted on the service from being sent again, unless the user allows
    it."""
    records, count = keys.may_be_deleted()
    if not records:
        return
    told = f"{folder} has lost qsosync.json. QSOs that were deleted from the log in the last two " \
        f"years: {count}; records of the folder that might be among them: {len(records)}"
    while answer not in ("send", "leave"):
        print(f"{told}\nSend them again? [y/N] ", end="", file=sys.stderr, flush=True)
        line = sys.stdin.readline()
        if not line:
            print(file=sys.stderr)
            raise ServiceError(f"{told}. Run it again with --deleted send, or --deleted leave")
        answer = "send" if line.strip().lower() in ("y", "yes") else "leave"
    if answer == "leave":
        keys.leave(records)


def sync(service: Service, folder: str, encoding: str | None, deleted: str | None) -> int:
    """Synchronises a folder once, including its ADIF files."""
    log, report = LocalLog(folder), Report()
    callsign = service.me()["callsign"]
    keys = Keys(log, service, callsign)
    records = take_files(log, folder, keys, report, encoding)
    if log.is_lost and keys.new:
        ask_for_deleted(keys, folder, deleted)
    # Records are compared with the state before the download, because programs cannot have read
    # the states that the download adds.
    note_changes(log, callsign, records)
    while not log.download(service):
        pass
    put_changes(log, report)
    if not log.send_and_complete(service):
        log.sync(service)
    beside: Beside = {}
    for key, found in records:
        fields = beside.setdefault(log.current(key), {})
        fields.update({**found.beside, **fields})
    update_file(os.path.join(folder, "qsosync.adi"),
                format_file(log.qsos().values(), callsign, beside))
    for detail in report.details:
        print(shown(detail), file=sys.stderr)
    for client_id, rejected in log.state["rejected"].items():
        qso = rejected["qso"]
        print(shown(f"{qso.get('qsoAt')} {qso.get('callsignWorked') or ''} ({client_id}) is "
                    f"rejected: {rejected['error']}"), file=sys.stderr)
    return 1 if log.state["rejected"] or log.state["pending"] or report.count["rejected"] else 0


def pull(service: Service, path: str | None) -> int:
    if path and path.endswith(".json"):
        with replacing(path) as file:
            write_json((page["items"] for page, _ in service.pages()), file)
        return 0
    # A QSO that changes meanwhile can be in the download twice.
    unique = {qso["id"]: qso for page, _ in service.pages() for qso in page["items"]}.values()
    data = format_file(unique, service.me()["callsign"])
    if path:
        replace_file(path, data)
    else:
        sys.stdout.buffer.write(data)
    return 0


def write_json(pages: Iterable[list[Qso]], file: IO[bytes]) -> None:
    """Writes QSOs as JSON, each page while the next pages arrive. Each QSO is one line, because
    Python takes three times as long for indented JSON."""
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
    """Removes earlier states of QSOs that changed during the download, and are therefore in the
    file twice."""
    file.seek(0)
    lines = file.read().splitlines()[1:-1]
    kept = [line.rstrip(b",") for at, line in enumerate(lines) if at not in former]
    file.seek(0)
    file.truncate()
    file.write(b"[\n" + b",\n".join(kept) + b"\n]\n")


def add_options(parser: argparse.ArgumentParser, **defaults: Any) -> argparse.ArgumentParser:
    parser.add_argument("--url", **defaults)
    parser.add_argument("--key-file", **defaults)
    return parser


def main() -> int:
    parser = add_options(argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter))
    parser.set_defaults(url=os.environ.get("QSOSYNC_URL"),
                        key_file=os.environ.get("QSOSYNC_KEY_FILE"))
    # The options are accepted before and after the command. An option that is absent after the
    # command must not overwrite the same option before the command.
    options = add_options(argparse.ArgumentParser(add_help=False), default=argparse.SUPPRESS)
    commands = parser.add_subparsers(dest="command", required=True)
    for name, path in (("sync", "FOLDER"), ("push", "FILE.adi")):
        command = commands.add_parser(name, parents=[options])
        command.add_argument("path", metavar=path)
        command.add_argument("--encoding", metavar="NAME",
                             help="encoding of values that are not UTF-8")
        if name == "sync":
            command.add_argument("--deleted", choices=("send", "leave"),
                                 help="action for records that might have been deleted, in a "
                                 "folder that has lost qsosync.json")
    commands.add_parser("pull", parents=[options]).add_argument("path", metavar="FILE", nargs="?")
    arguments = parser.parse_args()
    if not arguments.url or not arguments.key_file:
        parser.error("QSOSYNC_URL and QSOSYNC_KEY_FILE, or --url and --key-file, are needed")
    try:
        with open(arguments.key_file, encoding="ascii") as file:
            service = Service(arguments.url, file.read().strip())
        if arguments.command == "pull":
            return pull(service, arguments.path)
        if arguments.command == "push":
            return push(service, arguments.path, arguments.encoding)
        return sync(service, arguments.path, arguments.encoding, arguments.deleted)
    except (OSError, Refused, ServiceError, UnicodeError, ValueError) as error:
        print(f"qsosync.py: {shown(error)}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())

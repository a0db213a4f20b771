# Finds the QSO to which a program's record belongs. The service decides, by the same rule for all
# programs. Part of qsosync.py and udp-bridge.py.
from __future__ import annotations

import datetime
import hashlib
import json
import re
import uuid
from typing import Any, Callable, Dict, Iterator, List, Mapping, NamedTuple, Optional, Sequence
from typing import Tuple

from qsosync_adif import normalise_callsign
from qsosync_fields import EMPTY_QSO, Qso
from qsosync_service import BATCH, Json, Service, ServiceError
from qsosync_standard import split_notes

APART = datetime.timedelta(minutes=10) # maximum time between records of one contact
# Names of the fields in which programs write their own ids for a QSO.
ID_FIELD = re.compile("APP_([^_]+)_(?:QSO_ID|QSOID|LOGID|UUID|GUID|ID)")
PROGRAM_FIELD = re.compile(rb"<programid:(\d+)(?::\w)?>", re.IGNORECASE)
IDENTIFYING = ("band", "qsoAt", "frequencyMhz", "channel", "mode")


class Found(NamedTuple):
    """A record in a file that becomes a QSO."""
    line: int
    qso: Qso
    beside: Dict[str, str] # fields without a place
    program: Optional[str] # the program that wrote the record
    program_id: Optional[str] # the program's id of the record

    def worked(self) -> str:
        """Returns the station worked or, if there is no callsign, the operator's name."""
        name = split_notes(self.qso.get("notes"), self.qso.get("mode"))[0]
        return normalise_callsign(self.qso.get("callsignWorked")) or (name or "").upper()


def program_of_file(data: bytes) -> str | None:
    """Returns the name of the program in the file's header."""
    found = PROGRAM_FIELD.search(data)
    return printable(data[found.end():found.end() + int(found[1])].decode("latin-1")) \
        if found else None


def printable(text: str, most: int = 32) -> str | None:
    return re.sub("[^!-~]", "", text)[:most] or None


def named_by_program(fields: Mapping[str, str],
                     program: str | None) -> Tuple[Optional[str], Optional[str]]:
    """Returns the program and the id that the program gave the record, or only the program."""
    for name, value in fields.items():
        found = ID_FIELD.fullmatch(name)
        number = value.strip()
        if found and found[1] not in ("POLO", "QSOSYNC") and number.strip("0") and \
                re.fullmatch("[ -~]{1,64}", number):
            return found[1], number
    return program, None


def entry_of(qso: Qso, program: str | None, program_id: str | None) -> Json:
    """Returns the data that the service needs to find and to save a QSO."""
    said = {name: value for name, value in qso.items()
            if name in (*EMPTY_QSO, "sendSpot") and value is not None}
    return {**said, **({"program": program} if program else {}),
            **({"programId": program_id} if program and program_id else {})}


def identity_of(found: Found, callsign: str) -> str:
    """Returns a hash that stays the same unless something changes that identifies the record's
    contact."""
    station = normalise_callsign(found.qso.get("operatorCallsign") or callsign)
    values = [found.program_id, station, found.worked(),
              *(found.qso.get(name) for name in IDENTIFYING)]
    return hashlib.blake2b(json.dumps(values).encode(), digest_size=12).hexdigest()


def groups_of(records: Sequence[Found]) -> Iterator[List[int]]:
    """Yields the positions of records that could be the same contact, in groups, because the
    service decides about a whole group at once."""
    group: List[int] = []
    last = datetime.datetime.min
    for place in sorted(range(len(records)),
                        key=lambda at: (records[at].worked(), records[at].qso["qsoAt"])):
        found = records[place]
        moment = datetime.datetime.strptime(found.qso["qsoAt"][:19], "%Y-%m-%dT%H:%M:%S")
        if group and (found.worked() != records[group[0]].worked() or moment - last > APART):
            yield group
            group = []
        group.append(place)
        last = moment
    if group:
        yield group


def batches_of(records: Sequence[Found], is_new: Callable[[Found], bool]) -> Iterator[List[Found]]:
    """Yields whole groups that contain new records, as many as fit into a request, in the order of
    the file. A group that is too large for a request is split."""
    batch: List[int] = []
    for group in groups_of(records):
        if not any(is_new(records[place]) for place in group):
            continue
        if batch and len(batch) + len(group) > BATCH:
            yield [records[place] for place in sorted(batch)]
            batch = []
        batch += group
        while len(batch) > BATCH:
            yield [records[place] for place in sorted(batch[:BATCH])]
            batch = batch[BATCH:]
    if batch:
        yield [records[place] for place in sorted(batch)]


def send_records(service: Service, batch: List[Found], match: Any) -> List[Json]:
    """Sends a request, and returns its results. With the match True, the service saves missing
    QSOs; with "find", it only looks QSOs up. A record with a clientId is that QSO, so the service
    does not match it to another QSO."""
    results = service.send([{**entry_of(found.qso, found.program, found.program_id),
                             "clientId": found.qso.get("clientId") or str(uuid.uuid4()),
                             "match": "find" if found.qso.get("clientId") else match}
                            for found in batch])
    if match == "find" and any(result["id"] is not None and "matchedClientId" not in result
                               for result in results):
        raise ServiceError("the service is older than this program and cannot look for QSOs")
    return results

# Finds the QSOs of a folder's records, by earlier results or by a request to the service. Part of
# qsosync.py.
from __future__ import annotations

import datetime
import uuid
from typing import Dict, Iterable, Iterator, List, Optional, Set, Tuple

from qsosync_adif import contact_of, merge
from qsosync_fields import Qso
from qsosync_log import LocalLog
from qsosync_matching import Found, batches_of, identity_of, send_records
from qsosync_service import Service

REMEMBERED = datetime.timedelta(days=730) # time for which the service keeps deletions
Keyed = Tuple[str, Found]


class Keys:
    """Finds the keys (clientIds) of records in the log's state, and asks the service about records
    that are read for the first time."""

    def __init__(self, log: LocalLog, service: Service, callsign: str) -> None:
        self.log, self.service, self.callsign = log, service, callsign
        self.names: Dict[str, str] = log.state["names"] # keys, by what identifies a record
        self.new: List[Keyed] = [] # records whose QSOs the log lacks
        # The keys of the QSOs that the folder has or had, by contact.
        self.local: Dict[str, List[str]] = {}
        for key, qso in log.states():
            for station in {qso.get("operatorCallsign"), None}:
                contact = contact_of({**qso, "operatorCallsign": station}, callsign)
                if key not in self.local.setdefault(contact, []):
                    self.local[contact].append(key)

    def of_file(self, records: Iterable[Found]) -> Iterator[Keyed]:
        """Yields the records in one file, with their keys. If several records that name no QSO
        agree in everything that identifies a record, the last record counts."""
        known: Dict[str, Found] = {}
        others: Dict[str, Found] = {}
        for found in records:
            key = self.named(found.qso)
            if key:
                known[key] = found
                yield key, found
            else:
                others[identity_of(found, self.callsign)] = found
        new = {name: found for name, found in others.items() if name not in self.names}
        for name in others.keys() - new.keys():
            key = self.log.current(self.names[name])
            known.setdefault(key, others[name])
            yield key, others[name]
        asked = list(self.ask(new, known))
        taken = {*known, *(matched for _, matched in asked if matched)}
        taken |= self.present(new[name] for name, matched in asked if not matched)
        for name, matched in asked:
            key = matched or self.absent(new[name], taken)
            if not key:
                key = str(uuid.uuid4())
                self.new.append((key, new[name]))
            taken.add(key)
            self.names[name] = key
            yield key, new[name]

    def named(self, record: Qso) -> str | None:
        """Returns the key that the record itself states, or None."""
        number, created_at = record.pop("id", None), record.pop("createdAt", None)
        if "clientId" in record:
            return self.log.current(record["clientId"])
        stored = self.log.qsos_without_client_id().get(f"id:{number}")
        return f"id:{number}" if stored and stored.get("createdAt") == created_at else None

    def ask(self, new: Dict[str, Found],
            known: Dict[str, Found]) -> Iterator[Tuple[str, Optional[str]]]:
        """Yields the names of new records with the clientIds that the service finds, or None. Known
        records of the same file are sent with them if they could be the same contact."""
        names = {id(found): name for name, found in new.items()}
        beside = [found._replace(qso={**found.qso, "clientId": key})
                  for key, found in known.items()
                  if self.log.state["items"].get(key, {}).get("clientId")]
        for batch in batches_of([*beside, *new.values()], lambda found: id(found) in names):
            for found, result in zip(batch, send_records(self.service, batch, "find")):
                if id(found) in names:
                    yield names[id(found)], result.get("matchedClientId")

    def candidates(self, found: Found) -> List[str]:
        return self.local.get(contact_of(found.qso, self.callsign), [])

    def present(self, records: Iterable[Found]) -> Set[str]:
        """Returns the clientIds of QSOs in this folder that could belong to records without a
        match, and that the service still has. The other QSOs were deleted meanwhile."""
        items = self.log.state["items"]
        keys = {key for found in records for key in self.candidates(found) if key in items}
        states = [Found(0, items[key], {}, None, key) for key in keys]
        return {result["matchedClientId"] for batch in batches_of(states, lambda found: True)
                for result in send_records(self.service, batch, "find")
                if result.get("matchedClientId")}

    def absent(self, found: Found, taken: Set[str]) -> str | None:
        """Returns the key of a QSO that the service lacks and to which this record could belong, or
        None."""
        return next((key for key in self.candidates(found) if key not in taken), None)

    def may_be_deleted(self) -> Tuple[List[Keyed], int]:
        """For a folder that has lost its state: returns the new records whose QSOs could have been
        deleted on the service, and the number of deletions."""
        since = datetime.datetime.now(datetime.timezone.utc) - REMEMBERED
        count, last, is_complete = 0, "", True
        for page, _ in self.service.pages(since.strftime("%Y-%m-%dT%H:%M:%S.000Z")):
            deleted = page.get("deleted", ())
            is_complete = is_complete and page.get("deletedComplete", False)
            count += len(deleted)
            last = max([last, *(one["deletedAt"] for one in deleted)])
        return [(key, found) for key, found in self.new
                if found.qso["qsoAt"] <= last or not is_complete], count

    def leave(self, records: Iterable[Keyed]) -> None:
        """Marks the records as copies of deleted QSOs."""
        for key, found in records:
            self.log.state["deleted"][key] = merge(None, found.qso)

# Finds programs' changes to the files in a folder since the last reading. Merges them with a log
# that was changed elsewhere meanwhile. Part of qsosync.py. A file can be old, copied, renamed or
# sorted differently, and lacks values that its program cannot store. So a value counts as changed
# in two cases: neither the log nor any file ever had it for this QSO, or a program that had the
# log's value returned to an older value. A missing field does not count as a change.
from __future__ import annotations

from typing import Any, Collection, Dict, Iterable, Iterator, Tuple

from qsosync_adif import merge, says_less
from qsosync_fields import CLIENT_NAMES, EMPTY_QSO, MATCH_NAMES, REQUEST_FIELDS, SERVER_FIELDS, Qso
from qsosync_fields import Refused
from qsosync_matching import Found
from qsosync_standard import Record, join_notes, read_standard, split_notes
from qsosync_writing import standard_fields

State = Dict[str, Any] # of a LocalLog
Edit = Dict[str, Any] # key, line, record, names (None: all), program
Values = Dict[str, Any]
FORMER_MAX = 30 # states of one QSO that are remembered
NO_CONTENT = (*SERVER_FIELDS, *REQUEST_FIELDS, *CLIENT_NAMES, *MATCH_NAMES, "wholeNotes")
NOTES_PARTS = ("name", "qth", "mode of the notes", "text of the notes")


def content_of(qso: Qso) -> Qso:
    """Returns the fields of a QSO that members write."""
    return {field: value for field, value in qso.items() if field not in NO_CONTENT}


def remember(former: dict[str, list[Qso]], key: str, state: Qso) -> None:
    """Adds an earlier state of a QSO to its list of states, and removes the oldest states if there
    are too many."""
    states = former.setdefault(key, [])
    if state in states:
        states.remove(state)
    states.append(state)
    del states[:-FORMER_MAX]


def values_of(qso: Qso) -> Values:
    """Returns the values that can change separately: fields, and each part of the notes."""
    values = {field: value for field, value in content_of(qso).items() if field != "notes"}
    if "notes" in qso:
        values["notes"] = qso["notes"]
        values.update(zip(NOTES_PARTS, split_notes(qso["notes"], qso.get("mode"), any_mode=True)))
    return values


def values_of_record(record: Qso) -> Values:
    """Returns the values that a record states. Notes that are not from our own field count only by
    their parts."""
    values = values_of(record)
    if record.get("wholeNotes"):
        return {name: value for name, value in values.items() if name not in NOTES_PARTS}
    values.pop("notes", None)
    return {name: value for name, value in values.items()
            if value is not None or name not in NOTES_PARTS}


class History:
    """The states that a QSO has had in the log and in files."""

    def __init__(self, states: Iterable[Qso | None], callsign: str) -> None:
        self.states = [state for state in states if state]
        self.callsign = callsign
        self.faces: list[Values] | None = None

    def read(self) -> Iterator[Values]:
        """Reads the values of all states, and also the values that remain if a program drops our
        own fields."""
        for state in self.states:
            yield values_of(state)
            standard = {"STATION_CALLSIGN": self.callsign, **dict(standard_fields(state))}
            try:
                yield values_of(read_standard(Record(standard), state))
            except Refused:
                pass

    def holds(self, name: str, value: Any) -> bool:
        """Returns whether the QSO ever had this value, perhaps in more detail."""
        if self.faces is None:
            self.faces = list(self.read())
        return any(name in face and (face[name] == value or face[name] is not None
                                     and value is not None and
                                     says_less(name, face[name], value)) for face in self.faces)


class Changes:
    """Finds the changes in the files of a folder. This class updates parts of a LocalLog's state:
    records (the files' states of each QSO), "former" (earlier states), and edits (changes that wait
    for a download). qsos are the QSOs in the log before the download, and deleted are the QSOs that
    were deleted from that log."""

    def __init__(self, state: State, qsos: dict[str, Qso], deleted: dict[str, Qso],
                 callsign: str) -> None:
        self.state, self.qsos, self.deleted, self.callsign = state, dict(qsos), deleted, callsign
        for edit in state["edits"]:
            self.qsos[edit["key"]] = apply_edit(edit, self.qsos.get(edit["key"]), deleted)

    def take(self, records: Iterable[Tuple[str, Found]]) -> Collection[str]:
        """Reads records with the keys of their QSOs, and returns the keys."""
        found: dict[str, list[Found]] = {}
        for key, record in records:
            found.setdefault(key, []).append(record)
        for key, same in found.items():
            for record in same:
                self.judge(key, record, [other.qso for other in same])
        for key, same in found.items():
            now: list[Qso] = []
            for record in same:
                if record.qso not in now:
                    now.append(record.qso)
            for before in self.state["records"].get(key, ()):
                if before not in now:
                    remember(self.state["former"], key, before)
            self.state["records"][key] = now
        return found.keys()

    def changed(self, key: str, record: Qso, records: Iterable[Qso]) -> list[str]:
        """Returns the names of the values that the record changes; `records` are all records of the
        same QSO."""
        before = self.state["records"].get(key, [])
        if record in before:
            return []
        live = self.qsos.get(key)
        known = History([*before, live], self.callsign)
        former = History([*self.state["former"].get(key, ()), self.deleted.get(key)], self.callsign)

        def turned_back(name: str, value: Any) -> bool:
            """Returns whether all files have this value, and one had the log's value before."""
            had = [values[name] for values in map(values_of_record, before) if name in values]
            have = [values[name] for values in map(values_of_record, records) if name in values]
            now = History([live], self.callsign)
            return live is not None and value not in had and all(one == value for one in have) and \
                any(now.holds(name, one) for one in had)

        return [name for name, value in values_of_record(record).items()
                if not known.holds(name, value) and
                (not former.holds(name, value) or turned_back(name, value))]

    def judge(self, key: str, record: Found, records: list[Qso]) -> None:
        is_seen = key in self.state["records"]
        if not is_seen and key in self.deleted:
            return # the record is a copy from before the deletion
        names = self.changed(key, record.qso, records)
        if names:
            is_new = not is_seen and key not in self.qsos
            self.state["edits"].append({"key": key, "line": record.line, "record": record.qso,
                                        "names": None if is_new else names,
                                        "program": [record.program, record.program_id]})


def part_of(record: Qso, names: Collection[str]) -> Qso:
    """Returns the record with only the named values."""
    part = {name: record[name] for name in names if name in record and name != "notes"}
    if "notes" in names:
        part.update(notes=record["notes"], wholeNotes=True)
    elif any(name in names for name in NOTES_PARTS):
        values = values_of_record(record)
        part["notes"] = join_notes(*(values.get(name) if name in names else None
                                     for name in NOTES_PARTS))
        if NOTES_PARTS[2] in names:
            part["mode"] = record["mode"]
    return part


def empty_names(record: Qso, stored: Qso) -> list[str]:
    """Returns the names of a record's values that the stored QSO lacks."""
    there = values_of({**EMPTY_QSO, **stored})
    return [name for name in values_of_record(record) if there.get(name) in (None, False)
            and (name != "notes" or not stored.get("notes"))]


def apply_edit(edit: Edit, stored: Qso | None, deleted: dict[str, Qso]) -> Qso:
    """Returns the whole QSO after a change to the stored QSO (or None). A record that is read for
    the first time only fills empty fields in a QSO from elsewhere. If the QSO was deleted, its last
    state is changed."""
    record, names = edit["record"], edit["names"]
    base = stored or deleted.get(edit["key"])
    if not base:
        return merge(None, record)
    return merge(base, part_of(record, empty_names(record, base) if names is None else names))

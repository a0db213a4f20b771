# What programs changed in the files of a folder since these were last read, and how such a change
# meets a log that was changed elsewhere meanwhile. A part of qsosync.py.
#
# A file may be old, a copy, under another name, sorted otherwise, or lack what its program has no
# place for. So a value counts as changed only where neither the log nor any file ever held it for
# that QSO, or where a program that knew the log's value turned back from it. A field that is
# missing says nothing.
from __future__ import annotations

from typing import Any, Collection, Dict, Iterable, Iterator, Tuple

from qsosync_adif import merge, says_less
from qsosync_fields import CLIENT_NAMES, EMPTY_QSO, MATCH_NAMES, REQUEST_FIELDS, SERVER_FIELDS, Qso
from qsosync_matching import Found
from qsosync_standard import Record, join_notes, read_standard, split_notes, standard_fields
from qsosync_text import Refused

State = Dict[str, Any] # of a LocalLog
Edit = Dict[str, Any] # key, line, record, names (None: all), program
Values = Dict[str, Any]
FORMER_MAX = 30 # states of one QSO that are remembered
NO_CONTENT = (*SERVER_FIELDS, *REQUEST_FIELDS, *CLIENT_NAMES, *MATCH_NAMES, "wholeNotes")
NOTES_PARTS = ("name", "qth", "mode of the notes", "text of the notes")


def content_of(qso: Qso) -> Qso:
    """What members write of a QSO."""
    return {field: value for field, value in qso.items() if field not in NO_CONTENT}


def remember(former: dict[str, list[Qso]], key: str, state: Qso) -> None:
    """Adds an earlier state of a QSO, the newest last."""
    states = former.setdefault(key, [])
    if state in states:
        states.remove(state)
    states.append(state)
    del states[:-FORMER_MAX]


def values_of(qso: Qso) -> Values:
    """The values that can change apart from each other: fields, and of the notes each part."""
    values = {field: value for field, value in content_of(qso).items() if field != "notes"}
    if "notes" in qso:
        values["notes"] = qso["notes"]
        values.update(zip(NOTES_PARTS, split_notes(qso["notes"], qso.get("mode"), any_mode=True)))
    return values


def values_of_record(record: Qso) -> Values:
    """The values that a record states. Without our own field for them, notes are what their parts
    are."""
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
        """The values of all states, and those that are left in a program that drops our own
        fields."""
        for state in self.states:
            yield values_of(state)
            standard = {"STATION_CALLSIGN": self.callsign, **dict(standard_fields(state))}
            try:
                yield values_of(read_standard(Record(standard), state))
            except Refused:
                pass

    def holds(self, name: str, value: Any) -> bool:
        """Has the QSO had this value, perhaps more exactly?"""
        if self.faces is None:
            self.faces = list(self.read())
        return any(name in face and (face[name] == value or face[name] is not None
                                     and value is not None and
                                     says_less(name, face[name], value)) for face in self.faces)


class Changes:
    """Finds what changed in the files of a folder. state is that of a LocalLog, of which records
    (what the files held of each QSO), former (earlier states), renamed and edits (changes that wait
    for a download) are kept here; qsos are those of the log before the download, deleted those that
    were deleted from it."""

    def __init__(self, state: State, qsos: dict[str, Qso], deleted: dict[str, Qso],
                 callsign: str) -> None:
        self.state, self.qsos, self.deleted, self.callsign = state, dict(qsos), deleted, callsign
        for edit in state["edits"]:
            self.qsos[edit["key"]] = apply_edit(edit, self.qsos.get(edit["key"]), deleted)

    def take(self, records: Iterable[Tuple[str, Found]]) -> Collection[str]:
        """Takes records and the keys of their QSOs; returns the keys."""
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
        """The names of the values that the record changes, of all records of that QSO."""
        before = self.state["records"].get(key, [])
        if record in before:
            return []
        live = self.qsos.get(key)
        known = History([*before, live], self.callsign)
        former = History([*self.state["former"].get(key, ()), self.deleted.get(key)], self.callsign)

        def turned_back(name: str, value: Any) -> bool:
            """Do all files say so now, and did they say what the log says?"""
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
            return # a copy from before the deletion
        names = self.changed(key, record.qso, records)
        if names:
            is_new = not is_seen and key not in self.qsos
            self.state["edits"].append({"key": key, "line": record.line, "record": record.qso,
                                        "names": None if is_new else names,
                                        "program": [record.program, record.program_id]})


def part_of(record: Qso, names: Collection[str]) -> Qso:
    """The record with these of its values alone."""
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
    """The values of a record that the stored QSO lacks."""
    there = values_of({**EMPTY_QSO, **stored})
    return [name for name in values_of_record(record) if there.get(name) in (None, False)
            and (name != "notes" or not stored.get("notes"))]


def apply_edit(edit: Edit, stored: Qso | None, deleted: dict[str, Qso]) -> Qso:
    """The whole QSO that a change makes of the stored one, or None. What was seen for the first
    time only completes a QSO that came from elsewhere; what comes back after a deletion is as it
    was last."""
    record, names = edit["record"], edit["names"]
    base = stored or deleted.get(edit["key"])
    if not base:
        return merge(None, record)
    return merge(base, part_of(record, empty_names(record, base) if names is None else names))

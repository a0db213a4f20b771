# Converts ADIF records to the API's QSOs, and QSOs to records that restore the same QSOs. Our own
# fields hold values for which ADIF has no place. Values that only the service has are kept. Part of
# qsosync.py and udp-bridge.py. "qsosync-admin import" has the same rules.
from __future__ import annotations

import re
from typing import Any, Dict, Iterable, Mapping

from qsosync_fields import CLIENT_NAMES, EMPTY_QSO, FIELDS, SERVER_FIELDS, SPACES, Qso
from qsosync_fields import fields_not_on
from qsosync_serials import split_serial
from qsosync_standard import EXTRA, Record, join_notes, read_standard, split_notes
from qsosync_text import Fields
from qsosync_writing import defuse, format_field, standard_fields

# The fields without a place in a QSO, from programs' records, by the QSO's clientId.
Beside = Dict[str, Dict[str, str]]
LOCATORS = [name for name, field in FIELDS.items() if field.kind == "locator"]
# The name of our own ADIF field for each field of a QSO.
EXTRA_NAMES = {field: EXTRA + re.sub("([A-Z])", r"_\1", field).upper() for field in EMPTY_QSO}


def extras_of(record: Record) -> Qso:
    """Returns the values of our own fields, by field name. Records have these fields in addition to
    standard fields that cannot hold the whole value. An empty field means that the QSO has no
    value."""
    extras = {}
    for field, name in EXTRA_NAMES.items():
        text = record.fields.get(name)
        if text is None or not text and name in record.blank:
            continue
        try:
            value = FIELDS[field].read(text) if text else EMPTY_QSO[field]
            if value != "":
                extras[field] = value
        except ValueError:
            record.lose(name, "is not a value that QSOsync stores")
    return extras


def client_id_of(record: Record) -> str | None:
    text = record.fields.get(EXTRA + "CLIENT_ID", "")
    is_uuid = re.fullmatch(r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}", text)
    return text.lower() if is_uuid else None


def without_line_ends(notes: str) -> str:
    """Removes the space that older releases wrote before a line end that was CR LF."""
    return re.sub(" +\n", "\n", notes)


def apply_extras(record: Record, qso: Qso, extras: Qso, member_callsign: str) -> None:
    """Applies an extra value if the value would be written as the record's standard fields.
    Otherwise another program has edited the standard fields, and the edit counts. A QSO without a
    station callsign is written with its member's callsign, and keeps this callsign in another
    member's log."""
    passed = ("band", "channel", *fields_not_on(qso["band"]))
    extras = {field: value for field, value in extras.items() if field not in passed}
    if not extras:
        return
    exact = {**qso, **extras}
    back = read_standard(Record(dict(standard_fields(exact))), exact)
    for field, value in extras.items():
        precision = 16 if len(record.fields["TIME_ON"]) == 4 else 19
        same = qso.get(field) == back.get(field)
        if field == "qsoAt":
            same = qso[field][:precision] == back[field][:precision]
        elif field == "operatorCallsign" and not value:
            same = qso.get(field) in (None, member_callsign)
        elif field == "notes" and qso.get(field) and back.get(field):
            same = without_line_ends(qso[field]) == without_line_ends(back[field])
        if not same:
            continue
        qso.pop(field, None)
        if field == "notes":
            qso["wholeNotes"] = True
        qso[field] = value # None: the record states that the QSO has no value


def read_qso(fields: Fields,
             member_callsign: str) -> tuple[Qso, list[tuple[str, str]], list[str]]:
    """Returns (QSO with the record's fields, its losses, names of fields without a place). The QSO
    has a clientId if the record has our clientId, or the id and createdAt of a QSO without a
    clientId. The QSO has wholeNotes if the notes are from our own field."""
    record = Record(fields)
    extras = extras_of(record)
    qso = read_standard(record, extras)
    apply_extras(record, qso, extras, member_callsign)
    client_id = client_id_of(record)
    if client_id:
        qso["clientId"] = client_id
    elif EXTRA + "CLIENT_ID" not in record.fields and record.fields.get(EXTRA + "ID"):
        # If the record was written from a QSO without a clientId, its id and createdAt identify
        # that QSO.
        qso.update(id=record.fields[EXTRA + "ID"],
                   createdAt=record.fields.get(EXTRA + "CREATED_AT"))
    return qso, record.losses, record.unknown()


def normalise_callsign(callsign: str | None) -> str:
    upper = re.sub("[a-z]", lambda letter: letter[0].upper(), callsign or "")
    return re.sub("[ .-]", "", upper)


def contact_of(qso: Qso, member_callsign: str) -> str:
    """Returns what identifies a contact in records from any program: stations, band and minute."""
    station = qso.get("operatorCallsign") or member_callsign
    return "|".join((normalise_callsign(station), normalise_callsign(qso.get("callsignWorked")),
                     qso["band"], qso["qsoAt"][:16]))


def differs(stored: Qso | None, whole: Qso) -> bool:
    return stored is None or any(stored.get(field) != value for field, value in whole.items())


def says_less(field: str, old: Any, new: Any) -> bool:
    """Returns whether the new value is the old value in less detail or in another spelling."""
    if field == "qsoAt":
        return new[:16] == old[:16] and new[17:] == "00.000Z"
    if field in ("callsignWorked", "operatorCallsign"):
        return normalise_callsign(new) == normalise_callsign(old)
    if field == "mode":
        return new == "SSB" and old in ("USB", "LSB")
    if field in ("rstSent", "rstReceived"):
        return split_serial(old)[1] is not None and split_serial(old)[0] == new
    return field in LOCATORS and len(new) < len(old) and old.startswith(new)


def merge(stored: Qso | None, qso: Qso) -> Qso:
    """Merges a record's QSO into the stored QSO (or None), and returns the whole QSO without the
    clientId. A record with our clientId replaces all fields that this program defines; other
    records keep the values of fields that they lack. Fields that only the service has are kept,
    because the service empties fields that a sent QSO lacks."""
    read = {field: value for field, value in qso.items() if field in EMPTY_QSO}
    rest = {field: value for field, value in (stored or {}).items()
            if field not in (*SERVER_FIELDS, *CLIENT_NAMES)}
    if "clientId" in qso or stored is None:
        return {**rest, **EMPTY_QSO, **read}
    merged = {**EMPTY_QSO, **rest}
    for field, value in read.items():
        if merged[field] is None or value is None or not says_less(field, merged[field], value):
            merged[field] = value
    if merged["band"] != stored.get("band"):
        merged.update((field, EMPTY_QSO[field]) for field in fields_not_on(merged["band"]))
    if not qso.get("wholeNotes"):
        merged["notes"] = merge_notes(stored, read, merged["mode"])
    return merged


def merge_notes(stored: Qso, read: Qso, mode: str | None) -> str | None:
    """Returns the stored notes, in which the record's parts replace the stored parts."""
    old, new = (split_notes(qso.get("notes"), qso.get("mode"), any_mode=True)
                for qso in (stored, read))
    if mode != "DIGITAL":
        old[2] = None
    parts = (new_part or old_part for new_part, old_part in zip(new, old))
    notes = join_notes(*parts).strip(SPACES)
    return (notes if len(notes) <= FIELDS["notes"].maximum else stored.get("notes")) or None


def without_client_id(qsos: Iterable[Qso]) -> dict[tuple[str, str], Qso]:
    """Returns the QSOs that were saved before clientIds existed; only id and createdAt identify
    these QSOs."""
    return {(stored["id"], stored["createdAt"]): stored for stored in qsos
            if not stored.get("clientId") and "id" in stored}


def format_record(qso: Qso, member_callsign: str, beside: Mapping[str, str]) -> str:
    """Formats a record that restores the QSO exactly: standard fields, our own fields where
    standard fields are not enough, and fields that are not part of the QSO."""
    standard = {"STATION_CALLSIGN": member_callsign, **dict(standard_fields(qso))}
    read = read_standard(Record(standard), qso)
    extra = {EXTRA + "CLIENT_ID": qso.get("clientId"), EXTRA_NAMES["band"]: qso["band"]}
    if not qso.get("clientId"):
        extra.update({EXTRA + "ID": qso.get("id"), EXTRA + "CREATED_AT": qso.get("createdAt")})
    for field, empty in EMPTY_QSO.items():
        value = qso.get(field, empty)
        if value != read.get(field, empty):
            extra[EXTRA_NAMES[field]] = "" if value is None else value
    return "".join(format_field(name, value) for name, value in standard.items()) + "".join(
        format_field(name, re.sub(r"[%<\x00-\x1f]", lambda character: f"%{ord(character[0]):02X}",
                                  str(value)))
        for name, value in extra.items() if value is not None) + "".join(
        format_field(name, defuse(value)) for name, value in sorted(beside.items())) + "<EOR>\n"


def format_file(qsos: Iterable[Qso], member_callsign: str, beside: Beside | None = None) -> bytes:
    """Formats an ADIF file as bytes, sorted by time."""
    known = beside or {}
    head = "Log of a QSOsync service\n" + format_field("ADIF_VER", "3.1.6") + \
        format_field("PROGRAMID", "QSOsync") + \
        format_field(EXTRA + "CALLSIGN", member_callsign) + "<EOH>\n"
    return (head + "".join(
        format_record(qso, member_callsign, known.get(qso.get("clientId") or "", {}))
        for qso in sorted(qsos, key=lambda qso: (qso["qsoAt"], qso.get("clientId") or "")))
        ).encode()

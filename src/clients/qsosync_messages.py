# What loggers say by UDP: the QSOs in a datagram of WSJT-X, JTDX, JS8Call, N1MM, fldigi, or in ADIF
# text. A part of udp-bridge.py, which says when they are sent and what a deletion means.
from __future__ import annotations

import decimal
import json
import re
import struct
import uuid
import xml.etree.ElementTree

from qsosync_text import Fields, FoundRecord, read_records
from qsosync_udp import say

WSJTX_MAGIC = 0xADBCCBDA
WSJTX_QSO_LOGGED, WSJTX_LOGGED_ADIF = 5, 12


class Message:
    """One datagram: its records, as ADIF fields, and what is to happen to them (log, edit,
    delete)."""

    def __init__(self, action: str, records: list[FoundRecord],
                 client_id: str | None = None) -> None:
        self.action = action
        self.records = records # (line, fields or None, trouble or None)
        self.client_id = client_id # where the program has a name of its own for the QSO


def understand(data: bytes) -> Message | None:
    """The message of a datagram, or None where it is none of those that log a QSO."""
    text: bytes | None = data
    try:
        if data[:4] == struct.pack(">I", WSJTX_MAGIC):
            text = logged_adif(data)
        elif data.lstrip()[:1] == b"<" and re.search(rb"<contact(info|replace|delete)\b", data):
            return read_contact(data)
        elif data[:1] == b"{":
            text = logged_by_js8call(data)
        if text and re.search(rb"<eor>", text, re.IGNORECASE):
            return Message("log", list(read_records(text)))
    except (ValueError, RecursionError, struct.error, xml.etree.ElementTree.ParseError) as error:
        say(f"a datagram is not understood: {error}")
    return None


def logged_adif(data: bytes) -> bytes | None:
    """The ADIF text of WSJT-X's message of type 12; None of other types. A text is its length in
    four bytes, and its bytes; the length FFFFFFFF means no text."""
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


def logged_by_js8call(data: bytes) -> bytes | None:
    """The ADIF text of JS8Call's own message about a QSO, which has no end of its record; None of
    others."""
    message = json.loads(data)
    if message.get("type") != "LOG.QSO" or not isinstance(message.get("value"), str):
        return None
    return message["value"].encode() + b" <eor>"


def announces_qso(data: bytes) -> bool:
    """Is this WSJT-X's message that a QSO was logged, which the ADIF text follows?"""
    return data[:4] == struct.pack(">I", WSJTX_MAGIC) and data[8:12] == struct.pack(">I",
            WSJTX_QSO_LOGGED)


def read_contact(data: bytes) -> Message | None:
    """A contact of N1MM or fldigi."""
    if b"<!" in data:
        raise ValueError("XML with declarations")
    root = xml.etree.ElementTree.fromstring(data.lstrip())
    action = {"contactinfo": "log", "contactreplace": "edit",
              "contactdelete": "delete"}.get(root.tag)
    if not action:
        return None
    values = {child.tag.lower(): (child.text or "").strip() for child in root}
    client_id = identity_of_contact(values.get("id"))
    if action == "delete" and not client_id:
        raise ValueError("a deletion that does not say of which QSO")
    return Message(action, [] if action == "delete" else [(1, fields_of_contact(values), None)],
                   client_id)


def identity_of_contact(name: str | None) -> str | None:
    """The same for every edit: N1MM's ID is a UUID without hyphens. Another ID is a name, which
    becomes a UUID when it is sent."""
    if name and re.fullmatch("[0-9a-fA-F]{32}", name):
        return str(uuid.UUID(name))
    return name or None


def client_id_of_contact(identity: str, secret: str) -> str:
    is_uuid = re.fullmatch(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", identity)
    return identity if is_uuid else str(uuid.uuid5(uuid.UUID(secret), "n1mm|" + identity))


def fields_of_contact(values: dict[str, str]) -> Fields:
    # fldigi, which knows no contest, gives hertz; N1MM gives tens of them.
    unit = decimal.Decimal(10 if "contestname" in values else 1) / 1000000

    def megahertz(name: str) -> str:
        digits = values.get(name, "")
        return format(int(digits) * unit, "f") if re.fullmatch("[0-9]{1,12}", digits) else ""

    moment = re.fullmatch(r"(\d{4})-(\d\d)-(\d\d) (\d\d):(\d\d):(\d\d)",
                          values.get("timestamp", ""))
    fields = Fields()
    fields["QSO_DATE"] = "".join(moment.groups()[:3]) if moment else ""
    fields["TIME_ON"] = "".join(moment.groups()[3:]) if moment else ""
    fields["FREQ"] = megahertz("txfreq") or megahertz("rxfreq")
    if values.get("rxfreq") != values.get("txfreq"): # both are always there
        fields["FREQ_RX"] = megahertz("rxfreq")
    for field, name in (("CALL", "call"), ("STATION_CALLSIGN", "mycall"), ("OPERATOR", "operator"),
                        ("MODE", "mode"), ("RST_SENT", "snt"), ("RST_RCVD", "rcv"),
                        ("STX", "sntnr"), ("SRX", "rcvnr"), ("GRIDSQUARE", "gridsquare"),
                        ("NAME", "name"),
                        ("QTH", "qth"), ("COMMENT", "comment"), ("TX_PWR", "power")):
        fields[field] = values.get(name, "")
    return fields

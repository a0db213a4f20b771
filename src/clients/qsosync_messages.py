# Reads UDP messages of loggers: the QSOs in a datagram from WSJT-X, JTDX, JS8Call, FreeDV, N1MM,
# fldigi or DXKeeper, or in ADIF text. Part of udp-bridge.py, which decides when to send them.
from __future__ import annotations

import datetime
import decimal
import html
import json
import re
import struct
from qsosync_encodings import unfold
from qsosync_standard import BANDS_OF_ADIF, is_ours
from qsosync_text import Fields, FoundRecord, Refused, decode_mixed, read_records

WSJTX_MAGIC = struct.pack(">I", 0xADBCCBDA)
WSJTX_QSO_LOGGED, WSJTX_LOGGED_ADIF = 5, 12
# Messages that N1MM broadcasts as XML in addition to contacts.
OTHER_XML = "radioinfo spot dynamicresults appinfo lookupinfo rotorstatus n1mmrotor score".split()
CONTACT = re.compile(r"<(contact(?:info|replace|delete))\b[^>]*>(.*)</\1\s*>",
                     re.DOTALL | re.IGNORECASE)
ACTIONS = {"contactinfo": "log", "contactreplace": "edit", "contactdelete": "delete"}
ELEMENT = re.compile(r"<(\w+)[^<>]*?(?:/>|>([^<]*(?:<(?![/\w])[^<]*)*)</\1\s*>)")
TAG_OF_ADIF = re.compile(rb"<(?:call|qso_date|time_on):\d+[:>]|</?eor\b", re.IGNORECASE)
DXKEEPER = re.compile(rb"<command:\d+>\s*(\w+)\s*<parameters:\d+>(.*)", re.DOTALL | re.IGNORECASE)
TIME = r"[ T,]+(?P<hour>\d{1,2}):(?P<minute>\d\d)(?::(?P<second>\d\d)(?:\.\d+)?)?" \
    r"(?: ?(?P<half>[AP])M)? ?Z?"
TIMESTAMPS = tuple(re.compile(day + TIME, re.IGNORECASE) for day in (
    r"(?P<year>\d{4})[-/.](?P<month>\d{1,2})[-/.](?P<day>\d{1,2})",
    r"(?P<month>\d{1,2})/(?P<day>\d{1,2})/(?P<year>\d{4})"))
JULIAN_DAY_0 = 1721425 # the day before 0001-01-01
DAYS = 3652059 # until 9999-12-31


class NotUnderstood(Exception):
    """A datagram that may be a QSO but cannot be read."""


class Message:
    """One datagram: its records, as ADIF fields, and its action: log, edit or delete; announce
    means log, unless the records themselves follow."""

    def __init__(self, action: str, records: list[FoundRecord], program: str | None = None,
                 program_id: str | None = None, before: Fields | None = None) -> None:
        self.action = action
        self.records = records # (line, fields or None, trouble or None)
        self.program = program
        self.program_id = program_id # what the program calls the contact
        self.before = before # of an edit: the fields by which the contact was known

    def contacts(self) -> set[tuple[str, ...]]:
        """Identifies its records among others of the same program."""
        return {contact_in(fields) for _, fields, _ in self.records if fields}

    def key(self) -> object:
        """Identical for an edit and the deletion that announces it."""
        if self.program_id or not self.before:
            return self.program, self.program_id
        return contact_in(self.before)

    def is_moved(self) -> bool:
        """Whether it is an edit that changes what identifies the contact."""
        return self.action == "edit" and bool(self.before) and \
            contact_in(self.before or Fields()) not in self.contacts()

    def label(self) -> str:
        return self.program_id or " ".join(contact_in(self.before or Fields()))


def contact_in(fields: Fields) -> tuple[str, ...]:
    """The station, day and minute."""
    return tuple(fields.get(name, "").upper()[:length] for name, length in
                 (("CALL", 64), ("QSO_DATE", 8), ("TIME_ON", 4)))


def understand(data: bytes) -> Message | None:
    """The message of a datagram; None if it surely logs no QSO."""
    try:
        if data[:4] == WSJTX_MAGIC:
            return read_wsjtx(data)
        return read_text_of(unfold(data, None).strip(b"\0 \t\r\n"))
    except (Refused, ValueError, RecursionError) as error:
        raise NotUnderstood(str(error)) from None


def read_text_of(data: bytes) -> Message | None:
    if not data:
        return None
    if data[:1] == b"{":
        return read_js8call(data)
    text, _ = decode_mixed(data)
    contact = CONTACT.search(text)
    if contact:
        return read_contact(contact[1].lower(), contact[2])
    if re.match(r"(?:<\?xml[^>]*>)?\s*<contact(?:info|replace|delete)\b", text, re.IGNORECASE):
        raise NotUnderstood("a contact is cut off")
    root = re.match(r"(?:<\?xml[^>]*>)?\s*<(\w+)", text)
    if root and root[1].lower() in OTHER_XML:
        return None
    command = DXKEEPER.match(data)
    if command and command[1].lower() != b"log":
        return None
    return read_adif(command[2] if command else data)


def read_adif(data: bytes, program: str | None = None) -> Message | None:
    if not TAG_OF_ADIF.search(data):
        raise NotUnderstood("no known program sends this")
    records = list(read_records(data))
    return Message("log", records, program) if records else None


# -- WSJT-X ----------------------------------------------------------------------------------------

class Stream:
    """Reads successive Qt values, big-endian."""

    def __init__(self, data: bytes, position: int) -> None:
        self.data, self.position = data, position

    def take(self, form: str) -> int:
        size = struct.calcsize(">" + form)
        if self.position + size > len(self.data):
            raise ValueError("it is cut off")
        value, = struct.unpack_from(">" + form, self.data, self.position)
        self.position += size
        return value

    def bytes(self) -> bytes:
        """A text: its length in four bytes, then its bytes. The length FFFFFFFF means no text."""
        length = self.take("I")
        length = 0 if length == 0xFFFFFFFF else length
        text = self.data[self.position:self.position + length]
        if len(text) != length:
            raise ValueError("it is cut off")
        self.position += length
        return text

    def text(self) -> str:
        return decode_mixed(self.bytes())[0].strip()

    def rest(self) -> list[str]:
        """The remaining texts; older versions of the programs send fewer."""
        texts = []
        while self.position + 4 <= len(self.data):
            texts.append(self.text())
        return texts

    def moment(self) -> datetime.datetime:
        """A date and a time. Programs mean UTC, whatever zone they write."""
        day, milliseconds, zone = self.take("q"), self.take("I"), self.take("B")
        offset = self.take("i") if zone == 2 else 0
        if zone == 3:
            self.bytes()
        if not 1 < day - JULIAN_DAY_0 < DAYS or milliseconds >= 86400000:
            raise ValueError("it has no time")
        return datetime.datetime.fromordinal(day - JULIAN_DAY_0) + \
            datetime.timedelta(milliseconds=milliseconds, seconds=-offset)


def read_wsjtx(data: bytes) -> Message | None:
    """"Logged ADIF" is a file; programs without ADIF only send "QSO Logged"."""
    stream = Stream(data, 4)
    schema, kind = stream.take("I"), stream.take("I")
    if schema < 2 or kind not in (WSJTX_QSO_LOGGED, WSJTX_LOGGED_ADIF):
        return None
    program = stream.text()
    if kind == WSJTX_LOGGED_ADIF:
        adif = stream.bytes()
        return read_adif(adif, program) if adif.strip() else None
    return Message("announce", [(1, read_qso_logged(stream), None)], program)


def read_qso_logged(stream: Stream) -> Fields:
    fields = Fields()
    stream.moment() # the end
    fields["CALL"], fields["GRIDSQUARE"] = stream.text(), stream.text()
    fields["FREQ"] = format(decimal.Decimal(stream.take("Q")) / 1000000, "f")
    for name in ("MODE", "RST_SENT", "RST_RCVD", "TX_PWR", "COMMENT", "NAME"):
        fields[name] = stream.text()
    begun = stream.moment()
    fields["QSO_DATE"], fields["TIME_ON"] = begun.strftime("%Y%m%d"), begun.strftime("%H%M%S")
    names = ("OPERATOR", "STATION_CALLSIGN", "MY_GRIDSQUARE", "STX_STRING", "SRX_STRING")
    fields.update(zip(names, stream.rest()))
    return fields


# -- JS8Call ---------------------------------------------------------------------------------------

def read_js8call(data: bytes) -> Message | None:
    message = json.loads(decode_mixed(data)[0])
    if message.get("type") != "LOG.QSO":
        return None
    if not isinstance(message.get("value"), str):
        raise NotUnderstood("LOG.QSO has no text")
    return read_adif(message["value"].encode(), "JS8Call")


# -- N1MM and fldigi -------------------------------------------------------------------------------

def read_contact(root: str, body: str) -> Message:
    """Programs disagree about the encoding that their XML declares and about escaping &, so only
    elements count."""
    values = {name.lower(): unescape((text or "").strip()) for name, text in ELEMENT.findall(body)}
    program, number = values.get("app") or "N1MM", values.get("id") or None
    before = dict(values)
    for name in ("call", "timestamp"):
        before[name] = values.get("old" + name) or values.get(name, "")
    return Message(ACTIONS[root], [(1, fields_of_contact(values), None)], program, number,
                   fields_of_contact(before))


def unescape(text: str) -> str:
    return re.sub(r"&(?:#\d+|#x[0-9a-f]+|amp|lt|gt|quot|apos);", lambda one: html.unescape(one[0]),
                  text, flags=re.IGNORECASE)


def read_timestamp(text: str) -> datetime.datetime | None:
    """Reads 2026-05-17 19:42:11 or 5/17/2026 7:42:11 PM, in UTC."""
    text = re.sub(r"\s*:\s*", ":", re.sub(r"\s+", " ", text.strip()))
    for pattern in TIMESTAMPS:
        found = pattern.fullmatch(text)
        if not found:
            continue
        part = {name: int(found[name] or 0)
                for name in ("year", "month", "day", "hour", "minute", "second")}
        if part["month"] > 12: # the day comes first
            part["month"], part["day"] = part["day"], part["month"]
        if found["half"]:
            part["hour"] = part["hour"] % 12 + (12 if found["half"] in "Pp" else 0)
        try:
            return datetime.datetime(part["year"], part["month"], part["day"], part["hour"],
                                     part["minute"], part["second"])
        except ValueError:
            return None
    return None


def band_named(text: str) -> str:
    """ADIF's BAND for a number of MHz or a name; empty if it is neither."""
    if re.fullmatch(r"\d+(\.\d+)?c?m", text, re.IGNORECASE):
        return text
    try:
        number = float(text.replace(",", "."))
    except ValueError:
        return ""
    if 26 <= number < 28 or number == 11:
        return "11m"
    return next((name for name, low, high in BANDS_OF_ADIF
                 if low // 10**6 <= number <= high / 10**6), "")


def fields_of_contact(values: dict[str, str]) -> Fields:
    # fldigi sends no contest name and uses hertz; N1MM uses tens of hertz.
    units = (10, 1) if "contestname" in values else (1, 10)

    def megahertz(name: str) -> str:
        digits = values.get(name, "")
        if not re.fullmatch("[0-9]{1,12}", digits) or int(digits) == 0:
            return ""
        said = [decimal.Decimal(int(digits) * unit) / 1000000 for unit in units]
        return format(next((mhz for mhz in said if is_known(mhz)), said[0]), "f")

    fields = Fields()
    moment = read_timestamp(values.get("timestamp", ""))
    fields["QSO_DATE"] = moment.strftime("%Y%m%d") if moment else ""
    fields["TIME_ON"] = moment.strftime("%H%M%S") if moment else ""
    fields["FREQ"] = megahertz("txfreq") or megahertz("rxfreq")
    if not fields["FREQ"]:
        fields["BAND"] = band_named(values.get("band", ""))
    if values.get("rxfreq") != values.get("txfreq"): # both are always there
        fields["FREQ_RX"] = megahertz("rxfreq")
    for field, name in (("CALL", "call"), ("STATION_CALLSIGN", "mycall"), ("OPERATOR", "operator"),
                        ("MODE", "mode"), ("RST_SENT", "snt"), ("RST_RCVD", "rcv"),
                        ("STX", "sntnr"), ("SRX", "rcvnr"), ("GRIDSQUARE", "gridsquare"),
                        ("NAME", "name"),
                        ("QTH", "qth"), ("COMMENT", "comment"), ("TX_PWR", "power")):
        fields[field] = values.get(name, "")
    return fields


def is_known(mhz: decimal.Decimal) -> bool:
    """Whether the frequency is in a band."""
    return is_ours(mhz) or any(low <= mhz * 10**6 <= high for _, low, high in BANDS_OF_ADIF)

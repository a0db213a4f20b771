# Reads contacts that N1MM and fldigi send as XML. Part of udp-bridge.py.
from __future__ import annotations

import datetime
import decimal
import html
import re

from qsosync_datagram import Message
from qsosync_standard import BANDS_OF_ADIF, is_ours
from qsosync_text import Fields

ACTIONS = {"contactinfo": "log", "contactreplace": "edit", "contactdelete": "delete"}
ELEMENT = re.compile(r"<(\w+)[^<>]*?(?:/>|>([^<]*(?:<(?![/\w])[^<]*)*)</\1\s*>)")
TIME = r"[ T,]+(?P<hour>\d{1,2}):(?P<minute>\d\d)(?::(?P<second>\d\d)(?:\.\d+)?)?" \
    r"(?: ?(?P<half>[AP])M)? ?Z?"
TIMESTAMPS = tuple(re.compile(day + TIME, re.IGNORECASE) for day in (
    r"(?P<year>\d{4})[-/.](?P<month>\d{1,2})[-/.](?P<day>\d{1,2})",
    r"(?P<month>\d{1,2})/(?P<day>\d{1,2})/(?P<year>\d{4})"))


def read_contact(root: str, body: str) -> Message:
    """Finds a contact's elements without an XML parser, because programs disagree about escaping &
    and about the encoding that their XML declares."""
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
    """Returns ADIF's BAND for a number of MHz or a name; empty for other texts."""
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
    if values.get("rxfreq") != values.get("txfreq"): # both elements are always present
        fields["FREQ_RX"] = megahertz("rxfreq")
    for field, name in (("CALL", "call"), ("STATION_CALLSIGN", "mycall"), ("OPERATOR", "operator"),
                        ("MODE", "mode"), ("RST_SENT", "snt"), ("RST_RCVD", "rcv"),
                        ("STX", "sntnr"), ("SRX", "rcvnr"), ("GRIDSQUARE", "gridsquare"),
                        ("NAME", "name"),
                        ("QTH", "qth"), ("COMMENT", "comment"), ("TX_PWR", "power")):
        fields[field] = values.get(name, "")
    return fields


def is_known(mhz: decimal.Decimal) -> bool:
    """Returns whether the frequency is in a band."""
    return is_ours(mhz) or any(low <= mhz * 10**6 <= high for _, low, high in BANDS_OF_ADIF)

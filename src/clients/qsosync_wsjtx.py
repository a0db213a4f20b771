# Reads the binary datagrams of WSJT-X, which other programs also send. Part of udp-bridge.py.
from __future__ import annotations

import datetime
import decimal
import struct

from qsosync_datagram import Message, read_adif
from qsosync_decoding import decode_mixed
from qsosync_text import Fields

WSJTX_MAGIC = struct.pack(">I", 0xADBCCBDA)
WSJTX_QSO_LOGGED, WSJTX_LOGGED_ADIF = 5, 12
JULIAN_DAY_0 = 1721425 # the day before 0001-01-01
DAYS = 3652059 # until 9999-12-31


class Stream:
    """Reads successive Qt values, big-endian."""

    def __init__(self, data: bytes, position: int) -> None:
        self.data, self.position = data, position

    def take(self, form: str) -> int:
        size = struct.calcsize(">" + form)
        if self.position + size > len(self.data):
            raise ValueError("the datagram is cut off")
        value, = struct.unpack_from(">" + form, self.data, self.position)
        self.position += size
        return value

    def bytes(self) -> bytes:
        """Reads a text: its length in four bytes, then its bytes. The length FFFFFFFF means no
        text."""
        length = self.take("I")
        length = 0 if length == 0xFFFFFFFF else length
        text = self.data[self.position:self.position + length]
        if len(text) != length:
            raise ValueError("the datagram is cut off")
        self.position += length
        return text

    def text(self) -> str:
        return decode_mixed(self.bytes())[0].strip()

    def rest(self) -> list[str]:
        """Reads the remaining texts; older versions of the programs send fewer texts."""
        texts = []
        while self.position + 4 <= len(self.data):
            texts.append(self.text())
        return texts

    def moment(self) -> datetime.datetime:
        """Reads a date and a time. Programs mean UTC, whatever time zone the datagram names. Only
        an offset from UTC is applied."""
        day, milliseconds, zone = self.take("q"), self.take("I"), self.take("B")
        offset = self.take("i") if zone == 2 else 0
        if zone == 3:
            self.bytes()
        if not 1 < day - JULIAN_DAY_0 < DAYS or milliseconds >= 86400000:
            raise ValueError("the record has no time")
        return datetime.datetime.fromordinal(day - JULIAN_DAY_0) + \
            datetime.timedelta(milliseconds=milliseconds, seconds=-offset)


def read_wsjtx(data: bytes) -> Message | None:
    """Reads a datagram: "Logged ADIF" contains a file; programs without ADIF send only "QSO
    Logged"."""
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
    stream.moment() # the time at which the QSO ended
    fields["CALL"], fields["GRIDSQUARE"] = stream.text(), stream.text()
    fields["FREQ"] = format(decimal.Decimal(stream.take("Q")) / 1000000, "f")
    for name in ("MODE", "RST_SENT", "RST_RCVD", "TX_PWR", "COMMENT", "NAME"):
        fields[name] = stream.text()
    begun = stream.moment()
    fields["QSO_DATE"], fields["TIME_ON"] = begun.strftime("%Y%m%d"), begun.strftime("%H%M%S")
    names = ("OPERATOR", "STATION_CALLSIGN", "MY_GRIDSQUARE", "STX_STRING", "SRX_STRING")
    fields.update(zip(names, stream.rest()))
    return fields

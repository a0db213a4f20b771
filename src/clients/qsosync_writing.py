# Writes a QSO as standard fields of ADIF, as the service does (src/adif/to_fields.c). Part of
# qsosync.py and udp-bridge.py.
from __future__ import annotations

import re
from decimal import Decimal
from typing import Iterator

from qsosync_fields import FIELDS, Qso
from qsosync_modes import MODE_OF
from qsosync_serials import report_fields
from qsosync_standard import LETTERS_OF_ADIF, ROWS_OF_ADIF, frequency_of, is_on_band, round_half_up
from qsosync_standard import split_notes


def defuse(text: str) -> str:
    """Replaces control characters, and each "<" with which a program would begin a field. Lines end
    with CR LF, as ADIF requires."""
    text = re.sub("<(?=[A-Za-z/])", "(", text.replace("\r\n", "\n"))
    return re.sub("[\x00-\x1f\x7f]", lambda control: "\r\n" if control[0] == "\n" else " ", text)


def format_field(name: str, value: object) -> str:
    """Formats a field, followed by the spaces that a program reads if it counts characters instead
    of bytes."""
    value = str(value)
    size = len(value.encode())
    return f"<{name}:{size}>{value} " + " " * (size - len(value))


def letter_of(name: str, field: str, qso: Qso) -> str | None:
    """Returns the letter that ADIF has for a choice, if any."""
    return dict(zip(FIELDS[field].choices, LETTERS_OF_ADIF[name])).get(qso.get(field) or "")


def format_coordinate(value: float, letters: str) -> str:
    minutes = round_half_up(Decimal(repr(abs(value))) * 60, 3)
    return f"{letters[value < 0]}{int(minutes // 60):03d} {minutes % 60:06.3f}"


def format_coordinates(qso: Qso) -> tuple[str | None, str | None]:
    """Formats LAT and LON. The place 0, 0 is omitted, because it would mean an unknown place."""
    lat, lng = (None if qso.get(field) is None else format_coordinate(qso[field], letters)
                for field, letters in (("dxLat", "NS"), ("dxLng", "EW")))
    if lat and lng and lat[1:] == lng[1:] == "000 00.000":
        return None, None
    return lat, lng


def format_split(qso: Qso) -> Decimal | None:
    frequency = frequency_of(qso)
    if frequency is None or qso.get("splitKhz") is None:
        return None
    receive = frequency - Decimal(qso["splitKhz"]) / 1000
    return receive if is_on_band(qso, receive) else None


def standard_fields(qso: Qso) -> Iterator[tuple[str, str]]:
    """Yields the standard ADIF fields of a QSO, as other programs read them."""
    mode, via = qso.get("mode"), qso.get("qslVia")
    lat, lng = format_coordinates(qso)
    name, qth, digital, notes = split_notes(qso.get("notes"), mode)
    submode = digital if mode == "DIGITAL" else mode
    if submode in ("USB", "LSB"):
        mode = "SSB"
    elif mode == "DIGITAL" or submode in MODE_OF:
        mode = MODE_OF.get(submode or "", submode)
    elif mode not in ("FM", "AM", "SSB", "CW"):
        mode = submode = None # only the service's own field holds the mode
    fields = (
        ("QSO_DATE", qso["qsoAt"][:10].replace("-", "")),
        ("TIME_ON", qso["qsoAt"][11:19].replace(":", "")),
        ("BAND", "11m" if qso["band"] == "ELEVEN_METERS" else None), ("FREQ", frequency_of(qso)),
        ("FREQ_RX", format_split(qso)), ("MODE", mode),
        ("SUBMODE", submode if submode != mode else None),
        *((name, qso.get(field)) for name, field, form, _ in ROWS_OF_ADIF
          if form in ("text", "station", "locator", "power")),
        *(part for name, field, form, _ in ROWS_OF_ADIF if form == "report"
          for part in report_fields(name, qso.get(field))),
        ("LAT", lat), ("LON", lng),
        ("ANT_PATH", letter_of("ANT_PATH", "path", qso)),
        # False can mean not sent, requested or waiting, so no ADIF value would be right.
        ("QSL_SENT", "Y" if qso.get("qslSent") else None),
        ("QSL_RCVD", "Y" if qso.get("qslReceived") else None),
        ("QSL_SENT_VIA", letter_of("QSL_SENT_VIA", "qslVia", qso)),
        ("EQSL_QSL_SENT", "Y" if via == "EQSL" and qso.get("qslSent") else None),
        ("NAME", name), ("QTH", qth), ("NOTES", notes))
    for name, value in fields:
        if value not in (None, ""):
            yield name, defuse(str(value))
